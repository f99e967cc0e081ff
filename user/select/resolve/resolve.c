// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/resolve.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/signature.h"
#include "kernel/btf/funcs.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_record.h"

/* Data about vmlinux or a module, collected when a symbol of it is first used. */
struct unit {
	const char *module;		/* name of the module; NULL: vmlinux */
	struct btf *btf;		/* BTF of vmlinux or the module; NULL: it has none */
	struct fargs_btf_funcs *funcs;
	bool is_consistent;
};

/* A symbol such as NAME.isra.0 or NAME.constprop.0: a clone of the function NAME. */
struct clone {
	const char *name;
	size_t len;			/* length of NAME, with which @name begins */
	const char *module;
};

/* A few selectors without wildcards are looked up without an index of all names. */
#define SCANS_MAX	4

struct fargs_resolver {
	struct clone *clones;		/* sorted by NAME and module */
	size_t nr_clones;
	const struct fargs_ksyms *ksyms;
	struct fargs_btfs *btfs;
	const struct fargs_avail *avail;
	bool is_tpoint;
	struct unit *units;
	size_t nr_units;
	/*
	 * Index in @units of the module used last: the next symbol is usually in the same module.
	 */
	size_t last;
	unsigned int nr_scans;		/* names that were looked up without an index */
	struct fargs_layouts scratch;
};

static bool is_fragment(const char *suffix)
{
	return strstr(suffix, ".cold") || strstr(suffix, ".part");
}

static int compare_clones(const void *a, const void *b)
{
	const struct clone *x = a, *y = b;
	int ret = memcmp(x->name, y->name, x->len < y->len ? x->len : y->len);

	if (!ret && x->len != y->len)
		ret = x->len < y->len ? -1 : 1;
	return ret ? ret : strcmp(x->module ? x->module : "", y->module ? y->module : "");
}

static int collect_clones(struct fargs_resolver *r)
{
	size_t i, nr = fargs_ksyms_count(r->ksyms), room = 0;

	for (i = 0; i < nr; i++) {
		const struct fargs_ksym *sym = fargs_ksyms_at(r->ksyms, i);
		const char *dot = strchr(sym->name, '.');
		struct clone *larger;

		if (!dot || is_fragment(dot))
			continue;
		if (r->nr_clones == room) {
			room = room ? 2 * room : 1024;
			larger = realloc(r->clones, room * sizeof(*larger));
			if (!larger)
				return -ENOMEM;
			r->clones = larger;
		}
		r->clones[r->nr_clones++] = (struct clone){ sym->name, dot - sym->name,
							    sym->module };
	}
	if (r->nr_clones)
		qsort(r->clones, r->nr_clones, sizeof(*r->clones), compare_clones);
	return 0;
}

static bool has_clone(const struct fargs_resolver *r, const struct fargs_ksym *sym)
{
	const struct clone key = { sym->name, strlen(sym->name), sym->module };

	return r->nr_clones && bsearch(&key, r->clones, r->nr_clones, sizeof(key),
				       compare_clones);
}

struct fargs_resolver *fargs_resolver_create(const struct fargs_ksyms *ksyms,
					     struct fargs_btfs *btfs,
					     const struct fargs_avail *avail, bool is_tpoint)
{
	struct fargs_resolver *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->ksyms = ksyms;
	r->btfs = btfs;
	r->avail = avail;
	r->is_tpoint = is_tpoint;
	if (collect_clones(r)) {
		fargs_resolver_destroy(r);
		return NULL;
	}
	return r;
}

void fargs_resolver_destroy(struct fargs_resolver *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->nr_units; i++)
		fargs_btf_funcs_destroy(r->units[i].funcs);
	free(r->clones);
	free(r->units);
	fargs_layouts_deinit(&r->scratch);
	free(r);
}

