// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/module_lines.h"

#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

struct module {
	bool is_read;
	Dwfl *dwfl;		/* NULL: there is no file with debug information */
	Dwfl_Module *dwfl_module;
};

struct fargs_module_lines {
	const struct fargs_kernel_maps *maps;
	const struct fargs_locator *locator;
	struct module *modules;	/* one for each of maps->modules */
};

struct fargs_module_lines *fargs_module_lines_create(const struct fargs_kernel_maps *maps,
						     const struct fargs_locator *locator)
{
	struct fargs_module_lines *lines = calloc(1, sizeof(*lines));

	if (!lines)
		return NULL;
	lines->maps = maps;
	lines->locator = locator;
	lines->modules = calloc(maps->nr_modules + 1, sizeof(*lines->modules));
	if (lines->modules)
		return lines;
	free(lines);
	return NULL;
}

void fargs_module_lines_destroy(struct fargs_module_lines *lines)
{
	size_t i;

	if (!lines)
		return;
	for (i = 0; i < lines->maps->nr_modules; i++)
		if (lines->modules[i].dwfl)
			dwfl_end(lines->modules[i].dwfl);
	free(lines->modules);
	free(lines);
}

/* The standard function may ask servers for files. */
static int find_no_file(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **found)
{
	return -1;
}

/* libdwfl places the sections of the file at addresses, and relocates its debug information. */
static void read_file(struct module *m, const char *name, const char *path)
{
	static const Dwfl_Callbacks callbacks = {
		.find_debuginfo = find_no_file, .section_address = dwfl_offline_section_address,
	};

	m->dwfl = path ? dwfl_begin(&callbacks) : NULL;
	if (!m->dwfl)
		return;
	m->dwfl_module = dwfl_report_offline(m->dwfl, name, path, -1);
	dwfl_report_end(m->dwfl, NULL, NULL);
	if (m->dwfl_module)
		return;
	dwfl_end(m->dwfl);
	m->dwfl = NULL;
}

static struct module *find_module(struct fargs_module_lines *lines, const char *name, size_t *nr)
{
	__cleanup_free char *path = NULL;
	const struct fargs_kernel_module *from = lines->maps->modules;
	struct module *m;
	size_t i;

	for (i = 0; i < lines->maps->nr_modules && strcmp(from[i].name, name);)
		i++;
	if (i == lines->maps->nr_modules)
		return NULL;
	m = &lines->modules[i];
	*nr = i;
	if (m->is_read)
		return m;
	m->is_read = true;
	path = fargs_locate_module(lines->locator, from[i].path, &from[i].id);
	read_file(m, name, path);
	return m;
}

/*
 * Finds the function @symbol, and sets *@addr to its address in libdwfl. Of several ones, it is the
 * one in .text, the first section in memory, at the offset @at.
 */
static bool find_function(Dwfl_Module *mod, const char *symbol, uint64_t at, uint64_t offset,
			  GElf_Addr *addr)
{
	int nr = dwfl_module_getsymtab(mod), nr_found = 0, i;
	bool is_at = false, is_here;
	GElf_Addr found;
	GElf_Word section;
	const char *name;
	GElf_Sym sym;

	for (i = 1; i < nr && !is_at; i++) {
		name = dwfl_module_getsym_info(mod, i, &sym, &found, &section, NULL, NULL);
		if (!name || GELF_ST_TYPE(sym.st_info) != STT_FUNC || section == SHN_UNDEF ||
		    offset >= sym.st_size || strcmp(name, symbol))
			continue;
		is_here = sym.st_value == at;
		if (!nr_found || is_here)
			*addr = found;
		is_at = is_here;
		nr_found++;
	}
	return nr_found == 1 || is_at;
}

const char *fargs_module_lines_find(struct fargs_module_lines *lines, const char *module,
				    const char *symbol, uint64_t addr, uint64_t offset,
				    unsigned int *line)
{
	size_t nr;
	struct module *m = find_module(lines, module, &nr);
	const char *file;
	Dwfl_Line *found;
	GElf_Addr at = 0;
	int number;

	if (!m || !m->dwfl ||
	    !find_function(m->dwfl_module, symbol, addr - lines->maps->modules[nr].addr, offset,
			   &at))
		return NULL;
	found = dwfl_module_getsrc(m->dwfl_module, at + offset);
	file = found ? dwfl_lineinfo(found, NULL, &number, NULL, NULL, NULL) : NULL;
	if (!file || number <= 0)
		return NULL;
	*line = number;
	return file;
}
