/*
 * Traffic, in a network namespace of the program's own.
 *
 *	network talk inet|inet6		messages, options, disconnections, over loopback
 *	network tcp			all that TCP counts, for both IP versions
 *	network ip			two machines' packets, routed, cut and refused
 *
 * The last two tell counter() what the kernel's counters say at the end.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define PORT 4242
#define PATIENCE 2000		/* hundredths of a second until an event must have come */

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static long check(long result, const char *what)
{
	if (result < 0)
		fail(what);
	return result;
}

__attribute__((noinline)) void counter(const char *name, long value)
{
	asm volatile("" : : "r"(name), "r"(value) : "memory");
}

static void shell(const char *format, ...)
{
	char line[500];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (system(line)) {
		fprintf(stderr, "failed: %s\n", line);
		exit(1);
	}
}

/* Namespaces, each of which is a machine to the other one. */
static int machines[2], machine_count;

/* Makes a machine, in which the program is then; returns its number. */
static int new_machine(void)
{
	check(unshare(CLONE_NEWNET), "unshare");
	shell("ip link set lo up");
	machines[machine_count] = check(open("/proc/thread-self/ns/net", O_RDONLY), "ns/net");
	return machine_count++;
}

static void go_to(int machine)
{
	check(setns(machines[machine], CLONE_NEWNET), "setns");
}

/* ---- sockets over loopback */

static union address loopback(int family, int port)
{
	union address a = { 0 };

	a.any.sa_family = family;
	if (family == AF_INET) {
		a.v4.sin_port = htons(port);
		a.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	} else {
		a.v6.sin6_port = htons(port);
		a.v6.sin6_addr = in6addr_loopback;
	}
	return a;
}

static int open_socket(int family, int type)
{
	return check(socket(family, type, 0), "socket");
}

static int bound(int family, int type, int port)
{
	union address a = loopback(family, port);
	int fd = open_socket(family, type);

	check(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int)), "SO_REUSEADDR");
	check(bind(fd, &a.any, sizeof(a)), "bind");
	return fd;
}

static int listener(int family, int backlog)
{
	int fd = bound(family, SOCK_STREAM, PORT);

	check(listen(fd, backlog), "listen");
	return fd;
}

static int reach(int family, int fd, int port)
{
	union address a = loopback(family, port);

	return connect(fd, &a.any, sizeof(a));
}

static int connected(int family)
{
	int fd = open_socket(family, SOCK_STREAM);

	check(reach(family, fd, PORT), "connect");
	return fd;
}

static int accepted(int fd)
{
	return check(accept(fd, NULL, NULL), "accept");
}

static void option(int fd, int level, int name, int value)
{
	check(setsockopt(fd, level, name, &value, sizeof(value)), "setsockopt");
}

/* Makes a socket lose, or no longer lose, all that arrives. */
static void lose(int fd, bool lose)
{
	struct sock_filter drop = BPF_STMT(BPF_RET | BPF_K, 0);
	struct sock_fprog program = { 1, &drop };

	check(setsockopt(fd, SOL_SOCKET, lose ? SO_ATTACH_FILTER : SO_DETACH_FILTER, &program,
			 sizeof(program)), "SO_ATTACH_FILTER");
}

/* ---- talk */

static void talk_tcp(int family)
{
	int waiting = listener(family, 5), client = bound(family, SOCK_STREAM, PORT + 1), server;
	struct iovec parts[2] = { { "ab", 2 }, { "cde", 3 } };
	struct sockaddr none = { .sa_family = AF_UNSPEC };
	char text[20];

	check(reach(family, client, PORT), "connect");
	server = accepted(waiting);
	option(client, IPPROTO_TCP, TCP_NODELAY, 1);
	if (family == AF_INET6)
		option(client, IPPROTO_IPV6, IPV6_UNICAST_HOPS, 9);
	else
		option(client, IPPROTO_IP, IP_TTL, 9);
	check(send(client, "hello", 5, 0), "send");
	check(recv(server, text, 5, MSG_WAITALL), "recv");
	check(writev(client, parts, 2), "writev");
	check(read(server, text, 10), "read");
	check(connect(client, &none, sizeof(none)), "connect to nobody");
	close(client);
	close(server);
	close(waiting);
}

static void talk_udp(int family)
{
	int server = bound(family, SOCK_DGRAM, PORT), client = bound(family, SOCK_DGRAM, PORT + 1);
	union address to = loopback(family, PORT), from;
	struct sockaddr none = { .sa_family = AF_UNSPEC };
	socklen_t size = sizeof(from);
	char text[20];

	check(sendto(client, "abc", 3, 0, &to.any, sizeof(to)), "sendto");
	check(recvfrom(server, text, sizeof(text), 0, &from.any, &size), "recvfrom");
	check(reach(family, client, PORT), "connect");
	check(send(client, "defg", 4, 0), "send");
	check(recv(server, text, sizeof(text), 0), "recv");
	check(connect(client, &none, sizeof(none)), "connect to nobody");
	close(client);
	close(server);
}

