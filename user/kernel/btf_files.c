// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/btf_files.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/file.h"
#include "kernel/btf/coverage.h"
#include "kernel/btf/file.h"
#include "kernel/btf/identity.h"
#include "kernel/btf/split.h"
#include "kernel/btf/tree.h"

#define SYSFS	"/sys"

struct given {
	char name[64];			/* "vmlinux" or the name of a module */
	const char *path;
	struct fargs_btf_file file;
};

struct fargs_btf_files {
	const struct fargs_ksyms *ksyms;
	struct utsname uts;
	struct given *given;
	size_t nr_given;
	struct fargs_btf_tree **trees;
	size_t nr_trees;
};

static bool is_kernel(const char *name)
{
	return !strcmp(name, FARGS_BTF_VMLINUX);
}

/* Sets given->name. @module: the name that the user gave, or "". */
static int choose_name(struct given *given, const char *module, struct fargs_error_text *err)
{
	const struct fargs_btf_file *file = &given->file;
	char *name = given->name;

	if (*module)
		snprintf(name, sizeof(given->name), "%s", module);
	else if (file->module[0])
		snprintf(name, sizeof(given->name), "%s", file->module);
	else if (file->is_split)
		fargs_btf_module_name(name, sizeof(given->name), given->path);
	else
		strcpy(name, FARGS_BTF_VMLINUX);
	if (file->module[0] && strcmp(file->module, name))
		return fargs_fail(err, EINVAL, "'%s' is for module '%s', not for '%s'", given->path,
				  file->module, name);
	if (is_kernel(name) && file->is_split)
		return fargs_fail(err, EINVAL, "'%s' is BTF of a module, but does not name it: "
				  "write '--btf MODULE=FILE'", given->path);
	if (!is_kernel(name) && !file->is_split)
		return fargs_fail(err, EINVAL, "'%s' is not split BTF based on the kernel's, which "
				  "a module needs: generate it with 'pahole "
				  "--btf_base'", given->path);
	return 0;
}

static bool is_module_loaded(const struct fargs_ksyms *ksyms, const char *name)
{
	size_t i, nr = fargs_ksyms_count(ksyms);

	for (i = 0; i < nr; i++) {
		const char *module = fargs_ksyms_at(ksyms, i)->module;

		if (module && !strcmp(module, name))
			return true;
	}
	return false;
}

static int add_file(struct fargs_btf_files *files, const char *path, const char *module,
		    struct fargs_error_text *err)
{
	struct given *larger = realloc(files->given, (files->nr_given + 1) * sizeof(*larger));
	struct given *given;
	size_t i;
	int ret;

	if (!larger)
		return fargs_fail(err, ENOMEM, "no memory for BTF");
	files->given = larger;
	given = &larger[files->nr_given];
	given->path = path;
	ret = fargs_btf_file_init(&given->file, path, err);
	if (ret)
		return ret;
	files->nr_given++;
	ret = choose_name(given, module, err);
	if (ret)
		return ret;
	for (i = 0; i + 1 < files->nr_given; i++)
		if (!strcmp(files->given[i].name, given->name))
			return fargs_fail(err, EEXIST, "'%s' and '%s' are both BTF of %s",
					  files->given[i].path, path, given->name);
	if (!is_kernel(given->name) && !is_module_loaded(files->ksyms, given->name))
		return fargs_fail(err, ENOENT, "module '%s', whose BTF is in '%s', is not loaded",
				  given->name, path);
	return 0;
}

static int add_tree(struct fargs_btf_files *files, const char *dir, struct fargs_error_text *err)
{
	struct fargs_btf_tree **larger = realloc(files->trees,
						 (files->nr_trees + 1) * sizeof(*larger));

	if (!larger)
		return fargs_fail(err, ENOMEM, "no memory for BTF");
	files->trees = larger;
	larger[files->nr_trees] = fargs_btf_tree_create(dir, files->uts.release, err);
	if (!larger[files->nr_trees])
		return -ENOENT;
	files->nr_trees++;
	return 0;
}

/*
 * Splits "MODULE=PATH". Returns the path, and copies the module's name to @module, "" if there is
 * none.
 */
