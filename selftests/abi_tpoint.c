// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests FARGS_LAYOUT_TPOINT with the tracepoints of samples/tracepoint, whose arguments are in
 * registers and stack slots. event.c defines their values.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/returns.h"

#define RING_BYTES	(256u << 10)
#define RECORDS_MAX	4096
#define NR_TICKS	20000
#define NR_KERNEL	200
#define POLL_MS		200000
#define FILE_NAME	"/proc/fargs_tp"
#define LAYOUT(field)	offsetof(struct fargs_layout, field)

static const struct fargs_record *records[RECORDS_MAX];
static uint8_t packed[64u << 10];

static int shell(const char *command)
{
	int status = system(command);

	return status == -1 || !WIFEXITED(status) ? -1 : WEXITSTATUS(status);
}

/* Writes the layout with its symbol to @to. Returns its size. */
static uint32_t pack(struct maker *m, const char *module, const char *name, uint8_t *to)
{
	struct fargs_layout *layout = (struct fargs_layout *)to;
	uint32_t module_len = strlen(module) + 1, name_len = strlen(name) + 1, bytes;

	m->layout.flags |= FARGS_LAYOUT_TPOINT;
	m->layout.symbol_len = maker_round(sizeof(struct fargs_symbol) + module_len + name_len);
	bytes = maker_pack(m, to);
	memset(to + bytes, 0, m->layout.symbol_len);
	memcpy(to + bytes + sizeof(struct fargs_symbol), module, module_len);
	memcpy(to + bytes + sizeof(struct fargs_symbol) + module_len, name, name_len);
	layout->size = bytes + m->layout.symbol_len;
	return layout->size;
}

/* Writes a layout of fargs_tp_tick, whose only argument is "nr", to @to. Returns its size. */
static uint32_t pack_tick(uint32_t flags, uint8_t *to)
{
	struct maker m;

	maker_init(&m, 0, flags);
	maker_reg(&m, "nr", FARGS_TYPE_U64, 1);
	return pack(&m, "fargs_tp_event", "fargs_tp_tick", to);
}

/* Adds fargs_tp_tick. Returns the number that its records have as ip. */
static uint64_t add_tick(int fd, uint32_t flags)
{
	must(session_add(fd, packed, pack_tick(flags, packed), 1, 0, NULL), "ADD of fargs_tp_tick");
	return ((struct fargs_layout *)packed)->ip;
}

static void ticks(unsigned int nr)
{
	char command[64];

	snprintf(command, sizeof(command), "echo %u >" FILE_NAME, nr);
	must(shell(command) ? -EIO : 0, command);
}

/* Counts the records with ip @number whose value "nr" counts up from 0. */
static uint32_t nr_counted(const struct reader *r, uint64_t number)
{
	uint32_t i, nr = reader_peek(r, records, RECORDS_MAX), counted = 0;

	for (i = 0; i < nr; i++)
		counted += records[i]->kind == FARGS_KIND_TPOINT && records[i]->ip == number &&
			   records[i]->ip >> 32 == 0 &&
			   record_find(records[i], "nr").low == counted;
	return counted;
}

/* Tries to add a layout that @spoil made invalid. */
static void refuse(void (*spoil)(struct fargs_layout *layout, struct fargs_symbol *symbol),
		   int code, uint32_t field, const char *what)
{
	struct fargs_layout *layout = (struct fargs_layout *)packed;
	struct fargs_symbol *symbol;
	int fd = device_open(), ret;

	pack_tick(0, packed);
	symbol = (struct fargs_symbol *)(packed + layout->size - layout->symbol_len);
	if (field >= sizeof(*layout))
		field += (uint8_t *)symbol - packed - sizeof(*layout);
	spoil(layout, symbol);
	ret = session_add(fd, packed, layout->size, 1, 0, NULL);
	if (!ktap_ok(ret == -code && !last_error.layout && last_error.field == field &&
		     last_error.text[0] && !session_layouts(fd), "%s is refused", what))
		ktap_note("%d, field %u not %u: %s", ret, last_error.field, field,
			  last_error.text);
	close(fd);
}

#define IN_SYMBOL(field) (sizeof(struct fargs_layout) + offsetof(struct fargs_symbol, field))

static void address(struct fargs_layout *l, struct fargs_symbol *s)
{
	l->addr = 0xffffffff81000000;
}

