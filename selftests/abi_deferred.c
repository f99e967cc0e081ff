// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests FARGS_LAYOUT_DEFERRED, FARGS_LAYOUT_RELOAD and FARGS_IOC_ARRIVALS. Functions of
 * samples/late are traced from before the module's init function runs. samples/late/main.c defines
 * the arguments of the calls.
 */
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/probe.h"
#include "lib/returns.h"

#define RING_BYTES	(256u << 10)
#define RECORDS_MAX	512
#define ARRIVALS_MAX	64
#define LAYOUT(field)	offsetof(struct fargs_layout, field)
#define PLACE(field)	offsetof(struct fargs_symbol, field)
#define BUILD_ID	"/sys/module/fargs_late/notes/.note.gnu.build-id"

/* A struct fargs_symbol under construction. */
struct spot {
	struct fargs_symbol head;
	char names[FARGS_SYMBOL_MAX + 64];
	uint32_t len;		/* size of the whole struct with its names */
};

static const struct fargs_record *records[RECORDS_MAX];
static struct fargs_arrival arrivals[ARRIVALS_MAX];
static uint8_t packed[8192];

static void spot_init(struct spot *spot, const char *function, uint32_t index)
{
	uint32_t len = sizeof("fargs_late");

	memset(spot, 0, sizeof(*spot));
	spot->head.index = index;
	strcpy(spot->names, "fargs_late");
	strcpy(spot->names + len, function);
	spot->len = maker_round(sizeof(spot->head) + len + strlen(function) + 1);
}

/* Writes the layout with its symbol to @to. Returns its size. */
static uint32_t pack(struct maker *m, const struct spot *spot, uint8_t *to)
{
	struct fargs_layout *layout = (struct fargs_layout *)to;
	uint32_t bytes;

	m->layout.flags |= FARGS_LAYOUT_DEFERRED;
	m->layout.symbol_len = spot->len;
	bytes = maker_pack(m, to);
	memcpy(to + bytes, &spot->head, sizeof(spot->head));
	if (spot->len > sizeof(spot->head))
		memcpy(to + bytes + sizeof(spot->head), spot->names,
		       spot->len - sizeof(spot->head));
	layout->size = bytes + spot->len;
	return layout->size;
}

/*
 * Initializes a layout with the first @nr argument registers, named r0, r1 and so on, as values of
 * 64 bits.
 */
static void maker_regs(struct maker *m, uint32_t flags, unsigned int nr)
{
	unsigned int i;
	char name[3];

	maker_init(m, 0, flags);
	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "r%u", i);
		maker_reg(m, name, FARGS_TYPE_U64, i);
	}
	if (flags & FARGS_LAYOUT_RETURN)
		maker_return(m, "ret", FARGS_TYPE_U64, FARGS_SOURCE_RETURN, 0);
}

/* Adds a deferred layout. Returns the number of the layout. */
static uint32_t add(int fd, const char *function, uint32_t index, uint32_t flags, unsigned int nr)
{
	struct spot spot;
	struct maker m;

	spot_init(&spot, function, index);
	maker_regs(&m, flags, nr);
	must(session_add(fd, packed, pack(&m, &spot, packed), 1, 0, NULL), function);
	return ((struct fargs_layout *)packed)->ip;
}

/* Tries to add a layout that @spoil made invalid. */
static void refuse(void (*spoil)(struct fargs_layout *layout, struct fargs_symbol *place),
		   uint32_t field, const char *what)
{
	struct fargs_layout *layout = (struct fargs_layout *)packed;
	struct fargs_symbol *place;
	struct spot spot;
	struct maker m;
	int fd, ret;

	spot_init(&spot, "fargs_late_work", 0);
	maker_regs(&m, 0, 2);
	pack(&m, &spot, packed);
	place = (struct fargs_symbol *)(packed + layout->size - layout->symbol_len);
	if (field >= sizeof(*layout))
		field += (uint8_t *)place - packed - sizeof(*layout);
	spoil(layout, place);
	fd = device_open();
	ret = session_add(fd, packed, layout->size, 1, 0, NULL);
	if (!ktap_ok(ret == -EINVAL && !last_error.layout && last_error.field == field &&
		     last_error.text[0] && !session_layouts(fd), "%s is refused", what))
		ktap_note("%d, field %u not %u: %s", ret, last_error.field, field,
			  last_error.text);
	close(fd);
}

#define IN_PLACE(offset) (sizeof(struct fargs_layout) + (offset))

static void no_flag(struct fargs_layout *l, struct fargs_symbol *p)
{
	l->flags = 0;
}

static void address(struct fargs_layout *l, struct fargs_symbol *p)
{
	l->addr = 0xffffffff81000000;
}

static void both_flags(struct fargs_layout *l, struct fargs_symbol *p)
{
	l->flags |= FARGS_LAYOUT_RELOAD;
}

static void reload_no_place(struct fargs_layout *l, struct fargs_symbol *p)
{
	l->flags = FARGS_LAYOUT_RELOAD;
	l->addr = 1;
	l->size -= l->symbol_len;
	l->symbol_len = 0;
}

static void reload_no_address(struct fargs_layout *l, struct fargs_symbol *p)
{
	l->flags = FARGS_LAYOUT_RELOAD;
}

static void too_long(struct fargs_layout *l, struct fargs_symbol *p)
{
	l->symbol_len = FARGS_SYMBOL_MAX + 8;
}

static void odd(struct fargs_layout *l, struct fargs_symbol *p)
{
	l->symbol_len -= 4;
	l->size -= 4;
}

static void no_names(struct fargs_layout *l, struct fargs_symbol *p)
{
	l->size -= l->symbol_len - sizeof(*p);
	l->symbol_len = sizeof(*p);
}

static void no_place(struct fargs_layout *l, struct fargs_symbol *p)
{
	l->size -= l->symbol_len;
	l->symbol_len = 0;
}

static void reserved(struct fargs_layout *l, struct fargs_symbol *p)
{
	p->reserved[2] = 1;
}

