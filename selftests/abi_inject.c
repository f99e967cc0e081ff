// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests failed allocations, and failed copies from and to user space. Each call is made with its
 * first allocation or copy failing, then with its second one failing, and so on, until all have
 * failed once. After each failure, the call must have undone what it did, and must succeed when it
 * is repeated.
 *
 *	abi_inject [WALK...]		without WALK, all of them
 *
 * What must not be left over, and how the test detects it:
 *
 *	functions traced by ftrace	enabled_functions
 *	kprobes				the kernel's list
 *	probes of tracepoints		calls after a failed START write no record
 *	memory charged to the user	RLIMIT_MEMLOCK is exactly what one session needs
 *	sessions			max_user_sessions is 1
 *	references to the module	it can be unloaded
 *	memory				vmallocinfo; also kmemleak and slabs, if supported
 *
 * After a failure, a call may still succeed, with less memory or with another mechanism. It may
 * also return EFAULT after it has taken effect, if copying its result fails: when such a call is
 * repeated, it may return the error for a second call.
 */
#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/calls.h"
#include "lib/fault.h"
#include "lib/leaks.h"
#include "lib/rights.h"

#define RING_BYTES	(16u << 10)
#define RECORDS_MAX	64
#define NTH_MAX		20000
#define MANY		18	/* enough for the module to use fprobe, if the kernel has it */
#define KPROBES		FAULT_DEBUG "kprobes/list"
#define MAX_SESSIONS	"/sys/module/fargs/parameters/max_user_sessions"
#define TICKS		"/proc/fargs_tp"

/* Which layouts a session has. */
static bool has_tpoints;	/* false, for example, on kernels with kCFI */
static bool is_many;		/* also MANY functions with return probes, and a scope */
static bool is_alone;		/* only functions of a module that is not loaded yet */
static uint64_t many_addrs[MANY];
static unsigned long nr_functions, nr_kprobes;
static struct reader reader;

/* ---- reports of failures ---- */

/*
 * Environment variable with the path of a file. The numbers of the places (selftests/fault/places)
 * that were reached after failures are appended to that file.
 */
#define PLACES	"FARGS_INJECT_PLACES"

/* Appends a line for each place that was reached after the last failure of @call. */
static void write_places(const char *call)
{
	const char *path = getenv(PLACES);
	FILE *file = path && fault.nr_notes ? fopen(path, "ae") : NULL;
	unsigned int i;

	for (i = 0; file && i < fault.nr_notes; i++)
		fprintf(file, "%s\t%u\n", call, fault.notes[i]);
	if (file)
		fclose(file);
}

/* Prints a line for a failure: the call, the function that failed, its callers, and the error. */
static void note_fault(const char *call, unsigned int nth, int ret)
{
	char text[1024] = "";
	unsigned int i;

	write_places(call);
	for (i = 3; i-- && fault.nr;)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
			 fault.kernel[i][0] ? " " : "", fault.kernel[i]);
	for (i = 0; i < fault.nr; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " %s%s",
			 i ? "" : "< ", fault.callers[i]);
	ktap_note("%s %u: %s%s: %s", call, nth, fault.kind, text,
		  ret ? strerror(-ret) : "no error");
}

/* ---- traced functions and kprobes ---- */

static unsigned long count_lines(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned long nr = 0;
	char line[1024];

	must(file ? 0 : -errno, path);
	while (fgets(line, sizeof(line), file))
		nr++;
	fclose(file);
	return nr;
}

static bool is_clean(void)
{
	unsigned long functions = nr_traced(), kprobes = count_lines(KPROBES);

	if (functions == nr_functions && kprobes == nr_kprobes)
		return true;
	ktap_note("%lu functions are traced, not %lu; there are %lu kprobes, not %lu", functions,
		  nr_functions, kprobes, nr_kprobes);
	return false;
}

/* ---- a session ---- */

static uint64_t address_of(const char *function)
{
	uint64_t addr = symbol_address(function);

	must(addr ? 0 : -ENOENT, function);
	return addr;
}

/*
 * Appends to @packed a layout with a symbol: the name of a module, and of its function or
 * tracepoint.
 */
