// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/code_events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Body of PERF_RECORD_KSYMBOL, between struct perf_event_header and the name. */
struct ksymbol {
	uint64_t addr;
	uint32_t bytes;
	uint16_t type;
	uint16_t flags;
};

/*
 * Adds a new BPF program or BPF trampoline. Other generated code need not be copied: TEXT_POKE
 * records contain the code that ftrace and kprobes generate.
 */
static int take_ksymbol(struct fargs_pt_code_events *code_events, const void *body, size_t bytes)
{
	struct fargs_pt_place *larger;
	struct ksymbol from;

	if (bytes < sizeof(from))
		return -EIO;
	memcpy(&from, body, sizeof(from));
	if (from.type != PERF_RECORD_KSYMBOL_TYPE_BPF ||
	    from.flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER || !from.bytes)
		return 0;
	if (code_events->nr_bpf == code_events->room) {
		code_events->room = 2 * code_events->room + 16;
		larger = realloc(code_events->bpf, code_events->room * sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		code_events->bpf = larger;
	}
	code_events->bpf[code_events->nr_bpf++] = (struct fargs_pt_place){ from.addr, from.bytes };
	return 0;
}

/* The beginning of a sample with TID, TIME, CPU and RAW, up to the tracepoint's data. */
struct module_sample {
	struct perf_event_header head;
	uint64_t task, ns, cpu;
	uint32_t raw_bytes;
};

/* Sizes of a tracepoint's common fields, and of the field taints of module_load (before name). */
#define RAW_COMMON	8
#define RAW_TAINTS	4

static int take_module(struct fargs_pt_code_events *code_events, const char *record, size_t bytes)
{
	struct fargs_file_pt_module module = { .ns = 0 };
	struct fargs_file_pt_module *to;
	struct module_sample sample;
	uint32_t at = RAW_COMMON, name;
	const char *raw;
	uint16_t id;

	/*
	 * The raw data directly follows raw_bytes, without the padding at the end of the struct:
	 * sizeof(sample) would be too large.
	 */
	raw = record + offsetof(struct module_sample, raw_bytes) + sizeof(sample.raw_bytes);
	if (bytes < (size_t)(raw - record))
		return -EIO;
	memcpy(&sample, record, raw - record);
	if (sample.raw_bytes > bytes - (raw - record) || sample.raw_bytes < RAW_COMMON)
		return -EIO;
	memcpy(&id, raw, sizeof(id));
	module.is_removed = id == code_events->free_id;
	if (!module.is_removed)
		code_events->has_loaded = true;
	if (!module.is_removed && id != code_events->load_id)
		return 0;
	at += module.is_removed ? 0 : RAW_TAINTS;
	/* If the sample is too short, this kernel's tracepoint has different fields. */
	if (sample.raw_bytes < at + sizeof(name))
		return 0;
	/* __data_loc: the string's offset in the lower half, its size in the upper half. */
	memcpy(&name, raw + at, sizeof(name));
	if ((name & UINT16_MAX) >= sample.raw_bytes)
		return 0;
	module.ns = sample.ns;
	raw += name & UINT16_MAX;
	bytes = strnlen(raw, sample.raw_bytes - (name & UINT16_MAX));
	memcpy(module.name, raw, bytes < sizeof(module.name) ? bytes : sizeof(module.name) - 1);
	to = fargs_array_add(code_events->modules, code_events->nr_modules);
	if (!to)
		return -ENOMEM;
	*to = module;
	return 0;
}

int fargs_pt_code_events_parse(struct fargs_pt_code_events *code_events, const void *record,
			       size_t bytes)
{
	struct perf_event_header head;

	if (bytes < sizeof(head))
		return -EIO;
	memcpy(&head, record, sizeof(head));
	/* Only the module tracepoints have samples. */
	if (head.type == PERF_RECORD_SAMPLE)
		return take_module(code_events, record, bytes);
	if (head.type != PERF_RECORD_KSYMBOL)
		return 0;
	return take_ksymbol(code_events, (const char *)record + sizeof(head), bytes - sizeof(head));
}

void fargs_pt_code_events_move(struct fargs_pt_code_events *code_events,
			       struct fargs_pt_code_events *to)
{
	*to = *code_events;
	*code_events = (struct fargs_pt_code_events){
		.load_id = to->load_id, .free_id = to->free_id,
	};
}

void fargs_pt_code_events_deinit(struct fargs_pt_code_events *code_events)
{
	free(code_events->bpf);
	free(code_events->modules);
	memset(code_events, 0, sizeof(*code_events));
}
