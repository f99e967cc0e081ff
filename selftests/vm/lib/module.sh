# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # names shared with the other files
# Out-of-tree modules for a cached kernel.

# Files that a build creates. They are neither copied from DIR nor deleted in the
# copy.
module_products=(
	'*.o' '*.ko' '*.a' '*.mod' '*.mod.c' '.*.cmd' '.*.d' '.tmp_*'
	'modules.order' 'Module.symvers' '.Module.symvers.cmd'
)

# module_build SERIES DIR OUT: builds DIR, and puts its .ko files into OUT; exits on
# failure. kernel_need SERIES must have been called. Warnings on stderr have the
# paths in DIR.
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

# Two directories of the same name must not share a build, and neither must two
# worktrees that share a cache: objects of one may be newer than sources of the
# other.
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
	# Give changed files the current time, so that make notices them even if they
	# are older in DIR than before (after another checkout).
	copy_tree "$dir" "$src" --checksum --no-times --delete --exclude /build --exclude .git \
		"${excludes[@]}"

	# With the warnings that lint requests, too: other options would compile everything anew.
	read -r -a args <<<"W=1 ${KBUILD_ARGS:-}"
	# 6.1 does not include resolve_btfids, which only modules with lists of BTF
	# IDs need.
	[ -e "$kernel/headers/usr/src/linux-headers-$vm_kver/tools/bpf/resolve_btfids/resolve_btfids" ] ||
		args+=(RESOLVE_BTFIDS=true)
	# Use the compiler of the kernel, from the root in which the kernel was
	# built.
	[ -z "${vm_llvm-}" ] || { args+=(LLVM=1); root=$vm_cache/$series/root; }

	# Replace paths in the copy, which are /src/FILE or (7.2) relative, by paths
	# in DIR.
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

# module_list SRC: prints the .ko files of the last build, relative to SRC.
# modules.order contains their names with the suffix .ko (6.1) or .o (6.4 and later),
# as absolute or relative paths.
module_list()
{
	sed -e 's#^/src/##' -e 's#\.o$#.ko#' "$1/modules.order"
}
