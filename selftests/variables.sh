#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Variables of the kernel in expressions: per-CPU variables are those of the CPU of the call, others
# have the values that /proc shows.
. "$(dirname "$0")/lib/ktap.sh"

# Reads with a size that no other read has, on each CPU.
read_everywhere()
{
	local cpu
	for ((cpu = 0; cpu < $(nproc); cpu++)); do
		taskset -c "$cpu" dd if=/dev/zero bs=4099 count=3 of=/dev/null 2>/dev/null
	done
}
export -f read_everywhere

# trace_reads ITEMS: sets lines.
trace_reads()
{
	fargs trace -f "vfs_read(count, $1 | count == 4099)" -o "$tmp/lines" -- \
		bash -c read_everywhere 2>"$tmp/err"
	check "trace of $1 exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
}

# values NAME: the values called NAME in lines.
values()
{
	KEY=$1 perl -ne 'print("$1\n") if /[(, ]\Q$ENV{KEY}\E=("(?:[^"\\]|\\.)*"|[^,)]*)[,)]/' "$tmp/lines"
}

# shows NAME WANTED: all calls of the trace have this value, and there are at least six.
shows()
{
	values "$1" | sort | uniq -c >"$tmp/got"
	read -r nr value <"$tmp/got"
	check "$1 is $2 in each call" [ "$(wc -l <"$tmp/got")" = 1 -a "${nr:-0}" -ge 6 -a "$value" = "$2" ] ||
		note "$(cat "$tmp/got")"
}

# is_refused WHAT MESSAGE COLUMN ITEM: trace refuses ITEM with this message at this column of it.
is_refused()
{
	local before='vfs_read(count, '
	fargs trace -f "$before$4)" -- true >"$tmp/lines" 2>"$tmp/err"
	check "$1" [ "$? $(grep -c . "$tmp/err")" = "1 1" ] || note "$(cat "$tmp/err")"
	grep -qF -- "$2" "$tmp/err" && grep -q "column $((${#before} + $3))[:,]" "$tmp/err"
	check "$1, at its column" [ $? = 0 ] || note "$(cat "$tmp/err")"
}

test_begin taskset perl
symbols=$tmp/symbols
cat /proc/kallsyms >"$symbols"

# 6.12 has both in one struct.
task=@current_task cpu=@cpu_number
grep -q ' pcpu_hot$' "$symbols" && task=@pcpu_hot.current_task cpu=@pcpu_hot.cpu_number
trace_reads "\$cpu, \$tid, $cpu, @runqueues.cpu, $task->pid, @runqueues.curr->pid, $task->comm"
check "calls were traced on each CPU" [ "$(values '$cpu' | sort -u | wc -l)" = "$(nproc)" ] ||
	note "$(cat "$tmp/lines")"
for name in "$cpu" @runqueues.cpu; do
	check_same "$name is the CPU of the call" <(values '$cpu') <(values "$name")
done
for name in "$task->pid" "@runqueues.curr->pid"; do
	check_same "$name is the thread of the call" <(values '$tid') <(values "$name")
done
shows "$task->comm" '"dd"'

fargs trace -a -f "vfs_read(count | count == 4099 && @runqueues.cpu == \$cpu && $task == \$task)" \
	-f "vfs_write(count -> $task->comm | $task->pid != \$tid)" -o "$tmp/lines" -- \
	bash -c read_everywhere 2>"$tmp/err"
check "a condition compares a per-CPU variable" \
	[ "$(grep -c vfs_read "$tmp/lines") $(grep -c vfs_write "$tmp/lines")" = "$((3 * $(nproc))) 0" ] ||
	note "$(cat "$tmp/err" "$tmp/lines")"

trace_reads '(unsigned int)@nr_cpu_ids, *(unsigned int *)&@nr_cpu_ids, ((struct task_struct)@init_task).pid, ((struct task_struct *)&@init_task)->comm, ((char *)&@linux_banner):str, &@init_task, (u64)&@init_task:x'
shows '(unsigned int)@nr_cpu_ids' "$(nproc --all)"
shows '*(unsigned int *)(&@nr_cpu_ids)' "$(nproc --all)"
shows '((struct task_struct)@init_task).pid' 0
shows '((struct task_struct *)(&@init_task))->comm' '"swapper/0"'
shows '(char *)(&@linux_banner)' "\"$(cat /proc/version)\\n\""
shows '&@init_task' init_task
shows '(u64)(&@init_task):x' "0x$(awk '$3 == "init_task" { print $1 }' "$symbols")"

# The counter of ticks runs at HZ, 250, and starts at a number near its overflow.
fargs record -f 'vfs_read(count, (u64)@jiffies_64 | count == 4099)' -o "$tmp/trace" -- \
	bash -c 'read_everywhere; sleep 2; read_everywhere' 2>"$tmp/err"
fargs report --json "$tmp/trace" | perl -ne '
	/"time_ns":(\d+).*"name":"\(u64\)\@jiffies_64".*?"value":(\d+)/ or next;
	($time, $ticks) = ($1, $2);
	($first, $began) = ($ticks, $time) if !$nr++;
	END { printf("%d %d\n", $nr, abs(($ticks - $first) * 4e6 - ($time - $began)) < 1e8) }' >"$tmp/got"
check "jiffies_64 counts ticks" [ "$(cat "$tmp/got")" = "$((6 * $(nproc))) 1" ] ||
	note "$(cat "$tmp/got")" "$(fargs report "$tmp/trace" | sed -n '1p;$p')"
lines=$(fargs report --filter '(u64)@jiffies_64 > 1000' "$tmp/trace" | grep -c vfs_read)
check "a filter can use a recorded variable" [ "$lines" = $((6 * $(nproc))) ] || note "$lines"

is_refused "a variable that does not exist" "the kernel has no variable 'no_such_variable'" 1 \
	@no_such_variable:x
is_refused "a variable without a type" "BTF has no type of '@jiffies'" 1 '@jiffies'
is_refused "a member of a variable without a type" "BTF has no type of '@init_task'" 1 \
	'@init_task.pid'
is_refused "a variable of a module" "'first' is a variable of the module fargs_target" 10 \
	'*(u64 *)&@first'
twice=$(awk '$2 ~ /[bBdD]/ && $3 ~ /^[a-z_]+$/ && $3 !~ /^__/ && NF == 3 { print $3 }' "$symbols" |
	sort | uniq -d | head -n 1)
nr=$(awk -v name="$twice" '$3 == name && NF == 3' "$symbols" | wc -l)
is_refused "a name of several variables" "$nr variables are called '$twice'" 6 "(u64)@$twice"
freed=$(awk '$3 == "__init_begin" { is_in = 1 } $3 == "__init_end" { exit }
	is_in && $2 ~ /[dD]/ && $3 ~ /^[a-z_]+$/ && $3 !~ /^__/ { print $3 }' "$symbols" |
	while read -r name; do
		[ "$(awk -v name="$name" '$3 == name' "$symbols" | wc -l)" != 1 ] || { echo "$name"; break; }
	done)
is_refused "a variable of the kernel's start" "the kernel has freed '$freed'" 6 "(u64)@$freed"
test_end
