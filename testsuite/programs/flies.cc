// SPDX-License-Identifier: GPL-2.0-or-later
/* Throws exceptions through some functions: flies [ROUNDS]; without, until SIGTERM. */
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <unistd.h>

static volatile sig_atomic_t over;

__attribute__((noinline)) int thrower(int n)
{
	if (n % 2)
		throw std::runtime_error("odd");
	return n;
}

__attribute__((noinline)) int passes(int n)
{
	return thrower(n) + 1;
}

__attribute__((noinline)) int catches(int n)
{
	try {
		return passes(n);
	} catch (std::exception &) {
		return 100;
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : -1;

	signal(SIGTERM, [](int) { over = 1; });
	for (int n = 0; !over && n != rounds; n++) {
		if (catches(n & 7) != (n & 1 ? 100 : (n & 7) + 1))
			return 1;
		usleep(rounds < 0 ? 2000 : 0);
	}
	return 0;
}
