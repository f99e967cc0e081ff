/* SPDX-License-Identifier: GPL-2.0-only */
/* Generates BTF for fuzzing readers of BTF, or changes real BTF. */
#ifndef FUZZ_BTF_INPUT_H
#define FUZZ_BTF_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "fuzz/random.h"

/*
 * Returns raw BTF of functions and of the types of their arguments. Most of it is as compilers
 * generate it; some types refer to themselves or to nothing. Never NULL; the caller frees it.
 */
uint8_t *fuzz_btf_generate(struct fuzz_random *r, size_t *size);

/*
 * Changes some words of raw BTF, most of them in types. @nr_types: number of existing type ids,
 * including those of a base. *@size may be reduced.
 */
void fuzz_btf_mutate(struct fuzz_random *r, uint8_t *data, size_t *size, uint32_t nr_types);

#endif