static void pack_symbol(struct maker *m, const char *module, const char *name, uint8_t **packed)
{
	struct fargs_layout *layout = (struct fargs_layout *)*packed;
	uint32_t module_len = strlen(module) + 1, name_len = strlen(name) + 1, bytes;

	m->layout.symbol_len = maker_round(sizeof(struct fargs_symbol) + module_len + name_len);
	bytes = maker_pack(m, *packed);
	memset(*packed + bytes, 0, m->layout.symbol_len);
	memcpy(*packed + bytes + sizeof(struct fargs_symbol), module, module_len);
	memcpy(*packed + bytes + sizeof(struct fargs_symbol) + module_len, name, name_len);
	layout->size = bytes + m->layout.symbol_len;
	*packed += layout->size;
}

/* Adds a program that fetches the 8 bytes to which the first argument points. */
static void maker_fetch(struct maker *m)
{
	uint16_t at = maker_value_in(m->body, &m->body_len, "first", FARGS_TYPE_U64);

	maker_insn(m, FARGS_PROG_ENTRY_FETCH, (struct fargs_insn){ .op = FARGS_OP_ARG });
	maker_insn(m, FARGS_PROG_ENTRY_FETCH, (struct fargs_insn){ .op = FARGS_OP_LOAD, .dst = 1,
								    .arg = 8 });
	maker_insn(m, FARGS_PROG_ENTRY_FETCH, (struct fargs_insn){ .op = FARGS_OP_ST, .src = 1,
								    .off = at });
}

static void maker_usual(struct maker *m, uint64_t addr, uint32_t flags)
{
	maker_init(m, addr, flags);
	maker_reg(m, "a", FARGS_TYPE_S32, 0);
	if (flags & FARGS_LAYOUT_RETURN)
		maker_return(m, "ret", FARGS_TYPE_S32, FARGS_SOURCE_RETURN, 0);
}

static uint8_t *pack_loaded(uint8_t *at, uint32_t *nr)
{
	struct maker m;

	maker_usual(&m, address_of("fargs_t_int"), 0);
	at += maker_pack(&m, at);
	maker_usual(&m, address_of("fargs_t_4"), 0);
	maker_fetch(&m);
	at += maker_pack(&m, at);
	maker_usual(&m, address_of("fargs_r_int"), FARGS_LAYOUT_RETURN);
	at += maker_pack(&m, at);
	maker_usual(&m, address_of("fargs_t_u8"), FARGS_LAYOUT_RELOAD);
	pack_symbol(&m, "fargs_target", "fargs_t_u8", &at);
	*nr += 4;
	return at;
}

/*
 * Packs the session's layouts. With is_many, fargs_r_depth() is a scope, so that only calls inside
 * it are recorded.
 */
static uint32_t pack_layouts(uint8_t *packed, uint32_t *nr)
{
	uint8_t *at = packed;
	struct maker m;
	unsigned int i;

	*nr = 0;
	if (!is_alone)
		at = pack_loaded(at, nr);
	maker_usual(&m, 0, FARGS_LAYOUT_DEFERRED);
	pack_symbol(&m, "fargs_late", "fargs_late_work", &at);
	maker_usual(&m, 0, FARGS_LAYOUT_DEFERRED);
	maker_fetch(&m);
	pack_symbol(&m, "fargs_late", "fargs_late_static", &at);
	maker_usual(&m, 0, FARGS_LAYOUT_DEFERRED | FARGS_LAYOUT_RETURN);
	pack_symbol(&m, "fargs_late", "fargs_late_twin", &at);
	*nr += 3;
	if (has_tpoints && !is_alone) {
		maker_init(&m, 0, FARGS_LAYOUT_TPOINT | FARGS_LAYOUT_DEFERRED);
		maker_reg(&m, "nr", FARGS_TYPE_U64, 1);
		pack_symbol(&m, "fargs_tp_event", "fargs_tp_tick", &at);
		++*nr;
	}
	for (i = 0; is_many && i < MANY; i++, ++*nr) {
		maker_usual(&m, many_addrs[i], FARGS_LAYOUT_RETURN);
		at += maker_pack(&m, at);
	}
	if (is_many) {
		maker_usual(&m, address_of("fargs_r_depth"),
			    FARGS_LAYOUT_RETURN | FARGS_LAYOUT_SCOPE);
		at += maker_pack(&m, at);
		++*nr;
	}
	return at - packed;
}

