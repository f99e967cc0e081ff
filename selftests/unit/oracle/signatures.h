/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions in C for tests that ask the compiler where it puts arguments: many
 * types, alone between integers and mixed, at random but alike in every run.
 */
#ifndef SELFTESTS_UNIT_ORACLE_SIGNATURES_H
#define SELFTESTS_UNIT_ORACLE_SIGNATURES_H

#include <stdio.h>

#define ORACLE_ARGS_MAX	12

/* @leaves: what a value consists of, to be set to all ones; NULL: all of it. */
struct oracle_type {
	const char *name;
	const char *definition;
	const char *leaves;
};

struct oracle_signature {
	unsigned int id;	/* 0, 1, ... */
	unsigned int nr;
	const struct oracle_type *types[ORACLE_ARGS_MAX];
};

typedef void oracle_signature_fn(const struct oracle_signature *sig, void *arg);

/* Calls @each with every signature; how many there are. */
unsigned int oracle_each_signature(oracle_signature_fn *each, void *arg);

/* C: all types. */
void oracle_put_types(FILE *out);
/* C: the function "f<id>", with parameters "a0", "a1", ... */
void oracle_put_function(FILE *out, const struct oracle_signature *sig);

#endif
