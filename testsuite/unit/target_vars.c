// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Target variables: do the fetches that target_variable() and its like make
 * fetch the right thing?
 *
 * The compiler is asked.  A small program with types of every kind is compiled
 * with debug information of several versions and opened as if it were a
 * kernel; the fetches made from that are printed, compiled together with the
 * same types, run over a faked context, and must read and write what the
 * compiler's own access of the same member does.  Then the real vmlinux, if there
 * is one.
 */
#include <dwarf.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "backend/module/codegen.h"
#include "debuginfo/internal.h"
#include "debuginfo/symbols/symbols.h"
#include "session.h"
#include "check.h"

static const char *dir;			/* work files */
static struct kernel kernel;
static struct session session;
static struct target *target;
static int version;			/* of DWARF, in the program */

/* ---- the program looked at ---------------------------------------------- */

static const char types_text[] =
	"#include <stdbool.h>\n"
	"enum colour { RED, GREEN = 5, BLUE = 70000 };\n"
	"enum sign { MINUS = -3, PLUS = 3 };\n"
	"typedef unsigned long word_t;\n"
	"struct bits { unsigned a:1, b:3, c:12; int d:9; unsigned long e:40; long f:20;\n"
	"	unsigned char g:7; bool h:1; enum sign i:3; unsigned long whole; };\n"
	"struct __attribute__((packed)) tight { char x; unsigned long y:53; long z:11; int w; };\n"
	"struct inner { char c; short s; int i; long l; unsigned char uc; unsigned short us;\n"
	"	unsigned u; bool flag; enum colour colour; enum sign sign; };\n"
	"struct hidden;\n"
	"struct outer { struct inner in; struct bits bits; struct tight tight;\n"
	"	union { int as_int; unsigned char as_bytes[4];\n"
	"		struct { short low, high; struct { long deep; unsigned odd:5; }; }; };\n"
	"	int row[6], grid[3][4]; struct inner many[3]; struct inner *ptrs[2];\n"
	"	char name[16]; const char *title; struct outer *next; struct outer **pp;\n"
	"	void *any; long (*op)(struct outer *); word_t word; struct hidden *hidden; };\n"
	"struct hidden { int before; long value; };\n"
	"struct two { long a; int b; short c; };\n"
	"struct small { unsigned short m; signed char n; };\n";

/* The definition of struct hidden is in a unit of its own. */
static const char other_text[] =
	"struct hidden { int before; long value; } the_hidden = { 1, 2 };\n"
	"struct hidden *see(struct hidden *h) { return h; }\n"
	"struct two { long a; int b; short c; } elsewhere;\n";

static const char program_text[] =
	"#define ENTRY __attribute__((noipa, used))\n"
	"struct inner shared; static int counter = 3; extern struct two elsewhere;\n"
	"ENTRY long args(struct outer *o, int n, unsigned char uc, signed char sc, short sh,\n"
	"	bool flag, long on_stack, short also) {\n"
	"	const int forty_two = 42; long thrice = n * 3l;\n"
	"	counter += sh; if (forty_two == counter) __builtin_trap();\n"
	"	return elsewhere.a + o->in.l + uc + sc + flag + on_stack + also + (thrice - thrice); }\n"
	"ENTRY int by_value(struct two t, struct small s, int *p) { return t.a + t.b + s.m + *p; }\n"
	"ENTRY void nothing(void) { long later = args(0, 1, 2, 3, 4, 5, 6, 7); counter += later; }\n"
	"ENTRY signed char narrow(int x) { counter += x; return x; }\n"
	"ENTRY bool truth(int x) { counter += x; return x; }\n"
	"ENTRY struct small pair(int x) { struct small s = { x, x }; return s; }\n"
	"ENTRY struct outer large(struct outer *o) { return *o; }\n"
	"void _start(void) { args(0, 0, 0, 0, 0, 0, 0, 0); }\n";

