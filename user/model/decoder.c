// SPDX-License-Identifier: GPL-2.0-only
#include "model/decoder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/machine.h"
#include "kernel/sym/ksyms.h"
#include "model/args.h"
#include "model/clock.h"
#include "model/event_record.h"
#include "model/flag_formats.h"
#include "model/formats.h"
#include "model/func_types.h"
#include "model/reloads.h"
#include "model/task_names.h"
#include "model/tasks.h"
#include "uapi/fargs_layout.h"

/*
 * Number of entries of each direct-mapped cache. One cache maps the ip of a record to its function,
 * the other an address to its symbol.
 */
#define CACHE	4096

struct fargs_decoder {
	struct fargs_meta *meta;
	struct fargs_clockline *clock;
	struct fargs_tasks *tasks;
	struct fargs_account *account;
	struct fargs_formats *formats;	/* NULL: there are no events */
	const struct fargs_func *funcs;	/* value of meta->funcs when the caches were filled */
	size_t nr_funcs;
	/* Types of each function, indexed like meta->funcs; NULL: not looked up yet. */
	struct fargs_func_types **types;
	const struct fargs_func *cache[CACHE];
	struct {
		uint64_t addr;
		const struct fargs_ksym *sym;
	} symbols[CACHE];
	struct fargs_symbolic *symbolic;
	struct fargs_reloads reloads;
	/* If there are reloads: symbols that have moved, indexed like @symbols. */
	struct fargs_ksym *moved;
	uint64_t now_tsc;		/* time of the record that was last decoded */
	/* Finds the symbol at an address; NULL: meta->ksyms are used. */
	struct fargs_decoder_lookups lookups;
	struct fargs_ksym found;
	struct fargs_args args;
	uint64_t nr_unknown;	/* as in fargs_decoder_nr_unknown() */
	bool has_zeros;
	bool has_ns;
};

static void drop_caches(struct fargs_decoder *d)
{
	size_t i;

	for (i = 0; d->types && i < d->nr_funcs; i++)
		fargs_func_types_destroy(d->types[i]);
	free(d->types);
	d->types = NULL;
	memset(d->cache, 0, sizeof(d->cache));
	memset(d->symbols, 0, sizeof(d->symbols));
	fargs_reloads_deinit(&d->reloads);
}

/* Resets the caches after functions were added to meta->funcs. */
static int take_funcs(struct fargs_decoder *d)
{
	drop_caches(d);
	d->funcs = d->meta->funcs;
	d->nr_funcs = d->meta->nr_funcs;
	d->types = calloc(d->nr_funcs ? d->nr_funcs : 1, sizeof(*d->types));
	if (!d->types || fargs_reloads_init(&d->reloads, d->funcs, d->nr_funcs))
		return -ENOMEM;
	if (d->reloads.nr && !d->moved)
		d->moved = calloc(CACHE, sizeof(*d->moved));
	return d->reloads.nr && !d->moved ? -ENOMEM : 0;
}

struct fargs_decoder *fargs_decoder_create(struct fargs_meta *meta, struct fargs_error_text *err)
{
	struct fargs_decoder *d = calloc(1, sizeof(*d));
	size_t i;

	if (!d)
		goto no_memory;
	d->meta = meta;
	d->clock = fargs_clockline_create(meta, err);
	if (!d->clock) {
		fargs_decoder_destroy(d);
		return NULL;
	}
	d->tasks = fargs_tasks_create();
	d->account = fargs_account_create(meta->info.nr_cpus);
	if (meta->has_events && !fargs_formats_validate(meta))
		d->formats = fargs_formats_create(meta);
	d->symbolic = fargs_flag_formats_symbolic(meta);
	if (!d->symbolic || !d->tasks || !d->account || take_funcs(d) ||
	    !d->formats == meta->has_events)
		goto no_memory;
	for (i = 0; i < meta->nr_tasks; i++)
		if (fargs_tasks_set(d->tasks, meta->tasks[i].tid, meta->tasks[i].tgid,
				    meta->tasks[i].comm, sizeof(meta->tasks[i].comm)))
			goto no_memory;
	for (i = 0; i < meta->nr_nspids; i++)
		if (!meta->nspids[i].from_tsc)
			fargs_tasks_set_ns(d->tasks, meta->nspids[i].tid, meta->nspids[i].ns_tid);
	/* The idle tasks, one for each CPU, all have tid 0: give them the name that ftrace uses. */
	if (fargs_tasks_set(d->tasks, 0, 0, "<idle>", 6))
		goto no_memory;
	return d;

no_memory:
	fargs_fail(err, ENOMEM, "out of memory");
	fargs_decoder_destroy(d);
	return NULL;
}

