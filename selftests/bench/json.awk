# SPDX-License-Identifier: GPL-2.0-only
# Results of bench/run, each in a file named for its kernel, as one JSON object.
FNR == 1 {
	kernel = FILENAME
	sub(/.*\//, "", kernel)
	printf "%s\"%s\": {", (NR == 1 ? "{" : "},\n "), kernel
}
{
	printf "%s\"%s\": %s", (FNR == 1 ? "" : ", "), $1, $2
}
END {
	print "}}"
}
