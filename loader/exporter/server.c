// SPDX-License-Identifier: GPL-2.0-or-later
/* Talks to HTTP clients (server.h). */
#define _GNU_SOURCE
#include "server.h"

#include <errno.h>
#include <malloc.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "ask.h"
#include "common/pass.h"
#include "common/rights.h"
#include "common/say.h"
#include "metrics.h"
#include "own.h"

enum {
	CLIENTS = 16,			/* at once; others wait */
	CLIENT_TIME = 30,		/* s that a client has, from its connection to the end of the answer */
	CLIENT_SILENT = 10,		/* s in which it neither sends nor takes anything */
	CLIENT_MEMORY = 16 << 10,	/* bytes of its request */
	CLIENT_STACK = 256 << 10,
	START_MS = 8000,		/* a client waits for a script to start; Prometheus waits ten seconds */
	ASK_MS = 100,			/* between two questions for it */
	PAGES = 16 << 20,		/* bytes of the pages in one answer */
	MEMORY = 512 << 20,		/* bytes of the server */
	FILES = 3 * CLIENTS + 32,
};

/* ---- the keeper ---- */

static int keeper_socket;
static pthread_mutex_t keeper_lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * Asks a question, and fills in at most SCRIPTS_MOST answers.  Sets *PAGE, unless it is NULL, to a descriptor
 * or -1.  Returns the number of answers.  The keeper answers at once, so the lock is held only so long.
 */
static size_t ask(const char *name, bool wanted, struct script_status *answers, int *page)
{
	struct question q = { .wanted = wanted };
	ssize_t n;

	strncpy(q.name, name, SCRIPT_NAME - 1);
	pthread_mutex_lock(&keeper_lock);
	n = send(keeper_socket, &q, sizeof(q), MSG_NOSIGNAL);
	if (n == sizeof(q))
		n = recv(keeper_socket, answers, SCRIPTS_MOST * sizeof(*answers), 0);
	if (page)
		*page = n == sizeof(*answers) && answers->state == SCRIPT_READY ? pass_receive(keeper_socket) : -1;
	pthread_mutex_unlock(&keeper_lock);
	return n > 0 ? n / sizeof(*answers) : 0;
}

/* Asks for the page of a script until it is ready, has failed, or time is over. */
static int ask_for_page(const char *name, struct script_status *status)
{
	struct script_status answers[SCRIPTS_MOST];
	int page = -1;

	for (int waited = 0; waited <= START_MS; waited += ASK_MS) {
		*status = (struct script_status){ 0 };
		if (ask(name, true, answers, &page))
			*status = answers[0];
		if (page >= 0 || (status->state != SCRIPT_STARTING && status->state != SCRIPT_NO_PAGE &&
				  status->state != SCRIPT_IDLE))
			break;
		poll(NULL, 0, ASK_MS);
	}
	return page;
}

/* ---- pages ---- */

/* A script's page as it was read. */
struct text {
	char *p;
	size_t len;
	int error;			/* errno, if it could not be read */
	double seconds;			/* that this took */
};

static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Reads at most MOST bytes, and closes the descriptor.  The first read() runs the script's handler. */
static struct text read_page(int fd, size_t most)
{
	struct text text = { 0 };
	double start = seconds_now();
	size_t room = 0;
	ssize_t n = 1;

	while (n > 0 && text.len < most) {
		if (text.len == room) {
			size_t wanted = room ? 2 * room : 64 << 10;
			char *more = realloc(text.p, wanted);

			if (!more) {
				errno = ENOMEM;
				n = -1;
				break;
			}
			text.p = more;
			room = wanted;
		}
		n = read(fd, text.p + text.len, (room < most ? room : most) - text.len);
		text.len += n > 0 ? n : 0;
	}
	text.error = n < 0 ? errno : 0;
	text.seconds = seconds_now() - start;
	close(fd);
	return text;
}

/* A script that is only just starting, or ending, is not read. */
static bool is_between(int error)
{
	return error == EAGAIN || error == EIO;
}

/* ---- answers ---- */

#define PLAIN "text/plain; charset=utf-8"

