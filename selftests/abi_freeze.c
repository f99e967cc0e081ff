// SPDX-License-Identifier: GPL-2.0-only
/*
 * FARGS_IOC_FREEZE checks, in rounds, on which CPUs a record is being written. A round is a call of
 * the kernel's on_each_cpu_cond_mask() for the module's settle_this_cpu(). The test counts rounds,
 * and the CPUs that are checked, with a kprobe.
 *
 *	abi_freeze [--times N [--kills M]]
 *
 * With --times, a long test for a machine with many CPUs runs: all functions are traced, every CPU
 * is busy, and two CPUs go offline and come back. It freezes the rings N times by ioctl and N times
 * by a trigger, and kills M tasks, or N/10, while they freeze and thaw.
 */
#include <linux/membarrier.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "lib/functions.h"
#include "lib/instance.h"
#include "lib/returns.h"

#define RING_BYTES	(16u << 10)
#define TRIGGER		"fargs_n_number"
#define FREEZES		200
#define CPUS_MAX	256
#define BATCH_LAYOUTS	4096u

/*
 * Limits of the long test. It prints seconds for comparison: a freeze should take at most 5 s, but
 * an emulator that runs 32 CPUs on two may take longer. A freeze that takes SECONDS_HANG is
 * considered to hang. A killed task should end in KILL_SECONDS, or in the time that tasks in other
 * system calls take.
 */
#define ROUNDS_MAX	64
#define SECONDS_HANG	50.0
#define KILLS_MAX	1000
#define KILL_SECONDS	1.0

static struct fargs_info info;
static int session;
static const struct fargs_ring_head *heads[CPUS_MAX];

/* Memory shared by all processes of the test. */
static struct {
	atomic_bool is_over;
	atomic_ulong nr_hotplugs;
	atomic_ulong nr_freezes;	/* number of freezes by tasks that are killed */
} *shared;

static int freeze(uint32_t is_frozen)
{
	struct fargs_freeze f = { .is_frozen = is_frozen };

	return call(session, FARGS_IOC_FREEZE, &f);
}

