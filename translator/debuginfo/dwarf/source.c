// SPDX-License-Identifier: GPL-2.0-or-later
/* Source files.  One is read whole when its first line is asked for, and kept. */
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/regular.h"
#include "base/sbuf.h"
#include "session.h"

struct source_text {
	const char *name;		/* as users see it */
	vec(const char *) lines;	/* empty: the file doesn't exist here */
};

struct sources {
	vec(struct source_text *) v;
};

typedef vec(const char *) paths;

/* ---- paths -------------------------------------------------------------- */

/* Returns the first unit's directory of compilation. */
static const char *build_directory(struct dwfile *f)
{
	const char *dir = NULL;
	struct cu cu = { 0 };

	if (cu_open(&cu, &f->sects, 0))
		dir = cu.comp_dir;
	cu_release(&cu);
	return dir;
}

/* Returns the part of "6.1.0-56-cloud-amd64" before the '-' with this number, from 0. */
static const char *release_part(const char *release, int dashes)
{
	size_t n = 0;

	for (; release[n]; n++)
		if (release[n] == '-' && !dashes--)
			break;
	return arena_strndup(release, n);
}

/* Returns "6.1" for "6.1.0-56-cloud-amd64". */
static const char *release_series(const char *release)
{
	size_t n = strcspn(release, ".");

	return arena_strndup(release, n + strspn(release + n, ".0123456789") > n
				      ? n + 1 + strspn(release + n + 1, "0123456789") : n);
}

static void candidates(struct dwfile *f, const char *file, paths *out)
{
	const struct session *s = f->target->session;
	const char *built = build_directory(f), *r = kernel_release(s->kernel);

	if (*file == '/') {
		vec_push(out, arena_strdup(file));
		return;
	}
	if (built)
		vec_push(out, arena_printf("%s/%s", built, file));
	vec_push(out, arena_printf("/lib/modules/%s/source/%s", r, file));
	vec_push(out, arena_printf("%s/%s", kernel_build(s->kernel), file));
	vec_push(out, arena_printf("/usr/src/linux-headers-%s-common/%s", release_part(r, 1), file));
	vec_push(out, arena_printf("/usr/src/linux-source-%s/%s", release_series(r), file));
}

const char *source_places(struct dwfile *f, const char *file)
{
	struct sbuf text = { 0 };
	paths where = { 0 };

	candidates(f, file, &where);
	for (size_t i = 0; i < where.n; i++)
		sbuf_printf(&text, "%s%s", i ? ", " : "", where.v[i]);
	return sbuf_take(&text);
}

/* ---- reading ------------------------------------------------------------ */

static bool read_file(const char *path, struct source_text *t)
{
	int fd = regular_open(path);
	FILE *in = fd < 0 ? NULL : fdopen(fd, "r");
	char *line = NULL;
	size_t room = 0;

	while (in && getline(&line, &room, in) > 0) {
		line[strcspn(line, "\r\n")] = 0;
		vec_push(&t->lines, arena_strdup(line));
	}
	free(line);
	if (in)
		fclose(in);
	return t->lines.n;
}

static const struct source_text *text_of(struct dwfile *f, const char *file)
{
	struct source_text *t;
	paths where = { 0 };

	if (!f->sources)
		f->sources = arena_new(struct sources);
	for (size_t i = 0; i < f->sources->v.n; i++)
		if (!strcmp(f->sources->v.v[i]->name, file))
			return f->sources->v.v[i];
	t = arena_new(struct source_text);
	t->name = arena_strdup(file);
	vec_push(&f->sources->v, t);
	candidates(f, file, &where);
	for (size_t i = 0; i < where.n && !read_file(where.v[i], t); i++)
		;
	return t;
}

const char *source_line(struct dwfile *f, const char *file, int line)
{
	const struct source_text *t = text_of(f, file);

	return line > 0 && (size_t)line <= t->lines.n ? t->lines.v[line - 1] : NULL;
}

int source_lines(struct dwfile *f, const char *file)
{
	return text_of(f, file)->lines.n;
}

const char *source_squeeze(const char *text)
{
	char *squeezed = arena_strdup(text), *to = squeezed;

	for (; *text; text++)
		if (*text != ' ' && *text != '\t')
			*to++ = *text;
	*to = 0;
	return squeezed;
}

const char *target_source_line(const struct place *p, int line)
{
	return p->scope && p->file ? source_line(p->scope->file, p->file, line) : NULL;
}

const char *target_source_sought(const struct place *p)
{
	return p->scope && p->file ? source_places(p->scope->file, p->file) : "";
}
