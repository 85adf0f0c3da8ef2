// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads, checks, inserts and removes a module (module.h).
 *
 * The file may be hostile until the kernel has accepted it.  So it is read once, every
 * offset in it is checked against its size, and the strings in .modinfo are only compared;
 * the name is used, once its characters are checked.
 */
#define _GNU_SOURCE
#include "module.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sdt.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "say.h"

#define MAX_MODULE (256u << 20)

/* ---- the file ---- */

/* Opens a file with the rights of the user who runs this set-user-ID program. */
static int open_as_caller(const char *path)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();

	if (setegid(getgid()) || seteuid(getuid()))
		return -1;
	/* O_NONBLOCK: opening a FIFO must not block. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	int err = errno;

	if (seteuid(uid) || setegid(gid))
		abort();
	errno = err;
	return fd;
}

static int read_image(struct module_file *m, int fd)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > MAX_MODULE) {
		say_error("'%s' is not a module file", m->path);
		return -1;
	}
	m->image = control_read_all(fd, &m->size);
	if (!m->image)
		say_error("can't read module '%s': %s", m->path, strerror(errno));
	return m->image ? 0 : -1;
}

/* Copies N bytes at an offset, which may be misaligned.  Returns false if they exceed the file. */
static bool get(const struct module_file *m, uint64_t offset, void *to, size_t n)
{
	if (offset > m->size || m->size - offset < n)
		return false;
	memcpy(to, m->image + offset, n);
	return true;
}

static bool get_section(const struct module_file *m, const Elf64_Ehdr *eh, unsigned int i,
			Elf64_Shdr *sh)
{
	return i < eh->e_shnum && eh->e_shentsize == sizeof(*sh) &&
	       eh->e_shoff <= m->size && get(m, eh->e_shoff + i * sizeof(*sh), sh, sizeof(*sh)) &&
	       (sh->sh_type == SHT_NOBITS ||
		(sh->sh_offset <= m->size && sh->sh_size <= m->size - sh->sh_offset));
}

/* Returns the bytes of section NAME, and their number in *N; NULL if there is none. */
static const char *find_section(const struct module_file *m, const char *name, size_t *n)
{
	Elf64_Ehdr eh;
	Elf64_Shdr names, sh;

	if (!get(m, 0, &eh, sizeof(eh)) || memcmp(eh.e_ident, ELFMAG, SELFMAG) ||
	    eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_type != ET_REL ||
	    !get_section(m, &eh, eh.e_shstrndx, &names) || names.sh_type != SHT_STRTAB)
		return NULL;
	for (unsigned int i = 1; i < eh.e_shnum; i++) {
		size_t len = strlen(name) + 1;

		if (!get_section(m, &eh, i, &sh) || sh.sh_type == SHT_NOBITS ||
		    sh.sh_name >= names.sh_size || names.sh_size - sh.sh_name < len ||
		    memcmp(m->image + names.sh_offset + sh.sh_name, name, len))
			continue;
		*n = sh.sh_size;
		return m->image + sh.sh_offset;
	}
	return NULL;
}

/* Returns the first value of TAG in .modinfo, which has strings "tag=value"; "" if there is none. */
static const char *modinfo(const char *info, size_t n, const char *tag)
{
	size_t len = strlen(tag);

	for (size_t i = 0; i < n;) {
		size_t left = n - i, one = strnlen(info + i, left);

		if (one == left)
			break;		/* the last string lacks its NUL */
		if (one > len && !memcmp(info + i, tag, len) && info[i + len] == '=')
			return info + i + len + 1;
		i += one + 1;
	}
	return "";
}

static bool good_name(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return n && n < MODULE_NAME_MAX && !name[n];
}

/* Did stap make the module?  Then it has the parameter "remover". */
static bool is_ours(const char *info, size_t n)
{
	static const char mark[] = "parmtype=remover:charp";

	return memmem(info, n, mark, sizeof(mark));
}

int module_read(struct module_file *m, const char *path)
{
	int fd = open_as_caller(path);

	if (fd >= 0)
		return module_read_open(m, path, fd);
	*m = (struct module_file){ .path = path };
	say_error("can't open module '%s': %s", path, strerror(errno));
	return -1;
}

int module_read_open(struct module_file *m, const char *path, int fd)
{
	*m = (struct module_file){ .path = path };

	int err = read_image(m, fd);

	close(fd);
	return err ? -1 : module_take(m, path, m->image, m->size);
}

int module_take(struct module_file *m, const char *path, char *image, size_t size)
{
	*m = (struct module_file){ .path = path, .image = image, .size = size };

	size_t n = 0;
	const char *info = find_section(m, ".modinfo", &n);
	const char *name = info ? modinfo(info, n, "name") : "";

	if (!good_name(name)) {
		say_error("'%s' is not a kernel module, or it is damaged", path);
		module_free(m);
		return -1;
	}
	if (!is_ours(info, n)) {
		say_error("'%s' is a kernel module, but not one that stap made", path);
		module_free(m);
		return -1;
	}
	strcpy(m->name, name);
	m->vermagic = modinfo(info, n, "vermagic");
	m->build_id = modinfo(info, n, "stap_build_id");
	return 0;
}

