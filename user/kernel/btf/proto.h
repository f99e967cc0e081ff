/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints prototypes of functions in C.
 */
#ifndef FARGS_KERNEL_BTF_PROTO_H
#define FARGS_KERNEL_BTF_PROTO_H

#include <stdint.h>
#include <stdio.h>

#include <bpf/btf.h>

struct fargs_proto;

/*
 * Creates a printer for functions in @btf, which must outlive it. Returns NULL if there is no
 * memory.
 */
struct fargs_proto *fargs_proto_create(const struct btf *btf);
void fargs_proto_destroy(struct fargs_proto *p);

/*
 * Returns, say, "int vfs_read(struct file *file, char *buf)" for the BTF_KIND_FUNC @func_id. The
 * function is called @name or, if that is NULL, by its name in BTF. @p owns the string until the
 * next call. Returns NULL with errno if the BTF is malformed or there is no memory.
 */
const char *fargs_proto_text(struct fargs_proto *p, uint32_t func_id, const char *name);
/*
 * Returns a declaration of @name with type @type_id, such as "struct path f_path". @p owns the
 * string until the next call. Returns NULL with errno if the BTF is malformed or there is no
 * memory.
 */
const char *fargs_proto_decl(struct fargs_proto *p, uint32_t type_id, const char *name);
/*
 * Like fargs_proto_text(), for tracepoint @name, whose function __traceiter_NAME is @func_id.
 * Returns, say, "sched_switch(bool preempt, struct task_struct *prev)", without a return type and
 * without the first parameter, __data.
 */
const char *fargs_proto_tpoint_text(struct fargs_proto *p, uint32_t func_id, const char *name);

#endif
