// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/machine.h"
#include "base/row.h"
#include "kernel/sym/ksyms.h"
#include "model/place_line.h"
#include "source/perf_data/event_name.h"
#include "source/pt/code/insn.h"
#include "source/pt/decode/branch.h"
#include "source/pt/decode/error.h"
#include "source/pt/events/extras.h"
#include "source/pt/events/state.h"
#include "source/pt/packet/packet.h"

const char *const fargs_pt_branch_names[FARGS_PT_BRANCH_VALUES] = {
	"ip", "symbol", "addr", "target", "flags", "marks",
};

/* Returns the name of @addr at the time of the thread's last event, in the space of its task. */
static const struct fargs_pt_name *find_name(struct fargs_pt_maker *m, uint64_t addr)
{
	return fargs_pt_names_get(m->source->names, &m->cache, m->space, addr, m->ns);
}

static bool find_symbol(void *arg, uint64_t addr, struct fargs_ksym *sym)
{
	const struct fargs_pt_name *name = addr ? find_name(arg, addr) : NULL;

	if (!name || !name->name)
		return false;
	*sym = (struct fargs_ksym){
		.addr = name->addr, .name = name->name, .module = name->module,
	};
	return true;
}

static void set_place(struct fargs_pt_maker *m, struct fargs_event_place *place, uint64_t addr)
{
	const struct fargs_pt_name *name = addr ? find_name(m, addr) : NULL;

	*place = (struct fargs_event_place){ .addr = addr };
	if (!name)
		return;
	place->file = fargs_pt_name_file(name);
	if (name->name) {
		place->symbol = name->name;
		place->offset = addr - name->addr;
		place->module = name->module;
	}
	if (m->detailer)
		fargs_pt_detailer_place(m->detailer, place, name);
}

static void find_place(void *arg, uint64_t addr, struct fargs_event_place *place)
{
	set_place(arg, place, addr);
}

static bool find_insn(void *arg, uint64_t addr, struct fargs_event_insn *insn)
{
	struct fargs_pt_maker *m = arg;

	return m->detailer &&
	       fargs_pt_detailer_insn(m->detailer, addr, find_name(m, addr), m->space, m->ns, insn);
}

/* Finds the symbol at a branch target in the text of an instruction. */
static bool find_target(void *arg, uint64_t addr, const char **symbol, uint64_t *offset)
{
	const struct fargs_pt_name *name = addr ? find_name(arg, addr) : NULL;

	if (!name || !name->name)
		return false;
	*symbol = name->name;
	*offset = addr - name->addr;
	return true;
}

int fargs_pt_events_prepare(struct fargs_event_source *source, struct fargs_decoder *d)
{
	struct fargs_pt_events *s = fargs_pt_events_of(source);
	struct fargs_pt_maker *m = calloc(1, sizeof(*m));
	struct fargs_error_text err;

	if (!m)
		return -ENOMEM;
	m->source = s;
	s->makers[s->nr_makers++] = m;
	m->has_dso = fargs_meta_uses(source->meta, "dso");
	m->has_srcline = fargs_meta_uses(source->meta, "srcline");
	fargs_decoder_set_symbols(d, find_symbol, m);
	fargs_decoder_set_places(d, find_place);
	fargs_decoder_set_code(d, find_insn);
	if (!(source->details & ~FARGS_PT_COUNTED))
		return 0;
	if (!s->details)
		s->details = fargs_pt_details_create(s->in, source->details, &err);
	if (s->details)
		m->detailer = fargs_pt_detailer_create(s->details, find_target, m);
	return m->detailer ? 0 : -ENOMEM;
}

static void add_value(struct fargs_pt_maker *m, struct fargs_event *ev, const char *name,
		      uint8_t type, const void *data, size_t bytes)
{
	m->args[ev->nr_args++] = (struct fargs_arg){
		.val = { .name = name, .type = type, .data = data, .bytes = bytes },
	};
}

static void add_text(struct fargs_pt_maker *m, struct fargs_event *ev, const char *name,
		     const char *text)
{
	add_value(m, ev, name, FARGS_TYPE_STR, text, strlen(text));
}

