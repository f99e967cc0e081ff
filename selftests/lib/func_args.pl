#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Compares what fargs and the function tracer's func-args print of the same
# calls, argument by argument.
#
#	func_args.pl [--callers-unknown] BTF... OURS THEIRS
#
# BTF: the kernel's, then a module's. OURS and THEIRS: lines "NAME(ARGS)", the
# same calls in the same order. Prints a line for each class of arguments,
#
#	class	RULE	COUNT	SAME	OURS	THEIRS
#
# with the first example where the two differ, else the first at all; then for each
# argument that is not as its class says, or (with no class) that makes no sense,
#
#	bad	CLASS	WHAT...
#
# Which class an argument is in follows from the function's type in BTF, from the
# psABI, and from what print_function_args() in kernel/trace/trace_output.c does:
# it takes the registers one after the other, one for each parameter, for a
# structure one for each eight bytes of its size; of each it prints all 64 bits; it
# ends after six. Never from what the two have printed. The rules:
#
#	agree	it takes the argument's own register, and that has nothing above the
#		value's width but zeroes: it must say the same as fargs
#	differ	it cannot say the same as fargs
#	astray	it takes other registers than the argument's: some must differ
#
# A narrow integer in its own register must also be the same as ours in its own
# width, whatever is above. With --callers-unknown that is all that is asked of it,
# since nobody knows what the callers left there.
use strict;
use warnings;

# Kinds of include/uapi/linux/btf.h, and the bytes that follow each type.
use constant {
	INT => 1, PTR => 2, ARRAY => 3, STRUCT => 4, UNION => 5, ENUM => 6, TYPEDEF => 8,
	VOLATILE => 9, CONST => 10, RESTRICT => 11, FUNC => 12, FUNC_PROTO => 13,
	TYPE_TAG => 18, ENUM64 => 19,
};
my @follow = (undef, 4, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 4, 0, 0);
my @follow_each = (0, 0, 0, 0, 12, 12, 8, 0, 0, 0, 0, 0, 0, 8, 0, 12, 0, 0, 0, 12);
my %is_alias = map { $_ => 1 } TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG;

use constant NR_REGS => 6;

my (@types, $strings, %func);		# [data, offset] by id; all strings; name => id

sub string
{
	my ($off) = @_;

	return substr($strings, $off, index($strings, "\0", $off) - $off);
}

sub read_btf
{
	my ($path, $wanted) = @_;
	my ($data, $base_nr, $base_strings) = ("", scalar @types, length $strings);

	open(my $file, "<:raw", $path) or die "$path: $!\n";
	{ local $/; $data = <$file>; }
	my ($magic, $hdr_len, $type_off, $type_len, $str_off, $str_len) =
		unpack("S x2 L5", $data);
	die "$path: not BTF\n" if $magic != 0xeb9f;
	$strings .= substr($data, $hdr_len + $str_off, $str_len);

	my $off = $hdr_len + $type_off;
	my $end = $off + $type_len;
	while ($off < $end) {
		my ($name_off, $info) = unpack("LL", substr($data, $off, 8));
		my $kind = $info >> 24 & 0x1f;
		die "$path: unknown kind $kind\n" if !defined $follow[$kind];
		if ($kind == FUNC) {
			my $name = string($name_off);
			# As btf_find_func_proto() does, the kernel's own comes first.
			$func{$name} //= scalar @types if $wanted->{$name};
		}
		push(@types, [ \$data, $off ]);
		$off += 12 + $follow[$kind] + ($info & 0xffff) * $follow_each[$kind];
	}
}

# A type's kind, number of elements, size or type, and what follows it.
sub type
{
	my ($id) = @_;

	return { kind => 0, nr => 0, size => 0 } if !$id;
	my ($data, $off) = @{$types[$id]};
	my ($name_off, $info, $size) = unpack("LLL", substr($$data, $off, 12));
	return { name => string($name_off), kind => $info >> 24 & 0x1f, nr => $info & 0xffff,
		 flag => $info >> 31, size => $size, data => $data, off => $off + 12 };
}

