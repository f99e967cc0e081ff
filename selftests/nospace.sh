#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A recording that has no room any more ends with a message, and with a file that shows
# what had room.
. "$(dirname "$0")/lib/ktap.sh"
. "$(dirname "$0")/lib/chunks.sh"
test_begin perl dd
begin_load
before=$(nr_traced)

# Room for what comes first, as large as below, and one megabyte of records.
fargs record -f vfs_read -f '*_lock' --no-compress -o "$tmp/first" -- true 2>"$tmp/err"
room=$(($(stat -c %s "$tmp/first") + (1 << 20)))
rm "$tmp/first"
mkdir "$tmp/small"
mount -t tmpfs -o size=$room small "$tmp/small"
timeout 100 fargs record -a -f 'vfs_*' -f '*_lock' --no-compress -o "$tmp/small/trace" 2>"$tmp/err"
check "a recording without room ends with 1" [ $? = 1 ] || note "$(cat "$tmp/err")"
check "and says why" grep -q 'cannot write: No space left on device: it ends after' "$tmp/err"
check "in one line" [ "$(grep -c 'cannot write' "$tmp/err")" = 1 ]
check "its file ends with a whole chunk" \
	[ "$(chunks "$tmp/small/trace" | cut -d' ' -f1)" = "$(stat -c %s "$tmp/small/trace")" ]
check "of which every chunk is shown" \
	[ "$(chunks "$tmp/small/trace")" = "$(found "$tmp/small/trace")" ]
check "nothing is traced any more" nr_traced_is "$before"
umount "$tmp/small"
test_end
