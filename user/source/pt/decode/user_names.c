// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/user_names.h"

#include <stdlib.h>
#include <string.h>

#include "source/pt/decode/flow.h"
#include "source/pt/input/spaces.h"
#include "source/pt/input/user_files.h"

/* An element of in->codes, in an array that is sorted by address. */
struct place {
	uint64_t addr, last;		/* first and last address */
	uint64_t most_last;		/* maximum of @last of this element and those before it */
	size_t code;
};

struct fargs_pt_user_names {
	const struct fargs_pt_input *in;
	size_t nr_kernel;		/* number of elements of in->codes not in @places */
	size_t nr;
	/* The code of each space: its own elements have the same positions as in in->codes. */
	struct place *places;
	/* The code of all spaces. If several spaces have the same, it is here once. */
	struct place *all;
	size_t nr_all;
	uint64_t error_ns;		/* maximum error of times in the trace */
};

#define ORDER(a, b)	(((a) > (b)) - ((a) < (b)))

static int compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->addr != y->addr ? ORDER(x->addr, y->addr) : ORDER(x->code, y->code);
}

static void sort(struct place *places, size_t nr)
{
	uint64_t most = 0;
	size_t i;

	qsort(places, nr, sizeof(*places), compare);
	for (i = 0; i < nr; i++) {
		most = places[i].last > most ? places[i].last : most;
		places[i].most_last = most;
	}
}

/* Have both the same functions at the same addresses? */
static bool is_same(const struct fargs_pt_code *a, const struct fargs_pt_code *b)
{
	return a->addr == b->addr && a->bytes == b->bytes && a->at == b->at &&
	       a->file == b->file && !a->name == !b->name;
}

static int compare_same(const void *a, const void *b, void *arg)
{
	const struct fargs_pt_code *codes = arg, *x = &codes[((const struct place *)a)->code];
	const struct fargs_pt_code *y = &codes[((const struct place *)b)->code];

	if (x->addr != y->addr)
		return ORDER(x->addr, y->addr);
	if (x->file != y->file)
		return ORDER(x->file, y->file);
	return x->at != y->at ? ORDER(x->at, y->at) : ORDER(x->bytes, y->bytes);
}

/* Sets u->all from u->places. */
static void find_all(struct fargs_pt_user_names *u)
{
	struct fargs_pt_code *codes = u->in->codes;
	size_t i, nr = 0;

	memcpy(u->all, u->places, u->nr * sizeof(*u->all));
	qsort_r(u->all, u->nr, sizeof(*u->all), compare_same, codes);
	for (i = 0; i < u->nr; i++)
		if (!nr || !is_same(&codes[u->all[nr - 1].code], &codes[u->all[i].code]))
			u->all[nr++] = u->all[i];
	u->nr_all = nr;
	sort(u->all, nr);
}

static uint64_t error_ns(const struct fargs_pt_input *in)
{
	uint64_t error = fargs_pt_flow_error(&in->config);

	if (!in->config.has_time || error == UINT64_MAX)
		return 0;
	return fargs_pt_input_ns(&in->config, error) - fargs_pt_input_ns(&in->config, 0);
}

struct fargs_pt_user_names *fargs_pt_user_names_create(const struct fargs_pt_input *in)
{
	struct fargs_pt_user_names *u = calloc(1, sizeof(*u));
	size_t i;

	if (!u)
		return NULL;
	u->in = in;
	u->nr_kernel = fargs_pt_spaces_nr_kernel(in);
	u->nr = in->nr_codes - u->nr_kernel;
	u->error_ns = error_ns(in);
	u->places = calloc(u->nr + 1, sizeof(*u->places));
	u->all = calloc(u->nr + 1, sizeof(*u->all));
	if (!u->places || !u->all) {
		fargs_pt_user_names_destroy(u);
		return NULL;
	}
	for (i = 0; i < u->nr; i++) {
		const struct fargs_pt_code *code = &in->codes[u->nr_kernel + i];

		u->places[i] = (struct place){
			.addr = code->addr, .last = code->addr + (code->bytes - 1),
			.code = u->nr_kernel + i,
		};
		/* Code without bytes contains no address. */
		if (!code->bytes)
			u->places[i].last = 0;
	}
	find_all(u);
	for (i = 0; i < in->nr_spaces; i++)
		sort(u->places + (in->spaces[i].first - u->nr_kernel), in->spaces[i].nr);
	return u;
}

void fargs_pt_user_names_destroy(struct fargs_pt_user_names *u)
{
	if (!u)
		return;
	free(u->places);
	free(u->all);
	free(u);
}

