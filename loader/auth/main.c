// SPDX-License-Identifier: GPL-2.0-or-later
/* Does what staprun-auth is for, in its order (auth.h). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "abi/transport.h"
#include "auth.h"
#include "common/control.h"
#include "common/module.h"
#include "common/pass.h"
#include "common/say.h"
#include "staprun/bases.h"
#include "staprun/files.h"
#include "staprun/unused.h"

#define USERS "stapusr"
#define DEVELOPERS "stapdev"

/* To insert the module; to see the kernel's addresses; to read root's files that have them; and to ask
 * whether a file is being written. */
#define RIGHTS_TO_LOAD (RIGHT(CAP_SYS_MODULE) | RIGHT(CAP_SYSLOG) | RIGHT(CAP_DAC_READ_SEARCH) | \
			RIGHT(CAP_LEASE))

/*
 * Opens a module that root has put into /lib/modules.  /lib may be a link to usr/lib, and links are
 * not followed.
 */
static int open_named(const char *name, char *path, size_t size)
{
	struct utsname u;
	struct stat lib;
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (root < 0 || uname(&u) || fstatat(root, "lib", &lib, AT_SYMLINK_NOFOLLOW)) {
		say_error("can't find /lib: %s", strerror(errno));
		return -1;
	}
	snprintf(path, size, "%slib/modules/%s/systemtap/%s.ko", S_ISLNK(lib.st_mode) ? "/usr/" : "/",
		 u.release, name);

	int fd = trusted_open(root, path + 1);

	close(root);
	return fd;
}

/*
 * Tells the inserted module its addresses, and passes its .control on.  If anything fails from here
 * on, the kernel removes the module, as if its loader had been killed.
 */
static int hand_over(const struct module_file *m)
{
	int control = control_open(m->name, ST_FILE_CONTROL, O_RDWR), own, err;
	char why[256];

	if (control < 0) {
		say_error("can't open the control file of module %s: %s", m->name, strerror(-control));
		return 1;
	}
	if (bases_tell(m->name, control))
		return 1;
	contain_rights(RIGHT(CAP_SYS_MODULE));
	if (files_tell(m->name, control, ""))
		return 1;
	if (control_send(control, why, sizeof(why), "told")) {
		say_error("can't tell module %s that all is told: %s", m->name, why);
		return 1;
	}
	contain_rights(0);
	/* The user gets a descriptor that was opened without rights. */
	own = control_open(m->name, ST_FILE_CONTROL, O_RDWR);
	err = own < 0 ? own : pass_send(AUTH_SOCKET, own);
	if (err)
		say_error("staprun-auth is started by staprun, which isn't there: %s", strerror(-err));
	return err ? 1 : 0;
}

static int load(struct module_file *m)
{
	const char *remover = module_is_roots(STAPRUN) ? STAPRUN : "";

	/*
	 * Otherwise the kernel has unused modules removed.  Here the user could stop this process between
	 * the look at a module and its removal, when another one may have the name.
	 */
	if (!*remover)
		unused_sweep();
	if (module_name_is_taken(m) || module_insert(m, remover, getuid()))
		return 1;
	return hand_over(m);
}

static int load_named(const char *name)
{
	struct module_file m;
	char path[256];
	int fd = module_set_name(&m, name) ? open_named(name, path, sizeof(path)) : -1;

	if (fd < 0 || module_read_open(&m, path, fd) || module_matches_kernel(&m))
		return 1;
	if (!strcmp(m.name, name))
		return load(&m);
	say_error("'%s' is the module %s, and must be called so", path, m.name);
	return 1;
}

/*
 * Loads the module that is open as AUTH_MODULE, under NAME, which staprun -R may have changed, but
 * not in the section that has the name.
 */
static int load_given(const char *name)
{
	struct module_file m, renamed;

	if (!module_set_name(&renamed, name) || module_read_open(&m, name, AUTH_MODULE) ||
	    module_matches_kernel(&m))
		return 1;
	strcpy(m.name, renamed.name);
	return load(&m);
}

/*
 * Removes a module with the user's own ID, which can open the .control of the user's sessions only.
 */
static int remove_own(const char *name)
{
	struct module_file m;

	contain_rights(RIGHT(CAP_SYS_MODULE));
	return !module_set_name(&m, name) || unused_remove(name);
}

/* May the user do this?  Members of stapdev may do anything, to the machine too. */
static bool permitted(bool given)
{
	if (in_group(DEVELOPERS) || (!given && in_group(USERS)))
		return true;
	if (in_group(USERS))
		say_error("members of " USERS " may run the modules that root has put into "
			  "/lib/modules/RELEASE/systemtap, by name: staprun NAME.  Only root and members "
			  "of " DEVELOPERS " run others; or try it in a throw-away guest: stap --vm");
	else
		say_error("You need to be root, or in the group %s, to run this; root can add you (usermod -aG %s "
			  "USER), which holds from your next login on; or try it in a throw-away guest: stap --vm",
			  given ? DEVELOPERS : USERS " or " DEVELOPERS, given ? DEVELOPERS : USERS);
	return false;
}

int main(int argc, char **argv)
{
	contain_process();
	say_wait_ms = 1000;

	bool given = argc == 3 && !strcmp(argv[1], "-f");
	bool removes = argc == 3 && !strcmp(argv[1], "-d");

	if (argc != 2 && !given && !removes) {
		say_error("staprun-auth is a part of staprun, which starts it");
		return 1;
	}
	if (!permitted(given))
		return 1;
	if (removes)
		return remove_own(argv[2]);
	contain_rights(RIGHTS_TO_LOAD);
	if (module_permitted())
		return 1;
	return given ? load_given(argv[2]) : load_named(argv[1]);
}