void fargs_decoder_destroy(struct fargs_decoder *d)
{
	if (!d)
		return;
	drop_caches(d);
	free(d->moved);
	fargs_clockline_destroy(d->clock);
	fargs_tasks_destroy(d->tasks);
	fargs_account_destroy(d->account);
	fargs_formats_destroy(d->formats);
	fargs_symbolic_destroy(d->symbolic);
	free(d);
}

void fargs_decoder_set_formats(struct fargs_decoder *d, struct fargs_formats *formats)
{
	fargs_formats_destroy(d->formats);
	d->formats = formats;
}

static unsigned int context_of(const struct fargs_decoder *d, const struct fargs_record *rec)
{
	const struct fargs_info *info = &d->meta->info;
	unsigned int context = 0;

	if (fargs_machine_has_irqs_off(rec->eflags))
		context |= FARGS_CONTEXT_IRQS_OFF;
	/* Disabling softirqs adds two to the count, serving a softirq adds one. */
	if ((rec->preempt & FARGS_PREEMPT_SOFTIRQ) > FARGS_PREEMPT_SERVING)
		context |= FARGS_CONTEXT_BH_OFF;
	if (rec->preempt & FARGS_PREEMPT_SERVING)
		context |= FARGS_CONTEXT_SOFTIRQ;
	if (rec->preempt & FARGS_PREEMPT_HARDIRQ)
		context |= FARGS_CONTEXT_HARDIRQ;
	if (rec->preempt & FARGS_PREEMPT_NMI)
		context |= FARGS_CONTEXT_NMI;
	if (!(rec->preempt & FARGS_PREEMPT_NO_RESCHED))
		context |= FARGS_CONTEXT_RESCHED_PREEMPT;
	if (rec->tif & info->tif_resched)
		context |= FARGS_CONTEXT_RESCHED_TIF;
	if (rec->tif & info->tif_resched_lazy)
		context |= FARGS_CONTEXT_RESCHED_LAZY;
	return context;
}

/*
 * Sets @ev->context and preempt_depth of an event from the fields that ftrace adds to each event.
 */
static void take_head(struct fargs_decoder *d, struct fargs_event *ev)
{
	/*
	 * Indexed by bit number of enum trace_flag_type (kernel/trace/trace.h or
	 * linux/trace_events.h).
	 */
	static const unsigned int contexts[8] = {
		FARGS_CONTEXT_IRQS_OFF, FARGS_CONTEXT_RESCHED_LAZY, FARGS_CONTEXT_RESCHED_TIF,
		FARGS_CONTEXT_HARDIRQ, FARGS_CONTEXT_SOFTIRQ, FARGS_CONTEXT_RESCHED_PREEMPT,
		FARGS_CONTEXT_NMI, FARGS_CONTEXT_BH_OFF,
	};
	struct fargs_format_head head;
	unsigned int i;

	fargs_formats_head(d->formats, &ev->formatted, &head);
	for (i = 0; i < 8; i++)
		if (head.flags & 1u << i)
			ev->context |= contexts[i];
	ev->preempt_depth = head.preempt_count & 0xf;
	/*
	 * perf itself disables preemption once before it reads the depth. ftrace, whose events are
	 * in trace.dat files, subtracts this level from the depth, but perf does not.
	 */
	if (ev->preempt_depth && !d->meta->adopted)
		ev->preempt_depth--;
}

