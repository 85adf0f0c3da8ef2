// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes a bundle (--bundle): compiles the script for each kernel of -r, each in a child process, since a
 * session is for one kernel, and writes the modules behind the program stap-bundle (lib/bundle.h).  With
 * --runtime=user it is one intermediate program instead, for all kernels; for --remote, where no module can be made
 * for the host's kernel, one for that.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/sbuf.h"
#include "base/self.h"
#include "bundle.h"
#include "cli/option_table.h"
#include "cli/passes.h"
#include "session.h"

/* A bundle that is being made. */
struct made {
	struct sbuf image;
	struct bundle_entry entries[BUNDLE_MODULES_MOST];
	unsigned int modules;
};

/* What a child tells of the script. */
struct told {
	enum engine engine;
	bool reads_input, lacks_headers;
};

/* Begins the image with the program. */
static bool begin(struct made *m)
{
	char beside[PATH_MAX];
	const char *program = self_beside("stap-bundle", beside) ? beside : PKGLIBEXECDIR "/stap-bundle";

	if (!file_read(program, &m->image))
		return true;
	diag(DIAG_ERROR, "can't read %s: %s", program, strerror(errno));
	diag_hint("it is made if libdw, libelf and what they need are installed as static libraries "
		  "when stap is built");
	return false;
}

/*
 * In the child: compiles the script for KERNEL, and writes to the file TO what it tells of it, and the module, or
 * the intermediate program.  Returns an exit status.
 */
static int compile(struct session *s, const char *kernel, int (*passes)(struct session *), int to)
{
	struct sbuf module = { 0 };
	struct told told;
	const char *made;
	int status;

	guard_child();			/* a host's BTF is read here */
	s->tmpdir = NULL;		/* this process has its own, and removes that */
	if (kernel && !set_kernel(&s->options, (char *)kernel))
		return 1;
	status = passes(s);
	if (status)
		return status;
	made = s->engine == ENGINE_MODULE ? s->ko_file : s->program_file;
	told = (struct told){ s->engine, s->reads_input, s->lacks_headers };
	sbuf_add(&module, (char *)&told, sizeof(told));
	if ((!s->lacks_headers && file_read(made, &module)) || write(to, sbuf_str(&module), module.len) != (ssize_t)module.len) {
		diag(DIAG_ERROR, "can't read %s: %s", made, strerror(errno));
		return 1;
	}
	return 0;
}

/*
 * Compiles the script for KERNEL (NULL: the default), and adds its module.  S gets to know what the child's session
 * has found.  Returns an exit status.
 */
static int add(struct made *m, struct session *s, const char *kernel, int (*passes)(struct session *))
{
	int fd = memfd_create("module", MFD_CLOEXEC), status = 0;
	size_t before = m->image.len;
	struct told told = { 0 };
	pid_t child;

	fflush(NULL);
	child = fd < 0 ? -1 : fork();
	if (!child)
		exit(compile(s, kernel, passes, fd));
	if (child < 0) {
		diag(DIAG_ERROR, "can't start a process: %s", strerror(errno));
		return 1;
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (session_interrupted())
		status = 128 + session_interrupted();
	else
		status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	if (!status && (lseek(fd, 0, SEEK_SET) || read(fd, &told, sizeof(told)) != sizeof(told) ||
			file_read_from(fd, &m->image))) {
		diag(DIAG_ERROR, "can't read the module: %s", strerror(errno));
		status = 1;
	}
	s->reads_input = told.reads_input;
	s->lacks_headers = told.lacks_headers;
	s->engine = told.engine;
	close(fd);
	m->entries[m->modules++] = (struct bundle_entry){
		before, m->image.len - before, told.engine == ENGINE_MODULE ? BUNDLE_MODULE : BUNDLE_PROGRAM,
	};
	return status;
}

/* Ends the image, and writes it to the file PATH, which all who may read it can execute. */
static bool end(struct made *m, const char *path)
{
	size_t table = m->modules * sizeof(*m->entries);
	struct bundle_end end = { .modules = m->modules, .magic = BUNDLE_MAGIC };
	struct stat st;

	end.size = m->image.len + table + sizeof(end);
	sbuf_add(&m->image, (char *)m->entries, table);
	sbuf_add(&m->image, (char *)&end, sizeof(end));
	bundle_seal((char *)sbuf_str(&m->image), m->image.len);
	if (!file_replace(path, sbuf_str(&m->image), m->image.len) && !stat(path, &st) &&
	    !chmod(path, (st.st_mode & 0777) | (st.st_mode & 0444) >> 2))
		return true;
	diag(DIAG_ERROR, "can't write %s: %s", path, strerror(errno));
	return false;
}

int write_bundle(struct session *s, const text_list *kernels, int (*passes)(struct session *))
{
	struct made m = { 0 };
	int status = 0;

	if (kernels->n > 1 && s->options.script_path && !strcmp(s->options.script_path, "-")) {
		diag(DIAG_ERROR, "--bundle reads the script for each -r: from a file, not from standard input");
		return 1;
	}
	if (!begin(&m))
		return 1;
	if (!kernels->n)
		status = add(&m, s, NULL, passes);
	for (size_t i = 0; !status && i < kernels->n; i++)
		status = add(&m, s, kernels->v[i], passes);
	if (!status && !end(&m, s->options.bundle))
		status = 1;
	sbuf_free(&m.image);
	return status;
}

int write_program(struct session *s, const text_list *kernels, int (*passes)(struct session *))
{
	struct made m = { 0 };
	bool good;

	(void)kernels, (void)passes;
	if (!begin(&m))
		return 1;
	good = !file_replace(s->options.bundle, sbuf_str(&m.image), m.image.len);
	if (!good)
		diag(DIAG_ERROR, "can't write %s: %s", s->options.bundle, strerror(errno));
	sbuf_free(&m.image);
	return !good;
}

int make_bundle(struct session *s, int (*passes)(struct session *))
{
	int status = write_bundle(s, &s->options.kernels, passes);

	if (!status)
		puts(s->options.bundle);
	return status;
}
