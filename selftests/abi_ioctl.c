// SPDX-License-Identifier: GPL-2.0-only
/* Tests the arguments of every ioctl, except for layouts, against include/uapi/fargs.h. */
#include <stddef.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "lib/session.h"

#define MEGABYTE	(1ull << 20)

static void test_node(void)
{
	struct stat st;
	int fd, other;

	ktap_ok(!stat(FARGS_DEVICE, &st) && S_ISCHR(st.st_mode) && (st.st_mode & 0777) == 0600,
		"the node is a character device of mode 0600");
	fd = device_open();
	other = device_open();
	ktap_ok(fd >= 0 && other >= 0, "the device can be opened twice");
	ktap_ok(ioctl(fd, _IO(0xFA, 99), NULL) == -1 && errno == ENOTTY,
		"an unknown ioctl is ENOTTY");
	ktap_ok(ioctl(fd, _IO('x', 0), NULL) == -1 && errno == ENOTTY,
		"an ioctl of another device is ENOTTY");
	close(fd);
	close(other);
}

static void test_info(int fd)
{
	struct fargs_info info = { 0 };
	struct utsname uts;

	uname(&uts);
	if (!ktap_ok(!call(fd, FARGS_IOC_INFO, &info), "INFO works"))
		return;
	ktap_ok(info.abi == FARGS_ABI, "INFO: abi is that of the headers");
	ktap_ok(info.nr_cpus >= sysconf(_SC_NPROCESSORS_CONF), "INFO: nr_cpus includes all CPUs");
	ktap_ok(info.page_size == sysconf(_SC_PAGESIZE), "INFO: page_size is right");
	ktap_ok(info.features & FARGS_FEATURE_ENTRY, "INFO: the module traces function entries");
	ktap_ok(info.tsc_khz != 0, "INFO: the rate of the TSC is known");
	ktap_ok(info.buffer_min && info.buffer_min <= info.buffer_max &&
		!(info.buffer_min & (info.buffer_min - 1)),
		"INFO: the limits of a buffer are valid");
	ktap_ok(info.layouts_max > 1000, "INFO: a session may have more than 1000 layouts");
	/*
	 * On Linux 6.1, fargs uses kretprobes, whose number is limited; later kernels have fprobe.
	 */
	ktap_ok(info.returns_max == (strncmp(uts.release, "6.1.", 4) ? 0 : 1000),
		"INFO: the limit of functions with a return is that of the kernel");
	ktap_ok(info.seq_site[FARGS_PATH_PLAIN] >> 63, "INFO: seq_site is a kernel address");
	ktap_ok(memchr(info.version, 0, sizeof(info.version)) && info.version[0],
		"INFO: version is a string");
	ktap_ok(!strcmp(info.release, uts.release), "INFO: release is that of uname(2)");
}

/* Tests the struct fargs_head with which every argument begins. */
static void test_head(int fd, const char *name, unsigned long cmd, uint32_t known)
{
	union {
		struct fargs_head head;
		uint8_t bytes[8192];
	} arg;
	int ret;

	memset(&arg, 0, sizeof(arg));
	ret = call_size(fd, cmd, &arg.head, 0);
	ktap_ok(ret == -EINVAL, "%s: size 0 is EINVAL", name);
	ktap_ok(last_error.field == offsetof(struct fargs_head, size) && last_error.text[0] &&
		last_error.layout == FARGS_NONE, "%s: the error names the field size", name);

	memset(&arg, 0, sizeof(arg));
	ret = call_size(fd, cmd, &arg.head, sizeof(arg.head) - 1);
	ktap_ok(ret == -EINVAL, "%s: an argument smaller than the head is EINVAL", name);

	memset(&arg, 0, sizeof(arg));
	arg.head.reserved = 1;
	ret = call_size(fd, cmd, &arg.head, known);
	ktap_ok(ret == -EINVAL && last_error.field == offsetof(struct fargs_head, reserved),
		"%s: a reserved field that is set is EINVAL, and is named", name);

	memset(&arg, 0, sizeof(arg));
	arg.bytes[known + 3] = 1;
	ret = call_size(fd, cmd, &arg.head, known + 8);
	ktap_ok(ret == -E2BIG && last_error.text[0],
		"%s: an unknown field that is set is E2BIG, with a reason", name);

	memset(&arg, 0, sizeof(arg));
	ret = call_size(fd, cmd, &arg.head, 0xffffffffu);
	ktap_ok(ret == -EINVAL || ret == -E2BIG, "%s: a huge size is refused", name);

	memset(&arg, 0, sizeof(arg));
	arg.head.reserved = 1;
	arg.head.size = known;
	arg.head.error = 8;
	ktap_ok(ioctl(fd, cmd, &arg) == -1 && (errno == EINVAL || errno == EFAULT),
		"%s: an error that cannot be written does no harm", name);
	ktap_ok(ioctl(fd, cmd, (void *)8) == -1 && errno == EFAULT,
		"%s: an argument that cannot be read is EFAULT", name);
}

