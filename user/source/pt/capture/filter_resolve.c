// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the addresses of the symbols in address filters: those of the kernel in its list of
 * symbols, those of objects in their files.
 */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "source/perf_data/dso.h"
#include "source/perf_data/locate.h"
#include "source/pt/capture/filter.h"

/* Symbols of a name that are listed if it is not clear which one is meant. */
#define LISTED	4

struct place {
	uint64_t begin, end;
	bool is_global;
	const char *module;	/* NULL: vmlinux, or an object */
};

/* All functions of a name, in the order of their addresses. */
struct places {
	struct place *all;
	size_t nr;
};

struct resolver {
	const struct fargs_ksyms *ks;
	struct fargs_locator locator;
	struct fargs_dso *dso;		/* the filter's object; NULL: the kernel */
	const struct fargs_pt_filter *filter;
	struct fargs_error_text *err;
};

static int no_memory(const struct resolver *r)
{
	return fargs_fail(r->err, ENOMEM, "out of memory");
}

static int add_place(const struct resolver *r, struct places *places, const struct place *place)
{
	struct place *to = fargs_array_add(places->all, places->nr);

	if (!to)
		return no_memory(r);
	*to = *place;
	return 0;
}

static int find_in_kernel(const struct resolver *r, const char *name, struct places *places)
{
	const struct fargs_ksym *const *syms;
	size_t i, nr = fargs_ksyms_find_name(r->ks, name, &syms);
	int ret = 0;

	for (i = 0; !ret && i < nr; i++) {
		const struct place place = {
			syms[i]->addr, fargs_ksyms_end(r->ks, syms[i]), isupper(syms[i]->type),
			syms[i]->module,
		};

		ret = add_place(r, places, &place);
	}
	return ret;
}

static int find_in_object(const struct resolver *r, const char *name, struct places *places)
{
	const struct fargs_dso_symbol *syms;
	size_t i, nr;
	int ret = 0;

	syms = fargs_dso_symbols(r->dso, &nr);
	for (i = 0; !ret && i < nr; i++) {
		const struct place place = {
			syms[i].start, syms[i].end, syms[i].binding == STB_GLOBAL, NULL,
		};

		if (!strcmp(syms[i].name, name))
			ret = add_place(r, places, &place);
	}
	return ret;
}

static const char *whole(const struct resolver *r)
{
	return r->filter->object ? r->filter->object : "the kernel";
}

static int fail_missing(const struct resolver *r, const struct fargs_pt_filter_symbol *symbol,
			size_t nr)
{
	if (!nr)
		return fargs_fail(r->err, ENOENT, "'%s' is not a function of %s", symbol->name,
				  whole(r));
	if (symbol->nth == FARGS_PT_FILTER_GLOBAL)
		return fargs_fail(r->err, ENOENT, "'%s #g': no function '%s' of %s is global",
				  symbol->name, symbol->name, whole(r));
	return fargs_fail(r->err, ENOENT, "'%s #%d': %s has only %zu function%s '%s'",
			  symbol->name, symbol->nth, whole(r), nr, nr > 1 ? "s" : "",
			  symbol->name);
}

/* Lists functions of the same name, with what chooses each. */
static int fail_several(const struct resolver *r, const struct fargs_pt_filter_symbol *symbol,
			const struct places *places)
{
	char text[256];
	size_t i, n = 0;

	for (i = 0; i < places->nr && i < LISTED; i++)
		n += snprintf(text + n, sizeof(text) - n, "%s'#%zu' at 0x%" PRIx64 "%s%.*s%s",
			      i ? ", " : "", i + 1, places->all[i].begin,
			      places->all[i].module ? " of " : "", 24,
			      places->all[i].module ? places->all[i].module : "",
			      places->all[i].is_global ? " (global)" : "");
	return fargs_fail(r->err, EINVAL, "%zu functions of %s are called '%s': choose one by %s%s "
			  "after its name", places->nr, whole(r), symbol->name, text,
			  places->nr > LISTED ? " ..." : "");
}

static bool is_chosen(const struct fargs_pt_filter_symbol *symbol, const struct places *places,
		      size_t i)
{
	if (symbol->nth == FARGS_PT_FILTER_GLOBAL)
		return places->all[i].is_global;
	return symbol->nth == FARGS_PT_FILTER_ANY || (size_t)symbol->nth == i + 1;
}

