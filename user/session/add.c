// SPDX-License-Identifier: GPL-2.0-only
/* Adds the selected functions and tracepoints to the module and to meta.funcs. */
#include "session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "select/resolve/named.h"
#include "select/resolve/reload.h"
#include "session/device.h"
#include "uapi/fargs_layout.h"

/*
 * Maximum number and total size of the layouts that one ioctl adds: the module holds copies of them
 * until the ioctl returns. Few large calls are best, because each queries ftrace at least once.
 */
#define BATCH_LAYOUTS	16384
#define BATCH_BYTES	(8u << 20)

static struct fargs_layout *layout_of(const struct fargs_select *sel,
				      const struct fargs_match *match)
{
	/* The cast is safe: malloc() aligns the buffer, and sizes of layouts are multiples of 8. */
	return (struct fargs_layout *)(sel->layouts.data + match->offset);
}

/*
 * Translates the status of a layout that the module skipped. -EEXIST is not a refusal: the function
 * is traced under another name.
 */
static enum fargs_refusal refusal_of(int status)
{
	switch (status) {
	case -EINVAL:
		return FARGS_REFUSAL_NOT_TRACEABLE;
	case -EPERM:
		return FARGS_REFUSAL_OWN;
	case -EACCES:
		return FARGS_REFUSAL_NO_SLOTS;
	case -EOPNOTSUPP:
		return FARGS_REFUSAL_NO_RETURN;
	default:
		return FARGS_REFUSAL_NONE;
	}
}

/* The functions of a selection, while they are added. */
struct adding {
	struct fargs_session *s;
	struct fargs_select *sel;
	struct fargs_reload_modules modules;
	struct fargs_layouts named;	/* layouts of one ioctl */
};

/*
 * Sets the members of match->reload for the matches from @first to @end, and copies their layouts
 * to a->named, with symbols by which the module can find the functions again.
 */
static int name_layouts(struct adding *a, size_t first, size_t end, struct fargs_error_text *err)
{
	struct fargs_select *sel = a->sel;
	size_t i;
	int ret = 0;

	a->named.bytes = 0;
	a->named.nr = 0;
	for (i = first; !ret && i < end; i++) {
		struct fargs_match *match = &sel->matches[i];
		const unsigned char *from = sel->layouts.data + match->offset;
		struct fargs_symbol symbol;

		match->reload = fargs_reload_find(&a->modules, a->s->meta.ksyms, match->sym, false,
						  &symbol);
		ret = match->reload != FARGS_RELOAD_YES ? fargs_layouts_add_copy(&a->named, from) :
		      fargs_layouts_add_named(&a->named, from, FARGS_LAYOUT_RELOAD, &symbol,
					      match->sym->module, match->sym->name);
	}
	return ret ? fargs_fail(err, ENOMEM, "no memory for layouts") : 0;
}

/*
 * Adds the matches from @first to @end - 1, which are functions of modules. fargs.ko writes the
 * status and address of each function to a copy of its layout; this function copies both to the
 * layouts of @sel.
 */
static int add_named(struct adding *a, size_t first, size_t end, struct fargs_error_text *err)
{
	const unsigned char *at;
	size_t i, nr_added, nr = 0;
	int ret = name_layouts(a, first, end, err);

	for (i = first; !ret && i < end; i++)
		nr += a->sel->matches[i].reload == FARGS_RELOAD_YES;
	if (!ret)
		ret = fargs_awaited_reserve(&a->s->awaited, nr, err);
	if (!ret)
		ret = fargs_device_add(a->s->fd, a->named.data, a->named.bytes, a->named.nr, 0,
				       &nr_added, err);
	at = a->named.data;
	for (i = first; !ret && i < end; i++) {
		const struct fargs_match *match = &a->sel->matches[i];
		const struct fargs_layout *added = (const struct fargs_layout *)at;
		struct fargs_layout *layout = layout_of(a->sel, match);

		at += added->size;
		layout->status = added->status;
		layout->ip = added->ip;
		if (!added->status && match->reload == FARGS_RELOAD_YES)
			ret = fargs_awaited_note(&a->s->awaited, match, added, err);
	}
	return ret;
}

