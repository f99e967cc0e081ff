// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/sym/ksyms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/strindex.h"
#include "kernel/sym/ksyms_table.h"
#include "kernel/sym/module_list.h"

#define KALLSYMS	"/proc/kallsyms"

/*
 * kallsyms has no sizes: a function is assumed to extend to the next symbol, of code or data, or to
 * the end of its section. If neither is known, this limit applies, which no function exceeds.
 */
#define SYMBOL_MAX_BYTES	(1u << 20)

/*
 * The last function of a module may be followed by code of another module that was loaded after the
 * symbols were read. So the function is assumed to extend only to the end of its page.
 */
#define PAGE_BYTES		4096

static int compare_addr(const void *a, const void *b)
{
	const struct fargs_ksym *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	/* Aliases stay in the order of the file: names are pointers into its text. */
	return x->name < y->name ? -1 : x->name > y->name;
}

/*
 * Sorts @syms. The symbols of vmlinux, which are most of them, come first in kallsyms and are
 * sorted: only those after them are sorted here, and merged with them.
 */
static void sort(struct fargs_ksym *syms, size_t nr)
{
	__cleanup_free struct fargs_ksym *rest = NULL;
	struct fargs_ksym *sym = syms, *end = syms + nr;
	size_t sorted, at, left;
	uint64_t last = 0;

	for (; sym < end && last <= sym->addr; sym++)
		last = sym->addr;
	if (sym == end)
		return;
	sorted = sym - syms;
	left = end - sym;
	qsort(sym, left, sizeof(*syms), compare_addr);
	if (last <= sym->addr)
		return;
	rest = malloc(left * sizeof(*rest));
	if (!rest) {
		/* Slower, but needs no memory. */
		qsort(syms, nr, sizeof(*syms), compare_addr);
		return;
	}
	memcpy(rest, sym, left * sizeof(*rest));
	/* Merge from the end. At equal addresses, what comes first in the file stays first. */
	for (at = nr; left; at--)
		syms[at - 1] = sorted && syms[sorted - 1].addr > rest[left - 1].addr ?
			       syms[--sorted] : rest[--left];
}

/*
 * Returns the index of the first function that is not below @addr. Function @at is below. There may
 * be many between two bounds, or one.
 */
static size_t skip_below(const struct fargs_ksyms *ks, size_t at, uint64_t addr)
{
	size_t step = 1;

	while (at + step < ks->nr && ks->syms[at + step].addr < addr) {
		at += step;
		step *= 2;
	}
	for (; step; step /= 2)
		if (at + step < ks->nr && ks->syms[at + step].addr < addr)
			at += step;
	return at + 1;
}

/* Removes unneeded bounds: of consecutive data symbols, only the first one ends a function. */
static void keep_first_bounds(struct fargs_ksyms *ks)
{
	struct fargs_ksym *kept;
	size_t i, at = 0, nr = 0;
	bool is_first = false;

	for (i = 0; i < ks->nr_bounds; i++) {
		/* Only functions at lower addresses than the bound can end at the bound. */
		if (at < ks->nr && ks->syms[at].addr < ks->bounds[i].addr) {
			is_first = true;
			at = skip_below(ks, at, ks->bounds[i].addr);
		}
		/*
		 * Also keep a bound that is both a section end and a text symbol. It needs no
		 * additional line in a recording, since it is also in ks->syms.
		 */
		if (is_first || fargs_ksyms_is_code(ks->bounds[i].type))
			ks->bounds[nr++] = ks->bounds[i];
		is_first = false;
	}
	ks->nr_bounds = nr;
	kept = nr ? realloc(ks->bounds, nr * sizeof(*kept)) : NULL;
	if (kept)
		ks->bounds = kept;
}

/*
 * Sorts the symbols by address, and allocates the index by name. The index is filled when it is
 * first used (fill_index()): most reports look up addresses only.
 */
static int build_index(struct fargs_ksyms *ks, struct fargs_error_text *err)
{
	sort(ks->syms, ks->nr);
	sort(ks->bounds, ks->nr_bounds);
	keep_first_bounds(ks);
	ks->names = calloc(ks->nr, sizeof(*ks->names));
	ks->named = calloc(ks->nr, sizeof(*ks->named));
	if (!ks->names || !ks->named || fargs_strindex_reserve(&ks->by_name, ks->nr))
		return fargs_fail(err, ENOMEM, "no memory for kernel symbols");
	return 0;
}

