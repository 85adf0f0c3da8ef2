// SPDX-License-Identifier: GPL-2.0-or-later
/* A library with marks and a procedure linkage table, for program.c to read. */
#define MARK(name, semaphore, arguments)					\
	asm volatile("990: nop\n"						\
		     ".pushsection .note.stapsdt,\"\",@note\n"			\
		     ".balign 4\n .4byte 992f - 991f, 994f - 993f, 3\n"		\
		     "991: .asciz \"stapsdt\"\n 992: .balign 4\n"		\
		     "993: .8byte 990b, marked_base, " semaphore "\n"		\
		     ".asciz \"marked\"\n .asciz \"" name "\"\n"		\
		     ".asciz \"" arguments "\"\n 994: .balign 4\n .popsection")

asm(".pushsection .stapsdt.base,\"a\"\n .local marked_base\nmarked_base: .space 1\n .popsection\n"
    ".pushsection .probes,\"aw\"\n .local semaphore\nsemaphore: .2byte 0\n .popsection\n");

extern void *malloc(unsigned long);
extern void free(void *);

static int count;

void *marked(int n)
{
	void *p = malloc(n + count++);

	MARK("none", "0", "");
	MARK("some", "semaphore", "-4@%edi 8@-8(%rbp) 4@count(%rip)");
	MARK("more", "0", "4@8(%rbp,%rcx,4) 8@$-3 -1@%ah 8f@%xmm0 8@free 8@marked@GOTPCREL(%rip) 4@%fs:count@tpoff 8@%fs:8(%rax) 2@(,%rcx,8)");
	if (!p)
		free(p);
	return p;
}
