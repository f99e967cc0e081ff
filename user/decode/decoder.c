// SPDX-License-Identifier: GPL-2.0-only
#include "decode/decoder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/btfs.h"
#include "decode/clock.h"
#include "decode/fetched.h"
#include "decode/tasks.h"
#include "decode/types.h"
#include "sym/ksyms.h"

/* Types of one function's arguments, looked up when its first record comes. */
struct types {
	const struct fargs_func *func;
	const struct btf *btf;
	bool is_variadic;
	bool has_empty;			/* some parameter is */
	struct fargs_fetched *fetched;	/* NULL: there is no BTF, or nothing was yet */
	uint32_t ret_id;		/* type of what it returns; 0: nothing, or not known */
	unsigned int nr_params;		/* without the "..." */
	struct param {
		const char *name;	/* owned by BTF */
		uint32_t btf_id;
		uint32_t base_id;
		uint8_t shape;
		bool is_empty;		/* a struct without members */
	} params[];
};

/* ip to function: a direct-mapped cache in front of the search. */
#define CACHE	4096

struct fargs_decoder {
	struct fargs_meta *meta;
	struct fargs_clockline *clock;
	struct fargs_tasks *tasks;
	struct fargs_account *account;
	const struct fargs_func *funcs;	/* what the caches are for */
	size_t nr_funcs;
	struct types **types;		/* by index in meta->funcs; NULL: not looked up */
	const struct fargs_func *cache[CACHE];
	struct {
		uint64_t addr;
		const struct fargs_ksym *sym;
	} symbols[CACHE];
	struct fargs_arg args[FARGS_RECORD_VALUES];
	struct fargs_arg ordered[FARGS_RECORD_VALUES];
};

static void drop_types(struct fargs_decoder *d)
{
	size_t i;

	for (i = 0; d->types && i < d->nr_funcs; i++) {
		if (d->types[i])
			fargs_fetched_destroy(d->types[i]->fetched);
		free(d->types[i]);
	}
	free(d->types);
	d->types = NULL;
	memset(d->cache, 0, sizeof(d->cache));
}

/* Follows meta when functions were added since. */
static int take_funcs(struct fargs_decoder *d)
{
	drop_types(d);
	d->funcs = d->meta->funcs;
	d->nr_funcs = d->meta->nr_funcs;
	d->types = calloc(d->nr_funcs ? d->nr_funcs : 1, sizeof(*d->types));
	return d->types ? 0 : -ENOMEM;
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
	if (!d->tasks || !d->account || take_funcs(d))
		goto no_memory;
	for (i = 0; i < meta->nr_tasks; i++)
		if (fargs_tasks_set(d->tasks, meta->tasks[i].tid, meta->tasks[i].tgid,
				    meta->tasks[i].comm, sizeof(meta->tasks[i].comm)))
			goto no_memory;
	/* What ftrace calls the tasks of all CPUs that share this number. */
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
	drop_types(d);
	fargs_clockline_destroy(d->clock);
	fargs_tasks_destroy(d->tasks);
	fargs_account_destroy(d->account);
	free(d);
}

static struct types *look_up_types(struct fargs_decoder *d, const struct fargs_func *func)
{
	const struct btf_type *proto = NULL;
	const struct btf_param *params;
	const struct btf *btf = NULL;
	struct types *types;
	unsigned int i, nr;
	bool is_variadic;

	if (d->meta->btfs && func->btf_id)
		btf = fargs_btfs_get(d->meta->btfs, func->module ? func->module :
				     FARGS_BTF_VMLINUX, NULL);
	if (btf)
		proto = fargs_types_proto(btf, func->btf_id);
	nr = proto ? btf_vlen(proto) : 0;
	params = proto ? btf_params(proto) : NULL;
	/* BTF's way to write "...": a last parameter without name and type. */
	is_variadic = nr && !params[nr - 1].type && !params[nr - 1].name_off;
	nr -= is_variadic;
	types = calloc(1, sizeof(*types) + nr * sizeof(types->params[0]));
	if (!types)
		return NULL;
	types->func = func;
	types->btf = btf;
	types->ret_id = proto ? proto->type : 0;
	types->nr_params = nr;
	types->is_variadic = is_variadic;
	for (i = 0; i < nr; i++) {
		types->params[i].name = btf__name_by_offset(btf, params[i].name_off);
		types->params[i].btf_id = params[i].type;
		types->params[i].base_id = fargs_types_base(btf, params[i].type);
		types->params[i].shape = fargs_types_shape(btf, types->params[i].base_id);
		types->params[i].is_empty = types->params[i].shape == FARGS_SHAPE_AGGREGATE &&
			!btf__type_by_id(btf, types->params[i].base_id)->size;
		types->has_empty |= types->params[i].is_empty;
	}
	return types;
}

