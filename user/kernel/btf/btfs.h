/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BTF of one kernel: vmlinux and the modules' split BTF on top of it.
 */
#ifndef FARGS_BTF_BTFS_H
#define FARGS_BTF_BTFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "base/error.h"

#define FARGS_BTF_VMLINUX "vmlinux"

struct fargs_btfs;

/* Where BTF may come from besides the kernel itself. */
struct fargs_btfs_finder {
	/*
	 * Asked for @name before the kernel is, and again with @is_last if that has
	 * none. @base: BTF of vmlinux; NULL: that is wanted. Returns 1 with malloc'ed
	 * raw BTF, fit for @base; 0: it knows none; -errno with the reason in @err.
	 */
	int (*find)(void *arg, const char *name, const struct btf *base, bool is_last,
		    void **data, size_t *bytes, struct fargs_error_text *err);
	void (*destroy)(void *arg);
	void *arg;
};

/*
 * /sys/kernel/btf and what @finder (may be NULL) adds: vmlinux now, modules when
 * asked for. @finder is copied, and destroyed with the set, or on failure.
 */
struct fargs_btfs *fargs_btfs_load(const struct fargs_btfs_finder *finder,
				   struct fargs_error_text *err);
/* An empty set, to be filled by fargs_btfs_add, vmlinux first. */
struct fargs_btfs *fargs_btfs_create(void);
void fargs_btfs_destroy(struct fargs_btfs *set);

/* Takes a copy of raw BTF. @name: "vmlinux" or a module's. */
int fargs_btfs_add(struct fargs_btfs *set, const char *name, const void *data, size_t size,
		   struct fargs_error_text *err);
/*
 * The BTF of @name, or NULL with the reason in @err. A set made by
 * fargs_btfs_load reads a module's file on first use. Owned by the set.
 */
struct btf *fargs_btfs_get(struct fargs_btfs *set, const char *name, struct fargs_error_text *err);
/*
 * Why BTF that is there was not used: call with 0, 1, … until NULL. Nobody is
 * told otherwise when a module is just one of many.
 */
const char *fargs_btfs_complaint(const struct fargs_btfs *set, size_t i);
/* The raw bytes of @name as read or added, owned by the set; NULL if not there. */
const void *fargs_btfs_raw(struct fargs_btfs *set, const char *name, size_t *size);
/* Names of loaded ones: call with 0, 1, … until NULL. */
const char *fargs_btfs_name(const struct fargs_btfs *set, size_t i);

/* Raw BTF, split if there is a @base, which must outlive it. NULL with errno. */
struct btf *fargs_btf_parse(const void *data, size_t size, const struct btf *base);

#endif
