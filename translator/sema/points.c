// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probe points to places.
 *
 * A point is matched part by part against the families' patterns and the
 * aliases of the script and the tapset.  Wildcards match within a part, "**"
 * matches several parts.  An alias is replaced by its own points, with the
 * parts behind its name appended, until families are reached.  Its blocks are
 * collected on the way and end up around the handler.  With
 *
 *	probe vfs.read = kernel.function("vfs_read") { count = $count }
 *
 * the point vfs.read.return becomes kernel.function("vfs_read").return, and the
 * handler starts with the alias's block.
 */
#include <fnmatch.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"
#include "lang/lang.h"
#include "lang/mistakes.h"
#include "probes/family.h"
#include "sema.h"

enum {
	MAX_ALIAS_DEPTH = 32,
	MAX_WAYS = 20000,		/* points that one point may be expanded to */
};

/* A way from a script's point to a family: the aliases passed so far. */
struct way {
	struct session *s;
	const struct probe_decl *decl;
	const struct way *up;
	const struct probe_decl *alias;		/* the alias that led here; NULL at the top */
	const struct probe_point *point;
	const char *pn;				/* what pn() returns: the first alias's name
						   with its wildcards replaced */
	const struct probe_point *named;	/* the point whose text is pn */
	size_t suffix;				/* number of last parts, in named and point,
						   that come from behind the alias's name */
	bool optional;				/* finding no place is no error */
	int depth;
	unsigned *ways;				/* number of ways from the script's point so far */
	derived_list *out;
};

static int expand(struct way *w);

/* ---- patterns ---------------------------------------------------------- */

/* One part of a pattern or an alias's name. */
struct pattern_part {
	const char *name;
	char arg;			/* 0: none, 's' or 'n' */
};

typedef vec(struct pattern_part) pattern_parts;

static void parse_pattern(const char *text, pattern_parts *out)
{
	while (*text) {
		size_t len = strcspn(text, ".(");
		struct pattern_part part = { .name = intern_n(text, len) };

		text += len;
		if (*text == '(') {
			part.arg = text[1];
			text = strchr(text, ')') + 1;
		}
		vec_push(out, part);
		text += *text == '.';
	}
}

static bool has_wildcard(const char *name)
{
	return strpbrk(name, "*?[") != NULL;
}

static bool name_matches(const char *wanted, const char *name)
{
	return wanted == name || (has_wildcard(wanted) && !fnmatch(wanted, name, 0));
}

static bool arg_matches(const struct point_part *part, char arg)
{
	if (!part->has_arg)
		return !arg;
	if (!part->arg)
		return false;
	return arg == (part->arg->kind == E_STR ? 's' : 'n');
}

/* Does "sys**open" match these N parts, joined by dots? */
static bool run_matches(const char *wanted, const struct pattern_part *run, size_t n)
{
	struct sbuf b = { 0 };

	for (size_t i = 0; i < n; i++)
		sbuf_printf(&b, "%s%s", i ? "." : "", run[i].name);

	bool matches = !fnmatch(wanted, sbuf_str(&b), 0);

	sbuf_free(&b);
	return matches;
}

/*
 * Do the point's first parts match all NPAT parts of a pattern?  Sets *USED to the number
 * of parts taken.  "**" matches a run of the pattern's parts without arguments.
 */
static bool parts_match(const struct point_part *point, size_t npoint,
			const struct pattern_part *pat, size_t npat, size_t *used)
{
	size_t i = 0, j = 0;

	while (j < npat) {
		if (i == npoint)
			return false;
		/* Most points name each part; names are interned, so addresses are compared. */
		if (point[i].name == pat[j].name) {
			if (!arg_matches(&point[i], pat[j].arg))
				return false;
			i++, j++;
			continue;
		}
		if (!has_wildcard(point[i].name))
			return false;
		if (!point[i].has_arg && strstr(point[i].name, "**")) {
			size_t end = j;

			while (end < npat && !pat[end].arg)
				end++;
			for (; end > j; end--) {
				size_t rest;

				if (run_matches(point[i].name, pat + j, end - j) &&
				    parts_match(point + i + 1, npoint - i - 1, pat + end,
						npat - end, &rest)) {
					*used = i + 1 + rest;
					return true;
				}
			}
			return false;
		}
		if (fnmatch(point[i].name, pat[j].name, 0) || !arg_matches(&point[i], pat[j].arg))
			return false;
		i++, j++;
	}
	*used = i;
	return true;
}