static bool can_trace_tpoints(void)
{
	struct fargs_info info = { 0 };
	int fd = device_open();

	must(call(fd, FARGS_IOC_INFO, &info), "INFO");
	close(fd);
	return info.features & FARGS_FEATURE_TPOINT;
}

static int do_open(void)
{
	memset(&reader, 0, sizeof(reader));
	reader.fd = device_open();
	reader.page = sysconf(_SC_PAGESIZE);
	reader.bytes = RING_BYTES;
	return reader.fd < 0 ? -errno : 0;
}

static int do_buffer(void)
{
	struct fargs_buffer buffer = { .bytes = RING_BYTES };

	return call(reader.fd, FARGS_IOC_BUFFER, &buffer);
}

static void unmap(void)
{
	uint32_t cpu;

	for (cpu = 0; cpu < reader.nr_cpus; cpu++) {
		if (reader.rings[cpu].head)
			munmap((void *)reader.rings[cpu].head, reader.page + 2 * RING_BYTES);
		if (reader.rings[cpu].tail)
			munmap(reader.rings[cpu].tail, reader.page);
	}
	memset(reader.rings, 0, sizeof(reader.rings));
	reader.nr_cpus = 0;
}

/* Maps each range far from all others, so that the kernel must allocate page tables for it. */
static void *map(int prot, uint64_t offset, size_t bytes)
{
	static uint64_t next = 0x100000000000;
	void *at = mmap((void *)next, bytes, prot, MAP_SHARED, reader.fd, offset);

	next += 1ull << 39;
	if (next == 0x700000000000)
		next = 0x100000000000;

	return at == MAP_FAILED ? NULL : at;
}

static int do_map(void)
{
	uint32_t cpu, nr = sysconf(_SC_NPROCESSORS_CONF);
	int ret = 0;

	for (cpu = 0; !ret && cpu < nr && cpu < 64; cpu++) {
		uint8_t *data = map(PROT_READ, FARGS_MMAP_DATA(cpu), reader.page + 2 * RING_BYTES);

		reader.nr_cpus = cpu + 1;
		reader.rings[cpu].head = (void *)data;
		reader.rings[cpu].data = data + reader.page;
		if (data)
			reader.rings[cpu].tail = map(PROT_READ | PROT_WRITE, FARGS_MMAP_TAIL(cpu),
						     reader.page);
		if (!reader.rings[cpu].tail)
			ret = -errno;
	}
	if (ret)
		unmap();
	return ret;
}

static int do_add(void)
{
	static uint8_t packed[64u << 10];
	uint32_t nr, bytes = pack_layouts(packed, &nr);

	return session_add(reader.fd, packed, bytes, nr, 0, NULL);
}

static int do_start(void)
{
	int32_t tid = getpid();
	struct fargs_start start = {
		.flags = FARGS_START_TASKS | FARGS_START_SWITCHES, .nr_tids = 1,
		.tids = (uintptr_t)&tid, .maxactive = 8,
	};

	return call(reader.fd, FARGS_IOC_START, &start);
}

static int do_stats(void)
{
	struct fargs_cpu_stats cpus[64];
	struct fargs_func_stats funcs[64];
	struct fargs_stats stats = {
		.cpus = (uintptr_t)cpus, .nr_cpus = 64, .funcs = (uintptr_t)funcs, .nr_funcs = 64,
	};

	return call(reader.fd, FARGS_IOC_STATS, &stats);
}

static int do_clock(void)
{
	struct fargs_clock_sample samples[64];
	struct fargs_clock clock = { .samples = (uintptr_t)samples, .nr_cpus = 64 };

	return call(reader.fd, FARGS_IOC_CLOCK, &clock);
}

static int do_stop(void)
{
	return session_stop(reader.fd);
}

static int do_close(void)
{
	unmap();
	return close(reader.fd) ? -errno : 0;
}

