# SPDX-License-Identifier: GPL-2.0-or-later
#
# For tests of --remote: hosts, which are sshds of this machine, each with an address and a home of its own, in a
# network of the test's. To be read first by a script that root runs:
#
#	. "$STAP_TEST_SOURCE/testsuite/harness/hosts.sh"
#	host one				starts an sshd, whose port is 22 of 127.0.1.1
#	host two ForceCommand="…"		with options of sshd_config(5)
#	IN="unshare -T --monotonic 1000" host three		by a command; ADDRESS is another address
#	"$STAP" --remote=one …
#	sshd_of one				its process
#
# ssh takes the names from a configuration in the work directory; so does a user's from ~/.ssh.  A home is HOSTS/NAME,
# where bundles are in cache/stap, and sessions that were detached in state/stap.
if [ -z "${STAP_TEST_NETWORK-}" ]; then
	export STAP_TEST_NETWORK=own
	exec unshare -mnp --fork --kill-child --mount-proc sh "$0" "$@"
fi
ip link set lo up
mount -t tmpfs tmpfs /run
mkdir -p /run/sshd hosts bin
HOSTS=$PWD/hosts
ssh-keygen -q -t ed25519 -N '' -f client
ssh-keygen -q -t ed25519 -N '' -f server
cat > config <<END
Host *
	User root
	IdentityFile $PWD/client
	IdentitiesOnly yes
	UserKnownHostsFile $PWD/known
	GlobalKnownHostsFile /dev/null
	StrictHostKeyChecking yes
	LogLevel ERROR
END
printf '#!/bin/sh\nexec %s -F %s/config "$@"\n' "$(command -v ssh)" "$PWD" > bin/ssh
chmod +x bin/ssh
PATH=$PWD/bin:$PATH
address=0

host() {
	name=$1
	shift
	address=$((address + 1))
	a=${ADDRESS-127.0.1.$address}
	mkdir -p "$HOSTS/$name/cache"
	printf 'Host %s\n\tHostName %s\n\tHostKeyAlias %s\n' "$name" $a "$name" >> config
	echo "$name $(cut -d' ' -f1,2 server.pub)" >> known
	{
		for option in "$@"; do
			echo "${option%%=*} ${option#*=}"
		done
		cat <<END
ListenAddress $a
HostKey $PWD/server
AuthorizedKeysFile $PWD/client.pub
StrictModes no
UsePAM no
PermitRootLogin yes
PidFile $HOSTS/$name/pid
SetEnv HOME=$HOSTS/$name XDG_CACHE_HOME=$HOSTS/$name/cache XDG_STATE_HOME=$HOSTS/$name/state
END
	} > "$HOSTS/$name/sshd_config"
	${IN-} /usr/sbin/sshd -f "$HOSTS/$name/sshd_config" -E "$HOSTS/$name/log" || return
	until [ -s "$HOSTS/$name/pid" ]; do sleep 0.01; done
}

sshd_of() {
	cat "$HOSTS/$1/pid"
}
