/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Target variables: from names and paths to fetches.
 *
 * A variable is an object (object.h) with a type.  Each step of the path makes
 * another of both.  The last one is loaded, stored, shown, or its address taken.  This
 * file knows the rules of scripts: '->' and '[ ]' follow pointers; an array stands for
 * its address; a struct has no value by itself; and the names $var, $return, $$vars
 * and their like, @var, @cast.
 */
#include <dwarf.h>
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "c_result.h"
#include "go_results.h"
#include "location.h"
#include "pretty.h"
#include "scope.h"
#include "session.h"

enum {
	POINTERS_MAX = 8,		/* pointers followed by one '->' */
	FEW_NAMES = 16,			/* names listed in a message */
};

/* The object and type reached so far, and the words for messages. */
struct walk {
	struct target *target;
	struct view view;
	struct object object;
	struct ctype type;
	const char *subject;		/* for messages: "'$file'" */
	const char *place;		/* " at pc 0x… in f (file:line)", or "" */
	bool cast;			/* @cast: the first '[ ]' counts from its address */
	struct problem *why;
};

static bool complain(struct walk *w, const char *phrase)
{
	w->why->text = arena_printf("%s %s%s", w->subject, phrase, w->place);
	return false;
}

/* ---- paths ------------------------------------------------------------- */

/* Goes from a pointer to its target. */
static bool follow(struct walk *w, const struct shape *pointer)
{
	const struct term *load;
	struct problem phrase = { 0 };

	if (w->object.where == IS_POINTER_TO) {
		struct object to;
		uint64_t offset = w->object.offset;

		if (!location_of(&w->view, &w->object.die, &to, &phrase))
			return complain(w, arena_printf("points to a variable that %s", phrase.text));
		w->object = object_at(&to, offset);
	} else {
		load = object_load(&w->view, &w->object, pointer, &phrase);
		if (!load)
			return complain(w, phrase.text);
		w->object = object_memory(load, w->object.user);
	}
	w->type = ctype_pointee(pointer);
	return true;
}

/* Replaces a reference by what it refers to. */
static bool follow_references(struct walk *w)
{
	struct shape s;

	for (unsigned i = 0; ctype_is_reference(&w->type) && i < POINTERS_MAX; i++)
		if (!ctype_shape(&w->type, &s, w->why) || !follow(w, &s))
			return false;
	return true;
}

static bool invalid(struct walk *w, const char *access, const struct shape *s)
{
	w->why->text = arena_printf("invalid access '%s' vs. %s", access, ctype_text(&s->type));
	return false;
}

static bool to_member(struct walk *w, const char *name)
{
	struct member m;
	struct shape s;

	for (unsigned i = 0;; i++) {
		if (!ctype_shape(&w->type, &s, w->why))
			return false;
		if (s.kind != CK_POINTER || i == POINTERS_MAX)
			break;
		if (!follow(w, &s))
			return false;
	}
	if (s.kind != CK_STRUCT)
		return invalid(w, arena_printf("->%s", name), &s);
	if (!ctype_member(&s, name, &m, w->why))
		return false;
	w->object = object_member(&w->object, &m);
	w->type = m.type;
	return true;
}

static bool to_element(struct walk *w, const struct step *st, bool first)
{
	struct shape s, element;

	if (!follow_references(w) || !ctype_shape(&w->type, &s, w->why))
		return false;
	if (s.kind == CK_POINTER) {
		if (!follow(w, &s))
			return false;
	} else if (s.kind == CK_ARRAY) {
		w->type = ctype_element(&s);
	} else if (!w->cast || !first) {
		return invalid(w, arena_printf("[%s]", st->kind == STEP_INDEX
					       ? arena_printf("%" PRId64, st->index) : "..."), &s);
	}
	if (!ctype_shape(&w->type, &element, w->why))
		return false;
	if (!element.size) {
		w->why->text = arena_printf("an element of %s has no size", ctype_text(&s.type));
		return false;
	}
	if (st->kind == STEP_INDEX)
		w->object = object_at(&w->object, (uint64_t)st->index * element.size);
	else if (w->object.where == IN_MEMORY)
		w->object = object_indexed(&w->object, term_input(st->slot), element.size);
	else
		return complain(w, "is not in memory: it can't be indexed by a variable");
	w->object.part = true;
	return true;
}

