// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/inject/sample.h"

#include <errno.h>
#include <string.h>

#include "source/pt/events/pebs.h"

static void put_u64(struct fargs_buf *out, uint64_t value)
{
	fargs_buf_add(out, &value, sizeof(value));
}

/* Two numbers of 32 bits. */
static void put_pair(struct fargs_buf *out, uint32_t first, uint32_t second)
{
	const uint32_t pair[] = { first, second };

	fargs_buf_add(out, pair, sizeof(pair));
}

static void put_chain(struct fargs_buf *out, const struct fargs_dlfilter_sample *sample)
{
	uint64_t nr = sample->raw_callchain ? sample->raw_callchain_nr : 0;

	put_u64(out, nr);
	fargs_buf_add(out, sample->raw_callchain, nr * sizeof(*sample->raw_callchain));
}

/* A size of 32 bits, and the data: together a multiple of 8, as perf's synthetic data is. */
static void put_raw(struct fargs_buf *out, const struct fargs_dlfilter_sample *sample)
{
	uint32_t bytes = sample->raw_data ? sample->raw_size : 0;
	uint32_t padded = (bytes + sizeof(bytes) + 7) / 8 * 8 - sizeof(bytes);

	fargs_buf_add(out, &padded, sizeof(padded));
	fargs_buf_add(out, sample->raw_data, bytes);
	fargs_buf_fill(out, 0, padded - bytes);
}

/* @has_index: the event's attributes ask for the index of the newest branch, which is not known. */
static void put_branches(struct fargs_buf *out, const struct fargs_dlfilter_sample *sample,
			 bool has_index)
{
	uint64_t nr = sample->brstack ? sample->brstack_nr : 0;

	put_u64(out, nr);
	if (has_index)
		put_u64(out, UINT64_MAX);
	fargs_buf_add(out, sample->brstack, nr * sizeof(*sample->brstack));
}

/* A register that the record lacks is 0: all have those of the event's attributes. */
static void put_regs(struct fargs_buf *out, uint64_t mask, const struct fargs_pt_pebs_sample *pebs)
{
	unsigned int i;

	if (!pebs || !pebs->regs_mask) {
		put_u64(out, PERF_SAMPLE_REGS_ABI_NONE);
		return;
	}
	put_u64(out, pebs->pebs.is_32_bits ? PERF_SAMPLE_REGS_ABI_32 : PERF_SAMPLE_REGS_ABI_64);
	for (i = 0; i < 64; i++)
		if (mask >> i & 1)
			put_u64(out, pebs->regs_mask >> i & 1 ? pebs->regs[i] : 0);
}

/* What only samples of PEBS records have: the attributes are those of the recording. */
static void put_pebs(struct fargs_buf *out, const struct perf_event_attr *attr,
		     const struct fargs_dlfilter_event *ev)
{
	uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_REGS_USER)
		put_u64(out, PERF_SAMPLE_REGS_ABI_NONE);
	if (type & PERF_SAMPLE_STACK_USER)
		put_u64(out, 0);
	if (type & PERF_SAMPLE_WEIGHT_TYPE)
		put_u64(out, ev->sample->weight);
	if (type & PERF_SAMPLE_DATA_SRC)
		put_u64(out, ev->sample->data_src);
	if (type & PERF_SAMPLE_TRANSACTION)
		put_u64(out, ev->sample->transaction);
	if (type & PERF_SAMPLE_REGS_INTR)
		put_regs(out, attr->sample_regs_intr, ev->pebs);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		put_u64(out, 0);
	if (type & PERF_SAMPLE_CGROUP)
		put_u64(out, 0);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		put_u64(out, 0);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		put_u64(out, 0);
}

/* The fields are in the order of linux/perf_event.h. */
static void put_fields(struct fargs_buf *out, const struct fargs_dlfilter_event *ev)
{
	const struct fargs_dlfilter_sample *sample = ev->sample;
	uint64_t type = ev->attr->sample_type;

	if (type & PERF_SAMPLE_IDENTIFIER)
		put_u64(out, sample->id);
	if (type & PERF_SAMPLE_IP)
		put_u64(out, sample->ip);
	if (type & PERF_SAMPLE_TID)
		put_pair(out, sample->pid, sample->tid);
	if (type & PERF_SAMPLE_TIME)
		put_u64(out, sample->time);
	if (type & PERF_SAMPLE_ADDR)
		put_u64(out, sample->addr);
	if (type & PERF_SAMPLE_ID)
		put_u64(out, sample->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_u64(out, sample->stream_id);
	if (type & PERF_SAMPLE_CPU)
		put_pair(out, sample->cpu, 0);
	if (type & PERF_SAMPLE_PERIOD)
		put_u64(out, sample->period);
	if (type & PERF_SAMPLE_CALLCHAIN)
		put_chain(out, sample);
	if (type & PERF_SAMPLE_RAW)
		put_raw(out, sample);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(out, sample, ev->pebs && ev->attr->branch_sample_type &
					  PERF_SAMPLE_BRANCH_HW_INDEX);
	put_pebs(out, ev->attr, ev);
}

int fargs_inject_put_sample(struct fargs_buf *out, const struct fargs_dlfilter_event *ev)
{
	struct perf_event_header head = {
		.type = PERF_RECORD_SAMPLE, .misc = ev->sample->cpumode | ev->sample->misc,
	};
	size_t begin = out->n;

	fargs_buf_add(out, &head, sizeof(head));
	put_fields(out, ev);
	if (out->is_short)
		return -ENOMEM;
	if (out->n - begin > UINT16_MAX) {
		out->n = begin;
		return -EMSGSIZE;
	}
	head.size = out->n - begin;
	memcpy(out->text + begin, &head, sizeof(head));
	return 0;
}
