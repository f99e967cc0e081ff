/* SPDX-License-Identifier: GPL-2.0-only */
/* Random numbers that depend only on the seed, on every machine. */
#ifndef FUZZ_RANDOM_H
#define FUZZ_RANDOM_H

#include <stdint.h>

struct fuzz_random {
	uint64_t state;
};

static inline uint32_t fuzz_random(struct fuzz_random *r)
{
	uint64_t x = r->state += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
	return x >> 32;
}

/* Returns a number below @n, which must not be 0. */
static inline uint32_t fuzz_below(struct fuzz_random *r, uint32_t n)
{
	return fuzz_random(r) % n;
}

/* Returns true once in @n times, at random. */
static inline int fuzz_once_in(struct fuzz_random *r, uint32_t n)
{
	return !fuzz_below(r, n);
}

#endif
