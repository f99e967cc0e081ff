// SPDX-License-Identifier: GPL-2.0-only
#include "out/text.h"

#include <errno.h>
#include <string.h>

#include "decode/types.h"
#include "out/aggregate.h"
#include "out/escape.h"
#include "out/put.h"
#include "sym/ksyms.h"
#include "util/errname.h"

/* Names come out of a file too. */
static void put_name(FILE *out, const char *name)
{
	fargs_put_escaped(out, name, strlen(name), NULL);
}

static void put_module(FILE *out, const char *module)
{
	if (!module)
		return;
	fargs_put(out, " [");
	put_name(out, module);
	fargs_put_char(out, ']');
}

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

static void put_head(FILE *out, const struct fargs_event *ev)
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

static void put_bytes(FILE *out, const struct fargs_value *val)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *p = val->data;
	uint32_t i;

	fargs_put_char(out, '{');
	for (i = 0; i < val->bytes; i++) {
		if (i)
			fargs_put_char(out, ' ');
		fargs_put_char(out, digits[p[i] >> 4]);
		fargs_put_char(out, digits[p[i] & 15]);
	}
	fargs_put_char(out, '}');
}

static void put_plain(FILE *out, const struct fargs_value *val)
{
	unsigned __int128 wide;
	int64_t v;

	switch (val->type) {
	case FARGS_TYPE_BOOL:
		fargs_put(out, fargs_value_u64(val) ? "true" : "false");
		break;
	case FARGS_TYPE_CHAR:
		v = fargs_value_s64(val);
		if (v < ' ' || v > '~') {
			fargs_put_s64(out, v);
			break;
		}
		fargs_put(out, v == '\'' || v == '\\' ? "'\\" : "'");
		fargs_put_char(out, (char)v);
		fargs_put_char(out, '\'');
		break;
	case FARGS_TYPE_PTR:
		fargs_put_hex(out, fargs_value_u64(val));
		break;
	case FARGS_TYPE_U128:
		fargs_put_u128(out, fargs_value_u128(val));
		break;
	case FARGS_TYPE_S128:
		wide = fargs_value_u128(val);
		if ((__int128)wide < 0) {
			fargs_put_char(out, '-');
			wide = -wide;
		}
		fargs_put_u128(out, wide);
		break;
	case FARGS_TYPE_STR:
		fargs_put_char(out, '"');
		fargs_put_escaped(out, val->data, val->bytes, "\"");
		fargs_put(out, val->is_cut ? "\"…" : "\"");
		break;
	case FARGS_TYPE_BYTES:
		put_bytes(out, val);
		break;
	default:
		if (fargs_type_is_signed(val->type))
			fargs_put_s64(out, fargs_value_s64(val));
		else
			fargs_put_u64(out, fargs_value_u64(val), 0, 0);
	}
}

/* @d: NULL for raw output, here and below. */
static void put_symbol(FILE *out, struct fargs_decoder *d, uint64_t addr, bool with_offset)
{
	const struct fargs_ksym *sym = d ? fargs_decoder_symbol(d, addr) : NULL;

	if (!sym) {
		fargs_put_hex(out, addr);
		return;
	}
	put_name(out, sym->name);
	if (with_offset && addr != sym->addr) {
		fargs_put_char(out, '+');
		fargs_put_hex(out, addr - sym->addr);
	}
	put_module(out, sym->module);
}

/* False: there is no name for it. */
static bool put_enum(FILE *out, const struct fargs_arg *arg)
{
	uint64_t v = fargs_value_u64(&arg->val), rest;
	const char *name = fargs_types_enumerator(arg->btf, arg->base_id, v);
	const char *names[FARGS_TYPES_FLAGS];
	int i, n;

	if (name && *name) {
		put_name(out, name);
		return true;
	}
	n = v ? fargs_types_flags(arg->btf, arg->base_id, v, names, &rest) : -1;
	if (n < 0)
		return false;
	for (i = 0; i < n; i++) {
		if (i)
			fargs_put_char(out, '|');
		put_name(out, names[i]);
	}
	if (n && rest)
		fargs_put_char(out, '|');
	if (rest)
		fargs_put_hex(out, rest);
	return true;
}

