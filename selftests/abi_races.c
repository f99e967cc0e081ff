// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module is loaded and unloaded while sessions are opened, started, shared, killed and closed,
 * and while another module, whose functions the sessions trace, is loaded and unloaded.
 *
 *	abi_races [--rounds N]	ends after N (20) unloads and N sessions
 *
 * The kernel log must contain no warning, and nothing may be left over: no reference, no traced
 * function, no memory.
 */
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "lib/leaks.h"
#include "lib/returns.h"

#define WORKERS		3
#define LOADS		2
#define RING_BYTES	(16u << 10)
#define REFCNT		"/sys/module/fargs/refcnt"
/* Number of failed attempts to unload the module after which fewer sessions are opened. */
#define TRIES_UNASKED	20
/*
 * Number of failed attempts after which none is opened. If closing a session takes much longer than
 * the pauses between sessions, as on a kernel with KASAN, there would otherwise always be one.
 */
#define TRIES_SHARED	200

/* A module's file, which is loaded repeatedly. */
struct module_file {
	const char *name;
	int fd;
};

/* Memory shared by all processes. */
static struct {
	atomic_bool is_over;
	atomic_bool is_wanted;	/* the module is to be unloaded: do not start long operations */
	atomic_bool is_urgent;	/* the module is to be unloaded next: open no sessions */
	atomic_ulong nr_opened, nr_started, nr_shared, nr_mapped, nr_absent, nr_late, nr_wrong;
	atomic_int wrong;	/* errno of one of the errors counted in @nr_wrong */
} *shared;

static struct module_file fargs = { .name = "fargs" }, late = { .name = "fargs_late" };
static uint64_t addr_4, addr_int;
static unsigned int seed;

static unsigned int chance(unsigned int of)
{
	return rand_r(&seed) % of;
}

static void wait_us(unsigned int us)
{
	const struct timespec ts = { .tv_nsec = us * 1000l };

	nanosleep(&ts, NULL);
}

static void wrong(int error)
{
	shared->nr_wrong++;
	shared->wrong = error;
}

static bool open_module(struct module_file *module)
{
	char command[128], path[512] = "";
	FILE *pipe;

	snprintf(command, sizeof(command), "modinfo -n %s 2>/dev/null", module->name);
	pipe = popen(command, "r");
	if (!pipe)
		return false;
	if (!fgets(path, sizeof(path), pipe))
		path[0] = 0;
	pclose(pipe);
	path[strcspn(path, "\n")] = 0;
	module->fd = open(path, O_RDONLY | O_CLOEXEC);
	return module->fd >= 0;
}

static int load(const struct module_file *module)
{
	return syscall(SYS_finit_module, module->fd, "", 0) ? -errno : 0;
}

static int unload(const struct module_file *module)
{
	return syscall(SYS_delete_module, module->name, O_NONBLOCK) ? -errno : 0;
}

/* Adds a deferred layout of a function of fargs_late. */
static int add_late(int fd)
{
	static uint8_t packed[sizeof(struct maker) + 256];
	struct fargs_symbol symbol = { .index = 0 };
	static const char names[] = "fargs_late\0fargs_late_work";
	struct fargs_layout *layout = (void *)packed;
	struct fargs_add add = { .layouts = (uintptr_t)packed, .nr = 1 };
	struct maker m;
	uint32_t bytes;

	maker_init(&m, 0, FARGS_LAYOUT_DEFERRED);
	maker_reg(&m, "number", FARGS_TYPE_S64, 0);
	m.layout.symbol_len = maker_round(sizeof(symbol) + sizeof(names));
	memset(packed, 0, sizeof(packed));
	bytes = maker_pack(&m, packed);
	memcpy(packed + bytes, &symbol, sizeof(symbol));
	memcpy(packed + bytes + sizeof(symbol), names, sizeof(names));
	layout->size = bytes + m.layout.symbol_len;
	add.bytes = layout->size;
	return call(fd, FARGS_IOC_ADD, &add);
}

/*
 * Prepares a session with three functions: one with arguments, one with its return value, and one
 * of fargs_late.
 */
