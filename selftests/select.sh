#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Fetches, conditions and returns of functions whose calls are known. select.txt and return.txt
# have the selectors and the expected lines.
. "$(dirname "$0")/lib/ktap.sh"

call_all()
{
	sh -c "echo all >$target"
}
export -f call_all
export target

# Replaces times, addresses of the program, objects of the module, and addresses of the kernel,
# except those of its last 16 MB, which are invented values or errors.
without_addresses()
{
	sed -E 's/0xffffffffff([0-9a-f]{6})\>/@\1/g; s/0xff[0-9a-f]{14}\>/P/g
		s/\<(node|text|p)=(first|second|long_text|numbers) \[fargs_target\]/\1=P/g
		s/@/0xffffffffff/g; s/\(text=0x7f[0-9a-f]{10},/(text=U,/
		s/\) \[fargs_target\]/)/; s/ \([0-9]+\.[0-9]{3} us\)$/ (T us)/'
}

# run_block FILE: traces with a block's selectors and compares with its expected lines.
run_block()
{
	local args=() line
	while IFS= read -r line; do
		args+=(-f "$line")
	done < <(sed -n 's/^= //p' "$1")
	grep -v '^[#=]' "$1" >"$tmp/truth"
	fargs trace -a "${args[@]}" -- bash -c call_all >"$tmp/lines" 2>"$tmp/err"
	check "trace exits with 0: ${args[*]}" [ $? = 0 ] || note "$(cat "$tmp/err")"
	calls_of "$tmp/lines" | without_addresses >"$tmp/got"
	check_same "trace shows the expected calls: ${args[*]}" "$tmp/truth" "$tmp/got"
}

# run_recorded FILE: the same by record and report, after fargs_target was unloaded.
run_recorded()
{
	local args=() line
	while IFS= read -r line; do
		args+=(-f "$line")
	done < <(sed -n 's/^= //p' "$1")
	grep -v '^[#=]' "$1" >"$tmp/truth"
	fargs record -a -o "$tmp/trace" "${args[@]}" -- bash -c call_all 2>"$tmp/err"
	check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
	check "every call is accounted for" is_whole "$tmp/trace" ||
		note "$(cat "$tmp/verify")"
	rmmod fargs_target
	fargs report "$tmp/trace" >"$tmp/lines"
	calls_of "$tmp/lines" | without_addresses >"$tmp/got"
	check_same "report shows the same after the traced module was unloaded" "$tmp/truth" "$tmp/got"
	need_module fargs_target
}

# is_reported WHAT PATTERN SELECTOR: trace fails, and prints one line, which matches PATTERN.
is_reported()
{
	fargs trace -a -f "$3" -- true >"$tmp/lines" 2>"$tmp/err"
	check "$1" [ "$? $(grep -c . "$tmp/err") $(grep -c -- "$2" "$tmp/err")" = "1 1 1" ] ||
		note "$(cat "$tmp/err")"
}

test_begin
for text in select.txt return.txt; do
	awk -v to="$tmp/block" -v RS= '/(^|\n)= / { print >(to "-'$text'-" ++n) }' \
		"$test_dir/$text"
	for block in "$tmp"/block-"$text"-*; do
		run_block "$block"
	done
done
run_recorded "$tmp/block-select.txt-2"

# members FUNCTION(EXPRESSION): writes their names to got.
members()
{
	fargs list --members -f "$1" 2>"$tmp/err" | cut -f 1 >"$tmp/got"
}
# Compared with pahole, for structs all of whose members have names.
for struct in path:'vfs_read(file->f_path)' vfsmount:'vfs_read(file->f_path.mnt)'; do
	members "${struct#*:}"
	pahole -C "${struct%%:*}" /sys/kernel/btf/vmlinux 2>/dev/null |
		sed -n 's/^\t.*[ *]\([a-z_]*\);.*/\1/p' >"$tmp/wanted"
	check_same "list --members shows the members of struct ${struct%%:*}" "$tmp/wanted" "$tmp/got"
	check "struct ${struct%%:*} has members" [ -s "$tmp/wanted" ]
