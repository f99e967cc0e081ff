// SPDX-License-Identifier: GPL-2.0-only
#include "sink/json/json_event.h"

#include <errno.h>
#include <string.h>

#include "abi/machine.h"
#include "base/errname.h"
#include "base/put.h"
#include "kernel/sym/ksyms.h"
#include "model/event_kind.h"
#include "model/event_record.h"
#include "model/formats.h"
#include "model/tasks.h"
#include "select/typing/typename.h"
#include "sink/json/json.h"
#include "sink/text/value.h"

/* State while a line is written. */
struct line {
	struct fargs_buf *out;
	struct fargs_decoder *d;	/* provides the formats of events */
	struct fargs_decoder *types;	/* equal to @d; NULL: raw output, without types */
	bool is_first;			/* no member was written yet */
};

static void put_key(struct line *l, const char *key)
{
	fargs_put_char(l->out, ',');
	fargs_json_put_key(l->out, key);
}

static void put_string(struct line *l, const char *key, const char *text)
{
	put_key(l, key);
	fargs_json_put_string(l->out, text, strlen(text));
}

static void put_u64(struct line *l, const char *key, uint64_t v)
{
	put_key(l, key);
	fargs_json_put_u64(l->out, v);
}

static void put_s64(struct line *l, const char *key, int64_t v)
{
	put_key(l, key);
	fargs_json_put_s64(l->out, v);
}

static void put_context(struct line *l, const struct fargs_event *ev)
{
	/* Names of the flags of enum fargs_context, indexed by bit number. */
	static const char *const words[] = {
		"irqs_off", "bh_off", "need_resched", "need_resched_lazy", "preempt_resched",
		"softirq", "hardirq", "nmi",
	};
	unsigned int i;
	bool is_first = true;

	put_key(l, "context");
	fargs_put_char(l->out, '[');
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!(ev->context & 1u << i))
			continue;
		if (!is_first)
			fargs_put_char(l->out, ',');
		is_first = false;
		fargs_json_put_string(l->out, words[i], strlen(words[i]));
	}
	fargs_put_char(l->out, ']');
	put_u64(l, "preempt_depth", ev->preempt_depth);
}

/* Writes the members that all lines contain, except for the lines of losses. */
static void put_head(struct line *l, const struct fargs_event *ev, const char *type)
{
	fargs_put(l->out, "{\"type\":\"");
	fargs_put(l->out, type);
	fargs_put_char(l->out, '"');
	if (!ev->has_no_time)
		put_u64(l, "time_ns", ev->time_ns);
	if (ev->estimated_ns && !ev->has_no_time)
		put_u64(l, "estimated_ns", ev->estimated_ns);
	if (!ev->has_no_cpu)
		put_u64(l, "cpu", ev->cpu);
	put_s64(l, "tid", ev->tid);
	if (ev->tgid >= 0)
		put_s64(l, "pid", ev->tgid);
	put_string(l, "comm", ev->comm);
	if (l->types && fargs_decoder_has_ns(l->types)) {
		put_key(l, "ns_tid");
		if (ev->is_tid_unsure)
			fargs_put(l->out, "null");
		else
			fargs_json_put_s64(l->out, ev->shown_tid);
	}
}

static void put_type(struct line *l, const struct fargs_arg *arg)
{
	char name[FARGS_TYPENAME_MAX];
	const char *text = fargs_type_name(arg->val.type);

	if (l->types && arg->btf && arg->btf_id)
		text = fargs_typename(arg->btf, arg->btf_id, name);
	fargs_json_put_key(l->out, "type");
	if (arg->is_range && text == name) {
		fargs_put_char(l->out, '"');
		fargs_json_put_inside(l->out, text, strlen(text));
		fargs_put(l->out, "[]\"");
	} else {
		fargs_json_put_string(l->out, text, strlen(text));
	}
}

/* Writes the member "text", the name of a number or pointer, if it has one. */
static void put_text(struct line *l, const struct fargs_arg *arg)
{
	unsigned int bytes = fargs_type_width(arg->val.type);
	uint64_t v = fargs_value_u64(&arg->val);
	struct fargs_buf text = { };

	if (arg->val.type == FARGS_TYPE_PTR ? fargs_value_put_target(&text, l->d, v) :
	    bytes && bytes <= 8 && fargs_value_put_named(&text, l->d, arg->naming, v, bytes)) {
		put_key(l, "text");
		fargs_json_put_string(l->out, text.text, text.n);
	}
	l->out->is_short |= text.is_short;
	fargs_buf_deinit(&text);
}

