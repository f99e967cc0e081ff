// SPDX-License-Identifier: GPL-2.0-only
/*
 * syscalls fail DIR: in DIR, which is empty, makes system calls as root and as nobody. Some of them
 * fail; strace shows the results.
 *
 * syscalls values DIR: opens files and sockets in DIR, and prints NAME=VALUE for members of their
 * kernel structures whose values a program can know. Strings are printed as C literals.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOBODY		65534
/* An address that is never mapped. */
#define NOWHERE		((const char *)0x1000)

static void ignore(long ret)
{
	(void)ret;
}

static void on_alarm(int signal)
{
	(void)signal;
}

static void prepare(void)
{
	ignore(close(creat("real-file", 0644)));
	ignore(close(creat("real-secret", 0600)));
	ignore(mkdir("real-dir", 0755));
	ignore(mkdir("real-full", 0755));
	ignore(mkdir("real-open", 0777));
	ignore(chmod("real-open", 0777));
	ignore(close(creat("real-full/real-in", 0644)));
	ignore(symlink("real-loop", "real-loop"));
	ignore(symlink("real-file", "real-link"));
	ignore(mkfifo("real-fifo", 0644));
}

static void open_some(void)
{
	char name[NAME_MAX + 10] = "real-";

	memset(name + 5, 'x', NAME_MAX);
	ignore(open("real-none", O_RDONLY));
	ignore(open("real-file", O_RDONLY));
	ignore(open("real-link", O_RDONLY | O_NOFOLLOW));
	ignore(open("real-link", O_RDWR));
	ignore(open("real-file/real-in", O_RDONLY));
	ignore(open("real-full/real-in", O_RDONLY | O_CLOEXEC));
	ignore(open("./real-full/../real-dir/.", O_RDONLY | O_DIRECTORY));
	ignore(open("real-dir", O_WRONLY));
	ignore(open("real-file", O_RDONLY | O_DIRECTORY));
	ignore(open("real-file", O_WRONLY | O_CREAT | O_EXCL, 0600));
	ignore(open("real-open/real-new", O_WRONLY | O_CREAT, 0600));
	ignore(open("real-dir/real-other", O_WRONLY | O_CREAT, 0600));
	ignore(open("real-secret", O_RDONLY));
	ignore(open("real-secret", O_PATH));
	ignore(open("real-loop", O_RDONLY));
	ignore(open("real-fifo", O_WRONLY | O_NONBLOCK));
	ignore(open(name, O_RDONLY));
	ignore(open(NOWHERE, O_RDONLY));
	ignore(open("", O_RDONLY));
	ignore(openat(-5, "real-file", O_RDONLY));
}

static void change_names(void)
{
	ignore(mkdir("real-dir", 0700));
	ignore(mkdir("real-none/real-in", 0700));
	ignore(mkdir("real-open/real-made", 0711));
	ignore(mkdir("real-made", 0711));
	ignore(mkdir(NOWHERE, 0700));
	ignore(rmdir("real-full"));
	ignore(rmdir("real-file"));
	ignore(rmdir("real-open/real-made"));
	ignore(unlink("real-none"));
	ignore(unlink("real-dir"));
	ignore(unlink("real-full/real-in/real-more"));
	ignore(link("real-file", "real-fifo"));
	ignore(link("real-dir", "real-dir-too"));
	ignore(link("real-file", "real-open/real-hard"));
	ignore(symlink("real-file", "real-link"));
	ignore(symlink("real-file", "real-open/real-soft"));
	ignore(rename("real-none", "real-some"));
	ignore(rename("real-full", "real-full/real-under"));
	ignore(rename("real-open/real-soft", "real-open/real-hard"));
	ignore(renameat2(AT_FDCWD, "real-open/real-hard", AT_FDCWD, "real-file",
			 RENAME_NOREPLACE));
	ignore(unlink("real-open/real-hard"));
	ignore(unlink("real-open/real-new"));
}

