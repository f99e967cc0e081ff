#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# What came of system calls, as strace and as fargs tell it, in the same words.
#
#	syscalls.pl strace WHAT FILE...		FILE.PID as of strace -ff -y
#	syscalls.pl fargs WHAT FILE
#
# Prints a line for each call, "TASK NAME STRING... = RESULT", in the order of each task.
# RESULT is a number, or the name of an error; STRINGs are those among the arguments. WHAT:
#
#	all		every system call, no strings; RESULT is exact
#	open		do_sys_openat2(): all that open files, and what they are to be
#	walk		do_filp_open(): the same and exec, where the name could be had
#	vfs		vfs_open(): names of those that come so far
#	names		do_mkdirat() and its like: what changes names
#
# Of all but "all", RESULT is 0 where it is no error.
use strict;
use warnings;
no warnings "portable";	# addresses have 64 bits

# Where a system call's function is not called as strace calls the system call.
my %function = (fstat => "newfstat", stat => "newstat", lstat => "newlstat",
		uname => "newuname");

# System calls that change names, and the function that is called by each.
my %changes = (mkdir => "mkdirat", rmdir => "rmdir", unlink => "unlinkat", link => "linkat",
	       symlink => "symlinkat", rename => "renameat2", renameat2 => "renameat2");
my %opens = map { $_ => 1 } qw(open openat creat);

sub result
{
	my ($text, $what) = @_;

	# "-1 ENOENT (...)", "? ERESTARTSYS (...)"; "-2 (ENOENT)", "ERR_PTR -2 (ENOENT)"
	return $1 if $text =~ /^(?:-1|\?) (E[A-Z0-9_]+) / || $text =~ / -?\((E[A-Z0-9_]+)\)$/;
	return 0 if $what ne "all";
	return hex($1) if $text =~ /^0x([0-9a-f]+)/;
	return oct($1) if $text =~ /^(0[0-7]+)$/;	# of umask
	return $text =~ /^(-?\d+)/ ? $1 : "?";
}

# The basename of where the descriptor leads to, as the kernel itself says.
sub opened
{
	my ($text) = @_;

	return $text =~ m{^\d+<(?:[^>]*/)?([^/>]+)>} ? $1 : undef;
}

sub strace_line
{
	my ($task, $line, $what) = @_;
	my ($name, $args, $back) = $line =~ /^(\w+)\((.*)\) += (.+)$/ or return;
	my $result = result($back, $what);
	my @strings = map { "\"$_\"" } $args =~ /"((?:[^"\\]|\\.)*)"/g;

	# A string that is at no address is shown by its address.
	@strings = ("nowhere") if !@strings && $args =~ /\b0x1000\b/;
	if ($what eq "all") {
		# It goes on with what has been made of it: no function returns.
		return if $back eq "?" || ($name eq "execve" && $result eq "0");
		printf("%s %s = %s\n", $task, $function{$name} // $name, $result);
	} elsif ($what eq "open") {
		print("$task open @strings = $result\n") if $opens{$name};
	} elsif ($what eq "walk") {
		return if !$opens{$name} && !($name eq "execve" && $result ne "0");
		# These have no name that could be walked.
		return if $strings[0] eq "nowhere" || $strings[0] eq '""';
		print("$task walk $strings[0] = $result\n");
	} elsif ($what eq "vfs") {
		# Of errors, only that of a FIFO without readers is found so late.
		my $file = opened($back) // ($result eq "ENXIO" ? $strings[0] =~ s/"//gr : undef);
		print("$task vfs \"$file\" = $result\n")
			if $opens{$name} && defined $file && $file =~ /^real-/;
	} elsif ($changes{$name}) {
		print("$task $changes{$name} @strings = $result\n");
	}
}

my %is_of = (all => qr/^__x64_sys_(\w+)/, open => qr/^do_sys_(open)at2/,
	     walk => qr/^do_fil(?:p|e)_open/, vfs => qr/^(vfs)_open/,
	     names => qr/^(?:do|filename)_((?:mkdir|unlink|link|symlink)at|rmdir|renameat2)\(/);

sub fargs_line
{
	my ($line, $what) = @_;
	my ($task, $call, $back) =
		$line =~ /^ *\S+-(\d+) .*? \d+\.\d+: (\w+\(.*?\)) = (.+?) \(\S+ [mun]?s\) <-/
		or return;
	my @strings = map { $_ eq "" ? () : /^\(/ ? "nowhere" : $_ }
		$call =~ /=((?:"(?:[^"\\]|\\.)*")|\(fault 0x[0-9a-f]+\))/g;
	my $result = result($back, $what);

	return if $call !~ $is_of{$what};
	my $name = $what eq "walk" ? "walk" : $1;
	return if $what eq "walk" && grep { $_ eq "nowhere" || $_ eq '""' } @strings;
	@strings = () if $what eq "all";
	print(join(" ", $task, $name, @strings), " = $result\n");
}

my ($from, $what, @files) = @ARGV;
die "usage: syscalls.pl strace|fargs WHAT FILE...\n" if !@files || !$is_of{$what};
for my $path (sort { ($a =~ /(\d+)$/)[0] <=> ($b =~ /(\d+)$/)[0] } $from eq "strace" ? @files : ()) {
	open(my $file, "<", $path) or die "$path: $!\n";
	while (<$file>) {
		strace_line($path =~ /\.(\d+)$/, $_, $what);
	}
}
if ($from eq "fargs") {
	open(my $file, "<", $files[0]) or die "$files[0]: $!\n";
	while (<$file>) {
		fargs_line($_, $what);
	}
}
