# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2054,SC2154 # names shared with the other files, QEMU's commas
# Starts QEMU for run. Reads run's options and tmp, log; sets qemu_status.

# qemu_tsc_khz: prints the TSC's frequency, if there is a compiler for what measures it.
qemu_tsc_khz()
{
	local program=$vm_cache/tsc_khz source=$here/lib/tsc_khz.c

	command -v gcc >/dev/null || return 0
	if [ ! "$program" -nt "$source" ]; then
		gcc -O2 -o "$tmp/tsc_khz" "$source" || return 0
		mv "$tmp/tsc_khz" "$program"
	fi
	"$program"
}

qemu_cmdline()
{
	local khz

	# The whole log goes to the serial line. An emulated CPU on a busy machine
	# is slow, not stuck: give the watchdogs six times what real ones get, and
	# spare the boot a test of the timer that needs exact timing.
	echo -n "console=ttyS0,115200 ignore_loglevel panic=-1 no_timer_check" \
		"rcupdate.rcu_cpu_stall_timeout=120 watchdog_thresh=60"
	# Also where vmlinuz is booted: --icount's repeatable counts need the same
	# addresses, and who did not ask for others gets those of vmlinux.
	[ -n "$kaslr" ] && [ -z "$icount" ] || echo -n " nokaslr"
	# On a busy machine the kernel measures the frequency of the TSC wrongly, once by a factor of
	# four: it counts while an emulated timer runs.
	if [ -z "$icount$pt" ]; then
		khz=$(qemu_tsc_khz)
		[ -z "$khz" ] || echo -n " tsc_early_khz=$khz"
	fi
	# What qemu_ask_why asks for.
	echo -n " unknown_nmi_panic panic_print=0x41"
	# A kernel that has page tables of its own leaves them before it returns, which
	# decoders do not agree about.
	[ -z "$pt" ] || echo -n " pti=off"
	echo "$append"
}

# qemu_ask_why SECONDS: after them, unless ended before, has every CPU take an NMI that the
# kernel does not know. It panics, which says where each CPU and each task is, also where
# no timer comes any more, and QEMU ends with it. \$tmp/late tells that it came to this.
qemu_ask_why()
{
	local answer

	# A read of what nobody writes to: a sleep would outlive us, and hold the output.
	# shellcheck disable=SC2162 # nothing is read
	read -t "$1" answer <>"$tmp/never" || true
	: >"$tmp/late"
	echo nmi >"$tmp/monitor.in"
	# shellcheck disable=SC2162
	read -t 30 answer <>"$tmp/never" || true
	kill "$qemu_pid"
}

# The kernel inside vmlinuz started directly (PVH), which saves the four seconds
# an emulated CPU takes to unpack it. KASLR is part of what unpacks, though.
#
# Not with KASAN: what the PVH entry calls first, xen_prepare_pvh(), is compiled
# with its checks on 6.1, and runs before the page tables have KASAN's shadow: a
# general protection fault on dffffc00... without an IDT, a silent reset.
#
# Not with --la57: what unpacks also turns on the fifth level of page tables.
qemu_starts_vmlinux()
{
	local config=$1
	[ -z "$kaslr$la57" ] && grep -q '^CONFIG_PVH=y' "$config" && ! grep -q '^CONFIG_KASAN=y' "$config"
}

qemu_kernel()
{
	local files
	files=$(kernel_dir "$kernel")
	if qemu_starts_vmlinux "$files/config"; then
		echo "$files/vmlinux"
	else
		echo "$files/vmlinuz"
	fi
}

qemu_run()
{
	local args fifo image readers=() cpu=max,la57=off command threads=multi

	command=$(emulator_command)
	# max: with SVM, so that KVM runs inside; la57=off: the addresses one knows.
	[ -z "$la57" ] || cpu=max,la57=on
	if [ -n "$pt" ]; then
		# The kernel asks Intel's CPUs for it, at the leaves these have.
		cpu+=,vendor=GenuineIntel,level=0x20,x2apic=off,intel-pt=on,x-force-features=on
		command=$(emulator_pt_command)
	fi
	args=(
		-nodefaults -no-user-config -no-reboot -display none -nic none
		-M q35 -cpu "$cpu" -m "$mem"
		-kernel "$(qemu_kernel)" -initrd "$(image_initrd_path "$kernel")"
		-append "$(qemu_cmdline)"
		-serial "file:$log"
	)
	if [ -n "$icount" ]; then
		args+=(-accel tcg,thread=single -icount shift=0,sleep=off -smp 1)
	else
		# The plugin's CPUs each keep a trace of their own.
		[ -n "$parallel$pt" ] || threads=single
		args+=(-accel "tcg,thread=$threads" -smp "$smp${maxcpus:+,maxcpus=$maxcpus,sockets=$maxcpus,cores=1,threads=1}")
	fi
	for image in "$(root_path "$vm_release").sqfs" "$vm_cache/$kernel/modules.sqfs" "$tmp/run.sqfs"; do
		args+=(-drive "file=$image,format=raw,if=virtio,readonly=on")
	done
	# Ports of their own keep the script's bytes apart from the console's.
	args+=(-device virtio-serial)
	rm -f "$tmp"/{stdout,stderr,status,late,never,monitor.in,monitor.out}
	mkfifo "$tmp"/{stdout,stderr,never,monitor.in,monitor.out}
	args+=(-chardev "pipe,id=monitor,path=$tmp/monitor" -mon chardev=monitor)
	for fifo in stdout stderr; do
		args+=(-chardev "file,id=$fifo,path=$tmp/$fifo" -device "virtserialport,chardev=$fifo,name=$fifo")
	done
	args+=(-chardev "file,id=status,path=$tmp/status" -device "virtserialport,chardev=status,name=status")
	[ -z "$share" ] || args+=(
		-fsdev "local,id=host,path=$share,security_model=none,multidevs=remap"
		-device virtio-9p-pci,fsdev=host,mount_tag=host
	)
	[ -z "$pt" ] || args+=(-plugin "$emulator_pt_plugin,dir=$pt")
	args+=("${qemu_extra[@]}")

	cat "$tmp/stdout" &
	readers+=($!)
	cat "$tmp/stderr" >&2 &
	readers+=($!)
	# In the background: a signal to us must not wait for QEMU's end. The limit is that
	# of qemu_ask_why; timeout's is for when this shell is no more.
	# shellcheck disable=SC2046 # words
	timeout -k 5 "$((timeout + 60))" $command "${args[@]}" </dev/null >"$tmp/qemu.log" 2>&1 &
	qemu_pid=$!
	qemu_ask_why "$timeout" >/dev/null 2>&1 &
	qemu_watch=$!
	qemu_status=0
	wait "$qemu_pid" || qemu_status=$?
	qemu_pid=''
	kill "$qemu_watch" 2>/dev/null || true
	wait "$qemu_watch" || true
	qemu_watch=''
	[ ! -e "$tmp/late" ] || qemu_status=124
	# The feature that TCG does not have is what the plugin adds.
	grep -v "TCG doesn't support requested feature: .*intel-pt" "$tmp/qemu.log" >&2 || true
	# Readers of a QEMU that never opened its end would wait for ever.
	for fifo in stdout stderr; do
		: <>"$tmp/$fifo"
	done
	wait "${readers[@]}" || true
}
