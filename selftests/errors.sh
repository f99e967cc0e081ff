#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Errors end with exit status 1 and one line that names the problem and what to do.
. "$(dirname "$0")/lib/ktap.sh"

wanted=1

# expect WHAT PATTERN COMMAND...: COMMAND fails with one line that matches, and leaves nothing traced.
expect()
{
	local what=$1 pattern=$2 status
	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	if [ $status = $wanted ] && [ "$(wc -l <"$tmp/err")" = 1 ] &&
	   grep -qiE -- "$pattern" "$tmp/err" && grep -q '^fargs' "$tmp/err" &&
	   nr_traced_is "$before" && [ "$(cat /sys/module/fargs/refcnt 2>/dev/null || echo 0)" = 0 ]; then
		pass "$what"
		note "$(cat "$tmp/err")"
	else
		fail "$what"
		note "status $status, $(nr_traced) functions traced, not $before"
		note "$(head -c 2000 "$tmp/err")"
	fi
}

# expect_silent: the same, with nothing on stdout.
expect_silent()
{
	expect "$@"
	[ ! -s "$tmp/out" ] || { fail "$1: nothing is printed on stdout"; note "$(head -n 5 "$tmp/out")"; }
}

as_nobody()
{
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all "$@"
}

without_btf()
{
	unshare -m sh -c 'mount -t tmpfs none /sys/kernel/btf && exec "$@"' sh "$@"
}

test_begin setpriv unshare
before=$(nr_traced)
trace=(fargs trace -a)
fargs record -a -f 'fargs_t_*' -o "$tmp/trace" -- sh -c "echo all >$target" 2>/dev/null

expect_silent "an unknown function is reported, with similar names" 'vfs_reed.*vfs_read' \
	"${trace[@]}" -f vfs_reed -- true
expect_silent "a pattern that matches nothing is reported" 'no_such_\*' "${trace[@]}" -f 'no_such_*' -- true
expect_silent "a function that is refused is reported with the reason" 'fargs_t_refused_slots.*stack' \
	"${trace[@]}" -f fargs_t_refused_slots -- true
expect_silent "a selection whose functions are all excluded is refused" "'-n' excludes" "${trace[@]}" -f vfs_read -n 'vfs_*' -- true
expect_silent "trace without a selector is refused" '.' "${trace[@]}" -- true
# The VMs of these tests have no Intel PT.
[ -e /sys/bus/event_source/devices/intel_pt ] ||
	expect_silent "--pt on a machine without Intel PT is refused" "'--pt': this machine has no Intel PT.*record without" \
		fargs record --pt -f vfs_read -o "$tmp/none" -- true
expect_silent "trace --pt is refused" 'fargs record' "${trace[@]}" --pt -f vfs_read -- true
expect_silent "-m ,SIZE without --pt is refused" '-m ,SIZE' \
	fargs record -a -m ,4M -f vfs_read -o "$tmp/none" -- true
# As of env(1) and sudo, status 127 means that the command was not found.
wanted=127
expect_silent "a command that does not exist is reported" 'no-such-command' \
	"${trace[@]}" -f vfs_read -- /no-such-command
wanted=1
expect_silent "an unknown verb is refused" 'tarce.*trace' fargs tarce
expect_silent "an unknown option is refused" 'no-such-option' "${trace[@]}" --no-such-option -f vfs_read -- true
expect_silent "an output file that cannot be created is reported" 'No such file' \
	fargs record -a -f vfs_read -o /no-such-directory/trace -- true

for size in 1B 3M 3 0 -1 1000T 99999999999999999999 abc ''; do
	expect_silent "buffer size '$size' is refused" 'buffer|size|too large' \
		fargs record -a -m "$size" -f fargs_t_int -o "$tmp/none" -- true
done

# An unprivileged user must be able to execute programs that are not installed.
chmod 755 "$tmp"
expect_silent "missing permission is reported" 'permi|root' as_nobody "${trace[@]}" -f vfs_read -- true
expect_silent "missing BTF is reported" 'BTF' without_btf "${trace[@]}" -f vfs_read -- true

expect_silent "report reports a file that does not exist" 'No such file' fargs report "$tmp/nothing"
expect_silent "--kcore without decoding Intel PT is refused" '--kcore.*--call-trace' \
	fargs report --kcore "$tmp/nothing" "$tmp/trace"
