/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bases: what the places and addresses in a script's module are relative to (the kernel, a
 * module's section, a symbol); and the modules that are loaded and unloaded during the
 * session.
 *
 * The modules lock covers what changes when a module comes or goes: the bases, and which
 * places are armed.  It is taken inside all other locks of the runtime, may be held for long,
 * and is never held around watch() or unwatch(), which wait for callbacks that take it.
 */
#ifndef STAP_BASES_H
#define STAP_BASES_H

#include <linux/types.h>

struct module;
struct st_kernel_variable;

/* Sets *address and returns true; false: unknown, or the module is not loaded.  Any context. */
bool st_base_address(unsigned int base, unsigned long *address);

/* Returns a function's address, or a per-CPU variable's as per_cpu_ptr() takes it, or 0.  Any context. */
unsigned long st_variable_address(const struct st_kernel_variable *variable);

/* Does the base belong to this module? */
bool st_base_of(unsigned int base, const struct module *module);

/*
 * Takes the loader's answer: the base's address, 0 if its module is not loaded, and whether kprobes
 * may be put there, because the symbol is not on the kernel's list of what kprobes may not touch.
 * Returns 0, or -EINVAL with st_message set.
 */
int st_base_set(unsigned int base, unsigned long address, bool kprobes_may);

/* Called under the modules lock about a module that the script has bases in. */
struct st_module_listener {
	/*
	 * The module is loaded, but none of its code has run; its bases are set, or ERR says why
	 * not.
	 */
	void (*comes)(const struct module *module, int err);
	/* Its init function has returned; its init sections are freed next. */
	void (*begun)(const struct module *module);
	/* It is being unloaded; none of its code runs any more. */
	void (*goes)(const struct module *module);
};

/* Sets the one listener, NULL for none; under the modules lock. */
void st_modules_listen(const struct st_module_listener *listener);

/*
 * Begin and end the watch, when our own module is loaded and unloaded; process context; 0 or
 * -errno.
 */
int st_modules_watch(void);
void st_modules_unwatch(void);

void st_modules_lock(void);
void st_modules_unlock(void);

#endif
