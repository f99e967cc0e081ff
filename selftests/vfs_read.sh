#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Arguments of the kernel's own functions are those that strace shows and that programs use.
. "$(dirname "$0")/lib/ktap.sh"

# counts FILE: argument count of cat's calls of vfs_read.
counts()
{
	grep '^ *cat-' "$1" | calls_of | sed -n 's/^vfs_read(.* count=\([0-9]*\), .*/\1/p'
}

fds()
{
	grep '^ *cat-' "$1" | calls_of |
		sed -n 's/^ksys_read(fd=\([0-9]*\), .* count=\([0-9]*\))$/\1 \2/p'
}

test_begin strace cat dd

strace -qq -e trace=read,pread64 -e signal=none -o "$tmp/strace" cat /etc/hostname >/dev/null
sed -n -e 's/^read(.*, \([0-9]*\)) *= .*/\1/p' \
	-e 's/^pread64(.*, \([0-9]*\), [0-9]*) *= .*/\1/p' "$tmp/strace" >"$tmp/wanted"
check "strace shows reads" [ -s "$tmp/wanted" ]

fargs trace -f vfs_read -- cat /etc/hostname >"$tmp/lines" 2>"$tmp/err"
check "trace exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "the command's own output is printed" grep -qx "$(cat /etc/hostname)" "$tmp/lines"
counts "$tmp/lines" >"$tmp/got"
check_same "counts of vfs_read are those of strace" "$tmp/wanted" "$tmp/got"
check "pointers are addresses of the kernel or of user space" \
	grep -Eq 'vfs_read\(file=0xff[0-9a-f]{14}, buf=0x7[0-9a-f]{11}, count=[0-9]+, pos=0x(0|ff[0-9a-f]{14})\) <-' "$tmp/lines"

if grep -q '^ksys_read$' "$tracing/available_filter_functions"; then
	sed -n 's/^read(\([0-9]*\), .*, \([0-9]*\)) *= .*/\1 \2/p' "$tmp/strace" >"$tmp/wanted"
	fargs trace -f ksys_read -- cat /etc/hostname >"$tmp/lines" 2>"$tmp/err"
	fds "$tmp/lines" >"$tmp/got"
	check_same "descriptors and counts of ksys_read are those of strace" "$tmp/wanted" "$tmp/got"
else
	skip "descriptors and counts of ksys_read are those of strace" "ksys_read is not traceable here"
fi

fargs trace -f vfs_read -f vfs_write -- \
	dd if=/dev/zero of=/dev/null bs=777 count=5 >"$tmp/lines" 2>"$tmp/err"
for function in vfs_read vfs_write; do
	check "five blocks of dd are five calls of $function" \
		[ "$(grep -c "^ *dd-.* $function(.* count=777, " "$tmp/lines")" = 5 ]
done
test_end
