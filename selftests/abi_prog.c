// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests programs of layouts (include/uapi/fargs_prog.h). The expected results follow from that
 * header, from the arguments with which samples/target calls fargs_t_8, and from memory of this
 * process, which is also in the kernel's direct map.
 */
#include <glob.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "lib/progs.h"

#define RING_BYTES	(64u << 10)
#define PAGE		4096ul

/* The call that samples/target makes: fargs_t_8(1, -2, 3, -4, 5, -6, 0xffff888012345678, 0). */
#define TARGET		"fargs_t_8"
#define SLOT_0		0xffff888012345678ull

#define NOT_CANONICAL	0xdead000000000100ull
#define FIRST_HOLE	0x0000800000000000ull	/* first address after user space */
#define VSYSCALL	0xffffffffff600000ull

static uint64_t addr_8;
static uint64_t holes;			/* address of a kernel page after which nothing is mapped */
static uint8_t *user;			/* two mapped pages, after which nothing is mapped */
static uint64_t direct;			/* start of the direct map */
static uint64_t kernel;			/* address in the direct map of the first page of @user */

/* The result of one call. */
struct outcome {
	uint8_t record[FARGS_RECORD_MAX];
	bool has_record;
	struct fargs_cpu_stats stats;	/* sums over all CPUs */
};

static void read_stats(int fd, struct outcome *out)
{
	static struct fargs_cpu_stats cpus[256];
	struct fargs_stats stats = { .cpus = (uintptr_t)cpus, .nr_cpus = COUNT(cpus) };
	unsigned int i;

	must(call(fd, FARGS_IOC_STATS, &stats), "STATS");
	for (i = 0; i < stats.nr_cpus; i++) {
		out->stats.produced += cpus[i].produced;
		out->stats.lost += cpus[i].lost;
		out->stats.rejected += cpus[i].rejected;
		out->stats.unreadable += cpus[i].unreadable;
	}
}

/* Traces one call of fargs_t_8, on this CPU. */
static void run(struct progs *p, struct outcome *out)
{
	int fd = session_open(RING_BYTES);
	unsigned int cpu = sched_getcpu();
	const uint8_t *map, *at;

	memset(out, 0, sizeof(*out));
	must(progs_add_to(fd, p), "ADD");
	map = mmap(NULL, PAGE + 2 * RING_BYTES, PROT_READ, MAP_SHARED, fd, FARGS_MMAP_DATA(cpu));
	must(map == MAP_FAILED ? -errno : 0, "mmap");
	must(session_start(fd), "START");
	must(target_call(TARGET), "the call");
	must(session_stop(fd), "STOP");
	at = map + PAGE;
	while (at < map + PAGE + ((const struct fargs_ring_head *)map)->data_head) {
		const struct fargs_record *record = (const void *)at;

		if (record->kind == FARGS_KIND_ENTRY) {
			memcpy(out->record, at, record->len);
			out->has_record = true;
		}
		at += record->len;
	}
	read_stats(fd, out);
	munmap((void *)map, PAGE + 2 * RING_BYTES);
	close(fd);
}

static bool find_value(const struct outcome *out, const char *name, struct value *value)
{
	const uint8_t *at = out->record + sizeof(struct fargs_record);

	while (out->has_record && next_value(&at, value))
		if (!strcmp(value->name, name))
			return true;
	return false;
}

static uint64_t number_of(const struct value *value)
{
	uint64_t number;

	memcpy(&number, value->data, sizeof(number));
	return number;
}

/* A program that leaves its result in r0, and the expected result. */
struct check {
	const char *what;
	uint64_t want;
	bool is_fault;
	struct fargs_insn insns[7];
};

static unsigned int insns_of(const struct check *check)
{
	unsigned int nr = 0;

	while (nr < COUNT(check->insns) && check->insns[nr].op)
		nr++;
	return nr;
}

/*
 * Runs at most eight checks in one program, because a program may have only eight JMATCH
 * instructions.
 */
static void run_some(const struct check *checks, unsigned int nr, const char *const *patterns)
{
	static struct progs p;
	static struct outcome out;
	unsigned int i, nr_insns;
	struct value value;
	char name[8];

	progs_begin(&p, addr_8);
	for (i = 0; patterns && patterns[i]; i++)
		progs_const(&p, patterns[i]);
	for (i = 0; i < nr; i++) {
		struct fargs_insn st = ST(0, 0);

		snprintf(name, sizeof(name), "v%u", i);
		st.off = piece_value(&p.piece, name, FARGS_TYPE_U64, 8);
		nr_insns = insns_of(&checks[i]);
		progs_add(&p, FARGS_PROG_ENTRY_FETCH, checks[i].insns, nr_insns);
		progs_add(&p, FARGS_PROG_ENTRY_FETCH, &st, 1);
	}
	piece_end(&p.piece);
	run(&p, &out);
	for (i = 0; i < nr; i++) {
		uint8_t want = FARGS_TYPE_U64 | (checks[i].is_fault ? FARGS_TYPE_FAULT : 0);
		bool is_there;

		snprintf(name, sizeof(name), "v%u", i);
		is_there = find_value(&out, name, &value);
		if (!ktap_ok(is_there && value.type == want && number_of(&value) == checks[i].want,
			     "%s", checks[i].what) && is_there)
			ktap_note("type %#x, %#llx not %#llx", value.type,
				  (unsigned long long)number_of(&value),
				  (unsigned long long)checks[i].want);
	}
}

static void run_checks(const struct check *checks, unsigned int nr, const char *const *patterns)
{
	unsigned int i;

	for (i = 0; i < nr; i += 8)
		run_some(checks + i, nr - i < 8 ? nr - i : 8, patterns);
}

