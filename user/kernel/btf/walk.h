/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses raw BTF (Documentation/bpf/btf.rst of the kernel) and visits all references to types and
 * strings.
 */
#ifndef FARGS_KERNEL_BTF_WALK_H
#define FARGS_KERNEL_BTF_WALK_H

#include <stddef.h>
#include <stdint.h>

#include <linux/btf.h>

/* The types and strings sections; both point into the original data. */
struct fargs_btf_raw {
	void *types;
	uint32_t types_bytes;
	const char *strings;
	uint32_t strings_bytes;		/* if not 0, the last byte of the strings is NUL */
};

/*
 * Finds the sections in @data. Returns 0, or -EINVAL if it is not BTF, a section exceeds the data,
 * or types are not aligned.
 */
int fargs_btf_raw_init(struct fargs_btf_raw *raw, void *data, size_t bytes);

/*
 * Callbacks: @begin for each type; @type and @string for each reference to a type or string. They
 * may modify the type or reference. A result other than 0 ends the walk.
 */
struct fargs_btf_visitor {
	int (*begin)(void *arg, struct btf_type *t);	/* may be NULL */
	int (*type)(void *arg, uint32_t *id);
	int (*string)(void *arg, uint32_t *offset);
	void *arg;
};

/*
 * Visits all types. Returns 0, the result of a callback, or -EINVAL if a type is truncated or of an
 * unknown kind.
 */
int fargs_btf_walk(const struct fargs_btf_raw *raw, const struct fargs_btf_visitor *visitor);

#endif
