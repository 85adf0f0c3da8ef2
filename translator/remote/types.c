// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The BTF of hosts whose kernel's types are unknown here: neither its image nor its debug information is installed.
 * If its headers are, or -r has given them, or a runtime that was built for it is kept (kit/), these types are all
 * that is missing for a module; otherwise they are all that BPF needs.  If only a module will do, and the sandbox works
 * (kit/confined.c), the host is asked for its headers, too.
 *
 *	btf				N btf 7340032 DIGEST		so many bytes, with this digest
 *					N btf 0				it has none
 *					N btf 0 sha256sum		it has no sha256sum, to tell a digest
 *	send				the bytes			unless they are in the cache
 *	headers				N headers 15833888 DIGEST
 *					N headers 0			it has none, or no tar of GNU's to pack them
 *	send				an archive, for tar to unpack in the sandbox
 *
 * The BTF are the files of its /sys/kernel/btf, the kernel's and those of its modules, behind a list of them, which
 * wc(1) has made:
 *
 *	  201334 ext4
 *	 5515646 vmlinux
 *	 5716980 total
 *
 *	the bytes of ext4, then those of vmlinux
 *
 * One of the hosts that have the same sends it, while the others wait: it has a time for all of it, however often
 * a piece comes.  It becomes a directory that -r takes.  Names and sizes are the host's own words, so they are held
 * to what the kernel's can be; what is in the files is for the reader of BTF to check.
 */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/hash.h"
#include "kit/cache.h"
#include "kernel.h"
#include "kit/kit.h"
#include "remote/host.h"
#include "remote/interrupts.h"
#include "run/run.h"
#include "session.h"

enum {
	TYPES_MOST = 64 << 20,		/* bytes; a kernel's with a hundred modules are ten million, its headers twenty */
	FILES_MOST = 2048,
	NAME_MOST = 64,
	DIGEST = 64,
	SLOWEST = 64 << 10,		/* bytes in a second */
};

/* What some hosts have: BTF, or headers. */
struct types {
	struct types *next;
	const struct types *btf;	/* of the same kernel, if these are headers; else NULL */
	const char *digest, *release, *headers;
	size_t size, got;
	struct host *sender;		/* while it comes */
	int fd;				/* the file that it goes to */
	const char *above;		/* a directory of their own */
	const char *dir;		/* what -r takes, when all is there */
	bool bad;			/* it is nothing that -r takes */
	struct hash *hash;
};

static struct session *session;
static struct types *first;
static unsigned made;

void types_begin(struct session *s)
{
	session = s;
}

/* To look takes a while, in which no host is heard. */
static bool is_kept(const char *release)
{
	static vec(struct { const char *release; bool is; }) kept;
	int64_t began = now_ns();
	bool is;

	for (size_t i = 0; i < kept.n; i++)
		if (!strcmp(kept.v[i].release, release))
			return kept.v[i].is;
	is = kit_is_kept(session, release);
	vec_push(&kept, ((typeof(*kept.v)){ release, is }));
	hosts_were_unheard(began);
	return is;
}

static bool has_headers(const struct host *h)
{
	return h->headers || kernel_headers_are_known(h->release);
}

/* Returns why no host's headers are taken; NULL: they are. */
static const char *no_headers(void)
{
	static struct problem why;
	static bool known;

	if (session->options.sign)
		return "what a host's programs make is not signed";
	if (!known)
		kit_can_confine(&why);
	known = true;
	return why.text;
}

static void fail_without_headers(struct host *h, const char *why)
{
	host_fail(h, arena_printf("its kernel, %s, is unknown here: -r takes a copy of its headers (%s)",
				  h->release, why));
}

void types_ask(struct host *h, const char *headers)
{
	char *real = headers ? realpath(headers, NULL) : NULL;
	bool module;

	h->headers = real ? arena_strdup(real) : NULL;
	free(real);
	module = has_headers(h) || !no_headers() || is_kept(h->release);
	if (!module && bundle_has_module()) {
		fail_without_headers(h, no_headers());
		return;
	}
	if (!module && !run_bpf_is_in(h->release)) {
		conversation_offer(h, h->release);	/* a script that needs no kernel runs in a process */
		if (h->step == ENDED)
			h->what = arena_printf("its kernel, %s, is unknown here, and too old for BPF: -r takes a copy "
					       "of its headers", h->release);
		return;
	}
	h->step = DESCRIBED;
	conversation_say(h, "btf\n", 4);
}

/* ---- the files ---- */

