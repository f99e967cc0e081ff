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

/* Creates a printer for functions in @btf, which must outlive it. NULL: no memory. */
struct fargs_proto *fargs_proto_create(const struct btf *btf);
void fargs_proto_destroy(struct fargs_proto *p);

/*
 * Returns "int vfs_read(struct file *file, char *buf)" for the BTF_KIND_FUNC @func_id, with @name,
 * or the name in BTF if @name is NULL. Owned by @p until the next call. NULL with errno: malformed
 * BTF or no memory.
 */
const char *fargs_proto_text(struct fargs_proto *p, uint32_t func_id, const char *name);
/* Returns "struct path f_path" for @type_id and a name. Ownership and errors as above. */
const char *fargs_proto_decl(struct fargs_proto *p, uint32_t type_id, const char *name);
/*
 * The same for tracepoint @name, whose __traceiter_NAME is @func_id: "sched_switch(bool preempt,
 * struct task_struct *prev)", without the first parameter, __data.
 */
const char *fargs_proto_tpoint_text(struct fargs_proto *p, uint32_t func_id, const char *name);

#endif
