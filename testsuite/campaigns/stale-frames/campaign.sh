# SPDX-License-Identifier: GPL-2.0-or-later
#
# Handlers that run as BPF use no word of their frame that they have not set: stale-frames [PATTERN…]
#
# A frame is zeroes at first, and then has what handlers have left there, so a word that is used too early is
# right in most tests.  Here a stap is built whose frames begin with other bytes, and runs the tests of BPF (the
# PATTERNs: bpf/ user/ tapset/) and those of the language, forced.  It takes half an hour.
[ $# -gt 0 ] || set -- bpf/ user/ tapset/
mkdir -p build
cd build
"$STAP_TEST_SOURCE/configure" -q CPPFLAGS=-DSTALE_FRAMES >log 2>&1 && make -j2 >>log 2>&1 || { tail log; exit 1; }
status=0
"$STAP_TEST_SOURCE/testsuite/run" --build "$PWD" --runtime forced lang/ || status=1
"$STAP_TEST_SOURCE/testsuite/run" --build "$PWD" --runtime bpf "$@" || status=1
exit $status