static void test_sizes(int fd)
{
	struct {
		struct fargs_info info;
		uint8_t more[64];
	} larger;
	struct fargs_info info;

	memset(&larger, 0, sizeof(larger));
	ktap_ok(!call_size(fd, FARGS_IOC_INFO, &larger.info.head, sizeof(larger)) &&
		larger.info.abi == FARGS_ABI,
		"a larger argument whose unknown fields are 0 is accepted");
	memset(&info, 0, sizeof(info));
	ktap_ok(!call_size(fd, FARGS_IOC_INFO, &info.head,
			   offsetof(struct fargs_info, features)) &&
		info.abi == FARGS_ABI && info.nr_cpus && !info.features && !info.tsc_khz &&
		!info.release[0], "a smaller argument gets its fields, and no byte more");
}

static void refuse_buffer(uint64_t bytes, uint32_t mode, uint32_t field, const char *what)
{
	struct fargs_buffer buffer = { .bytes = bytes, .mode = mode };
	int fd = device_open();
	int ret = call(fd, FARGS_IOC_BUFFER, &buffer);

	ktap_ok(ret == -EINVAL && last_error.field == field && last_error.text[0],
		"BUFFER: %s is EINVAL, and is named", what);
	if (ret != -EINVAL || last_error.field != field)
		ktap_note("%d, field %u: %s", ret, last_error.field, last_error.text);
	close(fd);
}

static void test_buffer(const struct fargs_info *info)
{
	const uint32_t bytes = offsetof(struct fargs_buffer, bytes);
	struct fargs_buffer buffer = { .bytes = info->buffer_min };
	int fd;

	refuse_buffer(0, 0, bytes, "a size of 0");
	refuse_buffer(info->buffer_min / 2, 0, bytes, "half the minimum");
	refuse_buffer(info->buffer_max * 2, 0, bytes, "twice the maximum");
	refuse_buffer(MEGABYTE + 4096, 0, bytes, "a size that is not a power of two");
	refuse_buffer(1ull << 63, 0, bytes, "a size of 2^63");
	refuse_buffer(MEGABYTE, 7, offsetof(struct fargs_buffer, mode), "an unknown mode");

	fd = device_open();
	ktap_ok(!call(fd, FARGS_IOC_BUFFER, &buffer), "BUFFER: the minimum is accepted");
	ktap_ok(call(fd, FARGS_IOC_BUFFER, &buffer) == -EBUSY && last_error.text[0],
		"BUFFER: a second call is EBUSY, with a reason");
	close(fd);
}

static int start_with(int fd, uint32_t flags, uint32_t nr_tids, const void *tids)
{
	struct fargs_start start = {
		.flags = flags, .nr_tids = nr_tids, .tids = (uintptr_t)tids,
	};

	return call(fd, FARGS_IOC_START, &start);
}

static void test_start_exec(int fd)
{
	struct fargs_start start = { .exec_tid = getpid() };
	int32_t self = getpid();

	ktap_ok(call(fd, FARGS_IOC_START, &start) == -EINVAL &&
		last_error.field == offsetof(struct fargs_start, exec_tid),
		"START: exec_tid without a selection of tasks is EINVAL, and is named");
	start.flags = FARGS_START_TASKS;
	start.nr_tids = 1;
	start.tids = (uintptr_t)&self;
	start.exec_tid = -1;
	ktap_ok(call(fd, FARGS_IOC_START, &start) == -EINVAL &&
		last_error.field == offsetof(struct fargs_start, exec_tid),
		"START: a negative exec_tid is EINVAL");
	start.exec_tid = 0x3ffffff;
	ktap_ok(call(fd, FARGS_IOC_START, &start) == -ESRCH &&
		last_error.field == offsetof(struct fargs_start, exec_tid),
		"START: an exec_tid that does not exist is ESRCH, and is named");
}