/* ---- ends -------------------------------------------------------------- */

/* Reports that a struct has no value, and names a member to continue with. */
static bool struct_is_no_value(struct walk *w, const struct shape *s)
{
	struct ctype t = s->type;
	const char *place = die_place(&t.die), *name = NULL;
	struct member_iter it;

	for (bool more = member_first(s, &it); more && !name; more = member_next(&it))
		name = dwarf_diename(&it.die);
	w->why->text = arena_printf("'%s'%s is being accessed instead of a member%s%s%s",
			       ctype_text(&s->type), place ? arena_printf(" (%s)", place) : "",
			       name ? " such as '->" : "", name ? name : "", name ? "'" : "");
	return false;
}

static bool end_address(struct walk *w, struct fetch *out)
{
	struct ctype *type = arena_new(struct ctype);

	*type = ctype_pointer_to(&w->type);
	out->ctype = type;
	out->load = object_address(&w->object, w->why);
	return out->load;
}

static bool end_value(struct walk *w, struct fetch *out)
{
	struct problem phrase = { 0 };
	struct ctype *type = arena_new(struct ctype);
	struct shape s;

	*type = w->type;
	out->ctype = type;
	if (!ctype_shape(&w->type, &s, w->why))
		return false;
	switch (s.kind) {
	case CK_STRUCT:
		return struct_is_no_value(w, &s);
	case CK_ARRAY:
	case CK_FUNCTION:
	case CK_VOID:
		out->load = object_address(&w->object, &phrase);
		return out->load ||
		       complain(w, "is an array that is not in memory: it has no address");
	case CK_OTHER:
		return complain(w, arena_printf("is of type %s, which scripts can't hold",
						ctype_text(&w->type)));
	default:
		out->load = object_load(&w->view, &w->object, &s, &phrase);
		if (!out->load)
			return complain(w, phrase.text);
		out->store = object_store(&w->view, &w->object, &s);
		return true;
	}
}

static bool end_pretty(struct walk *w, const char *how, struct fetch *out)
{
	struct problem phrase = { 0 };

	out->load = pretty_value(&w->view, &w->object, &w->type, strcmp(how, "$$") == 0, &phrase);
	return out->load || complain(w, phrase.text);
}

static bool is_pretty(const struct step *path, size_t npath)
{
	return npath && path[npath - 1].kind == STEP_PRETTY;
}

/* Follows the path from the object and type that are set, and makes the fetch. */
static bool go(struct walk *w, const struct step *path, size_t npath, bool address,
	       struct fetch *out)
{
	bool pretty = is_pretty(path, npath);
	struct shape s;

	/* a struct to which an address was cast stands for that address */
	if (w->cast && !npath && ctype_shape(&w->type, &s, w->why) && s.kind == CK_STRUCT)
		address = true;

	for (size_t i = 0; i < npath - pretty; i++) {
		const struct step *st = &path[i];

		if (st->kind == STEP_PRETTY) {
			w->why->text = "'$' and '$$' come last";
			return false;
		}
		if (st->kind == STEP_FIELD ? !to_member(w, st->name) : !to_element(w, st, i == 0))
			return false;
	}
	if (!follow_references(w))
		return false;
	if (pretty)
		return end_pretty(w, path[npath - 1].name, out);
	return address ? end_address(w, out) : end_value(w, out);
}

/* ---- variables of a place ---------------------------------------------- */

static const char *place_text(const struct place *p, const struct view *v)
{
	if (v->file->by_symbol)
		return arena_printf(" in %s (%s)", p->function, v->file->path);
	return arena_printf(" at pc %#" PRIx64 " in %s (%s:%d)", (uint64_t)v->pc,
			    p->function ? p->function : "?", p->file ? p->file : "?", p->line);
}

static bool view_of(const struct place *p, struct walk *w)
{
	const struct scope *s = p->scope;

	if (!s || !s->file->dw) {
		w->why->text = arena_printf("there is no debug information for %s in %s: install the "
				       "debug symbols of %s to use $variables [man error::dwarf]",
				       p->function ? p->function : "this place", p->module,
				       p->program ? "the program (its -dbgsym or -debuginfo package)"
						  : "the kernel (the -dbg package)");
		return false;
	}
	w->target = s->file->target;
	w->view = (struct view){ .file = s->file, .pc = s->pc, .past_site = s->past_site,
				 .at_entry = s->at_entry, .calling = s->calling,
				 .tracepoint = s->tracepoint, .outermost = s->outermost,
				 .go_return = s->go_return, .label = s->label };
	if (dwfile_die(s->file, s->die, &w->view.function)) {
		w->place = place_text(p, &w->view);
		return true;
	}
	w->why->text = arena_printf("the debug information of %s can't be read", p->module);
	return false;
}