/* The steps of a session, in order. Those between START and STOP leave nothing to undo. */
static const struct step {
	const char *name;
	int (*run)(void);
	int already;		/* error if the call is repeated after success; 0: none */
} steps[] = {
	{ "open", do_open, 0 },
	{ "BUFFER", do_buffer, -EBUSY },
	{ "mmap", do_map, 0 },
	{ "ADD", do_add, -EEXIST },
	{ "START", do_start, -EBUSY },
	{ "STATS", do_stats, 0 },
	{ "CLOCK", do_clock, 0 },
	{ "STOP", do_stop, 0 },
	{ "close", do_close, 0 },
};

enum {
	NR_STEPS = sizeof(steps) / sizeof(steps[0]),
	MMAP = 2, ADD = 3, START = 4, STOP = 7, CLOSE = 8,
};

static void must_do(unsigned int step)
{
	must(steps[step].run(), steps[step].name);
}

static int fire_tick(void)
{
	int fd = open(TICKS, O_WRONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, "1", 1) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

/*
 * Calls the session's functions, and fires its tracepoint. Sets @nr to the numbers of ENTRY, RETURN
 * and TPOINT records.
 */
static void make_calls(uint32_t *nr)
{
	const struct fargs_record *records[RECORDS_MAX];
	uint32_t i, nr_records;

	/* Records of context switches since START may have filled the ring. */
	reader_skip(&reader);
	must(target_call("fargs_t_int 1"), "fargs_t_int");
	must(target_call("fargs_t_4 1"), "fargs_t_4");
	must(target_call("fargs_r_int 1"), "fargs_r_int");
	must(target_call("fargs_r_depth 1"), "fargs_r_depth");
	if (has_tpoints)
		must(fire_tick(), TICKS);
	nr_records = reader_peek(&reader, records, RECORDS_MAX);
	memset(nr, 0, 3 * sizeof(*nr));
	for (i = 0; i < nr_records; i++)
		nr[records[i]->kind == FARGS_KIND_RETURN ? 1 :
		   records[i]->kind == FARGS_KIND_TPOINT ? 2 : 0]++;
	reader_skip(&reader);
}

/* Expected number of records of each kind, from a session without failures. */
static uint32_t wanted[3];

static void learn_calls(void)
{
	unsigned int i;

	for (i = 0; i <= START; i++)
		must_do(i);
	make_calls(wanted);
	must_do(CLOSE);
	must(wanted[1] && (is_many || (wanted[0] && wanted[2] == has_tpoints)) ? 0 : -ENODATA,
	     "records of all kinds");
}

/*
 * Returns whether the session records every call or, if @is_running is false, nothing at all, not
 * even a context switch.
 */
static bool records_calls(bool is_running)
{
	const uint32_t none[3] = { 0 };
	uint64_t bytes = 0;
	uint32_t nr[3], cpu;

	for (cpu = 0; cpu < reader.nr_cpus; cpu++)
		bytes += reader.rings[cpu].head->data_head;
	make_calls(nr);
	for (cpu = 0; cpu < reader.nr_cpus; cpu++)
		bytes -= reader.rings[cpu].head->data_head;
	if (!memcmp(nr, is_running ? wanted : none, sizeof(nr)) && !bytes == !is_running)
		return true;
	ktap_note("%u calls, %u returns, %u tracepoints were recorded, not %u, %u, %u", nr[0],
		  nr[1], nr[2], wanted[0], wanted[1], wanted[2]);
	return false;
}

/*
 * Returns whether nothing is traced any more. If an allocation fails while the kernel unregisters a
 * probe, the probe's functions stay in ftrace's filter until another probe on them is unregistered.
 * This applies to fprobe of newer kernels ("ftrace_ops may not sync" in the log), and to kprobes
 * ("Failed to disarm kprobe-ftrace"). The module cannot prevent this. So this function traces and
 * releases the same functions again, without failures.
 */
static bool is_clean_again(bool is_open)
{
	unsigned int i;

	if (is_clean())
		return true;
	if (!fault_has_caller("fargs_retprobe_fprobe_unregister") &&
	    !fault_has_caller("fargs_retprobe_kprobes_unregister"))
		return false;
	ktap_note("the kernel has kept functions of probes");
	for (i = is_open ? START : 0; i <= (is_open ? STOP : CLOSE); i++)
		must_do(i);
	return is_clean();
}

/* ---- the walks through the steps ---- */

struct walk {
	unsigned int nth, nr_errors, nr_wrong;
};

static void wrong(struct walk *w, const char *what, int ret)
{
	w->nr_wrong++;
	ktap_note("after that: %s: %s: %s", what, strerror(-ret), last_error.text);
}

/* Checks that the failed call of @step left nothing behind, and succeeds when it is repeated. */
static void check_failed(struct walk *w, unsigned int step, int ret)
{
	w->nr_errors++;
	if (ret != -ENOMEM && ret != -EFAULT)
		wrong(w, "not an error of a failed allocation or copy", ret);
	if (ret == -ENOMEM && step <= START && !is_clean())
		wrong(w, "something is armed", ret);
	if (ret == -ENOMEM && step == START && !records_calls(false))
		wrong(w, "the session records", ret);
	if (step == CLOSE)
		return;		/* close() closes the file even if it fails */
	ret = steps[step].run();
	if (ret && ret != steps[step].already)
		wrong(w, "repeated", ret);
}

/*
 * Repeats @step until each of its allocations and copies has failed once. From START on, all
 * repetitions use one session, because STOP undoes START; earlier steps and close() need a new
 * session for each failure.
 */
static void walk_step(unsigned int step)
{
	const bool is_one = step >= START && step != CLOSE;
	struct walk w = { 0 };
	unsigned int i;
	bool is_hit = true;
	int ret;

	/*
	 * Count all allocations during mmap(): if the module's callback ends with a tail call, the
	 * module is not among the callers.
	 */
	if (step == MMAP)
		fault_filter(0, ~0ull);
	for (i = 0; is_one && i < START; i++)
		must_do(i);
	for (w.nth = 1; is_hit && w.nth < NTH_MAX && !w.nr_wrong; w.nth++) {
		/* Before close, omit STOP, so that close() stops the session. */
		for (i = is_one ? START : 0; i < step; i++)
			if (step != CLOSE || i != STOP)
				must_do(i);
		fault_begin(w.nth);
		ret = steps[step].run();
		is_hit = fault_end();
		if (is_hit)
			note_fault(steps[step].name, w.nth, ret);
		if (ret && !is_hit)
			wrong(&w, "an error without a failure", ret);
		else if (ret)
			check_failed(&w, step, ret);
		if (step <= START) {
			for (i = step + 1; i <= START; i++)
				must_do(i);
			if (!records_calls(true))
				wrong(&w, "calls are not recorded", 0);
		}
		for (i = step < STOP ? STOP : CLOSE; step != CLOSE && i <= (is_one ? STOP : CLOSE);
		     i++)
			must_do(i);
		if (!is_clean_again(is_one))
			wrong(&w, "something is armed", 0);
	}
	if (is_one)
		must_do(CLOSE);
	if (step == MMAP)
		fault_filter_module("fargs");
	/* Where fprobe is built on rethook, STOP and close allocate nothing. */
	ktap_ok(!w.nr_wrong && !is_hit && (w.nth > 2 || step >= STOP),
		"%s%s: %u failures, %u of them errors, leave nothing", steps[step].name,
		is_many ? " of many" : "", w.nth - 2, w.nr_errors);
}

/* ---- modules that are loaded and unloaded while a session waits for them ---- */

static int open_module(const char *name)
{
	char command[128], path[512] = "";
	FILE *pipe;
	int fd;

	snprintf(command, sizeof(command), "modinfo -n %s 2>/dev/null", name);
	pipe = popen(command, "r");
	must(pipe ? 0 : -errno, "modinfo");
	if (!fgets(path, sizeof(path), pipe))
		path[0] = '\0';
	pclose(pipe);
	path[strcspn(path, "\n")] = '\0';
	fd = open(path, O_RDONLY | O_CLOEXEC);
	must(fd < 0 ? -errno : 0, name);
	return fd;
}

static int load(int fd)
{
	return syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
}

static int unload(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? -errno : 0;
}

/*
 * Reads the arrivals since the last call. Functions that arrived must be traced, and no others; the
 * only error may be -ENOMEM. Returns how many functions of fargs_late did not arrive if @is_late,
 * else 0; -1 if something is wrong.
 */
static int check_arrivals(uint64_t *first, bool is_late)
{
	/* Deferred layouts are numbered in the order of their names. */
	static const char *const names[] = { "fargs_late_static", "fargs_late_twin",
					     "fargs_late_work" };
	bool is_there[3] = { false }, is_right = true;
	struct fargs_arrival arrivals[8];
	struct fargs_arrivals arg = {
		.first = *first, .arrivals = (uintptr_t)arrivals, .nr = 8,
	};
	int nr_here = 0;
	uint32_t i;

	must(call(reader.fd, FARGS_IOC_ARRIVALS, &arg), "ARRIVALS");
	*first += arg.nr;
	for (i = 0; i < arg.nr; i++) {
		if (arrivals[i].layout >= 3)
			return -1;
		if (arrivals[i].status && arrivals[i].status != -ENOMEM) {
			ktap_note("%s: %s", names[arrivals[i].layout],
				  strerror(-arrivals[i].status));
			is_right = false;
		}
		is_there[arrivals[i].layout] = !arrivals[i].status;
		nr_here += !arrivals[i].status;
	}
	/* fargs_late_static is an init function: it was freed after the module was loaded. */
	is_there[0] = false;
	for (i = 0; i < 3; i++) {
		if (is_traced(names[i]) == (is_late && is_there[i]))
			continue;
		ktap_note("%s is %straced", names[i], is_traced(names[i]) ? "" : "not ");
		is_right = false;
	}
	return is_right ? (is_late ? 3 - nr_here : 0) : -1;
}

/*
 * Loads and unloads the module once without a failure: all its functions must arrive, be traced,
 * and be dropped.
 */
static void check_load(struct walk *w, int module, const char *name, uint64_t *first)
{
	int ret = load(module), nr_failed;

	if (ret)
		wrong(w, name, ret);
	nr_failed = check_arrivals(first, !strcmp(name, "fargs_late"));
	if (nr_failed)
		wrong(w, "not all functions arrive", nr_failed);
	ret = unload(name);
	if (ret)
		wrong(w, "unloading", ret);
	if (is_traced("fargs_late_work") || is_traced("fargs_late_twin"))
		wrong(w, "functions of an unloaded module are traced", 0);
}

/*
 * Injects failures while the module is unloaded (@is_going) or loaded. A failure in fargs must not
 * make the unloading or the loading fail.
 */
static void walk_module(const char *name, bool is_going)
{
	const bool is_late = !strcmp(name, "fargs_late");
	int module = open_module(name), ret, nr_failed;
	struct walk w = { 0 };
	uint64_t first = 0;
	bool is_hit = true;
	unsigned int i;

	unload(name);
	for (i = 0; i <= START; i++)
		must_do(i);
	for (w.nth = 1; is_hit && w.nth < NTH_MAX && !w.nr_wrong; w.nth++) {
		if (is_going) {
			must(load(module), name);
			must(check_arrivals(&first, true) ? -EIO : 0, "arrivals");
		}
		fault_begin(w.nth);
		ret = is_going ? unload(name) : load(module);
		is_hit = fault_end();
		if (is_hit)
			note_fault(is_going ? "unload" : "load", w.nth, ret);
		/* Without the filter, an allocation of the kernel itself may have failed. */
		if (ret && (!is_hit || fault_fds.is_filtered || ret != -ENOMEM))
			wrong(&w, name, ret);
		nr_failed = check_arrivals(&first, is_late && !is_going && !ret);
		if (nr_failed < 0)
			wrong(&w, "arrivals", 0);
		w.nr_errors += ret || nr_failed;
		if (!is_going && !ret)
			must(unload(name), "unload");
		if (is_going && ret)
			must(unload(name), "unload again");
		check_load(&w, module, name, &first);
	}
	if (!is_late)
		must(load(module), name);
	if (!is_alone && !records_calls(true))
		wrong(&w, "calls are not recorded", 0);
	must_do(STOP);
	must_do(CLOSE);
	if (!is_clean())
		wrong(&w, "something is armed", 0);
	close(module);
	ktap_ok(!w.nr_wrong && !is_hit && w.nth > 2,
		"%s of %s%s: %u failures, %u of them seen in arrivals, are survived",
		is_going ? "unloading" : "loading", name,
		is_many ? " with many" : is_alone ? " alone" : "", w.nth - 2,
		w.nr_errors);
}

/* ---- fargs itself is loaded and unloaded ---- */

/*
 * Restricts failures to calls made by the kernel's function @name, directly or not. Assumes that
 * the function has at most 1 KiB.
 */
static bool filter_function(const char *name)
{
	uint64_t addr = symbol_address(name);

	return addr && fault_filter(addr, addr + 0x400);
}

static void walk_init(void)
{
	int module = open_module("fargs"), ret;
	struct walk w = { 0 };
	bool is_hit = true;

	/* Test only the module's init function, not the kernel's loading of a module. */
	if (!fault_fds.is_filtered || !filter_function("do_one_initcall")) {
		close(module);
		return;
	}
	for (w.nth = 1; is_hit && w.nth < NTH_MAX && !w.nr_wrong; w.nth++) {
		must(unload("fargs"), "unload fargs");
		fault_begin(w.nth);
		ret = load(module);
		is_hit = fault_end();
		if (is_hit)
			note_fault("init", w.nth, ret);
		w.nr_errors += !!ret;
		if (ret && (!is_hit || ret != -ENOMEM))
			wrong(&w, "an error that is not of memory", ret);
		if (ret)
			ret = load(module);
		if (ret)
			wrong(&w, "repeated", ret);
		/* /dev/fargs must exist, and work. */
		must_do(0);
		must_do(CLOSE);
	}
	close(module);
	ktap_ok(!w.nr_wrong && !is_hit && w.nth > 2,
		"init: %u failures, %u of them errors, leave nothing", w.nth - 2, w.nr_errors);
}

/*
 * Tests unloading fargs. If a session has used fprobe, this also unregisters the anchor
 * (kmod/compat/fprobe_anchor.c).
 */
static void walk_exit(void)
{
	int module = open_module("fargs"), ret;
	struct walk w = { 0 };
	bool is_hit = true;
	unsigned int i;

	for (w.nth = 1; is_hit && w.nth < NTH_MAX && !w.nr_wrong; w.nth++) {
		for (i = 0; i <= CLOSE; i++)
			must_do(i);
		fault_filter_module("fargs");
		fault_begin(w.nth);
		ret = unload("fargs");
		is_hit = fault_end();
		if (is_hit)
			note_fault("exit", w.nth, ret);
		if (ret)
			wrong(&w, "unloading", ret);
		if (is_traced("fargs_fprobe_anchor"))
			wrong(&w, "a function of the unloaded module is traced", 0);
		must(load(module), "load fargs");
	}
	close(module);
	ktap_ok(!w.nr_wrong && !is_hit, "exit: %u failures leave nothing", w.nth - 2);
}

/* ---- limits and leaks ---- */

/* Drops the capabilities that exempt a task from the limits. */
static void drop_limits(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	const uint64_t caps = IPC_LOCK | RESOURCE;
	int i;

	must(syscall(SYS_capget, &head, data) ? -errno : 0, "capget");
	for (i = 0; i < 2; i++)
		data[i].effective &= ~(uint32_t)(caps >> (32 * i));
	must(syscall(SYS_capset, &head, data) ? -errno : 0, "capset");
}

static bool fits(uint64_t pages)
{
	struct rlimit limit;
	unsigned int i;
	int ret = 0;

	must(getrlimit(RLIMIT_MEMLOCK, &limit) ? -errno : 0, "getrlimit");
	limit.rlim_cur = pages * 4096;
	must(setrlimit(RLIMIT_MEMLOCK, &limit) ? -errno : 0, "setrlimit");
	for (i = 0; !ret && i <= START; i++)
		ret = steps[i].run();
	must_do(CLOSE);
	must(ret == -EPERM ? 0 : ret, "a session");
	return !ret;
}

static void raise_limit(void)
{
	const struct rlimit limit = { 64 << 20, 64 << 20 };

	must(setrlimit(RLIMIT_MEMLOCK, &limit) ? -errno : 0, "setrlimit");
}

/* Sets RLIMIT_MEMLOCK to the minimum that the session needs, found by binary search. */
static void limit_memory(void)
{
	uint64_t low = 0, high = 1 << 14;	/* in pages: low is too few, high is enough */

	must(fits(high) ? 0 : -EPERM, "64 MiB");
	while (high - low > 1) {
		uint64_t middle = (low + high) / 2;

		if (fits(middle))
			high = middle;
		else
			low = middle;
	}
	must(fits(high) ? 0 : -EPERM, "the same session again");
	ktap_note("a session%s is charged %llu pages", is_many ? " of many" : "",
		  (unsigned long long)high);
}

static bool is_wanted(int argc, char **argv, const char *walk)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], walk))
			return true;
	}
	return argc < 2;
}

