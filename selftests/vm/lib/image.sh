# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # names shared with the other files
# Read-only parts of a guest: root and stock modules as squashfs, an initramfs.
# Nothing is compressed: an emulated CPU unpacks more slowly than a disk reads.

image_squash=(-quiet -no-progress -noappend -noI -noD -noF -noX -no-xattrs)

# image_need SERIES: after kernel_need.
image_need()
{
	local kernel
	kernel=$(kernel_dir "$1")
	build_once "$(root_path "$vm_release").sqfs" image_root "$(root_path "$vm_release")"
	build_once "$vm_cache/$1/modules.sqfs" image_modules "$kernel"
	build_once "$(image_initrd_path "$1")" image_initrd "$kernel"
}

# The root without its compiler, headers and package manager.
image_root()
{
	local out=$1 root=$2
	mksquashfs "$root" "$out" "${image_squash[@]}" -wildcards \
		-e 'usr/lib/gcc' 'usr/libexec/gcc' 'usr/include' 'usr/src/*' 'src' \
		'usr/lib/linux-kbuild-*' 'usr/bin/*-linux-gnu-lto-dump*' 'usr/bin/*-linux-gnu-cpp*' \
		'var/cache/*' 'var/lib/apt/lists/*' 'var/lib/dpkg/info/*' 'usr/lib/x86_64-linux-gnu/*.a' \
		'proc/*' 'sys/*' 'dev/*' 'tmp/*' 'run/*' >&2
}

image_modules()
{
	local out=$1 kernel=$2 stage=$1.stage
	mkdir -p "$stage/usr/lib/modules" "$stage/usr/lib/fargs-vm"
	cp -al "$kernel/tree/lib/modules/$vm_kver" "$stage/usr/lib/modules/"
	cp -L "$(command -v busybox)" "$stage/usr/lib/fargs-vm/busybox"
	# bpftool and others look for it.
	mkdir -p "$stage/boot"
	cp "$kernel/config" "$stage/boot/config-$vm_kver"
	mksquashfs "$stage" "$out" "${image_squash[@]}" >&2
	rm -rf "$stage"
}

image_initrd_path()
{
	echo "$vm_cache/$1/initrd-$(cksum <"$vm_dir/guest/init" | cut -d' ' -f1)"
}

# What reaches the root file system, in the order modprobe would load it. Built
# in ones, as in the debug kernel, are no files and drop out.
image_initrd()
{
	local out=$1 kernel=$2 stage=$1.stage mod file n=10
	mkdir -p "$stage"/{bin,dev,proc,sys,mod,root,modules,run,new}
	cp -L "$(command -v busybox)" "$stage/bin/busybox"
	cp "$vm_dir/guest/init" "$stage/init"
	for mod in virtio_pci virtio_blk virtio_console squashfs overlay 9pnet_virtio 9p; do
		while read -r _ file; do
			[ -e "$stage/mod/${file##*/}.seen" ] && continue
			cp "$file" "$stage/mod/$n-${file##*/}"
			: >"$stage/mod/${file##*/}.seen"
			n=$((n + 1))
		done < <(modprobe -d "$kernel/tree" -S "$vm_kver" --show-depends "$mod" 2>/dev/null |
			 sed -n '/^insmod /p')
	done
	rm -f "$stage"/mod/*.seen
	( cd "$stage" && find . | cpio --quiet -o -H newc ) >"$out"
	rm -rf "$stage"
}
