// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process("PATH").data("symbol").write, process(PID).data(address).rw: any instruction of a
 * process, or the kernel on its behalf, writes, or reads, a variable of its program or some
 * of its memory.
 *
 * Each thread has its own breakpoints.  An address is a link address in the file; with a PID
 * it is an address in the process's memory.
 */
#include "base/arena.h"
#include "debuginfo/debuginfo.h"
#include "families.h"
#include "program_path.h"
#include "session.h"
#include "uprobe.h"
#include "watch.h"

static const struct probe_pattern process_data_patterns[] = {
	WATCH_PATTERNS("process(s).", 0, "a program"),
	WATCH_PATTERNS("process(n).", V_PID, "a process"),
	WATCH_PATTERNS("process.", V_COMMAND, "the program of -c or -x"),
	{ NULL, 0, NULL },
};

struct watch_probe {
	struct probe probe;
	struct watch watch;
	int64_t pid;			/* only this process; 0 for all that run the program */
};

static bool add_probe(struct session *s, const struct probe_point *point,
		      const struct probe_pattern *pat, const struct probed_file *file,
		      struct family_result *out)
{
	struct watch_probe *p = arena_new(struct watch_probe);
	bool in_memory = pat->variant & WATCH_ADDRESS && file->pid;
	struct sbuf pp = { 0 };

	if (!watch_parse(point, pat, &p->watch, &out->why))
		return false;
	if (!(pat->variant & WATCH_ADDRESS) &&
	    target_program_data(s->target, file->path, point->parts.v[1].arg->str,
				&p->watch.address, &out->why) < 0)
		return false;
	if (!watch_check(&p->watch, &out->why))
		return false;
	p->watch.linked = !in_memory;
	p->pid = file->pid;
	uprobe_put_head(&pp, file);
	sbuf_puts(&pp, watch_text(point, &p->watch));
	add_named_site(&p->probe, point);
	p->probe.sites.v[0].pp = sbuf_take(&pp);
	if (!in_memory)
		p->probe.sites.v[0].runs = file->path;
	vec_push(&out->probes, &p->probe);
	return true;
}

static int process_data_resolve(struct session *s, const struct probe_point *point,
				const struct probe_pattern *pat, struct family_result *out)
{
	probed_files files = { 0 };
	size_t added = 0;

	if (!uprobe_files(s, point, pat, &files, &out->why))
		return -1;
	for (size_t i = 0; i < files.n; i++)
		added += add_probe(s, point, pat, &files.v[i], out);
	return added ? 0 : -1;
}

static int process_data_check(struct session *s, struct probe *const *probes, size_t n)
{
	(void)s;
	watch_warn_many(probes, n);
	return 0;
}

static void process_data_row(const struct probe *p, const struct site *site, struct row *out)
{
	const struct watch_probe *w = container_of(p, struct watch_probe, probe);

	row_constant(out, "event", "ST_PROCESS_WATCH");
	row_number(out, "file", site->runs ? (int)site->program : -1);
	row_number(out, "pid", w->pid);
	watch_row(out, &w->watch);
}

const struct probe_family family_process_data = {
	.name = "process_data",
	.patterns = process_data_patterns,
	.resolve = process_data_resolve,
	.check = process_data_check,
	.table = "process",
	.row = process_data_row,
};
