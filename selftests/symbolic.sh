#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Names of numbers: flags of system calls are those that strace shows, gfp_t those of the kernel's
# own tracepoints, and modes and devices those of stat. Constants in selectors have the same values.
. "$(dirname "$0")/lib/ktap.sh"

symbolic=$(dirname "$0")/lib/symbolic.pl

# same_lines WHAT LEAST: compares the files wanted and got, which need not be in the same order, and
# of which the first must have at least LEAST different lines.
same_lines()
{
	sort "$tmp/wanted" >"$tmp/wanted.sorted"
	sort "$tmp/got" >"$tmp/got.sorted"
	check "$1: there is something to compare" \
		[ "$(sort -u "$tmp/wanted" | wc -l)" -ge "$2" ] || note "$(cat "$tmp/err")"
	check_same "$1" "$tmp/wanted.sorted" "$tmp/got.sorted"
}

test_begin strace perl
cat >"$tmp/work" <<-'END'
	use Fcntl qw(:DEFAULT :seek);
	my ($dir) = @ARGV;
	# syscall() does not take constants.
	my ($p, $q, $r, $buffer) = ("$dir/a", "$dir/b", "$dir/d", "x" x 256);
	umask(027);
	sysopen(my $a, "$dir/a", O_RDWR | O_CREAT | O_EXCL | O_APPEND, 0640);
	sysopen(my $b, "$dir/a", O_WRONLY | O_TRUNC | O_NONBLOCK | O_NOFOLLOW | O_NOATIME);
	sysopen(my $c, $dir, O_RDONLY | O_DIRECTORY | O_SYNC | O_DSYNC);
	sysopen(my $d, $dir, 020200002, 0600);	# O_TMPFILE | O_RDWR
	sysopen(my $e, "/dev/null", O_RDWR | O_NOCTTY);
	sysopen(my $f, "$dir/a", 010000000 | 3);	# O_PATH
	sysseek($a, 0, SEEK_END);
	sysseek($a, 0, 4);	# SEEK_HOLE
	kill(0, $$);
	local $SIG{USR2} = sub { };
	kill(USR2 => $$);
	my $at = syscall(9, 0, 8192, 3, 0x8022, -1, 0);	# mmap
	syscall(28, $at, 4096, 4);			# madvise
	syscall(28, $at, 4096, 21);
	syscall(10, $at, 4096, 0);			# mprotect
	syscall(10, $at, 4096, 7);
	syscall(269, -100, $p, $_) for 0, 6, 1;	# faccessat
	syscall(258, -100, $r, 01755);		# mkdirat
	syscall(268, -100, $p, 04640);		# fchmodat
	syscall(316, -100, $p, -100, $q, 1);	# renameat2
	syscall(316, -100, $q, -100, $p, 0);
	syscall(263, -100, $r, 0x200);		# unlinkat
	syscall(262, -100, $p, $buffer, 0x100);	# newfstatat
	syscall(272, 0x20200);				# unshare
	syscall(293, $buffer, 02004000);		# pipe2
	sysopen(my $g, "$dir/a", O_RDONLY);
	for ("$dir/a", "/dev/null", "/") {
		my @stat = stat($_);
		my $type = -d _ ? "S_IFDIR" : -c _ ? "S_IFCHR" : "S_IFREG";
		# stat.st_rdev has 8 bits of the minor number in its lowest byte.
		printf("%s %s|%#o %d:%d\n", /([^\/]*)$/, $type, $stat[2] & 07777, $stat[6] >> 8 & 0xfff,
		       $stat[6] & 0xff);
	}
	exit(0) if !fork;
	wait;
	open(my $root, "<", "/");
END
mkdir "$tmp/dir"
mount -t tmpfs none "$tmp/dir"
instance=$tracing/instances/fargs_symbolic
mkdir "$instance"
trap 'umount "$tmp/dir"; rmdir "$instance"; test_cleanup' EXIT
echo 16384 >"$instance/buffer_size_kb"
for event in mm_page_alloc kmem_cache_alloc; do
	echo 'COMM == "perl"' >"$instance/events/kmem/$event/filter"
	echo 1 >"$instance/events/kmem/$event/enable"
done
calls=(openat faccessat faccessat2 unlinkat mkdirat fchmodat newfstatat renameat2 mmap mprotect
	madvise lseek kill umask rt_sigaction rt_sigprocmask unshare clone pipe2)
