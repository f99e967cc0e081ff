# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # names shared with the other files
# Debug kernels, built from Debian source packages. Their directories have the layout in
# kernel.sh.

debug_dir()
{
	echo "$vm_cache/$1"
}

# A separate root: guests do not need the packages that are needed to build a kernel.
debug_root()
{
	echo "$(debug_dir "$1")/root"
}

debug_root_make()
{
	local packages=(gcc make pahole flex bison bc kmod cpio rsync libelf-dev libssl-dev openssl
		xz-utils python3-minimal)
	[ "$(debug_variant "$3")" != clang ] || packages+=(clang lld llvm)
	root_install "$1" "$2" "${packages[@]}"
}

# debug_config KERNEL: prints the options that the kernel must have.
debug_config()
{
	cat "$vm_dir/debug.config" "$vm_dir/debug-$(debug_variant "$1").config"
}

# debug_work KERNEL: the directory of a build, which is kept if the build is interrupted.
# It has the layout of a kernel directory, so that root_run mounts the source at the path
# where modules look for it.
debug_work()
{
	echo "$(debug_dir "$1")/work"
}

debug_tree()
{
	echo "$(debug_work "$1")/headers/usr/src/linux-debug"
}

# debug_source KERNEL: prints "release package version", of the oldest release that has it.
debug_source()
{
	local package release version
	package=linux-source-$(debug_series "$1")
	for release in "${vm_releases[@]}"; do
		version=$(apt_packages "$release" | awk -v p="$package" '$1 == p { print $2 }' |
			  sort -V | tail -n 1)
		[ -z "$version" ] || { echo "$release $package $version"; return; }
	done
	die "no Debian release has $package"
}

debug_source_make()
{
	local out=$1 kernel=$2 tar
	tar=$(debug_work "$kernel")/deb
	rm -rf "$tar"
	with_lock apt debug_fetch "$tar" "$kernel"
	mkdir -p "$out"
	dpkg-deb --fsys-tarfile "$tar"/*.deb | tar -x -C "$tar" --wildcards '*.tar.xz'
	tar -x -J --strip-components=1 -C "$out" -f "$(find "$tar" -name '*.tar.xz')"
	rm -rf "$tar"
}

debug_fetch()
{
	local source release package version
	kernel_lists
	source=$(debug_source "$2")
	read -r release package version <<<"$source"
	say "kernel $2: $package $version ($release)"
	apt_download "$1" "$package=$version"
	echo "$release" >"$(debug_work "$2")/release"
}

debug_kmake()
{
	local kernel=$1 work llvm=()
	work=$(debug_work "$kernel")
	[ "$(debug_variant "$kernel")" != clang ] || llvm=(LLVM=1)
	shift
	mkdir -p "$work/empty"
	root_run "$(debug_root "$kernel")" "$work" "$work/empty" \
		make -C /usr/src/linux-debug -j"$(nproc)" KBUILD_BUILD_USER=fargs KBUILD_BUILD_HOST=vm \
		"${llvm[@]}" "$@"
}

debug_make()
{
	local dir=$1 kernel=$2 tree work line kver release
	tree=$(debug_tree "$kernel")
	work=$(debug_work "$kernel")
	build_once "$tree" debug_source_make "$kernel"
	release=$(<"$work/release")
	build_once "$(debug_root "$kernel")" debug_root_make "$release" "$kernel"

	debug_config "$kernel" >"$tree/kernel/configs/fargs.config"
	# Hide the output of merge_config.sh, which lists every changed value, unless it
	# fails.
	debug_kmake "$kernel" -s x86_64_defconfig fargs.config >"$work/config.log" 2>&1 ||
		{ cat "$work/config.log" >&2; return 1; }
	# kconfig silently drops options that are impossible: report them.
	while read -r line; do
		grep -qxF "$line" "$tree/.config" || say "debug*.config: not taken: $line"
	done < <(grep '^CONFIG' "$tree/kernel/configs/fargs.config")
	debug_kmake "$kernel" -s bzImage modules >&2
	kver=$(<"$tree/include/config/kernel.release")

	rm -rf "$work/headers/usr/src/modules"
	# Strip debug information, which would make up most of the guest's image.
	debug_kmake "$kernel" -s INSTALL_MOD_PATH=/usr/src/modules INSTALL_MOD_STRIP=1 \
		modules_install >&2

	mkdir -p "$dir/tree/lib"
	mv "$work/headers/usr/src/modules/lib/modules" "$dir/tree/lib/"
	rm -f "$dir/tree/lib/modules/$kver"/{build,source}
	cp "$tree/arch/x86/boot/bzImage" "$dir/vmlinuz"
	cp "$tree/.config" "$dir/config"
	objcopy -S "$tree/vmlinux" "$dir/vmlinux"
	cat >"$dir/info" <<-EOF
		vm_kver='$kver'
		vm_release='$release'
		vm_version='$kver'
		vm_llvm='$([ "$(debug_variant "$kernel")" != clang ] || echo y)'
	EOF
	# Modules are built with the source tree itself, whose vmlinux has line numbers.
	mkdir -p "$dir/headers"
	mv "$work/headers/usr" "$dir/headers/"
	ln -s linux-debug "$dir/headers/usr/src/linux-headers-$kver"
	find "$dir/headers/usr/src/linux-debug" -name '*.o' -not -path '*/scripts/*' -not -path '*/tools/*' -delete
	rm -rf "$work"
}
