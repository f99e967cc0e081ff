#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Prints the lines of fargs report, with numbers and addresses in place of their names.
#
#	numbers.pl LINES JSON		of fargs report, and of fargs report --json
use strict;
use warnings;

open(my $lines, "<", $ARGV[0]) or die("$ARGV[0]: $!");
open(my $json, "<", $ARGV[1]) or die("$ARGV[1]: $!");
while (my $line = <$lines>) {
	my $event;
	# Some objects have no line.
	do { $event = <$json> } while defined $event && $event !~ /^\{"type":"(call|return|tracepoint|lost)"/;
	while (($event // "") =~ /"name":"([^"]*)","type":"[^"]*","value":"?([^,"]*)"?,"text":"([^"]*)"/g) {
		my ($name, $value, $text) = ($1, $2, $3);
		$line =~ s/([(\s])\Q$name=$text\E(?=[,)])/$1$name=$value/;
	}
	print($line);
}
