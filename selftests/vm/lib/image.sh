# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # names shared with the other files
# Read-only parts of a guest: squashfs images of the root and of the stock
# modules, and an initramfs. Nothing is compressed, because an emulated CPU
# unpacks more slowly than a disk reads.

image_squash=(-quiet -no-progress -noappend -noI -noD -noF -noX -no-xattrs)

# image_need SERIES: makes missing images. kernel_need must have been called.
image_need()
{
	local kernel
	kernel=$(kernel_dir "$1")
	build_once "$(root_path "$vm_release").sqfs" image_root "$(root_path "$vm_release")"
	build_once "$vm_cache/$1/modules.sqfs" image_modules "$kernel"
	build_once "$(image_initrd_path "$1")" image_initrd "$kernel"
}

# The root without its compiler, headers, documents and package manager. (To exclude documents when
# packages are unpacked costs more: mmdebstrap filters each of them.)
image_root()
{
	local out=$1 root=$2
	mksquashfs "$root" "$out" "${image_squash[@]}" -wildcards \
		-e 'usr/share/doc' 'usr/share/man' 'usr/share/info' 'usr/share/locale' \
		'usr/lib/gcc' 'usr/libexec/gcc' 'usr/include' 'usr/src/*' 'src' \
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
	# bpftool and other programs look for the configuration there.
	mkdir -p "$stage/boot"
	cp "$kernel/config" "$stage/boot/config-$vm_kver"
	mksquashfs "$stage" "$out" "${image_squash[@]}" >&2
	rm -rf "$stage"
}

image_initrd_path()
{
	echo "$vm_cache/$1/initrd-$(cksum <"$vm_dir/guest/init" | cut -d' ' -f1)"
}

# The modules that are needed to mount the root file system, in the order in
# which modprobe would load them. Modules that are built in, as in the debug
# kernel, have no files.
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
