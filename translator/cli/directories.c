// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the directories that a run uses.  A path in an option is trusted, because the user gave it.
 * A path in the environment may be another user's, because sudo -E and su -m keep the environment.
 * So a path there that others can write to is dropped with a warning before anything reads it
 * (base/trust.h).  PATH is used as it is, as a shell does.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/sbuf.h"
#include "base/self.h"
#include "base/trust.h"
#include "cli/passes.h"
#include "session.h"

/* Returns the value of a variable of the environment, or NULL if it isn't set or is empty. */
static const char *environment(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

static void warn_of(const char *what, const struct problem *why)
{
	diag(DIAG_WARNING, "%s is ignored: %s", what, why->text);
	if (why->hint)
		diag_hint("%s", why->hint);
}

/* ---- variables ---------------------------------------------------------- */

/*
 * The variables that hold a path, and how it is checked: a tree with all that is in it, because it
 * has code.
 */
static const struct {
	const char *name;
	enum trust (*look)(const char *path, struct problem *why);
} paths[] = {
	{ "TMPDIR", trust_shared_dir },
	{ "SYSTEMTAP_TAPSET", trust_tree },
	{ "SYSTEMTAP_RUNTIME", trust_tree },
	{ "SYSTEMTAP_STAPRUN", trust_path },
};

static void drop_paths(void)
{
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		const char *path = environment(paths[i].name);
		struct problem why;

		if (!path || paths[i].look(path, &why) != TRUST_NO)
			continue;
		warn_of(paths[i].name, &why);
		unsetenv(paths[i].name);
	}
}

/* $SYSTEMTAP_DEBUGINFO_PATH: signs may stand before its directories. */
static void drop_debug_directories(void)
{
	static const char name[] = "SYSTEMTAP_DEBUGINFO_PATH";
	char *rest = environment(name) ? arena_strdup(environment(name)) : NULL, *one;
	struct sbuf kept = { 0 };

	while ((one = strsep(&rest, ":"))) {
		const char *path = one + strspn(one, "+-");
		struct problem why;

		if (*path == '/' && trust_path(path, &why) == TRUST_NO)
			warn_of(arena_printf("'%s' in %s", path, name), &why);
		else
			sbuf_printf(&kept, "%s%s", kept.len ? ":" : "", one);
	}
	if (environment(name))
		setenv(name, sbuf_str(&kept), 1);
	sbuf_free(&kept);
}

/* Returns the directory where libdebuginfod keeps what it downloads, by its rules. */
static const char *debuginfod_cache(void)
{
	const char *dir = environment("DEBUGINFOD_CACHE_PATH"), *home = environment("HOME");
	const char *old = home ? arena_printf("%s/.debuginfod_client_cache", home) : NULL;

	if (dir || (old && !access(old, F_OK)))
		return dir ? dir : old;
	dir = environment("XDG_CACHE_HOME");
	if (!dir && home)
		dir = arena_printf("%s/.cache", home);
	return dir ? arena_printf("%s/debuginfod_client", dir) : NULL;
}

/*
 * Keeps debuginfod's cache in the work directory if others can write to the usual one; by the
 * environment, because the programs that stap starts download too.
 */
static void move_debuginfod_cache(struct session *s)
{
	const char *dir = environment("DEBUGINFOD_URLS") ? debuginfod_cache() : NULL, *work;
	struct problem why;

	if (!dir || trust_path(dir, &why) != TRUST_NO || !(work = session_tmpdir(s)))
		return;
	diag(DIAG_WARNING, "debuginfod's downloads are not kept after this run: %s", why.text);
	setenv("DEBUGINFOD_CACHE_PATH", arena_printf("%s/debuginfod", work), 1);
}

/* ---- the script library ------------------------------------------------- */

/*
 * Is DIR SystemTap's script library?  Its files are for SystemTap's runtime, and
 * define what ours defines.
 */
static bool is_systemtaps(const char *dir)
{
	return !access(arena_printf("%s/uconversions.stp", dir), F_OK);
}

static const char *find_library(const struct session *s)
{
	const char *own = arena_printf("%s/tapsets", s->datadir);
	const char *dir = environment("SYSTEMTAP_TAPSET");

	if (!dir || !is_systemtaps(dir))
		return dir ? dir : own;
	diag(DIAG_WARNING, "SYSTEMTAP_TAPSET is ignored: %s is the library of another "
	     "implementation, for its own runtime", dir);
	return own;
}

/* Does DIR have a script library?  Most data directories have none. */
static bool has_library(const char *dir)
{
	struct problem why;

	if (access(dir, X_OK) || is_systemtaps(dir))
		return false;
	if (trust_tree(dir, &why) == TRUST_YES)
		return true;
	warn_of(arena_printf("'%s', by XDG_DATA_DIRS,", dir), &why);
	return false;
}

/* Adds systemtap/tapset in each directory of $XDG_DATA_DIRS, as if by -I, before the others. */
static void add_data_directories(struct options *o)
{
	const char *value = environment("XDG_DATA_DIRS");
	char *rest = value ? arena_strdup(value) : NULL, *one;
	text_list all = { 0 };

	while ((one = strsep(&rest, ":"))) {
		const char *dir = arena_printf("%s/systemtap/tapset", one);

		if (*one == '/' && has_library(dir))
			vec_push(&all, dir);
	}
	for (size_t i = 0; i < o->include_dirs.n; i++)
		vec_push(&all, o->include_dirs.v[i]);
	o->include_dirs = all;
}

/* ---- the whole ---------------------------------------------------------- */

/*
 * Returns the source tree, which has the data of a stap that runs from a build tree: there, a link
 * beside it leads to the source.  NULL if stap is installed.  No path of the tree is compiled in,
 * because packages built in different directories are to be equal.
 */
static const char *source_tree(void)
{
	char link[PATH_MAX], tree[PATH_MAX];

	return self_beside("source-tree", link) && realpath(link, tree) ? arena_strdup(tree) : NULL;
}

const char *find_home(struct problem *why)
{
	const char *user = environment("HOME"), *dir = environment("SYSTEMTAP_DIR");

	if (!dir)
		dir = arena_printf("%s/.systemtap", user ? user : "/root");
	if (trust_path(dir, why) != TRUST_NO)
		return dir;
	why->text = arena_printf("%s is not used, and the cache is not kept after this run: %s",
				 dir, why->text);
	if (!why->hint)
		why->hint = geteuid() ? "SYSTEMTAP_DIR can name a directory of your own" :
			    "sudo -H takes root's own, and SYSTEMTAP_DIR can name another";
	return NULL;
}

void find_directories(struct session *s)
{
	const char *runtime = s->options.runtime_dir, *tree = source_tree();

	drop_paths();
	drop_debug_directories();
	move_debuginfod_cache(s);
	if (!runtime)
		runtime = environment("SYSTEMTAP_RUNTIME");
	s->datadir = tree ? tree : STAP_PKGDATADIR;
	s->exampledir = tree ? arena_printf("%s/examples", tree) : STAP_EXAMPLEDIR;
	s->runtime_dir = runtime ? runtime : arena_printf("%s/runtime", s->datadir);
	s->tapset_dir = find_library(s);
	add_data_directories(&s->options);
}
