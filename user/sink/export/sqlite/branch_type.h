/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types of branches, with the numbers and names that they have in databases written by perf's
 * export-to-sqlite.py: a number is a combination of flags (struct perf_dlfilter_sample).
 */
#ifndef FARGS_SINK_EXPORT_SQLITE_BRANCH_TYPE_H
#define FARGS_SINK_EXPORT_SQLITE_BRANCH_TYPE_H

#include <stddef.h>

#define FARGS_BRANCH_TYPE_MAX	64	/* size of the longest name, with its NUL */

/*
 * Returns the type of a branch whose kind is described by @words, as in fargs_event_sample.flags,
 * such as "tr end  call"; 0: no branch. Returns -1 if the words are unknown.
 */
int fargs_branch_type(const char *words);

/* Writes the name of a type that fargs_branch_type() returned. */
void fargs_branch_type_name(char name[FARGS_BRANCH_TYPE_MAX], int type);

#endif
