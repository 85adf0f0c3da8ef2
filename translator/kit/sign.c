// SPDX-License-Identifier: GPL-2.0-or-later
/* Signs modules by libcrypto's CMS. */
#include "sign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/cms.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/trust.h"

struct signer {
	X509 *certificate;
	EVP_PKEY *key;
	const EVP_MD *digest;
	const char *path;		/* of the certificate */
};

static const char *const machines_own[] = {
	"/var/lib/stap/keys", "/var/lib/dkms", "/var/lib/shim-signed/mok",
};

static const struct pair {
	const char *key, *certificate;
} pairs[] = { { "mok.key", "mok.pub" }, { "MOK.priv", "MOK.der" } };

/* libcrypto's reason for the last failure. */
static const char *reason(void)
{
	const char *text = ERR_reason_error_string(ERR_peek_last_error());

	return text ? text : "unknown error";
}

/* ---- the key ---- */

/* Refuses a key with a pass phrase, because nobody may be there to type it. */
static int no_pass_phrase(char *to, int size, int writing, void *arg)
{
	(void)to, (void)size, (void)writing, (void)arg;
	return -1;
}

/*
 * Is the key readable for its owner only? Any other reader could sign modules that the machine
 * loads.
 */
static bool is_private(int fd, const char *path, struct problem *why)
{
	struct stat st;

	if (!fstat(fd, &st) && !(st.st_mode & 077))
		return true;
	why->text = arena_printf("other users may read the key %s", path);
	why->hint = arena_printf("chmod 600 %s; if others could read it, make a new key: "
				 "stap-prep --sign", path);
	return false;
}

static EVP_PKEY *read_key(const char *path, struct problem *why)
{
	int fd = trust_open_entry(path, O_RDONLY);
	FILE *f = fd >= 0 && is_private(fd, path, why) ? fdopen(fd, "r") : NULL;
	EVP_PKEY *key = f ? PEM_read_PrivateKey(f, NULL, no_pass_phrase, NULL) : NULL;

	if (f && !key) {
		why->text = arena_printf("can't read the key %s: %s", path, reason());
		why->hint = "it has to be in PEM format, without a pass phrase";
	} else if (!key && !why->text) {
		why->text = arena_printf("can't open the key %s: %s", path,
					 errno == EPERM ? "it belongs to somebody else, or others may "
							  "write to it" : strerror(errno));
	}
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	return key;
}

static X509 *read_certificate(const char *path, struct problem *why)
{
	int fd = trust_open_entry(path, O_RDONLY);
	FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;
	X509 *certificate = f ? d2i_X509_fp(f, NULL) : NULL;

	if (f && !certificate) {
		rewind(f);
		certificate = PEM_read_X509(f, NULL, no_pass_phrase, NULL);
	}
	if (!certificate)
		why->text = arena_printf("can't read the certificate %s: %s", path,
					 f ? reason() : strerror(errno));
	if (f)
		fclose(f);
	return certificate;
}

/* Warns of an expired certificate. The kernel ignores its dates, but firmware may not. */
static void warn_of_dates(const struct signer *k)
{
	if (X509_cmp_current_time(X509_get0_notAfter(k->certificate)) < 0)
		diag(DIAG_WARNING, "the certificate %s has expired", k->path);
}

static struct signer *open_pair(const char *dir, const struct pair *pair, const char *digest,
				struct problem *why)
{
	struct signer *k = arena_new(struct signer);

	k->digest = EVP_get_digestbyname(digest);
	k->path = arena_printf("%s/%s", dir, pair->certificate);
	if (!k->digest) {
		why->text = arena_printf("the kernel wants signatures with %s, which libcrypto lacks",
					 digest);
		return NULL;
	}
	k->key = read_key(arena_printf("%s/%s", dir, pair->key), why);
	k->certificate = k->key ? read_certificate(k->path, why) : NULL;
	if (!k->certificate)
		return NULL;
	if (X509_check_private_key(k->certificate, k->key) != 1) {
		why->text = arena_printf("%s is not the certificate of the key %s/%s", k->path, dir,
					 pair->key);
		return NULL;
	}
	warn_of_dates(k);
	return k;
}

/* Returns the pair of files that is in the directory, or NULL. */
static const struct pair *pair_in(const char *dir)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (!access(arena_printf("%s/%s", dir, pairs[i].key), F_OK))
			return &pairs[i];
	return NULL;
}

struct signer *signer_open(const char *dir, const char *digest, struct problem *why)
{
	const struct pair *pair = dir ? pair_in(dir) : NULL;

	OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
	for (size_t i = 0; !dir && i < sizeof(machines_own) / sizeof(*machines_own); i++)
		if ((pair = pair_in(machines_own[i])))
			dir = machines_own[i];
	if (pair)
		return open_pair(dir, pair, digest, why);
	if (dir) {
		why->text = arena_printf("there is no key in %s: neither mok.key nor MOK.priv", dir);
		why->hint = "stap-prep --sign makes one in /var/lib/stap/keys, and stap(1) says how to make another";
	}
	return NULL;
}

