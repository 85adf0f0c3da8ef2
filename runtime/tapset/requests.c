// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions that stapio carries out when it reads their records. The runtime keeps nothing,
 * so they can be called anywhere.
 */
#include "abi/transport.h"
#include "core/supply.h"
#include "port/port.h"

/* ---- speculations ---------------------------------------------------------- */

st_long st_fn_speculation(struct st_ctx *c)
{
	return atomic_long_inc_return(st_speculations());
}

static void emit_speculation(struct st_ctx *c, st_long id, unsigned int act, struct st_str text)
{
	struct st_speculation head = { .id = id, .act = act };
	unsigned int bytes = sizeof(head) + text.len;
	char *p = st_emit(c, ST_FMT_SPECULATION, sizeof(bytes) + bytes);

	if (!p)
		return;
	memcpy(p, &bytes, sizeof(bytes));
	memcpy(p + sizeof(bytes), &head, sizeof(head));
	memcpy(p + sizeof(bytes) + sizeof(head), text.p, text.len);
}

void st_fn_speculate(struct st_ctx *c, st_long id, struct st_str text)
{
	unsigned int room = c->out_end - c->output - 2 - sizeof(u32) -
			    sizeof(struct st_speculation);

	if (c->error)
		return;
	for (; text.len > room; text.p += room, text.len -= room)
		emit_speculation(c, id, ST_SPECULATE, (struct st_str){ text.p, room });
	emit_speculation(c, id, ST_SPECULATE, text);
}

void st_fn_commit(struct st_ctx *c, st_long id)
{
	if (!c->error)
		emit_speculation(c, id, ST_COMMIT, ST_LIT(""));
}

void st_fn_discard(struct st_ctx *c, st_long id)
{
	if (!c->error)
		emit_speculation(c, id, ST_DISCARD, ST_LIT(""));
}

/* ---- the reader's process ---------------------------------------------------- */

static void emit_text(struct st_ctx *c, unsigned short format, struct st_str s)
{
	char *p = st_emit(c, format, 4ul + s.len);

	if (p)
		st_emit_str(p, s);
}

/* Records a command, but not one that was cut: "rm -r /tmp/x" could become "rm -r /". */
void st_fn_system(struct st_ctx *c, struct st_str command)
{
	if (c->error)
		return;
	if (command.len >= st_program.maxstringlen - 1)
		st_error(c, "system(): the command may have been cut; enlarge -D MAXSTRINGLEN");
	else if (memchr(command.p, '\0', command.len))
		st_error(c, "system(): the command contains a NUL");
	else
		emit_text(c, ST_FMT_SYSTEM, command);
}

void st_fn_switch_file(struct st_ctx *c)
{
	if (!c->error)
		emit_text(c, ST_FMT_SWITCH, ST_LIT(""));
}
