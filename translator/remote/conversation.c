// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The conversation with a host (host.h): takes its answers, messages and output as they come, and says what
 * is to be said next.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/printable.h"
#include "kernel.h"
#include "remote/host.h"
#include "remote/interrupts.h"

enum {
	NOISE_MOST = 1 << 16,		/* bytes of a host's that are no answers */
	SLOWEST_BUNDLE = 1 << 10,	/* bytes of it in a second, as little as a bad line carries */
	MESSAGE_MOST = 1 << 12,		/* a longer line of messages is printed in parts */
	QUESTIONS = 8,			/* for a host's clock: the quickest answer counts */
};
#define TIME_MOST (INT64_MAX / 4)	/* of a host's clock: sums of times are numbers still */

static struct utsname here;
static char nonce[20], input_took[32];	/* how answers begin, and those among the messages */
static bool with_prefix;		/* messages have the host's name in front */
static bool verbose;

const char *conversation_begin(bool prefix, bool tell_clocks)
{
	uint64_t number;

	with_prefix = prefix;
	verbose = tell_clocks;
	if (uname(&here) || getrandom(&number, sizeof(number), 0) != sizeof(number))
		return NULL;
	snprintf(nonce, sizeof(nonce), "%016" PRIx64, number);
	snprintf(input_took, sizeof(input_took), "%s took ", nonce);
	return nonce;
}

/* ---- messages ---- */

void print_message(struct host *h, const char *text, size_t n)
{
	char *shown;

	if (n && text[n - 1] == '\r')
		n--;			/* ssh ends its own so, and a console all */
	shown = printable(text, n, "\t");
	if (h->step != CALLED)		/* else these are prompts */
		fprintf(stderr, "%s%s%s\n", with_prefix ? h->name : "", with_prefix ? ": " : "",
			shown ? shown : "");
	free(h->last);
	h->last = shown;
}

/* Takes a byte of a line.  Returns true if the line is complete. */
static bool add_byte(struct sbuf *b, char c)
{
	if (c != '\n')
		sbuf_putc(b, c);
	return c == '\n' || b->len >= MESSAGE_MOST;
}

/* Returns what a line of N bytes says behind the number of this run; NULL if it is no answer. */
static char *answer_in(char *line, size_t n)
{
	size_t own = strlen(nonce);

	bool is = n > own && !strncmp(line, nonce, own) && line[own] == ' ' && !memchr(line, '\0', n);

	return is ? line + own + 1 : NULL;
}

/* So much of the script's input was passed on. */
static void answer_took(struct host *h, const char *answer)
{
	size_t n;
	int end = 0;

	if (h->step != RUNNING || sscanf(answer, "%zu%n", &n, &end) != 1 || answer[end] || n > h->untaken)
		host_fail(h, "its answers make no sense");
	else
		h->untaken -= n;
}

static void end_message(struct host *h)
{
	struct sbuf *b = &h->text[ERR];

	print_message(h, sbuf_str(b), b->len);
	b->len = 0;
}

/* Returns where in a text of N bytes an answer begins, perhaps only its first bytes at the end; N if nowhere. */
static size_t answer_at(const char *text, size_t n)
{
	size_t own = strlen(input_took), at = 0;

	while (at < n && memcmp(text + at, input_took, n - at < own ? n - at : own))
		at++;
	return at;
}

/*
 * A line has ended, or is to be CUT because it is long.  The script's commands print to the same stream, so an
 * answer may stand behind a text of theirs that has no end of line, and the cut must not be in an answer.
 */
static void end_line(struct host *h, bool cut)
{
	struct sbuf *b = &h->text[ERR];
	size_t at = answer_at(b->s, b->len), own = strlen(input_took), rest = b->len - at;

	if (cut ? !at || !rest : rest <= own || memchr(b->s + at, '\0', rest)) {
		end_message(h);
		return;
	}
	if (at)
		print_message(h, b->s, at);
	if (cut) {
		memmove(b->s, b->s + at, rest);
		b->len = rest;
		return;
	}
	b->len = 0;
	answer_took(h, b->s + at + own);
}

static void take_messages(struct host *h, const char *p, size_t n)
{
	struct sbuf *b = &h->text[ERR];

	for (; n && h->step != ENDED; p++, n--) {
		if (add_byte(b, *p))
			end_line(h, *p != '\n');
	}
}

/* ---- answers ---- */

void conversation_say(struct host *h, const char *text, size_t n)
{
	h->out = text;
	h->left = n;
	connection_write(h);
}

