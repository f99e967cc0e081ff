#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The formats :path, :cgroup and :bdev record the names that the kernel itself gives files, cgroups
# and disks: in /proc/self/fd, /proc/self/cgroup and /sys/block. :inet, :skb and :uuid show what a
# program asks for, or is told.
. "$(dirname "$0")/lib/ktap.sh"

# Reads from each file, with a size that no other read has. Prints the file's path as the kernel
# knows it.
read_all()
{
	local file
	for file in "$@"; do
		exec <"$file"
		readlink /proc/self/fd/0
		dd bs=4099 count=1 of=/dev/null 2>/dev/null
	done
}

# strings KEY: the strings called KEY in the lines of trace, one per line.
strings()
{
	KEY=$1 perl -ne 'print("$1\n") if /[(, ]\Q$ENV{KEY}\E="((?:[^"\\]|\\.)*)"/' "$tmp/lines"
}

# trace_reads ITEMS FILE...: sets wanted and lines.
trace_reads()
{
	local items=$1
	shift
	fargs trace -f "vfs_read(file, count, $items | count == 4099)" -o "$tmp/lines" -- \
		bash -c 'read_all "$@" >"$0"' "$tmp/wanted" "$@" 2>"$tmp/err"
	check "trace of $items exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
}

test_begin perl mount
mkdir "$tmp/a"
mount -t tmpfs none "$tmp/a"
trap 'umount -R "$tmp/a" "$tmp/bind" 2>/dev/null; test_cleanup' EXIT
mkdir -p "$tmp/a/b" "$tmp/bind"
mount -t tmpfs none "$tmp/a/b"
mkdir -p "$tmp/a/b/c/d"
echo text | tee "$tmp/a/top" "$tmp/a/b/inner" "$tmp/a/b/c/d/file" "$tmp/a/b/c/blank and	tab" >"$tmp/plain"
mount --bind "$tmp/a/b/c" "$tmp/bind"
export -f read_all

files=("$tmp/a/top" "$tmp/a/b/inner" "$tmp/a/b/c/d/file" "$tmp/a/b/c/blank and	tab" "$tmp/plain"
	"$tmp/bind/d/file" /proc/self/cmdline /sys/kernel/uevent_seqnum /dev/zero /etc/passwd)
trace_reads 'file:path' "${files[@]}"
strings file | sed 's/\\t/\t/' >"$tmp/got"
check_same ":path of a file is its path across mounts" "$tmp/wanted" "$tmp/got"
trace_reads '((struct file *)(u64)file):path' "${files[@]}"
strings '(struct file *)(u64)file' | sed 's/\\t/\t/' >"$tmp/got"
check_same ":path of a number that is cast to a file is the same" "$tmp/wanted" "$tmp/got"
trace_reads 'file->f_path:path' "${files[@]}"
strings 'file->f_path' | sed 's/\\t/\t/' >"$tmp/got"
check_same ":path of a struct path is the same" "$tmp/wanted" "$tmp/got"
trace_reads 'file->f_path.dentry:path' "$tmp/a/top" "$tmp/a/b/c/d/file" "$tmp/bind/d/file"
strings 'file->f_path.dentry' >"$tmp/got"
printf '%s\n' /top /c/d/file /c/d/file >"$tmp/wanted"
check_same ":path of a dentry is its path in the file system" "$tmp/wanted" "$tmp/got"

# Two paths in one selector, of which only one goes across mounts
trace_reads 'file->f_path.dentry:path, file:path' /proc/self/cmdline "$tmp/a/b/c/d/file"
strings file >"$tmp/got"
check_same ":path of a file beside that of its dentry is the same" "$tmp/wanted" "$tmp/got"

# Recorded paths can be compared afterwards.
fargs record -f 'vfs_read(file:path | count == 4099)' -o "$tmp/trace" -- \
	bash -c 'read_all "$@"' sh "${files[@]}" >"$tmp/told" 2>"$tmp/err"
fargs report --filter 'file:path == "*/inner"' "$tmp/trace" >"$tmp/lines" 2>>"$tmp/err"
strings file >"$tmp/got"
grep '/inner$' "$tmp/told" >"$tmp/wanted"
check_same "report --filter compares paths" "$tmp/wanted" "$tmp/got" || note "$(cat "$tmp/err")"

