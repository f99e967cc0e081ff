/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PERF_RECORD_SAMPLE taken apart, as linux/perf_event.h describes it under
 * PERF_RECORD_SAMPLE. Pure: bytes in, values out, none of them trusted.
 */
#ifndef FARGS_PERF_SAMPLE_H
#define FARGS_PERF_SAMPLE_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

/* What the sample does not have is 0, unless said otherwise. Pointers lead into the record. */
struct fargs_sample {
	uint64_t ip;
	int32_t pid, tid;		/* -1 */
	uint64_t ns;			/* UINT64_MAX */
	uint64_t addr;
	uint64_t id, stream_id;		/* UINT64_MAX */
	int32_t cpu;			/* -1 */
	uint64_t period;		/* that of the event */
	uint64_t nr_callchain;
	const uint64_t *callchain;
	uint32_t raw_bytes;
	const void *raw;
	uint64_t nr_branches;
	const struct perf_branch_entry *branches;
	uint64_t weight;
	uint16_t ins_lat, p_stage_cyc;
	uint64_t data_src;		/* that nothing is known */
	uint64_t transaction;
	uint64_t phys_addr;
	uint64_t cgroup;
	uint64_t data_page_size, code_page_size;
	uint8_t cpumode;
	uint16_t misc;
};

/*
 * 0; -EIO: the record at @head, of which head->size bytes are there and which is aligned to 8, is
 * too short for what @attr says of it.
 */
int fargs_sample_parse(struct fargs_sample *s, const struct perf_event_header *head,
		       const struct perf_event_attr *attr);

/*
 * Where in records of an event with that sample_type its id is, in bytes behind the header;
 * -1: nowhere.
 */
int fargs_sample_id_at(uint64_t sample_type);

#endif
