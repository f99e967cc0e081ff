// SPDX-License-Identifier: GPL-2.0-only
/*
 * Other users of ftrace attach to the functions that fargs traces, and detach: kprobe and fprobe
 * events, BPF programs at entry and exit, the function and function_graph tracers with and without
 * set_ftrace_pid, and a livepatch. Whatever they do while sessions start, run and stop, every call
 * is recorded exactly once, with its values, or is counted as lost or missed.
 *
 *	abi_coexist [--rounds N] [--seed S]
 *
 * --rounds: minimum number of sessions (3). More sessions run until each user has detached once.
 *
 * Sessions alternate between no return probes, few and many: the module uses a different kernel
 * mechanism for each. Users that this kernel or machine lacks are skipped.
 */
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>

#include "lib/bpf.h"
#include "lib/calls.h"

#define TRACING		"/sys/kernel/tracing/"
#define EVENTS		TRACING "dynamic_events"
#define PATCH		"/sys/kernel/livepatch/fargs_patch"
#define NUMBER		"fargs_n_number"
#define FOUR		"fargs_t_4"
#define RING_BYTES	(1u << 20)
/* enough functions for the module to use fprobe, if the kernel has it, instead of kretprobes */
#define MANY		24
#define BATCH		8	/* numbered calls made by one write */
#define BATCHES_MIN	8
#define CHANGES		3	/* number of detaches to wait for in each session */
#define BATCHES_MAX	250
#define NUMBERS_MAX	(BATCH * BATCHES_MAX)
#define RECORDS_MAX	(2 * NUMBERS_MAX)
#define PAUSE_US	3000	/* maximum time between attaching and detaching */
#define PATIENCE	300	/* seconds within which each user must detach at least once */

enum kind { PLAIN, FEW_RETURNS, MANY_RETURNS, NR_MODES };

/* Users of ftrace, each in a process of its own. */
struct user {
	const char *name;
	bool (*init)(void);	/* false: this machine has no such user */
	bool (*attach)(unsigned int turn);
	bool (*detach)(void);
	pid_t pid;
};

#define USERS	4

static struct {
	atomic_bool is_over;
	atomic_ulong nr_detached[USERS];	/* number of times each user has detached */
	atomic_ulong nr_wrong[USERS];	/* failed attempts of each user to attach or detach */
} *shared;

static const char *const mode_names[NR_MODES] = {
	"no return", "few return probes", "many return probes",
};

static const struct fargs_record *records[RECORDS_MAX];
static uint64_t many_addrs[MANY];
static unsigned int seed, rounds = 3;
static pid_t main_pid;
static uint64_t ip_four;

static void wait_us(unsigned int us)
{
	const struct timespec ts = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000l };

	nanosleep(&ts, NULL);
}

/* Some tracefs files accept only one word per write(). */
static bool write_text(const char *path, int flags, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags);
	ssize_t n = 1;

	if (fd < 0)
		return false;
	while (*text && n > 0) {
		n = write(fd, text, strlen(text));
		text += n > 0 ? n : 0;
	}
	return !close(fd) && !*text;
}

static bool has_text(const char *path, const char *text)
{
	char line[8192] = "";
	FILE *file = fopen(path, "re");
	bool has = false;

	while (file && !has && fgets(line, sizeof(line), file))
		has = strstr(line, text);
	if (file)
		fclose(file);
	return has;
}

/* ---- the function and function_graph tracers ---- */

static bool tracer_init(void)
{
	return has_text(TRACING "available_tracers", "function_graph") &&
	       has_text(TRACING "current_tracer", "nop");
}

static bool tracer_attach(unsigned int turn)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", turn & 4 ? main_pid : getpid());
	return write_text(TRACING "set_ftrace_filter", O_TRUNC, NUMBER "\n" FOUR "\n") &&
	       (!(turn & 2) || write_text(TRACING "set_ftrace_pid", O_TRUNC, pid)) &&
	       write_text(TRACING "current_tracer", 0, turn & 1 ? "function_graph" : "function");
}

