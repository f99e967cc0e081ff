// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/spaces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Maximum of fargs_pt_space.depth; deeper forks inherit no code. */
#define DEPTH_MAX	256
/* Maximum number of spaces: their indexes are int32_t. */
#define SPACES_MAX	INT32_MAX

struct build {
	struct fargs_pt_input *in;
	int32_t *pids;		/* sorted, without duplicates */
	size_t nr_pids;
	int32_t *current;	/* index of the latest space of each of @pids; -1: none */
};

#define ORDER(a, b)	(((a) > (b)) - ((a) < (b)))

static int compare_pids(const void *a, const void *b)
{
	return ORDER(*(const int32_t *)a, *(const int32_t *)b);
}

static int find_pids(struct build *b)
{
	const struct fargs_pt_input *in = b->in;
	size_t i, nr = 0;

	b->pids = calloc(2 * in->nr_mappings, sizeof(*b->pids));
	b->current = malloc(2 * in->nr_mappings * sizeof(*b->current));
	if (!b->pids || !b->current)
		return -ENOMEM;
	for (i = 0; i < in->nr_mappings; i++) {
		b->pids[nr++] = in->mappings[i].pid;
		if (in->mappings[i].kind == FARGS_PT_FORK)
			b->pids[nr++] = in->mappings[i].parent;
	}
	qsort(b->pids, nr, sizeof(*b->pids), compare_pids);
	for (i = 0; i < nr; i++)
		if (!i || b->pids[i] != b->pids[i - 1])
			b->pids[b->nr_pids++] = b->pids[i];
	memset(b->current, -1, b->nr_pids * sizeof(*b->current));
	return 0;
}

/* Returns the entry in b->current for @pid, which must be one of b->pids. */
static int32_t *current(const struct build *b, int32_t pid)
{
	const int32_t *found = bsearch(&pid, b->pids, b->nr_pids, sizeof(pid), compare_pids);

	return &b->current[found - b->pids];
}

/*
 * Adds a space of @pid that begins at @ns or, if it is the first space of @pid, at the beginning of
 * the trace.
 */
static struct fargs_pt_space *add_space(struct build *b, int32_t pid, uint64_t ns)
{
	struct fargs_pt_input *in = b->in;
	struct fargs_pt_space *space = NULL;
	int32_t *place = current(b, pid);

	if (in->nr_spaces < SPACES_MAX)
		space = fargs_array_add(in->spaces, in->nr_spaces);
	if (!space)
		return NULL;
	*space = (struct fargs_pt_space){ .pid = pid, .next = -1, .base = -1 };
	if (*place >= 0) {
		space->from_ns = ns;
		in->spaces[*place].next = in->nr_spaces - 1;
	}
	*place = in->nr_spaces - 1;
	return space;
}

static int add_fork(struct build *b, struct fargs_pt_mapping *m)
{
	int32_t base = *current(b, m->parent);
	struct fargs_pt_space *space = add_space(b, m->pid, m->ns), *parent;

	if (!space)
		return -ENOMEM;
	if (base < 0)
		return 0;
	parent = &b->in->spaces[base];
	if (!parent->nr) {
		space->base = parent->base;
		space->nr_base = parent->nr_base;
		space->depth = parent->depth;
	} else if (parent->depth < DEPTH_MAX) {
		space->base = base;
		space->nr_base = parent->nr;
		space->depth = parent->depth + 1;
	}
	return 0;
}

/*
 * Returns whether @m begins a new space. perf record --per-thread stores no times, so the time of
 * an exec may be unknown. Then the process keeps one space with the code of all its programs, whose
 * addresses hardly ever overlap.
 */
static bool is_new(const struct build *b, const struct fargs_pt_mapping *m)
{
	const struct fargs_pt_config *config = &b->in->config;

	if (*current(b, m->pid) < 0)
		return true;
	return m->kind == FARGS_PT_EXEC && m->ns && config->has_time && config->has_tsc;
}

/*
 * Adds all spaces, sets the space of each mapping, and counts the FARGS_PT_MAP mappings of each
 * space.
 */
static int find_spaces(struct build *b)
{
	struct fargs_pt_input *in = b->in;
	struct fargs_pt_mapping *m;
	int ret = 0;

	for (m = in->mappings; !ret && m < in->mappings + in->nr_mappings; m++) {
		if (m->kind == FARGS_PT_FORK)
			ret = add_fork(b, m);
		else if (is_new(b, m) && !add_space(b, m->pid, m->ns))
			ret = -ENOMEM;
		m->space = *current(b, m->pid);
		if (!ret && m->kind == FARGS_PT_MAP)
			in->spaces[m->space].nr++;
	}
	return ret;
}