static int find(const struct resolver *r, const struct fargs_pt_filter_symbol *symbol,
		struct place *place)
{
	struct places places = { };
	size_t i, nr = 0;
	int ret = r->dso ? find_in_object(r, symbol->name, &places) :
			   find_in_kernel(r, symbol->name, &places);

	for (i = 0; !ret && i < places.nr; i++) {
		if (!is_chosen(symbol, &places, i))
			continue;
		*place = places.all[i];
		nr++;
	}
	if (!ret && !nr)
		ret = fail_missing(r, symbol, places.nr);
	if (!ret && nr > 1)
		ret = fail_several(r, symbol, &places);
	free(places.all);
	return ret;
}

/* The whole kernel: the page after its last function is included, whose size is not known. */
static void take_kernel(const struct resolver *r, struct fargs_pt_filter *filter)
{
	const uint64_t page = sysconf(_SC_PAGESIZE);
	const struct fargs_ksym *last = fargs_ksyms_at(r->ks, fargs_ksyms_count(r->ks) - 1);

	filter->addr = fargs_ksyms_at(r->ks, 0)->addr;
	filter->bytes = ((last->addr + page - 1) & -page) + page - filter->addr;
}

static int take_object(const struct resolver *r, struct fargs_pt_filter *filter)
{
	struct stat st;

	if (stat(filter->object, &st))
		return fargs_fail(r->err, errno, "'%s': %s", filter->object, strerror(errno));
	filter->addr = 0;
	filter->bytes = st.st_size;
	return 0;
}

static int resolve_symbols(const struct resolver *r, struct fargs_pt_filter *filter)
{
	struct place from, to;
	int ret;

	if (filter->from.name && !strcmp(filter->from.name, "*")) {
		if (r->dso)
			return take_object(r, filter);
		take_kernel(r, filter);
		return 0;
	}
	if (filter->from.name) {
		ret = find(r, &filter->from, &from);
		if (ret)
			return ret;
		filter->addr = from.begin;
		if (filter->is_range && !filter->bytes)
			filter->bytes = from.end - from.begin;
	}
	if (!filter->to.name)
		return 0;
	ret = find(r, &filter->to, &to);
	if (ret)
		return ret;
	if (to.end <= filter->addr)
		return fargs_fail(r->err, EINVAL, "'%s' (0x%" PRIx64 ") is before the start of the "
				  "range (0x%" PRIx64 ")", filter->to.name, to.begin,
				  filter->addr);
	filter->bytes = to.end - filter->addr;
	return 0;
}

/* The kernel's parser splits the text at blanks and commas. */
static int resolve_path(const struct resolver *r, struct fargs_pt_filter *filter)
{
	char path[PATH_MAX], *copy;

	if (!realpath(filter->object, path))
		return fargs_fail(r->err, errno, "'%s': %s", filter->object, strerror(errno));
	if (strpbrk(path, " ,\n"))
		return fargs_fail(r->err, EINVAL, "'%s': the kernel takes no path with blanks or "
				  "commas", path);
	copy = strdup(path);
	if (!copy)
		return no_memory(r);
	free(filter->object);
	filter->object = copy;
	return 0;
}

static int resolve(struct resolver *r, struct fargs_pt_filter *filter)
{
	bool has_symbols = filter->from.name || filter->to.name;
	int ret = filter->object ? resolve_path(r, filter) : 0;

	if (ret || !has_symbols)
		return ret;
	r->filter = filter;
	r->dso = NULL;
	if (filter->object) {
		r->dso = fargs_dso_open(filter->object, filter->object, &r->locator);
		if (!r->dso)
			return no_memory(r);
	} else if (!r->ks || !fargs_ksyms_count(r->ks)) {
		return fargs_fail(r->err, EPERM, "the kernel's symbols are hidden (run as root): "
				  "give addresses");
	}
	ret = resolve_symbols(r, filter);
	fargs_dso_close(r->dso);
	return ret;
}

int fargs_pt_filters_resolve(struct fargs_pt_filters *filters, const struct fargs_ksyms *ks,
			     struct fargs_error_text *err)
{
	struct resolver r = { .ks = ks, .err = err };
	size_t i;
	int ret;

	if (fargs_locator_init(&r.locator, NULL))
		return no_memory(&r);
	ret = 0;
	for (i = 0; !ret && i < filters->nr; i++)
		ret = resolve(&r, &filters->all[i]);
	fargs_locator_deinit(&r.locator);
	return ret;
}
