/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a session ends with: the counts of what went wrong, and what to do. */
#ifndef STAP_REPORT_H
#define STAP_REPORT_H

struct control_state;

void report(const struct control_state *st);

#endif