/*
 * Adds as many matches, starting at @first, as fit into one ioctl: either functions of the kernel
 * or functions of modules, which are last, since matches are sorted by address. *@end: the first
 * match not added.
 */
static int add_batch(struct adding *a, size_t first, size_t *end, struct fargs_error_text *err)
{
	bool has_reload = a->s->meta.info.features & FARGS_FEATURE_RELOAD;
	bool is_named = has_reload && a->sel->matches[first].sym->module;
	size_t start = a->sel->matches[first].offset, bytes = 0, nr_added, i;
	struct fargs_select *sel = a->sel;
	int ret;

	for (i = first; i < sel->nr_matches && i - first < BATCH_LAYOUTS; i++) {
		size_t more = layout_of(sel, &sel->matches[i])->size;

		if ((bytes && bytes + more > BATCH_BYTES) ||
		    (has_reload && !sel->matches[i].sym->module == is_named))
			break;
		bytes += more;
	}
	*end = i;
	ret = is_named ? add_named(a, first, *end, err) :
	      fargs_device_add(a->s->fd, sel->layouts.data + start, bytes, i - first, 0, &nr_added,
			       err);
	if (ret)
		return ret;
	for (i = first; i < *end; i++)
		sel->matches[i].why = refusal_of(layout_of(sel, &sel->matches[i])->status);
	return 0;
}

static int add_batches(struct fargs_session *s, struct fargs_select *sel,
		       struct fargs_error_text *err)
{
	struct adding a = { .s = s, .sel = sel };
	size_t i, end;
	int ret = 0;

	for (i = 0; !ret && i < sel->nr_matches; i = end)
		ret = add_batch(&a, i, &end, err);
	fargs_reload_modules_deinit(&a.modules);
	fargs_layouts_deinit(&a.named);
	return ret;
}

static int compare_funcs(const void *a, const void *b)
{
	const struct fargs_func *x = a, *y = b;

	return x->ip < y->ip ? -1 : x->ip > y->ip;
}

static int fill_funcs(struct fargs_meta *meta, const struct fargs_select *sel,
		      struct fargs_error_text *err)
{
	size_t i;

	meta->funcs = calloc(sel->nr_matches + 1, sizeof(*meta->funcs));
	if (!meta->funcs)
		return fargs_fail(err, ENOMEM, "no memory for the list of functions");
	for (i = 0; i < sel->nr_matches; i++) {
		const struct fargs_match *match = &sel->matches[i];
		const struct fargs_layout *layout = layout_of(sel, match);
		struct fargs_func *func;

		if (layout->status || match->is_silent)
			continue;
		func = &meta->funcs[meta->nr_funcs++];
		func->ip = layout->ip;
		func->addr = layout->addr;
		func->btf_id = match->func_id;
		func->layout_flags = layout->flags |
				     (match->is_unproven ? FARGS_FUNC_UNPROVEN : 0);
		func->name = strdup(match->sym->name);
		func->module = match->sym->module ? strdup(match->sym->module) : NULL;
		if (!func->name || !func->module != !match->sym->module)
			return fargs_fail(err, ENOMEM, "no memory for the list of functions");
	}
	qsort(meta->funcs, meta->nr_funcs, sizeof(*meta->funcs), compare_funcs);
	return 0;
}

/*
 * Returns a match for a function that the user selected by its name, if the module refused every
 * match with that name. NULL: there is none.
 */
static const struct fargs_match *find_missing(const struct fargs_select *sel)
{
	size_t i, j;

	for (i = 0; i < sel->nr_matches; i++) {
		const struct fargs_match *match = &sel->matches[i];

		if (!match->is_exact || !match->why)
			continue;
		for (j = 0; j < sel->nr_matches; j++)
			if (!sel->matches[j].why && !strcmp(sel->matches[j].sym->name,
							    match->sym->name))
				break;
		if (j == sel->nr_matches)
			return match;
	}
	return NULL;
}

/*
 * Fails if functions were selected by @option (--under or --trigger), but none was added: without
 * functions of --under, all calls would be recorded; without a trigger, the recorder would wait
 * forever. @flag: layout flag of functions selected by @option.
 */
static int check_extras(const struct fargs_select *sel, uint32_t flag, const char *option,
			struct fargs_error_text *err)
{
	const struct fargs_match *first = NULL;
	size_t i;

