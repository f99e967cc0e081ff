/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fields of perf script's lines: the value of -F.
 */
#ifndef FARGS_SINK_TEXT_PERF_FIELDS_H
#define FARGS_SINK_TEXT_PERF_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event.h"
#include "model/meta.h"

/* One bit each. */
enum fargs_perf_field {
	FARGS_PERF_COMM = 1 << 0,
	FARGS_PERF_TID = 1 << 1,
	FARGS_PERF_PID = 1 << 2,
	FARGS_PERF_TIME = 1 << 3,
	FARGS_PERF_CPU = 1 << 4,
	FARGS_PERF_EVENT = 1 << 5,
	FARGS_PERF_IP = 1 << 6,
	FARGS_PERF_SYM = 1 << 7,
	FARGS_PERF_SYMOFF = 1 << 8,
	FARGS_PERF_DSO = 1 << 9,
	FARGS_PERF_ADDR = 1 << 10,
	FARGS_PERF_PERIOD = 1 << 11,
	FARGS_PERF_SYNTHETIC = 1 << 12,
	FARGS_PERF_INSN = 1 << 13,
	FARGS_PERF_INSNLEN = 1 << 14,
	FARGS_PERF_DISASM = 1 << 15,
	FARGS_PERF_IPC = 1 << 16,
	FARGS_PERF_SRCLINE = 1 << 17,
	FARGS_PERF_SRCCODE = 1 << 18,
	FARGS_PERF_BRSTACK = 1 << 19,
	FARGS_PERF_BRSTACKSYM = 1 << 20,
	FARGS_PERF_BRSTACKOFF = 1 << 21,
	FARGS_PERF_CALLINDENT = 1 << 22,
	FARGS_PERF_MACHINE_PID = 1 << 23,
	FARGS_PERF_VCPU = 1 << 24,
	FARGS_PERF_BRSTACKINSN = 1 << 25,
	FARGS_PERF_BRSTACKINSNLEN = 1 << 26,
};

struct fargs_perf_fields {
	/* For each enum fargs_perf_event_type, bitmasks of enum fargs_perf_field. */
	uint32_t shown[FARGS_PERF_TYPES];
	uint32_t requested[FARGS_PERF_TYPES];	/* by name: they must exist */
	/* Fields were requested or removed: perf then shows no target unless it is requested. */
	bool is_changed[FARGS_PERF_TYPES];
	bool has_flags;		/* the same for all types */
	bool has_ns;		/* times have 9 digits instead of 6 */
};

/* Sets the fields that perf script shows without -F. */
void fargs_perf_fields_init(struct fargs_perf_fields *f);

/* Applies the value of an -F. Returns 0, or -EINVAL with @err. */
int fargs_perf_fields_parse(struct fargs_perf_fields *f, const char *value,
			    struct fargs_error_text *err);

/*
 * Removes default fields that samples lack. Returns 0, or -EINVAL with @err if a requested field is
 * among them, or if it needs another field.
 */
int fargs_perf_fields_resolve(struct fargs_perf_fields *f, const struct fargs_perf_meta *perf,
			      struct fargs_error_text *err);

/* Returns the details of events that the fields need (enum fargs_event_detail). */
uint32_t fargs_perf_fields_details(const struct fargs_perf_fields *f);
/* Returns whether any type of event has one of @fields. */
bool fargs_perf_fields_any(const struct fargs_perf_fields *f, uint32_t fields);

/* The names of all fields, separated by blanks. */
#define FARGS_PERF_FIELD_WORDS "comm tid pid time cpu event ip sym symoff dso addr flags period " \
	"synth insn insnlen disasm ipc srcline srccode brstack brstacksym brstackoff " \
	"brstackinsn brstackinsnlen callindent machine_pid vcpu"

#endif
