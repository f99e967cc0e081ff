// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the limits on the kernel memory that sessions use: RLIMIT_MEMLOCK, memory cgroups and the
 * number of a user's sessions ("Limits" of fargs(4)). io_uring charges registered buffers to the
 * same per-user count, so this test uses io_uring to find out what fargs has charged.
 */
#include <linux/io_uring.h>
#include <stddef.h>
#include <sys/resource.h>

#include "lib/calls.h"
#include "lib/rights.h"

#define RING_BYTES	(256u << 10)
#define PAGE		4096ul
#define MAX_SESSIONS	"/sys/module/fargs/parameters/max_user_sessions"
#define GROUP		"/sys/fs/cgroup/fargs_memlock"
#define GROUP_BYTES	(16u << 20)

static unsigned int nr_cpus;
static uint64_t addr;

/*
 * Returns the maximum memory of a session's rings: the data, and for each CPU at most four pages
 * and a pointer or two for each page of data.
 */
static uint64_t rings_most(uint64_t bytes)
{
	return nr_cpus * (bytes + bytes / 128 + 6 * PAGE);
}

static void limit_memory(uint64_t bytes)
{
	struct rlimit limit = { bytes, bytes };

	must(setrlimit(RLIMIT_MEMLOCK, &limit) ? -errno : 0, "setrlimit");
}

static int ask_rings(int fd, uint64_t bytes)
{
	struct fargs_buffer buffer = { .bytes = bytes };

	return fd < 0 ? fd : call(fd, FARGS_IOC_BUFFER, &buffer);
}

/* Like ask_rings(), but waits up to 5 s if memory of closed sessions is released late. */
static int wait_rings(int fd)
{
	int ret, i;

	for (i = 0; i < 100; i++) {
		ret = ask_rings(fd, RING_BYTES);
		if (ret != -EPERM)
			break;
		usleep(50000);
	}
	return ret;
}

/* ---- rings ---- */

struct rings_question {
	uint64_t limit, bytes;
};

static int ask_buffer(void *arg)
{
	const struct rings_question *q = arg;

	limit_memory(q->limit);
	return ask_rings(open_new(), q->bytes);
}

/* Tests that a second session of the user gets rings only after the first session is closed. */
static int ask_two(void *arg)
{
	struct fargs_error error;
	int first, second, ret;

	limit_memory(rings_most(RING_BYTES) + RING_BYTES / 2);
	first = open_new();
	second = open_new();
	ret = ask_rings(first, RING_BYTES);
	if (ret)
		return ret;
	answer->nr = ask_rings(second, RING_BYTES) == -EPERM;
	error = last_error;
	/*
	 * A refused ioctl must charge nothing: otherwise, the charges of two refused attempts would
	 * make the attempt after close() fail.
	 */
	answer->nr += ask_rings(second, RING_BYTES) == -EPERM;
	close(first);
	ret = ask_rings(second, RING_BYTES);
	last_error = error;
	return ret;
}

static void test_rings(void)
{
	struct rings_question q = { .bytes = RING_BYTES, .limit = nr_cpus * RING_BYTES };

	if (!ktap_ok(as(PERFMON, ask_buffer, &q) == -EPERM && names("RLIMIT_MEMLOCK") &&
		     answer->error.field == offsetof(struct fargs_buffer, bytes),
		     "rings larger than RLIMIT_MEMLOCK are refused, naming the limit"))
		ktap_note("%d: %s", answer->ret, answer->error.text);
	ktap_ok(!as(PERFMON | IPC_LOCK, ask_buffer, &q),
		"rings larger than RLIMIT_MEMLOCK are allowed with CAP_IPC_LOCK");
	q.limit = rings_most(RING_BYTES);
	if (!ktap_ok(!as(PERFMON, ask_buffer, &q), "rings within RLIMIT_MEMLOCK are allowed"))
		ktap_note("%d: %s", answer->ret, answer->error.text);
	if (!ktap_ok(!as(PERFMON, ask_two, NULL) && answer->nr == 2 && names("RLIMIT_MEMLOCK"),
		     "two sessions share the limit, and closing one uncharges it"))
		ktap_note("%d, %u: %s", answer->ret, answer->nr, answer->error.text);
}

