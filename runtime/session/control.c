// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files in /proc/systemtap/MODULE through which a loader drives the session.
 * abi/transport.h describes their contents.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>

#include "abi/stap_script.h"
#include "abi/transport.h"
#include "core/report.h"
#include "core/state.h"
#include "data/globals.h"
#include "handler/bound.h"
#include "handler/compat.h"
#include "handler/context.h"
#include "handler/print.h"
#include "handler/ring.h"
#include "life/directory.h"
#include "life/loader.h"
#include "life/starter.h"
#include "life/wake.h"
#include "life/watchers.h"
#include "process/followed.h"
#include "process/program.h"
#include "user/symbols.h"
#include "control.h"
#include "families.h"
#include "places.h"
#include "session.h"
#include "trace.h"

#define ST_COMMAND_MAX 8192
#define ST_STATUS_MAX 2048

/* The largest buffer for a user who may not load modules, in MB for each CPU. */
#define ST_OWNER_BUFFER_MOST 64

/* The contents of a read-only file. */
struct st_read_only {
	char *p;
	size_t size;
};

/* How the loader writes the output: the format's name, and whether it needs to know where each output
 * comes from. */
static const struct output_format {
	const char *name;
	bool origins;
} output_formats[] = { { "text" }, { "json", true }, { "containers", true }, { "bulk" } };

static const struct output_format *output_format = output_formats;

static struct st_read_only st_formats_text, st_bases_text, st_files_text;

static const char *state_name(enum st_state state)
{
	switch (state) {
	case ST_LOADED:
		return "loaded";
	case ST_STARTING:
	case ST_RUNNING:
		return "running";
	case ST_STOPPED:
		return "stopped";
	default:
		return "exiting";
	}
}

/* ---- control ----------------------------------------------------------------- */

static struct file *writing;		/* the descriptor that the current command came by */

/*
 * May the command's sender say what is probed?  A breakpoint at a wrong address crashes the kernel,
 * so a descriptor that was passed on is not enough; nor is a privileged program that was started
 * with an owner's descriptor as its standard error.
 */
static bool may_aim(void)
{
	return capable(CAP_SYS_MODULE) && file_ns_capable(writing, &init_user_ns, CAP_SYS_MODULE);
}

/*
 * Does the command come from the user who opened the descriptor?  In an owner's session only that user
 * is obeyed: a set-user-ID program that the owner starts with the descriptor as its standard error
 * writes what the owner has put into its argv[0].
 */
static bool is_openers(const struct file *file)
{
	return !uid_valid(st_loader_owner()) || uid_eq(current_fsuid(), file->f_cred->fsuid);
}

static bool st_told;		/* the addresses and files that there are have been told */

static int command_told(char *args)
{
	if (!may_aim())
		return st_fail(-EPERM, "only a process that may load modules can end what it tells");
	st_told = true;
	return 0;
}

static int command_base(char *args)
{
	char *address = args, *may;
	unsigned int base;
	unsigned long value;

	if (!may_aim())
		return st_fail(-EPERM, "only a process that may load modules can set bases");
	strsep(&address, " ");
	may = address;
	strsep(&may, " ");
	if (!address || kstrtouint(args, 10, &base) || kstrtoul(address, 16, &value))
		return st_fail(-EINVAL, "wanted: base INDEX ADDRESS [kprobes]");
	return st_session_base(base, value, may && !strcmp(may, "kprobes"));
}

static int command_file(char *args)
{
	char *fd = args;
	unsigned int file;
	int number;

	if (!may_aim())
		return st_fail(-EPERM, "only who may load modules says which programs are probed");
	strsep(&fd, " ");
	if (!fd || kstrtouint(args, 10, &file) || kstrtoint(fd, 10, &number))
		return st_fail(-EINVAL, "wanted: file INDEX FD");
	return st_not_started() ?: st_file_set(file, number);
}

static int command_symbols(char *args)
{
	char *of = args;
	unsigned int id;
	int table, fd;

	strsep(&of, " ");
	if (!of || kstrtoint(args, 10, &table))
		return st_fail(-EINVAL, "wanted: symbols TABLE FD or symbols TABLE =FILE");
	if (*of == '=' && !kstrtouint(of + 1, 10, &id))
		return st_symbols_take_numbered(table, id);
	if (!kstrtoint(of, 10, &fd))
		return st_symbols_take(table, fd);
	return st_fail(-EINVAL, "wanted: symbols TABLE FD or symbols TABLE =FILE");
}

static int command_set(char *args)
{
	char *value = args;

	strsep(&value, "=");
	if (!value)
		return st_fail(-EINVAL, "wanted: set NAME=VALUE");
	return st_session_set(args, value);
}