static void test_sources(void)
{
	const struct check checks[] = {
		{ "ARG 0 is rdi", 1, false, { ARG(0, 0) } },
		{ "ARG 1 is rsi", -2ull, false, { ARG(0, 1) } },
		{ "ARG 2 is rdx", 3, false, { ARG(0, 2) } },
		{ "ARG 3 is rcx", -4ull, false, { ARG(0, 3) } },
		{ "ARG 4 is r8", 5, false, { ARG(0, 4) } },
		{ "ARG 5 is r9", -6ull, false, { ARG(0, 5) } },
		{ "SLOT 0 is the seventh argument", SLOT_0, false, { SLOT(0, 0) } },
		{ "SLOT 1 is the eighth argument", 0, false, { SLOT(0, 1) } },
		{ "CTX TID", gettid(), false, { CTX(0, TID) } },
		{ "CTX TGID", getpid(), false, { CTX(0, TGID) } },
		{ "CTX CPU", sched_getcpu(), false, { CTX(0, CPU) } },
		{ "CTX UID", geteuid(), false, { CTX(0, UID) } },
		/* "abi_prog" */
		{ "CTX COMM is the address of the name", 0x676f72705f696261ull, false,
		  { CTX(1, COMM), LOAD(0, 1, 8, 0) } },
		{ "IMM", 0x8000000000000001ull, false, { IMM(0, 0x8000000000000001ull) } },
		{ "MOV", 5, false, { IMM(7, 5), MOV(0, 7) } },
	};

	run_checks(checks, COUNT(checks), NULL);
}

static void test_arithmetic(void)
{
	const struct check checks[] = {
		{ "ADD wraps", 1, false, { IMM(0, -1), ALU(ADD, 0, 2) } },
		{ "ADD of a negative number", 3, false, { IMM(0, 10), ALU(ADD, 0, -7) } },
		{ "MUL", -21ull, false, { IMM(0, -3), ALU(MUL, 0, 7) } },
		{ "AND", 0x0f00, false, { IMM(0, 0xff00), ALU(AND, 0, 0x0fff) } },
		{ "OR", 0xffff, false, { IMM(0, 0xff00), ALU(OR, 0, 0x0fff) } },
		{ "XOR", 0xf0ff, false, { IMM(0, 0xff00), ALU(XOR, 0, 0x0fff) } },
		{ "SHL by 63", 1ull << 63, false, { IMM(0, 3), ALU(SHL, 0, 63) } },
		{ "SHR does not copy the sign", 1, false, { IMM(0, 1ull << 63), ALU(SHR, 0, 63) } },
		{ "SAR copies the sign", -1ull, false, { IMM(0, 1ull << 63), ALU(SAR, 0, 63) } },
		{ "SHL by 0", 9, false, { IMM(0, 9), ALU(SHL, 0, 0) } },
		{ "ADD_REG", 12, false, { IMM(0, 5), IMM(1, 7), ALU_REG(ADD, 0, 1) } },
		{ "SUB_REG", -2ull, false, { IMM(0, 5), IMM(1, 7), ALU_REG(SUB, 0, 1) } },
		{ "AND_REG", 4, false, { IMM(0, 6), IMM(1, 12), ALU_REG(AND, 0, 1) } },
		{ "OR_REG", 14, false, { IMM(0, 6), IMM(1, 12), ALU_REG(OR, 0, 1) } },
		{ "JMP skips instructions", 1, false, { IMM(0, 1), JMP(2), IMM(0, 2), IMM(0, 3) } },
		{ "JMP by 0", 2, false, { IMM(0, 1), JMP(0), IMM(0, 2) } },
	};

	run_checks(checks, COUNT(checks), NULL);
}

/* The result is 1 if the condition holds. */
#define HOLDS(a, c, b)	{ IMM(1, a), IMM(0, 1), JIF(1, c, b, 1), IMM(0, 0) }
#define HOLDS_REG(a, c, b) { IMM(1, a), IMM(2, b), IMM(0, 1), JIF_REG(1, c, 2, 1), IMM(0, 0) }

static void test_conditions(void)
{
	const struct check checks[] = {
		{ "5 EQ 5", 1, false, HOLDS(5, EQ, 5) },
		{ "5 EQ 6", 0, false, HOLDS(5, EQ, 6) },
		{ "5 NE 6", 1, false, HOLDS(5, NE, 6) },
		{ "5 NE 5", 0, false, HOLDS(5, NE, 5) },
		{ "5 LT -1", 1, false, HOLDS(5, LT, -1) },
		{ "5 LT 5", 0, false, HOLDS(5, LT, 5) },
		{ "5 LE 5", 1, false, HOLDS(5, LE, 5) },
		{ "-1 LE 5", 0, false, HOLDS(-1, LE, 5) },
		{ "-1 GT 5", 1, false, HOLDS(-1, GT, 5) },
		{ "5 GT 5", 0, false, HOLDS(5, GT, 5) },
		{ "5 GE 5", 1, false, HOLDS(5, GE, 5) },
		{ "5 GE -1", 0, false, HOLDS(5, GE, -1) },
		{ "-1 SLT 5", 1, false, HOLDS(-1, SLT, 5) },
		{ "5 SLT 5", 0, false, HOLDS(5, SLT, 5) },
		{ "5 SLE 5", 1, false, HOLDS(5, SLE, 5) },
		{ "5 SLE -1", 0, false, HOLDS(5, SLE, -1) },
		{ "5 SGT -1", 1, false, HOLDS(5, SGT, -1) },
		{ "5 SGT 5", 0, false, HOLDS(5, SGT, 5) },
		{ "5 SGE 5", 1, false, HOLDS(5, SGE, 5) },
		{ "-1 SGE 5", 0, false, HOLDS(-1, SGE, 5) },
		{ "6 SET 12", 1, false, HOLDS(6, SET, 12) },
		{ "6 SET 9", 0, false, HOLDS(6, SET, 9) },
		{ "registers: -1 SLT 5", 1, false, HOLDS_REG(-1, SLT, 5) },
		{ "registers: -1 LT 5", 0, false, HOLDS_REG(-1, LT, 5) },
	};

	run_checks(checks, COUNT(checks), NULL);
}

/* Contents of the memory at @user and at @kernel. */
#define TEXT		"eth0-long"
#define WORD		0x6e6f6c2d30687465ull