static int prepare(int fd)
{
	struct fargs_buffer buffer = {
		.bytes = RING_BYTES, .mode = chance(2) ? FARGS_MODE_DROP : FARGS_MODE_OVERWRITE,
	};
	struct piece piece;
	struct maker m;
	int ret;

	ret = call(fd, FARGS_IOC_BUFFER, &buffer);
	if (ret)
		return ret;
	piece_target_4(&piece, addr_4);
	ret = piece_add(fd, &piece);
	if (!ret && chance(2)) {
		maker_init(&m, addr_int, FARGS_LAYOUT_RETURN);
		maker_reg(&m, "a", FARGS_TYPE_S32, 0);
		maker_return(&m, "$ret", FARGS_TYPE_S32, FARGS_SOURCE_RETURN, 0);
		ret = maker_add(fd, &m);
	}
	if (!ret && chance(2))
		ret = add_late(fd);
	return ret;
}

/* Uses the session in another process. Any result is accepted. */
static void use_meanwhile(int fd)
{
	struct fargs_arrivals arrivals = { 0 };
	struct fargs_freeze frozen = { .is_frozen = 1 };
	struct fargs_stats stats = { 0 };
	struct fargs_clock clock = { 0 };
	struct fargs_info info = { 0 };

	while (!shared->is_over) {
		switch (chance(8)) {
		case 0:
			session_start(fd);
			break;
		case 1:
			session_stop(fd);
			break;
		case 2:
			call(fd, FARGS_IOC_STATS, &stats);
			break;
		case 3:
			call(fd, FARGS_IOC_CLOCK, &clock);
			break;
		case 4:
			frozen.is_frozen = chance(2);
			call(fd, FARGS_IOC_FREEZE, &frozen);
			break;
		case 5:
			call(fd, FARGS_IOC_ARRIVALS, &arrivals);
			break;
		case 6:
			call(fd, FARGS_IOC_INFO, &info);
			break;
		default:
			return;
		}
	}
}

/*
 * Shares a descriptor between two processes. It is random which of them is killed first, or closes
 * the descriptor last.
 */
static void share(int fd)
{
	pid_t pid = fork();

	if (pid < 0)
		return;
	seed += 1000;
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		use_meanwhile(fd);
		_exit(0);
	}
	shared->nr_shared++;
	session_start(fd);
	target_call("fargs_t_4 100");
	if (chance(2))
		session_stop(fd);
	if (chance(2))
		close(fd);
	wait_us(chance(20000));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fd);
}

/* Closes the descriptor, so that the mapping holds the last reference to the session. */
static void keep_mapping(int fd)
{
	size_t page = sysconf(_SC_PAGESIZE), bytes = page + 2 * RING_BYTES;
	void *data = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, FARGS_MMAP_DATA(0));
	void *tail = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, FARGS_MMAP_TAIL(0));

	if (data == MAP_FAILED || tail == MAP_FAILED)
		wrong(errno);
	else
		shared->nr_mapped++;
	close(fd);
	wait_us(chance(2000));
	munmap(data, bytes);
	munmap(tail, page);
}

static void run_started(int fd)
{
	int ret = session_start(fd);

	if (!ret) {
		shared->nr_started++;
		ret = target_call("fargs_t_4 100");
	}
	if (!ret)
		ret = target_call("fargs_t_int 100");
	if (!ret && chance(2))
		ret = session_stop(fd);
	if (ret)
		wrong(-ret);
	close(fd);
}

static void run_session(int fd)
{
	unsigned int what = chance(shared->is_wanted ? 14 : 16);
	int ret;

	if (what < 6) {
		close(fd);
		return;
	}
	ret = prepare(fd);
	if (ret) {
		wrong(-ret);
		close(fd);
	} else if (what < 10) {
		close(fd);
	} else if (what < 14) {
		keep_mapping(fd);
	} else if (what < 15) {
		run_started(fd);
	} else {
		share(fd);
	}
}