static void silent(struct fargs_layout *l, struct fargs_symbol *s)
{
	l->flags |= FARGS_LAYOUT_SCOPE;
}

static void no_symbol(struct fargs_layout *l, struct fargs_symbol *s)
{
	l->size -= l->symbol_len;
	l->symbol_len = 0;
}

static void reload_misspelt(struct fargs_layout *l, struct fargs_symbol *s)
{
	l->flags |= FARGS_LAYOUT_RELOAD;
	s->names[sizeof("fargs_tp_event")] = 'x';
}

static void reload_other_build(struct fargs_layout *l, struct fargs_symbol *s)
{
	l->flags |= FARGS_LAYOUT_RELOAD;
	s->build_id_len = 20;
	memset(s->build_id, 0x5a, 20);
}

static void second(struct fargs_layout *l, struct fargs_symbol *s)
{
	s->index = 1;
}

static void misspelt(struct fargs_layout *l, struct fargs_symbol *s)
{
	s->names[sizeof("fargs_tp_event")] = 'x';
}

static void other_module(struct fargs_layout *l, struct fargs_symbol *s)
{
	s->names[0] = 'x';
}

static void other_build(struct fargs_layout *l, struct fargs_symbol *s)
{
	s->build_id_len = 20;
	memset(s->build_id, 0x5a, 20);
}

static void test_refusals(void)
{
	refuse(address, EINVAL, LAYOUT(addr), "an address of a tracepoint");
	refuse(silent, EINVAL, LAYOUT(flags), "a flag for functions only");
	refuse(no_symbol, EINVAL, LAYOUT(symbol_len), "a layout without name");
	refuse(second, EINVAL, IN_SYMBOL(index), "a symbol with an index");
	refuse(misspelt, ENOENT, IN_SYMBOL(names), "a tracepoint that does not exist");
	refuse(other_module, ENOENT, IN_SYMBOL(names),
	       "a tracepoint of a module that is not loaded");
	refuse(other_build, ESTALE, IN_SYMBOL(names),
	       "a tracepoint of another build of the module");
	refuse(reload_misspelt, ENOENT, IN_SYMBOL(names),
	       "with FARGS_LAYOUT_RELOAD, a tracepoint that does not exist");
	refuse(reload_other_build, ESTALE, IN_SYMBOL(names),
	       "with FARGS_LAYOUT_RELOAD, a tracepoint of another build");
}

static void test_twice(void)
{
	uint32_t bytes = pack_tick(0, packed), nr_added = 9;
	struct fargs_layout *other = (struct fargs_layout *)(packed + bytes);
	int fd = device_open(), ret;

	pack_tick(0, packed + bytes);
	ret = session_add(fd, packed, 2 * bytes, 2, 0, NULL);
	ktap_ok(ret == -EEXIST && last_error.layout == 1 && !session_layouts(fd),
		"the same tracepoint twice in a batch is refused");
	ret = session_add(fd, packed, 2 * bytes, 2, FARGS_ADD_SKIP, &nr_added);
	ktap_ok(!ret && nr_added == 1 && other->status == -EEXIST,
		"FARGS_ADD_SKIP skips the second of them");
	ret = session_add(fd, packed, bytes, 1, 0, NULL);
	ktap_ok(ret == -EEXIST && session_layouts(fd) == 1,
		"a tracepoint that the session already has is refused");
	close(fd);
}

static void test_info(void)
{
	struct fargs_info info = { 0 };
	int fd = device_open(), i;

	must(call(fd, FARGS_IOC_INFO, &info), "INFO");
	for (i = 0; i < FARGS_PATH_TPOINT; i++)
		if (info.seq_site[i] == info.seq_site[FARGS_PATH_TPOINT])
			break;
	ktap_ok(info.features & FARGS_FEATURE_TPOINT && i == FARGS_PATH_TPOINT &&
		info.seq_site[FARGS_PATH_TPOINT],
		"INFO reports tracepoints, and the site that allocates their numbers");
	close(fd);
}