/* What is asked, and what C says it is (o, n, …: the arguments). */
static const struct access_case {
	const char *function, *text, *c;
	bool store;			/* compared with C's own assignment, in memory */
	int version;			/* only since this version of DWARF */
} cases[] = {
	{ "args", "o", "(st_long)o", 0, 0 },
	{ "args", "n", "n", 0, 0 },
	{ "args", "uc", "uc", 0, 0 },
	{ "args", "sc", "sc", 0, 0 },
	{ "args", "sh", "sh", 0, 0 },
	{ "args", "flag", "flag", 0, 0 },
	{ "args", "on_stack", "on_stack", 0, 0 },
	{ "args", "also", "also", 0, 0 },
	{ "args", "forty_two", "42", 0, 0 },
	{ "args", "thrice", "n * 3l", 0, 4 },
	{ "args", "counter", "counter", 1, 0 },
	{ "args", "shared->i", "shared.i", 1, 0 },
	{ "args", "&shared->s", "(st_long)&shared.s", 0, 0 },
	{ "args", "elsewhere->b", "elsewhere.b", 1, 0 },
	{ "args", "o->in->c", "o->in.c", 1, 0 },
	{ "args", "o->in->s", "o->in.s", 1, 0 },
	{ "args", "o->in->i", "o->in.i", 1, 0 },
	{ "args", "o->in->l", "o->in.l", 1, 0 },
	{ "args", "o->in->uc", "o->in.uc", 1, 0 },
	{ "args", "o->in->us", "o->in.us", 1, 0 },
	{ "args", "o->in->u", "o->in.u", 1, 0 },
	{ "args", "o->in->flag", "o->in.flag", 1, 0 },
	{ "args", "o->in->colour", "(int)o->in.colour", 1, 0 },
	{ "args", "o->in->sign", "o->in.sign", 1, 0 },
	{ "args", "&o->in->u", "(st_long)&o->in.u", 0, 0 },
	{ "args", "&o->in", "(st_long)&o->in", 0, 0 },
	{ "args", "o->bits->a", "o->bits.a", 1, 0 },
	{ "args", "o->bits->b", "o->bits.b", 1, 0 },
	{ "args", "o->bits->c", "o->bits.c", 1, 0 },
	{ "args", "o->bits->d", "o->bits.d", 1, 0 },
	{ "args", "o->bits->e", "o->bits.e", 1, 0 },
	{ "args", "o->bits->f", "o->bits.f", 1, 0 },
	{ "args", "o->bits->g", "o->bits.g", 1, 0 },
	{ "args", "o->bits->h", "o->bits.h", 1, 0 },
	{ "args", "o->bits->i", "o->bits.i", 1, 0 },
	{ "args", "o->bits->whole", "o->bits.whole", 1, 0 },
	{ "args", "o->tight->x", "o->tight.x", 1, 0 },
	{ "args", "o->tight->y", "o->tight.y", 0, 0 },
	{ "args", "o->tight->z", "o->tight.z", 0, 0 },
	{ "args", "o->tight->w", "o->tight.w", 1, 0 },
	{ "args", "o->as_int", "o->as_int", 1, 0 },
	{ "args", "o->as_bytes[2]", "o->as_bytes[2]", 1, 0 },
	{ "args", "o->high", "o->high", 1, 0 },
	{ "args", "o->deep", "o->deep", 1, 0 },
	{ "args", "o->odd", "o->odd", 1, 0 },
	{ "args", "o->row", "(st_long)o->row", 0, 0 },
	{ "args", "o->row[0]", "o->row[0]", 1, 0 },
	{ "args", "o->row[5]", "o->row[5]", 1, 0 },
	{ "args", "o->row[-1]", "o->row[-1]", 0, 0 },
	{ "args", "o->row[#2]", "o->row[ix[2]]", 1, 0 },
	{ "args", "o->grid[2][3]", "o->grid[2][3]", 1, 0 },
	{ "args", "o->grid[#2][#1]", "o->grid[ix[2]][ix[1]]", 1, 0 },
	{ "args", "o->grid[1]", "(st_long)o->grid[1]", 0, 0 },
	{ "args", "&o->grid[1][2]", "(st_long)&o->grid[1][2]", 0, 0 },
	{ "args", "o->many[2]->us", "o->many[2].us", 1, 0 },
	{ "args", "o->many[#1]->sign", "o->many[ix[1]].sign", 1, 0 },
	{ "args", "o->ptrs[1]->i", "o->ptrs[1]->i", 1, 0 },
	{ "args", "o->ptrs[#1][#2]->s", "o->ptrs[ix[1]][ix[2]].s", 1, 0 },
	{ "args", "o->name", "(st_long)o->name", 0, 0 },
	{ "args", "o->name[3]", "o->name[3]", 1, 0 },
	{ "args", "o->title", "(st_long)o->title", 1, 0 },
	{ "args", "o->title[1]", "o->title[1]", 0, 0 },
	{ "args", "o->next->next->in->l", "o->next->next->in.l", 1, 0 },
	{ "args", "o[1]->in->l", "o[1].in.l", 1, 0 },
	{ "args", "o->pp[0]->word", "o->pp[0]->word", 1, 0 },
	{ "args", "o->pp->word", "(*o->pp)->word", 1, 0 },
	{ "args", "o->any", "(st_long)o->any", 1, 0 },
	{ "args", "o->op", "(st_long)o->op", 1, 0 },
	{ "args", "o->word", "o->word", 1, 0 },
	{ "args", "o->hidden->value", "o->hidden->value", 1, 0 },
	{ "by_value", "t->a", "t.a", 0, 0 },
	{ "by_value", "t->b", "t.b", 0, 0 },
	{ "by_value", "t->c", "t.c", 0, 0 },
	{ "by_value", "s->m", "s.m", 0, 0 },
	{ "by_value", "s->n", "s.n", 0, 0 },
	{ "by_value", "p[2]", "p[2]", 1, 0 },
	{ "=narrow", "return", "(signed char)result", 0, 0 },
	{ "=truth", "return", "(unsigned char)result", 0, 0 },
	{ "=pair", "return->m", "(unsigned short)result", 0, 0 },
	{ "=pair", "return->n", "(signed char)(result >> 16)", 0, 0 },
	{ "(struct outer)", "->in->i", "((struct outer *)ix[0])->in.i", 1, 0 },
	{ "(outer)", "->row[#1]", "((struct outer *)ix[0])->row[ix[1]]", 1, 0 },
	{ "(struct outer *)", "->in->i", "((struct outer *)ix[0])->in.i", 1, 0 },
	{ "(int)", "", "*(int *)ix[0]", 1, 0 },
	{ "(int)", "[2]", "((int *)ix[0])[2]", 1, 0 },
	{ "(unsigned long)", "[1]", "((unsigned long *)ix[0])[1]", 1, 0 },
	{ "(word_t)", "[1]", "((unsigned long *)ix[0])[1]", 1, 0 },
	{ "(char **)", "", "ix[0]", 0, 0 },
	{ "&(struct outer)", "->bits", "(st_long)&((struct outer *)ix[0])->bits", 0, 0 },
	{ "@shared", "->us", "shared.us", 1, 0 },
	{ "@counter", "", "counter", 1, 0 },
	{ NULL, NULL, NULL, 0, 0 },
};

