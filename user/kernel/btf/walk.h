/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Raw BTF (Documentation/bpf/btf.rst of the kernel), its header, and all that in
 * it refers to types and strings.
 */
#ifndef FARGS_BTF_WALK_H
#define FARGS_BTF_WALK_H

#include <stddef.h>
#include <stdint.h>

#include <linux/btf.h>

/* The two sections, inside of the data they were taken from. */
struct fargs_btf_raw {
	void *types;
	uint32_t types_bytes;
	const char *strings;
	uint32_t strings_bytes;		/* the last one is NUL, unless there are none */
};

/* -EINVAL if @data is not BTF whose sections are inside of it, and types aligned. */
int fargs_btf_raw_init(struct fargs_btf_raw *raw, void *data, size_t bytes);

/* Called with each reference, which they may change. Not 0 ends the walk. */
struct fargs_btf_visitor {
	int (*begin)(void *arg, struct btf_type *t);	/* may be NULL */
	int (*type)(void *arg, uint32_t *id);
	int (*string)(void *arg, uint32_t *offset);
	void *arg;
};

/* 0, what a visitor returned, or -EINVAL: a type that is cut off, or of no known kind. */
int fargs_btf_walk(const struct fargs_btf_raw *raw, const struct fargs_btf_visitor *visitor);

#endif