/* Tests the twelve arguments of fargs_tp_many: five are in registers and seven in stack slots. */
static void test_places(void)
{
	static const struct {
		const char *name;
		uint8_t bytes;
		uint64_t value;
	} args[] = {
		{ "tiny", 1, (uint8_t)-100 }, { "byte", 1, 200 }, { "small", 2, (uint16_t)-30000 },
		{ "port", 2, 60000 }, { "number", 4, (uint32_t)-2000000000 },
		{ "flags", 4, 4000000000 }, { "offset", 8, -5000000000 },
		{ "mask", 8, 0xfedcba9876543210 }, { "is_on", 1, 1 }, { "letter", 1, 'x' },
		{ "name", 0, 0 }, { "last", 8, -12 },
	};
	struct reader r;
	struct maker m;
	uint32_t bytes, i, nr, nr_wrong = 0;

	reader_open(&r, RING_BYTES);
	maker_init(&m, 0, 0);
	for (i = 0; i < 12; i++) {
		if (i < 5)
			maker_reg(&m, args[i].name, FARGS_TYPE_U64, i + 1);
		else
			maker_store(&m, maker_value_in(m.body, &m.body_len, args[i].name,
						       FARGS_TYPE_U64),
				    FARGS_SOURCE_STACK, i - 5);
	}
	bytes = pack(&m, "fargs_tp_event", "fargs_tp_many", packed);
	must(session_add(r.fd, packed, bytes, 1, 0, NULL), "ADD of fargs_tp_many");
	must(session_start(r.fd), "START");
	must(shell("cat " FILE_NAME) ? -EIO : 0, "cat " FILE_NAME);
	must(session_stop(r.fd), "STOP");
	nr = reader_peek(&r, records, RECORDS_MAX);
	ktap_ok(nr == 1 && records[0]->kind == FARGS_KIND_TPOINT &&
		records[0]->ip == ((struct fargs_layout *)packed)->ip,
		"a hit has one record with the layout's ip");
	for (i = 0; nr && i < 12; i++) {
		uint64_t mask = args[i].bytes == 8 ? ~0ull : (1ull << 8 * args[i].bytes) - 1;
		struct value value = record_find(records[0], args[i].name);

		if (value.type == FARGS_TYPE_U64 && !((value.low ^ args[i].value) & mask))
			continue;
		ktap_note("%s is %#llx", args[i].name, (unsigned long long)value.low);
		nr_wrong++;
	}
	ktap_ok(nr && !nr_wrong, "twelve arguments in registers and on the stack are recorded");
	ktap_ok(nr && records[0]->parent_ip >> 47 == 0x1ffff && !(records[0]->preempt & 0xffff),
		"the caller is in the kernel, and preemption was not disabled");
	reader_close(&r);
}

/* Tests sequence numbers with a ring that is far too small. */
static void test_losses(void)
{
	struct totals totals;
	uint64_t kept;
	struct reader r;

	reader_open(&r, 16u << 10);
	add_tick(r.fd, 0);
	must(session_start(r.fd), "START");
	ticks(NR_TICKS);
	must(session_stop(r.fd), "STOP");
	kept = reader_skip(&r);
	totals = reader_totals(&r);
	if (!ktap_ok(totals.produced == NR_TICKS && kept && totals.lost &&
		     kept + totals.lost == NR_TICKS, "every lost record is counted"))
		ktap_note("%llu produced, %llu kept, %llu lost",
			  (unsigned long long)totals.produced, (unsigned long long)kept,
			  (unsigned long long)totals.lost);
	reader_close(&r);
}

/*
 * Tests triggers: a tick that triggers is marked, and other ticks are recorded if the predicate
 * accepts them.
 */