/* ---- the kernel's counters */

static const char *const names[] = {
	"ActiveOpens", "PassiveOpens", "AttemptFails", "EstabResets", "CurrEstab", "InSegs",
	"OutSegs", "RetransSegs", "OutRsts",
	"DelayedACKs", "ListenOverflows", "ListenDrops", "TCPMemoryPressures",
	"InReceives", "InAddrErrors", "InUnknownProtos", "InDiscards", "ForwDatagrams",
	"OutRequests", "InNoRoutes", "ReasmTimeout", "ReasmReqds", "FragOKs", "FragFails",
};
#define NAMES (sizeof(names) / sizeof(*names))

static long counts[NAMES];

static int number_of(const char *name)
{
	for (unsigned int i = 0; i < NAMES; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

/* Adds the counters of a file in which a line of names is above each line of values. */
static void add_counts(const char *path, const char *const *groups)
{
	static char heads[8192], values[8192];
	FILE *f = fopen(path, "r");
	char *a, *b;

	if (!f)
		fail(path);
	while (fgets(heads, sizeof(heads), f) && fgets(values, sizeof(values), f)) {
		char *name = strtok_r(heads, " \n", &a), *value = strtok_r(values, " \n", &b);
		bool wanted = false;

		for (int i = 0; groups[i]; i++)
			wanted |= !strcmp(groups[i], name);
		while (wanted && (name = strtok_r(NULL, " \n", &a)) &&
		       (value = strtok_r(NULL, " \n", &b)))
			if (number_of(name) >= 0)
				counts[number_of(name)] += strtol(value, NULL, 10);
	}
	fclose(f);
}

/* Reads the counters anew, those of all machines; ends in the first. */
static void read_counts(void)
{
	static const char *const groups[] = { "Ip:", "Tcp:", "IpExt:", "TcpExt:", NULL };

	memset(counts, 0, sizeof(counts));
	for (int i = machine_count; i--;) {
		go_to(i);
		add_counts("/proc/thread-self/net/snmp", groups);
		add_counts("/proc/thread-self/net/netstat", groups);
	}
}

static long count(const char *name)
{
	read_counts();
	return counts[number_of(name)];
}

/* Waits until a counter has a value. */
static void await(const char *name, long value)
{
	for (int i = 0; count(name) < value; i++) {
		if (i == PATIENCE) {
			fprintf(stderr, "%s is still %ld\n", name, count(name));
			exit(1);
		}
		usleep(10000);
	}
}

static void tell_counts(void)
{
	read_counts();
	for (unsigned int i = 0; i < NAMES; i++)
		counter(names[i], counts[i]);
}

/* ---- tcp */

/* Sends segments until an acknowledgement was delayed: the first ones after a loss may not be. */
static void delay_ack(int client, int server)
{
	long before = count("DelayedACKs");

	for (int i = 0; count("DelayedACKs") == before; i++) {
		if (i == PATIENCE / 50) {
			fprintf(stderr, "no acknowledgement was delayed\n");
			exit(1);
		}
		option(server, IPPROTO_TCP, TCP_QUICKACK, 0);
		check(send(client, "abc", 3, 0), "send");
		usleep(500000);
	}
}

/* A segment is lost and sent again; acknowledgements are delayed. */
static void lose_segments(int client, int server)
{
	char text[20];

	lose(server, true);
	check(send(client, "abc", 3, 0), "send");
	await("RetransSegs", count("RetransSegs") + 1);
	lose(server, false);
	check(recv(server, text, 3, MSG_WAITALL), "recv");

	delay_ack(client, server);
}

/* A full listener refuses; what it answered is lost, so that both sides try again, and the
 * client resets what it has given up by then. */
static void refuse(int family)
{
	int waiting = listener(family, 1), first = connected(family), last = connected(family);
	int second = open_socket(family, SOCK_STREAM), third;

	/* A queue for none is full on 5.10, which answers with cookies then, and retransmits nothing. */
	fcntl(second, F_SETFL, O_NONBLOCK);
	reach(family, second, PORT);
	await("ListenDrops", count("ListenDrops") + 2);
	close(second);
	close(accepted(waiting));
	close(accepted(waiting));
	close(first);
	close(last);

	third = open_socket(family, SOCK_STREAM);
	fcntl(third, F_SETFL, O_NONBLOCK);
	lose(third, true);
	reach(family, third, PORT);
	await("RetransSegs", count("RetransSegs") + 2);
	long failed = count("AttemptFails");

	close(third);
	await("AttemptFails", failed + 1);
	close(waiting);
}

static void tcp(int family)
{
	int waiting = listener(family, 5), client = connected(family), server = accepted(waiting);
	int none = open_socket(family, SOCK_STREAM);

	lose_segments(client, server);
	reach(family, none, PORT + 7);
	close(none);
	check(send(server, "unread", 6, 0), "send");
	close(client);
	await("EstabResets", count("EstabResets"));
	close(server);
	client = connected(family);
	server = accepted(waiting);
	close(waiting);
	close(client);
	close(server);
	refuse(family);
}

/* Buffers of more than a page are pressure when one page is much. */
static void press(void)
{
	int waiting = listener(AF_INET, 5), client = connected(AF_INET), server = accepted(waiting);
	static const char tcp_mem[] = "/proc/sys/net/ipv4/tcp_mem";
	static char much[100000];

	fcntl(client, F_SETFL, O_NONBLOCK);
	shell("nsenter -n -t 1 sh -c 'cat %s > /tmp/tcp_mem; echo 1 1 100000 > %s'", tcp_mem, tcp_mem);
	for (int i = 0; i < 20; i++)
		send(client, much, sizeof(much), 0);
	await("TCPMemoryPressures", 1);
	shell("nsenter -n -t 1 sh -c 'cat /tmp/tcp_mem > %s'", tcp_mem);
	close(client);
	close(server);
	close(waiting);
}

/* ---- ip: the other machine, 10.0.0.2, reaches this one, 10.0.0.1, and a net behind it, 10.1 */

static struct sockaddr_in ipv4(const char *address)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(PORT) };

	inet_pton(AF_INET, address, &to.sin_addr);
	return to;
}

