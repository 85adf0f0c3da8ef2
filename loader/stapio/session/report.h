/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report at the end of a session: what was lost or skipped, and which option helps against it. */
#ifndef STAP_REPORT_H
#define STAP_REPORT_H

struct control_state;

/* Prints a warning for each counter of ST that says so. */
void report(const struct control_state *st);

#endif
