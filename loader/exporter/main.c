// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-exporter: serves what scripts count to Prometheus.
 *
 *	stap-exporter --scripts /etc/stap-exporter
 *	curl http://localhost:9900/reads.stp
 *
 * A script's page is the file of its prometheus probe.  This program is two processes: keeper.h and server.h.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/self.h"
#include "common/say.h"
#include "config.h"
#include "keeper.h"

#define DEFAULT_PORT "9900"
#define DEFAULT_ADDRESS "127.0.0.1"
#define DEFAULT_KEEPALIVE 300
#define FIRST_PASSED 3		/* the descriptor of systemd's socket unit: sd_listen_fds(3) */

static void usage(FILE *f)
{
	fputs("usage: stap-exporter [OPTIONS]\n"
	      "  Serves what scripts count to Prometheus: http://localhost:9900/NAME.stp is the page\n"
	      "  of the prometheus probe of a script, /metrics those of all scripts that run.\n"
	      "  -s, --scripts DIRECTORY    where the scripts are, instead of " SCRIPTS_DIR "\n"
	      "  -p, --port PORT            listen here, instead of " DEFAULT_PORT "\n"
	      "  -a, --address ADDRESS      listen for other machines too: 0.0.0.0 or :: is any address\n"
	      "  -k, --keepalive SECONDS    stop a script that nobody has asked for so long; 300\n"
	      "                             if not given, 0: never\n", f);
}

static bool read_number(const char *text, unsigned long most, unsigned long *n)
{
	char *end;

	errno = 0;
	*n = strtoul(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *n <= most;
}

/* Returns the socket that systemd listens on for us, or -1. */
static int passed_socket(void)
{
	const char *pid = getenv("LISTEN_PID"), *n = getenv("LISTEN_FDS");
	unsigned long number;
	bool passed = pid && n && read_number(pid, INT_MAX, &number) && number == (unsigned long)getpid() &&
		      read_number(n, 1, &number) && number == 1;

	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	return passed ? FIRST_PASSED : -1;
}

/* Returns a listening socket, or -1 after a message. */
static int listen_at(const char *address, const char *port)
{
	struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE, .ai_socktype = SOCK_STREAM,
	}, *at;
	int fd, error = getaddrinfo(address, port, &hints, &at), yes = 1;

	if (error) {
		say_error("can't listen at %s: %s", address, gai_strerror(error));
		return -1;
	}
	fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) ||
	    bind(fd, at->ai_addr, at->ai_addrlen) || listen(fd, SOMAXCONN)) {
		say_error("can't listen at %s, port %s: %s", address, port, strerror(errno));
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	freeaddrinfo(at);
	return fd;
}

int main(int argc, char **argv)
{
	static const struct option names[] = {
		{ "address", required_argument, NULL, 'a' },
		{ "help", no_argument, NULL, 'h' },
		{ "keepalive", required_argument, NULL, 'k' },
		{ "port", required_argument, NULL, 'p' },
		{ "scripts", required_argument, NULL, 's' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	char stap[PATH_MAX];
	struct exporter exporter = {
		.stap = self_beside("stap", stap) ? stap : STAP_BINDIR "/stap",
		.modules = "/proc/systemtap", .directory = SCRIPTS_DIR, .keepalive = DEFAULT_KEEPALIVE,
	};
	const char *address = DEFAULT_ADDRESS, *port = DEFAULT_PORT;
	struct scripts scripts;
	unsigned long n;
	int c, listening;

	while ((c = getopt_long(argc, argv, "a:hk:p:s:V", names, NULL)) != -1) {
		switch (c) {
		case 'a':
			address = optarg;
			break;
		case 'h':
			usage(stdout);
			return 0;
		case 'k':
			if (!read_number(optarg, 1000000000, &n)) {
				say_error("-k takes a number of seconds, not '%s'", optarg);
				return 1;
			}
			exporter.keepalive = n;
			break;
		case 'p':
			if (!read_number(optarg, 65535, &n) || !n) {
				say_error("-p takes a port, 1 to 65535, not '%s'", optarg);
				return 1;
			}
			port = optarg;
			break;
		case 's':
			exporter.directory = optarg;
			break;
		case 'V':
			puts("stap-exporter (version " VERSIONS ")");
			return 0;
		default:
			usage(stderr);
			return 1;
		}
	}
	if (optind < argc) {
		say_error("stap-exporter takes no arguments, such as '%s'", argv[optind]);
		return 1;
	}
	listening = passed_socket();
	if (!scripts_find(&scripts, &exporter))
		return 1;
	if (listening < 0)
		listening = listen_at(address, port);
	return listening < 0 ? 1 : keeper_run(&scripts, listening);
}
