// SPDX-License-Identifier: GPL-2.0-only
#include "session/session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "session/device.h"
#include "session/snapshot.h"
#include "model/missed.h"
#include "uapi/fargs_layout.h"
#include "base/size.h"
#include "base/words.h"

#define DEFAULT_RING_BYTES	(4u << 20)
/* All rings together take at most this part of the memory, unless told. */
#define MEMORY_PART		16

/*
 * Layouts in one call: the module needs as much memory for the time of it. Few
 * calls, as each asks ftrace once.
 */
#define BATCH_LAYOUTS	16384
#define BATCH_BYTES	(8u << 20)

int fargs_session_init(struct fargs_session *s, struct fargs_error_text *err)
{
	int ret;

	s->is_running = false;
	memset(&s->awaited, 0, sizeof(s->awaited));
	fargs_meta_init(&s->meta);
	s->fd = fargs_device_open(err);
	if (s->fd < 0)
		return s->fd;
	ret = fargs_device_info(s->fd, &s->meta.info, err);
	if (ret)
		close(s->fd);
	return ret;
}

/* As the module's: a quarter of the memory that a 32-bit number of bytes has. */
#define BARE_RING_BYTES_MAX	(1u << 30)

int fargs_session_init_bare(struct fargs_session *s, struct fargs_error_text *err)
{
	struct fargs_info *info = &s->meta.info;
	int nr_cpus = libbpf_num_possible_cpus();
	struct utsname name;

	memset(s, 0, sizeof(*s));
	s->fd = -1;
	fargs_meta_init(&s->meta);
	if (nr_cpus <= 0)
		return fargs_fail(err, EIO, "cannot read how many CPUs there are");
	s->meta.is_bare = true;
	info->nr_cpus = nr_cpus;
	info->page_size = sysconf(_SC_PAGESIZE);
	info->buffer_min = info->page_size;
	info->buffer_max = BARE_RING_BYTES_MAX;
	if (!uname(&name))
		snprintf(info->release, sizeof(info->release), "%.*s",
			 (int)sizeof(info->release) - 1, name.release);
	/* If addresses are hidden they are shown as numbers. */
	s->meta.ksyms = fargs_ksyms_load(NULL);
	return 0;
}

void fargs_session_deinit(struct fargs_session *s)
{
	if (s->is_running)
		fargs_session_stop(s, NULL);
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	fargs_meta_deinit(&s->meta);
	fargs_awaited_deinit(&s->awaited);
}

static const struct fargs_layout *layout_of(const struct fargs_select *sel,
					    const struct fargs_pick *pick)
{
	/* Layouts are multiples of 8 long, and malloc'd. */
	return (const struct fargs_layout *)(sel->layouts.data + pick->offset);
}

/* Why the module left a layout out. -EEXIST: its function is traced, by another name. */
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

/* Adds picks from @first on, as many as fit. *@end: the first one left. */
static int add_batch(struct fargs_session *s, struct fargs_select *sel, size_t first, size_t *end,
		     struct fargs_error_text *err)
{
	size_t start = sel->picks[first].offset, bytes = 0, nr_added, i;
	int ret;

	for (i = first; i < sel->nr_picks && i - first < BATCH_LAYOUTS; i++) {
		size_t more = layout_of(sel, &sel->picks[i])->size;

		if (bytes && bytes + more > BATCH_BYTES)
			break;
		bytes += more;
	}
	*end = i;
	ret = fargs_device_add(s->fd, sel->layouts.data + start, bytes, i - first, &nr_added, err);
	if (ret)
		return ret;
	for (i = first; i < *end; i++)
		sel->picks[i].why = refusal_of(layout_of(sel, &sel->picks[i])->status);
	return 0;
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

	meta->funcs = calloc(sel->nr_picks + 1, sizeof(*meta->funcs));
	if (!meta->funcs)
		return fargs_fail(err, ENOMEM, "no memory for the list of functions");
	for (i = 0; i < sel->nr_picks; i++) {
		const struct fargs_pick *pick = &sel->picks[i];
		const struct fargs_layout *layout = layout_of(sel, pick);
		struct fargs_func *func;

		if (layout->status || pick->is_silent)
			continue;
		func = &meta->funcs[meta->nr_funcs++];
		func->ip = layout->ip;
		func->addr = layout->addr;
		func->btf_id = pick->func_id;
		func->layout_flags = layout->flags;
		func->name = strdup(pick->sym->name);
		func->module = pick->sym->module ? strdup(pick->sym->module) : NULL;
		if (!func->name || !func->module != !pick->sym->module)
			return fargs_fail(err, ENOMEM, "no memory for the list of functions");
	}
	qsort(meta->funcs, meta->nr_funcs, sizeof(*meta->funcs), compare_funcs);
	return 0;
}

