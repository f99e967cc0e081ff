// SPDX-License-Identifier: GPL-2.0-only
#include "sink/text/text.h"

#include <errno.h>
#include <string.h>

#include "base/colour.h"
#include "base/escape.h"
#include "base/put.h"
#include "model/event_record.h"
#include "model/formats.h"
#include "sink/text/pt_line.h"
#include "sink/text/sample.h"
#include "sink/text/value.h"

void fargs_text_flags(const struct fargs_event *ev, char *buf)
{
	/*
	 * Characters for the combinations of three flags. The index is the sum of 1 if
	 * FARGS_CONTEXT_RESCHED_TIF is set, 2 if FARGS_CONTEXT_RESCHED_LAZY is set, and 4 if
	 * FARGS_CONTEXT_RESCHED_PREEMPT is set.
	 */
	static const char resched[] = ".nlbpNLB";
	unsigned int c = ev->context, irq;

	buf[0] = c & FARGS_CONTEXT_IRQS_OFF ? (c & FARGS_CONTEXT_BH_OFF ? 'D' : 'd') :
		 c & FARGS_CONTEXT_BH_OFF ? 'b' : '.';
	buf[1] = resched[!!(c & FARGS_CONTEXT_RESCHED_TIF) +
			 2 * !!(c & FARGS_CONTEXT_RESCHED_LAZY) +
			 4 * !!(c & FARGS_CONTEXT_RESCHED_PREEMPT)];
	irq = c & (FARGS_CONTEXT_NMI | FARGS_CONTEXT_HARDIRQ | FARGS_CONTEXT_SOFTIRQ);
	if (irq & FARGS_CONTEXT_NMI)
		buf[2] = irq & FARGS_CONTEXT_HARDIRQ ? 'Z' : 'z';
	else if (irq & FARGS_CONTEXT_HARDIRQ)
		buf[2] = irq & FARGS_CONTEXT_SOFTIRQ ? 'H' : 'h';
	else
		buf[2] = irq ? 's' : '.';
	/* Preemption depth, as one digit as in ftrace: f means 15 or more. */
	buf[3] = ".123456789abcdef"[ev->preempt_depth > 15 ? 15 : ev->preempt_depth];
	/* In ftrace, this column is the migrate-disable depth, which records do not contain. */
	buf[4] = '.';
	buf[5] = 0;
}

static void put_task(struct fargs_buf *out, const struct fargs_event *ev)
{
	char comm[FARGS_ESCAPE_ROOM(FARGS_COMM_LEN)];
	size_t n = fargs_escape(comm, ev->comm, strlen(ev->comm), NULL);
	size_t from;

	if (n < 16)
		fargs_buf_fill(out, ' ', 16 - n);
	fargs_buf_add(out, comm, n);
	fargs_put_char(out, '-');
	from = out->n;
	fargs_put_s64(out, ev->shown_tid);
	if (ev->is_tid_unsure)
		fargs_put_char(out, '?');
	if (out->n < from + 7)
		fargs_buf_fill(out, ' ', from + 7 - out->n);
}

void fargs_text_head(struct fargs_buf *out, const struct fargs_event *ev)
{
	uint64_t us = (ev->time_ns + 500) / 1000;
	char flags[FARGS_TEXT_FLAGS];

	put_task(out, ev);
	fargs_put(out, " [");
	fargs_put_u64(out, ev->cpu, 3, '0');
	fargs_put(out, "] ");
	fargs_text_flags(ev, flags);
	fargs_put(out, flags);
	fargs_put_char(out, ' ');
	fargs_put_u64(out, us / 1000000, 5, ' ');
	fargs_put_char(out, '.');
	fargs_put_u64(out, us % 1000000, 6, '0');
	fargs_put(out, ": ");
}

void fargs_text_values(struct fargs_buf *out, struct fargs_decoder *d,
		       const struct fargs_arg *args, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (i)
			fargs_put(out, ", ");
		if (d && args[i].name_len)
			fargs_put_escaped(out, args[i].val.name, args[i].name_len, NULL);
		else
			fargs_value_put_name(out, args[i].val.name);
		fargs_put_char(out, '=');
		fargs_colour_begin(out, FARGS_COLOUR_VALUE);
		fargs_value_put(out, d, &args[i]);
		fargs_colour_end(out);
	}
}

void fargs_text_args(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	fargs_put_char(out, '(');
	fargs_text_values(out, d, ev->args, ev->nr_args);
	if (d && ev->is_variadic)
		fargs_put(out, ev->nr_args ? ", ..." : "...");
	if (d && ev->func && ev->func->layout_flags & FARGS_FUNC_UNPROVEN)
		fargs_put_char(out, '?');
	fargs_put_char(out, ')');
}

void fargs_text_call(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	fargs_colour_begin(out, FARGS_COLOUR_FUNC);
	if (d && ev->func)
		fargs_value_put_name(out, ev->func->name);
	else
		fargs_value_put_symbol(out, d, ev->ip, false);
	fargs_colour_end(out);
	fargs_text_args(out, d, ev);
	if (d && ev->func)
		fargs_value_put_module(out, ev->func->module);
}

void fargs_text_result(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	if (ev->ret) {
		fargs_put(out, " = ");
		fargs_colour_begin(out, fargs_value_error(ev->ret) ? FARGS_COLOUR_ERROR :
				   FARGS_COLOUR_VALUE);
		fargs_value_put_return(out, d, ev->ret);
		fargs_colour_end(out);
	}
	if (ev->nr_out) {
		fargs_put(out, ev->ret ? ", " : " = ");
		fargs_text_values(out, d, ev->out, ev->nr_out);
	}
}

