// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the bundles for the hosts: one for each kernel that they have, when the first says so. */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/hash.h"
#include "remote/host.h"
#include "remote/interrupts.h"
#include "session.h"

static vec(struct bundle_for) bundles;
static struct session *session;
static int (*passes)(struct session *);
static remote_make *make;

void bundles_begin(struct session *s, int (*run_passes)(struct session *), remote_make *make_it)
{
	session = s;
	passes = run_passes;
	make = make_it;
}

/* Compiles for a kernel, and sets *ENGINE.  The session notes signals meanwhile. */
static int compile(const char *kernel, enum engine *engine)
{
	const enum engine asked = session->engine;
	text_list kernels = { 0 };
	int status;

	if (!session_tmpdir(session))
		return 1;
	session->options.bundle = arena_printf("%s/bundle-%zu", session_tmpdir(session), bundles.n);
	if (*kernel)
		vec_push(&kernels, kernel);
	interrupts_allow(true);
	session_hold_signals();
	status = make(session, &kernels, passes);
	*engine = session->engine;
	session->engine = asked;
	session->lacks_headers &= !status;
	interrupts_hold();
	if (session_interrupted() && !interrupts)
		interrupts = 1;
	return status;
}

static struct bundle_for make_bundle_for(const char *kernel)
{
	static const char *const names[] = {
		[ENGINE_MODULE] = "module", [ENGINE_BPF] = "bpf", [ENGINE_USER] = "user",
	};
	struct bundle_for b = { .kernel = kernel };
	struct hash *digest = hash_new();
	enum engine engine = ENGINE_MODULE;
	int64_t began = now_ns();

	if (!compile(kernel, &engine) && file_read(session->options.bundle, &b.image)) {
		diag(DIAG_ERROR, "can't read %s: %s", session->options.bundle, strerror(errno));
		b.image.len = 0;
	}
	hash_bytes(digest, b.image.s, b.image.len);
	b.reads_input = session->reads_input;
	b.lacks_headers = session->lacks_headers;
	b.offer = arena_printf("%s %zu %s%s\n", hash_hex(digest), b.image.len, names[engine],
			       b.reads_input ? " input" : "");
	hosts_were_unheard(began);
	return b;
}

bool bundle_is_for_kernel(void)
{
	return session->engine != ENGINE_USER && passes;
}

bool bundle_has_module(void)
{
	return session->options.runtime == RUNTIME_KERNEL;
}

const char *bundle_kernel_given(const char *release)
{
	const struct options *o = &session->options;

	for (size_t i = 0; i < o->releases.n; i++)
		if (!strcmp(o->releases.v[i], release))
			return o->kernels.v[i];
	return NULL;
}

const struct bundle_for *bundle_of(const char *kernel)
{
	if (!bundle_is_for_kernel())
		kernel = "";
	for (size_t i = 0; i < bundles.n; i++)
		if (!strcmp(bundles.v[i].kernel, kernel) && (!bundles.v[i].lacks_headers || session->may_ask_headers))
			return &bundles.v[i];

	struct bundle_for made = make_bundle_for(arena_strdup(kernel));

	vec_push(&bundles, made);
	return &bundles.v[bundles.n - 1];
}
