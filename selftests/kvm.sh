#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# KVM guests: each entry and exit is shown with the function of its own guest, live and from a
# file, with several guests at once, one of which is killed. On AMD, which QEMU emulates.
. "$(dirname "$0")/lib/ktap.sh"

rounds=20

# symbols NAME: writes the symbols of kvm_guest.c, with the guest's name as suffix.
symbols()
{
	printf '%s\n' "0000000000001000 T start_$1" "0000000000001100 t hello_$1" \
		"0000000000001200 T bye_$1" >"$tmp/$1.kallsyms"
}

# guest ROUNDS NAME [ARG...]: starts a guest; its process, with argv[0] $exec_as, is $pid. More
# arguments are ignored.
guest()
{
	(exec -a "${exec_as:-$program}" "$program" "$1" "$tmp/go" "vcpu_$2" "${@:3}") 2>"$tmp/$2.err" &
	pid=$!
	pids+=("$pid")
}

cleanup()
{
	[ ${#pids[@]} = 0 ] || kill -9 "${pids[@]}" 2>/dev/null
	wait
	[ -n "$was_there" ] || modprobe -qr kvm_amd
	test_cleanup
}

# named FILE NAME SUFFIX: every line of that guest's thread has the symbol at its address, by the
# table in kvm_guest.c (no symbol if SUFFIX is ""), and each function has enough entries and exits.
named()
{
	perl - "$rounds" "$@" <<'EOS'
my ($rounds, $file, $name, $suffix) = @ARGV;
my @functions = ([0x1200, "bye"], [0x1100, "hello"], [0x1000, "start"]);
my (%seen, $bad);
open(my $in, "<", $file) or die "$file: $!\n";
while (<$in>) {
	next unless /^ *vcpu_$name-\d+ .* kvm:kvm_(entry|exit): (.*)/;
	my ($event, $text) = ($1, $2);
	my ($head, $rip, $tail) = $text =~ /^(.*) rip 0x([0-9a-f]+)(.*)$/ or die "what is $_";
	my $addr = hex($rip);
	my ($function) = grep { $addr >= $_->[0] } @functions;
	my $offset = $function ? $addr - $function->[0] : 0;
	my $wanted = !$suffix || !$function ? "" :
		($event eq "entry" ? " enter " : " exit ") . "$function->[1]_$suffix" .
		($offset ? sprintf("+0x%x", $offset) : "");
	$tail =~ s/ info [0-9a-f]+ [0-9a-f]+$// or $event eq "entry" or die "no info: $_";
	print "# $_" if $tail ne $wanted && $bad++ < 5;
	$seen{sprintf("$event %x", $addr)}++;
	$seen{sprintf("io %x", $addr)}++ if $head eq "reason EXIT_IOIO";
}
for (["entry 1000", 1], ["io 1101", $rounds], ["io 1203", $rounds], ["entry 1103", $rounds],
     ["entry 1205", $rounds - 1]) {
	my ($what, $nr) = @$_;
	next if ($seen{$what} // 0) >= $nr;
	print "# $what: ", $seen{$what} // 0, " times\n";
	$bad++;
}
exit !!$bad;
EOS
}

# Each write causes exactly one exit.
exact()
{
	local name
	for name in a b c; do
		[ "$(grep -c "^ *vcpu_$name-.* reason EXIT_IOIO rip 0x1101" "$tmp/lines")" = $rounds ] ||
			return
	done
}

has_some()
{
	[ "$(grep -c "^ *vcpu_d-.*kvm:kvm_exit" "$tmp/lines")" -gt 0 ]
}

ends_well()
{
	local pid status=0
	for pid; do wait "$pid" || status=$?; done
	[ $status = 0 ] || note "$(cat "$tmp"/?.err)"
	return $status
}

# vcpu_times FILE SUFFIX LINES: each function that exits the guest did so in each round, and times
# add up. The time in the guest is unknown if the thread migrated to another CPU before the exit
# event: the CPUs are in report's LINES.
vcpu_times()
{
	fargs report --kvm --json "$1" >"$tmp/vcpus" || return
	perl - "$rounds" "$2" "$tmp/vcpus" "$3" <<'EOS'
use JSON::PP;
my ($rounds, $suffix, $file, $lines) = @ARGV;
my ($entered, $nr_stayed) = (-1, 0);
open(my $all, "<", $lines) or die "$lines: $!\n";
while (<$all>) {
	my ($cpu, $event) = / \[(\d+)\] .* kvm:kvm_(entry|exit): / or next;
	$nr_stayed++ if $event eq "exit" && $cpu == $entered;
	$entered = $event eq "entry" ? $cpu : -1;
}
open(my $in, "<", $file) or die "$file: $!\n";
my ($vcpu, @more) = map { decode_json($_) } <$in>;
die "no vcpu" unless $vcpu && !@more && $vcpu->{type} eq "vcpu" && $vcpu->{vcpu} == 0;
my %functions = map { ($_->{function} // $_->{address}) => $_ } @{$vcpu->{functions}};
my %reasons = map { $_->{reason} => $_ } @{$vcpu->{reasons}};
die "exits for ports" unless $reasons{EXIT_IOIO}{exits} == 2 * $rounds;
for (qw(hello bye)) {
	die "$_" unless ($functions{"${_}_$suffix"}{exits} // 0) >= $rounds;
}
for my $rows ($vcpu->{functions}, $vcpu->{reasons}) {
	my ($exits, $ns) = (0, 0);
	$exits += $_->{exits}, $ns += $_->{host_ns} for @$rows;
	die "sums" unless $exits == $vcpu->{exits} && $ns == $vcpu->{host_ns};
}
die "$vcpu->{guest_timed} of $vcpu->{entries} times in the guest, $nr_stayed stayed on a CPU; " .
	"$vcpu->{host_timed} of $vcpu->{exits} in the host\n"
	unless $vcpu->{guest_timed} == $nr_stayed && $nr_stayed > $vcpu->{entries} / 2 &&
	$vcpu->{guest_ns} > 0 && $vcpu->{host_timed} >= $vcpu->{exits} - 1;
EOS
}

# one_view FILE NAME [ordered]: each run of that thread's vCPU is shown by the call of
# svm_vcpu_run(), the entry, and the exit as a tracepoint and as a formatted event, all of the same
# vCPU.
one_view()
{
	perl - "$rounds" "$@" <<'EOS'
my ($rounds, $file, $name, $is_ordered) = @ARGV;
my ($order, %seen, %vcpus) = ("");
open(my $in, "<", $file) or die "$file: $!\n";
while (<$in>) {
	next unless /^ *vcpu_$name-\d+ .*? \d+\.\d+: (.*)/;
	my $text = $1;
	# A copy, since the next match overwrites it.
	my ($vcpu) = $text =~ /\(vcpu=(0x[0-9a-f]{16})[,)]/;
	my $what = $text =~ /^svm_vcpu_run\(vcpu=0x[0-9a-f]{16}/ ? "R" :
		   $text =~ /^kvm_exit\(vcpu=0x[0-9a-f]{16}, isa=2\)/ ? "T" :
		   $text =~ /^kvm:kvm_entry: vcpu 0 / ? "E" :
		   $text =~ /^kvm:kvm_exit: reason / ? "X" : die "what is $_";
	$vcpus{$vcpu}++ if $what =~ /[RT]/;
	$seen{$what}++;
	$order .= $what;
}
print "# $_: ", $seen{$_} // 0, " times\n" for qw(R E T X);
print "# vcpus: ", join(" ", keys(%vcpus)), "\n";
my $is_good = keys(%vcpus) == 1 && ($seen{E} // 0) >= 2 * $rounds;
$is_good &&= $seen{$_} == $seen{E} for qw(R T X);
if ($is_ordered && $order !~ /^(RE(TX|XT))+$/) {
	print "# in the order $order\n";
	$is_good = 0;
}
exit !$is_good;
EOS
}

is_noticed()
{
	! cmp -s "$tmp/lines" "$tmp/other" && ! one_view "$tmp/other" h >"$tmp/said" &&
		grep -q "^# vcpus: .*0xffff000000000001" "$tmp/said"
}

pids=() was_there=y
test_begin perl
trap cleanup EXIT
program=$(program kvm_guest) || skip_all "kvm_guest has not been built"
was_there=$(grep '^kvm_amd ' /proc/modules)
modprobe -q kvm_amd 2>/dev/null || skip_all "this machine has no SVM, or this kernel no kvm_amd"
[ -w /dev/kvm ] || skip_all "there is no /dev/kvm"
for name in a b c d; do symbols $name; done

guest $rounds a
a=$pid
guest $rounds b
b=$pid
guest $rounds c
c=$pid
guest 0 d
d=$pid
cat >"$tmp/work" <<-EOS
	touch "$tmp/go"
	for pid in $a $b $c; do tail --pid=\$pid -f /dev/null; done
	kill -9 $d
	tail --pid=$d -f /dev/null
EOS
check "guests are recorded" fargs record -a -o "$tmp/file" -e kvm:kvm_entry -e kvm:kvm_exit \
	--guest "$a=$tmp/a.kallsyms" --guest "$b=$tmp/b.kallsyms" --guest "$d=$tmp/d.kallsyms" \
	-- bash "$tmp/work"
check "guests exit with 0" ends_well "$a" "$b" "$c"
fargs report "$tmp/file" >"$tmp/lines"
check "exits of the first guest have its own functions" named "$tmp/lines" a a
check "exits of the second guest have its own functions" named "$tmp/lines" b b
check "exits of a guest without symbols have plain addresses" named "$tmp/lines" c ""
check "each exit for a port is shown once" exact
check "exits of the guest that was killed are shown" has_some
check "the counts of events add up" is_whole "$tmp/file"
rm "$tmp"/*.kallsyms
fargs report "$tmp/file" >"$tmp/again"
check_same "the guests' symbols are in the file" "$tmp/lines" "$tmp/again"
symbols z
fargs report --guest "$c=$tmp/z.kallsyms" "$tmp/file" >"$tmp/lines"
check "symbols can be given to report" named "$tmp/lines" c z
check "symbols given to report do not affect other guests" named "$tmp/lines" b b

# By the name of the process, not of the thread.
rm "$tmp/go"
guest $rounds e
echo "touch '$tmp/go'; tail --pid=$pid -f /dev/null" >"$tmp/work"
check "guests are shown live" fargs trace -a -o "$tmp/lines" -e 'kvm:kvm_e[nx]*' \
	--guest "kvm_guest=$tmp/z.kallsyms" -- bash "$tmp/work"
check "a guest is found by its process's name" named "$tmp/lines" e z

# By the name that QEMU gave the guest.
rm "$tmp/go"
exec_as=qemu-system-x86_64 guest $rounds g -name guest=shop,debug-threads=on
echo "touch '$tmp/go'; tail --pid=$pid -f /dev/null" >"$tmp/work"
check "a guest of QEMU is recorded" fargs record -a -o "$tmp/file" -e kvm:kvm_entry -e kvm:kvm_exit \
	--guest "shop=$tmp/z.kallsyms" -- bash "$tmp/work"
fargs report "$tmp/file" >"$tmp/lines"
check "a guest is found by the name that QEMU gave it" named "$tmp/lines" g z
check "report --kvm shows the times of its vCPU" vcpu_times "$tmp/file" z "$tmp/lines"

# Host and guest in one view.
rm "$tmp/go"
guest $rounds h
echo "touch '$tmp/go'; tail --pid=$pid -f /dev/null" >"$tmp/work"
check "calls, tracepoints and events are recorded" fargs record -a -o "$tmp/file" \
	-f kvm_amd:svm_vcpu_run -t kvm_exit -e kvm:kvm_entry -e kvm:kvm_exit \
	--guest "$pid=$tmp/z.kallsyms" -- bash "$tmp/work"
fargs report "$tmp/file" >"$tmp/lines"
check "exits have functions in a file with calls" named "$tmp/lines" h z
what="calls and events are in order of time"
# If the TSC is not the kernel's clock, times of calls are only as accurate as a tick.
if grep -q "times agree with perf's to 1 us" <<<"$(fargs info "$tmp/file")"; then
	check "$what" one_view "$tmp/lines" h ordered
else
	check "all calls and events are shown" one_view "$tmp/lines" h
	skip "$what" "the kernel does not trust the TSC"
fi
# The same lines with one call on another vCPU, to test one_view itself.
awk '!n && sub(/svm_vcpu_run\(vcpu=0x................/, "svm_vcpu_run(vcpu=0xffff000000000001") { n = 1 }
	{ print }' "$tmp/lines" >"$tmp/other"
check "this test notices a call of another vCPU" is_noticed
check "every record is accounted for" is_whole "$tmp/file"

# Guests that do not exist.
for guest in nobody 4194304; do
	fargs record -a -o "$tmp/file" -e kvm:kvm_entry --guest "$guest=$tmp/z.kallsyms" -- true 2>"$tmp/err"
	check "a guest that does not exist is reported in one line: $guest" \
		[ "$(grep -c "^fargs: '--guest': .*$guest" "$tmp/err")" = 1 ]
done

# A file that is not usable: it is reported in one line, and everything else is shown.
rm "$tmp/go"
echo "0000000000000000 T hidden" >"$tmp/zeros"
guest $rounds f
echo "touch '$tmp/go'; tail --pid=$pid -f /dev/null" >"$tmp/work"
check "trace continues with a symbol table without addresses" fargs trace -a -o "$tmp/lines" \
	-e kvm:kvm_entry -e kvm:kvm_exit --guest-kallsyms "$tmp/zeros" -- bash "$tmp/work" \
	2>"$tmp/err"
check "a symbol table without addresses is reported in one line" [ "$(grep -c "all addresses are 0" "$tmp/err")" = 1 ]
check "without usable symbols plain addresses are shown" named "$tmp/lines" f ""
test_end
