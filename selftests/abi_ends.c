// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the end of a task while thousands of calls of other tasks wait for their return. The module
 * must search the slots only if the ending task may hold some, and must release the slots it holds.
 *
 *	abi_ends [--slots N]
 *
 * A kprobe counts the searches: each call of pool_release_owned() (kmod/probe/pool.c) searches the
 * slots of one word.
 */
#include <ctype.h>
#include <stddef.h>
#include <sys/stat.h>

#include "lib/calls.h"

#define HITS		"/proc/fargs_hits"
#define SEARCH		"pool_release_owned"
#define TRACEFS		"/sys/kernel/tracing"
#define INSTANCE	TRACEFS "/instances/fargs_ends"
#define RING_BYTES	(256u << 10)
#define NESTED		64	/* number of waiting calls in each task */
#define STORM		300	/* number of tasks that end */
#define FREE		64	/* number of slots that stay free */
#define DIE_NESTED	3	/* calls without return in each thread of "die" */
#define DIE		20	/* number of threads; together they need at most FREE slots */
#define EXITS		20
#define WAIT_MAX	120000	/* ms */
/*
 * Softirqs are measured in hundredths of a second on an emulated CPU that others share. This only
 * finds a search that never ends.
 */
#define SOFTIRQ_MAX	10.0

static uint32_t nr_slots = 4096;
static pid_t holders[65536 / NESTED];
static uint32_t nr_holders;
static struct reader reader;

/* Returns the address of a function of the module. GCC may have added a suffix to its name. */
static uint64_t address_of(const char *name)
{
	FILE *symbols = fopen("/proc/kallsyms", "re");
	unsigned long long addr, found = 0;
	const size_t len = strlen(name);
	char line[512], symbol[256];
	char type;

	while (symbols && !found && fgets(line, sizeof(line), symbols)) {
		if (sscanf(line, "%llx %c %255s", &addr, &type, symbol) == 3 &&
		    strstr(line, "[fargs]") && !strncmp(symbol, name, len) &&
		    (!symbol[len] || symbol[len] == '.'))
			found = addr;
	}
	if (symbols)
		fclose(symbols);
	return found;
}

static int hits_open(void)
{
	int fd = open(HITS, O_RDWR | O_CLOEXEC);
	uint64_t addr = address_of(SEARCH);
	char text[32];

	must(addr ? 0 : -ENOENT, SEARCH);
	must(fd < 0 ? -errno : 0, HITS);
	snprintf(text, sizeof(text), "%#llx", (unsigned long long)addr);
	must(write(fd, text, strlen(text)) < 0 ? -errno : 0, "kprobe");
	return fd;
}

static uint64_t hits_read(int fd)
{
	char text[32] = "";

	must(pread(fd, text, sizeof(text) - 1, 0) <= 0 ? -EIO : 0, HITS);
	return strtoull(text, NULL, 10);
}

static int try_add(int fd, const char *function)
{
	uint64_t addr = symbol_address(function);
	struct maker m;

	if (!addr)
		return -ENOENT;
	maker_init(&m, addr, FARGS_LAYOUT_RETURN);
	maker_reg(&m, "arg", FARGS_TYPE_S64, 0);
	return maker_add(fd, &m);
}

static void add(int fd, const char *function)
{
	must(try_add(fd, function), function);
}

static void wait_pending(uint64_t nr, const char *what)
{
	unsigned int ms;

	for (ms = 0; reader_totals(&reader).nr_pending < nr && ms < WAIT_MAX; ms++)
		usleep(1000);
	must(ms < WAIT_MAX ? 0 : -ETIMEDOUT, what);
}

/* Waits until at least @nr searches were counted. Returns their number. */
static uint64_t wait_hits(int fd, uint64_t nr)
{
	unsigned int ms;

	for (ms = 0; hits_read(fd) < nr && ms < WAIT_MAX; ms++)
		usleep(1000);
	return hits_read(fd);
}

/* Starts tasks that wait in calls, until only FREE slots are left. */
static void fill(void)
{
	char command[32];

	snprintf(command, sizeof(command), "hold %u", NESTED);
	for (; nr_holders < (nr_slots - FREE) / NESTED; nr_holders++) {
		pid_t pid = fork();

		must(pid < 0 ? -errno : 0, "fork");
		if (!pid) {
			signal(SIGUSR1, on_signal);
			must(target_call(command), command);
			_exit(0);
		}
		holders[nr_holders] = pid;
	}
	wait_pending(nr_holders * NESTED, "tasks do not wait");
}