/* A function asked for by name that the module did not take, and no other of that name. */
static const struct fargs_pick *find_missing(const struct fargs_select *sel)
{
	size_t i, j;

	for (i = 0; i < sel->nr_picks; i++) {
		const struct fargs_pick *pick = &sel->picks[i];

		if (!pick->is_exact || !pick->why)
			continue;
		for (j = 0; j < sel->nr_picks; j++)
			if (!sel->picks[j].why && !strcmp(sel->picks[j].sym->name, pick->sym->name))
				break;
		if (j == sel->nr_picks)
			return pick;
	}
	return NULL;
}

/*
 * Without one of those that calls are to be inside of, all would be recorded; without one
 * that triggers, one would wait for ever. @flag: of their layouts; @option: that asked for them.
 */
static int check_extras(const struct fargs_select *sel, uint32_t flag, const char *option,
			struct fargs_error_text *err)
{
	const struct fargs_pick *first = NULL;
	size_t i;

	for (i = 0; i < sel->nr_picks; i++) {
		const struct fargs_pick *pick = &sel->picks[i];

		if (!(layout_of(sel, pick)->flags & flag))
			continue;
		if (!layout_of(sel, pick)->status)
			return 0;
		if (!first)
			first = pick;
	}
	return first ? fargs_fail(err, EINVAL, "no function of %s can be traced: the first, "
				  "%s, %s", option, first->sym->name,
				  fargs_refusal_text(first->why)) : 0;
}

/* If not, what is recorded comes with a module. */
static bool is_any_recorded(const struct fargs_select *sel)
{
	size_t i;

	for (i = 0; i < sel->nr_picks; i++)
		if (!sel->picks[i].is_silent)
			return true;
	return false;
}

static int add_picks(struct fargs_session *s, struct fargs_select *sel,
		     struct fargs_error_text *err)
{
	const struct fargs_pick *missing;
	size_t i, end;
	int ret;

	if (sel->nr_picks > s->meta.info.layouts_max)
		return fargs_fail(err, E2BIG,
				  "%zu functions are more than the %u that the module can trace: "
				  "leave some out with -n",
				  sel->nr_picks, s->meta.info.layouts_max);
	for (i = 0; i < sel->nr_picks; i = end) {
		ret = add_batch(s, sel, i, &end, err);
		if (ret)
			return ret;
	}
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
				 "none of the %zu functions that match can be traced: the first, %s",
				 sel->nr_picks, fargs_refusal_text(FARGS_REFUSAL_NOT_TRACEABLE));
	return ret;
}

static int add_late(struct fargs_session *s, struct fargs_late *late, struct fargs_error_text *err)
{
	size_t i;
	int ret;

	if (!(s->meta.info.features & FARGS_FEATURE_DEFERRED))
		return fargs_fail(err, ENOTSUP, "module %s is not loaded, and this fargs.ko cannot "
				  "wait for it", late->modules[0].name);
	ret = fargs_awaited_add(&s->awaited, s->fd, late, err);
	for (i = 0; i < s->awaited.nr; i++)
		s->meta.has_late_graph |= s->awaited.funcs[i].layout_flags & FARGS_LAYOUT_GRAPH;
	return ret;
}

int fargs_session_add(struct fargs_session *s, struct fargs_kernel *kernel,
		      struct fargs_select *sel, struct fargs_late *late,
		      struct fargs_error_text *err)
{
	int ret = 0;

	s->meta.ksyms = kernel->ksyms;
	s->meta.btfs = kernel->btfs;
	kernel->ksyms = NULL;
	kernel->btfs = NULL;
	if (sel)
		ret = add_picks(s, sel, err);
	return ret || !late->nr_modules ? ret : add_late(s, late, err);
}

/*
 * Appends those of @sel whose layouts the module took; *@at is moved behind them all. Why it
 * did not take one goes to its pick; it is a mistake if that was asked for by its name, or is
 * to trigger.
 */
static int fill_tpoints(struct fargs_meta *meta, struct fargs_select *sel,
			const unsigned char **at, struct fargs_error_text *err)
{
	struct fargs_func *larger, *func;
	struct fargs_layout layout;
	size_t i;

	larger = realloc(meta->funcs, (meta->nr_funcs + sel->nr_picks + 1) * sizeof(*larger));
	if (!larger)
		return fargs_fail(err, ENOMEM, "no memory for the list of tracepoints");
	meta->funcs = larger;
	for (i = 0; i < sel->nr_picks; i++, *at += layout.size) {
		struct fargs_pick *pick = &sel->picks[i];

		memcpy(&layout, *at, sizeof(layout));
		if (layout.status) {
			pick->why = layout.status == -EACCES ? FARGS_REFUSAL_NO_SLOTS :
							       FARGS_REFUSAL_NO_TPOINT;
			if (!pick->is_exact && !(layout.flags & FARGS_LAYOUT_TRIGGER))
				continue;
			return fargs_fail(err, -layout.status,
					  "tracepoint '%s' cannot be traced: %s",
					  pick->sym->name, fargs_refusal_text(pick->why));
		}
		func = &meta->funcs[meta->nr_funcs++];
		*func = (struct fargs_func){
			.ip = layout.ip,
			.btf_id = pick->func_id,
			.layout_flags = layout.flags,
			.name = strdup(pick->sym->name),
			.module = pick->sym->module ? strdup(pick->sym->module) : NULL,
		};
		if (!func->name || !func->module != !pick->sym->module)
			return fargs_fail(err, ENOMEM, "no memory for the list of tracepoints");
	}
	return 0;
}