static bool write_file(int dir, const char *name, const char *p, size_t n)
{
	const uint16_t magic = BTF_MAGIC;
	bool is_btf = n >= sizeof(magic) && !memcmp(p, &magic, sizeof(magic));
	int fd = is_btf ? openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
	bool good = fd >= 0 && write(fd, p, n) == (ssize_t)n;

	if (fd >= 0)
		close(fd);
	return good;
}

/* Takes a line of the list apart, with the end of the line.  Returns the name; NULL if it makes no sense. */
static const char *take_line(char **p, const char *end, size_t *size)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	char *line = *p + strspn(*p, " "), *name, *behind = memchr(line, '\n', end - line);

	if (!behind || *line < '0' || *line > '9')
		return NULL;
	*behind = '\0';
	*p = behind + 1;
	*size = strtoull(line, &name, 10);
	if (*name++ != ' ' || !*name || strlen(name) > NAME_MOST || name[strspn(name, letters)])
		return NULL;
	return name;
}

/* Writes the files to DIR, which is new.  Returns false if they are not what a kernel's are. */
static bool unpack(struct sbuf *b, int dir)
{
	vec(struct { const char *name; size_t size; }) files = { 0 };
	char *p = b->s, *end = b->s + b->len;

	while (p < end && *p != '\n' && files.n < FILES_MOST) {
		size_t size;
		const char *name = take_line(&p, end, &size);

		if (!name)
			return false;
		vec_push(&files, ((typeof(*files.v)){ name, size }));
	}
	if (p++ == end || !files.n)
		return false;
	files.n -= files.n > 1;			/* the sum */
	for (size_t i = 0; i < files.n; i++) {
		if (files.v[i].size > (size_t)(end - p) || !write_file(dir, files.v[i].name, p, files.v[i].size))
			return false;
		p += files.v[i].size;
	}
	return p == end;
}

/* Makes the directory of the file at PATH. */
static void take_file(struct types *t, const char *path)
{
	const char *dir = arena_printf("%s/%s", t->above, t->release);
	int fd = mkdir(dir, 0700) ? -1 : open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct sbuf b = { 0 };

	t->bad = fd < 0 || file_read(path, &b) || !unpack(&b, fd) || faccessat(fd, "vmlinux", F_OK, 0) ||
		 (t->headers && symlinkat(t->headers, fd, "build"));
	t->dir = t->bad ? NULL : dir;
	sbuf_free(&b);
	if (fd >= 0)
		close(fd);
}

/* Makes the directory of the headers in the file at PATH: the same as that of their BTF, with the headers. */
static void take_headers(struct types *t, const char *path)
{
	const char *from = t->btf->dir, *dir = arena_printf("%s/%s", t->above, t->release);
	DIR *d = mkdir(dir, 0700) ? NULL : opendir(from);

	t->bad = !d || file_copy(path, arena_printf("%s/headers.tar.gz", dir), false);
	for (struct dirent *e; d && (e = readdir(d));)
		if (e->d_name[0] != '.' && symlink(arena_printf("%s/%s", from, e->d_name),
						   arena_printf("%s/%s", dir, e->d_name)))
			t->bad = true;
	if (d)
		closedir(d);
	t->dir = t->bad ? NULL : dir;
}

static void take(struct types *t, const char *path)
{
	if (t->btf)
		take_headers(t, path);
	else
		take_file(t, path);
}

/* The cache's own sums tell whether a file is whole, not whether it is what its name says. */
static bool has_digest(const char *path, const char *digest)
{
	struct hash *hash = hash_new();
	struct sbuf b = { 0 };
	bool has = !file_read(path, &b);

	hash_bytes(hash, b.s, b.len);
	sbuf_free(&b);
	return !strcmp(hash_hex(hash), digest) && has;
}

/* Can the kernel's BTF be read at all?  A child process looks, as the file may have been made to crash readers. */
static bool is_readable(const struct types *t)
{
	const char *path = arena_printf("%s/vmlinux", t->dir);
	int64_t began = now_ns();
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child) {
		guard_child();
		guard_reading(path);
		libbpf_set_print(NULL);
		_exit(libbpf_get_error(btf__parse(path, NULL)) != 0);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	hosts_were_unheard(began);
	return !status;
}

/* ---- who sends ---- */

static const char *suffix(const struct types *t)
{
	return t->btf ? ".headers" : ".btf";
}

static const char *sent_file(const struct types *t)
{
	return arena_printf("%s/sent", t->above);
}

static void drop(struct types *t)
{
	close(t->fd);
	t->sender = NULL;
}

