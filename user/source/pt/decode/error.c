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

void fargs_pt_error_describe(struct fargs_event_error *error, const struct fargs_pt_item *item)
{
	bool is_skipped = (item->kind == FARGS_PT_SKIPPED && item->to) ||
			  item->kind == FARGS_PT_LOST;

	*error = (struct fargs_event_error){
		.text = error_text(item), .offset = item->offset,
		.has_count = is_skipped || item->kind == FARGS_PT_POKED, .count = item->to,
		.unit = is_skipped ? " bytes" : "",
	};
}
