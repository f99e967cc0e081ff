#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Which names addresses of vmlinux have, by all of its symbols and by its sections:
#
#	nm_names.pl ask KALLSYMS SECTIONS N		prints N addresses, of which many are at bounds
#	nm_names.pl check KALLSYMS SECTIONS <ANSWERS	lines of selftests/resolve.c
#
# KALLSYMS is /proc/kallsyms of a kernel with CONFIG_KALLSYMS_ALL, SECTIONS what readelf -SW says of
# its vmlinux. The name of an address is the last symbol at or in front of it in its section, if nm
# counts that among the code; data, and what is in no section, has none.
use strict;
use warnings;
no warnings 'portable';	# 64 bits

my ($verb, $kallsyms, $sections, $nr) = @ARGV;
my (@sections, @symbols, $text, $linked);

open(my $in, '<', $sections) or die "$sections: $!\n";
while (<$in>) {
	my ($name, $addr, $size) = /^\s*\[\s*\d+\]\s+(\S+)\s+\S+\s+([0-9a-f]{16})\s+\S+\s+([0-9a-f]+)/
		or next;
	next unless $addr =~ /^f/ && hex $size;
	push @sections, { name => $name, start => hex $addr, end => hex($addr) + hex $size };
}
open($in, '<', $kallsyms) or die "$kallsyms: $!\n";
while (<$in>) {
	my ($addr, $type, $name, $module) = split;
	next if $module || $type =~ /a/i;
	push @symbols, { addr => hex $addr, type => $type, name => $name };
	$text = hex $addr if $name eq '_text';
}
@symbols = sort { $a->{addr} <=> $b->{addr} } @symbols;
die "no sections or symbols\n" unless @sections && $text;
# With KASLR it is all somewhere else.
($linked) = map { $_->{start} } grep { $_->{name} eq '.text' } @sections;
for (@sections) {
	$_->{start} += $text - $linked;
	$_->{end} += $text - $linked;
}

# The last of those at or in front of an address, or -1.
sub before
{
	my ($of, $key, $addr) = @_;
	my ($low, $high) = (0, scalar @$of);
	while ($low < $high) {
		my $mid = int(($low + $high) / 2);
		if ($of->[$mid]{$key} <= $addr) {
			$low = $mid + 1;
		} else {
			$high = $mid;
		}
	}
	return $low - 1;
}

if ($verb eq 'ask') {
	my ($first, $last) = ($sections[0]{start}, $sections[-1]{end});
	my @ask;
	srand 1;
	push @ask, map { ($_->{start} - 1, $_->{start}, $_->{end} - 1, $_->{end}, $_->{end} + 1,
			  $_->{end} + 0x800) } @sections;
	push @ask, map { ($_->{addr} - 1, $_->{addr}, $_->{addr} + 1) }
		grep { $_->{name} =~ /^_(etext|einittext|edata|end|_init_end|_smp_locks)$|early_top_pgt/ }
		@symbols;
	while (@ask < $nr) {
		my $section = $sections[rand @sections];
		my $symbol = $symbols[rand @symbols];
		push @ask, $first + int(rand($last - $first + 0x100000)),
			$section->{start} + int(rand($section->{end} - $section->{start})),
			$symbol->{addr} + int(rand 3) - 1;
	}
	printf "%x\n", $_ for @ask;
	exit;
}

my ($nr_named, $nr_data, $nr_outside, $nr_unknown, $nr_wrong) = (0) x 5;
while (<STDIN>) {
	my ($hex, $name, $offset) = split;
	my $addr = hex $hex;
	my $in = $sections[before(\@sections, 'start', $addr)];
	my $is_inside = $addr >= $in->{start} && $addr < $in->{end};
	my $at = before(\@symbols, 'addr', $addr);
	my $begin = $at < 0 ? 0 : $symbols[$at]{addr};
	my @names;

	# All of them are the name, but for those that are at the end of the section before.
	for (; $at >= 0 && $symbols[$at]{addr} == $begin; $at--) {
		push @names, $symbols[$at] if $symbols[$at]{type} =~ /[tw]/i &&
			$symbols[$at]{name} !~ /^_(etext|einittext|edata|_inittext_end|_end_rodata|end)$/;
	}
	my $wanted = $is_inside && $begin >= $in->{start} && @names;
	if ($name eq '-') {
		# Padding of sections in sections: no function is a megabyte.
		undef $wanted if $addr - $begin >= 1 << 20;
		$nr_wrong++, print "# $hex in $in->{name} has no name, not $names[0]{name}\n" if $wanted;
		$is_inside ? $nr_data++ : $nr_outside++;
	} elsif ($wanted && hex($offset) == $addr - $begin && grep { $_->{name} eq $name } @names) {
		$nr_named++;
	} elsif (!$is_inside && $in->{name} eq '.exit.text' && $addr - $in->{end} < 4096) {
		# No symbol says where this section ends, and what follows begins with a page.
		$nr_unknown++;
	} else {
		$nr_wrong++;
		print "# $hex in $in->{name}, ", $is_inside ? 'inside' : 'outside',
			", is $name+$offset, not ", $wanted ? $names[0]{name} : 'nameless', "\n";
	}
}
print "# $nr_named named, $nr_data data, $nr_outside in no section, $nr_unknown after .exit.text\n";
exit($nr_wrong || !$nr_named || !$nr_data || !$nr_outside);
