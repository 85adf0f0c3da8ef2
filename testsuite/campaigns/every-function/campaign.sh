# SPDX-License-Identifier: GPL-2.0-or-later
#
# One script probes every function of the kernel that can be probed: every-function [SECONDS]
#
# In a guest, under a load that goes on for SECONDS (60) once all are armed.  Emulated, arming
# thousands of kprobes takes minutes.  It fails when the guest's kernel complains, when nothing
# is hit, or when the module is left.
seconds=${1:-60}

cat >every.stp <<'X'
global n
probe kernel.function("*").call { n++ }
probe timer.s(10) { printf("%d hits\n", n) }
probe end { printf("%d hits in all\n", n) }
X
"$STAP" -r "$STAP_TEST_RELEASE" -g --suppress-time-limits -p4 -m every every.stp >/dev/null

cat >guest.sh <<'X'
staprun=$1 seconds=$2
(while :; do find /etc /usr/bin -type f | head -500 | xargs cat >/dev/null; done 2>/dev/null) &
load=$!
"$staprun" -v --end-after "$seconds" every.ko >out 2>err
status=$?
kill $load
cat out
grep -v 'registration error' err
echo "$(grep -c 'registration error' err) functions were refused"
if dmesg | grep -E 'BUG|WARNING|Oops|soft lockup|hung task|detected stall'; then exit 1; fi
if grep '^every ' /proc/modules; then exit 1; fi
grep -q '^[1-9].* in all$' out || exit 1
exit $status
X
"$STAPVM" -r "$STAP_TEST_RELEASE" sh guest.sh "$STAPRUN" "$seconds"
