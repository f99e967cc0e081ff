#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Fetches, conditions and returns of functions whose calls are known: select.txt
# and return.txt say what must be shown.
. "$(dirname "$0")/lib/ktap.sh"

call_all()
{
	sh -c "echo all >$target"
}
export -f call_all
export target

# Addresses of the kernel (but those of its last 16 MB, which are made up or errors),
# of the program, and times.
without_addresses()
{
	sed -E 's/0xffffffffff([0-9a-f]{6})\>/@\1/g; s/0xffff[0-9a-f]{12}\>/P/g
		s/@/0xffffffffff/g; s/\(text=0x7f[0-9a-f]{10},/(text=U,/
		s/\) \[fargs_target\]/)/; s/ \([0-9]+\.[0-9]{3} us\)$/ (T us)/'
}

# run_block FILE: a selection and what must come of it.
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
	check_same "it shows what must be shown" "$tmp/truth" "$tmp/got"
}

# The same from a file, the module gone: block FILE.
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
	check_same "report shows the same, the module gone" "$tmp/truth" "$tmp/got"
	need_module fargs_target
}

# told WHAT PATTERN SELECTOR: the only line, without the module.
told()
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

# members FUNCTION(EXPRESSION): their names.
members()
{
	fargs list --members -f "$1" 2>"$tmp/err" | cut -f 1 >"$tmp/got"
}
# As pahole says, of structs that have nothing but members with names.
for struct in path:'vfs_read(file->f_path)' vfsmount:'vfs_read(file->f_path.mnt)'; do
	members "${struct#*:}"
	pahole -C "${struct%%:*}" /sys/kernel/btf/vmlinux 2>/dev/null |
		sed -n 's/^\t.*[ *]\([a-z_]*\);.*/\1/p' >"$tmp/wanted"
	check_same "the members of struct ${struct%%:*}" "$tmp/wanted" "$tmp/got"
	check "and there are some" [ -s "$tmp/wanted" ]
done
# samples/target/memory.c
members 'fargs_m_node(node->link)'
printf '%s\n' flags small tiny ok name color in out link whole low high a b c values fn big \
	>"$tmp/wanted"
check_same "those of unnamed members are among them" "$tmp/wanted" "$tmp/got"
members vfs_read
printf '%s\n' file buf count pos >"$tmp/wanted"
check_same "the arguments of a function" "$tmp/wanted" "$tmp/got"
fargs list --members -t 'sched_switch(next)' >"$tmp/got" 2>"$tmp/err"
check "the members of what a tracepoint gets" grep -q $'^comm\tchar comm\[16\]$' "$tmp/got"
fargs list --members -f 'vfs_read(count)' >"$tmp/got" 2>"$tmp/err"
check "what has no members" [ "$? $(cat "$tmp/err")" = \
	"1 fargs: 'vfs_read(count)', column 10: size_t has no members" ] || note "$(cat "$tmp/err")"

told "an unknown member" "no member 'flagz'.*did you mean 'flags'" 'fargs_m_node(node->flagz)'
told "and an unknown function" "there is no function 'vfs_reed': did you mean vfs_read" vfs_reed
rmmod fargs
told "a mistake of writing is told without the module" 'column 16: ' 'fargs_r_int(a >'
told "but before the kernel's types are read the module is missed" 'modprobe fargs$' \
	'fargs_m_node(node->flagz)'
need_module fargs
test_end
