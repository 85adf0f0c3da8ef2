/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mangled names: the symbols of C++ (_ZN2ns5Class6methodEi) and Rust (legacy _ZN…17h<hash>E,
 * v0 _R…).  libiberty has the demanglers of binutils and gdb.
 *
 *	_ZNSt6vectorIiSaIiEE9push_backERKi	std::vector<int, std::allocator<int> >::push_back
 *	_ZN1r5inner5Thing4grow17h4d60e398f3567cb9E	r::inner::Thing::grow
 */
#ifndef STAP_DEMANGLE_H
#define STAP_DEMANGLE_H

#include <stdbool.h>

bool is_mangled(const char *symbol);

/*
 * May the demangled name of SYMBOL match a pattern (match_name())?  A quick test: false is certain,
 * because an identifier in the pattern's last part must be in the symbol, too.
 */
bool may_demangle_to(const char *symbol, const char *pattern);

/*
 * Returns the name without a function's parameters, in the arena; NULL if the symbol isn't
 * mangled, or in an unknown way.
 */
const char *demangle(const char *symbol);

#endif