static int command_number(char *args, unsigned long max, const char *what, unsigned long *n)
{
	if (kstrtoul(args, 10, n) || !*n || *n > max)
		return st_fail(-EINVAL, "%s is a number from 1 to %lu", what, max);
	return st_not_started();
}

static int command_target(char *args)
{
	unsigned long pid;
	int err = command_number(args, PID_MAX_LIMIT, "a target", &pid);

	if (!err)
		st_starter.target = pid;
	return err;
}

static int command_zone(char *args)
{
	return st_not_started() ?: st_starter_zone(args);
}

static int command_buffer(char *args)
{
	unsigned long mb, most = may_aim() ? 4095 : ST_OWNER_BUFFER_MOST;
	int err = command_number(args, most, "a buffer's size in megabytes", &mb);

	if (!err)
		st_buffer_mb = mb;
	return err;
}

static int command_gather(char *args)
{
	unsigned long ms;
	int err = command_number(args, ST_GATHER_MOST, "a time in milliseconds", &ms);

	if (!err)
		st_trace_gather(ms);
	return err;
}

static int command_format(char *args)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(output_formats); i++)
		if (!strcmp(args, output_formats[i].name))
			break;
	if (i == ARRAY_SIZE(output_formats))
		return st_fail(-EINVAL, "output formats are text, json, containers and bulk");
	if (st_not_started())
		return st_not_started();
	output_format = &output_formats[i];
	st_origins = output_format->origins;
	return 0;
}

static int command_namespaces(char *args)
{
	unsigned long pid;

	return command_number(args, PID_MAX_LIMIT, "a process", &pid) ?:
	       st_starter_namespaces(pid);
}

static int command_cgroup(char *args)
{
	int fd;

	if (kstrtoint(args, 10, &fd))
		return st_fail(-EINVAL, "wanted: cgroup FD");
	return st_not_started() ?: st_bound_take(fd);
}

static int command_follow(char *args)
{
	int err = st_not_started();

	if (!err)
		st_followed_want();
	return err;
}

static int command_loader(char *args)
{
	int err = st_not_started();

	if (!err)
		st_loader_take();
	return err;
}

static int command_start(char *args)
{
	/* The owner may have stopped staprun-auth halfway. */
	if (uid_valid(st_loader_owner()) && !st_told)
		return st_fail(-EAGAIN, "staprun-auth has not told all addresses yet");
	return st_session_start();
}

static int command_detach(char *args)
{
	return st_session_detach();
}

static int command_attach(char *args)
{
	return st_session_attach();
}

static int command_notify(char *args)
{
	int fd;

	if (kstrtoint(args, 10, &fd))
		return st_fail(-EINVAL, "wanted: notify FD");
	return st_notify(fd);
}

static int command_run(char *text)
{
	static const struct {
		const char *name;
		int (*run)(char *args);
	} commands[] = {
		{ "base", command_base },
		{ "file", command_file },
		{ "told", command_told },
		{ "symbols", command_symbols },
		{ "set", command_set },
		{ "target", command_target },
		{ "zone", command_zone },
		{ "buffer", command_buffer },
		{ "gather", command_gather },
		{ "format", command_format },
		{ "namespaces", command_namespaces },
		{ "cgroup", command_cgroup },
		{ "follow", command_follow },
		{ "loader", command_loader },
		{ "start", command_start },
		{ "detach", command_detach },
		{ "attach", command_attach },
		{ "notify", command_notify },
	};
	char *args = text;
	unsigned int i;

	strsep(&args, " ");
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(text, commands[i].name))
			return commands[i].run(args ?: "");
	return st_fail(-EINVAL, "no such command");
}

static ssize_t control_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	static DEFINE_MUTEX(one);
	char *text;
	int err = 0;

	if (!is_openers(file))
		return -EPERM;
	if (count > ST_COMMAND_MAX)
		return -E2BIG;
	text = memdup_user_nul(buf, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	text[strcspn(text, "\n")] = '\0';
	/* Without the mutex: a start under way gives up instead of arming 10,000 places first, and
	 * the reader may tell us names while the session ends. */
	if (!strcmp(text, "stop")) {
		st_session_stop();
	} else {
		err = mutex_lock_killable(&one);
		if (!err) {
			st_message[0] = '\0';
			writing = file;
			err = command_run(text);
			mutex_unlock(&one);
		}
	}
	kfree(text);
	return err ? err : count;
}

