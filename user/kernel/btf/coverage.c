// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/btf/coverage.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/btf/funcs.h"

/*
 * Marks in @is_found all functions in @funcs named like @sym, ignoring a suffix of the symbol such
 * as ".isra.0".
 */
static void find(const struct fargs_btf_funcs *funcs, const struct fargs_ksym *sym,
		 unsigned char *is_found)
{
	char name[512];
	const uint32_t *first;
	size_t len = strcspn(sym->name, "."), i, nr;

	if (len >= sizeof(name))
		return;
	memcpy(name, sym->name, len);
	name[len] = '\0';
	nr = fargs_btf_funcs_find(funcs, name, &first);
	for (i = 0; i < nr; i++)
		is_found[first[i]] = 1;
}

int fargs_coverage_init(struct fargs_coverage *c, const struct btf *btf,
			const struct fargs_ksyms *ksyms, const char *module)
{
	struct fargs_btf_funcs *funcs = fargs_btf_funcs_create(btf);
	size_t i, nr = fargs_ksyms_count(ksyms);
	unsigned char *is_found = NULL;

	memset(c, 0, sizeof(*c));
	if (funcs) {
		c->nr_funcs = fargs_btf_funcs_count(funcs);
		is_found = calloc(c->nr_funcs + 1, 1);
	}
	if (!is_found) {
		fargs_btf_funcs_destroy(funcs);
		return -ENOMEM;
	}
	for (i = 0; i < nr; i++) {
		const struct fargs_ksym *sym = fargs_ksyms_at(ksyms, i);

		if (sym->module != module &&
		    (!module || !sym->module || strcmp(sym->module, module)))
			continue;
		c->nr_symbols++;
		find(funcs, sym, is_found);
	}
	for (i = 0; i < c->nr_funcs; i++)
		c->nr_found += is_found[i];
	free(is_found);
	fargs_btf_funcs_destroy(funcs);
	return 0;
}

bool fargs_coverage_is_likely(const struct fargs_coverage *c, const char *module)
{
	if (!module)
		return c->nr_funcs && (c->nr_funcs - c->nr_found) * 200 <= c->nr_funcs;
	return c->nr_found * 2 >= c->nr_funcs;
}
