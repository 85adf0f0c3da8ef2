// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the image (svg.h).  Names come from traced programs, so they are escaped, whatever they contain.
 *
 * Each function is <g class="f" data-n=… data-x=… data-w=… data-d=…>: its name, its left edge and width
 * in samples, and its depth.  Callers come before callees, left before right.  The image's JavaScript
 * computes from these what a click and a search show.
 */
#include "svg.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/printable.h"
#include "tree.h"

enum {
	WIDTH = 1200, MARGIN = 10, INSIDE = WIDTH - 2 * MARGIN,		/* pixels */
	ROW = 17, HEAD = 56, FOOT = 30, LETTER = 7, TITLE_LETTER = 10,
	THINNEST = 50,		/* hundredths of a pixel; a thinner rectangle is not drawn */
};

static const char style[] =
	"text { font: 12px monospace; pointer-events: none; }\n"
	"text.title { font-size: 16px; text-anchor: middle; }\n"
	"text.about { text-anchor: middle; }\n"
	"text.right { text-anchor: end; }\n"
	"text.button { pointer-events: auto; cursor: pointer; text-decoration: underline; }\n"
	".f { cursor: pointer; }\n"
	".f:hover rect { stroke: black; }\n"
	".f.match rect { fill: #e04fe0; }\n"
	".f.below rect { opacity: 0.5; }\n"
	".f.hidden { display: none; }\n";

/*
 * zoom(): the clicked function and its callers become as wide as the picture, its callees grow with it, and
 * all others are hidden.  search(): of matches that call each other only the outermost is counted.
 */
static const char script[] =
	"const frames = [...document.querySelectorAll('g.f')].map(g => ({\n"
	"	g, rect: g.querySelector('rect'), text: g.querySelector('text'),\n"
	"	name: g.dataset.n, x: +g.dataset.x, w: +g.dataset.w, d: +g.dataset.d }));\n"
	"function place(f, x, w) {\n"
	"	const room = Math.floor((w - 6) / LETTER), name = [...f.name];\n"
	"	f.rect.setAttribute('x', MARGIN + x);\n"
	"	f.rect.setAttribute('width', w);\n"
	"	f.text.setAttribute('x', MARGIN + x + 3);\n"
	"	f.text.textContent = room < 3 ? '' : name.length <= room ? f.name :\n"
	"		name.slice(0, room - 2).join('') + '..';\n"
	"}\n"
	"function zoom(at) {\n"
	"	for (const f of frames) {\n"
	"		const below = f.d < at.d && f.x <= at.x && f.x + f.w >= at.x + at.w;\n"
	"		const above = f.d >= at.d && f.x >= at.x && f.x + f.w <= at.x + at.w;\n"
	"		f.g.classList.toggle('below', below);\n"
	"		f.g.classList.toggle('hidden', !below && !above);\n"
	"		if (below)\n"
	"			place(f, 0, INSIDE);\n"
	"		else if (above)\n"
	"			place(f, (f.x - at.x) / at.w * INSIDE, f.w / at.w * INSIDE);\n"
	"	}\n"
	"}\n"
	"function matcher(what) {\n"
	"	try {\n"
	"		const pattern = new RegExp(what);\n"
	"		return name => pattern.test(name);\n"
	"	} catch {\n"
	"		return name => name.includes(what);\n"
	"	}\n"
	"}\n"
	"function search(what) {\n"
	"	const matches = matcher(what);\n"
	"	let sum = 0, counted = 0;\n"
	"	for (const f of frames) {\n"
	"		const match = what !== '' && matches(f.name);\n"
	"		f.g.classList.toggle('match', match);\n"
	"		if (match && f.x >= counted) {\n"
	"			sum += f.w;\n"
	"			counted = f.x + f.w;\n"
	"		}\n"
	"	}\n"
	"	document.getElementById('matched').textContent = what === '' ? '' :\n"
	"		'matched: ' + (100 * sum / frames[0].w).toFixed(1) + ' %';\n"
	"}\n"
	"function ask() {\n"
	"	const what = prompt('Search functions (a regular expression):', '');\n"
	"	if (what !== null)\n"
	"		search(what);\n"
	"}\n"
	"for (const f of frames)\n"
	"	f.g.addEventListener('click', () => zoom(f));\n"
	"document.getElementById('search').addEventListener('click', ask);\n"
	"document.getElementById('reset').addEventListener('click', () => {\n"
	"	zoom(frames[0]);\n"
	"	search('');\n"
	"});\n"
	"addEventListener('keydown', event => {\n"
	"	if (event.ctrlKey && event.key === 'f') {\n"
	"		event.preventDefault();\n"
	"		ask();\n"
	"	}\n"
	"});\n";

