/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prototypes of functions, as C writes them.
 */
#ifndef FARGS_BTF_PROTO_H
#define FARGS_BTF_PROTO_H

#include <stdint.h>
#include <stdio.h>

#include <bpf/btf.h>

struct fargs_proto;

/* Prints functions of @btf, which must outlive it. NULL: no memory. */
struct fargs_proto *fargs_proto_create(const struct btf *btf);
void fargs_proto_destroy(struct fargs_proto *p);

/*
 * "int vfs_read(struct file *file, char *buf)" for the BTF_KIND_FUNC @func_id,
 * named @name, or as the BTF names it if that is NULL. Owned by @p, until the
 * next call. NULL with errno: BTF that makes no sense, or no memory.
 */
const char *fargs_proto_text(struct fargs_proto *p, uint32_t func_id, const char *name);
/* "struct path f_path" for @type_id and a name; owned, and NULL, as above. */
const char *fargs_proto_decl(struct fargs_proto *p, uint32_t type_id, const char *name);
/*
 * The same of the tracepoint @name, whose __traceiter_NAME @func_id is:
 * "sched_switch(bool preempt, struct task_struct *prev)", without what that gets first.
 */
const char *fargs_proto_tpoint_text(struct fargs_proto *p, uint32_t func_id, const char *name);

#endif
