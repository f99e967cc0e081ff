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

#include "util/error.h"

#define FARGS_BTF_VMLINUX "vmlinux"

struct fargs_btfs;

/* /sys/kernel/btf: vmlinux now, modules when asked for. */
struct fargs_btfs *fargs_btfs_load(struct fargs_error_text *err);
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
/* The raw bytes of @name as read or added, owned by the set; NULL if not there. */
const void *fargs_btfs_raw(struct fargs_btfs *set, const char *name, size_t *size);
/* Names of loaded ones: call with 0, 1, … until NULL. */
const char *fargs_btfs_name(const struct fargs_btfs *set, size_t i);

#endif
