// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of files seen in stacks (files.h). */
#include <linux/cred.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hash.h>

#include "files.h"
#include "handler/compat.h"

#define FILES_BITS 10
#define FILES (1u << FILES_BITS)	/* ST_FILES_MOST */
#define FILES_TRIES 16

/* An entry's file has not been given to this reader and is not held; it was given. */
#define FILE_WANTED NULL
#define FILE_GIVEN ((struct file *)1)

static struct st_seen_file {
	unsigned long identity;		/* 0: the entry is free */
	struct file *file;		/* with a reference; or FILE_* */
} st_seen_files[FILES];

static bool is_held(const struct file *file)
{
	return file != FILE_WANTED && file != FILE_GIVEN;
}

/* Holds the file, unless it is held or was given. */
static void hold_file(struct st_seen_file *f, struct file *file)
{
	if (likely(READ_ONCE(f->file) != FILE_WANTED))
		return;
	get_file(file);
	if (cmpxchg(&f->file, FILE_WANTED, file) != FILE_WANTED)
		fput(file);		/* not the last reference: the mapping has one */
}

/*
 * May the file be opened?  Opening a device may do anything.  FUSE's open() and read()
 * (FS_HAS_SUBTYPE) wait for a program, and once that has read the request no signal ends the wait.
 */
static bool may_be_opened(const struct file *file)
{
	const struct inode *inode = file_inode(file);

	return S_ISREG(inode->i_mode) && !(inode->i_sb->s_type->fs_flags & FS_HAS_SUBTYPE);
}

unsigned int st_file_id(struct file *file, unsigned long identity)
{
	unsigned int i, at = hash_long(identity, FILES_BITS);

	if (!may_be_opened(file))
		return 0;
	for (i = 0; i < FILES_TRIES; i++, at = (at + 1) % FILES) {
		struct st_seen_file *f = &st_seen_files[at];
		unsigned long there = READ_ONCE(f->identity);

		if (!there)
			there = cmpxchg(&f->identity, 0, identity) ?: identity;
		if (there == identity) {
			hold_file(f, file);
			return at + 1;
		}
	}
	return 0;
}

unsigned long st_file_identity(unsigned int id)
{
	BUILD_BUG_ON(FILES != ST_FILES_MOST);
	return id && id <= FILES ? READ_ONCE(st_seen_files[id - 1].identity) : 0;
}

int st_file_open(unsigned int id)
{
	struct st_seen_file *f = &st_seen_files[(id - 1) % FILES];
	struct file *seen, *opened;
	int fd, err;

	seen = READ_ONCE(f->file);
	if (!id || id > FILES || !is_held(seen) || cmpxchg(&f->file, seen, FILE_GIVEN) != seen)
		return -ENOENT;
	err = st_may_read(seen);	/* dentry_open() doesn't ask */
	if (err) {
		fput(seen);
		return err;
	}
	/* O_NONBLOCK: the holder of a lease on the file could make us wait until it gives the lease up. */
	opened = dentry_open(&seen->f_path, O_RDONLY | O_LARGEFILE | O_NONBLOCK, current_cred());
	fput(seen);
	if (IS_ERR(opened))
		return PTR_ERR(opened);
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		fput(opened);
	else
		fd_install(fd, opened);
	return fd;
}

void st_files_again(void)
{
	unsigned int i;

	for (i = 0; i < FILES; i++)
		cmpxchg(&st_seen_files[i].file, FILE_GIVEN, FILE_WANTED);
}

void st_files_free(void)
{
	unsigned int i;

	for (i = 0; i < FILES; i++) {
		if (is_held(st_seen_files[i].file))
			fput(st_seen_files[i].file);
		st_seen_files[i] = (struct st_seen_file){ 0 };
	}
}
