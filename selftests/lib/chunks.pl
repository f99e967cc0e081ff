#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The chunks of a trace file as fargs.dat(5) has them, without fargs: from the first
# one to the first place where there is none.
#
#	chunks.pl FILE [SIZE]
#
# Prints where the last whole one ends, and how many bytes of records there are. With
# SIZE, also looks at the sums of what is in them, and fails if a chunk that ended at or
# before it is not there.
use strict;
use warnings;

my ($path, $synced) = @ARGV;
open(my $file, '<:raw', $path) or die "$path: $!\n";
my $size = -s $file;

sub bytes_at
{
	my ($at, $bytes) = @_;
	my $buf = '';
	seek($file, $at, 0);
	read($file, $buf, $bytes);
	return $buf;
}

my @table = map {
	my $crc = $_;
	$crc = $crc & 1 ? $crc >> 1 ^ 0x82f63b78 : $crc >> 1 for 1 .. 8;
	$crc;
} 0 .. 255;

sub crc32c
{
	my $crc = 0xffffffff;
	$crc = $crc >> 8 ^ $table[($crc ^ $_) & 0xff] for unpack('C*', shift);
	return $crc ^ 0xffffffff;
}

# True for a header whose sum is right; the sum's own bytes are 12 to 15.
sub is_header
{
	my $head = shift;
	my $sum = unpack('L<', substr($head, 12, 4));
	return crc32c(substr($head, 0, 12) . "\0" x 4 . substr($head, 16)) == $sum;
}

sub padded { return ($_[0] + 7) & ~7; }

my $head = bytes_at(64, 32);
my ($end, $records, $id) = (0, 0, 0);
my $next;
if (length($head) == 32 && substr($head, 0, 4) eq 'chnk' && is_header($head)) {
	my $bytes = unpack('Q<', substr($head, 16, 8));
	if (96 + padded($bytes) <= $size) {
		$end = 96 + padded($bytes);
		($id) = bytes_at(96, $bytes) =~ /^id=(\d+)$/m or die "$path: INFO has no id\n";
	}
}
while ($end) {
	$head = bytes_at($end, 64);
	last if length($head) < 64 || substr($head, 0, 4) ne 'chn2' || !is_header($head);
	my (undef, $kind, undef, undef, undef, $bytes, $sum, $raw, $at, undef, undef, $file_id) =
		unpack('L<S<S<L<L<Q<L<L<Q<Q<Q<L<', $head);
	last if $at != $end || $file_id != $id;
	$next = $end + 64 + padded($bytes);
	last if $next > $size || (defined $synced && crc32c(bytes_at($end + 64, $bytes)) != $sum);
	$records += $raw if $kind == 6;
	$end = $next;
	last if $kind == 10;
}
print "$end $records\n";
if (defined $synced && $end < $synced) {
	# What was being written at that time may be there in part.
	my $is_partial = $synced - $end < 64 || (defined $next && $next > $synced);
	die "$path: of $synced bytes that were synced, chunks are whole up to $end\n"
		if !$is_partial;
}
