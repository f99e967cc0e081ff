// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests operations that must not wait for a session's ioctl: open() and close() of other sessions,
 * loading and unloading of a module, STATS of the same session, and the death of a task that waits
 * for the ioctl. All must end before an ADD with so many layouts that it takes twenty times as long
 * as loading and unloading the module.
 */
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "lib/instance.h"
#include "lib/returns.h"

#define RING_BYTES	(16u << 10)
#define LAYOUTS_FEW	4096u
#define LAYOUTS_MAX	(1u << 17)
#define ADDRS_MAX	4096u
#define OPENS		10
/*
 * The kernel's function that calls module notifiers when a module is loaded. It is probed because
 * functions of fargs cannot be probed.
 */
#define NOTIFIER	"blocking_notifier_call_chain_robust"
/* The first function of the kernel that ADD calls while it holds the session's lock. */
#define ASKED		"copy_from_kernel_nofault"

static struct {
	atomic_bool may_add, may_load, is_added, is_over;
	atomic_int added;		/* return value of ADD */
	atomic_uint nr_loads;	/* number of times the module was loaded before ADD returned */
	atomic_bool is_waiting;
} *shared;

static uint64_t addrs[ADDRS_MAX];
static uint32_t nr_addrs;
static int late_file;
static double add_seconds;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void wait_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

/* Waits up to a minute until @flag is set. The other task sets the flag as soon as it runs. */
static bool wait_for(const atomic_bool *flag)
{
	int i;

	for (i = 0; i < 60000 && !*flag; i++)
		wait_ms(1);
	return *flag;
}

static bool wait_for_count(int counter)
{
	int i;

	for (i = 0; i < 60000 && !probe_read(counter) && !shared->is_added; i++)
		wait_ms(1);
	return probe_read(counter);
}

/*
 * Finds functions of fargs_target. ADD spends most of its time on looking up their names, not in
 * ftrace.
 */
static void find_addrs(void)
{
	const char *at = symbols_text(), *end;
	char type, line[512], name[400];
	unsigned long long addr;

	for (; *at && (end = strchr(at, '\n')) && nr_addrs < ADDRS_MAX; at = end + 1) {
		snprintf(line, sizeof(line), "%.*s", (int)(end - at), at);
		if (!strncmp(line + strcspn(line, " "), " t fargs_t_", 11) &&
		    sscanf(line, "%llx %c %399s", &addr, &type, name) == 3)
			addrs[nr_addrs++] = addr;
	}
	must(nr_addrs ? 0 : -ENOENT, "functions of the target");
}

/*
 * Adds @nr layouts, which repeat the same addresses. The layouts have a program, for which ADD
 * looks up the name of the function; the lookup takes most of the time.
 */
static int add(int fd, uint32_t nr)
{
	uint8_t *packed = malloc(nr * 256ul), *at = packed;
	struct maker m;
	double begin;
	uint32_t i;
	int ret;

	must(packed ? 0 : -ENOMEM, "ADD");
	maker_init(&m, 0, 0);
	maker_reg(&m, "a", FARGS_TYPE_S32, 0);
	maker_insn(&m, FARGS_PROG_ENTRY_PREDICATE, (struct fargs_insn){ .op = FARGS_OP_REJECT });
	for (i = 0; i < nr; i++) {
		m.layout.addr = addrs[i % nr_addrs];
		at += maker_pack(&m, at);
	}
	while (!shared->may_add)
		wait_ms(1);
	begin = now();
	ret = session_add(fd, packed, at - packed, nr, FARGS_ADD_SKIP, NULL);
	add_seconds = now() - begin;
	free(packed);
	return ret;
}

static int load_and_unload(void)
{
	if (syscall(SYS_finit_module, late_file, "", 0))
		return -errno;
	return syscall(SYS_delete_module, "fargs_late", O_NONBLOCK) ? -errno : 0;
}

static void run_add(int fd, uint32_t nr)
{
	shared->added = add(fd, nr);
	shared->is_added = true;
}

static void run_modules(int fd, uint32_t unused)
{
	while (!shared->may_load)
		wait_ms(1);
	while (!shared->is_over && !load_and_unload())
		shared->nr_loads += !shared->is_added;
}

/*
 * Calls FARGS_IOC_FREEZE, which waits for the session's lock, and then fails because the session is
 * not running.
 */
static void run_freeze(int fd, uint32_t unused)
{
	struct fargs_freeze freeze = { .is_frozen = 1 };

	shared->is_waiting = true;
	call(fd, FARGS_IOC_FREEZE, &freeze);
}

/* ---- times of loading a module: printed, not checked ---- */

/*
 * Starts tracing when task @pid enters and leaves module notifiers, and when it waits for
 * ftrace_lock.
 */
static bool trace_begin(pid_t pid)
{
	unsigned long long lock = symbol_address("ftrace_lock");
	char task[64], waits[128];

	if (!instance_begin())
		return false;
	snprintf(task, sizeof(task), "common_pid == %d", pid);
	snprintf(waits, sizeof(waits), "%s && lock_addr == 0x%llx", task, lock);
	return instance_event("fargs_selftest/notifier", task) &&
	       instance_event("fargs_selftest/notified", task) &&
	       instance_event("lock/contention_begin", waits) &&
	       instance_event("lock/contention_end", waits);
}

