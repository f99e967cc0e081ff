// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/kernel_lines.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "source/perf_data/dso.h"
#include "source/perf_data/locate.h"
#include "source/perf_data/module_lines.h"

/* Name of the kernel in recordings. */
#define KERNEL	"[kernel.kallsyms]"

struct fargs_kernel_lines {
	pthread_mutex_t lock;
	struct fargs_locator locator;
	const struct fargs_kernel_maps *maps;
	struct fargs_module_lines *modules;
	bool is_read;
	struct fargs_dso *dso;
	const struct fargs_dso_symbol **by_name;	/* sorted by name */
	size_t nr;
};

struct fargs_kernel_lines *fargs_kernel_lines_create(const struct fargs_kernel_maps *maps,
						     const char *root)
{
	struct fargs_kernel_lines *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	pthread_mutex_init(&k->lock, NULL);
	k->maps = maps;
	if (!fargs_locator_init(&k->locator, root))
		k->modules = fargs_module_lines_create(maps, &k->locator);
	if (k->modules)
		return k;
	fargs_kernel_lines_destroy(k);
	return NULL;
}

void fargs_kernel_lines_destroy(struct fargs_kernel_lines *k)
{
	if (!k)
		return;
	fargs_module_lines_destroy(k->modules);
	free(k->by_name);
	fargs_dso_close(k->dso);
	fargs_locator_deinit(&k->locator);
	pthread_mutex_destroy(&k->lock);
	free(k);
}

static int compare(const void *a, const void *b)
{
	const struct fargs_dso_symbol *x = *(const struct fargs_dso_symbol *const *)a;
	const struct fargs_dso_symbol *y = *(const struct fargs_dso_symbol *const *)b;

	return strcmp(x->name, y->name);
}

static void read_file(struct fargs_kernel_lines *k)
{
	char *path = fargs_locate_kernel(&k->locator, &k->maps->id);
	const struct fargs_dso_symbol *symbols;
	size_t i, nr = 0;

	k->is_read = true;
	k->dso = path ? fargs_dso_open(KERNEL, path, &k->locator) : NULL;
	free(path);
	symbols = k->dso ? fargs_dso_symbols(k->dso, &nr) : NULL;
	k->by_name = nr ? calloc(nr, sizeof(*k->by_name)) : NULL;
	if (!k->by_name)
		return;
	for (i = 0; i < nr; i++)
		k->by_name[i] = &symbols[i];
	k->nr = nr;
	qsort(k->by_name, nr, sizeof(*k->by_name), compare);
}

/* Returns the only function of this name, or NULL. */
static const struct fargs_dso_symbol *find_function(const struct fargs_kernel_lines *k,
						    const char *name)
{
	size_t low = 0, high = k->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (strcmp(k->by_name[mid]->name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == k->nr || strcmp(k->by_name[low]->name, name))
		return NULL;
	if (low + 1 < k->nr && !strcmp(k->by_name[low + 1]->name, name))
		return NULL;
	return k->by_name[low];
}

static const char *find_line(struct fargs_kernel_lines *k, const struct fargs_event_place *place,
			     unsigned int *line)
{
	const struct fargs_dso_symbol *function;

	if (place->module)
		return fargs_module_lines_find(k->modules, place->module, place->symbol,
					       place->addr - place->offset, place->offset, line);
	if (!k->is_read)
		read_file(k);
	function = find_function(k, place->symbol);
	return function && place->offset < function->end - function->start ?
	       fargs_dso_srcline(k->dso, function->start + place->offset, line) : NULL;
}

void fargs_kernel_lines_set(struct fargs_kernel_lines *k, struct fargs_event_place *place)
{
	if (!place->symbol)
		return;
	pthread_mutex_lock(&k->lock);
	place->source_file = find_line(k, place, &place->source_line);
	pthread_mutex_unlock(&k->lock);
}
