// SPDX-License-Identifier: GPL-2.0-only
#include "model/reloads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"

#define PAGE_BYTES	4096

static int compare_names(const void *a, const void *b)
{
	const struct fargs_func *x = *(const struct fargs_func *const *)a;
	const struct fargs_func *y = *(const struct fargs_func *const *)b;
	int ret = strcmp(x->module, y->module);

	return ret ? ret : strcmp(x->name, y->name);
}

static int compare_lives(const void *a, const void *b)
{
	const struct fargs_reload_life *x = a, *y = b;

	if (x->from_tsc != y->from_tsc)
		return x->from_tsc < y->from_tsc ? -1 : 1;
	return strcmp(x->module, y->module);
}

static int add_life(struct fargs_reloads *r, const struct fargs_func *first,
		    const struct fargs_func *func)
{
	struct fargs_reload_life *life;
	size_t i;

	/* Search backwards: most often, @func belongs to the module life that was added last. */
	for (i = r->nr; i--;) {
		life = &r->lives[i];
		if (life->from_tsc != func->from_tsc || strcmp(life->module, func->module))
			continue;
		life->is_uncertain |= life->shift != func->addr - first->addr;
		if (func->addr < life->first)
			life->first = func->addr;
		if (func->addr > life->last)
			life->last = func->addr;
		return 0;
	}
	life = fargs_array_add(r->lives, r->nr);
	if (!life)
		return -ENOMEM;
	*life = (struct fargs_reload_life){
		.module = func->module, .from_tsc = func->from_tsc,
		.shift = func->addr - first->addr, .first = func->addr, .last = func->addr,
	};
	return 0;
}

int fargs_reloads_init(struct fargs_reloads *r, const struct fargs_func *funcs, size_t nr)
{
	const struct fargs_func **firsts __cleanup_free = NULL, *const *first, *key;
	size_t i, nr_firsts = 0, nr_later = 0;

	memset(r, 0, sizeof(*r));
	r->to_tsc = UINT64_MAX;
	for (i = 0; i < nr; i++)
		nr_later += funcs[i].from_tsc && funcs[i].module;
	if (!nr_later)
		return 0;
	firsts = calloc(nr, sizeof(*firsts));
	if (!firsts)
		return -ENOMEM;
	/*
	 * The address of a tracepoint is that of its function __traceiter_NAME, or 0 if the
	 * tracepoint is not traced again after a reload of its module.
	 */
	for (i = 0; i < nr; i++)
		if (!funcs[i].from_tsc && funcs[i].module && funcs[i].addr)
			firsts[nr_firsts++] = &funcs[i];
	qsort(firsts, nr_firsts, sizeof(*firsts), compare_names);
	for (i = 0; i < nr; i++) {
		key = &funcs[i];
		if (!key->from_tsc || !key->module)
			continue;
		first = bsearch(&key, firsts, nr_firsts, sizeof(*firsts), compare_names);
		if (first && add_life(r, *first, key))
			return -ENOMEM;
	}
	if (!r->nr)
		return 0;
	qsort(r->lives, r->nr, sizeof(*r->lives), compare_lives);
	r->current = calloc(r->nr, sizeof(*r->current));
	if (!r->current)
		return -ENOMEM;
	r->to_tsc = r->lives[0].from_tsc;
	return 0;
}

void fargs_reloads_deinit(struct fargs_reloads *r)
{
	free(r->lives);
	free(r->current);
	memset(r, 0, sizeof(*r));
}

bool fargs_reloads_select(struct fargs_reloads *r, uint64_t tsc)
{
	size_t i, j;

	if (!r->nr || (tsc >= r->from_tsc && tsc < r->to_tsc))
		return false;
	r->nr_current = 0;
	r->from_tsc = 0;
	for (i = 0; i < r->nr && r->lives[i].from_tsc <= tsc; i++) {
		for (j = 0; j < r->nr_current; j++)
			if (!strcmp(r->current[j].module, r->lives[i].module))
				break;
		r->current[j] = r->lives[i];
		r->nr_current += j == r->nr_current;
		r->from_tsc = r->lives[i].from_tsc;
	}
	r->to_tsc = i < r->nr ? r->lives[i].from_tsc : UINT64_MAX;
	return true;
}

/*
 * Is @sym a symbol of @module? For an address in @module but in none of its functions,
 * fargs_ksyms_find_addr() returns a symbol "[@module]".
 */
static bool is_of(const struct fargs_ksym *sym, const char *module)
{
	size_t n = strlen(module);

	if (sym->module)
		return !strcmp(sym->module, module);
	return sym->name[0] == '[' && !strncmp(sym->name + 1, module, n) &&
	       !strcmp(sym->name + 1 + n, "]");
}

/* Returns the symbol of a module that has moved to @addr, at its first address. */
static const struct fargs_ksym *find_moved(const struct fargs_ksyms *ks, uint64_t addr,
					   const struct fargs_reload_life *life)
{
	const struct fargs_ksym *sym;

	if (life->is_uncertain || !life->shift)
		return NULL;
	sym = fargs_ksyms_find_addr(ks, addr - life->shift);
	return sym && sym->module && is_of(sym, life->module) ? sym : NULL;
}

/* Is @addr in a page that has code of this life, or between two of these? */
static bool is_among(const struct fargs_reload_life *life, uint64_t addr)
{
	return addr >= (life->first & ~(uint64_t)(PAGE_BYTES - 1)) &&
	       addr <= (life->last | (PAGE_BYTES - 1));
}

const struct fargs_ksym *fargs_reloads_find_addr(const struct fargs_reloads *r,
						 const struct fargs_ksyms *ks, uint64_t addr,
						 struct fargs_ksym *moved)
{
	const struct fargs_reload_life *life, *found = NULL;
	const struct fargs_ksym *sym;
	size_t i;

	/*
	 * Init functions do not move with their module, so that they may seem to be where another
	 * module is: the life with recorded functions around @addr is the right one.
	 */
	for (i = 0; i < r->nr_current; i++) {
		life = &r->current[i];
		if (find_moved(ks, addr, life) && (!found || is_among(life, addr)))
			found = life;
	}
	if (found) {
		*moved = *find_moved(ks, addr, found);
		moved->addr += found->shift;
		return moved;
	}
	sym = fargs_ksyms_find_addr(ks, addr);
	/* The module of sym has moved: addr no longer belongs to it. */
	for (i = 0; sym && i < r->nr_current; i++)
		if ((r->current[i].is_uncertain || r->current[i].shift) &&
		    is_of(sym, r->current[i].module))
			return NULL;
	return sym;
}