selectors=()
fargs list --proto -f '__x64_sys_*' >"$tmp/protos"
traced=
for call in "${calls[@]}"; do
	# BTF of 6.1 does not describe all of them.
	grep -q "__x64_sys_$call(" "$tmp/protos" || continue
	traced+=" $call"
	# Some kernels declare the parameter by another name, which BTF may have.
	regs=$(grep "__x64_sys_$call(" "$tmp/protos" | grep -o __unused)
	: "${regs:=regs}"
	selectors+=(-f "__x64_sys_$call($regs->di, $regs->si, $regs->dx, $regs->r10, $regs->r8)")
done
path='path->dentry->d_name.name'
inode='path->dentry->d_inode'
fargs record -m 4M --comm perl -o "$tmp/trace" "${selectors[@]}" -t mm_page_alloc \
	-t 'kmem_cache_alloc(gfp_flags & __GFP_ACCOUNT)' \
	-f "vfs_open($path:str, $inode->i_mode, $inode->i_rdev, $inode->i_fop, $inode->i_fop:x)" \
	-f 'do_sys_openat2(how->flags | how->flags & (O_APPEND|O_TRUNC))' -- \
	strace -qq -f -e signal=none -o "$tmp/strace" perl "$tmp/work" "$tmp/dir" \
	>"$tmp/told" 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
echo 0 >"$instance/tracing_on"
cat "$instance/trace" >"$tmp/kernel"
check "every call is accounted for" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"
fargs report "$tmp/trace" >"$tmp/lines"

"$symbolic" strace "$traced" "$tmp/strace" >"$tmp/wanted"
"$symbolic" calls "$tmp/lines" >"$tmp/got"
same_lines "arguments of system calls have the names that strace shows" 45

"$symbolic" trace "$tmp/kernel" mm_page_alloc >"$tmp/wanted"
"$symbolic" tpoints "$tmp/lines" mm_page_alloc >"$tmp/got"
same_lines "gfp flags have the kernel's names" 5

grep __GFP_ZERO "$tmp/wanted" >"$tmp/zero"
fargs report --filter '$func == "mm_page_alloc" && gfp_flags & __GFP_ZERO' "$tmp/trace" >"$tmp/zeroed"
"$symbolic" tpoints "$tmp/zeroed" mm_page_alloc >"$tmp/got"
mv "$tmp/zero" "$tmp/wanted"
same_lines "--filter knows the kernel's gfp flags" 2

"$symbolic" trace "$tmp/kernel" kmem_cache_alloc | grep ACCOUNT >"$tmp/wanted"
"$symbolic" tpoints "$tmp/lines" kmem_cache_alloc >"$tmp/got"
same_lines "a selector knows the kernel's gfp flags, and call sites are symbols" 1

sed -n "s#.* vfs_open(.*$path=\"\([^\"]*\)\", $inode->i_mode=\(.*\), $inode->i_rdev=\([0-9:]*\).*#\1 \2 \3#p" \
	"$tmp/lines" | sed 's#^/ # #' >"$tmp/opened"
sort -u "$tmp/told" >"$tmp/wanted"
sort -u "$tmp/opened" | grep -xF -f "$tmp/told" >"$tmp/got"
same_lines "modes and devices are those of stat" 3

grep -c 'O_APPEND\|O_TRUNC' <("$symbolic" strace openat "$tmp/strace") >"$tmp/wanted"
grep -c 'do_sys_openat2(.*how->flags=.*O_\(APPEND\|TRUNC\)' "$tmp/lines" >"$tmp/got"
same_lines "a selector knows the flags of open" 1
check "a selector records nothing else" [ "$(grep -c 'do_sys_openat2(' "$tmp/lines")" = "$(cat "$tmp/got")" ]

sed -n "s#.* vfs_open(.*$inode->i_fop=\([^ ,]*\)[, ].*$inode->i_fop:x=0x\([0-9a-f]*\).*#\2 \1#p" "$tmp/lines" |
	sort -u >"$tmp/opened"
while read -r address symbol; do
	# The name is one of the symbols at this address, which may be in a module. With several
	# symbols, the number is shown.
	if [ "$symbol" = "0x$address" ] && [ "$(grep -c "^$address " /proc/kallsyms)" -gt 1 ]; then
		echo "$address x $symbol"
	fi
	grep "^$address [a-zA-Z] $symbol\($\|[[:space:]]\)" /proc/kallsyms
done <"$tmp/opened" | sed 's/^\([0-9a-f]*\) . \([^[:space:]]*\).*/\1 \2/' >"$tmp/wanted"
cp "$tmp/opened" "$tmp/got"
same_lines "pointers to objects are shown by the symbol at that address" 3

note "$(wc -l <"$tmp/lines") lines; system calls:$traced"
test_end
