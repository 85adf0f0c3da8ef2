/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report at a session's end: how much was lost or skipped, and what helps against it. */
#ifndef STAP_REPORT_H
#define STAP_REPORT_H

struct control_state;

void report(const struct control_state *st);

#endif