	for (i = 0; i < sel->nr_matches; i++) {
		const struct fargs_match *match = &sel->matches[i];

		if (!(layout_of(sel, match)->flags & flag))
			continue;
		if (!layout_of(sel, match)->status)
			return 0;
		if (!first)
			first = match;
	}
	return first ? fargs_fail(err, EINVAL, "'%s': no function can be traced; the first, '%s': "
				  "%s", option, first->sym->name,
				  fargs_refusal_text(first->why)) : 0;
}

/* Does @sel contain a function to be recorded? If not, all such functions are deferred. */
static bool is_any_recorded(const struct fargs_select *sel)
{
	size_t i;

	for (i = 0; i < sel->nr_matches; i++)
		if (!sel->matches[i].is_silent)
			return true;
	return false;
}

static int add_matches(struct fargs_session *s, struct fargs_select *sel,
		       struct fargs_error_text *err)
{
	const struct fargs_match *missing;
	int ret;

	if (sel->nr_matches > s->meta.info.layouts_max)
		return fargs_fail(err, E2BIG,
				  "%zu functions match, but the module can trace at most %u: "
				  "exclude some with '-n'",
				  sel->nr_matches, s->meta.info.layouts_max);
	ret = add_batches(s, sel, err);
	if (ret)
		return ret;
	missing = find_missing(sel);
	if (missing)
		return fargs_fail(err, EINVAL, "'%s' cannot be traced: %s", missing->sym->name,
				  fargs_refusal_text(missing->why));
	ret = check_extras(sel, FARGS_LAYOUT_SCOPE, "--under", err);
	if (!ret)
		ret = check_extras(sel, FARGS_LAYOUT_TRIGGER, "--trigger", err);
	if (!ret)
		ret = fill_funcs(&s->meta, sel, err);
	if (!ret && !s->meta.nr_funcs && is_any_recorded(sel))
		ret = fargs_fail(err, EINVAL,
				 "no matching function can be traced (matches: %zu); "
				 "reason for the first: %s",
				 sel->nr_matches, fargs_refusal_text(FARGS_REFUSAL_NOT_TRACEABLE));
	return ret;
}

static int add_deferred(struct fargs_session *s, struct fargs_deferred *deferred,
			struct fargs_error_text *err)
{
	size_t i;
	int ret;

	if (!(s->meta.info.features & FARGS_FEATURE_DEFERRED))
		return fargs_fail(err, ENOTSUP, "module '%s' is not loaded, and this fargs.ko "
				  "cannot wait for it: load the fargs.ko built with this "
				  "program", deferred->modules[0].name);
	ret = fargs_awaited_add(&s->awaited, s->fd, deferred, err);
	for (i = 0; i < s->awaited.nr; i++)
		s->meta.has_deferred_graph |= s->awaited.funcs[i].layout_flags & FARGS_LAYOUT_GRAPH;
	return ret;
}

int fargs_session_add(struct fargs_session *s, struct fargs_kernel *kernel,
		      struct fargs_select *sel, struct fargs_deferred *deferred,
		      struct fargs_error_text *err)
{
	int ret = 0;

	s->meta.ksyms = kernel->ksyms;
	s->meta.btfs = kernel->btfs;
	kernel->ksyms = NULL;
	kernel->btfs = NULL;
	if (sel)
		ret = add_matches(s, sel, err);
	return ret || !deferred->nr_modules ? ret : add_deferred(s, deferred, err);
}

/*
 * Appends the tracepoints of @sel to @meta, except for those that the module refused: for these,
 * sets match->why. It is an error if a refused tracepoint was selected by its exact name or is a
 * trigger. *@at: position of the layouts of @sel; moved past them.
 */
