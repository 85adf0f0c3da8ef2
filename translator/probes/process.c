// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process("PATH").begin, process(PID).begin, process.begin; and .end, .thread.begin,
 * .thread.end, .syscall, .syscall.return: the life of processes and threads.
 *
 * The program is found here (program_path.h), the processes that run it by the runtime.  It may be
 * created later, because none of these points looks into its file.
 */
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "families.h"
#include "ir/ir.h"
#include "program_path.h"
#include "session.h"
#include "variables.h"

enum process_event { BEGIN, END, THREAD_BEGIN, THREAD_END, SYSCALL, SYSCALL_RETURN };

/* The patterns of an event: in all processes, in a program's, in one process. */
#define EVENT(words, event, doc)					\
	{ "process." words, event, doc },				\
	{ "process(s)." words, event, doc " of a program" },		\
	{ "process(n)." words, event, doc " of a process" }

static const struct probe_pattern process_patterns[] = {
	EVENT("begin", BEGIN, "the beginning of a process, or of the script in it"),
	EVENT("end", END, "the end of a process"),
	EVENT("thread.begin", THREAD_BEGIN, "the beginning of a thread, except the first"),
	EVENT("thread.end", THREAD_END, "the end of a thread, except the first"),
	EVENT("syscall", SYSCALL, "the entry of a system call"),
	EVENT("syscall.return", SYSCALL_RETURN, "the return of a system call"),
	{ NULL, 0, NULL },
};

struct process_probe {
	struct probe probe;
	enum process_event event;
	int64_t pid;			/* only this process; 0 for any */
};

static const struct process_probe *process_of(const struct probe *p)
{
	return container_of(p, struct process_probe, probe);
}

/* ---- points ------------------------------------------------------------ */

static struct process_probe *add_probe(const struct probe_point *point,
				       const struct probe_pattern *pat, struct family_result *out)
{
	struct process_probe *p = arena_new(struct process_probe);

	add_named_site(&p->probe, point);
	p->event = pat->variant;
	vec_push(&out->probes, &p->probe);
	return p;
}

/* Returns the point's text behind "process(…)", from the dot on. */
static const char *event_text(const struct probe_point *point)
{
	struct sbuf b = { 0 };

	for (size_t i = 1; i < point->parts.n; i++)
		sbuf_printf(&b, ".%s", point->parts.v[i].name);
	return sbuf_take(&b);
}

static int add_programs(struct session *s, const struct probe_point *point,
			const struct probe_pattern *pat, struct family_result *out)
{
	const char *name = point->parts.v[0].arg->str, *awaited;
	text_list programs = { 0 };

	if (program_find_all(s, name, &programs, &out->why) < 0) {
		awaited = out->optional ? NULL : program_awaited(s, name);
		if (!awaited)
			return -1;
		diag_at(DIAG_WARNING, point->loc, "'%s' does not exist now: the probe waits for it", name);
		if (out->why.hint)
			diag_hint("did you mean: %s", out->why.hint);
		vec_push(&programs, awaited);
	}
	for (size_t i = 0; i < programs.n; i++) {
		struct site *site = &add_probe(point, pat, out)->probe.sites.v[0];

		site->runs = programs.v[i];
		site->pp = arena_printf("process(\"%s\")%s", session_program_name(s, site->runs),
					event_text(point));
	}
	return 0;
}

static int process_resolve(struct session *s, const struct probe_point *point,
			   const struct probe_pattern *pat, struct family_result *out)
{
	const struct expr *arg = point->parts.v[0].arg;

	if (!arg) {
		add_probe(point, pat, out);
		return 0;
	}
	if (arg->kind == E_STR)
		return add_programs(s, point, pat, out);
	if (!process_exists(arg->num, &out->why))
		return -1;
	add_probe(point, pat, out)->pid = arg->num;
	return 0;
}

/* ---- variables --------------------------------------------------------- */

enum { ON_SYSCALL = 1 << SYSCALL, ON_RETURN = 1 << SYSCALL_RETURN };

static const struct call_variable {
	const char *name;
	int events;
} call_variables[] = {
	{ "$syscall", ON_SYSCALL | ON_RETURN },
	{ "$arg1", ON_SYSCALL }, { "$arg2", ON_SYSCALL }, { "$arg3", ON_SYSCALL },
	{ "$arg4", ON_SYSCALL }, { "$arg5", ON_SYSCALL }, { "$arg6", ON_SYSCALL },
	{ "$return", ON_RETURN },
};