bool module_set_name(struct module_file *m, const char *name)
{
	*m = (struct module_file){ .path = name };
	if (good_name(name)) {
		strcpy(m->name, name);
		return true;
	}
	say_error("'%s' is not a module's name", name);
	return false;
}

int module_rename(struct module_file *m)
{
	static const char zeroes[MODULE_NAME_MAX];
	size_t n = 0, len = strlen(m->name);
	char *module = (char *)find_section(m, ".gnu.linkonce.this_module", &n);
	char *name = module ? memmem(module, n, m->name, len + 1) : NULL;
	char number[16];
	int digits = snprintf(number, sizeof(number), "_%d", getpid());

	if (!name || module + n - name < MODULE_NAME_MAX ||
	    memcmp(name + len, zeroes, MODULE_NAME_MAX - len)) {
		say_error("'%s' can't be renamed: its name is not where modules have it", m->path);
		return -1;
	}
	if (len + digits >= MODULE_NAME_MAX)
		len = MODULE_NAME_MAX - 1 - digits;
	strcpy(name + len, number);
	strcpy(m->name, name);
	return 0;
}

void module_free(struct module_file *m)
{
	free(m->image);
	m->image = NULL;
}

/* ---- the kernel ---- */

bool module_may_insert(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2] = { 0 };

	return !syscall(SYS_capget, &head, caps) &&
	       caps[0].effective & (1u << CAP_SYS_MODULE);
}

/* Reads the first line of a small file to BUF and returns BUF; "" if it can't be read. */
static const char *first_line(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, size - 1);

	if (fd >= 0)
		close(fd);
	buf[n > 0 ? n : 0] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return buf;
}

int module_permitted(void)
{
	char line[16];

	if (!module_may_insert()) {
		if (geteuid())
			say_error("You need to be root (or have CAP_SYS_MODULE) to run this; "
				  "or try it in a throw-away guest: stap --vm");
		else
			say_error("root may not load kernel modules here (no CAP_SYS_MODULE: a "
				  "container?); try it in a throw-away guest: stap --vm");
		return -1;
	}
	if (access("/proc/modules", F_OK)) {
		say_error("this kernel can't load modules (or /proc is not mounted); "
			  "try the script in a throw-away guest: stap --vm");
		return -1;
	}
	if (!strcmp(first_line("/proc/sys/kernel/modules_disabled", line, sizeof(line)), "1")) {
		say_error("loading modules was turned off on this machine until its next boot "
			  "(kernel.modules_disabled=1)");
		return -1;
	}
	return 0;
}

const char *notes_find_build_id(const char *notes, size_t n, char *hex, size_t size)
{
	size_t i = 0, out = 0;
	Elf64_Nhdr note;

	while (n - i >= sizeof(note)) {
		memcpy(&note, notes + i, sizeof(note));
		i += sizeof(note);
		uint64_t desc = ((uint64_t)note.n_namesz + 3) & ~3ull;
		uint64_t end = desc + (((uint64_t)note.n_descsz + 3) & ~3ull);

		if (end > n - i)
			break;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(notes + i, "GNU", 4)) {
			const unsigned char *id = (unsigned char *)notes + i + desc;

			for (; out < note.n_descsz && 2 * out + 2 < size; out++)
				sprintf(hex + 2 * out, "%02x", id[out]);
			break;
		}
		i += end;
	}
	hex[2 * out] = '\0';
	return hex;
}

const char *notes_build_id(const char *path, char *hex, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	char *notes = fd < 0 ? NULL : control_read_all(fd, &n);

	if (fd >= 0)
		close(fd);
	notes_find_build_id(notes, notes ? n : 0, hex, size);
	free(notes);
	return hex;
}

void module_find_running(struct running_kernel *k)
{
	struct utsname u;

	*k = (struct running_kernel){ .release = "" };
	if (!uname(&u))
		strcpy(k->release, u.release);
	notes_build_id("/sys/kernel/notes", k->build_id, sizeof(k->build_id));
}

int module_release_length(const struct module_file *m)
{
	return strcspn(m->vermagic, " ");
}

enum module_fit module_fit(const struct module_file *m, const struct running_kernel *k)
{
	size_t n = module_release_length(m);

	if (n != strlen(k->release) || strncmp(m->vermagic, k->release, n))
		return MODULE_OTHER_RELEASE;
	return *m->build_id && *k->build_id && strcmp(m->build_id, k->build_id) ? MODULE_OTHER_BUILD
										  : MODULE_FITS;
}

