# SPDX-License-Identifier: GPL-2.0-or-later
#
# A module with probed functions is loaded, used and unloaded again and again: module-loads [N]
#
# N times (200) under load, in a guest, while scripts come and go and two stay: one was
# started when the module was there, one when it was not, and counts what it sees of each
# time.  It takes minutes.  It fails when the guest's kernel complains, when a module of ours is
# left, when a load was not seen, or when the machine is short of memory for each time round.
times=${1:-200}

cat >stays.stp <<'X'
global entries, returns, loads, told
probe module("loop").function("*").call { entries++ }
probe module("loop").function("loop_configure").return { returns++ }
probe kernel.trace("module:module_load") { loads++ }
probe timer.ms(10) { if (!told++) println("armed") }
probe end { printf("%d entries, %d returns, %d loads\n", entries, returns, loads) }
X
cat >comes.stp <<'X'
global n
probe module("loop").function("*").call, module("loop").function("*").return { n++ }
probe timer.ms(300) { exit() }
probe end { if (n < 0) println(n) }
X
cat >waits.stp <<'X'
global n, told
probe module("loop").function("loop_init") { n["begun"]++ }
probe module("loop").function("loop_init").return { n["returned"]++ }
probe module("loop").function("loop_exit") { n["ended"]++ }
probe module("loop").function("loop_configure") { n["entered"]++ }
probe module("loop").function("loop_configure").return { n["configured"]++ }
probe module("loop").statement("loop_configure") { n["statement"]++ }
probe module("loop").function("*").call if (told % 16 < 8) { n["any"]++ }
probe timer.ms(10) { if (!told++) println("armed") }
probe end {
	foreach (what+ in n)
		if (what != "any")
			printf("%s %d\n", what, n[what])
}
X
"$STAP" -r "$STAP_TEST_RELEASE" -p4 -m waits waits.stp >/dev/null
"$STAP" -r "$STAP_TEST_RELEASE" -p4 -m stays stays.stp >/dev/null
"$STAP" -r "$STAP_TEST_RELEASE" -p4 -m comes comes.stp >/dev/null

cat >guest.sh <<'X'
staprun=$1 times=$2
free() { sync; echo 3 >/proc/sys/vm/drop_caches; awk '/^MemAvailable/ { print $2 }' /proc/meminfo; }
round() {
	modprobe loop && losetup /dev/loop0 /tmp/img && losetup -d /dev/loop0
	until rmmod loop 2>/dev/null; do sleep 0.1; done
}
head -c 1M /dev/zero >/tmp/img
"$staprun" waits.ko >/tmp/waits 2>&1 & waits=$!
until grep -q armed /tmp/waits; do sleep 0.1; done
modprobe loop
"$staprun" stays.ko >/tmp/stays 2>&1 & stays=$!
until grep -q armed /tmp/stays; do sleep 0.1; done
(while :; do find /etc /usr/bin -type f 2>/dev/null | head -500 | xargs cat >/dev/null 2>&1; done) & a=$!
(while :; do modprobe loop 2>/dev/null && "$staprun" comes.ko >/dev/null 2>&1; done) & b=$!
round
before=$(free)
for i in $(seq "$times"); do
	round
done
after=$(free)
kill $b $a
wait $b $a
while grep -q "^loop " /proc/modules; do rmmod loop 2>/dev/null || sleep 0.1; done
kill $stays $waits
wait
cat /tmp/stays /tmp/waits
echo "$times times; available memory before $before kB, after $after kB"
awk -v least="$times" '
	$1 == "begun" || $1 == "returned" || $1 == "ended" {
		if (!loads)
			loads = $2
		good += $2 == loads && $2 >= least
	}
	$1 == "entered" || $1 == "configured" || $1 == "statement" { good += $2 >= least }
	END { exit good != 6 }' /tmp/waits || { echo "not all was seen"; exit 1; }
if grep '^stays\|^comes\|^waits' /proc/modules; then exit 1; fi
test $((before - after)) -lt $((times * 32))
X
"$STAPVM" -r "$STAP_TEST_RELEASE" sh guest.sh "$STAPRUN" "$times"