static int add_tpoints(struct fargs_session *s, struct fargs_layouts *layouts,
		       struct fargs_error_text *err)
{
	size_t nr_added;

	return layouts->nr ? fargs_device_add(s->fd, layouts->data, layouts->bytes, layouts->nr,
					      &nr_added, err) : 0;
}

int fargs_session_add_tpoints(struct fargs_session *s, struct fargs_tpoints *tpoints,
			      struct fargs_error_text *err)
{
	const unsigned char *at = tpoints->late.layouts.data;
	size_t i;
	int ret;

	if (!(s->meta.info.features & FARGS_FEATURE_TPOINT))
		return fargs_fail(err, ENOTSUP, "this fargs.ko cannot trace tracepoints: it is too "
				  "old, or the kernel checks types when it calls (kCFI)");
	ret = add_tpoints(s, &tpoints->late.layouts, err);
	for (i = 0; !ret && i < tpoints->late.nr_modules; i++)
		ret = fill_tpoints(&s->meta, tpoints->late.modules[i].sel, &at, err);
	at = tpoints->layouts.data;
	if (!ret)
		ret = add_tpoints(s, &tpoints->layouts, err);
	if (!ret && tpoints->sel)
		ret = fill_tpoints(&s->meta, tpoints->sel, &at, err);
	qsort(s->meta.funcs, s->meta.nr_funcs, sizeof(*s->meta.funcs), compare_funcs);
	return ret;
}

static uint64_t default_ring_bytes(const struct fargs_info *info)
{
	uint64_t bytes = DEFAULT_RING_BYTES, all = UINT64_MAX;
	struct sysinfo si;

	if (!sysinfo(&si))
		all = (uint64_t)si.totalram * si.mem_unit;
	while (bytes / 2 >= info->buffer_min &&
	       bytes * info->nr_cpus > all / MEMORY_PART)
		bytes /= 2;
	return bytes;
}

int fargs_session_buffer(struct fargs_session *s, uint64_t bytes, enum fargs_mode mode,
			 struct fargs_error_text *err)
{
	const struct fargs_info *info = &s->meta.info;
	char size[32], low[32], high[32];
	uint64_t below = info->buffer_min;
	int ret;

	if (!bytes)
		bytes = default_ring_bytes(info);
	fargs_size_exact(bytes, size, sizeof(size));
	if (bytes < info->buffer_min || bytes > info->buffer_max)
		return fargs_fail(err, EINVAL,
				  "a buffer of %s is impossible: from %s to %s for each CPU",
				  size, fargs_size_exact(info->buffer_min, low, sizeof(low)),
				  fargs_size_exact(info->buffer_max, high, sizeof(high)));
	if (bytes & (bytes - 1)) {
		while (below * 2 < bytes)
			below *= 2;
		return fargs_fail(err, EINVAL,
				  "a buffer of %s is not a power of two: take %s or %s", size,
				  fargs_size_exact(below, low, sizeof(low)),
				  fargs_size_exact(below * 2, high, sizeof(high)));
	}
	ret = s->fd < 0 ? 0 : fargs_device_buffer(s->fd, bytes, mode, err);
	if (ret == -ENOMEM)
		return fargs_fail(err, ENOMEM,
				  "there is no memory for buffers of %s on each of %u CPUs: "
				  "give a smaller one with -m", size, info->nr_cpus);
	if (!ret) {
		s->meta.ring_bytes = bytes;
		s->meta.is_overwrite = mode == FARGS_MODE_OVERWRITE;
	}
	return ret;
}

bool fargs_session_has_stopped(const struct fargs_session *s)
{
	struct fargs_stats stats;

	return s->is_running && !fargs_device_stats(s->fd, NULL, 0, &stats, NULL) &&
	       stats.state == FARGS_STATE_STOPPED;
}

int fargs_session_freeze(struct fargs_session *s, bool is_frozen, struct fargs_error_text *err)
{
	int ret = fargs_device_freeze(s->fd, is_frozen, err);

	if (ret != -EINVAL || !fargs_session_has_stopped(s))
		return ret;
	if (err)
		err->text[0] = '\0';
	return 0;
}

