#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Prints what the headers in include/uapi and the pages about them do not agree on, and
# fails if there is anything:
#
#	- each constant is named in the page about its header, and no page names one that is none
#	- each structure stands in a page as it does in its header
#	- each of its fields is told of (.Va) behind that
#	- what stands in a page as a whole program builds
#
#	uapi.pl		in the top directory
use strict;
use warnings;

my @headers = glob("include/uapi/*.h");
my @pages = map { "Documentation/man/$_" } qw(fargs.4 fargs-layout.5 fargs.dat.5);
my %page_of = map { ("include/uapi/$_.h" => "Documentation/man/fargs-layout.5") }
	qw(fargs_layout fargs_prog);	# the others: fargs(4)
my (%constants, %structs);	# name => header; struct => [fields]
my (%named, %shown);		# page => { name }; struct => page
my $failed = 0;

sub complain
{
	print STDERR "uapi: @_\n";
	$failed = 1;
}

sub slurp
{
	my ($path) = @_;
	open(my $file, "<", $path) or die "$path: $!\n";
	local $/;
	return <$file>;
}

# "__u8 a[3];" and the like, with one space in between.
sub fields_of
{
	return map { s/^\s+|\s+$//gr =~ s/\s+/ /gr } grep { /\S/ } split(/;/, $_[0]);
}

sub read_header
{
	my ($path) = @_;
	my $text = slurp($path) =~ s{/\*.*?\*/}{}gsr;

	# A guard has no value.
	$constants{$1} = $path while $text =~ /^#define\s+(FARGS_\w+)(?:\(|[ \t]+\S)/gm;
	while ($text =~ /^enum\s+\w+\s*\{(.*?)\}/gms) {
		my $list = $1;
		$constants{$1} = $path while $list =~ /\b(FARGS_\w+)/g;
	}
	while ($text =~ /^struct\s+(\w+)\s*\{(.*?)^\}/gms) {
		$structs{$1} = [fields_of($2)];
	}
}

# What is behind a structure tells of its fields, up to the next one.
sub read_fields
{
	my ($page, $struct, $text) = @_;
	my %told;

	while ($text =~ /\bVa ([^.\n]*)/g) {
		$told{$_} = 1 for split(/[ ,]+/, $1);
	}
	for my $field (@{$structs{$struct}}) {
		my ($name) = $field =~ /(\w+)(?:\[\w*\])?$/;
		# Every argument has this one, and it is told of once.
		next if $field eq "struct fargs_head head" || $name eq "reserved";
		complain("$page: $name of struct $struct is not told of") unless $told{$name};
	}
}

sub read_struct
{
	my ($page, $struct, $body, $rest) = @_;
	my $wanted = $structs{$struct} or
		return complain("$page: there is no struct $struct in the headers");
	my $got = join("; ", fields_of($body));

	complain("$page: struct $struct is another one in its header: $got") if
		$got ne join("; ", @$wanted);
	$shown{$struct} = $page;
	read_fields($page, $struct, $rest);
}

sub build
{
	my ($page, $program) = @_;
	my $cc = $ENV{CC} // "cc";

	$program =~ s/^\\&//gm;
	$program =~ s/\\e/\\/g;
	open(my $pipe, "|-", "$cc -std=gnu11 -O2 -Wall -Wextra -Werror -Iinclude -o /dev/null -x c -")
		or die "$cc: $!\n";
	print $pipe $program;
	close($pipe) or complain("$page: its program does not build");
}

sub read_page
{
	my ($page) = @_;
	my $text = slurp($page);
	my $nr_programs = 0;

	while ($text =~ /^\.Bd -literal.*?\n(.*?)^\.Ed$/gms) {
		my $block = $1;

		next unless $block =~ /^#include/m;
		build($page, $block);
		$nr_programs++;
	}
	while ($text =~ /^struct (\w+) \{\n(.*?)^\};\n\.Ed\n(.*?)(?=^struct \w+ \{\n|\z)/gms) {
		read_struct($page, $1, $2, $3);
	}
	# As a word of the text, not of a structure or a program.
	$text =~ s/^\.Bd -literal.*?^\.Ed$//gms;
	while ($text =~ /\b(FARGS_\w+)/g) {
		$named{$page}{$1} = 1;
		complain("$page: there is no $1 in the headers") unless $constants{$1};
	}
	return $nr_programs;
}

read_header($_) for @headers;
my $nr_programs = 0;
$nr_programs += read_page($_) for @pages;
for my $name (sort keys %constants) {
	my $page = $page_of{$constants{$name}} // "Documentation/man/fargs.4";

	complain("$constants{$name}: $name is not in $page") unless $named{$page}{$name};
}
for my $struct (sort keys %structs) {
	complain("struct $struct is in none of @pages") unless $shown{$struct};
}
# What looks for nothing finds nothing.
complain("only " . keys(%constants) . " constants, " . keys(%structs) . " structures and " .
	 "$nr_programs programs were found") if
	keys(%constants) < 100 || keys(%structs) < 15 || !$nr_programs;
exit $failed;
