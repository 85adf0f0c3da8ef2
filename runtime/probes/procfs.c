// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The script's own files, /proc/systemtap/MODULE/PATH.  Reading one runs a handler,
 * whose $value is the file's contents; writing one runs a handler with the data
 * written in $value.  Handlers run in the reading or writing process, before data is
 * copied to it or after data was copied from it.
 *
 * Each open file has its own value.  A read that goes on where the last one ended gets the rest of
 * it; any other runs the handler again, and gets the contents from its offset on.
 */
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "abi/transport.h"
#include "core/report.h"
#include "handler/compat.h"
#include "handler/handler.h"
#include "life/directory.h"
#include "memory/wait.h"
#include "family.h"

struct st_procfs_file {
	const char *path;
	const struct st_procfs *read, *write;	/* either may be NULL */
};

struct st_opened_file {
	const struct st_procfs_file *file;
	struct mutex lock;		/* covers value: threads may share a descriptor */
	struct st_value value;		/* its text is NULL until a read or write needs it */
	loff_t next;			/* where the last read ended; 0: the value isn't a read's */
};

static const struct st_procfs *st_rows;
static unsigned int st_nrows;
static struct st_procfs_file *st_files;
static unsigned int st_nfiles;
static struct proc_dir_entry **st_entries;	/* files and directories, in order of creation */
static unsigned int st_nentries;

/* ---- values, for generated code ---------------------------------------------- */

static struct st_value *value_of(struct st_ctx *c)
{
	return (struct st_value *)c->saved;
}

void st_value_append(struct st_ctx *c, struct st_str s)
{
	struct st_value *v = value_of(c);
	unsigned int n = min(s.len, v->room - v->len);

	memcpy(v->text + v->len, s.p, n);
	v->len += n;
}

void st_value_set(struct st_ctx *c, struct st_str s)
{
	value_of(c)->len = 0;
	st_value_append(c, s);
}

struct st_str st_value_get(struct st_ctx *c)
{
	struct st_value *v = value_of(c);

	return st_dup(c, (struct st_str){ v->text, min(v->len, st_program.maxstringlen - 1) });
}

/* ---- reading and writing ------------------------------------------------------ */

static int run(const struct st_procfs *procfs, struct st_value *value)
{
	struct st_context *x = st_enter_any(&procfs->point, ST_RUNNING);

	if (!x)
		return READ_ONCE(st_state) == ST_RUNNING ? -EAGAIN : -EIO;
	x->c.saved = (char *)value;
	procfs->point.probe->handler(&x->c);
	st_leave_handler(x);
	return 0;
}

static unsigned int value_room(const struct st_procfs_file *file)
{
	unsigned int room = st_program.maxstringlen - 1;

	if (file->read && file->read->maxsize)
		room = max(room, file->read->maxsize);
	return room;
}

/*
 * Allocates the text, charged to the process that opened the file, because any process that may
 * open it can make us allocate.  Under the lock.
 */
static int text_alloc(struct st_opened_file *o)
{
	if (!o->value.text)
		o->value.text = kvzalloc(value_room(o->file), GFP_KERNEL_ACCOUNT);
	return o->value.text ? 0 : -ENOMEM;
}

static int procfs_open(struct inode *inode, struct file *file)
{
	const struct st_procfs_file *of = pde_data(inode);
	struct st_opened_file *o = kzalloc(sizeof(*o), GFP_KERNEL_ACCOUNT);

	if (!o)
		return -ENOMEM;
	o->file = of;
	mutex_init(&o->lock);
	file->private_data = o;
	return 0;
}

static int procfs_close(struct inode *inode, struct file *file)
{
	struct st_opened_file *o = file->private_data;

	kvfree(o->value.text);
	kfree(o);
	return 0;
}

/*
 * Begins a read or write, which may wait for the process's memory, or for another thread that does.
 * Unless this returns an error, end_call() ends it.
 */
static int begin_call(struct st_opened_file *o)
{
	int err = st_wait_enter() ? mutex_lock_killable(&o->lock) : -EIO;

	if (err)
		st_wait_leave();
	return err;
}

static void end_call(struct st_opened_file *o)
{
	mutex_unlock(&o->lock);
	st_wait_leave();
}

static ssize_t procfs_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	struct st_opened_file *o = file->private_data;
	const struct st_procfs *read = o->file->read;
	ssize_t n = read ? begin_call(o) : -EBADF;

	if (n)
		return n;
	n = text_alloc(o);
	if (!n && (!*pos || *pos != o->next)) {
		o->value.len = o->next = 0;
		o->value.room = read->maxsize ?: st_program.maxstringlen - 1;
		n = run(read, &o->value);
	}
	if (!n)
		n = simple_read_from_buffer(buf, count, pos, o->value.text, o->value.len);
	if (n >= 0)
		o->next = *pos;
	end_call(o);
	return n;
}