void fargs_text_duration(struct fargs_buf *out, const struct fargs_event *ev, int width)
{
	fargs_put_u64(out, ev->duration_ns / 1000, width, ' ');
	fargs_put_char(out, '.');
	fargs_put_u64(out, ev->duration_ns % 1000, 3, '0');
	fargs_put(out, " us");
}

void fargs_text_trigger(struct fargs_buf *out, const struct fargs_event *ev)
{
	if (ev->is_trigger)
		fargs_put(out, " # trigger");
}

void fargs_text_stack(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	const uint8_t *p = ev->stack;
	unsigned int i;
	uint64_t addr;

	for (i = 0; i < ev->nr_stack; i++) {
		memcpy(&addr, p + 8 * i, sizeof(addr));
		fargs_put(out, "\n => ");
		fargs_value_put_symbol(out, d, addr, true);
	}
}

static void put_lost(struct fargs_buf *out, const struct fargs_event *ev)
{
	fargs_buf_fill(out, ' ', 24);
	fargs_put(out, " [");
	fargs_put_u64(out, ev->cpu, 3, '0');
	fargs_put(out, "] ");
	fargs_colour_begin(out, FARGS_COLOUR_ERROR);
	fargs_put(out, "lost ");
	/* The number of lost records is 0 if the file does not contain it. */
	if (ev->lost)
		fargs_put_u64(out, ev->lost, 0, 0);
	else
		fargs_put(out, "some");
	fargs_put(out, ev->is_event ? " events" : " records");
	fargs_colour_end(out);
}

static int finish(struct fargs_buf *out)
{
	fargs_put_char(out, '\n');
	return out->is_short ? -ENOMEM : 0;
}

int fargs_text_formatted(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev, bool is_raw)
{
	struct fargs_formats *formats = fargs_decoder_formats(d);
	struct fargs_format_head head;
	const char *text;
	size_t n;

	fargs_formats_head(formats, &ev->formatted, &head);
	fargs_colour_begin(out, FARGS_COLOUR_FUNC);
	if (head.name) {
		fargs_put_escaped(out, head.system, strlen(head.system), NULL);
		fargs_put_char(out, ':');
		fargs_put_escaped(out, head.name, strlen(head.name), NULL);
	} else {
		fargs_put(out, "event ");
		fargs_put_u64(out, head.id, 0, 0);
	}
	fargs_colour_end(out);
	fargs_put(out, ": ");
	text = fargs_formats_text(formats, &ev->formatted, ev->guest, is_raw, &n);
	if (!text)
		return -ENOMEM;
	fargs_put_escaped(out, text, n, NULL);
	return 0;
}

/* Writes the line of an FARGS_KIND_EVENT event. */
static int put_formatted(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev, bool is_raw)
{
	int ret;

	fargs_text_head(out, ev);
	ret = fargs_text_formatted(out, d, ev, is_raw);
	return ret ? ret : finish(out);
}

static int put_event(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	switch (ev->kind) {
	case FARGS_KIND_ENTRY:
	case FARGS_KIND_RETURN:
	case FARGS_KIND_TPOINT:
		if (!ev->trace)
			break;
		fargs_pt_line_call(out, d, ev);
		return out->is_short ? -ENOMEM : 0;
	case FARGS_KIND_LOST:
		put_lost(out, ev);
		return finish(out);
	case FARGS_EVENT_SAMPLE:
		fargs_text_sample(out, d, ev);
		return out->is_short ? -ENOMEM : 0;
	case FARGS_EVENT_BRANCH:
	case FARGS_EVENT_INSN:
	case FARGS_EVENT_ERROR:
	case FARGS_EVENT_PTWRITE:
	case FARGS_EVENT_POWER:
	case FARGS_EVENT_PSB:
	case FARGS_EVENT_TRANSACTION:
	case FARGS_EVENT_CFE:
	case FARGS_EVENT_IFLAG:
		fargs_pt_line_event(out, d, ev);
		return out->is_short ? -ENOMEM : 0;
	case FARGS_KIND_SWITCH:
		fargs_text_head(out, ev);
		fargs_put(out, "switch -> ");
		fargs_put_s64(out, ev->next_tid);
		return finish(out);
	default:
		return 0;
	}

	fargs_text_head(out, ev);
	fargs_text_call(out, d, ev);
	if (ev->kind == FARGS_KIND_RETURN) {
		fargs_text_result(out, d, ev);
		if (ev->has_duration) {
			fargs_put(out, " (");
			fargs_text_duration(out, ev, 0);
			fargs_put_char(out, ')');
		}
	}
	fargs_put(out, " <-");
	fargs_value_put_symbol(out, d, ev->parent_ip, false);
	fargs_text_trigger(out, ev);
	fargs_text_stack(out, d, ev);
	return finish(out);
}

int fargs_text_event(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	return ev->kind == FARGS_KIND_EVENT ? put_formatted(out, d, ev, false)
					    : put_event(out, d, ev);
}

int fargs_text_event_raw(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev)
{
	return ev->kind == FARGS_KIND_EVENT ? put_formatted(out, d, ev, true)
					    : put_event(out, NULL, ev);
}
