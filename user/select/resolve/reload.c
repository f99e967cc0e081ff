// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/reload.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "kernel/btf/identity.h"

#define SYSFS	"/sys"

void fargs_reload_modules_deinit(struct fargs_reload_modules *r)
{
	free(r->modules);
	memset(r, 0, sizeof(*r));
}

/* Symbols are sorted by address, so the module is most often that of the previous symbol. */
static const struct fargs_build_id *find_id(struct fargs_reload_modules *r, const char *name)
{
	struct fargs_reload_module *module;

	if (r->nr && !strcmp(r->modules[r->last].name, name))
		return &r->modules[r->last].id;
	for (r->last = 0; r->last < r->nr; r->last++)
		if (!strcmp(r->modules[r->last].name, name))
			return &r->modules[r->last].id;
	module = fargs_array_add(r->modules, r->nr);
	if (!module) {
		r->last = 0;
		return NULL;
	}
	module->name = name;
	fargs_btf_identity_of_module(&module->id, r->sysfs ? r->sysfs : SYSFS, name);
	return &module->id;
}

/*
 * Is @sym the only listed function of its name in its module? Functions in init memory that has
 * been freed may be missing from the list.
 */
static bool is_unique(const struct fargs_ksyms *ksyms, const struct fargs_ksym *sym)
{
	const struct fargs_ksym *const *named;
	size_t i, nr = fargs_ksyms_find_name(ksyms, sym->name, &named), nr_same = 0;

	for (i = 0; i < nr; i++)
		nr_same += named[i]->module && !strcmp(named[i]->module, sym->module);
	return nr_same == 1;
}

enum fargs_reload fargs_reload_find(struct fargs_reload_modules *r, const struct fargs_ksyms *ksyms,
				    const struct fargs_ksym *sym, bool is_tpoint,
				    struct fargs_symbol *symbol)
{
	const struct fargs_build_id *id;

	memset(symbol, 0, sizeof(*symbol));
	if (!sym->module)
		return FARGS_RELOAD_UNUSED;
	id = find_id(r, sym->module);
	if (!id || !id->bytes || id->bytes > sizeof(symbol->build_id))
		return FARGS_RELOAD_NO_BUILD_ID;
	if (!is_tpoint && !is_unique(ksyms, sym))
		return FARGS_RELOAD_NOT_UNIQUE;
	symbol->index = is_tpoint ? 0 : FARGS_SYMBOL_UNIQUE;
	symbol->build_id_len = id->bytes;
	memcpy(symbol->build_id, id->data, id->bytes);
	return FARGS_RELOAD_YES;
}
