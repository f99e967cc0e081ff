# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # names shared with the other files
# One Debian root per release: modules are built in it and guests run from it.

root_packages=(
	# modules
	gcc make pahole kmod sparse xz-utils
	# tools with which tests compare fargs, and programs that tests run
	trace-cmd linux-perf bpftool bpftrace strace tmux
	procps util-linux iproute2 perl python3-minimal jq zstd
	# libraries of the fargs command, besides libncursesw6, which procps
	# needs
	libbpf1 libelf1 libbsd0 libzstd1 libdw1 libtraceevent1 libipt2
)

root_path()
{
	# Another list of packages results in another root, so that an old root
	# in the cache is not used.
	echo "$vm_cache/root/$1-$(cksum <<<"${root_packages[*]}" | cut -d' ' -f1)"
}

root_need()
{
	need_root
	build_once "$(root_path "$1")" root_make "$1"
}

root_make()
{
	local packages=" ${root_packages[*]} "
	case $2 in
	bookworm) ;;
	# These packages were renamed when time_t became 64 bits wide.
	*) packages=${packages/ libelf1 / libelf1t64 }
	   packages=${packages/ libdw1 / libdw1t64 } ;;
	esac
	# shellcheck disable=SC2086 # a list
	root_install "$1" "$2" $packages
}

root_download()
{
	local dir=$1 release=$2 conf=$3 packages=$4
	rm -rf --one-file-system "$dir"
	apt_sources "$release" |
	mmdebstrap --quiet --mode=root --variant=minbase --architectures=amd64 \
		--dpkgopt=force-unsafe-io --aptopt="$conf" \
		--include="$packages" "$release" "$dir" - >&2
}

# root_install DIR RELEASE PACKAGE...
root_install()
{
	local dir=$1 release=$2 conf=$1.conf packages
	shift 2
	packages=$(IFS=,; echo "$*")
	mkdir -p "$(dirname "$dir")"
	{
		apt_settings
		echo 'Acquire::Languages "none";'
		echo 'APT::Install-Recommends "false";'
	} >"$conf"
	retry_download "the root of $release" root_download "$dir" "$release" "$conf" "$packages"
	rm -f "$conf"
	# Mount points of root_run.
	mkdir -p "$dir/src" "$dir/usr/src"
}

# root_run ROOT KERNELDIR SRC CMD...: runs CMD in a root of root_install, with
# SRC at /src, and with the kernel's headers. The mounts are in a separate
# namespace, so none of them is left at the end.
root_run()
{
	local root=$1 kernel=$2 src=$3
	shift 3
	# shellcheck disable=SC2016 # the inner shell's variables
	unshare --mount --propagation private bash -euc '
		root=$1 kernel=$2 src=$3
		shift 3
		# objtool of newer kernels reads its stack limit from /proc.
		mount -t proc proc "$root/proc"
		mount --rbind /dev "$root/dev"
		mount -t tmpfs tmp "$root/tmp"
		mount --bind "$src" "$root/src"
		mount --bind "$kernel/headers/usr/src" "$root/usr/src"
		for dir in "$kernel"/headers/usr/lib/linux-kbuild-*; do
			[ -d "$dir" ] || continue
			mkdir -p "$root/usr/lib/${dir##*/}"
			mount --bind "$dir" "$root/usr/lib/${dir##*/}"
		done
		exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
			chroot "$root" "$@"
	' root_run "$root" "$kernel" "$src" "$@"
}
