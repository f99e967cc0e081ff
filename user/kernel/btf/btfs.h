/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BTF of one kernel: vmlinux, and the split BTF of modules based on it.
 */
#ifndef FARGS_KERNEL_BTF_BTFS_H
#define FARGS_KERNEL_BTF_BTFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "base/error.h"

#define FARGS_BTF_VMLINUX "vmlinux"
/* Directory of the running kernel's BTF, with a file for vmlinux and for each module. */
#define FARGS_BTF_SYSFS		"/sys/kernel/btf"

struct fargs_btfs;

/* A source of BTF besides the kernel itself. */
struct fargs_btfs_finder {
	/*
	 * Called for @name before the kernel's own BTF is tried, and again with @is_last if the
	 * kernel has none. @base: BTF of vmlinux, or NULL if @name is vmlinux. Returns 1 with
	 * malloc'ed raw BTF that fits @base, 0 if the finder has none, or -errno with the reason in
	 * @err.
	 */
	int (*find)(void *arg, const char *name, const struct btf *base, bool is_last,
		    void **data, size_t *bytes, struct fargs_error_text *err);
	void (*destroy)(void *arg);
	void *arg;
};

/*
 * Loads BTF of vmlinux from /sys/kernel/btf or from @finder, which may be NULL. BTF of modules is
 * loaded on first use. @finder is copied, and destroyed with the set or on failure. Returns NULL
 * with the reason in @err on failure.
 */
struct fargs_btfs *fargs_btfs_load(const struct fargs_btfs_finder *finder,
				   struct fargs_error_text *err);
/* Creates an empty set. The caller fills it with fargs_btfs_add(), vmlinux first. */
struct fargs_btfs *fargs_btfs_create(void);
void fargs_btfs_destroy(struct fargs_btfs *set);

/* Adds a copy of raw BTF. @name: "vmlinux" or a module's name. Returns 0 or -errno. */
int fargs_btfs_add(struct fargs_btfs *set, const char *name, const void *data, size_t size,
		   struct fargs_error_text *err);
/*
 * Returns the BTF of @name, owned by the set, or NULL with the reason in @err. A set created by
 * fargs_btfs_load() reads a module's BTF on first use.
 */
struct btf *fargs_btfs_get(struct fargs_btfs *set, const char *name, struct fargs_error_text *err);
/*
 * Returns the @i-th error message, from 0, about BTF that exists but was not used; NULL if there
 * are no more. Only errors of fargs_btfs_get() calls without @err are kept, such as those that
 * search all modules.
 */
const char *fargs_btfs_complaint(const struct fargs_btfs *set, size_t i);
/*
 * Returns the raw BTF of @name as it was read or added, owned by the set; NULL if it is not loaded.
 */
const void *fargs_btfs_raw(struct fargs_btfs *set, const char *name, size_t *size);
/* Returns the name of the @i-th loaded BTF, from 0, or NULL if there are no more. */
const char *fargs_btfs_name(const struct fargs_btfs *set, size_t i);

/*
 * Parses raw BTF, which is split BTF if @base is not NULL. @base must outlive the result. Returns
 * NULL with errno on failure.
 */
struct btf *fargs_btf_parse(const void *data, size_t size, const struct btf *base);

#endif
