// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/programs.h"

#include <stdlib.h>

#include "source/pt/input/spaces.h"
#include "source/pt/input/switches.h"

/* Maximum number of task switches near a time that are considered when choosing a program. */
#define NEAR_MAX	64

struct fargs_pt_programs {
	const struct fargs_pt_input *in;
	uint64_t lag, tick;
	bool has_switches;
	struct fargs_pt_switches *of_streams;	/* switches of each of in->streams */

	/* The following members are the state for the current segment. */
	const struct fargs_pt_stream *stream;
	struct fargs_pt_switches switches;
	int32_t space;			/* index in in->spaces of the current code; -1: none */
	uint64_t until_tsc;		/* up to this TSC, @space is certainly correct */
	size_t nr_switched;
	bool is_counted;		/* @nr_switched is certainly correct */
};

struct fargs_pt_programs *fargs_pt_programs_create(const struct fargs_pt_input *in,
					       uint64_t lag, uint64_t tick,
					       bool has_switches)
{
	struct fargs_pt_programs *p = calloc(1, sizeof(*p));
	size_t i;

	if (!p)
		return NULL;
	p->in = in;
	p->lag = lag;
	p->tick = tick;
	p->has_switches = has_switches;
	if (!fargs_pt_programs_are_several(p))
		return p;
	p->of_streams = calloc(in->nr_streams + 1, sizeof(*p->of_streams));
	if (!p->of_streams) {
		fargs_pt_programs_destroy(p);
		return NULL;
	}
	for (i = 0; i < in->nr_streams; i++)
		fargs_pt_switches_init(&p->of_streams[i], in, &in->streams[i]);
	return p;
}

void fargs_pt_programs_destroy(struct fargs_pt_programs *p)
{
	if (!p)
		return;
	free(p->of_streams);
	free(p);
}

bool fargs_pt_programs_are_several(const struct fargs_pt_programs *p)
{
	return p->in->nr_spaces > 1;
}

/* An entry of the CPU into user space: its address (0: unknown), and bounds of its time. */
struct entry {
	uint64_t ip;
	uint64_t from_ns, until_ns;	/* earliest and latest time */
	uint64_t likely_ns;
};

/* task_from() and task_until(): when the task after @nr switches starts and stops running. */
static uint64_t task_from(const struct fargs_pt_programs *p, size_t nr)
{
	return nr ? p->switches.all[nr - 1].ns : 0;
}