static void use_files(void)
{
	int file = open("real-file", O_RDONLY), dir = open("real-dir", O_RDONLY);
	char buf[16];

	ignore(read(-1, buf, sizeof(buf)));
	ignore(read(dir, buf, sizeof(buf)));
	ignore(read(file, buf, sizeof(buf)));
	ignore(write(file, buf, sizeof(buf)));
	ignore(write(9999, buf, sizeof(buf)));
	ignore(lseek(file, -1, SEEK_SET));
	ignore(lseek(file, 1ll << 40, SEEK_SET));
	ignore(ioctl(file, FIONREAD + 0x7700));
	ignore(dup2(file, -1));
	ignore(fcntl(file, 9999));
	ignore(ftruncate(file, 10));
	ignore(truncate("real-none", 10));
	ignore(readlink("real-file", buf, sizeof(buf)));
	ignore(readlink("real-link", buf, sizeof(buf)));
	ignore(access("real-secret", R_OK));
	ignore(chown("real-file", 7, 7));
	ignore(chmod("real-none", 0600));
	ignore((long)mmap(NULL, 0, PROT_READ, MAP_PRIVATE, file, 0));
	ignore((long)mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, dir, 0));
	ignore((long)mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 9999, 0));
	ignore(chdir("real-file"));
	ignore(close(file));
	ignore(close(file));
	ignore(close(dir));
}

static void use_pipe_and_sockets(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX, .sun_path = "real-socket" };
	const struct timespec second = { .tv_sec = 1 };
	const struct sigaction alarm_action = { .sa_handler = on_alarm };
	const struct itimerval soon = { .it_value.tv_usec = 20000 };
	char buf[16];
	int fds[2], fd;

	if (pipe2(fds, O_NONBLOCK))
		err(1, "pipe2");
	ignore(read(fds[0], buf, sizeof(buf)));
	ignore(lseek(fds[0], 0, SEEK_CUR));
	ignore(close(fds[0]));
	ignore(write(fds[1], buf, sizeof(buf)));
	ignore(close(fds[1]));

	ignore(socket(9999, SOCK_STREAM, 0));
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	ignore(connect(fd, (void *)&addr, sizeof(addr)));
	strcpy(addr.sun_path, "real-file");
	ignore(bind(fd, (void *)&addr, sizeof(addr)));
	ignore(accept(fd, NULL, NULL));
	ignore(listen(9999, 1));
	ignore(close(fd));

	ignore(kill(INT_MAX, 0));
	ignore(wait4(-1, NULL, 0, NULL));
	ignore(setuid(0));
	ignore(execl("real-none", "real-none", NULL));
	ignore(execl("real-file", "real-file", NULL));
	sigaction(SIGALRM, &alarm_action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	ignore(nanosleep(&second, NULL));
}

static void fail(bool is_nobody)
{
	if (is_nobody && (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
			  setresuid(NOBODY, NOBODY, NOBODY)))
		err(1, "nobody");
	open_some();
	change_names();
	use_files();
	use_pipe_and_sockets();
}

/*
 * Makes the failing system calls in a child. Their order matters: each result depends on the files
 * that were made before.
 */
static void fail_in_child(bool is_nobody)
{
	pid_t child = fork();

	if (child < 0)
		err(1, "fork");
	if (!child) {
		fail(is_nobody);
		exit(0);
	}
	ignore(waitpid(child, NULL, 0));
}

static void print_file(const char *name, int flags)
{
	int fd = open(name, flags, 0640);
	struct statfs fs;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || fstatfs(fd, &fs))
		err(1, "%s", name);
	/* The O_LARGEFILE in F_GETFL is right: on 64-bit kernels, every file is opened with it. */
	printf("file name=%s flags=0x%x ino=%llu mode=0x%x nlink=%u uid=%u gid=%u size=%lld "
	       "rdev=%u magic=0x%lx blksize=%u mtime=%lld mtime_ns=%ld\n", name, fcntl(fd, F_GETFL),
	       (unsigned long long)st.st_ino, st.st_mode, (unsigned int)st.st_nlink, st.st_uid,
	       st.st_gid, (long long)st.st_size,
	       /* the kernel's dev_t has 12 bits for the major and 20 for the minor number */
	       major(st.st_rdev) << 20 | minor(st.st_rdev), (unsigned long)fs.f_type,
	       (unsigned int)st.st_blksize, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	close(fd);
}

