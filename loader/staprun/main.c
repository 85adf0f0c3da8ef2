// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>

#include "run.h"

int main(int argc, char **argv)
{
	return staprun(argc, argv, NULL);
}