static void name_task(const struct fargs_decoder *d, const struct fargs_task *task,
		      struct fargs_event *ev)
{
	ev->shown_tid = ev->tid;
	if (d->has_ns) {
		ev->is_tid_unsure = !task || task->ns_tid == FARGS_NSPID_GONE;
		if (!ev->is_tid_unsure && task->ns_tid)
			ev->shown_tid = task->ns_tid;
	}
	if (task) {
		memcpy(ev->comm, task->comm, sizeof(ev->comm));
		ev->tgid = task->tgid;
	} else {
		strcpy(ev->comm, "<...>");
		ev->tgid = -1;
	}
}

/*
 * Is @func the function that was at @ip at time @tsc? If several modules had a function at @ip, one
 * after another, this is the function that was loaded last up to @tsc.
 */
static bool is_func_at(const struct fargs_decoder *d, const struct fargs_func *func, uint64_t ip,
		       uint64_t tsc)
{
	const struct fargs_func *next;

	if (!func || func->ip != ip || func->from_tsc > tsc)
		return false;
	next = func + 1;
	return next == d->funcs + d->nr_funcs || next->ip != ip || next->from_tsc > tsc;
}

static const struct fargs_func *find_func(struct fargs_decoder *d, uint64_t ip, uint64_t tsc)
{
	/*
	 * Functions are aligned to 16 bytes, and fentry is at the same offset in each, so the
	 * lowest 4 bits of @ip do not distinguish functions.
	 */
	const struct fargs_func **slot = &d->cache[(ip >> 4) % CACHE];

	if (!is_func_at(d, *slot, ip, tsc))
		*slot = fargs_meta_func(d->meta, ip, tsc);
	return *slot;
}

/*
 * Converts both times with the clock of the CPU that the function returned on. Even if the task has
 * migrated, the difference between the clocks of two CPUs is then not part of the duration.
 */
static void take_duration(struct fargs_decoder *d, struct fargs_event *ev)
{
	uint64_t entry_ns = fargs_clockline_ns(d->clock, ev->cpu, ev->entry_tsc);
	uint64_t return_ns = fargs_clockline_ns(d->clock, ev->cpu, ev->tsc);

	ev->has_duration = ev->entry_tsc <= ev->tsc && entry_ns <= return_ns;
	ev->duration_ns = ev->has_duration ? return_ns - entry_ns : 0;
}

/* Returns the types of ev->func, which are looked up at its first record. NULL: no memory. */
static struct fargs_func_types *types_of(struct fargs_decoder *d, const struct fargs_event *ev)
{
	struct fargs_func_types **types = &d->types[ev->func - d->funcs];

	if (!*types)
		*types = fargs_func_types_create(d->meta, ev->func, d->symbolic);
	return *types;
}

/* Does the same as decode_body() for a record that does not belong to a known function. */
static int decode_unknown(struct fargs_decoder *d, const struct fargs_record *rec,
			  struct fargs_event *ev)
{
	int ret = fargs_args_decode(&d->args, NULL, rec, ev);

	if (!ret && ev->has_entry)
		take_duration(d, ev);
	d->nr_unknown += !ret && rec->kind <= FARGS_KIND_TPOINT;
	return ret;
}

/*
 * Fills in the fields of @ev that come from the record's body. Returns 0, -EIO if the body is
 * corrupt, or -ENOMEM.
 */
static int decode_body(struct fargs_decoder *d, const struct fargs_record *rec,
		       struct fargs_event *ev)
{
	struct fargs_func_types *types;
	int ret;

	if (!ev->func)
		return decode_unknown(d, rec, ev);
	types = types_of(d, ev);
	if (!types)
		return -ENOMEM;
	ret = fargs_args_decode(&d->args, types, rec, ev);
	if (!ret && ev->has_entry)
		take_duration(d, ev);
	return ret;
}