static void add_place(struct fargs_pt_maker *m, struct fargs_event *ev, unsigned int name,
		      const struct fargs_event_place *place)
{
	add_value(m, ev, fargs_pt_branch_names[name], FARGS_TYPE_PTR, &place->addr,
		  sizeof(place->addr));
	if (place->symbol && (ev->kind != FARGS_EVENT_INSN || fargs_row(B2)))
		add_text(m, ev, fargs_pt_branch_names[name + 1], place->symbol);
}

static uint64_t period_of(const struct fargs_pt_item *item)
{
	return item->kind == FARGS_PT_EXECUTED ? item->to & ~FARGS_PT_CYCLES : 1;
}

static void set_branch(struct fargs_pt_maker *m, struct fargs_event *ev,
		       const struct fargs_pt_item *item)
{
	struct fargs_event_sample *sample = &m->sample;
	bool is_insn = ev->kind == FARGS_EVENT_INSN;

	*sample = (struct fargs_event_sample){
		.event = !is_insn ? m->source->event : item->to & FARGS_PT_CYCLES ?
			 m->source->cycle_event : m->source->insn_event,
		.flags = m->flags,
		.marks = m->marks,
		.has_place = item->from, .has_target = !is_insn && item->to,
		.period = period_of(item),
	};
	if (is_insn)
		strcpy(m->flags, fargs_pt_insn_word(item));
	else
		fargs_pt_branch_words(m->flags, item);
	fargs_pt_branch_marks(m->marks, item);
	ev->sample = sample;
	/* Address 0 means unknown: the trace begins or ends with this branch. */
	set_place(m, &sample->place, item->from);
	if (sample->has_place)
		add_place(m, ev, 0, &sample->place);
	set_place(m, &sample->target, is_insn ? 0 : item->to);
	if (sample->has_target)
		add_place(m, ev, 2, &sample->target);
	if (*m->flags)
		add_text(m, ev, fargs_pt_branch_names[4], m->flags);
	if (*m->marks)
		add_text(m, ev, fargs_pt_branch_names[5], m->marks);
}

/* Sets what @item reports. @nr_evds: EVDs of a CFE, in m->evds. */
static void set_reported(struct fargs_pt_maker *m, struct fargs_event *ev,
			 const struct fargs_pt_item *item, unsigned int nr_evds)
{
	struct fargs_event_sample *sample = &m->sample;
	struct fargs_pt_reported *r = &m->reported;
	const struct fargs_pt_reported_value *value;

	fargs_pt_reported_set(r, &m->source->in->config, item, m->evds, nr_evds);
	/* As in perf, an abort is told apart by words, the begin by the letter x. */
	strcpy(m->flags, item->kind == FARGS_PT_TSX && item->to & FARGS_PT_TSX_ABORT ? "tx abrt" :
										       "");
	fargs_pt_branch_marks(m->marks, item);
	*sample = (struct fargs_event_sample){
		.event = r->event, .flags = m->flags, .marks = m->marks, .synth = r->text,
		.nr_values = r->nr_values, .has_place = item->from, .period = 1,
		.perf_type = item->kind == FARGS_PT_TSX ? FARGS_PERF_HW : FARGS_PERF_SYNTH,
	};
	ev->sample = sample;
	set_place(m, &sample->place, item->from);
	if (sample->has_place)
		add_place(m, ev, 0, &sample->place);
	for (value = r->values; value < r->values + r->nr_values; value++) {
		if (value->text)
			add_text(m, ev, value->name, value->text);
		else
			add_value(m, ev, value->name, FARGS_TYPE_U64, &value->number,
				  sizeof(value->number));
	}
}

