// SPDX-License-Identifier: GPL-2.0-only
/*
 * Perfetto traces: protobuf, with the field numbers of the public schema
 * (protos/perfetto/trace/trace_packet.proto and track_event/).
 *
 * A call that has returned is a slice, and every other event is an instant; both are on the track
 * of their task. Losses are a counter track per CPU.
 */
#include "sink/export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "model/formats.h"
#include "model/types.h"
#include "model/visit.h"
#include "sink/export/field_text.h"
#include "sink/export/named.h"
#include "sink/export/proto.h"
#include "sink/export/task_set.h"
#include "sink/text/value.h"

#define TRACE_PACKET		1

#define PACKET_TIMESTAMP	8
#define PACKET_SEQUENCE		10
#define PACKET_EVENT		11
#define PACKET_TRACK		60

#define TRACK_UUID		1
#define TRACK_NAME		2
#define TRACK_THREAD		4
#define TRACK_COUNTER		8

#define THREAD_PID		1
#define THREAD_TID		2
#define THREAD_NAME		5

#define EVENT_ANNOTATION	4
#define EVENT_TYPE		9
#define EVENT_TRACK		11
#define EVENT_CATEGORY		22
#define EVENT_NAME		23
#define EVENT_COUNTER		30

#define TYPE_BEGIN		1
#define TYPE_END		2
#define TYPE_INSTANT		3
#define TYPE_COUNTER		4

/* Field numbers of debug annotations. */
#define NOTE_BOOL		2
#define NOTE_UINT		3
#define NOTE_INT		4
#define NOTE_STRING		6
#define NOTE_POINTER		7
#define NOTE_NAME		10
#define NOTE_ENTRY		11
#define NOTE_ELEMENT		12

/* Id of the packet sequence: arbitrary, but the same for all packets. */
#define SEQUENCE	1

/* UUIDs of the tracks of tasks, and of the tracks that count the losses of a CPU. */
#define TASK_UUID(id)	(1ull << 40 ^ (uint64_t)(uint32_t)(id) ^ ((id) < 0 ? 1ull << 33 : 0))
#define LOST_UUID(cpu)	(1ull << 41 | (cpu))

/* Maximum nesting of values; for each level, a protobuf message is open. */
#define DEPTH_MAX	64

struct perfetto {
	struct fargs_export e;
	struct fargs_task_set tasks;
	uint64_t *lost;		/* number of lost records up to the current event, indexed by CPU */
	unsigned int nr_cpus;
	uint64_t last_ns;
};

static size_t begin_packet(struct fargs_buf *out, uint64_t ns)
{
	size_t packet = fargs_proto_begin(out, TRACE_PACKET);

	fargs_proto_put_u64(out, PACKET_TIMESTAMP, ns);
	fargs_proto_put_u64(out, PACKET_SEQUENCE, SEQUENCE);
	return packet;
}

static void put_text(struct fargs_buf *out, unsigned int field, const char *text)
{
	fargs_proto_put_string(out, field, text, strlen(text));
}

static int describe_task(struct perfetto *p, struct fargs_buf *out, const struct fargs_event *ev)
{
	int ret = fargs_task_set_add(&p->tasks, ev);
	struct fargs_buf name = { };
	size_t packet, track, thread;

	if (ret != 1)
		return ret;
	packet = begin_packet(out, ev->time_ns);
	track = fargs_proto_begin(out, PACKET_TRACK);
	fargs_proto_put_u64(out, TRACK_UUID, TASK_UUID(fargs_task_id(ev)));
	if (ev->tid) {
		thread = fargs_proto_begin(out, TRACK_THREAD);
		fargs_proto_put_s64(out, THREAD_PID, ev->tgid >= 0 ? ev->tgid : ev->tid);
		fargs_proto_put_s64(out, THREAD_TID, ev->tid);
		put_text(out, THREAD_NAME, ev->comm);
		fargs_proto_end(out, thread);
	} else {
		/*
		 * Idle tasks are named tracks rather than threads, because Perfetto requires
		 * threads to have distinct ids, and all idle tasks have id 0.
		 */
		fargs_put(&name, "<idle> on CPU ");
		fargs_put_u64(&name, ev->cpu, 0, 0);
		fargs_proto_put_string(out, TRACK_NAME, name.text, name.n);
		fargs_buf_deinit(&name);
	}
	fargs_proto_end(out, track);
	fargs_proto_end(out, packet);
	return 0;
}

