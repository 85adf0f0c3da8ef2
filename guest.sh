staprun=$1 seconds=$2
(while :; do find /etc /usr/bin -type f | head -500 | xargs cat >/dev/null; done 2>/dev/null) &
load=$!
"$staprun" -v -T "$seconds" every.ko >out 2>err
status=$?
kill $load
cat out
grep -v 'registration error' err
echo "$(grep -c 'registration error' err) functions that the kernel refused"
if dmesg | grep -E 'BUG|WARNING|Oops|soft lockup|hung task|rcu.*stall'; then exit 1; fi
if grep '^every ' /proc/modules; then exit 1; fi
grep -q '^[1-9].* in all$' out || exit 1
exit $status