static uint64_t task_until(const struct fargs_pt_programs *p, size_t nr)
{
	return nr < p->switches.nr ? p->switches.all[nr].ns : UINT64_MAX;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/*
 * Returns a space of the task that runs after @nr switches: one that has code at e->ip, or -1 if
 * there is none. If e->ip is 0, returns the task's space at the likely time.
 */
static int32_t find_space(const struct fargs_pt_programs *p, size_t nr, const struct entry *e)
{
	uint64_t from = later(e->from_ns, task_from(p, nr));
	uint64_t likely = later(e->likely_ns, from), until = task_until(p, nr);
	const struct fargs_pt_input *in = p->in;
	int32_t pid = fargs_pt_spaces_pid(in, fargs_pt_switches_task(&p->switches, nr), likely);
	int32_t space = fargs_pt_spaces_at(in, pid, likely);

	if (!e->ip || space < 0 || fargs_pt_spaces_has(in, space, e->ip))
		return space;
	until = until < e->until_ns ? until : e->until_ns;
	for (space = fargs_pt_spaces_at(in, pid, from);
	     space >= 0 && in->spaces[space].from_ns <= until; space = in->spaces[space].next)
		if (fargs_pt_spaces_has(in, space, e->ip))
			return space;
	return -1;
}

/*
 * Returns the most likely number of switches before entry @e; *@low and *@high: minimum and
 * maximum.
 */
static size_t count_switches(const struct fargs_pt_programs *p, const struct entry *e, size_t *low,
			     size_t *high)
{
	const struct fargs_pt_switches *sw = &p->switches;
	size_t likely = fargs_pt_switches_at(sw, e->likely_ns);

	*low = fargs_pt_switches_at(sw, e->from_ns);
	*high = fargs_pt_switches_at(sw, e->until_ns);
	if (p->nr_switched > *low && p->nr_switched <= *high)
		*low = p->nr_switched;
	likely = likely > *low ? likely : *low;
	return p->is_counted ? *low : likely;
}

/*
 * Sets the time up to which the space chosen for @e is valid: slightly before the next switch, or
 * before the process executes another program.
 */
static void set_until(struct fargs_pt_programs *p, const struct entry *e)
{
	const struct fargs_pt_config *config = &p->in->config;
	uint64_t ns = task_until(p, p->nr_switched), tsc;
	const struct fargs_pt_space *next;

	p->until_tsc = 0;
	if (p->space < 0 || p->lag == UINT64_MAX || e->until_ns == UINT64_MAX)
		return;
	if (p->in->spaces[p->space].next >= 0) {
		next = &p->in->spaces[p->in->spaces[p->space].next];
		ns = ns < next->from_ns ? ns : next->from_ns;
	}
	tsc = ns == UINT64_MAX ? ns : fargs_pt_input_tsc(config, ns);
	p->until_tsc = tsc > p->lag ? tsc - p->lag : 0;
}

/* Sets p->space, and the members that depend on it, for entry @e. */
static void choose_space(struct fargs_pt_programs *p, const struct entry *e)
{
	size_t low, high, likely = count_switches(p, e, &low, &high), nr = likely, i;
	int32_t space = find_space(p, likely, e);

	if (high - low > NEAR_MAX)
		high = low + NEAR_MAX;
	for (i = low; space < 0 && i <= high; i++) {
		space = i == likely ? -1 : find_space(p, i, e);
		nr = space < 0 ? nr : i;
	}
	p->nr_switched = nr;
	p->is_counted = p->has_switches;
	if (space < 0) {
		/*
		 * None of the tasks tried above has code at e->ip in the recording: use the space
		 * of the likely task at the likely time.
		 */
		const struct entry anywhere = { .likely_ns = e->likely_ns };

		space = find_space(p, nr, &anywhere);
	}
	p->space = space;
	set_until(p, e);
}

/*
 * Returns an entry at @ip whose time is between @tsc and @tsc + @lag (UINT64_MAX: no upper
 * limit), and most likely @tsc + @tick. If @tsc is 0, the time is unknown.
 */
static struct entry make_entry(const struct fargs_pt_programs *p, uint64_t ip, uint64_t tsc,
			       uint64_t lag, uint64_t tick)
{
	const struct fargs_pt_config *config = &p->in->config;
	struct entry e = { .ip = ip, .until_ns = UINT64_MAX, .likely_ns = UINT64_MAX };

	if (!tsc || !config->has_time)
		return e;
	e.from_ns = fargs_pt_input_ns(config, tsc);
	e.likely_ns = fargs_pt_input_ns(config, tsc + tick);
	if (lag != UINT64_MAX)
		e.until_ns = fargs_pt_input_ns(config, tsc + lag);
	return e;
}

/* Sets the current stream and its switches. @stream need not be one of in->streams. */
static void set_stream(struct fargs_pt_programs *p, const struct fargs_pt_stream *stream)
{
	const struct fargs_pt_input *in = p->in;
	size_t i;

	p->stream = stream;
	for (i = 0; i < in->nr_streams; i++)
		if (stream == &in->streams[i]) {
			p->switches = p->of_streams[i];
			return;
		}
	fargs_pt_switches_init(&p->switches, in, stream);
}

int32_t fargs_pt_programs_begin(struct fargs_pt_programs *p, const struct fargs_pt_segment *seg)
{
	struct entry e;

	p->space = (int32_t)p->in->nr_spaces - 1;
	if (fargs_pt_programs_are_several(p)) {
		if (seg->stream != p->stream)
			set_stream(p, seg->stream);
		p->nr_switched = 0;
		p->is_counted = false;
		/* The time of a PSB is exact. */
		e = make_entry(p, 0, seg->tsc, 0, 0);
		choose_space(p, &e);
		p->is_counted = false;
	}
	return p->space;
}

bool fargs_pt_programs_enter(struct fargs_pt_programs *p, uint64_t ip, uint64_t tsc,
			     struct fargs_pt_program *now)
{
	int32_t before = p->space;
	struct entry e;

	if (tsc < p->until_tsc)
		return false;
	/* If the time of the entry is unknown, keep the current code if it contains @ip. */
	e = make_entry(p, ip, tsc, p->lag, p->tick);
	if (!e.from_ns && ip && before >= 0 && fargs_pt_spaces_has(p->in, before, ip))
		return false;
	choose_space(p, &e);
	if (p->space == before)
		return false;
	now->space = p->space;
	now->ns = fargs_pt_input_ns(&p->in->config, tsc);
	if (p->space >= 0 && e.from_ns)
		now->ns = later(now->ns, p->in->spaces[p->space].from_ns);
	return true;
}

void fargs_pt_programs_switch(struct fargs_pt_programs *p)
{
	p->nr_switched += p->is_counted;
	p->until_tsc = 0;
}

void fargs_pt_programs_hole(struct fargs_pt_programs *p)
{
	p->is_counted = false;
}
