// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests stapio's namer (loader/stapio/names/namer.c): programs made to hurt it cost their own names and nothing
 * else, with one message each, and the process has no rights.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../loader/stapio/names/binary.h"
#include "../../loader/stapio/names/namer.h"
#include "../../loader/stapio/names/namer_process.h"
#include "../../loader/stapio/names/sandbox.h"
#include "abi/stap_script.h"
#include "abi/utable.h"
#include "base/limits.h"
#include "check.h"

static char dir[] = "/tmp/stap-namer-XXXXXX";

/* ---- programs ---- */

static bool run(const char *format, ...)
{
	char *command;
	va_list ap;
	int status;

	va_start(ap, format);
	status = vasprintf(&command, format, ap) < 0 ? -1 : system(command);
	va_end(ap);
	free(command);
	return !status;
}

static struct namer_file file(const char *name, unsigned int number)
{
	struct namer_file f = { .number = number };
	char *path;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		exit(1);
	f.path = path;
	f.fd = open(path, O_RDONLY | O_CLOEXEC);
	CHECK(f.fd >= 0);
	return f;
}

/* The offset of the only function that the program has but main(); of main(), if it has no other. */
static uint64_t function_in(const struct namer_file *f)
{
	Elf *elf = elf_begin(f->fd, ELF_C_READ, NULL);
	uint64_t found = 0;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Sym sym;

	while ((scn = elf_nextscn(elf, scn)) && gelf_getshdr(scn, &sh)) {
		Elf_Data *d = sh.sh_type == SHT_SYMTAB ? elf_getdata(scn, NULL) : NULL;

		for (int i = 0; d && gelf_getsym(d, i, &sym); i++) {
			const char *name = elf_strptr(elf, sh.sh_link, sym.st_name);

			if (GELF_ST_BIND(sym.st_info) == STB_GLOBAL && name &&
			    (strstr(name, "bomb") || !strncmp(name, "_Z1f", 4) ||
			     (!strcmp(name, "main") && !found)))
				found = sym.st_value;
		}
	}
	elf_end(elf);
	return found & 0xfffff;		/* executables begin at 0 or 0x400000 */
}

/* ---- messages ---- */

static int messages;

static void begin_messages(void)
{
	fflush(stderr);
	messages = memfd_create("messages", 0);
	dup3(STDERR_FILENO, 100, O_CLOEXEC);
	dup2(messages, STDERR_FILENO);
}

/* Ends them; returns how many there were, and the text in *TEXT. */
static int end_messages(char *text, size_t room)
{
	ssize_t n = pread(messages, text, room - 1, 0);
	int lines = 0;

	dup2(100, STDERR_FILENO);
	close(messages);
	text[n > 0 ? n : 0] = '\0';
	for (const char *p = text; (p = strchr(p, '\n')); p++)
		lines++;
	return lines;
}

/* ---- tests ---- */

static struct namer *namer;
static struct namer_file good;

static void check_good(void)
{
	uint64_t at = function_in(&good);
	struct binary_names names = { 0 };

	CHECK(namer_find(namer, &good, at + 1, true, &names));
	CHECK(names.name && !strcmp(names.name, "bomb") && names.offset == 1);
	CHECK(names.nplaces == 1 && names.places[0].line == 4);
	binary_names_free(&names);
}

/* Has no names, says so once, and is asked for no more. */
static void check_bomb(const char *name, unsigned int number, const char *reason)
{
	struct namer_file f = file(name, number);
	struct binary_names names = { 0 };
	char said[1000];

	begin_messages();
	for (int i = 0; i < 3; i++)
		CHECK(!namer_find(namer, &f, function_in(&f), true, &names));
	CHECK(namer_table(namer, &f, ST_ASKS_SYMBOLS) < 0);
	CHECK(end_messages(said, sizeof(said)) == 1);
	CHECK(strstr(said, name) && strstr(said, reason));
	check_good();
}

static int table_of(const char *name, unsigned int number, struct st_utable *head)
{
	struct namer_file f = file(name, number);
	int table = namer_table(namer, &f, ST_ASKS_SYMBOLS | ST_ASKS_LINES);

	if (table >= 0 && pread(table, head, sizeof(*head), 0) != sizeof(*head))
		CHECK(!"a whole header");
	return table;
}

