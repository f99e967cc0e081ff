// SPDX-License-Identifier: GPL-2.0-only
/* The functions that filters can call: those of perf's struct perf_dlfilter_fns. */
#include "plugin/dlfilter/filter.h"

#include <string.h>

#include "source/pt/code/insn.h"

static struct fargs_dlfilter *filter_of(void *ctx)
{
	struct fargs_dlfilter *f = ctx;

	return f && f->ev ? f : NULL;
}

static void resolve(const struct fargs_dlfilter_event *ev, uint64_t addr,
		    struct fargs_dlfilter_al *al)
{
	memset(al, 0, sizeof(*al));
	ev->source->resolve(ev->arg, addr, al);
	al->size = sizeof(*al);
}

static const struct fargs_dlfilter_al *resolve_ip(void *ctx)
{
	struct fargs_dlfilter *f = filter_of(ctx);

	if (!f)
		return NULL;
	if (!f->ip_al.size) {
		resolve(f->ev, f->ev->sample->ip, &f->ip_al);
		f->ip_al.comm = f->ev->comm;
		f->ip_al.filtered = f->ev->is_left_out;
	}
	return &f->ip_al;
}

static const struct fargs_dlfilter_al *resolve_addr(void *ctx)
{
	struct fargs_dlfilter *f = filter_of(ctx);

	if (!f || !f->ev->sample->addr_correlates_sym)
		return NULL;
	if (!f->addr_al.size)
		resolve(f->ev, f->ev->sample->addr, &f->addr_al);
	return &f->addr_al;
}

static char **get_args(void *ctx, int *nr)
{
	struct fargs_dlfilter *f = ctx;

	if (!nr)
		return NULL;
	*nr = 0;
	if (!f || (!f->ev && !f->may_have_args))
		return NULL;
	*nr = f->nr_args;
	return f->args;
}

/*
 * Fills at most the first al->size bytes of @al. The filter sets al->size to the size of the struct
 * in the version of the interface that it was built with.
 */
static int32_t resolve_address(void *ctx, uint64_t addr, struct fargs_dlfilter_al *al)
{
	struct fargs_dlfilter *f = filter_of(ctx);
	struct fargs_dlfilter_al all;
	uint32_t size;

	if (!f || !al)
		return -1;
	size = al->size;
	resolve(f->ev, addr, &all);
	memcpy(al, &all, size < sizeof(all) ? size : sizeof(all));
	if (size >= sizeof(size))
		al->size = size;
	return 0;
}

/* Does nothing: resolve_address() returns no memory that must be freed. */
static void al_cleanup(void *ctx, struct fargs_dlfilter_al *al)
{
}

static const uint8_t *get_insn(void *ctx, uint32_t *bytes)
{
	struct fargs_dlfilter *f = filter_of(ctx);
	struct fargs_pt_decoded insn;
	size_t n;

	if (!bytes)
		return NULL;
	*bytes = 0;
	if (!f || !f->ev->sample->ip)
		return NULL;
	if (!f->insn_bytes) {
		n = f->ev->source->read_code(f->ev->arg, f->ev->sample->ip, f->insn,
					     FARGS_DLFILTER_INSN_MAX);
		if (fargs_pt_insn_decode(f->insn, n, FARGS_PT_EXEC_64, &insn))
			f->insn_bytes = insn.size;
	}
	*bytes = f->insn_bytes;
	return f->insn_bytes ? f->insn : NULL;
}

static const char *srcline(void *ctx, uint32_t *line)
{
	struct fargs_dlfilter *f = filter_of(ctx);
	unsigned int nr = 0;
	const char *file;

	if (!f || !line)
		return NULL;
	file = f->ev->source->srcline(f->ev->arg, f->ev->sample->ip, &nr);
	*line = nr;
	return file;
}

static struct perf_event_attr *get_attr(void *ctx)
{
	struct fargs_dlfilter *f = filter_of(ctx);

	return f ? f->ev->attr : NULL;
}

static int32_t object_code(void *ctx, uint64_t ip, void *buf, uint32_t bytes)
{
	struct fargs_dlfilter *f = filter_of(ctx);
	size_t n;

	if (!f || !buf)
		return -1;
	n = f->ev->source->read_code(f->ev->arg, ip, buf, bytes > INT32_MAX ? INT32_MAX : bytes);
	return n ? (int32_t)n : -1;
}

const struct fargs_dlfilter_fns fargs_dlfilter_host_fns = {
	.resolve_ip = resolve_ip,
	.resolve_addr = resolve_addr,
	.args = get_args,
	.resolve_address = resolve_address,
	.insn = get_insn,
	.srcline = srcline,
	.attr = get_attr,
	.object_code = object_code,
	.al_cleanup = al_cleanup,
};
