// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/code.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PAGE		4096ull
/*
 * Upper limit of the size of a function. It is needed because symbols in /proc/kallsyms have no
 * size, and a large gap may follow the last symbol of a module.
 */
#define FUNC_MAX	(1u << 20)
/*
 * Prefix of the names of generated code in /proc/kallsyms. ftrace and kprobes generate code in
 * single pages, each followed by an unmapped page.
 */
#define MADE		"__builtin__"
#define MADE_MAX	(2 * PAGE)

/* A symbol outside the kernel image. */
struct place {
	uint64_t addr;
	bool is_code;
	const char *module;	/* terminated by ']', not by NUL */
};

struct places {
	struct place *places;
	size_t nr, room;
	uint64_t begin, end;	/* addresses of _stext and _etext; 0: not found yet */
};

static int add_place(struct places *p, const struct place *place)
{
	struct place *larger;

	if (p->nr == p->room) {
		p->room = p->room ? 2 * p->room : 4096;
		larger = realloc(p->places, p->room * sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		p->places = larger;
	}
	p->places[p->nr++] = *place;
	return 0;
}

static bool is_name(const char *name, size_t bytes, const char *wanted)
{
	return bytes == strlen(wanted) && !memcmp(name, wanted, bytes);
}

/* Parses "ffffffff81000000 T _stext" or "ffffffffc0000000 t init\t[module]". */
static int take_line(struct places *p, const char *line, const char *end)
{
	struct place place = { 0 };
	const char *name, *rest;
	char *after;

	place.addr = strtoull(line, &after, 16);
	if (after == line || end - after < 4 || after[0] != ' ' || after[2] != ' ')
		return -EINVAL;
	place.is_code = strchr("tTwW", after[1]);
	name = after + 3;
	rest = memchr(name, '\t', end - name);
	if (!rest) {
		if (is_name(name, end - name, "_stext"))
			p->begin = place.addr;
		if (is_name(name, end - name, "_etext"))
			p->end = place.addr;
		return 0;
	}
	if (end - rest < 4 || rest[1] != '[' || end[-1] != ']')
		return -EINVAL;
	place.module = rest + 2;
	/* Ignore per-CPU symbols of modules: their values are offsets, not addresses. */
	return place.addr >> 63 ? add_place(p, &place) : 0;
}

static int take_lines(struct places *p, const char *text, size_t size,
		      struct fargs_error_text *err)
{
	const char *line, *eol, *end = text + size;
	size_t number = 1;
	int ret;

	for (line = text; line < end; line = eol + 1, number++) {
		eol = memchr(line, '\n', end - line);
		if (!eol)
			eol = end;
		ret = eol == line ? 0 : take_line(p, line, eol);
		if (ret == -ENOMEM)
			return fargs_fail(err, ENOMEM, "no memory for kernel symbols");
		if (ret)
			return fargs_fail(err, EINVAL, "kernel symbols: line %zu is not in the "
					  "format of /proc/kallsyms", number);
	}
	if (!p->begin || p->end <= p->begin)
		return fargs_fail(err, EINVAL, "the location of the kernel's code is not known, "
				  "because kernel.kptr_restrict hides the addresses of kernel "
				  "symbols: run as root");
	return 0;
}

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static bool is_same_module(const struct place *a, const struct place *b)
{
	size_t bytes = strcspn(a->module, "]");

	return bytes == strcspn(b->module, "]") && !memcmp(a->module, b->module, bytes);
}

static uint64_t page_of(uint64_t addr)
{
	return addr & ~(PAGE - 1);
}

/*
 * Returns the maximum size of the code at @place. It is low for generated code: the memory after it
 * may contain freed code that still has a symbol.
 */
static uint64_t most_bytes(const struct place *place)
{
	return strncmp(place->module, MADE, strlen(MADE)) ? FUNC_MAX : MADE_MAX;
}

/* Returns an upper bound of the end of the code at symbol @i, at a page boundary. */
static uint64_t end_of(const struct places *p, size_t i)
{
	const struct place *place = &p->places[i];
	uint64_t end = page_of(place->addr + most_bytes(place));

	/* The next symbol of any kind ends the code. It may be on the same page. */
	for (; i < p->nr && p->places[i].addr == place->addr; i++)
		;
	if (i < p->nr && p->places[i].addr < end)
		end = page_of(p->places[i].addr + PAGE - 1);
	return end;
}

/*
 * Adds the code at symbol @i: to the last range if it is contiguous and of the same module,
 * otherwise as a new range.
 */
static void take_place(struct fargs_code_ranges *all, const struct places *p, size_t i,
		       const struct place **last)
{
	struct fargs_code_range *range = all->nr ? &all->ranges[all->nr - 1] : NULL;
	uint64_t begin = page_of(p->places[i].addr), end = end_of(p, i);
	size_t bytes = strcspn(p->places[i].module, "]");

	if (range && range->addr + range->bytes > begin)
		begin = range->addr + range->bytes;
	if (end <= begin)
		return;
	if (range && *last && range->addr + range->bytes == begin &&
	    is_same_module(*last, &p->places[i])) {
		range->bytes += end - begin;
		return;
	}
	range = &all->ranges[all->nr++];
	*range = (struct fargs_code_range){ .addr = begin, .bytes = end - begin };
	if (bytes >= sizeof(range->name))
		bytes = sizeof(range->name) - 1;
	memcpy(range->name, p->places[i].module, bytes);
	*last = &p->places[i];
}

static int compare_ranges(const void *a, const void *b)
{
	const struct fargs_code_range *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int make_ranges(struct fargs_code_ranges *all, struct places *p,
		       struct fargs_error_text *err)
{
	const struct place *last = NULL;
	uint64_t end = page_of(p->end + PAGE - 1);
	struct fargs_code_range *kernel;
	size_t i;

	all->ranges = calloc(p->nr + 1, sizeof(*all->ranges));
	if (!all->ranges)
		return fargs_fail(err, ENOMEM, "no memory for kernel symbols");
	/* Without places p->places is NULL, which qsort() does not allow. */
	if (p->nr)
		qsort(p->places, p->nr, sizeof(*p->places), compare_places);
	for (i = 0; i < p->nr; i++)
		if (p->places[i].is_code)
			take_place(all, p, i, &last);
	kernel = &all->ranges[all->nr++];
	*kernel = (struct fargs_code_range){ page_of(p->begin), end - page_of(p->begin),
					     FARGS_CODE_KERNEL };
	qsort(all->ranges, all->nr, sizeof(*all->ranges), compare_ranges);
	return 0;
}

int fargs_code_ranges_init(struct fargs_code_ranges *all, const char *text, size_t size,
			   struct fargs_error_text *err)
{
	struct places p = { 0 };
	int ret;

	memset(all, 0, sizeof(*all));
	ret = take_lines(&p, text, size, err);
	if (!ret)
		ret = make_ranges(all, &p, err);
	free(p.places);
	return ret;
}

void fargs_code_ranges_deinit(struct fargs_code_ranges *all)
{
	free(all->ranges);
	memset(all, 0, sizeof(*all));
}