static bool is_same_module(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static struct unit *get_unit(struct fargs_resolver *r, const char *module)
{
	struct unit *larger, *unit;
	size_t i;

	if (r->nr_units && is_same_module(r->units[r->last].module, module))
		return &r->units[r->last];
	for (i = 0; i < r->nr_units; i++) {
		if (is_same_module(r->units[i].module, module)) {
			r->last = i;
			return &r->units[i];
		}
	}
	larger = realloc(r->units, (r->nr_units + 1) * sizeof(*larger));
	if (!larger)
		return NULL;
	r->units = larger;
	unit = &r->units[r->nr_units];
	memset(unit, 0, sizeof(*unit));
	unit->module = module;
	unit->btf = fargs_btfs_get(r->btfs, module ? module : FARGS_BTF_VMLINUX, NULL);
	if (unit->btf) {
		unit->funcs = fargs_btf_funcs_create(unit->btf);
		if (!unit->funcs)
			return NULL;
		unit->is_consistent = fargs_btf_funcs_are_consistent(unit->btf);
	}
	r->last = r->nr_units++;
	return unit;
}

/*
 * Returns the number of addresses of functions that have the name of @sym and are in the same
 * module (or vmlinux).
 */
static size_t count_places(struct fargs_resolver *r, const struct fargs_ksym *sym)
{
	const struct fargs_ksym *const *same;
	size_t i, nr, nr_places = 0;
	uint64_t last = 0;

	/* An index of all names takes as long as reading them 20 times. */
	if (r->nr_scans < SCANS_MAX) {
		r->nr_scans++;
		if (fargs_ksyms_find_only(r->ksyms, sym->name))
			return 1;
	}
	nr = fargs_ksyms_find_name(r->ksyms, sym->name, &same);
	for (i = 0; i < nr; i++) {
		if (!is_same_module(same[i]->module, sym->module))
			continue;
		nr_places += !nr_places || same[i]->addr != last;
		last = same[i]->addr;
	}
	return nr_places;
}

/* Are all layouts in @layouts equal except for their addresses? */
static bool are_alike(const struct fargs_layouts *layouts)
{
	struct fargs_layout first, other;
	size_t offset;

	memcpy(&first, layouts->data, sizeof(first));
	for (offset = first.size; offset < layouts->bytes; offset += other.size) {
		memcpy(&other, layouts->data + offset, sizeof(other));
		if (other.size != first.size ||
		    memcmp(layouts->data + sizeof(first), layouts->data + offset + sizeof(other),
			   first.size - sizeof(first)))
			return false;
	}
	return true;
}

/*
 * Checks whether BTF determines the layout of @sym. BTF has no addresses: if several functions have
 * the name of @sym, all their types must give the same layout, and BTF must have all these types.
 * It has them if its encoder compared the types of all functions, or if there is a type for each
 * address. (Older encoders kept the first type that they found, or that each of their threads
 * found.)
 *
 * With older encoders, the type of a name that also has a clone may be the clone's, and the clone
 * may be that of another function with the same name. Such names are refused: 13 functions on 6.1,
 * and 10 on 6.12.
 */
static int check_name(struct fargs_resolver *r, const struct unit *unit,
		      const struct fargs_ksym *sym, const uint32_t *found, size_t nr_found,
		      bool *is_certain, enum fargs_refusal *why)
{
	size_t nr_places = count_places(r, sym);
	enum fargs_refusal first_why = FARGS_REFUSAL_NONE;
	size_t i;
	int ret;

	*why = FARGS_REFUSAL_NONE;
	*is_certain = nr_found == 1 && (nr_places <= 1 || unit->is_consistent);
	if (!unit->is_consistent && has_clone(r, sym)) {
		*why = FARGS_REFUSAL_AMBIGUOUS;
		return 0;
	}
	if (nr_places <= 1 && nr_found == 1)
		return 0;
	if (nr_places > 1 && !unit->is_consistent && nr_found < nr_places) {
		*why = FARGS_REFUSAL_AMBIGUOUS;
		return 0;
	}
	r->scratch.bytes = 0;
	r->scratch.nr = 0;
	for (i = 0; i < nr_found; i++) {
		ret = fargs_layout_compile(&r->scratch, unit->btf,
					   fargs_btf_funcs_id(unit->funcs, found[i]), 0, why);
		if (ret)
			return ret;
		if (!i)
			first_why = *why;
		/*
		 * If all functions of the name are refused for the same reason, report that reason;
		 * otherwise the name is ambiguous.
		 */
		if (*why != first_why) {
			*why = FARGS_REFUSAL_AMBIGUOUS;
			return 0;
		}
	}
	if (!*why && !are_alike(&r->scratch))
		*why = FARGS_REFUSAL_AMBIGUOUS;
	return 0;
}

/*
 * Refuses functions with a dot in their name, which the compiler made from other functions, unless
 * BTF has the full name. BTF of the original function does not show how the compiler changed it.
 *
 * With optimized_func, pahole (since 1.26) encodes such a function under its plain name, as long as
 * no parameter is found in an unexpected register. A parameter that is no longer passed is found in
 * no register, which pahole accepts ("they may still be called with the right values"). So for "int
 * f(int x, int k)" that became f.constprop.0 with k = 5, and for "int g(int x, int unused)" that
 * became g.isra.0, BTF has both parameters, but callers set only the first register: tested with
 * GCC 14 and pahole 1.30. Such functions cannot be distinguished from clones that still get all of
 * their arguments. On 7.2, 523 functions have one clone and no other symbol.
 *
 * With its feature true_signature, pahole encodes a clone under the clone's own name, with the
 * parameters that the clone is actually passed. Such BTF is reliable.
 */
static enum fargs_refusal check_suffix(const struct unit *unit, const char *name, const char *dot)
{
	const uint32_t *found;

	if (is_fragment(dot))
		return FARGS_REFUSAL_FRAGMENT;
	if (unit->funcs && fargs_btf_funcs_find(unit->funcs, name, &found))
		return FARGS_REFUSAL_NONE;
	return FARGS_REFUSAL_CLONE;
}

/*
 * Reads the argument at offset *@pos of a layout's body, and advances *@pos. Returns the argument's
 * type, 0 at the end, and sets *@bytes to its size. fargs itself compiled the layout, so no bounds
 * are checked.
 */
static unsigned int next_argument(const unsigned char *body, size_t *pos, uint16_t *bytes)
{
	unsigned int type;

	*pos += strlen((const char *)body + *pos) + 1;
	type = body[(*pos)++];
	*bytes = type == FARGS_TYPE_U128 || type == FARGS_TYPE_S128 ? 16 : 8;
	if (type == FARGS_TYPE_BYTES) {
		memcpy(bytes, body + *pos, sizeof(*bytes));
		*pos += sizeof(*bytes);
	}
	*pos += (*bytes + 7u) & -8u;
	return type;
}

/*
 * Do both layouts take values of the same types from the same registers and stack slots? Names may
 * differ.
 */
static bool pass_alike(const unsigned char *a, const unsigned char *b)
{
	size_t stores = sizeof(struct fargs_layout), at_a = 0, at_b = 0, i;
	struct fargs_layout head_a, head_b;
	struct fargs_store store_a, store_b;
	uint16_t bytes_a, bytes_b;
	unsigned int type;

	memcpy(&head_a, a, sizeof(head_a));
	memcpy(&head_b, b, sizeof(head_b));
	if (head_a.nr_stores != head_b.nr_stores)
		return false;
	for (i = 0; i < head_a.nr_stores; i++) {
		memcpy(&store_a, a + stores + i * sizeof(store_a), sizeof(store_a));
		memcpy(&store_b, b + stores + i * sizeof(store_b), sizeof(store_b));
		if (store_a.source != store_b.source || store_a.index != store_b.index)
			return false;
	}
	a += stores + i * sizeof(store_a);
	b += stores + i * sizeof(store_b);
	do {
		type = next_argument(a, &at_a, &bytes_a);
		if (type != next_argument(b, &at_b, &bytes_b) || bytes_a != bytes_b)
			return false;
	} while (type);
	return true;
}

/*
 * Refuses a function, whose layout is @layout, if @alias, another name of its address, can be a
 * function with other arguments.
 */
static int check_alias(struct fargs_resolver *r, const struct unit *unit,
		       const struct fargs_ksym *alias, const unsigned char *layout,
		       enum fargs_refusal *why)
{
	enum fargs_refusal alias_why;
	const uint32_t *found;
	size_t i, nr;
	int ret;

	nr = fargs_btf_funcs_find(unit->funcs, alias->name, &found);
	for (i = 0; i < nr; i++) {
		r->scratch.bytes = 0;
		r->scratch.nr = 0;
		ret = fargs_layout_compile(&r->scratch, unit->btf,
					   fargs_btf_funcs_id(unit->funcs, found[i]), 0,
					   &alias_why);
		if (ret)
			return ret;
		if (alias_why || !pass_alike(layout, r->scratch.data))
			*why = FARGS_REFUSAL_ALIAS;
	}
	return 0;
}

/*
 * Two functions with the same code may share an address, and so do a function and its alias. It is
 * unknown which of them was called, but that does not matter if all have the same arguments.
 */
static int check_aliases(struct fargs_resolver *r, const struct unit *unit,
			 const struct fargs_ksym *sym, const struct fargs_layouts *layouts,
			 size_t offset, enum fargs_refusal *why)
{
	const struct fargs_ksym *alias;
	size_t at = sym - fargs_ksyms_at(r->ksyms, 0);
	int ret = 0;

	while (at && fargs_ksyms_at(r->ksyms, at - 1)->addr == sym->addr)
		at--;
	for (; !ret && (alias = fargs_ksyms_at(r->ksyms, at)) && alias->addr == sym->addr; at++)
		if (alias != sym && is_same_module(alias->module, sym->module))
			ret = check_alias(r, unit, alias, layouts->data + offset, why);
	return ret;
}

/* Appends the layout of match->func_id, or sets match->why. */
static int compile(struct fargs_resolver *r, const struct unit *unit,
		   struct fargs_layouts *layouts, struct fargs_match *match)
{
	int ret;

	match->offset = layouts->bytes;
	ret = fargs_layout_compile(layouts, unit->btf, match->func_id, match->sym->addr,
				   &match->why);
	if (ret || match->why)
		return ret;
	ret = check_aliases(r, unit, match->sym, layouts, match->offset, &match->why);
	if (match->why) {
		layouts->bytes = match->offset;
		layouts->nr--;
	}
	return ret;
}

/*
 * Tracepoints are never ambiguous: the name of a tracepoint is unique in its module, and so is
 * the kernel's function that calls its probes.
 */
static int match_tpoint(const struct unit *unit, const struct fargs_ksym *sym,
			struct fargs_layouts *layouts, struct fargs_match *match)
{
	struct fargs_signature func;
	const uint32_t *found;
	char name[256];

	match->is_tpoint = true;
	match->offset = layouts->bytes;
	snprintf(name, sizeof(name), FARGS_SIGNATURE_TPOINT "%s", sym->name);
	if (!unit->funcs || fargs_btf_funcs_find(unit->funcs, name, &found) != 1) {
		match->why = unit->btf ? FARGS_REFUSAL_NO_BTF : FARGS_REFUSAL_NO_MODULE_BTF;
		return 0;
	}
	match->func_id = fargs_btf_funcs_id(unit->funcs, found[0]);
	match->is_type_certain = true;
	match->why = fargs_signature_init_tpoint(&func, unit->btf, match->func_id);
	return match->why ? 0 : fargs_layout_compile_bound(layouts, &func, NULL, 0, &match->why);
}

int fargs_resolver_match(struct fargs_resolver *r, const struct fargs_ksym *sym,
			 struct fargs_layouts *layouts, struct fargs_match *match)
{
	const char *dot = strchr(sym->name, '.');
	const uint32_t *found = NULL;
	size_t nr_found = 0;
	struct unit *unit;
	int ret;

	*match = (struct fargs_match) { .sym = sym };
	unit = get_unit(r, sym->module);
	if (!unit)
		return -ENOMEM;
	match->btf = unit->btf;
	if (r->is_tpoint)
		return match_tpoint(unit, sym, layouts, match);
	if (dot) {
		match->why = check_suffix(unit, sym->name, dot);
		if (match->why)
			return 0;
	}
	if (unit->funcs)
		nr_found = fargs_btf_funcs_find(unit->funcs, sym->name, &found);
	if (nr_found)
		match->func_id = fargs_btf_funcs_id(unit->funcs, found[0]);
	if (r->avail && !fargs_avail_has(r->avail, sym)) {
		match->why = FARGS_REFUSAL_NOT_TRACEABLE;
		return 0;
	}
	if (!nr_found) {
		match->why = unit->btf ? FARGS_REFUSAL_NO_BTF : FARGS_REFUSAL_NO_MODULE_BTF;
		return 0;
	}
	ret = check_name(r, unit, sym, found, nr_found, &match->is_type_certain, &match->why);
	return ret || match->why ? ret : compile(r, unit, layouts, match);
}