/* Every other time, set_ftrace_pid is cleared while the tracer still runs. */
static bool tracer_detach(void)
{
	bool is_detached = write_text(TRACING "set_ftrace_pid", O_TRUNC, " ");

	is_detached &= write_text(TRACING "current_tracer", 0, "nop");
	return write_text(TRACING "set_ftrace_filter", O_TRUNC, " ") && is_detached;
}

/* ---- kprobe and fprobe events ---- */

static bool has_fprobe_events;

static bool events_init(void)
{
	has_fprobe_events = has_text(TRACING "README", "f[:[<group>/]");
	return !access(EVENTS, W_OK);
}

static bool events_attach(unsigned int turn)
{
	static const char *const kinds[] = {
		"p:fargs_coexist/call " NUMBER "\n",
		"r:fargs_coexist/call " NUMBER " ret=$retval\n",
		"f:fargs_coexist/call " NUMBER "%return ret=$retval\n",
		"f:fargs_coexist/call " NUMBER "\n",
	};

	return write_text(EVENTS, O_APPEND, kinds[turn % (has_fprobe_events ? 4 : 2)]) &&
	       write_text(TRACING "events/fargs_coexist/enable", 0, "1");
}

static bool events_detach(void)
{
	bool is_detached = write_text(TRACING "events/fargs_coexist/enable", 0, "0");

	return write_text(EVENTS, O_APPEND, "-:fargs_coexist/call\n") && is_detached;
}

/* ---- BPF programs ---- */

static int bpf_prog[2] = { -1, -1 }, bpf_link = -1;

/* Returns a descriptor of the module's BTF, or -1. */
static int open_btf(const char *module)
{
	struct bpf_btf_info info;
	union bpf_attr attr;
	char name[64];
	uint32_t id = 0;
	int fd;

	for (;;) {
		memset(&attr, 0, sizeof(attr));
		attr.start_id = id;
		if (bpf(BPF_BTF_GET_NEXT_ID, &attr))
			return -1;
		id = attr.next_id;
		memset(&attr, 0, sizeof(attr));
		attr.btf_id = id;
		fd = bpf(BPF_BTF_GET_FD_BY_ID, &attr);
		if (fd < 0)
			continue;
		memset(&info, 0, sizeof(info));
		memset(name, 0, sizeof(name));
		info.name = (uintptr_t)name;
		info.name_len = sizeof(name);
		memset(&attr, 0, sizeof(attr));
		attr.info.bpf_fd = fd;
		attr.info.info_len = sizeof(info);
		attr.info.info = (uintptr_t)&info;
		if (!bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) && !strcmp(name, module))
			return fd;
		close(fd);
	}
}

static int bpf_load(uint32_t attach_type, int btf, uint32_t id)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = { 0 };

	attr.prog_type = BPF_PROG_TYPE_TRACING;
	attr.expected_attach_type = attach_type;
	attr.attach_btf_obj_fd = btf;
	attr.attach_btf_id = id;
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = sizeof(insns) / sizeof(insns[0]);
	attr.license = (uintptr_t)"GPL";
	return bpf(BPF_PROG_LOAD, &attr);
}

static bool bpf_init(void)
{
	uint32_t id = btf_find_function("fargs_target", NUMBER);
	int btf = id ? open_btf("fargs_target") : -1;

	if (btf < 0)
		return false;
	bpf_prog[0] = bpf_load(BPF_TRACE_FENTRY, btf, id);
	bpf_prog[1] = bpf_load(BPF_TRACE_FEXIT, btf, id);
	close(btf);
	return bpf_prog[0] >= 0 && bpf_prog[1] >= 0;
}

static bool bpf_attach(unsigned int turn)
{
	union bpf_attr attr = { 0 };

	attr.raw_tracepoint.prog_fd = bpf_prog[turn & 1];
	bpf_link = bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
	return bpf_link >= 0;
}

static bool bpf_detach(void)
{
	return bpf_link >= 0 && !close(bpf_link);
}

/* ---- a livepatch ---- */

static int patch_fd = -1;