static void walk_all(int argc, char **argv)
{
	unsigned int i;

	limit_memory();
	learn_calls();
	for (i = 0; i < NR_STEPS; i++) {
		if (is_wanted(argc, argv, steps[i].name) && (!is_many || i >= START || i == ADD))
			walk_step(i);
	}
	if (is_wanted(argc, argv, "load")) {
		walk_module("fargs_late", false);
		if (has_tpoints)
			walk_module("fargs_tp_event", false);
	}
	if (is_wanted(argc, argv, "unload"))
		walk_module("fargs_late", true);
}

static void limit_sessions(const char *nr)
{
	int fd = open(MAX_SESSIONS, O_WRONLY | O_CLOEXEC);

	must(fd < 0 || write(fd, nr, strlen(nr)) < 0 ? -errno : 0, MAX_SESSIONS);
	close(fd);
}

int main(int argc, char **argv)
{
	unsigned long areas;
	struct leaks_traces before = { 0 }, after;

	ktap_begin("abi_inject");
	/* The kernel warns if it cannot remove a kprobe's function from ftrace's filter. */
	ktap.excused = "disarm_kprobe_ftrace";
	need_session_test();
	fault_need();
	mount("debugfs", FAULT_DEBUG, "debugfs", 0, NULL);
	if (access(KPROBES, R_OK))
		ktap_skip_all("there is no " KPROBES);
	has_tpoints = !system("modprobe fargs_tp_event 2>/dev/null") && can_trace_tpoints();
	if (system("rmmod fargs_late 2>/dev/null; modprobe -n fargs_late 2>/dev/null"))
		ktap_skip_all("module fargs_late is not installed");
	if (find_idle(many_addrs, MANY) < MANY)
		ktap_skip_all("the kernel has too few functions that nobody calls");
	if (!fault_filter_module("fargs"))
		ktap_note("no filter by callers: allocations of the kernel's own parts fail, too");
	raise_limit();
	drop_limits();
	limit_sessions("1");
	/*
	 * Run a session before counting: what the first session creates permanently, such as the
	 * fprobe anchor, is not a leak.
	 */
	is_many = true;
	must(fits(1 << 14) ? 0 : -EPERM, "a session");
	is_many = false;
	nr_functions = nr_traced();
	nr_kprobes = count_lines(KPROBES);
	areas = leaks_lines("/proc/vmallocinfo", false);
	if (leaks_have_traces())
		before = leaks_traces(false);
	if (leaks_have_kmemleak())
		leaks_begin_kmemleak();

	walk_all(argc, argv);
	is_many = true;
	walk_all(argc, argv);
	is_many = false;
	is_alone = true;
	limit_memory();
	if (is_wanted(argc, argv, "load"))
		walk_module("fargs_late", false);
	ktap_ok(leaks_lines("/proc/vmallocinfo", false) == areas, "no vmalloc area is left");
	if (leaks_have_traces()) {
		after = leaks_traces(false);
		ktap_ok(after.direct <= before.direct, "no slab object of fargs is left");
	}
	if (leaks_have_kmemleak())
		ktap_ok(!leaks_kmemleak(), "kmemleak finds nothing of fargs");
	limit_sessions("128");
	if (is_wanted(argc, argv, "init"))
		walk_init();
	is_alone = false;
	is_many = true;
	raise_limit();
	if (is_wanted(argc, argv, "exit"))
		walk_exit();
	return ktap_end();
}
