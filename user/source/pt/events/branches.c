// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/branches.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/perf_data/event_name.h"
#include "source/pt/events/describe.h"
#include "source/pt/events/state.h"
#include "source/pt/trace/trace.h"

static int write_nothing(void *arg, const char *text, size_t bytes)
{
	return 0;
}

static void set_period(struct fargs_pt_events *s)
{
	const struct fargs_pt_which *which = s->which;

	s->period = (struct fargs_pt_period){ };
	/* An address that is all that is known of some instructions is always a sample. */
	if (which->insn_period && fargs_pt_trace_quick(s->in, which->quick))
		s->period = (struct fargs_pt_period){ .insns = 1 };
	else if (which->insn_period)
		s->period = fargs_pt_period_of(&s->in->config, which->insn_unit,
					       which->insn_period);
}

/* Returns 0 or -ENOMEM; also then, end_run() must be called. */
static int begin_run(struct fargs_pt_events *s, const struct fargs_feed *feed)
{
	const struct fargs_pt_which *which = s->which;
	struct fargs_pt_cursor *c;

	s->feed = feed;
	s->context = (struct fargs_pt_context){ .in = s->in };
	s->nr_skipped = 0;
	set_period(s);
	s->cursors = calloc(s->in->nr_streams + 1, sizeof(*s->cursors));
	if (!s->cursors)
		return -ENOMEM;
	for (c = s->cursors; c < s->cursors + s->in->nr_streams; c++) {
		fargs_pt_counter_init(&c->counter, which->has_vague_ipc, !s->in->config.has_cyc);
		fargs_pt_pebs_counters_init(&c->pebs_counters, s->in,
					    &s->in->streams[c - s->cursors]);
		c->cbr = FARGS_PT_NO_CBR;
		c->shown_cbr = FARGS_PT_NO_CBR;
	}
	if (which->chain_max || which->branches_max)
		s->chains = fargs_pt_chains_create(which->chain_max, which->branches_max);
	return (which->chain_max || which->branches_max) && !s->chains ? -ENOMEM : 0;
}

static void end_run(struct fargs_pt_events *s)
{
	free(s->cursors);
	s->cursors = NULL;
	fargs_pt_chains_destroy(s->chains);
	s->chains = NULL;
	fargs_pt_depths_deinit(&s->depths);
}

static int run(struct fargs_event_source *source, const struct fargs_feed *feed,
	       struct fargs_error_text *err)
{
	struct fargs_pt_events *s = fargs_pt_events_of(source);
	const struct fargs_pt_trace_options how = {
		.nr_threads = fargs_pool_nr_threads(feed->pool),
		/* Of branches that are not taken, only items of instructions have the cycles. */
		.is_by_insn = s->which->insn_period || s->which->chain_max ||
			      s->which->has_vague_ipc,
		.has_ends = true,
		.engine = s->which->engine, .quick = s->which->quick, .wants = s->which->wants,
		.has_cycles = source->details & FARGS_DETAIL_IPC || s->which->has_cycles,
	};
	const struct fargs_pt_view view = {
		.arg = s, .take = fargs_pt_events_take,
		.omits_jumps = !s->which->has_branches && !s->which->branches_max &&
			       !(source->details & FARGS_PT_COUNTED),
	};
	int ret = begin_run(s, feed);

	if (ret)
		fargs_fail(err, ENOMEM, "out of memory");
	else
		ret = fargs_pt_trace_run(s->in, &how, &view, write_nothing, NULL, err);
	if (!s->is_stopped)
		fargs_pt_events_pass_on(s);
	end_run(s);
	return s->is_stopped ? 0 : ret;
}

static int find_span(struct fargs_event_source *source, uint64_t *first_ns, uint64_t *last_ns,
		     struct fargs_error_text *err)
{
	fargs_pt_span(fargs_pt_events_of(source)->in, first_ns, last_ns);
	return 0;
}

static const struct fargs_event_source_ops ops = {
	.span = find_span, .run = run, .prepare = fargs_pt_events_prepare,
	.event = fargs_pt_events_make, .brief = fargs_pt_events_brief,
	.release = fargs_pt_events_release,
};

static void set_names(struct fargs_pt_events *s)
{
	size_t n, i;

	for (n = 0; n < FARGS_PT_BRANCH_VALUES; n++)
		s->value_names[n] = fargs_pt_branch_names[n];
	for (i = 0; fargs_pt_reported_names[i]; i++)
		s->value_names[n++] = fargs_pt_reported_names[i];
	s->value_names[n++] = "kind";
	s->value_names[n++] = "dso";
	s->value_names[n++] = "srcline";
	/* "addr" is also a value of branches. */
	for (i = 0; s->in->nr_pebs_events && fargs_pt_pebs_names[i]; i++)
		if (strcmp(fargs_pt_pebs_names[i], "addr"))
			s->value_names[n++] = fargs_pt_pebs_names[i];
}