/* Can @arg be the address of an object of the kernel or a module? */
static bool is_object(const struct fargs_arg *arg)
{
	return arg->val.type == FARGS_TYPE_PTR && arg->shape != FARGS_SHAPE_FUNC &&
	       fargs_machine_is_image(fargs_value_u64(&arg->val));
}

/* Writes the members "type" and "value" of @arg, and "text" if it has a name. */
static void put_typed(struct line *l, const struct fargs_arg *arg)
{
	put_type(l, arg);
	put_key(l, "value");
	fargs_json_put_value(l->out, l->types, arg);
	if (l->types && !arg->val.is_fault && (arg->naming || is_object(arg)))
		put_text(l, arg);
	if (arg->val.is_cut)
		fargs_put(l->out, ",\"cut\":true");
}

static void put_args(struct line *l, const char *key, const struct fargs_arg *args, unsigned int nr)
{
	unsigned int i;
	const char *name;

	put_key(l, key);
	fargs_put_char(l->out, '[');
	for (i = 0; i < nr; i++) {
		name = args[i].val.name;
		fargs_put(l->out, i ? ",{" : "{");
		fargs_json_put_key(l->out, "name");
		fargs_json_put_string(l->out, name, strlen(name));
		fargs_put_char(l->out, ',');
		put_typed(l, &args[i]);
		fargs_put_char(l->out, '}');
	}
	fargs_put_char(l->out, ']');
}

static void put_stack(struct line *l, const struct fargs_event *ev)
{
	const uint8_t *p = ev->stack;
	unsigned int i;
	uint64_t addr;

	put_key(l, "stack");
	fargs_put_char(l->out, '[');
	for (i = 0; i < ev->nr_stack; i++) {
		if (i)
			fargs_put_char(l->out, ',');
		memcpy(&addr, p + 8 * i, sizeof(addr));
		fargs_json_put_symbol(l->out, l->types, addr);
	}
	fargs_put_char(l->out, ']');
}

static void put_result(struct line *l, const struct fargs_event *ev)
{
	int error = ev->ret && l->types ? fargs_value_error(ev->ret) : 0;
	const char *name = error ? fargs_errname(-error) : NULL;

	if (ev->ret) {
		put_key(l, "result");
		fargs_put_char(l->out, '{');
		put_typed(l, ev->ret);
		if (name)
			put_string(l, "error", name);
		fargs_put_char(l->out, '}');
	}
	if (ev->nr_out)
		put_args(l, "out", ev->out, ev->nr_out);
	if (ev->has_duration)
		put_u64(l, "duration_ns", ev->duration_ns);
	if (ev->trace && ev->trace->has_bounds) {
		put_u64(l, "duration_min_ns", ev->trace->least_ns);
		put_u64(l, "duration_max_ns", ev->trace->most_ns);
	}
}

static void put_call(struct line *l, const struct fargs_event *ev, const char *type)
{
	const struct fargs_ksym *sym = l->types && !ev->func ? fargs_decoder_symbol(l->d, ev->ip)
							      : NULL;

	put_head(l, ev, type);
	if (!ev->has_no_context)
		put_context(l, ev);
	if (!ev->has_no_seq)
		put_u64(l, "seq", ev->seq);
	if (ev->trace) {
		put_string(l, "flags", ev->trace->word);
		put_u64(l, "depth", ev->trace->depth);
	}
	if (l->types && ev->func) {
		put_string(l, "name", ev->func->name);
		if (ev->func->module)
			put_string(l, "module", ev->func->module);
	} else if (sym) {
		put_string(l, "name", sym->name);
		if (sym->module)
			put_string(l, "module", sym->module);
	}
	if (ev->kind == FARGS_KIND_TPOINT) {
		put_u64(l, "id", ev->ip);
	} else {
		put_key(l, "address");
		fargs_json_put_hex(l->out, ev->ip);
	}
	put_args(l, "args", ev->args, ev->nr_args);
	if (l->types && ev->is_variadic)
		fargs_put(l->out, ",\"variadic\":true");
	if (l->types && ev->func && ev->func->layout_flags & FARGS_FUNC_UNPROVEN)
		fargs_put(l->out, ",\"unproven\":true");
	/* Without lines of returns, a call that Intel PT shows has the result of its record. */
	if (ev->kind == FARGS_KIND_RETURN || ev->trace)
		put_result(l, ev);
	if (ev->parent_ip || !ev->trace) {
		put_key(l, "caller");
		fargs_json_put_symbol(l->out, l->types, ev->parent_ip);
	}
	if (ev->nr_stack)
		put_stack(l, ev);
	if (ev->is_trigger)
		fargs_put(l->out, ",\"trigger\":true");
}