/* Reads the values of LOST, TASK and SWITCH records. Returns 0, or -EIO if one is missing. */
static int take_kind(const struct fargs_record *rec, struct fargs_event *ev)
{
	struct fargs_task_change change;
	struct fargs_value val;

	if (rec->kind == FARGS_KIND_LOST) {
		if (!fargs_record_find(rec, "lost", FARGS_TYPE_U64, &val))
			return -EIO;
		ev->lost = fargs_value_u64(&val);
	} else if (rec->kind == FARGS_KIND_TASK) {
		if (fargs_tasks_read(rec, &change))
			return -EIO;
		ev->change = rec;
		ev->new_tid = change.new_tid;
		ev->old_tid = change.old_tid;
	} else if (rec->kind == FARGS_KIND_SWITCH) {
		if (!fargs_record_find(rec, "switch", FARGS_TYPE_S32, &val))
			return -EIO;
		ev->next_tid = (pid_t)fargs_value_u64(&val);
	}
	return 0;
}

int fargs_decoder_parse(struct fargs_decoder *d, const struct fargs_stamped *stamped,
			const struct fargs_task *task, struct fargs_event *ev)
{
	const struct fargs_record *rec = stamped->rec;
	struct fargs_event_body body;
	int ret = 0;

	memset(ev, 0, sizeof(*ev));
	ev->args = d->args.found;
	ev->cpu = stamped->cpu;
	ev->kind = rec->kind;
	ev->bytes = rec->len;
	ev->is_trigger = rec->flags & FARGS_RECORD_TRIGGER;
	ev->tsc = rec->tsc;
	ev->seq = rec->seq;
	ev->tid = (pid_t)rec->tid;
	ev->ip = rec->ip;
	ev->parent_ip = rec->parent_ip;
	ev->is_event = rec->flags & FARGS_RECORD_NS;
	if (!ev->is_event) {
		d->now_tsc = rec->tsc;
		ev->context = context_of(d, rec);
		ev->preempt_depth = rec->preempt & FARGS_PREEMPT_DEPTH;
	}
	ev->time_ns = stamped->ns;
	name_task(d, task, ev);
	if ((d->funcs != d->meta->funcs || d->nr_funcs != d->meta->nr_funcs) && take_funcs(d))
		return -ENOMEM;
	if (!fargs_decoder_clock(d))
		return -ENOMEM;

	if (rec->kind == FARGS_KIND_EVENT) {
		if (!d->formats || fargs_record_check(rec, rec->len, NULL) < 0)
			return -EIO;
		memcpy(&body, rec + 1, sizeof(body));
		ev->formatted = (struct fargs_formatted){
			.data = (const uint8_t *)(rec + 1) + sizeof(body),
			.bytes = body.bytes, .ns = rec->tsc,
		};
		take_head(d, ev);
		return 0;
	}
	if (rec->kind < FARGS_KIND_ENTRY || rec->kind > FARGS_KIND_SWITCH)
		ret = -EIO;
	if (rec->kind <= FARGS_KIND_TPOINT)
		ev->func = find_func(d, rec->ip, rec->tsc);
	ev->is_pair = ev->func && ev->func->layout_flags & FARGS_LAYOUT_GRAPH;
	if (!ret)
		ret = decode_body(d, rec, ev);
	if (!ret)
		ret = take_kind(rec, ev);
	if (ret == -EIO)
		ev->nr_args = 0;
	return ret;
}

void fargs_decoder_formatted(struct fargs_decoder *d, const struct fargs_formatted *formatted,
			     unsigned int cpu, const struct fargs_task *task,
			     struct fargs_event *ev)
{
	*ev = (struct fargs_event){
		.kind = FARGS_KIND_EVENT, .is_event = true, .cpu = cpu, .args = d->args.found,
		.bytes = formatted->bytes, .time_ns = formatted->ns, .tid = task->tid,
		.formatted = *formatted,
	};
	name_task(d, task, ev);
	take_head(d, ev);
}

static const struct fargs_task *task_at(const struct fargs_decoder *d, pid_t tid, uint64_t tsc)
{
	/* meta->names does not contain idle tasks. */
	if (d->meta->nr_names && tid)
		return fargs_task_names_find(d->meta, tid, tsc);
	return fargs_tasks_get(d->tasks, tid);
}

const struct fargs_task *fargs_decoder_task(const struct fargs_decoder *d,
					    const struct fargs_record *rec)
{
	return task_at(d, (pid_t)rec->tid, rec->tsc);
}

