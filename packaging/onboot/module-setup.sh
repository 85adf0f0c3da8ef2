#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A module of dracut: puts the scripts of stap-onboot, and what starts them, into the initramfs.

check()
{
	[ -n "$(ls "/lib/modules/$kernel/systemtap/onboot" 2> /dev/null)" ]
}

install()
{
	local bundle

	# dracut strips programs, which cuts a bundle's modules off: it is one again when it is to run.
	for bundle in "/lib/modules/$kernel/systemtap/onboot/"*; do
		inst_simple "$bundle" "/lib/stap/onboot/${bundle##*/}"
		chmod a-x "$initdir/lib/stap/onboot/${bundle##*/}"
	done
	inst_multiple chmod
	# dracut runs hooks whose names end in .sh.
	{
		echo 'chmod a+x /lib/stap/onboot/*'
		cat "$moddir/../../../../share/initramfs-tools/scripts/init-top/stap"
	} > "$DRACUT_TMPDIR/stap.sh"
	inst_hook cmdline 00 "$DRACUT_TMPDIR/stap.sh"
}
