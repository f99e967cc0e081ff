// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fetches from every kind of memory: mapped, unmapped and freed memory, of the kernel and of user
 * space. fargs_target (samples/target/places.c) provides most places and prints their contents;
 * this program provides those in user space. All records of all calls are checked: each fetch must
 * return the contents of the place, or a fault with its address.
 *
 * The test runs twice: with a program for the module's interpreter, and with chains, which run
 * without the interpreter (kmod/prog/chain.h).
 *
 * FARGS_FETCHES: number of fetches on all CPUs together; default 20000.
 */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "lib/progs.h"

#define PLACES_FILE	"/proc/fargs_target_places"
#define TARGET		"fargs_p_look"
#define FETCHES		20000
#define PAGE		4096ul
#define RING_BYTES	(2u << 20)
#define PLACES_MAX	64
#define KNOWN_MAX	32
#define STR_MAX		31
#define MEM_BYTES	32
#define THREADS_MAX	64
#define FAILURES_SHOWN	10
/*
 * Maximum number of calls for each place before the ring is read. The ring has room for their
 * records.
 */
#define TIMES		32

/* A place in memory: a line of the file PLACES_FILE, or a place of this program. */
struct place {
	char name[24];
	uint64_t addr;
	uint8_t bytes[KNOWN_MAX];
	unsigned int nr_bytes;
	/* bytes after the known bytes: '.': unreadable, '+': readable, '?': unknown */
	char rest;
};

/* A thread that makes calls on one CPU, and that CPU's ring. */
struct caller {
	pthread_t thread;
	unsigned int cpu;
	uint32_t tid;
	int fd;			/* open file PLACES_FILE */
	const uint8_t *map;
	struct fargs_ring_tail *tail;
	struct place places[PLACES_MAX];
	unsigned int nr;
	uint64_t pos;		/* position in the ring up to which records were read */
	uint64_t nr_calls, nr_read, nr_faults, nr_unknown;
	uint64_t by_context[3];
};

enum way { MACHINE, CHAINS, WAYS };
/* Number of fetches per call: see make_program() and make_chains(). */
static const unsigned int fetches_each[WAYS] = { 12, 8 };

enum context { TASK, HARDIRQ, KTHREAD };
static const char *const context_names[] = { "task", "hardirq", "kthread" };

static const char text[KNOWN_MAX] = "what is in user space\0behind it";

static struct place user_places[PLACES_MAX];
static unsigned int nr_user_places;
static uint64_t user_end = 0x7ffffffff000ull;
static uint8_t *untouched, *changing;
static int session;
static enum way way;
static uint64_t fargs_ip;
static uint64_t calls_wanted;		/* number of calls that each CPU must make */
static bool is_over;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int nr_wrong, nr_calls_wrong;

/* ---- places in user space ---- */

static void add_user(const char *name, const void *at, const char *bytes, unsigned int nr,
		     char rest)
{
	struct place *place = &user_places[nr_user_places++];

	snprintf(place->name, sizeof(place->name), "%s", name);
	place->addr = (uintptr_t)at;
	place->nr_bytes = nr;
	place->rest = rest;
	memcpy(place->bytes, bytes, nr);
}

static uint8_t *map_pages(unsigned int nr, int prot)
{
	uint8_t *at = mmap(NULL, nr * PAGE, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(at == MAP_FAILED ? -errno : 0, "mmap");
	return at;
}

static void fill_text(uint8_t *at)
{
	must(mlock(at, PAGE) ? -errno : 0, "mlock");
	memcpy(at, text, sizeof(text));
	memcpy(at + PAGE - 6, "no end", 6);
}

/* Maps @nr pages. The first one has the text at its start, and bytes without a NUL at its end. */
static uint8_t *map_text(unsigned int nr)
{
	uint8_t *at = map_pages(nr, PROT_READ | PROT_WRITE);

	fill_text(at);
	return at;
}

static void add_file_end(void)
{
	int fd = syscall(SYS_memfd_create, "fargs", 0);
	void *at;

	must(fd < 0 ? -errno : 0, "memfd_create");
	must(ftruncate(fd, 100) ? -errno : 0, "ftruncate");
	at = mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED, fd, 0);
	must(at == MAP_FAILED ? -errno : 0, "mmap");
	add_user("user_file_end", at + PAGE, "", 0, '.');
	close(fd);
}

