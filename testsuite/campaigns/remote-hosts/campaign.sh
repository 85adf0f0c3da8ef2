# SPDX-License-Identifier: GPL-2.0-or-later
#
# stap --remote on many sshds, each in a network namespace; a fifth is disturbed: remote-hosts [N]
#
# N hosts (50) of this machine, as root.  It tells how the start on all of them compares with that on one, and with a
# bare ssh to each; and fails when stap takes more than three times as long as ssh (on 50 hosts or more), when a line
# of an undisturbed host is lost, or out of order, or when a host's end is told wrong.
# Disturbed are: connections killed; sessions stopped, that never answer again; full disks; floods.
# At last (on 50 hosts or more) guests of two kernels are among them: this machine's, and that of the system trixie of
# testsuite/README.md, behind a socket.
set -u
n=${1:-50}
. "$STAP_TEST_SOURCE/testsuite/harness/hosts.sh"

fail() {
	echo "$*"
	tail -n 70 err
	exit 1
}

ip link add name bridge0 type bridge
ip addr add 10.9.0.1/16 dev bridge0
ip link set bridge0 up
hosts_of() {
	seq -f "--remote=h%g" "$1" "$2"
}
for i in $(seq "$n"); do
	ip netns add "h$i"
	ip link add name "v$i" type veth peer name eth0 netns "h$i"
	ip link set "v$i" master bridge0 up
	ip -n "h$i" addr add "10.9.1.$i/16" dev eth0
	ip -n "h$i" link set eth0 up
	IN="ip netns exec h$i" ADDRESS=10.9.1.$i host "h$i"
done

# Sets the variable to how many milliseconds the command took at best, of three times.
took() {
	variable=$1 best=
	shift
	for _ in 1 2 3; do
		from=$(date +%s%N)
		"$@" < /dev/null > out 2> err || fail "failed: $*"
		ms=$((($(date +%s%N) - from) / 1000000))
		[ -n "$best" ] && [ "$best" -le $ms ] || best=$ms
	done
	eval "$variable=$best"
}
bare() {
	for h in $(seq "$1"); do
		ssh "h$h" true &
	done
	wait
}
run() {
	"$STAP" --runtime=user "$@" -e 'probe begin { println("up") exit() }'
}
run $(hosts_of 1 "$n") < /dev/null > out 2> err || fail "the bundles are not sent"
[ "$(grep -c ': up$' out)" = "$n" ] || fail "not all are up"
took one run --remote=h1
took all run $(hosts_of 1 "$n")
took bare_one bare 1
took bare_all bare "$n"
echo "start and end on $n hosts: $(echo "$all $one" | awk '{ printf "%.1f", $1 / $2 }') times that on one"
echo "ssh HOST true on $n hosts: $(echo "$bare_all $bare_one" | awk '{ printf "%.1f", $1 / $2 }') times that on one;" \
	"stap takes $(echo "$all $bare_all" | awk '{ printf "%.1f", $1 / $2 }') times as long"
# A few hosts are done so soon that what else the machine does decides.
[ "$n" -lt 50 ] || [ "$all" -le $((3 * bare_all)) ] || fail "stap takes more than three times as long as ssh"

# Each host prints its numbers, and then waits for the file "go".
lines=5000
cat > count.stp <<END
global n
probe timer.ms(20) {
	for (i = 0; i < 100 && n < $lines; i++)
		printf("%d\n", n++)
}
probe end { println("end") }
END
seq 0 $((lines - 1)) > want
echo end >> want
kinds="killed stopped full flood"
per=$((n / 20 > 0 ? n / 20 : 1))
first=$((n - 4 * per + 1))

# Starts the host's sshd anew, to see what has changed.
restart() {
	old=$(sshd_of "$1")
	kill "$old"
	while kill -0 "$old" 2> /dev/null; do sleep 0.1; done
	ip netns exec "$1" /usr/sbin/sshd -f "$HOSTS/$1/sshd_config" -E "$HOSTS/$1/log"
	until [ -s "hosts/$1/pid" ]; do sleep 0.1; done
}
# Starts it with the options.
runtime=--runtime=user
count() {
	: > err
	"$STAP" -v $runtime "$@" count.stp < /dev/null > out 2> err &
	pid=$!
}
check() {
	cmp -s want "$2" || fail "$1: $(wc -l < "$2") lines, of $(wc -l < want)"
}