/* Hints at a global that this source file doesn't know, if the index is open. */
static const char *global_hint(struct dwfile *f, const char *name)
{
	const char *place;
	Dwarf_Die die;

	if (!f->index || !index_find_variable(f, name, NULL, &die))
		return NULL;
	place = dwarf_hasattr(&die, DW_AT_declaration) ? NULL : die_place(&die);
	if (!place)
		return arena_printf("there is a global of that name: @var(\"%s\")", name);
	return arena_printf("there is a global of that name: @var(\"%s@%.*s\")", name,
			    (int)strcspn(place, ":"), place);
}

static const char *near_text(const struct place *p, const struct view *v)
{
	if (v->file->by_symbol)
		return arena_printf(" in %s (there is only BTF, which has parameters and no locals; "
				    "install package linux-image-%s-dbg)", p->function,
				    kernel_release(v->file->target->session->kernel));
	return arena_printf(" near pc %#" PRIx64 " in %s (%s:%d)", (uint64_t)v->pc,
			    p->function ? p->function : "?", p->file ? p->file : "?", p->line);
}

static bool unknown_variable(struct walk *w, const struct place *p, const char *name)
{
	struct variable_names names = { 0 };
	struct sbuf text = { 0 };

	scope_names(&w->view, &names);
	w->why->hint = name_hint(name, "$", names.v, names.n);
	if (!w->why->hint && !w->view.tracepoint)
		w->why->hint = global_hint(w->view.file, name);
	if (w->view.tracepoint)
		sbuf_printf(&text, "unable to find tracepoint variable '$%s'", name);
	else
		sbuf_printf(&text, "unable to find local '%s'%s", name, near_text(p, &w->view));
	for (size_t i = 0; i < names.n && names.n <= FEW_NAMES; i++)
		sbuf_printf(&text, "%s$%s", i ? ", " : " (alternatives: ", names.v[i]);
	if (names.n && names.n <= FEW_NAMES)
		sbuf_putc(&text, ')');
	w->why->text = sbuf_take(&text);
	return false;
}

/* Finds a function's return value: in registers, or nowhere. */
static bool return_value(struct walk *w)
{
	struct problem phrase = { 0 };
	struct shape s;

	if (w->view.go_return)
		return go_return_value(&w->view, &w->object, &w->type, &phrase) ||
		       complain(w, phrase.text);
	w->type = ctype_of(w->view.file, &w->view.function);
	if (!w->type.die.addr)
		return complain(w, "is not there: the function returns nothing (void)");
	if (!ctype_shape(&w->type, &s, w->why))
		return false;
	if (s.kind == CK_VOID)
		return complain(w, "is not there: the function returns nothing (void)");
	return c_result(&w->view, &w->type, &w->object) ||
	       complain(w, arena_printf("is of type %s, which is not returned in a register that "
					"probes can see", ctype_text(&w->type)));
}

/* Finds the variable's object and type. */
static bool find_object(struct walk *w, const struct place *p, bool at_return, const char *name)
{
	struct problem phrase = { 0 };
	Dwarf_Die die;

	if (at_return && strcmp(name, "return") == 0)
		return return_value(w);
	if (w->view.go_return && go_result_named(&w->view, name, &w->object, &w->type))
		return true;
	if (!(at_return ? scope_find_global(&w->view, name, &die)
			: scope_find(&w->view, name, &die)))
		return unknown_variable(w, p, name);
	w->type = ctype_of(w->view.file, &die);
	return location_of(&w->view, &die, &w->object, &phrase) || complain(w, phrase.text);
}

/* ---- $$vars and its like ------------------------------------------------ */

struct list_walk {
	struct walk *w;
	struct pretty_text list;
	bool params, locals;
	const char *pretty;		/* "$", "$$" or NULL */
};