static void fill_index(struct fargs_ksyms *ks)
{
	size_t i;

	for (i = 0; i < ks->nr; i++)
		ks->names[i] = ks->syms[i].name;
	fargs_strindex_fill(&ks->by_name, ks->names, ks->nr);
	for (i = 0; i < ks->nr; i++)
		ks->named[i] = &ks->syms[ks->by_name.order[i]];
}

/* Returns the index by name. Threads may call this function at the same time. */
static const struct fargs_strindex *index_of(const struct fargs_ksyms *ks)
{
	/* The index is not part of what callers see, so it may change in a constant table. */
	struct fargs_ksyms *table = (struct fargs_ksyms *)ks;

	if (!atomic_load_explicit(&table->is_indexed, memory_order_acquire)) {
		pthread_mutex_lock(&table->lock);
		if (!table->is_indexed)
			fill_index(table);
		atomic_store_explicit(&table->is_indexed, true, memory_order_release);
		pthread_mutex_unlock(&table->lock);
	}
	return &table->by_name;
}

const struct fargs_ksym *fargs_ksyms_data(const struct fargs_ksyms *ks)
{
	struct fargs_ksyms *table = (struct fargs_ksyms *)ks;

	if (!atomic_load_explicit(&table->is_data_sorted, memory_order_acquire)) {
		pthread_mutex_lock(&table->lock);
		if (!table->is_data_sorted)
			sort(table->data, table->nr_data);
		atomic_store_explicit(&table->is_data_sorted, true, memory_order_release);
		pthread_mutex_unlock(&table->lock);
	}
	return table->data;
}

/* Parses @text, and takes ownership of it. The byte after its @size bytes must be writable. */
static struct fargs_ksyms *create(char *text, size_t size, bool is_live,
				  struct fargs_error_text *err)
{
	struct fargs_ksyms *ks = calloc(1, sizeof(*ks));
	int ret;

	if (!ks) {
		free(text);
		fargs_fail(err, ENOMEM, "no memory for kernel symbols");
		errno = ENOMEM;
		return NULL;
	}
	ks->text = text;
	pthread_mutex_init(&ks->lock, NULL);
	ret = fargs_kallsyms_parse(ks, size, is_live, err);
	if (!ret)
		ret = build_index(ks, err);
	if (ret) {
		fargs_ksyms_destroy(ks);
		errno = -ret;
		return NULL;
	}
	return ks;
}

struct fargs_ksyms *fargs_ksyms_load(struct fargs_error_text *err)
{
	size_t size;
	char *text = fargs_file_read(KALLSYMS, &size);

	if (!text && !fargs_file_has_proc()) {
		fargs_fail(err, ENOENT, "procfs is not mounted: mount -t proc none /proc");
		return NULL;
	}
	if (!text) {
		fargs_fail(err, errno, "cannot read " KALLSYMS ": %s", strerror(errno));
		return NULL;
	}
	return create(text, size, true, err);
}

static struct fargs_ksyms *parse_copy(const char *text, size_t size, bool is_live,
				      struct fargs_error_text *err)
{
	char *copy = malloc(size + 1);

	if (!copy) {
		fargs_fail(err, ENOMEM, "no memory for kernel symbols");
		return NULL;
	}
	memcpy(copy, text, size);
	copy[size] = '\0';
	return create(copy, size, is_live, err);
}

struct fargs_ksyms *fargs_ksyms_parse_own(char *text, size_t size, struct fargs_error_text *err)
{
	return create(text, size, false, err);
}

struct fargs_ksyms *fargs_ksyms_parse(const char *text, size_t size, struct fargs_error_text *err)
{
	return parse_copy(text, size, false, err);
}

struct fargs_ksyms *fargs_ksyms_parse_live(const char *text, size_t size,
					   struct fargs_error_text *err)
{
	return parse_copy(text, size, true, err);
}

void fargs_ksyms_destroy(struct fargs_ksyms *ks)
{
	if (!ks)
		return;
	fargs_module_list_destroy(ks->modules);
	free(ks->module_syms);
	fargs_strindex_deinit(&ks->by_name);
	pthread_mutex_destroy(&ks->lock);
	free(ks->named);
	free(ks->names);
	free(ks->bounds);
	free(ks->data);
	free(ks->syms);
	free(ks->text);
	free(ks);
}

