# SPDX-License-Identifier: GPL-2.0-only
# Results of bench/run, each in a file named for its kernel, as a table; then
# the goals, and exit status 1 if one is missed.
FNR == 1 {
	kernel = FILENAME
	sub(/.*\//, "", kernel)
	kernels[++nr_kernels] = kernel
}
{
	if (!($1 in known)) {
		known[$1] = 1
		keys[++nr_keys] = $1
	}
	value[kernel, $1] = $2
}

function goal(what, kernel, got, limit)
{
	printf "%-52s %-5s %8.2f  %s\n", what " <= " limit, kernel, got,
	       (got <= limit) ? "met" : "MISSED"
	if (got > limit)
		missed = 1
}

function ratio_on(k, a, b, limit)
{
	if (((k, a) in value) && ((k, b) in value))
		goal(a " / " b, k, value[k, a] / value[k, b], limit)
}

function ratio(a, b, limit,	i)
{
	for (i = 1; i <= nr_kernels; i++)
		ratio_on(kernels[i], a, b, limit)
}

function at_least(key, limit,	i, k)
{
	for (i = 1; i <= nr_kernels; i++) {
		k = kernels[i]
		if (!((k, key) in value))
			continue
		printf "%-52s %-5s %8.2f  %s\n", key " >= " limit, k, value[k, key],
		       (value[k, key] >= limit) ? "met" : "MISSED"
		if (value[k, key] < limit)
			missed = 1
	}
}

function at_most_on(k, key, limit)
{
	if ((k, key) in value)
		goal(key, k, value[k, key], limit)
}

function at_most(key, limit,	i)
{
	for (i = 1; i <= nr_kernels; i++)
		at_most_on(kernels[i], key, limit)
}

# What a key is about: each in units of its own.
function group(key)
{
	if (key ~ /^(layout|start|stop)/)
		return "layouts"
	if (key ~ /^file-/)
		return "files"
	return key ~ /^pt-/ ? "Intel PT" : "events"
}

function table(title, of,	i, j)
{
	printf "%-36s", title
	for (i = 1; i <= nr_kernels; i++)
		printf " %10s", kernels[i]
	print ""
	for (j = 1; j <= nr_keys; j++) {
		if (group(keys[j]) != of)
			continue
		printf "%-36s", keys[j]
		for (i = 1; i <= nr_kernels; i++) {
			if ((kernels[i], keys[j]) in value)
				printf " %10.2f", value[kernels[i], keys[j]]
			else
				printf " %10s", "-"
		}
		print ""
	}
	print ""
}

END {
	table("instructions", "events")
	table("all functions", "layouts")
	table("trace files", "files")
	table("Intel PT", "Intel PT")
	at_most("fargs-4", 140)
	at_most("fargs-4-wrapped", 140)
	ratio("fargs-4", "func-args-4", 0.30)
	ratio("fargs-4", "fentry-4", 0.60)
	at_most("fargs-4-reject", 98)
	ratio("fargs-4-reject", "fargs-4", 0.70)
	at_most("fargs-4-string", 255)
	at_most("fargs-4-path", 265)
	at_most_on("6.1", "fargs-4-return", 525)
	at_most_on("6.12", "fargs-4-return", 585)
	at_most_on("7.2", "fargs-4-return", 605)
	at_most("fargs-4-beside-fargs", 280)
	ratio_on("7.2", "fargs-4-return", "fprobe-4-return", 0.35)
	at_most("layouts-ms", 500)
	at_most("layout-bytes", 200)
	ratio("start-ms", "start-function-ms", 1.1)
	ratio("stop-ms", "stop-function-ms", 1.1)
	ratio("start-one-ms", "start-one-trace-cmd-ms", 3)
	at_least("file-lines-to-trace-cmd", 5)
	at_most("file-bytes-packed", 16)
	at_most("file-large-peak-mb", 200)
	at_least("pt-calls-to-libipt", 0.8)
	at_most("pt-filter-to-perf", 1.2)
	exit missed
}