/* Sets the sample of a PEBS record, for an event of @item. */
static void set_pebs(struct fargs_pt_maker *m, struct fargs_event *ev,
		     const struct fargs_pt_item *item, const uint64_t *words)
{
	const struct fargs_pt_pebs_event *event = &m->source->in->pebs_events[item->insn];
	struct fargs_event_sample *sample = &m->sample;
	struct fargs_pt_pebs_sample *s = &m->pebs;
	unsigned int nr;

	fargs_pt_pebs_unpack(&s->pebs, words);
	fargs_pt_pebs_sample_set(s, event);
	ev->ip = s->ip ? s->ip : item->from;
	*sample = (struct fargs_event_sample){
		.event = event->name, .period = s->period, .has_place = ev->ip,
		.perf_type = fargs_perf_event_type(&event->attr), .addr = s->addr,
		.is_addr_code = fargs_perf_event_has_code_addr(&event->attr),
		.weight = s->weight, .transaction = s->transaction, .data_src = s->data_src,
	};
	ev->sample = sample;
	set_place(m, &sample->place, ev->ip);
	if (sample->has_place)
		add_place(m, ev, 0, &sample->place);
	nr = fargs_pt_pebs_sample_values(s, event, m->args + ev->nr_args);
	/* The first one is the period, which all samples have. */
	sample->nr_values = nr - 1;
	ev->nr_args += nr;
	if (event->attr.sample_type & PERF_SAMPLE_BRANCH_STACK) {
		ev->last_branches = s->branches;
		ev->nr_last_branches = s->nr_branches;
		ev->is_mispredicted &= !fargs_pt_pebs_has_branches(&s->pebs);
	}
}

/* Adds values of the place that are used in expressions. Returns 0 or -ENOMEM. */
static int add_place_values(struct fargs_pt_maker *m, struct fargs_event *ev)
{
	const struct fargs_event_place *place = &m->sample.place;
	const char *dso = place->module ? place->module : place->file, *line;

	if (!m->sample.has_place)
		return 0;
	if (!dso && !fargs_pt_guests_is_space(m->space) && fargs_machine_is_kernel(place->addr))
		dso = "[kernel.kallsyms]";
	if (m->has_dso && dso)
		add_text(m, ev, "dso", dso);
	line = m->has_srcline ? fargs_place_line(&m->srcline, place) : NULL;
	if (line)
		add_text(m, ev, "srcline", line);
	return m->srcline.is_short ? -ENOMEM : 0;
}

/* Sets the details of the event of item @i that the sink needs. Returns 0 or -ENOMEM. */
static int set_details(struct fargs_pt_maker *m, const struct fargs_batch *batch, unsigned int i,
		       const struct fargs_event *ev)
{
	struct fargs_event_sample *sample = &m->sample;

	fargs_pt_counts_set(batch, i, sample);
	if (ev->kind == FARGS_EVENT_SAMPLE)
		sample->addr = m->pebs.addr;
	if (!m->detailer)
		return 0;
	return fargs_pt_detailer_set(m->detailer, sample, find_name(m, sample->place.addr),
				     m->space, m->ns);
}

static inline struct fargs_pt_item unpack(const struct fargs_item *item)
{
	const union fargs_pt_packed packed = { .data = item->data };

	return (struct fargs_pt_item){
		.from = item->a, .to = item->b, .kind = packed.kind, .insn = packed.insn,
		.flags = packed.flags, .error = packed.error,
	};
}

struct fargs_pt_item fargs_pt_events_item(const struct fargs_item *item)
{
	struct fargs_pt_item from = unpack(item);

	if (from.kind == FARGS_PT_PSB)
		from.offset = item->b;
	return from;
}

const struct fargs_pt_evd *fargs_pt_events_evds(struct fargs_decoder *d, unsigned int *nr)
{
	const struct fargs_pt_maker *m = fargs_decoder_symbols_arg(d);

	*nr = m->nr_evds;
	return m->evds;
}

const struct fargs_pt_pebs_sample *fargs_pt_events_pebs(struct fargs_decoder *d)
{
	const struct fargs_pt_maker *m = fargs_decoder_symbols_arg(d);

	return &m->pebs;
}

/* Sets what does not depend on the kind of event. Returns the item of the flow. */
static inline struct fargs_pt_item begin_event(struct fargs_pt_maker *m,
					       const struct fargs_batch *batch, unsigned int i,
					       struct fargs_event *ev)
{
	const struct fargs_pt_events *s = m->source;
	const struct fargs_item *item = &batch->items[i];
	const struct fargs_run *run = &batch->runs[item->run];