static void put_numbers(struct line *l, const struct fargs_field *field)
{
	unsigned int i;
	uint64_t v;

	if (field->is_array)
		fargs_put_char(l->out, '[');
	for (i = 0; i < field->nr; i++) {
		if (i)
			fargs_put_char(l->out, ',');
		v = fargs_field_number(field, i);
		if (field->kind == FARGS_FIELD_PTR)
			fargs_json_put_hex(l->out, v);
		else if (field->kind == FARGS_FIELD_SIGNED)
			fargs_json_put_s64(l->out, v);
		else
			fargs_json_put_u64(l->out, v);
	}
	if (field->is_array)
		fargs_put_char(l->out, ']');
}

static void put_field_value(struct line *l, const struct fargs_field *field)
{
	if (field->kind == FARGS_FIELD_STRING) {
		fargs_json_put_text(l->out, field->data, field->bytes);
	} else if (field->kind == FARGS_FIELD_BYTES) {
		fargs_put(l->out, "{\"bytes\":");
		fargs_json_put_bytes(l->out, field->data, field->bytes);
		fargs_put_char(l->out, '}');
	} else {
		put_numbers(l, field);
	}
}

static int put_field(void *arg, const struct fargs_field *field)
{
	struct line *l = arg;

	fargs_put(l->out, l->is_first ? "{" : ",{");
	l->is_first = false;
	fargs_json_put_key(l->out, "name");
	fargs_json_put_string(l->out, field->name, strlen(field->name));
	put_string(l, "type", field->type);
	put_key(l, "value");
	put_field_value(l, field);
	fargs_put_char(l->out, '}');
	return 0;
}

static int put_formatted(struct line *l, const struct fargs_event *ev)
{
	struct fargs_formats *formats = fargs_decoder_formats(l->d);
	struct fargs_format_head head;
	const char *text;
	size_t n, at;

	fargs_formats_head(formats, &ev->formatted, &head);
	put_head(l, ev, "event");
	put_context(l, ev);
	if (head.name) {
		put_string(l, "system", head.system);
		put_string(l, "name", head.name);
	}
	put_u64(l, "id", head.id);
	at = l->out->n;
	put_key(l, "args");
	fargs_put_char(l->out, '[');
	l->is_first = true;
	if (fargs_formats_fields(formats, &ev->formatted, put_field, l)) {
		l->out->n = at;
		put_key(l, "bytes");
		fargs_json_put_bytes(l->out, ev->formatted.data,
				     ev->formatted.bytes > FARGS_EVENT_RAW_MAX ?
				     FARGS_EVENT_RAW_MAX : ev->formatted.bytes);
		return 0;
	}
	fargs_put_char(l->out, ']');
	if (!l->types)
		return 0;
	text = fargs_formats_text(formats, &ev->formatted, ev->guest, false, &n);
	if (!text)
		return -ENOMEM;
	put_key(l, "text");
	fargs_json_put_string(l->out, text, n);
	return 0;
}

static void put_place(struct line *l, const char *key, const struct fargs_event_place *place)
{
	put_key(l, key);
	fargs_put(l->out, "{\"address\":");
	fargs_json_put_hex(l->out, place->addr);
	if (place->symbol) {
		put_string(l, "symbol", place->symbol);
		put_u64(l, "offset", place->offset);
	}
	if (place->module)
		put_string(l, "module", place->module);
	else if (place->file)
		put_string(l, "file", place->file);
	fargs_put_char(l->out, '}');
}

static void put_cycles(struct line *l, unsigned int cycles)
{
	fargs_put(l->out, ",\"cycles\":");
	fargs_put_u64(l->out, cycles, 0, 0);
}

static void put_last_branches(struct line *l, const struct fargs_event *ev)
{
	unsigned int i;

	put_key(l, "last_branches");
	fargs_put_char(l->out, '[');
	for (i = 0; i < ev->nr_last_branches; i++) {
		fargs_put(l->out, i ? ",{" : "{");
		fargs_json_put_key(l->out, "from");
		fargs_json_put_symbol(l->out, l->types, ev->last_branches[i].from);
		fargs_put_char(l->out, ',');
		fargs_json_put_key(l->out, "to");
		fargs_json_put_symbol(l->out, l->types, ev->last_branches[i].to);
		if (ev->is_mispredicted || ev->last_branches[i].is_mispredicted)
			fargs_put(l->out, ",\"mispredicted\":true");
		if (ev->last_branches[i].cycles)
			put_cycles(l, ev->last_branches[i].cycles);
		fargs_put_char(l->out, '}');
	}
	fargs_put_char(l->out, ']');
}