/*
 * The parameter that a value belongs to: the one of its name, at or behind
 * *@from, since a record keeps their order; a parameter without a name stands
 * for any name at its own place.
 */
static const struct param *find_param(const struct types *types, const char *name,
				      unsigned int *from)
{
	const struct param *p;
	unsigned int i;

	for (i = *from; i < types->nr_params; i++) {
		p = &types->params[i];
		if (p->name && !strcmp(p->name, name)) {
			*from = i + 1;
			return p;
		}
	}
	i = *from;
	if (i < types->nr_params && (!types->params[i].name || !*types->params[i].name)) {
		*from = i + 1;
		return &types->params[i];
	}
	return NULL;
}

static unsigned int context_of(const struct fargs_decoder *d, const struct fargs_record *rec)
{
	const struct fargs_info *info = &d->meta->info;
	unsigned int context = 0;

	if (!(rec->eflags & FARGS_EFLAGS_IF))
		context |= FARGS_CONTEXT_IRQS_OFF;
	/* The count goes up by two for each disabling, by one for serving. */
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

static void name_task(struct fargs_decoder *d, struct fargs_event *ev)
{
	const struct fargs_task *task = fargs_tasks_get(d->tasks, ev->tid);

	if (task) {
		memcpy(ev->comm, task->comm, sizeof(ev->comm));
		ev->tgid = task->tgid;
	} else {
		strcpy(ev->comm, "<...>");
		ev->tgid = -1;
	}
}

static const struct fargs_func *find_func(struct fargs_decoder *d, uint64_t ip)
{
	/* Functions are aligned to 16, their fentry a constant behind it. */
	const struct fargs_func **slot = &d->cache[(ip >> 4) % CACHE];

	if (!*slot || (*slot)->ip != ip)
		*slot = fargs_meta_func(d->meta, ip);
	return *slot;
}

static void describe(struct fargs_arg *arg, const struct types *types, const struct param *param)
{
	arg->is_fetched = false;
	arg->is_hex = false;
	arg->is_range = false;
	arg->name_len = 0;
	arg->btf = param ? types->btf : NULL;
	arg->btf_id = param ? param->btf_id : 0;
	arg->base_id = param ? param->base_id : 0;
	arg->shape = param ? param->shape : FARGS_SHAPE_PLAIN;
}

/* Structs without members take no place in a record: puts in those in [@from, @to). */
static unsigned int put_empty(struct fargs_decoder *d, const struct types *types,
			      unsigned int from, unsigned int to, unsigned int n)
{
	for (; from < to && n < FARGS_RECORD_VALUES; from++) {
		const struct param *param = &types->params[from];

		if (!param->is_empty)
			continue;
		memset(&d->args[n], 0, sizeof(d->args[n]));
		d->args[n].val.name = param->name;
		d->args[n].val.type = FARGS_TYPE_BYTES;
		d->args[n].val.data = (const uint8_t *)"";
		describe(&d->args[n++], types, param);
	}
	return n;
}

static int describe_fetched(struct types *types, struct fargs_arg *arg)
{
	if (!types->btf)
		return 0;
	if (!types->fetched)
		types->fetched = fargs_fetched_create(types->btf, types->func->btf_id);
	return types->fetched ? fargs_fetched_describe(types->fetched, arg) : -ENOMEM;
}

static void describe_type(struct fargs_arg *arg, const struct btf *btf, uint32_t id)
{
	arg->btf = btf;
	arg->btf_id = id;
	arg->base_id = fargs_types_base(btf, id);
	arg->shape = fargs_types_shape(btf, arg->base_id);
}

/*
 * What was fetched at the call has an expression for a name ("file->f_flags",
 * "*pos"): true for those whose first name is @param.
 */
static bool is_fetched_from(const char *name, const char *param)
{
	size_t len = strlen(param), skip = strspn(name, "*&(");

	name += skip;
	if (!len || strncmp(name, param, len))
		return false;
	name += len;
	return *name ? strchr("-.[:)", *name) != NULL : skip != 0;
}

/*
 * A record has the parameters first and then what was fetched, strings last of
 * all. A line shows what was fetched behind the parameter it was fetched from.
 */
static void order(struct fargs_decoder *d, struct fargs_event *ev, unsigned int nr_params)
{
	unsigned int i, j, n = 0, nr = ev->nr_args;

	if (nr <= nr_params)
		return;
	for (i = 0; i < nr_params; i++) {
		d->ordered[n++] = d->args[i];
		for (j = nr_params; j < nr; j++)
			if (is_fetched_from(d->args[j].val.name, d->args[i].val.name))
				d->ordered[n++] = d->args[j];
	}
	for (j = nr_params; j < nr; j++) {
		for (i = 0; i < nr_params; i++)
			if (is_fetched_from(d->args[j].val.name, d->args[i].val.name))
				break;
		if (i == nr_params)
			d->ordered[n++] = d->args[j];
	}
	ev->args = d->ordered;
}

static bool is_stack(const struct fargs_value *val)
{
	return val->type == FARGS_TYPE_BYTES && !val->is_fault && val->name[0] == '$' &&
	       !strcmp(val->name, FARGS_NAME_STACK);
}

static bool is_entry_time(const struct fargs_record *rec, const struct fargs_value *val)
{
	return rec->kind == FARGS_KIND_RETURN && val->type == FARGS_TYPE_U64 && !val->is_fault &&
	       !strcmp(val->name, FARGS_NAME_ENTRY);
}

/*
 * By the clock of the CPU of the return: a task may have come from another CPU, but
 * where their clocks differ the difference is no part of the duration.
 */
static void take_duration(struct fargs_decoder *d, struct fargs_event *ev, uint64_t entry_tsc)
{
	uint64_t entry_ns = fargs_clockline_ns(d->clock, ev->cpu, entry_tsc);

	ev->entry_tsc = entry_tsc;
	ev->has_duration = entry_tsc <= ev->tsc && entry_ns <= ev->time_ns;
	ev->duration_ns = ev->has_duration ? ev->time_ns - entry_ns : 0;
}

/* Fills ev->args, ret and out from the body; -EIO when that makes no sense. */
static int decode_body(struct fargs_decoder *d, const struct fargs_record *rec,
		       struct fargs_event *ev)
{
	unsigned int n = 0, from = 0, was, nr_params = 0;
	bool is_return = false, has_ret = false;
	const struct param *param;
	struct types *types = NULL;
	struct fargs_value val;
	struct fargs_values it;
	int ret;

	if (ev->func) {
		size_t i = ev->func - d->funcs;

		if (!d->types[i])
			d->types[i] = look_up_types(d, ev->func);
		types = d->types[i];
		if (!types)
			return -ENOMEM;
		ev->is_variadic = types->is_variadic;
	}
	fargs_record_values(rec, &it);
	while (n < FARGS_RECORD_VALUES) {
		ret = fargs_record_next(&it, &val, NULL);
		if (ret < 0)
			return ret;
		if (!ret)
			break;
		if (!is_return && is_entry_time(rec, &val)) {
			is_return = true;
			if (types && types->has_empty)
				n = put_empty(d, types, from, types->nr_params, n);
			ev->nr_args = n;
			take_duration(d, ev, fargs_value_u64(&val));
			continue;
		}
		if (is_stack(&val)) {
			ev->stack = val.data;
			ev->nr_stack = val.bytes / 8;
			continue;
		}
		was = from;
		param = types && !is_return ? find_param(types, val.name, &from) : NULL;
		if (param && types->has_empty)
			n = put_empty(d, types, was, from - 1, n);
		if (n == FARGS_RECORD_VALUES)
			break;
		d->args[n].val = val;
		describe(&d->args[n], types, param);
		if (is_return && n == ev->nr_args && !strcmp(val.name, FARGS_NAME_RETURN)) {
			has_ret = true;
			if (types && types->ret_id)
				describe_type(&d->args[n], types->btf, types->ret_id);
		} else if (types && !param) {
			ret = describe_fetched(types, &d->args[n]);
			if (ret)
				return ret;
		}
		n++;
		if (param)
			nr_params = n;
	}
	if (is_return) {
		if (has_ret)
			ev->ret = &d->args[ev->nr_args];
		ev->out = &d->args[ev->nr_args + has_ret];
		ev->nr_out = n - ev->nr_args - has_ret;
	} else {
		if (types && types->has_empty)
			n = put_empty(d, types, from, types->nr_params, n);
		ev->nr_args = n;
	}
	order(d, ev, nr_params);
	return 0;
}

int fargs_decoder_event(struct fargs_decoder *d, unsigned int cpu, const struct fargs_record *rec,
			struct fargs_event *ev)
{
	struct fargs_value val;
	int ret;

	memset(ev, 0, sizeof(*ev));
	ev->args = d->args;
	ev->cpu = cpu;
	ev->kind = rec->kind;
	ev->tsc = rec->tsc;
	ev->seq = rec->seq;
	ev->tid = (pid_t)rec->tid;
	ev->ip = rec->ip;
	ev->parent_ip = rec->parent_ip;
	ev->context = context_of(d, rec);
	ev->preempt_depth = rec->preempt & FARGS_PREEMPT_DEPTH;
	if (fargs_clockline_update(d->clock, d->meta))
		return -ENOMEM;
	ev->time_ns = fargs_clockline_ns(d->clock, cpu, rec->tsc);
	name_task(d, ev);
	if ((d->funcs != d->meta->funcs || d->nr_funcs != d->meta->nr_funcs) && take_funcs(d))
		return -ENOMEM;

	if (rec->kind < FARGS_KIND_ENTRY || rec->kind > FARGS_KIND_TASK)
		goto corrupt;
	if (rec->kind == FARGS_KIND_ENTRY || rec->kind == FARGS_KIND_RETURN)
		ev->func = find_func(d, rec->ip);
	ret = decode_body(d, rec, ev);
	if (ret == -ENOMEM)
		return ret;
	if (ret)
		goto corrupt;

	if (rec->kind == FARGS_KIND_LOST) {
		if (!fargs_record_find(rec, "lost", FARGS_TYPE_U64, &val))
			goto corrupt;
		ev->lost = fargs_value_u64(&val);
	} else if (rec->kind == FARGS_KIND_TASK) {
		ret = fargs_tasks_record(d->tasks, rec);
		if (ret == -ENOMEM)
			return ret;
		if (ret)
			goto corrupt;
		if (fargs_record_find(rec, "fork", FARGS_TYPE_S32, &val))
			ev->new_tid = (pid_t)fargs_value_s64(&val);
		else if (fargs_record_find(rec, "exec", FARGS_TYPE_S32, &val))
			ev->old_tid = (pid_t)fargs_value_s64(&val);
	}
	fargs_account_record(d->account, cpu, rec);
	return 0;

corrupt:
	ev->nr_args = 0;
	fargs_account_corrupt(d->account, cpu);
	return -EIO;
}

const struct fargs_ksym *fargs_decoder_symbol(struct fargs_decoder *d, uint64_t addr)
{
	size_t i = (addr * 0x9e3779b97f4a7c15ull) >> 52;

	if (!d->meta->ksyms)
		return NULL;
	if (d->symbols[i].addr != addr) {
		d->symbols[i].addr = addr;
		d->symbols[i].sym = fargs_ksyms_find_addr(d->meta->ksyms, addr);
	}
	return d->symbols[i].sym;
}

struct fargs_account *fargs_decoder_account(struct fargs_decoder *d)
{
	return d->account;
}

const struct fargs_meta *fargs_decoder_meta(const struct fargs_decoder *d)
{
	return d->meta;
}