# All are well: a file for each, and one in the order of time.
count $(hosts_of 1 "$n") -o '%H.out'
until [ "$(cat h*.out 2> /dev/null | grep -cx $((lines - 1)))" = "$n" ]; do kill -0 $pid || fail "ended"; sleep 0.2; done
kill -TERM $pid
wait $pid || fail "all well: exit status $?"
for i in $(seq "$n"); do check "h$i" "h$i.out"; done
count $(hosts_of 1 "$n")
until [ "$(grep -c ": $((lines - 1))$" out)" = "$n" ]; do kill -0 $pid || fail "ended"; sleep 0.2; done
kill -TERM $pid
wait $pid || fail "merged: exit status $?"
for i in $(seq "$n"); do
	sed -n "s/^h$i: //p" out > "h$i.out"
	check "h$i merged" "h$i.out"
done
echo "$((n * lines)) lines of $n hosts: none is lost; $(grep 'too late' err)"

# Some are disturbed.
i=$first
for kind in $kinds; do
	for _ in $(seq "$per"); do
		echo "h$i $kind"
		i=$((i + 1))
	done
done > disturbed
for h in $(sed -n 's/ full//p' disturbed); do
	mount -t tmpfs -o size=64k tmpfs "hosts/$h/cache"
	restart "$h"
done
for h in $(sed -n 's/ flood//p' disturbed); do
	echo 'ForceCommand yes flood' >> "hosts/$h/sshd_config"
	restart "$h"
done
rm -f h*.out
count $(hosts_of 1 "$n") -o '%H.out'
for h in $(grep 'killed\|stopped' disturbed | cut -d' ' -f1); do
	until [ -s "$h.out" ]; do kill -0 $pid || fail "ended"; sleep 0.1; done
done
for h in $(sed -n 's/ killed//p' disturbed); do pkill -KILL -P "$(sshd_of "$h")"; done
for h in $(sed -n 's/ stopped//p' disturbed); do pkill -STOP -P "$(sshd_of "$h")"; done
for i in $(seq $((first - 1))); do
	until grep -qx $((lines - 1)) "h$i.out"; do kill -0 $pid || fail "ended"; sleep 0.1; done
done
# Those that are stopped are given up by ssh.
for h in $(sed -n 's/ stopped//p' disturbed); do
	while pgrep -f -- "-- $h exec sh" > /dev/null; do kill -0 $pid || fail "ended"; sleep 0.5; done
done
kill -TERM $pid
wait $pid
[ $? = 0 ] && fail "no host has failed"
for i in $(seq $((first - 1))); do
	check "h$i, undisturbed" "h$i.out"
	grep -qx "h$i  *0  *$((lines + 1))  done" err || fail "h$i is not done"
done
while read -r h kind; do
	case $kind in
	killed | stopped) want='255 .* the connection broke' ;;
	full) want="1 .* it can't keep the bundle" ;;
	flood) want='1 .* it prints without end' ;;
	esac
	grep -q "^$h  *$want" err || fail "$h was $kind, and that is not told"
done < disturbed
echo "$((4 * per)) of $n disturbed: the other $((first - 1)) are whole"

trixie=${STAP_TEST_ROOTS:-$HOME/.cache/stap-roots}/trixie
[ "$n" -ge 50 ] || exit 0
[ -d "$trixie/lib/modules" ] || {
	echo "no guests: $trixie is missing, which testsuite/run --suite trixie makes"
	exit
}
echo "exec $STAPVM --root $trixie sh" > guest.socket.sh
python3 "$STAP_TEST_SOURCE/testsuite/harness/sockets.py" guest.socket > up &
until grep -q ready up; do sleep 0.1; done
rm -f ./*.out
runtime=
count $(hosts_of 1 $((first - 1))) --remote="vm:$STAP_TEST_RELEASE" --remote=unix:guest.socket -o '%H.out'
until [ "$(cat ./*.out 2> /dev/null | grep -cx $((lines - 1)))" = $((first + 1)) ]; do kill -0 $pid || fail "ended"; sleep 0.2; done
kill -TERM $pid
wait $pid || fail "guests: exit status $?"
for file in *.out; do check "$file" "$file"; done
echo "guests of two kernels beside $((first - 1)) hosts: none of $(((first + 1) * lines)) lines is lost;" \
	"$(grep -c '^Pass 3: translated to C' err) kernel has a module, $(grep -c 'in user space' err) a process"
