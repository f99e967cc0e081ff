/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BTF to feed to readers: made up, or real and changed.
 */
#ifndef FUZZ_BTF_INPUT_H
#define FUZZ_BTF_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "fuzz/random.h"

/*
 * Raw BTF of functions and the types they take. Most of it is as compilers write
 * it, some refers to itself or to nothing. Never NULL; free() it.
 */
uint8_t *fuzz_btf_generate(struct fuzz_random *r, size_t *size);

/*
 * Changes some words of raw BTF, most of them in types. @nr_types: ids below it
 * are there, those of a base included. *@size may shrink.
 */
void fuzz_btf_mutate(struct fuzz_random *r, uint8_t *data, size_t *size, uint32_t nr_types);

#endif
