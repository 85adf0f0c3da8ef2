// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-exporter with a stap of our own, a shell script: its modules are directories with a file. What clients
 * get, when scripts are started and stopped, and that nobody who is slow holds up another.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "exporter/keeper.h"
#include "exporter/metrics.h"

/* stap SCRIPT -m MODULE: the script is the page, unless its first line is a command.  One that is held has no
 * module until the test says go. */
static const char stap[] =
	"#!/bin/sh\n"
	"s=$1 d=$TMPDIR/modules/$3\n"
	"echo started >> $s.log; echo $$ > $s.pid; child=\n"
	"trap '[ -z \"$child\" ] || kill $child; rm -rf $d; echo stopped >> $s.log; exit 0' TERM\n"
	"case $(head -n 1 $s) in\n"
	"held*) until [ -e $TMPDIR/go ]; do sleep 0.05; done ;;\n"
	"esac\n"
	"mkdir -p $d\n"
	"case $(head -n 1 $s) in\n"
	"fail) exit 3 ;;\n"
	"nothing) ;;\n"
	"pipe) mkfifo $d/new; sleep 1000 <> $d/new & child=$!; mv $d/new $d/__prometheus ;;\n"
	"*) cp $s $d/new; mv $d/new $d/__prometheus ;;\n"
	"esac\n"
	"while :; do sleep 0.05; done\n";

static char top[200];			/* TMPDIR */
static unsigned short port;

static char *in_top(const char *name)
{
	static char paths[4][300];
	static int n;

	n = (n + 1) % 4;
	snprintf(paths[n], sizeof(paths[n]), "%s/%s", top, name);
	return paths[n];
}

