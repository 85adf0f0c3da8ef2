// SPDX-License-Identifier: GPL-2.0-or-later
/* A switch in a function with a frame, and a function that ends in a call of another. */
__attribute__((noipa)) int leaf(int n)
{
	return n + 1;
}

__attribute__((noipa)) int chooses(int n)
{
	switch (n) {
	case 0:
		return leaf(7) * 3;
	case 1:
		return leaf(2) - 5;
	case 2:
		return leaf(n) + leaf(4);
	case 3:
		return leaf(9) ^ 5;
	case 4:
		return leaf(1) << 3;
	case 5:
		return leaf(6) & 6;
	}
	return leaf(n) / 2;
}

__attribute__((noipa)) int passes_on(int n)
{
	return leaf(n * 2);
}

int main()
{
	int sum = 0;

	for (int n = 0; n < 3; n++) {
		sum += chooses(n);
		sum += passes_on(n);
	}
	return sum != 39;
}
