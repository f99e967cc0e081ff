# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # names shared with the other files
# Out-of-tree modules for a cached kernel.

# What a build leaves behind: neither copied from DIR nor deleted in the copy.
module_products=(
	'*.o' '*.ko' '*.a' '*.mod' '*.mod.c' '.*.cmd' '.*.d' '.tmp_*'
	'modules.order' 'Module.symvers' '.Module.symvers.cmd'
)

# module_build SERIES DIR OUT: builds DIR and puts its .ko files into OUT, or
# ends the program. kernel_need SERIES must have run. Warnings go to stderr with
# DIR's own paths.
module_build()
{
	local series=$1 dir out=$3 name rc
	dir=$(cd "$2" && pwd)
	mkdir -p "$out"
	out=$(cd "$out" && pwd)
	name=$(module_name "$dir")
	set +e
	with_lock "module-$series-$name" module_build_locked "$series" "$dir" "$out" "$name"
	rc=$?
	set -e
	[ $rc = 0 ] || exit "$VM_EXIT_SETUP"
}

# Two directories of the same name must not share a build, nor two worktrees that
# share a cache: an object of the one is newer than the other's source.
module_name()
{
	if [ "$1" = "$vm_top" ] && [ ! -L "$vm_cache" ]; then
		echo project
	else
		echo "$(basename "$1")-$(cksum <<<"$1" | cut -d' ' -f1)"
	fi
}

module_build_locked()
{
	local series=$1 dir=$2 out=$3 name=$4
	local src=$vm_cache/$series/src/$name pattern excludes=() args=()
	local log=$vm_cache/$series/src/$name.log rc ko
	local kernel root
	kernel=$(kernel_dir "$series")
	root=$(root_path "$vm_release")

	for pattern in "${module_products[@]}"; do
		excludes+=(--exclude "$pattern")
	done
	mkdir -p "$src"
	# What changed is new to make, also where DIR went back in time (another
	# checkout): its own times would leave objects that are newer.
	copy_tree "$dir" "$src" --checksum --no-times --delete --exclude /build --exclude .git \
		"${excludes[@]}"

	read -r -a args <<<"${KBUILD_ARGS:-}"
	# 6.1 ships no resolve_btfids; only modules with BTF ID lists need it.
	[ -e "$kernel/headers/usr/src/linux-headers-$vm_kver/tools/bpf/resolve_btfids/resolve_btfids" ] ||
		args+=(RESOLVE_BTFIDS=true)
	# The compiler of the kernel: it is in the root in which that was built.
	[ -z "${vm_llvm-}" ] || { args+=(LLVM=1); root=$vm_cache/$series/root; }

	# Messages name files of the copy, as /src/FILE or (7.2) relative to it.
	set +e
	{ root_run "$root" "$kernel" "$src" \
		make -C "/usr/src/linux-headers-$vm_kver" M=/src -j"$(nproc)" "${args[@]}" modules \
		2>&3 >"$log"; } 3>&1 | sed -uE "s#/src/#$dir/#g; s#^(In file included from )?([^/ :]+[^ :]*\.[chS]:[0-9]+[:,])#\\1$dir/\\2#" >&2
	rc=${PIPESTATUS[0]}
	set -e
	if [ "$rc" != 0 ]; then
		say "building $dir for kernel $series failed; full output: ${log#"$vm_top/"}"
		exit "$rc"
	fi
	while read -r ko; do
		# A module without BTF loads, but its types are missing in the trace.
		[[ $(readelf -SW "$src/$ko") == *' .BTF '* ]] ||
			say "no BTF in $ko"
		cmp -s "$src/$ko" "$out/${ko##*/}" || cp -p "$src/$ko" "$out/"
	done < <(module_list "$src")
}

# The .ko files of the last build, relative to SRC: modules.order names them as
# .ko (6.1) or .o (6.4 and later), with absolute or relative paths.
module_list()
{
	sed -e 's#^/src/##' -e 's#\.o$#.ko#' "$1/modules.order"
}