enum { CALL_VARIABLES = sizeof(call_variables) / sizeof(*call_variables) };

static const struct term *call_member(const struct call_variable *v)
{
	return term_member(SORT_WORD, TERM_SYSTEM_CALL,
			   strcmp(v->name, "$return") ? v->name + 1 : "result");
}

static bool is_argument(const struct call_variable *v)
{
	return !strncmp(v->name, "$arg", 4);
}

/* Returns "$arg1=0x1 $arg2=…", all arguments of the call. */
static const struct term *all_arguments(void)
{
	struct sbuf format = { 0 };
	term_list args = { 0 };

	for (size_t i = 0; i < CALL_VARIABLES; i++) {
		const struct call_variable *v = &call_variables[i];

		if (!is_argument(v))
			continue;
		sbuf_printf(&format, "%s%s=%%#x", args.n ? " " : "", v->name);
		vec_push(&args, call_member(v));
	}
	return term_format(sbuf_take(&format), &args);
}

static const struct term *find_variable(const char *name, int event)
{
	if (!strcmp(name, "$$parms") && event & ON_SYSCALL)
		return all_arguments();
	for (size_t i = 0; i < CALL_VARIABLES; i++)
		if (!strcmp(call_variables[i].name, name) && call_variables[i].events & event)
			return call_member(&call_variables[i]);
	return NULL;
}

static void say_missing(int event, struct problem *why)
{
	why->text = "this place has no such variable";
	if (event == ON_SYSCALL)
		why->hint = "a system call's entry has $syscall, $arg1 to $arg6 and $$parms";
	else if (event == ON_RETURN)
		why->hint = "a system call's return has $syscall and $return";
	else
		why->hint = "only process.syscall and process.syscall.return have variables";
}

static int process_variable(struct session *s, struct probe *p, const struct target_var *tv,
			    struct access *acc)
{
	int event = 1 << process_of(p)->event;
	const struct term *load = find_variable(tv->name, event);

	(void)s;
	if (!load)
		say_missing(event, &acc->why_not);
	else if (tv->path.n || tv->address)
		acc->why_not.text = arena_printf("'%s' is a number without a type: it has no "
						 "members or address", tv->name);
	if (acc->why_not.text)
		return -1;
	access_set_fetch(acc, (struct fetch){ .load = load });
	return 0;
}

static void process_list_variables(struct session *s, struct probe *p, text_list *out)
{
	(void)s;
	for (size_t i = 0; i < CALL_VARIABLES; i++)
		if (call_variables[i].events & 1 << process_of(p)->event)
			vec_push(out, arena_printf("%s:long", call_variables[i].name));
}

/* ---- rows -------------------------------------------------------------- */

static void process_row(const struct probe *p, const struct site *site, struct row *out)
{
	static const char *const events[] = {
		[BEGIN] = "ST_PROCESS_BEGIN", [END] = "ST_PROCESS_END",
		[THREAD_BEGIN] = "ST_THREAD_BEGIN", [THREAD_END] = "ST_THREAD_END",
		[SYSCALL] = "ST_SYSCALL", [SYSCALL_RETURN] = "ST_SYSCALL_RETURN",
	};
	const struct process_probe *process = process_of(p);

	row_constant(out, "event", events[process->event]);
	row_number(out, "file", site->runs ? (int)site->program : -1);
	row_number(out, "pid", process->pid);
}

static void process_place(const struct probe *p, const struct site *site, struct ir_place *out)
{
	static const enum ir_process_event events[] = {
		[BEGIN] = IR_PROCESS_BEGIN, [END] = IR_PROCESS_END, [THREAD_BEGIN] = IR_THREAD_BEGIN,
		[THREAD_END] = IR_THREAD_END, [SYSCALL] = IR_SYSCALL, [SYSCALL_RETURN] = IR_SYSCALL_RETURN,
	};
	const struct process_probe *process = process_of(p);

	out->attach = IR_OF_PROCESS;
	out->process = events[process->event];
	out->file = site->runs ? site->program : IR_ANY_FILE;
	out->pid = process->pid;
}

const struct probe_family family_process = {
	.name = "process",
	.patterns = process_patterns,
	.resolve = process_resolve,
	.variable = process_variable,
	.list_variables = process_list_variables,
	.table = "process",
	.row = process_row,
	.place = process_place,
	.has_return = true,
	.waits = true,
};
