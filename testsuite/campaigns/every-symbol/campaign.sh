# SPDX-License-Identifier: GPL-2.0-or-later
#
# Scripts probe the functions that ftrace doesn't reach, 500 at a time: every-symbol [SUFFIX]
#
# They are assembler's, too, and also probed where they are inlined, by kprobes (with SUFFIX .return by
# kretprobes), in guests that run commands, switch tracepoints and start a CPU meanwhile.  Most are
# refused, and none that is taken does harm.  It takes minutes, on a debug kernel a quarter of an hour.
# It fails when a guest's kernel complains or dies.
suffix=${1:-}

# The names of one function each, by what the kernel itself says.
cat >list.sh <<'X'
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
{
	sed 's/ .*/ traced/' /sys/kernel/tracing/available_filter_functions
	sed 's/^[^\t]*\t//; s/$/ refused/' /sys/kernel/debug/kprobes/blacklist
	awk '$3 == "_stext" { on = 1 } $3 == "_etext" { exit } on && $2 ~ /[tTwW]/ && !$4 { print $3, "text" }' /proc/kallsyms
} | awk '{ n[$1] += $2 == "text"; if ($2 != "text") no[$1] = 1 }
	 END { for (f in n) if (n[f] == 1 && !no[f] && f !~ /^__pfx_/) print f }' | sort
X
"$STAPVM" -n -r "$STAP_TEST_RELEASE" sh list.sh >all
echo "$(wc -l <all) functions"

cat >guest.sh <<'X'
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
cat >load.sh <<'Y'
cd /sys/kernel/tracing/events
for i in 1 2 3; do
	for e in sched syscalls; do echo 1 >$e/enable; done
	cat /proc/self/maps /etc/passwd >/dev/null
	find /etc >/dev/null
	for e in sched syscalls; do echo 0 >$e/enable; done
	for on in 0 1; do echo $on >/sys/devices/system/cpu/cpu1/online; done
done
Y
"$1" -c 'sh load.sh' symbols.ko 2>err || { cat err; exit 1; }
if dmesg | grep -E 'BUG|WARNING|Oops|soft lockup|hung task|detected stall'; then exit 1; fi
if grep '^symbols ' /proc/modules; then exit 1; fi
X
split -l 500 all some.
for some in some.*; do
	{
		echo 'global n'
		sed "s/.*/probe kernel.function(\"&\")$suffix ? { n++ }/" "$some"
		echo 'probe end { println(n, " hits") }'
	} >symbols.stp
	"$STAP" -r "$STAP_TEST_RELEASE" -D STP_NO_OVERLOAD -p4 -m symbols symbols.stp >/dev/null
	echo "$(head -1 "$some") to $(tail -1 "$some"):"
	"$STAPVM" -n -r "$STAP_TEST_RELEASE" sh guest.sh "$STAPRUN"
done