static void long_id(struct fargs_layout *l, struct fargs_symbol *p)
{
	p->build_id_len = FARGS_SYMBOL_ID_MAX + 1;
}

static void behind_id(struct fargs_layout *l, struct fargs_symbol *p)
{
	p->build_id_len = 20;
	p->build_id[20] = 1;
}

static void no_module(struct fargs_layout *l, struct fargs_symbol *p)
{
	p->names[0] = '\0';
}

static void no_function(struct fargs_layout *l, struct fargs_symbol *p)
{
	memset(p->names + sizeof("fargs_late"), 0, sizeof("fargs_late_work"));
}

static void no_end(struct fargs_layout *l, struct fargs_symbol *p)
{
	memset(p->names + sizeof("fargs_late"), 'a',
	       l->symbol_len - sizeof(*p) - sizeof("fargs_late"));
}

static void behind_names(struct fargs_layout *l, struct fargs_symbol *p)
{
	p->names[l->symbol_len - sizeof(*p) - 1] = 1;
}

static void test_refusals(void)
{
	const uint32_t function = PLACE(names) + sizeof("fargs_late");

	refuse(no_flag, LAYOUT(symbol_len), "a symbol in a layout that is not deferred");
	refuse(address, LAYOUT(addr), "an address in a deferred layout");
	refuse(both_flags, LAYOUT(flags), "FARGS_LAYOUT_DEFERRED with _RELOAD");
	refuse(reload_no_place, LAYOUT(symbol_len), "FARGS_LAYOUT_RELOAD without a symbol");
	refuse(reload_no_address, LAYOUT(addr), "FARGS_LAYOUT_RELOAD without an address");
	refuse(too_long, LAYOUT(symbol_len), "a symbol that is too long");
	refuse(odd, LAYOUT(symbol_len), "a symbol whose length is not a multiple of 8");
	refuse(no_names, LAYOUT(symbol_len), "a symbol without names");
	refuse(no_place, LAYOUT(symbol_len), "a deferred layout without symbol");
	refuse(reserved, IN_PLACE(PLACE(reserved)), "a reserved byte that is set");
	refuse(long_id, IN_PLACE(PLACE(build_id_len)), "a build ID that is too long");
	refuse(behind_id, IN_PLACE(PLACE(build_id) + 20), "a nonzero byte after the build ID");
	refuse(no_module, IN_PLACE(PLACE(names)), "an empty module name");
	refuse(no_function, IN_PLACE(function), "an empty function name");
	refuse(no_end, IN_PLACE(function), "a name without NUL");
	/* The names end with "fargs_late_work" and some padding. */
	refuse(behind_names, IN_PLACE(PLACE(names) + sizeof("fargs_late") +
				      sizeof("fargs_late_work")), "a nonzero byte after the names");
}

static void test_twice(void)
{
	struct fargs_layout *second;
	uint32_t bytes, nr_added;
	struct spot spot;
	struct maker m;
	int fd = device_open();

	spot_init(&spot, "fargs_late_work", 0);
	maker_regs(&m, 0, 2);
	bytes = pack(&m, &spot, packed);
	second = (struct fargs_layout *)(packed + bytes);
	bytes += pack(&m, &spot, packed + bytes);
	ktap_ok(session_add(fd, packed, bytes, 2, 0, NULL) == -EEXIST &&
		second->status == -EEXIST && !session_layouts(fd),
		"the same symbol twice in a batch is EEXIST");
	ktap_ok(!session_add(fd, packed, bytes, 2, FARGS_ADD_SKIP, &nr_added) && nr_added == 1 &&
		session_layouts(fd) == 1, "FARGS_ADD_SKIP adds the first of them");
	ktap_ok(session_add(fd, packed, bytes / 2, 1, 0, NULL) == -EEXIST,
		"a symbol that the session already has is EEXIST");
	spot_init(&spot, "fargs_late_work", 1);
	bytes = pack(&m, &spot, packed);
	ktap_ok(!session_add(fd, packed, bytes, 1, 0, NULL) && session_layouts(fd) == 2,
		"another function of the same name can be added");
	close(fd);
}

