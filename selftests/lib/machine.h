/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine for the module's interpreter of programs (kmod/prog/prog.c), in user space:
 * memory that is made up, and a call. Link with verifier.a.
 */
#ifndef SELFTESTS_MACHINE_H
#define SELFTESTS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs_layout.h"
#include "uapi/fargs_prog.h"
#include "uapi/fargs_record.h"

/* Memory from @addr on; what is in no piece is unreadable. Pieces may touch. */
struct machine_memory {
	uint64_t addr;
	const void *bytes;
	size_t len;
	bool is_user;
};

struct machine {
	uint64_t args[FARGS_REGS];
	uint64_t slots[FARGS_STACK_SLOTS];	/* all ones: unreadable */
	uint64_t ctx[FARGS_CTXS];
	uint64_t stack[FARGS_STACK_MAX];
	unsigned int nr_stack;
	const struct machine_memory *memory;
	unsigned int nr_memory;
};

/* Where slot 0 is, for the address of one that is unreadable. */
#define MACHINE_SP	0xffffc90000001000ull

struct machine_result {
	bool is_accepted;
	bool is_unreadable;
	bool is_scope;		/* the SCOPE program accepts, or there is none */
	bool is_trigger;	/* the same of TRIGGER, or RETURN_TRIGGER */
	uint32_t body_len;
	uint8_t body[FARGS_RECORD_MAX];	/* values and what was appended, with an end */
};

/*
 * Runs the SCOPE and ENTRY programs of the layout at @data, which verifier_check() has found
 * right, as the module does for a call; stores of the layout itself are not made.
 * If it is not accepted there is no body. False: no memory.
 */
bool machine_run(const struct machine *machine, const void *data, struct machine_result *result);

/*
 * The same for its RETURN programs, when the call returns: the body is the return body.
 * The layout has FARGS_LAYOUT_RETURN, and programs.
 */
bool machine_run_return(const struct machine *machine, const void *data,
			struct machine_result *result);

#endif