done
# samples/target/memory.c
members 'fargs_m_node(node->link)'
printf '%s\n' flags small tiny ok name color in out link whole low high a b c values fn big \
	>"$tmp/wanted"
check_same "list --members includes members of unnamed structs" "$tmp/wanted" "$tmp/got"
members vfs_read
printf '%s\n' file buf count pos >"$tmp/wanted"
check_same "list --members shows the arguments of a function" "$tmp/wanted" "$tmp/got"
fargs list --members -t 'sched_switch(next)' >"$tmp/got" 2>"$tmp/err"
check "list --members shows the members of a tracepoint's argument" grep -q $'^comm\tchar comm\[16\]$' "$tmp/got"
fargs list --members -f 'vfs_read(count)' >"$tmp/got" 2>"$tmp/err"
check "list --members refuses a type without members" [ "$? $(cat "$tmp/err")" = \
	"1 fargs: 'vfs_read(count)', column 10: size_t has no members" ] || note "$(cat "$tmp/err")"

is_reported "an unknown member is reported, with a similar name" "no member 'flagz'.*did you mean 'flags'" 'fargs_m_node(node->flagz)'
is_reported "an unknown function is reported, with a similar name" "there is no function 'vfs_reed': did you mean vfs_read" vfs_reed
is_reported "the message names --missing-ok" "there is no function 'fargs_no_such'.* ('--missing-ok' skips it)\$" \
	fargs_no_such

# A symbol that ftrace cannot trace, as the kernel's own list shows.
grep -v '\[' "$tracing/available_filter_functions" >"$tmp/traceable"
untraceable=$(sed -n 's/^[0-9a-f]* T \([a-z][a-z_0-9]*\)$/\1/p' /proc/kallsyms |
	grep -vxFf "$tmp/traceable" | grep -m 1 _init)
missing=(fargs_no_such 'fargs_no_such_*' "$untraceable" fargs_no_module:any)
args=(--missing-ok -t fargs_no_point -e fargs_no:event)
for name in "${missing[@]}"; do
	args+=(-f "$name")
done
truth_of fargs_t_short >"$tmp/truth"
fargs trace "${args[@]}" -f fargs_t_short -- sh -c "echo fargs_t_short >$target" >"$tmp/lines" 2>"$tmp/err"
check "--missing-ok traces the rest" [ "$? $(calls_of "$tmp/lines")" = "0 $(cat "$tmp/truth")" ] ||
	note "$(cat "$tmp/lines")"
check "--missing-ok lists what was skipped in one line at the end" \
	[ "$(sed 's/ (ftrace cannot [^)]*)*//g' "$tmp/err" | tail -n 1)" = \
	"fargs: skipped, because this kernel has nothing traceable for them: 'fargs_no:event', 'fargs_no_module:any', 'fargs_no_point', 'fargs_no_such', 'fargs_no_such_*', '$untraceable'" ] ||
	note "$(cat "$tmp/err")"
fargs trace "${args[@]}" -e sched:sched_process_exec -- true >"$tmp/lines" 2>"$tmp/err"
check "--missing-ok goes on with events alone" [ "$? $(grep -c sched_process_exec "$tmp/lines")" = "0 1" ] ||
	note "$(cat "$tmp/err")"
fargs trace "${args[@]}" -- true >"$tmp/lines" 2>"$tmp/err"
check "--missing-ok with nothing left is refused" \
	[ "$? $(grep -c "nothing is left to trace: .*'fargs_no_point'" "$tmp/err")" = "1 1" ] ||
	note "$(cat "$tmp/err")"
rmmod fargs
is_reported "a syntax error is reported without the module" 'column 16: ' 'fargs_r_int(a >'
is_reported "a missing module is reported before types are checked" 'modprobe fargs$' \
	'fargs_m_node(node->flagz)'
need_module fargs
test_end
