// SPDX-License-Identifier: GPL-2.0-only
#include "plugin/dlfilter/sample_calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/reader.h"
#include "kernel/sym/ksyms.h"
#include "model/clock.h"
#include "source/pt/code/insn.h"
#include "source/pt/decode/segments.h"
#include "source/pt/join/learn.h"

/*
 * If the next branch is more than this many bytes after the target of the last one, the path
 * between them is considered unknown.
 */
#define STRAIGHT_BYTES	4096
/*
 * Assumed error bound of perf's times, since perf does not report their error. It exceeds a few MTC
 * periods, whatever the configured period. It need not be tight: calls are matched by their order
 * and their functions; times only distinguish calls near the beginning of the trace from calls near
 * its end.
 */
#define ERROR_NS	1000000
/*
 * Assumed error bound of perf's times if the kernel considers the TSC unstable, because fargs and
 * perf then convert the TSC to time in different ways.
 */
#define UNSTABLE_ERROR_NS	100000000
/* Number of MTC periods that fargs_pt_flow_error() returns as the maximum error of times. */
#define ERROR_PERIODS	4
/* A sample's time is ignored if it is less than this many ns after the last time that was used. */
#define TICK_NS		1000
/*
 * Maximum number of sample times that are passed to the learner (source/pt/join/learn.h) after each
 * execution of a seq site (an instruction that allocates sequence numbers), and after each
 * begin_path().
 */
#define TICKS		8

/* State of processing the samples of one CPU. */
struct cursor {
	struct fargs_pt_segment seg;
	struct fargs_pt_switch task;
	struct fargs_pt_switches switches;
	struct fargs_pt_part part;
	struct fargs_pt_item item;	/* the only item of @part */
	bool is_on;			/* tracing is on, and execution continues at @at */
	uint64_t at;
	bool is_switching;		/* the next branch executes on another stack */
	/*
	 * The last three sample times that were used, in TSC ticks, latest first; the latest also
	 * in ns.
	 */
	uint64_t last_tsc[3], last_ns;
	unsigned int nr_ticks;
};

struct fargs_sample_calls {
	struct fargs_pt_input in;
	struct fargs_pt_join *join;
	struct fargs_pt_learner *learner;
	struct fargs_clockline *clock;
	uint64_t *addrs;		/* addresses of traced functions, sorted */
	size_t nr_addrs;
	uint64_t switch_addr;
	struct cursor *cursors;		/* one for each CPU, indexed by its number */
	unsigned int nr_cpus;
	uint64_t nr_taken;
};

