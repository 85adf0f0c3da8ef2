// SPDX-License-Identifier: GPL-2.0-or-later
/* An object with what staprun reads of a script's module, for module.c to damage. */
#define INFO(name, text)							\
	static const char info_##name[]						\
		__attribute__((used, section(".modinfo"), aligned(1))) = text

INFO(license, "license=GPL");
INFO(name, "name=stap_loadable");
INFO(remover, "parmtype=remover:charp");
INFO(vermagic, "vermagic=6.1.0-fuzz SMP preempt mod_unload modversions ");
INFO(build, "stap_build_id=0123456789abcdef0123456789abcdef01234567");

/* The kernel's struct module: the name stands within, with room behind it. */
static const struct {
	long state[3];
	char name[56];
	long more[100];
} this_module __attribute__((used, section(".gnu.linkonce.this_module"))) = {
	.name = "stap_loadable",
};

asm(".pushsection .note.gnu.build-id,\"a\",@note\n"
    ".4byte 4, 20, 3\n .asciz \"GNU\"\n .fill 20, 1, 0xab\n .popsection");
