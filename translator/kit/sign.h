/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signatures of modules, for kernels that load no others: Secure Boot, lockdown,
 * module.sig_enforce.
 *
 * A signed module is the module's bytes, then a detached CMS message (RFC 5652) over them, then 12
 * bytes that say how long the message is, and a line of text (Documentation/admin-guide/
 * module-signing.rst; the kernel's struct module_signature).  The kernel finds the certificate by the
 * issuer and serial number that the message names, in its keyrings: those built in, and those that
 * the machine's owner has enrolled (mokutil --import).
 *
 *	struct signer *key = signer_open(NULL, "sha256", &why);
 *
 *	if (!key || !signer_sign(key, "/tmp/stapXYZ/stap_1.ko", &why))
 *		diag(DIAG_ERROR, "%s", why.text);
 *
 * A signature covers the module's name, so a module is signed after it has its last one.
 */
#ifndef STAP_KIT_SIGN_H
#define STAP_KIT_SIGN_H

#include <stdbool.h>

#include "base/problem.h"

/* A key and its certificate, open until the process ends. */
struct signer;

/*
 * Opens the key of DIR, which has mok.key and mok.pub, or MOK.priv and MOK.der (PEM, and DER or PEM).
 * DIR is NULL for the machine's own: that of stap-prep --sign, of DKMS, of Ubuntu's shim.  DIGEST is
 * what the kernel's configuration names (CONFIG_MODULE_SIG_HASH).  Returns NULL with WHY filled in;
 * with no text in WHY if DIR is NULL and the machine has no key.
 */
struct signer *signer_open(const char *dir, const char *digest, struct problem *why);

/* The file of the certificate. */
const char *signer_certificate(const struct signer *k);

/*
 * Appends a signature to the module, whose file nobody else may be able to change.  Returns false with
 * WHY filled in, and the file as it was.
 */
bool signer_sign(const struct signer *k, const char *module, struct problem *why);

#endif
