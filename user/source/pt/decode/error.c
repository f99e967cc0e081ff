// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/error.h"

#include <intel-pt.h>

static const char *error_text(const struct fargs_pt_item *item)
{
	switch (item->kind) {
	case FARGS_PT_OVERFLOW:
		return "the CPU lost packets";
	case FARGS_PT_SKIPPED:
		return item->to ? "no PSB to start from in the next" :
		       "the trace before this place was not recorded";
	case FARGS_PT_LOST:
		return "the buffer was full; no PSB to start from in the next";
	case FARGS_PT_POKED:
		return "kernel code was changed; number of places:";
	default:
		return item->error ? pt_errstr(item->error) : "the decoder got stuck: the code may "
		"differ from what was executed";
	}
}

/* perf's numbers of errors (enum of intel-pt-decoder.h): not those that it has only for itself. */
enum perf_error {
	PERF_BAD_PACKET = 3, PERF_NO_CODE = 5, PERF_MISMATCH = 6, PERF_OVERFLOW = 7, PERF_LOST = 8,
	PERF_UNKNOWN = 9, PERF_ENDLESS = 10,
};

static enum perf_error code_of(uint8_t error)
{
	switch (error) {
	case 0:
		return PERF_ENDLESS;
	case pte_bad_opc:
	case pte_bad_packet:
		return PERF_BAD_PACKET;
	case pte_nomap:
	case pte_bad_insn:
		return PERF_NO_CODE;
	case pte_bad_query:
	case pte_bad_retcomp:
	case pte_retstack_empty:
	case pte_bad_status_update:
		return PERF_MISMATCH;
	default:
		return PERF_UNKNOWN;
	}
}

/* Returns the number that perf has for @item; 0: perf has no such error. */
static unsigned int find_code(const struct fargs_pt_item *item)
{
	switch (item->kind) {
	case FARGS_PT_OVERFLOW:
		return PERF_OVERFLOW;
	case FARGS_PT_LOST:
		return PERF_LOST;
	case FARGS_PT_ERROR:
		return code_of(item->error);
	default:
		return 0;
	}
}

void fargs_pt_error_describe(struct fargs_event_error *error, const struct fargs_pt_item *item)
{
	bool is_skipped = (item->kind == FARGS_PT_SKIPPED && item->to) ||
			  item->kind == FARGS_PT_LOST;

	*error = (struct fargs_event_error){
		.text = error_text(item), .code = find_code(item), .offset = item->offset,
		.has_count = is_skipped || item->kind == FARGS_PT_POKED, .count = item->to,
		.unit = is_skipped ? " bytes" : "",
	};
}