/* Returns the number of elements that begin at @addr or before it. */
static size_t count_up_to(const struct place *places, size_t nr, uint64_t addr)
{
	size_t low = 0, high = nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (places[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * Returns the code at @addr and @ns among the first @nr elements that @space owns, or NULL. Adds
 * the number of elements that contain @addr at any time to *@nr_any; clears *@is_lasting if one of
 * them is not valid from the beginning.
 */
static const struct fargs_pt_code *find_own(const struct fargs_pt_user_names *u,
					    const struct fargs_pt_space *space, size_t nr,
					    uint64_t addr, uint64_t ns, size_t *nr_any,
					    bool *is_lasting)
{
	const struct place *first = u->places + (space->first - u->nr_kernel), *p;
	const struct fargs_pt_code *codes = u->in->codes, *found = NULL;

	for (p = first + count_up_to(first, space->nr, addr); p > first; p--) {
		if (p[-1].most_last < addr)
			break;
		if (p[-1].last < addr || p[-1].code >= space->first + nr)
			continue;
		++*nr_any;
		*is_lasting &= !codes[p[-1].code].from_ns;
		if (codes[p[-1].code].from_ns <= ns && (!found || &codes[p[-1].code] > found))
			found = &codes[p[-1].code];
	}
	return found;
}

/* Returns the code at @addr and @ns in space number @space, or NULL. */
static const struct fargs_pt_code *find_code(const struct fargs_pt_user_names *u, int32_t space,
					     uint64_t addr, uint64_t ns, bool *is_lasting)
{
	const struct fargs_pt_code *found = NULL;
	const struct fargs_pt_space *s;
	size_t nr = SIZE_MAX, nr_any = 0;

	*is_lasting = true;
	for (; space >= 0 && !found; space = s->base) {
		s = &u->in->spaces[space];
		found = find_own(u, s, nr < s->nr ? nr : s->nr, addr, ns, &nr_any, is_lasting);
		nr = s->nr_base;
	}
	*is_lasting &= nr_any < 2;
	return found;
}

/*
 * Returns whether the program that the process of @space executes next may have begun at @ns, given
 * the error of times. An instruction has the last time in the trace before it.
 */
static bool may_be_next(const struct fargs_pt_user_names *u, int32_t space, uint64_t ns)
{
	const struct fargs_pt_space *spaces = u->in->spaces;

	return spaces[space].next >= 0 && spaces[spaces[space].next].from_ns <= ns + u->error_ns;
}

void fargs_pt_user_names_find(const struct fargs_pt_user_names *u, int32_t space, uint64_t addr,
			      uint64_t ns, struct fargs_pt_name *name)
{
	const struct fargs_dso_symbol *sym;
	const struct fargs_pt_code *code;
	uint64_t at;

	*name = (struct fargs_pt_name){ .is_user = true };
	code = find_code(u, space, addr, ns, &name->is_lasting);
	if (!code && space >= 0 && may_be_next(u, space, ns)) {
		code = find_code(u, u->in->spaces[space].next, addr, ns + u->error_ns,
				 &name->is_lasting);
		name->is_lasting = false;
	}
	if (!code)
		return;
	at = addr - code->addr + code->at;
	if (u->in->files) {
		name->files = u->in->files;
		name->file_nr = code->file;
		name->file_at = at;
	}
	/* A dump may contain functions without a name. */
	if (code->name && *code->name) {
		name->name = code->name;
		name->addr = code->addr;
	}
	if (code->name || !u->in->files)
		return;
	sym = fargs_pt_files_symbol(u->in->files, code->file, at);
	if (!sym)
		return;
	name->name = sym->name;
	name->addr = addr - (at - sym->start);
	if (strstr(sym->name, ".cold"))
		name->kinds |= FARGS_PT_NAME_PART;
	if (sym->is_plt)
		name->kinds |= FARGS_PT_NAME_THUNK;
}

bool fargs_pt_user_names_begins(const struct fargs_pt_user_names *u, uint64_t addr)
{
	const struct place *p = u->all + count_up_to(u->all, u->nr_all, addr);
	const struct fargs_dso_symbol *sym;
	const struct fargs_pt_code *code;
	uint64_t at;

	for (; p > u->all && p[-1].most_last >= addr; p--) {
		code = &u->in->codes[p[-1].code];
		if (p[-1].last < addr)
			continue;
		if (code->name && code->addr == addr)
			return true;
		if (code->name || !u->in->files)
			continue;
		at = addr - code->addr + code->at;
		sym = fargs_pt_files_symbol(u->in->files, code->file, at);
		if (sym && sym->start == at && !strstr(sym->name, ".cold"))
			return true;
	}
	return false;
}