static int compare_addrs(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static bool has_sites(const struct fargs_meta *meta)
{
	size_t i;

	for (i = 0; i < FARGS_PT_SITES; i++)
		if (fargs_meta_site(meta, i))
			return true;
	return false;
}

static int check_recording(const struct fargs_meta *meta, const char *path,
			   struct fargs_error_text *err)
{
	if (meta->is_bare || !meta->nr_funcs || !has_sites(meta))
		return fargs_fail(err, ENODATA, "'%s' has no function calls", path);
	if (!meta->ksyms)
		return fargs_fail(err, ENODATA, "'%s' has no symbols, which are needed to find "
				  "calls",
				  path);
	return 0;
}

/* Sets conservative values for the parts of the configuration that samples do not contain. */
static void set_config(struct fargs_sample_calls *c, const struct fargs_meta *meta)
{
	uint64_t ns = fargs_clockline_is_tsc(c->clock) ? ERROR_NS : UNSTABLE_ERROR_NS;
	uint64_t ticks = meta->info.tsc_khz * ns / 1000000;
	size_t i;

	c->in.config = (struct fargs_pt_config){
		.is_intel = true, .has_tsc = true, .has_mtc = true, .has_kernel = true,
		.cpuid_0x15_eax = 1, .cpuid_0x15_ebx = (uint32_t)(ticks / ERROR_PERIODS),
	};
	/*
	 * Pretend that a record was lost: samples do not show task switches exactly, so frames must
	 * not be matched across them.
	 */
	c->in.nr_lost_records = 1;
	for (i = 0; i < FARGS_PT_SITES; i++)
		c->in.seq_sites[i] = fargs_meta_site(meta, i);
}

/* Reads the metadata that is needed before the records. */
static int read_meta(struct fargs_sample_calls *c, const char *path, struct fargs_error_text *err)
{
	struct fargs_reader *r;
	struct fargs_meta meta;
	unsigned int cpu;
	int ret = -EIO;

	fargs_meta_init(&meta);
	r = fargs_reader_open(path, &meta, err);
	if (!r || check_recording(&meta, path, err))
		goto out;
	c->clock = fargs_clockline_create(&meta, err);
	if (!c->clock)
		goto out;
	ret = 0;
	set_config(c, &meta);
	c->nr_cpus = meta.info.nr_cpus;
	for (cpu = 0; !ret && cpu < c->nr_cpus; cpu++)
		if (!fargs_pt_input_stream(&c->in, cpu, -1))
			ret = fargs_fail(err, ENOMEM, "out of memory");
	c->in.ksyms = meta.ksyms;
	meta.ksyms = NULL;
out:
	fargs_reader_destroy(r);
	fargs_meta_deinit(&meta);
	return ret;
}

static int set_addrs(struct fargs_sample_calls *c)
{
	const struct fargs_meta *meta = fargs_pt_join_meta(c->join);
	size_t i;

	c->addrs = calloc(meta->nr_funcs + 1, sizeof(*c->addrs));
	if (!c->addrs)
		return -ENOMEM;
	/* Tracepoints have no address. */
	for (i = 0; i < meta->nr_funcs; i++)
		if (meta->funcs[i].addr)
			c->addrs[c->nr_addrs++] = meta->funcs[i].addr;
	qsort(c->addrs, c->nr_addrs, sizeof(*c->addrs), compare_addrs);
	return 0;
}

static void set_cursor(struct cursor *l, const struct fargs_pt_stream *stream)
{
	l->seg.stream = stream;
	l->switches = (struct fargs_pt_switches){ .all = &l->task, .nr = 1, .first = -1 };
	l->task.to = -1;
	l->part.seg = &l->seg;
	l->part.switches = &l->switches;
	l->part.flow = (struct fargs_pt_flow){ .items = &l->item, .nr = 1, .room = 1 };
}

static int set_up(struct fargs_sample_calls *c, const char *path, struct fargs_error_text *err)
{
	unsigned int i;
	int ret = read_meta(c, path, err);

	if (ret)
		return ret;
	ret = fargs_pt_join_create(&c->join, &c->in, path, NULL, err);
	if (ret || !c->join)
		return ret ? ret : fargs_fail(err, ENODATA, "'%s' has no records", path);
	c->learner = fargs_pt_learner_create(&c->in, c->join);
	c->cursors = calloc(c->nr_cpus, sizeof(*c->cursors));
	if (!c->learner || !c->cursors || set_addrs(c))
		return fargs_fail(err, ENOMEM, "out of memory");
	c->switch_addr = fargs_pt_switches_addr(&c->in);
	for (i = 0; i < c->nr_cpus; i++)
		set_cursor(&c->cursors[i], &c->in.streams[i]);
	return 0;
}

struct fargs_sample_calls *fargs_sample_calls_create(const char *path,
						     struct fargs_error_text *err)
{
	struct fargs_sample_calls *c = calloc(1, sizeof(*c));

	if (!c) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	fargs_pt_input_init(&c->in);
	if (set_up(c, path, err)) {
		fargs_sample_calls_destroy(c);
		return NULL;
	}
	return c;
}

void fargs_sample_calls_destroy(struct fargs_sample_calls *c)
{
	if (!c)
		return;
	fargs_pt_learner_destroy(c->learner);
	fargs_pt_join_destroy(c->join);
	fargs_clockline_destroy(c->clock);
	fargs_pt_input_deinit(&c->in);
	free(c->addrs);
	free(c->cursors);
	free(c);
}

struct fargs_meta *fargs_sample_calls_meta(struct fargs_sample_calls *c)
{
	return fargs_pt_join_meta(c->join);
}

/* Finds the first TSC value whose time is at or after @ns. */
static uint64_t find_tsc(struct fargs_sample_calls *c, unsigned int cpu, uint64_t ns)
{
	uint64_t low = 0, high = UINT64_MAX >> 1, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (fargs_clockline_ns(c->clock, cpu, mid) < ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static int put_item(struct fargs_sample_calls *c, struct cursor *l,
		    const struct fargs_pt_item *item)
{
	l->item = *item;
	l->item.tsc = l->last_tsc[0];
	return fargs_pt_learner_take(c->learner, &l->part, 0, 1);
}

static int set_time(struct fargs_sample_calls *c, struct cursor *l,
		    const struct fargs_dlfilter_sample *sample)
{
	struct fargs_pt_item item = { .kind = FARGS_PT_TICK };

	if (sample->time == UINT64_MAX || sample->time < l->last_ns + TICK_NS)
		return 0;
	item.to = find_tsc(c, (unsigned int)sample->cpu, sample->time);
	l->last_ns = sample->time;
	l->last_tsc[2] = l->last_tsc[1];
	l->last_tsc[1] = l->last_tsc[0];
	l->last_tsc[0] = item.to;
	if (!l->nr_ticks)
		return 0;
	l->nr_ticks--;
	return put_item(c, l, &item);
}

/*
 * Begins a path: execution continues at @to. @is_lost: tracing was on before, but the path to @to
 * is unknown.
 */
static int begin_path(struct fargs_sample_calls *c, struct cursor *l, uint64_t to, bool is_lost)
{
	const struct fargs_pt_item item = {
		.kind = FARGS_PT_BEGIN, .to = to, .flags = is_lost ? FARGS_PT_WAS_ON : 0,
	};

	l->nr_ticks = TICKS;
	l->is_on = true;
	l->at = to;
	l->is_switching = false;
	return put_item(c, l, &item);
}

/*
 * Switches to another task, or to another stack of the same task. The calls on the new stack are
 * unknown.
 */
static int change_task(struct fargs_sample_calls *c, struct cursor *l, int32_t tid)
{
	const struct fargs_pt_item item = { .kind = FARGS_PT_SWITCH };
	int ret;

	l->task.to = tid;
	ret = put_item(c, l, &item);
	l->part.switched.first++;
	return ret || !l->is_on ? ret : begin_path(c, l, l->at, false);
}

/*
 * Handles straight-line execution from l->at up to the branch at @end. @is_executed: the branch
 * instruction itself was executed.
 */
static int execute_path(struct fargs_sample_calls *c, struct cursor *l, uint64_t end,
			bool is_executed)
{
	struct fargs_pt_item item = { .kind = FARGS_PT_SITE, .from = l->last_tsc[2] };
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < FARGS_PT_SITES; i++) {
		uint64_t site = c->in.seq_sites[i];

		if (!site || site < l->at || site > end || (site == end && !is_executed))
			continue;
		c->nr_taken++;
		l->nr_ticks = TICKS;
		item.to = i;
		ret = put_item(c, l, &item);
	}
	return ret;
}

static enum fargs_pt_insn insn_of(uint32_t flags)
{
	if (flags & FARGS_DLFILTER_SYSCALLRET)
		return flags & FARGS_DLFILTER_CALL ? FARGS_PT_INSN_SYSCALL :
						     FARGS_PT_INSN_SYSRET;
	if (flags & FARGS_DLFILTER_INTERRUPT)
		return flags & FARGS_DLFILTER_CALL ? FARGS_PT_INSN_INT : FARGS_PT_INSN_IRET;
	if (flags & FARGS_DLFILTER_CALL)
		return FARGS_PT_INSN_CALL;
	if (flags & FARGS_DLFILTER_RETURN)
		return FARGS_PT_INSN_RETURN;
	return flags & FARGS_DLFILTER_CONDITIONAL ? FARGS_PT_INSN_COND : FARGS_PT_INSN_JUMP;
}

/* Is the path from the last branch to the branch at @ip unknown? */
static bool is_torn(const struct cursor *l, uint64_t ip)
{
	return !l->is_on || ip < l->at || ip - l->at > STRAIGHT_BYTES;
}

/* Handles a branch. Sets *@node to the number of the call; 0: not a call. */
static int take_branch(struct fargs_sample_calls *c, struct cursor *l,
		       const struct fargs_dlfilter_sample *sample, uint64_t *node)
{
	const uint32_t strange = FARGS_DLFILTER_TX_ABORT | FARGS_DLFILTER_VMENTRY |
				 FARGS_DLFILTER_VMEXIT;
	bool is_async = sample->flags & FARGS_DLFILTER_ASYNC;
	struct fargs_pt_item item = {
		.kind = FARGS_PT_BRANCH, .from = sample->ip, .to = sample->addr,
		.insn = (uint8_t)insn_of(sample->flags),
	};
	uint64_t before;
	int ret;

	*node = 0;
	if (is_torn(l, sample->ip))
		ret = begin_path(c, l, sample->ip, true);
	else
		ret = execute_path(c, l, sample->ip, !is_async);
	if (ret)
		return ret;
	l->at = sample->addr;
	if (sample->flags & strange)
		return begin_path(c, l, sample->addr, true);
	if (!sample->addr || sample->flags & FARGS_DLFILTER_TRACE_END) {
		l->is_on = false;
		item.flags = FARGS_PT_ENDS;
		if (is_async)
			item.kind = FARGS_PT_END;
	} else if (is_async) {
		item.kind = FARGS_PT_INTERRUPT;
	}
	before = fargs_pt_learner_nr_nodes(c->learner);
	ret = put_item(c, l, &item);
	if (fargs_pt_learner_nr_nodes(c->learner) > before)
		*node = fargs_pt_learner_nr_nodes(c->learner);
	return ret;
}

/*
 * Does @sample enter a traced function? Return instructions are included, because a retpoline
 * enters its target by a return.
 */
static bool is_call(const struct fargs_sample_calls *c, const struct fargs_dlfilter_sample *sample)
{
	const uint32_t others = FARGS_DLFILTER_INTERRUPT | FARGS_DLFILTER_ASYNC |
				FARGS_DLFILTER_SYSCALLRET |
				FARGS_DLFILTER_TRACE_BEGIN | FARGS_DLFILTER_TRACE_END;

	return !(sample->flags & others) && c->nr_addrs &&
	       bsearch(&sample->addr, c->addrs, c->nr_addrs, sizeof(*c->addrs), compare_addrs);
}

int fargs_sample_calls_take(struct fargs_sample_calls *c,
			    const struct fargs_dlfilter_sample *sample, uint64_t *call)
{
	struct cursor *l;
	uint64_t node;
	int ret;

	*call = FARGS_SAMPLE_NO_CALL;
	if (!(sample->flags & FARGS_DLFILTER_BRANCH) || sample->cpu < 0 ||
	    (unsigned int)sample->cpu >= c->nr_cpus)
		return 0;
	l = &c->cursors[sample->cpu];
	if (is_call(c, sample))
		*call = FARGS_SAMPLE_UNKNOWN_CALL;
	ret = set_time(c, l, sample);
	if (!ret && sample->tid != l->task.to)
		ret = change_task(c, l, sample->tid);
	if (ret)
		return ret;
	if (!sample->ip)
		return sample->addr ? begin_path(c, l, sample->addr, l->is_on) : 0;
	/*
	 * The first branch after a switch of stacks belongs to the function that was called on the
	 * old stack, but it executes on the new stack.
	 */
	if (l->is_switching) {
		l->is_switching = false;
		ret = change_task(c, l, sample->tid);
		if (ret)
			return ret;
	}
	ret = take_branch(c, l, sample, &node);
	if (*call && node)
		*call = node;
	l->is_switching = c->switch_addr && sample->addr == c->switch_addr;
	return ret;
}

int fargs_sample_calls_finish(struct fargs_sample_calls *c)
{
	return fargs_pt_join_run(c->join);
}

int fargs_sample_calls_get(struct fargs_sample_calls *c, uint64_t call, struct fargs_event *ev,
			   struct fargs_decoder **d)
{
	const struct fargs_pt_joined *first;
	size_t nr;
	int ret;

	if (call == FARGS_SAMPLE_UNKNOWN_CALL)
		return 0;
	nr = fargs_pt_join_find(c->join, call, &first);
	/* A call has at most two records: one of the call, and one of its return. */
	if (!nr || nr > 2 || (nr == 2 && first[0].rec->kind == first[1].rec->kind) ||
	    first[0].rec->kind == FARGS_KIND_TPOINT)
		return 0;
	ret = fargs_pt_join_decode(c->join, &first[0], ev, d);
	/* Ignore an invalid record: invalid records are counted when the file is verified. */
	return ret ? ret == -ENOMEM ? ret : 0 : 1;
}

uint64_t fargs_sample_calls_nr_taken(const struct fargs_sample_calls *c)
{
	return c->nr_taken;
}

const struct fargs_pt_join_counts *fargs_sample_calls_counts(const struct fargs_sample_calls *c)
{
	return fargs_pt_join_counts(c->join);
}