/* Returns NULL if it can't be shown as a number; a floating-point one is a string. */
static const struct term *number_of(struct walk *w)
{
	struct problem ignored = { 0 };
	struct shape s;

	if (!ctype_shape(&w->type, &s, &ignored) || s.kind == CK_STRUCT || s.kind == CK_OTHER ||
	    s.kind == CK_VOID)
		return NULL;
	if (s.kind == CK_FLOAT) {
		const struct term *bits = object_load(&w->view, &w->object, &s, &ignored);

		return bits ? term_attempt(pretty_float(bits)) : NULL;
	}
	return s.kind == CK_ARRAY ? object_address(&w->object, &ignored)
				  : object_load(&w->view, &w->object, &s, &ignored);
}

static void list_one(struct list_walk *l, const char *name)
{
	struct walk *w = l->w;
	struct problem ignored = { 0 };

	pretty_entry(&l->list, name, l->pretty ? pretty_value(&w->view, &w->object, &w->type,
							      l->pretty[1], &ignored)
					       : number_of(w));
}

static void list_variable(const char *name, Dwarf_Die *die, bool is_param, void *arg)
{
	struct list_walk *l = arg;
	struct problem ignored = { 0 };

	if (!(is_param ? l->params : l->locals))
		return;
	l->w->type = ctype_of(l->w->view.file, die);
	if (location_of(&l->w->view, die, &l->w->object, &ignored))
		list_one(l, name);
	else
		pretty_entry(&l->list, name, NULL);
}

static bool is_list(const char *name)
{
	return strcmp(name, "$vars") == 0 || strcmp(name, "$parms") == 0 ||
	       strcmp(name, "$locals") == 0 || strcmp(name, "$return") == 0;
}

static void list_result(const char *name, const struct object *o, const struct ctype *t, void *arg)
{
	struct list_walk *l = arg;

	l->w->object = *o;
	l->w->type = *t;
	list_one(l, name);
}

/* Lists $$return, which is empty for a function that returns nothing. */
static void list_return(struct list_walk *l)
{
	struct problem ignored = { 0 }, *why = l->w->why;

	l->w->why = &ignored;
	if (return_value(l->w))
		list_one(l, "return");
	else if (l->w->view.go_return)
		go_results_each(&l->w->view, list_result, l);
	l->w->why = why;
}

static bool fetch_list(struct walk *w, const char *name, const struct step *path, size_t npath,
		       struct fetch *out)
{
	struct list_walk l = { .w = w };

	if (npath > 1 || (npath == 1 && path->kind != STEP_PRETTY)) {
		w->why->text = arena_printf("'$%s' is a string: it has no members", name);
		return false;
	}
	l.pretty = npath ? path->name : NULL;
	l.params = strcmp(name, "$vars") == 0 || strcmp(name, "$parms") == 0;
	l.locals = strcmp(name, "$vars") == 0 || strcmp(name, "$locals") == 0;
	if (strcmp(name, "$return") == 0)
		list_return(&l);
	else
		scope_each(&w->view, list_variable, &l);
	out->load = pretty_text_end(&l.list);
	return true;
}

/* ---- the interface ------------------------------------------------------ */

static int result(bool ok, struct problem *why)
{
	if (!ok && !why->text)
		why->text = "the debug information can't be read";
	return ok ? 0 : -1;
}

int target_variable(struct place *p, bool at_return, const char *name,
		    const struct step *path, size_t npath, bool address,
		    struct fetch *out, struct problem *why)
{
	struct walk w = { .subject = arena_printf("'$%s'", name), .place = "",
			  .why = why };
	bool ok;

	why->text = why->hint = NULL;
	*out = (struct fetch){ 0 };
	ok = view_of(p, &w);
	if (ok && is_list(name))
		return result(fetch_list(&w, name, path, npath, out), why);
	ok = ok && find_object(&w, p, at_return, name) && go(&w, path, npath, address, out);
	out->of_return = ok && w.view.go_return &&
			 (at_return || go_result_named(&w.view, name, &w.object, &w.type));
	return result(ok, why);
}

struct wanted_global {
	const char *name, *file;	/* the file that defines it, or NULL */
	struct dwfile *in;
	Dwarf_Die die;
};

static bool find_global_in(struct dwfile *f, void *arg)
{
	struct wanted_global *g = arg;

	g->in = f;
	return index_find_variable(f, g->name, g->file, &g->die);
}

