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

struct fargs_btfs;

/* A source of BTF besides the kernel itself. */
struct fargs_btfs_finder {
	/*
	 * Called for @name before the kernel's own BTF is tried, and again with @is_last if the
	 * kernel has none. @base: BTF of vmlinux, or NULL if that is wanted. Returns 1 with
	 * malloc'ed raw BTF that fits @base, 0 if it has none, or -errno with the reason in @err.
	 */
	int (*find)(void *arg, const char *name, const struct btf *base, bool is_last,
		    void **data, size_t *bytes, struct fargs_error_text *err);
	void (*destroy)(void *arg);
	void *arg;
};

/*
 * Loads vmlinux from /sys/kernel/btf or @finder (may be NULL). Modules are loaded on first use.
 * @finder is copied, and destroyed with the set or on failure.
 */
struct fargs_btfs *fargs_btfs_load(const struct fargs_btfs_finder *finder,
				   struct fargs_error_text *err);
/* Creates an empty set, to be filled by fargs_btfs_add(), vmlinux first. */
struct fargs_btfs *fargs_btfs_create(void);
void fargs_btfs_destroy(struct fargs_btfs *set);

/* Adds a copy of raw BTF. @name: "vmlinux" or a module's name. */
int fargs_btfs_add(struct fargs_btfs *set, const char *name, const void *data, size_t size,
		   struct fargs_error_text *err);
/*
 * Returns the BTF of @name, owned by the set, or NULL with the reason in @err. A set created by
 * fargs_btfs_load() reads a module's BTF on first use.
 */
struct btf *fargs_btfs_get(struct fargs_btfs *set, const char *name, struct fargs_error_text *err);
/*
 * Why BTF that exists was not used; call with 0, 1, … until NULL. These are the errors of
 * fargs_btfs_get() without @err, as when all modules are searched.
 */
const char *fargs_btfs_complaint(const struct fargs_btfs *set, size_t i);
/* The raw bytes of @name as read or added, owned by the set; NULL if they are not loaded. */
const void *fargs_btfs_raw(struct fargs_btfs *set, const char *name, size_t *size);
/* Names of the loaded BTF; call with 0, 1, … until NULL. */
const char *fargs_btfs_name(const struct fargs_btfs *set, size_t i);

/* Parses raw BTF; split BTF if there is a @base, which must outlive it. NULL with errno. */
struct btf *fargs_btf_parse(const void *data, size_t size, const struct btf *base);

#endif