void conversation_offer(struct host *h, const char *kernel)
{
	h->bundle = bundle_of(kernel);
	if (interrupts)
		return;			/* heed_interrupts() ends it */
	if (!h->bundle->image.len) {
		host_fail(h, !*h->bundle->kernel ? "the script can't be compiled"
			    : arena_printf("the script can't be compiled for its kernel, %s", h->release));
		return;
	}
	h->step = OFFERED;
	h->deadline = now_ns() + ANSWER;
	conversation_say(h, h->bundle->offer, strlen(h->bundle->offer));
}

static bool has_headers(const char *dir)
{
	return !access(arena_printf("%s/include", dir), R_OK);
}

static bool answer_kernel(struct host *h, char *words)
{
	const char *release = strsep(&words, " "), *machine = words, *given;

	if (!machine || !kernel_is_release(release))
		return false;
	h->release = arena_strdup(release);
	given = bundle_kernel_given(release);
	if (strcmp(machine, here.machine)) {
		char *shown = printable(machine, strlen(machine), "");

		host_fail(h, arena_printf("it is a machine of another architecture, %s", shown));
		free(shown);
	} else if (interrupts) {
		return true;		/* heed_interrupts() ends it */
	} else if (!bundle_is_for_kernel() || kernel_types_are_known(release)) {
		conversation_offer(h, given ? given : release);
	} else if (given && !has_headers(given)) {
		conversation_offer(h, given);		/* it is BTF */
	} else {
		types_ask(h, given);
	}
	return true;
}

static void ask_clock(struct host *h)
{
	bool more = nhosts > 1 && h->questions++ < QUESTIONS;

	h->asked_at = now_ns();
	conversation_say(h, more ? "?" : "\n", 1);
}

/* The answer was given at some time between the question and now: the middle is wrong by half of that
 * at most. */
static bool answer_clock(struct host *h, const char *words)
{
	char *behind;
	int64_t time = strtoll(words, &behind, 10), now = now_ns(), took = now - h->asked_at;

	if (*behind || time <= 0 || time > TIME_MOST || !h->questions || h->questions > QUESTIONS)
		return false;
	if (h->questions == 1 || took < h->took) {
		h->took = took;
		h->offset = time - (h->asked_at + took / 2);
	}
	ask_clock(h);
	return true;
}

static bool answer_run(struct host *h)
{
	if (nhosts > 1 && verbose)
		fprintf(stderr, "%s: its clock is %.6f s from ours, known to %.3f ms\n", h->name,
			h->offset / 1e9, h->took / 2e6);
	h->step = RUNNING;
	h->deadline = INT64_MAX;
	return true;
}

static bool answer_have(struct host *h)
{
	h->step = TIMED;
	ask_clock(h);
	return true;
}

void conversation_goes_on(struct host *h)
{
	h->deadline = now_ns() + ANSWER;
	if (h->step == SENT && h->deadline > h->all_by)
		h->deadline = h->all_by;
}

/*
 * So much of the bundle has arrived.  What we have written may be on its way, in buffers of ssh and of the
 * network, for minutes, so that alone is no progress.
 */
static bool answer_got(struct host *h, const char *words)
{
	char *behind;
	unsigned long long n = strtoull(words, &behind, 10);

	if (behind == words || *behind || n <= h->got || n > h->bundle->image.len)
		return false;
	h->got = n;
	return true;
}

static bool answer_need(struct host *h)
{
	h->step = SENT;
	h->all_by = h->deadline + (int64_t)(h->bundle->image.len / SLOWEST_BUNDLE) * SECOND;
	conversation_say(h, h->bundle->image.s, h->bundle->image.len);
	return true;
}

static bool answer_ready(struct host *h)
{
	free(h->last);
	h->last = NULL;
	socket_greet(h);
	return true;
}

/* The command has ended, and so has the connection. */
static bool answer_status(struct host *h, const char *words)
{
	char *behind;
	unsigned long n = strtoul(words, &behind, 10);

	if (behind == words || *behind || n > 255 || (h->step == RUNNING) != h->streams_ended)
		return false;
	h->status = n;
	socket_break(h);
	return true;
}

