#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# samples/reader traces a function with nothing but the public headers.
. "$(dirname "$0")/lib/ktap.sh"

address()
{
	sed -n "s/ [tT] $1\t.*//p; s/ [tT] $1\$//p" /proc/kallsyms
}

test_begin
reader=$(program reader) || skip_all "reader is not built"

"$reader" "$(address fargs_t_6)" s8:a s16:b s32:c s64:d u8:e u16:f -- \
	sh -c "echo fargs_t_6 3 >$target; echo fargs_t_int >$target" >"$tmp/lines" 2>"$tmp/err"
check "reader exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
for _ in 1 2 3; do
	truth_of fargs_t_6 | sed 's/.*(\(.*\))/ \1/; s/,//g'
done >"$tmp/wanted"
sed 's/^[^:]*://' "$tmp/lines" >"$tmp/got"
check_same "the reader shows the target's values" "$tmp/wanted" "$tmp/got"
check "sequence numbers of a CPU increase by one" \
	[ -z "$(awk '{ if (seen[$2]++ != $4) print }' "$tmp/lines")" ]

"$reader" "$(address fargs_t_dirty_6)" s8:a u16:b s32:c u32:d bool:e s32:f -- \
	sh -c "echo fargs_t_dirty_6 >$target" >"$tmp/lines" 2>"$tmp/err"
echo ' a=-8 b=16 c=-32 d=32 e=1 f=1' >"$tmp/wanted"
sed 's/^[^:]*://' "$tmp/lines" >"$tmp/got"
check_same "other bits of a register do not change the value" "$tmp/wanted" "$tmp/got"

"$reader" 1234 s32:a -- true 2>"$tmp/err"
check "an address that cannot be traced is refused" [ $? = 1 ]
check "the module's reason is shown" grep -q 'traceable' "$tmp/err"
test_end
