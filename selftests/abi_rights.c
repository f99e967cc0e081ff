// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests which capabilities /dev/fargs requires ("Rights" of fargs(4)). Each attempt is made by a
 * new process of user 65534 with some capabilities or none.
 *
 *	abi_rights lockdown	locks the kernel down for confidentiality while a session runs;
 *				only a reboot reverses that
 */
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <sys/socket.h>

#include "lib/progs.h"
#include "lib/rights.h"

#define RING_BYTES	(64u << 10)
#define PAGE		4096ul
#define LOCKDOWN	"/sys/kernel/security/lockdown"

static uint64_t addr_4;
static int target_fd;

/* ---- actions that may require a capability ---- */

static int ask_open(void *arg)
{
	int fd = open_new();

	return fd < 0 ? fd : 0;
}

/* Runs a whole session with a plain layout. Counts the records with the right value. */
static int ask_plain(void *arg)
{
	struct fargs_buffer buffer = { .bytes = RING_BYTES };
	unsigned int cpu = sched_getcpu();
	const struct fargs_record *record;
	const uint8_t *map, *at, *body;
	struct piece piece;
	struct value value;
	int ret, fd = open_new();

	if (fd < 0)
		return fd;
	piece_target_4(&piece, addr_4);
	ret = call(fd, FARGS_IOC_BUFFER, &buffer);
	if (!ret)
		ret = piece_add(fd, &piece);
	if (!ret)
		ret = session_start(fd);
	if (ret)
		return ret;
	must(write(target_fd, "fargs_t_4", 9) < 0 ? -errno : 0, "the call");
	ret = session_stop(fd);
	map = mmap(NULL, PAGE + 2 * RING_BYTES, PROT_READ, MAP_SHARED, fd, FARGS_MMAP_DATA(cpu));
	if (ret || map == MAP_FAILED)
		return ret ? ret : -errno;
	at = map + PAGE;
	while (at < map + PAGE + ((const struct fargs_ring_head *)map)->data_head) {
		record = (const void *)at;
		body = (const void *)(record + 1);
		while (record->kind == FARGS_KIND_ENTRY && next_value(&body, &value))
			answer->nr += !strcmp(value.name, "flags") &&
				      *(const uint64_t *)value.data == 4096;
		at += record->len;
	}
	return 0;
}

/* Adds a layout to a new session. */
static int ask_add(void *arg)
{
	int ret, fd = open_new();
	struct fargs_error error;

	if (fd < 0)
		return fd;
	ret = progs_add_to(fd, arg);
	error = last_error;
	answer->nr = session_layouts(fd);
	last_error = error;
	return ret;
}

/* ---- what CAP_PERFMON permits ---- */

#define FETCH		FARGS_PROG_ENTRY_FETCH
#define PREDICATE	FARGS_PROG_ENTRY_PREDICATE

/*
 * Programs for fargs_t_4. Their body has the values "st" of 8 bytes and "mem" of 16 bytes, to which
 * they can store.
 */