/* Adds a page whose protection key forbids reading. New tasks inherit the forbidden keys. */
static void add_key(void)
{
	uint8_t *at = map_text(1);
	int key = syscall(SYS_pkey_alloc, 0, 1);

	if (key >= 0 && !syscall(SYS_pkey_mprotect, at, PAGE, PROT_READ | PROT_WRITE, key))
		add_user("user_key", at, "", 0, '.');
	else
		ktap_note("there are no protection keys");
}

static uint64_t physical_of(const void *at)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	if (pread(fd, &entry, sizeof(entry), (uintptr_t)at / PAGE * sizeof(entry)) !=
	    sizeof(entry) || !(entry >> 63))
		entry = 0;
	close(fd);
	return (entry & ((1ull << 55) - 1)) * PAGE;
}

static bool is_present(const void *at)
{
	return physical_of(at) != 0;
}

/* Adds memory that the kernel has removed from its direct map. */
static void add_secret(uint64_t direct_map)
{
	int fd = syscall(SYS_memfd_secret, 0);
	uint8_t *at;

	if (fd < 0 || ftruncate(fd, PAGE)) {
		ktap_note("there is no secret memory: %s", strerror(errno));
		return;
	}
	at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	must(at == MAP_FAILED ? -errno : 0, "mmap of secret memory");
	memcpy(at, text, sizeof(text));
	add_user("user_secret", at, text, sizeof(text), '+');
	if (is_present(at))
		add_user("secret_of_kernel", (void *)(direct_map + physical_of(at)), "", 0, '.');
	close(fd);
}

/* Address of a page whose neighbours are unmapped: it is far from addresses that mmap() chooses. */
#define HOLE		((void *)(1ull << 40))

