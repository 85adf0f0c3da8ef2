/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of a script's C that run when the module is loaded and removed.  A script with embedded
 * C includes this header behind that C, which may have defined the macros:
 *
 *	%{
 *	static void opened(void) { … }
 *	#define STAP_MODULE_INIT_HOOK opened
 *	#define STAP_MODULE_EXIT_HOOK() closed(4)
 *	%}
 *
 * The functions may wait and allocate; no handler runs yet, or any more.
 */
#ifndef STAP_HOOKS_H
#define STAP_HOOKS_H

#ifdef STAP_MODULE_INIT_HOOK
static void st_init_hook(void)
{
	STAP_MODULE_INIT_HOOK();
}
#else
#define st_init_hook ((void (*)(void))0)
#endif

#ifdef STAP_MODULE_EXIT_HOOK
static void st_exit_hook(void)
{
	STAP_MODULE_EXIT_HOOK();
}
#else
#define st_exit_hook ((void (*)(void))0)
#endif

#endif
