// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/place_symbol.h"

#include <elf.h>
#include <string.h>

#include "kernel/sym/ksyms.h"

/* Returns the binding that the type letter of /proc/kallsyms stands for. */
static uint8_t binding_of(char type)
{
	if (type == 'W' || type == 'w')
		return STB_WEAK;
	return type >= 'A' && type <= 'Z' ? STB_GLOBAL : STB_LOCAL;
}

static const struct fargs_build_id *find_id(const struct fargs_kernel_maps *maps,
					    const char *module)
{
	size_t i;

	if (!module)
		return &maps->id;
	for (i = 0; i < maps->nr_modules; i++)
		if (!strcmp(maps->modules[i].name, module))
			return &maps->modules[i].id;
	return NULL;
}

void fargs_place_symbol_kernel(struct fargs_event_place *place, const struct fargs_ksyms *ksyms,
			       const struct fargs_kernel_maps *maps)
{
	const struct fargs_build_id *id = find_id(maps, place->module);
	const struct fargs_ksym *sym = ksyms ? fargs_ksyms_find_addr(ksyms, place->addr) : NULL;

	if (id) {
		place->build_id = id->bytes;
		place->build_id_bytes = id->nr;
	}
	if (place->symbol)
		place->symbol_start = place->addr - place->offset;
	if (!sym || sym->addr != place->symbol_start)
		return;
	place->symbol_end = fargs_ksyms_end(ksyms, sym);
	place->symbol_binding = binding_of(sym->type);
}

void fargs_place_symbol_dso(struct fargs_event_place *place, const struct fargs_dso *dso,
			    uint64_t at)
{
	const struct fargs_dso_symbol *sym = fargs_dso_find(dso, at);
	size_t bytes;

	place->build_id = fargs_dso_build_id(dso, &bytes);
	place->build_id_bytes = bytes;
	if (!sym)
		return;
	place->symbol_start = sym->start;
	place->symbol_end = sym->end;
	place->symbol_binding = sym->binding;
}