static void make_user_places(uint64_t direct_map)
{
	uint8_t *hole = HOLE, *none = map_text(2), *text_page = map_text(2);
	uint8_t *late = map_text(2);

	must(mmap(hole, PAGE, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED ? -errno : 0,
	     "mmap");
	fill_text(hole);
	mprotect(none + PAGE, PAGE, PROT_NONE);
	untouched = late + PAGE;
	changing = map_pages(1, PROT_READ | PROT_WRITE);
	add_user("user", text_page, text, sizeof(text), '+');
	add_user("user_of_kernel", (void *)(direct_map + physical_of(text_page)), text,
		 sizeof(text), '+');
	add_user("user_hole", hole + PAGE, "", 0, '.');
	add_user("user_hole_edge", hole + PAGE - 6, "no end", 6, '.');
	add_user("user_none", none + PAGE, "", 0, '.');
	add_user("user_none_edge", none + PAGE - 6, "no end", 6, '.');
	add_user("user_untouched", untouched, "", 0, '.');
	add_user("user_untouched_edge", untouched - 6, "no end", 6, '.');
	add_user("user_changing", changing, "", 0, '?');
	add_file_end();
	add_key();
	add_secret(direct_map);
}

/* ---- the file ---- */

static void parse_place(char *line, struct place *place)
{
	unsigned long long addr;
	char bytes[2 * KNOWN_MAX + 2];
	unsigned int nr, i;

	if (sscanf(line, "%u %23s %llx %65s", &nr, place->name, &addr, bytes) != 4) {
		printf("Bail out! " PLACES_FILE ": %s\n", line);
		exit(1);
	}
	place->addr = addr;
	place->nr_bytes = strlen(bytes) / 2;
	place->rest = bytes[2 * place->nr_bytes];
	for (i = 0; i < place->nr_bytes; i++)
		sscanf(bytes + 2 * i, "%2hhx", &place->bytes[i]);
}

static void read_places(struct caller *c)
{
	FILE *file;
	char line[256];

	c->fd = open(PLACES_FILE, O_RDWR | O_CLOEXEC);
	must(c->fd < 0 ? -errno : 0, PLACES_FILE);
	file = fdopen(dup(c->fd), "r");
	c->nr = 0;
	while (fgets(line, sizeof(line), file) && c->nr < PLACES_MAX)
		parse_place(line, &c->places[c->nr++]);
	fclose(file);
}

static void write_command(struct caller *c, const char *command)
{
	must(write(c->fd, command, strlen(command)) < 0 ? -errno : 0, command);
}

static void add_user_places(struct caller *c)
{
	const struct place *place = user_places;
	char command[sizeof(*place) + 24];

	for (; place < user_places + nr_user_places && c->nr < PLACES_MAX; place++) {
		snprintf(command, sizeof(command), "add %.23s %llx", place->name,
			 (unsigned long long)place->addr);
		write_command(c, command);
		c->places[c->nr++] = *place;
	}
}

/* ---- the layout ---- */

/*
 * Makes a body with the two arguments and the first @nr of the numbers in names[]. at[] is set to
 * the offsets of the numbers' data.
 */
static void make_body(struct progs *p, uint16_t *at, unsigned int nr)
{
	static const char *const names[] = { "v1", "v2", "v4", "v8", "o8", "k8", "u8", "j" };
	unsigned int i;

	progs_begin(p, symbol_address(TARGET));
	progs_const(p, "*");
	progs_const(p, "s");
	progs_const(p, "m");
	piece_reg(&p->piece, "at", FARGS_TYPE_PTR, 0);
	piece_reg(&p->piece, "nr", FARGS_TYPE_U64, 1);
	for (i = 0; i < nr; i++)
		at[i] = piece_value(&p->piece, names[i], FARGS_TYPE_U64, 8);
}

/*
 * Makes chains: loads of 1, 2, 4 and 8 bytes, a load at offset 16, a load of only kernel memory and
 * one of only user memory, and a string. Each chain begins with the argument.
 */
static void make_chains(struct progs *p)
{
	uint16_t at[7];

	make_body(p, at, COUNT(at));
	piece_end(&p->piece);
	{
		const struct fargs_insn insns[] = {
			ARG(1, 0), LOAD(1, 1, 1, 0), ST(1, at[0]),
			ARG(1, 0), LOAD(1, 1, 2, 0), ST(1, at[1]),
			ARG(1, 0), LOAD(1, 1, 4, 0), ST(1, at[2]),
			ARG(1, 0), LOAD(1, 1, 8, 0), ST(1, at[3]),
			ARG(1, 0), LOAD(1, 1, 8, 16), ST(1, at[4]),
			ARG(1, 0), LOAD_IN(1, 1, 8, 0, FARGS_SPACE_KERNEL), ST(1, at[5]),
			ARG(1, 0), LOAD_IN(1, 1, 8, 0, FARGS_SPACE_USER), ST(1, at[6]),
			ARG(1, 0), PUT_STR(1, 8, STR_MAX),
		};

		progs_add(p, FARGS_PROG_ENTRY_FETCH, insns, COUNT(insns));
	}
	p->piece.layout.append_max = FARGS_APPEND_BYTES(1, STR_MAX);
}

/*
 * Makes a program with the same fetches as make_chains(), and more: the value "j" is 1 if JMATCH
 * could read the string; 16 and 24 bytes are stored; 32 bytes are appended after the string.
 */
static void make_program(struct progs *p)
{
	uint16_t at[9], i;

	make_body(p, at, 8);
	at[8] = piece_value(&p->piece, "m16", FARGS_TYPE_U128, 16);
	i = piece_value(&p->piece, "b24", FARGS_TYPE_BYTES, 2 + 24);
	p->piece.body[i] = 24;
	piece_end(&p->piece);
	{
		const struct fargs_insn insns[] = {
			ARG(0, 0),
			LOAD(1, 0, 1, 0), ST(1, at[0]), LOAD(1, 0, 2, 0), ST(1, at[1]),
			LOAD(1, 0, 4, 0), ST(1, at[2]), LOAD(1, 0, 8, 0), ST(1, at[3]),
			LOAD(1, 0, 8, 16), ST(1, at[4]),
			LOAD_IN(1, 0, 8, 0, FARGS_SPACE_KERNEL), ST(1, at[5]),
			LOAD_IN(1, 0, 8, 0, FARGS_SPACE_USER), ST(1, at[6]),
			IMM(1, 1), JMATCH(0, 0, 1), IMM(1, 0), ST(1, at[7]),
			ST_MEM(0, at[8], 16), ST_MEM(0, i + 2, 24),
			PUT_STR(0, 8, STR_MAX), IMM(1, MEM_BYTES), PUT_MEM(1, 0, 16, MEM_BYTES),
		};

		progs_add(p, FARGS_PROG_ENTRY_FETCH, insns, COUNT(insns));
	}
	p->piece.layout.append_max = FARGS_APPEND_BYTES(1, STR_MAX) +
				     FARGS_APPEND_BYTES(1, MEM_BYTES);
}

/* ---- expected records ---- */

enum outcome { READ, FAULT, UNKNOWN };

static bool is_user(uint64_t addr)
{
	return addr < user_end;
}

/*
 * Returns the expected result of fetching @n bytes at offset @off of the place. *@known: how many
 * of these bytes have known contents.
 */
static enum outcome expect(const struct place *place, enum context context, unsigned int off,
			   unsigned int n, enum fargs_space space, unsigned int *known)
{
	*known = 0;
	if (space == (is_user(place->addr) ? FARGS_SPACE_KERNEL : FARGS_SPACE_USER))
		return FAULT;
	if (context == KTHREAD && is_user(place->addr))
		return FAULT;
	if (place->rest == '.' && off + n > place->nr_bytes)
		return FAULT;
	if (place->rest == '?')
		return UNKNOWN;
	if (off < place->nr_bytes)
		*known = off + n > place->nr_bytes ? place->nr_bytes - off : n;
	return READ;
}

static bool is_fault_right(const struct value *value, uint64_t addr)
{
	uint64_t got;

	memcpy(&got, value->data, sizeof(got));
	return got == addr;
}

static void count(struct caller *c, enum outcome outcome)
{
	c->nr_read += outcome == READ;
	c->nr_faults += outcome == FAULT;
	c->nr_unknown += outcome == UNKNOWN;
}

/*
 * Returns whether @value is right: @n bytes at offset @off of the place or a fault. A number must
 * have zeroes after the @n bytes.
 */
static bool is_memory_right(struct caller *c, const struct place *place, enum context context,
			    const struct value *value, uint8_t type, unsigned int off,
			    unsigned int n, enum fargs_space space)
{
	bool is_fault = value->type == (type | FARGS_TYPE_FAULT);
	unsigned int known, i;
	enum outcome outcome = expect(place, context, off, n, space, &known);

	count(c, outcome);
	if (is_fault)
		return outcome != READ && is_fault_right(value, place->addr + off);
	if (value->type != type || outcome == FAULT ||
	    memcmp(value->data, place->bytes + off, known))
		return false;
	for (i = n; type == FARGS_TYPE_U64 && i < 8; i++)
		if (value->data[i])
			return false;
	return type == FARGS_TYPE_U64 || value->n == n;
}

/*
 * Returns the expected result of fetching a string of at most @max bytes at the place. *@len:
 * length of the string; -1: unknown.
 */
static enum outcome expect_string(const struct place *place, enum context context,
				  unsigned int max, int *len)
{
	unsigned int i, known;

	*len = -1;
	if (context == KTHREAD && is_user(place->addr))
		return FAULT;
	for (i = 0; i < max && i < place->nr_bytes; i++) {
		if (place->bytes[i])
			continue;
		*len = i;
		return READ;
	}
	if (i == max) {
		*len = max;
		return READ;
	}
	/* The string continues after the known bytes, where memory may be readable or not. */
	return place->rest == '.' ? expect(place, context, i, 1, FARGS_SPACE_ANY, &known) :
				    UNKNOWN;
}

static bool is_string_right(struct caller *c, const struct place *place, enum context context,
			    const struct value *value)
{
	enum outcome outcome;
	int len;

	outcome = expect_string(place, context, STR_MAX, &len);
	count(c, outcome);
	if (value->type == (FARGS_TYPE_STR | FARGS_TYPE_FAULT))
		return outcome != READ && value->n == 8 && is_fault_right(value, place->addr);
	if ((value->type & ~FARGS_TYPE_CUT) != FARGS_TYPE_STR || outcome == FAULT)
		return false;
	if (outcome == UNKNOWN)
		return value->n <= STR_MAX;
	/* No place has a string of exactly STR_MAX bytes before its NUL. */
	return value->n == len && !memcmp(value->data, place->bytes, len) &&
	       !(value->type & FARGS_TYPE_CUT) == (len < STR_MAX);
}

/* Returns whether the value "j" is right: it is 1 if the string could be read. */
static bool is_match_right(struct caller *c, const struct place *place, enum context context,
			   const struct value *value)
{
	enum outcome outcome;
	uint64_t got;
	int len;

	outcome = expect_string(place, context, FARGS_MATCH_MAX, &len);
	count(c, outcome);
	memcpy(&got, value->data, sizeof(got));
	return value->type == FARGS_TYPE_U64 && got <= 1 &&
	       (outcome == UNKNOWN || got == (outcome == READ));
}

/* Returns the name of the first wrong value; NULL: all values are right. */
static const char *check_values(struct caller *c, const struct fargs_record *rec,
				const struct place *place, unsigned int nr, enum context context)
{
	static const struct {
		const char *name;
		unsigned int off, n;
		enum fargs_space space;
		uint8_t type;
	} memory[] = {
		{ "v1", 0, 1, FARGS_SPACE_ANY, FARGS_TYPE_U64 },
		{ "v2", 0, 2, FARGS_SPACE_ANY, FARGS_TYPE_U64 },
		{ "v4", 0, 4, FARGS_SPACE_ANY, FARGS_TYPE_U64 },
		{ "v8", 0, 8, FARGS_SPACE_ANY, FARGS_TYPE_U64 },
		{ "o8", 16, 8, FARGS_SPACE_ANY, FARGS_TYPE_U64 },
		{ "k8", 0, 8, FARGS_SPACE_KERNEL, FARGS_TYPE_U64 },
		{ "u8", 0, 8, FARGS_SPACE_USER, FARGS_TYPE_U64 },
		{ "m16", 0, 16, FARGS_SPACE_ANY, FARGS_TYPE_U128 },
		{ "b24", 0, 24, FARGS_SPACE_ANY, FARGS_TYPE_BYTES },
		{ "m", 0, MEM_BYTES, FARGS_SPACE_ANY, FARGS_TYPE_BYTES },
	};
	const uint8_t *at = (const uint8_t *)(rec + 1);
	unsigned int nr_fetches = 0, i;
	struct value value;
	bool is_right;
	uint64_t got;

	while (next_value(&at, &value)) {
		memcpy(&got, value.data, sizeof(got));
		for (i = 0; i < COUNT(memory) && strcmp(memory[i].name, value.name); i++)
			;
		nr_fetches += i < COUNT(memory);
		if (i < COUNT(memory)) {
			is_right = is_memory_right(c, place, context, &value, memory[i].type,
						   memory[i].off, memory[i].n, memory[i].space);
		} else if (!strcmp(value.name, "s")) {
			nr_fetches++;
			is_right = is_string_right(c, place, context, &value);
		} else if (!strcmp(value.name, "j")) {
			nr_fetches++;
			is_right = is_match_right(c, place, context, &value);
		} else {
			is_right = got == (strcmp(value.name, "nr") ? place->addr : nr);
		}
		if (!is_right)
			return value.name;
	}
	return nr_fetches == fetches_each[way] ? NULL : "number of values";
}

static void show(const struct caller *c, const struct fargs_record *rec,
		 const struct place *place, enum context context, const char *name)
{
	const uint8_t *at = (const uint8_t *)(rec + 1);
	struct value value;
	unsigned int i;

	pthread_mutex_lock(&lock);
	if (nr_wrong++ < FAILURES_SHOWN) {
		ktap_note("CPU %u, %s, place %s at %#llx: wrong is %s", c->cpu,
			  context_names[context], place->name, (unsigned long long)place->addr,
			  name);
		while (next_value(&at, &value)) {
			printf("#   %s type %#x:", value.name, value.type);
			for (i = 0; i < value.n; i++)
				printf(" %02x", value.data[i]);
			putchar('\n');
		}
	}
	pthread_mutex_unlock(&lock);
}

static bool is_context(const struct caller *c, const struct fargs_record *rec,
		       enum context context)
{
	bool is_hardirq = rec->preempt & FARGS_PREEMPT_HARDIRQ;

	return rec->kind == FARGS_KIND_ENTRY && rec->ip == fargs_ip &&
	       is_hardirq == (context == HARDIRQ) &&
	       (rec->tid == c->tid) == (context != KTHREAD);
}

/* Checks that each place has the records of @times calls, in order. */
static void check_records(struct caller *c, enum context where, unsigned int times)
{
	const struct fargs_ring_head *head = (const void *)c->map;
	const uint64_t end = __atomic_load_n(&head->data_head, __ATOMIC_ACQUIRE);
	uint64_t calls = 0;

	while (c->pos < end) {
		const struct fargs_record *rec = (const void *)(c->map + PAGE +
								(c->pos & (RING_BYTES - 1)));
		const struct place *place = &c->places[calls % c->nr];
		const char *wrong;

		if (rec->len < sizeof(*rec) || rec->len > FARGS_RECORD_MAX) {
			printf("Bail out! a record of %u bytes\n", rec->len);
			exit(1);
		}
		c->pos += rec->len;
		if (rec->kind == FARGS_KIND_TASK)
			continue;
		wrong = is_context(c, rec, where) ?
			check_values(c, rec, place, calls % c->nr, where) : "header";
		if (wrong)
			show(c, rec, place, where, wrong);
		calls++;
	}
	__atomic_store_n(&c->tail->data_tail, c->pos, __ATOMIC_RELEASE);
	c->nr_calls += calls;
	c->by_context[where] += calls;
	if (calls != (uint64_t)times * c->nr) {
		pthread_mutex_lock(&lock);
		nr_calls_wrong++;
		ktap_note("CPU %u, %s: %llu records of %u calls", c->cpu, context_names[where],
			  (unsigned long long)calls, times * c->nr);
		pthread_mutex_unlock(&lock);
	}
}

/* ---- calls ---- */

static void pin(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	must(sched_setaffinity(0, sizeof(set), &set) ? -errno : 0, "sched_setaffinity");
}

/* Makes half of the calls in this task, and a quarter each in an interrupt and a kernel thread. */
static void *caller_run(void *data)
{
	static const enum context turns[] = { TASK, HARDIRQ, TASK, KTHREAD };
	struct caller *c = data;
	unsigned int turn = 0;
	char command[32];

	pin(c->cpu);
	c->tid = syscall(SYS_gettid);
	read_places(c);
	add_user_places(c);
	while (c->nr_calls < calls_wanted && !nr_calls_wrong) {
		enum context context = turns[turn++ % COUNT(turns)];
		uint64_t times = (calls_wanted - c->nr_calls) / c->nr / 2 + 1;

		times = times < TIMES ? times : TIMES;
		snprintf(command, sizeof(command), "%s %u", context_names[context],
			 (unsigned int)times);
		write_command(c, command);
		check_records(c, context, times);
	}
	close(c->fd);
	return NULL;
}

static void *return_at_once(void *data)
{
	return data;
}

/* Maps and unmaps user memory, and creates and frees kernel stacks, while the callers run. */
static void *change_run(void *data)
{
	pthread_t thread;

	while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE)) {
		munmap(changing, PAGE);
		if (!pthread_create(&thread, NULL, return_at_once, NULL))
			pthread_join(thread, NULL);
		mmap(changing, PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		memset(changing, 'c', 1);
		sched_yield();
	}
	return data;
}

