// SPDX-License-Identifier: GPL-2.0-or-later
/* SHA-256 by libcrypto. */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena.h"
#include "hash.h"

struct hash {
	EVP_MD_CTX *ctx;
};

/* Ends the program on failure, because a wrong key would load the wrong module. */
static void must(int ok)
{
	if (ok == 1)
		return;
	fputs("ERROR: libcrypto has no SHA-256\n", stderr);
	exit(1);
}

struct hash *hash_new(void)
{
	struct hash *h = arena_new(struct hash);

	/* reading the system's openssl.cnf takes longer than hashing a script */
	OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
	h->ctx = EVP_MD_CTX_new();
	must(h->ctx != NULL);
	must(EVP_DigestInit_ex(h->ctx, EVP_sha256(), NULL));
	return h;
}

void hash_bytes(struct hash *h, const void *p, size_t n)
{
	must(EVP_DigestUpdate(h->ctx, p, n));
}

void hash_string(struct hash *h, const char *s)
{
	uint64_t n = strlen(s);

	hash_bytes(h, &n, sizeof(n));
	hash_bytes(h, s, n);
}

int hash_file(struct hash *h, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char block[1 << 16];
	uint64_t total = 0;
	ssize_t n;

	if (fd < 0)
		return -1;
	while ((n = read(fd, block, sizeof(block))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		hash_bytes(h, block, n);
		total += n;
	}
	close(fd);
	hash_bytes(h, &total, sizeof(total));
	return n < 0 ? -1 : 0;
}

void hash_identity(struct hash *h, int fd)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return;
	hash_bytes(h, &st.st_dev, sizeof(st.st_dev));
	hash_bytes(h, &st.st_ino, sizeof(st.st_ino));
	hash_bytes(h, &st.st_size, sizeof(st.st_size));
	hash_bytes(h, &st.st_mtim, sizeof(st.st_mtim));
	hash_bytes(h, &st.st_ctim, sizeof(st.st_ctim));
}

void hash_path_identity(struct hash *h, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	hash_string(h, path);
	hash_identity(h, fd);
	if (fd >= 0)
		close(fd);
}

const char *hash_hex(struct hash *h)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	char hex[65];
	unsigned int n;

	must(EVP_DigestFinal_ex(h->ctx, digest, &n));
	EVP_MD_CTX_free(h->ctx);
	h->ctx = NULL;
	for (unsigned int i = 0; i < 32; i++)
		sprintf(hex + 2 * i, "%02x", digest[i]);
	return arena_strdup(hex);
}