int module_matches_kernel(const struct module_file *m)
{
	struct running_kernel k;
	int n = module_release_length(m);

	module_find_running(&k);
	switch (module_fit(m, &k)) {
	case MODULE_FITS:
		return 0;
	case MODULE_OTHER_RELEASE:
		say_error("'%s' was built for kernel %.*s, but this machine runs %s.  Build it for "
			  "this one: stap -r %s -p4 SCRIPT", m->path, n ? n : 7,
			  n ? m->vermagic : "unknown", k.release, k.release);
		return -1;
	case MODULE_OTHER_BUILD:
		say_error("'%s' was built for another build of kernel %s (build-id %s; the one "
			  "that runs has %s).  Install the debug information of the running "
			  "kernel, or boot the installed one, and build the script again "
			  "[man warning::buildid]",
			  m->path, k.release, m->build_id, k.build_id);
	}
	return -1;
}

static void explain_loaded(const struct module_file *m)
{
	say_error("a module named '%s' is already loaded.  Remove it (staprun -d %s), or give "
		  "this one another name (stap -m NAME)", m->name, m->name);
}

bool module_is_loaded(const char *name)
{
	char path[256];
	int n = snprintf(path, sizeof(path), "/sys/module/%s/initstate", name);

	return n > 0 && (size_t)n < sizeof(path) && !access(path, F_OK);
}

bool module_name_is_taken(const struct module_file *m)
{
	if (!module_is_loaded(m->name))
		return false;
	explain_loaded(m);
	return true;
}

static void explain_refusal(const struct module_file *m, int err)
{
	char line[64];

	switch (err) {
	case EEXIST:
		explain_loaded(m);
		break;
	case EKEYREJECTED:
	case ENOKEY:
	case EBADMSG:
		say_error("the kernel loads only modules signed with a key it knows (Secure Boot, "
			  "or module.sig_enforce), and '%s' isn't.  stap-prep --sign makes a key "
			  "and says how to enroll it; or run the script as BPF, if it is within its reach: "
			  "stap --runtime=bpf; or try it in a throw-away guest: stap --vm", m->path);
		break;
	case EPERM:
		first_line("/sys/kernel/security/lockdown", line, sizeof(line));
		if (*line && !strstr(line, "[none]"))
			say_error("the kernel is locked down (%s) and loads only signed modules.  "
				  "stap-prep --sign makes a key and says how to enroll it; or run the "
				  "script as BPF, if it is within its reach: stap --runtime=bpf; or try it "
				  "in a throw-away guest: stap --vm", line);
		else
			say_error("the kernel doesn't permit loading '%s' (a security policy; "
				  "dmesg may say which)", m->path);
		break;
	case ENOSYS:
		say_error("this kernel can't load modules; try the script in a throw-away guest: "
			  "stap --vm");
		break;
	case ENOMEM:
		say_error("Couldn't insert module '%s': the kernel has no memory for it", m->path);
		break;
	default:
		say_error("Couldn't insert module '%s': %s (dmesg may say more)", m->path,
			  err == ENOEXEC ? "Invalid module format" :
			  err == ENOENT ? "Unknown symbol in module" :
			  err == EINVAL ? "Invalid parameters" : strerror(err));
	}
}

static bool only_root_writes(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !st.st_uid && !(st.st_mode & 022);
}

bool module_is_roots(const char *path)
{
	char part[PATH_MAX];

	for (size_t i = 1; path[i - 1]; i++) {
		if (i > 1 && path[i] && path[i] != '/')
			continue;
		snprintf(part, sizeof(part), "%.*s", (int)i, path);
		if (!only_root_writes(part))
			return false;
	}
	return true;
}

int module_insert(const struct module_file *m, const char *remover, uid_t owner)
{
	char parameters[1100];

	/* Leave out a path that is too long for a module parameter, or has characters that would end it. */
	if (strlen(remover) > 1000 || strpbrk(remover, "\"\\\n"))
		remover = "";

	int n = snprintf(parameters, sizeof(parameters), "remover=\"%s\"", remover);

	if (owner != MODULE_OWNERLESS)
		snprintf(parameters + n, sizeof(parameters) - n, " owner=%u", owner);
	STAP_PROBE1(staprun, insert__module, m->path);
	if (!syscall(SYS_init_module, m->image, m->size, parameters))
		return 0;
	explain_refusal(m, errno);
	return -1;
}

int module_remove(const char *name, int control, int ms)
{
	const struct timespec nap = { .tv_nsec = 10 * 1000000 };

	STAP_PROBE1(staprun, remove__module, name);
	for (;; ms -= 10) {
		if (control >= 0 && control_is_dead(control))
			return -ENOENT;
		if (!syscall(SYS_delete_module, name, O_NONBLOCK))
			return 0;
		/* The module is still in use; other errors are permanent. */
		if ((errno != EAGAIN && errno != EBUSY) || ms <= 0)
			return -errno;
		nanosleep(&nap, NULL);
	}
}
