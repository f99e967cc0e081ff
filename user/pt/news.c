// SPDX-License-Identifier: GPL-2.0-only
#include "pt/news.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

/* Behind struct perf_event_header, and before the name. */
struct ksymbol {
	uint64_t addr;
	uint32_t bytes;
	uint16_t type;
	uint16_t flags;
};

/* A program, or a trampoline of BPF's. What ftrace and kprobes make comes in TEXT_POKE. */
static int take_ksymbol(struct fargs_pt_news *news, const void *body, size_t bytes)
{
	struct fargs_pt_place *larger;
	struct ksymbol from;

	if (bytes < sizeof(from))
		return -EIO;
	memcpy(&from, body, sizeof(from));
	if (from.type != PERF_RECORD_KSYMBOL_TYPE_BPF ||
	    from.flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER || !from.bytes)
		return 0;
	if (news->nr_bpf == news->room) {
		news->room = 2 * news->room + 16;
		larger = realloc(news->bpf, news->room * sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		news->bpf = larger;
	}
	news->bpf[news->nr_bpf++] = (struct fargs_pt_place){ from.addr, from.bytes };
	return 0;
}

int fargs_pt_news_take(struct fargs_pt_news *news, const void *record, size_t bytes)
{
	struct perf_event_header head;

	if (bytes < sizeof(head))
		return -EIO;
	memcpy(&head, record, sizeof(head));
	/* The only samples are those of the tracepoints of modules. */
	if (head.type == PERF_RECORD_SAMPLE)
		news->has_modules = true;
	if (head.type != PERF_RECORD_KSYMBOL)
		return 0;
	return take_ksymbol(news, (const char *)record + sizeof(head), bytes - sizeof(head));
}

void fargs_pt_news_clear(struct fargs_pt_news *news)
{
	news->has_modules = false;
	news->nr_bpf = 0;
}

void fargs_pt_news_deinit(struct fargs_pt_news *news)
{
	free(news->bpf);
	memset(news, 0, sizeof(*news));
}
