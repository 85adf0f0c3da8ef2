// SPDX-License-Identifier: GPL-2.0-or-later
/* Decides which modules are signed, and where the signed ones lie. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/arena.h"
#include "base/diag.h"
#include "cache.h"
#include "internal.h"
#include "session.h"
#include "sign.h"

/* Does the running kernel load signed modules only, and is the module for it? */
static bool is_asked_for(struct session *s)
{
	static const char *const says[][2] = {
		{ "/sys/module/module/parameters/sig_enforce", "Y" },
		{ "/sys/kernel/security/lockdown", "[integrity]" },
		{ "/sys/kernel/security/lockdown", "[confidentiality]" },
	};
	struct utsname running;
	bool asked = false;

	if (s->options.vm || uname(&running) || strcmp(running.release, kernel_release(s->kernel)))
		return false;
	for (size_t i = 0; !asked && i < sizeof(says) / sizeof(*says); i++)
		asked = file_says(says[i][0], says[i][1]);
	return asked;
}

/* Returns the hash that the kernel's configuration names for signatures: "sha256". */
static const char *digest_name(struct session *s)
{
	const char *configured = kernel_config(s->kernel, "CONFIG_MODULE_SIG_HASH");

	return configured && *configured ? configured : "sha256";
}

/*
 * Opens the key if modules are to be signed: *KEY is NULL if not.  Where only the kernel asks, the
 * machine may have no key, or one that this user can't read: then it warns, and the module stays
 * unsigned.  Returns 0, or -1 after a message.
 */
static int open_signer(struct session *s, struct signer **key)
{
	struct problem why = { 0 };

	*key = NULL;
	if (!s->options.sign && !is_asked_for(s))
		return 0;
	*key = signer_open(s->options.key_dir, digest_name(s), &why);
	if (*key || (!s->options.sign && !why.text))
		return 0;
	diag(s->options.sign ? DIAG_ERROR : DIAG_WARNING, "the module can't be signed: %s",
	     why.text ? why.text : "this machine has no key");
	diag_hint("%s", why.hint ? why.hint : "stap-prep --sign makes a key");
	return s->options.sign ? -1 : 0;
}

static int sign_file(struct session *s, const struct signer *key, const char *ko)
{
	struct problem why = { 0 };

	if (!signer_sign(key, ko, &why)) {
		diag(DIAG_ERROR, "%s", why.text);
		return -1;
	}
	if (s->verbose)
		fprintf(stderr, "Signed the module with the key of %s\n", signer_certificate(key));
	return 0;
}

/*
 * Puts the signed module into the cache if stap -p4 is to leave it there; its name there depends on
 * the certificate.  Returns the path of the module that counts.
 */
static const char *keep_signed(struct session *s, const struct signer *key, const char *ko)
{
	struct hash *h = hash_new();

	if (s->options.last_pass != 4 || s->options.module_name)
		return ko;
	if (hash_file(h, ko) || hash_file(h, signer_certificate(key)))
		return ko;
	const char *kept = cache_put(s, hash_hex(h), ".ko", ko);

	return kept ? kept : ko;
}

int kit_sign_copy(struct session *s, const char *ko)
{
	struct signer *key;

	if (open_signer(s, &key))
		return -1;
	return key ? sign_file(s, key, ko) : 0;
}

/*
 * Signs the module, unless pass 5 loads a copy under another name: then only the copy is signed
 * (kit_sign_copy()).
 */
int kit_sign(struct session *s)
{
	struct signer *key;

	if (s->options.last_pass == 5 && !s->options.module_name)
		return 0;
	if (open_signer(s, &key))
		return -1;
	if (!key)
		return 0;

	const char *ko = arena_printf("%s/signed-%s.ko", session_tmpdir(s), s->module_name);

	if (file_copy(s->ko_file, ko, false)) {
		diag(DIAG_ERROR, "can't write %s: %s", ko, strerror(errno));
		return -1;
	}
	if (sign_file(s, key, ko))
		return -1;
	s->ko_file = keep_signed(s, key, ko);
	return 0;
}

bool kit_is_trusted(struct session *s, struct problem *why)
{
	struct problem no_key = { 0 };
	const struct signer *key;

	if (!is_asked_for(s))
		return true;
	key = signer_open(s->options.key_dir, digest_name(s), &no_key);
	if (key && signer_is_enrolled(key))
		return true;
	why->text = arena_printf("the kernel loads signed modules only (Secure Boot, lockdown or "
				 "module.sig_enforce), and %s", key ? "does not know the key of this machine" :
				 no_key.text ? no_key.text : "there is no key to sign one with");
	why->hint = no_key.hint ? no_key.hint : "stap-prep --sign makes a key and says how to enroll it";
	return false;
}
