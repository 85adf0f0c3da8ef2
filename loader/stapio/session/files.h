/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of procfs("path").read probes where no module runs, which would have them in /proc/systemtap/NAME/: they are
 * FIFOs in /run/stap/NAME/, of other users than root in $XDG_RUNTIME_DIR/stap/NAME/.
 *
 *	files_open(ir, "hits")		makes /run/stap/hits/command
 *	files_serve()			looks whether someone has opened one: "cat /run/stap/hits/command"
 *	files_close()			removes them
 *
 * The one who opens a FIFO for reading waits there until files_serve() runs the probe's handler and writes the contents.
 * A FIFO is for one reader: at once another takes its place, so readers don't share contents.  Who reads slowly, or not at
 * all, holds up nobody: what he has not read is kept, of ANSWERS_MOST readers at a time, and the others wait.
 *
 * A directory is locked by its session.  What a killed one has left, the next of that name takes over.
 *
 * All calls are from the interpreter's thread, and there is one session.  fifo(7).
 */
#ifndef STAP_SESSION_FILES_H
#define STAP_SESSION_FILES_H

#include <stdbool.h>

struct ir_program;

/* Has the program such files?  Then the other functions are to be called. */
bool files_has(const struct ir_program *ir);

/* Makes the files of the session NAME.  Returns 0, or -1 after a message. */
int files_open(const struct ir_program *ir, const char *name);

void files_serve(void);
void files_close(void);

#endif
