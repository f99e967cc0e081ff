// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/sideband_buffer.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Consecutive records in data[from...to). */
struct queue {
	uint8_t *data;
	size_t from, to;
	size_t room;
};

struct fargs_pt_sideband_buffer {
	size_t bytes;			/* maximum number of bytes in @last */
	struct queue code;		/* records of code changes that were removed from @last */
	struct queue last;
};

struct fargs_pt_sideband_buffer *fargs_pt_sideband_buffer_create(size_t bytes)
{
	struct fargs_pt_sideband_buffer *b = calloc(1, sizeof(*b));

	if (b)
		b->bytes = bytes;
	return b;
}

void fargs_pt_sideband_buffer_destroy(struct fargs_pt_sideband_buffer *b)
{
	if (!b)
		return;
	free(b->code.data);
	free(b->last.data);
	free(b);
}

static size_t size_of(const void *record)
{
	struct perf_event_header head;

	memcpy(&head, record, sizeof(head));
	return head.size;
}

static bool is_about_code(const void *record)
{
	struct perf_event_header head;

	memcpy(&head, record, sizeof(head));
	return head.type == PERF_RECORD_TEXT_POKE || head.type == PERF_RECORD_KSYMBOL ||
	       head.type == PERF_RECORD_BPF_EVENT || head.type == PERF_RECORD_ITRACE_START;
}

/* Makes room for @bytes: reuses the free space at the beginning before growing the buffer. */
static int make_room(struct queue *q, size_t bytes)
{
	uint8_t *larger;

	if (q->room - q->to >= bytes)
		return 0;
	if (q->from > q->room / 2) {
		memmove(q->data, q->data + q->from, q->to - q->from);
		q->to -= q->from;
		q->from = 0;
	}
	if (q->room - q->to >= bytes)
		return 0;
	larger = realloc(q->data, 2 * q->room + bytes);
	if (!larger)
		return -ENOMEM;
	q->data = larger;
	q->room = 2 * q->room + bytes;
	return 0;
}

static int append(struct queue *q, const void *record, size_t bytes)
{
	int ret = make_room(q, bytes);

	if (ret)
		return ret;
	memcpy(q->data + q->to, record, bytes);
	q->to += bytes;
	return 0;
}

static int drop_oldest(struct fargs_pt_sideband_buffer *b)
{
	const uint8_t *oldest = b->last.data + b->last.from;
	size_t bytes = size_of(oldest);
	int ret = is_about_code(oldest) ? append(&b->code, oldest, bytes) : 0;

	b->last.from += bytes;
	return ret;
}

int fargs_pt_sideband_buffer_add(struct fargs_pt_sideband_buffer *b, const void *record)
{
	size_t bytes = size_of(record);
	int ret = 0;

	while (!ret && b->last.to != b->last.from && b->last.to - b->last.from + bytes > b->bytes)
		ret = drop_oldest(b);
	return ret ? ret : append(&b->last, record, bytes);
}

static int take_queue(struct queue *q, size_t most, fargs_pt_sideband_buffer_fn fn, void *arg)
{
	size_t bytes, next;
	int ret = 0;

	while (!ret && q->from != q->to) {
		bytes = size_of(q->data + q->from);
		while (q->from + bytes != q->to) {
			next = size_of(q->data + q->from + bytes);
			if (bytes + next > most)
				break;
			bytes += next;
		}
		ret = fn(arg, q->data + q->from, bytes);
		q->from += bytes;
	}
	q->from = 0;
	q->to = 0;
	return ret;
}

int fargs_pt_sideband_buffer_take(struct fargs_pt_sideband_buffer *b, size_t most,
				  fargs_pt_sideband_buffer_fn fn, void *arg)
{
	int ret = take_queue(&b->code, most, fn, arg);

	return ret ? ret : take_queue(&b->last, most, fn, arg);
}