/* Returns the memory of variables and of the contexts that handlers run in. */
static u64 data_bytes(void)
{
	if (READ_ONCE(st_state) == ST_LOADED)
		return 0;
	return st_maps_bytes() + (u64)st_context_bytes() * ST_LEVELS * num_possible_cpus();
}

/*
 * Reads the status.  One read gives all of it, the next one the end of file, the one after it a new
 * status.
 */
static ssize_t control_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	char *text;
	int n = 0;

	if (*pos) {
		*pos = 0;
		return 0;
	}
	text = kmalloc(ST_STATUS_MAX, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	if (st_message[0])
		n = scnprintf(text, ST_STATUS_MAX, "error %s\n", st_message);
	n += scnprintf(text + n, ST_STATUS_MAX - n,
		       "state %s\nerrors %ld\nskipped %ld\nreentrant %ld\nidle %ld\n"
		       "missed %ld\nlost %lu\n"
		       "overwritten %lu\ndetached %d\nwatchers %d\nlives %d\ndead %d\n"
		       "ftrace %u\nkprobes %u\nkretprobes %u\nlate %u\nasks %u\nplaces %u\n"
		       "format %s\n"
		       "user %u\nloader %d\nsince %lld\nbuffers %llu\ndata %llu\n",
		       state_name(READ_ONCE(st_state)), atomic_long_read(&st_counts.errors),
		       atomic_long_read(&st_counts.skipped),
		       atomic_long_read(&st_counts.reentrant),
		       atomic_long_read(&st_counts.idle),
		       atomic_long_read(&st_counts.missed),
		       st_lost() + atomic_long_read(&st_counts.unread),
		       st_overwritten(), st_detached(), st_nwatchers(), st_loader_lives(),
		       st_loader_left(), st_counts.ftrace, st_counts.kprobes,
		       st_counts.kretprobes, st_counts.late,
		       st_program.asks, st_families_places(), output_format->name,
		       st_loader_user(), st_loader_pid(), (long long)READ_ONCE(st_counts.since),
		       (u64)READ_ONCE(st_ring_bytes) * num_present_cpus(), data_bytes());
	n = min_t(size_t, n, count);
	if (copy_to_user(buf, text, n))
		n = -EFAULT;
	else
		*pos = n;
	kfree(text);
	return n;
}

/*
 * May the file be opened?  Only with the right to load modules, which root in a container lacks.
 * The descriptor may then be passed to a process with fewer rights.
 */
static int loader_open(struct inode *inode, struct file *file)
{
	return capable(CAP_SYS_MODULE) ? 0 : -EPERM;
}

static int may_open(struct inode *inode, struct file *file)
{
	return uid_eq(current_fsuid(), st_loader_owner()) ? 0 : loader_open(inode, file);
}

static int watched_open(struct inode *inode, struct file *file)
{
	int err = may_open(inode, file);

	if (!err && file->f_mode & FMODE_WRITE)
		st_watcher_comes();
	return err;
}

/*
 * Closes a file.  The last close of one that was open for writing disarms, and has the module
 * removed.
 */
static int watched_release(struct inode *inode, struct file *file)
{
	if (!(file->f_mode & FMODE_WRITE) || !st_watcher_goes())
		return 0;
	if (READ_ONCE(st_state) != ST_LOADED)
		st_session_stop();
	st_loader_look();
	return 0;
}

/* Opens .control. staprun and stapio share the descriptor, so both may write at the same time. */
static int control_open(struct inode *inode, struct file *file)
{
	file->f_mode &= ~FMODE_ATOMIC_POS;
	return watched_open(inode, file);
}

static const struct proc_ops st_control_ops = {
	.proc_open = control_open,
	.proc_read = control_read,
	.proc_write = control_write,
	.proc_lseek = default_llseek,
	.proc_release = watched_release,
};

/*
 * Opens .trace.  Its reader holds the module, because a removal by hand at the session's end would
 * lose the rest of the output.
 */
static int trace_open(struct inode *inode, struct file *file)
{
	int err;

	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	err = watched_open(inode, file);
	if (err || !(file->f_mode & FMODE_WRITE))
		module_put(THIS_MODULE);
	return err ?: nonseekable_open(inode, file);
}

/* Closes .trace.  An exit of the module that begins now waits for us in proc_remove(). */
static int trace_release(struct inode *inode, struct file *file)
{
	watched_release(inode, file);
	if (file->f_mode & FMODE_WRITE)
		module_put(THIS_MODULE);
	return 0;
}

static const struct proc_ops st_trace_ops = {
	.proc_open = trace_open,
	.proc_read = st_trace_read,
	.proc_write = st_trace_write,
	.proc_mmap = st_trace_mmap,
	.proc_ioctl = st_trace_ioctl,
	.proc_release = trace_release,
};

