/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Binds a selector to one function: generates its programs, and lists the values that they store.
 */
#ifndef FARGS_SELECT_CODEGEN_BIND_H
#define FARGS_SELECT_CODEGEN_BIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/signature.h"
#include "select/codegen/code.h"
#include "select/syntax/diagnostic.h"
#include "select/syntax/selector.h"
#include "select/typing/constant.h"

/* Default maximum size in bytes of a string, and of an object or range. */
#define FARGS_BIND_CAP		256

struct fargs_bind_options {
	uint16_t str_cap;		/* maximum bytes of a string, 1 to FARGS_MEM_MAX */
	uint16_t mem_cap;		/* maximum bytes of an object or range */
	uint16_t record_cap;		/* maximum bytes of a record; 0: FARGS_RECORD_MAX */
	uint32_t tsc_khz;		/* rate of the TSC, to convert durations to ticks */
	uint8_t nr_stack;		/* number of callers to record as "$stack"; 0: none */
	bool has_derefs;		/* fetch "*p" for each pointer p to a struct */
	bool is_only_errors;		/* record only failing calls: see failure.h */
	bool is_graph;			/* two records: one at the call, one at the return */
	/* Conditions for all calls (fargs_selector_init_filter). */
	const struct fargs_selector *filters;
	size_t nr_filters;
};

/* A value in the body or return body of a record. An instruction stores its data. */
struct fargs_bound_value {
	const char *name;	/* points into @names of struct fargs_bound */
	uint8_t type;		/* enum fargs_type */
	uint16_t bytes;		/* size of the data */
	uint8_t program;	/* enum fargs_prog: the program with the instruction */
	/* Index of the instruction, whose member off must be set to the offset of the data. */
	uint8_t insn;
};

#define FARGS_BOUND_VALUES	FARGS_PROG_MAX

/*
 * The order in which the values of a body (or return body) and the values appended to the record
 * were requested.
 */
struct fargs_bound_order {
	/* For each appended value: how many of the body's values were requested before it. */
	uint8_t before[FARGS_BOUND_VALUES];
	uint8_t nr;		/* number of appended values, without the stack */
	uint8_t nr_fixed;	/* number of values in the body */
};

#define FARGS_BOUND_NAMES	8192

/* A selector bound to one function. Too large for a local variable. */
struct fargs_bound {
	bool has_return;
	bool is_graph;
	bool has_scope;
	bool has_trigger;
	bool is_silent;
	struct fargs_code programs[FARGS_PROGS];
	struct fargs_pool pool;
	struct fargs_bound_value values[FARGS_BOUND_VALUES];	/* in the order they were added */
	size_t nr_values;
	struct fargs_bound_order orders[2];	/* [0]: of the body; [1]: of the return body */
	uint16_t record_cap;		/* maximum bytes of a record; never 0 */
	uint16_t append_max;
	uint16_t return_append_max;
	char names[FARGS_BOUND_NAMES];
	size_t names_len;
};

/*
 * Fills @bound for @sel and the options, or for the options alone if @sel is NULL. Returns 0, or a
 * negative value with the diagnostic in @m. The diagnostic concerns @func only: @sel may be valid
 * on other functions.
 */
int fargs_bind(struct fargs_bound *bound, const struct fargs_selector *sel,
	       const struct fargs_signature *func, const struct fargs_bind_options *options,
	       struct fargs_constants *constants, struct fargs_diagnostic *m);

/* Initializes @bound for a function that is not recorded; only fargs_bind_scope() may follow. */
void fargs_bind_silent(struct fargs_bound *bound);
/*
 * Adds a scope to @bound: functions called by @func are in scope if the condition of @sel holds.
 * Without a condition they always are, and @func may be NULL. If there are several scopes,
 * functions are in scope if at least one condition holds. Returns 0, or a negative value with the
 * diagnostic in @m and @bound unchanged.
 */
int fargs_bind_scope(struct fargs_bound *bound, const struct fargs_selector *sel,
		     const struct fargs_signature *func, const struct fargs_bind_options *options,
		     struct fargs_constants *constants, struct fargs_diagnostic *m);

/*
 * Fills @bound for a function whose calls are recorded only if a trigger holds.
 * fargs_bind_trigger() must then add the trigger.
 */
int fargs_bind_unwanted(struct fargs_bound *bound, const struct fargs_signature *func,
			const struct fargs_bind_options *options,
			struct fargs_constants *constants, struct fargs_diagnostic *m);
/*
 * Adds a trigger to @bound: calls of @func trigger if @sel and the filters hold, and their records
 * have the values that @sel fetches. @beside: selector whose values @bound already contains; NULL:
 * none. If there are several triggers, a call triggers if at least one of them holds; none of them
 * may need the return. Returns 0, or a negative value with the diagnostic in @m and @bound
 * incomplete.
 */
int fargs_bind_trigger(struct fargs_bound *bound, const struct fargs_selector *sel,
		       const struct fargs_selector *beside, const struct fargs_signature *func,
		       const struct fargs_bind_options *options,
		       struct fargs_constants *constants, struct fargs_diagnostic *m);

#endif
