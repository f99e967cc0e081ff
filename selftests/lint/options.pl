#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Prints where the verbs, their pages and the completions for bash and zsh do not agree about
# options, and fails if there is anything:
#
#	- each verb has a page, and is completed
#	- what --help of a verb names is in its page, and completed
#	- what the page names the verb has
#	- what is completed is in the page
#
# --help itself is nobody's business.
#
#	options.pl FARGS	the program; in the top directory
use strict;
use warnings;

my ($fargs) = @ARGV;
my $failed = 0;

die "usage: options.pl FARGS\n" unless defined($fargs) && -x $fargs;

sub complain
{
	print STDERR "options: @_\n";
	$failed = 1;
}

sub slurp
{
	my ($path) = @_;
	open(my $file, "<", $path) or die "$path: $!\n";
	local $/;
	return <$file>;
}

sub options_of
{
	return map { $_ => 1 } grep { !/^(-h|--help)$/ } "@_" =~ /(?<![\w-])(--?[A-Za-z][\w-]*)/g;
}

# What a line of --help begins with, up to two spaces; option => its long name, or itself.
sub in_help
{
	my ($verb) = @_;
	my $help = `$fargs $verb --help`;

	die "$fargs $verb --help fails\n" if $?;
	my @begins = $help =~ /^ {2,6}(-.*?)(?:  |$)/gm;
	my %long = map { /^(-\w), (--[\w-]+)/ ? ($1 => $2) : () } @begins;
	my %options = options_of(@begins);

	return map { $_ => $long{$_} // $_ } keys(%options);
}

# "Fl o , -output Ar file": words behind Fl, up to the next macro.
sub in_item
{
	my @options;
	my $is_flag = 0;

	for my $word (split(/ +/, $_[0])) {
		$is_flag = $word eq "Fl" if $word =~ /^[A-Z][a-z]$/;
		push(@options, "-$word") if $is_flag && $word =~ /^-?\w/ && $word ne "Fl";
	}
	return @options;
}

# The items of lists, in mdoc or in man.
sub in_page
{
	my ($page) = @_;
	my $text = slurp($page);
	my @options;

	push(@options, in_item($1)) while $text =~ /^\.It (Fl .*)$/gm;
	while ($text =~ /^\.TP\n(.*\\-.*)$/gm) {
		push(@options, $1 =~ s/\\f.|^\.B //gr =~ s/\\-/-/gr);
	}
	# Another verb's, which the page does not repeat.
	if ($text =~ /^The options are those of\n\.Xr fargs-(\w+) 1/m) {
		my %others = in_page("Documentation/man/fargs-$1.1");
		push(@options, keys(%others));
	}
	return options_of(@options);
}

# What bash offers for the last of the words.
sub completed
{
	my $run = '. user/completion/fargs.bash; COMP_WORDS=(fargs "$@"); COMP_CWORD=$#; _fargs; ' .
		  'printf "%s\n" "${COMPREPLY[@]}"';

	open(my $pipe, "-|", "bash", "-c", $run, "bash", @_) or die "bash: $!\n";
	chomp(my @replies = <$pipe>);
	close($pipe) or die "the completion fails\n";
	return @replies;
}

# What zsh does.
sub completed_zsh
{
	open(my $pipe, "-|", "zsh", "-f", "selftests/lint/completed.zsh", $fargs, @_) or
		die "zsh: $!\n";
	chomp(my @replies = <$pipe>);
	close($pipe) or die "the completion for zsh fails\n";
	return @replies;
}

sub in_completion
{
	my ($verb) = @_;

	return options_of(completed($verb, "-"));
}

# Behind it is another, which there is not: the verb gets no further.
sub is_option
{
	my ($verb, $option) = @_;
	my $said = `$fargs $verb $option --no-such-option --no-such-option 2>&1`;

	die "$fargs $verb takes --no-such-option\n" unless $?;
	return $said !~ /there is no option '\Q$option\E'/;
}

# "  verb     what it does"
sub verbs
{
	my $help = `$fargs --help`;

	die "$fargs --help fails\n" if $?;
	return $help =~ /^  ([a-z]+)  /gm;
}

my %offered = map { $_ => 1 } completed("");
my %offered_zsh = map { $_ => 1 } completed_zsh("");
my @verbs = verbs();
my $nr_options = 0;

for my $verb (@verbs) {
	my $page = "Documentation/man/fargs-$verb.1";

	complain("the completion does not have $verb") unless $offered{$verb};
	complain("the completion for zsh does not have $verb") unless $offered_zsh{$verb};
	unless (-e $page) {
		complain("$verb has no page");
		next;
	}
	my %help = in_help($verb);
	my %told = in_page($page);
	my %completed = in_completion($verb);
	my %completed_zsh = options_of(completed_zsh($verb, "-"));

	for my $option (sort keys %help) {
		complain("$page: $option of $verb --help is missing") unless $told{$option};
		# A long name will do.
		complain("the completion of $verb: $option of $verb --help is missing")
			unless $completed{$option} || $completed{$help{$option}};
		complain("the completion for zsh of $verb: $option of $verb --help is missing")
			unless $completed_zsh{$option};
	}
	for my $option (sort keys %told) {
		complain("$page: $verb has no option $option") unless is_option($verb, $option);
	}
	for my $option (sort keys %completed) {
		complain("the completion of $verb: $option is not in $page")
			unless $told{$option};
	}
	for my $option (sort keys %completed_zsh) {
		complain("the completion for zsh of $verb: $option is not in $page")
			unless $told{$option};
	}
	$nr_options += keys(%help);
}
# What looks for nothing finds nothing.
complain("only " . @verbs . " verbs and $nr_options options were found") if
	@verbs < 5 || $nr_options < 50;
exit $failed;
