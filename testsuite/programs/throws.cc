// SPDX-License-Identifier: GPL-2.0-or-later
/* Throws two exceptions, catches them, and throws one of them again. */
#include <stdexcept>

static int risky(int n)
{
	if (n % 2)
		throw std::runtime_error("odd");
	return n;
}

int main()
{
	int sum = 0;

	for (int i = 0; i < 4; i++) {
		try {
			try {
				sum += risky(i);
			} catch (std::exception &) {
				if (i == 3)
					throw;
			}
		} catch (...) {
			sum += 100;
		}
	}
	return sum != 102;
}
