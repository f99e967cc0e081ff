#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# values.pl FUNCTION KEY...: of lines of fargs on standard input, those of FUNCTION; of
# each, a line "KEY=VALUE" for each of the keys, in their order. A key that a call does
# not have is missing; one that it has twice is there twice.
use strict;
use warnings;

my ($function, @keys) = @ARGV;

# What commas divide that are in no string, parentheses or braces.
sub items
{
	my ($text) = @_;
	my ($depth, $item, @items) = (0, "");

	for ($text =~ /"(?:[^"\\]|\\.)*"|./g) {
		$depth++ if /^[({]$/;
		last if /^\)$/ && !$depth;	# of the arguments
		$depth-- if /^[)}]$/;
		if ($_ eq "," && !$depth) {
			push(@items, $item);
			$item = "";
		} elsif (!($_ eq " " && $item eq "")) {
			$item .= $_;
		}
	}
	return (@items, $item);
}

while (<STDIN>) {
	next if !/ \d+\.\d+: \Q$function\E\((.*)/;
	my $rest = $1;
	my @items = items($rest);

	# What was told at the return: ") [MODULE] = RET, KEY=VALUE... (DURATION) <-CALLER"
	push(@items, items($1)) if $rest =~ /\)(?: \[\w+\])? = (.*) \([\d.]+ [mun]?s\) <-/;
	for my $key (@keys) {
		for (@items) {
			print("$_\n") if /^\Q$key\E=/;
		}
	}
}