static const struct program {
	const char *what;
	enum fargs_prog which;
	unsigned int reads_at;		/* index of the instruction that needs CAP_BPF */
	bool is_reading;
	enum { STORE_NONE, STORE_ST, STORE_MEM } store;
	struct fargs_insn insns[6];
} programs[] = {
	{ "LOAD in a condition", PREDICATE, 1, true, STORE_NONE,
	  { ARG(0, 0), LOAD(1, 0, 8, 0), ACCEPT } },
	{ "LOAD of a byte of user space", PREDICATE, 1, true, STORE_NONE,
	  { IMM(0, 4096), LOAD_IN(1, 0, 1, 0, FARGS_SPACE_USER), ACCEPT } },
	{ "LOAD that is skipped by a jump", PREDICATE, 2, true, STORE_NONE,
	  { ARG(0, 0), JMP(1), LOAD(1, 0, 4, 0), ACCEPT } },
	{ "LOAD in a SCOPE program", FARGS_PROG_SCOPE, 1, true, STORE_NONE,
	  { ARG(0, 0), LOAD(1, 0, 2, 0), ACCEPT } },
	{ "LOAD in a TRIGGER program", FARGS_PROG_TRIGGER, 1, true, STORE_NONE,
	  { ARG(0, 0), LOAD(1, 0, 2, 0), REJECT } },
	{ "LOAD in a fetch", FETCH, 1, true, STORE_ST,
	  { ARG(0, 0), LOAD(1, 0, 8, 0), ST(1, 0) } },
	{ "JMATCH with the task's name", PREDICATE, 1, true, STORE_NONE,
	  { CTX(0, COMM), JMATCH(0, 0, 0), ACCEPT } },
	{ "ST_MEM", FETCH, 1, true, STORE_MEM, { ARG(0, 0), ST_MEM(0, 0, 16) } },
	{ "PUT_STR", FETCH, 1, true, STORE_NONE, { ARG(0, 1), PUT_STR(0, 0, 16) } },
	{ "PUT_MEM", FETCH, 2, true, STORE_NONE,
	  { ARG(0, 1), IMM(1, 8), PUT_MEM(1, 0, 0, 16) } },
	{ "PUT_STACK", FETCH, 0, true, STORE_NONE, { PUT_STACK(0, 2) } },
	{ "PUT_PATH", FETCH, 1, true, STORE_NONE, { ARG(0, 0), PUT_PATH(0, 0, 0, 0, 0, 16) } },
	{ "SLOT 6", PREDICATE, 0, true, STORE_NONE, { SLOT(0, 6), ACCEPT } },
	{ "SLOT 31", PREDICATE, 0, true, STORE_NONE, { SLOT(0, 31), ACCEPT } },
	{ "SLOT 5", PREDICATE, 0, false, STORE_NONE, { SLOT(0, 5), ACCEPT } },
	{ "a condition on an argument", PREDICATE, 0, false, STORE_NONE,
	  { ARG(0, 2), JIF(0, EQ, 4096, 1), REJECT, ACCEPT } },
	{ "a condition on the task, its CPU and its caller", PREDICATE, 0, false, STORE_NONE,
	  { CTX(0, TGID), CTX(1, CPU), CTX(2, CALLER), ALU_REG(ADD, 0, 1), JIF(0, NE, 0, 0),
	    ACCEPT } },
	{ "arithmetic that is stored", FETCH, 0, false, STORE_ST,
	  { ARG(0, 2), MOV(1, 0), ALU(SHL, 1, 3), ALU_REG(SUB, 1, 0), ST(1, 0) } },
};

/*
 * Makes a layout with @program. Returns the offset in the layout of the instruction that needs
 * CAP_BPF.
 */
static uint32_t make_program(const struct program *program, struct progs *p)
{
	unsigned int i, nr = 0;
	uint16_t data[3] = { 0 };

	progs_begin(p, addr_4);
	if (program->which == FARGS_PROG_SCOPE)
		p->piece.layout.flags = FARGS_LAYOUT_SCOPE;
	if (program->which == FARGS_PROG_TRIGGER)
		p->piece.layout.flags = FARGS_LAYOUT_TRIGGER;
	piece_reg(&p->piece, "flags", FARGS_TYPE_U64, 2);
	data[STORE_ST] = piece_value(&p->piece, "st", FARGS_TYPE_U64, 8);
	data[STORE_MEM] = piece_value(&p->piece, "mem", FARGS_TYPE_U128, 16);
	piece_end(&p->piece);
	progs_const(p, "mem*");
	progs_const(p, "room for a struct fargs_tree");
	while (nr < COUNT(program->insns) && program->insns[nr].op)
		nr++;
	progs_add(p, program->which, program->insns, nr);
	if (program->which == FETCH)
		p->piece.layout.append_max = program->store ? 0 : 64;
	for (i = 0; i < nr; i++)
		if (program->store && (program->insns[i].op == FARGS_OP_ST ||
				       program->insns[i].op == FARGS_OP_ST_MEM))
			p->insns[program->which][i].off = data[program->store];
	return sizeof(struct fargs_layout) + sizeof(struct fargs_store) +
	       program->reads_at * sizeof(struct fargs_insn);
}

