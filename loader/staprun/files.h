/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program files that a module probes.
 *
 * staprun opens each, checks that it is what the script was compiled for, since a breakpoint at an
 * offset in another program would damage its instructions, and hands the descriptor to the module,
 * which so gets the very file that was checked, and looks at its code.
 */
#ifndef STAP_FILES_H
#define STAP_FILES_H

/*
 * Sends the module NAME's files to its control file CONTROL.  ROOT is the root directory in which they are
 * looked for, "/proc/PID/root" of a container (base/root.h), or "".  A file that isn't there, or is of
 * another build, is left out after a warning.  Returns 0, or -1 after a message.
 */
int files_tell(const char *name, int control, const char *root);

#endif
