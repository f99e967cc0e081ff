# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions for tests that check which tasks are traced. To be sourced after ktap.sh.

# begin_noise: starts another task, which makes calls until the test ends. It sleeps between
# calls, because an emulated CPU is slow.
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

# traced COMMAND: traces COMMAND, run by sh, with "${options[@]}". Writes its calls to the
# file got.
traced()
{
	fargs trace "${options[@]}" -f 'fargs_t_*' -- sh -c "$1" >"$tmp/lines" 2>"$tmp/err" ||
		note "$(cat "$tmp/err")"
	calls_of "$tmp/lines" >"$tmp/got"
}

# want FUNCTION...: writes the expected calls of these functions, in this order, to the file
# wanted.
want()
{
	local function
	for function in "$@"; do
		truth_of "$function"
	done >"$tmp/wanted"
}
