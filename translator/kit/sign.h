/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signatures of modules, for kernels that load no others: Secure Boot, lockdown,
 * module.sig_enforce.
 *
 * A signed module is the module's bytes, then a detached CMS message (RFC 5652) over them, then 12
 * bytes that say how long the message is, and a line of text (Documentation/admin-guide/
 * module-signing.rst; the kernel's struct module_signature).  The kernel finds the certificate by
 * the issuer and serial number that the message names, in its keyrings: the built-in ones, and the
 * keys that the machine's owner has enrolled (mokutil --import).
 *
 *	struct signer *key = signer_open(NULL, "sha256", &why);
 *
 *	if (!key || !signer_sign(key, "/tmp/stapXYZ/stap_1.ko", &why))
 *		diag(DIAG_ERROR, "%s", why.text);
 *
 * A signature covers the module's name, so sign a module after its last renaming.
 */
#ifndef STAP_KIT_SIGN_H
#define STAP_KIT_SIGN_H

#include <stdbool.h>

#include "base/problem.h"

/* A key and its certificate, open until the process ends. */
struct signer;

/*
 * Opens the key of DIR, which has mok.key and mok.pub, or MOK.priv and MOK.der (PEM, and DER or
 * PEM).  If DIR is NULL, opens the machine's own key, made by stap-prep --sign, DKMS or Ubuntu's
 * shim.  DIGEST is what the kernel's configuration names (CONFIG_MODULE_SIG_HASH).  Returns NULL
 * with WHY filled in; WHY has no text if DIR is NULL and the machine has no key.
 */
struct signer *signer_open(const char *dir, const char *digest, struct problem *why);

/* Returns the path of the certificate. */
const char *signer_certificate(const struct signer *k);

/* Does the running kernel have the key's certificate?  True also where the kernel doesn't tell. */
bool signer_is_enrolled(const struct signer *k);

/*
 * Appends a signature to the module's file, which no other user may be able to change.  On failure
 * it returns false with WHY filled in, and leaves the file as it was.
 */
bool signer_sign(const struct signer *k, const char *module, struct problem *why);

#endif