/* Returns the sum of the counters in /proc/vmstat whose name begins with @name. */
static uint64_t count_pages(const char *name)
{
	FILE *file = fopen("/proc/vmstat", "re");
	unsigned long long value, sum = 0;
	char line[128];

	must(file ? 0 : -errno, "/proc/vmstat");
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, name, strlen(name)) && sscanf(line, "%*s %llu", &value) == 1)
			sum += value;
	fclose(file);
	return sum;
}

/*
 * Tests the largest rings on all possible CPUs, which far exceed the memory of a machine with many
 * CPUs.
 */
static void test_largest(void)
{
	uint64_t all = sysconf(_SC_PHYS_PAGES) * PAGE, before, nr;
	struct fargs_info info = { 0 };
	int fd = device_open(), ret;

	must(call(fd, FARGS_IOC_INFO, &info), "INFO");
	if (info.buffer_max * info.nr_cpus < all) {
		printf("ok %u the largest rings # SKIP there is memory for them\n", ++ktap.nr);
		close(fd);
		return;
	}
	before = count_pages("pgalloc_");
	ret = ask_rings(fd, info.buffer_max);
	nr = count_pages("pgalloc_") - before;
	ktap_note("%u CPUs, %lu MiB: %s; %lu pages were allocated meanwhile", info.nr_cpus,
		  all >> 20, last_error.text, nr);
	ktap_ok(ret == -ENOMEM && last_error.field == offsetof(struct fargs_buffer, bytes) &&
		strstr(last_error.text, "free memory"),
		"rings that are larger than the memory are refused");
	ktap_ok(nr * PAGE < all / 16, "such rings are refused before memory is allocated");
	ktap_ok(!ask_rings(fd, RING_BYTES), "smaller rings are allowed after that");
	close(fd);
}

/* ---- io_uring as a witness ---- */

/*
 * Registers a buffer with io_uring, which charges it to the same count as fargs. Returns 0 or
 * -errno.
 */
