/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words of a command line as one line that a shell reads back.
 */
#ifndef FARGS_UTIL_WORDS_H
#define FARGS_UTIL_WORDS_H

/* Quotes where a shell needs it. @words ends with NULL. free() it; NULL: no memory. */
char *fargs_words_join(char *const *words);

#endif
