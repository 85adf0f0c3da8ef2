// SPDX-License-Identifier: GPL-2.0-or-later
/* SHA-256, by FIPS 180-4: the names are the standard's. */
#include "sha256.h"

#include <string.h>

enum { BLOCK = 64 };

static const uint32_t K[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotr(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

static uint32_t get_word(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void put_word(uint8_t *p, uint32_t x)
{
	for (int i = 0; i < 4; i++)
		p[i] = x >> (24 - 8 * i);
}

static void add_block(uint32_t H[8], const uint8_t *block)
{
	uint32_t W[64], v[8];

	for (int t = 0; t < 16; t++)
		W[t] = get_word(block + 4 * t);
	for (int t = 16; t < 64; t++) {
		uint32_t a = W[t - 15], b = W[t - 2];

		W[t] = W[t - 16] + W[t - 7] + (rotr(a, 7) ^ rotr(a, 18) ^ a >> 3) +
		       (rotr(b, 17) ^ rotr(b, 19) ^ b >> 10);
	}
	memcpy(v, H, sizeof(v));	/* a to h are v[0] to v[7] */
	for (int t = 0; t < 64; t++) {
		uint32_t a = v[0], e = v[4];
		uint32_t T1 = v[7] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) +
			      ((e & v[5]) ^ (~e & v[6])) + K[t] + W[t];
		uint32_t T2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) +
			      ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(*v));
		v[4] += T1;
		v[0] = T1 + T2;
	}
	for (int i = 0; i < 8; i++)
		H[i] += v[i];
}

void sha256(const void *data, size_t size, uint8_t digest[SHA256_BYTES])
{
	uint32_t H[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	const uint8_t *p = data;
	uint8_t last[2 * BLOCK] = { 0 };
	size_t left = size % BLOCK, padded = left < BLOCK - 8 ? BLOCK : 2 * BLOCK;

	for (; p < (const uint8_t *)data + (size - left); p += BLOCK)
		add_block(H, p);
	if (left)
		memcpy(last, p, left);
	last[left] = 0x80;
	put_word(last + padded - 8, (uint64_t)size >> 29);	/* the length in bits */
	put_word(last + padded - 4, (uint32_t)(size << 3));
	for (size_t i = 0; i < padded; i += BLOCK)
		add_block(H, last + i);
	for (int i = 0; i < 8; i++)
		put_word(digest + 4 * i, H[i]);
}
