#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Generates parts of the completions for bash and zsh, and the SYNOPSIS of manual pages, from the
# option tables (fargs help --tables). Replaces the text between the marks in these files.
#
#	generate.pl FARGS		in the top directory; FARGS is the program
#	generate.pl --check FARGS	only prints which files would change, and fails if one would
use strict;
use warnings;

my $is_check = @ARGV && $ARGV[0] eq "--check" && shift(@ARGV);
my ($fargs) = @ARGV;

die "usage: generate.pl [--check] FARGS\n" unless defined($fargs) && -x $fargs;

my (@verbs, %what, %usage, %options);
my $failed = 0;

sub read_tables
{
	open(my $pipe, "-|", $fargs, "help", "--tables") or die "$fargs: $!\n";
	while (my $line = <$pipe>) {
		chomp($line);
		my ($kind, $verb, @fields) = map { $_ eq "-" ? "" : $_ } split(/\t/, $line);
		if ($kind eq "verb") {
			push(@verbs, $verb);
			$what{$verb} = $fields[0];
		} elsif ($kind eq "usage") {
			push(@{$usage{$verb}}, $fields[0]);
		} else {
			my %option;
			@option{qw(letter name arg flags offer words help)} = @fields;
			push(@{$options{$verb}}, \%option);
		}
	}
	close($pipe) or die "$fargs help --tables fails\n";
	die "$fargs help --tables says nothing\n" unless @verbs;
}

# Returns "-C", "--cpu"; with "=" appended to a name whose argument must be attached.
sub words_of
{
	my ($o) = @_;
	my $mark = $o->{arg} && $o->{flags} =~ /=/ ? "=" : "";

	return (($o->{letter} ? "-$o->{letter}" : ()), ($o->{name} ? "--$o->{name}$mark" : ()));
}

# Returns the options to offer: all but --help.
sub offered
{
	my ($verb) = @_;

	return map { my $o = $_; map { [$_, $o] } words_of($o) }
	       grep { $_->{name} ne "help" } @{$options{$verb}};
}

# Wraps words in lines that end in a backslash.
sub wrapped
{
	my ($indent, @words) = @_;
	my @lines = ("");

	for my $word (@words) {
		push(@lines, "") if length("$lines[-1] $word") > 84;
		$lines[-1] .= ($lines[-1] eq "" ? "" : " ") . $word;
	}
	return join(" \\\n$indent", @lines);
}

# Maps VERB:OPTION to the kind of its argument; "*:OPTION" if all verbs with it agree.
sub takes
{
	my (%kinds, %of);

	for my $verb (@verbs) {
		for my $o (grep { $_->{arg} } @{$options{$verb}}) {
			my $kind = $o->{offer} . ($o->{words} ? " $o->{words}" : "");
			my $mark = $o->{flags} =~ /[=?]/ ? "=" : "";
			$of{$_ . ($mark && !/=$/ ? $mark : "")}{$verb} = $kind for words_of($o);
		}
	}
	for my $word (sort keys %of) {
		my %kinds_of = map { $_ => 1 } values(%{$of{$word}});
		push(@{$kinds{(keys %kinds_of)[0]}}, "*:$word") if keys(%kinds_of) == 1;
		next if keys(%kinds_of) == 1;
		push(@{$kinds{$of{$word}{$_}}}, "$_:$word") for sort keys %{$of{$word}};
	}
	my $text = "# Sets takes to the kind of argument of OPTION of VERB; \"OPTION=\" if it follows " .
		   "\"=\" only.\n_fargs_takes()\n{\n\ttakes=\n\tcase \$1:\$2 in\n";
	for my $kind (sort keys %kinds) {
		my @patterns = @{$kinds{$kind}};
		my $last = pop(@patterns);
		$text .= "\t" . wrapped("\t\t", (map { "$_ |" } @patterns), "$last)") .
			 ($kind =~ / / ? "\n\t\ttakes=\"$kind\"\n\t\t;;\n" : " takes=$kind ;;\n");
	}
	return $text . "\tesac\n}\n";
}

sub in_bash
{
	my $text = "# Sets verbs.\n_fargs_verbs()\n{\n\tverbs=\"@verbs\"\n}\n\n" .
		   "# Sets options to those of VERB.\n_fargs_options()\n{\n\toptions=\n\tcase \$1 in\n";

	for my $verb (@verbs) {
		my @words = map { $_->[0] } offered($verb);
		$text .= "\t$verb)\n\t\toptions=\"" . wrapped("", @words, "--help") . "\"\n\t\t;;\n";
	}
	return $text . "\tesac\n}\n\n" . takes();
}

# Returns NAME:DESCRIPTION in single quotes.
sub described
{
	my ($name, $text) = @_;

	$text =~ s/;.*//;
	$text =~ s/:/\\:/g;
	$text =~ s/'/'\\''/g;
	return "'$name:$text'";
}

