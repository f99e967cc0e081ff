// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/images.h"

#include <errno.h>
#include <stdlib.h>

#include "source/pt/input/spaces.h"
#include "source/pt/input/switches.h"

/* Number of programs whose code is cached. */
#define SLOTS		16
/* Maximum number of task switches near a time that are considered when choosing a program. */
#define NEAR_MAX	64

struct slot {
	struct fargs_pt_image *image;	/* NULL: unused */
	int32_t space;
	uint64_t ns;
	uint64_t used;			/* @clock of struct fargs_pt_images at the last use */
	uint32_t stamp;
};

struct fargs_pt_images {
	const struct fargs_pt_input *in;
	struct fargs_pt_text *text;
	uint64_t error, tick;
	bool has_switches;
	int32_t only_pid;		/* pid of all spaces; -1: no or several pids */
	struct slot slots[SLOTS];
	uint64_t clock;
	uint32_t stamp;
	struct fargs_pt_switches *of_streams;	/* switches of each of in->streams */

	/* The following members are the state for the current segment. */
	const struct fargs_pt_stream *stream;
	struct fargs_pt_switches switches;
	int32_t space;			/* index in in->spaces of the current code; -1: none */
	uint64_t until_tsc;		/* up to this TSC, @space is certainly correct */
	size_t nr_switched;
	bool is_counted;		/* @nr_switched is certainly correct */
};

static int32_t find_only_pid(const struct fargs_pt_input *in)
{
	size_t i;

	for (i = 1; i < in->nr_spaces; i++)
		if (in->spaces[i].pid != in->spaces[0].pid)
			return -1;
	return in->nr_spaces ? in->spaces[0].pid : -1;
}

struct fargs_pt_images *fargs_pt_images_create(const struct fargs_pt_input *in,
					       struct fargs_pt_text *text, uint64_t error,
					       uint64_t tick, bool has_switches)
{
	struct fargs_pt_images *im = calloc(1, sizeof(*im));
	size_t i;

	if (!im)
		return NULL;
	im->in = in;
	im->text = text;
	im->error = error;
	im->tick = tick;
	im->has_switches = has_switches;
	im->only_pid = find_only_pid(in);
	if (!fargs_pt_images_are_several(im))
		return im;
	im->of_streams = calloc(in->nr_streams + 1, sizeof(*im->of_streams));
	if (!im->of_streams) {
		fargs_pt_images_destroy(im);
		return NULL;
	}
	for (i = 0; i < in->nr_streams; i++)
		fargs_pt_switches_init(&im->of_streams[i], in, &in->streams[i]);
	return im;
}

void fargs_pt_images_destroy(struct fargs_pt_images *im)
{
	size_t i;

	if (!im)
		return;
	for (i = 0; i < SLOTS; i++)
		fargs_pt_image_destroy(im->slots[i].image);
	free(im->of_streams);
	free(im);
}

bool fargs_pt_images_are_several(const struct fargs_pt_images *im)
{
	return im->in->nr_spaces > 1;
}

/* Returns the slot of @space, or else the least recently used slot. */
static struct slot *find_slot(struct fargs_pt_images *im, int32_t space)
{
	struct slot *oldest = im->slots, *s;

	for (s = im->slots; s < im->slots + SLOTS; s++) {
		if (s->image && s->space == space)
			return s;
		if (s->used < oldest->used)
			oldest = s;
	}
	return oldest;
}

/*
 * Gets the code of @space at @ns. Never evicts the code that the decoder is using, which is in the
 * most recently used slot.
 */
static int get_code(struct fargs_pt_images *im, int32_t space, uint64_t ns,
		    struct fargs_pt_code_now *now)
{
	struct slot *s = find_slot(im, space);
	bool is_same = s->image && s->space == space && ns >= s->ns &&
		       ns < fargs_pt_image_until(s->image);

	if (!s->image)
		s->image = fargs_pt_image_create(im->text);
	if (!s->image)
		return -ENOMEM;
	s->space = space;
	now->image = s->image;
	now->libipt = fargs_pt_image_at(s->image, space, ns);
	if (!now->libipt) {
		s->space = -2;
		return -ENOMEM;
	}
	if (!is_same)
		s->stamp = ++im->stamp;
	s->ns = ns;
	s->used = ++im->clock;
	now->stamp = s->stamp;
	return 0;
}

