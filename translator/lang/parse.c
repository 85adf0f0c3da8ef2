// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses one source: reads it, runs the grammar, reports errors. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "grammar.h"
#include "lang.h"
#include "parser.h"
#include "session.h"

void parse_error(struct parser *p, struct loc at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	const char *msg = arena_vprintf(fmt, ap);

	va_end(ap);
	diag_at(DIAG_PARSE_ERROR, at, "%s", msg);
	p->failed = true;
}

void parse_expected(struct parser *p, const char *what)
{
	const char *saw = lexeme_describe(&p->token);

	if (!p->token.kind && preproc_failed(p->feed.pp))
		return;		/* the preprocessor's error ended the text early */
	p->failed = true;
	if (!p->token.kind)
		diag(DIAG_PARSE_ERROR, "expected %s\n        saw: %s", what, saw);
	else
		diag_at(DIAG_PARSE_ERROR, p->token.loc, "expected %s\n        saw: %s",
			what, saw);
}

static bool is_empty(const struct file *f)
{
	return !f->globals.n && !f->functions.n && !f->probes.n && !f->aliases.n &&
	       !f->embeds.n;
}

struct file *lang_parse(struct session *s, const struct source *src, bool library)
{
	struct parser p = { .session = s };

	p.file = arena_new(struct file);
	p.file->src = src;
	p.file->library = library;
	p.file->guru = s->options.guru;
	p.feed.pp = preproc_open(s, src);
	if (grammar_parse(&p))
		p.failed = true;
	if (p.failed || preproc_failed(p.feed.pp))
		return NULL;
	if (is_empty(p.file) && !library) {
		diag(DIAG_ERROR, "Input file '%s' is empty.", src->name);
		return NULL;
	}
	return p.file;
}

/* ---- texts -------------------------------------------------------------------- */

enum { MAX_SOURCE = 16 << 20 };		/* bytes; no script is larger */

static const struct source *source_new(const char *name, const char *text, size_t len)
{
	struct source *src = arena_new(struct source);

	src->name = arena_strdup(name);
	src->text = text;
	src->len = len;
	return src;
}

const struct source *source_from_text(const char *name, const char *text)
{
	return source_new(name, arena_strdup(text), strlen(text));
}

const struct source *source_read(const char *path, const char *shown_as)
{
	bool standard = !strcmp(path, "-");
	FILE *in = standard ? stdin : fopen(path, "re");
	struct sbuf text = { 0 };
	char chunk[16384];
	size_t n;

	if (!in) {
		diag(DIAG_ERROR, "Input file '%s' can't be opened for reading: %s.",
		     shown_as, strerror(errno));
		return NULL;
	}
	while (text.len <= MAX_SOURCE && (n = fread(chunk, 1, sizeof(chunk), in)))
		sbuf_add(&text, chunk, n);

	bool failed = ferror(in) || text.len > MAX_SOURCE;
	int err = text.len > MAX_SOURCE ? EFBIG : errno;

	if (!standard)
		fclose(in);
	if (failed) {
		diag(DIAG_ERROR, "Input file '%s' can't be read: %s.", shown_as, strerror(err));
		sbuf_free(&text);
		return NULL;
	}

	size_t len = text.len;

	return source_new(shown_as, sbuf_take(&text), len);
}