static int register_uring(void)
{
	struct io_uring_params params = { 0 };
	int fd = syscall(SYS_io_uring_setup, 1, &params), ret;
	struct iovec buffer = { .iov_len = 16 * PAGE };

	if (fd < 0)
		return -errno;
	buffer.iov_base = mmap(NULL, buffer.iov_len, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(buffer.iov_base == MAP_FAILED ? -errno : 0, "mmap");
	ret = syscall(SYS_io_uring_register, fd, IORING_REGISTER_BUFFERS, &buffer, 1) ? -errno : 0;
	close(fd);
	munmap(buffer.iov_base, buffer.iov_len);
	return ret;
}

/*
 * Tests that io_uring and fargs are charged to the same count, with a limit that the rings alone
 * use up. io_uring uncharges its memory some time after close, hence wait_rings().
 */
static int ask_uring(void *arg)
{
	struct fargs_error error;
	int fd = open_new(), ret;

	limit_memory(rings_most(RING_BYTES));
	answer->nr = -register_uring() << 16;
	ret = wait_rings(fd);
	error = last_error;
	answer->nr |= -register_uring();
	close(fd);
	answer->nr |= -register_uring() << 8;
	last_error = error;
	return ret;
}

static void test_uring(void)
{
	if (!ktap_ok(!as(PERFMON, ask_uring, NULL) && answer->nr == ENOMEM,
		     "io_uring finds fargs' memory in the user's count, and not after close"))
		ktap_note("%d, %#x: %s", answer->ret, answer->nr, answer->error.text);
}

/* ---- START ---- */

static int start_slots(int fd, uint32_t maxactive)
{
	struct fargs_start start = { .maxactive = maxactive };

	return call(fd, FARGS_IOC_START, &start);
}

/*
 * Tests START with a limit that 65,536 slots for calls (more than 8 MiB) exceed, and 64 slots do
 * not.
 */
static int ask_start(void *arg)
{
	static uint8_t packed[8192];
	struct fargs_error error;
	int fd = open_new(), ret, i;
	struct maker m;

	limit_memory(rings_most(RING_BYTES) + (4u << 20));
	ret = ask_rings(fd, RING_BYTES);
	if (ret)
		return ret;
	maker_init(&m, addr, FARGS_LAYOUT_RETURN);
	ret = session_add(fd, packed, maker_pack(&m, packed), 1, 0, NULL);
	if (ret)
		return ret;
	ret = start_slots(fd, 65536);
	error = last_error;
	answer->nr = ret == -EPERM;
	for (i = 0, ret = 0; !ret && i < 50; i++) {
		ret = start_slots(fd, 64);
		if (!ret)
			ret = session_stop(fd);
	}
	answer->nr += i == 50;
	if (!ret)
		last_error = error;
	return ret;
}

static void test_start(void)
{
	if (!ktap_ok(!as(PERFMON, ask_start, NULL) && answer->nr == 2 && names("RLIMIT_MEMLOCK"),
		     "START is refused if it needs more than RLIMIT_MEMLOCK; STOP uncharges"))
		ktap_note("%d, %u: %s", answer->ret, answer->nr, answer->error.text);
}

#define SLOTS_MAX	65536

/* Tests a START that is refused: the error message contains the size of the charge. */
static int ask_charge(void *arg)
{
	static uint8_t packed[8192];
	int fd = open_new(), ret;
	struct maker m;

	limit_memory(rings_most(RING_BYTES));
	ret = ask_rings(fd, RING_BYTES);
	if (ret)
		return ret;
	maker_init(&m, addr, FARGS_LAYOUT_RETURN);
	ret = session_add(fd, packed, maker_pack(&m, packed), 1, 0, NULL);
	return ret ? ret : start_slots(fd, SLOTS_MAX);
}

/* Returns the size of the kernel's slabs and vmalloc areas in KiB. */
static long kernel_kib(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	long kib = 0, nr;
	char line[128];

	must(file ? 0 : -errno, "meminfo");
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "Slab: %ld", &nr) == 1 ||
		    sscanf(line, "VmallocUsed: %ld", &nr) == 1)
			kib += nr;
	}
	fclose(file);
	return kib;
}

/*
 * Tests that START charges the memory that the module and the kernel allocate for it. The charge
 * must be between 9/10 and 4/3 of that memory, with a tolerance of 1 MiB for allocations of other
 * tasks.
 */
static void test_charge(void)
{
	const char *digits;
	struct reader r;
	struct maker m;
	long before, grown, charged;

	ktap_ok(as(PERFMON, ask_charge, NULL) == -EPERM && names("RLIMIT_MEMLOCK"),
		"START of %u slots is refused within the limit of the rings", SLOTS_MAX);
	digits = strpbrk(answer->error.text, "0123456789");
	charged = digits ? strtol(digits, NULL, 10) : 0;
	reader_open(&r, RING_BYTES);
	maker_init(&m, addr, FARGS_LAYOUT_RETURN);
	must(maker_add(r.fd, &m), "ADD");
	/* The first START allocates memory that the kernel keeps, so do not measure it. */
	must(start_slots(r.fd, SLOTS_MAX), "START");
	must(session_stop(r.fd), "STOP");
	usleep(500000);
	before = kernel_kib();
	must(start_slots(r.fd, SLOTS_MAX), "START");
	grown = kernel_kib() - before;
	must(session_stop(r.fd), "STOP");
	reader_close(&r);
	ktap_note("START allocates %ld KiB and charges %ld", grown, charged);
	ktap_ok(grown > 1024 && charged + 1024 >= grown * 9 / 10 &&
		charged <= grown * 4 / 3 + 1024, "START charges what it allocates");
}

