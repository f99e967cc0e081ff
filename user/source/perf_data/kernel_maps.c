// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/kernel_maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"

/* The name of the kernel's mapping is this, followed by that of a symbol. */
#define KERNEL	"[kernel.kallsyms]"

void fargs_kernel_maps_deinit(struct fargs_kernel_maps *maps)
{
	size_t i;

	for (i = 0; i < maps->nr_modules; i++) {
		free(maps->modules[i].name);
		free(maps->modules[i].path);
	}
	free(maps->modules);
	free(maps->symbol);
	*maps = (struct fargs_kernel_maps){ };
}

/* Returns the name of the module whose file is @path, or which was recorded as "[name]". */
static char *module_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *end;
	char *name, *p;

	if (path[0] == '[')
		return strndup(path + 1, strcspn(path + 1, "]"));
	path = slash ? slash + 1 : path;
	/* The suffix may be ".ko.xz". */
	end = strstr(path, ".ko");
	name = strndup(path, end ? (size_t)(end - path) : strlen(path));
	for (p = name; p && *p; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

static int add_module(struct fargs_kernel_maps *maps, const struct fargs_perf_body *b,
		      const char *path)
{
	struct fargs_kernel_module module = {
		.name = module_name(path), .path = strdup(path),
		.addr = fargs_perf_body_u64(b, 8), .bytes = fargs_perf_body_u64(b, 16),
	};
	struct fargs_kernel_module *to = NULL;

	if (module.name && module.path)
		to = fargs_array_add(maps->modules, maps->nr_modules);
	if (!to) {
		free(module.name);
		free(module.path);
		return -ENOMEM;
	}
	fargs_perf_body_build_id(b, &module.id);
	*to = module;
	return 0;
}

int fargs_kernel_maps_add(struct fargs_kernel_maps *maps, const struct fargs_perf_body *b)
{
	__cleanup_free char *path = NULL;
	size_t name_at = b->head->type == PERF_RECORD_MMAP2 ? 64 : 32;
	const char *symbol;

	if ((b->head->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_KERNEL)
		return 0;
	if (b->bytes < name_at)
		return -EIO;
	path = strndup((const char *)b->at + name_at, b->bytes - name_at);
	if (!path)
		return -ENOMEM;
	if (strncmp(path, KERNEL, strlen(KERNEL)))
		return path[0] == '[' || strstr(path, ".ko") ? add_module(maps, b, path) : 0;
	symbol = path + strlen(KERNEL);
	fargs_perf_body_build_id(b, &maps->id);
	/* The address is 0 if it was hidden from perf (kptr_restrict). */
	if (maps->symbol || !*symbol || !fargs_perf_body_u64(b, 24))
		return 0;
	maps->addr = fargs_perf_body_u64(b, 24);
	maps->symbol = strdup(symbol);
	return maps->symbol ? 0 : -ENOMEM;
}

static void set_id(struct fargs_build_id *to, const struct fargs_build_id_list *list,
		   const char *path)
{
	const struct fargs_build_id *id = fargs_build_id_list_find(list, path);

	if (id)
		*to = *id;
}

void fargs_kernel_maps_set_ids(struct fargs_kernel_maps *maps,
			       const struct fargs_build_id_list *list)
{
	size_t i;

	set_id(&maps->id, list, KERNEL);
	for (i = 0; i < maps->nr_modules; i++)
		set_id(&maps->modules[i].id, list, maps->modules[i].path);
}
