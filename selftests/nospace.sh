#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A recording whose file system is full ends with a message, and its file can be read.
. "$(dirname "$0")/lib/ktap.sh"
. "$(dirname "$0")/lib/chunks.sh"
test_begin perl dd
begin_load
before=$(nr_traced)

# Space for the file's beginning, which is measured first, and for one megabyte of records.
fargs record -f vfs_read -f '*_lock' --no-compress -o "$tmp/first" -- true 2>"$tmp/err"
room=$(($(stat -c %s "$tmp/first") + (1 << 20)))
rm "$tmp/first"
mkdir "$tmp/small"
mount -t tmpfs -o size=$room small "$tmp/small"
timeout 100 fargs record -a -f 'vfs_*' -f '*_lock' --no-compress -o "$tmp/small/trace" 2>"$tmp/err"
check "record exits with 1 if the disk is full" [ $? = 1 ] || note "$(cat "$tmp/err")"
check "record reports that the disk is full" grep -q ': No space left on device: it was truncated to' "$tmp/err"
check "the full disk is reported in one line" [ "$(grep -c 'cannot write' "$tmp/err")" = 1 ]
check "the file ends with a whole chunk" \
	[ "$(chunks "$tmp/small/trace" | cut -d' ' -f1)" = "$(stat -c %s "$tmp/small/trace")" ]
check "fargs reads every chunk of the file" \
	[ "$(chunks "$tmp/small/trace")" = "$(found "$tmp/small/trace")" ]
check "no function is traced afterwards" nr_traced_is "$before"
umount "$tmp/small"
test_end