/* Unmaps the ring: a mapping would keep the session alive. */
static void caller_unmap(struct caller *c)
{
	munmap((void *)c->map, PAGE + 2 * RING_BYTES);
	munmap(c->tail, PAGE);
}

static void caller_map(struct caller *c)
{
	c->map = mmap(NULL, PAGE + 2 * RING_BYTES, PROT_READ, MAP_SHARED, session,
		      FARGS_MMAP_DATA(c->cpu));
	must(c->map == MAP_FAILED ? -errno : 0, "mmap of data");
	c->tail = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, session,
		       FARGS_MMAP_TAIL(c->cpu));
	must(c->tail == MAP_FAILED ? -errno : 0, "mmap of a tail");
}

static uint64_t number_wanted(void)
{
	const char *wanted = getenv("FARGS_FETCHES");

	return wanted ? strtoull(wanted, NULL, 10) : FETCHES;
}

/* Returns the address of the kernel's direct map, which PLACES_FILE lists. Also sets user_end. */
static uint64_t find_direct_map(void)
{
	struct caller c = { .nr = 0 };
	uint64_t addr = 0;
	unsigned int i;

	read_places(&c);
	close(c.fd);
	for (i = 0; i < c.nr; i++) {
		if (!strcmp(c.places[i].name, "direct_map"))
			addr = c.places[i].addr;
		if (!strcmp(c.places[i].name, "user_end"))
			user_end = c.places[i].addr;
	}
	return addr;
}

