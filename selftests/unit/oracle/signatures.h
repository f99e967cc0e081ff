/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Generates C functions for tests of where the compiler puts arguments. The arguments have many
 * types: in some functions, one argument of a type is between integers; in others, types are mixed
 * at random. The functions are the same in every run.
 */
#ifndef SELFTESTS_UNIT_ORACLE_SIGNATURES_H
#define SELFTESTS_UNIT_ORACLE_SIGNATURES_H

#include <stdio.h>

#define ORACLE_ARGS_MAX	12

/* @leaves: the parts of a value that are set to all ones; NULL: the whole value. */
struct oracle_type {
	const char *name;
	const char *definition;
	const char *leaves;
};

struct oracle_signature {
	unsigned int id;	/* number of the signature, from 0 */
	unsigned int nr;
	const struct oracle_type *types[ORACLE_ARGS_MAX];
};

typedef void oracle_signature_fn(const struct oracle_signature *sig, void *arg);

/* Calls @each for every signature. Returns their number. */
unsigned int oracle_each_signature(oracle_signature_fn *each, void *arg);

/* Writes C definitions of all types. */
void oracle_put_types(FILE *out);
/* Writes a C function "f<id>" with parameters "a0", "a1", and so on. */
void oracle_put_function(FILE *out, const struct oracle_signature *sig);

#endif