/* Strings made by pretty-printing, and what it must come to. */
static const struct access_case shown[] = {
	{ "by_value", "$parms", "t=? s=? p=0x", 0, 0 },
	{ "args", "$parms", "o=0x", 0, 0 },
	{ "args", "n$", "-7", 0, 0 },
	{ "args", "o->title$", "\"a\\tb\\\"c\"", 0, 0 },
	{ "args", "o->bits$", "{.a=", 0, 0 },
	{ "args", "o->bits->h$", "0", 0, 0 },
	{ "args", "o->row$", "[7, ...]", 0, 0 },
	{ "args", "o->many$$", "[{.c='", 0, 0 },
	{ "args", "o->next->next->next->in$$", "ERROR", 0, 0 },
	{ "=narrow", "$return", "return=0x", 0, 0 },
	{ "=nothing", "$return", "", 0, 0 },
	{ NULL, NULL, NULL, 0, 0 },
};

/* What must be refused, and a part of the message. */
static const struct access_case refused[] = {
	{ "args", "nosuch", "unable to find local 'nosuch'", 0, 0 },
	{ "nothing", "later", "'$later' is optimised out at pc 0x", 0, 4 },
	{ "args", "o->nosuch", "unable to find member 'nosuch' for struct outer", 0, 0 },
	{ "args", "o->in->nosuch", "(alternatives: c, s, i, l,", 0, 0 },
	{ "args", "o->in", "is being accessed instead of a member such as '->c'", 0, 0 },
	{ "args", "n->x", "invalid access '->x' vs. int", 0, 0 },
	{ "args", "n[1]", "invalid access '[1]' vs. int", 0, 0 },
	{ "args", "o->any[1]", "has no size", 0, 0 },
	{ "args", "&n", "cannot take address of object in register", 0, 0 },
	{ "args", "&o->bits->a", "cannot take the address of a bit field", 0, 0 },
	{ "=nothing", "return", "returns nothing", 0, 0 },
	{ "=large", "return", "not returned in a register", 0, 0 },
	{ "(struct nosuch)", "->x", "type definition 'struct nosuch' not found", 0, 0 },
	{ "@nosuch", "", "global variable 'nosuch' not found in 'kernel'", 0, 0 },
	{ NULL, NULL, NULL, 0, 0 },
};

/* ---- helpers ------------------------------------------------------------ */

static const char *path(const char *name)
{
	return arena_printf("%s/%s", dir, name);
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(path(name), "w");

	if (!f || fputs(text, f) < 0 || fclose(f)) {
		perror(name);
		exit(1);
	}
}