static void test_loads(void)
{
	const uint64_t at = (uintptr_t)user, end = at + 2 * PAGE;
	const struct check checks[] = {
		{ "LOAD of 8 bytes, kernel", WORD, false, { IMM(1, kernel), LOAD(0, 1, 8, 0) } },
		{ "LOAD of 4 bytes", (uint32_t)WORD, false, { IMM(1, kernel), LOAD(0, 1, 4, 0) } },
		{ "LOAD of 2 bytes", (uint16_t)WORD, false, { IMM(1, kernel), LOAD(0, 1, 2, 0) } },
		{ "LOAD of 1 byte", 'e', false, { IMM(1, kernel), LOAD(0, 1, 1, 0) } },
		{ "LOAD with a negative offset", '0', false,
		  { IMM(1, kernel + 10), LOAD(0, 1, 1, -7) } },
		{ "LOAD of 8 bytes, user", WORD, false, { IMM(1, at), LOAD(0, 1, 8, 0) } },
		{ "LOAD of 1 byte, user", 'h', false, { IMM(1, at), LOAD(0, 1, 1, 2) } },
		{ "LOAD of 2 bytes, user", (uint16_t)WORD, false,
		  { IMM(1, at), LOAD(0, 1, 2, 0) } },
		{ "LOAD of 4 bytes, user", (uint32_t)WORD, false,
		  { IMM(1, at), LOAD(0, 1, 4, 0) } },
		{ "KERNEL reads an address of the kernel", WORD, false,
		  { IMM(1, kernel), LOAD_IN(0, 1, 8, 0, FARGS_SPACE_KERNEL) } },
		{ "KERNEL does not read user space", at, true,
		  { IMM(1, at), LOAD_IN(0, 1, 8, 0, FARGS_SPACE_KERNEL) } },
		{ "USER reads an address of user space", WORD, false,
		  { IMM(1, at), LOAD_IN(0, 1, 8, 0, FARGS_SPACE_USER) } },
		{ "USER does not read the kernel", kernel, true,
		  { IMM(1, kernel), LOAD_IN(0, 1, 8, 0, FARGS_SPACE_USER) } },
		{ "LOAD from NULL and an offset faults", 24, true,
		  { IMM(1, 0), LOAD(0, 1, 8, 24) } },
		{ "LOAD from unmapped user space faults", end, true,
		  { IMM(1, end), LOAD(0, 1, 8, 0) } },
		{ "LOAD from half mapped user space faults", end - 4, true,
		  { IMM(1, end - 4), LOAD(0, 1, 8, 0) } },
		{ "LOAD of the last mapped bytes", 0, false,
		  { IMM(1, end - 4), LOAD(0, 1, 4, 0) } },
		{ "LOAD from a non-canonical address faults", NOT_CANONICAL, true,
		  { IMM(1, NOT_CANONICAL), LOAD(0, 1, 8, 0) } },
		{ "LOAD from an address after user space faults", FIRST_HOLE, true,
		  { IMM(1, FIRST_HOLE), LOAD(0, 1, 8, 0) } },
		{ "LOAD across the end of user space faults", FIRST_HOLE - PAGE - 4, true,
		  { IMM(1, FIRST_HOLE - PAGE - 4), LOAD(0, 1, 8, 0) } },
		{ "LOAD across the begin of kernel addresses faults", -(1ull << 47) - 4, true,
		  { IMM(1, -(1ull << 47) - 4), LOAD(0, 1, 8, 0) } },
		{ "LOAD from the vsyscall page faults", VSYSCALL, true,
		  { IMM(1, VSYSCALL), LOAD(0, 1, 8, 0) } },
		{ "LOAD from an error pointer faults", -22ull, true,
		  { IMM(1, -22), LOAD(0, 1, 8, 0) } },
		{ "LOAD that wraps around faults", -4ull, true, { IMM(1, -4), LOAD(0, 1, 8, 0) } },
		{ "LOAD from unmapped kernel memory faults", holes, true,
		  { IMM(1, holes), LOAD(0, 1, 8, 0) } },
		{ "LOAD from half mapped kernel memory faults", holes - 4, true,
		  { IMM(1, holes - 4), LOAD(0, 1, 8, 0) } },
		{ "an unreadable value remains its address", 24, true,
		  { IMM(1, 0), LOAD(0, 1, 8, 24), LOAD(0, 0, 8, 5), ALU(ADD, 0, 9),
		    ALU(SHL, 0, 2) } },
		{ "a sum with an unreadable value is unreadable", 24, true,
		  { IMM(1, 0), LOAD(1, 1, 8, 24), IMM(0, 7), ALU_REG(ADD, 0, 1) } },
		{ "a copy of an unreadable value is unreadable", 24, true,
		  { IMM(1, 0), LOAD(1, 1, 8, 24), MOV(0, 1) } },
		{ "a register that is overwritten is readable", 3, false,
		  { IMM(0, 0), LOAD(0, 0, 8, 24), IMM(0, 3) } },
		{ "EQ with an unreadable value does not hold", 0, false,
		  { IMM(1, 0), LOAD(1, 1, 8, 24), IMM(0, 1), JIF(1, EQ, 24, 1), IMM(0, 0) } },
		{ "NE with an unreadable value does not hold", 0, false,
		  { IMM(1, 0), LOAD(1, 1, 8, 24), IMM(0, 1), JIF(1, NE, 24, 1), IMM(0, 0) } },
		{ "EQ with an unreadable second register does not hold", 0, false,
		  { IMM(1, 0), LOAD(1, 1, 8, 24), IMM(0, 1), JIF_REG(0, NE, 1, 1), IMM(0, 0) } },
	};

	run_checks(checks, COUNT(checks), NULL);
}

/*
 * Maps a memory BAR of a PCI device, as VFIO and graphics drivers map theirs. The mapping is
 * uncached, and this program itself can read it.
 */
static const uint8_t *map_bar(void)
{
	glob_t found = { 0 };
	const uint8_t *bar = MAP_FAILED;
	size_t i;

	glob("/sys/bus/pci/devices/*/resource[0-9]", 0, NULL, &found);
	for (i = 0; i < found.gl_pathc && bar == MAP_FAILED; i++) {
		int fd = open(found.gl_pathv[i], O_RDWR | O_CLOEXEC);

		if (fd < 0)
			continue;
		bar = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
		close(fd);
	}
	globfree(&found);
	return bar;
}