static void start(struct caller *callers, unsigned int nr)
{
	static struct progs p;
	struct fargs_add add;
	static uint8_t packed[sizeof(p)];
	unsigned int i;

	session = session_open(RING_BYTES);
	if (way == CHAINS)
		make_chains(&p);
	else
		make_program(&p);
	add = (struct fargs_add){
		.layouts = (uintptr_t)packed, .bytes = progs_pack(&p, packed), .nr = 1,
	};
	must(call(session, FARGS_IOC_ADD, &add), "ADD");
	fargs_ip = ((struct fargs_layout *)packed)->ip;
	for (i = 0; i < nr; i++)
		caller_map(&callers[i]);
	must(session_start(session), "START");
}

static void run(struct caller *callers, unsigned int nr)
{
	pthread_t change;
	unsigned int i;

	is_over = false;
	must(-pthread_create(&change, NULL, change_run, NULL), "pthread_create");
	for (i = 0; i < nr; i++)
		must(-pthread_create(&callers[i].thread, NULL, caller_run, &callers[i]),
		     "pthread_create");
	for (i = 0; i < nr; i++)
		pthread_join(callers[i].thread, NULL);
	__atomic_store_n(&is_over, true, __ATOMIC_RELEASE);
	pthread_join(change, NULL);
	must(session_stop(session), "STOP");
}

