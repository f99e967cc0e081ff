# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2054,SC2154 # names shared with the other files, QEMU's commas
# Starts QEMU for run. Uses the options of run, and its variables tmp and log. Sets
# qemu_status.

# qemu_tsc_khz: prints the frequency of the TSC, unless there is no compiler to build the
# program that measures it.
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

	# The whole log is written to the serial port. On a busy machine, an emulated CPU
	# is slow, but not stuck: multiply the time limits of watchdogs by six, and skip a
	# test of the timer at boot that needs exact timing.
	echo -n "console=ttyS0,115200 ignore_loglevel panic=-1 no_timer_check" \
		"rcupdate.rcu_cpu_stall_timeout=120 watchdog_thresh=60"
	# Also if vmlinuz is booted: with --icount, counts are repeatable only with the
	# same addresses, and without --kaslr, addresses are those in vmlinux.
	[ -n "$kaslr" ] && [ -z "$icount" ] || echo -n " nokaslr"
	# On a busy machine, the frequency of the TSC that the kernel measures is wrong,
	# once by a factor of four, because it is measured with an emulated timer.
	if [ -z "$icount$pt" ]; then
		khz=$(qemu_tsc_khz)
		[ -z "$khz" ] || echo -n " tsc_early_khz=$khz"
	fi
	# Options for qemu_ask_why.
	echo -n " unknown_nmi_panic panic_print=0x41"
	# With page table isolation, the kernel switches page tables before it returns to
	# user space, which decoders handle differently.
	[ -z "$pt" ] || echo -n " pti=off"
	echo "$append"
}

# qemu_ask_why SECONDS: if QEMU still runs after this time, sends each CPU an NMI that the
# kernel does not expect. The kernel panics, and prints where each CPU and each task is,
# even if no timer works any more; then QEMU exits. The file \$tmp/late shows that this has
# happened.
qemu_ask_why()
{
	local answer

	# Read a FIFO to which nobody writes, with a timeout. A sleep process would outlive
	# this shell, and keep its output open.
	# shellcheck disable=SC2162 # nothing is read
	read -t "$1" answer <>"$tmp/never" || true
	: >"$tmp/late"
	echo nmi >"$tmp/monitor.in"
	# shellcheck disable=SC2162
	read -t 30 answer <>"$tmp/never" || true
	kill "$qemu_pid"
}

# Whether vmlinux, the kernel inside vmlinuz, is started directly (PVH). This saves the
# four seconds that an emulated CPU takes to unpack it. But KASLR is implemented by the
# code that unpacks.
#
# Not with KASAN: on 6.1, the first function that the PVH entry calls, xen_prepare_pvh(),
# is compiled with KASAN's checks, but runs before KASAN's shadow memory is mapped. The
# result is a general protection fault at dffffc00... without an IDT, and so a silent
# reset.
#
# Not with --la57: the code that unpacks also enables the fifth level of page tables.
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
	# max includes SVM, so that KVM runs in the guest. la57=off results in the usual
	# addresses.
	[ -z "$la57" ] || cpu=max,la57=on
	if [ -n "$pt" ]; then
		# The kernel looks for Intel PT on Intel CPUs only, in a CPUID leaf that
		# they have.
		cpu+=,vendor=GenuineIntel,level=0x20,x2apic=off,intel-pt=on,x-force-features=on
		command=$(emulator_pt_command)
	fi
	cpu+=$features
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
		# The plugin keeps a separate trace for each CPU, so its CPUs may run in
		# parallel.
		[ -n "$parallel$pt" ] || threads=single
		args+=(-accel "tcg,thread=$threads" -smp "$smp${maxcpus:+,maxcpus=$maxcpus,sockets=$maxcpus,cores=1,threads=1}")
	fi
	for image in "$(root_path "$vm_release").sqfs" "$vm_cache/$kernel/modules.sqfs" "$tmp/run.sqfs"; do
		args+=(-drive "file=$image,format=raw,if=virtio,readonly=on")
	done
	# Separate ports keep the script's output apart from that of the console.
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
	# In the background, so that a signal to this shell does not wait for the end of
	# QEMU. qemu_ask_why enforces the time limit; timeout(1) ends QEMU if this shell
	# was killed.
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
	# TCG does not have Intel PT, but the plugin adds it.
	grep -v "TCG doesn't support requested feature: .*intel-pt" "$tmp/qemu.log" >&2 || true
	# If QEMU has never opened the FIFOs, their readers would wait forever.
	for fifo in stdout stderr; do
		: <>"$tmp/$fifo"
	done
	wait "${readers[@]}" || true
}
