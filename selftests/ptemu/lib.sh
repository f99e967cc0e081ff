# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For tests in VMs with emulated Intel PT. In the top directory:
#
#	. selftests/ptemu/lib.sh
#	pt_begin NR_TESTS	or skips; creates $dir with truth/ and share/, which is copied to
#				directory KEEP, if that is set, at the end
#	ok TITLE COMMAND...
#	exit "$failed"

for pt_lib in common deps apt emulator_pt series kernel; do
	# shellcheck source=/dev/null
	. "selftests/vm/lib/$pt_lib.sh"
done

echo "TAP version 13"

pt_skip()
{
	echo "1..0 # SKIP $*"
	exit 4
}

pt_begin()
{
	local refusal
	[ "$(id -u)" = 0 ] || pt_skip "must be root"
	( emulator_pt_need ) >&2 || pt_skip "Debian's QEMU could not be unpacked"
	refusal=$(emulator_pt_refusal)
	[ -z "$refusal" ] || pt_skip "$refusal"
	mkdir -p build/ptemu/run
	dir=$(mktemp -d build/ptemu/run/XXXXXX)
	trap '[ -z "${KEEP:-}" ] || cp -al "$dir" "$KEEP"; rm -rf "$dir"' EXIT
	mkdir "$dir/truth" "$dir/share"
	cp build/ptemu/guest "$dir/share"
	echo "1..$1"
}

nr=0
failed=0
# ok TITLE COMMAND...
ok()
{
	local title=$1
	shift
	nr=$((nr + 1))
	if "$@" >"$dir/out" 2>&1; then
		sed 's/^/# /' "$dir/out"
		echo "ok $nr - $title"
	else
		sed 's/^/# /' "$dir/out"
		sed "s/^/ptemu: $title: /" "$dir/out" >&2
		echo "not ok $nr - $title"
		failed=1
	fi
}

# equal NAME [OPTION...]: the decoded flow is what was executed. Keeps the check's output.
equal()
{
	local name=$1 data=$dir/share/$1
	shift
	if [ -d "$data" ]; then
		set -- "$@" -k "$data/kcore_dir/kcore"
		data+=/data
	fi
	build/ptemu/check "$@" "$dir/truth" "$data" | tee "$dir/$name.lines"
	return "${PIPESTATUS[0]}"
}

# engines [-b] [-r ROOT] FILE...: fargs' decoder shows the same as each libipt; with -b, by branches
# only. With -r, the programs and FILE are below ROOT. If there is a difference, prints only that,
# since a summary keeps only the first lines.
engines()
{
	local lib file root= options=() rc
	[ "$1" != -b ] || { options=(-b); shift; }
	[ "$1" != -r ] || { root=$2; shift 2; mkdir -p "$root/proc"; options+=(-r "$root"); }
	: >"$dir/same"
	for file; do
		for lib in "" build/vm/root/*/usr/lib/x86_64-linux-gnu/libipt.so.2.[1-9]*; do
			[ -z "$lib" ] || [ -e "$lib" ] || continue
			rc=0
			# shellcheck disable=SC2016 # expanded there
			unshare -m sh -c '[ -z "$1" ] || mount --bind /proc "$1/proc" || exit
				export LD_PRELOAD="$2" && shift 2 && exec "$@"' sh "$root" "${lib:+$PWD/$lib}" \
				build/selftests/unit/pt_engines "${options[@]}" "$file" >"$dir/engines" 2>&1 || rc=$?
			if [ $rc != 0 ]; then
				echo "${file##*/}, ${lib##*/}: exit status $rc"
				grep -vE '^(TAP|1\.\.|# (/|by|known))' "$dir/engines"
				return 1
			fi
			echo "${file##*/}, ${lib##*/}" >>"$dir/same"
			grep '^#' "$dir/engines" >>"$dir/same"
		done
	done
	cat "$dir/same"
}

# newer_perf WORD...: the perf of Debian 13, in the root of its VMs, where the recordings are in /mnt.
newer_perf()
{
	local root
	root=$(readlink -f build/vm/root/trixie-*[0-9])
	# shellcheck disable=SC2016 # expanded there
	unshare -m sh -c 'root=$1 share=$2; shift 2; mount -t tmpfs tmp "$root/mnt" &&
		mount --bind "$share" "$root/mnt" && mount -t proc proc "$root/proc" &&
		exec chroot "$root" perf "$@"' sh "$root" "$dir/share" "$@"
}

# sum NAME FIELD: the sum of FIELD in the check's output for the recording.
sum()
{
	awk -v field="$2" '{ for (i = 1; i < NF; i++) if ($i == field) sum += $(i + 1) }
		END { print sum + 0 }' "$dir/$1.lines"
}

# pt_tasks KERNEL: prints where the kernel keeps the number and the name of a task, from its BTF, as
# MSR_TASKS has them (model.h).
pt_tasks()
{
	pahole -C task_struct "build/vm/$1/kernel/vmlinux" 2>/dev/null | awk '
		/[[:space:]]pid;/ { pid = $(NF - 2) }
		/[[:space:]]comm\[16\];/ { comm = $(NF - 2) }
		END { print pid + 65536 * comm; exit !pid || !comm }'
}

# at_least N NAME FIELD
at_least()
{
	[ "$(sum "$2" "$3")" -ge "$1" ] || { echo "$3: $(sum "$2" "$3"), not $1"; return 1; }
}

# at_most N NAME FIELD
at_most()
{
	[ "$(sum "$2" "$3")" -le "$1" ] || { echo "$3: $(sum "$2" "$3"), not $1"; return 1; }
}

# within TICKS NAME: libipt's time differs from the emulator's by at most TICKS wherever tracing begins.
within()
{
	awk -v most="$1" '
		{ for (i = 1; i < NF; i++) { if ($i == "timed") timed += $(i + 1)
		  if ($i == "tsc_off" && $(i + 1) > off) off = $(i + 1) } }
		END { print timed + 0, "times, off by", off + 0; exit !timed || off > most }' "$dir/$2.lines"
}