sub resolve
{
	my $t = type($_[0]);

	$t = type($t->{size}) while $is_alias{$t->{kind}};
	$t->{size} = 8 if $t->{kind} == PTR;
	return $t;
}

sub elements
{
	my ($t, $format, $size) = @_;

	return map { [ unpack($format, substr(${$t->{data}}, $t->{off} + $_ * $size, $size)) ] }
		0 .. $t->{nr} - 1;
}

sub alignment
{
	my ($t) = @_;
	my $max = 1;

	return alignment(resolve(unpack("L", substr(${$t->{data}}, $t->{off}, 4))))
		if $t->{kind} == ARRAY;
	return $t->{size} if $t->{kind} != STRUCT && $t->{kind} != UNION;
	for (elements($t, "L3", 12)) {
		my $align = alignment(resolve($_->[1]));
		$max = $align if $align > $max;
	}
	return $max;
}

# Is there a member where it would not be without __packed? Then it is passed in memory.
sub is_packed
{
	my ($t) = @_;

	for ($t->{kind} == STRUCT ? elements($t, "L3", 12) : ()) {
		my ($name_off, $type, $offset) = @$_;
		next if $t->{flag} && $offset >> 24;	# a bit-field
		$offset &= 0xffffff if $t->{flag};
		my $member = resolve($type);
		return 1 if $offset / 8 % alignment($member) || is_packed($member);
	}
	return 0;
}

sub is_aggregate
{
	my ($t) = @_;

	return $t->{kind} == STRUCT || $t->{kind} == UNION;
}

# The registers that the psABI has for it; undef: it is passed in memory.
sub regs_of
{
	my ($t) = @_;

	return undef if is_aggregate($t) && ($t->{size} > 16 || is_packed($t));
	return int(($t->{size} + 7) / 8);
}

# The registers that func-args takes for it.
sub regs_taken
{
	my ($t) = @_;

	return 1 if !is_aggregate($t) || $t->{size} <= 8;
	return int(($t->{size} + 7) / 8);
}

# The parameters of a function: each with its name, its type, whether func-args
# takes the very registers it is in, and if not, what led it astray.
sub params_of
{
	my ($name) = @_;
	my $proto = type(type($func{$name})->{size});
	my $result = resolve($proto->{size});
	my ($place, $taken, $why, @params) = (0, 0, undef);

	if (is_aggregate($result) && !defined regs_of($result)) {
		$place++;
		$why = "where a struct is returned in memory";
	}
	for (elements($proto, "LL", 8)) {
		my $t = resolve($_->[1]);
		my $param = { name => string($_->[0]), type => $t, why => $why };
		my $regs = regs_of($t);
		my $is_in_regs = defined $regs && $place + $regs <= NR_REGS;

		$param->{is_reached} = $taken < NR_REGS;
		$param->{is_in_place} = $is_in_regs && $place == $taken;
		$param->{is_after_struct} = grep({ is_aggregate($_->{type}) } @params) > 0;
		push(@params, $param);

		$place += $regs if $is_in_regs;
		$taken += regs_taken($t);
		next if $place == $taken || $place >= NR_REGS && $taken >= NR_REGS;
		$why //= !is_aggregate($t) ? "after a 128-bit integer" :
			$t->{size} ? "after a struct in memory" : "after an empty struct";
	}
	return @params;
}

