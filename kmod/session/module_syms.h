/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a module brings, while it comes: in its COMING notifier, where its symbol table
 * is that of its file, symbols of init sections and all. (After its init function it is
 * replaced by one without them.)
 */
#ifndef FARGS_KMOD_SESSION_MODULE_SYMS_H
#define FARGS_KMOD_SESSION_MODULE_SYMS_H

#include <linux/types.h>

struct module;

/**
 * fargs_module_syms_each() - call a function for each function of a module
 * @mod: which is coming
 * @fn: what is called
 * @arg: its first argument
 *
 * In the order of its symbol table.
 *
 * Context: Process context, from the COMING notifier of the module.
 */
void fargs_module_syms_each(const struct module *mod,
			    void (*fn)(void *arg, const char *name, unsigned long addr),
			    void *arg);

/**
 * fargs_module_has_build_id() - has a module that build id?
 * @mod: the module
 * @id: the build id
 * @len: its bytes
 *
 * Context: Process context.
 * Return: Whether it has.
 */
bool fargs_module_has_build_id(const struct module *mod, const u8 *id, u32 len);

#endif