static void work(void)
{
	while (!shared->is_over) {
		int fd = device_open();

		if (fd >= 0) {
			shared->nr_opened++;
			run_session(fd);
		} else if (errno == ENOENT || errno == ENODEV || errno == ENXIO) {
			shared->nr_absent++;
		} else {
			wrong(errno);
		}
		/*
		 * Open fewer sessions if the module is to be unloaded, so that it becomes unused
		 * sooner.
		 */
		wait_us(chance(shared->is_wanted ? 30000 : 5000));
		while (shared->is_urgent && !shared->is_over)
			wait_us(1000);
	}
}

/* Loads and unloads fargs_late. */
static void load_and_unload(void)
{
	while (!shared->is_over) {
		int ret = load(&late);

		if (ret && ret != -EEXIST)
			wrong(-ret);
		wait_us(chance(20000));
		ret = unload(&late);
		if (ret && ret != -EWOULDBLOCK && ret != -EBUSY)
			wrong(-ret);
		else if (!ret)
			shared->nr_late++;
		wait_us(chance(20000));
	}
	unload(&late);
}

static void make_calls(void)
{
	char byte[64];
	int fd;

	while (!shared->is_over) {
		if (target_call("loop fargs_t_4 50 2"))
			wrong(errno);
		fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
		while (read(fd, byte, sizeof(byte)) > 0)
			;
		close(fd);
		wait_us(1000);
	}
}

