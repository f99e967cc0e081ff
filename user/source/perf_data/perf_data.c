// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/perf_data.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/machine.h"
#include "base/array.h"
#include "kernel/sym/ksyms.h"
#include "model/place_line.h"
#include "source/perf_data/details.h"
#include "source/perf_data/event_name.h"
#include "source/perf_data/place.h"

/* Number of CPUs that is assumed if the samples do not contain a CPU. */
#define CPUS_MIN	1
/* Maximum plausible number of CPUs. Checked because sinks allocate memory for each CPU. */
#define CPUS_MAX	8192
/* Maximum number of values of a sample. */
#define VALUES_MAX	6

static const char *const value_names[] = {
	"ip", "symbol", "dso", "addr", "period", "srcline", NULL,
};

struct perf_data {
	struct fargs_event_source base;
	struct fargs_recording *recording;
	/*
	 * The sample that was read last, and the data of its event. A batch contains only one
	 * sample, because @recording resolves addresses only at the time of the last sample.
	 */
	struct fargs_recorded recorded;
	struct fargs_event_sample sample;
	struct fargs_arg args[VALUES_MAX];
	struct fargs_perf_meta perf;
	struct fargs_sample_details *details;	/* NULL: none are needed */
	void (*add)(void *arg, uint64_t nr, struct fargs_event *ev);	/* NULL: nothing is added */
	void *add_arg;
	bool is_read;			/* @recorded is the next sample, and not yet in a batch */
	uint64_t nr;			/* samples before the last one that is in a batch */
	uint64_t nr_read;		/* samples that were in a batch */
	bool has_srcline;		/* the source line is used in an expression */
	struct fargs_buf srcline;
	uint64_t *stack;		/* callers, from the sample's call chain */
	size_t stack_room;
};

static struct perf_data *of(struct fargs_event_source *source)
{
	return (struct perf_data *)source;
}

static bool find_symbol(void *arg, uint64_t addr, struct fargs_ksym *sym)
{
	struct perf_data *p = arg;
	struct fargs_event_place place;

	fargs_recording_place(p->recording, p->recorded.sample.pid, addr, &place);
	if (!place.symbol)
		return false;
	*sym = (struct fargs_ksym){
		.addr = addr - place.offset, .name = place.symbol, .module = place.module,
	};
	return true;
}

static void find_place(void *arg, uint64_t addr, struct fargs_event_place *place)
{
	struct perf_data *p = arg;

	fargs_recording_place(p->recording, p->recorded.sample.pid, addr, place);
	if (p->details)
		fargs_sample_details_place(p->details, p->recorded.sample.pid, place);
}

static bool find_insn(void *arg, uint64_t addr, struct fargs_event_insn *insn)
{
	struct perf_data *p = arg;

	return p->details && fargs_sample_details_insn(p->details, p->recorded.sample.pid, addr,
						       insn);
}

static int prepare(struct fargs_event_source *source, struct fargs_decoder *d)
{
	struct perf_data *p = of(source);

	p->has_srcline = fargs_meta_uses(source->meta, "srcline");
	fargs_decoder_set_places(d, find_place);
	fargs_decoder_set_code(d, find_insn);
	if (source->details && !p->details)
		p->details = fargs_sample_details_create(p->recording, source->details);
	return source->details && !p->details ? -ENOMEM : 0;
}

static void set_run(struct fargs_run *run, const struct fargs_recorded *r)
{
	const struct fargs_sample *s = &r->sample;

	*run = (struct fargs_run){
		.cpu = s->cpu >= 0 ? s->cpu : 0, .has_task = true,
		.task = { .tid = s->tid, .tgid = s->pid }, .named_ns = r->named_ns,
		.is_named_by_exec = r->is_named_by_exec,
	};
	if (r->comm)
		memcpy(run->task.comm, r->comm, strnlen(r->comm, FARGS_COMM_LEN));
	else if (s->tid > 0)
		snprintf(run->task.comm, sizeof(run->task.comm), ":%d", s->tid);
	else
		strcpy(run->task.comm, s->tid ? ":-1" : "swapper");
}

static int span(struct fargs_event_source *source, uint64_t *first_ns, uint64_t *last_ns,
		struct fargs_error_text *err)
{
	fargs_recording_span(of(source)->recording, first_ns, last_ns);
	return 0;
}

int fargs_perf_data_read(struct fargs_event_source *source, uint64_t *ns,
			 struct fargs_error_text *err)
{
	struct perf_data *p = of(source);
	int ret = p->is_read ? 1 : fargs_recording_next(p->recording, &p->recorded, err);

	if (ret <= 0)
		return ret;
	p->is_read = true;
	*ns = p->recorded.sample.ns == UINT64_MAX ? 0 : p->recorded.sample.ns;
	return 1;
}

