/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads where a compiler has put a function's arguments at its entry, according to the DWARF of an
 * object file, with libdw.
 */
#ifndef SELFTESTS_UNIT_ORACLE_DWARF_H
#define SELFTESTS_UNIT_ORACLE_DWARF_H

#include <stdbool.h>
#include <stdint.h>

#define ORACLE_PARAMS_MAX	16
#define ORACLE_BYTES_MAX	128

/* The place of one byte of an argument. */
struct oracle_place {
	uint8_t source;	/* enum fargs_source; 0: unknown, or neither a register nor a slot */
	uint8_t byte;	/* index of the byte in the register or slot */
	uint8_t index;	/* number of the register or slot, as in struct fargs_store */
};

struct oracle_param {
	const char *name;	/* name of the parameter; NULL: it has none */
	bool is_omitted;		/* not passed, because it is constant or unused */
	uint64_t bytes;	/* size of the type; places of bytes beyond ORACLE_BYTES_MAX are unknown */
	struct oracle_place places[ORACLE_BYTES_MAX];
};

struct oracle_func {
	const char *name;	/* name in the source */
	const char *symbol;	/* name of the symbol; that of a clone contains a dot */
	uint64_t addr;
	unsigned int nr;
	struct oracle_param params[ORACLE_PARAMS_MAX];
};

typedef void oracle_func_fn(const struct oracle_func *func, void *arg);
typedef void oracle_symbol_fn(const char *name, uint64_t addr, void *arg);

/*
 * Calls @each for all functions that have code of their own. Returns -1 if the file cannot be read.
 */
int oracle_each_func(const char *path, oracle_func_fn *each, void *arg);
/* Calls @each for all symbols of functions. Addresses are the same as for oracle_each_func(). */
int oracle_each_symbol(const char *path, oracle_symbol_fn *each, void *arg);

#endif
