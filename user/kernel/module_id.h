/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The build id of the loaded module fargs, and where it is in the kernel's memory: a copy of that
 * memory shows whether it was made while the same build was loaded at the same address.
 */
#ifndef FARGS_KERNEL_MODULE_ID_H
#define FARGS_KERNEL_MODULE_ID_H

#include <stddef.h>
#include <stdint.h>

/* The linker makes ids of at most 20 bytes, unless it is given an id. */
#define FARGS_MODULE_ID_MAX	64

struct fargs_module_id {
	uint64_t addr;			/* address of the id; 0: unknown */
	uint8_t data[FARGS_MODULE_ID_MAX];
	size_t bytes;			/* 0: the module has no id, or it is unknown */
};

/* Reads the id of module @name. @sysfs: "/sys". Members that cannot be read are 0. */
void fargs_module_id_read(struct fargs_module_id *id, const char *sysfs, const char *name);

#endif
