#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Writes the recording on which perf tries its interface for dlfilters, as
# tools/perf/tests/dlfilter-test.c describes it: what perf record would have written to a pipe,
# with one branch in a program that is mapped at 0x400000. By perf's description of the format and
# linux/perf_event.h, not by fargs' structs.
#
#	one_sample.pl PROGRAM IP ADDR [VARIANT]	the program, and the addresses of the branch
#
# VARIANT full: of an event with all that a sample can have, each another value. VARIANT file: the same as perf record writes to a file; two: with another event that has two
# samples, whose times are in the order opposite to that of the file.
use strict;
use warnings;

my ($program, $ip, $addr, $variant) = @ARGV;
die "usage: one_sample.pl PROGRAM IP ADDR [file|full|two]\n" unless defined($addr);
$variant //= "pipe";

use constant {
	IP => 1, TID => 2, TIME => 4, ADDR => 8, CPU => 128, PERIOD => 256, STREAM_ID => 512,
	IDENTIFIER => 1 << 16,
};
use constant SAMPLE_TYPE => IP | TID | TIME | ADDR | CPU | PERIOD | STREAM_ID | IDENTIFIER;
use constant USER => 2;		# PERF_RECORD_MISC_USER
use constant MAP_START => 0x400000;

sub attr
{
	my ($type, $config) = @_;
	# type, size, config, sample_period, sample_type; nothing else is set
	return pack("L<L<Q<Q<Q<", $type, 128, $config, 1, SAMPLE_TYPE) . "\0" x (128 - 32);
}

sub record
{
	my ($type, $misc, $body) = @_;
	return pack("L<S<S<", $type, $misc, 8 + length($body)) . $body;
}

sub text
{
	my ($text) = @_;
	return $text . "\0" x (8 - length($text) % 8);
}

sub sample
{
	my ($id, $time) = @_;
	# id, ip, pid, tid, time, addr, stream, cpu, period
	return record(9, USER, pack("Q<Q<l<l<Q<Q<Q<L<L<Q<", $id, $ip, 12345, 12346, $time, $addr,
				    101, 31, 0, 543212345));
}

# All bits of sample_type but AUX, and WEIGHT, which WEIGHT_STRUCT takes the place of.
sub full_attr
{
	my $attr = pack("L<L<Q<*", 4, 128, 0x1c2, 1000, ((1 << 25) - 1) & ~(1 << 14) & ~(1 << 20),
			1 << 2);		# read_format: with ids
	$attr .= "\0" x (128 - length($attr));
	# branch_sample_type, sample_regs_user, sample_regs_intr
	substr($attr, 72, 8) = pack("Q<", 1 << 17 | 1 << 3);
	substr($attr, 80, 8) = pack("Q<", 5);
	substr($attr, 96, 8) = pack("Q<", 7);
	return $attr;
}

sub full_sample
{
	my $body = pack("Q<Q<l<l<Q<Q<Q<Q<L<L<Q<", 99, $ip, 12345, 12346, 1234567890, $addr, 99, 101,
			31, 0, 777);

	# READ: perf takes what was counted for the period.
	$body .= pack("Q<*", 777, 99);
	$body .= pack("Q<q<Q<Q<", 3, -512, $ip, 0xc0ffee);	# CALLCHAIN
	$body .= pack("L<", 12) . "raw data 123";		# RAW
	$body .= pack("Q<*", 2, 5, 0xb000, 0xb100, 1, 0xb001, 0xb101, 2);	# BRANCH_STACK
	$body .= pack("Q<*", 2, 21, 22);			# REGS_USER
	$body .= pack("Q<*", 16, 31, 32, 8);			# STACK_USER
	$body .= pack("L<S<S<", 0x77, 0x88, 0x99);		# WEIGHT_STRUCT
	$body .= pack("Q<*", 0x68100142, 0x7a, 0, 0x123456 << 12, 0xc6, 4096, 2 << 20);
	return record(9, USER, $body);
}

my $attr = attr(0, 4);		# hardware: branch instructions
my $other = attr(1, 2);		# software: page faults
my $events = record(3, USER, pack("l<l<", 12345, 12346) . pack("a16", "test-prog")) .
	     record(1, USER, pack("l<l<Q<Q<Q<", 12345, 12346, MAP_START, 0x10000, 0) .
		    text($program));
$events .= sample(77, 1234567899) . sample(77, 1234567880) if $variant eq "two";
$events .= $variant eq "full" ? full_sample() : sample(99, 1234567890);
$attr = full_attr() if $variant eq "full";

binmode(STDOUT);
if ($variant eq "file") {
	# Header, ids, attrs, data.
	my $attrs_at = 104 + 8;
	my $data_at = $attrs_at + 128 + 16;

	print "PERFILE2" . pack("Q<*", 104, 128 + 16, $attrs_at, 128 + 16, $data_at,
				length($events), 0, 0, 0, 0, 0, 0);
	print pack("Q<", 99), $attr, pack("Q<Q<", 104, 8), $events;
} else {
	print "PERFILE2" . pack("Q<", 16);
	print record(64, 0, $attr . pack("Q<", 99));
	print record(64, 0, $other . pack("Q<", 77)) if $variant eq "two";
	print $events;
}