static void begin(struct types *t, struct host *h)
{
	t->fd = open(sent_file(t), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (t->fd < 0) {
		host_fail(h, arena_printf("can't write %s: %s", sent_file(t), strerror(errno)));
		return;
	}
	t->sender = h;
	t->got = 0;
	t->hash = hash_new();
	h->step = FETCHED;
	h->deadline = now_ns() + ANSWER + (int64_t)(t->size / SLOWEST) * SECOND;
	conversation_say(h, "send\n", 5);
}

static void ask_headers(struct host *h)
{
	h->btf = h->types;
	h->types = NULL;
	conversation_say(h, "headers\n", 8);
	h->deadline = now_ns() + 4 * ANSWER;	/* it packs them */
}

/* Offers the bundle, unless it turns out that the headers are needed for it. */
static void offer(struct host *h, const char *dir, bool may_ask)
{
	session->may_ask_headers = may_ask && !has_headers(h) && !no_headers();
	if (session->may_ask_headers && bundle_of(dir)->lacks_headers)
		ask_headers(h);
	else
		conversation_offer(h, dir);
	session->may_ask_headers = false;
}

static void go_on(struct host *h)
{
	struct types *t = h->types;

	if (t->sender && t->sender->step != FETCHED)
		drop(t);			/* it has failed */
	if (t->dir)
		offer(h, t->dir, !t->btf);
	else if (t->bad)
		host_fail(h, t->btf ? "its headers can't be kept" : "its BTF makes no sense");
	else if (!t->sender)
		begin(t, h);
}

void types_go_on(void)
{
	for (struct host *h = hosts; h < hosts + nhosts && !interrupts; h++)
		if (h->step == DESCRIBED && h->types)
			go_on(h);
}

static struct types *find(const char *digest, size_t size, const struct host *h)
{
	const char *cached;
	struct types *t;

	for (t = first; t; t = t->next)
		if (!strcmp(t->digest, digest) && !strcmp(t->release, h->release) && t->size == size &&
		    t->btf == h->btf)
			return t;
	t = arena_new(struct types);
	*t = (struct types){ .next = first, .btf = h->btf, .digest = arena_strdup(digest), .release = h->release, .headers = h->headers,
			     .size = size };
	t->above = arena_printf("%s/btf-%u", session_tmpdir(session), made++);
	t->bad = mkdir(t->above, 0700);
	first = t;
	cached = cache_get(session, t->digest, suffix(t));
	if (cached && has_digest(cached, digest))
		take(t, cached);
	return t;
}

bool types_described(struct host *h, const char *word, const char *words)
{
	char *digest;
	unsigned long long size = strtoull(words, &digest, 10);

	if (h->types || strcmp(word, h->btf ? "headers" : "btf") || *words < '0' || *words > '9')
		return false;
	if (!size && h->btf && bundle_has_module()) {
		fail_without_headers(h, "it has none");
		return true;
	}
	if (!size && h->btf) {
		offer(h, h->btf->dir, false);		/* which says why nothing else will do */
		return true;
	}
	if (!size && has_headers(h)) {
		conversation_offer(h, h->headers ? h->headers : h->release);
		return true;
	}
	if (!size) {
		host_fail(h, arena_printf("its kernel, %s, is unknown here, and %s", h->release,
					  strcmp(digest, " sha256sum") ? "has no BTF" : "the host has no sha256sum"));
		return true;
	}
	if (*digest++ != ' ' || strlen(digest) != DIGEST || digest[strspn(digest, "0123456789abcdef")])
		return false;
	if (size > TYPES_MOST) {
		host_fail(h, arena_printf("it has more %s than %d MB", h->btf ? "headers" : "BTF", TYPES_MOST >> 20));
		return true;
	}
	h->types = find(digest, size, h);
	h->deadline = INT64_MAX;		/* another may send the same */
	return true;
}

/* All of it has come. */
static void end(struct types *t, struct host *h)
{
	drop(t);
	h->step = DESCRIBED;
	h->deadline = INT64_MAX;
	if (strcmp(hash_hex(t->hash), t->digest)) {
		host_fail(h, t->btf ? "its headers are not what it said they are" : "its BTF is not what it said it is");
		return;
	}
	take(t, sent_file(t));
	if (!t->bad && (t->btf || is_readable(t)))
		cache_put(session, t->digest, suffix(t), sent_file(t));
	unlink(sent_file(t));
}

size_t types_take(struct host *h, const char *p, size_t n)
{
	struct types *t = h->types;

	n = n < t->size - t->got ? n : t->size - t->got;
	if (write(t->fd, p, n) != (ssize_t)n) {
		host_fail(h, arena_printf("can't write %s: %s", sent_file(t), strerror(errno)));
		return n;
	}
	hash_bytes(t->hash, p, n);
	t->got += n;
	if (t->got == t->size)
		end(t, h);
	return n;
}
