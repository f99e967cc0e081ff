# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # names shared with the other files
# The QEMU that guests run on.
#
# Bookworm's own, 7.2, translates code without holding its page: a CPU may run for
# ever what another one has just patched away. ftrace patches thousands of functions
# at a time, so that one in a few hundred thousand hits a breakpoint that is
# no longer there ("Oops: int3"). From 8.1 on the page is locked. So the newest one
# of this release, backports included, is unpacked into the cache; the machine's own
# brings the libraries, and serves where there is no other.
#
# With 10.0 it is rarer, not gone: a write finds the page without code, another CPU
# translates what was there before, and then the bytes are written. Seen while a CPU went
# offline: int3 for ever at a function whose first bytes were a nop again. The kernel
# goes on where it finds no breakpoint any more, so it does not even complain. So CPUs run in
# turns, in one thread, unless --parallel is given: for what writers at the same time
# can break. Where it happens then, run tells it from what is ours (lib/log.sh).

emulator_dir=$vm_cache/qemu

emulator_need()
{
	build_once "$emulator_dir" emulator_make
}

emulator_make()
{
	local dir=$1 package

	mkdir -p "$dir/deb"
	with_lock apt emulator_fetch "$dir/deb"
	for package in "$dir"/deb/*.deb; do
		[ ! -e "$package" ] || dpkg-deb -x "$package" "$dir"
	done
	rm -rf "$dir/deb"
	if ! "$dir/usr/bin/qemu-system-x86_64" --version >/dev/null 2>&1; then
		say "no newer QEMU that starts here: the machine's own is used"
		rm -rf "$dir/usr"
	fi
}

emulator_fetch()
{
	local dir=$1 release version package packages=()

	[ -s "$vm_apt/sources.list" ] || apt_update
	release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	version=$(apt_packages "${release:-bookworm}" |
		  awk '$1 == "qemu-system-x86" { print $2 }' | sort -V | tail -n 1)
	[ -n "$version" ] || return 0
	for package in qemu-system-x86 qemu-system-common qemu-system-data; do
		packages+=("$package=$version")
	done
	apt_download "$dir" "${packages[@]}"
}

# Words that start QEMU.
emulator_command()
{
	local program=$emulator_dir/usr/bin/qemu-system-x86_64
	if [ -n "${QEMU:-}" ]; then
		echo "$QEMU"
	elif [ -x "$program" ]; then
		echo "$program -L $emulator_dir/usr/share/qemu -L /usr/share/seabios -L /usr/share/qemu"
	else
		echo qemu-system-x86_64
	fi
}
