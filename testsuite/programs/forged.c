// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program for testsuite/harness/forge.py, which chooses the macros' names; its argument is what it
 * calls itself.  It calls its function and passes its mark ten times a second, for five minutes.
 */
#include <sys/prctl.h>
#include <unistd.h>

#include "mark.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

enum TAG { ENUMERATOR = 1, OTHER = 2 };

struct INNER { int count; };

struct RECORD {
	int MEMBER;
	enum TAG kind;
	struct INNER inner;
};

__attribute__((noinline)) int FUNC(int PARM, struct RECORD *record)
{
	volatile int LOCAL = PARM + record->MEMBER;

	MARK(TEXT(PROVIDER), TEXT(MARKED), "-4@%0", "r"(PARM));
	return LOCAL + record->kind;
}

int main(int argc, char **argv)
{
	struct RECORD record = { 42, ENUMERATOR, { 7 } };

	if (argc > 1)
		prctl(PR_SET_NAME, argv[1]);
	for (int i = 0; i < 3000; i++) {
		FUNC(i, &record);
		usleep(100000);
	}
	return 0;
}
