# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # names shared with the other files
# The QEMU with which selftests/ptemu emulates Intel PT.
#
# Its plugin interface must report interrupts and allow writing registers (version 7, QEMU
# 11.1), which is too new for bookworm. So the newest QEMU in the backports of the newest
# release is unpacked into the cache with all the libraries that it needs, and is started by
# the loader of their libc.

emulator_pt_dir=$vm_cache/qemu-pt
emulator_pt_plugin=$vm_top/build/ptemu/ptemu.so

emulator_pt_need()
{
	build_once "$emulator_pt_dir" emulator_pt_make
}

emulator_pt_make()
{
	local dir=$1 package

	mkdir -p "$dir"/deb/{archives/partial,lists}
	with_lock apt emulator_pt_fetch "$dir/deb"
	for package in "$dir"/deb/archives/*.deb; do
		dpkg-deb -x "$package" "$dir"
	done
	rm -rf "$dir/deb" "$dir/usr/share/doc" "$dir/usr/share/locale" "$dir/usr/share/man"
}

# Downloads the package and all its dependencies, as if no package were installed.
emulator_pt_fetch()
{
	local release=${vm_releases[-1]}

	kernel_lists
	retry_download "the emulator of Intel PT" priv_apt apt-get install -qq -y --download-only --no-install-recommends \
		-o Dir::Cache::archives="$1/archives" \
		-t "$release-backports" qemu-system-x86 >&2
}

# emulator_pt_command: prints the words of the command that starts QEMU.
emulator_pt_command()
{
	local dir=$emulator_pt_dir

	echo "$(echo "$dir"/usr/lib*/ld-linux-x86-64.so.2)" \
		--library-path "$dir/usr/lib/x86_64-linux-gnu:$dir/usr/lib/x86_64-linux-gnu/pmdk" \
		"$dir/usr/bin/qemu-system-x86_64" -L "$dir/usr/share/qemu" -L "$dir/usr/share/seabios"
}

# emulator_pt_refusal: prints why this QEMU refuses the plugin; nothing if it accepts the
# plugin.
emulator_pt_refusal()
{
	local dir out

	dir=$(mktemp -d)
	# shellcheck disable=SC2046 # words
	out=$(timeout 60 $(emulator_pt_command) -M none -display none -nodefaults \
		-plugin "$emulator_pt_plugin,dir=$dir" -monitor stdio <<<quit 2>&1 >/dev/null) ||
		echo "${out:-QEMU does not start}" | tail -n 1
	rm -rf "$dir"
}
