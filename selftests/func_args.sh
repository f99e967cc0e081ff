#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Compares fargs with the function tracer's func-args on the same calls. Classes of arguments that
# func-args shows wrong are listed; there func-args must be wrong and fargs right. For all others
# both must agree. lib/func_args.pl has the rules; Documentation/comparison.md shows lines.
. "$(dirname "$0")/lib/ktap.sh"

# Each of these classes must occur.
classes_of_target='64-bit enums
64-bit integers
arguments after a struct in registers
bytes, bool and char
enums
narrow integers, in their width
narrow signed integers, not negative
narrow unsigned integers
pointers
structs in registers, as words
128-bit integers
after a 128-bit integer
after a struct in memory
after an empty struct
narrow integers in a register with other bits
negative narrow integers
past the sixth register
structs in memory
variable arguments
where a struct is returned in memory'
classes_of_cat='64-bit integers
narrow integers, in their width
pointers'

# Functions that a cat calls, with many kinds of arguments and up to nine.
functions_of_cat='vfs_read vfs_write vfs_open do_filp_open do_sys_openat2 do_mmap vm_mmap_pgoff'

# A tracefs instance, so that the global tracer stays unchanged.
instance=$tracing/instances/fargs_$$

instance_remove()
{
	[ -d "$instance" ] || return 0
	echo nop >"$instance/current_tracer"
	rmdir "$instance"
}

# with_both FUNCTIONS COMMAND...: runs it with both tracers on the same functions at once, since
# pointers differ from run to run. The lines are in $tmp/ours.lines and $tmp/theirs.lines.
with_both()
{
	local functions=$1 name
	local -a options=()
	shift
	for name in $functions; do
		options+=(-f "$name")
	done
	mkdir "$instance" || return
	trap 'instance_remove; test_cleanup' EXIT
	# In overwrite mode nothing is lost unless the buffer wraps.
	echo 8192 >"$instance/buffer_size_kb"
	echo 1 >"$instance/options/func-args"
	echo "$functions" >"$instance/set_ftrace_filter"
	echo function >"$instance/current_tracer"
	fargs record -a "${options[@]}" -o "$tmp/trace" -- "$@" 2>"$tmp/err"
	check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
	echo 0 >"$instance/tracing_on"
	check "the function tracer has lost no events" \
		[ -z "$(grep -hE '^(overrun|dropped events): [1-9]' "$instance"/per_cpu/cpu*/stats)" ]
	fargs report "$tmp/trace" >"$tmp/ours.named"
	fargs report --json "$tmp/trace" >"$tmp/ours.json"
	# func-args shows numbers, of flags and of pointers.
	perl "$test_dir/lib/numbers.pl" "$tmp/ours.named" "$tmp/ours.json" >"$tmp/ours.lines"
	cat "$instance/trace" >"$tmp/theirs.lines"
	instance_remove
}

names_of()
{
	sed 's/(.*//' "$1"
}

# compare CLASSES [OPTION]: compares $tmp/ours with $tmp/theirs, with a test for each class.
compare()
{
	local classes=$1 bad class kind nr rule same ours theirs
	shift
	perl "$test_dir/lib/func_args.pl" "$@" /sys/kernel/btf/vmlinux \
		/sys/kernel/btf/fargs_target "$tmp/ours" "$tmp/theirs" >"$tmp/classes" 2>"$tmp/err"
	check "both lists of calls can be parsed" [ $? = 0 ] || note "$(cat "$tmp/err")"
	grep '^bad' "$tmp/classes" >"$tmp/bad"
	check "every argument is shown with a value" \
		[ -z "$(awk -F'\t' '$2 == ""' "$tmp/bad")" ] || note "$(head -n 20 "$tmp/bad")"
	while read -r class; do
		grep -q "^class	$class	" "$tmp/classes" ||
			fail "$class: arguments of this class are shown" || note "$(cat "$tmp/classes")"
	done <<<"$classes"
	while IFS=$'\t' read -r kind class rule nr same ours theirs; do
		[ "$kind" = class ] || continue
		case $rule in
		agree)	rule="func-args agrees with fargs" ;;
		*)	rule="func-args is wrong"
			note "  fargs      $ours"
			note "  func-args  $theirs" ;;
		esac
		bad=$(awk -F'\t' -v class="$class" '$2 == class' "$tmp/bad")
		check "$class: $rule ($nr, of which $same the same)" [ -z "$bad" ] ||
			note "$(head -n 20 <<<"$bad")"
	done <"$tmp/classes"
}

call_all()
{
	sh -c "echo all >$target"
}
export -f call_all
export target

cat_a_file()
{
	# In a process that exists only while both are tracing.
	sh -c 'cat /etc/hostname >/dev/null; true'
}
export -f cat_a_file

# calls_of_task PID FILE
calls_of_task()
{
	grep -E "^ *[^ ]+-$1 +\[" "$2" | calls_of
}

test_begin perl
[ -e "$tracing/options/func-args" ] ||
	skip_all "the function tracer of this kernel shows no arguments (func-args, Linux 6.15)"
[ -d "$tracing/instances" ] || skip_all "tracefs has no instances here"
[ -e /sys/kernel/btf/fargs_target ] || skip_all "fargs_target has no BTF"

with_both 'fargs_t_*' bash -c call_all
truth_of '*' >"$tmp/truth"
calls_of "$tmp/ours.named" >"$tmp/ours"
check_same "fargs shows every call as it was made while func-args traces it" \
	"$tmp/truth" "$tmp/ours"
calls_of "$tmp/ours.lines" >"$tmp/ours"
# func-args also has the functions that fargs refuses.
calls_of "$tmp/theirs.lines" |
	awk -F'(' 'NR == FNR { is_ours[$1] = 1; next } is_ours[$1]' "$tmp/ours" - >"$tmp/theirs"
check_same "func-args shows the same calls" <(names_of "$tmp/ours") <(names_of "$tmp/theirs")
compare "$classes_of_target"

functions=
for name in $functions_of_cat; do
	! grep -q "^$name\$" "$tracing/available_filter_functions" || functions+=" $name"
done
with_both "$functions" bash -c cat_a_file
pid=$(sed -n 's/^ *cat-\([0-9]*\) .*/\1/p' "$tmp/ours.lines" | sort -u)
check "one cat was traced" [ "$(wc -w <<<"$pid")" = 1 ]
calls_of_task "$pid" "$tmp/ours.lines" >"$tmp/ours"
calls_of_task "$pid" "$tmp/theirs.lines" >"$tmp/theirs"
check "cat calls each function" \
	[ "$(names_of "$tmp/ours" | sort -u | wc -l)" = "$(wc -w <<<"$functions")" ]
check_same "func-args shows the same calls of cat" \
	<(names_of "$tmp/ours") <(names_of "$tmp/theirs")
compare "$classes_of_cat" --callers-unknown
test_end