	*ev = (struct fargs_event){
		.kind = item->kind, .is_event = true, .cpu = run->cpu, .time_ns = item->time_ns,
		.has_no_time = (!s->in->config.has_time || !item->time_ns) && fargs_row(B25),
		.estimated_ns = item->time_ns + item->after_ns,
		.has_no_cpu = !(s->base.facts & FARGS_FACT_CPUS),
		.tid = run->task.tid, .tgid = run->task.tgid, .is_guest = run->is_guest,
		.shown_tid = run->task.tid, .machine_pid = run->machine_pid, .vcpu = run->vcpu,
		.host_tid = run->host_tid,
		.named_ns = run->named_ns, .is_named_by_exec = run->is_named_by_exec,
		.ip = item->a, .args = m->args,
		.is_mispredicted = s->in->settings.is_mispredicted,
	};
	memcpy(ev->comm, run->task.comm, sizeof(ev->comm));
	return unpack(item);
}

int fargs_pt_events_brief(struct fargs_decoder *d, const struct fargs_batch *batch, unsigned int i,
			  struct fargs_event *ev)
{
	struct fargs_pt_maker *m = fargs_decoder_symbols_arg(d);
	struct fargs_pt_item from = begin_event(m, batch, i, ev);

	if (ev->kind == FARGS_EVENT_ERROR)
		return 0;
	if (from.kind == FARGS_PT_PEBS)
		return fargs_pt_events_make(d, batch, i, ev);
	if (from.kind == FARGS_PT_CFE)
		m->nr_evds = fargs_pt_extras_evds(batch, i, m->evds);
	m->sample = (struct fargs_event_sample){ .period = period_of(&from) };
	ev->sample = &m->sample;
	fargs_pt_extras_set_chain(batch, i, ev);
	fargs_pt_counts_set(batch, i, &m->sample);
	return 0;
}

int fargs_pt_events_make(struct fargs_decoder *d, const struct fargs_batch *batch, unsigned int i,
			 struct fargs_event *ev)
{
	struct fargs_pt_maker *m = fargs_decoder_symbols_arg(d);
	const struct fargs_item *item = &batch->items[i];
	const struct fargs_run *run = &batch->runs[item->run];
	struct fargs_pt_item from = begin_event(m, batch, i, ev);

	m->ns = item->time_ns;
	if (run->is_guest)
		m->space = fargs_pt_guests_task_space(m->source->in, run->host_tid, m->ns);
	else
		m->space = fargs_pt_task_space(m->source->in, &m->kept_space, run->host_tid, m->ns);
	if (item->kind == FARGS_EVENT_ERROR) {
		from.offset = ((const struct fargs_pt_extras *)batch->used)->all[i].offset;
		fargs_pt_error_describe(&m->error, &from);
		ev->error = &m->error;
		return 0;
	}
	if (from.kind == FARGS_PT_PEBS) {
		set_pebs(m, ev, &from, fargs_pt_extras_pebs(batch, i));
	} else if (fargs_pt_reported_kind(from.kind)) {
		from.offset = item->b;
		m->nr_evds = from.kind == FARGS_PT_CFE ? fargs_pt_extras_evds(batch, i, m->evds) :
							 0;
		set_reported(m, ev, &from, m->nr_evds);
	} else {
		set_branch(m, ev, &from);
	}
	fargs_pt_extras_set_chain(batch, i, ev);
	ev->shows_stack = ev->kind == FARGS_EVENT_SAMPLE && ev->has_chain;
	if ((m->has_dso || m->has_srcline) && add_place_values(m, ev))
		return -ENOMEM;
	return set_details(m, batch, i, ev);
}

void fargs_pt_events_release(struct fargs_event_source *source, struct fargs_batch *batch,
			     bool is_counted)
{
	fargs_pt_extras_release(batch);
	free(batch->counts);
	batch->counts = NULL;
}