# (RULE, CLASS) of an argument of function $name with the value $value (of ours).
sub classify
{
	my ($name, $param, $value) = @_;
	my $t = $param->{type};

	return ("differ", "variable arguments") if !$t->{kind};
	if (is_aggregate($t)) {
		return ("astray", "structs in memory") if !$param->{is_in_place};
		return ("agree", "structs in registers, as words");
	}
	return ("astray", "128-bit integers") if $t->{size} == 16 && $param->{is_reached};
	return ("astray", $param->{why}) if defined $param->{why};
	return ("differ", "past the sixth register") if !$param->{is_in_place};
	if ($t->{size} < 8) {
		# In those the target fills registers completely, by intention.
		return ("differ", "narrow integers in a register with other bits")
			if $name =~ /^fargs_t_dirty_(?!slot)/;
		return ("differ", "negative narrow integers") if hex(substr($value, 0, 1)) >= 8;
	}
	return ("agree", "arguments after a struct in registers") if $param->{is_after_struct};
	return ("agree", "pointers") if $t->{kind} == PTR;
	return ("agree", "enums") if $t->{kind} == ENUM;
	return ("agree", "64-bit enums") if $t->{kind} == ENUM64;
	return ("agree", $t->{size} == 8 ? "64-bit integers" :
		 encoding($t) & 1 ? "narrow signed integers, not negative" :
		 $t->{size} > 1 ? "narrow unsigned integers" : "bytes, bool and char");
}

sub encoding
{
	my ($t) = @_;

	return unpack("L", substr(${$t->{data}}, $t->{off}, 4)) >> 24 & 0xf;
}

# Is it sign-extended?
sub is_signed
{
	my ($t) = @_;

	return $t->{kind} == INT ? encoding($t) & 1 : $t->{flag};
}

# A 64-bit number as 16 hexadecimal digits: all arithmetic here is on text and UVs.
sub digits
{
	my ($text) = @_;

	no warnings "portable";
	return sprintf("%016x", $text =~ /^0x([0-9a-f]{1,16})$/ ? hex($1) : $text + 0);
}

sub cut_to_width
{
	my ($digits, $t) = @_;
	my $low = substr($digits, -2 * $t->{size});

	return $low if $t->{size} == 8;
	return (is_signed($t) && hex(substr($low, 0, 1)) >= 8 ? "f" : "0") x
		(16 - length $low) . $low;
}

my %symbol_address;

