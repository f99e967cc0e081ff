// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is refused with its reason as long as it would not be shown right: more
 * arguments than registers, structures by value, 128 bits, variable arguments.
 */
#include <linux/compiler.h>
#include <linux/types.h>

#include "target.h"

struct fargs_t_pair {
	int a;
	int b;
};

struct fargs_t_large {
	long a[3];
};

void fargs_t_refused_seven(int a, int b, int c, int d, int e, int f, int g);
void fargs_t_refused_struct(int before, struct fargs_t_pair pair, int after);
void fargs_t_refused_large(struct fargs_t_large large, int after);
void fargs_t_refused_int128(__uint128_t a);
void fargs_t_refused_varargs(int nr, ...);

fargs_t_target void fargs_t_refused_seven(int a, int b, int c, int d, int e, int f,
					  int g)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(g);
}

fargs_t_target void fargs_t_refused_struct(int before, struct fargs_t_pair pair,
					   int after)
{
	fargs_t_use(before);
	fargs_t_use(pair.a);
	fargs_t_use(pair.b);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_refused_large(struct fargs_t_large large, int after)
{
	fargs_t_use(large.a[0]);
	fargs_t_use(large.a[2]);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_refused_int128(__uint128_t a)
{
	fargs_t_use((u64)a);
	fargs_t_use((u64)(a >> 64));
}

fargs_t_target void fargs_t_refused_varargs(int nr, ...)
{
	fargs_t_use(nr);
}

void target_walk_refused(struct target_run *run)
{
	struct fargs_t_pair pair = { 10, -20 };
	struct fargs_t_large large = { { 1, 2, 3 } };

	TARGET_CALL(run, "refused fargs_t_refused_seven",
		    fargs_t_refused_seven(1, 2, 3, 4, 5, 6, -7));
	TARGET_CALL(run, "refused fargs_t_refused_struct",
		    fargs_t_refused_struct(-1, pair, -2));
	TARGET_CALL(run, "refused fargs_t_refused_large", fargs_t_refused_large(large, -4));
	TARGET_CALL(run, "refused fargs_t_refused_int128",
		    fargs_t_refused_int128((__uint128_t)1 << 100));
	TARGET_CALL(run, "refused fargs_t_refused_varargs", fargs_t_refused_varargs(2, 3, 4));
}