static void test_start(void)
{
	int32_t self = getpid(), nobody = 0x3ffffff, none[2] = { -1, 0 };
	struct piece piece;
	int fd = session_open(MEGABYTE);

	ktap_ok(session_start(fd) < 0 && last_error.text[0],
		"START: a session without functions is refused, with a reason");
	ktap_ok(!start_with(fd, FARGS_START_NO_FUNCS, 0, NULL) && !session_stop(fd),
		"START: FARGS_START_NO_FUNCS permits a session without functions");
	piece_target_4(&piece, symbol_address("fargs_t_4"));
	must(piece_add(fd, &piece), "ADD");
	ktap_ok(start_with(fd, 0x80000000u, 0, NULL) == -EINVAL &&
		last_error.field == offsetof(struct fargs_start, flags),
		"START: an unknown flag is EINVAL, and is named");
	ktap_ok(start_with(fd, 0, 1, &self) == -EINVAL,
		"START: tids without FARGS_START_TASKS are EINVAL");
	ktap_ok(start_with(fd, FARGS_START_TASKS, 1, (void *)8) == -EFAULT,
		"START: tids that cannot be read are EFAULT");
	ktap_ok(start_with(fd, FARGS_START_TASKS, 1, &nobody) < 0,
		"START: a task that does not exist is refused");
	ktap_ok(start_with(fd, FARGS_START_TASKS, 2, none) < 0,
		"START: invalid tids are refused");
	ktap_ok(start_with(fd, FARGS_START_TASKS, 0xffffffffu, &self) < 0,
		"START: a huge number of tids is refused");
	test_start_exec(fd);
	ktap_ok(!is_traced("fargs_t_4"), "START: a refused call traces nothing");
	ktap_ok(!start_with(fd, FARGS_START_TASKS, 1, &self),
		"START: the calling task is accepted");
	ktap_ok(is_traced("fargs_t_4"), "START: the function is traced");
	ktap_ok(session_start(fd) == -EBUSY && last_error.text[0],
		"START: a second call is EBUSY, with a reason");
	piece_target_int(&piece, symbol_address("fargs_t_int"));
	ktap_ok(piece_add(fd, &piece) == -EBUSY && last_error.text[0],
		"ADD: a running session is EBUSY, with a reason");
	ktap_ok(!session_stop(fd) && !is_traced("fargs_t_4"),
		"STOP: no function is traced afterwards");
	ktap_ok(!piece_add(fd, &piece) && !session_start(fd) && is_traced("fargs_t_int") &&
		is_traced("fargs_t_4"), "a stopped session accepts ADD and START");
	close(fd);
	ktap_ok(!is_traced("fargs_t_4") && !is_traced("fargs_t_int"),
		"close() of a running session: no function is traced afterwards");

	fd = device_open();
	piece_target_4(&piece, symbol_address("fargs_t_4"));
	if (!piece_add(fd, &piece))
		ktap_ok(session_start(fd) < 0 && !is_traced("fargs_t_4"),
			"START: a session without a buffer is refused");
	close(fd);
}

static void test_stats(const struct fargs_info *info)
{
	struct fargs_cpu_stats *cpus = calloc(info->nr_cpus + 1, sizeof(*cpus));
	struct fargs_stats stats = { 0 };
	struct piece piece;
	uint64_t produced = 0;
	uint32_t cpu;
	int fd = session_open(MEGABYTE);

	ktap_ok(!call(fd, FARGS_IOC_STATS, &stats) && stats.state == FARGS_STATE_PREPARED &&
		!stats.nr_layouts && !stats.nr_dropped,
		"STATS: the state of a new session is PREPARED");
	piece_target_4(&piece, symbol_address("fargs_t_4"));
	must(piece_add(fd, &piece), "ADD");
	must(session_start(fd), "START");
	must(target_call("fargs_t_4 7"), TARGET_PROC);
	memset(&stats, 0, sizeof(stats));
	stats.cpus = (uintptr_t)cpus;
	stats.nr_cpus = info->nr_cpus;
	ktap_ok(!call(fd, FARGS_IOC_STATS, &stats) && stats.state == FARGS_STATE_RUNNING &&
		stats.nr_layouts == 1 && stats.nr_cpus == info->nr_cpus,
		"STATS: the state and layouts of a running session are right");
	for (cpu = 0; cpu < info->nr_cpus; cpu++)
		produced += cpus[cpu].produced - cpus[cpu].lost - cpus[cpu].rejected;
	ktap_ok(produced == 7, "STATS: seven calls produce seven records");
	must(session_stop(fd), "STOP");
	memset(&stats, 0, sizeof(stats));
	memset(cpus, 0xa5, (info->nr_cpus + 1) * sizeof(*cpus));
	stats.cpus = (uintptr_t)cpus;
	stats.nr_cpus = 1;
	ktap_ok(!call(fd, FARGS_IOC_STATS, &stats) && stats.state == FARGS_STATE_STOPPED &&
		stats.nr_cpus == info->nr_cpus && cpus[0].lost == 0 &&
		cpus[1].lost == 0xa5a5a5a5a5a5a5a5ull,
		"STATS: room for one CPU gets one, and the number of CPUs");
	stats.cpus = 8;
	stats.nr_cpus = 1;
	ktap_ok(call(fd, FARGS_IOC_STATS, &stats) == -EFAULT,
		"STATS: memory that is not writable is EFAULT");
	close(fd);
	free(cpus);
}