/*
 * Returns the pid whose code task @tid executes at @ns: the pid of its process, if the recording
 * has code of that process; else the only pid that has code, if there is only one; else the pid of
 * its process, or @tid if that pid is unknown.
 */
static int32_t find_pid(const struct fargs_pt_images *im, int32_t tid, uint64_t ns)
{
	int32_t pid = fargs_pt_input_pid(im->in, tid, ns);

	if (pid >= 0 && fargs_pt_spaces_at(im->in, pid, 0) >= 0)
		return pid;
	if (im->only_pid >= 0)
		return im->only_pid;
	return pid < 0 ? tid : pid;
}

/* An entry of the CPU into user space: its address (0: unknown), and bounds of its time. */
struct entry {
	uint64_t ip;
	uint64_t from_ns, until_ns;	/* earliest and latest time */
	uint64_t likely_ns;
};

/* task_from() and task_until(): when the task after @nr switches starts and stops running. */
static uint64_t task_from(const struct fargs_pt_images *im, size_t nr)
{
	return nr ? im->switches.all[nr - 1].ns : 0;
}

static uint64_t task_until(const struct fargs_pt_images *im, size_t nr)
{
	return nr < im->switches.nr ? im->switches.all[nr].ns : UINT64_MAX;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/*
 * Returns a space of the task that runs after @nr switches: one that has code at e->ip, or -1 if
 * there is none. If e->ip is 0, returns the task's space at the likely time.
 */
static int32_t find_space(const struct fargs_pt_images *im, size_t nr, const struct entry *e)
{
	uint64_t from = later(e->from_ns, task_from(im, nr));
	uint64_t likely = later(e->likely_ns, from), until = task_until(im, nr);
	int32_t pid = find_pid(im, fargs_pt_switches_task(&im->switches, nr), likely);
	const struct fargs_pt_input *in = im->in;
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
static size_t count_switches(const struct fargs_pt_images *im, const struct entry *e, size_t *low,
			     size_t *high)
{
	const struct fargs_pt_switches *sw = &im->switches;
	size_t likely = fargs_pt_switches_at(sw, e->likely_ns);

	*low = fargs_pt_switches_at(sw, e->from_ns);
	*high = fargs_pt_switches_at(sw, e->until_ns);
	if (im->nr_switched > *low && im->nr_switched <= *high)
		*low = im->nr_switched;
	likely = likely > *low ? likely : *low;
	return im->is_counted ? *low : likely;
}

/*
 * Sets the time up to which the space chosen for @e is valid: slightly before the next switch, or
 * before the process executes another program.
 */
static void set_until(struct fargs_pt_images *im, const struct entry *e)
{
	const struct fargs_pt_config *config = &im->in->config;
	uint64_t ns = task_until(im, im->nr_switched), tsc;
	const struct fargs_pt_space *next;

	im->until_tsc = 0;
	if (im->space < 0 || im->error == UINT64_MAX || e->until_ns == UINT64_MAX)
		return;
	if (im->in->spaces[im->space].next >= 0) {
		next = &im->in->spaces[im->in->spaces[im->space].next];
		ns = ns < next->from_ns ? ns : next->from_ns;
	}
	tsc = ns == UINT64_MAX ? ns : fargs_pt_input_tsc(config, ns);
	im->until_tsc = tsc > im->error ? tsc - im->error : 0;
}

/* Sets im->space, and the members that depend on it, for entry @e. */
static void choose_space(struct fargs_pt_images *im, const struct entry *e)
{
	size_t low, high, likely = count_switches(im, e, &low, &high), nr = likely, i;
	int32_t space = find_space(im, likely, e);

	if (high - low > NEAR_MAX)
		high = low + NEAR_MAX;
	for (i = low; space < 0 && i <= high; i++) {
		space = i == likely ? -1 : find_space(im, i, e);
		nr = space < 0 ? nr : i;
	}
	im->nr_switched = nr;
	im->is_counted = im->has_switches;
	if (space < 0) {
		/*
		 * None of the tasks tried above has code at e->ip in the recording: use the space
		 * of the likely task at the likely time.
		 */
		const struct entry anywhere = { .likely_ns = e->likely_ns };

		space = find_space(im, nr, &anywhere);
	}
	im->space = space;
	set_until(im, e);
}

/*
 * Returns an entry at @ip whose time is between @tsc and @tsc + @error (UINT64_MAX: no upper
 * limit), and most likely @tsc + @tick. If @tsc is 0, the time is unknown.
 */
static struct entry make_entry(const struct fargs_pt_images *im, uint64_t ip, uint64_t tsc,
			       uint64_t error, uint64_t tick)
{
	const struct fargs_pt_config *config = &im->in->config;
	struct entry e = { .ip = ip, .until_ns = UINT64_MAX, .likely_ns = UINT64_MAX };

	if (!tsc || !config->has_time)
		return e;
	e.from_ns = fargs_pt_input_ns(config, tsc);
	e.likely_ns = fargs_pt_input_ns(config, tsc + tick);
	if (error != UINT64_MAX)
		e.until_ns = fargs_pt_input_ns(config, tsc + error);
	return e;
}

/* Sets the current stream and its switches. @stream need not be one of in->streams. */
static void set_stream(struct fargs_pt_images *im, const struct fargs_pt_stream *stream)
{
	const struct fargs_pt_input *in = im->in;
	size_t i;

	im->stream = stream;
	for (i = 0; i < in->nr_streams; i++)
		if (stream == &in->streams[i]) {
			im->switches = im->of_streams[i];
			return;
		}
	fargs_pt_switches_init(&im->switches, in, stream);
}

int fargs_pt_images_begin(struct fargs_pt_images *im, const struct fargs_pt_segment *seg,
			  struct fargs_pt_code_now *now)
{
	uint64_t ns = fargs_pt_input_ns(&im->in->config, seg->tsc);
	struct entry e;

	im->space = (int32_t)im->in->nr_spaces - 1;
	if (fargs_pt_images_are_several(im)) {
		if (seg->stream != im->stream)
			set_stream(im, seg->stream);
		im->nr_switched = 0;
		im->is_counted = false;
		/* The time of a PSB is exact. */
		e = make_entry(im, 0, seg->tsc, 0, 0);
		choose_space(im, &e);
		im->is_counted = false;
	}
	return get_code(im, im->space, ns, now);
}

int fargs_pt_images_enter(struct fargs_pt_images *im, uint64_t ip, uint64_t tsc,
			  struct fargs_pt_code_now *now)
{
	int32_t before = im->space;
	struct entry e;
	uint64_t ns;
	int ret;

	if (tsc < im->until_tsc)
		return 0;
	/* If the time of the entry is unknown, keep the current code if it contains @ip. */
	e = make_entry(im, ip, tsc, im->error, im->tick);
	if (!e.from_ns && ip && before >= 0 && fargs_pt_spaces_has(im->in, before, ip))
		return 0;
	choose_space(im, &e);
	if (im->space == before)
		return 0;
	ns = fargs_pt_input_ns(&im->in->config, tsc);
	if (im->space >= 0 && e.from_ns)
		ns = later(ns, im->in->spaces[im->space].from_ns);
	ret = get_code(im, im->space, ns, now);
	if (ret) {
		im->space = before;
		return ret;
	}
	return 1;
}

int fargs_pt_images_advance(struct fargs_pt_images *im, uint64_t ns, uint32_t *stamp)
{
	struct slot *s = find_slot(im, im->space);

	s->ns = ns;
	s->stamp = ++im->stamp;
	*stamp = s->stamp;
	return fargs_pt_image_advance(s->image, ns);
}

void fargs_pt_images_switch(struct fargs_pt_images *im)
{
	im->nr_switched += im->is_counted;
	im->until_tsc = 0;
}

void fargs_pt_images_hole(struct fargs_pt_images *im)
{
	im->is_counted = false;
}
