// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/unloaded.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "abi/signature.h"
#include "base/array.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/unpack.h"
#include "kernel/btf/tree.h"
#include "kernel/sym/module_file.h"

#define MODULES		"/lib/modules"
#define PATH_BYTES	4096
/*
 * Maximum number of files that are read: enough for all parts of a large driver, and few enough
 * that decompressing them takes little time.
 */
#define FILES_MAX	24

struct module {
	char name[64];
	char *path;		/* points into search.text; absolute, or relative to search.dir */
	unsigned int rank;	/* higher: more likely to have the function; 0: do not read */
};

struct search {
	char dir[PATH_BYTES / 2];
	const struct fargs_pattern *pattern;
	bool is_tpoint;
	char word[64];		/* first word of the pattern's name: "ext4" for "ext4_*" */
	char literal[128];	/* the pattern's name up to its first special character */
	char *text;		/* contents of modules.dep */
	struct module *modules;	/* modules that are not loaded */
	size_t nr;
};

/* Returns the names of the loaded modules, each once. */
static const char **names_of_loaded(const struct fargs_ksyms *loaded, size_t *nr)
{
	size_t i, j, count = fargs_ksyms_count(loaded);
	const char **names = NULL, **to, *last = NULL;

	*nr = 0;
	for (i = 0; i < count; i++) {
		const char *name = fargs_ksyms_at(loaded, i)->module;

		if (!name || (last && !strcmp(name, last)))
			continue;
		last = name;
		for (j = 0; j < *nr && strcmp(names[j], name); j++)
			;
		to = j == *nr ? fargs_array_add(names, *nr) : NULL;
		if (!to)
			continue;
		*to = name;
	}
	return names;
}

static bool has_name(const char *const *names, size_t nr, const char *name)
{
	while (nr)
		if (!strcmp(names[--nr], name))
			return true;
	return false;
}

/* Is @word one of the underscore-separated parts of @name? */
static bool has_word(const char *name, const char *word)
{
	size_t n = strlen(word);

	for (; name; name = strchr(name, '_')) {
		name += *name == '_';
		if (!strncmp(name, word, n) && (!name[n] || name[n] == '_'))
			return true;
	}
	return false;
}

/*
 * Ranks @module by its name. For the function ext4_sync_file, the module ext4 gets a high rank; for
 * e1000_open, e1000 ranks above e1000e.
 */
static unsigned int rank_of(const struct search *s, const char *module)
{
	size_t n = strlen(module);

	if (!strncmp(s->literal, module, n) && (!s->literal[n] || s->literal[n] == '_'))
		return 1000 + n;
	if (*s->word && has_word(module, s->word))
		return 200;
	return *s->word && !strncmp(module, s->word, strlen(s->word)) ? 100 : 0;
}

static void set_words(struct search *s)
{
	const char *name = s->pattern->name;
	size_t n = 0;

	snprintf(s->literal, sizeof(s->literal), "%.*s", (int)strcspn(name, "*?["), name);
	name += strspn(name, "_");
	while (isalnum((unsigned char)name[n]))
		n++;
	/*
	 * Use the first word only if it is complete: that of "ext*" is not. A single letter would
	 * match hundreds of modules.
	 */
	if (n > 1 && !strchr("*?[", name[n] ? name[n] : ' '))
		snprintf(s->word, sizeof(s->word), "%.*s", (int)n, name);
}

/* Reads modules.dep, which has a line "PATH: PATH..." for each module. */
static void read_list(struct search *s, const char *const *loaded, size_t nr_loaded)
{
	char path[PATH_BYTES], *line, *next;
	struct module *larger;
	size_t size;

	snprintf(path, sizeof(path), "%s/modules.dep", s->dir);
	s->text = fargs_file_read(path, &size);
	for (line = s->text; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		line[strcspn(line, ":")] = '\0';
		larger = fargs_grow(s->modules, s->nr, sizeof(*larger));
		if (!larger)
			return;
		s->modules = larger;
		larger += s->nr;
		fargs_btf_module_name(larger->name, sizeof(larger->name), line);
		if (has_name(loaded, nr_loaded, larger->name))
			continue;
		larger->path = line;
		larger->rank = rank_of(s, larger->name);
		s->nr++;
	}
}