const struct fargs_ksyms *fargs_decoder_guest(const struct fargs_decoder *d,
					      const struct fargs_record *rec)
{
	struct fargs_guest_task who = { .tid = (pid_t)rec->tid, .tgid = -1 };
	const struct fargs_task *task, *leader;

	if (!d->meta->guests.nr || rec->kind != FARGS_KIND_EVENT)
		return NULL;
	task = fargs_decoder_task(d, rec);
	if (task) {
		who.tgid = task->tgid;
		who.comm = task->comm;
		leader = task->tgid > 0 ? task_at(d, task->tgid, rec->tsc) : NULL;
		who.process = leader ? leader->comm : NULL;
	}
	return fargs_guests_find(&d->meta->guests, &who);
}

/*
 * Looks up the task that was forked as @tid at time @tsc. Returns the task's id in its own pid
 * namespace, or 0 if that is equal to @tid. The time is needed because tids are reused.
 */
static pid_t find_nspid(const struct fargs_meta *meta, pid_t tid, uint64_t tsc)
{
	const struct fargs_nspid key = { .tid = tid, .from_tsc = tsc }, *found;

	found = meta->nr_nspids ? bsearch(&key, meta->nspids, meta->nr_nspids, sizeof(key),
					  fargs_meta_compare_nspids) : NULL;
	return found ? found->ns_tid : 0;
}

int fargs_decoder_follow(struct fargs_decoder *d, const struct fargs_record *rec)
{
	struct fargs_task_change change;
	int ret;

	/* Ignore corrupt records: they are reported and counted when they are parsed. */
	if (rec->kind != FARGS_KIND_TASK || fargs_record_check(rec, rec->len, NULL) < 0 ||
	    fargs_tasks_read(rec, &change))
		return 0;
	ret = fargs_tasks_record(d->tasks, rec);
	if (!ret && change.new_tid)
		fargs_tasks_set_ns(d->tasks, change.new_tid,
				   find_nspid(d->meta, change.new_tid, rec->tsc));
	return ret;
}

uint64_t fargs_decoder_nr_unknown(const struct fargs_decoder *d)
{
	return d->nr_unknown;
}

void fargs_decoder_count(struct fargs_decoder *d, unsigned int cpu, const struct fargs_record *rec,
			 bool is_corrupt)
{
	if (is_corrupt)
		fargs_account_corrupt(d->account, cpu, rec);
	else
		fargs_account_record(d->account, cpu, rec);
}

int fargs_decoder_event(struct fargs_decoder *d, unsigned int cpu, const struct fargs_record *rec,
			struct fargs_event *ev)
{
	struct fargs_stamped stamped = { .rec = rec, .cpu = cpu };
	int ret;

	if (!fargs_decoder_clock(d))
		return -ENOMEM;
	stamped.ns = rec->flags & FARGS_RECORD_NS ? rec->tsc :
		     fargs_clockline_ns(d->clock, cpu, rec->tsc);
	ret = fargs_decoder_parse(d, &stamped, fargs_decoder_task(d, rec), ev);
	ev->guest = fargs_decoder_guest(d, rec);
	if (!ret)
		ret = fargs_decoder_follow(d, rec);
	if (ret != -ENOMEM)
		fargs_decoder_count(d, cpu, rec, ret);
	return ret;
}

struct fargs_clockline *fargs_decoder_clock(struct fargs_decoder *d)
{
	return fargs_clockline_update(d->clock, d->meta) ? NULL : d->clock;
}

void fargs_decoder_set_zeros(struct fargs_decoder *d, bool has_zeros)
{
	d->has_zeros = has_zeros;
}

void fargs_decoder_set_ns(struct fargs_decoder *d, bool has_ns)
{
	d->has_ns = has_ns;
}

bool fargs_decoder_has_ns(const struct fargs_decoder *d)
{
	return d->has_ns;
}

bool fargs_decoder_has_zeros(const struct fargs_decoder *d)
{
	return d->has_zeros;
}