static void describe_lost(struct fargs_buf *out, unsigned int cpu, uint64_t ns)
{
	size_t packet = begin_packet(out, ns), track = fargs_proto_begin(out, PACKET_TRACK);
	struct fargs_buf name = { };

	fargs_proto_put_u64(out, TRACK_UUID, LOST_UUID(cpu));
	fargs_put(&name, "lost on CPU ");
	fargs_put_u64(&name, cpu, 0, 0);
	fargs_proto_put_string(out, TRACK_NAME, name.text, name.n);
	fargs_buf_deinit(&name);
	fargs_proto_put_bytes(out, TRACK_COUNTER, NULL, 0);
	fargs_proto_end(out, track);
	fargs_proto_end(out, packet);
}

/* State while an aggregate value is written: the protobuf messages that are open. */
struct whole {
	struct fargs_buf *out;
	struct fargs_decoder *d;
	size_t begun[DEPTH_MAX];
	unsigned int depth;
};

static void open_whole(void *arg, bool is_array)
{
}

static void close_whole(void *arg, bool is_array)
{
}

static void begin_part(struct whole *w, unsigned int field)
{
	if (w->depth < DEPTH_MAX)
		w->begun[w->depth] = fargs_proto_begin(w->out, field);
	w->depth++;
}

static void begin_member(void *arg, const char *name)
{
	struct whole *w = arg;

	begin_part(w, NOTE_ENTRY);
	put_text(w->out, NOTE_NAME, name);
}

static void begin_element(void *arg)
{
	begin_part(arg, NOTE_ELEMENT);
}

static void end_part(void *arg)
{
	struct whole *w = arg;

	if (--w->depth < DEPTH_MAX)
		fargs_proto_end(w->out, w->begun[w->depth]);
}

/* Writes the value of @arg as text, as fargs report shows it. */
static void put_shown(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_arg *arg)
{
	struct fargs_buf text = { };

	fargs_value_put(&text, d, arg);
	fargs_proto_put_string(out, NOTE_STRING, text.text, text.n);
	out->is_short |= text.is_short;
	fargs_buf_deinit(&text);
}

static void put_leaf(void *arg, const struct fargs_leaf *leaf)
{
	unsigned __int128 size = leaf->v;
	struct whole *w = arg;
	const struct fargs_arg shown = {
		.val = {
			.type = leaf->kind == FARGS_LEAF_PTR ? FARGS_TYPE_PTR : FARGS_TYPE_S128,
			.data = &leaf->v, .bytes = sizeof(leaf->v),
		},
		.btf = leaf->btf,
		.btf_id = leaf->base_id,
		.base_id = leaf->base_id,
		.shape = fargs_types_shape(leaf->btf, leaf->base_id),
	};

	if (leaf->kind == FARGS_LEAF_BOOL)
		fargs_proto_put_u64(w->out, NOTE_BOOL, !!leaf->v);
	else if (shown.shape != FARGS_SHAPE_PLAIN)
		put_shown(w->out, w->d, &shown);
	else if (leaf->kind == FARGS_LEAF_PTR)
		fargs_proto_put_u64(w->out, NOTE_POINTER, (uint64_t)leaf->v);
	else if ((__int128)leaf->v < 0 && (__int128)leaf->v >= INT64_MIN)
		fargs_proto_put_s64(w->out, NOTE_INT, (int64_t)leaf->v);
	else if (size <= UINT64_MAX)
		fargs_proto_put_u64(w->out, NOTE_UINT, (uint64_t)leaf->v);
	else
		put_shown(w->out, w->d, &shown);
}

static bool put_chars(void *arg, const uint8_t *p, size_t bytes)
{
	struct whole *w = arg;

	fargs_proto_put_string(w->out, NOTE_STRING, (const char *)p,
			       strnlen((const char *)p, bytes));
	return true;
}

static void put_float(void *arg, const uint8_t *p, size_t bytes)
{
	struct whole *w = arg;
	const struct fargs_arg shown = {
		.val = { .type = FARGS_TYPE_BYTES, .data = p, .bytes = bytes },
	};

	put_shown(w->out, w->d, &shown);
}

static void put_cut(void *arg)
{
}

static void put_whole(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_arg *arg)
{
	static const struct fargs_visitor visitor = {
		.open = open_whole,
		.close = close_whole,
		.member = begin_member,
		.element = begin_element,
		.done = end_part,
		.leaf = put_leaf,
		.chars = put_chars,
		.bytes = put_float,
		.cut = put_cut,
	};
	struct whole w = { .out = out, .d = d };
	size_t at = out->n;

	if (!fargs_visit(&visitor, &w, arg, arg->is_fetched && !fargs_decoder_has_zeros(d)))
		return;
	out->n = at;
	put_shown(out, d, arg);
}

