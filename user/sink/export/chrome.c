// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chromium's "Trace Event Format": an array of objects, with times in us with three decimals, which
 * is exact to the ns. Idle tasks become threads of process 0, one per CPU.
 */
#include "sink/export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "model/event_record.h"
#include "model/formats.h"
#include "sink/export/named.h"
#include "sink/export/task_set.h"
#include "sink/json/json.h"
#include "sink/json/json_event.h"

struct chrome {
	struct fargs_export e;
	struct fargs_task_set tasks;
	bool is_first;
	uint64_t last_ns;	/* time of the last event, used for losses without a time */
};

static void put_us(struct fargs_buf *out, uint64_t ns)
{
	fargs_put_u64(out, ns / 1000, 0, 0);
	fargs_put_char(out, '.');
	fargs_put_u64(out, ns % 1000, 3, '0');
}

static void put_thread(struct fargs_buf *out, const struct fargs_event *ev)
{
	fargs_put(out, ",\"pid\":");
	fargs_put_s64(out, ev->tgid >= 0 ? ev->tgid : ev->tid);
	fargs_put(out, ",\"tid\":");
	fargs_put_s64(out, ev->tid ? ev->tid : (int64_t)ev->cpu);
}

static void begin_event(struct chrome *c, struct fargs_buf *out, const char *phase)
{
	fargs_put(out, c->is_first ? "{\"ph\":\"" : ",\n{\"ph\":\"");
	c->is_first = false;
	fargs_put(out, phase);
	fargs_put_char(out, '"');
}

static int name_task(struct chrome *c, struct fargs_buf *out, const struct fargs_event *ev)
{
	int ret = fargs_task_set_add(&c->tasks, ev);

	if (ret != 1)
		return ret;
	begin_event(c, out, "M");
	fargs_put(out, ",\"name\":\"thread_name\"");
	put_thread(out, ev);
	fargs_put(out, ",\"args\":{\"name\":");
	fargs_json_put_string(out, ev->comm, strlen(ev->comm));
	fargs_put(out, "}}");
	return 0;
}

/*
 * Returns the phase of an event. A call with two records has a begin event "B" and an end event
 * "E"; a call with only a RETURN record is a complete slice "X"; all other events are instants,
 * "i".
 */
static const char *phase_of(const struct fargs_event *ev)
{
	if (ev->kind == FARGS_KIND_RETURN && fargs_named_is_graph(ev))
		return "E";
	if (ev->kind == FARGS_KIND_RETURN && ev->has_duration)
		return "X";
	return ev->kind == FARGS_KIND_ENTRY && fargs_named_is_graph(ev) ? "B" : "i";
}

static int put_event(struct chrome *c, struct fargs_buf *out, struct fargs_decoder *d,
		     const struct fargs_event *ev)
{
	const char *phase = phase_of(ev), *name;
	uint64_t ns = fargs_named_ns(ev) ? fargs_named_ns(ev) : c->last_ns;
	char buf[FARGS_NAMED_MAX];

	name = fargs_named(d, ev, buf);
	begin_event(c, out, phase);
	fargs_put(out, ",\"name\":");
	fargs_json_put_string(out, name, strlen(name));
	fargs_put(out, ",\"cat\":\"");
	fargs_put(out, fargs_named_kind(ev));
	fargs_put(out, "\",\"ts\":");
	put_us(out, *phase == 'X' ? ns - ev->duration_ns : ns);
	if (*phase == 'X') {
		fargs_put(out, ",\"dur\":");
		put_us(out, ev->duration_ns);
	}
	/* A loss concerns a CPU, not a task: its scope is "g" (global) instead of "t" (thread). */
	if (*phase == 'i')
		fargs_put(out, ev->kind == FARGS_KIND_LOST ? ",\"s\":\"g\"" : ",\"s\":\"t\"");
	put_thread(out, ev);
	/* "estimated" is not part of the format; readers ignore unknown members. */
	if (ev->estimated_ns)
		fargs_put(out, ",\"estimated\":true");
	fargs_put(out, ",\"args\":");
	if (fargs_json_event_args(out, d, ev))
		return -ENOMEM;
	fargs_put_char(out, '}');
	c->last_ns = ns;
	return out->is_short ? -ENOMEM : 0;
}

static int add(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
	       const struct fargs_event *ev)
{
	struct chrome *c = arg;
	int ret = 0;

	if (ev->kind == FARGS_KIND_TASK)
		return 0;
	if (ev->kind != FARGS_KIND_LOST)
		ret = name_task(c, out, ev);
	return ret ? ret : put_event(c, out, d, ev);
}

static int begin(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	fargs_put(out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
	return out->is_short ? -ENOMEM : 0;
}

static int end(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	fargs_put(out, "\n]}\n");
	return out->is_short ? -ENOMEM : 0;
}

static void destroy(struct fargs_export *e)
{
	struct chrome *c = (struct chrome *)e;

	fargs_task_set_deinit(&c->tasks);
	free(c);
}

struct fargs_export *fargs_chrome_create(const struct fargs_export_options *o,
					 struct fargs_error_text *err)
{
	struct chrome *c = calloc(1, sizeof(*c));

	if (!c) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	c->is_first = true;
	c->e.destroy = destroy;
	c->e.sink = (struct fargs_sink){
		.begin = begin, .event = add, .end = end, .arg = c, .is_in_order = true,
	};
	return &c->e;
}