expect_silent "report refuses a directory" '.' fargs report "$tmp"
: >"$tmp/empty"
expect_silent "report refuses an empty file" '.' fargs report "$tmp/empty"
expect_silent "report refuses a text file" 'not a (fargs )?trace' fargs report /etc/passwd
expect_silent "report refuses a program" 'not a (fargs )?trace' fargs report /bin/true
expect_silent "info refuses a program" 'not a (fargs )?trace' fargs info /bin/true
size=$(stat -c %s "$tmp/trace")
for bytes in 1 16 63 64 100 4096 $((size / 2)) $((size - 1)); do
	head -c "$bytes" "$tmp/trace" >"$tmp/cut"
	expect "report reports a trace cut off at $bytes of $size bytes" '.' fargs report "$tmp/cut"
done

# Output files, as in fargs(1); golden/outputs tests those that need no kernel.
for verb in trace record; do
	echo precious >"$tmp/precious"
	ln -sf precious "$tmp/link"
	expect_silent "$verb: a symbolic link as output file is refused" 'symbolic link' fargs $verb -a -f fargs_t_int -o "$tmp/link" -- true
	ln -sf absent "$tmp/link"
	expect_silent "$verb: a dangling symbolic link as output file is refused" 'symbolic link' \
		fargs $verb -a -f fargs_t_int -o "$tmp/link" -- true
	ln -f "$tmp/precious" "$tmp/old"
	chmod 644 "$tmp/old"
	fargs $verb -a -f fargs_t_int -o "$tmp/old" -- sh -c "echo all >$target" 2>"$tmp/err"
	what="$verb: an existing file is replaced by one that only its owner can read"
	if [ "$(stat -c %a "$tmp/old" "$tmp/precious" | xargs)" = '600 644' ] && [ -s "$tmp/old" ] &&
	   [ "$(cat "$tmp/precious")" = precious ] && [ ! -e "$tmp/absent" ]; then
		pass "$what"
	else
		fail "$what"
		note "$(ls -l "$tmp")"
		note "$(cat "$tmp/err")"
	fi
	rm -f "$tmp/old"
done
mkfifo "$tmp/fifo"
expect_silent "record: a FIFO without reader is reported" 'pipe' \
	timeout 300 fargs record -a -f fargs_t_int -o "$tmp/fifo" -- true

# in_group BYTES COMMAND...: runs it in a memory cgroup with this limit.
group=/sys/fs/cgroup/fargs_errors
in_group()
{
	echo "$1" >"$group/memory.max"
	bash -c 'echo 0 >"$0/cgroup.procs" && exec "$@"' "$group" "${@:2}"
}
echo +memory >/sys/fs/cgroup/cgroup.subtree_control 2>/dev/null
if mkdir "$group" 2>/dev/null && [ -w "$group/memory.max" ]; then
	expect_silent "buffers larger than memory.max are refused" \
		"not enough memory for buffers of 256M on each of [0-9]+ CPUs: give a smaller size with '-m', or raise memory.max" \
		in_group 400M "${trace[@]}" -f fargs_t_int -m 256M -- true
	check "nobody is killed for it" grep -qx 'oom_kill 0' "$group/memory.events" || note "$(cat "$group/memory.events")"
	check "nothing of the buffers stays in the cgroup" \
		eval '[ "$(cat "$group/memory.current")" -lt $((256 << 20)) ] && rmdir "$group"' ||
		note "$(cat "$group/memory.current")"
else
	skip "buffers larger than memory.max are refused" "no memory cgroup (v2)"
fi

if other=$(program fargs_other_abi); then
	# Messages begin with the program's name, which must be fargs.
	cp "$other" "$tmp/fargs"
	expect_silent "a module of another version is reported" 'another version.*ABI 999' \
		"$tmp/fargs" trace -a -f vfs_read -- true
else
	note "fargs_other_abi is not built: a module of another version is not tested"
fi

rmmod fargs
expect_silent "a module that is not loaded is reported" 'modprobe fargs|module' "${trace[@]}" -f vfs_read -- true
rmmod fargs 2>/dev/null
need_module fargs
test_end
