/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Formats types for messages.
 */
#ifndef FARGS_SELECT_TYPING_TYPENAME_H
#define FARGS_SELECT_TYPING_TYPENAME_H

#include <stdint.h>

#include <bpf/btf.h>

#define FARGS_TYPENAME_MAX	80

/* Formats the type @id similar to C: "struct file *", "unsigned int", "char[16]". Returns @buf. */
const char *fargs_typename(const struct btf *btf, uint32_t id, char buf[FARGS_TYPENAME_MAX]);

#endif
