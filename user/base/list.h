/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A list of words, for options that may be given several times.
 */
#ifndef FARGS_BASE_LIST_H
#define FARGS_BASE_LIST_H

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

struct fargs_list {
	const char **words;	/* the array is owned by the list, the words by the caller */
	size_t nr;
};

/* Appends @word, without copying it. Returns 0 or -ENOMEM. */
static inline int fargs_list_add(struct fargs_list *list, const char *word)
{
	const char **larger = realloc(list->words, (list->nr + 1) * sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	list->words = larger;
	list->words[list->nr++] = word;
	return 0;
}

static inline void fargs_list_deinit(struct fargs_list *list)
{
	free(list->words);
	list->words = NULL;
	list->nr = 0;
}

#endif