static void stay_on(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	must(sched_setaffinity(0, sizeof(set), &set) ? -errno : 0, "sched_setaffinity");
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void wait_us(long us)
{
	nanosleep(&(struct timespec){ .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 },
		  NULL);
}

static pid_t spawn(void (*run)(unsigned int arg), unsigned int arg)
{
	pid_t pid = fork();

	must(pid < 0 ? -errno : 0, "fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	run(arg);
	_exit(0);
}

static void reap(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/*
 * Creates the kprobe event that counts rounds. Its field mask shows which of the first 64 CPUs are
 * checked.
 */
static void count_rounds(void)
{
	int ret = probe_create("round", "on_each_cpu_cond_mask func=%si:x64 mask=+0(%r8):x64");

	if (ret)
		ktap_skip_all("no kprobe event on on_each_cpu_cond_mask (%s)", strerror(-ret));
}

/*
 * Returns the address of settle_this_cpu(): the event counts only calls with this function, since
 * the kernel also calls on_each_cpu_cond_mask() for itself.
 */
static unsigned long long settle_addr(void)
{
	static unsigned long long addr;
	char line[256], name[128];
	FILE *file;

	if (addr)
		return addr;
	file = fopen("/proc/kallsyms", "re");
	must(file ? 0 : -errno, "/proc/kallsyms");
	while (!addr && fgets(line, sizeof(line), file)) {
		if (!strstr(line, "[fargs]") || sscanf(line, "%llx %*c %127s", &addr, name) != 2 ||
		    strcmp(name, "settle_this_cpu"))
			addr = 0;
	}
	fclose(file);
	must(addr ? 0 : -ENOENT, "settle_this_cpu [fargs]");
	return addr;
}

/*
 * Opens a counter of those rounds of thread @tid that checked a CPU in the mask @cpus; 0: this
 * thread, or a counter of all its rounds.
 */
static int rounds_of_task(pid_t tid, unsigned int cpus)
{
	char filter[64];

	snprintf(filter, sizeof(filter), cpus ? "func == %#llx && mask & %u" : "func == %#llx",
		 settle_addr(), cpus);
	return probe_count("round", tid, filter);
}

static int rounds_of(unsigned int cpus)
{
	return rounds_of_task(0, cpus);
}

static void session_make(void)
{
	struct fargs_buffer buffer = { .bytes = RING_BYTES, .mode = FARGS_MODE_OVERWRITE };
	unsigned int cpu;
	void *map;

	session = device_open();
	must(session < 0 ? -errno : 0, "open " FARGS_DEVICE);
	must(call(session, FARGS_IOC_BUFFER, &buffer), "BUFFER");
	for (cpu = 0; cpu < info.nr_cpus; cpu++) {
		map = mmap(NULL, info.page_size + 2 * RING_BYTES, PROT_READ, MAP_SHARED, session,
			   FARGS_MMAP_DATA(cpu));
		must(map == MAP_FAILED ? -errno : 0, "mmap");
		heads[cpu] = map;
	}
}

static void session_end(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < info.nr_cpus; cpu++)
		munmap((void *)heads[cpu], info.page_size + 2 * RING_BYTES);
	close(session);
}

/* ---- one CPU writes, the other does not ---- */

/*
 * Adds a layout of fargs_t_int with a record of maximum length, so that a call spends most of its
 * time writing the record.
 */
static void add_long(void)
{
	struct piece piece;
	char name[100];

	memset(name, 'a', sizeof(name));
	name[sizeof(name) - 1] = 0;
	memset(&piece, 0, sizeof(piece));
	piece.layout.addr = symbol_address("fargs_t_int");
	piece_reg(&piece, "a", FARGS_TYPE_S32, 0);
	while (piece.body_len < FARGS_RECORD_MAX - sizeof(struct fargs_record) - 128)
		piece_value(&piece, name, FARGS_TYPE_S32, 8);
	piece_end(&piece);
	must(piece_add(session, &piece), "ADD");
}

static void call_for_ever(unsigned int cpu)
{
	stay_on(cpu);
	while (!target_call("fargs_t_int 500"))
		;
}

/*
 * Tests that FREEZE checks the current CPU only once. This task calls no traced function, so no
 * record is being written on its CPU during a check.
 */
static void test_settled(void)
{
	uint64_t nr, nr_here, nr_there;
	int all, here, there;
	unsigned int i;
	pid_t pid;

	stay_on(0);
	session_make();
	add_long();
	must(session_start(session), "START");
	pid = spawn(call_for_ever, 1);
	all = rounds_of(0);
	here = rounds_of(1);
	there = rounds_of(2);
	for (i = 0; i < FREEZES; i++) {
		wait_us(500);
		must(freeze(1), "FREEZE");
		must(freeze(0), "thaw");
	}
	nr = probe_read(all);
	nr_here = probe_read(here);
	nr_there = probe_read(there);
	close(all);
	close(here);
	close(there);
	reap(pid);
	must(session_stop(session), "STOP");
	session_end();
	ktap_note("%u freezes took %llu rounds; %llu checked the CPU that writes, %llu the other",
		  FREEZES, (unsigned long long)nr, (unsigned long long)nr_there,
		  (unsigned long long)nr_here);
	ktap_ok(nr_there > FREEZES, "a CPU that writes is checked again");
	ktap_ok(nr_here == FREEZES, "a CPU that has settled is not checked again");
}

/* ---- the long test ---- */

static void add_trigger(void)
{
	struct maker m;

	maker_init(&m, symbol_address(TRIGGER), FARGS_LAYOUT_TRIGGER);
	maker_reg(&m, "number", FARGS_TYPE_U64, 0);
	must(maker_add(session, &m), "ADD of the trigger");
}

static uint32_t add_batch(const uint64_t *addrs, uint32_t nr)
{
	uint8_t *packed = malloc(nr * sizeof(struct piece)), *at = packed;
	uint32_t i, nr_added;
	struct piece piece;

	must(packed ? 0 : -ENOMEM, "ADD");
	for (i = 0; i < nr; i++) {
		piece_target_int(&piece, addrs[i]);
		at += piece_pack(&piece, at);
	}
	must(session_add(session, packed, at - packed, nr, FARGS_ADD_SKIP, &nr_added), "ADD");
	free(packed);
	return nr_added;
}

static void add_all(void)
{
	struct functions all;
	uint32_t i, nr = 0;

	functions_find(&all);
	for (i = 0; i < all.nr; i += BATCH_LAYOUTS)
		nr += add_batch(all.addrs + i, all.nr - i < BATCH_LAYOUTS ? all.nr - i :
				BATCH_LAYOUTS);
	free(all.addrs);
	ktap_note("%u functions", nr);
}

static void be_busy(unsigned int cpu)
{
	cpu_set_t set;
	char text[256];
	int fd;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	/* Calls of membarrier() then interrupt this CPU, too. */
	must(syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) ? -errno : 0,
	     "membarrier");
	for (;;) {
		/*
		 * If the CPU went offline, the kernel has reset this task's affinity to all other
		 * CPUs: pin it again.
		 */
		sched_setaffinity(0, sizeof(set), &set);
		target_call("fargs_t_int 100");
		fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
		if (fd >= 0 && read(fd, text, sizeof(text)) > 0)
			close(fd);
	}
}

static void hotplug(unsigned int nr_cpus)
{
	unsigned int i;
	char path[64];

	for (i = 0; !shared->is_over; i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online",
			 nr_cpus - 1 - i % 2);
		if (!probe_write(path, "0") && !probe_write(path, "1"))
			shared->nr_hotplugs++;
	}
}