static bool is_match(const struct search *s, const char *name)
{
	const size_t prefix = strlen(FARGS_SIGNATURE_TPOINT);

	if (s->is_tpoint) {
		if (strncmp(name, FARGS_SIGNATURE_TPOINT, prefix))
			return false;
		name += prefix;
	} else if (!strncmp(name, "__pfx_", 6)) {
		return false;
	}
	return s->pattern->is_exact ? !strcmp(s->pattern->name, name) :
				      fargs_glob_match(s->pattern->name, name);
}

/*
 * Gives modules that export a match the highest rank. modules.symbols has a line "alias symbol:NAME
 * MODULE" for each exported symbol.
 */
static void rank_by_exports(struct search *s)
{
	static const char front[] = "alias symbol:";
	char path[PATH_BYTES], *text, *line, *next, *name, *module;
	size_t size, i;

	snprintf(path, sizeof(path), "%s/modules.symbols", s->dir);
	text = fargs_file_read(path, &size);
	for (line = text; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (strncmp(line, front, strlen(front)))
			continue;
		name = line + strlen(front);
		module = strchr(name, ' ');
		if (!module)
			continue;
		*module++ = '\0';
		if (!is_match(s, name))
			continue;
		for (i = 0; i < s->nr; i++)
			if (!strcmp(s->modules[i].name, module))
				s->modules[i].rank = 2000;
	}
	free(text);
}

static int compare(const void *a, const void *b)
{
	const struct module *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Returns the number of functions in @module that match; 0 also if its file cannot be read. */
static size_t count_matches(const struct search *s, const struct module *module)
{
	const struct fargs_ksyms *functions;
	struct fargs_module_file *file;
	char path[PATH_BYTES], at[64];
	size_t i, nr = 0;
	int fd;

	snprintf(path, sizeof(path), *module->path == '/' ? "%.0s%s" : "%s/%s", s->dir,
		 module->path);
	fd = fargs_unpack_open(path, NULL);
	if (fd < 0)
		return 0;
	snprintf(at, sizeof(at), "/proc/self/fd/%d", fd);
	file = fargs_module_file_create(at, path, module->name, NULL);
	close(fd);
	if (!file)
		return 0;
	functions = fargs_module_file_ksyms(file);
	for (i = 0; i < fargs_ksyms_count(functions); i++)
		nr += is_match(s, fargs_ksyms_at(functions, i)->name);
	fargs_module_file_destroy(file);
	return nr;
}

void fargs_unloaded_find(struct fargs_unloaded *u, const char *dir,
			 const struct fargs_ksyms *loaded, const struct fargs_pattern *pattern,
			 bool is_tpoint)
{
	struct search s = { .pattern = pattern, .is_tpoint = is_tpoint };
	const char **names;
	struct utsname uts;
	size_t i, nr, nr_names;

	memset(u, 0, sizeof(*u));
	uname(&uts);
	snprintf(s.dir, sizeof(s.dir), "%s/%s", dir, uts.release);
	set_words(&s);
	names = names_of_loaded(loaded, &nr_names);
	read_list(&s, names, nr_names);
	rank_by_exports(&s);
	if (s.nr)
		qsort(s.modules, s.nr, sizeof(*s.modules), compare);
	for (i = 0; i < s.nr && i < FILES_MAX && s.modules[i].rank; i++) {
		u->nr_searched++;
		nr = count_matches(&s, &s.modules[i]);
		if (!nr)
			continue;
		if (u->nr_modules < FARGS_UNLOADED_NAMED) {
			strcpy(u->modules[u->nr_modules].name, s.modules[i].name);
			u->modules[u->nr_modules].nr = nr;
		}
		u->nr_modules++;
	}
	free(names);
	free(s.modules);
	free(s.text);
}

void fargs_unloaded_ask(struct fargs_unloaded *u, const struct fargs_ksyms *loaded,
			const struct fargs_pattern *pattern, bool is_tpoint)
{
	fargs_unloaded_find(u, MODULES, loaded, pattern, is_tpoint);
}