static bool patch_init(void)
{
	char path[512] = "";
	FILE *pipe = popen("modinfo -n fargs_patch 2>/dev/null", "r");

	if (!pipe)
		return false;
	if (!fgets(path, sizeof(path), pipe))
		path[0] = 0;
	pclose(pipe);
	path[strcspn(path, "\n")] = 0;
	patch_fd = open(path, O_RDONLY | O_CLOEXEC);
	return patch_fd >= 0;
}

/* Waits up to 2 minutes for the livepatch transition of all tasks to complete. */
static bool is_patched(void)
{
	int tries;

	for (tries = 0; tries < 1200; tries++) {
		if (has_text(PATCH "/transition", "0"))
			return true;
		wait_us(100000);
	}
	return false;
}

static bool patch_attach(unsigned int turn)
{
	(void)turn;
	return !syscall(SYS_finit_module, patch_fd, "", 0) && is_patched();
}

static bool patch_detach(void)
{
	int tries;

	if (!write_text(PATCH "/enabled", 0, "0"))
		return false;
	for (tries = 0; tries < 1200 && !access(PATCH, F_OK); tries++)
		wait_us(100000);
	for (tries = 0; tries < 600; tries++) {
		if (!syscall(SYS_delete_module, "fargs_patch", O_NONBLOCK))
			return true;
		wait_us(100000);
	}
	return false;
}

/* ---- the processes ---- */

static struct user users[USERS] = {
	{ .name = "tracers", .init = tracer_init, .attach = tracer_attach,
	  .detach = tracer_detach },
	{ .name = "events", .init = events_init, .attach = events_attach, .detach = events_detach },
	{ .name = "BPF programs", .init = bpf_init, .attach = bpf_attach, .detach = bpf_detach },
	{ .name = "a livepatch", .init = patch_init, .attach = patch_attach,
	  .detach = patch_detach },
};

static void run_user(unsigned int i)
{
	const struct user *user = &users[i];
	unsigned int turn;

	srand(seed + i);
	for (turn = 0; !shared->is_over && getppid() == main_pid; turn++) {
		if (!user->attach(turn))
			shared->nr_wrong[i]++;
		wait_us(rand() % PAUSE_US);
		if (!user->detach())
			shared->nr_wrong[i]++;
		shared->nr_detached[i]++;
		wait_us(rand() % PAUSE_US);
	}
}

/* Makes all users detach. Also called by exit(), so that no user outlives the test. */
static void stop_users(void)
{
	unsigned int i;

	if (getpid() != main_pid)
		return;
	shared->is_over = true;
	for (i = 0; i < USERS; i++) {
		if (users[i].pid > 0)
			waitpid(users[i].pid, NULL, 0);
		users[i].pid = 0;
	}
}

static void start_users(void)
{
	unsigned int i;

	for (i = 0; i < USERS; i++) {
		if (!users[i].init()) {
			ktap_note("%s: not on this machine", users[i].name);
			users[i].init = NULL;
			continue;
		}
		fflush(stdout);
		users[i].pid = fork();
		must(users[i].pid, "fork");
		if (!users[i].pid) {
			run_user(i);
			_exit(0);
		}
	}
}

/*
 * Returns how many times the users have detached, without the livepatch, which takes seconds to
 * detach.
 */
static unsigned long nr_changes(void)
{
	return shared->nr_detached[0] + shared->nr_detached[1] + shared->nr_detached[2];
}

static bool have_all_detached(void)
{
	unsigned int i;

	for (i = 0; i < USERS; i++) {
		if (users[i].init && !shared->nr_detached[i])
			return false;
	}
	return true;
}

/* ---- sessions ---- */

static void add(int fd, const char *function, enum kind mode)
{
	uint64_t addr = symbol_address(function);
	struct maker m;

	must(addr ? 0 : -ENOENT, function);
	maker_init(&m, addr, mode == PLAIN ? 0 : FARGS_LAYOUT_RETURN);
	maker_reg(&m, "first", FARGS_TYPE_U64, 0);
	maker_reg(&m, "third", FARGS_TYPE_U64, 2);
	if (mode != PLAIN)
		maker_return(&m, "ret", FARGS_TYPE_S64, FARGS_SOURCE_RETURN, 0);
	must(maker_add(fd, &m), function);
	if (!strcmp(function, FOUR))
		ip_four = m.layout.ip;
}