static void test_user_device(void)
{
	const uint8_t *bar = map_bar();
	uint64_t at = (uintptr_t)bar;

	if (bar == MAP_FAILED) {
		ktap_note("no BAR of a device can be mapped");
		return;
	}
	/* Read the page, so that it is present in the page table. */
	(void)*(const volatile uint8_t *)bar;
	run_checks(&(struct check){ "LOAD does not read a device's registers in user space", at,
				    true, { IMM(1, at), LOAD_IN(0, 1, 4, 0, FARGS_SPACE_USER) } },
		   1, NULL);
	munmap((void *)bar, PAGE);
}

/* Tests the ISA hole: VGA memory and option ROMs are in the direct map. */
static void test_isa_hole(void)
{
	const struct check checks[] = {
		{ "LOAD does not read the start of the ISA hole", direct + 0xa0000, true,
		  { IMM(1, direct + 0xa0000), LOAD(0, 1, 4, 0) } },
		{ "LOAD does not read the end of the ISA hole", direct + 0xffff8, true,
		  { IMM(1, direct + 0xffff8), LOAD(0, 1, 8, 0) } },
		{ "LOAD does not read into the ISA hole", direct + 0x9fffc, true,
		  { IMM(1, direct + 0x9fffc), LOAD(0, 1, 8, 0) } },
	};

	run_checks(checks, COUNT(checks), NULL);
}

static void test_device(void)
{
	FILE *areas = fopen("/proc/vmallocinfo", "re");
	unsigned long long start = 0, end;
	char line[512];

	while (areas && fgets(line, sizeof(line), areas))
		if (strstr(line, " ioremap") && sscanf(line, "%llx-%llx", &start, &end) == 2)
			break;
	if (areas)
		fclose(areas);
	if (!start) {
		ktap_note("no device is mapped");
		return;
	}
	run_checks(&(struct check){ "LOAD does not read a device's registers", start, true,
				    { IMM(1, start), LOAD(0, 1, 4, 0) } }, 1, NULL);
}

/* Each pattern takes a multiple of 8 bytes in the constants. */
static const char *const patterns[] = {
	"eth*", "eth?", "[a-f]*", "[!a-f]*", "*long", "eth\\*", "", "eth0-lon", NULL
};

#define MATCHES(addr, at) { IMM(1, addr), IMM(0, 1), JMATCH(1, at, 1), IMM(0, 0) }

static void test_matches(void)
{
	const struct check checks[] = {
		{ "eth* matches", 1, false, MATCHES(kernel, 0) },
		{ "eth? does not match", 0, false, MATCHES(kernel, 8) },
		{ "[a-f]* matches", 1, false, MATCHES(kernel, 16) },
		{ "[!a-f]* does not match", 0, false, MATCHES(kernel, 24) },
		{ "*long matches, in user space", 1, false, MATCHES((uintptr_t)user, 32) },
		{ "eth\\* does not match", 0, false, MATCHES(kernel, 40) },
		{ "an empty pattern does not match a string", 0, false, MATCHES(kernel, 48) },
		{ "an empty pattern matches the empty string", 1, false,
				  MATCHES(kernel + strlen(TEXT), 48) },
		{ "a pattern does not match a shorter string", 0, false, MATCHES(kernel, 56) },
		{ "* does not match an unreadable string", 0, false, MATCHES(holes, 0) },
	};

	run_checks(checks, COUNT(checks), patterns);
}

static void check_value(const struct outcome *out, const char *name, uint8_t type,
			const void *want, uint16_t n, const char *what)
{
	struct value value;
	bool is_there = find_value(out, name, &value);

	if (!ktap_ok(is_there && value.type == type && value.n == n &&
		     !memcmp(value.data, want, n), "%s", what) && is_there)
		ktap_note("type %#x not %#x, %u bytes not %u, %#llx", value.type, type, value.n, n,
			  (unsigned long long)number_of(&value));
}

