/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a compiler says that a function's arguments are when it is entered:
 * the DWARF of an object file, read by libdw.
 */
#ifndef SELFTESTS_UNIT_ORACLE_DWARF_H
#define SELFTESTS_UNIT_ORACLE_DWARF_H

#include <stdbool.h>
#include <stdint.h>

#define ORACLE_PARAMS_MAX	16
#define ORACLE_BYTES_MAX	128

/* One byte of an argument. */
struct oracle_place {
	uint8_t source;	/* enum fargs_source; 0: DWARF does not say, or neither of them */
	uint8_t byte;	/* of the register or slot */
	uint8_t index;	/* as in struct fargs_store */
};

struct oracle_param {
	const char *name;	/* NULL: it has none */
	bool is_omitted;		/* it is a constant, or nobody looks at it: not passed */
	uint64_t bytes;		/* of its type; more than fit have no places */
	struct oracle_place places[ORACLE_BYTES_MAX];
};

struct oracle_func {
	const char *name;	/* in the source */
	const char *symbol;	/* of the machine code: a clone's has a dot */
	uint64_t addr;
	unsigned int nr;
	struct oracle_param params[ORACLE_PARAMS_MAX];
};

typedef void oracle_func_fn(const struct oracle_func *func, void *arg);
typedef void oracle_symbol_fn(const char *name, uint64_t addr, void *arg);

/* Calls @each with all functions that have code of their own. -1: not to be read. */
int oracle_each_func(const char *path, oracle_func_fn *each, void *arg);
/* Calls @each with all symbols of functions. Their addresses are as above. */
int oracle_each_symbol(const char *path, oracle_symbol_fn *each, void *arg);

#endif