const struct fargs_ksym *fargs_decoder_symbol(struct fargs_decoder *d, uint64_t addr)
{
	size_t i = (addr * 0x9e3779b97f4a7c15ull) >> 52;

	if (d->lookups.find_symbol)
		return d->lookups.find_symbol(d->lookups.arg, addr, &d->found) ? &d->found : NULL;
	if (!d->meta->ksyms)
		return NULL;
	if (fargs_reloads_select(&d->reloads, d->now_tsc))
		memset(d->symbols, 0, sizeof(d->symbols));
	if (d->symbols[i].addr != addr) {
		d->symbols[i].addr = addr;
		d->symbols[i].sym = !d->reloads.nr ? fargs_ksyms_find_addr(d->meta->ksyms, addr) :
				    fargs_reloads_find_addr(&d->reloads, d->meta->ksyms, addr,
							    &d->moved[i]);
	}
	return d->symbols[i].sym;
}

/* Finds the object at exactly @addr. That of a module may have moved if modules were reloaded. */
static const struct fargs_ksym *find_object(struct fargs_decoder *d, uint64_t addr)
{
	const struct fargs_ksym *sym = fargs_ksyms_find_data(d->meta->ksyms, addr);

	return sym && sym->module && d->reloads.nr ? NULL : sym;
}

const struct fargs_ksym *fargs_decoder_target(struct fargs_decoder *d, uint64_t addr)
{
	const struct fargs_ksym *sym;

	if (!fargs_machine_is_image(addr))
		return NULL;
	sym = d->meta->ksyms ? find_object(d, addr) : NULL;
	if (!sym)
		sym = fargs_decoder_symbol(d, addr);
	/* "[name]" stands for the memory of a module of which no symbol is known. */
	return sym && sym->name[0] != '[' ? sym : NULL;
}

void fargs_decoder_set_symbols(struct fargs_decoder *d,
			       bool (*find)(void *arg, uint64_t addr, struct fargs_ksym *sym),
			       void *arg)
{
	d->lookups.find_symbol = find;
	d->lookups.arg = arg;
}

void *fargs_decoder_symbols_arg(const struct fargs_decoder *d)
{
	return d->lookups.arg;
}

void fargs_decoder_set_places(struct fargs_decoder *d,
			      void (*find)(void *arg, uint64_t addr,
					   struct fargs_event_place *place))
{
	d->lookups.find_place = find;
}

void fargs_decoder_set_code(struct fargs_decoder *d,
			    bool (*find)(void *arg, uint64_t addr, struct fargs_event_insn *insn))
{
	d->lookups.find_insn = find;
}

struct fargs_decoder_lookups fargs_decoder_lookups(const struct fargs_decoder *d)
{
	return d->lookups;
}

void fargs_decoder_set_lookups(struct fargs_decoder *d,
			       const struct fargs_decoder_lookups *lookups)
{
	d->lookups = *lookups;
}

void fargs_decoder_place(struct fargs_decoder *d, uint64_t addr, struct fargs_event_place *place)
{
	const struct fargs_ksym *sym;

	*place = (struct fargs_event_place){ .addr = addr };
	if (d->lookups.find_place) {
		d->lookups.find_place(d->lookups.arg, addr, place);
		return;
	}
	sym = fargs_decoder_symbol(d, addr);
	if (!sym)
		return;
	place->symbol = sym->name;
	place->offset = addr - sym->addr;
	place->module = sym->module;
}

bool fargs_decoder_insn(struct fargs_decoder *d, uint64_t addr, struct fargs_event_insn *insn)
{
	return d->lookups.find_insn && d->lookups.find_insn(d->lookups.arg, addr, insn);
}

struct fargs_formats *fargs_decoder_formats(struct fargs_decoder *d)
{
	return d->formats;
}

struct fargs_symbolic *fargs_decoder_symbolic(struct fargs_decoder *d)
{
	return d->symbolic;
}

struct fargs_account *fargs_decoder_account(struct fargs_decoder *d)
{
	return d->account;
}

const struct fargs_meta *fargs_decoder_meta(const struct fargs_decoder *d)
{
	return d->meta;
}