/* Returns whether the module counted exactly the calls in @all, and none was lost or rejected. */
static bool are_stats_right(const struct caller *all)
{
	static struct fargs_cpu_stats cpus[1024];
	struct fargs_stats stats = { .cpus = (uintptr_t)cpus, .nr_cpus = COUNT(cpus) };
	uint64_t produced = 0, lost = 0, rejected = 0;
	unsigned int i;

	must(call(session, FARGS_IOC_STATS, &stats), "STATS");
	for (i = 0; i < stats.nr_cpus && i < COUNT(cpus); i++) {
		produced += cpus[i].produced;
		lost += cpus[i].lost;
		rejected += cpus[i].rejected;
	}
	ktap_note("%llu calls were counted, %llu lost", (unsigned long long)produced,
		  (unsigned long long)lost);
	return produced == all->nr_calls && !lost && !rejected;
}

static unsigned int find_cpus(struct caller *callers)
{
	unsigned int cpu, nr = 0;
	cpu_set_t set;

	must(sched_getaffinity(0, sizeof(set), &set) ? -errno : 0, "sched_getaffinity");
	for (cpu = 0; cpu < CPU_SETSIZE && nr < THREADS_MAX; cpu++)
		if (CPU_ISSET(cpu, &set))
			callers[nr++].cpu = cpu;
	return nr;
}