# A path that is too long keeps its end, from a '/' on.
long=$tmp/a/$(printf '%060d/' 1 2 3 4 5 6 7 8)end
mkdir -p "$long"
echo text >"$long/file"
trace_reads 'file:path' "$long/file"
end=$(sed -n 's/.*file=…"\(\/[^"]*\)", .*/\1/p' "$tmp/lines")
check ":path of a long path is cut at its beginning, at a '/'" [ -n "$end" ] ||
	note "$(cat "$tmp/lines")"
check "the rest is its end, as long as -s allows" \
	[ "${long}/file" = "${long%"${end%/file}"}$end" ] && [ "${#end}" -gt 192 ] || note "$end"
fargs trace -s 1024 -f "vfs_read(file:path | count == 4099)" -o "$tmp/lines" -- \
	bash -c 'read_all "$@" >"$0"' "$tmp/wanted" "$long/file" 2>"$tmp/err"
strings file >"$tmp/got"
check_same "-s records all of it" "$tmp/wanted" "$tmp/got"

# Files that are in no directory
echo text | fargs trace -f 'vfs_read(file:path | count == 4099)' -o "$tmp/lines" -- \
	dd bs=4099 count=1 of=/dev/null 2>"$tmp/err"
check "a pipe has no path" grep -q 'file="", ' "$tmp/lines" || note "$(cat "$tmp/lines")"

if [ -e /sys/fs/cgroup/cgroup.procs ]; then
	mkdir -p /sys/fs/cgroup/fargs_paths/inner
	bash -c 'echo $$ >/sys/fs/cgroup/fargs_paths/inner/cgroup.procs
		cut -d: -f3 /proc/self/cgroup
		exec fargs trace -f "vfs_read(\$task:cgroup | count == 4099)" -o "$0" -- \
			dd bs=4099 count=1 if=/dev/zero of=/dev/null' "$tmp/lines" >"$tmp/wanted" 2>"$tmp/err"
	strings '$task' >"$tmp/got"
	check_same ":cgroup is the path in /proc/self/cgroup" "$tmp/wanted" "$tmp/got"
	rmdir /sys/fs/cgroup/fargs_paths/inner /sys/fs/cgroup/fargs_paths
else
	skip ":cgroup is the path in /proc/self/cgroup" "no cgroups of version 2 are mounted"
fi

disk=$(find /sys/block/vd? /sys/block/sd? /sys/block/nvme?n? -maxdepth 0 2>/dev/null | head -n 1)
if [ -n "$disk" ]; then
	fargs trace -f 'submit_bio(bio:bdev)' -o "$tmp/lines" -- \
		dd if="/dev/${disk##*/}" of=/dev/null bs=4096 count=1 iflag=direct 2>"$tmp/err"
	check ":bdev is the disk's name" grep -q "^ *dd-.*bio=\"${disk##*/}\"" "$tmp/lines" ||
		note "$(cat "$tmp/err" "$tmp/lines")"
else
	skip ":bdev is the disk's name" "this machine has no disk"
fi

# Addresses: perl knows those of both ends of its connections.
cat >"$tmp/talk" <<-'END'
	use strict;
	use Socket qw(:DEFAULT inet_pton getaddrinfo);
	sub name {
		my ($family) = my @a = (sockaddr_family($_[0]), $_[0]);
		my ($port, $ip) = $family == AF_INET ? unpack_sockaddr_in($_[0])
						     : Socket::unpack_sockaddr_in6($_[0]);
		my $text = Socket::inet_ntop($family, $ip);
		return $family == AF_INET ? "$text:$port" : "[$text]:$port";
	}
	for ([AF_INET, pack_sockaddr_in(0, inet_aton("127.0.0.1"))],
	     [Socket::AF_INET6, Socket::pack_sockaddr_in6(0, inet_pton(Socket::AF_INET6, "::1"))]) {
		my ($family, $any) = @$_;
		socket(my $l, $family, SOCK_STREAM, 0) or die("socket: $!");
		bind($l, $any) or die("bind: $!");
		listen($l, 1) or die("listen: $!");
		socket(my $c, $family, SOCK_STREAM, 0);
		connect($c, getsockname($l)) or die("connect: $!");
		accept(my $a, $l) or die("accept: $!");
		syswrite($c, "x" x 77);
		sysread($a, my $got, 77);
		print(join(" ", name(getsockname($c)), name(getpeername($c))), "\n");
	}
	socket(my $u, AF_UNIX, SOCK_STREAM, 0);
	connect($u, pack_sockaddr_un("/no such/socket"));