int fargs_ksyms_set_modules(struct fargs_ksyms *ks, struct fargs_module_list *modules)
{
	size_t nr = fargs_module_list_count(modules), i;
	struct fargs_ksym *syms = calloc(nr + 1, sizeof(*syms));

	if (!syms) {
		fargs_module_list_destroy(modules);
		return -ENOMEM;
	}
	for (i = 0; i < nr; i++) {
		const struct fargs_module_place *place = fargs_module_list_at(modules, i);

		syms[i] = (struct fargs_ksym){ .addr = place->addr, .name = place->label,
					       .module = place->name, .type = 't' };
	}
	fargs_module_list_destroy(ks->modules);
	free(ks->module_syms);
	ks->modules = modules;
	ks->module_syms = syms;
	return 0;
}

const struct fargs_module_list *fargs_ksyms_modules(const struct fargs_ksyms *ks)
{
	return ks->modules;
}

size_t fargs_ksyms_find_name(const struct fargs_ksyms *ks, const char *name,
			     const struct fargs_ksym *const **first)
{
	const struct fargs_strindex *by_name = index_of(ks);
	const uint32_t *order;
	size_t nr = fargs_strindex_find(by_name, name, &order);

	*first = nr ? ks->named + (order - by_name->order) : NULL;
	return nr;
}

const struct fargs_ksym *fargs_ksyms_find_only(const struct fargs_ksyms *ks, const char *name)
{
	const struct fargs_ksym *sym, *found = NULL;

	for (sym = ks->syms; sym < ks->syms + ks->nr; sym++) {
		/* Many names begin with the same two bytes. */
		if (sym->name[0] != name[0] ||
		    (name[0] && (sym->name[1] != name[1] ||
				 (name[1] && sym->name[2] != name[2]))) ||
		    strcmp(sym->name, name))
			continue;
		if (found)
			return NULL;
		found = sym;
	}
	return found;
}

