#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# What failed in test programs, briefly: the tests, their assertions, what was said of
# those, and the kernel's complaints.
#
#	failures.pl DIR PROGRAM...	as lib/kept has kept what they said in DIR
#
# A kselftest's own lines come as comments before its result (lib/run). Of all lines the
# most telling 15 or so are shown, in the order of the log.
use strict;
use warnings;

use constant {
	LINES => 15, COLUMNS => 160, NOTES => 4,
	# How telling a line is.
	TEST => 0, ASSERTION => 1, COMPLAINT => 1, NOTE => 2,
};

# As vm/lib/log.sh and lib/ktap.sh have it, wherever it stands in a line.
my $complaint = qr/(?:WARNING|BUG|Oops|UBSAN|KCSAN|refcount_t): |kernel BUG at |INFO: (?:task|rcu)|
	general\ protection\ fault|Kernel\ panic|watchdog:\ BUG|corruption|rcu:\ INFO|
	\[\ (?:cut\ here|ftrace\ bug)\ \]|kmemleak:|Bad\ page\ state/x;
my $failed = qr/^not ok\b(?!.*# *(?:SKIP|TODO))/i;

# ends(INDENT, RANK, LINES): the last ones, of what ended early and has not said why. What
# is no result tells more; and stdout may come behind stderr although it was before it.
sub ends
{
	my ($indent, $rank, @lines) = @_;
	my @last = splice @lines, @lines > NOTES ? -NOTES : 0;
	my @found = map { [NOTE, "$indent$_"] } @last;
	my @telling = grep { $last[$_] !~ /^(?:ok\b|\d+\.\.\d|K?TAP|#)/ } 0 .. $#last;

	$found[@telling ? $telling[-1] : -1][0] = $rank if @found;
	return @found;
}

# own(LINES): of what a test said itself. Pairs of rank and line.
sub own
{
	my @found;
	my $notes = 0;

	for (@_) {
		if (/$failed/) {
			push @found, [ASSERTION, "    $_"];
			$notes = NOTES;
		} elsif (/^Bail out!/ || /$complaint/) {
			push @found, [COMPLAINT, "    $_"];
		} elsif (/^ok\b/) {
			$notes = 0;
		} elsif ($notes-- > 0) {
			# What failed first is why much else does.
			push @found, [@found == 1 ? ASSERTION : NOTE, "    $_"];
		}
	}
	return @found ? @found : ends('    ', ASSERTION, @_);
}

# program(FILE): of all that one program said.
sub program
{
	my ($file) = @_;
	my (@found, @before);
	my $notes = 0;

	open my $log, '<', $file or return [TEST, "  it was not run: $!"];
	my @lines = <$log>;
	chomp @lines;
	for (@lines) {
		if (/^(?:not )?ok\b/) {
			if (/$failed/) {
				push @found, [TEST, "  $_"], own(@before);
				$notes = NOTES;
			} else {
				$notes = 0;
			}
			@before = ();
		} elsif (s/^# ?//) {
			# A comment may also stand behind the result that it is about, before
			# the next kselftest begins.
			$notes = 0 if /^(?:KTAP|(?:not )?ok\b)/;
			push @found, [NOTE, "    $_"] if $notes-- > 0;
			push @before, $_;
		} elsif (/^Bail out!/ || /$complaint/ || /^[\w-]+: /) {
			# Of the program itself, on stderr.
			push @found, [COMPLAINT, "  $_"];
		}
	}
	return @found ? @found : ends('  ', TEST, @lines);
}

my ($dir, @programs) = @ARGV;
my (%found, @order);
for my $program (@programs) {
	my %nth;

	$found{$program} = [program("$dir/" . ($program =~ tr{/}{-}r) . '.log')];
	# Of lines that tell as much, each program has its first before another its second.
	push @order, [$program, $_, $found{$program}[$_][0], $nth{$found{$program}[$_][0]}++]
		for 0 .. $#{$found{$program}};
}
@order = sort { $a->[2] <=> $b->[2] || $a->[3] <=> $b->[3] } @order;
my $room = LINES - @programs > @programs ? LINES - @programs : @programs;
splice @order, $room if @order > $room;
for my $program (@programs) {
	print "$program\n";
	print substr($found{$program}[$_][1], 0, COLUMNS) . "\n"
		for sort { $a <=> $b } map { $_->[1] } grep { $_->[0] eq $program } @order;
}
