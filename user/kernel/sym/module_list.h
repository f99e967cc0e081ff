/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where modules lie, out of a copy of /proc/modules: "name bytes users needed-by state 0xaddress".
 */
#ifndef FARGS_SYM_MODULE_LIST_H
#define FARGS_SYM_MODULE_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct fargs_module_list;

/*
 * @bytes is more than the code has: all of a module's memory, of which other parts lie
 * elsewhere since Linux 6.4.
 */
struct fargs_module_place {
	uint64_t addr;
	uint64_t bytes;
	char *name;
	char *label;		/* "[name]" */
};

/*
 * NULL with errno and the reason: EINVAL for another form, EPERM if addresses are hidden. A kernel
 * may have no modules.
 */
struct fargs_module_list *fargs_module_list_parse(const char *text, size_t size,
						  struct fargs_error_text *err);
void fargs_module_list_destroy(struct fargs_module_list *l);

/* The module in whose memory @addr is, or NULL. */
const struct fargs_module_place *fargs_module_list_find(const struct fargs_module_list *l,
							uint64_t addr);

/* By address. */
size_t fargs_module_list_count(const struct fargs_module_list *l);
const struct fargs_module_place *fargs_module_list_at(const struct fargs_module_list *l, size_t i);

/* In the form that fargs_module_list_parse reads; free() it. NULL: no memory. */
char *fargs_module_list_text(const struct fargs_module_list *l, size_t *size);

#endif
