// SPDX-License-Identifier: GPL-2.0-only
#include "sink/text/sample.h"

#include <stdio.h>
#include <string.h>

#include "base/put.h"
#include "kernel/sym/ksyms.h"

/* Widths of the columns for the task name and the period, as in the output of perf script. */
#define COMM_WIDTH	16
#define PERIOD_WIDTH	10

static void put_comm(struct fargs_buf *out, const char *comm)
{
	size_t n = strlen(comm);

	fargs_buf_fill(out, ' ', n < COMM_WIDTH ? COMM_WIDTH - n : 0);
	fargs_put_escaped(out, comm, n, NULL);
}

static void put_place(struct fargs_buf *out, const struct fargs_event_place *place)
{
	char text[32];

	snprintf(text, sizeof(text), " %16llx ", (unsigned long long)place->addr);
	fargs_put(out, text);
	if (place->symbol) {
		fargs_put_escaped(out, place->symbol, strlen(place->symbol), NULL);
		fargs_put_char(out, '+');
		fargs_put_hex(out, place->offset);
	} else {
		fargs_put(out, "[unknown]");
	}
	fargs_put(out, " (");
	if (place->module) {
		fargs_put_char(out, '[');
		fargs_put_escaped(out, place->module, strlen(place->module), NULL);
		fargs_put_char(out, ']');
	} else if (place->file) {
		fargs_put_escaped(out, place->file, strlen(place->file), NULL);
	} else {
		fargs_put(out, "[unknown]");
	}
	fargs_put_char(out, ')');
}

static void put_chain(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	const uint8_t *stack = ev->stack;
	struct fargs_event_place place;
	const struct fargs_ksym *sym;
	uint64_t addr;
	unsigned int i;

	fargs_put(out, "\n\t");
	put_place(out, &ev->sample->place);
	for (i = 0; i < ev->nr_stack; i++) {
		memcpy(&addr, stack + i * sizeof(addr), sizeof(addr));
		place = (struct fargs_event_place){ .addr = addr };
		sym = fargs_decoder_symbol(d, addr);
		if (sym) {
			place.symbol = sym->name;
			place.offset = addr - sym->addr;
			place.module = sym->module;
		}
		fargs_put(out, "\n\t");
		put_place(out, &place);
	}
	fargs_put_char(out, '\n');
}

void fargs_text_sample(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	const struct fargs_event_sample *sample = ev->sample;
	char text[64];

	put_comm(out, ev->comm);
	snprintf(text, sizeof(text), " %5d", ev->tid);
	fargs_put(out, text);
	if (!ev->has_no_cpu) {
		snprintf(text, sizeof(text), " [%03u]", ev->cpu);
		fargs_put(out, text);
	}
	if (!ev->has_no_time) {
		snprintf(text, sizeof(text), " %5llu.%06llu:",
			 (unsigned long long)(ev->time_ns / 1000000000),
			 (unsigned long long)(ev->time_ns % 1000000000 / 1000));
		fargs_put(out, text);
	}
	fargs_put_char(out, ' ');
	fargs_put_u64(out, sample->period, PERIOD_WIDTH, ' ');
	fargs_put_char(out, ' ');
	fargs_put_escaped(out, sample->event, strlen(sample->event), NULL);
	fargs_put_char(out, ':');
	if (ev->shows_stack)
		put_chain(out, d, ev);
	else if (sample->has_place)
		put_place(out, &sample->place);
	if (sample->has_target) {
		fargs_put(out, " =>");
		put_place(out, &sample->target);
	}
	fargs_put_char(out, '\n');
}
