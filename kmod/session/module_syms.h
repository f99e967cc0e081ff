/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a module brings, while it comes: in its COMING notifier, where its symbol table
 * is that of its file, symbols of init sections and all. (After its init function it is
 * replaced by one without them.)
 */
#ifndef FARGS_MODULE_SYMS_H
#define FARGS_MODULE_SYMS_H

#include <linux/types.h>

struct module;

/* Calls @fn for each of its functions, in the order of its symbol table. */
void fargs_module_syms_each(const struct module *mod,
			    void (*fn)(void *arg, const char *name, unsigned long addr),
			    void *arg);

/* Does it have that build id? */
bool fargs_module_has_build_id(const struct module *mod, const u8 *id, u32 len);

#endif