static int shell(const char *command)
{
	int status = system(command);

	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static uint32_t take_arrivals(int fd, uint64_t first)
{
	struct fargs_arrivals arg = {
		.first = first, .arrivals = (uintptr_t)arrivals, .nr = ARRIVALS_MAX,
	};

	must(call(fd, FARGS_IOC_ARRIVALS, &arg), "ARRIVALS");
	return arg.nr;
}

static const struct fargs_arrival *arrival_of(uint32_t layout, uint32_t nr)
{
	static const struct fargs_arrival none = { .status = -1000 };
	uint32_t i;

	for (i = 0; i < nr; i++)
		if (arrivals[i].layout == layout)
			return &arrivals[i];
	return &none;
}

static uint32_t nr_here(int fd)
{
	struct fargs_stats stats = { 0 };

	must(call(fd, FARGS_IOC_STATS, &stats), "STATS");
	return stats.nr_here;
}

/*
 * Returns how many records the function of layout @layout has since its arrival, and sets *@last to
 * the last of these records.
 */
static uint32_t count(const struct reader *r, uint32_t nr_arrivals, uint32_t layout,
		      const struct fargs_record **last)
{
	const struct fargs_arrival *arrival = arrival_of(layout, nr_arrivals);
	uint32_t i, found = 0, nr = reader_peek(r, records, RECORDS_MAX);

	*last = NULL;
	for (i = 0; i < nr; i++) {
		if (records[i]->ip != arrival->ip || records[i]->tsc < arrival->tsc)
			continue;
		found++;
		*last = records[i];
	}
	return found;
}

static uint64_t reg(const struct fargs_record *rec, unsigned int i)
{
	char name[] = { 'r', '0' + i, '\0' };

	return rec ? record_find(rec, name).low : 0;
}

/* Numbers of the layouts that add_all() adds. */
struct wanted {
	uint32_t setup, fixed, work, twin[2], bye, notrace, missing, init, alias;
};

static void add_all(int fd, struct wanted *w)
{
	w->setup = add(fd, "fargs_late_setup", 0, 0, 4);
	w->fixed = add(fd, "fargs_late_static", 0, 0, 3);
	w->work = add(fd, "fargs_late_work", 0, 0, 2);
	w->twin[0] = add(fd, "fargs_late_twin", 0, 0, 2);
	w->twin[1] = add(fd, "fargs_late_twin", 1, 0, 2);
	w->bye = add(fd, "fargs_late_bye", 0, 0, 1);
	w->notrace = add(fd, "fargs_late_notrace", 0, 0, 1);
	w->missing = add(fd, "fargs_late_twin", 2, 0, 1);
	w->init = add(fd, "init_module", 0, 0, 0);
	w->alias = add(fd, "late_init", 0, 0, 0);
}

/* Checks one load of the module, from arrival @first on. Returns the number of the next arrival. */
static uint64_t check_life(struct reader *r, const struct wanted *w, uint64_t first,
			   bool is_failing, const char *which)
{
	const struct fargs_record *rec, *other;
	uint32_t nr, alias, init;

	reader_skip(r);
	ktap_ok(shell(is_failing ? "modprobe fargs_late fail=1 2>/dev/null" :
				   "modprobe fargs_late") == is_failing,
		"%s: the init function runs%s", which, is_failing ? ", and fails" : "");
	nr = take_arrivals(r->fd, first);
	ktap_ok(nr == 10, "%s: all layouts have an arrival", which);
	ktap_ok(!arrival_of(w->setup, nr)->status && !arrival_of(w->work, nr)->status &&
		!arrival_of(w->twin[1], nr)->status,
		"%s: functions of the module are found", which);
	ktap_ok(arrival_of(w->notrace, nr)->status == -EINVAL,
		"%s: a function without fentry is EINVAL", which);
	ktap_ok(arrival_of(w->missing, nr)->status == -ENOENT,
		"%s: the third of two functions of a name is ENOENT", which);
	init = arrival_of(w->init, nr)->status;
	alias = arrival_of(w->alias, nr)->status;
	ktap_ok((!init && alias == (uint32_t)-EEXIST) || (!alias && init == (uint32_t)-EEXIST),
		"%s: an alias of a function is EEXIST", which);

	ktap_ok(count(r, nr, w->setup, &rec) == 1 && (int)reg(rec, 0) == -2 &&
		reg(rec, 1) >> 47 == 0x1ffff && reg(rec, 2) == 0x123456789abcdefull &&
		(int8_t)reg(rec, 3) == -3, "%s: arguments in the init section are right", which);
	ktap_ok(count(r, nr, w->fixed, &rec) == 1 && (uint32_t)reg(rec, 0) == 1 &&
		(uint32_t)reg(rec, 1) == 20 && (uint32_t)reg(rec, 2) == 300,
		"%s: arguments of a static function are right", which);
	ktap_ok(count(r, nr, init ? w->alias : w->init, &rec) == 1,
		"%s: the module's init function is traced", which);
	ktap_ok(count(r, nr, w->work, &rec) == 1 && reg(rec, 0) == (uint64_t)-1000000000000ll &&
		(uint32_t)reg(rec, 1) == 0xdeadbeef,
		"%s: arguments outside of the init section are right", which);
	ktap_ok(count(r, nr, w->twin[0], &rec) + count(r, nr, w->twin[1], &other) == 2 && rec &&
		other && (((int)reg(rec, 0) == 41 && reg(other, 0) == 42 &&
			   (int16_t)reg(other, 1) == -43) ||
			  ((int)reg(other, 0) == 41 && reg(rec, 0) == 42 &&
			   (int16_t)reg(rec, 1) == -43)),
			   "%s: arguments of two functions of one name are right", which);
	return first + nr;
}

static void test_lives(void)
{
	const struct fargs_record *rec;
	struct wanted w;
	struct reader r;
	uint64_t next;

	reader_open(&r, RING_BYTES);
	add_all(r.fd, &w);
	ktap_ok(!session_start(r.fd), "START succeeds while no function is loaded");
	ktap_ok(!is_traced("fargs_t_4") && !is_traced("vfs_read") && !nr_here(r.fd),
		"nothing is traced while no function is loaded");

	next = check_life(&r, &w, 0, false, "first");
	ktap_ok(nr_here(r.fd) == 4, "after init, functions of the init section are dropped");
	ktap_ok(!is_traced("fargs_late_setup") && is_traced("fargs_late_work"),
		"after init, only the other functions are traced");
	reader_skip(&r);
	ktap_ok(!shell("echo 3 >/sys/module/fargs_late/parameters/call") &&
		count(&r, ARRIVALS_MAX, w.work, &rec) == 3 && reg(rec, 0) == 2,
		"calls after init are recorded");
	ktap_ok(!shell("rmmod fargs_late") && count(&r, ARRIVALS_MAX, w.bye, &rec) == 1 &&
		(uint16_t)reg(rec, 0) == 0xfffe, "the module's exit function is recorded");
	ktap_ok(!nr_here(r.fd) && reader_totals(&r).state == FARGS_STATE_RUNNING,
		"the session waits until the module is loaded again");

	next = check_life(&r, &w, next, true, "failing");
	ktap_ok(!nr_here(r.fd) && !is_traced("fargs_late_work"),
		"a failed init drops all functions of the module");

	next = check_life(&r, &w, next, false, "again");
	must(session_stop(r.fd), "STOP");
	ktap_ok(!is_traced("fargs_late_work"), "STOP ends tracing of the module's functions");
	must(session_start(r.fd), "START");
	reader_skip(&r);
	shell("echo 1 >/sys/module/fargs_late/parameters/call");
	ktap_ok(count(&r, ARRIVALS_MAX, w.work, &rec) == 1,
		"START traces functions that are loaded");
	must(session_stop(r.fd), "STOP");
	shell("rmmod fargs_late");
	ktap_ok(!nr_here(r.fd), "the module can be unloaded while the session is stopped");
	ktap_ok(!shell("modprobe fargs_late") && take_arrivals(r.fd, next) == 10 &&
		nr_here(r.fd) == 4 && !is_traced("fargs_late_work"),
		"functions loaded while stopped are found, but not traced");
	reader_close(&r);
	shell("rmmod fargs_late");
}

static void test_arrivals(void)
{
	struct fargs_arrivals arg = { .arrivals = (uintptr_t)arrivals };
	int fd = session_open(RING_BYTES);
	uint64_t first;

	add(fd, "fargs_late_work", 0, 0, 2);
	add(fd, "fargs_late_bye", 0, 0, 1);
	add(fd, "nothing_like_that", 0, 0, 1);
	ktap_ok(!take_arrivals(fd, 0), "there is no arrival before the module is loaded");
	shell("modprobe fargs_late; rmmod fargs_late");
	ktap_ok(!call(fd, FARGS_IOC_ARRIVALS, &arg) && !arg.nr,
		"ARRIVALS with room for none returns none");
	arg.nr = 2;
	ktap_ok(!call(fd, FARGS_IOC_ARRIVALS, &arg) && arg.nr == 2,
		"ARRIVALS with room for two returns two");
	first = arrivals[0].tsc;
	ktap_ok(take_arrivals(fd, 0) == 3 && arrivals[0].tsc == first,
		"arrivals that were not acknowledged are returned again");
	ktap_ok(take_arrivals(fd, 2) == 1 && !take_arrivals(fd, 3),
		"ARRIVALS returns the rest, then none");
	arg = (struct fargs_arrivals){ .first = 1, .arrivals = (uintptr_t)arrivals, .nr = 1 };
	ktap_ok(call(fd, FARGS_IOC_ARRIVALS, &arg) == -EINVAL &&
		last_error.field == offsetof(struct fargs_arrivals, first),
		"an acknowledged arrival cannot be read again");
	arg.first = 4;
	ktap_ok(call(fd, FARGS_IOC_ARRIVALS, &arg) == -EINVAL,
		"a number after the next arrival is EINVAL");
	shell("modprobe fargs_late; rmmod fargs_late");
	ktap_ok(take_arrivals(fd, 3) == 3 && arrivals[0].tsc > first,
		"arrivals of a second load have a later time");
	arg = (struct fargs_arrivals){ .first = 3, .arrivals = 8, .nr = 1 };
	ktap_ok(call(fd, FARGS_IOC_ARRIVALS, &arg) == -EFAULT,
		"ARRIVALS to memory that is not writable is EFAULT");
	arg = (struct fargs_arrivals){ .first = 3, .reserved = 1 };
	ktap_ok(call(fd, FARGS_IOC_ARRIVALS, &arg) == -EINVAL &&
		last_error.field == offsetof(struct fargs_arrivals, reserved),
		"ARRIVALS with a reserved field set is EINVAL");
	close(fd);
}

/* Reads the build ID of the installed module: 20 bytes after the note's header and name. */
static void read_build_id(uint8_t *id)
{
	uint8_t note[64] = { 0 };
	int fd;

	shell("modprobe fargs_late");
	fd = open(BUILD_ID, O_RDONLY | O_CLOEXEC);
	must(fd < 0 ? -errno : 0, BUILD_ID);
	must(read(fd, note, sizeof(note)) < 36 ? -EBADMSG : 0, BUILD_ID);
	close(fd);
	shell("rmmod fargs_late");
	memcpy(id, note + 16, 20);
}

static uint32_t add_build(int fd, const char *function, const uint8_t *id, int change)
{
	struct spot spot;
	struct maker m;

	spot_init(&spot, function, 0);
	spot.head.build_id_len = 20;
	memcpy(spot.head.build_id, id, 20);
	spot.head.build_id[19] += change;
	maker_regs(&m, 0, 1);
	must(session_add(fd, packed, pack(&m, &spot, packed), 1, 0, NULL), function);
	return ((struct fargs_layout *)packed)->ip;
}

/*
 * Returns the current address of @function, which symbol_address() may have cached with an earlier
 * value.
 */
static uint64_t late_address(const char *function)
{
	char command[128];
	unsigned long addr = 0;
	FILE *out;

	snprintf(command, sizeof(command), "grep ' [tT] %s\\b' /proc/kallsyms", function);
	out = popen(command, "re");
	if (out && fscanf(out, "%lx", &addr) != 1)
		addr = 0;
	if (out)
		pclose(out);
	return addr;
}

static void test_builds(void)
{
	uint32_t this_one, other, nr;
	uint8_t id[20];
	int fd;

	read_build_id(id);
	fd = session_open(RING_BYTES);
	this_one = add_build(fd, "fargs_late_work", id, 0);
	other = add_build(fd, "fargs_late_bye", id, 1);
	must(session_start(fd), "START");
	shell("modprobe fargs_late");
	nr = take_arrivals(fd, 0);
	ktap_ok(!arrival_of(this_one, nr)->status &&
		arrival_of(this_one, nr)->addr == late_address("fargs_late_work"),
		"a layout for this build is found at its address in kallsyms");
	ktap_ok(arrival_of(other, nr)->status == -ESTALE && !is_traced("fargs_late_bye"),
		"a layout for another build is not traced");
	shell("rmmod fargs_late");
	close(fd);
}

/* A function that was loaded when it was added to a session. */
struct present {
	uint32_t number;
	uint64_t ip;
};

/* @addr: address of @function. @id: build ID of its module; NULL: any. */
static struct present add_present(int fd, const char *function, uint64_t addr, uint32_t flags,
				  const uint8_t *id)
{
	struct fargs_layout *layout = (struct fargs_layout *)packed;
	struct spot spot;
	struct maker m;

	spot_init(&spot, function, FARGS_SYMBOL_UNIQUE);
	if (id) {
		spot.head.build_id_len = 20;
		memcpy(spot.head.build_id, id, 20);
	}
	maker_regs(&m, flags, 2);
	pack(&m, &spot, packed);
	layout->flags &= ~FARGS_LAYOUT_DEFERRED;
	layout->flags |= FARGS_LAYOUT_RELOAD;
	layout->addr = addr;
	must(session_add(fd, packed, layout->size, 1, 0, NULL), function);
	return (struct present){ layout->number, layout->ip };
}

/* Returns the number of records at @ip whose r0 counts up from 0. */
static uint32_t nr_works(const struct reader *r, uint64_t ip)
{
	uint32_t i, nr = reader_peek(r, records, RECORDS_MAX), found = 0;

	for (i = 0; i < nr; i++)
		found += records[i]->ip == ip && reg(records[i], 0) == found;
	return found;
}

static bool has_counts(int fd, uint32_t nr_layouts, uint32_t nr_deferred, uint32_t nr_present)
{
	struct fargs_stats stats = { 0 };

	must(call(fd, FARGS_IOC_STATS, &stats), "STATS");
	if (stats.nr_layouts == nr_layouts && stats.nr_deferred == nr_deferred &&
	    stats.nr_here == nr_present && !stats.nr_dropped)
		return true;
	ktap_note("%u layouts, %u deferred, %u here, %u dropped", stats.nr_layouts,
		  stats.nr_deferred, stats.nr_here, stats.nr_dropped);
	return false;
}

/* Tests FARGS_LAYOUT_RELOAD with functions that are already loaded when their layouts are added. */
static void test_reload(uint32_t flags, const char *how)
{
	struct present work, twin, other, kernel;
	const struct fargs_arrival *arrival;
	uint32_t round, nr, first = 0;
	const struct fargs_record *rec;
	struct reader r;
	uint8_t id[20];

	read_build_id(id);
	must(shell("modprobe fargs_late"), "modprobe");
	reader_open(&r, RING_BYTES);
	work = add_present(r.fd, "fargs_late_work", late_address("fargs_late_work"), flags, id);
	twin = add_present(r.fd, "fargs_late_twin", late_address("fargs_late_twin"), flags, id);
	/*
	 * The symbol does not match the address, which is that of a function that is never called.
	 */
	kernel = add_present(r.fd, "fargs_late_call_twin", late_address("ctrl_alt_del"), flags,
			     NULL);
	id[19]++;
	other = add_present(r.fd, "fargs_late_bye", late_address("fargs_late_bye"), flags, id);
	ktap_ok(work.ip - late_address("fargs_late_work") <= 4 && twin.number == 1 &&
		kernel.number == 2 && other.number == 3,
		"%s: ADD returns the function's address and a number", how);
	ktap_ok(session_add(r.fd, packed, ((struct fargs_layout *)packed)->size, 1, 0, NULL) ==
		-EEXIST, "%s: the same layout again is EEXIST", how);
	ktap_ok(has_counts(r.fd, 4, 4, 4), "%s: each function is counted once", how);
	must(session_start(r.fd), "START");
	ktap_ok(!take_arrivals(r.fd, 0), "%s: a loaded function has no arrival", how);
	shell("echo 3 >/sys/module/fargs_late/parameters/call");
	ktap_ok(nr_works(&r, work.ip) == 3, "%s: calls before the module is unloaded are recorded",
		how);
	for (round = 1; round <= 3; round++) {
		shell("rmmod fargs_late");
		ktap_ok(has_counts(r.fd, 4, 4, 1) && !is_traced("fargs_late_work") &&
			reader_totals(&r).state == FARGS_STATE_RUNNING,
			"%s, %u: the session waits until the module is loaded again", how, round);
		reader_skip(&r);
		must(shell("modprobe fargs_late"), "modprobe");
		nr = take_arrivals(r.fd, first);
		first += nr;
		arrival = arrival_of(work.number, nr);
		ktap_ok(nr == 4 && !arrival->status && arrival->ip - arrival->addr <= 4 &&
			arrival->addr == late_address("fargs_late_work") &&
			count(&r, nr, work.number, &rec) == 1 &&
			(int64_t)reg(rec, 0) == -1000000000000ll,
			"%s, %u: the function is found again, and its first call recorded", how,
			round);
		ktap_ok(arrival_of(twin.number, nr)->status == -ENOTUNIQ &&
			arrival_of(other.number, nr)->status == -ESTALE &&
			arrival_of(kernel.number, nr)->status == -EEXIST &&
			!is_traced("fargs_late_bye") && !is_traced("fargs_late_twin") &&
			!is_traced("fargs_late_call_twin"),
			"%s, %u: ambiguous, repeated or other builds' functions are not traced",
			how, round);
		reader_skip(&r);
		shell("echo 4 >/sys/module/fargs_late/parameters/call");
		arrival = arrival_of(work.number, nr);
		ktap_ok(nr_works(&r, arrival->ip) == 4, "%s, %u: later calls are recorded", how,
			round);
	}
	must(session_stop(r.fd), "STOP");
	must(session_start(r.fd), "START");
	reader_skip(&r);
	shell("echo 2 >/sys/module/fargs_late/parameters/call");
	ktap_ok(nr_works(&r, arrival_of(work.number, ARRIVALS_MAX)->ip) == 2,
		"%s: START traces the function that was loaded last", how);
	shell("rmmod fargs_late");
	reader_close(&r);
}

static void test_returns(unsigned int nr_more, const char *how)
{
	const struct fargs_record *rec;
	uint32_t setup, work, nr, i;
	struct reader r;
	uint64_t first = 0;
	char name[32];
	int round;

	reader_open(&r, RING_BYTES);
	setup = add(r.fd, "fargs_late_setup", 0, FARGS_LAYOUT_RETURN, 2);
	work = add(r.fd, "fargs_late_work", 0, FARGS_LAYOUT_RETURN, 2);
	for (i = 0; i < nr_more; i++) {
		snprintf(name, sizeof(name), i & 1 ? "fargs_late_fill%u" : "fargs_late_init_fill%u",
			 i / 2);
		add(r.fd, name, 0, FARGS_LAYOUT_RETURN, 1);
	}
	must(session_start(r.fd), "START");
	for (round = 1; round <= 2; round++) {
		ktap_ok(!shell("modprobe fargs_late"), "%s, %d: the module is loaded", how, round);
		nr = take_arrivals(r.fd, first);
		first += nr;
		for (i = 0; i < nr && !arrivals[i].status; i++)
			;
		ktap_ok(nr == 2 + nr_more && i == nr,
			"%s, %d: all functions are found", how, round);
		ktap_ok(count(&r, nr, setup, &rec) == 1 && rec->kind == FARGS_KIND_RETURN &&
			(int)record_find(rec, "ret").low == -ENOENT && (int)reg(rec, 0) == -2,
			"%s, %d: an init function's return value is recorded", how, round);
		ktap_ok(count(&r, nr, work, &rec) == 1 &&
			(int64_t)record_find(rec, "ret").low == -2000000000000ll,
			"%s, %d: another function's return value is recorded", how, round);
		reader_skip(&r);
		ktap_ok(!shell("echo 2 >/sys/module/fargs_late/parameters/call") &&
			count(&r, nr, work, &rec) == 2 && record_find(rec, "ret").low == 2,
			"%s, %d: return values after init are recorded", how, round);
		ktap_ok(!shell("rmmod fargs_late"), "%s, %d: the module is unloaded", how, round);
		reader_skip(&r);
	}
	ktap_ok(!reader_totals(&r).lost && !reader_totals(&r).nr_pending,
		"%s: no call is missed", how);
	reader_close(&r);
}

/* Tests a module that is loaded between ADD and START. */
static void test_before_start(void)
{
	const struct fargs_record *rec;
	uint32_t work, nr;
	struct reader r;

	reader_open(&r, RING_BYTES);
	work = add(r.fd, "fargs_late_work", 0, 0, 2);
	shell("modprobe fargs_late");
	nr = take_arrivals(r.fd, 0);
	ktap_ok(!arrival_of(work, nr)->status && !is_traced("fargs_late_work"),
		"functions loaded before START are found, but not traced");
	must(session_start(r.fd), "START");
	shell("echo 1 >/sys/module/fargs_late/parameters/call");
	ktap_ok(count(&r, nr, work, &rec) == 1,
		"functions loaded before START are traced after START");
	shell("rmmod fargs_late");
	reader_close(&r);
}

/*
 * Tests that functions of the kernel, which are called constantly, stay traced while probes of a
 * module are added and removed.
 */
static void test_swap(void)
{
	uint64_t addr = symbol_address("vfs_read");
	struct totals totals;
	struct piece piece;
	uint32_t nr = 0, i;
	struct reader r;
	int round;

	reader_open(&r, 1u << 20);
	memset(&piece, 0, sizeof(piece));
	piece.layout.addr = addr;
	piece_reg(&piece, "file", FARGS_TYPE_PTR, 0);
	piece_end(&piece);
	must(piece_add(r.fd, &piece), "vfs_read");
	add(r.fd, "fargs_late_work", 0, 0, 2);
	must(session_start(r.fd), "START");
	for (round = 0; round < 8; round++) {
		shell("modprobe fargs_late; rmmod fargs_late");
		nr = reader_peek(&r, records, RECORDS_MAX);
		for (i = 0; i < nr && records[i]->ip != piece.layout.ip; i++)
			;
		must(i < nr ? 0 : -ENOENT, "vfs_read in a round");
		reader_skip(&r);
	}
	totals = reader_totals(&r);
	ktap_ok(totals.state == FARGS_STATE_RUNNING && !totals.lost,
		"other functions stay traced while a module is loaded and unloaded");
	ktap_ok(take_arrivals(r.fd, 0) == 8, "each load of the module is an arrival");
	reader_close(&r);
}

/* Adds two layouts with one ioctl, so that a concurrent load of the module sees both or neither. */
static void add_pair(int fd)
{
	struct spot spot;
	struct maker m;
	uint32_t bytes;

	spot_init(&spot, "fargs_late_work", 0);
	maker_regs(&m, FARGS_LAYOUT_RETURN, 2);
	bytes = pack(&m, &spot, packed);
	spot_init(&spot, "fargs_late_setup", 0);
	maker_regs(&m, 0, 2);
	bytes += pack(&m, &spot, packed + bytes);
	must(session_add(fd, packed, bytes, 2, 0, NULL), "two at once");
}

/* ---- allocation failures ---- */

#define LATE_GROUP	"/sys/fs/cgroup/fargs_late"
/*
 * Number of functions with a program. The module's table of such functions, whose size is a power
 * of two, then has 128 KB.
 */
#define FETCHED		2100
#define LIMIT_STEP	(32u << 10)
#define LIMIT_MAX	(1u << 20)

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

/* Makes a layout with a program. */
static void maker_fetched(struct maker *m, uint64_t addr)
{
	maker_init(m, addr, 0);
	maker_reg(m, "r0", FARGS_TYPE_U64, 0);
	maker_insn(m, FARGS_PROG_ENTRY_PREDICATE, (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
}

/*
 * Adds functions that are seldom called, with programs. Returns the number of layouts in the
 * session.
 */
static uint32_t add_fetched(int fd)
{
	static const char *const prefixes[] = {
		"acpi_", "pci_", "xfrm_", "crypto_", "iommu_", "thermal_", "usb_", "tcp_", "ip6_",
		"efi_", "regulator_", "gpio", "clk_", "nf_", "hid_", "i2c_", "tpm_", "dma_", "ata_",
	};
	const char *at = symbols_text(), *end;
	char line[256], type, name[128];
	unsigned long long addr;
	struct maker m;
	size_t i;

	for (; *at && (end = strchr(at, '\n')); at = end + 1) {
		snprintf(line, sizeof(line), "%.*s", (int)(end - at), at);
		if (sscanf(line, "%llx %c %127s", &addr, &type, name) != 3 || strchr(line, '[') ||
		    (type != 't' && type != 'T'))
			continue;
		for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
			if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
				break;
		if (i == sizeof(prefixes) / sizeof(prefixes[0]))
			continue;
		maker_fetched(&m, addr);
		session_add(fd, packed, maker_pack(&m, packed), 1, FARGS_ADD_SKIP, NULL);
		/*
		 * Some functions cannot be traced, so read the number of layouts from the session
		 * occasionally.
		 */
		if (!(addr & 0x700) && session_layouts(fd) > FETCHED)
			break;
	}
	return session_layouts(fd);
}

/*
 * Loads the module in a task that the OOM killer spares, and whose memory cgroup may allocate
 * @limit more bytes. The task's own memory is allocated before it enters the cgroup.
 */
static void load_limited(const char *path, uint32_t limit)
{
	char text[32];
	pid_t pid;

	snprintf(text, sizeof(text), "%u", limit);
	must(put(LATE_GROUP "/memory.max", text), "memory.max");
	pid = fork();
	must(pid < 0 ? -errno : 0, "fork");
	if (!pid) {
		int procs = open(LATE_GROUP "/cgroup.procs", O_WRONLY | O_CLOEXEC);
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		if (procs < 0 || fd < 0 || put("/proc/self/oom_score_adj", "-1000") ||
		    mlockall(MCL_CURRENT) || write(procs, "0", 1) < 0)
			_exit(1);
		syscall(SYS_finit_module, fd, "", 0);
		_exit(0);
	}
	must(waitpid(pid, NULL, 0) < 0 ? -errno : 0, "waitpid");
}

/*
 * Tests failed allocations while a module is loaded. The module has two functions with different
 * capture paths; the second path needs a large table. With some memory limit, the first function is
 * traced before the allocation for the second fails. Then neither function may be left in ftrace's
 * filter.
 */
static void test_half(void)
{
	struct fargs_start start = { .flags = FARGS_START_TASKS, .nr_tids = 1 };
	uint32_t plain, fetched, limit, nr, nr_failed = 0, nr_stale = 0;
	int32_t pid = getpid();
	uint64_t first = 0;
	bool is_all = false;
	char path[256];
	struct spot spot;
	struct maker m;
	FILE *modinfo;
	int fd;

	put("/sys/fs/cgroup/cgroup.subtree_control", "+memory");
	if ((mkdir(LATE_GROUP, 0755) && errno != EEXIST) ||
	    access(LATE_GROUP "/memory.max", W_OK)) {
		printf("ok %u allocation failures # SKIP no memory cgroup (v2)\n",
		       ++ktap.nr);
		return;
	}
	modinfo = popen("modinfo -n fargs_late", "r");
	must(modinfo && fscanf(modinfo, "%255s", path) == 1 ? 0 : -ENOENT, "modinfo");
	pclose(modinfo);
	fd = session_open(RING_BYTES);
	nr = add_fetched(fd);
	plain = add(fd, "fargs_late_bye", 0, 0, 1);
	spot_init(&spot, "fargs_late_work", 0);
	maker_fetched(&m, 0);
	must(session_add(fd, packed, pack(&m, &spot, packed), 1, 0, NULL), "fargs_late_work");
	fetched = ((struct fargs_layout *)packed)->ip;
	start.tids = (uintptr_t)&pid;
	must(call(fd, FARGS_IOC_START, &start), "START");
	for (limit = LIMIT_STEP; !is_all && limit <= LIMIT_MAX; limit += LIMIT_STEP) {
		const struct fargs_arrival *a, *b;
		uint32_t nr_arrivals;
		bool is_loaded;

		load_limited(path, limit);
		is_loaded = !access("/sys/module/fargs_late", F_OK);
		nr_arrivals = take_arrivals(fd, first);
		first += nr_arrivals;
		a = arrival_of(plain, nr_arrivals);
		b = arrival_of(fetched, nr_arrivals);
		is_all = is_loaded && !a->status && !b->status;
		nr_failed += is_loaded && a->status == -ENOMEM && b->status == -ENOMEM;
		nr_stale += (a->status && is_traced("fargs_late_bye")) ||
			    (b->status && is_traced("fargs_late_work"));
		if (is_all)
			is_all = is_traced("fargs_late_bye") && is_traced("fargs_late_work");
		if (is_loaded)
			must(shell("rmmod fargs_late") ? -EBUSY : 0, "rmmod");
		nr_stale += is_traced("fargs_late_bye") || is_traced("fargs_late_work");
	}
	close(fd);
	rmdir(LATE_GROUP);
	ktap_note("%u functions, %u allocation failures, with limits up to %u KB", nr, nr_failed,
		  limit >> 10);
	ktap_ok(nr > 2048 && nr < 4096 && nr_failed > 128 / (LIMIT_STEP >> 10) && is_all,
		"loading a module with each memory limit fails or succeeds");
	ktap_ok(!nr_stale, "a failed allocation leaves no function in ftrace's filter");
}

/* Reports @what if @ret is not 0. */
static int is_bad(int ret, const char *what)
{
	if (ret)
		ktap_note("%s: %d %s", what, ret, last_error.text);
	return ret != 0;
}

/* Tests sessions that are opened, started and closed while the module is loaded and unloaded. */
static void test_races(void)
{
	int i, fd, other = -1, status, nr_bad = 0;
	pid_t pid = fork();

	if (!pid) {
		for (i = 0; i < 12; i++)
			shell("modprobe fargs_late; rmmod fargs_late");
		_exit(0);
	}
	while (!waitpid(pid, &status, WNOHANG)) {
		fd = session_open(RING_BYTES);
		add_pair(fd);
		nr_bad += is_bad(session_start(fd), "START");
		usleep(20000);
		/* Close the session of the previous round, which was open until now. */
		close(other);
		other = device_open();
		add(other, "fargs_late_bye", 0, 0, 1);
		nr_bad += is_bad(session_stop(fd), "STOP");
		nr_bad += is_bad(take_arrivals(fd, 0) % 2, "only one of a pair arrived");
		close(fd);
	}
	close(other);
	ktap_ok(!nr_bad && !is_traced("fargs_late_work"),
		"sessions open and close while the module is loaded and unloaded");
}

/* number of return probes; START takes seconds if each is a kprobe */
#define MEANWHILE	150

/* Adds up to @max functions of the target with return probes. */
static void add_returns(int fd, uint32_t max)
{
	uint8_t *batch = malloc(max * 512ul), *at = batch;
	const char *text = symbols_text(), *end;
	char type, line[512], name[400];
	unsigned long long addr;
	uint32_t nr = 0, nr_added;
	struct maker m;

	must(batch ? 0 : -ENOMEM, "returns");
	maker_regs(&m, FARGS_LAYOUT_RETURN, 1);
	for (; *text && (end = strchr(text, '\n')) && nr < max; text = end + 1) {
		snprintf(line, sizeof(line), "%.*s", (int)(end - text), text);
		if (sscanf(line, "%llx %c %399s", &addr, &type, name) != 3 ||
		    strncmp(name, "fargs_t_", 8) || (type != 't' && type != 'T'))
			continue;
		m.layout.addr = addr;
		at += maker_pack(&m, at);
		nr++;
	}
	must(session_add(fd, batch, at - batch, nr, FARGS_ADD_SKIP, &nr_added), "returns");
	free(batch);
}

/*
 * Creates a kprobe that counts the places in the kernel's text that are patched: the kernel calls
 * the probed function once for each place.
 */
static int probe_patches(void)
{
	int ret = probe_create("patch", "smp_text_poke_batch_add");	/* since Linux 6.16 */

	return ret ? probe_create("patch", "text_poke_queue") : 0;
}

/*
 * Returns a counter of calls that START makes to a kernel function when it creates return probes.
 * Functions of the module and of ftrace cannot be probed. If the module uses an anchor
 * (kmod/compat/fprobe_anchor.c), its lookup of the anchor is counted.
 */
static int count_arming(pid_t pid)
{
	unsigned long long anchor = symbol_address("fargs_fprobe_anchor");
	char filter[64];

	snprintf(filter, sizeof(filter), "from == %#llx", anchor);
	if (anchor) {
		must(probe_create("armed", "copy_from_kernel_nofault from=%si:x64"), "armed");
		return probe_count("armed", pid, filter);
	}
	must(probe_create("armed", "register_kretprobe"), "armed");
	/* second function for the same event, for fprobe on top of rethook */
	probe_create("armed", "objpool_init");
	return probe_count("armed", pid, NULL);
}

static unsigned long nr_traceable(void)
{
	FILE *functions = fopen("/sys/kernel/tracing/available_filter_functions", "re");
	unsigned long nr = 0;
	int c;

	must(functions ? 0 : -errno, "available_filter_functions");
	while ((c = getc(functions)) != EOF)
		nr += c == '\n';
	fclose(functions);
	return nr;
}

/*
 * START creates return probes last. While it does so, the module with the session's only function
 * without a return probe is loaded and unloaded. Then the capture path of that function has nothing
 * to trace; its empty filter must never mean all functions. @is_here: the module is loaded before
 * START, and only unloaded during START.
 */
static void test_meanwhile(bool is_here, const char *what)
{
	unsigned long nr_before = nr_traced(), nr_start, nr_patches, nr_max = nr_traceable() / 4;
	int armed, patched, status, fd = session_open(RING_BYTES);
	bool is_amid;
	pid_t pid;
	int i;

	add(fd, "fargs_late_work", 0, 0, 2);
	add_returns(fd, MEANWHILE);
	must(is_here ? shell("modprobe fargs_late") : 0, "modprobe");
	must(probe_patches(), "a probe on what patches the kernel");
	pid = fork();
	if (!pid) {
		raise(SIGSTOP);
		_exit(session_start(fd) ? 1 : 0);
	}
	waitpid(pid, &status, WUNTRACED);
	armed = count_arming(pid);
	patched = probe_count("patch", pid, NULL);
	kill(pid, SIGCONT);
	for (i = 0; i < 60000 && !probe_read(armed) && !kill(pid, 0); i++)
		usleep(1000);
	shell(is_here ? "rmmod fargs_late" : "modprobe fargs_late; rmmod fargs_late");
	is_amid = !waitpid(pid, &status, WNOHANG);
	if (is_amid)
		waitpid(pid, &status, 0);
	nr_patches = probe_read(patched);
	close(armed);
	close(patched);
	probe_destroy("armed");
	probe_destroy("patch");
	nr_start = nr_traced() - nr_before;
	ktap_note("%s: gone %s the end of START, which patched %lu places of %lu; %lu are traced",
		  what, is_amid ? "before" : "after", nr_patches, nr_max * 4, nr_start);
	ktap_ok(!status && nr_patches && nr_patches < nr_max,
		"%s during START: an empty filter never traces all functions", what);
	ktap_ok(!is_traced("vfs_read") && nr_start <= MEANWHILE,
		"%s during START: the unloaded function is not traced afterwards", what);
	must(session_stop(fd), "STOP");
	close(fd);
	ktap_ok(nr_traced() == nr_before, "%s: no function is traced after STOP", what);
}

int main(void)
{
	ktap_begin("abi_deferred");
	need_session_test();
	if (shell("modprobe -n fargs_late 2>/dev/null"))
		ktap_skip_all("module fargs_late is not installed");
	shell("rmmod fargs_late 2>/dev/null");
	test_refusals();
	test_twice();
	test_lives();
	test_arrivals();
	test_builds();
	test_reload(0, "reload");
	test_reload(FARGS_LAYOUT_RETURN, "reload with returns");
	test_before_start();
	test_returns(0, "few returns");
	test_returns(40, "many returns");
	test_swap();
	test_meanwhile(false, "a module is loaded and unloaded");
	test_meanwhile(true, "a module is unloaded");
	test_races();
	test_half();
	return ktap_end();
}
