// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of renamed things (renamed.h). */
#include "renamed.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"

#define SINCE(major, minor) ((major) * 1000 + (minor))

/* The renamings. A thing that was renamed twice has its later name first. */
static const struct {
	enum renamed_kind kind;
	const char *old, *new;
	unsigned since;
} names[] = {
	{ RENAMED_FUNCTION, "__alloc_pages", "__alloc_pages_noprof", SINCE(6, 10) },
	{ RENAMED_FUNCTION, "__alloc_pages_nodemask", "__alloc_pages_noprof", SINCE(6, 10) },
	{ RENAMED_FUNCTION, "__alloc_pages_nodemask", "__alloc_pages", SINCE(5, 13) },
	{ RENAMED_FUNCTION, "__kmalloc", "__kmalloc_noprof", SINCE(6, 10) },
	{ RENAMED_FUNCTION, "__page_cache_alloc", "filemap_alloc_folio", SINCE(5, 16) },
	{ RENAMED_FUNCTION, "__set_page_dirty_buffers", "block_dirty_folio", SINCE(5, 18) },
	{ RENAMED_FUNCTION, "_do_fork", "kernel_clone", SINCE(5, 10) },
	{ RENAMED_FUNCTION, "account_page_dirtied", "folio_account_dirtied", SINCE(5, 16) },
	{ RENAMED_FUNCTION, "add_to_page_cache_lru", "filemap_add_folio", SINCE(5, 16) },
	{ RENAMED_FUNCTION, "blk_start_request", "blk_mq_start_request", SINCE(5, 0) },
	{ RENAMED_FUNCTION, "del_timer", "timer_delete", SINCE(6, 2) },
	{ RENAMED_FUNCTION, "del_timer_sync", "timer_delete_sync", SINCE(6, 2) },
	{ RENAMED_FUNCTION, "do_fork", "kernel_clone", SINCE(5, 10) },
	{ RENAMED_FUNCTION, "do_mmap_pgoff", "do_mmap", SINCE(5, 9) },
	{ RENAMED_FUNCTION, "generic_make_request", "submit_bio_noacct", SINCE(5, 9) },
	{ RENAMED_FUNCTION, "kfree_skb", "sk_skb_reason_drop", SINCE(6, 11) },
	{ RENAMED_FUNCTION, "kfree_skb", "kfree_skb_reason", SINCE(5, 17) },
	{ RENAMED_FUNCTION, "kfree_skb_reason", "sk_skb_reason_drop", SINCE(6, 11) },
	{ RENAMED_FUNCTION, "kmem_cache_alloc", "kmem_cache_alloc_noprof", SINCE(6, 10) },
	{ RENAMED_FUNCTION, "lru_cache_add", "folio_add_lru", SINCE(5, 16) },
	{ RENAMED_FUNCTION, "mark_page_accessed", "folio_mark_accessed", SINCE(5, 16) },
	{ RENAMED_FUNCTION, "shrink_page_list", "shrink_folio_list", SINCE(6, 0) },
	{ RENAMED_FUNCTION, "tick_sched_timer", "tick_nohz_handler", SINCE(6, 9) },
	{ RENAMED_FUNCTION, "vmalloc", "vmalloc_noprof", SINCE(6, 10) },
	{ RENAMED_TRACEPOINT, "kmalloc_node", "kmalloc", SINCE(6, 1) },
	{ RENAMED_TRACEPOINT, "kmem_cache_alloc_node", "kmem_cache_alloc", SINCE(6, 1) },
	{ RENAMED_MEMBER, "bio.bi_disk", "bi_bdev->bd_disk", SINCE(5, 12) },
	{ RENAMED_MEMBER, "dentry.d_child", "d_sib", SINCE(6, 8) },
	{ RENAMED_MEMBER, "dentry.d_subdirs", "d_children", SINCE(6, 8) },
	{ RENAMED_MEMBER, "file.f_dentry", "f_path->dentry", SINCE(3, 19) },
	{ RENAMED_MEMBER, "inode.i_atime", "i_atime_sec", SINCE(6, 11) },
	{ RENAMED_MEMBER, "inode.i_atime", "__i_atime", SINCE(6, 7) },
	{ RENAMED_MEMBER, "inode.i_ctime", "i_ctime_sec", SINCE(6, 11) },
	{ RENAMED_MEMBER, "inode.i_ctime", "__i_ctime", SINCE(6, 6) },
	{ RENAMED_MEMBER, "inode.i_mtime", "i_mtime_sec", SINCE(6, 11) },
	{ RENAMED_MEMBER, "inode.i_mtime", "__i_mtime", SINCE(6, 7) },
	{ RENAMED_MEMBER, "mm_struct.mmap_sem", "mmap_lock", SINCE(5, 8) },
	{ RENAMED_MEMBER, "nsproxy.pid_ns", "pid_ns_for_children", SINCE(3, 11) },
	{ RENAMED_MEMBER, "request.rq_disk", "q->disk", SINCE(5, 17) },
	{ RENAMED_MEMBER, "task_struct.cpu", "thread_info->cpu", SINCE(5, 16) },
	{ RENAMED_MEMBER, "task_struct.state", "__state", SINCE(5, 14) },
};

const char *renamed(const struct session *s, enum renamed_kind kind, const char *name)
{
	unsigned major, minor;

	if (sscanf(kernel_release(s->kernel), "%u.%u", &major, &minor) != 2)
		return NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].kind == kind && !strcmp(names[i].old, name) &&
		    names[i].since <= SINCE(major, minor))
			return arena_printf("%s, its name since Linux %u.%u", names[i].new,
					    names[i].since / 1000, names[i].since % 1000);
	return NULL;
}