/* ---- families ---------------------------------------------------------- */

/* A pattern of a family, in parts. */
struct known_pattern {
	const struct probe_family *family;
	const struct probe_pattern *pattern;
	pattern_parts parts;
};

/* An alias, its name in parts. */
struct known_alias {
	const struct probe_decl *decl;
	bool library;
	pattern_parts parts;
};

struct known_patterns {
	vec(struct known_pattern) families;
	vec(struct known_alias) aliases;
	struct table by_first;		/* aliases by the first part of their names */
	struct table leading;		/* aliases by their names, and by each of their points
					   that has no arguments */
	size_t files, library_files;	/* files whose aliases are known */
};

/* Hashes the address of the first part's name, because names are interned. */
static uint32_t first_hash(const struct probe_point *p)
{
	return table_hash(&p->parts.v[0].name, sizeof(char *));
}

static bool has_args(const struct probe_point *p)
{
	for (size_t i = 0; i < p->parts.n; i++)
		if (p->parts.v[i].has_arg)
			return true;
	return false;
}

static uint32_t names_hash(const struct probe_point *p)
{
	uint32_t hash = 0;

	for (size_t i = 0; i < p->parts.n; i++)
		hash = hash * 31 + table_hash(&p->parts.v[i].name, sizeof(char *));
	return hash;
}

static void learn_families(struct known_patterns *known)
{
	for (const struct probe_family *const *f = probe_families; *f; f++) {
		for (const struct probe_pattern *p = (*f)->patterns; p->pattern; p++) {
			struct known_pattern k = { .family = *f, .pattern = p };

			parse_pattern(p->pattern, &k.parts);
			vec_push(&known->families, k);
		}
	}
}

/* Enters the next alias under P, which is its name or one of its points. */
static void learn_leading(struct known_patterns *known, const struct probe_point *p)
{
	if (!has_args(p))
		table_add(&known->leading, names_hash(p), known->aliases.n);
}

static void learn_aliases(struct known_patterns *known, const struct file *f, bool library)
{
	for (size_t i = 0; i < f->aliases.n; i++) {
		const struct probe_decl *a = f->aliases.v[i];
		struct known_alias alias = { .decl = a, .library = library };

		for (size_t j = 0; j < a->alias->parts.n; j++) {
			struct point_part *p = &a->alias->parts.v[j];
			char arg = !p->has_arg ? 0 : p->arg && p->arg->kind == E_STR ? 's' : 'n';

			vec_push(&alias.parts, ((struct pattern_part){ p->name, arg }));
		}
		table_add(&known->by_first, first_hash(a->alias), known->aliases.n);
		learn_leading(known, a->alias);
		for (size_t j = 0; j < a->points.n; j++)
			learn_leading(known, a->points.v[j]);
		vec_push(&known->aliases, alias);
	}
}

/* Returns all patterns known now; library files add theirs as they are loaded. */
static const struct known_patterns *known_patterns(struct session *s)
{
	struct known_patterns *known = s->patterns;

	if (!known) {
		s->patterns = known = arena_new(struct known_patterns);
		learn_families(known);
	}
	while (known->files < s->files.n)
		learn_aliases(known, s->files.v[known->files++], false);
	while (known->library_files < s->library_files.n)
		learn_aliases(known, s->library_files.v[known->library_files++], true);
	return known;
}

static bool point_has_wildcard(const struct probe_point *p)
{
	for (size_t i = 0; i < p->parts.n; i++)
		if (has_wildcard(p->parts.v[i].name))
			return true;
	return false;
}

/* Returns the point with its wildcards replaced by the words of the pattern it matched. */
static const struct probe_point *spelled_out(const struct probe_point *p,
					     const pattern_parts *pattern)
{
	struct probe_point *q = arena_new(struct probe_point);
	size_t next = 0;

	if (!point_has_wildcard(p))
		return p;
	*q = *p;
	memset(&q->parts, 0, sizeof(q->parts));
	for (size_t i = 0; i < pattern->n; i++) {
		struct point_part part = { .loc = p->loc };

		if (pattern->v[i].arg) {	/* arguments are in the same order in both */
			while (!p->parts.v[next].has_arg)
				next++;
			part = p->parts.v[next++];
		}
		part.name = pattern->v[i].name;
		vec_push(&q->parts, part);
	}
	return q;
}