static void sum_up(const struct caller *callers, unsigned int nr, struct caller *all)
{
	unsigned int i, j;

	for (i = 0; i < nr; i++) {
		all->nr_calls += callers[i].nr_calls;
		all->nr_read += callers[i].nr_read;
		all->nr_faults += callers[i].nr_faults;
		all->nr_unknown += callers[i].nr_unknown;
		for (j = 0; j < COUNT(all->by_context); j++)
			all->by_context[j] += callers[i].by_context[j];
	}
}

static void show_sum(const struct caller *callers, const struct caller *all)
{
	unsigned int i;

	for (i = 0; i < callers[0].nr; i++)
		ktap_note("%-20s %#18llx %2u bytes known, then %c", callers[0].places[i].name,
			  (unsigned long long)callers[0].places[i].addr,
			  callers[0].places[i].nr_bytes, callers[0].places[i].rest);
	ktap_note("calls: %llu in tasks, %llu in interrupts, %llu in kernel threads",
		  (unsigned long long)all->by_context[TASK],
		  (unsigned long long)all->by_context[HARDIRQ],
		  (unsigned long long)all->by_context[KTHREAD]);
	ktap_note("fetches: %llu, of them %llu readable, %llu faults, %llu unknown",
		  (unsigned long long)(all->nr_read + all->nr_faults + all->nr_unknown),
		  (unsigned long long)all->nr_read, (unsigned long long)all->nr_faults,
		  (unsigned long long)all->nr_unknown);
}