const char *signer_certificate(const struct signer *k)
{
	return k->path;
}

/* The kernel lists a certificate by the identifier of its key: ": 6ccece7e4c6c...: X509.rsa". */
bool signer_is_enrolled(const struct signer *k)
{
	const ASN1_OCTET_STRING *id = X509_get0_subject_key_id(k->certificate);
	struct sbuf keys = {}, entry = {};
	bool known;

	file_read("/proc/keys", &keys);
	sbuf_puts(&entry, ": ");
	for (int i = 0; id && i < ASN1_STRING_length(id); i++)
		sbuf_printf(&entry, "%02x", ASN1_STRING_get0_data(id)[i]);
	sbuf_puts(&entry, ": X509");
	known = !id || !strstr(sbuf_str(&keys), "X509") || strstr(sbuf_str(&keys), sbuf_str(&entry));
	sbuf_free(&keys);
	sbuf_free(&entry);
	return known;
}

/* ---- the signature ---- */

#ifndef CMS_NO_SIGNING_TIME		/* new in OpenSSL 3.5, as ML-DSA is */
#define CMS_NO_SIGNING_TIME 0
#endif

static bool is_ml_dsa(const EVP_PKEY *key)
{
	return EVP_PKEY_is_a(key, "ML-DSA-44") || EVP_PKEY_is_a(key, "ML-DSA-65") || EVP_PKEY_is_a(key, "ML-DSA-87");
}

/* Makes the CMS message that signs DATA with DIGEST: detached, so without the bytes. */
static CMS_ContentInfo *message(const struct signer *k, BIO *data, const EVP_MD *digest, unsigned attributes)
{
	const unsigned flags = CMS_NOCERTS | CMS_BINARY | CMS_DETACHED;
	CMS_ContentInfo *m = CMS_sign(NULL, NULL, NULL, NULL, flags | CMS_PARTIAL);

	if (m && CMS_add1_signer(m, k->certificate, k->key, digest, flags | attributes) &&
	    CMS_final(m, data, NULL, flags))
		return m;
	CMS_ContentInfo_free(m);
	return NULL;
}

/*
 * The kernel wants no signed attributes, but with CONFIG_PKCS7_WAIVE_AUTHATTRS_REJECTION_FOR_MLDSA takes them with
 * ML-DSA, because OpenSSL 3.5 and 3.6 can't leave them out there. Their digest is SHA-512 then, as in RFC 9882.
 */
static CMS_ContentInfo *signature(const struct signer *k, BIO *data)
{
	CMS_ContentInfo *m = message(k, data, k->digest, CMS_NOATTR);

	if (!m && is_ml_dsa(k->key) && !BIO_seek(data, 0))
		m = message(k, data, EVP_sha512(), CMS_NOSMIMECAP | CMS_NO_SIGNING_TIME);
	return m;
}

/* Appends the message, its length, and the text by which the kernel recognises a signed module. */
static bool append(int fd, const unsigned char *message, uint32_t n)
{
	static const char magic[] = "~Module signature appended~\n";
	enum { PKCS7 = 2 };		/* the signature's kind; the message names the algorithms */
	const unsigned char trailer[12] = {
		[2] = PKCS7, [8] = n >> 24, n >> 16, n >> 8, n,
	};

	return write(fd, message, n) == (ssize_t)n &&
	       write(fd, trailer, sizeof(trailer)) == sizeof(trailer) &&
	       write(fd, magic, sizeof(magic) - 1) == sizeof(magic) - 1;
}

static bool sign_open(const struct signer *k, int fd, BIO *data, const char *module,
		      struct problem *why)
{
	CMS_ContentInfo *m = signature(k, data);
	unsigned char *der = NULL;
	int n = m ? i2d_CMS_ContentInfo(m, &der) : -1;
	off_t end = lseek(fd, 0, SEEK_END);
	bool good = n > 0 && end >= 0 && append(fd, der, n);

	if (!good && n <= 0) {
		why->text = arena_printf("can't sign with the key of %s: %s", k->path, reason());
	} else if (!good) {
		why->text = arena_printf("can't write to %s: %s", module, strerror(errno));
		if (end >= 0 && ftruncate(fd, end))
			why->hint = "the file is no longer a module";
	}
	OPENSSL_free(der);
	CMS_ContentInfo_free(m);
	return good;
}

bool signer_sign(const struct signer *k, const char *module, struct problem *why)
{
	int fd = open(module, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	BIO *data = fd >= 0 ? BIO_new_fd(fd, BIO_NOCLOSE) : NULL;
	bool good = data && sign_open(k, fd, data, module, why);

	if (fd < 0)
		why->text = arena_printf("can't open %s: %s", module, strerror(errno));
	BIO_free(data);
	if (fd >= 0)
		close(fd);
	return good;
}
