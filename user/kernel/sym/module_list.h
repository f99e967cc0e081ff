/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory ranges of modules, parsed from a copy of /proc/modules, whose lines are "name bytes users
 * needed-by state 0xaddress".
 */
#ifndef FARGS_KERNEL_SYM_MODULE_LIST_H
#define FARGS_KERNEL_SYM_MODULE_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct fargs_module_list;

/*
 * Memory range of a module. @bytes is the size of all the module's memory, not just its code. Since
 * Linux 6.4, not all of that memory follows @addr: some parts are at other addresses.
 */
struct fargs_module_place {
	uint64_t addr;
	uint64_t bytes;
	char *name;
	char *label;		/* "[name]" */
};

/*
 * Parses @size bytes of @text. Returns NULL with errno and the reason in @err: EINVAL for another
 * format, EPERM if addresses are hidden. An empty list is valid.
 */
struct fargs_module_list *fargs_module_list_parse(const char *text, size_t size,
						  struct fargs_error_text *err);
void fargs_module_list_destroy(struct fargs_module_list *l);

/* Returns the module whose memory contains @addr, or NULL. */
const struct fargs_module_place *fargs_module_list_find(const struct fargs_module_list *l,
							uint64_t addr);

/*
 * Narrows the range from *@begin to *@end (exclusive), which contains @addr, to addresses for which
 * fargs_module_list_find() returns the same.
 */
void fargs_module_list_narrow(const struct fargs_module_list *l, uint64_t addr, uint64_t *begin,
			      uint64_t *end);

/* The number of modules, and the @i-th of them in order of address. */
size_t fargs_module_list_count(const struct fargs_module_list *l);
const struct fargs_module_place *fargs_module_list_at(const struct fargs_module_list *l, size_t i);

/*
 * Formats the list as text that fargs_module_list_parse() can read. The caller frees it. Returns
 * NULL if there is no memory.
 */
char *fargs_module_list_text(const struct fargs_module_list *l, size_t *size);

#endif