/* Returns the points that led here, the last one first, as stap -t shows them. */
static const char *came_from(const struct way *w)
{
	struct sbuf b = { 0 };

	for (; w; w = w->up)
		sbuf_printf(&b, " from: %s", probe_point_text(w->point));
	return sbuf_take(&b);
}

/* Returns the point as in the script, with wildcards replaced. */
static const char *script_name(const struct way *w, const struct site *site)
{
	if (w->pn)
		return w->pn;
	for (size_t i = 0; i < w->point->parts.n; i++) {
		const struct point_part *p = &w->point->parts.v[i];

		if (has_wildcard(p->name) ||
		    (p->arg && p->arg->kind == E_STR && has_wildcard(p->arg->str)))
			return site->pp;
	}
	return probe_point_text(w->point);
}

static bool names_system_call(const struct probe_decl *alias)
{
	const char *family = alias->alias->parts.v[0].name;

	return !strcmp(family, "syscall") || !strcmp(family, "nd_syscall");
}

static void gather(struct way *w, struct probe *p)
{
	struct derived d = { .probe = p, .decl = w->decl };
	vec(const struct way *) chain = { 0 };

	p->decl = w->decl;
	p->loc = w->decl->loc;
	for (size_t i = 0; i < p->sites.n; i++) {
		p->sites.v[i].name = script_name(w, &p->sites.v[i]);
		p->sites.v[i].pn = w->pn ? w->pn : p->sites.v[i].pp;
		if (w->s->options.timing)
			p->sites.v[i].from = came_from(w);
	}
	for (const struct way *at = w; at; at = at->up)
		vec_push(&chain, at);
	for (size_t i = chain.n; i-- > 0;) {
		const struct way *at = chain.v[i];

		if (at->point->condition)
			vec_push(&d.conditions, at->point->condition);
		if (!at->alias)
			continue;
		p->system_call |= names_system_call(at->alias);
		if (!at->alias->epilogue)
			vec_push(&d.before, at->alias->body);
		else
			vec_push(&d.after, at->alias->body);
		if (at->alias->epilogue_body)
			vec_push(&d.after, at->alias->epilogue_body);
	}
	/* The innermost alias's prologue runs first, its epilogue last. */
	for (size_t i = 0; i < d.before.n / 2; i++) {
		struct stmt *t = d.before.v[i];

		d.before.v[i] = d.before.v[d.before.n - 1 - i];
		d.before.v[d.before.n - 1 - i] = t;
	}
	vec_push(w->out, d);
}

static void report_way(const struct way *w)
{
	for (; w->up; w = w->up)
		diag_also(w->up->point->loc, "reached through the probe alias used");
}

static int resolve_family(struct way *w, const struct known_pattern *k, bool optional)
{
	const struct probe_point *point = spelled_out(w->point, &k->parts);
	struct family_result r = { .why.no_hint = optional, .optional = optional };

	if (k->family->resolve(w->s, point, k->pattern, &r) < 0) {
		if (!optional) {
			diag_at(DIAG_SEMANTIC_ERROR, w->point->loc,
				"while resolving probe point '%s': %s",
				probe_point_text(w->point), r.why.text ? r.why.text : "no match");
			if (r.why.hint)
				diag_hint("did you mean: %s", r.why.hint);
			report_way(w);
		}
		return -1;
	}
	for (size_t i = 0; i < r.probes.n && !session_interrupted(); i++) {
		struct probe *p = r.probes.v[i];

		p->family = k->family;
		p->point = point;
		for (size_t j = 0; j < p->sites.n; j++)
			p->sites.v[j].optional |= optional;
		gather(w, p);
	}
	return 0;
}

/* ---- aliases ----------------------------------------------------------- */

/* Returns an alias's point with the parts that followed the alias's name. */
static struct probe_point *with_suffix(const struct probe_point *p,
				       const struct probe_point *user, size_t used)
{
	struct probe_point *q = arena_new(struct probe_point);

	*q = *p;
	q->parts.v = NULL;
	q->parts.n = q->parts.room = 0;
	for (size_t i = 0; i < p->parts.n; i++)
		vec_push(&q->parts, p->parts.v[i]);
	for (size_t i = used; i < user->parts.n; i++)
		vec_push(&q->parts, user->parts.v[i]);
	q->from = user;
	return q;
}

