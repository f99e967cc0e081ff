#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Records on calls against records alone: what fargs report --call-ret-trace shows, and what
# fargs report shows, of the same file.
#
#	join_check.pl CALLS REPORT MESSAGES
#
# What stands on a call of a task must be one of that task's records: arguments, result, duration
# and caller; each of them once; and of each function in the same order. Then prints how many
# of what the messages tell:
#
#	records N joined N unmatched N untraced N filtered N
use strict;
use warnings;

my ($calls, $report, $messages) = @ARGV;
my (%records, %open, $nr_records, $nr_joined);
my @wrong;

sub wrong { push @wrong, shift if @wrong < 20; return }

# "name(…) [module] = … (12.3 us) <-caller [module]", and who.
open(my $in, '<', $report) or die "$report: $!\n";
while (<$in>) {
	next unless my ($tid, $text) = /^\s*\S.*?-(\d+)\s+\[\d+\] \S{5}\s+[\d.]+: (\w.*\))(?: <-.*)?$|^\s*\S.*?-(\d+)\s+\[\d+\] \S{5}\s+[\d.]+: (.*?)(?: <-.*)?$/
		? ($1 // $3, $2 // $4) : ();
	my ($caller) = / <-(.*)$/;
	my ($name) = $text =~ /^([\w.]+)\(/ or next;
	push @{$records{$tid}{$name}}, { text => $text, caller => $caller };
	$nr_records++;
}
close($in);

# It is the next one of its function and task, but for those that are on no call.
sub take {
	my ($tid, $name, $text, $caller) = @_;
	my $left = $records{$tid}{$name} // [];

	$nr_joined++;
	while (my $record = shift @$left) {
		next if $record->{text} ne $text;
		wrong("$text of $tid: by $caller, not $record->{caller}")
			if defined $caller && $record->{caller} !~ /trampoline|return_to_handler/ &&
			   $record->{caller} ne $caller;
		return;
	}
	wrong("$text of $tid is on a call, but no such record comes next");
	return;
}

# Calls of a task by depth; of each, those that jumped to it.
open($in, '<', $calls) or die "$calls: $!\n";
while (<$in>) {
	my ($tid, $word, $indent, $text) =
		/^.*?\s(-?\d+) \[\d+\]\s+[\d.]+: (call|jmp|return|iret|event|hw int|tr strt|tr end|overflow)(\s+)(\S.*)$/
		or next;
	my $depth = (length($word . $indent) - 9) / 2;
	my $stack = $open{$tid} //= [];
	my ($name) = $text =~ /^([\w.]+)/;
	my ($module) = $text =~ /^[\w.]+(?:\+0x[0-9a-f]+)?(?:\(.*\))?(?: \[(\w+)\])?/;
	my $has_args = $text =~ /^[\w.]+\(/;

	if ($word eq 'event') {
		take($tid, $name, $text, undef);
		next;
	}
	if ($word eq 'return' || $word eq 'iret' || $word eq 'tr end') {
		next unless $text =~ /^[\w.]+(?: \[\w+\])?( = .*| \([\d.]+ us\))$/;
		my $result = $1;
		my ($call) = grep { $_->{name} eq $name && $_->{args} } @{$stack->[$depth] // []};
		if ($call) {
			take($tid, $name, $call->{args} . $result, $call->{caller});
			$call->{args} = undef;
		} else {
			wrong("$name of $tid returns$result, but was not called");
		}
		next;
	}
	my $below = $depth > 0 ? $stack->[$depth - 1][-1] : undef;
	my $call = {
		name => $name, args => $has_args ? $text : undef,
		as_caller => $name . (defined $module ? " [$module]" : ''),
		caller => $below ? $below->{as_caller} : undef,
	};
	splice(@$stack, $depth) if $word ne 'jmp' && @$stack > $depth;
	push @{$stack->[$depth]}, $call;
	$#$stack = $depth;
	# With a return probe the record is there when it returns.
	take($tid, $name, $text, $call->{caller}) if $has_args && !probed($name);
}
close($in);

# Has the function a result, or a duration, in its records?
my %is_probed;
sub probed {
	my $name = shift;
	return $is_probed{$name} //= grep {
		grep { $_->{text} =~ /\) (?:\[\w+\] )?(?:= .*)?\([\d.]+ us\)$/ } @{$records{$_}{$name} // []}
	} keys %records;
}

open($in, '<', $messages) or die "$messages: $!\n";
my $said = join '', <$in>;
close($in);
my ($joined, $filtered, $unmatched, $untraced) = $said =~
	/^fargs: joined (\d+), filtered (\d+), unmatched (\d+)(?:; the calls of (\d+) were not traced)?$/m
	or wrong("nothing is said of joining: $said");
wrong("contradictions: $said") if $said =~ /contradict/;
$untraced //= 0;
if (defined $joined) {
	wrong("$joined joined, says fargs; there are $nr_joined") if $joined != ($nr_joined // 0);
	wrong("$joined + $unmatched + $untraced are not $nr_records")
		if $joined + $unmatched + $untraced != ($nr_records // 0);
	print "records $nr_records joined $joined unmatched $unmatched untraced $untraced ",
	      "filtered $filtered\n";
}
print "wrong: $_\n" for @wrong;
exit(@wrong ? 1 : 0);