static int fill_tpoints(struct fargs_meta *meta, struct fargs_select *sel,
			const unsigned char **at, struct fargs_error_text *err)
{
	struct fargs_func *larger, *func;
	struct fargs_layout layout;
	size_t i;

	larger = realloc(meta->funcs, (meta->nr_funcs + sel->nr_matches + 1) * sizeof(*larger));
	if (!larger)
		return fargs_fail(err, ENOMEM, "no memory for the list of tracepoints");
	meta->funcs = larger;
	for (i = 0; i < sel->nr_matches; i++, *at += layout.size) {
		struct fargs_match *match = &sel->matches[i];

		memcpy(&layout, *at, sizeof(layout));
		if (layout.status) {
			match->why = layout.status == -EACCES ? FARGS_REFUSAL_NO_SLOTS :
							       FARGS_REFUSAL_NO_TPOINT;
			if (!match->is_exact && !(layout.flags & FARGS_LAYOUT_TRIGGER))
				continue;
			return fargs_fail(err, -layout.status,
					  "tracepoint '%s' cannot be traced: %s",
					  match->sym->name, fargs_refusal_text(match->why));
		}
		func = &meta->funcs[meta->nr_funcs++];
		*func = (struct fargs_func){
			.ip = layout.ip,
			/*
			 * If the module is reloaded, the distance by which it has moved is computed
			 * from @addr.
			 */
			.addr = layout.flags & FARGS_LAYOUT_RELOAD ? match->sym->addr : 0,
			.btf_id = match->func_id,
			.layout_flags = layout.flags & ~FARGS_LAYOUT_RELOAD,
			.name = strdup(match->sym->name),
			.module = match->sym->module ? strdup(match->sym->module) : NULL,
		};
		if (!func->name || !func->module != !match->sym->module)
			return fargs_fail(err, ENOMEM, "no memory for the list of tracepoints");
	}
	return 0;
}

/* Is any of the tracepoints looked up when its module is loaded? */
static bool is_any_awaited(const struct fargs_layouts *layouts)
{
	struct fargs_layout head;
	size_t at;

	for (at = 0; at < layouts->bytes; at += head.size) {
		memcpy(&head, layouts->data + at, sizeof(head));
		if (head.flags & (FARGS_LAYOUT_DEFERRED | FARGS_LAYOUT_RELOAD))
			return true;
	}
	return false;
}

static int add_tpoints(struct fargs_session *s, struct fargs_layouts *layouts,
		       struct fargs_error_text *err)
{
	uint32_t flags = 0;
	size_t nr_added;

	if (!layouts->nr)
		return 0;
	if ((s->meta.info.features & FARGS_FEATURE_RELOAD) && is_any_awaited(layouts))
		flags = FARGS_ADD_TPOINT_ARRIVALS;
	s->awaited.has_tpoints |= flags;
	return fargs_device_add(s->fd, layouts->data, layouts->bytes, layouts->nr, flags, &nr_added,
				err);
}

/*
 * Clears FARGS_LAYOUT_RELOAD in the layouts of tracepoints, for a fargs.ko that does not support
 * it.
 */
static void strip_reload(struct fargs_layouts *layouts)
{
	struct fargs_layout head;
	size_t at;

	for (at = 0; at < layouts->bytes; at += head.size) {
		memcpy(&head, layouts->data + at, sizeof(head));
		head.flags &= ~FARGS_LAYOUT_RELOAD;
		memcpy(layouts->data + at, &head, sizeof(head));
	}
}

int fargs_session_add_tpoints(struct fargs_session *s, struct fargs_tpoints *tpoints,
			      struct fargs_error_text *err)
{
	const unsigned char *at = tpoints->deferred.layouts.data;
	size_t i;
	int ret;

	if (!(s->meta.info.features & FARGS_FEATURE_TPOINT))
		return fargs_fail(err, ENOTSUP, "this fargs.ko cannot trace tracepoints: it is too "
				  "old, or the kernel uses kCFI, which checks the types of "
				  "indirect calls");
	if (!(s->meta.info.features & FARGS_FEATURE_RELOAD))
		strip_reload(&tpoints->layouts);
	ret = add_tpoints(s, &tpoints->deferred.layouts, err);
	for (i = 0; !ret && i < tpoints->deferred.nr_modules; i++)
		ret = fill_tpoints(&s->meta, tpoints->deferred.modules[i].sel, &at, err);
	at = tpoints->layouts.data;
	if (!ret)
		ret = add_tpoints(s, &tpoints->layouts, err);
	if (!ret && tpoints->sel)
		ret = fill_tpoints(&s->meta, tpoints->sel, &at, err);
	qsort(s->meta.funcs, s->meta.nr_funcs, sizeof(*s->meta.funcs), compare_funcs);
	return ret;
}
