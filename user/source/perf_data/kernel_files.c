// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/kernel_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "kernel/sym/module_list.h"
#include "source/perf_data/vmlinux.h"

/* Directories in perf's cache, with one for each build ID. */
#define CACHED_KCORES	"[kernel.kcore]"
#define CACHED_SYMBOLS	"[kernel.kallsyms]"
/* Digits of an address, a letter and blanks: what precedes a name in /proc/kallsyms. */
#define NAME_AT	19

void fargs_kernel_files_deinit(struct fargs_kernel_files *files)
{
	free(files->kcore);
	free(files->vmlinux);
	free(files->kallsyms);
	*files = (struct fargs_kernel_files){ };
}

/* Returns @dir/@name, to be freed with free(). */
static char *join(const char *dir, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", dir, name) < 0 ? NULL : path;
}

/* Finds the symbol in the text of a file like /proc/kallsyms. */
static bool find_symbol(const char *text, const char *symbol, uint64_t *addr)
{
	const char *at, *line;
	size_t n = strlen(symbol);

	for (at = text; (at = strstr(at, symbol)); at += n) {
		if (at - text < NAME_AT || at[n] != '\n')
			continue;
		line = at - NAME_AT;
		if (line[16] != ' ' || (line > text && line[-1] != '\n'))
			continue;
		*addr = strtoull(line, NULL, 16);
		return true;
	}
	return false;
}

static bool has_module(const struct fargs_module_list *list,
		       const struct fargs_kernel_module *module)
{
	const struct fargs_module_place *place = fargs_module_list_find(list, module->addr);

	return place && place->addr == module->addr && !strcmp(place->name, module->name);
}

/* Were all recorded modules where the list @path, like /proc/modules, has them? */
static bool has_modules(const char *path, const struct fargs_kernel_maps *maps)
{
	__cleanup_free char *text = NULL;
	struct fargs_error_text err;
	struct fargs_module_list *list;
	size_t size, i = 0;

	if (!maps->nr_modules)
		return true;
	text = fargs_file_read(path, &size);
	list = text ? fargs_module_list_parse(text, size, &err) : NULL;
	while (list && i < maps->nr_modules && has_module(list, &maps->modules[i]))
		i++;
	fargs_module_list_destroy(list);
	return i == maps->nr_modules;
}

/*
 * Is the kernel in @dir, which is like /proc, where it was while perf recorded? Sets *@moved to
 * what must be added to addresses of symbols there. Without a recorded address, the answer is no.
 */
static bool is_same_boot(const char *dir, const struct fargs_kernel_maps *maps, uint64_t *moved)
{
	__cleanup_free char *path = join(dir, "kallsyms"), *modules = join(dir, "modules");
	__cleanup_free char *text = NULL;
	uint64_t addr = 0;
	size_t size;

	*moved = 0;
	text = path && modules && maps->symbol ? fargs_file_read(path, &size) : NULL;
	if (!text || !find_symbol(text, maps->symbol, &addr) || !addr)
		return false;
	*moved = maps->addr - addr;
	return !*moved && has_modules(modules, maps);
}

static bool can_read(const char *path)
{
	__cleanup_close int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;

	return fd >= 0;
}

/* Uses the files in @dir, if both can be read. Returns -ENOENT if not. */
static int use_dir(struct fargs_kernel_files *files, const char *dir)
{
	__cleanup_free char *kcore = join(dir, "kcore"), *kallsyms = join(dir, "kallsyms");

	if (!kcore || !kallsyms)
		return -ENOMEM;
	if (!can_read(kcore) || !can_read(kallsyms))
		return -ENOENT;
	files->kcore = fargs_take_ptr(kcore);
	files->kallsyms = fargs_take_ptr(kallsyms);
	return 0;
}

/* Is this machine's kernel, whose files are not below @l->root, of the same build? */
static bool is_running(const struct fargs_build_id *id, const struct fargs_locator *l)
{
	__cleanup_free char *notes = NULL;
	struct fargs_build_id own;
	size_t size;

	notes = *l->root ? NULL : fargs_file_read("/sys/kernel/notes", &size);
	if (!notes)
		return false;
	fargs_build_id_of_notes(&own, notes, size);
	return fargs_build_id_is_same(&own, id);
}

/*
 * Finds a copy of the kernel's memory in perf's cache, where a build has a directory for each boot
 * and each set of modules.
 */
static int find_cached(struct fargs_kernel_files *files, const struct fargs_kernel_maps *maps,
		       const char *text, const struct fargs_locator *l)
{
	__cleanup_free char *parent = NULL;
	struct dirent **names;
	int nr, ret = -ENOENT;
	uint64_t moved;

	if (asprintf(&parent, "%s/" CACHED_KCORES "/%s", l->cache, text) < 0) {
		parent = NULL;
		return -ENOMEM;
	}
	nr = scandir(parent, &names, NULL, alphasort);
	if (nr < 0)
		return -ENOENT;
	/* The names are times: the latest is the first one here. */
	while (nr--) {
		__cleanup_free char *dir = join(parent, names[nr]->d_name);

		if (!dir)
			ret = -ENOMEM;
		else if (ret == -ENOENT && names[nr]->d_name[0] != '.' &&
			 is_same_boot(dir, maps, &moved))
			ret = use_dir(files, dir);
		free(names[nr]);
	}
	free(names);
	return ret;
}

