// SPDX-License-Identifier: GPL-2.0-only
#include "out/text.h"

#include <errno.h>
#include <string.h>

#include "out/escape.h"
#include "out/put.h"
#include "out/value.h"

void fargs_text_flags(const struct fargs_event *ev, char *buf)
{
	/* By FARGS_CONTEXT_RESCHED_TIF 1, LAZY 2, PREEMPT 4. */
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
	/* One digit, as ftrace has it: 15 and more are f. */
	buf[3] = ".123456789abcdef"[ev->preempt_depth > 15 ? 15 : ev->preempt_depth];
	/* Migration disabled: ftrace has a column for it, the record does not tell. */
	buf[4] = '.';
	buf[5] = 0;
}

static void put_task(FILE *out, const struct fargs_event *ev)
{
	char comm[FARGS_ESCAPE_ROOM(FARGS_COMM_LEN)];
	size_t n = fargs_escape(comm, ev->comm, strlen(ev->comm), NULL), i;
	char tid[12];
	int m;

	for (i = n; i < 16; i++)
		fargs_put_char(out, ' ');
	fwrite_unlocked(comm, 1, n, out);
	fargs_put_char(out, '-');
	m = snprintf(tid, sizeof(tid), "%-7d", ev->tid);
	fwrite_unlocked(tid, 1, m, out);
}

void fargs_text_head(FILE *out, const struct fargs_event *ev)
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

static void put_args(FILE *out, struct fargs_decoder *d, const struct fargs_arg *args,
		     unsigned int nr)
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
		fargs_value_put(out, d, &args[i]);
	}
}

void fargs_text_call(FILE *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	if (d && ev->func)
		fargs_value_put_name(out, ev->func->name);
	else
		fargs_value_put_symbol(out, d, ev->ip, false);
	fargs_put_char(out, '(');
	put_args(out, d, ev->args, ev->nr_args);
	if (d && ev->is_variadic)
		fargs_put(out, ev->nr_args ? ", ..." : "...");
	fargs_put_char(out, ')');
	if (d && ev->func)
		fargs_value_put_module(out, ev->func->module);
}

void fargs_text_result(FILE *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	if (ev->ret) {
		fargs_put(out, " = ");
		fargs_value_put_return(out, d, ev->ret);
	}
	if (ev->nr_out) {
		fargs_put(out, ev->ret ? ", " : " = ");
		put_args(out, d, ev->out, ev->nr_out);
	}
}

void fargs_text_duration(FILE *out, const struct fargs_event *ev, int width)
{
	fargs_put_u64(out, ev->duration_ns / 1000, width, ' ');
	fargs_put_char(out, '.');
	fargs_put_u64(out, ev->duration_ns % 1000, 3, '0');
	fargs_put(out, " us");
}

void fargs_text_stack(FILE *out, struct fargs_decoder *d, const struct fargs_event *ev)
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

static int finish(FILE *out)
{
	fargs_put_char(out, '\n');
	if (!ferror_unlocked(out))
		return 0;
	return errno ? -errno : -EIO;
}

static int put_event(FILE *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	switch (ev->kind) {
	case FARGS_KIND_ENTRY:
	case FARGS_KIND_RETURN:
	case FARGS_KIND_TPOINT:
		break;
	case FARGS_KIND_LOST:
		fprintf(out, "%24s [%03u] lost %llu records", "", ev->cpu,
			(unsigned long long)ev->lost);
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
	fargs_text_stack(out, d, ev);
	return finish(out);
}

int fargs_text_event(FILE *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	return put_event(out, d, ev);
}

int fargs_text_event_raw(FILE *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	return put_event(out, NULL, ev);
}