/* What can be told of an error: its number, and its name where it has one. */
static void put_errno(FILE *out, int64_t v)
{
	const char *name = fargs_errname(-v);

	fargs_put_s64(out, v);
	if (!name)
		return;
	fargs_put(out, " (");
	fargs_put(out, name);
	fargs_put_char(out, ')');
}

static void put_arg(FILE *out, struct fargs_decoder *d, const struct fargs_arg *arg)
{
	const struct fargs_value *val = &arg->val;
	struct fargs_span text;

	if (val->is_fault) {
		fargs_put(out, "(fault ");
		fargs_put_hex(out, fargs_value_u64(val));
		fargs_put_char(out, ')');
		return;
	}
	if (d && arg->shape == FARGS_SHAPE_ENUM && fargs_type_width(val->type)) {
		if (put_enum(out, arg))
			return;
	} else if (d && arg->shape == FARGS_SHAPE_FUNC && val->type == FARGS_TYPE_PTR) {
		put_symbol(out, d, fargs_value_u64(val), true);
		return;
	} else if (d && val->type == FARGS_TYPE_BYTES) {
		fargs_aggregate_text(&text, d, arg);
		fwrite_unlocked(text.text, 1, text.n, out);
		return;
	}
	put_plain(out, val);
}

/*
 * A negative int may be an error or just a number: both are shown. A pointer
 * among the last page's is an ERR_PTR to whoever returns it.
 */
static void put_ret(FILE *out, struct fargs_decoder *d, const struct fargs_arg *arg)
{
	const struct fargs_value *val = &arg->val;
	int64_t v = fargs_value_s64(val);

	if (!d || val->is_fault) {
		put_arg(out, d, arg);
	} else if (val->type == FARGS_TYPE_PTR && !v) {
		fargs_put(out, "NULL");
	} else if (val->type == FARGS_TYPE_PTR && v < 0 && v >= -FARGS_ERRNO_MAX) {
		fargs_put(out, "ERR_PTR ");
		put_errno(out, v);
	} else if (fargs_type_is_signed(val->type) && val->type != FARGS_TYPE_CHAR &&
		   val->type != FARGS_TYPE_S128 && arg->shape == FARGS_SHAPE_PLAIN && v < 0 &&
		   v >= -FARGS_ERRNO_MAX) {
		put_errno(out, v);
	} else {
		put_arg(out, d, arg);
	}
}

static void put_args(FILE *out, struct fargs_decoder *d, const struct fargs_arg *args,
		     unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (i)
			fargs_put(out, ", ");
		put_name(out, args[i].val.name);
		fargs_put_char(out, '=');
		put_arg(out, d, &args[i]);
	}
}

/* " = -2 (ENOENT), *pos=17 (12.345 us)" */
static void put_return(FILE *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	if (ev->ret) {
		fargs_put(out, " = ");
		put_ret(out, d, ev->ret);
	}
	if (ev->nr_out) {
		fargs_put(out, ev->ret ? ", " : " = ");
		put_args(out, d, ev->out, ev->nr_out);
	}
	if (!ev->has_duration)
		return;
	fargs_put(out, " (");
	fargs_put_u64(out, ev->duration_ns / 1000, 0, 0);
	fargs_put_char(out, '.');
	fargs_put_u64(out, ev->duration_ns % 1000, 3, '0');
	fargs_put(out, " us)");
}

/* A line for each caller, as ftrace has them. */
static void put_stack(FILE *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	const uint8_t *p = ev->stack;
	unsigned int i;
	uint64_t addr;

	for (i = 0; i < ev->nr_stack; i++) {
		memcpy(&addr, p + 8 * i, sizeof(addr));
		fargs_put(out, "\n => ");
		put_symbol(out, d, addr, true);
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

	put_head(out, ev);
	if (d && ev->func)
		put_name(out, ev->func->name);
	else
		put_symbol(out, d, ev->ip, false);
	fargs_put_char(out, '(');
	put_args(out, d, ev->args, ev->nr_args);
	if (d && ev->is_variadic)
		fargs_put(out, ev->nr_args ? ", ..." : "...");
	fargs_put_char(out, ')');
	if (d && ev->func)
		put_module(out, ev->func->module);
	if (ev->kind == FARGS_KIND_RETURN)
		put_return(out, d, ev);
	fargs_put(out, " <-");
	put_symbol(out, d, ev->parent_ip, false);
	put_stack(out, d, ev);
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