struct worst {
	double seconds;
	uint64_t rounds;
	unsigned int nr, nr_moved;
};

/* Returns whether the readable data of a frozen ring changes. */
static bool has_moved(void)
{
	uint64_t before[CPUS_MAX], starts[CPUS_MAX];
	unsigned int cpu;
	bool moved = false;

	for (cpu = 0; cpu < info.nr_cpus; cpu++) {
		before[cpu] = __atomic_load_n(&heads[cpu]->data_head, __ATOMIC_ACQUIRE);
		starts[cpu] = heads[cpu]->data_start;
	}
	wait_us(2000);
	for (cpu = 0; cpu < info.nr_cpus; cpu++)
		moved |= before[cpu] != __atomic_load_n(&heads[cpu]->data_head, __ATOMIC_ACQUIRE) ||
			 starts[cpu] != heads[cpu]->data_start;
	return moved;
}

static void freeze_once(struct worst *worst, int rounds)
{
	uint64_t nr = probe_read(rounds);
	double begin = now(), took;

	must(freeze(1), "FREEZE");
	took = now() - begin;
	nr = probe_read(rounds) - nr;
	worst->nr++;
	worst->nr_moved += has_moved();
	worst->seconds = took > worst->seconds ? took : worst->seconds;
	worst->rounds = nr > worst->rounds ? nr : worst->rounds;
	must(freeze(0), "thaw");
}

static void check_worst(const struct worst *worst, const char *what)
{
	ktap_note("%s: %u freezes, the worst took %.3f s; %llu rounds", what, worst->nr,
		  worst->seconds, (unsigned long long)worst->rounds);
	ktap_ok(worst->seconds <= SECONDS_HANG, "%s: no freeze hangs", what);
	ktap_ok(worst->rounds <= ROUNDS_MAX,
		"%s: each freeze takes at most %u rounds", what, ROUNDS_MAX);
	ktap_ok(!worst->nr_moved, "%s: a frozen ring does not change", what);
}

static void freeze_by_ioctl(unsigned int times, int rounds)
{
	struct worst worst = { 0 };

	while (worst.nr < times) {
		wait_us(1000);
		freeze_once(&worst, rounds);
	}
	check_worst(&worst, "freeze by ioctl");
}

static void freeze_by_trigger(unsigned int times, int rounds)
{
	struct pollfd fd = { .fd = session, .events = POLLPRI };
	struct worst worst = { 0 };
	unsigned int nr_reported = 0;

	while (worst.nr < times) {
		must(target_call("number 1 1"), "the trigger");
		nr_reported += poll(&fd, 1, 60000) == 1 && (fd.revents & POLLPRI);
		freeze_once(&worst, rounds);
	}
	ktap_ok(nr_reported == times, "each trigger is reported");
	check_worst(&worst, "freeze by trigger");
}