static void test_appends(void)
{
	const uint64_t at = (uintptr_t)user, end = at + 2 * PAGE;
	static struct progs p;
	static struct outcome out;
	const uint64_t null = 0, bad = end - 6;
	uint16_t names[10], wide, bytes, lost;
	char name[4] = "p0";
	unsigned int i;

	progs_begin(&p, addr_8);
	for (i = 0; i < COUNT(names); i++, name[1]++)
		names[i] = progs_const(&p, name);
	piece_reg(&p.piece, "first", FARGS_TYPE_U64, 2);
	wide = piece_value(&p.piece, "wide", FARGS_TYPE_U128, 16);
	bytes = piece_value(&p.piece, "bytes", FARGS_TYPE_BYTES, 2);
	p.piece.body[bytes] = 9;
	bytes += 2;
	p.piece.body_len += 16;
	lost = piece_value(&p.piece, "lost", FARGS_TYPE_BYTES, 2);
	p.piece.body[lost] = 3;
	lost += 2;
	p.piece.body_len += 8;
	piece_end(&p.piece);
	{
		const struct fargs_insn insns[] = {
			IMM(1, kernel), IMM(2, at), IMM(3, end - 6), IMM(4, 0), IMM(5, 5),
			ST_MEM(1, wide, 16), ST_MEM(2, bytes, 9), ST_MEM(4, lost, 3),
			PUT_STR(1, names[0], 64), PUT_STR(2, names[1], 9), PUT_STR(2, names[2], 8),
			PUT_STR(3, names[3], 7), PUT_STR(3, names[4], 6), PUT_STR(4, names[5], 64),
			PUT_MEM(5, 1, names[6], 64), PUT_MEM(5, 2, names[7], 4),
			IMM(5, -1), PUT_MEM(5, 4, names[8], 16),
			IMM(5, 7), PUT_MEM(5, 3, names[9], 16),
		};

		progs_add(&p, FARGS_PROG_ENTRY_FETCH, insns, COUNT(insns));
	}
	p.piece.layout.append_max = 600;
	/* Put six bytes without a NUL at the end of the mapping. */
	memcpy(user + 2 * PAGE - 6, "no end", 6);
	run(&p, &out);
	memset(user + 2 * PAGE - 6, 0, 6);

	check_value(&out, "first", FARGS_TYPE_U64, &(uint64_t){ 3 }, 8,
		    "stores and programs can be combined");
	check_value(&out, "wide", FARGS_TYPE_U128, TEXT "\0\0\0\0\0\0", 16, "ST_MEM of 128 bits");
	check_value(&out, "bytes", FARGS_TYPE_BYTES, TEXT, 9, "ST_MEM of 9 bytes, user");
	ktap_ok(({ struct value v; find_value(&out, "lost", &v) && v.n == 3 &&
		   v.type == (FARGS_TYPE_BYTES | FARGS_TYPE_FAULT) && !number_of(&v); }),
		"ST_MEM from NULL is a fault of the same size");
	check_value(&out, "p0", FARGS_TYPE_STR, TEXT, 9, "PUT_STR copies up to the NUL");
	check_value(&out, "p1", FARGS_TYPE_STR, TEXT, 9, "PUT_STR of a user string that just fits");
	check_value(&out, "p2", FARGS_TYPE_STR | FARGS_TYPE_CUT, TEXT, 8,
		    "PUT_STR of a string that is too long is cut");
	check_value(&out, "p3", FARGS_TYPE_STR | FARGS_TYPE_FAULT, &bad, 8,
		    "PUT_STR that reaches unmapped memory is a fault");
	check_value(&out, "p4", FARGS_TYPE_STR | FARGS_TYPE_CUT, "no end", 6,
		    "PUT_STR that is cut before unmapped memory");
	check_value(&out, "p5", FARGS_TYPE_STR | FARGS_TYPE_FAULT, &null, 8, "PUT_STR from NULL");
	check_value(&out, "p6", FARGS_TYPE_BYTES, TEXT, 5, "PUT_MEM");
	check_value(&out, "p7", FARGS_TYPE_BYTES | FARGS_TYPE_CUT, TEXT, 4,
		    "PUT_MEM of too many bytes is cut");
	check_value(&out, "p8", FARGS_TYPE_BYTES, "", 0, "PUT_MEM of a negative length is empty");
	check_value(&out, "p9", FARGS_TYPE_BYTES | FARGS_TYPE_FAULT, &bad, 8,
		    "PUT_MEM that reaches unmapped memory is a fault");
	ktap_ok(((struct fargs_record *)out.record)->len < sizeof(struct fargs_record) +
		p.piece.layout.body_len + 600, "unused room of a record is released");
}

/*
 * Tests that bytes after a string's NUL, or after the requested bytes, are not written to the
 * record.
 */
static void test_after_string(void)
{
	static struct progs p;
	static struct outcome out;
	const uint64_t addrs[] = { kernel, (uintptr_t)user };
	const uint8_t rest = 0xee;
	unsigned int n, i, max, nr = 0, nr_wrong = 0;
	uint16_t name;

	for (n = 0; n <= 17; n++) {
		memset(user, rest, 64);
		memset(user, 'a', n);
		user[n] = 0;
		for (i = 0; i < 4; i++) {
			max = i < 2 ? 64 : n ?: 1;
			progs_begin(&p, addr_8);
			name = progs_const(&p, "s");
			piece_end(&p.piece);
			{
				const struct fargs_insn insns[] = {
					IMM(1, addrs[i % 2]), PUT_STR(1, name, max),
				};

				progs_add(&p, FARGS_PROG_ENTRY_FETCH, insns, COUNT(insns));
			}
			p.piece.layout.append_max = 128;
			run(&p, &out);
			nr += out.has_record;
			if (!memchr(out.record + sizeof(struct fargs_record), rest,
				    ((struct fargs_record *)out.record)->len -
				    sizeof(struct fargs_record)))
				continue;
			if (!nr_wrong++)
				ktap_note("first with %u bytes of %u, %s", n, max,
					  i % 2 ? "user" : "kernel");
		}
	}
	memset(user, 0, 64);
	memcpy(user, TEXT, sizeof(TEXT));
	ktap_ok(nr == 72 && !nr_wrong, "PUT_STR: no byte after the string is in the record");
}

static void test_stack(void)
{
	const struct fargs_insn insns[] = { PUT_STACK(0, 8), CTX(0, CALLER), PUT_STACK(0, 1) };
	static struct progs p;
	static struct outcome out;
	uint64_t addrs[8] = { 0 }, walk = symbol_address("target_walk_stack");
	uint64_t parent;
	struct value value;

	progs_begin(&p, addr_8);
	progs_const(&p, "stack");
	piece_end(&p.piece);
	progs_add(&p, FARGS_PROG_ENTRY_FETCH, insns, COUNT(insns));
	p.piece.layout.append_max = 256;
	run(&p, &out);
	if (!ktap_ok(find_value(&out, "stack", &value) && value.type == FARGS_TYPE_BYTES &&
		     value.n == 64, "PUT_STACK gives eight addresses")) {
		ktap_note("%u bytes", value.n);
		return;
	}
	memcpy(addrs, value.data, sizeof(addrs));
	parent = ((struct fargs_record *)out.record)->parent_ip;
	ktap_ok(addrs[0] == parent && addrs[0] > walk && addrs[0] < walk + 4096,
		"the first address of the stack is the caller's");
	/*
	 * The call chain is target_walk_stack < target_walk < run_command or write < ... <
	 * vfs_write.
	 */
	ktap_ok(({
		uint64_t fn = symbol_address("target_walk");
		unsigned int i;

		for (i = 1; i < 8 && !(addrs[i] > fn && addrs[i] < fn + 256); i++)
			;
		i == 1; }), "the second address of the stack is its caller's");
	ktap_ok(({
		uint64_t fn = symbol_address("vfs_write");
		unsigned int i;

		for (i = 2; i < 8 && !(addrs[i] > fn && addrs[i] < fn + 4096); i++)
			;
		i < 8; }), "vfs_write is further up the stack");
}