static void test_clock(const struct fargs_info *info)
{
	struct fargs_clock_sample *first = calloc(info->nr_cpus, sizeof(*first));
	struct fargs_clock_sample *second = calloc(info->nr_cpus, sizeof(*second));
	struct fargs_clock clock = { .samples = (uintptr_t)first, .nr_cpus = info->nr_cpus };
	bool grows = true, tells = true;
	uint32_t cpu, nr = 0;
	int fd = device_open();

	ktap_ok(!call(fd, FARGS_IOC_CLOCK, &clock) && clock.nr_cpus == info->nr_cpus,
		"CLOCK: no buffer is needed");
	clock.samples = (uintptr_t)second;
	must(call(fd, FARGS_IOC_CLOCK, &clock), "CLOCK");
	for (cpu = 0; cpu < info->nr_cpus; cpu++) {
		if (!first[cpu].is_valid || !second[cpu].is_valid)
			continue;
		nr++;
		grows &= first[cpu].tsc && second[cpu].tsc > first[cpu].tsc &&
			 second[cpu].perf_ns >= first[cpu].perf_ns &&
			 second[cpu].mono_ns >= first[cpu].mono_ns &&
			 first[cpu].real_ns > 0;
		tells &= first[cpu].is_valid == (FARGS_CLOCK_VALID |
						 (info->tsc_stable ? 0 : FARGS_CLOCK_UNSTABLE));
	}
	ktap_ok(nr == sysconf(_SC_NPROCESSORS_ONLN), "CLOCK: every online CPU has a sample");
	ktap_ok(grows, "CLOCK: times of each CPU increase");
	ktap_ok(tells, "CLOCK: each sample says whether the TSC is trusted, like INFO");
	memset(&clock, 0, sizeof(clock));
	clock.nr_cpus = 1;
	clock.samples = 8;
	ktap_ok(call(fd, FARGS_IOC_CLOCK, &clock) == -EFAULT,
		"CLOCK: memory that is not writable is EFAULT");
	memset(&clock, 0, sizeof(clock));
	clock.reserved = 1;
	ktap_ok(call(fd, FARGS_IOC_CLOCK, &clock) == -EINVAL &&
		last_error.field == offsetof(struct fargs_clock, reserved),
		"CLOCK: a reserved field that is set is EINVAL, and is named");
	close(fd);
	free(first);
	free(second);
}

int main(void)
{
	struct fargs_info info = { 0 };
	int fd;

	ktap_begin("abi_ioctl");
	need_session_test();
	fd = device_open();
	must(call(fd, FARGS_IOC_INFO, &info), "INFO");
	test_node();
	test_info(fd);
	test_head(fd, "INFO", FARGS_IOC_INFO, sizeof(struct fargs_info));
	test_head(fd, "BUFFER", FARGS_IOC_BUFFER, sizeof(struct fargs_buffer));
	test_head(fd, "ADD", FARGS_IOC_ADD, sizeof(struct fargs_add));
	test_head(fd, "START", FARGS_IOC_START, sizeof(struct fargs_start));
	test_head(fd, "STOP", FARGS_IOC_STOP, sizeof(struct fargs_stop));
	test_head(fd, "STATS", FARGS_IOC_STATS, sizeof(struct fargs_stats));
	test_head(fd, "CLOCK", FARGS_IOC_CLOCK, sizeof(struct fargs_clock));
	test_sizes(fd);
	close(fd);
	test_buffer(&info);
	test_start();
	test_stats(&info);
	test_clock(&info);
	return ktap_end();
}
