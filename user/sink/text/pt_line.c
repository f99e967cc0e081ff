// SPDX-License-Identifier: GPL-2.0-only
#include "sink/text/pt_line.h"

#include <string.h>

#include "base/hex.h"
#include "base/put.h"
#include "kernel/sym/ksyms.h"
#include "sink/text/text.h"

#define COMM_WIDTH	16
#define WORD_WIDTH	9
#define INDENT		2
#define FLAGS_WIDTH	16
#define MARKS_WIDTH	6
/* As in perf's lines of what Intel PT shows besides branches. */
#define SYNTH_WIDTH	34

void fargs_pt_line_hex(struct fargs_buf *out, uint64_t v)
{
	if (!fargs_buf_reserve(out, 16))
		return;
	fargs_hex_right(out->text + out->n, v);
	out->n += 16;
}

static void put_comm(struct fargs_buf *out, const char *comm)
{
	size_t before = out->n, n;

	/* Right-align after escaping, because only then is the width known. */
	fargs_put_escaped(out, comm, strlen(comm), NULL);
	n = out->n - before;
	if (n >= COMM_WIDTH || !fargs_buf_reserve(out, COMM_WIDTH))
		return;
	memmove(out->text + before + COMM_WIDTH - n, out->text + before, n);
	memset(out->text + before, ' ', COMM_WIDTH - n);
	out->n = before + COMM_WIDTH;
}

static void put_seconds(struct fargs_buf *out, uint64_t ns, unsigned int digits)
{
	fargs_put_u64(out, ns / 1000000000, 5, ' ');
	fargs_put_char(out, '.');
	if (digits == 9)
		fargs_put_u64(out, ns % 1000000000, 9, '0');
	else
		fargs_put_u64(out, ns % 1000000000 / 1000, 6, '0');
}

void fargs_pt_line_task(struct fargs_buf *out, const struct fargs_pt_line *line)
{
	put_comm(out, line->comm);
	fargs_put_char(out, ' ');
	if (line->tid < 0)
		fargs_put(out, "   -1");
	else
		fargs_put_u64(out, line->tid, 5, ' ');
	if (line->cpu != UINT32_MAX) {
		fargs_put(out, " [");
		fargs_put_u64(out, line->cpu, 3, '0');
		fargs_put_char(out, ']');
	}
	fargs_put_char(out, ' ');
}

void fargs_pt_line_time(struct fargs_buf *out, const struct fargs_pt_line *line)
{
	if (!line->has_time)
		return;
	put_seconds(out, line->ns, 6);
	fargs_put(out, ": ");
}

void fargs_pt_line_head(struct fargs_buf *out, const struct fargs_pt_line *line)
{
	fargs_pt_line_task(out, line);
	fargs_pt_line_time(out, line);
}

void fargs_pt_line_error(struct fargs_buf *out, const struct fargs_pt_line *line, uint64_t ip,
			 const struct fargs_event_error *error)
{
	fargs_put(out, " instruction trace error");
	if (line->has_time) {
		fargs_put(out, " time ");
		put_seconds(out, line->ns, 9);
	}
	if (line->cpu != UINT32_MAX) {
		fargs_put(out, " cpu ");
		fargs_put_u64(out, line->cpu, 0, ' ');
	}
	fargs_put(out, " tid ");
	fargs_put_s64(out, line->tid);
	fargs_put(out, " ip ");
	fargs_put_hex(out, ip);
	if (error->code) {
		fargs_put(out, " code ");
		fargs_put_u64(out, error->code, 0, ' ');
	}
	fargs_put(out, " byte ");
	fargs_put_hex(out, error->offset);
	fargs_put(out, ": ");
	fargs_put(out, error->text);
	if (error->has_count) {
		fargs_put_char(out, ' ');
		fargs_put_u64(out, error->count, 0, ' ');
		fargs_put(out, error->unit);
	}
	fargs_put_char(out, '\n');
}

/* Writes @text followed by @colon (":" or ""), left-aligned in @width columns. */
static void put_left(struct fargs_buf *out, const char *text, const char *colon, size_t width)
{
	size_t n = strlen(text) + strlen(colon);

	fargs_put(out, text);
	fargs_put(out, colon);
	if (n < width)
		fargs_buf_fill(out, ' ', width - n);
}

size_t fargs_pt_line_flags(char to[FARGS_PT_LINE_FLAGS], const char *words, const char *marks)
{
	/* Without words, perf writes letters only. */
	const char *left = *words ? words : marks;
	size_t n = strlen(left), nr = *words ? strlen(marks) : 0;

	memcpy(to, left, n);
	if (n < FLAGS_WIDTH)
		memset(to + n, ' ', FLAGS_WIDTH - n);
	n = n < FLAGS_WIDTH ? FLAGS_WIDTH : n;
	if (!nr)
		return n;
	/* The letters are in brackets, in a column of their own. */
	memset(to + n, ' ', MARKS_WIDTH);
	to[n + MARKS_WIDTH - nr - 3] = '(';
	memcpy(to + n + MARKS_WIDTH - nr - 2, marks, nr);
	to[n + MARKS_WIDTH - 2] = ')';
	return n + MARKS_WIDTH;
}

