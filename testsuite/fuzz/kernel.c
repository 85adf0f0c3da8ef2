// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel of the fuzz targets: a little of all there is in debug
 * information, in functions of a few lines.  Linked, it is their vmlinux;
 * compiled, their module.
 */
typedef unsigned long word;
typedef long long loff;
typedef loff *loff_ptr;

enum colour { RED, GREEN = 5, BLUE = -70000 };

struct hidden;

struct inner {
	char c;
	short s;
	int i;
	long l;
	_Bool flag;
	enum colour colour;
	unsigned bits:3, more:12;
	long wide:40;
};

struct file {
	struct inner in, many[3], *far;
	struct file *next, **handle;
	union {
		int as_int;
		unsigned char as_bytes[4];
		struct {
			short low;
			struct { short high; };
		};
	};
	char name[16];
	const char *title;
	int grid[3][4], none[0], *pointers[2];
	long (*op)(struct file *, int);
	struct hidden *opaque;
	const void *any;
	double ratio;
};

struct loop {			/* types that lead to themselves */
	struct loop *self;
	struct { struct loop *(*get)(struct loop *); } table[2];
};

int system_state;
int jiffies __attribute__((visibility("default")));
static struct file first_file = { .name = "first" };
struct file *files[4] = { &first_file };
__attribute__((section(".data..percpu"))) int runs = 1;

#define ENTRY __attribute__((noipa, used))

static inline __attribute__((always_inline)) int twice(int n)
{
	int result = n * 2;

	system_state += result;
	return result;
}

ENTRY long vfs_read(struct file *file, char *buf, word count, loff_ptr pos)
{
	long done = count;

	if (!file || !file->op)
		return -22;
	done += file->op(file, twice(buf[0]));
	*pos += done;
	return done;
}

ENTRY struct inner by_value(struct inner in, double ratio, struct loop *loop)
{
	in.i += loop->self == loop ? (int)ratio : twice(in.s);
	return in;
}

static ENTRY void nothing(void)
{
	runs++;
}

ENTRY signed char many(int a, short b, char c, unsigned char d, _Bool e, enum colour f, long g,
		       struct file h, int i)
{
	nothing();
	return a + b + c + d + e + f + g + h.as_int + i;
}

ENTRY void _start(void)
{
	loff pos = 0;
	char buf[4] = "";

	vfs_read(files[0], buf, sizeof(buf), &pos);
	for (;;)
		jiffies++;
}