static void open_session(struct reader *r, enum kind mode)
{
	struct maker m;
	unsigned int i;

	reader_open(r, RING_BYTES);
	add(r->fd, NUMBER, mode);
	add(r->fd, FOUR, mode);
	for (i = 0; mode == MANY_RETURNS && i < MANY; i++) {
		maker_init(&m, many_addrs[i], FARGS_LAYOUT_RETURN);
		must(maker_add(r->fd, &m), "ADD of many");
	}
}

static void start(int fd)
{
	int32_t tid = getpid();
	struct fargs_start start = {
		.flags = FARGS_START_TASKS, .nr_tids = 1, .tids = (uintptr_t)&tid,
	};

	must(call(fd, FARGS_IOC_START, &start), "START");
}

/*
 * Number of calls made in a session: calls to NUMBER, with the arguments 0 to @nr_numbers - 1, and
 * calls to FOUR, always with the same arguments.
 */
struct calls {
	uint32_t nr_numbers, nr_fours;
};

/* Makes calls until users have detached a few times. */
static struct calls make_calls(void)
{
	const unsigned long until = nr_changes() + CHANGES;
	struct calls made = { 0 };
	char command[64];
	unsigned int i;

	for (i = 0; i < BATCHES_MIN || (i < BATCHES_MAX && nr_changes() < until); i++) {
		snprintf(command, sizeof(command), "number %u %u", made.nr_numbers, BATCH);
		must(target_call(command), command);
		made.nr_numbers += BATCH;
		must(target_call(FOUR), FOUR);
		made.nr_fours++;
		wait_us(1000);
	}
	return made;
}

/*
 * Returns whether the arguments are those of the call in samples/target/mixed.c:
 * fargs_t_4(0xffff888012345678, NULL, 4096, -2).
 */
static bool is_four(const struct fargs_record *rec)
{
	return record_find(rec, "first").low == 0xffff888012345678 &&
	       record_find(rec, "third").low == 4096;
}

/*
 * Returns whether each call was recorded once, with its values, or was counted as lost or missed.
 */
static bool is_exact(struct reader *r, enum kind mode, const struct calls *made)
{
	static uint8_t seen[NUMBERS_MAX];
	uint32_t i, nr = reader_peek(r, records, RECORDS_MAX), fours = 0, twice = 0, wrong = 0;
	struct totals totals = reader_totals(r);
	uint64_t number;
	bool is_good;

	memset(seen, 0, sizeof(seen));
	for (i = 0; i < nr; i++) {
		const struct fargs_record *rec = records[i];

		if (rec->kind != (mode == PLAIN ? FARGS_KIND_ENTRY : FARGS_KIND_RETURN) ||
		    rec->tid != (uint32_t)getpid()) {
			wrong++;
		} else if (rec->ip == ip_four) {
			fours++;
			wrong += !is_four(rec);
		} else {
			number = record_find(rec, "first").low;
			if (number >= made->nr_numbers ||
			    (mode != PLAIN && record_find(rec, "ret").low != 3 * number))
				wrong++;
			else
				twice += seen[number]++;
		}
	}
	is_good = !wrong && !twice && fours <= made->nr_fours &&
		  totals.produced == nr + totals.lost &&
		  totals.produced + totals.nr_missed == made->nr_numbers + made->nr_fours;
	if (!is_good || totals.lost || totals.nr_missed)
		ktap_note("%s: %u + %u calls; %u records, %u of " FOUR ", %u twice, %u wrong; "
			  "produced %lu lost %lu missed %lu nr_missed %lu", mode_names[mode],
			  made->nr_numbers, made->nr_fours, nr, fours, twice, wrong,
			  totals.produced, totals.lost, totals.missed, totals.nr_missed);
	return is_good;
}

