/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds memory that the module has leaked. Call these functions while the module is loaded and has
 * no session: once the module is unloaded, the kernel has only addresses of its code, not names.
 *
 * The kernel records which code has allocated
 *
 *	vmalloc areas		always: /proc/vmallocinfo
 *	slab objects		if booted with slab_debug=U (slub_debug=U before 6.10): alloc_traces
 *	unreferenced memory	with CONFIG_DEBUG_KMEMLEAK
 *
 * Otherwise, only the numbers of objects in the slab caches are known, which also change for other
 * reasons.
 */
#ifndef FARGS_SELFTESTS_LEAKS_H
#define FARGS_SELFTESTS_LEAKS_H

#include <dirent.h>
#include <sys/mount.h>

#include "ktap.h"

#define LEAKS_DEBUG	"/sys/kernel/debug"
#define LEAKS_SLABS	LEAKS_DEBUG "/slab"
#define LEAKS_KMEMLEAK	LEAKS_DEBUG "/kmemleak"
#define LEAKS_CACHES	512

struct leaks_cache {
	char name[32];
	unsigned long objects;
};

/* Numbers of objects in the general-purpose slab caches, from which the module allocates. */
struct leaks_count {
	struct leaks_cache caches[LEAKS_CACHES];
	unsigned int nr;
	unsigned long percpu_kb;
};

static inline bool leaks_have(const char *path)
{
	if (access(LEAKS_SLABS, F_OK) && access(LEAKS_KMEMLEAK, F_OK))
		mount("debugfs", LEAKS_DEBUG, "debugfs", 0, NULL);
	return !access(path, R_OK);
}

static inline bool leaks_have_kmemleak(void)
{
	return leaks_have(LEAKS_KMEMLEAK);
}

static inline bool leaks_have_traces(void)
{
	/* Without slab_debug=U, the file exists, but contains no line with "age=". */
	FILE *file = leaks_have(LEAKS_SLABS) ?
		     fopen(LEAKS_SLABS "/kmalloc-64/alloc_traces", "re") : NULL;
	char line[512];
	bool is_there = file && fgets(line, sizeof(line), file) && strstr(line, "age=");

	if (file)
		fclose(file);
	return is_there;
}

/*
 * Returns whether @line contains a symbol of the module, or an address in module space without a
 * symbol, which may be that of the unloaded module.
 */
static inline bool leaks_is_ours(const char *line)
{
	const char *at = strstr(line, "0xffffffffc");

	return strstr(line, "[fargs]") || (at && strchr(" \t\n]", at[18]));
}

/* Counts the lines of @path that name the module. Prints the first ten if @is_shown is set. */
static inline unsigned long leaks_lines(const char *path, bool is_shown)
{
	FILE *file = fopen(path, "re");
	unsigned long nr = 0;
	char line[1024];

	while (file && fgets(line, sizeof(line), file)) {
		if (!leaks_is_ours(line))
			continue;
		line[strcspn(line, "\n")] = 0;
		if (nr++ < 10 && is_shown)
			ktap_note("%s: %s", path, line);
	}
	if (file)
		fclose(file);
	return nr;
}

/*
 * Numbers of slab objects. @direct: a function of the module requested the object. @behind: a
 * function of the module is only among the callers. @behind includes objects that the kernel keeps
 * for a loaded module, that it caches after unloading, such as names of directories, and those of
 * other modules that were loaded at the same addresses. So a growth of @direct is a leak, while a
 * growth of @behind is a leak only if it is proportional to the number of repetitions.
 */
struct leaks_traces {
	unsigned long direct;
	unsigned long behind;
};

/*
 * Adds the objects in @path, whose format is, for each allocating function: "%7ld %pS waste=...
 * age=...", the callers in lines of their own, and an empty line.
 */
static inline void leaks_add_traces(const char *path, struct leaks_traces *traces, bool is_shown)
{
	FILE *file = fopen(path, "re");
	unsigned long nr = 0;
	bool is_told = false;
	char line[1024];

	while (file && fgets(line, sizeof(line), file)) {
		bool is_place = strstr(line, "age=");

		if (is_place) {
			nr = strtoul(line, NULL, 10);
			is_told = false;
		}
		if (is_told || !leaks_is_ours(line))
			continue;
		is_told = true;
		*(is_place ? &traces->direct : &traces->behind) += nr;
		line[strcspn(line, "\n")] = 0;
		if (is_shown)
			ktap_note("%s: %lu of %s", path, nr, line);
	}
	if (file)
		fclose(file);
}

/* Adds up the objects of all slab caches. Prints each allocating function if @is_shown is set. */
static inline struct leaks_traces leaks_traces(bool is_shown)
{
	struct leaks_traces traces = { 0 };
	DIR *dir = opendir(LEAKS_SLABS);
	struct dirent *entry;
	char path[512];

	while (dir && (entry = readdir(dir))) {
		/*
		 * Skip vmap_area, in which the kernel caches thousands of freed areas.
		 * /proc/vmallocinfo lists the areas that are in use.
		 */
		if (entry->d_name[0] == '.' || !strcmp(entry->d_name, "vmap_area"))
			continue;
		snprintf(path, sizeof(path), LEAKS_SLABS "/%s/alloc_traces", entry->d_name);
		leaks_add_traces(path, &traces, is_shown);
	}
	if (dir)
		closedir(dir);
	return traces;
}

static inline void leaks_write(const char *path, const char *what)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, what, strlen(what)) < 0)
		ktap_note("%s: cannot write %s", path, what);
	if (fd >= 0)
		close(fd);
}

static inline void leaks_begin_kmemleak(void)
{
	/* Mark everything that is unreferenced now as known, since it is not the module's. */
	leaks_write(LEAKS_KMEMLEAK, "scan");
	leaks_write(LEAKS_KMEMLEAK, "clear");
}

/*
 * Returns the number of unreferenced objects. Scans twice, because one scan may miss a pointer that
 * is moved during the scan.
 */
static inline unsigned long leaks_kmemleak(void)
{
	leaks_write(LEAKS_KMEMLEAK, "scan");
	sleep(6);	/* kmemleak reports only objects that are older than 5 s */
	leaks_write(LEAKS_KMEMLEAK, "scan");
	return leaks_lines(LEAKS_KMEMLEAK, true);
}

static inline void leaks_count(struct leaks_count *count)
{
	FILE *file = fopen("/proc/slabinfo", "re");
	struct leaks_cache *cache;
	char line[512];

	memset(count, 0, sizeof(*count));
	while (file && count->nr < LEAKS_CACHES && fgets(line, sizeof(line), file)) {
		cache = &count->caches[count->nr];
		if (!strncmp(line, "kmalloc-", 8) &&
		    sscanf(line, "%31s %lu", cache->name, &cache->objects) == 2)
			count->nr++;
	}
	if (file)
		fclose(file);
	file = fopen("/proc/meminfo", "re");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "Percpu: %lu kB", &count->percpu_kb);
	if (file)
		fclose(file);
}

/* Returns the largest growth of a cache, in objects. */
static inline long leaks_growth(const struct leaks_count *before, const struct leaks_count *after)
{
	long most = 0, more;
	unsigned int i;

	for (i = 0; i < before->nr && i < after->nr; i++) {
		if (strcmp(before->caches[i].name, after->caches[i].name))
			continue;
		more = after->caches[i].objects - before->caches[i].objects;
		if (more > 50)
			ktap_note("%s: %ld objects more", after->caches[i].name, more);
		most = more > most ? more : most;
	}
	return most;
}

#endif
