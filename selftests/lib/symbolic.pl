#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# The names that strace, the kernel's own tracepoints and fargs give to numbers, in the same form.
#
#	symbolic.pl strace NAMES FILE	NAME of each of these system calls, and its arguments that
#					have names
#	symbolic.pl calls FILE		the same of fargs, from __x64_sys_NAME(regs->di=..., ...)
#	symbolic.pl trace FILE EVENT	gfp_flags and call_site of the lines of tracefs
#	symbolic.pl tpoints FILE EVENT	the same of fargs
use strict;
use warnings;

my @registers = qw(di si dx r10 r8 r9);
# The arguments that have names, by position.
my %args = (
	openat => [0, 2, 3], faccessat => [0, 2], faccessat2 => [0, 2, 3], unlinkat => [0, 2],
	mkdirat => [0, 2], fchmodat => [0, 2], newfstatat => [0, 3], renameat2 => [0, 2, 4],
	mmap => [2, 3], mprotect => [2], madvise => [2], lseek => [2], kill => [1], umask => [0],
	rt_sigaction => [0], rt_sigprocmask => [0], unshare => [0], clone => [0], pipe2 => [1],
);

# The flags of a number in a fixed order; a mode of zeroes, and real-time signals, as numbers.
sub in_order
{
	my ($text) = @_;

	return 0 if $text =~ /^0+$/;
	return 32 + ($1 // 0) if $text =~ /^SIGRT(?:MIN|_(\d+))$/;
	return join("|", sort(split(/\|/, $text)));
}

sub print_call
{
	my ($name, @values) = @_;
	my @shown = map { in_order($values[$_] // "-") } @{$args{$name}};

	# Only a file that is created has a mode.
	$shown[2] = "-" if $name eq "openat" && $shown[1] !~ /O_CREAT/;
	print("$name @shown\n");
}

sub strace
{
	my ($names, $file) = @_;

	open(my $in, "<", $file) or die("$file: $!");
	while (<$in>) {
		/^(?:\d+ +)?(\w+)\((.*?)(?:\) += |, <unfinished|\)? <unfinished)/ && $args{$1} or next;
		my ($name, $text) = ($1, $2);
		next unless $names =~ /\b$name\b/;
		my @values = $text =~ /flags=([^,]*)/ && $name eq "clone" ? $1 :
			split(/, /, $text =~ s/"[^"]*"(\.\.\.)?/string/gr =~ s/[\[{][^\]}]*[\]}]/list/gr);
		print_call($name, @values);
	}
}

sub calls
{
	my ($file) = @_;

	open(my $in, "<", $file) or die("$file: $!");
	while (<$in>) {
		/ __x64_sys_(\w+)\((.*)\)/ && $args{$1} or next;
		my ($name, $text) = ($1, $2);
		my %of = $text =~ /(?:regs|__unused)->(\w+)=([^,]*)/g;
		print_call($name, @of{@registers});
	}
}

sub lines
{
	my ($file, $event, $is_kernel) = @_;

	open(my $in, "<", $file) or die("$file: $!");
	while (<$in>) {
		chomp;
		next unless $is_kernel ? /: $event: / : /: $event\(/;
		my ($task) = /^ *\S+-(\d+) /;
		my ($gfp) = /\bgfp_flags=([^ ,)]*)/;
		# %pS has the size of the function, too, and names a module without a blank.
		my ($site) = /\bcall_site=([^ ,\/]*)/;
		print("$task ", $gfp eq "none" ? 0 : $gfp, $site ? " $site" : "", "\n");
	}
}

my $what = shift;
strace(@ARGV) if $what eq "strace";
calls(@ARGV) if $what eq "calls";
lines(@ARGV, 1) if $what eq "trace";
lines(@ARGV, 0) if $what eq "tpoints";