int fargs_session_clock(struct fargs_session *s, struct fargs_clock_sample **samples,
			struct fargs_error_text *err)
{
	unsigned int nr_cpus = s->meta.info.nr_cpus;
	int ret;

	*samples = calloc(nr_cpus, sizeof(**samples));
	if (!*samples)
		return fargs_fail(err, ENOMEM, "no memory for the clocks");
	ret = fargs_device_clock(s->fd, *samples, nr_cpus, err);
	if (ret) {
		free(*samples);
		*samples = NULL;
	}
	return ret;
}

int fargs_session_describe(struct fargs_session *s, char *const *words,
			   struct fargs_error_text *err)
{
	struct fargs_meta *meta = &s->meta;
	struct fargs_clock_sample *samples;
	char host[256] = "";
	int ret;

	/* The name may be cut without a NUL. */
	gethostname(host, sizeof(host) - 1);
	meta->command = fargs_words_join(words);
	meta->hostname = strdup(host);
	if (!meta->command || !meta->hostname)
		return fargs_fail(err, ENOMEM, "no memory for the command line");
	ret = fargs_snapshot_tasks(&meta->tasks, &meta->nr_tasks, err);
	if (ret || s->fd < 0)
		return ret;
	ret = fargs_session_clock(s, &samples, err);
	if (ret)
		return ret;
	if (fargs_meta_add_clock(meta, samples))
		ret = fargs_fail(err, ENOMEM, "no memory for the clocks");
	free(samples);
	return ret;
}

/* All but what we do ourselves; threads that we make later are left out by the module. */
static int start_all(struct fargs_session *s, uint32_t maxactive, uint32_t flags,
		     struct fargs_error_text *err)
{
	pid_t *own;
	size_t nr;
	int ret = fargs_snapshot_own(&own, &nr, err);

	if (ret)
		return ret;
	ret = fargs_device_start(s->fd, own, nr, flags | FARGS_START_EXCEPT, maxactive, err);
	free(own);
	return ret;
}

int fargs_session_start(struct fargs_session *s, const pid_t *tids, size_t nr,
			uint32_t maxactive, uint32_t flags, struct fargs_error_text *err)
{
	int ret = nr ? fargs_device_start(s->fd, tids, nr, flags | FARGS_START_TASKS, maxactive,
					  err) : start_all(s, maxactive, flags, err);

	s->is_running = !ret;
	return ret;
}

int fargs_session_stop(struct fargs_session *s, struct fargs_error_text *err)
{
	s->is_running = false;
	return s->fd < 0 ? 0 : fargs_device_stop(s->fd, err);
}

/* By function, after @stats said of how many. */
static int read_missed(struct fargs_session *s, const struct fargs_stats *stats,
		       struct fargs_error_text *err)
{
	struct fargs_missed *missed = &s->meta.missed;
	size_t i, nr = stats->nr_funcs;
	struct fargs_func_stats *funcs;
	int ret = 0;

	/* An older module says nothing. */
	if (!(s->meta.info.features & FARGS_FEATURE_MISSED))
		return 0;
	free(missed->funcs);
	*missed = (struct fargs_missed){ .any = stats->nr_missed, .maxactive = stats->maxactive };
	funcs = calloc(nr + 1, sizeof(*funcs));
	missed->funcs = calloc(nr + 1, sizeof(*missed->funcs));
	if (!funcs || !missed->funcs)
		ret = fargs_fail(err, ENOMEM, "no memory for the counters");
	if (!ret && nr)
		ret = fargs_device_missed(s->fd, funcs, &nr, err);
	for (i = 0; !ret && i < nr; i++)
		missed->funcs[i] = (struct fargs_missed_func){
			.ip = funcs[i].ip, .from_tsc = funcs[i].from_tsc,
			.missed = funcs[i].missed, .missed_any = funcs[i].missed_any,
			.too_deep = funcs[i].too_deep,
		};
	missed->nr = ret ? 0 : nr;
	fargs_missed_sort(missed);
	s->meta.has_missed = !ret;
	free(funcs);
	return ret;
}

int fargs_session_stats(struct fargs_session *s, struct fargs_stats *stats,
			struct fargs_error_text *err)
{
	struct fargs_meta *meta = &s->meta;
	int ret;

	free(meta->stats);
	meta->stats = calloc(meta->info.nr_cpus, sizeof(*meta->stats));
	if (!meta->stats)
		return fargs_fail(err, ENOMEM, "no memory for the counters");
	ret = fargs_device_stats(s->fd, meta->stats, meta->info.nr_cpus, stats, err);
	if (!ret)
		ret = read_missed(s, stats, err);
	if (ret) {
		free(meta->stats);
		meta->stats = NULL;
	}
	return ret;
}
