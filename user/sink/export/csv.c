// SPDX-License-Identifier: GPL-2.0-only
/*
 * Comma-separated values (RFC 4180): a header line, then one line per event. Text is as in fargs
 * report: escaped, and therefore UTF-8. Unknown values are empty fields.
 */
#include "sink/export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/errname.h"
#include "base/put.h"
#include "model/event_record.h"
#include "model/formats.h"
#include "sink/export/named.h"
#include "sink/text/text.h"
#include "sink/text/value.h"

static const char header[] =
	"time_ns,type,cpu,tid,pid,comm,name,module,duration_ns,result,error,caller,args,out,stack,"
	"lost\r\n";

/* Does the text from offset @from on contain a character that requires quotes? */
static bool needs_quotes(const struct fargs_buf *out, size_t from)
{
	size_t i;

	for (i = from; i < out->n; i++)
		if (strchr("\",\r\n", out->text[i]))
			return true;
	return false;
}

/* Puts the text from offset @from on in quotes, and doubles the quotes in it. */
static void quote(struct fargs_buf *out, size_t from)
{
	size_t i, to, nr = 2;

	for (i = from; i < out->n; i++)
		nr += out->text[i] == '"';
	if (!fargs_buf_reserve(out, nr))
		return;
	to = out->n + nr;
	i = out->n;
	out->n = to;
	out->text[--to] = '"';
	while (i > from) {
		out->text[--to] = out->text[--i];
		if (out->text[i] == '"')
			out->text[--to] = '"';
	}
	out->text[from] = '"';
}

/* Ends the field whose text starts at offset *@from, and moves *@from to the next field. */
static void end_field(struct fargs_buf *out, size_t *from)
{
	if (needs_quotes(out, *from))
		quote(out, *from);
	fargs_put_char(out, ',');
	*from = out->n;
}

/* Writes the columns from "time_ns" to "comm". */
static void put_head(struct fargs_buf *out, const struct fargs_event *ev, size_t *from)
{
	bool has_task = ev->kind != FARGS_KIND_LOST;

	if (!ev->has_no_time && (has_task || ev->time_ns))
		fargs_put_u64(out, ev->time_ns, 0, 0);
	end_field(out, from);
	fargs_put(out, fargs_named_kind(ev));
	end_field(out, from);
	if (!ev->has_no_cpu)
		fargs_put_u64(out, ev->cpu, 0, 0);
	end_field(out, from);
	if (has_task)
		fargs_put_s64(out, ev->tid);
	end_field(out, from);
	if (has_task && ev->tgid >= 0)
		fargs_put_s64(out, ev->tgid);
	end_field(out, from);
	if (has_task)
		fargs_put_escaped(out, ev->comm, strlen(ev->comm), NULL);
	end_field(out, from);
}

/* Returns the module of a function, or the module or file of a sample. NULL: none. */
static const char *module_of(const struct fargs_event *ev)
{
	const struct fargs_event_place *place;

	if (!ev->sample)
		return ev->func ? ev->func->module : NULL;
	place = &ev->sample->place;
	if (!ev->sample->has_place)
		return NULL;
	return place->module ? place->module : place->file;
}

static void put_name(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev,
		     size_t *from)
{
	const char *name, *module = module_of(ev);
	char buf[FARGS_NAMED_MAX];

	if (ev->kind == FARGS_KIND_LOST)
		name = ev->is_event ? "events" : "calls";
	else
		name = fargs_named(d, ev, buf);
	fargs_put_escaped(out, name, strlen(name), NULL);
	end_field(out, from);
	if (module)
		fargs_put_escaped(out, module, strlen(module), NULL);
	end_field(out, from);
}

static void put_result(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev,
		       size_t *from)
{
	int error = ev->ret ? fargs_value_error(ev->ret) : 0;
	const char *name = error ? fargs_errname(-error) : NULL;

	if (ev->has_duration)
		fargs_put_u64(out, ev->duration_ns, 0, 0);
	end_field(out, from);
	if (ev->ret)
		fargs_value_put(out, d, ev->ret);
	end_field(out, from);
	if (name)
		fargs_put(out, name);
	end_field(out, from);
}

/* Writes the text of a formatted event. Returns 0 or -ENOMEM. */
static int put_formatted(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev)
{
	size_t n;
	const char *text = fargs_formats_text(fargs_decoder_formats(d), &ev->formatted, ev->guest,
					      false, &n);

	if (!text)
		return -ENOMEM;
	fargs_put_escaped(out, text, n, NULL);
	return 0;
}

/* Writes the columns "args" and "out". Returns 0 or -ENOMEM. */
static int put_values(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev,
		      size_t *from)
{
	int ret = 0;

	if (ev->kind == FARGS_KIND_EVENT) {
		ret = put_formatted(out, d, ev);
	} else if (ev->kind == FARGS_KIND_SWITCH) {
		fargs_put(out, "next_tid=");
		fargs_put_s64(out, ev->next_tid);
	} else if (ev->kind != FARGS_KIND_LOST) {
		fargs_text_values(out, d, ev->args, ev->nr_args);
		if (ev->is_variadic)
			fargs_put(out, ev->nr_args ? ", ..." : "...");
	}
	end_field(out, from);
	fargs_text_values(out, d, ev->out, ev->nr_out);
	end_field(out, from);
	return ret;
}

/* Writes the callers, separated by semicolons, the innermost caller first. */
static void put_stack(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	const uint8_t *p = ev->stack;
	unsigned int i;
	uint64_t addr;

	for (i = 0; i < ev->nr_stack; i++) {
		memcpy(&addr, p + 8 * i, sizeof(addr));
		if (i)
			fargs_put_char(out, ';');
		fargs_value_put_symbol(out, d, addr, true);
	}
}

static int add(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
	       const struct fargs_event *ev)
{
	size_t from = out->n;
	int ret;

	if (ev->kind == FARGS_KIND_TASK)
		return 0;
	put_head(out, ev, &from);
	put_name(out, d, ev, &from);
	put_result(out, d, ev, &from);
	if (ev->parent_ip)
		fargs_value_put_symbol(out, d, ev->parent_ip, false);
	end_field(out, &from);
	ret = put_values(out, d, ev, &from);
	put_stack(out, d, ev);
	end_field(out, &from);
	if (ev->kind == FARGS_KIND_LOST && ev->lost)
		fargs_put_u64(out, ev->lost, 0, 0);
	fargs_put(out, "\r\n");
	return ret ? ret : out->is_short ? -ENOMEM : 0;
}

static int begin(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	fargs_put(out, header);
	return out->is_short ? -ENOMEM : 0;
}

static void destroy(struct fargs_export *e)
{
	free(e);
}

struct fargs_export *fargs_csv_create(const struct fargs_export_options *o,
				      struct fargs_error_text *err)
{
	struct fargs_export *e = calloc(1, sizeof(*e));

	if (!e) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	e->destroy = destroy;
	e->sink = (struct fargs_sink){
		.begin = begin, .event = add, .arg = e, .needs_callers = true,
	};
	return e;
}
