# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# For tests of whose calls are traced; after ktap.sh.

# begin_noise: someone else who makes calls, for as long as the test takes. Not all the time:
# an emulated CPU has other work to do.
begin_noise()
{
	[ -p "$tmp/quiet" ] || mkfifo "$tmp/quiet"
	while :; do
		echo fargs_t_ulong >$target
		read -rt 0.01 _ <>"$tmp/quiet"
	done &
	noise_pid=$!
	trap 'end_noise; test_cleanup' EXIT
}

end_noise()
{
	kill "$noise_pid" 2>/dev/null
	wait "$noise_pid" 2>/dev/null
}

# traced COMMAND: runs it with sh, and leaves the calls it made in got. With "${options[@]}".
traced()
{
	fargs trace "${options[@]}" -f 'fargs_t_*' -- sh -c "$1" >"$tmp/lines" 2>"$tmp/err" ||
		note "$(cat "$tmp/err")"
	calls_of "$tmp/lines" >"$tmp/got"
}

# want FUNCTION...: their calls, in this order.
want()
{
	local function
	for function in "$@"; do
		truth_of "$function"
	done >"$tmp/wanted"
}
