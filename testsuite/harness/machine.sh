# SPDX-License-Identifier: GPL-2.0-or-later
# A machine of a test's own, with all that it needs in memory, for what stap-vm's guests can't do:
# their root calls a suspend off, and their emulator ends with the first kernel.  For sh -eu:
#
#	. "$STAP_TEST_SOURCE/testsuite/harness/machine.sh"
#	machine_root root /bin/sh /bin/mount staprun.ko
#	cat > root/init ...
#	machine_image root image
#	machine_run image '/^done/q' > said

# machine_root DIR FILE...: a root with these, staprun and stapio.  Programs go into bin, with their
# libraries, modules into the root.
machine_root()
{
	root=$1
	shift
	mkdir -p "$root/bin" "$root/dev" "$root/proc" "$root/sys" "$root/tmp" "$root/etc"
	for file in "$@" "$STAPRUN" "${STAPRUN%staprun}stapio"; do
		case $file in
		*.ko) cp "$file" "$root" 2> /dev/null || xz -dc "$file.xz" > "$root/${file##*/}" ;;
		*)
			cp "$file" "$root/bin"
			ldd "$file" | grep -o '/lib[^ ]*' | while read -r library; do
				mkdir -p "$root${library%/*}"
				cp "$library" "$root$library"
			done
		esac
	done
	echo 'root:x:0:0:root:/:/bin/sh' > "$root/etc/passwd"
	echo 'root:x:0:' > "$root/etc/group"
}

# machine_image DIR IMAGE
machine_image()
{
	chmod +x "$1/init"
	(cd "$1" && find . | cpio -o -H newc 2> /dev/null) > "$2"
}

# machine_run IMAGE END [PARAMETER...]: boots the kernel, with these parameters, and prints what the
# machine says until sed's END.  A machine that is reset begins again, and again.  With
# $machine_variables, a file of UEFI's variables, the machine starts by UEFI firmware (the package ovmf)
# with a copy of them: it is one with Secure Boot if they say so.
machine_firmware=/usr/share/OVMF/OVMF_CODE_4M.fd
machine_variables=
machine_run()
{
	image=$1 end=$2
	shift 2
	accel=$("$STAPVM" -r "$STAP_TEST_RELEASE" --accel)
	set -- "console=ttyS0 loglevel=4 panic=-1 cryptomgr.notests $*"
	if [ "$machine_variables" ]; then
		set -- "$1" -drive "if=pflash,format=raw,readonly=on,file=$machine_firmware" \
			-drive "if=pflash,format=raw,snapshot=on,file=$machine_variables"
	fi
	mkfifo console
	timeout 120 qemu-system-x86_64 -nodefaults -display none -machine q35 -accel "$accel" \
		-cpu max,-erms,-fsrm -smp 2 -m 1024 -serial stdio -kernel "/boot/vmlinuz-$STAP_TEST_RELEASE" \
		-initrd "$image" -append "$@" \
		< /dev/null > console 2>&1 & machine=$!
	sed "s/\r\$//; $end" < console
	kill $machine 2> /dev/null || true
	rm console
}
