#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Compares tracepoints as fargs shows them with the events that the kernel formatted of
# the same hits:
#
#	tracepoint.pl LINES TRACE
#
# LINES: of fargs, with the selectors of tracepoint_format.sh; TRACE: of tracefs. One line for
# each event, "EVENT: alike" or what differs. The kernel's may begin earlier: fargs starts,
# and its command waits, while the events are on; and may end later: fargs stops as soon as its
# command is a zombie, which has its last switch still to do.
use strict;
use warnings;

# By event: what is compared, as fargs calls it and as the kernel does; x: hexadecimal there;
# s: with a sign there, but not in its type.
my %events = (
	sched_process_exec => [['bprm->filename', 'filename'], ['p->pid', 'pid'],
			       ['old_pid', 'old_pid']],
	task_rename => [['task->comm', 'oldcomm'], ['comm', 'newcomm']],
	task_newtask => [['task->pid', 'pid'], ['task->comm', 'comm'],
			 ['clone_flags', 'clone_flags', 'x']],
	sched_process_fork => [['parent->comm', 'comm'], ['parent->pid', 'pid'],
			       ['child->pid', 'child_pid']],
	sched_process_exit => [['p->comm', 'comm'], ['p->pid', 'pid'], ['p->prio', 'prio']],
	signal_generate => [['sig:d', 'sig'], ['task->comm', 'comm'], ['task->pid', 'pid'],
			    ['group', 'grp'], ['result', 'res']],
	signal_deliver => [['sig:d', 'sig'], ['info->si_code', 'code'],
			   ['ka->sa.sa_flags', 'sa_flags', 'x']],
	sched_wakeup_new => [['p->comm', 'comm'], ['p->pid', 'pid'], ['p->prio', 'prio']],
	sys_enter => [['id', 'NR'], ['regs->di', 'a0', 'x'], ['regs->si', 'a1', 'x'],
		      ['regs->r9', 'a5', 'x']],
	sys_exit => [['regs->orig_ax', 'NR', 's'], ['ret', 'value']],
	sched_switch => [['prev->pid', 'prev_pid'], ['prev->prio', 'prev_prio'],
			 ['next->pid', 'next_pid'], ['next->comm', 'next_comm']],
	sched_waking => [['p->comm', 'comm'], ['p->pid', 'pid'], ['p->prio', 'prio']],
	softirq_raise => [['vec_nr', 'vec']],
	rcu_utilization => [['s', 's']],
	page_fault_user => [['address', 'address', 'x'], ['regs->ip', 'ip', 'x'],
			    ['error_code', 'error_code', 'x']],
	vm_unmapped_area => [['addr', 'addr', 'x'], ['info->length', 'len', 'x'],
			     ['info->low_limit', 'lo', 'x'], ['info->high_limit', 'hi', 'x']],
	oom_score_adj_update => [['task->pid', 'pid'], ['task->comm', 'comm'],
				 ['task->signal->oom_score_adj', 'oom_score_adj']],
	itimer_state => [['which', 'which'], ['expires', 'expires']],
	percpu_alloc_percpu => [['size', 'size'], ['align', 'align'], ['off', 'off'],
				['bytes_alloc', 'bytes_alloc']],
	fargs_tp_formatted => [map({ [$_, $_] } qw(tiny byte small port number flags offset mask
						   is_on)),
			       ['.first', 'first'], ['.second', 'second'], ['name', 'name'],
			       ['last', 'last']],
);

# "name=value, name="text"" of fargs.
sub fields_of_fargs
{
	my ($text) = @_;
	my %fields;

	$text =~ s/both=\{([^}]*)\}/$1/;
	while ($text =~ /\G(?:, )?([^=]+)=("(?:[^"\\]|\\.)*"|[^,]*)/g) {
		my ($name, $value) = ($1, $2);
		# Not of strings: a task may be called true.
		$value = { true => 1, false => 0 }->{$value} // $value;
		$value =~ s/^"(.*)"$/$1/;
		# A name beside the number, as of an enum or a function.
		$value =~ s/^(-?\d+|0x[0-9a-f]+) .*$/$1/;
		$fields{$name} = $value;
	}
	return \%fields;
}

