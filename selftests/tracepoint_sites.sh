#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The rules in Documentation/tracepoints.md, each shown by samples/tracepoint. sites.c there
# contains the code that fires them.
. "$(dirname "$0")/lib/ktap.sh"

test_begin jq
modprobe -n -q fargs_tp_direct || skip_all "module fargs_tp_direct is not installed"
rmmod fargs_tp_direct fargs_tp_probe fargs_tp_event 2>/dev/null
sites=/proc/fargs_tp_sites
file=/proc/fargs_tp
direct=/sys/module/fargs_tp_direct/parameters/ticks
by_name=/sys/module/fargs_tp_probe/parameters/ticks

# hits OPTION...: records one reading of the file, and writes its hits and calls as JSON.
hits()
{
	fargs record -o "$tmp/dat" -f do_trace_fargs_tp_header -f describe_reader "$@" -- cat $sites 2>"$tmp/err" &&
		fargs report --json "$tmp/dat" >"$tmp/json"
}

# selected FILTER: applies it to each hit and call of the last hits().
selected()
{
	jq -r "select(.type == \"tracepoint\" or .type == \"call\") | $1" "$tmp/json"
}

# are NAME VALUE...: the first arguments of the hits of a tracepoint.
are()
{
	local name=$1
	shift
	[ "$(selected "select(.name == \"$name\") | .args[0].value" | xargs)" = "$*" ]
}

is_called() { [ "$(selected "select(.name == \"$1\") | .name" | wc -l)" = "$2" ]; }
records() { cat "$tmp/err" "$tmp/json"; }

modprobe fargs_tp_event

# Nothing is prepared for tracepoints that are off.
hits -t fargs_tp_odd
check "a header does not call the function that fires its tracepoint while that is off" \
	is_called do_trace_fargs_tp_header 0 || note "$(records)"
check "nothing is prepared for a tracepoint that is off" is_called describe_reader 0 || note "$(records)"
check "another tracepoint fires meanwhile" is_called fargs_tp_odd 5 || note "$(records)"

# All of these tracepoints are on. The kernel's event shows whether the condition is right.
instance=$tracing/instances/fargs_sites
mkdir "$instance"
echo 1 >"$instance/events/fargs_tp/fargs_tp_odd/enable"
hits -t fargs_tp_site -t fargs_tp_odd -t fargs_tp_header -t 'fargs_tp_text(text:str)' --stack=4
sed -nE 's/.* fargs_tp_odd: nr=//p' "$instance/trace" >"$tmp/got"
echo 0 >"$instance/events/fargs_tp/fargs_tp_odd/enable"
rmdir "$instance"
check "a tracepoint with a condition fires only if the condition holds" are fargs_tp_odd 1 3 5 7 9 || note "$(records)"
printf '%d\n' 1 3 5 7 9 >"$tmp/wanted"
check_same "the tracepoint's event in tracefs occurs for the same values" "$tmp/wanted" "$tmp/got"
check "a header fires a tracepoint that is on" are fargs_tp_header 20 21 22 || note "$(records)"
check "the header calls a function in a .c file that fires the tracepoint" is_called do_trace_fargs_tp_header 3 || note "$(records)"
selected 'select(.name == "fargs_tp_text") | .args[1].value' >"$tmp/got"
echo "fargs_tp_sites read by cat" >"$tmp/wanted"
check_same "an argument is prepared for a tracepoint that is on" "$tmp/wanted" "$tmp/got" || note "$(records)"
check "the argument is prepared only once" is_called describe_reader 1 || note "$(records)"

# A compiler may leave the tracepoint's own inline function, __do_trace_NAME, out of line.
site='([.caller] + .stack | map(select(.symbol // "" | startswith("__do_trace_") | not)) | .[0])'
cat >"$tmp/wanted" <<-END
	1 site_first
	2 site_second
	3 site_third
	10 site_unrolled
	11 site_unrolled
	12 site_unrolled
	13 site_unrolled
END
selected "select(.name == \"fargs_tp_site\") | \"\(.args[0].value) \($site.symbol)\"" >"$tmp/got"
check_same "a tracepoint in an inline function and in a loop fires once for each call" "$tmp/wanted" "$tmp/got" ||
	note "$(records)"
nr=$(selected 'select(.name == "fargs_tp_site") | .caller.address' | sort -u | wc -l)
check "an inline function has a site in each caller, an unrolled loop has one for each iteration" [ "$nr" = 7 ] ||
	note "$(records)"

# If a module registers a probe with an exported tracepoint, it depends on the module that
# exports the tracepoint.
rmmod fargs_tp_event
modprobe fargs_tp_direct
check "modprobe loads the module that exports the tracepoint" [ -e $file ]
modprobe fargs_tp_probe
echo 10 >$file
check "a probe is called through an exported tracepoint" [ "$(cat $direct)" = 10 ] || note "$(cat $direct)"
check "another probe of the same tracepoint is called as well" [ "$(cat $by_name)" = 10 ] || note "$(cat $by_name)"
rmmod fargs_tp_event 2>"$tmp/err"
check "the module that exports a probed tracepoint cannot be unloaded" [ -e $file ] || note "$(cat "$tmp/err")"

# Probes are unregistered while the tracepoint fires, and the code of their modules is freed.
has_more() { [ "$(cat $direct)" != 10 ]; }
echo 100000000 >$file &
writer=$!
wait_until 60 has_more
check "the tracepoint continues to fire" [ $? = 0 ]
rmmod fargs_tp_direct
status=$?
rmmod fargs_tp_probe
check "modules with probes can be unloaded while the tracepoint fires" [ "$status $?" = "0 0" ]
check "the tracepoint still fires without probes" kill $writer
wait $writer

# Unload the modules in the other order. A module that finds tracepoints by name does not depend
# on their module.
modprobe fargs_tp_probe
rmmod fargs_tp_event
check "a module whose tracepoints are probed by name can be unloaded" [ $? = 0 ]
rmmod fargs_tp_probe
check "the module with the probes can be unloaded afterwards" [ $? = 0 ]
test_end
