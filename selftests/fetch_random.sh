#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Fetches random expressions from memory whose contents fetch_random knows.
#
#	fetch_random.sh [ROUNDS [SEED]]
#
# Each round has new memory contents, 112 values and 16 comparisons (2 rounds from seed 1).
. "$(dirname "$0")/lib/ktap.sh"

rounds=${1:-2}
seed=${2:-1}

words_of()
{
	sed -n "s/^$1 $2 //p" "$tmp/ways"
}

# round SEED: fetches and compares with the values that fetch_random prints.
round()
{
	local function args=() keys
	echo "$1" >/proc/fargs_known
	"$fetch_random" "$1" >"$tmp/ways" || fail "seed $1: fetch_random prints selectors"
	mapfile -t selectors < <(sed -n 's/^selector [a-z0-9_]* //p' "$tmp/ways")
	for selector in "${selectors[@]}"; do
		args+=(-f "$selector")
	done
	fargs trace -a "${args[@]}" -- bash -c call_all >"$tmp/lines" 2>"$tmp/err"
	check "seed $1: trace exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
	for function in fargs_k_{0..7}; do
		mapfile -t keys < <(words_of key $function)
		words_of value $function >"$tmp/wanted"
		"$test_dir/lib/values.pl" $function "${keys[@]}" <"$tmp/lines" >"$tmp/got"
		check_same "seed $1: values fetched by $function are right" "$tmp/wanted" "$tmp/got" ||
			note "$(grep "^selector $function" "$tmp/ways"; grep " $function(" "$tmp/lines")"
	done
	sed -n 's/^accepted //p' "$tmp/ways" >"$tmp/wanted"
	sed -n 's/.*: \(fargs_k_[89]\)(.*/\1/p' "$tmp/lines" >"$tmp/got"
	check_same "seed $1: only the call that meets all conditions is shown" "$tmp/wanted" "$tmp/got" ||
		note "$(grep "^selector fargs_k_[89]" "$tmp/ways")"
}

call_all()
{
	local i
	for i in 0 1 2 3 4 5 6 7 8 9; do
		echo fargs_k_$i >"$target"
	done
}
export -f call_all
export target

test_begin perl
fetch_random=$(program fetch_random) || skip_all "fetch_random is not built"
for ((i = 0; i < rounds; i++)); do
	round $((seed + i))
done
test_end