static bool run_session(enum kind mode)
{
	struct calls made;
	struct reader r;
	bool is_good;

	open_session(&r, mode);
	start(r.fd);
	made = make_calls();
	must(session_stop(r.fd), "STOP");
	is_good = is_exact(&r, mode, &made);
	reader_close(&r);
	return is_good;
}

static void test_sessions(unsigned int nr_modes)
{
	unsigned int i, nr[NR_MODES] = { 0 }, nr_bad[NR_MODES] = { 0 };
	const time_t end = time(NULL) + PATIENCE;

	for (i = 0; i < rounds || (!have_all_detached() && time(NULL) < end); i++) {
		nr[i % nr_modes]++;
		nr_bad[i % nr_modes] += !run_session(i % nr_modes);
	}
	for (i = 0; i < nr_modes; i++)
		ktap_ok(!nr_bad[i], "%s: each call is recorded once or counted", mode_names[i]);
	for (i = 0; i < nr_modes; i++)
		ktap_note("%s: %u sessions, %u of them wrong", mode_names[i], nr[i], nr_bad[i]);
}

/* ---- */

/*
 * Tests that functions traced by the function tracer stay traced after sessions end, and that no
 * other functions stay traced.
 */
static void test_end(unsigned long nr_before)
{
	unsigned long nr_with;
	bool is_there;

	if (users[0].init && tracer_attach(0)) {
		run_session(PLAIN);
		run_session(FEW_RETURNS);
		is_there = is_traced(NUMBER) && is_traced(FOUR);
		nr_with = nr_traced();
		tracer_detach();
		if (!ktap_ok(is_there && nr_with == nr_before + 2,
			     "functions of the function tracer stay traced after sessions"))
			ktap_note("%lu functions, not %lu + 2", nr_with, nr_before);
	}
	if (!ktap_ok(nr_traced() == nr_before, "no function is traced afterwards"))
		ktap_note("%lu functions, not %lu", nr_traced(), nr_before);
}

static void report_users(void)
{
	unsigned int i;

	for (i = 0; i < USERS; i++) {
		if (!users[i].init)
			continue;
		ktap_ok(shared->nr_detached[i] && !shared->nr_wrong[i],
			"%s: attached and detached meanwhile", users[i].name);
		ktap_note("%s: %lu times, %lu failures", users[i].name, shared->nr_detached[i],
			  shared->nr_wrong[i]);
	}
}

static bool parse(int argc, char **argv)
{
	for (; argc > 2; argc -= 2, argv += 2) {
		if (!strcmp(argv[1], "--rounds"))
			rounds = atoi(argv[2]);
		else if (!strcmp(argv[1], "--seed"))
			seed = atoi(argv[2]);
		else
			return false;
	}
	return argc == 1;
}

int main(int argc, char **argv)
{
	unsigned int nr_modes = NR_MODES;
	unsigned long nr_before;

	seed = time(NULL);
	if (!parse(argc, argv))
		return fprintf(stderr, "usage: abi_coexist [--rounds N] [--seed S]\n"), 2;
	ktap_begin("abi_coexist");
	need_session_test();
	ktap_note("seed %u", seed);
	main_pid = getpid();
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	must(shared == MAP_FAILED ? -errno : 0, "mmap");
	/* Without fprobe there is one mechanism only, which is slow with many functions. */
	if (is_old_kernel() || find_idle(many_addrs, MANY) < MANY)
		nr_modes = MANY_RETURNS;
	nr_before = nr_traced();
	/*
	 * Make fargs register its first fprobe before function_graph runs. At that time, the
	 * fgraph_ops of fprobe may get index 0, and the kernel would warn if function_graph had
	 * already run (kmod/compat/fprobe_anchor.c).
	 */
	if (nr_modes == NR_MODES)
		run_session(MANY_RETURNS);
	atexit(stop_users);
	start_users();
	test_sessions(nr_modes);
	stop_users();
	report_users();
	test_end(nr_before);
	return ktap_end();
}
