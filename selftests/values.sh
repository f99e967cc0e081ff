#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Values fetched from kernel structures (files, tasks, sockets) are those that a program gets from
# system calls: members, whole structs, bitfields, enums, arrays, strings.
. "$(dirname "$0")/lib/ktap.sh"

file_keys=('file->f_flags:x' 'file->f_inode->i_ino' 'file->f_inode->i_mode:x'
	'file->f_inode->i_nlink' 'file->f_inode->i_uid.val' 'file->f_inode->i_gid.val'
	'file->f_inode->i_size' 'file->f_inode->i_rdev:d' 'file->f_inode->i_sb->s_magic:x'
	'file->f_inode->i_sb->s_blocksize' 'file->f_inode->i_sb->s_type->name')
stat_keys=('stat->ino' 'stat->mode:x' 'stat->nlink' 'stat->uid.val' 'stat->gid.val' 'stat->size'
	'stat->mtime.tv_sec' 'stat->mtime.tv_nsec')
task_keys=('$comm' '$pid' '$tid' '$cpu' '$uid' 'task->comm' 'task->pid' 'task->policy'
	'task->rt_priority' 'task->cred->euid.val' 'task->cred->uid.val' 'task->sched_reset_on_fork'
	'task->signal->is_child_subreaper' 'task->signal->has_child_subreaper'
	'task->signal->rlim[7].rlim_max' 'task->signal->rlim[7]')
socket_keys=('sock->type' 'sock->state' 'sock->sk->sk_protocol' 'sock->sk->sk_no_check_tx'
	'sock->sk->sk_kern_sock' 'sock->sk->__sk_common.skc_reuseport'
	'sock->sk->__sk_common.skc_reuse' 'sock->sk->__sk_common.skc_family')

# joined KEY...: the keys, separated by ', ' as in a selector.
joined()
{
	local text
	text=$(printf '%s, ' "$@")
	echo "${text%, }"
}

# from_truth KIND WORDS...: for each line of that kind, the words, with NAME@ replaced by the value
# that the program printed.
from_truth()
{
	perl -ne '
		BEGIN { $kind = shift; @words = splice(@ARGV, 0); @ARGV = () }
		next unless s/^$kind //;
		my %of = /(\w+)=("(?:[^"\\]|\\.)*"|\S+)/g;
		for (@words) {
			my $word = $_;
			$word =~ s/(\w+)@/$of{$1}/g;
			print("$word\n");
		}' "$@" <"$tmp/told"
}

# compare WHAT FUNCTION KEY...: compares the function's values with the file wanted.
compare()
{
	local what=$1
	shift
	"$test_dir/lib/values.pl" "$@" <"$tmp/lines" >"$tmp/got"
	check "$what: the program printed values" [ -s "$tmp/wanted" ]
	check_same "$what" "$tmp/wanted" "$tmp/got"
}

test_begin perl
syscalls=$(program syscalls) || skip_all "syscalls is not built"
mkdir "$tmp/dir"
mount -t tmpfs none "$tmp/dir"
trap 'umount "$tmp/dir"; test_cleanup' EXIT

# A tmpfs has major number 0, so the minor number is the kernel's whole dev_t.
dev=$(stat -c %Ld "$tmp/dir")
fargs trace --comm 'syscalls' --comm '[sr]*' -s 512 \
	-f "vfs_open(path->dentry->d_name.name:str, *path, path->mnt, path->dentry
		| path->dentry->d_sb->s_dev == $dev)
		-> ret, $(joined "${file_keys[@]/%name/name:str}")" \
	-f "cp_new_stat($(joined "${stat_keys[@]}"), *stat | stat->dev == $dev)" \
	-f "proc_pid_status($(joined "${task_keys[@]}"))" \
	-f "inet_release($(joined "${socket_keys[@]}") | sock->type == 2)" \
	-f 'inet_stream_connect(sock->state, sock->type) -> ret, sock->state' \
	-o "$tmp/lines" -- "$syscalls" values "$tmp/dir" >"$tmp/told" 2>"$tmp/err"
check "trace exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
note "$(cat "$tmp/told")"

from_truth file 'file->f_flags:x=flags@' 'file->f_inode->i_ino=ino@' \
	'file->f_inode->i_mode:x=mode@' 'file->f_inode->i_nlink=nlink@' \
	'file->f_inode->i_uid.val=uid@' 'file->f_inode->i_gid.val=gid@' \
	'file->f_inode->i_size=size@' 'file->f_inode->i_rdev:d=rdev@' \
	'file->f_inode->i_sb->s_magic:x=magic@' 'file->f_inode->i_sb->s_blocksize=blksize@' \
	'file->f_inode->i_sb->s_type->name="tmpfs"' >"$tmp/wanted"
compare "members of an opened file and its inode are right" vfs_open "${file_keys[@]}"

from_truth file 'stat->ino=ino@' 'stat->mode:x=mode@' 'stat->nlink=nlink@' 'stat->uid.val=uid@' \
	'stat->gid.val=gid@' 'stat->size=size@' 'stat->mtime.tv_sec=mtime@' \
	'stat->mtime.tv_nsec=mtime_ns@' >"$tmp/wanted"
compare "members of a struct kstat are right" cp_new_stat "${stat_keys[@]}"

# The program does not know addresses, but two expressions for the same one must agree.
"$test_dir/lib/values.pl" vfs_open 'path->mnt' 'path->dentry' <"$tmp/lines" |
	sed 's/path->mnt=\(.*\)/*path={.mnt=\1, /; s/path->dentry=\(.*\)/.dentry=\1}/' |
	paste -d '' - - >"$tmp/wanted"
compare "a whole struct has the values of its members" vfs_open '*path'

from_truth task '$comm=comm@' '$pid=pid@' '$tid=pid@' '$cpu=cpu@' '$uid=euid@' 'task->comm=comm@' \
	'task->pid=pid@' 'task->policy=policy@' 'task->rt_priority=rt_priority@' \
	'task->cred->euid.val=euid@' 'task->cred->uid.val=0' 'task->sched_reset_on_fork=1' \
	'task->signal->is_child_subreaper=1' 'task->signal->has_child_subreaper=0' \
	'task->signal->rlim[7].rlim_max=max@' \
	'task->signal->rlim[7]={.rlim_cur=cur@, .rlim_max=max@}' >"$tmp/wanted"
compare "members, bitfields and limits of a task are right" proc_pid_status "${task_keys[@]}"

from_truth socket 'sock->type=type@' 'sock->state=SS_UNCONNECTED' \
	'sock->sk->sk_protocol=protocol@' 'sock->sk->sk_no_check_tx=no_check@' \
	'sock->sk->sk_kern_sock=0' 'sock->sk->__sk_common.skc_reuseport=reuseport@' \
	'sock->sk->__sk_common.skc_reuse=reuse@' \
	'sock->sk->__sk_common.skc_family=family@' >"$tmp/wanted"
compare "members and bitfields of a socket are right" inet_release "${socket_keys[@]}"

from_truth connection 'sock->type=type@' 'sock->state=SS_UNCONNECTED' \
	'sock->state=SS_CONNECTED' >"$tmp/wanted"
compare "an enum is right at the call and at the return" inet_stream_connect 'sock->type' 'sock->state'
test_end
