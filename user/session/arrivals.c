// SPDX-License-Identifier: GPL-2.0-only
#include "session/arrivals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/refusal.h"
#include "base/array.h"
#include "session/device.h"
#include "uapi/fargs_layout.h"

/* Maximum number of arrivals read by one ioctl. */
#define ROOM	256
/*
 * Maximum number and total size of the layouts that one ioctl adds: the module holds copies of them
 * until the ioctl returns.
 */
#define BATCH_LAYOUTS	16384
#define BATCH_BYTES	(8u << 20)

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "no memory for the list of functions");
}

int fargs_awaited_reserve(struct fargs_awaited *awaited, size_t nr, struct fargs_error_text *err)
{
	struct fargs_func *larger;

	if (!nr)
		return 0;
	larger = realloc(awaited->funcs, (awaited->nr + nr) * sizeof(*larger));
	if (!larger)
		return no_memory(err);
	memset(larger + awaited->nr, 0, nr * sizeof(*larger));
	awaited->funcs = larger;
	awaited->nr += nr;
	return 0;
}

static int note(struct fargs_awaited *awaited, uint64_t number, const char *module,
		const struct fargs_match *match, const struct fargs_layout *layout)
{
	struct fargs_func *func;

	/*
	 * -EEXIST, for a function traced under another name, is impossible: each match has its own
	 * symbol.
	 */
	if (layout->status || number >= awaited->nr || awaited->funcs[number].name)
		return -EINVAL;
	func = &awaited->funcs[number];
	func->btf_id = match->func_id;
	func->layout_flags = layout->flags & ~(FARGS_LAYOUT_DEFERRED | FARGS_LAYOUT_RELOAD);
	if (match->is_unproven)
		func->layout_flags |= FARGS_FUNC_UNPROVEN;
	func->name = strdup(match->sym->name);
	func->module = strdup(module);
	return func->name && func->module ? 0 : -ENOMEM;
}

static int fail_note(int ret, const struct fargs_match *match, struct fargs_error_text *err)
{
	return ret == -ENOMEM ? no_memory(err) : fargs_fail(err, EINVAL, "fargs.ko rejects '%s'",
							    match->sym->name);
}

int fargs_awaited_note(struct fargs_awaited *awaited, const struct fargs_match *match,
		       const struct fargs_layout *layout, struct fargs_error_text *err)
{
	int ret = note(awaited, layout->number, match->sym->module, match, layout);

	return ret ? fail_note(ret, match, err) : 0;
}

/*
 * Adds as many layouts, starting at offset @at, as fit into one ioctl. Sets *@nr to their number
 * and *@bytes to their total size.
 */
static int add_batch(int fd, struct fargs_layouts *layouts, size_t at, size_t *bytes, size_t *nr,
		     struct fargs_error_text *err)
{
	size_t nr_added;

	*bytes = 0;
	*nr = 0;
	while (at + *bytes < layouts->bytes && *nr < BATCH_LAYOUTS) {
		const struct fargs_layout *layout = (const void *)(layouts->data + at + *bytes);

		if (*bytes && *bytes + layout->size > BATCH_BYTES)
			break;
		*bytes += layout->size;
		++*nr;
	}
	return fargs_device_add(fd, layouts->data + at, *bytes, *nr, 0, &nr_added, err);
}

int fargs_awaited_add(struct fargs_awaited *awaited, int fd, struct fargs_deferred *deferred,
		      struct fargs_error_text *err)
{
	struct fargs_layouts *layouts = &deferred->layouts;
	size_t at, i, module, bytes, nr;
	int ret;

	ret = fargs_awaited_reserve(awaited, layouts->nr, err);
	if (ret)
		return ret;
	for (at = 0; at < layouts->bytes; at += bytes) {
		ret = add_batch(fd, layouts, at, &bytes, &nr, err);
		if (ret)
			return ret;
	}
	for (at = 0, module = 0; module < deferred->nr_modules; module++) {
		const struct fargs_deferred_module *m = &deferred->modules[module];

		for (i = 0; i < m->sel->nr_matches; i++) {
			const struct fargs_layout *layout = (const void *)(layouts->data + at);

			/*
			 * A function that needs CAP_BPF is skipped, unless it was selected by its
			 * exact name.
			 */
			if (layout->status == -EACCES && m->sel->matches[i].is_exact)
				return fargs_fail(err, EACCES, "'%s' cannot be traced: %s",
						  m->sel->matches[i].sym->name,
						  fargs_refusal_text(FARGS_REFUSAL_NO_SLOTS));
			ret = layout->status == -EACCES ? 0 :
			      note(awaited, layout->ip, m->name, &m->sel->matches[i], layout);
			if (ret)
				return fail_note(ret, &m->sel->matches[i], err);
			at += layout->size;
		}
	}
	return 0;
}