/* The kinds of functions, which the suffixes of names in folded lines tell (tapset::usymbol). */
static const struct kind {
	const char *end, *about;
	unsigned int hue, hues;		/* the first hue, and how many; the name selects one */
} kinds[] = {
	{ "_[k]", "in the kernel", 25, 8 },
	{ "_[i]", "inlined", 90, 20 },
	{ "", "in programs", 40, 20 },
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

/* The image that is being written. */
struct drawing {
	FILE *f;
	const struct picture *picture;
	const struct node *root;
	uint64_t all, all_before;	/* the root's values, at least 1: they are divisors */
	double most;			/* the largest change of a share */
	unsigned int rows;
	bool seen[KINDS];
};

/* Returns how many of the N bytes at S are its first character; 0 if XML doesn't permit it. */
static unsigned int letter(const char *s, size_t n)
{
	unsigned int bytes = utf8_length(s, n);
	bool last = bytes == 3 && !memcmp(s, "\xef\xbf", 2) && (s[2] & 0xfe) == 0xbe;

	return last || utf8_is_control(s, bytes) ? 0 : bytes;	/* U+FFFE, U+FFFF */
}

static size_t letters(const char *text, size_t n)
{
	size_t count = 0;

	while (n) {
		unsigned int bytes = letter(text, n);

		count++;
		text += bytes ? bytes : 1;
		n -= bytes ? bytes : 1;
	}
	return count;
}

/* Writes at most MOST characters of N bytes as XML text; "?" replaces a byte that XML doesn't permit. */
static void put_text(FILE *f, const char *text, size_t n, size_t most)
{
	while (n && most--) {
		unsigned int bytes = letter(text, n);

		if (*text == '<')
			fputs("&lt;", f);
		else if (*text == '>')
			fputs("&gt;", f);
		else if (*text == '&')
			fputs("&amp;", f);
		else if (*text == '"')
			fputs("&quot;", f);
		else if (!bytes)
			putc('?', f);
		else
			fwrite(text, 1, bytes, f);
		text += bytes ? bytes : 1;
		n -= bytes ? bytes : 1;
	}
}

/* Writes a text, cut to ROOM characters; nothing if ROOM is below 3. */
static void put_cut(FILE *f, const char *text, size_t n, double room)
{
	bool fits;

	if (room < 3)
		return;
	fits = letters(text, n) <= room;
	put_text(f, text, n, fits ? SIZE_MAX : room - 2);
	if (!fits)
		fputs("..", f);
}

/* Returns the kind of NAME; sets *N to the name's length without the kind's suffix. */
static const struct kind *kind_of(const char *name, size_t *n)
{
	const struct kind *kind = kinds;

	*n = strlen(name);
	while (*n < strlen(kind->end) || strcmp(name + *n - strlen(kind->end), kind->end))
		kind++;
	*n -= strlen(kind->end);
	return kind;
}

/* Returns how much a node's share has grown: 0.1 if it was 20 % and is 30 %. */
static double change(const struct drawing *d, const struct node *node)
{
	return (double)node->value / d->all - (double)node->before / d->all_before;
}

/* Writes a function's colour.  In a difference it is the paler, the less the share has changed. */
static void put_color(const struct drawing *d, const struct node *node, const struct kind *kind)
{
	unsigned int hash = 5381;

	if (d->picture->difference) {
		double by = change(d, node);

		fprintf(d->f, "hsl(%d,90%%,%.0f%%)", by < 0 ? 220 : 5,
			d->most > 0 ? 95 - 35 * fabs(by) / d->most : 95);
		return;
	}
	for (const char *p = node->name; *p; p++)
		hash = hash * 33 + (unsigned char)*p;
	fprintf(d->f, "hsl(%u,%u%%,%u%%)", kind->hue + hash % kind->hues, 70 + hash / 32 % 20,
		55 + hash / 1024 % 12);
}

/* Writes a number with its unit. */
static void put_number(const struct drawing *d, uint64_t number)
{
	const char *unit = d->picture->unit;

	fprintf(d->f, "%" PRIu64 "%s", number, *unit ? " " : "");
	put_text(d->f, unit, strlen(unit), SIZE_MAX);
}

static void put_about(const struct drawing *d, const struct node *node, const struct kind *kind, size_t n)
{
	put_text(d->f, node->name, n, SIZE_MAX);
	fprintf(d->f, "%s%s (", *kind->end ? ", " : "", *kind->end ? kind->about : "");
	put_number(d, node->value);
	fprintf(d->f, ", %.1f %%", 100.0 * node->value / d->all);
	if (d->picture->difference)
		fprintf(d->f, ", before %.1f %%", 100.0 * node->before / d->all_before);
	putc(')', d->f);
}

static void draw_node(struct drawing *d, const struct node *node, uint64_t x)
{
	double scale = (double)INSIDE / d->all, left = x * scale, width = node->value * scale;
	unsigned int row = d->picture->icicle ? node->depth : d->rows - node->depth;
	unsigned int y = HEAD + row * ROW;
	size_t n;
	const struct kind *kind = kind_of(node->name, &n);

	d->seen[kind - kinds] |= node != d->root;
	fputs("<g class=\"f\" data-n=\"", d->f);
	put_text(d->f, node->name, n, SIZE_MAX);
	fprintf(d->f, "\" data-x=\"%" PRIu64 "\" data-w=\"%" PRIu64 "\" data-d=\"%u\"><title>", x,
		node->value, node->depth);
	put_about(d, node, kind, n);
	fprintf(d->f, "</title><rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" rx=\"2\" fill=\"",
		MARGIN + left, y, width, ROW - 1);
	put_color(d, node, kind);
	fprintf(d->f, "\"/><text x=\"%.2f\" y=\"%u\">", MARGIN + left + 3, y + ROW - 5);
	put_cut(d->f, node->name, n, (width - 6) / LETTER);
	fputs("</text></g>\n", d->f);
}

static bool is_drawn(const struct drawing *d, const struct node *node)
{
	return (double)node->value * INSIDE * 100 >= (double)d->all * THINNEST;
}

/* Draws a node and its children; recursion is bounded by TREE_DEPTH_MOST. */
static void draw_tree(struct drawing *d, const struct node *node, uint64_t x)
{
	draw_node(d, node, x);
	for (const struct node *child = node->children; child; child = child->next) {
		if (is_drawn(d, child))
			draw_tree(d, child, x);
		x += child->value;
	}
}

/* Finds the number of rows and the largest change. */
static void measure(struct drawing *d, const struct node *node)
{
	double by = fabs(change(d, node));

	if (node->depth > d->rows)
		d->rows = node->depth;
	if (by > d->most)
		d->most = by;
	for (const struct node *child = node->children; child; child = child->next)
		if (is_drawn(d, child))
			measure(d, child);
}

static void draw_head(const struct drawing *d, unsigned int height)
{
	const char *title = d->picture->title;

	fprintf(d->f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
		"viewBox=\"0 0 %d %u\">\n<style>\n%s</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fbfbf4\"/>\n"
		"<text class=\"title\" x=\"%d\" y=\"24\">", WIDTH, height, WIDTH, height, style,
		WIDTH / 2);
	put_cut(d->f, title, strlen(title), INSIDE / TITLE_LETTER);
	fprintf(d->f, "</text>\n<text class=\"about\" x=\"%d\" y=\"44\">", WIDTH / 2);
	put_number(d, d->root->value);
	if (d->picture->difference) {
		fputs(", before ", d->f);
		put_number(d, d->root->before);
	}
	fprintf(d->f, "</text>\n<text class=\"button\" id=\"reset\" x=\"%d\" y=\"44\">reset</text>\n"
		"<text class=\"right\" id=\"matched\" x=\"%d\" y=\"44\"></text>\n"
		"<text class=\"button right\" id=\"search\" x=\"%d\" y=\"44\">search</text>\n",
		MARGIN, WIDTH - MARGIN - 8 * LETTER, WIDTH - MARGIN);
}

/* Draws a colour's entry of the legend at X; returns the X of the next one. */
static unsigned int draw_color(const struct drawing *d, unsigned int x, unsigned int y,
			       unsigned int hue, const char *about)
{
	fprintf(d->f, "<rect x=\"%u\" y=\"%u\" width=\"12\" height=\"12\" fill=\"hsl(%u,80%%,60%%)\"/>"
		"<text x=\"%u\" y=\"%u\">%s</text>\n", x, y, hue, x + 16, y + 10, about);
	return x + 16 + (strlen(about) + 2) * LETTER;
}

/* Draws the legend, with the kinds that occur. */
static void draw_legend(const struct drawing *d, unsigned int y)
{
	unsigned int x = MARGIN;

	if (d->picture->difference) {
		x = draw_color(d, x, y, 5, "a greater share than before");
		draw_color(d, x, y, 220, "a smaller share");
		return;
	}
	for (size_t i = 0; i < KINDS; i++)
		if (d->seen[i])
			x = draw_color(d, x, y, kinds[i].hue + kinds[i].hues / 2, kinds[i].about);
}

void svg_draw(FILE *f, const struct node *root, const struct picture *picture)
{
	struct drawing d = { .f = f, .picture = picture, .root = root,
			     .all = root->value ? root->value : 1,
			     .all_before = root->before ? root->before : 1 };
	unsigned int end;

	measure(&d, root);
	end = HEAD + (d.rows + 1) * ROW;
	draw_head(&d, end + FOOT);
	draw_tree(&d, root, 0);
	draw_legend(&d, end + (FOOT - 12) / 2);
	fprintf(f, "<script><![CDATA[\nconst MARGIN = %d, INSIDE = %d, LETTER = %d;\n%s]]></script>\n"
		"</svg>\n", MARGIN, INSIDE, LETTER, script);
}
