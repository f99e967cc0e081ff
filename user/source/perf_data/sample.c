// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/sample.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* Bit of the branch_sample_type, from linux/perf_event.h of 6.8; older headers do not define it. */
#define BRANCH_COUNTERS		(1ull << 19)
/* The data_src that perf up to 6.1 assumes for samples without PERF_SAMPLE_DATA_SRC. */
#define DATA_SRC_NONE							\
	(PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA) | PERF_MEM_S(SNOOP, NA) |	\
	 PERF_MEM_S(LOCK, NA) | PERF_MEM_S(TLB, NA))

/* The part of a record that is not parsed yet, in words of 8 bytes. */
struct rest {
	const uint64_t *at;
	uint64_t nr;
	bool is_short;
};

static const uint64_t *take(struct rest *r, uint64_t nr)
{
	static const uint64_t nothing;
	const uint64_t *at = r->at;

	if (nr > r->nr) {
		r->is_short = true;
		r->nr = 0;
		return &nothing;
	}
	r->at += nr;
	r->nr -= nr;
	return at;
}

static uint64_t take_u64(struct rest *r)
{
	return *take(r, 1);
}

/* Skips a struct read_format, whose values are not used. */
static void skip_read(struct rest *r, uint64_t format)
{
	unsigned int each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
	unsigned int times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			     !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	uint64_t nr = 1;

	if (format & PERF_FORMAT_GROUP)
		nr = take_u64(r);
	if (nr > r->nr) {
		r->is_short = true;
		return;
	}
	take(r, times);
	take(r, nr * each);
}

static void take_callchain(struct rest *r, struct fargs_sample *s)
{
	s->nr_callchain = take_u64(r);
	s->callchain = take(r, s->nr_callchain);
}

/*
 * Parses raw data. Its length is in the first half of a word; the data begins in the second half.
 */
static void take_raw(struct rest *r, struct fargs_sample *s)
{
	const uint64_t *at = r->at;
	uint64_t words;

	if (!r->nr) {
		r->is_short = true;
		return;
	}
	memcpy(&s->raw_bytes, at, sizeof(s->raw_bytes));
	words = ((uint64_t)s->raw_bytes + sizeof(s->raw_bytes) + 7) / 8;
	s->raw = (const uint8_t *)take(r, words) + sizeof(s->raw_bytes);
}

/* Parses a part of the AUX buffer, which is padded to a multiple of 8 bytes. */
static void take_aux(struct rest *r, struct fargs_sample *s)
{
	uint64_t bytes = take_u64(r);

	if (bytes > r->nr * 8) {
		r->is_short = true;
		return;
	}
	s->aux_bytes = bytes;
	s->aux = (const uint8_t *)take(r, (bytes + 7) / 8);
}

static void take_branches(struct rest *r, struct fargs_sample *s, uint64_t type)
{
	uint64_t nr = take_u64(r);

	if (type & PERF_SAMPLE_BRANCH_HW_INDEX)
		take(r, 1);
	if (nr > r->nr) {
		r->is_short = true;
		return;
	}
	s->nr_branches = nr;
	s->branches = (const void *)take(r, nr * (sizeof(*s->branches) / 8));
	if (type & BRANCH_COUNTERS)
		take(r, nr);
}

static void skip_regs(struct rest *r, uint64_t mask)
{
	if (take_u64(r) != PERF_SAMPLE_REGS_ABI_NONE)
		take(r, __builtin_popcountll(mask));
}

static void skip_stack(struct rest *r)
{
	uint64_t bytes = take_u64(r);

	if (bytes)
		take(r, bytes / 8 + 1);
}

static void take_weight(struct rest *r, struct fargs_sample *s, bool is_struct)
{
	union perf_sample_weight weight = { .full = take_u64(r) };

	s->weight = is_struct ? weight.var1_dw : weight.full;
	s->ins_lat = is_struct ? weight.var2_w : 0;
	s->p_stage_cyc = is_struct ? weight.var3_w : 0;
}

/* Parses the fields that describe the task and where the sample was taken. */
static void take_place(struct rest *r, struct fargs_sample *s, uint64_t type)
{
	uint64_t word;

	if (type & PERF_SAMPLE_IDENTIFIER)
		s->id = take_u64(r);
	if (type & PERF_SAMPLE_IP)
		s->ip = take_u64(r);
	if (type & PERF_SAMPLE_TID) {
		word = take_u64(r);
		s->pid = (int32_t)word;
		s->tid = (int32_t)(word >> 32);
	}
	if (type & PERF_SAMPLE_TIME)
		s->ns = take_u64(r);
	if (type & PERF_SAMPLE_ADDR)
		s->addr = take_u64(r);
	if (type & PERF_SAMPLE_ID)
		s->id = take_u64(r);
	if (type & PERF_SAMPLE_STREAM_ID)
		s->stream_id = take_u64(r);
	if (type & PERF_SAMPLE_CPU)
		s->cpu = (int32_t)take_u64(r);
	if (type & PERF_SAMPLE_PERIOD)
		s->period = take_u64(r);
}

static void take_data(struct rest *r, struct fargs_sample *s, const struct perf_event_attr *attr)
{
	uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_READ)
		skip_read(r, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		take_callchain(r, s);
	if (type & PERF_SAMPLE_RAW)
		take_raw(r, s);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		take_branches(r, s, attr->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER)
		skip_regs(r, attr->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		skip_stack(r);
	if (type & PERF_SAMPLE_WEIGHT_TYPE)
		take_weight(r, s, type & PERF_SAMPLE_WEIGHT_STRUCT);
	if (type & PERF_SAMPLE_DATA_SRC)
		s->data_src = take_u64(r);
	if (type & PERF_SAMPLE_TRANSACTION)
		s->transaction = take_u64(r);
	if (type & PERF_SAMPLE_REGS_INTR)
		skip_regs(r, attr->sample_regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		s->phys_addr = take_u64(r);
	if (type & PERF_SAMPLE_CGROUP)
		s->cgroup = take_u64(r);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		s->data_page_size = take_u64(r);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		s->code_page_size = take_u64(r);
	if (type & PERF_SAMPLE_AUX)
		take_aux(r, s);
}

int fargs_sample_parse(struct fargs_sample *s, const struct perf_event_header *head,
		       const struct perf_event_attr *attr)
{
	struct rest r = {
		.at = (const uint64_t *)(head + 1),
		.nr = (head->size - sizeof(*head)) / sizeof(uint64_t),
	};

	*s = (struct fargs_sample){
		.pid = -1, .tid = -1, .cpu = -1, .ns = UINT64_MAX, .id = UINT64_MAX,
		.stream_id = UINT64_MAX, .period = attr->sample_period,
		.data_src = DATA_SRC_NONE, .misc = head->misc,
		.cpumode = head->misc & PERF_RECORD_MISC_CPUMODE_MASK,
	};
	take_place(&r, s, attr->sample_type);
	take_data(&r, s, attr);
	return r.is_short ? -EIO : 0;
}

int fargs_sample_id_at(uint64_t sample_type)
{
	static const uint64_t before[] = {
		PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ADDR,
	};
	size_t i;
	int at = 0;

	if (sample_type & PERF_SAMPLE_IDENTIFIER)
		return 0;
	if (!(sample_type & PERF_SAMPLE_ID))
		return -1;
	for (i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		at += sample_type & before[i] ? sizeof(uint64_t) : 0;
	return at;
}