sub fields_of_kernel
{
	my ($event, $text) = @_;
	my %fields;

	if ($event eq 'sys_enter' && $text =~ /^NR (-?\d+) \((.*)\)/) {
		$fields{NR} = $1;
		my $n = 0;
		$fields{'a' . $n++} = $_ for split /, /, $2;
	} elsif ($event eq 'sys_exit' && $text =~ /^NR (-?\d+) = (-?\d+)/) {
		@fields{'NR', 'value'} = ($1, $2);
	} elsif ($event eq 'rcu_utilization') {
		$fields{s} = $text;
	} else {
		$fields{$1} = $2 while $text =~ /(\w+)=(\S*)/g;
	}
	return \%fields;
}

sub number
{
	my ($value, $how) = @_;

	no warnings 'portable';
	$value = hex $value if $value =~ /^0x/;
	return ($how // '') eq 's' ? unpack('q', pack('Q', $value)) : $value;
}

# Whether the hits OUR are the hits THEIR; if not, what differs. The kernel's probe was there
# first and is called first: an interrupt between the two has its hits in front of the
# interrupted one for fargs, and behind it for the kernel.
sub difference
{
	my @our = @{$_[0]};

	for my $their (@{$_[1]}) {
		my $i = 0;

		$i++ while $i < $#our && $our[$i]{text} ne $their->{text} && $our[$i]{nested};
		return "fargs '" . ($our[$i]{text} // '') . "', the kernel '$their->{text}'"
			unless @our && $our[$i]{text} eq $their->{text};
		splice @our, $i, 1;
	}
	return @our ? "fargs '$our[0]{text}', the kernel ''" : '';
}

my (%ours, %theirs, %tids);
# Task, and whether in an interrupt.
my $begin = qr/-(\d+)\s+\[\d+\] \S\S(\S)\S*\s+[\d.]+/;

open(my $lines, '<', $ARGV[0]) or die "$ARGV[0]: $!\n";
while (<$lines>) {
	next unless /$begin: (\w+)\((.*)\)(?: \[\w+\])? <-/ && $events{$3};
	my ($tid, $context, $event, $fields) = ($1, $2, $3, fields_of_fargs($4));
	my $text = join ' ', map { number($fields->{$_->[0]} // '?', $_->[2]) } @{$events{$event}};

	$tids{$tid} = 1;
	push @{$ours{$event}{$tid}}, { text => $text, nested => scalar($context =~ /[hHszZ]/) };
}
open(my $trace, '<', $ARGV[1]) or die "$ARGV[1]: $!\n";
while (<$trace>) {
	next unless /$begin: (\w+): (.*)/ && $events{$3} && $tids{$1};
	my ($tid, $event, $fields) = ($1, $3, fields_of_kernel($3, $4));
	my $text = join ' ', map {
		my $value = $fields->{$_->[1]} // '?';
		no warnings 'portable';
		($_->[2] // '') eq 'x' ? hex $value : $value;
	} @{$events{$event}};

	push @{$theirs{$event}{$tid}}, { text => $text };
}

for my $event (sort keys %events) {
	my ($nr, $wrong) = (0, '');

	for my $tid (sort keys %{$ours{$event}}) {
		my @our = @{$ours{$event}{$tid}};
		my @their = @{$theirs{$event}{$tid} // []};

		$nr += @our;
		my $early = @their > @our ? @their - @our : 0;
		my $difference;
		for my $late (0 .. ($early < 3 ? $early : 3)) {
			my @same = @their[$early - $late .. $#their - $late];
			my $differs = difference(\@our, \@same);

			$difference = $differs unless defined $difference && $differs;
			last unless $differs;
		}
		$wrong = "task $tid: $difference" if $difference;
	}
	print $wrong ? "$event: $wrong\n" : $nr ? "$event: alike\n" : "$event: no hit\n";
}