/* "name@file" */
static bool find_global(struct walk *w, const char *spec, const char *module)
{
	struct problem phrase = { 0 };
	const char *at = strchr(spec, '@'), *what;
	struct wanted_global g = {
		.name = at ? arena_strndup(spec, at - spec) : spec,
		.file = at && at[1] ? at + 1 : NULL,
	};

	what = arena_printf("global variable '%s'%s%s", g.name, g.file ? " of " : "",
			    g.file ? g.file : "");
	if (!target_search(w->target, module, what, find_global_in, &g, w->why))
		return false;
	w->view.file = g.in;
	w->type = ctype_of(g.in, &g.die);
	return location_of(&w->view, &g.die, &w->object, &phrase) || complain(w, phrase.text);
}

int target_global(struct target *t, const char *spec, const char *module,
		  const struct step *path, size_t npath, bool address,
		  struct fetch *out, struct problem *why)
{
	struct walk w = { .target = t, .subject = arena_printf("'@var(\"%s\")'", spec),
			  .place = "", .why = why };

	why->text = why->hint = NULL;
	*out = (struct fetch){ 0 };
	return result(find_global(&w, spec, module) && go(&w, path, npath, address, out), why);
}

/*
 * Resolves @cast.  The value cast is a pointer to the named type.  If the name itself ends in '*',
 * it is that pointer: both spellings mean the same object.
 */
int target_cast(struct target *t, const char *type, const char *module,
		const struct step *path, size_t npath, bool address,
		struct fetch *out, struct problem *why)
{
	struct walk w = { .target = t, .subject = arena_printf("'@cast(\"%s\")'", type),
			  .place = "", .cast = true, .why = why };

	why->text = why->hint = NULL;
	*out = (struct fetch){ 0 };
	if (!ctype_named(t, type, module, &w.type, why))
		return -1;
	w.view.file = w.type.file;
	w.object = w.type.stars ? object_value(term_input(0), w.type.file->is_user)
				: object_memory(term_input(0), w.type.file->is_user);
	return result(go(&w, path, npath, address, out), why);
}

int target_through(struct target *t, const struct ctype *type,
		   const struct step *path, size_t npath, bool address,
		   struct fetch *out, struct problem *why)
{
	struct walk w = { .target = t, .type = *type, .place = "", .why = why };
	struct shape s;

	why->text = why->hint = NULL;
	*out = (struct fetch){ 0 };
	w.subject = arena_printf("a value of type %s", ctype_text(type));
	w.view.file = type->file;
	if (!ctype_shape(type, &s, why))
		return result(false, why);
	w.object = s.kind == CK_ARRAY || s.kind == CK_STRUCT
			? object_memory(term_input(0), type->file->is_user)
			: object_value(term_input(0), type->file->is_user);
	return result(go(&w, path, npath, address, out), why);
}

struct text_walk {
	struct walk w;
	text_list *out;
};

static void list_typed(struct text_walk *t, const char *name, const struct ctype *type)
{
	vec_push(t->out, intern(arena_printf("$%s:%s", name, ctype_text(type))));
}

static void text_variable(const char *name, Dwarf_Die *die, bool is_param, void *arg)
{
	struct text_walk *t = arg;
	struct ctype type = ctype_of(t->w.view.file, die);
	struct problem ignored = { 0 };

	(void)is_param;
	if (t->w.view.go_return && is_go_result(die))
		return;
	/* a declaration here is of a variable that is defined elsewhere, not the function's */
	if (!dwarf_hasattr(die, DW_AT_declaration) &&
	    location_of(&t->w.view, die, &t->w.object, &ignored))
		list_typed(t, name, &type);
}

static void text_result(const char *name, const struct object *o, const struct ctype *type, void *arg)
{
	(void)o;
	list_typed(arg, name, type);
}

void target_list_variables(struct place *p, bool at_return, text_list *out)
{
	struct problem why = { 0 };
	struct text_walk t = { .w = { .why = &why, .subject = "" }, .out = out };

	if (!view_of(p, &t.w))
		return;
	if (t.w.view.go_return) {
		go_results_each(&t.w.view, text_result, &t);
	} else if (at_return) {
		struct ctype type = ctype_of(t.w.view.file, &t.w.view.function);

		if (type.die.addr)
			list_typed(&t, "return", &type);
	}
	scope_each(&t.w.view, text_variable, &t);
}