static void write_file(const char *name, const char *text, mode_t mode)
{
	int fd = open(in_top(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

/* How often the script was told to do this. */
static int logged(const char *script, const char *what)
{
	char name[100], line[100];
	FILE *f;
	int n = 0;

	snprintf(name, sizeof(name), "scripts/%s.log", script);
	f = fopen(in_top(name), "re");
	while (f && fgets(line, sizeof(line), f))
		n += !strncmp(line, what, strlen(what));
	if (f)
		fclose(f);
	return n;
}

static int connected(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = port,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK(fd >= 0 && !connect(fd, (struct sockaddr *)&to, sizeof(to)));
	return fd;
}

/* With HEADER, another line of the request. */
static int request_with(const char *header, const char *method, const char *path)
{
	int fd = connected();

	dprintf(fd, "%s %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n", method, path, header);
	return fd;
}

static int request(const char *method, const char *path)
{
	return request_with("", method, path);
}

/* Returns the whole answer to a request, and closes its connection. */
static char *answer_of(int fd)
{
	size_t len = 0, room = 1 << 16;
	char *answer = malloc(room + 1);
	ssize_t n;

	while ((n = read(fd, answer + len, room - len)) > 0) {
		len += n;
		if (len == room)
			answer = realloc(answer, (room *= 2) + 1);
	}
	answer[len] = 0;
	close(fd);
	return answer;
}

static char *asked(const char *method, const char *path)
{
	return answer_of(request(method, path));
}

/* Asks until the answer has this text: for what takes its time.  The test's own time is the limit. */
static void wait_for(const char *path, const char *text)
{
	for (;;) {
		char *answer = asked("GET", path);
		bool found = strstr(answer, text);

		free(answer);
		if (found)
			return;
		poll(NULL, 0, 50);
	}
}

static void expect(const char *method, const char *path, const char *status, const char *text)
{
	char *answer = asked(method, path);

	if (strncmp(answer, status, strlen(status)) || !strstr(answer, text)) {
		fprintf(stderr, "%s %s: %.500s\nnot %s … %s\n", method, path, answer, status, text);
		failures++;
	}
	free(answer);
}

#define OK "HTTP/1.1 200"
#define LATER "HTTP/1.1 503"

static void pages(void)
{
	expect("GET", "/", OK, "/autostart-net.stp\t");
	expect("GET", "/", OK, "/reads.stp\tnot running\n");
	expect("GET", "/reads.stp", OK, "\r\n\r\n# TYPE reads counter\nreads{comm=\"cat\"} 7\n");
	expect("GET", "/reads.stp", OK, "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n");
	expect("GET", "/reads.stp?a=b", OK, "reads{comm=\"cat\"} 7\n");
	expect("GET", "/reads.stp", OK, "# stap-exporter has left out 1 of the script's lines; line 3: no number\n");
	expect("HEAD", "/reads.stp", OK, "\r\n\r\n");
	CHECK(logged("reads.stp", "started") <= 1 + logged("reads.stp", "stopped"));
	expect("GET", "/", OK, "/reads.stp\trunning\n");
	expect("GET", "/absent.stp", "HTTP/1.1 404", "no such script");
	expect("GET", "/../scripts/reads.stp", "HTTP/1.1 404", "no such script");
	expect("GET", "/.", "HTTP/1.1 404", "no such script");
	expect("GET", "/reads.stp.log", "HTTP/1.1 404", "no such script");
	expect("GET", "//", "HTTP/1.1 404", "no such script");
	expect("POST", "/reads.stp", "HTTP/1.1 405", "GET and HEAD only");
	expect("nonsense", "/reads.stp", "HTTP/1.1 405", "GET and HEAD only");
	expect("GET", "/failing.stp", LATER, "failing.stp has ended");
	expect("GET", "/failing.stp", LATER, "Retry-After: ");
	expect("GET", "/nothing.stp", LATER, "no prometheus probe");
}

#define ACCEPT "Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5\r\n"

/* A page, and all, as OpenMetrics: nothing follows the end. */
static void open_metrics(void)
{
	char *one = answer_of(request_with(ACCEPT, "GET", "/reads.stp"));
	char *all = answer_of(request_with(ACCEPT, "GET", "/metrics"));
	static const char end[] = "\n# EOF\n";

	CHECK(strstr(one, "Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"));
	CHECK(strstr(one, "\r\n\r\n# TYPE reads unknown\nreads{comm=\"cat\"} 7\n# EOF\n"));
	CHECK(strstr(all, "\n# TYPE stap_exporter_script_starts counter\n"
			  "stap_exporter_script_starts_total{"));
	CHECK(strstr(all, "\n# UNIT stap_exporter_script_read_seconds seconds\n"));
	CHECK(strlen(one) > strlen(end) && !strcmp(one + strlen(one) - strlen(end), end));
	CHECK(strlen(all) > strlen(end) && !strcmp(all + strlen(all) - strlen(end), end));
	free(one);
	free(all);
}

static void metrics(void)
{
	free(asked("GET", "/reads.stp"));
	wait_for("/metrics", "net{script=\"autostart-net.stp\"} 3\n");
	expect("GET", "/metrics", OK, "reads{script=\"reads.stp\",comm=\"cat\"} 7\n");
	expect("GET", "/metrics", OK, "\nstap_exporter_script_up{script=\"reads.stp\"} 1\n");
	expect("GET", "/metrics", OK, "\nstap_exporter_script_up{script=\"failing.stp\"} 0\n");
	expect("GET", "/metrics", OK, "\nstap_exporter_script_series{script=\"reads.stp\"} 1\n");
	expect("GET", "/metrics", OK, "\nstap_exporter_script_left_out{script=\"reads.stp\"} 1\n");
	expect("GET", "/metrics", OK, "\nstap_exporter_info{version=\"");
	CHECK(!logged("idle.stp", "started"));
}

/* Of four scripts that clients want at once two start; the others do when these have, and are asked for again. */
static void starts(void)
{
	enum { HELD = 4 };
	int fds[HELD], starting = 0, waiting = 0, started = 0;
	char path[] = "/held-0.stp";

	for (int i = 0; i < HELD; i++) {
		path[6] = '0' + i;
		fds[i] = request("GET", path);
	}
	for (int i = 0; i < HELD; i++) {
		char *answer = answer_of(fds[i]);

		starting += !!strstr(answer, " is starting\n");
		waiting += !!strstr(answer, " waits until other scripts have started\n");
		free(answer);
		path[6] = '0' + i;
		started += logged(path + 1, "started");
	}
	CHECK(starting == 2 && waiting == 2 && started == 2);
	write_file("go", "", 0600);
	for (int i = 0; i < HELD; i++) {
		path[6] = '0' + i;
		wait_for(path, "held 1\n");
	}
}

/* 10,001 series: the last is left out. */
static void many(void)
{
	char *answer = asked("GET", "/many.stp");

	CHECK(strstr(answer, "\nmany{n=\"0\"} 1\n") && strstr(answer, "\nmany{n=\"9999\"} 1\n"));
	CHECK(!strstr(answer, "\nmany{n=\"10000\"} 1\n") && strstr(answer, "line 10001: too many series\n"));
	free(answer);
}

static void *ask_slow_page(void *arg)
{
	free(asked("GET", "/pipe.stp"));
	return arg;
}

/* The server's address space stays far below its limit, however many threads it has had: in kB. */
static void memory(pid_t keeper)
{
	char path[100], line[200];
	int server = 0, peak = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", keeper, keeper);
	f = fopen(path, "re");
	CHECK(f && fscanf(f, "%d", &server) == 1);
	if (f)
		fclose(f);
	snprintf(path, sizeof(path), "/proc/%d/status", server);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "VmPeak: %d", &peak);
	if (f)
		fclose(f);
#ifndef __SANITIZE_ADDRESS__
	CHECK(peak && peak < 200 << 10);
#endif
}

/* A handler that doesn't return and clients that never read: others are served, by one connection after the
 * other. */
static void slow(void)
{
	enum { CLIENTS = 10 };
	int fds[CLIENTS];
	pthread_t thread;

	CHECK(!pthread_create(&thread, NULL, ask_slow_page, NULL));
	wait_for("/", "/pipe.stp\trunning\n");
	for (int i = 0; i < CLIENTS; i++) {
		int little = 1;

		fds[i] = connected();
		setsockopt(fds[i], SOL_SOCKET, SO_RCVBUF, &little, sizeof(little));
		/* The last have not even said what they want. */
		if (i < CLIENTS / 2)
			dprintf(fds[i], "GET /many.stp HTTP/1.1\r\nHost: localhost\r\n\r\n");
		else
			dprintf(fds[i], "GET /ma");
	}
	for (int i = 0; i < 50; i++)
		expect("GET", "/reads.stp", OK, "reads{comm=\"cat\"} 7\n");
	/* They are all hung up on, and so is the page's reader. */
	for (int i = CLIENTS / 2; i < CLIENTS; i++) {
		char c;

		while (read(fds[i], &c, 1) > 0)
			;
	}
	for (int i = 0; i < CLIENTS; i++)
		close(fds[i]);
	pthread_join(thread, NULL);
}

/* Returns the process that the script was last started as, if it is still there. */
static pid_t process_of(const char *script)
{
	char name[100];
	FILE *f;
	int pid = 0;

	snprintf(name, sizeof(name), "scripts/%s.pid", script);
	f = fopen(in_top(name), "re");
	CHECK(f && fscanf(f, "%d", &pid) == 1);
	if (f)
		fclose(f);
	return pid && !kill(pid, 0) ? pid : 0;
}

/* One that is killed is started again; one that nobody wants is stopped, the other not. */
static void restarts(void)
{
	pid_t pid = process_of("autostart-net.stp");
	int started;

	CHECK(pid > 0 && !kill(pid, SIGKILL));
	wait_for("/metrics", "stap_exporter_script_starts_total{script=\"autostart-net.stp\"} 2\n");
	expect("GET", "/metrics", OK, "stap_exporter_script_ends_total{script=\"autostart-net.stp\"} 1\n");
	wait_for("/", "/reads.stp\tnot running\n");
	CHECK(!process_of("reads.stp") && logged("reads.stp", "stopped") == logged("reads.stp", "started"));
	started = logged("reads.stp", "started");
	expect("GET", "/reads.stp", OK, "reads{comm=\"cat\"} 7\n");
	CHECK(logged("reads.stp", "started") == started + 1);
	CHECK(!logged("autostart-net.stp", "stopped"));
	CHECK(logged("failing.stp", "started") == 1 || logged("failing.stp", "started") == 2);
}

static int listening(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK(fd >= 0 && !bind(fd, (struct sockaddr *)&at, sizeof(at)) && !listen(fd, 100) &&
	      !getsockname(fd, (struct sockaddr *)&at, &len));
	port = at.sin_port;
	return fd;
}

static void make_scripts(void)
{
	FILE *f;

	mkdir(in_top("scripts"), 0755);
	mkdir(in_top("modules"), 0755);
	write_file("stap", stap, 0755);
	write_file("scripts/reads.stp", "# TYPE reads counter\nreads{comm=\"cat\"} 7\nwords\n", 0644);
	write_file("scripts/autostart-net.stp", "net 3\n", 0644);
	write_file("scripts/idle.stp", "idle 1\n", 0644);
	write_file("scripts/failing.stp", "fail\n", 0644);
	write_file("scripts/nothing.stp", "nothing\n", 0644);
	write_file("scripts/held-0.stp", "held 1\n", 0644);
	write_file("scripts/held-1.stp", "held 1\n", 0644);
	write_file("scripts/held-2.stp", "held 1\n", 0644);
	write_file("scripts/held-3.stp", "held 1\n", 0644);
	write_file("scripts/pipe.stp", "pipe\n", 0644);
	write_file("scripts/writable.stp", "others 1\n", 0644);
	chmod(in_top("scripts/writable.stp"), 0666);
	f = fopen(in_top("scripts/many.stp"), "we");
	for (int i = 0; i <= METRICS_SERIES; i++)
		fprintf(f, "many{n=\"%d\"} 1\n", i);
	fclose(f);
}

int main(void)
{
	struct exporter exporter = { .keepalive = 6 };
	struct scripts scripts;
	const char *tmp = getenv("TMPDIR") ?: "/tmp";
	int status, fd = listening();
	pid_t pid;

	/* The whole path must be only ours: the exporter looks. */
	snprintf(top, sizeof(top), "%s/exporter-XXXXXX", tmp);
	if (!mkdtemp(top))
		return 1;
	setenv("TMPDIR", top, 1);
	make_scripts();
	exporter.stap = strdup(in_top("stap"));
	exporter.modules = strdup(in_top("modules"));
	exporter.directory = strdup(in_top("scripts"));
	if (!scripts_find(&scripts, &exporter))
		return 1;
	CHECK(scripts.n == 11 && !scripts_named(&scripts, "writable.stp"));
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);	/* if this test is killed */
		_exit(keeper_run(&scripts, fd));
	}
	close(fd);
	pages();
	metrics();
	open_metrics();
	starts();
	many();
	slow();
	memory(pid);
	restarts();
	kill(pid, SIGTERM);
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status));
	CHECK(logged("reads.stp", "stopped") == logged("reads.stp", "started"));
	CHECK(!process_of("reads.stp") && !process_of("autostart-net.stp") && !process_of("pipe.stp"));
	return failures != 0;
}
