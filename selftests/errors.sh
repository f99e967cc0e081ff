#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What cannot work ends with status 1 and one line that says what, and what to do.
. "$(dirname "$0")/lib/ktap.sh"

wanted=1

# expect WHAT PATTERN COMMAND...
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
	[ ! -s "$tmp/out" ] || { fail "$1: nothing on stdout"; note "$(head -n 5 "$tmp/out")"; }
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

expect_silent "an unknown function, with near names" 'vfs_reed.*vfs_read' \
	"${trace[@]}" -f vfs_reed -- true
expect_silent "a pattern that matches nothing" 'no_such_\*' "${trace[@]}" -f 'no_such_*' -- true
expect_silent "a function that is refused, with its reason" 'fargs_t_refused_slots.*stack' \
	"${trace[@]}" -f fargs_t_refused_slots -- true
expect_silent "everything left out" "(^|[^'])-n\>|left out" "${trace[@]}" -f vfs_read -n 'vfs_*' -- true
expect_silent "no function" '.' "${trace[@]}" -- true
# The machines of these tests are such.
[ -e /sys/bus/event_source/devices/intel_pt ] ||
	expect_silent "no Intel PT" '--pt: this machine has no Intel PT.*record without' \
		fargs record --pt -f vfs_read -o "$tmp/none" -- true
expect_silent "Intel PT without a file" 'fargs record' "${trace[@]}" --pt -f vfs_read -- true
expect_silent "a buffer of Intel PT without it" '-m ,SIZE' \
	fargs record -a -m ,4M -f vfs_read -o "$tmp/none" -- true
# As env(1), sudo and others have it: 127 is the command's, not fargs'.
wanted=127
expect_silent "a command that does not exist" 'no-such-command' \
	"${trace[@]}" -f vfs_read -- /no-such-command
wanted=1
expect_silent "an unknown verb" 'tarce.*trace' fargs tarce
expect_silent "an unknown option" 'no-such-option' "${trace[@]}" --no-such-option -f vfs_read -- true
expect_silent "an output that cannot be made" 'No such file' \
	fargs record -a -f vfs_read -o /no-such-directory/trace -- true

for size in 1 3M 0 -1 1000T 99999999999999999999 abc ''; do
	expect_silent "buffer size '$size'" 'buffer|size|too large' \
		fargs record -a -m "$size" -f fargs_t_int -o "$tmp/none" -- true
done

# Where a user can reach what is not installed.
chmod 755 "$tmp"
expect_silent "no permission" 'permi|root' as_nobody "${trace[@]}" -f vfs_read -- true
expect_silent "no BTF" 'BTF' without_btf "${trace[@]}" -f vfs_read -- true

expect_silent "a file that does not exist" 'No such file' fargs report "$tmp/nothing"
expect_silent "code for a trace of Intel PT that is not asked for" '--kcore.*--call-trace' \
	fargs report --kcore "$tmp/nothing" "$tmp/trace"
expect_silent "a directory" '.' fargs report "$tmp"
: >"$tmp/empty"
expect_silent "an empty file" '.' fargs report "$tmp/empty"
expect_silent "text" 'not a (fargs )?trace' fargs report /etc/passwd
expect_silent "a program" 'not a (fargs )?trace' fargs report /bin/true
expect_silent "a program, for info" 'not a (fargs )?trace' fargs info /bin/true
size=$(stat -c %s "$tmp/trace")
for bytes in 1 16 63 64 100 4096 $((size / 2)) $((size - 1)); do
	head -c "$bytes" "$tmp/trace" >"$tmp/cut"
	expect "a trace cut off at $bytes of $size bytes" '.' fargs report "$tmp/cut"
done

# Of what is written, fargs(1), Output files; golden/outputs has those that need no kernel.
for verb in trace record; do
	echo precious >"$tmp/precious"
	ln -sf precious "$tmp/link"
	expect_silent "$verb: a symbolic link" 'symbolic link' fargs $verb -a -f fargs_t_int -o "$tmp/link" -- true
	ln -sf absent "$tmp/link"
	expect_silent "$verb: one that leads nowhere" 'symbolic link' \
		fargs $verb -a -f fargs_t_int -o "$tmp/link" -- true
	ln -f "$tmp/precious" "$tmp/old"
	chmod 644 "$tmp/old"
	fargs $verb -a -f fargs_t_int -o "$tmp/old" -- sh -c "echo all >$target" 2>"$tmp/err"
	what="$verb: a file that is there is replaced by one for its owner alone"
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
expect_silent "record: a FIFO that nobody reads" 'pipe' \
	timeout 300 fargs record -a -f fargs_t_int -o "$tmp/fifo" -- true

if other=$(program fargs_other_abi); then
	# A name that begins as its messages do.
	cp "$other" "$tmp/fargs"
	expect_silent "a module of another version" 'another version.*ABI 999' \
		"$tmp/fargs" trace -a -f vfs_read -- true
else
	note "fargs_other_abi is not built: a module of another version is not tried"
fi

rmmod fargs
expect_silent "the module absent" 'modprobe fargs|module' "${trace[@]}" -f vfs_read -- true
rmmod fargs 2>/dev/null
need_module fargs
test_end
