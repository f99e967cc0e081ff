// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/pt_line.h"

#include "base/put.h"

#define COMM_WIDTH	16

void fargs_pt_line_hex(struct fargs_buf *out, uint64_t v)
{
	char digits[16];
	int i = sizeof(digits);

	do {
		digits[--i] = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v);
	while (i)
		digits[--i] = ' ';
	fargs_buf_add(out, digits, sizeof(digits));
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

void fargs_pt_line_head(struct fargs_buf *out, struct fargs_pt_context *c)
{
	put_comm(out, fargs_pt_context_comm(c));
	fargs_put_char(out, ' ');
	if (c->tid < 0)
		fargs_put(out, "   -1");
	else
		fargs_put_u64(out, c->tid, 5, ' ');
	if (c->stream->cpu != UINT32_MAX) {
		fargs_put(out, " [");
		fargs_put_u64(out, c->stream->cpu, 3, '0');
		fargs_put_char(out, ']');
	}
	fargs_put_char(out, ' ');
	if (c->has_time) {
		put_seconds(out, c->ns, 6);
		fargs_put(out, ": ");
	}
}

static const char *error_text(const struct fargs_pt_item *item)
{
	switch (item->kind) {
	case FARGS_PT_OVERFLOW:
		return "the CPU lost packets";
	case FARGS_PT_SKIPPED:
		return "no packet to start from in the next";
	case FARGS_PT_LOST:
		return "lost because the buffer was full; no packet to start from in the next";
	case FARGS_PT_POKED:
		return "kernel code was changed; number of places:";
	default:
		return item->error ? pt_errstr(item->error) : "the decoder got stuck: the code may "
		"differ from what was executed";
	}
}

void fargs_pt_line_error(struct fargs_buf *out, const struct fargs_pt_context *c,
			 const struct fargs_pt_item *item)
{
	fargs_put(out, " instruction trace error");
	if (c->has_time) {
		fargs_put(out, " time ");
		put_seconds(out, c->ns, 9);
	}
	if (c->stream->cpu != UINT32_MAX) {
		fargs_put(out, " cpu ");
		fargs_put_u64(out, c->stream->cpu, 0, ' ');
	}
	fargs_put(out, " tid ");
	fargs_put_s64(out, c->tid);
	fargs_put(out, " ip ");
	fargs_put_hex(out, item->from);
	fargs_put(out, " byte ");
	fargs_put_hex(out, item->offset);
	fargs_put(out, ": ");
	fargs_put(out, error_text(item));
	if (item->kind == FARGS_PT_SKIPPED || item->kind == FARGS_PT_LOST) {
		fargs_put_char(out, ' ');
		fargs_put_u64(out, item->to, 0, ' ');
		fargs_put(out, " bytes");
	} else if (item->kind == FARGS_PT_POKED) {
		fargs_put_char(out, ' ');
		fargs_put_u64(out, item->to, 0, ' ');
	}
	fargs_put_char(out, '\n');
}