static void put_value(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_arg *arg)
{
	const struct fargs_value *val = &arg->val;

	if (val->is_fault || arg->shape == FARGS_SHAPE_ENUM || arg->shape == FARGS_SHAPE_FUNC) {
		put_shown(out, d, arg);
		return;
	}
	switch (val->type) {
	case FARGS_TYPE_BOOL:
		fargs_proto_put_u64(out, NOTE_BOOL, fargs_value_u64(val));
		break;
	case FARGS_TYPE_PTR:
		fargs_proto_put_u64(out, NOTE_POINTER, fargs_value_u64(val));
		break;
	case FARGS_TYPE_STR:
		fargs_proto_put_string(out, NOTE_STRING, val->data, val->bytes);
		break;
	case FARGS_TYPE_BYTES:
		put_whole(out, d, arg);
		break;
	case FARGS_TYPE_U128:
	case FARGS_TYPE_S128:
	case FARGS_TYPE_CHAR:
		put_shown(out, d, arg);
		break;
	default:
		if (fargs_type_is_signed(val->type))
			fargs_proto_put_s64(out, NOTE_INT, fargs_value_s64(val));
		else
			fargs_proto_put_u64(out, NOTE_UINT, fargs_value_u64(val));
	}
}

/* Writes the annotation "NAME (text)" if text output shows more than the number. */
static void put_symbolic(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_arg *arg, bool is_result)
{
	struct fargs_buf text = { }, name = { };
	size_t note;

	if (fargs_value_put_symbolic(&text, d, arg, is_result)) {
		fargs_put(&name, arg->val.name);
		fargs_put(&name, " (text)");
		note = fargs_proto_begin(out, EVENT_ANNOTATION);
		fargs_proto_put_string(out, NOTE_NAME, name.text, name.n);
		fargs_proto_put_string(out, NOTE_STRING, text.text, text.n);
		fargs_proto_end(out, note);
	}
	out->is_short |= text.is_short | name.is_short;
	fargs_buf_deinit(&text);
	fargs_buf_deinit(&name);
}

static void put_arg(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_arg *arg,
		    bool is_result)
{
	size_t note = fargs_proto_begin(out, EVENT_ANNOTATION);

	put_text(out, NOTE_NAME, arg->val.name);
	put_value(out, d, arg);
	fargs_proto_end(out, note);
	put_symbolic(out, d, arg, is_result);
}

static void put_args(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_arg *args,
		     unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		put_arg(out, d, &args[i], false);
}

static void put_field_text(struct fargs_buf *out, const struct fargs_field *field)
{
	struct fargs_buf text = { };

	fargs_field_text_put(&text, field);
	fargs_proto_put_string(out, NOTE_STRING, text.text, text.n);
	out->is_short |= text.is_short;
	fargs_buf_deinit(&text);
}

static int put_field(void *arg, const struct fargs_field *field)
{
	struct fargs_buf *out = arg;
	size_t note = fargs_proto_begin(out, EVENT_ANNOTATION), element = 0;
	unsigned int i;
	uint64_t v;

	put_text(out, NOTE_NAME, field->name);
	if (field->kind == FARGS_FIELD_STRING)
		fargs_proto_put_string(out, NOTE_STRING, (const char *)field->data, field->bytes);
	else if (field->kind == FARGS_FIELD_BYTES)
		put_field_text(out, field);
	for (i = 0; i < field->nr; i++) {
		if (field->is_array)
			element = fargs_proto_begin(out, NOTE_ELEMENT);
		v = fargs_field_number(field, i);
		if (field->kind == FARGS_FIELD_SIGNED)
			fargs_proto_put_s64(out, NOTE_INT, (int64_t)v);
		else
			fargs_proto_put_u64(out, field->kind == FARGS_FIELD_PTR ? NOTE_POINTER :
					    NOTE_UINT, v);
		if (field->is_array)
			fargs_proto_end(out, element);
	}
	fargs_proto_end(out, note);
	return 0;
}

static void put_values(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	size_t note;

	if (ev->kind == FARGS_KIND_SWITCH) {
		note = fargs_proto_begin(out, EVENT_ANNOTATION);
		put_text(out, NOTE_NAME, "next_tid");
		fargs_proto_put_s64(out, NOTE_INT, ev->next_tid);
		fargs_proto_end(out, note);
		return;
	}
	if (ev->estimated_ns) {
		note = fargs_proto_begin(out, EVENT_ANNOTATION);
		put_text(out, NOTE_NAME, "estimated");
		fargs_proto_put_u64(out, NOTE_BOOL, true);
		fargs_proto_end(out, note);
	}
	if (ev->error) {
		note = fargs_proto_begin(out, EVENT_ANNOTATION);
		put_text(out, NOTE_NAME, "text");
		put_text(out, NOTE_STRING, ev->error->text);
		fargs_proto_end(out, note);
	}
	if (ev->formatted.data) {
		fargs_formats_fields(fargs_decoder_formats(d), &ev->formatted, put_field, out);
		return;
	}
	put_args(out, d, ev->args, ev->nr_args);
	if (ev->ret)
		put_arg(out, d, ev->ret, true);
	put_args(out, d, ev->out, ev->nr_out);
}

