/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A module's symbols and build ID. In the COMING notifier the symbol table is that of the module's
 * file, including the symbols of init sections. After the init function has run, the kernel
 * replaces the table by one without symbols of init sections.
 */
#ifndef FARGS_KMOD_SESSION_MODULE_SYMS_H
#define FARGS_KMOD_SESSION_MODULE_SYMS_H

#include <linux/types.h>

struct module;

/**
 * fargs_module_syms_each() - call a callback for each function of a module
 * @mod: the module, which is being loaded
 * @fn: the callback
 * @arg: first argument of the callback
 *
 * Functions are visited in the order of the symbol table.
 *
 * Context: Process context, from the COMING notifier of the module.
 */
void fargs_module_syms_each(const struct module *mod,
			    void (*fn)(void *arg, const char *name, unsigned long addr),
			    void *arg);

/**
 * fargs_module_has_build_id() - compare the build ID of a module
 * @mod: the module
 * @id: the build ID to compare with
 * @len: length of @id in bytes
 *
 * Context: Process context.
 * Return: True if the module has this build ID.
 */
bool fargs_module_has_build_id(const struct module *mod, const u8 *id, u32 len);

#endif
