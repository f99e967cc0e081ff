// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/btf/tree.h"

#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kernel/btf/btfs.h"

/* A file with BTF, and the name of the kernel or module that it describes. */
struct entry {
	char *path;
	char name[64];
	bool is_packed;
};

struct fargs_btf_tree {
	struct entry *entries;
	size_t nr;
};

static const char *const packings[] = { ".xz", ".gz", ".zst", ".bz2", ".tar.xz" };

static bool has_ending(const char *path, const char *ending)
{
	size_t len = strlen(path), end = strlen(ending);

	return len > end && !strcmp(path + len - end, ending);
}

static bool is_packed(const char *path)
{
	size_t i;

	for (i = 0; i < sizeof(packings) / sizeof(packings[0]); i++)
		if (has_ending(path, packings[i]))
			return true;
	return false;
}

void fargs_btf_module_name(char *name, size_t size, const char *path)
{
	const char *slash = strrchr(path, '/');

	path = slash ? slash + 1 : path;
	snprintf(name, size, "%.*s", (int)strcspn(path, "."), path);
	for (; *name; name++)
		if (*name == '-')
			*name = '_';
}

static int add(struct fargs_btf_tree *tree, const char *path, const char *name)
{
	struct entry *larger = realloc(tree->entries, (tree->nr + 1) * sizeof(*larger));
	struct entry *e;

	if (!larger)
		return -ENOMEM;
	tree->entries = larger;
	e = &larger[tree->nr];
	e->path = strdup(path);
	if (!e->path)
		return -ENOMEM;
	snprintf(e->name, sizeof(e->name), "%s", name);
	e->is_packed = is_packed(path);
	tree->nr++;
	return 0;
}

/* Adds @path if it exists, otherwise a compressed form of it, such as @path.xz. */
static int add_kernel(struct fargs_btf_tree *tree, const char *path)
{
	char packed[4096];
	struct stat st;
	size_t i;

	if (!stat(path, &st))
		return S_ISREG(st.st_mode) ? add(tree, path, FARGS_BTF_VMLINUX) : 0;
	for (i = 0; i < sizeof(packings) / sizeof(packings[0]); i++) {
		snprintf(packed, sizeof(packed), "%s%s", path, packings[i]);
		if (!stat(packed, &st) && S_ISREG(st.st_mode))
			return add(tree, packed, FARGS_BTF_VMLINUX);
	}
	return 0;
}

static int add_kernels(struct fargs_btf_tree *tree, const char *dir, const char *release)
{
	static const char *const forms[] = {
		"%s/%s/vmlinux", "%s/%s/vmlinux.btf", "%s/%s/build/vmlinux", "%s/%s.btf",
		"%s/vmlinux-%s", "%s/vmlinux-%s.btf",
	};
	char path[4096];
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < sizeof(forms) / sizeof(forms[0]); i++) {
		snprintf(path, sizeof(path), forms[i], dir, release);
		ret = add_kernel(tree, path);
	}
	return ret;
}

/* Is @file the file of a module? Excludes files of vmlinux, which add_kernels() adds. */
static bool is_module(const FTSENT *file)
{
	const char *dot = strchr(file->fts_name, '.');

	if (!strncmp(file->fts_name, "vmlinux", 7) &&
	    (!file->fts_name[7] || file->fts_name[7] == '.'))
		return false;
	if (!dot)
		return false;
	return !strncmp(dot, ".ko", 3) || !strncmp(dot, ".btf", 4);
}

/* Adds the modules below @dir. */
static int add_modules(struct fargs_btf_tree *tree, char *dir)
{
	char *const dirs[] = { dir, NULL };
	/*
	 * FTS_PHYSICAL: do not follow the symbolic links "build" and "source", which point to
	 * kernel trees.
	 */
	FTS *fts = fts_open(dirs, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *file;
	char name[64];
	int ret = 0;

	if (!fts)
		return -ENOMEM;
	while (!ret && (file = fts_read(fts))) {
		if (file->fts_info != FTS_F || !is_module(file))
			continue;
		fargs_btf_module_name(name, sizeof(name), file->fts_name);
		ret = add(tree, file->fts_path, name);
	}
	fts_close(fts);
	return ret;
}

struct fargs_btf_tree *fargs_btf_tree_create(const char *dir, const char *release,
					     struct fargs_error_text *err)
{
	struct fargs_btf_tree *tree = calloc(1, sizeof(*tree));
	char below[4096];
	struct stat st;
	int ret;

	if (!tree) {
		fargs_fail(err, ENOMEM, "no memory for BTF");
		return NULL;
	}
	snprintf(below, sizeof(below), "%s/%s", dir, release);
	ret = add_kernels(tree, dir, release);
	if (!ret && !stat(below, &st) && S_ISDIR(st.st_mode))
		ret = add_modules(tree, below);
	if (ret)
		fargs_fail(err, ENOMEM, "no memory for the files in '%s'", dir);
	else if (!tree->nr)
		ret = fargs_fail(err, ENOENT, "'%s' has no BTF of kernel %s", dir, release);
	if (!ret)
		return tree;
	fargs_btf_tree_destroy(tree);
	return NULL;
}

void fargs_btf_tree_destroy(struct fargs_btf_tree *tree)
{
	size_t i;

	if (!tree)
		return;
	for (i = 0; i < tree->nr; i++)
		free(tree->entries[i].path);
	free(tree->entries);
	free(tree);
}

const char *fargs_btf_tree_find(const struct fargs_btf_tree *tree, const char *name, size_t i)
{
	size_t at;

	for (at = 0; at < tree->nr; at++)
		if (!tree->entries[at].is_packed && !strcmp(tree->entries[at].name, name) && !i--)
			return tree->entries[at].path;
	return NULL;
}

const char *fargs_btf_tree_find_packed(const struct fargs_btf_tree *tree, const char *name)
{
	size_t at;

	for (at = 0; at < tree->nr; at++)
		if (tree->entries[at].is_packed && !strcmp(tree->entries[at].name, name))
			return tree->entries[at].path;
	return NULL;
}