static void test_programs(void)
{
	static struct progs p;
	uint32_t at;
	size_t i;

	for (i = 0; i < COUNT(programs); i++) {
		const struct program *program = &programs[i];

		at = make_program(program, &p);
		if (!program->is_reading) {
			ktap_ok(!as(PERFMON, ask_add, &p) && answer->nr == 1,
				"%s: CAP_PERFMON is enough", program->what);
			continue;
		}
		if (!ktap_ok(as(PERFMON, ask_add, &p) == -EPERM && !answer->nr &&
			     names("CAP_BPF") && !answer->error.layout && answer->error.field == at,
			     "%s: CAP_PERFMON alone is refused, naming CAP_BPF", program->what))
			ktap_note("%d, field %u not %u: %s", answer->ret, answer->error.field, at,
				  answer->error.text);
		ktap_ok(!as(PERFMON | BPF, ask_add, &p) && answer->nr == 1 &&
			!as(ADMIN, ask_add, &p) && answer->nr == 1,
			"%s: allowed with CAP_BPF, and with CAP_SYS_ADMIN", program->what);
	}
}

static void make_slots(struct progs *p, uint8_t last)
{
	unsigned int i;
	char name[8];

	progs_begin(p, addr_4);
	for (i = 0; i <= last; i++) {
		snprintf(name, sizeof(name), "s%u", i);
		piece_store(&p->piece, piece_value(&p->piece, name, FARGS_TYPE_U64, 8),
			    FARGS_SOURCE_STACK, i);
	}
	piece_end(&p->piece);
}

/* Adds two layouts in one batch. The caller lacks the capability to add the second one. */
static int ask_skip(void *arg)
{
	static uint8_t packed[8192];
	struct progs *p = arg;
	struct fargs_layout *second;
	uint32_t nr_added, bytes;
	struct piece piece;
	int ret, fd = open_new();

	if (fd < 0)
		return fd;
	piece_target_4(&piece, symbol_address("fargs_t_8"));
	bytes = piece_pack(&piece, packed);
	second = (struct fargs_layout *)(packed + bytes);
	bytes += progs_pack(p, packed + bytes);
	ret = session_add(fd, packed, bytes, 2, FARGS_ADD_SKIP, &nr_added);
	if (ret)
		return ret;
	answer->nr = session_layouts(fd);
	return nr_added == 1 && answer->nr == 1 ? second->status : -ENOTRECOVERABLE;
}

static void test_slots(void)
{
	static struct progs p;

	make_slots(&p, FARGS_STACK_SLOTS_PLAIN - 1);
	ktap_ok(!as(PERFMON, ask_add, &p) && answer->nr == 1,
		"stack slots that arguments may be in: CAP_PERFMON is enough");
	make_slots(&p, FARGS_STACK_SLOTS_PLAIN);
	ktap_ok(as(PERFMON, ask_add, &p) == -EPERM && !answer->nr && names("CAP_BPF") &&
		answer->error.field == sizeof(struct fargs_layout) +
				       FARGS_STACK_SLOTS_PLAIN * sizeof(struct fargs_store),
		"further stack slots: CAP_PERFMON alone is refused, and the error has the store");
	ktap_ok(as(PERFMON, ask_skip, &p) == -EACCES && answer->nr == 1,
		"further stack slots: FARGS_ADD_SKIP skips the layout with EACCES");
	p.piece.layout.flags = FARGS_LAYOUT_SCOPE;
	ktap_ok(as(PERFMON, ask_skip, &p) == -EACCES,
		"further stack slots: FARGS_ADD_SKIP skips a layout with a scope");
	p.piece.layout.flags = 0;
	ktap_ok(!as(PERFMON | BPF, ask_add, &p) && answer->nr == 1,
		"further stack slots: allowed with CAP_BPF");
	make_program(&programs[0], &p);
	ktap_ok(as(PERFMON, ask_skip, &p) == -EPERM && names("CAP_BPF"),
		"a program that reads memory is refused, also with FARGS_ADD_SKIP");
}

/* ---- a descriptor that was passed on ---- */

static int sockets[2];

static void pass(int fd)
{
	char byte = 0, control[CMSG_SPACE(sizeof(fd))] = { 0 };
	struct iovec part = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	must(sendmsg(sockets[0], &message, 0) < 0 ? -errno : 0, "sendmsg");
}

static int take(void)
{
	char byte, control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec part = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	int fd;

	must(recvmsg(sockets[1], &message, 0) < 0 ? -errno : 0, "recvmsg");
	must(CMSG_FIRSTHDR(&message) ? 0 : -EBADF, "no descriptor");
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
	return fd;
}