/*
 * Names the point after the first alias.  Wildcards behind that alias's name
 * are replaced by the names of the aliases they matched.
 */
static void name_way(struct way *next, const struct way *w, const struct probe_decl *a,
		     size_t used)
{
	const struct probe_point *spelled = with_suffix(a->alias, w->point, used);
	size_t own = w->point->parts.n - w->suffix;	/* parts before the suffix */

	next->pn = w->pn;
	next->named = w->named;
	next->suffix = w->suffix;
	if (!w->named) {
		next->named = spelled;
		next->suffix = w->point->parts.n - used;
	} else if (w->suffix && point_has_wildcard(w->named) && own <= spelled->parts.n) {
		struct probe_point first = *w->named;

		first.parts.n -= w->suffix;
		next->named = with_suffix(&first, spelled, own);
		next->suffix = spelled->parts.n - own;
	} else {
		return;
	}
	next->pn = probe_point_text(next->named);
}

static int expand_alias(struct way *w, const struct probe_decl *a, size_t used, bool optional)
{
	int found = -1;

	for (size_t i = 0; i < a->points.n; i++) {
		const struct probe_point *p = a->points.v[i];
		struct way next = {
			.s = w->s, .decl = w->decl, .up = w, .alias = a,
			.point = with_suffix(p, w->point, used),
			.optional = optional || p->optional || p->sufficient,
			.depth = w->depth + 1, .ways = w->ways, .out = w->out,
		};

		name_way(&next, w, a, used);
		if (expand(&next) == 0) {
			found = 0;
			if (p->sufficient)
				break;
		} else if (!next.optional) {
			return -1;
		}
	}
	/* If all points are optional and none exists, the alias is not found either. */
	return found;
}

static bool in_use(const struct way *w, const struct probe_decl *a)
{
	for (; w; w = w->up)
		if (w->alias == a)
			return true;
	return false;
}

/* ---- a point ----------------------------------------------------------- */

/* Returns how many leading parts of the point match the beginning of a known one. */
static size_t known_prefix(const struct probe_point *p, const pattern_parts *parts)
{
	size_t n = p->parts.n < parts->n ? p->parts.n : parts->n, i = 0;

	while (i < n && name_matches(p->parts.v[i].name, parts->v[i].name) &&
	       arg_matches(&p->parts.v[i], parts->v[i].arg))
		i++;
	return i;
}

/*
 * Does so for the name of a library alias, DOTTED, such as "vfs.read".  Sets *NEXT to the
 * name that follows the matching parts, or NULL.
 */
static size_t library_prefix(const struct probe_point *p, const char *dotted, const char **next)
{
	size_t i = 0, len = strcspn(dotted, ".");

	while (i < p->parts.n && !p->parts.v[i].has_arg && *dotted &&
	       p->parts.v[i].name == intern_n(dotted, len)) {
		dotted += len + (dotted[len] == '.');
		len = strcspn(dotted, ".");
		i++;
	}
	*next = *dotted ? intern_n(dotted, len) : NULL;
	return i;
}

/*
 * Adds the names that can follow the point's first parts in library aliases,
 * unless they match fewer parts than *BEST.
 */
static void library_nexts(struct way *w, size_t *best, text_list *names)
{
	size_t n;
	const char *const *library = library_names(w->s, LIB_ALIAS, &n);

	for (size_t i = 0; i < n; i++) {
		const char *next;
		size_t k = library_prefix(w->point, library[i], &next);

		if (k < *best || !next || strchr(next, '*'))
			continue;
		if (k > *best)
			names->n = 0;
		*best = k;
		vec_push(names, next);
	}
}

