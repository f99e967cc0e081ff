#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --cgroup: calls by the tasks of a cgroup and its descendants, but not of its siblings.
. "$(dirname "$0")/lib/ktap.sh"

call()
{
	sh -c "echo $1 >$target"
}

# call_from DIRECTORY FUNCTION: calls FUNCTION from a shell that joins this cgroup.
call_from()
{
	sh -c "echo \$\$ >$1/cgroup.procs && echo $2 >$target"
}

call_from_all()
{
	call fargs_r_u8
	call_from "$cgroups/fargs_a" fargs_r_int
	call_from "$cgroups/fargs_a/in" fargs_r_long
	call_from "$cgroups/fargs_b" fargs_r_bool
}
export -f call call_from call_from_all

# from_cgroups OPTION...: which functions are shown; each cgroup calls another one.
from_cgroups()
{
	fargs trace -a "$@" -f 'fargs_r_*' -- bash -c call_from_all >"$tmp/lines" 2>"$tmp/err"
	calls_of "$tmp/lines" | sed 's/^fargs_r_\([a-z0-9]*\)(.*/\1/' | uniq | tr '\n' ' '
}

# seen WANTED OPTION...: exactly these functions are shown.
seen()
{
	local wanted=$1 got
	shift
	got=$(from_cgroups "$@")
	check "with ${*##*/}, calls of $wanted are shown" [ "$got" = "$wanted" ] ||
		note "$got" "$(cat "$tmp/err")"
}

# refused WHAT PATTERN DIRECTORY: trace fails, and prints one line, which matches PATTERN.
refused()
{
	fargs trace -a --cgroup "$3" -f fargs_r_int -- true >"$tmp/lines" 2>"$tmp/err"
	check "$1" [ "$? $(grep -c . "$tmp/err") $(grep -c -- "$2" "$tmp/err")" = "1 1 1" ] ||
		note "$(cat "$tmp/err")"
}

export target

test_begin
is_ours=
cgroups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
if [ -z "$cgroups" ]; then
	refused "--cgroup is refused without cgroup v2" 'cgroup v2 is not mounted' /tmp
	cgroups=$tmp/cgroups
	mkdir "$cgroups" && mount -t cgroup2 none "$cgroups"
	is_ours=1
fi
export cgroups
if ! mkdir -p "$cgroups/fargs_a/in" "$cgroups/fargs_b"; then
	skip "calls are filtered by cgroup" "no cgroup can be created here"
else
	seen "int long " --cgroup "$cgroups/fargs_a"
	seen "long " --cgroup "$cgroups/fargs_a/in"
	seen "bool " --cgroup fargs_b
	seen "long bool " --cgroup fargs_b --cgroup "$cgroups/fargs_a/in"
	seen "u8 int long bool " --cgroup "$cgroups"
	refused "a directory that is not a cgroup is refused" "'/tmp' is not a cgroup: " /tmp
	refused "a cgroup that does not exist is refused" 'fargs_c.*No such file' "$cgroups/fargs_c"
fi
rmdir "$cgroups/fargs_a/in" "$cgroups/fargs_a" "$cgroups/fargs_b"
[ -z "$is_ours" ] || umount "$cgroups"
test_end
