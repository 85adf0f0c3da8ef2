// SPDX-License-Identifier: GPL-2.0-or-later
/* The CPUs of a process (port/user.h). */
#include "port/port.h"

struct st_machine st_machine = { .possible = 1, .online = 1 };
__thread int st_this_cpu_id;