static const char *split_word(const char *word, char *module, size_t size)
{
	size_t len = 0, i;
	struct stat st;

	*module = '\0';
	if (!stat(word, &st))
		return word;
	while (isalnum((unsigned char)word[len]) || word[len] == '_' || word[len] == '-')
		len++;
	if (!len || len >= size || word[len] != '=')
		return word;
	for (i = 0; i < len; i++)
		module[i] = word[i] == '-' ? '_' : word[i];
	module[len] = '\0';
	return word + len + 1;
}

static int add_word(struct fargs_btf_files *files, const char *word, struct fargs_error_text *err)
{
	char module[64];
	const char *path = split_word(word, module, sizeof(module));
	struct stat st;

	if (stat(path, &st))
		return fargs_fail(err, errno, "cannot read '%s': %s", path, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return add_file(files, path, module, err);
	if (*module)
		return fargs_fail(err, EISDIR, "'%s' is a directory, not the BTF of %s", path,
				  module);
	return add_tree(files, path, err);
}

struct fargs_btf_files *fargs_btf_files_create(const struct fargs_list *words,
					       const struct fargs_ksyms *ksyms,
					       struct fargs_error_text *err)
{
	struct fargs_btf_files *files = calloc(1, sizeof(*files));
	size_t i;

	if (!files) {
		fargs_fail(err, ENOMEM, "no memory for BTF");
		return NULL;
	}
	files->ksyms = ksyms;
	uname(&files->uts);
	for (i = 0; i < words->nr; i++) {
		if (add_word(files, words->words[i], err)) {
			fargs_btf_files_destroy(files);
			return NULL;
		}
	}
	return files;
}

void fargs_btf_files_destroy(struct fargs_btf_files *files)
{
	size_t i;

	if (!files)
		return;
	for (i = 0; i < files->nr_given; i++)
		fargs_btf_file_deinit(&files->given[i].file);
	for (i = 0; i < files->nr_trees; i++)
		fargs_btf_tree_destroy(files->trees[i]);
	free(files->given);
	free(files->trees);
	free(files);
}

const char *fargs_btf_files_name(const struct fargs_btf_files *files, size_t i)
{
	return i < files->nr_given ? files->given[i].name : NULL;
}

/*
 * Checks that the functions in the BTF are symbols of the running kernel or module. The check is
 * approximate, and used only for BTF that does not identify its build.
 */
static int check_functions(const struct fargs_btf_files *files, const char *path,
			   const char *name, const void *data, size_t bytes,
			   const struct btf *base, struct fargs_error_text *err)
{
	const char *module = base ? name : NULL;
	struct fargs_coverage coverage;
	struct btf *btf = fargs_btf_parse(data, bytes, base);
	int ret;

	if (!btf)
		return fargs_fail(err, EINVAL, "'%s' is invalid: %s", path, strerror(errno));
	ret = fargs_coverage_init(&coverage, btf, files->ksyms, module);
	btf__free(btf);
	if (ret)
		return fargs_fail(err, -ret, "no memory for BTF");
	if (fargs_coverage_is_likely(&coverage, module))
		return 0;
	if (!coverage.nr_funcs)
		return fargs_fail(err, ENODATA, "'%s' describes no functions", path);
	return fargs_fail(err, ESTALE, "'%s' is for another %s: only %zu of its %zu functions "
			  "exist here", path, module ? "module" : "kernel", coverage.nr_found,
			  coverage.nr_funcs);
}

/*
 * Fails if the kernel has BTF for @name itself and the file's BTF differs. Called only if the file
 * could not be proven to belong to the running kernel.
 */
static int check_own(const char *path, const char *name, const void *data, size_t bytes,
		     struct fargs_error_text *err)
{
	char own_path[sizeof(SYSFS) + 128];
	size_t own_bytes;
	bool is_same;
	char *own;

	snprintf(own_path, sizeof(own_path), SYSFS "/kernel/btf/%s", name);
	own = fargs_file_read(own_path, &own_bytes);
	is_same = !own || (own_bytes == bytes && !memcmp(own, data, bytes));
	free(own);
	if (is_same)
		return 0;
	return fargs_fail(err, ESTALE, "'%s' differs from '%s', and nothing in it shows that it "
			  "belongs to this kernel: omit it", path, own_path);
}

/*
 * Verifies that @file belongs to the running kernel or module @name, and converts its BTF to @base.
 * Returns a copy of the BTF, or NULL with the reason in @err.
 */
static void *take(const struct fargs_btf_files *files, const struct fargs_btf_file *file,
		  const char *path, const char *name, const struct btf *base, size_t *bytes,
		  struct fargs_error_text *err)
{
	int identity = fargs_btf_identity_check(file, path, name, SYSFS, files->uts.release, err);
	struct fargs_error_text why;
	void *data;

	if (identity < 0)
		return NULL;
	if (file->base && base) {
		data = fargs_btf_split_relocate(file->data, file->bytes, file->base,
						file->base_bytes, base, bytes, &why);
		if (!data)
			fargs_fail(err, EINVAL, "'%s': %s", path, why.text);
	} else if (base && !fargs_btf_split_fits(file->data, file->bytes, base)) {
		fargs_fail(err, ESTALE, "'%s' was generated for the BTF of another kernel",
			   path);
		data = NULL;
	} else {
		data = malloc(file->bytes + 1);
		if (data)
			memcpy(data, file->data, file->bytes);
		else
			fargs_fail(err, ENOMEM, "no memory for BTF");
		*bytes = file->bytes;
	}
	if (data && identity != FARGS_BTF_IDENTITY_SAME &&
	    (check_own(path, name, data, *bytes, err) ||
	     check_functions(files, path, name, data, *bytes, base, err))) {
		free(data);
		data = NULL;
	}
	return data;
}

/*
 * Reads the BTF of @name from file @path. Returns 1 with the BTF in *@data, 0 if the file has no
 * BTF, or -errno.
 */
static int take_from_tree(const struct fargs_btf_files *files, const char *path, const char *name,
			  const struct btf *base, void **data, size_t *bytes,
			  struct fargs_error_text *err)
{
	struct fargs_btf_file file;
	int ret = fargs_btf_file_init(&file, path, err);

	if (ret)
		return ret == -ENODATA ? 0 : ret;
	if (file.is_split != !!base)
		ret = fargs_fail(err, EINVAL, base ? "'%s' is not split BTF based on the kernel's"
						   : "'%s' is BTF of a module, not of the "
						     "kernel", path);
	else
		*data = take(files, &file, path, name, base, bytes, err);
	fargs_btf_file_deinit(&file);
	return ret ? ret : *data ? 1 : -ESTALE;
}

static int find_in_trees(const struct fargs_btf_files *files, const char *name,
			 const struct btf *base, void **data, size_t *bytes,
			 struct fargs_error_text *err)
{
	const char *path;
	size_t i, nr;
	int ret = 0;

	for (i = 0; i < files->nr_trees; i++) {
		for (nr = 0; (path = fargs_btf_tree_find(files->trees[i], name, nr)); nr++) {
			int now = take_from_tree(files, path, name, base, data, bytes, err);

			if (now == 1)
				return 1;
			ret = now ? now : ret;
		}
	}
	for (i = 0; !ret && i < files->nr_trees; i++) {
		path = fargs_btf_tree_find_packed(files->trees[i], name);
		if (path)
			ret = fargs_fail(err, ENOTSUP, "'%s' is compressed: unpack it first", path);
	}
	return ret;
}

static int find(void *arg, const char *name, const struct btf *base, bool is_last, void **data,
		size_t *bytes, struct fargs_error_text *err)
{
	const struct fargs_btf_files *files = arg;
	size_t i;

	*data = NULL;
	if (is_last)
		return find_in_trees(files, name, base, data, bytes, err);
	for (i = 0; i < files->nr_given; i++) {
		const struct given *given = &files->given[i];

		if (strcmp(given->name, name))
			continue;
		*data = take(files, &given->file, given->path, name, base, bytes, err);
		return *data ? 1 : -EINVAL;
	}
	return 0;
}

static void destroy(void *arg)
{
	fargs_btf_files_destroy(arg);
}

struct fargs_btfs_finder fargs_btf_files_finder(struct fargs_btf_files *files)
{
	return (struct fargs_btfs_finder) { .find = find, .destroy = destroy, .arg = files };
}