static void put_end(struct fargs_buf *out, const struct fargs_event *ev)
{
	size_t packet = begin_packet(out, fargs_named_ns(ev));
	size_t event = fargs_proto_begin(out, PACKET_EVENT);

	fargs_proto_put_u64(out, EVENT_TYPE, TYPE_END);
	fargs_proto_put_u64(out, EVENT_TRACK, TASK_UUID(fargs_task_id(ev)));
	fargs_proto_end(out, event);
	fargs_proto_end(out, packet);
}

static unsigned int type_of(const struct fargs_event *ev)
{
	if (ev->kind == FARGS_KIND_RETURN)
		return fargs_named_is_graph(ev) ? TYPE_END :
		       ev->has_duration ? TYPE_BEGIN : TYPE_INSTANT;
	return ev->kind == FARGS_KIND_ENTRY && fargs_named_is_graph(ev) ? TYPE_BEGIN : TYPE_INSTANT;
}

static void put_event(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	bool is_whole = ev->kind == FARGS_KIND_RETURN && type_of(ev) == TYPE_BEGIN;
	size_t packet = begin_packet(out, is_whole ? ev->time_ns - ev->duration_ns :
					  fargs_named_ns(ev));
	size_t event = fargs_proto_begin(out, PACKET_EVENT);
	char buf[FARGS_NAMED_MAX];

	fargs_proto_put_u64(out, EVENT_TYPE, type_of(ev));
	fargs_proto_put_u64(out, EVENT_TRACK, TASK_UUID(fargs_task_id(ev)));
	put_text(out, EVENT_CATEGORY, fargs_named_kind(ev));
	put_text(out, EVENT_NAME, fargs_named(d, ev, buf));
	put_values(out, d, ev);
	fargs_proto_end(out, event);
	fargs_proto_end(out, packet);
	if (is_whole)
		put_end(out, ev);
}

static void put_lost(struct perfetto *p, struct fargs_buf *out, const struct fargs_event *ev)
{
	uint64_t ns = ev->time_ns ? ev->time_ns : p->last_ns;
	size_t packet, event;

	if (!p->lost[ev->cpu])
		describe_lost(out, ev->cpu, ns);
	p->lost[ev->cpu] += ev->lost;
	packet = begin_packet(out, ns);
	event = fargs_proto_begin(out, PACKET_EVENT);
	fargs_proto_put_u64(out, EVENT_TYPE, TYPE_COUNTER);
	fargs_proto_put_u64(out, EVENT_TRACK, LOST_UUID(ev->cpu));
	fargs_proto_put_s64(out, EVENT_COUNTER, p->lost[ev->cpu]);
	fargs_proto_end(out, event);
	fargs_proto_end(out, packet);
}

static int add(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
	       const struct fargs_event *ev)
{
	struct perfetto *p = arg;
	int ret;

	if (ev->kind == FARGS_KIND_TASK)
		return 0;
	if (ev->kind == FARGS_KIND_LOST && ev->cpu < p->nr_cpus) {
		put_lost(p, out, ev);
	} else if (ev->kind != FARGS_KIND_LOST) {
		ret = describe_task(p, out, ev);
		if (ret)
			return ret;
		put_event(out, d, ev);
		p->last_ns = fargs_named_ns(ev);
	}
	return out->is_short ? -ENOMEM : 0;
}

static void destroy(struct fargs_export *e)
{
	struct perfetto *p = (struct perfetto *)e;

	fargs_task_set_deinit(&p->tasks);
	free(p->lost);
	free(p);
}

struct fargs_export *fargs_perfetto_create(const struct fargs_export_options *o,
					   struct fargs_error_text *err)
{
	struct perfetto *p = calloc(1, sizeof(*p));

	if (!p) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	p->nr_cpus = o->meta->info.nr_cpus;
	p->lost = calloc(p->nr_cpus ? p->nr_cpus : 1, sizeof(*p->lost));
	p->e.destroy = destroy;
	p->e.sink = (struct fargs_sink){ .event = add, .arg = p, .is_in_order = true };
	if (p->lost)
		return &p->e;
	fargs_fail(err, ENOMEM, "out of memory");
	destroy(&p->e);
	return NULL;
}