static void check_verdict(const struct fargs_insn *insns, unsigned int nr, bool is_kept,
			  bool is_unreadable, const char *what)
{
	static struct progs p;
	static struct outcome out;

	progs_begin(&p, addr_8);
	progs_const(&p, "eth*");
	piece_reg(&p.piece, "c", FARGS_TYPE_U64, 2);
	piece_end(&p.piece);
	progs_add(&p, FARGS_PROG_ENTRY_PREDICATE, insns, nr);
	run(&p, &out);
	if (!ktap_ok(out.has_record == is_kept && out.stats.produced == 1 && !out.stats.lost &&
		     out.stats.rejected == !is_kept && out.stats.unreadable == is_unreadable,
		     "%s", what))
		ktap_note("record %d produced %llu lost %llu rejected %llu unreadable %llu",
			  out.has_record, (unsigned long long)out.stats.produced,
			  (unsigned long long)out.stats.lost,
			  (unsigned long long)out.stats.rejected,
			  (unsigned long long)out.stats.unreadable);
}

#define VERDICT(is_kept, is_unreadable, what, ...)				\
do {										\
	const struct fargs_insn insns[] = { __VA_ARGS__ };			\
										\
	check_verdict(insns, COUNT(insns), is_kept, is_unreadable, what);	\
} while (0)

static void test_predicates(void)
{
	VERDICT(true, false, "a call is recorded if the condition is true",
			ARG(0, 2), JIF(0, EQ, 3, 1), REJECT, ACCEPT);
	VERDICT(false, false, "a call is rejected if the condition is false",
			ARG(0, 2), JIF(0, EQ, 4, 1), REJECT, ACCEPT);
	VERDICT(true, false, "a condition on memory that is true", IMM(0, kernel), LOAD(0, 0, 1, 0),
		JIF(0, EQ, 'e', 1), REJECT, ACCEPT);
	VERDICT(true, false,
		"a pattern that matches", IMM(0, kernel), JMATCH(0, 0, 1), REJECT, ACCEPT);
	VERDICT(false, true, "a call with an unreadable value is rejected, and counted",
		IMM(0, 0), LOAD(0, 0, 8, 0),
		JIF(0, NE, 4, 1), REJECT, ACCEPT);
	VERDICT(false, true, "a call with an unreadable string is rejected, and counted",
		IMM(0, holes), JMATCH(0, 0, 1), REJECT,
		ACCEPT);
	VERDICT(true, false,
		"a call with an unreadable value can be accepted", IMM(0, 0), LOAD(0, 0, 8, 0),
		JIF(0, NE, 4, 1), ACCEPT, REJECT);
}

/* Makes a valid layout: a predicate, and a fetch with a store and an appended string. */
static void make_right(struct progs *p)
{
	const struct fargs_insn predicate[] = {
		ARG(0, 2), JMATCH(0, 0, 1), REJECT, ACCEPT,
	};
	struct fargs_insn fetch[] = {
		ARG(0, 2), LOAD(1, 0, 8, 0), ST(0, 0), PUT_STR(0, 8, 100),
	};

	progs_begin(p, addr_8);
	progs_const(p, "eth*");
	progs_const(p, "text");
	piece_reg(&p->piece, "c", FARGS_TYPE_U64, 2);
	fetch[2].off = piece_value(&p->piece, "v", FARGS_TYPE_U64, 8);
	piece_end(&p->piece);
	progs_add(p, FARGS_PROG_ENTRY_PREDICATE, predicate, COUNT(predicate));
	progs_add(p, FARGS_PROG_ENTRY_FETCH, fetch, COUNT(fetch));
	p->piece.layout.append_max = FARGS_APPEND_BYTES(4, 100);
}

static void check_refused(struct progs *p, uint32_t field, const char *what)
{
	int fd = device_open();
	int ret = progs_add_to(fd, p);

	if (!ktap_ok(ret == -EINVAL && last_error.layout == 0 && last_error.field == field &&
		     last_error.text[0] && !session_layouts(fd), "%s is refused", what))
		ktap_note("%d, layout %d, field %d not %d: %s", ret, last_error.layout,
			  last_error.field, field, last_error.text);
	close(fd);
}

enum { PREDICATE, FETCH };

/*
 * Returns the offset of field @at of instruction @i in the layout of make_right(), which has one
 * store.
 */
static uint32_t insn_field(const struct progs *p, int which, unsigned int i, size_t at)
{
	if (which == FETCH)
		i += p->piece.layout.nr_insns[PREDICATE];
	return sizeof(struct fargs_layout) + sizeof(struct fargs_store) +
	       i * sizeof(struct fargs_insn) + at;
}

/* Replaces one instruction of the layout of make_right() by one that is invalid in @field. */
#define REFUSE(which, i, field, what, ...)					\
do {										\
	static struct progs p;							\
	const struct fargs_insn insn = __VA_ARGS__;				\
										\
	make_right(&p);								\
	p.insns[which][i] = insn;						\
	check_refused(&p, insn_field(&p, which, i, offsetof(struct fargs_insn, field)), what); \
} while (0)

