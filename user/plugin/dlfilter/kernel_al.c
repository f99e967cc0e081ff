// SPDX-License-Identifier: GPL-2.0-only
#include "plugin/dlfilter/kernel_al.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "kernel/sym/ksyms.h"

#define KERNEL	"[kernel.kallsyms]"

void fargs_kernel_dsos_deinit(struct fargs_kernel_dsos *dsos)
{
	size_t i;

	for (i = 0; i < dsos->nr; i++)
		free(dsos->names[i]);
	free(dsos->names);
}

const char *fargs_kernel_dsos_get(struct fargs_kernel_dsos *dsos, const char *module)
{
	size_t n = strlen(module), i;
	char **larger, *name;

	/*
	 * Search linearly, from the latest name: there are a few dozen modules, and few of them are
	 * looked up often.
	 */
	for (i = dsos->nr; i; i--) {
		name = dsos->names[i - 1];
		if (!strncmp(name + 1, module, n) && !strcmp(name + 1 + n, "]"))
			return name;
	}
	larger = fargs_grow(dsos->names, dsos->nr, sizeof(*larger));
	if (!larger)
		return NULL;
	dsos->names = larger;
	if (asprintf(&name, "[%s]", module) < 0)
		return NULL;
	larger[dsos->nr++] = name;
	return name;
}

bool fargs_kernel_has(uint64_t addr)
{
	return addr >> 63;
}

static uint8_t binding_of(char type)
{
	if (type == 'w' || type == 'W' || type == 'V' || type == 'v')
		return STB_WEAK;
	return type >= 'A' && type <= 'Z' ? STB_GLOBAL : STB_LOCAL;
}

void fargs_kernel_al_set(struct fargs_dlfilter_al *al, uint64_t addr,
			 const struct fargs_ksyms *ksyms, struct fargs_kernel_dsos *dsos)
{
	const struct fargs_ksym *sym = ksyms ? fargs_ksyms_find_addr(ksyms, addr) : NULL;

	al->addr = addr;
	al->is_kernel_ip = 1;
	al->is_64_bit = 1;
	al->dso = KERNEL;
	if (!sym)
		return;
	if (sym->module)
		al->dso = fargs_kernel_dsos_get(dsos, sym->module);
	al->sym = sym->name;
	al->sym_start = sym->addr;
	al->sym_end = fargs_ksyms_end(ksyms, sym);
	al->symoff = addr - sym->addr;
	al->sym_binding = binding_of(sym->type);
}
