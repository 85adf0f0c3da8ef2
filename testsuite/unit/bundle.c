// SPDX-License-Identifier: GPL-2.0-or-later
/* Bundles: SHA-256 by the standard's examples; a damaged bundle is never taken for a whole one. */
#include <stdbool.h>
#include <string.h>

#include "bundle.h"
#include "check.h"

static void check_digest(const char *text, size_t n, const char *want)
{
	uint8_t digest[SHA256_BYTES];
	char hex[2 * SHA256_BYTES + 1];

	sha256(text, n, digest);
	for (int i = 0; i < SHA256_BYTES; i++)
		sprintf(hex + 2 * i, "%02x", digest[i]);
	CHECK(!strcmp(hex, want));
}

static void check_digests(void)
{
	static char many[1000000];

	memset(many, 'a', sizeof(many));
	check_digest("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	check_digest("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	check_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
		     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	check_digest(many, sizeof(many), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* "PROGRAM" and two modules, "one" and "second". */
struct sample {
	char parts[16];
	struct bundle_entry entries[2];
	struct bundle_end end;
};

static struct sample sample(void)
{
	struct sample s = {
		.entries = { { 7, 3, BUNDLE_MODULE }, { 10, 6, BUNDLE_MODULE } },
		.end = { .modules = 2, .size = sizeof(s), .magic = BUNDLE_MAGIC },
	};

	memcpy(s.parts, "PROGRAMonesecond", sizeof(s.parts));
	bundle_seal((char *)&s, sizeof(s));
	return s;
}

static bool opens(const struct sample *s, size_t size)
{
	struct bundle b;

	return !bundle_open(&b, (const char *)s, size);
}

static void check_whole(void)
{
	struct sample s = sample();
	struct bundle b;

	CHECK(!bundle_open(&b, (char *)&s, sizeof(s)));
	CHECK(b.modules == 2);
	CHECK(!memcmp(b.image + bundle_entry(&b, 1).offset, "second", bundle_entry(&b, 1).size));
}

static void check_damaged(void)
{
	struct sample s = sample();

	for (size_t size = 0; size < sizeof(s); size++)
		CHECK(!opens(&s, size));
	for (size_t bit = 0; bit < 8 * sizeof(s); bit++) {
		((char *)&s)[bit / 8] ^= 1 << bit % 8;
		CHECK(!opens(&s, sizeof(s)));
		((char *)&s)[bit / 8] ^= 1 << bit % 8;
	}
}

/* Numbers that were wrong when the bundle was sealed. */
static void check_forged(void)
{
	static const struct bundle_entry wrong[] = {
		{ 7, 0, BUNDLE_MODULE }, { 7, 10, BUNDLE_MODULE }, { 17, 1, BUNDLE_MODULE },
		{ UINT64_MAX, 2, BUNDLE_MODULE }, { 2, UINT64_MAX, BUNDLE_MODULE }, { 16, 1, BUNDLE_MODULE },
		{ 10, 6, BUNDLE_PROGRAM }, { 10, 6, BUNDLE_PROGRAM + 1 }, { 10, 6, UINT64_MAX },
	};
	static const uint64_t counts[] = { 0, 4, BUNDLE_MODULES_MOST + 1, UINT64_MAX, UINT64_MAX / 16 + 2 };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct sample s = sample();

		s.entries[1] = wrong[i];
		bundle_seal((char *)&s, sizeof(s));
		CHECK(!opens(&s, sizeof(s)));
	}
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		struct sample s = sample();

		s.end.modules = counts[i];
		bundle_seal((char *)&s, sizeof(s));
		CHECK(!opens(&s, sizeof(s)));
	}
}

int main(void)
{
	check_digests();
	check_whole();
	check_damaged();
	check_forged();
	return failures != 0;
}
