# SPDX-License-Identifier: GPL-2.0-or-later
#
# A script that runs as BPF is killed at any instant, and leaves nothing in the kernel: bpf-killed [N]
#
# N times (1000), in a guest, it gets SIGKILL at a random time of its start, of its run or of its end. It fails
# when a program, map or link of BPF is left, a kprobe, or something pinned in /sys/fs/bpf.
times=${1:-1000}

cat >killed.stp <<'X'
global entered, sizes, names, last
probe begin { println("begun") }
probe kernel.function("vfs_read"), kernel.function("vfs_open") { entered[probefunc()]++ }
probe kernel.function("vfs_read").return { sizes <<< $return }
probe kernel.function("vfs_write") { names[execname(), tid()] = $count; last = execname() }
probe kernel.trace("sched_switch") { last = execname(); printf("%d\n", tid()) }
probe timer.ms(30) { foreach ([n, t] in names) last = n; delete names }
probe timer.ms(100) { exit() }
probe end { println(@count(sizes) >= 0, entered["vfs_read"] >= 0, last == "") }
X
"$STAP" -w -r "$STAP_TEST_RELEASE" --runtime=bpf -p4 -m killed killed.stp >/dev/null
set -- python3 "$STAP_TEST_SOURCE/testsuite/campaigns/bpf-killed/rounds.py" "$times" "$STAPRUN" killed.bo
if [ "${STAP_TEST_GUEST-}" ]; then
	exec "$STAP_TEST_GUEST" "$@"
fi
exec "$STAPVM" -r "$STAP_TEST_RELEASE" "$@"
