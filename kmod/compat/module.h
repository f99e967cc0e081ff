/* SPDX-License-Identifier: GPL-2.0-only */
/* Access to the memory areas of a module. */
#ifndef FARGS_KMOD_COMPAT_MODULE_H
#define FARGS_KMOD_COMPAT_MODULE_H

#include <linux/module.h>

#include "compat/features.h"

/* Returns the read-only data of a module, which contains the module's ELF notes. */
static inline const void *fargs_compat_module_rodata(const struct module *mod, size_t *bytes)
{
#ifdef FARGS_HAS_MODULE_MEM	/* 6.4 and later */
	*bytes = mod->mem[MOD_RODATA].size;
	return mod->mem[MOD_RODATA].base;
#else
	*bytes = mod->core_layout.ro_size - mod->core_layout.text_size;
	return mod->core_layout.base + mod->core_layout.text_size;
#endif
}

#endif