/* Writes a sample, a branch or an instruction. */
static void put_sample(struct line *l, const struct fargs_event *ev, const char *type)
{
	const struct fargs_event_sample *sample = ev->sample;

	put_head(l, ev, type);
	put_string(l, "name", sample->event);
	if (ev->kind == FARGS_EVENT_SAMPLE || ev->kind == FARGS_EVENT_INSN)
		put_u64(l, "period", sample->period);
	if (sample->flags && *sample->flags)
		put_string(l, "flags", sample->flags);
	if (sample->marks && *sample->marks)
		put_string(l, "marks", sample->marks);
	if (sample->has_place)
		put_place(l, "place", &sample->place);
	if (sample->has_target)
		put_place(l, "target", &sample->target);
	if (ev->nr_stack)
		put_stack(l, ev);
	if (ev->last_branches)
		put_last_branches(l, ev);
}

/* Writes the values of what Intel PT reports besides branches, also those of a PEBS record. */
static void put_values(struct line *l, const struct fargs_event *ev)
{
	unsigned int nr = ev->sample->nr_values, i;
	const struct fargs_arg *args = ev->args + ev->nr_args - nr;

	if (ev->sample->synth && *ev->sample->synth)
		put_string(l, "text", ev->sample->synth);
	put_key(l, "values");
	fargs_put_char(l->out, '{');
	for (i = 0; i < nr; i++) {
		if (i)
			fargs_put_char(l->out, ',');
		fargs_json_put_string(l->out, args[i].val.name, strlen(args[i].val.name));
		fargs_put_char(l->out, ':');
		fargs_json_put_value(l->out, l->types, &args[i]);
	}
	fargs_put_char(l->out, '}');
}

static void put_error(struct line *l, const struct fargs_event *ev)
{
	const struct fargs_event_error *error = ev->error;

	put_head(l, ev, "error");
	put_key(l, "address");
	fargs_json_put_hex(l->out, ev->ip);
	put_u64(l, "offset", error->offset);
	if (error->code)
		put_u64(l, "code", error->code);
	put_string(l, "text", error->text);
	if (error->has_count)
		put_u64(l, "count", error->count);
}

static void put_lost(struct line *l, const struct fargs_event *ev)
{
	fargs_put(l->out, "{\"type\":\"lost\"");
	if (ev->time_ns)
		put_u64(l, "time_ns", ev->time_ns);
	put_u64(l, "cpu", ev->cpu);
	put_string(l, "of", ev->is_event ? "events" : "calls");
	if (ev->lost)
		put_u64(l, "lost", ev->lost);
}

static void put_task(struct line *l, const struct fargs_event *ev)
{
	struct fargs_task_change change;

	if (fargs_tasks_read(ev->change, &change))
		return;
	put_head(l, ev, "task");
	put_string(l, "change", change.new_tid ? "fork" : change.old_tid ? "exec" : "rename");
	put_key(l, "task");
	fargs_put(l->out, "{\"tid\":");
	fargs_json_put_s64(l->out, change.task.tid);
	if (change.task.tgid >= 0)
		put_s64(l, "pid", change.task.tgid);
	/* If a forked task has no name yet, it has its parent's name. */
	put_string(l, "comm", change.new_tid && !*change.task.comm ? ev->comm : change.task.comm);
	if (change.old_tid)
		put_s64(l, "old_tid", change.old_tid);
	fargs_put_char(l->out, '}');
}