/* Appends the code of all mappings to in->codes, grouped by space. Moves the strings there. */
static int add_codes(struct fargs_pt_input *in)
{
	size_t nr = in->nr_codes, i;
	struct fargs_pt_code *larger;
	struct fargs_pt_mapping *m;
	struct fargs_pt_space *space;

	for (i = 0; i < in->nr_spaces; i++) {
		in->spaces[i].first = nr;
		nr += in->spaces[i].nr;
		in->spaces[i].nr = 0;
	}
	/*
	 * The capacity will no longer be a power of two, so fargs_grow() must not be used for
	 * in->codes after this.
	 */
	larger = realloc(in->codes, (nr + 1) * sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	in->codes = larger;
	for (m = in->mappings; m < in->mappings + in->nr_mappings; m++) {
		if (m->kind != FARGS_PT_MAP)
			continue;
		space = &in->spaces[m->space];
		larger[space->first + space->nr++] = (struct fargs_pt_code){
			.path = m->path, .file = m->file, .name = m->name, .at = m->at,
			.bytes = m->bytes, .addr = m->addr, .pid = m->pid, .from_ns = m->ns,
		};
		m->path = NULL;
		m->name = NULL;
	}
	in->nr_codes = nr;
	return 0;
}

static int compare_places(const void *a, const void *b)
{
	const struct fargs_pt_code *const *x = a, *const *y = b;

	if ((*x)->addr != (*y)->addr)
		return ORDER((*x)->addr, (*y)->addr);
	return ORDER(*x, *y);
}

/*
 * Returns whether @a and @b map the same file at the same addresses, so that equal addresses have
 * equal bytes.
 */
static bool is_same_file(const struct fargs_pt_code *a, const struct fargs_pt_code *b)
{
	return a->addr - a->at == b->addr - b->at && !strcmp(a->path, b->path);
}

/*
 * Sets from_ns of mappings that overlap each other: those from @begin to @end (exclusive), sorted
 * by address. The first recorded mapping is valid from the beginning, and each of the others is
 * valid from the time of its record. But if all map the same bytes to the same addresses, all are
 * valid from the beginning.
 */
static void settle_cluster(struct fargs_pt_code **begin, struct fargs_pt_code **end)
{
	struct fargs_pt_code *first = *begin, **c;
	bool is_same = true;

	for (c = begin + 1; c < end; c++) {
		is_same &= is_same_file(*begin, *c);
		first = *c < first ? *c : first;
	}
	for (c = begin; c < end; c++)
		if (is_same || *c == first)
			(*c)->from_ns = 0;
}

/*
 * Until this call, from_ns of a space's own code is the time of the mapping's record. Sets it to 0
 * for code that settle_cluster() makes valid from the beginning. A forked space keeps the times of
 * the records: its own code may replace inherited code, which must remain valid until then.
 */
static int settle_times(struct fargs_pt_input *in, const struct fargs_pt_space *space)
{
	struct fargs_pt_code **by_addr;
	uint64_t end_addr = 0;
	size_t i, begin = 0;

	if (!space->nr || space->base >= 0)
		return 0;
	by_addr = malloc(space->nr * sizeof(*by_addr));
	if (!by_addr)
		return -ENOMEM;
	for (i = 0; i < space->nr; i++)
		by_addr[i] = &in->codes[space->first + i];
	qsort(by_addr, space->nr, sizeof(*by_addr), compare_places);
	for (i = 0; i < space->nr; i++) {
		if (i && by_addr[i]->addr >= end_addr) {
			settle_cluster(by_addr + begin, by_addr + i);
			begin = i;
		}
		if (by_addr[i]->addr + by_addr[i]->bytes > end_addr)
			end_addr = by_addr[i]->addr + by_addr[i]->bytes;
	}
	settle_cluster(by_addr + begin, by_addr + i);
	free(by_addr);
	return 0;
}

/*
 * Sets from_ns of all user code. If TSCs cannot be converted to times, all code is valid from the
 * beginning, and later mappings replace earlier mappings.
 */
static int settle_all(struct fargs_pt_input *in)
{
	size_t i;
	int ret = 0;

	for (i = fargs_pt_spaces_nr_kernel(in); !in->config.has_time && i < in->nr_codes; i++)
		in->codes[i].from_ns = 0;
	for (i = 0; !ret && in->config.has_time && i < in->nr_spaces; i++)
		ret = settle_times(in, &in->spaces[i]);
	return ret;
}

struct key {
	int32_t pid, space;
};

/* Sorts by process. Indexes of spaces of the same process are in order of time. */
static int compare_keys(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	return x->pid != y->pid ? ORDER(x->pid, y->pid) : ORDER(x->space, y->space);
}

static int index_spaces(struct fargs_pt_input *in)
{
	struct key *keys = malloc((in->nr_spaces + 1) * sizeof(*keys));
	size_t i;

	if (!keys)
		return -ENOMEM;
	for (i = 0; i < in->nr_spaces; i++)
		keys[i] = (struct key){ in->spaces[i].pid, i };
	qsort(keys, in->nr_spaces, sizeof(*keys), compare_keys);
	for (i = 0; i < in->nr_spaces; i++)
		in->spaces[i].by_pid = keys[i].space;
	free(keys);
	return 0;
}

int fargs_pt_spaces_build(struct fargs_pt_input *in)
{
	struct build b = { .in = in };
	int ret;

	if (!in->nr_mappings)
		return 0;
	ret = find_pids(&b);
	if (!ret)
		ret = find_spaces(&b);
	free(b.pids);
	free(b.current);
	if (!ret)
		ret = add_codes(in);
	if (!ret)
		ret = settle_all(in);
	return ret ? ret : index_spaces(in);
}

size_t fargs_pt_spaces_nr_kernel(const struct fargs_pt_input *in)
{
	return in->nr_spaces ? in->spaces[0].first : in->nr_codes;
}

int32_t fargs_pt_spaces_at(const struct fargs_pt_input *in, int32_t pid, uint64_t ns)
{
	const struct fargs_pt_space *space;
	size_t low = 0, high = in->nr_spaces, mid;

	/* Find the first space that sorts after @pid and @ns. */
	while (low < high) {
		mid = low + (high - low) / 2;
		space = &in->spaces[in->spaces[mid].by_pid];
		if (space->pid < pid || (space->pid == pid && space->from_ns <= ns))
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return -1;
	low = in->spaces[low - 1].by_pid;
	return in->spaces[low].pid == pid ? (int32_t)low : -1;
}

/* Returns the pid of all spaces; -1: there is none, or there are several pids. */
static int32_t find_only_pid(const struct fargs_pt_input *in)
{
	int32_t first, last;

	if (!in->nr_spaces)
		return -1;
	/* Spaces are ordered by pid. */
	first = in->spaces[in->spaces[0].by_pid].pid;
	last = in->spaces[in->spaces[in->nr_spaces - 1].by_pid].pid;
	return first == last ? first : -1;
}

int32_t fargs_pt_spaces_pid(const struct fargs_pt_input *in, int32_t tid, uint64_t ns)
{
	int32_t pid = fargs_pt_input_pid(in, tid, ns), only;

	if (pid >= 0 && fargs_pt_spaces_at(in, pid, 0) >= 0)
		return pid;
	only = find_only_pid(in);
	if (only >= 0)
		return only;
	return pid < 0 ? tid : pid;
}

/* Returns whether @addr is inside one of the elements from @code to @end (exclusive). */
static bool has_one(const struct fargs_pt_code *code, const struct fargs_pt_code *end,
		    uint64_t addr)
{
	for (; code < end; code++)
		if (addr - code->addr < code->bytes)
			return true;
	return false;
}

bool fargs_pt_spaces_has(const struct fargs_pt_input *in, int32_t space, uint64_t addr)
{
	const struct fargs_pt_space *s;
	size_t nr = SIZE_MAX;

	for (; space >= 0; space = s->base) {
		s = &in->spaces[space];
		nr = nr < s->nr ? nr : s->nr;
		if (has_one(in->codes + s->first, in->codes + s->first + nr, addr))
			return true;
		nr = s->nr_base;
	}
	return false;
}

/*
 * Calls @fn for the inherited code, then for the first @nr elements of the space's own code.
 * DEPTH_MAX limits the recursion.
 */
static int each_of(const struct fargs_pt_input *in, int32_t space, size_t nr,
		   int (*fn)(void *arg, size_t code), void *arg)
{
	const struct fargs_pt_space *s = &in->spaces[space];
	int ret = s->base >= 0 ? each_of(in, s->base, s->nr_base, fn, arg) : 0;
	size_t i;

	for (i = 0; !ret && i < nr; i++)
		ret = fn(arg, s->first + i);
	return ret;
}

int fargs_pt_spaces_each(const struct fargs_pt_input *in, int32_t space,
			 int (*fn)(void *arg, size_t code), void *arg)
{
	return space >= 0 ? each_of(in, space, in->spaces[space].nr, fn, arg) : 0;
}
