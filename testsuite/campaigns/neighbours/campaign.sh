# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two scripts of ours and other tracers probe the same functions: neighbours [SECONDS]
#
# One script has thousands of places. The others are kprobes and kretprobes of tracefs,
# bpftrace's (if there is one), perf's events on them (if there is perf).  All but one script come
# and go, for SECONDS (60), in a guest under load, while a module with probed functions comes and
# goes and the second CPU, too.  `make check` runs a few seconds of it.
# It fails when the guest's kernel complains, when a saved value is not the call's, when a
# tracer never got as far as seeing anything, or when any place is left armed.
seconds=${1:-60}

cat >stays.stp <<'X'
global returned, wrong, told, n, stepped, in_module
probe kernel.function("*@fs/*.c").call, kernel.function("copy_from_kernel_nofault").call { n++ }
probe kernel.function("vfs_*").return, kernel.function("copy_from_kernel_nofault").return
{
	if (@entry(task_current()) != task_current())
		wrong++
	returned++
}
probe kernel.function("vfs_read").return.maxactive(2) { n++ }
probe kernel.function("vfs_write").return if (n % 64 < 32) { n++ }
probe kernel.function("vfs_read").call if (n % 32 < 16) { n++ }
probe kernel.statement("vfs_read"), kernel.statement("vfs_open") { stepped++ }
probe module("loop").function("*").call { in_module++ }
probe module("loop").function("loop_configure").return { in_module++ }
probe timer.profile { n++ }
probe timer.ms(10) { if (!told++) println("armed") }
probe end {
	printf("%d wrong\n", wrong)
	println(returned > 100 && stepped > 100 ? "seen" : "not seen", in_module ? " module" : "")
}
X
cat >comes.stp <<'X'
global n, wrong
probe kernel.function("vfs_*").call { n++ }
probe kernel.function("vfs_*").return { if (@entry(tid()) != tid()) wrong++ }
probe kernel.function("copy_from_kernel_nofault").return { if (@entry(tid()) != tid()) wrong++ }
probe kernel.statement("vfs_read") { n++ }
probe timer.ms(400) { exit() }
probe end { println(wrong ? "wrong" : n ? "seen" : "not hit") }
X
for script in stays comes; do
	"$STAP" -r "$STAP_TEST_RELEASE" -g -D MAXSKIPPED=1000000 -D STP_NO_OVERLOAD -p4 -m "$script" \
		"$script.stp" >/dev/null
done

cat >guest.sh <<'X'
staprun=$1 seconds=$2
tracing=/sys/kernel/tracing
cpu=/sys/devices/system/cpu/cpu1/online
mount -t tracefs t $tracing 2>/dev/null
armed() { wc -l <$tracing/enabled_functions; grep -c . /sys/kernel/debug/kprobes/list; }
kprobes() {
	while [ ! -e over ]; do
		for i in $(seq 5 30); do
			echo "p:mid$i vfs_read+$i v=+0(%di):u64"
		done >list
		while read -r line; do echo "$line" >>$tracing/kprobe_events; done <list 2>/dev/null
		echo 'p:entry vfs_write v=+0(%di):u64' >>$tracing/kprobe_events
		echo 'r:return vfs_write $retval' >>$tracing/kprobe_events
		echo 'r:nofault copy_from_kernel_nofault $retval' >>$tracing/kprobe_events
		echo 1 >$tracing/events/kprobes/enable
		sysctl -q debug.kprobes-optimization=$((jumps = !jumps))
		if command -v perf >/dev/null; then
			perf stat -a -x, -e kprobes:entry -e kprobes:return sleep 0.3 2>>perf.out
		else
			sleep 0.3
		fi
		echo 0 >$tracing/events/kprobes/enable
		grep -q ' entry: .* v=' $tracing/trace && : >tracefs.saw
		echo >$tracing/kprobe_events
	done
}
# Its start alone takes a minute of an emulated CPU, of which the load would leave it little.
bpf() {
	while [ ! -e over ]; do
		nice -n -20 bpftrace -e 'kprobe:vfs_read,kprobe:copy_from_kernel_nofault { @a = count() }
			kretprobe:vfs_read,kretprobe:vfs_write,kretprobe:copy_from_kernel_nofault
			{ @b = count() }
			interval:ms:400 { exit() }' >>bpf.out 2>&1
	done
}
scripts() { while [ ! -e over ]; do "$staprun" comes.ko >>comes.out 2>>comes.err; done; }
modules() {
	while [ ! -e over ]; do
		modprobe loop && losetup /dev/loop0 img && losetup -d /dev/loop0
		until rmmod loop 2>/dev/null; do sleep 0.1; done
	done
}
processors() {
	while [ -w $cpu ] && [ ! -e over ]; do
		echo 0 >$cpu
		sleep 0.2
		echo 1 >$cpu
		sleep 0.3
	done
}
load() {
	while [ ! -e over ]; do
		find /etc /usr/bin -type f | head -500 | xargs cat >/dev/null
	done 2>/dev/null
}
# A slow guest may need more than its time.
all_saw() {
	[ -e tracefs.saw ] && grep -q seen comes.out &&
		{ [ ! -e bpf.out ] || grep -q '@b: [1-9]' bpf.out; } &&
		{ [ ! -e perf.out ] || grep -q '^[1-9][0-9]*,.*kprobes:' perf.out; }
}
failed() { echo "$*"; tail -n 20 ./*.out ./*.err; exit 1; }

cp comes.ko stays.ko /tmp && cd /tmp
head -c 1M /dev/zero >img
before=$(armed)
"$staprun" stays.ko >stays.out 2>stays.err & stays=$!
until grep -q armed stays.out; do sleep 0.1; done
others=
for what in load load kprobes scripts modules processors; do
	$what & others="$others $!"
done
if command -v bpftrace >/dev/null; then
	bpf & others="$others $!"
fi
sleep "$seconds"
for i in $(seq 3000); do
	all_saw && break
	sleep 0.1
done
: >over
wait $others
kill $stays
wait $stays || failed "the script that stays ended with $?"
cat stays.out stays.err
sort comes.out | uniq -c
grep -q '^0 wrong' stays.out || failed "a value saved at the entry was not the call's"
grep -q '^seen module' stays.out || failed "the script that stays did not see all"
grep -q wrong comes.out && failed "a script that came was wrong"
grep -q seen comes.out || failed "no script came"
[ -e tracefs.saw ] || failed "tracefs saw nothing"
[ ! -e bpf.out ] || grep -q '@b: [1-9]' bpf.out || failed "bpftrace saw nothing"
[ ! -e perf.out ] || grep -q '^[1-9][0-9]*,.*kprobes:' perf.out || failed "perf saw nothing"
[ "$(armed)" = "$before" ] || failed "left armed: $(armed), before: $before"
if grep '^stays\|^comes' /proc/modules; then exit 1; fi
X
"$STAPVM" -n -r "$STAP_TEST_RELEASE" sh guest.sh "$STAPRUN" "$seconds"
