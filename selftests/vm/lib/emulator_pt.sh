# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # names shared with the other files
# The QEMU that selftests/ptemu makes a machine with Intel PT of.
#
# Its plugin interface must tell of interrupts and let registers be written (version 7, QEMU
# 11.1), which no QEMU of bookworm's does. So the newest of the newest release's backports
# is unpacked into the cache with every library it needs, and started by that libc's loader.

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

# The package and all it depends on, as if nothing were installed.
emulator_pt_fetch()
{
	local release=${vm_releases[-1]}

	kernel_lists
	retry_download "the emulator of Intel PT" priv_apt apt-get install -qq -y --download-only --no-install-recommends \
		-o Dir::Cache::archives="$1/archives" \
		-t "$release-backports" qemu-system-x86 >&2
}

# Words that start QEMU.
emulator_pt_command()
{
	local dir=$emulator_pt_dir

	echo "$(echo "$dir"/usr/lib*/ld-linux-x86-64.so.2)" \
		--library-path "$dir/usr/lib/x86_64-linux-gnu:$dir/usr/lib/x86_64-linux-gnu/pmdk" \
		"$dir/usr/bin/qemu-system-x86_64" -L "$dir/usr/share/qemu" -L "$dir/usr/share/seabios"
}

# emulator_pt_refusal: why this QEMU does not take our plugin; nothing where it does.
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
