/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Joins words into a command line that a shell can read.
 */
#ifndef FARGS_BASE_WORDS_H
#define FARGS_BASE_WORDS_H

/*
 * Joins @words, which ends with NULL, quoting words as needed. Returns a string to be freed with
 * free(), or NULL if out of memory.
 */
char *fargs_words_join(char *const *words);

#endif
