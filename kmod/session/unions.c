// SPDX-License-Identifier: GPL-2.0-only
#include "session/unions.h"

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>

#include "base/funchash.h"
#include "probe/several.h"

static struct fargs_funchash_slot *find_slot(struct fargs_funchash *hash, unsigned long ip)
{
	return hash ? fargs_funchash_slot(hash, ip) : NULL;
}

/* Can the callback of tracer @path record calls in the session of @probe, and need nothing more? */
static bool is_simple(const struct fargs_probe *probe, size_t path)
{
	return probe->path == path && !probe->capture->scope;
}

/* Returns the tracer for a function: the one that traces it already, or else that of @path. */
static size_t find_path(struct fargs_funchash *const *tables,
			struct fargs_funchash *const *fresh, unsigned long ip, size_t path)
{
	size_t i;

	for (i = 0; i < FARGS_CAPTURE_PROBES; i++) {
		if (find_slot(tables[i], ip))
			return i;
	}
	for (i = 0; fresh && i < FARGS_CAPTURE_PROBES; i++) {
		if (find_slot(fresh[i], ip))
			return i;
	}
	return path;
}

void fargs_unions_free(struct fargs_unions *unions)
{
	size_t i;

	for (i = 0; i < FARGS_CAPTURE_PROBES; i++)
		fargs_funchash_destroy(unions->hash[i]);
	kvfree(unions->severals);
	*unions = (struct fargs_unions){ };
}

/*
 * A union has room for all functions that belong there according to @tables, and for
 * all that are new, wherever they belong.
 */
static int create_hashes(struct fargs_unions *unions, struct list_head *probes,
			 struct fargs_funchash *const *tables)
{
	struct fargs_funchash_slot *slot;
	struct fargs_probe *probe;
	u32 room[FARGS_CAPTURE_PROBES] = { };
	size_t i;

	list_for_each_entry(probe, probes, node) {
		for (slot = NULL; (slot = fargs_funchash_next(probe->hash, slot));) {
			for (i = 0; i < FARGS_CAPTURE_PROBES; i++)
				room[i] += find_path(tables, NULL, slot->ip, i) == i;
		}
	}
	for (i = 0; i < FARGS_CAPTURE_PROBES; i++) {
		unions->hash[i] = fargs_funchash_create(room[i]);
		if (!unions->hash[i])
			return -ENOMEM;
	}
	return 0;
}

/* Inserts the functions of all probes, with NULL if the function needs a struct fargs_several. */
static void insert_all(struct fargs_unions *unions, struct list_head *probes,
		       struct fargs_funchash *const *tables)
{
	struct fargs_funchash_slot *slot, *to;
	struct fargs_probe *probe;
	size_t path;

	list_for_each_entry(probe, probes, node) {
		for (slot = NULL; (slot = fargs_funchash_next(probe->hash, slot));) {
			path = find_path(tables, unions->hash, slot->ip, probe->path);
			to = find_slot(unions->hash[path], slot->ip);
			if (to)
				to->template = NULL;
			else
				fargs_funchash_insert(unions->hash[path], slot->ip,
						      is_simple(probe, path) ? slot->template :
						      NULL);
		}
	}
}

/*
 * Fills the struct fargs_several of @ip at @to, or only finds out its size if @to is NULL. Returns
 * the size in bytes.
 */
static size_t fill_several(struct fargs_several *to, struct list_head *probes, unsigned long ip)
{
	struct fargs_funchash_slot *slot;
	struct fargs_probe *probe;
	u32 nr = 0;

	list_for_each_entry(probe, probes, node) {
		slot = find_slot(probe->hash, ip);
		if (!slot)
			continue;
		if (to)
			to->members[nr] = (struct fargs_several_member){ slot->template, probe };
		nr++;
	}
	if (to) {
		to->capture = &fargs_several_nobody;
		to->call = fargs_several_capture;
		to->nr = nr;
	}
	return struct_size(to, members, nr);
}

/* Makes a struct fargs_several for each function that needs one. */
static int make_severals(struct fargs_unions *unions, struct list_head *probes)
{
	struct fargs_funchash_slot *slot;
	size_t i, bytes = 0;
	void *at;

	for (i = 0; i < FARGS_CAPTURE_PROBES; i++) {
		for (slot = NULL; (slot = fargs_funchash_next(unions->hash[i], slot));)
			bytes += slot->template ? 0 : fill_several(NULL, probes, slot->ip);
	}
	/* Not NULL even if no function needs one. */
	unions->severals = kvmalloc(max(bytes, sizeof(long)), GFP_KERNEL_ACCOUNT);
	if (!unions->severals)
		return -ENOMEM;
	at = unions->severals;
	for (i = 0; i < FARGS_CAPTURE_PROBES; i++) {
		for (slot = NULL; (slot = fargs_funchash_next(unions->hash[i], slot));) {
			if (slot->template)
				continue;
			slot->template = at;
			at += fill_several(at, probes, slot->ip);
		}
	}
	return 0;
}

int fargs_unions_make(struct fargs_unions *unions, struct list_head *probes,
		      struct fargs_funchash *const *tables)
{
	int ret = create_hashes(unions, probes, tables);

	if (!ret) {
		insert_all(unions, probes, tables);
		ret = make_severals(unions, probes);
	}
	if (ret)
		fargs_unions_free(unions);
	return ret;
}

/*
 * Returns how many probes in the list have a function; and if there is just one, the template with
 * which the callback of tracer @path records the function. NULL: it cannot.
 */
static u32 count_probes(struct list_head *probes, size_t path, unsigned long ip,
			struct fargs_template **template)
{
	struct fargs_funchash_slot *slot;
	struct fargs_probe *probe;
	u32 nr = 0;

	*template = NULL;
	list_for_each_entry(probe, probes, node) {
		slot = find_slot(probe->hash, ip);
		if (slot)
			*template = !nr++ && is_simple(probe, path) ? slot->template : NULL;
	}
	return nr;
}

/* Removes the members that no longer trace the function. */
static void remove_members(struct fargs_several *several, unsigned long ip)
{
	struct fargs_several_member *m;

	for (m = several->members; m < several->members + several->nr; m++) {
		if (m->template != &fargs_several_none &&
		    (list_empty(&m->probe->node) || !find_slot(m->probe->hash, ip)))
			WRITE_ONCE(m->template, &fargs_several_none);
	}
}

bool fargs_unions_settle(struct fargs_funchash *hash, struct list_head *probes, size_t path,
			 unsigned long ip)
{
	struct fargs_funchash_slot *slot = find_slot(hash, ip);
	struct fargs_template *only;
	u32 nr;

	if (!slot)
		return false;
	nr = count_probes(probes, path, ip, &only);
	if (!nr)
		fargs_funchash_drop(hash, ip);
	else if (only)
		WRITE_ONCE(slot->template, only);
	else if (fargs_several_of(slot->template))
		remove_members(fargs_several_of(slot->template), ip);
	return !nr;
}
