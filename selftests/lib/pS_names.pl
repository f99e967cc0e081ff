#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Which names the kernel itself has for addresses (%pS), and which ones fargs:
#
#	pS_names.pl ask N			prints N addresses of the kernel and of its modules
#	pS_names.pl kernel <ADDRESSES		"address name offset size" of each, or "address -"
#	pS_names.pl check KERNEL FARGS		two files of such lines
#
# fargs_target calls a function with each of them, and a kprobe prints its argument as a symbol.
# The kernel has a name for all there is in a section, code or not, and between sections; fargs
# has the same, or none if that is no code: data, or what a section, or a module, ends with.
use strict;
use warnings;
no warnings 'portable';	# 64 bits

my $tracing = '/sys/kernel/tracing';
my $verb = shift // '';

# All that have a place, by address, and of modules as they come.
sub symbols
{
	my @all;
	open(my $in, '<', '/proc/kallsyms') or die "kallsyms: $!\n";
	while (<$in>) {
		my ($addr, $type, $name, $module) = split;
		next if $type =~ /a/i || $addr !~ /^f/;
		push @all, { addr => hex $addr, type => $type, name => $name,
			     module => $module // '' };
	}
	# 7.2 lists its data section as code.
	my ($first, $end) = map { my $name = $_; map { $_->{addr} } grep { $_->{name} eq $name } @all }
		qw(_sdata _edata);
	for (@all) {
		$_->{type} = 'd' if !$_->{module} && $_->{addr} >= $first && $_->{addr} < $end;
	}
	return sort { $a->{addr} <=> $b->{addr} } @all;
}

sub ask
{
	my ($nr) = @_;
	my @symbols = symbols();
	my @ask;

	srand 1;
	for my $i (0 .. $#symbols) {
		my ($this, $next) = @symbols[$i, $i + 1];
		# Where code, a section or a module ends.
		next unless !$next || $this->{module} ne $next->{module} ||
			($this->{type} =~ /t/i) != ($next->{type} =~ /t/i) ||
			$this->{name} =~ /^_(etext|einittext|end)$/;
		push @ask, $this->{addr}, $this->{addr} + 0x800, $this->{addr} + 0x1000,
			$this->{addr} + 0x20000;
		push @ask, map { $next->{addr} + $_ } -1, 0, 1 if $next;
	}
	# In each kernel there are more of these than can be asked for.
	@ask = map { $ask[rand @ask] } 1 .. $nr / 2;
	while (@ask < $nr) {
		my $symbol = $symbols[rand @symbols];
		push @ask, $symbol->{addr} + int(rand 64) - 8;
	}
	printf "%x\n", $_ for @ask;
}

sub put
{
	my ($file, $text) = @_;
	# Without its O_TRUNC, which would remove everyone's kprobes.
	open(my $out, $file eq 'trace' ? '>' : '>>', "$tracing/$file") or die "$file: $!\n";
	syswrite($out, $text) == length $text or die "$file: $!\n";
}

sub ask_kernel
{
	# On 6.1 the first instance whose buffer is given a size keeps the kernel from enlarging
	# this one, which has two pages at boot.
	put('buffer_size_kb', 1408);
	put('trace', '');
	put('kprobe_events', "p:fargs_names/of fargs_n_number a=%di:x64 s=%di:symbol\n");
	put('events/fargs_names/of/enable', '1');
	open(my $target, '>', '/proc/fargs_target') or die "fargs_target: $!\n";
	while (<STDIN>) {
		chomp;
		my $call = 'number ' . hex($_) . ' 1';
		syswrite($target, $call) == length $call or die "fargs_target: $!\n";
	}
	close($target);
	put('events/fargs_names/of/enable', '0');
	open(my $trace, '<', "$tracing/trace") or die "trace: $!\n";
	while (<$trace>) {
		next unless /: of: \(.*\) a=0x([0-9a-f]+) s=(\S+)/;
		my ($addr, $symbol) = ($1, $2);
		if ($symbol =~ m{^"?(.+)\+0x([0-9a-f]+)/0x([0-9a-f]+)}) {
			print "$addr $1 $2 $3\n";
		} else {
			print "$addr -\n";
		}
	}
	close($trace);
	put('kprobe_events', "-:fargs_names/of\n");
}

sub read_lines
{
	my ($file) = @_;
	open(my $in, '<', $file) or die "$file: $!\n";
	return map { [split] } <$in>;
}

# Why fargs may have no name for what the kernel calls @$kernel; undef: it must have one.
sub reason
{
	my ($kernel, $symbols, $at) = @_;
	my ($hex, $name, $offset) = @$kernel;
	my $begin = hex($hex) - hex $offset;
	my @here = grep { $_->{name} eq $name } @{$at->{$begin} // []};

	return 'data' if @here && !grep { $_->{type} =~ /[tw]/i } @here;
	return 'end' if $name =~ /^_(etext|einittext|edata|end|_inittext_end|_end_rodata)$/;
	return 'padding' if hex $offset >= 1 << 20;
	return undef unless @here && $here[0]{module};
	# After the last function of a module only its page is surely the module's.
	my ($low, $high) = (0, scalar @$symbols);
	while ($low < $high) {
		my $mid = int(($low + $high) / 2);
		if ($symbols->[$mid]{addr} <= $begin) { $low = $mid + 1 } else { $high = $mid }
	}
	my $next = $symbols->[$low];
	return undef if $next && $next->{module} eq $here[0]{module} && $next->{type} =~ /[tw]/i;
	return $begin >> 12 == hex($hex) >> 12 ? undef : 'after a module';
}

sub check
{
	my @kernel = read_lines($_[0]);
	my @fargs = read_lines($_[1]);
	my @symbols = symbols();
	my ($wrong, %nr, %at) = (0);

	push @{$at{$_->{addr}}}, $_ for @symbols;
	die scalar(@kernel) . " answers and " . scalar(@fargs) . "\n" if @kernel != @fargs;
	for my $i (0 .. $#kernel) {
		my ($k, $f) = ($kernel[$i], $fargs[$i]);
		die "other addresses\n" if hex $k->[0] != hex $f->[0];
		if ($f->[1] eq '-') {
			my $why = $k->[1] eq '-' ? 'nothing' : reason($k, \@symbols, \%at);
			$nr{$why}++ if $why;
			next if $why;
		} elsif ($k->[1] eq '-' &&
			 $f->[1] =~ /^(ftrace_trampoline|kprobe_(opt)?insn_page)$/) {
			# Code of the recording, or of the kprobe by which the kernel was asked.
			$nr{gone}++;
			next;
		} elsif ($k->[1] eq $f->[1] && hex $k->[2] == hex $f->[2] &&
			 hex $f->[2] < hex $f->[3] && hex $f->[3] <= hex $k->[3]) {
			# Not what it says of data, whose names fargs has not.
			$nr{reason($k, \@symbols, \%at) // 'code'}++;
			next if !defined reason($k, \@symbols, \%at);
		}
		$wrong++;
		print "# the kernel has @$k, fargs @$f\n";
	}
	print "# ", join(', ', map { "$nr{$_} $_" } sort keys %nr), "\n";
	return $wrong || !$nr{code} || !$nr{data} || !$nr{end};
}

if ($verb eq 'ask' && @ARGV == 1) {
	ask(@ARGV);
} elsif ($verb eq 'kernel') {
	ask_kernel();
} elsif ($verb eq 'check' && @ARGV == 2) {
	exit(check(@ARGV) ? 1 : 0);
} else {
	die "usage: pS_names.pl ask N | kernel | check KERNEL FARGS\n";
}
