// SPDX-License-Identifier: GPL-2.0-or-later
#include "stapio.h"

int main(int argc, char **argv)
{
	return stapio(argc, argv);
}
