/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A selector on one function: its programs, and the values that they store.
 */
#ifndef FARGS_EXPR_BIND_H
#define FARGS_EXPR_BIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "select/codegen/code.h"
#include "select/typing/constant.h"
#include "select/syntax/mistake.h"
#include "select/syntax/selector.h"
#include "abi/signature.h"

/* Bytes of a string, and of an object or range, unless asked for otherwise. */
#define FARGS_BIND_CAP		256

struct fargs_bind_options {
	uint16_t str_cap;		/* bytes of a string at most, 1 to FARGS_MEM_MAX */
	uint16_t mem_cap;		/* the same of objects and ranges */
	uint16_t record_cap;		/* bytes of a record at most; 0: FARGS_RECORD_MAX */
	uint32_t tsc_khz;		/* for durations */
	uint8_t nr_stack;		/* callers in FARGS_NAME_STACK; 0: none */
	bool has_derefs;		/* "*p" of every pointer to a struct */
	bool is_only_errors;		/* calls that fail (expr/failure.h); func can */
	bool is_graph;			/* a record at the call and one at the return */
	/* Conditions for all calls (fargs_selector_init_filter). */
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

/* In which order the values of one body, and those behind it, were asked for. */
struct fargs_bound_order {
	/* For each value that is appended: how many of the body's are before it. */
	uint8_t before[FARGS_BOUND_VALUES];
	uint8_t nr;		/* appended, without the stack */
	uint8_t nr_fixed;	/* in the body */
};

#define FARGS_BOUND_NAMES	8192

/* Large: not for the stack. */
struct fargs_bound {
	bool has_return;
	bool is_graph;
	bool has_scope;
	bool has_trigger;
	bool is_silent;
	struct fargs_code programs[FARGS_PROGS];
	struct fargs_pool pool;
	struct fargs_bound_value values[FARGS_BOUND_VALUES];	/* those of the body first */
	size_t nr_values;
	struct fargs_bound_order orders[2];	/* of the body, of the return body */
	uint16_t record_cap;		/* as in the options, never 0 */
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

/* Makes @bound one without records, for fargs_bind_scope() alone. */
void fargs_bind_silent(struct fargs_bound *bound);
/*
 * Adds to @bound that who is called by @func is inside it, if the condition of @sel
 * holds; without a condition always, and @func may be NULL. Of several it is enough if
 * one holds. 0, or negative with what is wrong in @m, and @bound as it was.
 */
int fargs_bind_scope(struct fargs_bound *bound, const struct fargs_selector *sel,
		     const struct fargs_signature *func, const struct fargs_bind_options *options,
		     struct fargs_constants *constants, struct fargs_mistake *m);

/* Fills @bound for a function whose calls are recorded only if they trigger. */
int fargs_bind_unwanted(struct fargs_bound *bound, const struct fargs_signature *func,
			const struct fargs_bind_options *options,
			struct fargs_constants *constants, struct fargs_mistake *m);
/*
 * Adds to @bound that calls of @func trigger of which @sel and the filters hold, and to their
 * records what @sel fetches; @beside: what does already, NULL: nothing. Of several it
 * is enough if one holds, none of which may wait for the return then. 0, or negative
 * with what is wrong in @m, and part of it in @bound.
 */
int fargs_bind_trigger(struct fargs_bound *bound, const struct fargs_selector *sel,
		       const struct fargs_selector *beside, const struct fargs_signature *func,
		       const struct fargs_bind_options *options,
		       struct fargs_constants *constants, struct fargs_mistake *m);

#endif
