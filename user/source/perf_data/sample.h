/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses PERF_RECORD_SAMPLE, as described in linux/perf_event.h. The input is not trusted.
 */
#ifndef FARGS_SOURCE_PERF_DATA_SAMPLE_H
#define FARGS_SOURCE_PERF_DATA_SAMPLE_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A parsed sample. Fields that the sample does not contain are 0 unless noted otherwise. Pointers
 * point into the record.
 */
struct fargs_sample {
	uint64_t ip;
	int32_t pid, tid;		/* if missing: -1 */
	uint64_t ns;			/* if missing: UINT64_MAX */
	uint64_t addr;
	uint64_t id, stream_id;		/* if missing: UINT64_MAX */
	int32_t cpu;			/* if missing: -1 */
	uint64_t period;		/* if missing: the period of the event */
	uint64_t nr_callchain;
	const uint64_t *callchain;
	uint32_t raw_bytes;
	const void *raw;
	uint64_t nr_branches;
	const struct perf_branch_entry *branches;
	uint64_t weight;
	uint16_t ins_lat, p_stage_cyc;
	uint64_t data_src;		/* if missing: PERF_MEM_S(…, NA) */
	uint64_t transaction;
	uint64_t phys_addr;
	uint64_t cgroup;
	uint64_t data_page_size, code_page_size;
	uint64_t aux_bytes;
	const uint8_t *aux;
	uint8_t cpumode;
	uint16_t misc;
};

/*
 * Parses the record at @head, which has head->size bytes and is aligned to 8. Returns 0, or -EIO
 * if it is too short for the fields that @attr selects.
 */
int fargs_sample_parse(struct fargs_sample *s, const struct perf_event_header *head,
		       const struct perf_event_attr *attr);

/*
 * Returns the offset of the event's id in samples of @sample_type, in bytes after the header; -1:
 * none.
 */
int fargs_sample_id_at(uint64_t sample_type);

#endif