/* As many sections of relocations as linkage tables, all of them large. */
static void check_tables(void)
{
	struct st_utable head = { 0 };

	CHECK(table_of("good", 20, &head) >= 0 && head.magic == ST_UTABLE_MAGIC);
	CHECK(head.nsymbols >= 2 && head.nlines >= 4);
	CHECK(table_of("relocated", 21, &head) >= 0 && head.nsymbols >= 2);
}

static void check_escapes(void)
{
	struct namer_file f = file("escapes", 22);
	struct binary_names names = { 0 };

	CHECK(namer_find(namer, &f, function_in(&f), true, &names));
	CHECK(names.name && !strcmp(names.name, "bomb\\x1b[2Jend"));
	CHECK(names.nplaces == 1 && strstr(names.places[0].source, "\\x1b[1;1H."));
	binary_names_free(&names);
}

/* ---- rights ---- */

static bool refused(long result)
{
	return result == -1 && errno == EPERM;
}

/* In a child: what it could do after all, as bits. */
static int try_everything(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC), tried = 0, did = 0;
	struct stat st;
	char *none[] = { NULL };

	if (!sandbox_enter(4096))
		return 255;
#define TRY(what) did |= !refused((long)(what)) << tried++
	TRY(open("/etc/passwd", O_RDONLY));
	TRY(socket(AF_UNIX, SOCK_STREAM, 0));
	TRY(fork());
	TRY(execve("/bin/true", none, none));
	TRY(kill(getppid(), 0));
	TRY(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	TRY(setuid(0));
#undef TRY
	did |= (fstat(fd, &st) != 0) << 7;
	return did;
}

static void check_sandbox(void)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(try_everything());
	waitpid(pid, &status, 0);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Reads a line of the namer's file in /proc. */
static char *line_of(pid_t pid, const char *name, const char *start)
{
	static char line[256];
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, start, strlen(start)))
			break;
	if (f)
		fclose(f);
	return line;
}

static pid_t the_child(void)
{
	char path[64];
	int pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	f = fopen(path, "re");
	if (f && fscanf(f, "%d", &pid) != 1)
		pid = 0;
	if (f)
		fclose(f);
	return pid;
}

static void check_rights(void)
{
	pid_t pid = the_child();

	CHECK(pid > 0);
	if (!geteuid())
		CHECK(strstr(line_of(pid, "status", "Uid:"), "65534\t65534\t65534\t65534"));
	CHECK(strstr(line_of(pid, "status", "CapPrm:"), "0000000000000000"));
	CHECK(strstr(line_of(pid, "status", "CapEff:"), "0000000000000000"));
	CHECK(strstr(line_of(pid, "status", "NoNewPrivs:"), "1"));
	CHECK(strstr(line_of(pid, "status", "Seccomp:"), "2"));
	CHECK(strstr(line_of(pid, "limits", "Max core"), " 0 "));
#ifndef __SANITIZE_ADDRESS__
	CHECK(!strstr(line_of(pid, "limits", "Max address"), "unlimited"));
#endif
}

/* What hangs while ^C waits is not waited for long, and nothing is asked after it. */
static void check_hurry(void)
{
	struct namer_file f = file("doubling", 30);
	struct binary_names names = { 0 };
	char said[1000];

	namer_hurry(namer);
	check_good();
	begin_messages();
	CHECK(!namer_find(namer, &f, function_in(&f), true, &names));
	CHECK(!namer_find(namer, &good, function_in(&good), true, &names));
	CHECK(end_messages(said, sizeof(said)) == 2);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], NAMER_ARGUMENT))
		namer_process();
	elf_version(EV_CURRENT);
	if (!mkdtemp(dir) ||
	    !run("python3 %s/testsuite/programs/bombs.py gcc %s", STAP_SRCDIR, dir))
		return 1;
	namer = namer_new(-1);
	good = file("good", 1);
	check_sandbox();
	check_good();
	check_rights();
	check_escapes();
	check_tables();
	check_bomb("nested", 10, "Segmentation fault");
	check_bomb("doubling", 11, "takes too long");
	check_hurry();
	namer_free(namer);
	while (waitpid(-1, NULL, 0) > 0)
		;			/* would not return if one were alive */
	run("rm -r %s", dir);
	return failures != 0;
}
