# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # names shared with the other files
# The debug kernel: from a Debian source package to the layout of kernel.sh.

debug_release=bookworm
debug_source=linux-source-6.1
debug_dir=$vm_cache/debug

# A root of its own: what a whole kernel needs would be dead weight in guests.
debug_root()
{
	echo "$debug_dir/root"
}

debug_root_make()
{
	root_install "$1" "$debug_release" gcc make pahole flex bison bc kmod cpio rsync \
		libelf-dev libssl-dev openssl xz-utils python3-minimal
}

# Work that is kept when interrupted. Shaped like a kernel directory, so that
# root_run shows the source at the path where modules will look for it.
debug_tree()
{
	echo "$debug_dir/work/headers/usr/src/linux-debug"
}

debug_source_make()
{
	local out=$1 tar=$debug_dir/work/deb
	rm -rf "$tar"
	with_lock apt debug_fetch "$tar"
	mkdir -p "$out"
	dpkg-deb --fsys-tarfile "$tar"/*.deb | tar -x -C "$tar" --wildcards '*.tar.xz'
	tar -x -J --strip-components=1 -C "$out" -f "$(find "$tar" -name '*.tar.xz')"
	rm -rf "$tar"
}

debug_fetch()
{
	local version
	kernel_lists
	version=$(apt_packages "$debug_release" | awk -v p="$debug_source" '$1 == p { print $2 }' |
		  sort -V | tail -n 1)
	[ -n "$version" ] || die "no $debug_source in $debug_release"
	say "kernel debug: $debug_source $version"
	apt_download "$1" "$debug_source=$version"
}

debug_kmake()
{
	mkdir -p "$debug_dir/work/empty"
	root_run "$(debug_root)" "$debug_dir/work" "$debug_dir/work/empty" \
		make -C /usr/src/linux-debug -j"$(nproc)" KBUILD_BUILD_USER=fargs KBUILD_BUILD_HOST=vm "$@"
}

debug_make()
{
	local dir=$1 tree line kver
	tree=$(debug_tree)
	build_once "$tree" debug_source_make

	cp "$vm_dir/debug.config" "$tree/kernel/configs/fargs.config"
	# merge_config.sh lists every value it changes.
	debug_kmake -s x86_64_defconfig fargs.config >"$debug_dir/work/config.log" 2>&1 ||
		{ cat "$debug_dir/work/config.log" >&2; return 1; }
	# kconfig drops silently what it cannot have: say so instead.
	while read -r line; do
		grep -qxF "$line" "$tree/.config" || say "debug.config: not taken: $line"
	done < <(grep '^CONFIG' "$vm_dir/debug.config")
	debug_kmake -s bzImage modules >&2
	kver=$(<"$tree/include/config/kernel.release")

	rm -rf "$debug_dir/work/headers/usr/src/modules"
	# Debug information would be most of the guest's image: strip it.
	debug_kmake -s INSTALL_MOD_PATH=/usr/src/modules INSTALL_MOD_STRIP=1 modules_install >&2

	mkdir -p "$dir/tree/lib"
	mv "$debug_dir/work/headers/usr/src/modules/lib/modules" "$dir/tree/lib/"
	rm -f "$dir/tree/lib/modules/$kver"/{build,source}
	cp "$tree/arch/x86/boot/bzImage" "$dir/vmlinuz"
	cp "$tree/.config" "$dir/config"
	objcopy -S "$tree/vmlinux" "$dir/vmlinux"
	cat >"$dir/info" <<-EOF
		vm_kver='$kver'
		vm_release='$debug_release'
		vm_version='$kver'
	EOF
	# Modules build against the tree itself; its vmlinux has the line numbers.
	mkdir -p "$dir/headers"
	mv "$debug_dir/work/headers/usr" "$dir/headers/"
	ln -s linux-debug "$dir/headers/usr/src/linux-headers-$kver"
	find "$dir/headers/usr/src/linux-debug" -name '*.o' -not -path '*/scripts/*' -not -path '*/tools/*' -delete
	rm -rf "$debug_dir/work"
}