/* Makes files without opening them. */
static void make_files(void)
{
	const struct timespec times[2] = { { 1000000007, 123456789 }, { 1234567890, 987654321 } };

	if (mknod("real-sized", S_IFREG | 0640, 0) || truncate("real-sized", 5000000000) ||
	    chown("real-sized", 70001, 70002) || link("real-sized", "real-second") ||
	    utimensat(AT_FDCWD, "real-sized", times, 0) ||
	    mknod("real-null", S_IFCHR | 0600, makedev(1, 3)))
		err(1, "make_files");
}

static void print_task(void)
{
	struct sched_param param = { .sched_priority = 7 };
	struct rlimit files = { .rlim_cur = 777, .rlim_max = 888 };
	cpu_set_t cpus;
	char buf[4096];
	int fd;

	CPU_ZERO(&cpus);
	CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) ||
	    sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &param) ||
	    setrlimit(RLIMIT_NOFILE, &files) || prctl(PR_SET_CHILD_SUBREAPER, 1) ||
	    seteuid(4321))
		err(1, "print_task");
	prctl(PR_SET_NAME, "real \"name\"");
	fd = open("/proc/self/status", O_RDONLY);
	if (fd < 0 || read(fd, buf, sizeof(buf)) <= 0)
		err(1, "status");
	close(fd);
	printf("task comm=\"real \\\"name\\\"\" pid=%d cpu=%d euid=%u policy=%d "
	       "rt_priority=%d cur=%llu max=%llu\n", getpid(), sched_getcpu(),
	       geteuid(), SCHED_RR, param.sched_priority,
	       (unsigned long long)files.rlim_cur, (unsigned long long)files.rlim_max);
	if (seteuid(0))
		err(1, "seteuid");
}

static void print_sockets(void)
{
	int one = 1, fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int no_check = 0, reuse = 0;
	socklen_t len = sizeof(int);

	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one)) ||
	    setsockopt(fd, SOL_SOCKET, SO_NO_CHECK, &one, sizeof(one)) ||
	    getsockopt(fd, SOL_SOCKET, SO_NO_CHECK, &no_check, &len) ||
	    getsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &reuse, &len))
		err(1, "socket");
	printf("socket type=%d protocol=%d family=%d no_check=%d reuseport=%d reuse=%d\n",
	       SOCK_DGRAM, IPPROTO_UDP, AF_INET, no_check, one, reuse);
	close(fd);
}

/*
 * Prints members of a TCP connection, in a new network namespace, since this one may have no
 * loopback device.
 */
static void print_connection(void)
{
	struct sockaddr_in addr = { .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	socklen_t len = sizeof(addr);
	int listener, fd;

	if (unshare(CLONE_NEWNET))
		err(1, "unshare");
	listener = socket(AF_INET, SOCK_STREAM, 0);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	if (ioctl(fd, SIOCSIFFLAGS, &lo) || bind(listener, (void *)&addr, len) ||
	    listen(listener, 5) || getsockname(listener, (void *)&addr, &len) ||
	    connect(fd, (void *)&addr, len))
		err(1, "connect");
	printf("connection type=%d\n", SOCK_STREAM);
}

static void print_values(void)
{
	make_files();
	print_file("real-sized", O_RDONLY | O_NONBLOCK);
	print_file("real-second", O_RDWR | O_APPEND | O_SYNC);
	print_file("real-made", O_WRONLY | O_CREAT | O_EXCL | O_NOATIME);
	print_file("real-null", O_RDWR | O_NOCTTY);
	print_file(".", O_RDONLY | O_DIRECTORY);
	print_sockets();
	print_connection();
	print_task();
}

int main(int argc, char **argv)
{
	if (argc != 3 || chdir(argv[2]))
		errx(2, "usage: syscalls fail|values DIR");
	umask(0);
	signal(SIGPIPE, SIG_IGN);
	if (!strcmp(argv[1], "values")) {
		print_values();
		return 0;
	}
	prepare();
	fail_in_child(false);
	fail_in_child(true);
	return 0;
}
