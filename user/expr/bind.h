/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A selector on one function: its programs, and the values that they store.
 */
#ifndef FARGS_EXPR_BIND_H
#define FARGS_EXPR_BIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expr/code.h"
#include "expr/constant.h"
#include "expr/mistake.h"
#include "expr/selector.h"
#include "layout/signature.h"

/* Bytes of a string, and of an object or range, unless asked for otherwise. */
#define FARGS_BIND_CAP		256

struct fargs_bind_options {
	uint16_t str_cap;		/* bytes of a string at most, 1 to FARGS_MEM_MAX */
	uint16_t mem_cap;		/* the same of objects and ranges */
	uint32_t tsc_khz;		/* for durations */
	uint8_t nr_stack;		/* callers in FARGS_NAME_STACK; 0: none */
	bool has_derefs;		/* "*p" of every pointer to a struct */
	bool is_graph;			/* a record at the call and one at the return */
	/* Conditions for all calls (fargs_selector_init_filter); they cannot fail. */
	const struct fargs_selector *filters;
	size_t nr_filters;
};

/* A value in the body, or in the return body: an instruction stores its data. */
struct fargs_bound_value {
	const char *name;	/* owned by the fargs_bound */
	uint8_t type;		/* enum fargs_type */
	uint16_t bytes;		/* of data; FARGS_TYPE_BYTES: n */
	uint8_t program;	/* enum fargs_prog */
	uint8_t insn;		/* its off is to be set to where the data begins */
};

#define FARGS_BOUND_VALUES	FARGS_PROG_MAX
#define FARGS_BOUND_NAMES	8192

/* Large: not for the stack. */
struct fargs_bound {
	bool has_return;
	bool is_graph;
	struct fargs_code programs[FARGS_PROGS];
	struct fargs_pool pool;
	struct fargs_bound_value values[FARGS_BOUND_VALUES];	/* those of the body first */
	size_t nr_values;
	uint16_t append_max;
	uint16_t return_append_max;
	char names[FARGS_BOUND_NAMES];
	size_t names_len;
};

/*
 * Fills @bound for @sel, which may be NULL: then for the options alone. 0, or
 * negative with what is wrong in @m: a mistake is of the selector on this function,
 * and may be none on another.
 */
int fargs_bind(struct fargs_bound *bound, const struct fargs_selector *sel,
	       const struct fargs_signature *func, const struct fargs_bind_options *options,
	       struct fargs_constants *constants, struct fargs_mistake *m);

#endif