static void put_place(struct fargs_buf *out, const struct fargs_event_place *place)
{
	fargs_pt_line_hex(out, place->addr);
	fargs_put_char(out, ' ');
	if (!place->symbol) {
		fargs_put(out, "[unknown]");
		return;
	}
	fargs_put_escaped(out, place->symbol, strlen(place->symbol), NULL);
	fargs_put_char(out, '+');
	fargs_put_hex(out, place->offset);
	if (!place->module)
		return;
	fargs_put(out, " [");
	fargs_put_escaped(out, place->module, strlen(place->module), NULL);
	fargs_put_char(out, ']');
}

static struct fargs_pt_line line_of(const struct fargs_event *ev)
{
	return (struct fargs_pt_line){
		.comm = ev->comm, .tid = ev->tid, .cpu = ev->has_no_cpu ? UINT32_MAX : ev->cpu,
		.has_time = !ev->has_no_time, .ns = ev->time_ns,
	};
}

/* Writes the name of the function at @addr, with an offset if it was entered in the middle. */
static void put_name(struct fargs_buf *out, struct fargs_decoder *d, uint64_t addr)
{
	const struct fargs_ksym *sym = fargs_decoder_symbol(d, addr);

	if (!sym) {
		fargs_put_hex(out, addr);
		return;
	}
	fargs_put_escaped(out, sym->name, strlen(sym->name), NULL);
	if (addr != sym->addr) {
		fargs_put_char(out, '+');
		fargs_put_hex(out, addr - sym->addr);
	}
	if (sym->module) {
		fargs_put(out, " [");
		fargs_put_escaped(out, sym->module, strlen(sym->module), NULL);
		fargs_put_char(out, ']');
	}
}

static void put_us(struct fargs_buf *out, uint64_t ns)
{
	fargs_put_u64(out, ns / 1000, 0, ' ');
	fargs_put_char(out, '.');
	fargs_put_u64(out, ns % 1000, 3, '0');
}

void fargs_pt_line_call(struct fargs_buf *out, struct fargs_decoder *d,
			const struct fargs_event *ev)
{
	const struct fargs_event_trace *trace = ev->trace;
	const struct fargs_pt_line line = line_of(ev);

	fargs_pt_line_head(out, &line);
	if (trace->has_returns)
		put_left(out, trace->word, "", WORD_WIDTH);
	fargs_buf_fill(out, ' ', (size_t)INDENT * trace->depth);
	if (trace->is_joined && ev->kind != FARGS_KIND_RETURN)
		fargs_text_call(out, d, ev);
	else
		put_name(out, d, trace->addr);
	fargs_text_result(out, d, ev);
	if (ev->has_duration) {
		fargs_put(out, " (");
		fargs_text_duration(out, ev, 0);
		fargs_put_char(out, ')');
	} else if (trace->has_bounds) {
		fargs_put(out, " (");
		put_us(out, trace->least_ns);
		fargs_put(out, "..");
		put_us(out, trace->most_ns);
		fargs_put(out, " us)");
	}
	fargs_put_char(out, '\n');
}

static void put_caller(struct fargs_buf *out, struct fargs_decoder *d, uint64_t addr)
{
	const struct fargs_ksym *sym = fargs_decoder_symbol(d, addr);
	struct fargs_event_place place = { .addr = addr };

	if (sym) {
		place.symbol = sym->name;
		place.offset = addr - sym->addr;
		place.module = sym->module;
	}
	put_place(out, &place);
}

/*
 * As perf script does, writes the call chain of @ev below the line, one address a line, and a blank
 * line after it.
 */
static void put_chain(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	const struct fargs_event_place *place = &ev->sample->place;
	const uint8_t *stack = ev->stack;
	uint64_t addr;
	unsigned int i;

	fargs_put(out, "\n\t");
	put_place(out, place);
	for (i = 0; i < ev->nr_stack; i++) {
		memcpy(&addr, stack + i * sizeof(addr), sizeof(addr));
		fargs_put(out, "\n\t");
		put_caller(out, d, addr);
	}
	fargs_put(out, "\n\n");
}

void fargs_pt_line_event(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev)
{
	const struct fargs_pt_line line = line_of(ev);
	const struct fargs_event_sample *sample = ev->sample;
	char flags[FARGS_PT_LINE_FLAGS];

	if (ev->error) {
		fargs_pt_line_error(out, &line, ev->ip, ev->error);
		return;
	}
	fargs_pt_line_head(out, &line);
	put_left(out, sample->event, ":", ev->kind == FARGS_EVENT_INSN ||
					   ev->kind == FARGS_EVENT_TRANSACTION ? 17 : 13);
	if (sample->synth && *sample->synth) {
		put_left(out, sample->synth, "", SYNTH_WIDTH - 1);
		fargs_put_char(out, ' ');
	} else {
		fargs_buf_add(out, flags, fargs_pt_line_flags(flags, sample->flags,
							      sample->marks));
	}
	if (ev->stack) {
		put_chain(out, d, ev);
		return;
	}
	put_place(out, &sample->place);
	if (ev->kind == FARGS_EVENT_BRANCH) {
		fargs_put(out, " => ");
		put_place(out, &sample->target);
	}
	fargs_put_char(out, '\n');
}
