// SPDX-License-Identifier: GPL-2.0-only
#include "session/tid_set.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of task ids: PID_MAX_LIMIT of 64-bit kernels. */
#define TIDS	(4u << 20)
#define BITS	64

struct fargs_tid_set {
	size_t nr;
	uint64_t words[TIDS / BITS];
};

struct fargs_tid_set *fargs_tid_set_create(void)
{
	return calloc(1, sizeof(struct fargs_tid_set));
}

void fargs_tid_set_destroy(struct fargs_tid_set *set)
{
	free(set);
}

void fargs_tid_set_add(struct fargs_tid_set *set, pid_t tid)
{
	uint64_t *word, bit;

	if (tid < 0 || (unsigned int)tid >= TIDS)
		return;
	word = &set->words[tid / BITS];
	bit = 1ull << (tid % BITS);
	set->nr += !(*word & bit);
	*word |= bit;
}

void fargs_tid_set_clear(struct fargs_tid_set *set)
{
	memset(set, 0, sizeof(*set));
}

pid_t fargs_tid_set_next(const struct fargs_tid_set *set, pid_t from)
{
	size_t i = from / BITS;
	uint64_t word;

	if ((unsigned int)from >= TIDS)
		return -1;
	word = set->words[i] & (~0ull << (from % BITS));
	while (!word && ++i < TIDS / BITS)
		word = set->words[i];
	return word ? (pid_t)(i * BITS + __builtin_ctzll(word)) : -1;
}

size_t fargs_tid_set_count(const struct fargs_tid_set *set)
{
	return set->nr;
}