sub in_zsh
{
	my $text = "# Sets verbs to the NAME:DESCRIPTION of each.\n_fargs_verbs()\n{\n\tverbs=(\n" .
		   join("", map { "\t\t" . described($_, $what{$_}) . "\n" } @verbs) . "\t)\n}\n\n" .
		   "# Sets offered and attached to the NAME:DESCRIPTION of options of VERB; attached: " .
		   "--NAME=ARG only.\n_fargs_options()\n{\n\toffered=() attached=()\n\tcase \$1 in\n";

	for my $verb (@verbs) {
		my @all = (offered($verb), ["--help", { help => "print this" }]);
		my @attached = grep { $_->[0] =~ /=$/ && $_->[1]{flags} !~ /\?/ } @all;
		$text .= "\t$verb)\n\t\toffered=(\n";
		for my $entry (grep { $_->[0] !~ /=$/ } @all) {
			$text .= "\t\t\t" . described($entry->[0], $entry->[1]{help}) . "\n";
		}
		$text .= "\t\t)\n";
		$text .= "\t\tattached=(\n" . join("", map {
			"\t\t\t" . described($_->[0] =~ s/=$//r, $_->[1]{help}) . "\n" } @attached) .
			 "\t\t)\n" if @attached;
		$text .= "\t\t;;\n";
	}
	return $text . "\tesac\n}\n\n" . takes();
}

# Formats a word of a usage line for mdoc.
sub mdoc_word
{
	my ($word, $is_upper) = @_;

	return "Fl $1" if $word =~ /^-(.+)$/;
	return "Ar " . ($is_upper ? $word : lc($word));
}

# Formats "[-- COMMAND...]" or "--diff OLDER NEWER" for mdoc.
sub mdoc_usage
{
	my ($line, $is_upper) = @_;
	my @lines;

	while ($line =~ /(\[)?([^\s\[\]]+)((?: [^\s\[\]]+)*)(\])?(\.\.\.)?/g) {
		my ($open, $first, $rest, $more) = ($1, $2, $3, $5 // "");
		my @words = ($first, split(" ", $rest));
		for (@words) {
			$more = "..." if s/\.\.\.$//;
		}
		my $text = join(" ", map { mdoc_word($_, $is_upper) } @words) . ($more ? " ..." : "");
		push(@lines, $open ? ".Op $text" : ".$text");
	}
	return @lines;
}

sub mdoc_option
{
	my ($o, $is_upper) = @_;
	my $text = $o->{letter} ? "Fl $o->{letter}" : "Fl -$o->{name}";
	my $arg = $o->{arg} ? mdoc_word($o->{arg}, $is_upper) : "";

	if ($arg && $o->{flags} =~ /\?/) {
		$text .= " Ns Op = Ns $arg";
	} elsif ($arg) {
		$text .= ($o->{flags} =~ /=/ ? " Ns = Ns " : " ") . $arg;
	}
	return ".Op $text" . ($o->{flags} =~ /\+/ ? " ..." : "");
}

# The same for man.
sub man_usage
{
	my ($line) = @_;

	$line =~ s/(?<![\w-])(-[-\w]+)/"\\fB" . $1 =~ s#-#\\-#gr . "\\fR"/ge;
	$line =~ s/\b([A-Z]{2,})\b/\\fI$1\\fR/g;
	return $line;
}

sub man_option
{
	my ($o) = @_;
	my $name = $o->{letter} ? "-$o->{letter}" : "--$o->{name}";
	my $arg = $o->{arg};

	$name =~ s/-/\\-/g;
	$arg =~ s/([A-Z][A-Za-z.]*)/\\fI$1\\fR/g;
	$arg = $o->{flags} =~ /\?/ ? "[=$arg]" : $o->{flags} =~ /=/ ? "=$arg" : " $arg" if $arg;
	return "[\\fB$name\\fR$arg]" . ($o->{flags} =~ /\+/ ? "..." : "");
}

sub synopsis
{
	my ($verb, $page) = @_;
	my $is_mdoc = $page =~ /^\.Sh /m;
	# Leave out the options in the usage line, and --help, which each verb has.
	my ($first, @others) = @{$usage{$verb}};
	my %in_usage = map { $_ => 1 } $first =~ /(?<![\w-])(--?\w[\w-]*)/g;
	my @left = grep { $_->{name} ne "help" && !$in_usage{"--$_->{name}"} &&
			  !($_->{letter} && $in_usage{"-$_->{letter}"}) } @{$options{$verb}};
	my ($before, $after) = $first =~ /^(.*?) ?\[OPTION\.\.\.\] ?(.*)$/;
	my $text = "";

	if ($is_mdoc) {
		# Write arguments as the page does.
		my $is_upper = $page =~ /^\.It Fl .*\bAr [A-Z]{2}/m;
		$text .= "$_\n" for ".Nm fargs $verb", mdoc_usage($before, $is_upper),
				    (map { mdoc_option($_, $is_upper) } @left),
				    mdoc_usage($after, $is_upper);
		for my $other (@others) {
			$text .= "$_\n" for ".Nm fargs $verb", mdoc_usage($other, $is_upper);
		}
		return $text;
	}
	$text = ".B fargs $verb\n";
	$text .= "$_\n" for grep { $_ ne "" } man_usage($before), (map { man_option($_) } @left),
					      man_usage($after);
	$text .= ".br\n.B fargs $verb\n" . man_usage($_) . "\n" for @others;
	return $text;
}

# Replaces the text between the marks of a file by the result of make(), called with the file's text.
sub put
{
	my ($path, $comment, $make) = @_;
	my ($begin, $end) = map { "$comment generated by user/completion/generate.pl: $_\n" } "begin", "end";

	open(my $file, "<", $path) or die "$path: $!\n";
	my $old = do { local $/; <$file> };
	close($file);
	my $new = $old;
	my $text = $make->($old);
	die "$path: no marks\n" unless $new =~ s/(\Q$begin\E).*(\Q$end\E)/$1$text$2/s;
	return if $new eq $old;
	if ($is_check) {
		print STDERR "$path: not what the options say: run user/completion/generate.pl\n";
		$failed = 1;
		return;
	}
	open($file, ">", $path) or die "$path: $!\n";
	print $file $new;
	close($file) or die "$path: $!\n";
}

read_tables();
put("user/completion/fargs.bash", "#", \&in_bash);
put("user/completion/_fargs", "#", \&in_zsh);
for my $verb (@verbs) {
	put("Documentation/man/fargs-$verb.1", ".\\\"", sub { return synopsis($verb, @_) });
}
exit $failed;
