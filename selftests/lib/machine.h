/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs the module's interpreter of programs (kmod/prog/prog.c) in user space, on a simulated call
 * with simulated memory. Link with verifier.a.
 */
#ifndef SELFTESTS_MACHINE_H
#define SELFTESTS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs_layout.h"
#include "uapi/fargs_prog.h"
#include "uapi/fargs_record.h"

/*
 * A piece of simulated memory at @addr. Addresses outside all pieces are unreadable. Pieces may be
 * adjacent.
 */
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

/* Value of rsp that determines the addresses of unreadable stack slots. */
#define MACHINE_SP	0xffffc90000001000ull

struct machine_result {
	bool is_accepted;
	bool is_unreadable;
	bool is_scope;		/* the SCOPE program accepts, or there is none */
	/* the TRIGGER or RETURN_TRIGGER program accepts, or there is none */
	bool is_trigger;
	uint32_t body_len;
	/* values of the body and appended values, with the end of the list */
	uint8_t body[FARGS_RECORD_MAX];
};

/*
 * Runs the SCOPE, TRIGGER and ENTRY programs of the layout at @data, which must have passed
 * verifier_check(), as the module does at a call. The layout's stores are not executed. If the
 * predicate rejects the call, there is no body. Returns false if out of memory.
 */
bool machine_run(const struct machine *machine, const void *data, struct machine_result *result);

/*
 * Like machine_run(), for the programs that run at the return: the body is the return body. The
 * layout must have FARGS_LAYOUT_RETURN and programs.
 */
bool machine_run_return(const struct machine *machine, const void *data,
			struct machine_result *result);

#endif