static pid_t start(void (*function)(void), unsigned int nr)
{
	pid_t pid = fork();

	must(pid < 0 ? -errno : 0, "fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	seed = nr + 1;
	function();
	_exit(0);
}

/* Tries to unload the module until no session uses it. */
static void unload_fargs(void)
{
	unsigned int tries = 0;
	int ret;

	shared->is_wanted = chance(2);
	while ((ret = unload(&fargs)) == -EWOULDBLOCK || ret == -EBUSY) {
		tries++;
		if (tries > TRIES_UNASKED)
			shared->is_wanted = true;
		if (tries > TRIES_SHARED)
			shared->is_urgent = true;
		wait_us(500);
	}
	must(ret, "fargs is unloaded");
	shared->is_wanted = false;
	shared->is_urgent = false;
}

/* Returns whether there were sessions of each kind. */
static bool is_complete(void)
{
	return shared->nr_started && shared->nr_shared && shared->nr_mapped && shared->nr_late;
}

static void run_rounds(unsigned long rounds)
{
	unsigned long done;

	for (done = 0; done < rounds || shared->nr_opened < rounds || !is_complete(); done++) {
		must(load(&fargs), "fargs is loaded");
		wait_us(chance(20000));
		unload_fargs();
		wait_us(chance(2000));
		if (done % 100 == 99)
			ktap_note("%lu times", done + 1);
	}
	ktap_note("unloaded: fargs %lu times, the other module %lu times", done, shared->nr_late);
	ktap_note("sessions: %lu opened, %lu started, %lu shared, %lu held by their mappings",
		  shared->nr_opened, shared->nr_started, shared->nr_shared, shared->nr_mapped);
	ktap_note("the device did not exist %lu times", shared->nr_absent);
}

static void run_races(unsigned long rounds)
{
	pid_t pids[WORKERS + LOADS + 1];
	unsigned int i, nr = 0;

	shared->is_over = false;
	for (i = 0; i < WORKERS; i++)
		pids[nr++] = start(work, i);
	for (i = 0; i < LOADS; i++)
		pids[nr++] = start(make_calls, i);
	pids[nr++] = start(load_and_unload, 0);
	run_rounds(rounds);
	shared->is_over = true;
	for (i = 0; i < nr; i++)
		waitpid(pids[i], NULL, 0);
}

static unsigned long number_in(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned long number = ~0ul;

	if (!file || fscanf(file, "%lu", &number) != 1)
		number = ~0ul;
	if (file)
		fclose(file);
	return number;
}

/* Tests for leaks with enough sessions that a leak of one object in each would be noticed. */
static void check_counts(void)
{
	struct leaks_count before, after;
	const long rounds = 2000;
	long i, growth, percpu;
	struct piece piece;
	int fd;

	for (i = -rounds / 4; i < rounds; i++) {
		if (!i)
			leaks_count(&before);
		fd = session_open(RING_BYTES);
		piece_target_4(&piece, addr_4);
		must(piece_add(fd, &piece), "ADD");
		must(add_late(fd), "ADD");
		close(fd);
	}
	leaks_count(&after);
	growth = leaks_growth(&before, &after);
	percpu = after.percpu_kb - before.percpu_kb;
	ktap_note("%ld sessions: slabs grow by at most %ld objects, per-CPU memory by %ld kB",
		  rounds, growth, percpu);
	if (symbol_address("kasan_quarantine_put"))
		ktap_ok(true, "slabs do not grow with sessions # SKIP KASAN keeps freed objects");
	else
		ktap_ok(before.nr && growth < rounds / 2,
			"slabs do not grow with sessions");
	/*
	 * A leaked ring head takes at least 256 bytes per CPU, that is, rounds / 4 kB or more in
	 * total.
	 */
	ktap_ok(percpu < rounds / 8, "per-CPU memory does not grow with sessions");
}

/*
 * Checks the objects that the module has allocated. @before: counts before the first session.
 * @rounds: how many times the module was loaded.
 */
static void check_traces(const struct leaks_traces *before, unsigned long rounds)
{
	struct leaks_traces after = leaks_traces(false);
	bool is_right;

	ktap_note("slab objects allocated by the module: %lu, %lu before",
		  after.direct, before->direct);
	ktap_note("by functions that it calls: %lu, %lu before", after.behind, before->behind);
	is_right = ktap_ok(after.direct <= before->direct,
			   "no slab object allocated by the module is left");
	is_right &= ktap_ok(after.behind < before->behind + 100 + rounds / 2,
			    "slab objects that the kernel has for a module do not grow");
	if (!is_right)
		leaks_traces(true);
}

/* @areas: number of vmalloc areas that the module had before the first session. */
static void check_leaks(const struct leaks_traces *before, unsigned long areas,
			unsigned long rounds)
{
	ktap_ok(!number_in(REFCNT), "the module's reference count is 0");
	if (!ktap_ok(leaks_lines("/proc/vmallocinfo", false) == areas,
		     "no vmalloc area of the module's sessions is left"))
		leaks_lines("/proc/vmallocinfo", true);
	if (leaks_have_traces())
		check_traces(before, rounds);
	else
		ktap_ok(true,
			"no slab object of the module is left # SKIP not booted with slab_debug=U");
	if (leaks_have_kmemleak())
		ktap_ok(!leaks_kmemleak(), "kmemleak reports no leak");
	else
		ktap_ok(true, "kmemleak reports no leak # SKIP this kernel has no kmemleak");
}

int main(int argc, char **argv)
{
	unsigned long rounds = 20, traced, areas;
	struct leaks_traces before = { 0 };

	if (argc == 3 && !strcmp(argv[1], "--rounds"))
		rounds = strtoul(argv[2], NULL, 0);
	else if (argc != 1)
		return fprintf(stderr, "usage: abi_races [--rounds N]\n"), 2;
	ktap_begin("abi_races");
	need_session_test();
	if (!open_module(&fargs) || !open_module(&late))
		ktap_skip_all("the files of fargs and fargs_late are not known to modinfo");
	addr_4 = symbol_address("fargs_t_4");
	addr_int = symbol_address("fargs_t_int");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	must(shared == MAP_FAILED ? -errno : 0, "mmap");
	if (leaks_have_traces())
		before = leaks_traces(false);
	if (unload(&fargs))
		ktap_skip_all("fargs cannot be unloaded because it is in use");
	unload(&late);
	/* The module has a bitmap as long as it is loaded. */
	must(load(&fargs), "fargs is loaded");
	areas = leaks_lines("/proc/vmallocinfo", false);
	must(unload(&fargs), "fargs is unloaded");
	if (leaks_have_kmemleak())
		leaks_begin_kmemleak();

	traced = nr_traced();
	run_races(rounds);
	ktap_ok(!shared->nr_wrong, "no operation fails unexpectedly") ||
		(ktap_note("%lu times, of them: %s", shared->nr_wrong, strerror(shared->wrong)), 0);
	must(load(&fargs), "fargs is loaded");
	ktap_ok(nr_traced() == traced, "no function is traced afterwards");
	check_counts();
	check_leaks(&before, areas, rounds);
	return ktap_end();
}
