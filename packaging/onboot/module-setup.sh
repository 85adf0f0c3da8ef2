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

	for bundle in "/lib/modules/$kernel/systemtap/onboot/"*; do
		inst_simple "$bundle" "/lib/stap/onboot/${bundle##*/}"
	done
	# dracut runs hooks whose names end in .sh.
	cp "$moddir/../../../../share/initramfs-tools/scripts/init-top/stap" "$DRACUT_TMPDIR/stap.sh"
	inst_hook cmdline 00 "$DRACUT_TMPDIR/stap.sh"
}