static void describe_pebs(struct fargs_pt_events *s)
{
	const struct fargs_pt_pebs_event *event = s->in->pebs_events;
	const struct fargs_pt_pebs_event *end = event + s->in->nr_pebs_events;
	uint8_t type;

	for (; event < end; event++) {
		type = fargs_perf_event_type(&event->attr);
		fargs_pt_describe_event(&s->perf, s->in, type, event->name);
		s->perf.sample_types[type] |= event->attr.sample_type;
	}
}

/* Describes the events as perf does: it writes names as wide as the longest one. */
static void describe(struct fargs_pt_events *s)
{
	const struct fargs_pt_which *which = s->which;
	struct fargs_perf_meta *perf = &s->perf;

	*perf = (struct fargs_perf_meta){ .has_trace = true, .name_width = s->in->name_width };
	if (which->has_branches || which->has_calls || which->has_returns)
		fargs_pt_describe_event(perf, s->in, FARGS_PERF_HW, s->event);
	if (which->insn_period && !which->omits_insns)
		fargs_pt_describe_event(perf, s->in, FARGS_PERF_HW, s->insn_event);
	if (which->has_cycles)
		fargs_pt_describe_event(perf, s->in, FARGS_PERF_HW, s->cycle_event);
	if (which->wants & FARGS_PT_WANTS_TSX)
		fargs_pt_describe_event(perf, s->in, FARGS_PERF_HW, "transactions");
	if (which->wants & FARGS_PT_WANTS_PEBS)
		describe_pebs(s);
	if (which->has_ptwrites ||
	    which->wants & ~(FARGS_PT_WANTS_TSX | FARGS_PT_WANTS_PEBS))
		fargs_pt_describe_event(perf, s->in, FARGS_PERF_SYNTH,
					which->has_ptwrites ? "ptwrite" : "pwre");
	s->base.meta->perf = perf;
}

static int set_up(struct fargs_pt_events *s, struct fargs_error_text *err)
{
	const char *modifier = fargs_pt_config_modifier(&s->in->config);
	struct fargs_meta *meta = s->base.meta;
	unsigned int nr_cpus;

	s->base.what = "an Intel PT trace";
	s->base.facts = fargs_pt_facts(s->in, &nr_cpus) | FARGS_FACT_SAMPLES;
	if (nr_cpus > FARGS_PT_CPUS_MAX)
		return fargs_fail(err, EIO, "the number of a CPU is invalid: %u", nr_cpus - 1);
	fargs_pt_events_describe(meta, nr_cpus);
	set_names(s);
	meta->value_names = s->value_names;
	snprintf(s->event, sizeof(s->event), "branches%s%s", *modifier ? ":" : "", modifier);
	snprintf(s->cycle_event, sizeof(s->cycle_event), "cycles%s%s", *modifier ? ":" : "",
		 modifier);
	snprintf(s->insn_event, sizeof(s->insn_event), "instructions%s%s", *modifier ? ":" : "",
		 modifier);
	describe(s);
	s->names = fargs_pt_names_create(s->in);
	if (!s->names)
		return fargs_fail(err, ENOMEM, "out of memory");
	s->base.decoder = fargs_decoder_create(meta, err);
	return s->base.decoder ? 0 : -EINVAL;
}

struct fargs_event_source *fargs_pt_branches_source(const struct fargs_pt_input *in,
					      const struct fargs_pt_which *which,
					      struct fargs_meta *meta, struct fargs_error_text *err)
{
	struct fargs_pt_events *s = calloc(1, sizeof(*s));

	fargs_meta_init(meta);
	if (!s) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	s->base.ops = &ops;
	s->base.meta = meta;
	s->before_ns = UINT64_MAX;
	s->in = in;
	s->which = which;
	if (!set_up(s, err))
		return &s->base;
	fargs_pt_branches_source_destroy(&s->base);
	return NULL;
}

void fargs_pt_branches_set_before(struct fargs_event_source *source, fargs_pt_before_fn before,
				  void *arg)
{
	struct fargs_pt_events *s = fargs_pt_events_of(source);

	s->before = before;
	s->before_arg = arg;
	s->before_ns = 0;
}

void fargs_pt_branches_source_destroy(struct fargs_event_source *source)
{
	struct fargs_pt_events *s;

	if (!source)
		return;
	s = fargs_pt_events_of(source);
	while (s->nr_makers) {
		fargs_pt_detailer_destroy(s->makers[--s->nr_makers]->detailer);
		fargs_buf_deinit(&s->makers[s->nr_makers]->srcline);
		free(s->makers[s->nr_makers]);
	}
	fargs_pt_details_destroy(s->details);
	fargs_decoder_destroy(source->decoder);
	fargs_pt_names_destroy(s->names);
	free(s);
}
