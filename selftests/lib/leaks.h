/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module has not given back. To be asked while it is loaded and has no session: of
 * what an earlier load of it has left the kernel can tell no more than an address.
 *
 * By whom an area or object was allocated the kernel knows
 *
 *	always			of vmalloc: /proc/vmallocinfo
 *	booted with slab_debug=U (slub_debug=U before 6.10) of slabs: alloc_traces
 *	with CONFIG_DEBUG_KMEMLEAK of whatever nobody points to
 *
 * else there are counts of the slabs, which others change as well.
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

/* Of general use, in which whatever the module allocates is. */
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
	/* Without it the file is there, and says so. */
	FILE *file = leaks_have(LEAKS_SLABS) ?
		     fopen(LEAKS_SLABS "/kmalloc-64/alloc_traces", "re") : NULL;
	char line[512];
	bool is_there = file && fgets(line, sizeof(line), file) && strstr(line, "age=");

	if (file)
		fclose(file);
	return is_there;
}

/* A symbol of the module, or an address that nobody knows: of a module that is gone. */
static inline bool leaks_is_ours(const char *line)
{
	const char *at = strstr(line, "0xffffffffc");

	return strstr(line, "[fargs]") || (at && strchr(" \t\n]", at[18]));
}

/* Lines of @path that name the module; if @is_shown, the first ones are noted. */
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
 * Objects of slabs. @direct: a function of the module has asked for them. @behind: one was
 * among the callers. So it is of what the kernel keeps for a module that is loaded, and of what
 * it has cached for one that is gone, like names of directories; and what other modules had
 * at the same addresses looks alike. So @direct says something by itself, and @behind
 * only if it grows with the times that something was done.
 */
struct leaks_traces {
	unsigned long direct;
	unsigned long behind;
};

/*
 * The kernel's format, for each place: "%7ld %pS waste=... age=...", the callers in lines of
 * their own, and an empty line.
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

/* In each cache. If @is_shown, each place is noted. */
static inline struct leaks_traces leaks_traces(bool is_shown)
{
	struct leaks_traces traces = { 0 };
	DIR *dir = opendir(LEAKS_SLABS);
	struct dirent *entry;
	char path[512];

	while (dir && (entry = readdir(dir))) {
		/* The kernel keeps thousands of areas that were given back: see vmallocinfo. */
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
	/* What is unreferenced now is not ours. */
	leaks_write(LEAKS_KMEMLEAK, "scan");
	leaks_write(LEAKS_KMEMLEAK, "clear");
}

/* Twice: what moves from one place to another may not be seen in between. */
static inline unsigned long leaks_kmemleak(void)
{
	leaks_write(LEAKS_KMEMLEAK, "scan");
	sleep(6);	/* it tells of what is older than 5 s */
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

/* The most by which a cache has grown. */
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