/* Runs the handlers of all probes for what is written: standard input may have several. */
static int run_writes(const struct st_procfs_file *file, struct st_value *value)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < st_nrows && !err; i++)
		if (st_rows[i].write && !strcmp(st_rows[i].path, file->path))
			err = run(&st_rows[i], value);
	return err;
}

/*
 * Takes a write, at most as much as a string holds; the process writes the rest in further calls.
 */
static ssize_t procfs_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	struct st_opened_file *o = file->private_data;
	ssize_t n = o->file->write ? begin_call(o) : -EBADF;

	if (n)
		return n;
	count = min_t(size_t, count, st_program.maxstringlen - 1);
	n = text_alloc(o);
	if (!n && copy_from_user(o->value.text, buf, count))
		n = -EFAULT;
	if (!n) {
		o->value.len = o->value.room = count;
		o->next = 0;
		n = run_writes(o->file, &o->value);
	}
	end_call(o);
	return n ?: count;
}

static const struct proc_ops st_procfs_ops = {
	.proc_open = procfs_open,
	.proc_read = procfs_read,
	.proc_write = procfs_write,
	.proc_lseek = default_llseek,
	.proc_release = procfs_close,
};

/* ---- the files ---------------------------------------------------------------- */

static umode_t file_mode(const struct st_procfs_file *file)
{
	return (file->read ? 0444 & ~file->read->umask : 0) |
	       (file->write ? 0222 & ~file->write->umask : 0);
}

/* Creates the directories of a path that earlier files didn't create. */
static int make_directories(const char *path)
{
	const char *slash = path;
	char *dir;

	while ((slash = strchr(slash, '/'))) {
		unsigned int i, n = slash++ - path;

		for (i = 0; st_files[i].path != path; i++)
			if (!strncmp(st_files[i].path, path, n + 1))
				break;
		if (st_files[i].path != path)
			continue;		/* an earlier file created it */
		dir = kstrndup(path, n, GFP_KERNEL);
		if (!dir)
			return -ENOMEM;
		st_entries[st_nentries] = proc_mkdir_mode(dir, 0555, st_directory());
		kfree(dir);
		if (!st_entries[st_nentries])
			return -ENOMEM;
		st_nentries++;
	}
	return 0;
}

/* Makes a file that belongs to the user who started the script. */
static int make_file(struct st_procfs_file *file)
{
	struct proc_dir_entry *entry;
	int err = make_directories(file->path);

	if (err)
		return err;
	entry = proc_create_data(file->path, file_mode(file), st_directory(), &st_procfs_ops,
				 file);
	if (!entry)
		return -ENOMEM;
	proc_set_user(entry, current_uid(), current_gid());
	st_entries[st_nentries++] = entry;
	return 0;
}

/* ---- the family --------------------------------------------------------------- */

static struct st_procfs_file *file_of(const char *path)
{
	unsigned int i;

	for (i = 0; i < st_nfiles; i++)
		if (!strcmp(st_files[i].path, path))
			return &st_files[i];
	st_files[st_nfiles].path = path;
	return &st_files[st_nfiles++];
}

static int procfs_prepare(const void *items, unsigned int n)
{
	const struct st_procfs *procfs = items;
	unsigned int i, entries = n;
	const char *p;

	for (i = 0; i < n; i++)
		for (p = procfs[i].path; *p; p++)
			entries += *p == '/';
	st_rows = procfs;
	st_nrows = n;
	st_files = kvcalloc(n, sizeof(*st_files), GFP_KERNEL);
	st_entries = kvcalloc(entries, sizeof(*st_entries), GFP_KERNEL);
	if (!st_files || !st_entries)
		return st_fail(-ENOMEM, "no memory for %u procfs files", n);
	for (i = 0; i < n; i++) {
		struct st_procfs_file *file = file_of(procfs[i].path);

		if (procfs[i].write)
			file->write = &procfs[i];
		else
			file->read = &procfs[i];
	}
	return 0;
}

static int procfs_arm(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < st_nfiles; i++) {
		err = make_file(&st_files[i]);
		if (err)
			return st_fail(err, "can't make /proc/%s/%s/%s", ST_PROC_DIR,
				       THIS_MODULE->name, st_files[i].path);
	}
	return 0;
}

/*
 * Removes the files. proc_remove() waits for reads and writes under way, of which none waits for
 * memory any more (memory/wait.h), and releases files still open.
 */
static void procfs_disarm(void)
{
	while (st_nentries)
		proc_remove(st_entries[--st_nentries]);
}

static void procfs_release(void)
{
	st_nfiles = st_nrows = 0;
	kvfree(st_files);
	kvfree(st_entries);
	st_files = NULL;
	st_entries = NULL;
}

const struct st_family st_procfs_family = {
	.name = "procfs",
	.prepare = procfs_prepare,
	.arm = procfs_arm,
	.disarm = procfs_disarm,
	.release = procfs_release,
};