static bool run(const char *command)
{
	int status = system(command);

	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void open_target(const char *release, const char *build)
{
	kernel = (struct kernel){ .release = release, .arch = "x86_64", .build = build };
	session = (struct session){
		.kernel = &kernel,
		.home = dir, .tmpdir = dir, .options.disable_cache = true,
	};
	target = target_open(&session);
}

struct entry_search {
	Dwarf_Addr pc;
	Dwarf_Die die;
	bool found;
};

static int match_entry(Dwarf_Die *die, void *arg)
{
	struct entry_search *s = arg;
	Dwarf_Addr base, entry, end;

	/* a function with a cold part has ranges, its entry in the first */
	if ((dwarf_entrypc(die, &entry) != 0 && dwarf_ranges(die, 0, &base, &entry, &end) <= 0) ||
	    entry != s->pc)
		return DWARF_CB_OK;
	s->die = *die;
	s->found = true;
	return DWARF_CB_ABORT;
}

/* The entry of a function, found without the code that normally does. */
static struct place *place_of(const char *function)
{
	struct place *p = arena_new(struct place);
	struct entry_search s = { 0 };
	struct problem why = { 0 };
	struct dwfile *f = target_file(target, "kernel", &why);
	Dwarf_Die cu;

	if (!f) {
		fprintf(stderr, "%s\n", why.text);
		exit(1);
	}
	if (!symbol_address(f, function, &s.pc) || !dwarf_addrdie(f->dw, s.pc, &cu))
		return NULL;
	dwarf_getfuncs(&cu, match_entry, &s, 0);
	if (!s.found)
		return NULL;
	*p = (struct place){ .module = "kernel", .function = function, .file = "f.c", .line = 1,
			     .addr = s.pc, .is_entry = true, .scope = arena_new(struct scope) };
	*p->scope = (struct scope){ .file = f, .die = dwarf_dieoffset(&s.die), .pc = s.pc,
				    .at_entry = true };
	return p;
}

/* "o->many[#1]->sign": a name and steps; [#N] is an index in slot N. */
static size_t parse_path(const char *p, struct step *steps)
{
	size_t n = 0, len;

	while (*p) {
		struct step *st = &steps[n++];

		*st = (struct step){ .kind = STEP_FIELD };
		if (*p == '[') {
			st->kind = p[1] == '#' ? STEP_INDEX_VAR : STEP_INDEX;
			st->slot = st->index = atoi(p + 1 + (p[1] == '#'));
			p = strchr(p, ']') + 1;
		} else if (*p == '$') {
			st->kind = STEP_PRETTY;
			st->name = p;
			p += strlen(p);
		} else {
			len = strcspn(p += 2, "-[$");
			st->name = arena_strndup(p, len);
			p += len;
		}
	}
	return n;
}

static int fetch(const char *function, const char *text, struct fetch *out, struct problem *why)
{
	const char *name = "";
	bool address = *function == '&' || *text == '&', at_return = *function == '=';
	struct step steps[16];
	struct place *p;
	size_t n, len;

	function += *function == '&' || at_return;
	text += *text == '&';
	if (*function != '(' && *function != '@') {
		len = strspn(text, "$");
		len += strcspn(text + len, "-[$");
		name = arena_strndup(text, len);
		text += len;
	}
	n = parse_path(text, steps);
	if (*function == '(')
		return target_cast(target, arena_strndup(function + 1, strlen(function) - 2), NULL,
				   steps, n, address, out, why);
	if (*function == '@')
		return target_global(target, function + 1, NULL, steps, n, address, out, why);
	p = place_of(function);
	CHECK(p);
	return p ? target_variable(p, at_return, name, steps, n, address, out, why) : -1;
}

/* ---- the program that runs the fetches -------------------------------------- */

static const char support_text[] =
	"#include <stdarg.h>\n#include <stdio.h>\n#include <string.h>\n"
	"struct st_program st_program = { .maxstringlen = 4096 };\n"
	"static unsigned long regs[21]; static long stack[8]; static char scratch[1 << 18];\n"
	"static struct outer objects[4], saved[4], wanted[4]; static struct hidden hidden;\n"
	"static struct inner inners[2][4]; static struct outer *outer_p = &objects[2];\n"
	"static char title[] = \"a\\tb\\\"c\"; static int numbers[4]; static struct inner shared;\n"
	"static int counter;\n"
	"static struct two elsewhere; static struct st_ctx ctx; static int bad;\n"
	"static unsigned long result = 0xfedcba9876543281ul;\n"
	"static int known(unsigned long a, unsigned n) {\n"
	"#define IN(x) if (a >= (unsigned long)&x && a + n <= (unsigned long)(&x + 1)) return 1\n"
	"	IN(objects); IN(hidden); IN(inners); IN(numbers); IN(shared); IN(counter);\n"
	"	IN(elsewhere); IN(stack); IN(outer_p); IN(title);\n"
	"	return 0; }\n"
	"void st_error(struct st_ctx *c, const char *f, ...) { if (!c->error) c->error = f; }\n"
	"void st_catch(struct st_ctx *c, struct st_strvar *m) { (void)m; c->error = 0; }\n"
	"st_long st_kread(struct st_ctx *c, unsigned long a, unsigned n) { unsigned long v = 0;\n"
	"	if (c->error) return 0; if (!known(a, n)) { st_error(c, \"read\"); return 0; }\n"
	"	memcpy(&v, (void *)a, n); return v; }\n"
	"void st_kwrite(struct st_ctx *c, unsigned long a, unsigned n, st_long v) {\n"
	"	if (c->error) return; if (!known(a, n)) { st_error(c, \"write\"); return; }\n"
	"	memcpy((void *)a, &v, n); }\n"
	"st_long st_div(struct st_ctx *c, st_long a, st_long b) { (void)c; return b ? a / b : 0; }\n"
	"unsigned long st_this_cpu(unsigned long a) { return a; }\n"
	"char *st_scratch(struct st_ctx *c, unsigned n) { char *p = c->sp; c->sp += n + 1; return p; }\n"
	"struct st_str st_keep(struct st_ctx *c, char *mark, struct st_str s) {\n"
	"	memmove(mark, s.p, s.len); mark[s.len] = 0; c->sp = mark + s.len + 1;\n"
	"	return (struct st_str){ mark, s.len }; }\n"
	"struct st_str st_format(struct st_ctx *c, const char *f, const union st_arg *a, unsigned n) {\n"
	"	char *p = st_scratch(c, 4095);\n"
	"	unsigned len = st_format_all(p, 4095, f, a, n); p[len] = 0; return (struct st_str){ p, len }; }\n"
	"struct st_str st_quoted_at(struct st_ctx *c, unsigned long a, unsigned max) {\n"
	"	char *p = st_scratch(c, 4095); unsigned n = 0; p[n++] = '\"';\n"
	"	for (unsigned i = 0; i < max; i++) { int ch = st_kread(c, a + i, 1); if (!ch) break;\n"
	"		if (ch == '\\t') { p[n++] = '\\\\'; ch = 't'; } else if (ch == '\"') p[n++] = '\\\\';\n"
	"		p[n++] = ch; }\n"
	"	p[n++] = '\"'; p[n] = 0; return (struct st_str){ p, n }; }\n"
	"static void setup(int seed) { unsigned char *b = (void *)objects;\n"
	"	memset(scratch, 0, 8); ctx = (struct st_ctx){ .sp = scratch,\n"
	"		.sp_end = scratch + sizeof(scratch), .regs = regs };\n"
	"	for (unsigned i = 0; i < sizeof(objects); i++) b[i] = seed = seed * 1103515245 + 12345 >> 3;\n"
	"	for (unsigned i = 0; i < sizeof(inners); i++) ((unsigned char *)inners)[i] = i * 37 + 5;\n"
	"	memset(&shared, 0x9c, sizeof(shared)); memset(&hidden, 0xb3, sizeof(hidden));\n"
	"	memset(&elsewhere, 0xd1, sizeof(elsewhere)); counter = -12345; numbers[2] = -9;\n"
	"	for (int i = 0; i < 4; i++) { struct outer *o = &objects[i]; o->in.flag = 1; o->bits.h = 0;\n"
	"		o->ptrs[0] = inners[0]; o->ptrs[1] = inners[1]; o->pp = &outer_p; o->row[0] = 7;\n"
	"		o->title = title; o->hidden = &hidden; o->next = i < 2 ? o + 1 : (void *)16; } }\n"
	"static void fail(const char *what, st_long got, st_long want) {\n"
	"	fprintf(stderr, \"%s: got %#llx, wanted %#llx%s\\n\", what, got, want,\n"
	"		ctx.error ? \" (error)\" : \"\"); bad = 1; }\n";

/* struct st_str in text; compared up to the wanted text's length. */
static void emit_string(struct sbuf *b, const struct access_case *k, const char *load)
{
	sbuf_printf(b, "	{ struct st_ctx *c = &ctx; setup(1); struct st_str s = %s; "
		    "if (c->error || strncmp(s.p, \"", load);
	sbuf_c_escape(b, k->c);
	sbuf_printf(b, "\", %zu)) { fprintf(stderr, \"%s %s: %%s\\n\", s.p); bad = 1; } }\n",
		    strlen(k->c), k->function, k->text);
}

static void emit_load(struct sbuf *b, const struct access_case *k, const struct fetch *f)
{
	sbuf_printf(b, "	{ struct st_ctx *c = &ctx; setup(7); st_long got = %s, want = (st_long)(%s); "
		    "if (got != want || c->error) fail(\"%s %s\", got, want); }\n",
		    fetch_text(f->load), k->c, k->function, k->text);
}

/* Ours and the compiler's assignment must leave the same bytes. */
static void emit_store(struct sbuf *b, const struct access_case *k, const struct fetch *f)
{
	static const char *const values[] = { "-2ll", "0x123456789abcdefll", "1ll" };
	const char *lvalue = strncmp(k->c, "(st_long)", 9) == 0 ? k->c + 9 : k->c;

	if (strncmp(lvalue, "(int)", 5) == 0)
		lvalue += 5;
	for (unsigned i = 0; i < 3; i++) {
		sbuf_printf(b, "	{ struct st_ctx *c = &ctx; setup(3); st_long v = %s, before, after; "
			    "memcpy(saved, objects, sizeof(objects)); %s = (typeof(%s + 0))v; "
			    "after = (st_long)(%s); memcpy(wanted, objects, sizeof(objects)); setup(3); "
			    "memcpy(objects, saved, sizeof(objects)); { %s } before = (st_long)(%s); "
			    "if (before != after || memcmp(objects, wanted, sizeof(objects)) || c->error) "
			    "fail(\"store %s %s\", before, after); }\n",
			    values[i], lvalue, lvalue, k->c, fetch_text(f->store), k->c, k->function,
			    k->text);
	}
}

/* What was stored in a register is what is read from it then, and no more. */
static void emit_register_store(struct sbuf *b, const struct access_case *k,
				const struct fetch *f)
{
	static const char *const values[] = { "-2ll", "0x123456789abcdefll", "1ll" };
	const char *load = fetch_text(f->load);
	bool is_bool = strcmp(k->c, "flag") == 0 || strstr(k->function, "truth");

	for (unsigned i = 0; i < 3; i++)
		sbuf_printf(b, "	{ struct st_ctx *c = &ctx; setup(5); st_long v = %s, "
			    "want = (st_long)(typeof(%s))v; unsigned long kept[21]; "
			    "memcpy(kept, regs, sizeof(regs)); if (%d) want = v != 0; { %s } "
			    "if (%s != want || c->error) fail(\"store %s %s\", %s, want); "
			    "memcpy(regs, kept, sizeof(regs)); }\n", values[i], k->c, is_bool,
			    fetch_text(f->store), load, k->function, k->text, load);
}

static void emit_relocate(struct sbuf *b)
{
	static const char *const names[] = { "shared", "counter", "elsewhere" };
	struct problem why = { 0 };
	struct dwfile *f = target_file(target, "kernel", &why);
	uint64_t addr;

	sbuf_puts(b, "unsigned long st_relocate(struct st_ctx *c, unsigned base, unsigned long a) {\n");
	for (unsigned i = 0; i < 3; i++) {
		CHECK(symbol_address(f, names[i], &addr));
		sbuf_printf(b, "	if (!base && a >= %#lxul && a < %#lxul + sizeof(%s)) "
			    "return (unsigned long)&%s + (a - %#lxul);\n", (long)addr, (long)addr,
			    names[i], names[i], (long)addr);
	}
	sbuf_puts(b, "	st_error(c, \"relocate\"); return 0; }\n");
}

static void emit_registers(struct sbuf *b)
{
	const struct arch *a = target->arch;

	sbuf_puts(b, "static struct outer *const o = objects; static const int n = -7;\n"
		  "static const unsigned char uc = 200; static const signed char sc = -100;\n"
		  "static const short sh = -30000, also = -2; static const bool flag = 1;\n"
		  "static const long on_stack = -5000000000l;\n"
		  "static const struct two t = { -77777777777l, -5, -3 };\n"
		  "static const struct small s = { 65000, -4 }; static int *const p = numbers;\n");
	sbuf_printf(b, "static void call_args(void) { stack[1] = on_stack; "
		    "stack[2] = 0x77770000l | (unsigned short)also; regs[%d] = (unsigned long)stack;\n",
		    a->stack_reg);
	sbuf_printf(b, "	regs[%d] = (unsigned long)o; regs[%d] = 0xabcd00000000ul | (unsigned)n; "
		    "regs[%d] = 0xabcd00ul | uc; regs[%d] = 0xabcd00ul | (unsigned char)sc; "
		    "regs[%d] = 0xabcd0000ul | (unsigned short)sh; regs[%d] = flag; }\n",
		    a->arg_reg(0), a->arg_reg(1), a->arg_reg(2), a->arg_reg(3), a->arg_reg(4),
		    a->arg_reg(5));
	sbuf_printf(b, "static void call_by_value(void) { regs[%d] = t.a; memcpy(&regs[%d], &t.b, 8); "
		    "regs[%d] = 0; memcpy(&regs[%d], &s, sizeof(s)); regs[%d] = (unsigned long)p; "
		    "regs[%d] = result; }\n",
		    a->arg_reg(0), a->arg_reg(1), a->arg_reg(2), a->arg_reg(2), a->arg_reg(3),
		    a->return_regs[0]);
}

static void emit_cases(struct sbuf *b)
{
	const char *last = "";
	struct fetch f;
	struct problem why = { 0 };

	for (const struct access_case *k = cases; k->text; k++) {
		if (k->version > version)
			continue;
		if (strcmp(k->function, last) != 0)
			sbuf_printf(b, "	call_%s();\n",
				    strcmp(k->function, "by_value") && *k->function != '=' ? "args"
				    : "by_value");
		last = k->function;
		if (fetch(k->function, k->text, &f, &why) < 0) {
			fprintf(stderr, "%s %s: %s\n", k->function, k->text, why.text);
			failures++;
			continue;
		}
		CHECK(f.load->sort == SORT_WORD && f.ctype);
		emit_load(b, k, &f);
		CHECK(!k->store || f.store);
		if (k->store && f.store)
			emit_store(b, k, &f);
		else if (f.store && f.store->kind == TERM_SET_REGISTER)
			emit_register_store(b, k, &f);
	}
	for (const struct access_case *k = shown; k->text; k++) {
		if (fetch(k->function, k->text, &f, &why) < 0) {
			fprintf(stderr, "%s %s: %s\n", k->function, k->text, why.text);
			failures++;
			continue;
		}
		CHECK(f.load->sort == SORT_STRING && !f.store && f.load->strings);
		sbuf_printf(b, "	call_%s();\n", *k->function == 'a' ? "args" : "by_value");
		emit_string(b, k, fetch_text(f.load));
	}
}

static void check_refused(void)
{
	struct fetch f;
	struct problem why = { 0 };

	for (const struct access_case *k = refused; k->text; k++) {
		if (k->version > version)
			continue;
		if (fetch(k->function, k->text, &f, &why) == 0) {
			fprintf(stderr, "%s %s: not refused: %s\n", k->function, k->text,
				fetch_text(f.load));
			failures++;
		} else if (!strstr(why.text, k->c)) {
			fprintf(stderr, "%s %s: refused with: %s\n", k->function, k->text, why.text);
			failures++;
		}
	}
}

/* The program itself sees only a declaration of struct hidden. */
static void write_program(void)
{
	const char *cut = strstr(types_text, "struct hidden { int");
	const char *rest = strchr(cut, '\n') + 1;

	write_file("program.c", arena_printf("%.*s%s%s", (int)(cut - types_text), types_text, rest,
					     program_text));
	write_file("other.c", other_text);
}

/* One version of debug information. */
static void check_version(int number, const char *options, const char *after)
{
	struct sbuf b = { 0 };

	version = number;
	if (!run(arena_printf("cd %s && gcc -O2 -gdwarf-%d %s -mno-sse -nostdlib -static -no-pie "
			      "-fno-pic -ffreestanding -o vmlinux program.c other.c && %s",
			      dir, number, options, after))) {
		fprintf(stderr, "the test program can't be compiled with DWARF %d\n", number);
		failures++;
		return;
	}
	open_target("none-such", dir);
	check_refused();
	sbuf_printf(&b, "#include \"text/format.h\"\n%s%s", types_text, support_text);
	emit_registers(&b);
	emit_relocate(&b);
	sbuf_puts(&b, "int main(void) {\n	static const st_long ix0 = 2;\n"
		  "	const st_long ix[] = { (st_long)(unsigned long)&objects[ix0], 1, 2 };\n");
	emit_cases(&b);
	sbuf_puts(&b, "	return bad; }\n");
	write_file("check.c", sbuf_str(&b));
	sbuf_free(&b);
	target_close(target);
	if (!run(arena_printf("cd %s && gcc -O1 -w -iquote %s/runtime -o check check.c "
			      "%s/runtime/text/format.c && ./check", dir, STAP_SRCDIR, STAP_SRCDIR))) {
		fprintf(stderr, "with DWARF %d\n", number);
		failures++;
	}
}

/* ---- the real kernel ------------------------------------------------------ */

static const char *find_release(void)
{
	static const char prefix[] = "/usr/lib/debug/boot/vmlinux-";
	const char *release = getenv("STAP_TEST_RELEASE");
	glob_t g;

	if (release && access(arena_printf("%s%s", prefix, release), R_OK) == 0)
		return release;
	if (glob(arena_printf("%s*", prefix), 0, NULL, &g) != 0)
		return NULL;
	release = arena_strdup(g.gl_pathv[0] + strlen(prefix));
	globfree(&g);
	return release;
}

/* The fetches of many variables of the kernel are C that compiles without warnings. */
/* What -L shows after the probe point. */
static const char *listed(struct place *p, bool at_return)
{
	text_list list = { 0 };
	struct sbuf b = { 0 };

	target_list_variables(p, at_return, &list);
	for (size_t i = 0; i < list.n; i++)
		sbuf_printf(&b, "%s%s", i ? " " : "", list.v[i]);

	const char *text = intern(sbuf_str(&b));

	sbuf_free(&b);
	return text;
}

static void check_kernel(void)
{
	static const char *const functions[] = {
		"vfs_read", "vfs_write", "do_sys_openat2", "tcp_sendmsg", "schedule_tail",
		"try_to_wake_up", "__alloc_pages", "submit_bio", "do_exit", "ip_rcv",
	};
	static const struct access_case paths[] = {
		{ "vfs_read", "file->f_path->dentry->d_inode->i_ino", NULL, 1, 0 },
		{ "vfs_read", "file->f_path->dentry->d_inode->i_sb->s_dev", NULL, 1, 0 },
		{ "vfs_read", "file->f_path->dentry->d_name->name", NULL, 1, 0 },
		{ "vfs_read", "file$$", NULL, 0, 0 },
		{ "vfs_read", "$parms", NULL, 0, 0 },
		{ "vfs_read", "$parms$$", NULL, 0, 0 },
		{ "@jiffies_64@kernel/time/timer.c", "", NULL, 1, 0 },
		{ "=vfs_read", "return", NULL, 1, 0 },
		{ "=vfs_read", "$return", NULL, 0, 0 },
		{ "(task_struct)", "->sched_reset_on_fork", NULL, 1, 0 },
		{ "(struct task_struct)", "$", NULL, 0, 0 },
		{ "@runqueues", "->nr_running", NULL, 1, 0 },
		{ "@system_state", "", NULL, 1, 0 },
		{ NULL, NULL, NULL, 0, 0 },
	};
	struct sbuf b = { 0 };
	struct fetch f;
	struct problem why = { 0 };
	struct place *p = place_of("vfs_read");

	CHECK(p);
	if (p) {
		const char *text = listed(p, false);

		CHECK(strcmp(text, "$file:struct file* $buf:char* $count:size_t $pos:loff_t*") == 0);
		text = listed(p, true);
		CHECK(strncmp(text, "$return:ssize_t $file:struct file* ", 35) == 0);
	}
	sbuf_puts(&b, "#include \"abi/stap_script.h\"\n");
	for (unsigned i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (place_of(functions[i]) && fetch(functions[i], "$vars$$", &f, &why) == 0)
			sbuf_printf(&b, "struct st_str v%u(struct st_ctx *c) { return %s; }\n", i,
				    fetch_text(f.load));
	for (unsigned i = 0; paths[i].text; i++) {
		if (fetch(paths[i].function, paths[i].text, &f, &why) < 0) {
			fprintf(stderr, "%s %s: %s\n", paths[i].function, paths[i].text, why.text);
			failures++;
			continue;
		}
		sbuf_printf(&b, "%s l%u(struct st_ctx *c, const st_long *ix) { (void)ix; return %s; }\n",
			    f.load->sort == SORT_STRING ? "struct st_str" : "st_long", i,
			    fetch_text(f.load));
		if (paths[i].store)
			sbuf_printf(&b, "void s%u(struct st_ctx *c, const st_long *ix, st_long v) "
				    "{ (void)ix; %s }\n", i, fetch_text(f.store));
	}
	write_file("kernel.c", sbuf_str(&b));
	sbuf_free(&b);
	CHECK(run(arena_printf("cd %s && gcc -std=gnu11 -O2 -Wall -Wextra -Werror -Wno-missing-prototypes "
			       "-iquote %s/runtime -fsyntax-only kernel.c", dir, STAP_SRCDIR)));
}

int main(void)
{
	char template[] = "/tmp/target_vars.XXXXXX";
	const char *release;

	dir = mkdtemp(template);
	if (!dir) {
		perror(template);
		return 1;
	}
	write_program();
	check_version(5, "", ":");
	check_version(4, "", ":");
	check_version(3, "-gstrict-dwarf", ":");
	check_version(5, "-gsplit-dwarf", ":");
	check_version(4, "-gsplit-dwarf", ":");
	check_version(5, "-gz", ":");
	check_version(5, "-gsplit-dwarf", "for f in vmlinux*; do objcopy "
		      "--compress-debug-sections=zstd $f || :; done 2>/dev/null");
	if (run("command -v dwz >/dev/null")) {
		check_version(5, "", "dwz vmlinux");
		check_version(5, "", "cp vmlinux twin && dwz -m common vmlinux twin && rm twin");
		check_version(4, "", "cp vmlinux twin && dwz -m common vmlinux twin && rm twin");
	}
	release = find_release();
	if (release) {
		open_target(release, "/nonexistent");
		check_kernel();
		target_close(target);
	}
	if (!failures)
		run(arena_printf("rm -rf %s", dir));
	if (!failures && !release) {
		puts("no vmlinux with debug information under /usr/lib/debug/boot");
		return 77;
	}
	return failures != 0;
}