/* ---- what the script carries --------------------------------------------------- */

static void add_format_text(struct st_read_only *t, const char *text)
{
	size_t n = strlen(text) + 1;

	memcpy(t->p + t->size, text, n);
	t->size += n;
}

static int formats_text(void)
{
	const struct st_format *f = st_program.formats;
	size_t room = 0;
	unsigned int i;

	for (i = 0; i < st_program.nformats; i++)
		room += strlen(f[i].text) + strlen(f[i].members ?: "") + 2;
	st_formats_text.p = kvmalloc(room + 1, GFP_KERNEL);
	if (!st_formats_text.p)
		return -ENOMEM;
	for (i = 0; i < st_program.nformats; i++) {
		add_format_text(&st_formats_text, f[i].text);
		add_format_text(&st_formats_text, f[i].members ?: "");
	}
	return 0;
}

static int bases_text(void)
{
	const struct st_base *b = st_program.bases;
	struct st_read_only *t = &st_bases_text;
	size_t room = 1;
	unsigned int i;

	for (i = 0; i < st_program.nbases; i++)
		room += strlen(b[i].module) + strlen(b[i].section) +
			strlen(b[i].build_id ?: "") + 16;
	t->p = kvmalloc(room, GFP_KERNEL);
	if (!t->p)
		return -ENOMEM;
	for (i = 0; i < st_program.nbases; i++)
		t->size += scnprintf(t->p + t->size, room - t->size, "%u %s %s%s%s%c", i,
				     b[i].module, b[i].section, b[i].build_id ? " " : "",
				     b[i].build_id ?: "", '\0');
	return 0;
}

static int files_text(void)
{
	const struct st_file *f = st_program.files;
	struct st_read_only *t = &st_files_text;
	size_t room = 1;
	unsigned int i;

	for (i = 0; i < st_program.nfiles; i++)
		room += strlen(f[i].path) + strlen(f[i].build_id ?: "-") +
			strlen(f[i].identity ?: "-") + 64;
	t->p = kvmalloc(room, GFP_KERNEL);
	if (!t->p)
		return -ENOMEM;
	for (i = 0; i < st_program.nfiles; i++)
		t->size += scnprintf(t->p + t->size, room - t->size, "%u %s %llu %u %s %s%c", i,
				     f[i].build_id ?: "-", f[i].size, f[i].owner,
				     f[i].awaited ? "?" : f[i].identity ?: "-", f[i].path, '\0');
	return 0;
}

static ssize_t text_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	const struct st_read_only *t = pde_data(file_inode(file));

	return simple_read_from_buffer(buf, count, pos, t->p, t->size);
}

static const struct proc_ops st_text_ops = {
	.proc_open = may_open,
	.proc_read = text_read,
	.proc_lseek = default_llseek,
};

static const struct proc_ops st_bases_ops = {
	.proc_open = loader_open,
	.proc_read = text_read,
	.proc_lseek = default_llseek,
};

/* ---- the files ------------------------------------------------------------------ */

/* Makes a file that the session's owner may open too. */
static bool owners_file(const char *name, umode_t mode, const struct proc_ops *ops, void *data)
{
	struct proc_dir_entry *file = proc_create_data(name, mode, st_directory(), ops, data);

	if (file && uid_valid(st_loader_owner()))
		proc_set_user(file, st_loader_owner(), GLOBAL_ROOT_GID);
	return file;
}

static int create_files(void)
{
	int err = st_directory_create();

	if (err)
		return err;
	if (!owners_file(ST_FILE_CONTROL, 0600, &st_control_ops, NULL) ||
	    !owners_file(ST_FILE_TRACE, 0600, &st_trace_ops, NULL) ||
	    !owners_file(ST_FILE_FORMATS, 0400, &st_text_ops, &st_formats_text) ||
	    !owners_file(ST_FILE_FILES, 0400, &st_text_ops, &st_files_text) ||
	    !proc_create_data(ST_FILE_BASES, 0400, st_directory(), &st_bases_ops, &st_bases_text) ||
	    !proc_create(ST_FILE_PLACES, 0400, st_directory(), &st_places_ops))
		return -ENOMEM;
	return 0;
}

int st_control_create(void)
{
	int err = formats_text();

	if (!err)
		err = bases_text();
	if (!err)
		err = files_text();
	if (!err)
		err = create_files();
	if (err)
		st_control_remove();
	return err;
}

void st_control_remove(void)
{
	st_directory_remove();
	kvfree(st_formats_text.p);
	kvfree(st_bases_text.p);
	kvfree(st_files_text.p);
}