/* ---- the number of sessions ---- */

static int ask_open(void *arg)
{
	int fd = open_new();

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

static int ask_many(void *arg)
{
	int fds[4], i;

	for (i = 0; i < 3; i++) {
		fds[i] = open_new();
		answer->nr += fds[i] >= 0;
	}
	fds[3] = open_new();
	if (fds[3] >= 0)
		close(fds[3]);
	close(fds[0]);
	answer->nr += !ask_open(NULL);
	return fds[3] < 0 ? fds[3] : 0;
}

static void test_sessions(void)
{
	unsigned int before = 0;
	FILE *file = fopen(MAX_SESSIONS, "r+e");
	int fd = device_open();

	if (!ktap_ok(file && fscanf(file, "%u", &before) == 1 && before >= 64,
		     "the number of a user's sessions has a limit of 64 or more"))
		return;
	rewind(file);
	fprintf(file, "3");
	fflush(file);
	if (!ktap_ok(as(PERFMON, ask_many, NULL) == -EUSERS && answer->nr == 4,
		     "a user's session beyond the limit is refused until one is closed"))
		ktap_note("%d, %u", answer->ret, answer->nr);
	ktap_ok(!as(PERFMON | RESOURCE, ask_many, NULL) && answer->nr == 4,
		"a session beyond the limit is allowed with CAP_SYS_RESOURCE");
	rewind(file);
	fprintf(file, "%u", before);
	fclose(file);
	close(fd);
}

/* ---- memory cgroups ---- */

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

static int ask_group(void *arg)
{
	struct fargs_buffer buffer = { .bytes = 2 * GROUP_BYTES };
	int fd = device_open();

	must(put(GROUP "/cgroup.procs", "0"), "cgroup.procs");
	answer->ret = call(fd, FARGS_IOC_BUFFER, &buffer);
	return 0;
}

static uint64_t group_bytes(void)
{
	FILE *file = fopen(GROUP "/memory.current", "re");
	unsigned long long bytes = ~0ull;

	must(file && fscanf(file, "%llu", &bytes) == 1 ? 0 : -EIO, "memory.current");
	fclose(file);
	return bytes;
}

static void test_group(void)
{
	int status = -1;
	char text[32];
	pid_t pid;

	put("/sys/fs/cgroup/cgroup.subtree_control", "+memory");
	if ((mkdir(GROUP, 0755) && errno != EEXIST) || access(GROUP "/memory.max", W_OK)) {
		printf("ok %u a memory cgroup # SKIP no memory cgroup (v2)\n", ++ktap.nr);
		return;
	}
	snprintf(text, sizeof(text), "%u", GROUP_BYTES);
	must(put(GROUP "/memory.max", text), "memory.max");
	memset(answer, 0, sizeof(*answer));
	fflush(stdout);
	pid = fork();
	must(pid < 0 ? -errno : 0, "fork");
	if (!pid) {
		ask_group(NULL);
		_exit(0);
	}
	must(waitpid(pid, &status, 0) < 0 ? -errno : 0, "waitpid");
	ktap_ok(!status && answer->ret == -ENOMEM,
		"rings larger than memory.max are refused, and nobody is killed");
	if (!ktap_ok(group_bytes() < GROUP_BYTES / 4,
		     "refused rings leave no memory charged to the cgroup"))
		ktap_note("%llu bytes", (unsigned long long)group_bytes());
	rmdir(GROUP);
}

int main(void)
{
	need_session_test();
	ktap_begin("abi_memlock");
	nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	addr = symbol_address("fargs_r_int");
	rights_init();
	test_rings();
	test_largest();
	test_uring();
	test_start();
	test_charge();
	test_sessions();
	test_group();
	unlink(OPEN_NODE);
	return ktap_end();
}