/* Reports which part of a point doesn't match, with names that would. */
static void report_mismatch(struct way *w, const struct known_patterns *all)
{
	vec(const pattern_parts *) known = { 0 };
	text_list names = { 0 };
	size_t best = 0;

	for (size_t i = 0; i < all->families.n; i++)
		vec_push(&known, &all->families.v[i].parts);
	for (size_t i = 0; i < all->aliases.n; i++)
		vec_push(&known, &all->aliases.v[i].parts);
	for (size_t i = 0; i < known.n; i++) {
		size_t k = known_prefix(w->point, known.v[i]);

		best = k > best ? k : best;
	}
	for (size_t i = 0; i < known.n; i++)
		if (known_prefix(w->point, known.v[i]) == best && known.v[i]->n > best)
			vec_push(&names, known.v[i]->v[best].name);
	library_nexts(w, &best, &names);

	size_t at = best < w->point->parts.n ? best : w->point->parts.n - 1;
	struct point_part *part = &w->point->parts.v[at];
	bool number = false, text = false, bare = false;

	for (size_t i = 0; i < known.n; i++) {
		const struct pattern_part *next = &known.v[i]->v[best];

		if (known_prefix(w->point, known.v[i]) == best && known.v[i]->n > best &&
		    next->name == part->name) {
			number |= next->arg == 'n';
			text |= next->arg == 's';
			bare |= !next->arg;
		}
	}

	if (best == w->point->parts.n)
		diag_at(DIAG_SEMANTIC_ERROR, part->loc,
			"probe point is incomplete: identifier '%s'", part->name);
	else
		diag_at(DIAG_SEMANTIC_ERROR, part->loc,
			"probe point mismatch: identifier '%s'", part->name);

	const char *near = diag_nearest(part->name, names.v, names.n, 4);
	const char *other = mistake_of_point(part->name);

	if (!other)
		other = mistake_of_part(part->name);
	if (other)
		diag_hint("%s", other);
	else if (number || text || bare)
		diag_hint("'%s' takes %s there", part->name,
			  number && text ? "a number or a string" : number ? "a number" :
			  text ? "a string" : "no argument");
	else if (near && best < w->point->parts.n)
		diag_hint("did you mean: %s", near);
	report_way(w);
}

/* Returns the point's names up to its first argument, by which library aliases are found. */
static const char *dotted_name(const struct probe_point *p)
{
	struct sbuf b = { 0 };

	for (size_t i = 0; i < p->parts.n; i++) {
		sbuf_printf(&b, "%s%s", i ? "." : "", p->parts.v[i].name);
		if (p->parts.v[i].has_arg)
			break;
	}
	return sbuf_take(&b);
}

static bool matches_alias(const struct probe_point *p, const struct known_alias *a, size_t *used)
{
	return parts_match(p->parts.v, p->parts.n, a->parts.v, a->parts.n, used);
}

/* Does the point match a longer alias that begins with this one's name? */
static bool means_longer(const struct probe_point *p, const struct known_patterns *all,
			 const struct known_alias *a)
{
	for (size_t i = 0; i < all->aliases.n; i++) {
		const struct known_alias *b = &all->aliases.v[i];
		size_t same = 0, used;

		if (b->parts.n <= a->parts.n)
			continue;
		while (same < a->parts.n && b->parts.v[same].name == a->parts.v[same].name &&
		       b->parts.v[same].arg == a->parts.v[same].arg)
			same++;
		if (same == a->parts.n && matches_alias(p, b, &used))
			return true;
	}
	return false;
}

/* Are P and Q the same names, both without arguments? */
static bool same_names(const struct probe_point *p, const struct probe_point *q)
{
	if (p->parts.n != q->parts.n)
		return false;
	for (size_t i = 0; i < p->parts.n; i++)
		if (p->parts.v[i].name != q->parts.v[i].name)
			return false;
	return !has_args(p) && !has_args(q);
}

/* Is the alias named P?  Or is P one of its points, of which it has more than MORE_THAN? */
static bool leads_to(const struct probe_decl *a, const struct probe_point *p, size_t more_than)
{
	if (same_names(a->alias, p))
		return true;
	for (size_t i = 0; i < a->points.n && a->points.n > more_than; i++)
		if (same_names(a->points.v[i], p))
			return true;
	return false;
}

/*
 * Is this library alias a second name for places that the wildcard finds anyway, because
 * other matching aliases lead to all its points?  If it is skipped, syscall.* finds each
 * system call once, however many names it has.
 */