static void freeze_for_ever(unsigned int unused)
{
	while (!freeze(1) && !freeze(0))
		shared->nr_freezes++;
}

static void ask_for_parent(unsigned int unused)
{
	while (syscall(SYS_getppid) > 0)
		;
}

/* Like a freeze, each call interrupts all CPUs that run a worker, and waits for them. */
static void interrupt_workers(unsigned int unused)
{
	while (!syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0))
		;
}

/* Waits until the task of the counter has begun another round, for at most a minute. */
static void wait_for_round(int rounds)
{
	uint64_t before = probe_read(rounds);
	double begin = now();

	while (probe_read(rounds) == before && now() - begin < 60)
		;
	close(rounds);
}

/*
 * Kills a task that runs @run; returns how long the task took to end, in s. With @killed, which
 * receives the pid, the task is killed while it freezes.
 */
static double kill_task(void (*run)(unsigned int arg), unsigned int i, pid_t *killed)
{
	pid_t pid = spawn(run, 0);
	double begin;

	wait_us(100000 + i * 37000 % 200000);
	if (killed) {
		*killed = pid;
		wait_for_round(rounds_of_task(pid, 0));
	}
	begin = now();
	reap(pid);
	return now() - begin;
}

static int compare_times(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* How long killed tasks took to end, in s. */
struct kills {
	const char *what;
	double seconds[KILLS_MAX];
};

/* Notes the times, and returns the longest one. */
static double note_kills(struct kills *kills, unsigned int nr)
{
	qsort(kills->seconds, nr, sizeof(kills->seconds[0]), compare_times);
	ktap_note("%u tasks killed in %s took %.3f s to end, the slowest %.3f s", nr, kills->what,
		  kills->seconds[nr / 2], kills->seconds[nr - 1]);
	return kills->seconds[nr - 1];
}

/* Starts recording rounds and SIGKILLs. */
static void record_kills(void)
{
	char filter[64];

	snprintf(filter, sizeof(filter), "func == %#llx", settle_addr());
	must(instance_begin() && instance_event("fargs_selftest/round", filter) &&
	     instance_event("signal/signal_generate", "sig == 9") ? 0 : -ENOENT, INSTANCE);
}

/*
 * Tests how often tasks that were killed checked CPUs after that. FREEZE looks for a signal after
 * each round, so a task killed before a round begins has one more. That does not depend on how fast
 * the machine is.
 */
static void check_rounds_of_killed(const pid_t *pids, unsigned int nr)
{
	unsigned int after[KILLS_MAX] = { 0 }, i, nr_rounds = 0, nr_killed = 0, most = 0;
	bool is_killed[KILLS_MAX] = { false };
	FILE *trace = instance_read();
	char line[1024], event[128];
	const char *fields;
	double seconds;
	int by, pid;

	must(trace ? 0 : -errno, INSTANCE "trace");
	while (fgets(line, sizeof(line), trace)) {
		fields = instance_line(line, &seconds, event);
		if (!fields || sscanf(line, " %*[^-]-%d", &by) != 1)
			continue;
		nr_rounds += !strcmp(event, "round");
		fields = strstr(fields, " pid=");
		pid = fields ? atoi(fields + strlen(" pid=")) : -1;
		for (i = 0; i < nr; i++) {
			if (!strcmp(event, "signal_generate") && pid == pids[i])
				is_killed[i] = true;
			after[i] += !strcmp(event, "round") && by == pids[i] && is_killed[i];
		}
	}
	fclose(trace);
	instance_end();
	for (i = 0; i < nr; i++) {
		nr_killed += is_killed[i];
		most = after[i] > most ? after[i] : most;
	}
	ktap_note("%u rounds, of which one killed task had at most %u after SIGKILL", nr_rounds,
		  most);
	ktap_ok(nr_rounds && nr_killed == nr && most <= 1,
		"a killed task checks CPUs at most once more");
}

/*
 * A killed task needs CPU time to exit, which takes long if an emulator runs many busy CPUs on few
 * host CPUs. For comparison, tasks that make system calls of the kernel are killed after each task
 * that freezes and thaws: getppid(), and membarrier(), which cannot be killed while it waits for
 * other CPUs.
 */
static void kill_freezers(unsigned int nr)
{
	static struct kills freezers = { .what = "FREEZE" }, others = { .what = "getppid()" },
			    waiters = { .what = "membarrier()" };
	unsigned int i;
	unsigned long before = shared->nr_freezes;
	double worst, other, waiter, limit;
	pid_t pids[KILLS_MAX];

	record_kills();
	for (i = 0; i < nr; i++) {
		freezers.seconds[i] = kill_task(freeze_for_ever, i, &pids[i]);
		others.seconds[i] = kill_task(ask_for_parent, i, NULL);
		waiters.seconds[i] = kill_task(interrupt_workers, i, NULL);
		ktap_note("%u: a task killed in FREEZE took %.3f s, in getppid() %.3f s, in "
			  "membarrier() %.3f s", i + 1, freezers.seconds[i], others.seconds[i],
			  waiters.seconds[i]);
	}
	ktap_note("%lu freezes", shared->nr_freezes - before);
	worst = note_kills(&freezers, nr);
	other = note_kills(&others, nr);
	waiter = note_kills(&waiters, nr);
	limit = other > waiter ? other : waiter;
	limit = 2 * limit > KILL_SECONDS ? 2 * limit : KILL_SECONDS;
	ktap_ok(worst <= limit, "SIGKILL ends tasks that freeze and thaw within %.1f s, or twice "
		"the time of other tasks", KILL_SECONDS);
	check_rounds_of_killed(pids, nr);
	ktap_ok(!freeze(0) && !freeze(1) && !has_moved() && !freeze(0),
		"after a task was killed, others can freeze and thaw");
}

static void test_many(unsigned int times, unsigned int nr_kills)
{
	struct fargs_start start = { .flags = FARGS_START_FREEZE };
	unsigned int nr = sysconf(_SC_NPROCESSORS_ONLN), cpu;
	pid_t workers[CPUS_MAX], hotplugger;
	double begin = now();
	int rounds;

	must(nr <= CPUS_MAX ? 0 : -E2BIG, "CPUs");
	session_make();
	add_trigger();
	add_all();
	must(call(session, FARGS_IOC_START, &start), "START");
	ktap_note("%u CPUs, START after %.0f s", nr, now() - begin);
	rounds = rounds_of(0);
	for (cpu = 0; cpu < nr; cpu++)
		workers[cpu] = spawn(be_busy, cpu);
	hotplugger = spawn(hotplug, nr);
	freeze_by_ioctl(times, rounds);
	freeze_by_trigger(times, rounds);
	kill_freezers(nr_kills);
	shared->is_over = true;
	waitpid(hotplugger, NULL, 0);
	ktap_note("CPUs went offline and came back %lu times", shared->nr_hotplugs);
	ktap_ok(nr < 3 || shared->nr_hotplugs, "CPUs went offline meanwhile");
	for (cpu = 0; cpu < nr; cpu++)
		reap(workers[cpu]);
	close(rounds);
	must(session_stop(session), "STOP");
	session_end();
}

int main(int argc, char **argv)
{
	unsigned int times = 0, nr_kills = 0;
	int fd;

	if (argc >= 3 && !strcmp(argv[1], "--times"))
		times = strtoul(argv[2], NULL, 0);
	if (argc == 3)
		nr_kills = times / 10 ?: 1;
	else if (argc == 5 && !strcmp(argv[3], "--kills"))
		nr_kills = strtoul(argv[4], NULL, 0);
	if (argc != 1 && (!times || !nr_kills || nr_kills > KILLS_MAX))
		return 2;
	ktap_begin("abi_freeze");
	need_session_test();
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		ktap_skip_all("there is only one CPU");
	fd = device_open();
	must(call(fd, FARGS_IOC_INFO, &info), "INFO");
	close(fd);
	must(info.nr_cpus <= CPUS_MAX ? 0 : -E2BIG, "CPUs");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	must(shared == MAP_FAILED ? -errno : 0, "mmap");
	count_rounds();
	if (times)
		test_many(times, nr_kills);
	else
		test_settled();
	probe_destroy("round");
	return ktap_end();
}
