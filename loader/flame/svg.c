// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the image (svg.h).  Names come from traced programs: whatever they contain is text.
 *
 * Each function is <g class="f" data-x=… data-w=… data-d=…>: where it begins and how wide it is, in
 * the unit of the samples, and its depth.  The script computes from these what a click shows.
 */
#include "svg.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/printable.h"
#include "tree.h"

enum {
	WIDTH = 1200, MARGIN = 10, INSIDE = WIDTH - 2 * MARGIN,		/* pixels */
	ROW = 17, HEAD = 40, LETTER = 7,
	THINNEST = 50,		/* hundredths of a pixel: what is thinner is not drawn */
};

static const char style[] =
	"text { font: 12px monospace; pointer-events: none; }\n"
	"text.title { font-size: 16px; text-anchor: middle; }\n"
	".f { cursor: pointer; }\n"
	".f:hover rect { stroke: black; }\n"
	".f.below rect { opacity: 0.5; }\n"
	".f.hidden { display: none; }\n";

/* What is beside the function clicked on goes; what is below it is as wide as the picture. */
static const char script[] =
	"const frames = [...document.querySelectorAll('g.f')].map(g => ({\n"
	"	g, rect: g.querySelector('rect'), text: g.querySelector('text'),\n"
	"	name: g.querySelector('title').textContent.replace(/ \\(\\d+, [\\d.]+ %\\)$/, ''),\n"
	"	x: +g.dataset.x, w: +g.dataset.w, d: +g.dataset.d }));\n"
	"function place(f, x, w) {\n"
	"	const room = Math.floor((w - 6) / LETTER);\n"
	"	f.rect.setAttribute('x', MARGIN + x);\n"
	"	f.rect.setAttribute('width', w);\n"
	"	f.text.setAttribute('x', MARGIN + x + 3);\n"
	"	f.text.textContent = room < 3 ? '' : f.name.length <= room ? f.name :\n"
	"		f.name.slice(0, room - 2) + '..';\n"
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
	"for (const f of frames)\n"
	"	f.g.addEventListener('click', () => zoom(f));\n";

struct drawing {
	FILE *f;
	uint64_t all;			/* the root's value */
	unsigned int rows;
};

/* The number of bytes of the character at S, of N bytes; 0: XML has none such. */
static unsigned int letter(const char *s, size_t n)
{
	unsigned int bytes = utf8_length(s, n);
	bool last = bytes == 3 && !memcmp(s, "\xef\xbf", 2) && (s[2] & 0xfe) == 0xbe;

	return last || utf8_is_control(s, bytes) ? 0 : bytes;	/* U+FFFE, U+FFFF */
}

/* Writes at most LETTERS letters of a text as XML; what is no text becomes "?". */
static void put_text(FILE *f, const char *text, size_t letters)
{
	for (size_t n = strlen(text); n && letters--;) {
		unsigned int bytes = letter(text, n);

		if (*text == '<')
			fputs("&lt;", f);
		else if (*text == '>')
			fputs("&gt;", f);
		else if (*text == '&')
			fputs("&amp;", f);
		else if (!bytes)
			putc('?', f);
		else
			fwrite(text, 1, bytes, f);
		text += bytes ? bytes : 1;
		n -= bytes ? bytes : 1;
	}
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

/* The kernel is orange, inlined functions are green, others yellow to red; equal names are of one
 * shade. */
static void put_color(FILE *f, const char *name)
{
	unsigned int hash = 5381, hue;

	for (const char *p = name; *p; p++)
		hash = hash * 33 + (unsigned char)*p;
	hue = ends_with(name, "_[k]") ? 25 + hash % 8 : ends_with(name, "_[i]") ? 90 + hash % 20
	      : 40 + hash % 20;
	fprintf(f, "hsl(%u,%u%%,%u%%)", hue, 70 + hash / 32 % 20, 55 + hash / 1024 % 12);
}

static void draw_node(struct drawing *d, const struct node *node, uint64_t x)
{
	double scale = (double)INSIDE / d->all, left = x * scale, width = node->value * scale;
	unsigned int y = HEAD + (d->rows - node->depth) * ROW;
	double room = (width - 6) / LETTER;

	fprintf(d->f, "<g class=\"f\" data-x=\"%" PRIu64 "\" data-w=\"%" PRIu64 "\" data-d=\"%u\">"
		"<title>", x, node->value, node->depth);
	put_text(d->f, node->name, SIZE_MAX);
	fprintf(d->f, " (%" PRIu64 ", %.1f %%)</title>"
		"<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" rx=\"2\" fill=\"",
		node->value, 100.0 * node->value / d->all, MARGIN + left, y, width, ROW - 1);
	put_color(d->f, node->name);
	fprintf(d->f, "\"/><text x=\"%.2f\" y=\"%u\">", MARGIN + left + 3, y + ROW - 5);
	if (room >= 3)
		put_text(d->f, node->name, strlen(node->name) <= room ? SIZE_MAX : room - 2);
	fprintf(d->f, "%s</text></g>\n", room >= 3 && strlen(node->name) > room ? ".." : "");
}

static bool is_drawn(const struct drawing *d, const struct node *node)
{
	return (double)node->value * INSIDE * 100 >= (double)d->all * THINNEST;
}

/* At most TREE_DEPTH_MOST calls deep. */
static void draw_tree(struct drawing *d, const struct node *node, uint64_t x)
{
	draw_node(d, node, x);
	for (const struct node *child = node->children; child; child = child->next) {
		if (is_drawn(d, child))
			draw_tree(d, child, x);
		x += child->value;
	}
}

static unsigned int deepest(const struct drawing *d, const struct node *node)
{
	unsigned int most = node->depth;

	for (const struct node *child = node->children; child; child = child->next)
		if (is_drawn(d, child)) {
			unsigned int depth = deepest(d, child);

			if (depth > most)
				most = depth;
		}
	return most;
}

void svg_draw(FILE *f, const struct node *root, const char *title)
{
	struct drawing d = { .f = f, .all = root->value ? root->value : 1 };
	unsigned int height;

	d.rows = deepest(&d, root);
	height = HEAD + (d.rows + 1) * ROW + MARGIN;
	fprintf(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
		"viewBox=\"0 0 %d %u\">\n<style>\n%s</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fbfbf4\"/>\n"
		"<text class=\"title\" x=\"%d\" y=\"24\">", WIDTH, height, WIDTH, height, style,
		WIDTH / 2);
	put_text(f, title, SIZE_MAX);
	fputs("</text>\n", f);
	draw_tree(&d, root, 0);
	fprintf(f, "<script><![CDATA[\nconst MARGIN = %d, INSIDE = %d, LETTER = %d;\n%s]]></script>\n"
		"</svg>\n", MARGIN, INSIDE, LETTER, script);
}
