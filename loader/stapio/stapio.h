/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program stapio, which is also a part of a bundle. */
#ifndef STAP_STAPIO_H
#define STAP_STAPIO_H

/* Relays the output of a module that staprun has opened (-F), and returns the exit status. */
int stapio(int argc, char **argv);

#endif