static void test_refused_insns(void)
{
	static struct progs right;
	uint16_t store;

	make_right(&right);
	store = right.piece.stores[0].offset;
	REFUSE(FETCH, 0, op, "op 0", { .op = 0 });
	REFUSE(FETCH, 0, op, "an unknown op", { .op = 9 });
	REFUSE(FETCH, 0, op, "the last unknown op", { .op = 255 });
	REFUSE(FETCH, 0, src, "an unused field src that is not 0",
	       { .op = FARGS_OP_ARG, .src = 1 });
	REFUSE(FETCH, 0, off,
	       "an unused field off that is not 0", { .op = FARGS_OP_ARG, .off = 1 });
	REFUSE(FETCH, 0, imm,
	       "an unused field imm that is not 0", { .op = FARGS_OP_ARG, .imm = 1ull << 63 });
	REFUSE(FETCH, 0, arg,
	       "an unused field arg that is not 0", { .op = FARGS_OP_IMM, .arg = 1 });
	REFUSE(FETCH, 2, dst, "an unused field dst that is not 0", { .op = FARGS_OP_ST, .dst = 1 });
	REFUSE(FETCH, 0, arg, "a seventh register", ARG(0, 6));
	REFUSE(FETCH, 0, dst, "a ninth register of the program", ARG(8, 0));
	REFUSE(FETCH, 0, arg, "slot 32", SLOT(0, 32));
	REFUSE(FETCH, 0, arg, "CTX RETURN at the call", CTX(0, RETURN));
	REFUSE(FETCH, 0, arg, "an unknown context", { .op = FARGS_OP_CTX, .arg = FARGS_CTXS });
	REFUSE(FETCH, 1, src, "LOAD from a register that was not written", LOAD(1, 3, 8, 0));
	REFUSE(FETCH, 1, dst, "ADD to a register that was not written", ALU(ADD, 3, 1));
	REFUSE(FETCH, 1, arg, "LOAD of 3 bytes", LOAD(1, 0, 3, 0));
	REFUSE(FETCH, 1, imm, "LOAD in an unknown space", LOAD_IN(1, 0, 8, 0, 3));
	REFUSE(FETCH, 1, imm, "a shift by 64", ALU(SHL, 0, 64));
	REFUSE(FETCH, 1, off, "a jump backwards", JMP(-1));
	REFUSE(FETCH, 1, off, "a jump out of the program", JMP(3));
	REFUSE(FETCH, 1, off, "a jump far out", JMP(0x7fffffff));
	REFUSE(FETCH, 1, arg, "an unknown condition",
	       { .op = FARGS_OP_JIF, .arg = FARGS_COND_SET + 1 });
	REFUSE(FETCH, 1, imm, "a pattern after the constants", JMATCH(0, 16, 0));
	REFUSE(FETCH, 1, imm, "a pattern far after the constants", JMATCH(0, 1ull << 32, 0));
	REFUSE(FETCH, 1, op, "ACCEPT in a fetch", ACCEPT);
	REFUSE(PREDICATE, 1, op, "ST in a predicate", ST(0, 0));
	REFUSE(PREDICATE, 3, op, "a predicate without a verdict", IMM(0, 0));
	REFUSE(PREDICATE, 1, off, "a jump past the verdict", JMP(2));
	REFUSE(FETCH, 2, off, "ST to an offset where no data begins", ST(0, 1));
	REFUSE(FETCH, 2, off, "ST after the body", ST(0, 4096));
	REFUSE(FETCH, 2, off, "ST before the body", ST(0, -8));
	REFUSE(FETCH, 2, off, "ST over a store", ST(0, store));
	REFUSE(FETCH, 2, off, "ST_MEM of 64 bits", ST_MEM(0, right.insns[FETCH][2].off, 8));
	REFUSE(FETCH, 3, off, "ST twice", ST(0, right.insns[FETCH][2].off));
	REFUSE(FETCH, 3, off, "a name after the constants", PUT_STR(0, 16, 8));
	REFUSE(FETCH, 3, off, "an empty name", PUT_STR(0, 12, 8));
	REFUSE(FETCH, 3, imm, "PUT_STR of more than append_max", PUT_STR(0, 8, 105));
	REFUSE(FETCH, 3, imm, "PUT_STR of no bytes", PUT_STR(0, 8, 0));
	REFUSE(FETCH, 3, imm,
	       "PUT_STR of more than FARGS_MEM_MAX bytes", PUT_STR(0, 8, FARGS_MEM_MAX + 1));
	REFUSE(FETCH, 3, imm, "PUT_STACK of more than FARGS_STACK_MAX addresses",
		       PUT_STACK(8, FARGS_STACK_MAX + 1));
}

static void test_refused_rest(void)
{
	static struct progs p;
	unsigned int i;

	make_right(&p);
	ktap_ok(({ int fd = device_open(), ret = progs_add_to(fd, &p); close(fd); !ret; }),
		"the valid layout, from which the refused ones differ, is added");
	p.consts[15] = 'x';
	memset(p.consts + 8, 'x', 8);
	check_refused(&p, insn_field(&p, FETCH, 3, offsetof(struct fargs_insn, off)),
		      "a name without NUL");

	make_right(&p);
	p.insns[FETCH][1] = (struct fargs_insn)JIF(0, EQ, 0, 1);
	p.insns[FETCH][2] = (struct fargs_insn)IMM(1, 0);
	p.insns[FETCH][3] = (struct fargs_insn)ALU(ADD, 1, 1);
	check_refused(&p, insn_field(&p, FETCH, 3, offsetof(struct fargs_insn, dst)),
		      "a register that was written on only one of two paths");

	make_right(&p);
	for (i = 1; i < 10; i++)
		p.insns[FETCH][i] = (struct fargs_insn)JMATCH(0, 0, 0);
	p.piece.layout.nr_insns[FETCH] = 10;
	check_refused(&p, insn_field(&p, FETCH, 9, offsetof(struct fargs_insn, op)),
		      "a ninth JMATCH");

	make_right(&p);
	for (i = 1; i < 10; i++)
		p.insns[FETCH][i] = (struct fargs_insn)PUT_PATH(0, 0, 0, 0, 0, 1);
	p.piece.layout.nr_insns[FETCH] = 10;
	p.piece.layout.append_max = 10 * FARGS_APPEND_BYTES(4, 1);
	check_refused(&p, insn_field(&p, FETCH, 9, offsetof(struct fargs_insn, op)),
		      "a ninth PUT_PATH");

	make_right(&p);
	p.piece.layout.nr_insns[FETCH] = FARGS_PROG_MAX + 1;
	check_refused(&p, offsetof(struct fargs_layout, nr_insns[FETCH]), "129 instructions");
	make_right(&p);
	p.piece.layout.nr_insns[FARGS_PROG_RETURN_FETCH] = 1;
	check_refused(&p, offsetof(struct fargs_layout, nr_insns[FARGS_PROG_RETURN_FETCH]),
		      "a program for the return in a layout without return");
	make_right(&p);
	p.piece.layout.append_max = FARGS_RECORD_MAX;
	check_refused(&p, offsetof(struct fargs_layout, append_max), "a record that is too long");
	make_right(&p);
	p.piece.layout.return_append_max = 8;
	check_refused(&p, offsetof(struct fargs_layout, return_append_max),
		      "return_append_max without a program that appends");
	make_right(&p);
	p.piece.layout.const_len = 12;
	check_refused(&p, offsetof(struct fargs_layout, const_len),
		      "const_len that is not a multiple of 8");
}