/* Returns the index of the first of @syms with a larger address than @addr, or @nr. */
static size_t find_after(const struct fargs_ksym *syms, size_t nr, uint64_t addr)
{
	size_t low = 0, high = nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (syms[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static uint64_t min_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns the highest possible end of @sym. @next: index of the first text symbol after @sym. */
static uint64_t end_of(const struct fargs_ksyms *ks, const struct fargs_ksym *sym, size_t next)
{
	size_t bound = find_after(ks->bounds, ks->nr_bounds, sym->addr);
	uint64_t end = UINT64_MAX;
	bool is_next_ours = false;

	if (bound < ks->nr_bounds)
		end = ks->bounds[bound].addr;
	if (next < ks->nr && ks->syms[next].addr <= end) {
		end = ks->syms[next].addr;
		is_next_ours = sym->module && ks->syms[next].module &&
			       !strcmp(ks->syms[next].module, sym->module);
	}
	if (sym->module && !is_next_ours)
		return min_of(end, (sym->addr / PAGE_BYTES + 1) * PAGE_BYTES);
	return min_of(end, sym->addr + min_of(SYMBOL_MAX_BYTES, UINT64_MAX - sym->addr));
}

/*
 * Finds the symbol whose range contains @addr, without using the modules' ranges. Sets *@end to the
 * end of that range.
 */
static const struct fargs_ksym *find_symbol(const struct fargs_ksyms *ks, uint64_t addr,
					    uint64_t *end)
{
	size_t next = find_after(ks->syms, ks->nr, addr);
	const struct fargs_ksym *sym = ks->syms + next;

	if (!next)
		return NULL;
	*end = end_of(ks, sym - 1, next);
	if (addr >= *end)
		return NULL;
	/* If an address has several names, return the first one, as the kernel itself does. */
	for (sym--; !fargs_ksyms_is_section_end(sym); sym--)
		if (sym == ks->syms || sym[-1].addr != sym->addr)
			return sym;
	return NULL;
}

static bool is_listed(const struct fargs_module_list *l, const char *name)
{
	size_t i;

	for (i = 0; i < fargs_module_list_count(l); i++)
		if (!strcmp(fargs_module_list_at(l, i)->name, name))
			return true;
	return false;
}

/* Returns what contains @addr, which @sym contains according to find_symbol(); NULL: none does. */
static const struct fargs_ksym *check_modules(const struct fargs_ksyms *ks, uint64_t addr,
					      const struct fargs_ksym *sym)
{
	const struct fargs_module_place *place = fargs_module_list_find(ks->modules, addr);

	if (place && (!sym || sym->addr < place->addr))
		return &ks->module_syms[place - fargs_module_list_at(ks->modules, 0)];
	/* The memory range of the symbol's module is known, and @addr is after its end. */
	if (!place && sym && sym->module && is_listed(ks->modules, sym->module))
		return NULL;
	return sym;
}

const struct fargs_ksym *fargs_ksyms_find_addr(const struct fargs_ksyms *ks, uint64_t addr)
{
	uint64_t end;
	const struct fargs_ksym *sym = find_symbol(ks, addr, &end);

	return ks->modules ? check_modules(ks, addr, sym) : sym;
}

const struct fargs_ksym *fargs_ksyms_find_range(const struct fargs_ksyms *ks, uint64_t addr,
						uint64_t *begin, uint64_t *end)
{
	const struct fargs_ksym *sym = find_symbol(ks, addr, end);
	const struct fargs_ksym *found = ks->modules ? check_modules(ks, addr, sym) : sym;

	if (!sym || found != sym) {
		*begin = addr;
		*end = addr + 1;
		return found;
	}
	*begin = sym->addr;
	if (ks->modules)
		fargs_module_list_narrow(ks->modules, addr, begin, end);
	return sym;
}

/* Is @sym one of the linker script's symbols for the bounds of a section, not an object? */
static bool is_section_mark(const struct fargs_ksym *sym)
{
	return fargs_ksyms_is_section_end(sym) ||
	       (!sym->module && (!strncmp(sym->name, "__start_", strlen("__start_")) ||
				 !strncmp(sym->name, "__stop_", strlen("__stop_")) ||
				 !strcmp(sym->name, "_sdata") ||
				 !strcmp(sym->name, "__bss_start")));
}

/*
 * Is @sym the key of a lock? Without lockdep, keys have no size: they are at the address of the
 * next object, which may have no symbol.
 */
static bool is_lock_key(const struct fargs_ksym *sym)
{
	return !strncmp(sym->name, "__key", strlen("__key"));
}

const struct fargs_ksym *fargs_ksyms_find_data(const struct fargs_ksyms *ks, uint64_t addr)
{
	const struct fargs_ksym *data = fargs_ksyms_data(ks), *sym, *found = NULL;

	for (sym = data + find_after(data, ks->nr_data, addr);
	     sym > data && sym[-1].addr == addr; sym--) {
		if (is_section_mark(&sym[-1]) || is_lock_key(&sym[-1]))
			continue;
		/* Several objects, all but one without a size, or one with several names. */
		if (found)
			return NULL;
		found = &sym[-1];
	}
	return found;
}

size_t fargs_ksyms_find_objects(const struct fargs_ksyms *ks, const char *name,
				const char **module, struct fargs_ksym *sym)
{
	const struct fargs_ksym *data = fargs_ksyms_data(ks);
	size_t i, nr = 0;

	for (i = 0; i < ks->nr_data; i++) {
		if (strcmp(data[i].name, name))
			continue;
		if (!data[i].module) {
			*sym = data[i];
			nr++;
		} else if (module) {
			*module = data[i].module;
		}
	}
	return nr;
}

static bool is_in(const struct fargs_ksym *sym, const struct fargs_ksym *syms, size_t nr)
{
	return sym >= syms && sym < syms + nr;
}

uint64_t fargs_ksyms_end(const struct fargs_ksyms *ks, const struct fargs_ksym *sym)
{
	const struct fargs_module_place *place;
	uint64_t end;

	place = ks->modules ? fargs_module_list_find(ks->modules, sym->addr) : NULL;
	if (!is_in(sym, ks->syms, ks->nr))
		return place ? place->addr + place->bytes : sym->addr;
	end = end_of(ks, sym, find_after(ks->syms, ks->nr, sym->addr));
	return place ? min_of(end, place->addr + place->bytes) : end;
}

size_t fargs_ksyms_count(const struct fargs_ksyms *ks)
{
	return ks->nr;
}

const struct fargs_ksym *fargs_ksyms_at(const struct fargs_ksyms *ks, size_t i)
{
	return i < ks->nr ? &ks->syms[i] : NULL;
}