void fargs_perf_data_fill(struct fargs_event_source *source, struct fargs_batch *batch)
{
	struct perf_data *p = of(source);

	batch->nr = 1;
	batch->nr_runs = 1;
	set_run(&batch->runs[0], &p->recorded);
	if (!p->recorded.is_switch)
		p->nr = p->nr_read++;
	p->is_read = false;
	batch->items[0] = (struct fargs_item){
		.kind = p->recorded.is_switch ? FARGS_KIND_SWITCH : FARGS_EVENT_SAMPLE,
		.data = &p->recorded,
		.time_ns = p->recorded.sample.ns == UINT64_MAX ? 0 : p->recorded.sample.ns,
	};
}

static int run(struct fargs_event_source *source, const struct fargs_feed *feed,
	       struct fargs_error_text *err)
{
	struct fargs_batch *batch;
	uint64_t ns;
	int ret;

	for (;;) {
		/*
		 * get() returns only after the previous sample has been used, so that p->recorded
		 * may be overwritten.
		 */
		batch = feed->get(feed->arg);
		ret = fargs_perf_data_read(source, &ns, err);
		if (ret > 0)
			fargs_perf_data_fill(source, batch);
		if (!feed->put(feed->arg, batch))
			return 0;
		if (ret <= 0)
			return ret;
	}
}

static void add_value(struct fargs_event *ev, struct fargs_arg *args, const char *name,
		      uint8_t type, const void *data, size_t bytes)
{
	args[ev->nr_args++] = (struct fargs_arg){
		.val = { .name = name, .type = type, .data = data, .bytes = bytes },
	};
}

static void add_text(struct fargs_event *ev, struct fargs_arg *args, const char *name,
		     const char *text)
{
	if (text)
		add_value(ev, args, name, FARGS_TYPE_STR, text, strlen(text));
}

/*
 * Sets p->stack to the callers in the sample's call chain. Leaves out the sampled address itself,
 * and perf's context markers (PERF_CONTEXT_*).
 */
static int take_stack(struct perf_data *p, struct fargs_event *ev)
{
	const struct fargs_sample *s = &p->recorded.sample;
	size_t nr = s->nr_callchain, i;
	uint64_t addr;

	if (nr > p->stack_room) {
		free(p->stack);
		p->stack = calloc(nr, sizeof(*p->stack));
		p->stack_room = p->stack ? nr : 0;
		if (!p->stack)
			return -ENOMEM;
	}
	for (i = 0; i < nr; i++) {
		addr = s->callchain[i];
		if (addr >= (uint64_t)PERF_CONTEXT_MAX || (addr == s->ip && !ev->nr_stack))
			continue;
		p->stack[ev->nr_stack++] = addr;
	}
	ev->stack = p->stack;
	ev->has_chain = nr;
	return 0;
}

static void take_values(struct perf_data *p, struct fargs_event *ev)
{
	const struct fargs_recorded *r = &p->recorded;
	const struct fargs_sample *s = &r->sample;
	uint64_t type = r->attr->sample_type;
	struct fargs_event_sample *sample = &p->sample;

	if (type & PERF_SAMPLE_IP) {
		sample->has_place = true;
		find_place(p, s->ip, &sample->place);
		add_value(ev, p->args, value_names[0], FARGS_TYPE_PTR, &s->ip, sizeof(s->ip));
		add_text(ev, p->args, value_names[1], sample->place.symbol);
		add_text(ev, p->args, value_names[2], sample->place.module ?
			 sample->place.module : sample->place.file);
	}
	if (r->attr->type == PERF_TYPE_HARDWARE && fargs_perf_event_has_code_addr(r->attr)) {
		sample->has_target = true;
		find_place(p, s->addr, &sample->target);
	}
	if (type & PERF_SAMPLE_ADDR)
		add_value(ev, p->args, value_names[3], FARGS_TYPE_PTR, &s->addr, sizeof(s->addr));
	add_value(ev, p->args, value_names[4], FARGS_TYPE_U64, &s->period, sizeof(s->period));
}

/* Adds the source line, if it is known and used. Returns 0 or -ENOMEM. */
static int add_srcline(struct perf_data *p, struct fargs_event *ev)
{
	const char *line = p->has_srcline ? fargs_place_line(&p->srcline, &p->sample.place) : NULL;

	add_text(ev, p->args, value_names[5], line);
	return p->srcline.is_short ? -ENOMEM : 0;
}

static void make_switch(struct perf_data *p, const struct fargs_item *item,
			const struct fargs_run *run, struct fargs_event *ev)
{
	const struct fargs_recorded *r = &p->recorded;

	*ev = (struct fargs_event){
		.kind = item->kind, .is_event = true, .has_no_cpu = r->sample.cpu < 0,
		.has_no_time = r->sample.ns == UINT64_MAX, .cpu = run->cpu,
		.time_ns = item->time_ns, .tid = run->task.tid, .tgid = run->task.tgid,
		.shown_tid = run->task.tid, .named_ns = run->named_ns,
		.is_named_by_exec = run->is_named_by_exec, .sw = &r->sw,
		.next_tid = r->sw.is_out ? r->sw.other.tid : r->sw.own.tid,
	};
	memcpy(ev->comm, run->task.comm, sizeof(ev->comm));
}

