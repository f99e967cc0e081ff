# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # names shared with the other files
# The image of one run: the command, the guest's first program, the project.

# stage_project STAGE SERIES: copies what is built and checked out now.
stage_project()
{
	local stage=$1 series=$2 modules=$1/usr/lib/modules/$vm_kver
	mkdir -p "$stage/usr/bin" "$stage/usr/lib/fargs/selftests"
	if [ -e "$vm_top/Kbuild" ]; then
		module_build "$series" "$vm_top" "$modules/updates"
		stage_depmod "$stage" "$series"
	fi
	if [ -e "$vm_top/build/fargs" ]; then
		cp -p "$vm_top/build/fargs" "$stage/usr/bin/"
		stage_library "$stage" libZydis
	fi
	copy_tree "$vm_top/selftests" "$stage/usr/lib/fargs/selftests"
	if [ -d "$vm_top/build/selftests" ]; then
		copy_tree "$vm_top/build/selftests" "$stage/usr/lib/fargs/selftests/build"
	fi
}

# stage_library STAGE NAME: copies this machine's library for the tool, if the tool needs it. Its
# version is part of its name, and other releases have other versions.
stage_library()
{
	local lib
	lib=$(ldd "$vm_top/build/fargs" | awk -v name="$2.so." 'index($1, name) == 1 { print $3 }')
	[ -n "$lib" ] || return 0
	mkdir -p "$1/usr/lib/x86_64-linux-gnu"
	cp -L "$lib" "$1/usr/lib/x86_64-linux-gnu/"
}

# stage_depmod STAGE SERIES: makes module indexes that include updates/. To make
# them, depmod reads all stock modules, so the indexes are kept until the
# project's modules change.
stage_depmod()
{
	local modules=$1/usr/lib/modules/$vm_kver series=$2 key index
	key=$(cd "$modules/updates" && cksum ./*.ko | cksum | tr ' ' -)
	index=$vm_cache/$series/depmod/$key
	vm_quiet=y build_once "$index" stage_index "$series" "$modules/updates"
	touch "$index"
	cp "$index"/* "$modules/"
	# Remove indexes that were not used for a day.
	find "$vm_cache/$series/depmod" -mindepth 1 -maxdepth 1 -mtime +0 -exec rm -rf {} +
	find "$vm_cache/lock" -name "$series-depmod-*" -mtime +1 -delete
}

stage_index()
{
	local out=$1 series=$2 updates=$3 base=$1.base kernel tree
	kernel=$(kernel_dir "$series")
	tree=$base/lib/modules/$vm_kver
	mkdir -p "$tree"
	# The debug kernel may have everything built in.
	mkdir -p "$kernel/tree/lib/modules/$vm_kver/kernel"
	ln -s "$kernel/tree/lib/modules/$vm_kver/kernel" "$tree/kernel"
	ln -s "$(readlink -f "$updates")" "$tree/updates"
	cp "$kernel/tree/lib/modules/$vm_kver"/modules.{order,builtin,builtin.modinfo} "$tree/"
	depmod -b "$base" "$vm_kver"
	rm "$tree/kernel" "$tree/updates"
	mv "$tree" "$out"
	rm -rf "$base"
}

# stage_command STAGE SCRIPT ARGS...: SCRIPT is copied if it is a file of the
# host; otherwise, it is a command of the guest.
stage_command()
{
	local stage=$1 script=$2 lib=$1/usr/lib/fargs-vm
	shift 2
	mkdir -p "$lib/script"
	if [ -f "$script" ]; then
		cp -L "$script" "$lib/script/"
		chmod 755 "$lib/script/${script##*/}"
		script=/usr/lib/fargs-vm/script/${script##*/}
	fi
	printf '%s\0' "$script" "$@" >"$lib/command"
}

stage_image()
{
	mksquashfs "$1" "$2" "${image_squash[@]}" >&2
}
