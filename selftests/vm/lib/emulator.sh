# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # names shared with the other files
# The QEMU that runs guests.
#
# QEMU 7.2, that of bookworm, translates code without locking its page, so a CPU may execute
# code that another CPU has just replaced, even forever. ftrace patches thousands of
# functions at a time; one in a few hundred thousand then hits a breakpoint that no longer
# exists ("Oops: int3"). Since 8.1, QEMU locks the page. So the newest QEMU of this release,
# including backports, is unpacked into the cache. It uses the libraries of the machine's own
# QEMU, which is used if there is no other one.
#
# In QEMU 10.0, this is less frequent, but still possible: a write finds no translated code
# in the page, another CPU translates the old bytes, and then the new bytes are written. It
# was seen while a CPU went offline: int3 was executed forever at a function whose first
# bytes were a nop again. The kernel prints no warning, because it continues if the
# breakpoint is no longer in memory. So CPUs run in turns, in one thread, unless --parallel
# is given, which is for tests that need concurrent writers. run distinguishes a failure by
# stale code from our own bugs (lib/log.sh).

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

# emulator_command: prints the words of the command that starts QEMU.
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