static void trace_end(const char *what, bool is_there)
{
	double in_notifier = 0, in_lock = 0, entered = 0, waited = 0, at;
	FILE *trace = is_there ? instance_read() : NULL;
	char line[1024], event[128];

	while (trace && fgets(line, sizeof(line), trace)) {
		if (!instance_line(line, &at, event))
			continue;
		if (!strcmp(event, "notifier"))
			entered = at;
		else if (!strcmp(event, "notified") && entered)
			in_notifier += at - entered;
		else if (!strcmp(event, "contention_begin"))
			waited = at;
		else if (!strcmp(event, "contention_end") && waited)
			in_lock += at - waited;
	}
	if (trace) {
		fclose(trace);
		ktap_note("%s: loading the module spent %.3f s in notifiers, and waited %.3f s "
			  "for the kernel's ftrace_lock", what, in_notifier, in_lock);
	}
	if (is_there)
		instance_end();
}

static pid_t spawn(void (*run)(int fd, uint32_t nr), int fd, uint32_t nr)
{
	pid_t pid = fork();

	must(pid < 0 ? -errno : 0, "fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	run(fd, nr);
	_exit(0);
}

/* Returns the number of layouts for which ADD takes twenty times as long as loading the module. */
static uint32_t count_layouts(void)
{
	double begin = now(), module_seconds;
	int fd = session_open(RING_BYTES);
	double nr;

	must(load_and_unload(), "fargs_late");
	module_seconds = now() - begin;
	shared->may_add = true;
	must(add(fd, LAYOUTS_FEW), "ADD");
	shared->may_add = false;
	close(fd);
	nr = LAYOUTS_FEW * 20 * module_seconds / add_seconds;
	ktap_note("the module takes %.3f s, ADD of %u layouts %.3f s", module_seconds, LAYOUTS_FEW,
		  add_seconds);
	if (nr > LAYOUTS_MAX)
		ktap_skip_all("ADD is too quick here, or the module takes too long");
	return nr < LAYOUTS_FEW ? LAYOUTS_FEW : nr;
}

static void check_killed(int fd)
{
	pid_t pid = spawn(run_freeze, fd, 0);

	must(wait_for(&shared->is_waiting) ? 0 : -ETIMEDOUT, "FREEZE");
	wait_ms(20);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ktap_ok(!shared->is_added,
		"SIGKILL ends a task that waits for another ioctl of the session");
}

static void check_stats(int fd)
{
	struct fargs_stats stats = { 0 };
	int ret = call(fd, FARGS_IOC_STATS, &stats);

	ktap_ok(!ret && !shared->is_added, "STATS does not wait for another ioctl of the session");
}

/* Tests open() and close() during or after the module's notifier. */
static void check_open(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < OPENS; i++) {
		int fd = device_open();

		must(fd < 0 ? -errno : 0, "open");
		close(fd);
		nr += !shared->is_added;
	}
	ktap_ok(nr == OPENS,
		"other sessions are opened and closed during ADD (%u of %u)", nr, OPENS);
}

/*
 * Tests a module and other sessions during START. The duration of START depends on the kernel, and
 * ftrace holds its lock for most of it, so this test only checks that modules and sessions still
 * work.
 */
static void check_start(int fd)
{
	double begin = now();

	must(session_start(fd), "START");
	ktap_note("START took %.3f s", now() - begin);
	begin = now();
	must(session_stop(fd), "STOP");
	ktap_note("STOP took %.3f s", now() - begin);
}

static void check_add(void)
{
	uint32_t nr = count_layouts();
	int fd = session_open(RING_BYTES), asked, notified;
	pid_t adder, modules;
	bool has_trace;
	double begin;

	adder = spawn(run_add, fd, nr);
	modules = spawn(run_modules, fd, 0);
	/*
	 * Open the counters before ADD begins: opening them takes event_mutex, which a notifier of
	 * the kernel also takes.
	 */
	asked = probe_count("asked", adder, NULL);
	notified = probe_count("notifier", modules, NULL);
	has_trace = trace_begin(modules);
	shared->may_add = true;
	begin = now();
	must(wait_for_count(asked) ? 0 : -ETIMEDOUT, "ADD");
	check_killed(fd);
	check_stats(fd);
	shared->may_load = true;
	must(wait_for_count(notified) || shared->is_added ? 0 : -ETIMEDOUT, NOTIFIER);
	wait_ms(20);
	check_open();
	waitpid(adder, NULL, 0);
	ktap_note("ADD of %u layouts took %.3f s; the module was loaded and unloaded %u times", nr,
		  now() - begin, shared->nr_loads);
	ktap_ok(shared->nr_loads, "a module is loaded and unloaded during ADD");
	must(shared->added, "ADD");
	check_start(fd);
	shared->is_over = true;
	waitpid(modules, NULL, 0);
	close(asked);
	close(notified);
	trace_end("ADD and START", has_trace);
	close(fd);
}

static int open_late(void)
{
	FILE *pipe = popen("modinfo -n fargs_late 2>/dev/null", "r");
	char path[512] = "";

	if (pipe && !fgets(path, sizeof(path), pipe))
		path[0] = 0;
	if (pipe)
		pclose(pipe);
	path[strcspn(path, "\n")] = 0;
	return open(path, O_RDONLY | O_CLOEXEC);
}

int main(void)
{
	int ret;

	ktap_begin("abi_waits");
	need_session_test();
	late_file = open_late();
	if (late_file < 0)
		ktap_skip_all("module fargs_late is not installed");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	must(shared == MAP_FAILED ? -errno : 0, "mmap");
	find_addrs();
	ret = probe_create("notifier", NOTIFIER);
	if (ret)
		ktap_skip_all("no kprobe event on " NOTIFIER " (%s)", strerror(-ret));
	must(probe_create("asked", ASKED), ASKED);
	must(probe_write(PROBE_TRACEFS "kprobe_events", "r:fargs_selftest/notified " NOTIFIER),
	     "the notifier's return");
	check_add();
	probe_destroy("asked");
	probe_destroy("notified");
	probe_destroy("notifier");
	return ktap_end();
}
