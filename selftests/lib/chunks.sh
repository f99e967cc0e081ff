# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions for tests of trace files that end too early. To be sourced after
# ktap.sh.

# begin_load: makes calls to record until the test ends.
begin_load()
{
	while :; do
		dd if=/dev/zero of=/dev/null bs=1 count=2000 2>/dev/null
	done &
	load=$!
	trap end_load EXIT
}

# shellcheck disable=SC2317 # called by trap
end_load()
{
	kill $load
	test_cleanup
}

# chunks FILE: prints where the last complete chunk of FILE ends, and the size of
# its records in bytes. The Perl script follows the manual page and shares no code
# with fargs.
chunks()
{
	"$test_dir/lib/chunks.pl" "$1"
}

# found FILE: prints what fargs reports, in the same form.
found()
{
	local end bytes
	fargs info "$1" >"$tmp/info" 2>"$tmp/info.err"
	end=$(sed -n 's/.*the last complete chunk ends at byte \([0-9]*\) of .*/\1/p' "$tmp/info.err")
	bytes=$(sed -n 's/^records  *[0-9]* (\([0-9]*\) bytes)$/\1/p' "$tmp/info")
	echo "${end:-0} ${bytes:-0}"
}