static enum MHD_Result answer_text(struct MHD_Connection *c, unsigned int code, const char *type,
				   const char *retry, char *text, size_t len)
{
	struct MHD_Response *r = MHD_create_response_from_buffer(len, text, MHD_RESPMEM_MUST_FREE);
	enum MHD_Result result;

	if (!r) {
		free(text);
		return MHD_NO;
	}
	MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	MHD_add_response_header(r, MHD_HTTP_HEADER_VARY, MHD_HTTP_HEADER_ACCEPT);
	MHD_add_response_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
	if (retry)
		MHD_add_response_header(r, MHD_HTTP_HEADER_RETRY_AFTER, retry);
	if (code == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	result = MHD_queue_response(c, code, r);
	MHD_destroy_response(r);
	return result;
}

/* An answer that is one line. */
static enum MHD_Result __attribute__((format(printf, 4, 5)))
refuse(struct MHD_Connection *c, unsigned int code, unsigned int retry, const char *fmt, ...)
{
	char *text, seconds[16];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	snprintf(seconds, sizeof(seconds), "%u", retry);
	return n < 0 ? MHD_NO : answer_text(c, code, PLAIN, retry ? seconds : NULL, text, n);
}

static enum metrics_format format_for(struct MHD_Connection *c)
{
	return metrics_accepted(MHD_lookup_connection_value(c, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT));
}

/* An answer under construction. */
struct answer {
	FILE *f;
	char *text;
	size_t len;
};

static bool begin_answer(struct answer *a)
{
	*a = (struct answer){ 0 };
	a->f = open_memstream(&a->text, &a->len);
	return a->f;
}

static enum MHD_Result end_answer(struct MHD_Connection *c, struct answer *a, const char *type)
{
	bool failed = ferror(a->f);

	if (fclose(a->f) || failed) {
		free(a->text);
		return refuse(c, MHD_HTTP_SERVICE_UNAVAILABLE, 5, "no memory left for the answer\n");
	}
	return answer_text(c, MHD_HTTP_OK, type, NULL, a->text, a->len);
}

/* Says why there is no page. */
static enum MHD_Result no_page(struct MHD_Connection *c, const char *name, const struct script_status *status)
{
	switch (status->state) {
	case SCRIPT_UNKNOWN:
		return refuse(c, MHD_HTTP_NOT_FOUND, 0, "there is no such script; / has a list\n");
	case SCRIPT_FAILED:
		return refuse(c, MHD_HTTP_SERVICE_UNAVAILABLE, status->retry ?: 1,
			      "%s has ended; the exporter's messages say why\n", name);
	case SCRIPT_NO_PAGE:
		return refuse(c, MHD_HTTP_SERVICE_UNAVAILABLE, 5, "%s runs, but has no prometheus probe\n", name);
	case SCRIPT_IDLE:
		return refuse(c, MHD_HTTP_SERVICE_UNAVAILABLE, 5, "%s waits until other scripts have started\n",
			      name);
	default:
		return refuse(c, MHD_HTTP_SERVICE_UNAVAILABLE, 5, "%s is starting\n", name);
	}
}

static enum MHD_Result answer_page(struct MHD_Connection *c, const char *name)
{
	enum metrics_format format = format_for(c);
	struct metrics metrics = { 0 };
	struct metrics_page page = { 0 };
	struct script_status status;
	struct answer a;
	struct text text;
	int fd, tries = 0;
	bool added;

	do {
		fd = ask_for_page(name, &status);
		if (fd < 0)
			return no_page(c, name, &status);
		text = read_page(fd, METRICS_PAGE);
		if (text.error) {
			free(text.p);
			text.p = NULL;
		}
	} while (is_between(text.error) && ++tries < START_MS / ASK_MS && !poll(NULL, 0, ASK_MS));
	if (text.error)
		return refuse(c, MHD_HTTP_SERVICE_UNAVAILABLE, 1, "%s's page can't be read: %s\n", name,
			      strerror(text.error));
	page.text = text.p;
	page.len = text.len;
	added = metrics_add(&metrics, &page);
	if (!begin_answer(&a)) {
		metrics_free(&metrics);
		free(text.p);
		return MHD_NO;
	}
	if (added)
		metrics_write(&metrics, a.f, format);
	if (page.left_out && format == METRICS_TEXT)
		fprintf(a.f, "# stap-exporter has left out %zu of the script's lines; line %zu: %s\n",
			page.left_out, page.line, page.why);
	metrics_free(&metrics);
	free(text.p);
	if (added)
		return end_answer(c, &a, metrics_content_type(format));
	fclose(a.f);
	free(a.text);
	return refuse(c, MHD_HTTP_SERVICE_UNAVAILABLE, 5, "no memory left for the page\n");
}

/* What an answer has of a script that runs. */
struct part {
	struct script_status status;
	struct metrics_page page;
	struct text text;
};

/* Adds the exporter's own metrics, in *TEXT, which the caller frees.  Returns false without memory. */
static bool add_own(struct metrics *m, const struct part *parts, size_t n, char **text)
{
	struct own_script own[SCRIPTS_MOST];
	struct metrics_page page = { .own = true };

	for (size_t i = 0; i < n; i++)
		own[i] = (struct own_script){
			.name = parts[i].status.name, .up = parts[i].text.p && !parts[i].text.error,
			.starts = parts[i].status.starts, .ends = parts[i].status.ends,
			.series = parts[i].page.series, .left_out = parts[i].page.left_out,
			.bytes = parts[i].text.len, .seconds = parts[i].text.seconds,
		};
	*text = own_page(own, n, &page.len);
	page.text = *text;
	return *text && metrics_add(m, &page);
}

static enum MHD_Result answer_all(struct MHD_Connection *c)
{
	struct script_status scripts[SCRIPTS_MOST], one[SCRIPTS_MOST];
	struct part *parts = calloc(SCRIPTS_MOST, sizeof(*parts));
	struct metrics metrics = { 0 };
	struct answer a = { 0 };
	char *own = NULL;
	size_t n = parts ? ask("", false, scripts, NULL) : 0, room = PAGES;
	enum MHD_Result result;
	bool added = n;

	for (size_t i = 0; i < n; i++) {
		struct part *p = &parts[i];
		int fd = -1;

		p->status = scripts[i];
		if (scripts[i].state == SCRIPT_READY && room)
			ask(scripts[i].name, false, one, &fd);
		if (fd < 0)
			continue;
		p->text = read_page(fd, room < METRICS_PAGE ? room : METRICS_PAGE);
		p->page.script = p->status.name;
		p->page.text = p->text.p;
		p->page.len = p->text.error ? 0 : p->text.len;
		room -= p->text.len;
		added = added && metrics_add(&metrics, &p->page);
	}
	if (added && add_own(&metrics, parts, n, &own) && begin_answer(&a)) {
		metrics_write(&metrics, a.f, format_for(c));
		result = end_answer(c, &a, metrics_content_type(format_for(c)));
	} else {
		result = refuse(c, MHD_HTTP_SERVICE_UNAVAILABLE, 5, "no memory left for the answer\n");
	}
	metrics_free(&metrics);
	for (size_t i = 0; i < n; i++)
		free(parts[i].text.p);
	free(own);
	free(parts);
	return result;
}

static enum MHD_Result answer_list(struct MHD_Connection *c)
{
	static const char *const states[] = {
		[SCRIPT_IDLE] = "not running", [SCRIPT_STARTING] = "starting",
		[SCRIPT_NO_PAGE] = "no prometheus probe", [SCRIPT_READY] = "running", [SCRIPT_FAILED] = "has ended",
	};
	struct script_status scripts[SCRIPTS_MOST];
	size_t n = ask("", false, scripts, NULL);
	struct answer a;

	if (!begin_answer(&a))
		return MHD_NO;
	for (size_t i = 0; i < n; i++)
		fprintf(a.f, "/%s\t%s\n", scripts[i].name, states[scripts[i].state]);
	fputs("/metrics\tall that run\n", a.f);
	return end_answer(c, &a, PLAIN);
}

/* ---- clients ---- */

/* Those that are connected, and until when.  A socket is here only while libmicrohttpd has it open. */
static struct { int fd; time_t until; } clients[CLIENTS];
static size_t nclients;
static pthread_mutex_t clients_lock = PTHREAD_MUTEX_INITIALIZER;

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

static void on_connection(void *arg, struct MHD_Connection *c, void **context,
			  enum MHD_ConnectionNotificationCode what)
{
	int fd = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;

	(void)arg, (void)context;
	pthread_mutex_lock(&clients_lock);
	if (what == MHD_CONNECTION_NOTIFY_STARTED && nclients < CLIENTS) {
		clients[nclients].fd = fd;
		clients[nclients++].until = now() + CLIENT_TIME;
	}
	for (size_t i = 0; what == MHD_CONNECTION_NOTIFY_CLOSED && i < nclients; i++)
		if (clients[i].fd == fd) {
			clients[i] = clients[--nclients];
			break;
		}
	pthread_mutex_unlock(&clients_lock);
}

/* Ends the connections of those whose time is over: one that takes a byte now and then is never silent. */
static void end_slow_clients(void)
{
	pthread_mutex_lock(&clients_lock);
	for (size_t i = 0; i < nclients; i++)
		if (now() >= clients[i].until)
			shutdown(clients[i].fd, SHUT_RDWR);
	pthread_mutex_unlock(&clients_lock);
}

static enum MHD_Result on_request(void *arg, struct MHD_Connection *c, const char *url, const char *method,
				  const char *version, const char *data, size_t *size, void **context)
{
	static int seen;

	(void)arg, (void)version, (void)data;
	/* libmicrohttpd calls first for the header, and may be answered when called again. */
	if (!*context) {
		*context = &seen;
		return MHD_YES;
	}
	if (*size) {
		*size = 0;		/* a request has no body that we want */
		return MHD_YES;
	}
	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return refuse(c, MHD_HTTP_METHOD_NOT_ALLOWED, 0, "GET and HEAD only\n");
	if (!strcmp(url, "/"))
		return answer_list(c);
	if (!strcmp(url, "/metrics"))
		return answer_all(c);
	if (*url != '/' || strlen(url) > SCRIPT_NAME)
		return refuse(c, MHD_HTTP_NOT_FOUND, 0, "there is no such script; / has a list\n");
	return answer_page(c, url + 1);
}

static void ignore_log(void *arg, const char *fmt, va_list ap)
{
	(void)arg, (void)fmt, (void)ap;	/* clients that go away are no news */
}

/* False also if this is still root, whose files the process could read and write without any capability. */
static bool give_up_rights(void)
{
#ifdef __SANITIZE_ADDRESS__
	bool memory = true;		/* AddressSanitizer's shadow maps terabytes */
#else
	bool memory = rights_limit(RLIMIT_AS, MEMORY);
#endif

	return memory && rights_limit(RLIMIT_CORE, 0) && rights_limit(RLIMIT_FSIZE, 0) &&
	       rights_limit(RLIMIT_NOFILE, FILES) && rights_drop() && geteuid();
}

int server_run(int listening, int keeper)
{
	struct pollfd hang_up = { keeper, 0, 0 };
	struct MHD_Daemon *daemon;

	keeper_socket = keeper;
	if (!give_up_rights()) {
		say_error("the process for clients can't give up root's rights; "
			  "are users and groups up to 65534 mapped in this container?");
		return 1;
	}
	/* Each further arena takes 64 MB of MEMORY, one for a client. */
	mallopt(M_ARENA_MAX, 1);
	daemon = MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL,
		0, NULL, NULL, on_request, NULL,
		MHD_OPTION_EXTERNAL_LOGGER, ignore_log, NULL,
		MHD_OPTION_LISTEN_SOCKET, listening,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned int)CLIENTS,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)CLIENT_SILENT,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CLIENT_MEMORY,
		MHD_OPTION_THREAD_STACK_SIZE, (size_t)CLIENT_STACK,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, NULL,
		MHD_OPTION_END);
	if (!daemon) {
		say_error("can't serve clients: %s", strerror(errno));
		return 1;
	}
	while (poll(&hang_up, 1, 1000) <= 0)
		end_slow_clients();
	return 0;
}