static int put_event(struct line *l, const struct fargs_event *ev)
{
	size_t at = l->out->n;
	int ret = 0;

	switch (ev->kind) {
	case FARGS_KIND_ENTRY:
		put_call(l, ev, "call");
		break;
	case FARGS_KIND_RETURN:
		put_call(l, ev, "return");
		break;
	case FARGS_KIND_TPOINT:
		put_call(l, ev, "tracepoint");
		break;
	case FARGS_KIND_EVENT:
		ret = put_formatted(l, ev);
		break;
	case FARGS_EVENT_SAMPLE:
		put_sample(l, ev, "sample");
		if (ev->sample->nr_values)
			put_values(l, ev);
		break;
	case FARGS_EVENT_BRANCH:
		put_sample(l, ev, "branch");
		break;
	case FARGS_EVENT_INSN:
		put_sample(l, ev, "instruction");
		break;
	case FARGS_EVENT_ERROR:
		put_error(l, ev);
		break;
	case FARGS_EVENT_PTWRITE:
	case FARGS_EVENT_POWER:
	case FARGS_EVENT_PSB:
	case FARGS_EVENT_TRANSACTION:
	case FARGS_EVENT_CFE:
	case FARGS_EVENT_IFLAG:
		put_sample(l, ev, fargs_event_kind_name(ev->kind));
		put_values(l, ev);
		break;
	case FARGS_KIND_LOST:
		put_lost(l, ev);
		break;
	case FARGS_KIND_TASK:
		put_task(l, ev);
		break;
	case FARGS_KIND_SWITCH:
		put_head(l, ev, "switch");
		put_s64(l, "next_tid", ev->next_tid);
		break;
	}
	if (!ret && l->out->n > at)
		fargs_put(l->out, "}\n");
	return ret ? ret : l->out->is_short ? -ENOMEM : 0;
}

int fargs_json_event(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	struct line l = { .out = out, .d = d, .types = d };

	return put_event(&l, ev);
}

int fargs_json_event_raw(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev)
{
	struct line l = { .out = out, .d = d };

	return put_event(&l, ev);
}

/* Writes @field as a member of a JSON object. */
static int put_named_field(void *arg, const struct fargs_field *field)
{
	struct line *l = arg;

	if (!l->is_first)
		fargs_put_char(l->out, ',');
	l->is_first = false;
	fargs_json_put_string(l->out, field->name, strlen(field->name));
	fargs_put_char(l->out, ':');
	put_field_value(l, field);
	return 0;
}

/* Writes a member, and another one if text output shows more than the number. */
static void put_named_arg(struct line *l, const char *name, const struct fargs_arg *arg,
			  bool is_result)
{
	struct fargs_buf text = { };

	if (!l->is_first)
		fargs_put_char(l->out, ',');
	l->is_first = false;
	fargs_json_put_string(l->out, name, strlen(name));
	fargs_put_char(l->out, ':');
	fargs_json_put_value(l->out, l->types, arg);
	if (fargs_value_put_symbolic(&text, l->d, arg, is_result)) {
		fargs_put(l->out, ",\"");
		fargs_json_put_inside(l->out, name, strlen(name));
		fargs_put(l->out, " (text)\":");
		fargs_json_put_string(l->out, text.text, text.n);
	}
	l->out->is_short |= text.is_short;
	fargs_buf_deinit(&text);
}

static void put_named_args(struct line *l, const struct fargs_arg *args, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		put_named_arg(l, args[i].val.name, &args[i], false);
}

int fargs_json_event_args(struct fargs_buf *out, struct fargs_decoder *d,
			  const struct fargs_event *ev)
{
	struct line l = { .out = out, .d = d, .types = d, .is_first = true };

	fargs_put_char(out, '{');
	switch (ev->kind) {
	case FARGS_KIND_EVENT:
		fargs_formats_fields(fargs_decoder_formats(d), &ev->formatted, put_named_field, &l);
		break;
	case FARGS_KIND_LOST:
		fargs_put(out, "\"lost\":");
		fargs_json_put_u64(out, ev->lost);
		put_string(&l, "of", ev->is_event ? "events" : "calls");
		put_u64(&l, "cpu", ev->cpu);
		break;
	case FARGS_EVENT_ERROR:
		fargs_put(out, "\"text\":");
		fargs_json_put_string(out, ev->error->text, strlen(ev->error->text));
		break;
	case FARGS_KIND_SWITCH:
		fargs_put(out, "\"next_tid\":");
		fargs_json_put_s64(out, ev->next_tid);
		break;
	default:
		put_named_args(&l, ev->args, ev->nr_args);
		if (ev->ret)
			put_named_arg(&l, "$ret", ev->ret, true);
		if (!ev->nr_out)
			break;
		/*
		 * An argument may have been fetched both at the call and at the return. Values
		 * fetched at the return are therefore nested in "$out".
		 */
		fargs_put(out, l.is_first ? "\"$out\":{" : ",\"$out\":{");
		l.is_first = true;
		put_named_args(&l, ev->out, ev->nr_out);
		fargs_put_char(out, '}');
	}
	fargs_put_char(out, '}');
	return out->is_short ? -ENOMEM : 0;
}
