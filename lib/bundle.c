// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks a bundle's form (bundle.h). */
#include "bundle.h"

#include <string.h>

static size_t digested(size_t size)
{
	return size - SHA256_BYTES;
}

void bundle_seal(char *image, size_t size)
{
	uint8_t digest[SHA256_BYTES];

	sha256(image, digested(size), digest);
	memcpy(image + digested(size), digest, sizeof(digest));
}

struct bundle_entry bundle_entry(const struct bundle *b, unsigned int i)
{
	struct bundle_entry e;

	memcpy(&e, b->image + b->entries + i * sizeof(e), sizeof(e));
	return e;
}

const char *bundle_open(struct bundle *b, const char *image, size_t size)
{
	uint8_t digest[SHA256_BYTES];
	struct bundle_end end;

	*b = (struct bundle){ .image = image };
	if (size < sizeof(end))
		return "it is too short";
	memcpy(&end, image + size - sizeof(end), sizeof(end));
	if (memcmp(end.magic, BUNDLE_MAGIC, sizeof(end.magic)))
		return "its end is missing";
	if (end.size != size)
		return "its length has changed";
	sha256(image, digested(size), digest);
	if (memcmp(digest, end.digest, sizeof(digest)))
		return "its contents have changed";
	if (!end.modules || end.modules > BUNDLE_MODULES_MOST ||
	    end.modules * sizeof(struct bundle_entry) > size - sizeof(end))
		return "its number of modules is wrong";
	b->modules = end.modules;
	b->entries = size - sizeof(end) - end.modules * sizeof(struct bundle_entry);
	for (unsigned int i = 0; i < b->modules; i++) {
		struct bundle_entry e = bundle_entry(b, i);

		if (!e.size || e.offset > b->entries || e.size > b->entries - e.offset)
			return "its table of modules is wrong";
		if (e.kind > BUNDLE_PROGRAM || (e.kind == BUNDLE_PROGRAM && b->modules > 1))
			return "its modules are of an unknown kind";
		b->is_program = e.kind == BUNDLE_PROGRAM;
	}
	return NULL;
}