static int do_buffer(int fd)
{
	struct fargs_buffer buffer = { .bytes = RING_BYTES };

	return call(fd, FARGS_IOC_BUFFER, &buffer);
}

static int do_add(int fd)
{
	struct piece piece;

	piece_target_4(&piece, addr_4);
	return piece_add(fd, &piece);
}

static int do_read_memory(int fd)
{
	static struct progs p;

	make_program(&programs[0], &p);
	return progs_add_to(fd, &p);
}

static int do_freeze(int fd)
{
	struct fargs_freeze freeze = { .is_frozen = 1 };

	return call(fd, FARGS_IOC_FREEZE, &freeze);
}

static int do_info(int fd)
{
	struct fargs_info info = { 0 };

	return call(fd, FARGS_IOC_INFO, &info);
}

static int do_stats(int fd)
{
	struct fargs_stats stats = { 0 };
	int ret = call(fd, FARGS_IOC_STATS, &stats);

	return ret ? ret : stats.nr_layouts ? 0 : -ENODATA;
}

static int do_clock(int fd)
{
	struct fargs_clock_sample sample;
	struct fargs_clock clock = { .samples = (uintptr_t)&sample, .nr_cpus = 1 };

	return call(fd, FARGS_IOC_CLOCK, &clock);
}

static int do_arrivals(int fd)
{
	struct fargs_arrivals arrivals = { 0 };

	return call(fd, FARGS_IOC_ARRIVALS, &arrivals);
}

static int do_poll(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) < 0 ? -errno : p.revents & (POLLERR | POLLNVAL) ? -EIO : 0;
}

/* Maps the rings of all CPUs. Fails if they contain no records. */
static int do_map(int fd)
{
	unsigned int cpu, nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	uint64_t bytes = 0;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		const struct fargs_ring_head *head =
			mmap(NULL, PAGE + 2 * RING_BYTES, PROT_READ, MAP_SHARED, fd,
			     FARGS_MMAP_DATA(cpu));

		if (head == MAP_FAILED)
			return -errno;
		bytes += head->data_head;
	}
	return bytes ? 0 : -ENODATA;
}

struct passed {
	int (*attempt)(int fd);
};

static int ask_passed(void *arg)
{
	const struct passed *passed = arg;

	return passed->attempt(take());
}

/*
 * Returns the result of @attempt in a process that has only the capabilities @caps, and received
 * @fd.
 */
static int by(uint64_t caps, int fd, int (*attempt)(int fd))
{
	struct passed passed = { attempt };

	pass(fd);
	return as(caps, ask_passed, &passed);
}

/* Returns a running session in overwrite mode with some records. */
static int run_session(void)
{
	struct fargs_buffer buffer = { .bytes = RING_BYTES, .mode = FARGS_MODE_OVERWRITE };
	int fd = device_open();

	must(fd < 0 ? -errno : 0, "open");
	must(call(fd, FARGS_IOC_BUFFER, &buffer), "BUFFER");
	must(do_add(fd), "ADD");
	must(session_start(fd), "START");
	must(target_call("fargs_t_4"), "the call");
	return fd;
}

static const struct { const char *what; int (*attempt)(int fd); } readers[] = {
	{ "mmap", do_map }, { "poll", do_poll }, { "INFO", do_info },
	{ "STATS", do_stats }, { "CLOCK", do_clock }, { "ARRIVALS", do_arrivals },
	{ "STOP", session_stop },
};