static int make_event(struct fargs_decoder *d, const struct fargs_batch *batch,
		      unsigned int i, struct fargs_event *ev)
{
	const struct fargs_item *item = &batch->items[i];
	const struct fargs_run *run = &batch->runs[item->run];
	struct perf_data *p = of(batch->source);
	const struct fargs_sample *s = &p->recorded.sample;

	if (p->recorded.is_switch) {
		make_switch(p, item, run, ev);
		return 0;
	}
	p->sample = (struct fargs_event_sample){
		.event = p->recorded.event, .period = s->period,
		.perf_type = fargs_perf_event_type(p->recorded.attr), .addr = s->addr,
		.is_addr_code = fargs_perf_event_has_code_addr(p->recorded.attr),
		.weight = s->weight, .transaction = s->transaction, .data_src = s->data_src,
	};
	*ev = (struct fargs_event){
		.kind = item->kind, .is_event = true, .has_no_cpu = s->cpu < 0,
		.has_no_time = s->ns == UINT64_MAX, .cpu = run->cpu, .time_ns = item->time_ns,
		.tid = run->task.tid, .tgid = run->task.tgid, .shown_tid = run->task.tid,
		.named_ns = run->named_ns, .is_named_by_exec = run->is_named_by_exec,
		.ip = s->ip, .sample = &p->sample, .args = p->args,
	};
	memcpy(ev->comm, run->task.comm, sizeof(ev->comm));
	take_values(p, ev);
	if (p->details && fargs_sample_details_set(p->details, s->pid, &p->sample))
		return -ENOMEM;
	if (add_srcline(p, ev) || take_stack(p, ev))
		return -ENOMEM;
	if (p->add)
		p->add(p->add_arg, p->nr, ev);
	return 0;
}

static void release(struct fargs_event_source *source, struct fargs_batch *batch, bool is_counted)
{
}

static const struct fargs_event_source_ops ops = {
	.span = span, .run = run, .prepare = prepare, .event = make_event, .release = release,
};

static uint32_t facts_of(const struct fargs_recording *recording)
{
	uint64_t type = fargs_recording_sample_type(recording);

	return FARGS_FACT_SAMPLES |
	       (type & PERF_SAMPLE_TIME ? FARGS_FACT_TIMES | FARGS_FACT_SPAN : 0) |
	       (type & PERF_SAMPLE_CPU ? FARGS_FACT_CPUS : 0);
}

struct fargs_event_source *fargs_perf_data_create(struct fargs_recording *recording,
					    struct fargs_meta *meta, struct fargs_error_text *err)
{
	unsigned int nr_cpus = fargs_recording_nr_cpus(recording);
	struct perf_data *p = calloc(1, sizeof(*p));

	fargs_meta_init(meta);
	if (!p) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	if (nr_cpus > CPUS_MAX) {
		fargs_fail(err, EIO, "a sample is from CPU %u", nr_cpus - 1);
		free(p);
		return NULL;
	}
	meta->info.nr_cpus = nr_cpus ? nr_cpus : CPUS_MIN;
	/* Times are in ns. With this TSC frequency, in kHz, a tick is one ns. */
	meta->info.tsc_khz = 1000000;
	meta->is_bare = true;
	meta->value_names = value_names;
	p->base.ops = &ops;
	p->base.meta = meta;
	p->base.is_single_threaded = true;
	p->base.what = "a perf.data file";
	p->base.facts = facts_of(recording);
	p->recording = recording;
	fargs_recording_describe(recording, &p->perf);
	meta->perf = &p->perf;
	p->base.decoder = fargs_decoder_create(meta, err);
	if (!p->base.decoder) {
		fargs_perf_data_destroy(&p->base);
		return NULL;
	}
	fargs_decoder_set_symbols(p->base.decoder, find_symbol, p);
	return &p->base;
}

void fargs_perf_data_set_adder(struct fargs_event_source *source,
			       void (*add)(void *arg, uint64_t nr, struct fargs_event *ev),
			       void *arg)
{
	struct perf_data *p = of(source);

	p->add = add;
	p->add_arg = arg;
}

void fargs_perf_data_destroy(struct fargs_event_source *source)
{
	struct perf_data *p;

	if (!source)
		return;
	p = of(source);
	fargs_decoder_destroy(source->decoder);
	fargs_sample_details_destroy(p->details);
	fargs_buf_deinit(&p->srcline);
	free(p->stack);
	free(p);
}
