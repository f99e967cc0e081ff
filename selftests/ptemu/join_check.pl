#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Compares records joined with calls, from fargs report --call-ret-trace, with the records of fargs
# report for the same file.
#
#	join_check.pl [--whole] CALLS REPORT MESSAGES
#
# A record on a call of a task must be one of that task's records: arguments, result, duration and
# caller; each record once; and for each function in the same order. Then prints the numbers of the
# messages:
#
#	records N joined N unmatched N untraced N filtered N
#
# --whole: the trace is complete, so each record whose call was traced while all CPUs were traced
# must be on a call.
use strict;
use warnings;

# Calls this near the begin or end of the trace may be outside of it.
use constant NEAR => 0.001;

# The duration of a record. From the trace alone it is a range: "(12.3..45.6 us)".
my $duration = qr/\(\d+(?:\.\d+)? us\)/;

my $is_whole = @ARGV && $ARGV[0] eq '--whole' && shift @ARGV;
my ($calls, $report, $messages) = @ARGV;
my (%records, %open, $nr_records, $nr_joined, @times);
my (%first_line, %last_line, %nr_joined_on);
my @wrong;

# Each CPU has its own idle task, all with the same number.
sub task_of { my ($tid, $cpu) = @_; return $tid ? $tid : "0 of CPU " . ($cpu + 0) }

sub wrong { push @wrong, shift if @wrong < 20; return }