static bool is_second_name(const struct probe_point *wanted, const struct known_patterns *all,
			   const struct known_alias *a)
{
	const struct probe_decl *decl = a->decl;

	for (size_t i = 0; i < decl->points.n && a->library; i++) {
		const struct probe_point *p = decl->points.v[i];
		bool found = false;

		if (has_args(p))
			return false;
		table_for_each(&all->leading, names_hash(p), j) {
			const struct known_alias *b = &all->aliases.v[j];
			size_t used;

			found |= b->decl != decl && leads_to(b->decl, p, decl->points.n) &&
				 matches_alias(wanted, b, &used);
		}
		if (!found)
			return false;
	}
	return a->library;
}

typedef vec(size_t) indices;

/* Library aliases whose names begin with "__" are internal, so '*' doesn't match them. */
static bool is_private(const struct known_alias *a, const char *wanted)
{
	return a->library && !strncmp(a->parts.v[0].name, "__", 2) && strncmp(wanted, "__", 2);
}

/* Returns the aliases whose names may match the point, in the order they were learnt. */
static indices alias_candidates(const struct known_patterns *all, const struct probe_point *p)
{
	indices found = { 0 };

	if (has_wildcard(p->parts.v[0].name)) {
		for (size_t i = 0; i < all->aliases.n; i++)
			if (!is_private(&all->aliases.v[i], p->parts.v[0].name))
				vec_push(&found, i);
		return found;
	}
	table_for_each(&all->by_first, first_hash(p), i)
		vec_push(&found, i);
	return found;
}

static int expand_aliases(struct way *w, const struct known_patterns *all, bool wild, int *matched)
{
	indices aliases = alias_candidates(all, w->point);	/* expanding may load more */
	int found = 0;

	for (size_t i = 0; i < aliases.n; i++) {
		struct known_alias a = all->aliases.v[aliases.v[i]];
		size_t used;

		if (!matches_alias(w->point, &a, &used) || in_use(w, a.decl) ||
		    (used < w->point->parts.n && means_longer(w->point, all, &a)) ||
		    (wild && is_second_name(w->point, all, &a)))
			continue;
		++*matched;
		found += expand_alias(w, a.decl, used, w->optional || wild) == 0;
	}
	return found;
}

static int expand(struct way *w)
{
	const struct known_patterns *all;
	bool wild = point_has_wildcard(w->point);
	bool optional = w->optional || wild;
	int matched = 0, found = 0;

	if (session_interrupted())
		return -1;
	if (w->depth > MAX_ALIAS_DEPTH) {
		diag_at(DIAG_SEMANTIC_ERROR, w->point->loc, "probe aliases nest too deeply");
		return -1;
	}
	if (++*w->ways > MAX_WAYS) {
		if (*w->ways == MAX_WAYS + 1)
			diag_at(DIAG_SEMANTIC_ERROR, w->decl->loc,
				"probe aliases stand for more than %d probe points", MAX_WAYS);
		return -1;
	}
	library_load(w->s, LIB_ALIAS, dotted_name(w->point));
	all = known_patterns(w->s);
	for (size_t i = 0; i < all->families.n; i++) {
		const struct known_pattern *k = &all->families.v[i];
		size_t used;

		if (!parts_match(w->point->parts.v, w->point->parts.n, k->parts.v, k->parts.n,
				 &used) || used != w->point->parts.n)
			continue;
		matched++;
		found += resolve_family(w, k, optional) == 0;
	}
	found += expand_aliases(w, all, wild, &matched);
	if (found)
		return 0;
	if (session_interrupted())
		return -1;
	if (!w->optional && !matched)
		report_mismatch(w, all);
	else if (!w->optional && wild)
		diag_at(DIAG_SEMANTIC_ERROR, w->point->loc,
			"while resolving probe point '%s': no match",
			probe_point_text(w->point));
	return -1;
}

int sema_expand_points(struct session *s, const struct probe_decl *decl, derived_list *out)
{
	int failed = 0;

	for (size_t i = 0; i < decl->points.n; i++) {
		const struct probe_point *p = decl->points.v[i];
		unsigned errors = diag_errors, ways = 0;
		struct way w = {
			.s = s, .decl = decl, .point = p, .ways = &ways,
			.optional = p->optional || p->sufficient, .out = out,
		};
		bool ok = expand(&w) == 0;

		if (!ok && !w.optional) {
			failed = -1;
			if (diag_errors == errors)
				diag_at(DIAG_SEMANTIC_ERROR, p->loc,
					"while resolving probe point '%s': no match",
					probe_point_text(p));
		}
		if (ok && p->sufficient)
			break;
	}
	return failed;
}
