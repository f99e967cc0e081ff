/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types of branches, with the numbers and names that they have in databases written by perf's
 * export-to-sqlite.py: a number is a combination of flags (struct perf_dlfilter_sample).
 */
#ifndef FARGS_SINK_EXPORT_BRANCH_TYPE_H
#define FARGS_SINK_EXPORT_BRANCH_TYPE_H

#include <stddef.h>

#define FARGS_BRANCH_TYPE_MAX	64	/* size of the longest name, with its NUL */

enum fargs_branch_flags {
	FARGS_BRANCH_ANY = 1,		/* a branch of any kind */
	FARGS_BRANCH_CALL = 2,
	FARGS_BRANCH_RETURN = 4,
	FARGS_BRANCH_CONDITIONAL = 8,
	FARGS_BRANCH_SYSCALLRET = 16,
	FARGS_BRANCH_ASYNC = 32,
	FARGS_BRANCH_INTERRUPT = 64,
	FARGS_BRANCH_TX_ABORT = 128,
	FARGS_BRANCH_TRACE_BEGIN = 256,
	FARGS_BRANCH_TRACE_END = 512,
	/* Flags of samples that are not part of a type: the letters x, D and t. */
	FARGS_BRANCH_IN_TX = 1024,
	FARGS_BRANCH_VMENTRY = 2048,
	FARGS_BRANCH_VMEXIT = 4096,
	FARGS_BRANCH_INTR_DISABLE = 8192,
	FARGS_BRANCH_INTR_TOGGLE = 16384,
};

/*
 * Returns the type of a branch whose kind is described by @words, as in fargs_event_sample.flags,
 * such as "tr end  call"; 0: no branch. Returns -1 if the words are unknown.
 */
int fargs_branch_type(const char *words);

/* Returns the @i-th of all types; -1: there are no more. */
int fargs_branch_type_of(size_t i);

/* Writes the name of a type that fargs_branch_type() returned. */
void fargs_branch_type_name(char name[FARGS_BRANCH_TYPE_MAX], int type);

#endif