/*
 * Runs all callers with the current kind of program, and adds their counts to *@all. Returns false
 * if calls were lost.
 */
static bool look(struct caller *callers, unsigned int nr, struct caller *all)
{
	struct caller sum = { .nr = 0 };
	bool is_counted;
	unsigned int i;

	for (i = 0; i < nr; i++)
		callers[i] = (struct caller){ .cpu = callers[i].cpu };
	start(callers, nr);
	run(callers, nr);
	sum_up(callers, nr, &sum);
	is_counted = are_stats_right(&sum);
	sum_up(callers, nr, all);
	for (i = 0; i < nr; i++)
		caller_unmap(&callers[i]);
	close(session);
	return is_counted;
}

int main(void)
{
	static struct caller callers[THREADS_MAX], all;
	uint64_t wanted = number_wanted();
	bool is_counted = true;
	unsigned int nr;

	ktap_begin("abi_places");
	need_session_test();
	if (access(PLACES_FILE, F_OK))
		ktap_skip_all("fargs_target has no " PLACES_FILE);
	nr = find_cpus(callers);
	make_user_places(find_direct_map());
	for (way = MACHINE; way < WAYS; way++) {
		calls_wanted = wanted / WAYS / nr / fetches_each[way] + 1;
		is_counted &= look(callers, nr, &all);
	}
	show_sum(callers, &all);
	ktap_ok(all.by_context[TASK] && all.by_context[HARDIRQ] && all.by_context[KTHREAD],
		"tasks, interrupts and kernel threads make calls");
	ktap_ok(!nr_calls_wrong && is_counted, "every call has a record");
	ktap_ok(!nr_wrong && all.nr_read + all.nr_faults + all.nr_unknown >= wanted &&
		all.nr_read && all.nr_faults,
		"every fetch has the memory's contents, or is a fault with its address");
	ktap_ok(!is_present(untouched), "no page was faulted in");
	return ktap_end();
}