static void test_trigger(void)
{
	struct fargs_stats stats = { 0 };
	uint32_t bytes, i, nr, nr_right = 0;
	struct reader r;
	struct maker m;

	reader_open(&r, RING_BYTES);
	maker_init(&m, 0, FARGS_LAYOUT_TRIGGER);
	maker_reg(&m, "nr", FARGS_TYPE_U64, 1);
	for (i = 0; i < 2; i++) {
		enum fargs_prog which = i ? FARGS_PROG_TRIGGER : FARGS_PROG_ENTRY_PREDICATE;

		maker_insn(&m, which, (struct fargs_insn){ .op = FARGS_OP_ARG, .arg = 1 });
		maker_insn(&m, which, (struct fargs_insn){
			.op = FARGS_OP_JIF, .arg = FARGS_COND_EQ, .off = 1, .imm = i ? 5 : 3 });
		maker_insn(&m, which, (struct fargs_insn){ .op = FARGS_OP_REJECT });
		maker_insn(&m, which, (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
	}
	bytes = pack(&m, "fargs_tp_event", "fargs_tp_tick", packed);
	must(session_add(r.fd, packed, bytes, 1, 0, NULL), "ADD of a trigger");
	must(session_start(r.fd), "START");
	ticks(9);
	must(session_stop(r.fd), "STOP");
	nr = reader_peek(&r, records, RECORDS_MAX);
	for (i = 0; i < nr && i < 2; i++)
		nr_right += record_find(records[i], "nr").low == (i ? 5 : 3) &&
			    records[i]->flags == (i ? FARGS_RECORD_TRIGGER : 0);
	must(call(r.fd, FARGS_IOC_STATS, &stats), "STATS");
	ktap_ok(nr == 2 && nr_right == 2 && stats.nr_triggers == 1 &&
		reader_totals(&r).produced == 9, "a hit that triggers is recorded and marked");
	reader_close(&r);
}

/* Tests that each session has its own probe. */
static void test_sessions(void)
{
	struct reader one, two;
	uint64_t number, other;

	reader_open(&one, RING_BYTES);
	reader_open(&two, RING_BYTES);
	number = add_tick(one.fd, 0);
	other = add_tick(two.fd, 0);
	must(session_start(one.fd), "START");
	must(session_start(two.fd), "START");
	ticks(7);
	must(session_stop(one.fd), "STOP");
	ktap_ok(nr_counted(&one, number) == 7 && nr_counted(&two, other) == 7,
		"two sessions record the same tracepoint");
	reader_skip(&two);
	ticks(5);
	ktap_ok(nr_counted(&two, other) == 5 && nr_counted(&one, number) == 7,
		"one session continues when the other stops");
	reader_skip(&one);
	must(session_start(one.fd), "START");
	ticks(3);
	ktap_ok(nr_counted(&one, number) == 3, "the stopped session can start again");
	reader_close(&one);
	reader_close(&two);
}

/* Returns whether poll(2) for @events immediately reports exactly @revents. */
static bool is_polled(int fd, short events, short revents)
{
	struct pollfd poll_fd = { .fd = fd, .events = events };

	return poll(&poll_fd, 1, 0) >= 0 && poll_fd.revents == revents;
}

/* Tests a module that is unloaded and loaded again. */
static void test_lives(void)
{
	struct fargs_stats stats = { 0 };
	struct reader fixed, waiting, again;
	struct totals totals;
	uint64_t number, reload;

	reader_open(&again, RING_BYTES);
	reload = add_tick(again.fd, FARGS_LAYOUT_RELOAD);
	must(session_start(again.fd), "START");
	ticks(2);
	ktap_ok(nr_counted(&again, reload) == 2, "with FARGS_LAYOUT_RELOAD a tracepoint is traced");
	reader_skip(&again);
	must(shell("rmmod fargs_tp_event") ? -EBUSY : 0, "rmmod");
	totals = reader_totals(&again);
	ktap_ok(!totals.nr_dropped && totals.state == FARGS_STATE_RUNNING,
		"its session waits until the module is loaded again");
	reader_open(&waiting, RING_BYTES);
	number = add_tick(waiting.fd, FARGS_LAYOUT_DEFERRED);
	must(session_start(waiting.fd), "START");
	must(call(waiting.fd, FARGS_IOC_STATS, &stats), "STATS");
	ktap_ok(stats.nr_layouts == 1 && stats.nr_deferred == 1 && !stats.nr_here,
		"a session can wait for a tracepoint's module");
	must(shell("modprobe fargs_tp_event"), "modprobe");
	ticks(4);
	ktap_ok(nr_counted(&waiting, number) == 4,
		"the tracepoint is traced once its module is loaded");
	reader_skip(&waiting);
	ktap_ok(nr_counted(&again, reload) == 4,
		"with FARGS_LAYOUT_RELOAD the tracepoint is traced again, with the same ip");
	reader_close(&again);

	reader_open(&fixed, RING_BYTES);
	add_tick(fixed.fd, 0);
	must(session_start(fixed.fd), "START");
	ktap_ok(!shell("rmmod fargs_tp_event"), "the module can be unloaded while it is traced");
	totals = reader_totals(&fixed);
	ktap_ok(totals.nr_dropped == 1 && totals.state == FARGS_STATE_STOPPED,
		"a session without other functions stops when the module is unloaded");
	ktap_ok(is_polled(fixed.fd, POLLIN | POLLRDHUP, POLLRDHUP) &&
		is_polled(fixed.fd, POLLIN, 0),
		"poll() reports POLLRDHUP for that session only");
	ktap_ok(session_start(fixed.fd) == -EINVAL, "that session cannot start again");
	must(shell("modprobe fargs_tp_event"), "modprobe");
	ticks(6);
	ktap_ok(nr_counted(&waiting, number) == 6,
		"a waiting session traces the tracepoint again, with the same ip");
	ktap_ok(!reader_totals(&fixed).produced,
		"a session that does not wait does not trace it again");
	reader_close(&fixed);
	reader_close(&waiting);
}

/* Waits until the child @pid sleeps or has ended. */
static void wait_for_sleep(pid_t pid)
{
	char path[32], line[256];
	bool is_asleep = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	while (!is_asleep) {
		file = fopen(path, "re");
		must(file ? 0 : -errno, path);
		while (fgets(line, sizeof(line), file))
			is_asleep |= !strncmp(line, "State:\tS", strlen("State:\tS")) ||
				     !strncmp(line, "State:\tZ", strlen("State:\tZ"));
		fclose(file);
		usleep(1000);
	}
}

/* Tests a poll(2) that waits for the end of the session while the module is unloaded. */
static void test_waits_for_end(void)
{
	struct reader fixed;
	int status;
	pid_t pid;

	reader_open(&fixed, RING_BYTES);
	add_tick(fixed.fd, 0);
	must(session_start(fixed.fd), "START");
	ktap_ok(is_polled(fixed.fd, POLLRDHUP, 0),
		"poll() does not report POLLRDHUP for a running session");
	pid = fork();
	if (!pid) {
		struct pollfd fd = { .fd = fixed.fd, .events = POLLRDHUP };

		_exit(poll(&fd, 1, POLL_MS) != 1 || fd.revents != POLLRDHUP);
	}
	wait_for_sleep(pid);
	must(shell("rmmod fargs_tp_event") ? -EBUSY : 0, "rmmod");
	must(waitpid(pid, &status, 0) == pid ? 0 : -errno, "waitpid");
	ktap_ok(!status, "poll() wakes when the session stops by itself");
	must(shell("modprobe fargs_tp_event"), "modprobe");
	reader_close(&fixed);
}

static uint64_t nr_switches(int fd)
{
	struct fargs_stats stats = { 0 };

	must(call(fd, FARGS_IOC_STATS, &stats), "STATS");
	return stats.nr_switches;
}

/* Returns the total size of all records that the session has written. */
static uint64_t nr_bytes(const struct reader *r)
{
	uint64_t bytes = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < r->nr_cpus; cpu++)
		bytes += __atomic_load_n(&r->rings[cpu].head->data_head, __ATOMIC_ACQUIRE);
	return bytes;
}

/*
 * Tests sessions that record more than the module's tracepoint: they continue after the module is
 * unloaded.
 */
static void test_goes_on(void)
{
	struct reader switches, tasks;
	struct totals totals;
	uint64_t nr, bytes;

	reader_open(&switches, RING_BYTES);
	reader_open(&tasks, RING_BYTES);
	add_tick(switches.fd, 0);
	add_tick(tasks.fd, 0);
	must(call(switches.fd, FARGS_IOC_START,
		  &(struct fargs_start){ .flags = FARGS_START_SWITCHES }), "START");
	must(call(tasks.fd, FARGS_IOC_START,
		  &(struct fargs_start){ .flags = FARGS_START_NO_FUNCS }), "START");
	must(shell("rmmod fargs_tp_event") ? -EBUSY : 0, "rmmod");
	totals = reader_totals(&switches);
	nr = nr_switches(switches.fd);
	must(shell("true"), "true");
	ktap_ok(totals.nr_dropped == 1 && totals.state == FARGS_STATE_RUNNING &&
		nr_switches(switches.fd) > nr,
		"a session that records switches continues without the module");
	totals = reader_totals(&tasks);
	bytes = nr_bytes(&tasks);
	must(shell("true"), "true");
	ktap_ok(totals.nr_dropped == 1 && totals.state == FARGS_STATE_RUNNING &&
		nr_bytes(&tasks) > bytes,
		"a session with FARGS_START_NO_FUNCS continues without the module");
	must(session_stop(switches.fd), "STOP");
	must(session_stop(tasks.fd), "STOP");
	must(shell("modprobe fargs_tp_event"), "modprobe");
	reader_close(&switches);
	reader_close(&tasks);
}

/*
 * Tests sessions that are opened, started and closed while the module fires its tracepoints, and is
 * unloaded and loaded.
 */
static void test_races(void)
{
	int fd, status, nr_bad = 0;
	pid_t pid = fork();

	if (!pid) {
		int i;

		for (i = 0; i < 10; i++)
			shell("echo 3000 >" FILE_NAME " & rmmod fargs_tp_event; wait; "
			      "modprobe fargs_tp_event");
		_exit(0);
	}
	while (!waitpid(pid, &status, WNOHANG)) {
		fd = session_open(RING_BYTES);
		add_tick(fd, FARGS_LAYOUT_DEFERRED);
		nr_bad += session_start(fd) != 0;
		usleep(10000);
		nr_bad += session_stop(fd) != 0;
		close(fd);
	}
	ktap_ok(!nr_bad,
		"sessions open and close while the module fires, and is unloaded and loaded");
}

/*
 * Adds some of the kernel's tracepoints. Skips events of modules, and events without a tracepoint,
 * such as those of individual system calls.
 */
static void add_kernel(int fd)
{
	FILE *file = fopen("/sys/kernel/tracing/available_events", "re");
	uint32_t bytes, nr = 0, nr_added;
	char line[256];
	struct maker m;

	must(file ? 0 : -errno, "available_events");
	while (nr < NR_KERNEL && fgets(line, sizeof(line), file)) {
		char *name = strchr(line, ':');

		if (!name || !strncmp(line, "syscalls:", strlen("syscalls:")))
			continue;
		name[strcspn(name, "\n")] = 0;
		maker_init(&m, 0, 0);
		bytes = pack(&m, "vmlinux", name + 1, packed);
		must(session_add(fd, packed, bytes, 1, FARGS_ADD_SKIP, &nr_added), "ADD");
		nr += nr_added;
	}
	fclose(file);
	must(nr == NR_KERNEL ? 0 : -ENOENT, "enough of the kernel's");
}

/*
 * Starts a process with a session, which runs until the process is killed. The module's tracepoint
 * is the last to be released.
 */
static pid_t start_victim(void)
{
	int pipes[2], fd;
	char byte;
	pid_t pid;

	must(pipe(pipes), "pipe");
	pid = fork();
	if (pid) {
		close(pipes[1]);
		must(read(pipes[0], &byte, 1) == 1 ? 0 : -EIO, "the victim's start");
		close(pipes[0]);
		return pid;
	}
	fd = session_open(RING_BYTES);
	add_kernel(fd);
	add_tick(fd, 0);
	must(session_start(fd), "START");
	must(write(pipes[1], "", 1) == 1 ? 0 : -EIO, "write");
	for (;;)
		pause();
}

/*
 * Tests sessions whose process is killed. Errors appear in the kernel log, which ktap_end() checks.
 */
static void test_killed(void)
{
	int i, status, nr_unloaded = 0;

	for (i = 0; i < 5; i++) {
		pid_t pid = start_victim();

		kill(pid, SIGKILL);
		/* Unload the module at different times while the session is being released. */
		usleep(i * 5000);
		nr_unloaded += !syscall(SYS_delete_module, "fargs_tp_event", O_NONBLOCK);
		waitpid(pid, &status, 0);
		must(shell("modprobe fargs_tp_event"), "modprobe");
	}
	ktap_ok(nr_unloaded == 5,
		"the module can be unloaded while a killed session is being released");
}

int main(void)
{
	ktap_begin("abi_tpoint");
	need_session_test();
	if (shell("modprobe -n fargs_tp_event 2>/dev/null"))
		ktap_skip_all("module fargs_tp_event is not installed");
	shell("rmmod fargs_tp_probe fargs_tp_event 2>/dev/null; modprobe fargs_tp_event");
	test_info();
	test_refusals();
	test_twice();
	test_places();
	test_losses();
	test_trigger();
	test_sessions();
	test_lives();
	test_waits_for_end();
	test_goes_on();
	test_races();
	test_killed();
	shell("rmmod fargs_tp_event");
	return ktap_end();
}
