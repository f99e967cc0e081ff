# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # names shared with run
# fargs itself. Each way_* measures one call of fargs_bench_$1.

# The number of tracers of the function, including fargs; and a command that starts the
# measured one.
tracers=1 under=()

# fargs_way ARGS EVENTS LINE OPTION...: there must be EVENTS lines of the function, in which
# the opening parenthesis is followed by LINE, a regular expression.
fargs_way()
{
	local args=$1 events=$2 line=$3 seen
	shift 3
	fargs record "$@" -o "$tmp/trace" -- "${under[@]}" \
		"$self" --sample "$args" "$tracers" "$tmp/sample" >"$tmp/out" 2>"$tmp/err" ||
		die "$key: $(cat "$tmp/err")"
	fargs report --verify "$tmp/trace" >"$tmp/verify" 2>&1 ||
		die "$key: $(cat "$tmp/verify")"
	fargs report "$tmp/trace" >"$tmp/lines"
	seen=$(grep -c " fargs_bench_$args($line" "$tmp/lines" || :)
	[ "$seen" = "$events" ] ||
		die "$key: $seen right lines of $events calls: $(tail -n 1 "$tmp/lines")"
}

way_fargs()
{
	fargs_way "$1" "$made" "" -a -f "fargs_bench_$1"
}

# In a buffer that is smaller than the records of the three rounds. So it wraps, and the reader
# gives space back.
way_fargs_wrapped()
{
	fargs_way "$1" "$made" "" -a -m 512K -f "fargs_bench_$1"
}

# Another session records the same calls. The function has one tracer: that of the module.
way_fargs_beside_fargs()
{
	local under=(fargs record -a -f "fargs_bench_$1" -o "$tmp/other" --)
	way_fargs "$1"
	fargs report --verify "$tmp/other" >"$tmp/verify" 2>&1 || die "$key: $(cat "$tmp/verify")"
	expect_events "$(fargs report "$tmp/other" | grep -c " fargs_bench_$1(")"
}

way_fargs_tasks()
{
	fargs_way "$1" "$made" "" -f "fargs_bench_$1"
}

# Rejects the measured calls, and accepts the warm-up calls.
way_fargs_reject()
{
	fargs_way "$1" "$accepted" ".*, flags=8192," -a -f "fargs_bench_$1(flags > 4096)"
	grep -q "^calls .* 0 lost, $rejected rejected$" < <(fargs info "$tmp/trace") ||
		die "$key: $(fargs info "$tmp/trace" | grep '^calls')"
}

way_fargs_string()
{
	fargs_way "$1" "$made" '.*name=.*"hello"' -a -f "fargs_bench_$1(name:str)"
}

way_fargs_path()
{
	fargs_way "$1" "$made" ".*obj->parent->owner->id=4711\\>" -a \
		-f "fargs_bench_$1(obj->parent->owner->id)"
}

# The path of the working directory, of five names
way_fargs_file_path()
{
	(cd "$here" && fargs_way "$1" "$made" ".*fs->pwd=\"$here\"" -a \
		-f "fargs_bench_$1(\$task->fs->pwd:path)") || exit
}

# fargs_return ARGS OPTION...
fargs_return()
{
	local args=$1
	shift
	fargs_way "$args" "$made" ".*) .*= 420 (" -a -f "fargs_bench_$args -> ret" "$@"
}

way_fargs_return()
{
	fargs_return "$1"
}

# With so many functions that the module uses its other mechanism for returns, on kernels
# that have two.
way_fargs_return_many()
{
	fargs_return "$1" -f 'acpi_ex_* -> ret'
}

# The function tracer traces the function as well. Measures the cost of both tracers, and of
# sharing the function.
way_fargs_beside_function()
{
	local tracers=2
	echo "fargs_bench_$1" >"$tracing/set_ftrace_filter"
	echo function >"$tracing/current_tracer"
	echo >"$tracing/trace"
	way_fargs "$1"
	expect_events "$(tracefs_events)"
	tracefs_reset
}

# The same with a kprobe event, which uses ftrace.
way_fargs_beside_kprobe()
{
	local tracers=2
	echo "p:$event fargs_bench_$1 $four_args" >"$tracing/dynamic_events"
	echo 1 >"$tracing/events/fargs_bench/enable"
	echo >"$tracing/trace"
	way_fargs "$1"
	expect_events "$(tracefs_events)"
	tracefs_reset
}

# The same with a BPF program, which ftrace calls directly only if the function has no other
# user.
way_fargs_beside_fentry()
{
	local tracers=2 under=("$loader" fargs_bench "fargs_bench_$1" $((1 << 22)))
	way_fargs "$1"
	expect_events "$(sed -n 's/^events=//p' "$tmp/out")"
}

way_fargs_stack()
{
	local frames
	fargs_way "$1" "$made" "" -a --stack=8 -f "fargs_bench_$1"
	frames=$(grep -c '^ => ' "$tmp/lines" || :)
	[ "$frames" = $((8 * made)) ] || die "$key: $frames lines of stacks"
}
