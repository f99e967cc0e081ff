# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# A run of CI may repeat what never ran, but not what failed. Something never ran if
#
#	- QEMU died, or ran code that had been patched away (vm/lib/emulator.sh),
#	- the guest never reached its first test, or
#	- a package could not be downloaded.
#
# FARGS_RUN is the run's directory. Its file `start` contains the time at which the run began,
# in seconds since 1970, and `retries` contains a line for each retry. Without FARGS_RUN,
# nothing is retried.

RETRIES_MAX=2
RETRIES_MINUTES=60

# retry_begin DIR: begins a run, whose directory is DIR.
retry_begin()
{
	rm -rf "$1"
	mkdir -p "$1"
	date +%s >"$1/start"
	: >"$1/retries"
	export FARGS_RUN=$1
}

# retry_take WHAT WHY: if WHAT may be retried, records the retry and succeeds. Each WHAT may be
# retried once. Concurrent programs may call this.
retry_take()
{
	local what=$1 why=$2 fd ret=1
	[ -n "${FARGS_RUN-}" ] && [ -f "$FARGS_RUN/start" ] || return 1
	exec {fd}>"$FARGS_RUN/lock"
	flock "$fd"
	if [ "$(wc -l <"$FARGS_RUN/retries")" -lt $RETRIES_MAX ] &&
	   [ $(($(date +%s) - $(<"$FARGS_RUN/start"))) -lt $((RETRIES_MINUTES * 60)) ] &&
	   ! grep -qxF "$what" < <(sed 's/: .*//' "$FARGS_RUN/retries"); then
		echo "$what: $why" >>"$FARGS_RUN/retries"
		echo "retry: $what: $why" >&2
		ret=0
	fi
	exec {fd}>&-
	return $ret
}

# retry_download WHAT COMMAND...: runs a command that downloads packages. If it fails, retries
# it.
retry_download()
{
	local what=$1
	shift
	"$@" || { retry_take "$what" "a package download failed" && "$@"; }
}