/* Sends a packet with a header of our own: a fragment, or one of a protocol that nobody knows. */
static void send_raw(int protocol, int fragment)
{
	struct sockaddr_in to = ipv4("10.0.0.1");
	struct {
		struct iphdr ip;
		char data[64];
	} packet = { { .version = 4, .ihl = 5, .ttl = 64, .protocol = protocol,
		       .frag_off = htons(fragment), .id = htons(77),
		       .daddr = to.sin_addr.s_addr }, "" };
	int fd = check(socket(AF_INET, SOCK_RAW, IPPROTO_RAW), "raw socket");

	check(sendto(fd, &packet, sizeof(packet), 0, (struct sockaddr *)&to, sizeof(to)), "send raw");
	close(fd);
}

/* Sends so many bytes to an address; the packet may be cut, or must not be (IP_PMTUDISC_...). */
static void send_datagram(const char *address, int bytes, int discover)
{
	static char data[10000];
	struct sockaddr_in to = ipv4(address);
	int fd = open_socket(AF_INET, SOCK_DGRAM);

	option(fd, IPPROTO_IP, IP_MTU_DISCOVER, discover);
	check(sendto(fd, data, bytes, 0, (struct sockaddr *)&to, sizeof(to)), "send datagram");
	close(fd);
}

static void lay_cables(int here, int other)
{
	go_to(here);
	shell("ip link add v0 type veth peer name v1 && ip link set v1 netns /proc/%d/fd/%d && "
	      "ip addr add 10.0.0.1/24 dev v0 && ip link set v0 up && "
	      "ip link add d0 type dummy && ip addr add 10.1.0.1/24 dev d0 && "
	      "ip link set d0 mtu 1000 up && sysctl -q -w net.ipv4.ipfrag_time=1 && "
	      "sysctl -q -w net.ipv4.conf.all.forwarding=0", getpid(), machines[other]);
	go_to(other);
	shell("ip addr add 10.0.0.2/24 dev v1 && ip link set v1 up && "
	      "ip route add default via 10.0.0.1");
}

/* Does what increments a counter, in the other machine, and waits until it does. */
#define SEE(name, other, action) do { \
	long before = count(name); \
	go_to(other); \
	action; \
	await(name, before + 1); \
} while (0)

static void ip(void)
{
	int other = new_machine();

	lay_cables(0, other);
	SEE("InAddrErrors", other, send_datagram("10.9.0.1", 10, IP_PMTUDISC_DONT));
	go_to(0);
	shell("sysctl -q -w net.ipv4.conf.all.forwarding=1");
	SEE("InNoRoutes", other, send_datagram("10.9.0.1", 10, IP_PMTUDISC_DONT));
	SEE("ForwDatagrams", other, send_datagram("10.1.0.2", 10, IP_PMTUDISC_DONT));
	SEE("FragOKs", other, send_datagram("10.1.0.2", 1200, IP_PMTUDISC_DONT));
	SEE("FragFails", other, send_datagram("10.1.0.2", 1200, IP_PMTUDISC_DO));
	SEE("ReasmReqds", other, send_datagram("10.0.0.1", 4000, IP_PMTUDISC_DONT));
	SEE("InUnknownProtos", other, send_raw(253, 0));
	SEE("ReasmTimeout", other, send_raw(IPPROTO_UDP, IP_MF));
}

int main(int argc, char **argv)
{
	int family = argc > 2 && !strcmp(argv[2], "inet6") ? AF_INET6 : AF_INET;

	new_machine();
	if (argc > 1 && !strcmp(argv[1], "talk")) {
		talk_tcp(family);
		talk_udp(family);
	} else if (argc > 1 && !strcmp(argv[1], "tcp")) {
		tcp(AF_INET);
		tcp(AF_INET6);
		press();
		tell_counts();
	} else if (argc > 1 && !strcmp(argv[1], "ip")) {
		ip();
		tell_counts();
	}
	return 0;
}
