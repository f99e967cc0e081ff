// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/sym/module_spans.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES	4096

static size_t find(const struct fargs_module_spans *spans, const char *module)
{
	size_t i;

	for (i = 0; i < spans->nr && strcmp(spans->spans[i].name, module); i++)
		;
	return i;
}

static int append(struct fargs_module_spans *spans, const char *module, uint64_t addr)
{
	if (spans->nr == spans->room) {
		size_t room = spans->room ? 2 * spans->room : 64;
		struct fargs_module_span *larger = realloc(spans->spans, room * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		spans->spans = larger;
		spans->room = room;
	}
	spans->spans[spans->nr++] = (struct fargs_module_span){ module, addr, addr };
	return 0;
}

/*
 * Is @module not a real module? The kernel lists BPF programs and code generated for ftrace and
 * kprobes as modules, but they can be at any address.
 */
static bool is_pseudo(const char *module)
{
	return !strcmp(module, "bpf") || !strncmp(module, "__builtin__", strlen("__builtin__"));
}

/* Called for the first of several consecutive symbols of @module, which is at @addr. */
static int begin(struct fargs_module_spans *spans, const char *module, uint64_t addr)
{
	spans->name = module;
	spans->is_freed = !is_pseudo(module) && find(spans, module) < spans->nr;
	spans->is_live = !is_pseudo(module) && !spans->is_freed;
	return spans->is_live ? append(spans, module, addr) : 0;
}

int fargs_module_spans_add(struct fargs_module_spans *spans, const char *module, uint64_t addr,
			   bool *is_freed)
{
	struct fargs_module_span *span;
	int ret = 0;

	if (!spans->name || strcmp(spans->name, module))
		ret = begin(spans, module, addr);
	*is_freed = spans->is_freed;
	if (ret || !spans->is_live)
		return ret;
	span = &spans->spans[spans->nr - 1];
	if (addr < span->first)
		span->first = addr;
	if (addr > span->last)
		span->last = addr;
	return 0;
}

bool fargs_module_spans_have(const struct fargs_module_spans *spans, uint64_t addr)
{
	size_t i;

	for (i = 0; i < spans->nr; i++) {
		const struct fargs_module_span *span = &spans->spans[i];

		if (addr >= (span->first & ~(uint64_t)(PAGE_BYTES - 1)) &&
		    addr <= (span->last | (PAGE_BYTES - 1)))
			return true;
	}
	return false;
}

void fargs_module_spans_deinit(struct fargs_module_spans *spans)
{
	free(spans->spans);
	memset(spans, 0, sizeof(*spans));
}