/* Takes an answer.  Returns false if it makes no sense. */
static bool take_answer(struct host *h, char *words)
{
	const char *word = strsep(&words, " ");

	if (h->is_socket && h->step != CALLED && !strcmp(word, "status") && words)
		return answer_status(h, words);
	conversation_goes_on(h);
	if (h->step == CALLED && !strcmp(word, "ready"))
		return answer_ready(h);
	if (h->step == ASKED && !strcmp(word, "kernel") && words)
		return answer_kernel(h, words);
	if (h->step == DESCRIBED && words)
		return types_described(h, word, words);
	if (h->step == OFFERED && !strcmp(word, "need"))
		return answer_need(h);
	if (h->step == SENT && !strcmp(word, "got") && words)
		return answer_got(h, words);
	if ((h->step == OFFERED || h->step == SENT) && !strcmp(word, "have"))
		return answer_have(h);
	if (h->step == TIMED && !strcmp(word, "clock") && words)
		return answer_clock(h, words);
	return h->step == TIMED && !strcmp(word, "run") && answer_run(h);
}

/* Does a socket's line come of what we have said: an echo, or the empty line in front of an answer? */
static bool is_our_own(const struct host *h, const char *line, size_t n)
{
	return h->is_socket && (!n || (h->step == CALLED && memmem(line, n, nonce, strlen(nonce))));
}

/* Takes a line: an answer, or what login scripts print. */
static void take_line(struct host *h, char *line, size_t n)
{
	char *answer = answer_in(line, n);

	if (answer) {
		if (!take_answer(h, answer))
			host_fail(h, "its answers make no sense");
		return;
	}
	if (!is_our_own(h, line, n))
		print_message(h, line, n);
	h->noise += n + 1;
	if (h->noise > NOISE_MOST)
		host_fail(h, "it prints without end, but gives no answer");
}

/* Takes bytes of the stamped output.  Returns how many. */
static size_t take_stamped(struct host *h, const char *p, size_t n)
{
	size_t rest = sizeof(h->stamp) - h->stamp_got;

	if (rest) {
		n = n < rest ? n : rest;
		memcpy((char *)&h->stamp + h->stamp_got, p, n);
		h->stamp_got += n;
		if (h->stamp_got == sizeof(h->stamp) && (!h->stamp.bytes || h->stamp.time > TIME_MOST))
			host_fail(h, "its output makes no sense");
		return n;
	}
	n = n < h->stamp.bytes ? n : h->stamp.bytes;
	merge_take(h, (int64_t)h->stamp.time - h->offset, p, n);
	h->stamp.bytes -= n;
	if (!h->stamp.bytes)
		h->stamp_got = 0;
	return n;
}

/* Takes bytes of a stream that has output and messages.  Returns how many. */
static size_t take_piece(struct host *h, const char *p, size_t n)
{
	size_t rest = sizeof(h->piece) - h->piece_got, took = 0;

	if (rest) {
		n = n < rest ? n : rest;
		memcpy((char *)&h->piece + h->piece_got, p, n);
		h->piece_got += n;
		if (h->piece_got == sizeof(h->piece) && h->piece.stream > STREAM_ERR)
			host_fail(h, "its output makes no sense");
		h->streams_ended = h->piece_got == sizeof(h->piece) && !h->piece.bytes;
		if (h->streams_ended)
			h->deadline = now_ns() + ANSWER;	/* of the status */
		return n;
	}
	n = n < h->piece.bytes ? n : h->piece.bytes;
	if (h->piece.stream == STREAM_ERR)
		take_messages(h, p, n);
	else
		while (took < n && h->step != ENDED)
			took += take_stamped(h, p + took, n - took);
	h->piece.bytes -= n;
	if (!h->piece.bytes)
		h->piece_got = 0;
	return n;
}

/* Takes bytes that are no text.  Returns how many; 0 if they are text. */
static size_t take_data(struct host *h, const char *p, size_t n)
{
	if (h->step == FETCHED)
		return types_take(h, p, n);
	if (h->step == RUNNING && h->is_socket)
		return h->streams_ended ? 0 : take_piece(h, p, n);
	return h->step == RUNNING ? take_stamped(h, p, n) : 0;
}

static void take_output(struct host *h, const char *p, size_t n)
{
	struct sbuf *b = &h->text[OUT];

	while (n && h->step != ENDED) {
		size_t took = take_data(h, p, n);

		if (!took && add_byte(b, *p)) {
			struct sbuf line = *b;

			*b = (struct sbuf){ 0 };
			take_line(h, line.s ? line.s : (char[]){ 0 }, line.len);
			sbuf_free(&line);
		}
		p += took ? took : 1;
		n -= took ? took : 1;
	}
}

/* ---- all that comes ---- */

void conversation_take(struct host *h, int stream, const char *p, size_t n)
{
	if (stream == OUT)
		take_output(h, p, n);
	else
		take_messages(h, p, n);
}

void conversation_end(struct host *h)
{
	if (h->text[ERR].len)
		end_message(h);
}