sub symbol_value
{
	my ($name, $offset, $module) = @_;
	my $symbol = $name . (defined $module ? "\t[$module]" : "");

	if (!exists $symbol_address{$symbol}) {
		open(my $file, "<", "/proc/kallsyms") or die "/proc/kallsyms: $!\n";
		# A line is an address, a letter, and the symbol.
		my ($line) = grep { substr($_, 19) eq "$symbol\n" } <$file>;
		$symbol_address{$symbol} = $line && substr($line, 0, 16);
	}
	my $address = $symbol_address{$symbol};
	no warnings "portable";
	return defined $address ? sprintf("%016x", hex($address) + hex($offset // 0)) : undef;
}

sub enum_value
{
	my ($text, $t) = @_;
	my %value;

	if ($t->{kind} == ENUM) {
		$value{string($_->[0])} = $_->[1] for elements($t, "Ll", 8);
	} else {
		$value{string($_->[0])} = $_->[1] | $_->[2] << 32 for elements($t, "LLL", 12);
	}
	my $sum = 0;
	for (split(/\|/, $text)) {
		return undef if !exists $value{$_};
		$sum |= $value{$_};
	}
	return cut_to_width(sprintf("%016x", $sum), $t);
}

# What fargs says of a scalar, as 16 digits; undef: not understood.
sub our_value
{
	my ($text, $t) = @_;

	return digits($text) if $text =~ /^(-?[0-9]+|0x[0-9a-f]+)$/;
	return digits($text eq "true" ? 1 : 0) if $text =~ /^(true|false)$/;
	return digits(ord($1)) if $text =~ /^'(.)'$/;
	return symbol_value($1, $2, $3)
		if $t->{kind} == PTR && $text =~ /^([\w.]+)(?:\+(0x[0-9a-f]+))?(?: \[(\w+)\])?$/;
	return enum_value($text, $t) if $t->{kind} == ENUM || $t->{kind} == ENUM64;
	return undef;
}

# The scalars in a type, each as [offset, type]. Empty if they are not all of whole
# bytes and of one number each: bit-fields, text, 128 bits.
sub scalars_of
{
	my ($t, $base) = @_;
	my @all;

	return () if $t->{kind} == INT && $t->{size} > 8;
	return [ $base, $t ] if !is_aggregate($t) && $t->{kind} != ARRAY;
	if ($t->{kind} == ARRAY) {
		my ($type, undef, $nr) = unpack("L3", substr(${$t->{data}}, $t->{off}, 12));
		my $each = resolve($type);

		return () if $each->{kind} == INT && $each->{name} eq "char";
		@all = map { [ $each, $base + $_ * $each->{size} ] } 0 .. $nr - 1;
	} else {
		for (elements($t, "L3", 12)) {
			my ($name_off, $type, $offset) = @$_;

			return () if $t->{flag} && $offset >> 24;
			$offset &= 0xffffff if $t->{flag};
			push(@all, [ resolve($type), $base + $offset / 8 ]);
		}
	}
	my @scalars;
	for (@all) {
		my @some = scalars_of(@$_) or return ();
		push(@scalars, @some);
	}
	return @scalars;
}

# Do "{.a=1, .b={2, 3}}" and "(STRUCT)[0x1:0x300000002]" say the same?
sub is_same_struct
{
	my ($t, $ours, $theirs) = @_;
	my @scalars = scalars_of($t, 0);
	my $bytes = "";

	return 0 if ($theirs // "") !~ /^\((?:STRUCT|UNION)\)\[([0-9a-fx:]+)(:\.\.\.)?\]$/;
	$bytes .= reverse(pack("H16", digits($_))) for split(/:/, $1);
	$ours =~ s/\.\w+=//g;
	my @texts = grep { length } split(/\s*[{},]\s*/, $ours);
	return 0 if @texts != @scalars;
	for my $i (0 .. $#scalars) {
		my ($offset, $member) = @{$scalars[$i]};
		my $want = our_value($texts[$i], $member);
		my $got = substr($bytes, $offset, $member->{size});

		return 0 if !defined $want || length $got != $member->{size};
		$got = unpack("H*", scalar reverse($got));
		return 0 if cut_to_width("0" x (16 - length $got) . $got, $member) ne $want;
	}
	return 1;
}

# What func-args says of a scalar, as 16 digits.
sub their_value
{
	my ($text) = @_;

	return undef if !defined $text;
	$text =~ s/^(-?[0-9]+) \[\w+\]$/$1/;
	$text =~ s/^\(ENUM64\)\[(0x[0-9a-f]+)\]$/$1/;
	return $text =~ /^(-?[0-9]{1,20}|0x[0-9a-f]{1,16})$/ ? digits($text) : undef;
}

# "a=1, s={.a=2, .b=3}" in parts, each a name and a value.
sub args_of
{
	my ($text) = @_;
	my $nested;

	$nested = qr/(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+'|\{(??{$nested})\}|[^,{}"'])*
		     (?:,(??{$nested}))?/x;
	my $part = qr/(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+'|\{$nested\}|[^,{}"'])+/;
	my @args;
	push(@args, $1 =~ /^(\w*)=(.*)$/ ? [ $1, $2 ] : [ undef, $1 ]) while $text =~ /\G($part)(?:, |$)/g;
	return @args;
}

my (%class, @bad, $are_callers_unknown);

sub bad
{
	push(@bad, join("\t", "bad", @_));
}

sub count
{
	my ($rule, $what, $is_same, $ours, $theirs) = @_;
	my $class = $class{$what} //= { rule => $rule, count => 0, same => 0 };

	@$class{"ours", "theirs"} = ($ours, $theirs)
		if !$class->{count} || !$is_same && $class->{count} == $class->{same};
	$class->{count}++;
	$class->{same}++ if $is_same;
	bad($what, $ours, $theirs)
		if $rule eq "agree" && !$is_same || $rule eq "differ" && $is_same;
}

sub compare_arg
{
	my ($name, $param, $ours, $theirs, @lines) = @_;
	my $t = $param->{type};
	my $is_scalar = $t->{kind} && !is_aggregate($t) && $t->{size} <= 8;
	my $our_value = $is_scalar ? our_value($ours, $t) : undef;
	my $their_value = $is_scalar ? their_value($theirs) : undef;
	my ($rule, $what);
	my $is_same;

	# At its end func-args, too, prints "...", but for what it has not printed.
	return if !$t->{kind} && !$param->{is_reached};
	if ($is_scalar && !defined $our_value) {
		bad("", "cannot read $ours", @lines);
		return;
	}
	($rule, $what) = classify($name, $param, $our_value);
	if (is_aggregate($t)) {
		# func-args has no text of its own for these.
		return if !$t->{size} || !scalars_of($t, 0);
		$is_same = is_same_struct($t, $ours, $theirs);
	} elsif ($is_scalar) {
		$is_same = defined $their_value && $our_value eq $their_value;
	} else {
		$is_same = defined $theirs && $ours eq $theirs;
	}
	if ($is_scalar && $t->{size} < 8 && $param->{is_in_place}) {
		my $is_low_same = defined $their_value &&
			cut_to_width($their_value, $t) eq $our_value;

		count("agree", "narrow integers, in their width", $is_low_same, @lines);
		return if $are_callers_unknown;
	}
	count($rule, $what, $is_same, @lines);
}

sub compare_call
{
	my ($ours, $theirs) = @_;
	my ($name, $our_text) = $ours =~ /^([\w.]+)\((.*)\)$/ or die "$ours: not a call\n";
	my ($their_name, $their_text) = $theirs =~ /^([\w.]+)\((.*)\)$/
		or die "$theirs: not a call\n";

	die "not the same calls: $ours $theirs\n" if $name ne $their_name;
	die "$name is not in BTF\n" if !defined $func{$name};
	my @params = params_of($name);
	my @our_args = args_of($our_text);
	my @their_args = args_of($their_text);

	for my $i (0 .. $#params) {
		my ($our_name, $our_arg) = @{$our_args[$i] // []};
		my $their_arg = $their_args[$i] && $their_args[$i][1];

		if (!defined $our_arg || ($our_name // "") ne $params[$i]{name}) {
			bad("", "argument $i is not $params[$i]{name}", $ours, $theirs);
			next;
		}
		compare_arg($name, $params[$i], $our_arg, $their_arg, $ours, $theirs);
	}
}

sub lines_of
{
	my ($path) = @_;

	open(my $file, "<", $path) or die "$path: $!\n";
	chomp(my @lines = <$file>);
	return @lines;
}

$are_callers_unknown = shift @ARGV if @ARGV && $ARGV[0] eq "--callers-unknown";
die "usage: $0 [--callers-unknown] BTF... OURS THEIRS\n" if @ARGV < 3;
my @theirs = lines_of(pop @ARGV);
my @ours = lines_of(pop @ARGV);
die scalar @ours . " calls are not " . scalar @theirs . "\n" if @ours != @theirs;
my %wanted = map { /^([\w.]+)\(/ ? ($1 => 1) : () } @ours;

@types = (undef);
$strings = "";
read_btf($_, \%wanted) for @ARGV;
compare_call($ours[$_], $theirs[$_]) for 0 .. $#ours;

for my $what (sort keys %class) {
	my $c = $class{$what};

	print(join("\t", "class", $what, @$c{qw(rule count same ours theirs)}), "\n");
	bad($what, "none differs") if $c->{rule} eq "astray" && $c->{count} == $c->{same};
}
print("$_\n") for @bad;
