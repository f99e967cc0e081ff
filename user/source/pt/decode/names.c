// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/machine.h"
#include "base/put.h"
#include "kernel/sym/ksyms.h"
#include "source/pt/decode/user_names.h"
#include "source/pt/input/user_files.h"

/* Name of fargs's kernel module. */
#define TRACER	"fargs"

static int compare(const void *a, const void *b)
{
	const struct fargs_pt_symbol *x = *(const struct fargs_pt_symbol *const *)a;
	const struct fargs_pt_symbol *y = *(const struct fargs_pt_symbol *const *)b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->ns > y->ns) - (x->ns < y->ns);
}

static uint8_t kinds_of(const char *name, const char *module)
{
	size_t n = strlen(name), suffix = strlen("return_thunk");
	uint8_t kinds = 0;

	if (strstr(name, ".cold") ||
	    (n >= suffix && !strcmp(name + n - suffix, "return_thunk")))
		kinds |= FARGS_PT_NAME_PART;
	if (strstr(name, "indirect_thunk"))
		kinds |= FARGS_PT_NAME_THUNK;
	if (!strcmp(name, "arch_rethook_trampoline") || !strcmp(name, "return_to_handler"))
		kinds |= FARGS_PT_NAME_HOOK;
	if (!strncmp(name, "ftrace_", strlen("ftrace_")))
		kinds |= FARGS_PT_NAME_FTRACE;
	if (module && !strcmp(module, TRACER))
		kinds |= FARGS_PT_NAME_TRACER;
	return kinds;
}

static inline void set_begin(struct fargs_pt_names *names, uint64_t addr)
{
	size_t even = fargs_pt_names_even(addr), odd = fargs_pt_names_odd(addr);

	if (addr % FARGS_PT_NAMES_ALIGN)
		names->odd[odd / 64] |= UINT64_C(1) << odd % 64;
	else
		names->even[even / 64] |= UINT64_C(1) << even % 64;
}

/*
 * The tables include symbols that are not separate functions (FARGS_PT_NAME_PART): reading all
 * names to exclude them would take longer than it saves.
 */
void fargs_pt_names_note_begins(struct fargs_pt_names *names)
{
	size_t nr = names->in->ksyms ? fargs_ksyms_count(names->in->ksyms) : 0, i;
	const struct fargs_ksym *syms = nr ? fargs_ksyms_at(names->in->ksyms, 0) : NULL;

	for (i = 0; i < nr; i++)
		set_begin(names, syms[i].addr);
	for (i = 0; i < names->nr_added; i++)
		set_begin(names, names->added[i]->addr);
	for (i = 0; i < names->in->nr_guests; i++)
		fargs_pt_names_note_begins(names->guests[i]);
}

static int create_guests(struct fargs_pt_names *names)
{
	const struct fargs_pt_input *in = names->in;
	size_t i;

	names->guests = calloc(in->nr_guests + 1, sizeof(*names->guests));
	for (i = 0; names->guests && i < in->nr_guests; i++) {
		names->guests[i] = fargs_pt_names_create(&in->guests[i].in);
		if (!names->guests[i])
			return -ENOMEM;
	}
	return names->guests ? 0 : -ENOMEM;
}

const struct fargs_pt_names *fargs_pt_names_guest(const struct fargs_pt_names *names, size_t guest)
{
	return guest < names->in->nr_guests ? names->guests[guest] : NULL;
}

struct fargs_pt_names *fargs_pt_names_create(const struct fargs_pt_input *in)
{
	struct fargs_pt_names *names = calloc(1, sizeof(*names));
	size_t i;

	if (!names)
		return NULL;
	names->in = in;
	names->added = calloc(in->nr_symbols + 1, sizeof(*names->added));
	if (in->nr_spaces)
		names->user = fargs_pt_user_names_create(in);
	if (!names->added || (in->nr_spaces && !names->user) || create_guests(names)) {
		fargs_pt_names_destroy(names);
		return NULL;
	}
	for (i = 0; i < in->nr_symbols; i++) {
		if (!in->symbols[i].bytes)
			continue;
		names->added[names->nr_added++] = &in->symbols[i];
		if (in->symbols[i].bytes > names->most_bytes)
			names->most_bytes = in->symbols[i].bytes;
	}
	qsort(names->added, names->nr_added, sizeof(*names->added), compare);
	return names;
}