END
if perl -c "$tmp/talk" 2>/dev/null && grep -q . /proc/net/if_inet6 2>/dev/null; then
	ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || perl -e '
		socket(my $s, 2, 2, 0);
		my $r = pack("a16 s x14", "lo", 0x49);
		ioctl($s, 0x8914, $r) or die("lo: $!");'
fi
if perl "$tmp/talk" >"$tmp/peers" 2>"$tmp/err"; then
	fargs trace -f 'tcp_v4_connect(uaddr:inet)' -f 'tcp_v6_connect(uaddr:inet)' \
		-f 'unix_stream_connect(uaddr:inet)' -f 'tcp_sendmsg(sk:inet | size == 77)' \
		-f 'tcp_v4_rcv(skb:skb)' -f 'tcp_v6_rcv(skb:skb)' -o "$tmp/lines" -- \
		perl "$tmp/talk" >"$tmp/peers" 2>"$tmp/err"
	sed 's/.* //' "$tmp/peers" >"$tmp/wanted"
	# A struct sockaddr has no length, so its path could be anything.
	echo "AF_UNIX" >>"$tmp/wanted"
	strings uaddr >"$tmp/got"
	check_same ":inet of an address is what connect() was given" "$tmp/wanted" "$tmp/got"
	fargs trace -f 'tcp_v4_connect(sk:inet) -> sk:inet' -o "$tmp/both" -- \
		perl "$tmp/talk" >"$tmp/other" 2>"$tmp/err"
	sed -n '1s/ /->/p' "$tmp/other" >"$tmp/wanted"
	sed -n 's/.*(sk=[^,]*, sk="0.0.0.0:0->0.0.0.0:0", .*) = 0, sk="\([^"]*\)".*/\1/p' "$tmp/both" >"$tmp/got"
	check_same ":inet of a socket before and after connect()" "$tmp/wanted" "$tmp/got" ||
		note "$(cat "$tmp/both")"
	sed 's/ /->/' "$tmp/peers" >"$tmp/wanted"
	strings sk >"$tmp/got"
	check_same ":inet of a socket are its two ends" "$tmp/wanted" "$tmp/got"
	# 77 bytes after headers of 20 or 40 bytes for IP, and 20 + 12 (time stamps) for TCP
	{
		sed -n '1s/\(.*\) \(.*\)/TCP \1->\2 129 bytes/p' "$tmp/peers"
		sed -n '2s/\(.*\) \(.*\)/TCP \1->\2 149 bytes/p' "$tmp/peers"
	} >"$tmp/wanted"
	strings skb | grep -E ' 1[24]9 bytes$' >"$tmp/got"
	check_same ":skb has the packet's ends, protocol and length" "$tmp/wanted" "$tmp/got"
else
	skip ":inet and :skb" "no connections over the loopback device: $(head -n 1 "$tmp/err")"
fi

fargs trace -f 'generate_random_uuid -> uuid:uuid' -o "$tmp/lines" -- \
	cat /proc/sys/kernel/random/uuid >"$tmp/wanted" 2>"$tmp/err"
strings uuid >"$tmp/got"
check_same ":uuid is what /proc/sys/kernel/random/uuid says" "$tmp/wanted" "$tmp/got" ||
	note "$(cat "$tmp/err" "$tmp/lines")"

members=file:path
for ((i = 0; i < 8; i++)); do
	members+=", (&file[$i]):path"
done
fargs trace -f "vfs_read($members)" -- true 2>"$tmp/err"
check "more than eight paths are refused" [ $? != 0 -a "$(grep -c 'too many paths' "$tmp/err")" = 1 ] ||
	note "$(cat "$tmp/err")"

# What the format is not for is refused at its column.
fargs trace -f 'vfs_read(count:path)' -- true 2>"$tmp/err"
check "a number has no path" [ $? != 0 ]
check "the message names what has one" \
	grep -q "column 10: 'count' is of type .*; ':path' is for struct dentry, path, file" "$tmp/err" ||
	note "$(cat "$tmp/err")"
test_end