/* Uses the symbols in @dir, of a kernel of the same build, wherever it was. */
static int use_symbols(struct fargs_kernel_files *files, const struct fargs_kernel_maps *maps,
		       const char *dir)
{
	__cleanup_free char *path = join(dir, "kallsyms");

	if (!path)
		return -ENOMEM;
	files->is_other_boot = !is_same_boot(dir, maps, &files->kallsyms_moved);
	if (can_read(path) && maps->symbol)
		files->kallsyms = fargs_take_ptr(path);
	return 0;
}

/* Finds symbols and code of the same build, but perhaps of another boot. */
static int find_build(struct fargs_kernel_files *files, const struct fargs_kernel_maps *maps,
		      const struct fargs_build_id *id, const char *text, const char *release,
		      const struct fargs_locator *l)
{
	__cleanup_free char *dir = NULL;
	uint64_t addr;
	int ret = 0;

	if (files->is_running)
		ret = use_symbols(files, maps, "/proc");
	if (ret || asprintf(&dir, "%s/" CACHED_SYMBOLS "/%s", l->cache, text) < 0)
		return -ENOMEM;
	if (!files->kallsyms)
		ret = use_symbols(files, maps, dir);
	if (ret || !maps->symbol)
		return ret;
	files->vmlinux = fargs_locate_vmlinux(l, id, release);
	if (!files->vmlinux)
		return 0;
	if (fargs_vmlinux_find(files->vmlinux, maps->symbol, &addr)) {
		files->vmlinux_moved = maps->addr - addr;
		return 0;
	}
	free(files->vmlinux);
	files->vmlinux = NULL;
	return 0;
}

int fargs_kernel_files_find(struct fargs_kernel_files *files, const char *kcore_dir,
			    const struct fargs_kernel_maps *maps, const char *release,
			    const struct fargs_locator *l)
{
	const struct fargs_build_id *id = &maps->id;
	char text[FARGS_BUILD_ID_TEXT];
	uint64_t moved;
	int ret;

	if (kcore_dir) {
		files->is_recorded = true;
		files->kcore = join(kcore_dir, "kcore");
		files->kallsyms = join(kcore_dir, "kallsyms");
		return files->kcore && files->kallsyms ? 0 : -ENOMEM;
	}
	if (!id->nr)
		return 0;
	fargs_build_id_text(id, text);
	files->is_running = is_running(id, l);
	/* perf prefers this machine's kernel to the cache, too. */
	ret = files->is_running && is_same_boot("/proc", maps, &moved) ? use_dir(files, "/proc") :
									 -ENOENT;
	if (ret == -ENOENT) {
		ret = find_cached(files, maps, text, l);
		files->is_running &= ret == -ENOENT;
	}
	return ret == -ENOENT ? find_build(files, maps, id, text, release, l) : ret;
}

/* Returns the module of this name, if it was recorded; NULL: it was not. */
static const struct fargs_kernel_module *find_module(const struct fargs_kernel_maps *maps,
						     const char *name, size_t n)
{
	size_t i;

	for (i = 0; i < maps->nr_modules; i++)
		if (!strncmp(maps->modules[i].name, name, n) && !maps->modules[i].name[n])
			return &maps->modules[i];
	return NULL;
}

/*
 * Copies a line of /proc/kallsyms, with the address at the time of the recording. Modules are
 * loaded at other addresses in another boot: leaves out those that were not recorded where they are
 * here.
 */
static void put_line(FILE *out, const struct fargs_kernel_files *files,
		     const struct fargs_kernel_maps *maps, const char *line, const char *eol)
{
	const char *tab = memchr(line, '\t', eol - line);
	const struct fargs_kernel_module *module;
	uint64_t addr = strtoull(line, NULL, 16);

	if (eol - line < NAME_AT)
		return;
	if (tab && eol - tab > 3) {
		module = find_module(maps, tab + 2, eol - tab - 3);
		if (!module || addr - module->addr >= module->bytes)
			return;
	} else if (addr >> 63) {
		addr += files->kallsyms_moved;
	}
	fprintf(out, "%016" PRIx64 "%.*s\n", addr, (int)(eol - line - 16), line + 16);
}

static char *move_symbols(const struct fargs_kernel_files *files,
			  const struct fargs_kernel_maps *maps, const char *text, size_t *size)
{
	const char *line, *eol;
	char *moved = NULL;
	FILE *out = open_memstream(&moved, size);

	if (!out)
		return NULL;
	for (line = text; (eol = strchr(line, '\n')); line = eol + 1)
		put_line(out, files, maps, line, eol);
	if (!fclose(out))
		return moved;
	free(moved);
	errno = ENOMEM;
	return NULL;
}

char *fargs_kernel_files_symbols(const struct fargs_kernel_files *files,
				 const struct fargs_kernel_maps *maps, size_t *size,
				 struct fargs_error_text *err)
{
	__cleanup_free char *text = NULL;
	char *moved;

	if (!files->kallsyms && files->vmlinux) {
		text = fargs_vmlinux_symbols(files->vmlinux, files->vmlinux_moved, size);
		if (!text)
			fargs_fail(err, ENOENT, "'%s' has no symbols", files->vmlinux);
		return fargs_take_ptr(text);
	}
	if (!files->kallsyms) {
		fargs_fail(err, ENOENT, "there are no symbols of the kernel");
		return NULL;
	}
	text = fargs_file_read(files->kallsyms, size);
	if (!text)
		fargs_fail(err, errno, "cannot read '%s': %s", files->kallsyms, strerror(errno));
	if (!text || !files->is_other_boot)
		return fargs_take_ptr(text);
	moved = move_symbols(files, maps, text, size);
	if (!moved)
		fargs_fail(err, ENOMEM, "out of memory");
	return moved;
}
