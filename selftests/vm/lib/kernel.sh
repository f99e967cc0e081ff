# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # names shared with the other files
# A kernel in build/vm/SERIES/kernel:
#   info         shell variables: vm_kver (uname -r), vm_release, vm_version
#   vmlinuz vmlinux config
#   headers/     usr/src and usr/lib/linux-kbuild-* of the headers packages
#   tree/        lib/modules/ of the stock kernel, uncompressed

# Kernels that debug.sh builds. The kernel `debug` is of series 6.1; the series of
# `debug-SERIES` and `VARIANT-SERIES` is in the name. The variant of `debug` and
# `debug-SERIES` is kasan.
is_debug()
{
	[[ $1 =~ ^(debug|(debug|kcsan|none|clang)-[0-9]+\.[0-9]+)$ ]]
}

debug_series()
{
	case $1 in
	debug) echo 6.1 ;;
	*) echo "${1#*-}" ;;
	esac
}

debug_variant()
{
	case $1 in
	debug|debug-*) echo kasan ;;
	*) echo "${1%%-*}" ;;
	esac
}

# kernel_name VARIANT SERIES: prints the name of a debug kernel in the cache.
kernel_name()
{
	case $1-$2 in
	kasan-6.1) echo debug ;;
	kasan-*) echo "debug-$2" ;;
	*) echo "$1-$2" ;;
	esac
}

# kernel_canonical NAME: prints the name in the cache of a kernel that has several names.
kernel_canonical()
{
	case $1 in
	kasan) kernel_name kasan 6.1 ;;
	debug-*|kasan-*) kernel_name kasan "${1#*-}" ;;
	*) echo "$1" ;;
	esac
}

kernel_dir()
{
	echo "$vm_cache/$1/kernel"
}

# kernel_need SERIES: fetches a kernel and the root that it needs, unless they are in the
# cache. Sets vm_kver, vm_release, vm_version.
kernel_need()
{
	local dir
	[[ $1 =~ ^[0-9]+\.[0-9]+(-rt)?$ ]] || is_debug "$1" || die "no such kernel series: $1"
	dir=$(kernel_dir "$1")
	if is_debug "$1" && [ ! -e "$dir" ]; then
		die "kernel $1 is built by selftests/vm/build-debug-kernel" \
			"--variant $(debug_variant "$1") $(debug_series "$1")"
	fi
	need_root
	build_once "$dir" kernel_make "$1"
	# shellcheck source=/dev/null
	. "$dir/info"
	root_need "$vm_release"
}

kernel_make()
{
	# Run one apt at a time: the lists must not change while they are read.
	with_lock apt kernel_fetch "$@"
	# shellcheck source=/dev/null
	. "$1/info"
	kernel_unpack "$1" "$vm_kver"
}

kernel_fetch()
{
	local dir=$1 series=$2 resolved release abi version image packages

	kernel_lists
	resolved=$(series_resolve "$series")
	read -r release abi version image <<<"$resolved"
	say "kernel $series: $image $version ($release)"
	mapfile -t packages < <(series_closure "$image=$version" "linux-headers-$abi=$version")
	apt_download "$dir/deb" "${packages[@]}"
	cat >"$dir/info" <<-EOF
		vm_kver='$abi'
		vm_release='$release'
		vm_version='$version'
	EOF
}

# Lists are not updated within an hour, so that fetching several kernels needs only one
# update. (Kernel packages stay in the pool for longer than that.)
kernel_lists()
{
	[ -z "$(find "$vm_apt/stamp" -mmin -60 2>/dev/null)" ] || return 0
	apt_update
	touch "$vm_apt/stamp"
}

kernel_unpack()
{
	local dir=$1 abi=$2 deb file x=$1/unpacked
	for deb in "$dir"/deb/*.deb; do
		dpkg-deb -x "$deb" "$x"
	done
	rm -rf "$dir/deb"

	# Older packages have these in /boot, newer ones beside the modules.
	for file in vmlinuz config; do
		if [ -e "$x/boot/$file-$abi" ]; then
			mv "$x/boot/$file-$abi" "$dir/$file"
		else
			mv "$x/usr/lib/modules/$abi/$file" "$dir/$file"
		fi
	done
	kernel_vmlinux "$dir/vmlinuz" "$dir/vmlinux"

	mkdir -p "$dir/headers/usr/lib"
	mv "$x/usr/src" "$dir/headers/usr/"
	mv "$x"/usr/lib/linux-kbuild-* "$dir/headers/usr/lib/"
	# kbuild generates BTF for modules if it finds a vmlinux.
	if [ ! -e "$dir/headers/usr/src/linux-headers-$abi/vmlinux" ]; then
		ln "$dir/vmlinux" "$dir/headers/usr/src/linux-headers-$abi/vmlinux"
	fi

	mkdir -p "$dir/tree/lib/modules"
	if [ -d "$x/lib/modules/$abi" ]; then
		mv "$x/lib/modules/$abi" "$dir/tree/lib/modules/"
	else
		mv "$x/usr/lib/modules/$abi" "$dir/tree/lib/modules/"
	fi
	rm -rf "$x" "$dir/tree/lib/modules/$abi"/{build,source}
	# Unpack modules here, because an emulated CPU is slow.
	find "$dir/tree" -name '*.ko.xz' -print0 | xargs -0 -r -n 200 -P "$(nproc)" xz -d
	find "$dir/tree" -name '*.ko.zst' -print0 | xargs -0 -r -n 200 -P "$(nproc)" zstd -q -d --rm
	depmod -b "$dir/tree" "$abi"
}

# kernel_vmlinux BZIMAGE OUT: extracts the ELF file, which contains .BTF. Its position is in
# payload_offset and payload_length of the setup header (Documentation/arch/x86/boot.rst). The
# last four bytes of the payload are its size when unpacked.
kernel_vmlinux()
{
	local bz=$1 out=$2 setup_sects offset length magic tool
	setup_sects=$(od -An -tu1 -j $((0x1f1)) -N1 "$bz")
	offset=$(od -An -tu4 -j $((0x248)) -N4 "$bz")
	length=$(od -An -tu4 -j $((0x24c)) -N4 "$bz")
	offset=$((offset + (setup_sects + 1) * 512))
	magic=$(od -An -tx4 -j "$offset" -N4 "$bz" | tr -d ' ')
	case $magic in
	fd2fb528) tool=(zstd -q -d -c) ;;
	587a37fd) tool=(xz -d -c --single-stream) ;;
	*) die "unknown compression of the kernel image: $magic" ;;
	esac
	dd if="$bz" iflag=skip_bytes,count_bytes skip="$offset" count=$((length - 4)) bs=1M status=none |
		"${tool[@]}" >"$out"
	[[ $(readelf -SW "$out") == *' .BTF '* ]] || die "no BTF in the kernel image"
}