# "name(…) [module] = … (12.3 us) <-caller [module]", and who.
open(my $in, '<', $report) or die "$report: $!\n";
while (<$in>) {
	my ($tid, $cpu, $time, $text) =
		/^\s*\S.*?-(\d+)\s+\[(\d+)\] \S{5}\s+([\d.]+): (.*?)(?: <-.*)?$/ or next;
	my ($caller) = / <-(.*)$/;
	my ($name) = $text =~ /^([\w.]+)\(/ or next;
	my ($us) = $text =~ / \((\d+(?:\.\d+)?) us\)$/;
	push @times, { cpu => $cpu, time => $time, took => ($us // 0) / 1e6 };
	push @{$records{task_of($tid, $cpu)}{$name}}, { text => $text, caller => $caller };
	$nr_records++;
}
close($in);

# The kernel knows which task runs only some calls after the instruction that switches stacks, within
# __switch_to(). By CPU, until that returns: the task before, and the depth. If NMIs come first, from
# the first of them on.
my %switching;
# An NMI between both: by CPU, the task before, which its records have, and the depth of the NMI.
my %between;

# It is the next one of its function and task, but for those that are on no call.
sub take {
	my ($tid, $name, $text, $below, $cpu) = @_;
	my $caller = defined $below ? as_caller($below) : undef;
	my $left = $records{task_of($tid, $cpu)}{$name} // [];
	my $between = $between{$cpu};

	$nr_joined++;
	$nr_joined_on{$cpu}++;
	$left = $records{task_of($between->{tid}, $cpu)}{$name} // []
		if $between && !grep { $_->{text} eq $text } @$left;
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

# "name(…) [module]" as records have it of a caller; what is in the middle of one is "name+0x12".
sub as_caller {
	my ($name, $module) = shift =~ /^([\w.]+)(?:\+0x[0-9a-f]+)?(?:\(.*\))?(?: \[(\w+)\])?/;

	return $name . (defined $module ? " [$module]" : '');
}

# Of a line of calls, in which "[" of the CPU is there.
sub tid_of { my ($line, $at) = @_; return substr($line, 16, $at - 17) + 0 }

# Calls of a task by depth; of each, those that jumped to it. There are millions of lines, of which
# few have arguments or a result: of the others no more is kept than what stands there.
open($in, '<', $calls) or die "$calls: $!\n";
while (<$in>) {
	# The name of a task may be anything.
	my $begin = index($_, '[', 16);
	my $end = index($_, ': ', $begin);
	next if $begin < 0 || $end < 0;
	my $cpu = substr($_, $begin + 1, index($_, ']', $begin) - $begin - 1);
	my $before = $last_line{$cpu};
	$first_line{$cpu} //= $_;
	$last_line{$cpu} = $_;
	my $word = substr($_, $end + 2, 4);
	my $is_return = $word eq 'retu' || $word eq 'iret';
	my $has_args = index($_, '(', $end) > 0;
	next if $is_return && !$has_args && index($_, '+0x', $end) < 0 && index($_, ' = ', $end) < 0;

	my $tid = tid_of($_, $begin);
	my ($front, $text) = substr($_, $end + 2) =~ /^((?:hw int|tr strt|tr end|\w+) +)(.+)$/
		or next;
	my $depth = (length($front) - 9) / 2;
	my $stack = $open{task_of($tid, $cpu)} //= [];

	delete $between{$cpu} if $between{$cpu} && !$is_return && $word ne 'jmp ' &&
				 $depth <= $between{$cpu}{depth};
	my $is_nmi = $text =~ /^asm_exc_nmi/ && $word eq 'hw i';
	my $is_switch = $text =~ /^__switch_to\b/;
	delete $switching{$cpu} if $switching{$cpu} && !$is_return && $word ne 'jmp ' &&
				   !$is_nmi && !$is_switch && $depth <= $switching{$cpu}{depth};
	if ($is_nmi || $is_switch) {
		my $old = $before ? tid_of($before, index($before, '[', 16)) : $tid;
		$old = $switching{$cpu}{tid} if $old == $tid && $switching{$cpu};
		if ($old != $tid) {
			$between{$cpu} = { tid => $old, depth => $depth } if $is_nmi;
			$switching{$cpu} = { tid => $old, depth => $depth }
				if $is_switch || !$switching{$cpu};
		}
	}
	if ($word eq 'even') {
		my ($name) = $text =~ /^([\w.]+)/;
		take($tid, $name, $text, undef, $cpu);
		next;
	}
	# To the middle of a function whose call was not seen: what it calls, it calls.
	if ($is_return && $text =~ /^[\w.]+\+0x/) {
		splice(@$stack, $depth) if @$stack > $depth;
		$stack->[$depth] = [ $text ];
		next;
	}
	if ($is_return || $front =~ /^tr end/) {
		next unless $text =~ /^([\w.]+)(?: \[\w+\])?( = .*| $duration)$/;
		my ($name, $result) = ($1, $2);
		my ($call) = grep { ref($_) && $_->{name} eq $name && $_->{has_args} }
			@{$stack->[$depth] // []};
		if ($call) {
			take($tid, $name, $call->{text} . $result, $call->{below}, $cpu);
			$call->{has_args} = 0;
		} else {
			wrong("$name of $tid returns$result, but was not called");
		}
		next;
	}
	splice(@$stack, $depth) if $word ne 'jmp ' && @$stack > $depth;
	$#$stack = $depth;
	if (!$has_args) {
		push @{$stack->[$depth]}, $text;
		next;
	}
	my ($name) = $text =~ /^([\w.]+)/;
	my $below = $depth > 0 && $stack->[$depth - 1] ? $stack->[$depth - 1][-1] : undef;
	my $call = {
		name => $name, text => $text, has_args => 1,
		below => ref $below ? $below->{text} : $below,
	};
	push @{$stack->[$depth]}, $call;
	# With a return probe the record is there when it returns.
	take($tid, $name, $text, $call->{below}, $cpu) if !probed($name);
}
close($in);

sub time_of {
	my ($time) = shift =~ /^.{16} *-?\d+ \[\d+\] *([\d.]+): /;
	return $time;
}

# Has the function a result, or a duration, in its records?
my %is_probed;
sub probed {
	my $name = shift;
	return $is_probed{$name} //= grep {
		grep { $_->{text} =~ /\) (?:\[\w+\] )?(?:= .*)?$duration$/ } @{$records{$_}{$name} // []}
	} keys %records;
}

wrong("there are no records") if !$nr_records;

# There are as many on calls of a CPU as must be, at least.
if ($is_whole && %first_line) {
	my $from = (sort { $b <=> $a } map { time_of($_) } values %first_line)[0] + NEAR;
	my $to = (sort { $a <=> $b } map { time_of($_) } values %last_line)[0] - NEAR;
	my %nr_due;

	for (@times) {
		$nr_due{$_->{cpu}}++
			if $_->{time} - $_->{took} > $from && $_->{time} + $_->{took} < $to;
	}
	for my $cpu (sort keys %nr_due) {
		my $nr = $nr_joined_on{$cpu} // 0;
		wrong("$nr_due{$cpu} records of CPU $cpu were made while all was traced, $nr are on calls")
			if $nr < $nr_due{$cpu};
	}
	my $nr_all = 0;
	$nr_all += $_ for values %nr_due;
	print "due $nr_all\n";
}

open($in, '<', $messages) or die "$messages: $!\n";
my $said = join '', <$in>;
close($in);
my ($joined, $filtered, $unmatched, $untraced) = $said =~
	/^fargs: records joined to calls: (\d+); calls that wrote no record: (\d+); records with several possible calls: (\d+)(?:; records whose calls were not traced: (\d+))?$/m
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
