# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What may be tried once more in a run of CI: not what failed, only what never ran, because
#
#	- QEMU died, or ran code that was no longer there (vm/lib/emulator.sh),
#	- the guest never reached its first test, or
#	- a package could not be downloaded.
#
# FARGS_RUN is the run's directory. Its file `start` has the time at which the run began, in
# seconds since 1970, and `retries` a line for each retry. Without FARGS_RUN nothing is retried.

RETRIES_MAX=2
RETRIES_MINUTES=60

# retry_begin DIR: a run begins; FARGS_RUN is its directory.
retry_begin()
{
	rm -rf "$1"
	mkdir -p "$1"
	date +%s >"$1/start"
	: >"$1/retries"
	export FARGS_RUN=$1
}

# retry_take WHAT WHY: if WHAT may be tried again, notes the retry and succeeds. Each WHAT has
# one. Programs that run at the same time may call this.
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

# retry_download WHAT COMMAND...: a command that downloads packages.
retry_download()
{
	local what=$1
	shift
	"$@" || { retry_take "$what" "a package download failed" && "$@"; }
}