void fargs_awaited_deinit(struct fargs_awaited *awaited)
{
	size_t i;

	for (i = 0; i < awaited->nr; i++) {
		free(awaited->funcs[i].name);
		free(awaited->funcs[i].module);
	}
	free(awaited->funcs);
	memset(awaited, 0, sizeof(*awaited));
}

/*
 * Adds the module to arrived->stale, once for each time that it is loaded: the functions and
 * tracepoints of a module arrive one after the other, so arrivals less than a second apart belong
 * to the same load.
 */
static int note_stale(struct fargs_awaited *awaited, const struct fargs_meta *meta,
		      const struct fargs_arrival *arrival, const struct fargs_func *func,
		      struct fargs_arrived *arrived)
{
	const uint64_t second = (uint64_t)meta->info.tsc_khz * 1000;
	const char **slot;

	if (!awaited->stale || strcmp(awaited->stale, func->module) ||
	    arrival->tsc - awaited->stale_tsc > second) {
		slot = fargs_array_add(arrived->stale, arrived->nr_stale);
		if (!slot)
			return -ENOMEM;
		*slot = func->module;
	}
	awaited->stale = func->module;
	awaited->stale_tsc = arrival->tsc;
	return 0;
}

static int take_one(struct fargs_awaited *awaited, const struct fargs_meta *meta,
		    const struct fargs_arrival *arrival, struct fargs_arrived *arrived,
		    struct fargs_error_text *err)
{
	const struct fargs_func *func = NULL;
	struct fargs_func *larger;

	if (arrival->layout == FARGS_NONE)
		func = fargs_meta_func(meta, arrival->ip, arrival->tsc);
	else if (arrival->layout < awaited->nr && awaited->funcs[arrival->layout].name)
		func = &awaited->funcs[arrival->layout];
	if (!func || !func->module)
		return fargs_fail(err, EIO, "the module reported a function that was not "
				  "requested");
	if (arrival->status == -ESTALE) {
		if (note_stale(awaited, meta, arrival, func, arrived))
			return no_memory(err);
	} else if (arrival->status) {
		arrived->nr_refused++;
	}
	/* A function that is only a scope has no records. */
	if (arrival->status || (func->layout_flags & FARGS_LAYOUT_SILENT))
		return 0;
	larger = realloc(arrived->funcs, (arrived->nr + 1) * sizeof(*larger));
	if (!larger)
		return no_memory(err);
	arrived->funcs = larger;
	larger += arrived->nr++;
	*larger = *func;
	larger->ip = arrival->ip;
	larger->addr = arrival->addr;
	larger->from_tsc = arrival->tsc;
	return 0;
}

int fargs_awaited_take(struct fargs_awaited *awaited, int fd, struct fargs_meta *meta,
		       struct fargs_arrived *arrived, struct fargs_error_text *err)
{
	struct fargs_arrival arrivals[ROOM];
	size_t i, nr = ROOM;
	int ret = 0;

	memset(arrived, 0, sizeof(*arrived));
	while (!ret && (awaited->nr || awaited->has_tpoints) && nr == ROOM) {
		ret = fargs_device_arrivals(fd, awaited->next, arrivals, &nr, err);
		for (i = 0; !ret && i < nr; i++)
			ret = take_one(awaited, meta, &arrivals[i], arrived, err);
		awaited->next += ret ? 0 : nr;
	}
	if (!ret && arrived->nr && fargs_meta_add_funcs(meta, arrived->funcs, arrived->nr))
		ret = no_memory(err);
	if (ret)
		fargs_arrived_deinit(arrived);
	return ret;
}

void fargs_arrived_deinit(struct fargs_arrived *arrived)
{
	free(arrived->funcs);
	free(arrived->stale);
	memset(arrived, 0, sizeof(*arrived));
}
