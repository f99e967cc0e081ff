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
	       got <= limit ? "met" : "MISSED"
	if (got > limit)
		missed = 1
}

function ratio(a, b, limit,	i, k)
{
	for (i = 1; i <= nr_kernels; i++) {
		k = kernels[i]
		if (((k, a) in value) && ((k, b) in value))
			goal(a " / " b, k, value[k, a] / value[k, b], limit)
	}
}

function at_most(key, limit,	i)
{
	for (i = 1; i <= nr_kernels; i++)
		if ((kernels[i], key) in value)
			goal(key, kernels[i], value[kernels[i], key], limit)
}

# The rows whose key is, or is not, one of layouts: other units.
function table(title, of_layouts,	i, j)
{
	printf "%-16s", title
	for (i = 1; i <= nr_kernels; i++)
		printf " %10s", kernels[i]
	print ""
	for (j = 1; j <= nr_keys; j++) {
		if ((keys[j] ~ /^layout/) != of_layouts)
			continue
		printf "%-16s", keys[j]
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
	table("instructions", 0)
	table("all functions", 1)
	at_most("fargs-4", 190)
	ratio("fargs-4", "func-args-4", 0.30)
	ratio("fargs-4", "fentry-4", 0.60)
	at_most("layouts-ms", 500)
	at_most("layout-bytes", 200)
	exit missed
}
