#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --btf: BTF for a module or a kernel that has none. A file that does not match the module or the
# kernel is refused.
. "$(dirname "$0")/lib/ktap.sh"

release=$(uname -r)

call_all()
{
	sh -c "echo all >$target"
}
export -f call_all
export target

# refused WHAT PATTERN COMMAND...: exit status 1, one line on stderr that matches, no output.
refused()
{
	local what=$1 pattern=$2 status
	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	if [ $status = 1 ] && [ "$(wc -l <"$tmp/err")" = 1 ] && [ ! -s "$tmp/out" ] &&
	   grep -q -- "$pattern" "$tmp/err"; then
		pass "$what"
	else
		fail "$what"
		note "status $status: $(head -c 2000 "$tmp/err")"
	fi
}

# shows WHAT OPTION...: trace shows every call of the target as it was made.
shows()
{
	local what=$1
	shift
	"${in_place[@]}" fargs trace -a -f 'fargs_t_*' "$@" -- bash -c call_all \
		>"$tmp/lines" 2>"$tmp/err"
	calls_of "$tmp/lines" >"$tmp/got"
	check_same "$what" "$tmp/truth" "$tmp/got" || note "$(head -c 2000 "$tmp/err")"
}

# without_btf COMMAND...: runs COMMAND as on a kernel without BTF. It uses bash, because dash
# drops exported functions.
without_btf()
{
	unshare -m bash -c 'mount -t tmpfs none /sys/kernel/btf && exec "$@"' bash "$@"
}

# flipped FILE: prints the note in FILE, with another build ID.
flipped()
{
	# A note begins with the sizes of its name and ID, its type, and "GNU". The ID follows.
	head -c 16 "$1"
	tail -c +17 "$1" | tr '\000-\377' '\001-\377\000'
}

test_begin objcopy unshare modinfo
in_place=(env)
ko=$(modinfo -n fargs_target) || skip_all "fargs_target is not installed"
[[ $ko = *.ko ]] || skip_all "$ko is compressed"
[ -e /sys/kernel/btf/fargs_target ] || skip_all "fargs_target was built without BTF"

truth_of '*' >"$tmp/truth"
check "the target has calls" [ -s "$tmp/truth" ]
cp /sys/kernel/btf/fargs_target "$tmp/fargs-target.btf"
cp /sys/kernel/btf/vmlinux "$tmp/kernel.btf"
objcopy --remove-section=.BTF --remove-section=.BTF.base "$ko" "$tmp/fargs_target.ko"
rmmod fargs_target
insmod "$tmp/fargs_target.ko"
check "the target is loaded without BTF" [ ! -e /sys/kernel/btf/fargs_target ]

refused "a function of a module without BTF is refused" "fargs_t_int.*module has no BTF" \
	fargs trace -a -f fargs_t_int -- true
fargs list --refused -f 'fargs_target:fargs_t_int' >"$tmp/out" 2>"$tmp/err"
check "list --refused gives the reason" grep -q '^fargs_t_int \[fargs_target\]: .*--btf' "$tmp/out"
refused "a module's file without BTF is refused" "no BTF in" \
	fargs list --btf "$tmp/fargs_target.ko"

shows "with --btf MODULE.ko every call is shown as it was made" --btf "$ko"
shows "with --btf MODULE.btf every call is shown as it was made" --btf "$tmp/fargs-target.btf"
cp "$tmp/fargs-target.btf" "$tmp/some file"
shows "with --btf MODULE=FILE the file may have any name" --btf "fargs-target=$tmp/some file"
mkdir -p "$tmp/tree/$release/extra"
cp "$ko" "$tmp/tree/$release/extra/"
shows "with --btf DIRECTORY the module is found in a tree by release" --btf "$tmp/tree"
fargs record -a -f 'fargs_t_*' --btf "$ko" -o "$tmp/trace" -- bash -c call_all 2>"$tmp/err"
check "record --btf exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
fargs report "$tmp/trace" | calls_of >"$tmp/got"
check_same "a recording contains the BTF given by --btf" "$tmp/truth" "$tmp/got"
fargs check >"$tmp/check"
check "check --btf counts the module's functions" [ "$(fargs check --btf "$ko" |
	sed -n 's/.* functions: \([0-9]*\) can.*/\1/p')" -gt "$(
	sed -n 's/.* functions: \([0-9]*\) can.*/\1/p' "$tmp/check")" ]
check "check warns about fprobe where it is built on the graph tracer" \
	[ "$(grep -c '^warn fprobe: ' "$tmp/check")" = "$(grep -c ' fprobe_return$' /proc/kallsyms)" ]

# Files of other builds.
objcopy --dump-section ".note.gnu.build-id=$tmp/id" "$ko" "$tmp/copy.ko"
flipped "$tmp/id" >"$tmp/other-id"
objcopy --update-section ".note.gnu.build-id=$tmp/other-id" "$ko" "$tmp/other.ko"
refused "a module of another build is refused" "different build of module fargs_target" \
	fargs trace -a --btf "$tmp/other.ko" -f fargs_t_int -- true
sed "s/vermagic=$release/vermagic=${release//[0-9]/0}/" "$ko" >"$tmp/older.ko"
refused "a module for another kernel is refused" "is for kernel ${release//[0-9]/0}" \
	fargs trace -a --btf "$tmp/older.ko" -f fargs_t_int -- true
refused "a module that is not loaded is refused" "is not loaded" \
	fargs list --btf "no_such=$tmp/fargs-target.btf"
refused "a module's file is refused for another module" "is for module 'fargs_target'" \
	fargs list --btf "fargs=$ko"
refused "a tree of other kernels is refused" "has no BTF of kernel" fargs list --btf /proc/self/task
mkdir -p "$tmp/packed"
: >"$tmp/packed/$release.btf.tar.xz"
refused "a tree of compressed files is refused" "compressed: unpack it" \
	without_btf fargs list --btf "$tmp/packed"
refused "a file that is neither BTF nor ELF is refused" "neither BTF nor ELF" fargs list --btf "$target"

# BTF of the kernel itself.
refused "a kernel without BTF is refused" "no BTF.*--btf" without_btf fargs list
in_place=(without_btf)
shows "a kernel without BTF can be traced with --btf" --btf "$tmp/kernel.btf" --btf "$ko"
mkdir -p "$tmp/hub"
cp "$tmp/kernel.btf" "$tmp/hub/$release.btf"
shows "the kernel's BTF is found in a tree of files named by release" --btf "$tmp/hub" --btf "$ko"
in_place=(env)
# Another kernel's BTF. Names keep their length, so that it remains valid BTF.
sed 's/get/tge/g' "$tmp/kernel.btf" >"$tmp/other.btf"
refused "BTF of another kernel is refused" "is for another kernel: only [0-9]* of its" \
	without_btf fargs trace -a --btf "$tmp/other.btf" -f vfs_read -- true
refused "BTF of another kernel is refused on a kernel that has BTF" "differs from '/sys/kernel/btf/vmlinux'" \
	fargs trace -a --btf "$tmp/other.btf" -f vfs_read -- true
# An ELF file with the BTF and a build ID, like vmlinux.
flipped "$tmp/id" >"$tmp/note"
objcopy -I binary -O elf64-x86-64 --rename-section .data=.BTF \
	--add-section ".note.gnu.build-id=$tmp/note" "$tmp/kernel.btf" "$tmp/vmlinux"
refused "a file with another kernel's build ID is refused" "different build of the kernel" \
	fargs trace -a --btf "$tmp/vmlinux" -f vfs_read -- true

rmmod fargs_target
need_module fargs_target
test_end
