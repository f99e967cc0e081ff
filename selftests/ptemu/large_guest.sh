# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Records a busy machine in the guest (large).
#
#	large_guest.sh MB TASKS	records at least MB megabytes; TASKS is for tasks_guest.sh
mb=$1
cd /tmp || exit 1
cp /host/disk .
mkdir -p build mnt
bash /host/tasks_guest.sh /host/guest "$2" || exit 1
modprobe -a loop ext4
mount -o loop disk mnt || exit 1
for i in 1 2 3 4; do
	{
		echo ".globl f$i"
		echo "f$i:"
		for ((n = 0; n < 40; n++)); do
			printf '\tadd $%d, %%eax\n\tjnc .L%d\n\tcall f%d\n.L%d:\n' $n $n $((i % 4 + 1)) $n
		done
		echo "ret"
	} >build/f$i.s
done
printf '.globl _start\n_start: mov $60, %%eax\n xor %%edi, %%edi\n syscall\n' >build/start.s
{
	echo 'all: program'
	echo 'program: start.o f1.o f2.o f3.o f4.o'
	printf '\tld -o $@ $^\n'
	echo '%.o: %.s'
	printf '\tas -o $@ $<\n'
} >build/Makefile

cat >round <<'END'
cd /tmp || exit 1
rm -f build/*.o build/program
make -s -j2 -C build && build/program
for ((i = 0; i < 2; i++)); do
	(exec /bin/true) &
	echo "$i" | cat >/dev/null
done
wait
perl -MIO::Socket::INET -e '
	my $server = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or die;
	if (!fork) {
		my $to = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $server->sockport);
		print $to "x" x 1000 for 1 .. 40;
		exit;
	}
	my ($from, $bytes) = ($server->accept, 0);
	$bytes += length while <$from>;
	wait;
	exit($bytes != 40000)' || exit 1
dd if=/dev/zero of=mnt/file bs=4k count=40 status=none conv=fsync
cat mnt/file >/dev/null
rm mnt/file
END
# Rounds until the recording is large enough. What perf has not written yet is not counted.
cat >busy <<END
for ((i = 0; i < 500; i++)); do
	bash /tmp/round || { echo "round \$i failed"; exit 1; }
	[ "\$(stat -c %s large/data)" -lt ${mb}500000 ] || exit 0
done
exit 1
END
ip link set lo up
if ! perf record -B -N --no-bpf-event --kcore -o large -a -m ,4M -e intel_pt// -- bash busy >busy.out 2>&1; then
	tail -n 20 busy.out >&2
	exit 1
fi
cp -r large /host/
# The recorded programs and libraries, for the decoder.
for program in as bash cat dd ld make perf perl sh true rm stat; do
	program=$(readlink -f "$(type -P "$program")")
	echo "$program"
	ldd "$program" | grep -o ' /[^ ]*\|^[[:space:]]*/[^ ]*' | xargs -n 1 readlink -f
done | sort -u | xargs cp --parents -t /host || exit 1
find /usr/lib/x86_64-linux-gnu/perl* -name '*.so' -exec cp --parents -t /host {} +
cp --parents build/program -t /host/tmp 2>/dev/null || { mkdir -p /host/tmp/build && cp build/program /host/tmp/build/; }
