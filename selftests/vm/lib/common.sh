# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # names shared with the other files
# Paths, messages, locks, and cache entries, which are either complete or missing.

vm_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
vm_top=$(cd "$vm_dir/../.." && pwd)
vm_cache=$vm_top/build/vm
# shellcheck source=/dev/null
. "$vm_top/selftests/lib/retry.sh"
vm_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# Exit status of run, if it is not that of the script.
VM_EXIT_SETUP=125	# the VM could not be prepared
VM_EXIT_DIED=98		# the VM ended without reporting a status
VM_EXIT_SPLAT=99	# the kernel log has a WARNING, BUG, Oops, stall ...
VM_EXIT_TIMEOUT=124	# as timeout(1)
VM_EXIT_STALE=97	# QEMU ran code that the kernel had removed
VM_EXIT_QEMU=96		# a signal ended QEMU

say()
{
	echo "vm: $*" >&2
}

die()
{
	echo "vm: error: $*" >&2
	exit "$VM_EXIT_SETUP"
}

need_root()
{
	[ "$(id -u)" = 0 ] || die "must be root: uses mmdebstrap, chroot and mount namespaces"
}

# with_lock NAME CMD...: runs CMD while no other process holds the lock NAME. Locks
# are always taken in the same order: kernel, root, apt.
with_lock()
{
	local name=$1 fd rc
	shift
	mkdir -p "$vm_cache/lock"
	exec {fd}>"$vm_cache/lock/$name"
	if ! flock -n "$fd"; then
		say "waiting for another process: $name"
		flock "$fd"
	fi
	# The child inherits the lock. If this shell is killed, the lock is held
	# until the child has ended.
	( set -eE; trap 'say "failed: $(head -n 1 <<<"$BASH_COMMAND")"' ERR; "$@" )
	rc=$?
	exec {fd}>&-
	return $rc
}

# build_once PATH FUNC ARGS...: unless PATH exists, calls FUNC TMP ARGS..., which
# fills TMP, and renames TMP to PATH. So a PATH that exists is complete.
build_once()
{
	local path=$1 rc
	shift
	[ ! -e "$path" ] || return 0
	mkdir -p "$(dirname "$path")"
	set +e
	with_lock "$(echo "${path#"$vm_cache/"}" | tr / -)" build_locked "$path" "$@"
	rc=$?
	set -e
	[ $rc = 0 ] || die "could not make ${path#"$vm_top/"}"
}

build_locked()
{
	local path=$1 func=$2 start=$SECONDS
	shift 2
	[ ! -e "$path" ] || return 0
	# This process holds the lock, so other temporary files are from processes
	# that died.
	rm -rf --one-file-system "$path".tmp.*
	[ -n "${vm_quiet:-}" ] || say "making ${path#"$vm_top/"}"
	"$func" "$path.tmp.$$" "$@"
	mv -T "$path.tmp.$$" "$path"
	[ -n "${vm_quiet:-}" ] || say "made ${path#"$vm_top/"} in $((SECONDS - start)) s"
}

# copy_tree FROM TO RSYNC-OPTIONS...: copies the contents of FROM to TO. Editors
# and compilers may change FROM meanwhile. If a file has disappeared (status 24),
# copies once more.
copy_tree()
{
	local from=$1 to=$2 rc=0
	shift 2
	mkdir -p "$to"
	rsync -a "$@" "$from/" "$to/" 2>/dev/null || rc=$?
	[ $rc != 0 ] || return 0
	[ $rc = 24 ] || [ $rc = 23 ] || return $rc
	rsync -a "$@" "$from/" "$to/" || [ $? = 24 ]
}
