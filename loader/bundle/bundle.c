// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-bundle: the program in front of a bundle's modules (bundle.h), which is staprun and stapio in
 * one.
 *
 *	./bundle [options of staprun]	is staprun, with the module that is for the running kernel
 *	stapio …			is what that executes, from the same file, for the output
 *
 * With --attach, --stop or --sessions it is about sessions that were detached (stapio/kept), and needs no module.
 * A bundle of an intermediate program needs no staprun (program.c).  "--clock PREFIX", "--input PREFIX PID"
 * and "--streams COMMAND…" are for stap --remote (clock.c, input.c, streams.c).
 *
 * It is linked statically, because there may be nothing else on the machine. What can't be had that way
 * is left out: debuginfod's client (no_libraries.c), and other sources of users' names than
 * /etc/passwd.
 *
 * Nothing is unpacked. The file is read once, from /proc/self/exe, so it is the file that runs whatever
 * its name means by then, and checked as a whole before a module is looked at; the module that fits is
 * inserted from memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <nss.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/self.h"
#include "bundle.h"
#include "common/control.h"
#include "common/module.h"
#include "common/say.h"
#include "parts.h"
#include "stapio/kept/attach.h"
#include "staprun/run.h"
#include "stapio/stapio.h"

static const char *own_name;		/* as it was called */
static char *image;			/* its bytes, checked */
static struct bundle own;

/* Returns false after a message. */
static bool read_itself(void)
{
	int fd = open(SELF_EXE, O_RDONLY | O_CLOEXEC);
	const char *why = NULL;
	size_t size = 0;

	image = fd < 0 ? NULL : control_read_all(fd, &size);
	if (!image)
		say_error("can't read '%s' by " SELF_EXE ": %s", own_name, strerror(errno));
	else if ((why = bundle_open(&own, image, size)))
		say_error("the bundle '%s' is damaged: %s; copy it again", own_name, why);
	if (fd >= 0)
		close(fd);
	return image && !why;
}

static int take(struct module_file *m, const struct bundle *b, unsigned int i)
{
	struct bundle_entry e = bundle_entry(b, i);
	char *image = malloc(e.size);

	if (image)
		return module_take(m, own_name, memcpy(image, b->image + e.offset, e.size), e.size);
	say_error("no memory left");
	return -1;
}

/* Reports that no module fits, and which kernels the modules are for. */
static int none_fits(const struct bundle *b, const struct running_kernel *k)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool other_build = false;
	struct module_file m;

	for (unsigned int i = 0; f && i < b->modules; i++) {
		if (take(&m, b, i))
			continue;
		fprintf(f, "%s%.*s", i ? ", " : "", module_release_length(&m), m.vermagic);
		if (module_fit(&m, k) == MODULE_OTHER_BUILD) {
			fprintf(f, " of another build (build-id %s)", m.build_id);
			other_build = true;
		}
		module_free(&m);
	}
	if (f && !fclose(f))
		say_error("'%s' has no module for this machine's kernel, %s%s%s%s, but for %s", own_name,
			  k->release, other_build ? " (build-id " : "", other_build ? k->build_id : "",
			  other_build ? ")" : "", text);
	free(text);
	return -1;
}

static int choose_from(const struct bundle *b, struct module_file *m)
{
	struct running_kernel k;

	module_find_running(&k);
	for (unsigned int i = 0; i < b->modules; i++) {
		if (take(m, b, i))
			return -1;
		if (module_fit(m, &k) == MODULE_FITS)
			return 0;
		module_free(m);
	}
	return none_fits(b, &k);
}

static int choose(struct module_file *m)
{
	int status = choose_from(&own, m);

	free(image);
	return status;
}

int main(int argc, char **argv)
{
	/*
	 * Otherwise glibc would load the machine's own libraries, which may be of another version.
	 */
	__nss_configure_lookup("passwd", "files");
	own_name = argc ? argv[0] : "bundle";
	if (argc > 1 && !strcmp(argv[0], "stapio")) {
		prctl(PR_SET_NAME, "stapio");
		return stapio(argc, argv);
	}
	if (argc > 1 && attach_takes(argv[1]))
		return attach(argc, argv);
	if (argc == 3 && !strcmp(argv[1], "--clock"))
		return tell_clock(argv[2]);
	if (argc == 4 && !strcmp(argv[1], "--input"))
		return relay_input(argv[2], atoi(argv[3]));
	if (argc > 2 && !strcmp(argv[1], "--streams"))
		return carry_streams(argv + 2);
	if (!read_itself())
		return 1;
	return own.is_program ? become_program(&own, argc, argv) : staprun(argc, argv, choose);
}
