# SPDX-License-Identifier: GPL-2.0-or-later
# In a guest that has stap's packages, /lib/modules/RELEASE/systemtap/compiled.ko and
# /etc/stap-exporter/begun.stp: runs services under a systemd of its own, and looks at what they have written to
# the journal, and serve.
#
#	sh /root/services.sh	starts systemd, which starts "services.sh check"
set -eu

say_all() {
	echo "$*"
	journalctl --no-pager -n 40 -o cat
	exit 1
}

# has SERVICE LINE: the service has printed this; waits for it
has() {
	echo "waiting for '$2' of $1"
	until journalctl -q -o cat -u "$1" | grep -qx "$2"; do
		! systemctl is-failed -q "$1" || say_all "$1 failed, without '$2'"
		sleep 0.2
	done
}

# The first client starts the exporter, which has no network but the socket it was given.
check_exporter() {
	echo "waiting for the page of the exporter"
	systemctl start stap-exporter.socket
	systemctl is-active -q stap-exporter.service && say_all "the exporter runs before there is a client"
	cat > /run/page.py <<'END'
import urllib.request
print(urllib.request.urlopen("http://127.0.0.1:9900/begun.stp", timeout=60).read().decode())
END
	until python3 /run/page.py > /run/page 2> /run/no-page && grep -qx 'begun_total 1' /run/page; do
		[ "$(systemctl show -P NRestarts stap-exporter)" = 0 ] || say_all "no page: the exporter has failed"
		! journalctl -q -o cat -u stap-exporter | grep -q 'has ended' || say_all "no page: the script has ended"
		sleep 0.2
	done
	exporter=$(systemctl show -P MainPID stap-exporter)
	[ "$(readlink "/proc/$exporter/ns/net")" != "$(readlink /proc/1/ns/net)" ] || say_all "it has a network"
	systemctl stop stap-exporter.socket stap-exporter
	grep '^exporter' /proc/modules && say_all "the exporter's module is left"
	systemctl is-failed stap-exporter && say_all "the exporter failed"
	return 0
}

check() {
	exec > /run/said 2>&1
	systemctl start stap@hello staprun@compiled
	has staprun@compiled 'compiled here'
	has stap@hello 'hello begins'
	has stap@hello 'reads are counted'
	has stap@hello 'the stack: .*+0x.*'
	grep -q '^compiled ' /proc/modules
	systemctl stop stap@hello staprun@compiled
	has stap@hello 'hello ends'
	has staprun@compiled 'and ended'
	grep -e '^compiled ' -e '^stap_' /proc/modules && say_all 'a module is left'
	systemctl is-failed stap@hello staprun@compiled && say_all "a service failed"
	check_exporter
	! systemctl start stap@absent || say_all "a script that is absent was started"
	echo passed
}

if [ "${1-}" = check ]; then
	check
	exit
fi

cat > /etc/stap/hello.stp <<'END'
global reads, told
probe begin { println("hello begins") }
probe kernel.function("vfs_read") {
	if (!reads++)
		printf("the stack: %s\n", sprint_ubacktrace())
}
probe timer.ms(100) {
	if (reads && !told++)
		println("reads are counted")
}
probe end { println("hello ends") }
END
cat > /etc/systemd/system/check.service <<END
[Service]
Type=oneshot
ExecStart=/bin/sh /root/services.sh check
ExecStopPost=/bin/systemctl --no-block poweroff
[Install]
WantedBy=default.target
END
systemctl -q enable check
: > /run/said
tail -f /run/said &
# The kernel is the guest's: to systemd this is a container.
container=guest unshare --fork --pid --mount --propagation private --mount-proc /lib/systemd/systemd --system \
	--log-target=journal --show-status=no < /dev/null || true
grep -qx passed /run/said