static void test_passed(void)
{
	int fd = run_session(), fresh = device_open(), ready = session_open(RING_BYTES);
	size_t i;

	must(socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets) ? -errno : 0, "socketpair");
	must(do_add(ready), "ADD");
	ktap_ok(by(0, fresh, do_buffer) == -EPERM && names("CAP_PERFMON"),
		"descriptor passed to a task without capabilities: BUFFER is refused");
	ktap_ok(by(0, fresh, do_add) == -EPERM && names("CAP_PERFMON") && !session_layouts(fresh),
		"descriptor passed to a task without capabilities: ADD is refused");
	ktap_ok(by(0, ready, session_start) == -EPERM && names("CAP_PERFMON"),
	"descriptor passed to a task without capabilities: START is refused");
		ktap_ok(by(0, fd, do_freeze) == -EPERM && names("CAP_PERFMON"),
			"descriptor passed to a task without capabilities: FREEZE is refused");
	ktap_ok(by(BPF, ready, session_start) == -EPERM && names("CAP_PERFMON"),
		"descriptor passed to a task with CAP_BPF alone: START is refused");
	for (i = 0; i < COUNT(readers); i++)
		ktap_ok(!by(0, fd, readers[i].attempt), "%s: a passed descriptor is enough",
			readers[i].what);
	ktap_ok(by(PERFMON, fresh, do_read_memory) == -EPERM && names("CAP_BPF"),
		"descriptor passed to a task with CAP_PERFMON: ADD with reads is refused");
	ktap_ok(!by(PERFMON, fresh, do_add) && session_layouts(fresh) == 1,
		"descriptor passed to a task with CAP_PERFMON: plain ADD is allowed");
	close(fd);
	close(fresh);
	close(ready);
}

/* ---- a kernel that is locked down while a session runs ---- */

static bool is_locked(int ret)
{
	return ret == -EPERM && strstr(last_error.text, "locked down");
}

static int lock_down(const char *level)
{
	int ret, fd = open(LOCKDOWN, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	ret = write(fd, level, strlen(level)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

static void test_lockdown(void)
{
	int fd = run_session(), fresh = device_open(), ready = session_open(RING_BYTES);
	size_t i;

	must(do_add(ready), "ADD");
	/* The kernel may already be locked down to this level. */
	lock_down("integrity");
	ktap_ok(!do_freeze(fd) && !do_read_memory(device_open()),
		"integrity leaves an open session alone: FREEZE and ADD are allowed");
	must(lock_down("confidentiality"), LOCKDOWN);
	ktap_ok(is_locked(do_buffer(fresh)), "confidentiality: BUFFER is refused");
	ktap_ok(is_locked(do_add(fresh)), "confidentiality: ADD is refused");
	ktap_ok(is_locked(session_start(ready)), "confidentiality: START is refused");
	ktap_ok(is_locked(do_freeze(fd)), "confidentiality: FREEZE is refused");
	ktap_ok(device_open() == -1 && errno == EPERM, "confidentiality: open is refused");
	for (i = 0; i < COUNT(readers); i++)
		ktap_ok(!readers[i].attempt(fd), "confidentiality: %s is allowed", readers[i].what);
	close(fd);
	close(fresh);
	close(ready);
}

int main(int argc, char **argv)
{
	bool is_lockdown = argc > 1 && !strcmp(argv[1], "lockdown");
	cpu_set_t one;

	need_session_test();
	if (is_lockdown && access(LOCKDOWN, W_OK))
		ktap_skip_all("this kernel cannot be locked down");
	ktap_begin(is_lockdown ? "abi_rights lockdown" : "abi_rights");
	addr_4 = symbol_address("fargs_t_4");
	if (is_lockdown) {
		test_lockdown();
		return ktap_end();
	}
	/* Stay on one CPU, so that its ring has the record of ask_plain(). */
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	must(sched_setaffinity(0, sizeof(one), &one) ? -errno : 0, "sched_setaffinity");
	rights_init();
	target_fd = open(TARGET_PROC, O_WRONLY | O_CLOEXEC);
	must(target_fd < 0 ? -errno : 0, TARGET_PROC);

	ktap_ok(as(0, ask_open, NULL) == -EPERM, "open is refused without a capability");
	ktap_ok(as(BPF, ask_open, NULL) == -EPERM, "open is refused with CAP_BPF alone");
	ktap_ok(!as(PERFMON, ask_open, NULL) && !as(ADMIN, ask_open, NULL),
		"open is allowed with CAP_PERFMON or CAP_SYS_ADMIN");
	if (!ktap_ok(!as(PERFMON, ask_plain, NULL) && answer->nr == 1,
		     "with CAP_PERFMON alone a plain layout is recorded"))
		ktap_note("%d, %u: %s", answer->ret, answer->nr, answer->error.text);
	test_programs();
	test_slots();
	test_passed();
	unlink(OPEN_NODE);
	return ktap_end();
}
