/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of procfs("path").read probes where no module runs, which would have them in
 * /proc/systemtap/NAME/: they are in /run/stap/NAME/.
 *
 *	files_open(ir, "hits")		makes /run/stap/hits/command
 *	files_events()			readable when someone opens it: "cat /run/stap/hits/command"
 *	files_serve()			runs the probe's handler, and lets him
 *	files_close()			removes them
 *
 * The kernel asks before a file is opened (fanotify(7), which takes CAP_SYS_ADMIN), and who opens it waits
 * for the answer. So the contents are there when he reads, and they stay, because another file takes the
 * place of this one at once: what is opened next is made anew.  Those who open a file at the same instant
 * get the same contents.
 *
 * A directory is locked by its session.  What a killed one has left, the next of that name takes over; until
 * then it is empty files, for which nobody waits.
 *
 * All calls are from the interpreter's thread, and there is one session.
 */
#ifndef STAP_SESSION_FILES_H
#define STAP_SESSION_FILES_H

#include <stdbool.h>

struct ir_program;

/* Has the program such files?  Then the other functions are to be called. */
bool files_has(const struct ir_program *ir);

/* Makes the files of the session NAME.  Returns 0, or -1 after a message. */
int files_open(const struct ir_program *ir, const char *name);

int files_events(void);
void files_serve(void);
void files_close(void);

#endif