/*
 * Tests the functions listed in kmod/session/add_check.c, which cannot have programs. Some of them
 * do not exist, or cannot be traced, on some kernels. The test prints the names of those that do
 * not exist, for example because the kernel has renamed them.
 */
static void test_denied(void)
{
	const char *const names[] = {
		"glob_match", "__unwind_start", "unwind_next_frame", "unwind_get_return_address",
		"__kernel_text_address", "kernel_text_address", "get_stack_info", "orc_find",
		"unwind_recover_ret_addr", "ftrace_graph_ret_addr", "__module_address",
		"fixup_exception", "search_exception_tables", "search_kernel_exception_table",
		"search_module_extables", "search_extable", "ex_get_fixup_type",
		"do_user_addr_fault", "do_kern_addr_fault", "bad_area_nosemaphore",
		"__bad_area_nosemaphore", "kernelmode_fixup_or_oops",
	};
	unsigned int i, nr_denied = 0, nr_plain = 0, nr_taken = 0, nr_absent = 0;
	unsigned int nr_return = 0, nr_forbidden = 0;
	static struct progs p;

	for (i = 0; i < COUNT(names); i++) {
		int fd, ret;

		if (!symbol_address(names[i])) {
			ktap_note("this kernel has no function %s", names[i]);
			nr_absent++;
			continue;
		}
		fd = device_open();
		make_right(&p);
		p.piece.layout.addr = symbol_address(names[i]);
		ret = progs_add_to(fd, &p);
		nr_taken += !ret;
		if (ret == -EPERM && last_error.layout == 0 &&
		    last_error.field == offsetof(struct fargs_layout, addr) &&
		    strstr(last_error.text, names[i]) && !session_layouts(fd)) {
			nr_denied++;
			memset(&p.piece, 0, sizeof(p.piece));
			p.piece.layout.addr = symbol_address(names[i]);
			piece_end(&p.piece);
			nr_plain += !progs_add_to(fd, &p);
			close(fd);
			fd = device_open();
			/* An empty return body follows the body. */
			p.piece.layout.flags = FARGS_LAYOUT_RETURN;
			p.piece.layout.return_body_len = 8;
			p.piece.body_len += 8;
			ret = progs_add_to(fd, &p);
			nr_return += !ret;
			/* Before fprobe, some functions may have no return probe. */
			nr_forbidden += ret == -EOPNOTSUPP;
		}
		close(fd);
	}
	ktap_note("%u of %zu functions are denied, %u are not in this kernel", nr_denied,
		  COUNT(names), nr_absent);
	ktap_ok(nr_denied && !nr_taken, "functions that programs call cannot have a program");
	ktap_ok(nr_plain == nr_denied,
		"functions that programs call can be traced without a program");
	ktap_note("the kernel allows no return probe in %u of them", nr_forbidden);
	ktap_ok(nr_return && nr_return + nr_forbidden == nr_denied, "and so can their returns");
}

/* Sets @holes to the last page of the first plain vmalloc area: the next page is not mapped. */
static void find_holes(void)
{
	FILE *areas = fopen("/proc/vmallocinfo", "re");
	unsigned long long start, end;
	char line[512];

	while (areas && !holes && fgets(line, sizeof(line), areas))
		if (strstr(line, " vmalloc") && strstr(line, " pages=") &&
		    sscanf(line, "%llx-%llx", &start, &end) == 2 && start)
			holes = end - PAGE;
	if (areas)
		fclose(areas);
}

/*
 * Returns the address of @at in the direct map, which contains all physical memory from
 * page_offset_base on.
 */
static uint64_t kernel_address(const void *at)
{
	static struct progs p;
	static struct outcome out;
	const struct fargs_insn insns[] = {
		IMM(0, symbol_address("page_offset_base")), LOAD(0, 0, 8, 0), ST(0, 3),
	};
	uint64_t entry = 0;
	struct value value;
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);

	if (pread(fd, &entry, sizeof(entry), (uintptr_t)at / PAGE * sizeof(entry)) !=
	    sizeof(entry) || !(entry >> 63))
		ktap_skip_all("/proc/self/pagemap shows no page frame numbers");
	close(fd);
	progs_begin(&p, addr_8);
	piece_value(&p.piece, "v", FARGS_TYPE_U64, 8);
	piece_end(&p.piece);
	progs_add(&p, FARGS_PROG_ENTRY_FETCH, insns, COUNT(insns));
	run(&p, &out);
	if (!find_value(&out, "v", &value))
		ktap_skip_all("no record of the first program");
	direct = number_of(&value);
	return direct + (entry & ((1ull << 55) - 1)) * PAGE;
}

static void make_memory(void)
{
	user = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(user == MAP_FAILED ? -errno : 0, "mmap");
	munmap(user + 2 * PAGE, PAGE);
	must(mlock(user, 2 * PAGE) ? -errno : 0, "mlock");
	memcpy(user, TEXT, sizeof(TEXT));
	kernel = kernel_address(user);
}

int main(void)
{
	cpu_set_t cpus;

	ktap_begin("abi_prog");
	need_session_test();
	/* Stay on one CPU, so that all calls are in one ring. */
	CPU_ZERO(&cpus);
	CPU_SET(sched_getcpu(), &cpus);
	must(sched_setaffinity(0, sizeof(cpus), &cpus) ? -errno : 0, "sched_setaffinity");
	addr_8 = symbol_address(TARGET);
	find_holes();
	if (!holes)
		ktap_skip_all("/proc/vmallocinfo has no area");
	make_memory();
	test_sources();
	test_arithmetic();
	test_conditions();
	test_loads();
	test_device();
	test_user_device();
	test_isa_hole();
	test_matches();
	test_appends();
	test_after_string();
	test_stack();
	test_predicates();
	test_refused_insns();
	test_refused_rest();
	test_denied();
	return ktap_end();
}