static void end_holders(void)
{
	uint32_t i;

	for (i = 0; i < nr_holders; i++)
		kill(holders[i], SIGUSR1);
	for (i = 0; i < nr_holders; i++)
		waitpid(holders[i], NULL, 0);
}

static void end_child(void)
{
	pid_t pid = fork();

	must(pid < 0 ? -errno : 0, "fork");
	if (!pid)
		_exit(0);
	must(waitpid(pid, NULL, 0), "waitpid");
}

/* Waits until tasks that have ended are freed, which takes one or two RCU grace periods. */
static void wait_rcu(void)
{
	usleep(300000);
}

static int put(const char *file, const char *text)
{
	char path[128];
	int fd, ret;

	snprintf(path, sizeof(path), INSTANCE "/%s", file);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

static void begin_softirqs(void)
{
	must(mkdir(INSTANCE, 0755) && errno != EEXIST ? -errno : 0, INSTANCE);
	must(put("buffer_size_kb", "4096"), "buffer_size_kb");
	/* 9 is RCU_SOFTIRQ. */
	must(put("events/irq/softirq_entry/filter", "vec == 9"), "filter");
	must(put("events/irq/softirq_exit/filter", "vec == 9"), "filter");
	must(put("events/irq/softirq_entry/enable", "1"), "softirq_entry");
	must(put("events/irq/softirq_exit/enable", "1"), "softirq_exit");
}

/* Returns the longest RCU softirq in seconds, and their number in *@nr. */
static double end_softirqs(uint32_t *nr)
{
	double begun[64] = { 0 }, at, worst = 0;
	char line[512], event[64];
	unsigned int cpu;
	FILE *trace;

	must(put("tracing_on", "0"), "tracing_on");
	trace = fopen(INSTANCE "/trace", "re");
	must(trace ? 0 : -errno, "trace");
	*nr = 0;
	while (fgets(line, sizeof(line), trace)) {
		const char *bracket = strrchr(line, '[');

		/* The comm may contain brackets; the last one is that of "[action=RCU]". */
		while (bracket && bracket > line && !isdigit((unsigned char)bracket[1])) {
			while (--bracket > line && *bracket != '[')
				;
		}
		if (!bracket || sscanf(bracket, "[%u] %*s %lf: %63[^:]:", &cpu, &at, event) != 3 ||
		    cpu >= 64)
			continue;
		if (!strcmp(event, "softirq_entry")) {
			begun[cpu] = at;
		} else if (begun[cpu]) {
			worst = at - begun[cpu] > worst ? at - begun[cpu] : worst;
			begun[cpu] = 0;
			++*nr;
		}
	}
	fclose(trace);
	rmdir(INSTANCE);
	return worst;
}

static void test_without_slots(void)
{
	int fd = hits_open(), i;
	uint32_t nr_softirqs;
	uint64_t nr;
	double worst;

	begin_softirqs();
	for (i = 0; i < STORM; i++)
		end_child();
	wait_rcu();
	worst = end_softirqs(&nr_softirqs);
	nr = hits_read(fd);
	close(fd);
	if (!ktap_ok(!nr, "%u tasks without slots end, %u slots wait: no slot is searched", STORM,
		     nr_holders * NESTED))
		ktap_note("%.1f searches of up to 64 slots for each task", 1.0 * nr / STORM);
	ktap_note("worst of %u RCU softirqs: %.6f s", nr_softirqs, worst);
	ktap_ok(nr_softirqs && worst < SOFTIRQ_MAX, "no softirq hangs");
}

/*
 * Tests threads that end inside calls. In total, they need more slots than are free, so the slots
 * of ended threads must be released. Each search must cover all words.
 */
static void test_with_slots(void)
{
	const uint64_t before = reader_totals(&reader).nr_pending;
	int fd = hits_open();
	struct totals totals;
	uint64_t nr;
	int i;

	for (i = 1; i <= 4; i++) {
		must(target_call("die 20"), "die");
		wait_pending(before + i * DIE * DIE_NESTED, "threads do not end");
		/*
		 * A call is pending as soon as it begins, so the last thread may not have exited
		 * yet: wait for its searches, too.
		 */
		nr = wait_hits(fd, i * DIE * (nr_slots / 64));
		/*
		 * The kernel's own data for each call are released only when the thread is freed:
		 * wait, so that the kernel does not run out of them.
		 */
		wait_rcu();
	}
	totals = reader_totals(&reader);
	close(fd);
	if (!ktap_ok(totals.nr_pending == before + 4 * DIE * DIE_NESTED && !totals.missed,
		     "the slots of %u threads that end inside calls are released", 4 * DIE))
		ktap_note("pending %lu, before %lu, missed %lu", totals.nr_pending, before,
			  totals.missed);
	if (!ktap_ok(nr >= 4 * DIE * (nr_slots / 64), "the kprobe counts searches"))
		ktap_note("%lu", nr);
}

/* Tests do_task_dead(), which never returns: an ended task holds its slot until it is freed. */
static void test_dead(void)
{
	const uint64_t before = reader_totals(&reader).nr_pending;
	struct totals totals;
	int i;

	for (i = 0; i < 3 * FREE; i++) {
		end_child();
		if (i % (FREE / 4) == FREE / 4 - 1)
			wait_rcu();
	}
	wait_rcu();
	totals = reader_totals(&reader);
	/* Other tasks of the machine may end, too. */
	if (!ktap_ok(totals.nr_pending >= before + 3 * FREE && !totals.missed,
		     "a slot that a task takes in do_task_dead() is released"))
		ktap_note("pending %lu, before %lu, missed %lu", totals.nr_pending, before,
			  totals.missed);
}

/*
 * Tests the iterator of sched_process_exit, which an exiting task calls, and which calls the
 * module's probe. The iterator returns later, so the probe must not release the iterator's slot.
 * The kernel uses the iterator only if the tracepoint has several probes, hence two sessions.
 */
static void test_tracepoint(void)
{
	const char *function = "__traceiter_sched_process_exit";
	int32_t tid = getpid();
	struct fargs_start start = {
		.flags = FARGS_START_TASKS, .nr_tids = 1, .tids = (uintptr_t)&tid,
	};
	struct totals totals;
	struct reader other;
	uint64_t nr;
	int i;

	reader_open(&reader, RING_BYTES);
	if (try_add(reader.fd, function)) {
		printf("ok %u a call of an exiting task # SKIP %s cannot be traced\n", ++ktap.nr,
		       function);
		reader_close(&reader);
		return;
	}
	reader_open(&other, RING_BYTES);
	add(other.fd, "fargs_r_int");
	must(call(other.fd, FARGS_IOC_START, &start), "START");
	must(call(reader.fd, FARGS_IOC_START, &start), "START");
	for (i = 0; i < EXITS; i++)
		end_child();
	must(session_stop(reader.fd), "STOP");
	nr = reader_skip(&reader);
	totals = reader_totals(&reader);
	if (!ktap_ok(nr == EXITS && !totals.nr_pending && !totals.missed,
		     "a call that an exiting task makes, and that returns, keeps its slot"))
		ktap_note("%lu returns, pending %lu, missed %lu", nr, totals.nr_pending,
			  totals.missed);
	reader_close(&reader);
	reader_close(&other);
}

static void open_session(bool has_dead)
{
	struct fargs_start start = { .maxactive = nr_slots };

	reader_open(&reader, RING_BYTES);
	add(reader.fd, "fargs_d_hold");
	add(reader.fd, "fargs_r_die");
	if (has_dead)
		add(reader.fd, "do_task_dead");
	must(call(reader.fd, FARGS_IOC_START, &start), "START");
	fill();
}

static void close_session(void)
{
	end_holders();
	nr_holders = 0;
	must(session_stop(reader.fd), "STOP");
	reader_close(&reader);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--slots"))
		nr_slots = strtoul(argv[2], NULL, 10);
	if (nr_slots < 2 * FREE || nr_slots > 65536 || nr_slots % NESTED) {
		fputs("usage: abi_ends [--slots N]\n", stderr);
		return 2;
	}
	ktap_begin("abi_ends");
	need_session_test();
	open_session(false);
	test_without_slots();
	test_with_slots();
	close_session();
	open_session(true);
	test_dead();
	close_session();
	test_tracepoint();
	return ktap_end();
}
