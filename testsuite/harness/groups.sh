# SPDX-License-Identifier: GPL-2.0-or-later
#
# Read in a guest by the tests of staprun-auth: installs the programs of the build in BUILD where configure
# says, makes the groups, and users of them (alice: stapusr, carol: stapusr, dan: stapdev, eve: neither).

prefix=$(sed -n 's/^prefix = //p' "$BUILD/Makefile")
libexec=$prefix/libexec/stap
auth=$libexec/staprun-auth
kept=/lib/modules/$(uname -r)/systemtap
# What the test has made, where every user may read it: a test's directory is root's alone.
made=/tmp/made
rm -rf "$made" /tmp/groups
mkdir -m 755 "$made"
cp -r . "$made"
mkdir -p "$prefix/bin" "$libexec" "$kept"
install -m 755 "$BUILD/staprun" "$prefix/bin"
install -m 755 "$BUILD/stapio" "$libexec"
install -m 4755 "$BUILD/staprun-auth" "$libexec"
staprun=$prefix/bin/staprun
if namei -m "$auth" "$staprun" | grep -q '^ .....w\|^ ........w'; then
	echo "users other than root can change what is in $prefix"
	exit 77
fi
sed -i '/^stap\(usr\|dev\):/d' /etc/group
printf 'stapusr:x:701:\nstapdev:x:702:\n' >> /etc/group

alice() { setpriv --reuid=1001 --regid=1001 --groups=701 "$@"; }
carol() { setpriv --reuid=1004 --regid=1004 --groups=100,701 "$@"; }
dan() { setpriv --reuid=1002 --regid=1002 --groups=702 "$@"; }
eve() { setpriv --reuid=1003 --regid=1003 --clear-groups "$@"; }

fail() {
	echo "$*"
	for f in out err; do
		echo "$f:"
		cat $f 2> /dev/null
	done
	exit 1
}

# refused TEXT COMMAND...: it fails, prints TEXT, and nothing is loaded.
refused() {
	text=$1
	shift
	! "$@" > out 2> err || fail "not refused: $*"
	grep -qF -- "$text" err || fail "$*: no '$text'"
	! grep -q '^reads\|^plain\|^other' /proc/modules || fail "$*: loaded all the same"
}

# wait_until CONDITION: evaluated for 60 s.
wait_until() {
	for i in $(seq 600); do
		! eval "$1" || return 0
		sleep 0.1
	done
	fail "never: $1"
}

loaded() {
	[ -e "/sys/module/$1" ]
}