void fargs_pt_names_destroy(struct fargs_pt_names *names)
{
	size_t i;

	if (!names)
		return;
	for (i = 0; names->guests && i < names->in->nr_guests; i++)
		fargs_pt_names_destroy(names->guests[i]);
	free(names->guests);
	fargs_pt_user_names_destroy(names->user);
	free(names->added);
	free(names);
}

const char *fargs_pt_name_file(const struct fargs_pt_name *name)
{
	return name->files ? fargs_pt_files_path(name->files, name->file_nr) : NULL;
}

/* Returns the index of the first of names->added that begins after @addr. */
static size_t find_after(const struct fargs_pt_names *names, uint64_t addr)
{
	size_t low = 0, high = names->nr_added, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (names->added[mid]->addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * Returns the symbol of names->added that contains @addr at time @ns, or NULL. *@is_any: a symbol
 * contains @addr at some time, not necessarily at @ns.
 */
static const struct fargs_pt_symbol *find_added(const struct fargs_pt_names *names, uint64_t addr,
					       uint64_t ns, bool *is_any)
{
	const struct fargs_pt_symbol *sym, *gone = NULL;
	size_t low = find_after(names, addr);

	*is_any = false;
	/*
	 * Of several symbols that begin at the same address, only the latest is used. Symbols that
	 * begin at lower addresses must be checked, too: a symbol may lie inside a larger symbol of
	 * a module.
	 */
	for (; low; low--) {
		sym = names->added[low - 1];
		if (addr - sym->addr >= names->most_bytes)
			break;
		if (addr - sym->addr >= sym->bytes)
			continue;
		*is_any = true;
		if (sym->ns > ns || (gone && gone->addr == sym->addr))
			continue;
		if (!sym->is_removed)
			return sym;
		gone = sym;
	}
	return NULL;
}

/*
 * Narrows the range from *@begin to *@end, which contains @addr, to addresses that are in none of
 * names->added. @addr must be such an address.
 */
static void leave_out_added(const struct fargs_pt_names *names, uint64_t addr, uint64_t *begin,
			    uint64_t *end)
{
	size_t low = find_after(names, addr);
	const struct fargs_pt_symbol *sym;
	uint64_t bound;

	if (low < names->nr_added && names->added[low]->addr < *end)
		*end = names->added[low]->addr;
	for (; low; low--) {
		sym = names->added[low - 1];
		/* Symbols at lower addresses than this one end before its largest possible end. */
		bound = addr - sym->addr < names->most_bytes ? sym->addr + sym->bytes :
			sym->addr + names->most_bytes;
		if (bound > *begin)
			*begin = bound;
		if (addr - sym->addr >= names->most_bytes)
			break;
	}
}

static void set_added(struct fargs_pt_name *name, const struct fargs_pt_symbol *added)
{
	name->name = added->name;
	name->module = added->module;
	name->addr = added->addr;
	name->is_registered = true;
	name->kinds = kinds_of(added->name, added->module);
}

static void set_kernel(struct fargs_pt_name *name, const struct fargs_ksym *sym)
{
	name->name = sym->name;
	name->module = sym->module;
	name->addr = sym->addr;
}

/* Finds the name of @addr in the guest with the number @space. */
static void find_in_guest(const struct fargs_pt_names *names, int32_t space, uint64_t addr,
			  uint64_t ns, struct fargs_pt_name *name)
{
	const struct fargs_pt_names *guest;
	int32_t user;
	size_t i = fargs_pt_guests_of_space(names->in, space, &user);

	*name = (struct fargs_pt_name){ .is_lasting = true };
	guest = fargs_pt_names_guest(names, i);
	if (!fargs_machine_is_kernel(addr) && user >= 0)
		fargs_pt_names_find(fargs_pt_guests_have_records(names->in, i) ? guest : names,
				    user, addr, ns, name);
	else if (fargs_machine_is_kernel(addr) && guest)
		fargs_pt_names_find(guest, -1, addr, ns, name);
	if (name->name && !name->module && fargs_machine_is_kernel(addr))
		name->module = names->in->guests[i].kernel;
	/* It is valid with this number alone. */
	name->is_user = true;
	name->is_guest = true;
}

void fargs_pt_names_find(const struct fargs_pt_names *names, int32_t space, uint64_t addr,
			 uint64_t ns, struct fargs_pt_name *name)
{
	const struct fargs_pt_symbol *added;
	const struct fargs_ksym *sym;
	bool is_any;

	if (fargs_pt_guests_is_space(space)) {
		find_in_guest(names, space, addr, ns, name);
		return;
	}
	if (names->user && !fargs_machine_is_kernel(addr)) {
		fargs_pt_user_names_find(names->user, space, addr, ns, name);
		return;
	}
	added = find_added(names, addr, ns, &is_any);
	*name = (struct fargs_pt_name){ .kinds = FARGS_PT_NAME_FTRACE, .is_lasting = !is_any };
	if (added) {
		set_added(name, added);
		return;
	}
	sym = names->in->ksyms ? fargs_ksyms_find_addr(names->in->ksyms, addr) : NULL;
	if (!sym)
		return;
	set_kernel(name, sym);
	name->kinds = kinds_of(sym->name, sym->module);
}

void fargs_pt_names_find_range(const struct fargs_pt_names *names, int32_t space, uint64_t addr,
			       uint64_t ns, struct fargs_pt_name *name, uint64_t *begin,
			       uint64_t *end)
{
	const struct fargs_pt_symbol *added;
	const struct fargs_ksym *sym;
	bool is_any;

	*begin = addr;
	*end = addr + 1;
	if (fargs_pt_guests_is_space(space)) {
		find_in_guest(names, space, addr, ns, name);
		return;
	}
	if (names->user && !fargs_machine_is_kernel(addr)) {
		fargs_pt_user_names_find(names->user, space, addr, ns, name);
		return;
	}
	added = find_added(names, addr, ns, &is_any);
	*name = (struct fargs_pt_name){ .is_lasting = !is_any };
	if (added)
		set_added(name, added);
	if (added || !names->in->ksyms)
		return;
	sym = fargs_ksyms_find_range(names->in->ksyms, addr, begin, end);
	if (!sym)
		return;
	set_kernel(name, sym);
	if (!is_any)
		leave_out_added(names, addr, begin, end);
}

bool fargs_pt_names_begins(const struct fargs_pt_names *names, uint64_t addr)
{
	const struct fargs_ksym *sym;
	size_t low = 0, high = names->nr_added, mid;

	if (names->user && !fargs_machine_is_kernel(addr))
		return fargs_pt_user_names_begins(names->user, addr);
	while (low < high) {
		mid = low + (high - low) / 2;
		if (names->added[mid]->addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < names->nr_added && names->added[low]->addr == addr)
		return true;
	sym = names->in->ksyms ? fargs_ksyms_find_addr(names->in->ksyms, addr) : NULL;
	return sym && sym->addr == addr && !(kinds_of(sym->name, NULL) & FARGS_PT_NAME_PART);
}

const struct fargs_pt_name *fargs_pt_names_find_anew(const struct fargs_pt_names *names,
						     struct fargs_pt_names_cache *cache, size_t i,
						     int32_t space, uint64_t addr, uint64_t ns)
{
	cache->kept[i].addr = addr;
	cache->kept[i].ns = ns;
	cache->kept[i].space = space;
	fargs_pt_names_find(names, space, addr, ns, &cache->kept[i].name);
	return &cache->kept[i].name;
}

void fargs_pt_names_put(struct fargs_buf *out, const struct fargs_pt_name *name, uint64_t addr)
{
	if (!name->name) {
		fargs_put(out, "[unknown]");
		return;
	}
	fargs_put_escaped(out, name->name, strlen(name->name), NULL);
	fargs_put_char(out, '+');
	fargs_put_hex(out, addr - name->addr);
	if (!name->module)
		return;
	fargs_put(out, " [");
	fargs_put_escaped(out, name->module, strlen(name->module), NULL);
	fargs_put_char(out, ']');
}
