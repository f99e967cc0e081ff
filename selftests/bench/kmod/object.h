/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The arguments of the functions of fargs_bench, for the module itself and for programs that do not
 * use its BTF.
 */
#ifndef FARGS_BENCH_OBJECT_H
#define FARGS_BENCH_OBJECT_H

#define BENCH_NAME		"hello"
#define BENCH_MODE		0644
#define BENCH_FLAGS		4096	/* flags of the calls that are counted */
#define BENCH_FLAGS_WARM_UP	8192
#define BENCH_ID		4711

struct fargs_bench_owner {
	int x;
	unsigned long id;		/* always BENCH_ID */
};

struct fargs_bench_parent {
	int x;
	struct fargs_bench_owner *owner;
};

struct fargs_bench_obj {
	int x;
	struct fargs_bench_parent *parent;
};

#endif
