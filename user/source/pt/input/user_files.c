// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/user_files.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/glob.h"
#include "base/hash.h"
#include "base/row.h"
#include "source/perf_data/locate.h"
#include "source/pt/input/jitdump.h"

/* Maximum number of missing files with a note of their own. */
#define NOTES_MAX	8
/* Number of digits of build IDs in notes. */
#define SHORT_ID	12

struct file {
	char *path;			/* as recorded */
	struct fargs_build_id id;	/* as recorded */
	struct fargs_build_id other;	/* of another version at @path */
	char *used;			/* path of a file with the code; NULL: none */
	bool is_taken;			/* a dump, whose functions were added */
	struct fargs_dso *_Atomic dso;	/* NULL: not read yet */
};

struct fargs_pt_files {
	struct fargs_locator locator;
	/*
	 * Of a guest: files that are not where @locator looks are looked for on this machine, but
	 * only by a build ID: a file of the same path may be another one.
	 */
	struct fargs_locator here;
	bool is_guest;
	struct file **files;
	size_t nr;
	struct fargs_hash by_path;
	pthread_mutex_t lock;		/* held while a file is read */
};

static struct fargs_pt_files *create(const char *root, bool is_guest)
{
	struct fargs_pt_files *files = calloc(1, sizeof(*files));

	if (!files)
		return NULL;
	pthread_mutex_init(&files->lock, NULL);
	files->is_guest = is_guest;
	if (!fargs_locator_init(&files->locator, root) && !fargs_locator_init(&files->here, NULL))
		return files;
	fargs_pt_files_destroy(files);
	return NULL;
}

static void free_file(struct file *file)
{
	fargs_dso_close(atomic_load(&file->dso));
	free(file->used);
	free(file->path);
	free(file);
}

void fargs_pt_files_destroy(struct fargs_pt_files *files)
{
	size_t i;

	if (!files)
		return;
	for (i = 0; i < files->nr; i++)
		free_file(files->files[i]);
	free(files->files);
	fargs_hash_deinit(&files->by_path);
	fargs_locator_deinit(&files->locator);
	fargs_locator_deinit(&files->here);
	pthread_mutex_destroy(&files->lock);
	free(files);
}

/* Returns the path of a file with the code of @file, or NULL. */
static char *locate(struct fargs_pt_files *files, struct file *file)
{
	char *path = NULL;

	if (!files->is_guest || *files->locator.root)
		path = fargs_locate(&files->locator, file->path, &file->id, &file->other);
	if (!path && files->is_guest && file->id.nr)
		path = fargs_locate(&files->here, file->path, &file->id, &file->other);
	return path;
}

/* Finds or adds a file. Returns 0 or -ENOMEM. */
static int find_file(struct fargs_pt_files *files, const char *path,
		     const struct fargs_build_id *id, uint32_t *nr)
{
	uint32_t hash = fargs_hash_string(path), at, i;
	struct file *file, **to;

	fargs_hash_for_each(i, at, &files->by_path, hash) {
		file = files->files[i];
		if (strcmp(file->path, path) || memcmp(&file->id, id, sizeof(*id)))
			continue;
		*nr = i;
		return 0;
	}
	if (fargs_hash_reserve(&files->by_path, files->nr + 1))
		return -ENOMEM;
	file = calloc(1, sizeof(*file));
	to = file ? fargs_array_add(files->files, files->nr) : NULL;
	if (!to) {
		free(file);
		return -ENOMEM;
	}
	*to = file;
	*nr = files->nr - 1;
	fargs_hash_add(&files->by_path, hash, *nr);
	file->id = *id;
	file->path = strdup(path);
	if (!file->path)
		return -ENOMEM;
	file->used = locate(files, file);
	return 0;
}

/* Adds the note about a file whose code is missing. Returns 0 or -ENOMEM. */
static int add_note(struct fargs_pt_input *in, const struct file *file)
{
	char id[FARGS_BUILD_ID_TEXT], other[FARGS_BUILD_ID_TEXT];

	fargs_build_id_text(&file->id, id);
	if (in->is_guest)
		return fargs_pt_input_add_note(in, "'%s%s' cannot be read%s, so its code is "
					       "missing: mount the guest's files below a directory "
					       "for '--guestmount'", in->files->locator.root,
					       file->path, file->other.nr ? " in the version that "
					       "was traced" : "");
	if (file->other.nr)
		return fargs_pt_input_add_note(in, "'%s%s' is not the version that was traced, so "
					       "its code is missing (build ID %.*s, traced: %.*s): "
					       "give a directory with the traced files as "
					       "'--symfs', or add the traced version with 'perf "
					       "buildid-cache --add'", in->files->locator.root,
					       file->path, SHORT_ID,
					       fargs_build_id_text(&file->other, other), SHORT_ID,
					       id);
	return fargs_pt_input_add_note(in, "'%s%s' cannot be read, so its code is missing (build "
				       "ID %.*s): give a directory with the traced files as "
				       "'--symfs', or add it with 'perf buildid-cache --add'",
				       in->files->locator.root, file->path, SHORT_ID, id);
}

/*
 * Adds notes about missing files. A file without a build ID is none that was linked, and a vdso can
 * be found only in perf's cache or in a kernel of the same build: they have no note.
 */
static int add_notes(struct fargs_pt_input *in)
{
	size_t i, nr = 0;
	int ret = 0;

	for (i = 0; !ret && i < in->files->nr; i++) {
		const struct file *file = in->files->files[i];

		if (file->used || (!file->id.nr && !in->is_guest) || file->path[0] != '/')
			continue;
		if (nr++ < NOTES_MAX)
			ret = add_note(in, file);
	}
	if (!ret && nr > NOTES_MAX)
		ret = fargs_pt_input_add_note(in, "code of further files is missing: %zu files",
					      nr - NOTES_MAX);
	return ret;
}

/* Finds the file of @m, and sets its path to that of the file. Returns 0, -ENOENT or -ENOMEM. */
static int find_code(struct fargs_pt_input *in, struct fargs_pt_mapping *m,
		     const struct fargs_build_id_list *ids)
{
	const struct fargs_build_id *id = m->build_id.nr || !ids || !fargs_row(A35) ? NULL :
					  fargs_build_id_list_find(ids, m->path);
	const struct file *file;
	char *path;

	if (find_file(in->files, m->path, id ? id : &m->build_id, &m->file))
		return -ENOMEM;
	file = in->files->files[m->file];
	if (!file->used)
		return -ENOENT;
	path = strdup(file->used);
	if (!path)
		return -ENOMEM;
	free(m->path);
	m->path = path;
	return 0;
}

/* Adds the functions in the dump that is mapped by @m, unless they were added already. */
static int take_dump(struct fargs_pt_input *in, const struct fargs_pt_mapping *m)
{
	static const struct fargs_build_id unknown;
	struct file *file;
	uint32_t nr;

	if (find_file(in->files, m->path, &unknown, &nr))
		return -ENOMEM;
	file = in->files->files[nr];
	if (!file->used || file->is_taken)
		return 0;
	file->is_taken = true;
	return fargs_jitdump_add(in, m, nr, file->used);
}

/* Adds @m to @in, if there is its code. Takes ownership of its strings. */
static int take_mapping(struct fargs_pt_input *in, struct fargs_pt_mapping *m,
			const struct fargs_build_id_list *ids)
{
	int ret = 0;

	if (m->kind != FARGS_PT_MAP)
		return fargs_pt_input_add_mapping(in, m);
	if (fargs_jitdump_is_name(m->path)) {
		ret = take_dump(in, m);
	} else {
		ret = find_code(in, m, ids);
		if (!ret)
			return fargs_pt_input_add_mapping(in, m);
	}
	free(m->path);
	return ret == -ENOENT ? 0 : ret;
}

/* Drops the mappings of programs. They are not needed if user space is not traced. */
static void drop_programs(struct fargs_pt_input *in)
{
	for (; in->nr_mappings; in->nr_mappings--)
		free(in->mappings[in->nr_mappings - 1].path);
}

int fargs_pt_user_files_find(struct fargs_pt_input *in, const struct fargs_build_id_list *ids)
{
	struct fargs_pt_mapping *all = in->mappings;
	size_t nr = in->nr_mappings, i;
	int ret = 0;

	if (!in->config.has_user && !in->has_guest_code)
		drop_programs(in);
	if (!in->nr_mappings)
		return 0;
	in->files = create(in->root, in->is_guest);
	if (!in->files)
		return -ENOMEM;
	in->mappings = NULL;
	in->nr_mappings = 0;
	for (i = 0; !ret && i < nr; i++)
		ret = take_mapping(in, &all[i], ids);
	for (; i < nr; i++)
		free(all[i].path);
	free(all);
	return ret ? ret : add_notes(in);
}

/* Returns the file's functions, which are read if this is the first call; NULL: out of memory. */
static struct fargs_dso *dso_of(struct fargs_pt_files *files, struct file *file)
{
	struct fargs_dso *dso = atomic_load_explicit(&file->dso, memory_order_acquire);

	if (dso)
		return dso;
	pthread_mutex_lock(&files->lock);
	dso = atomic_load_explicit(&file->dso, memory_order_relaxed);
	if (!dso) {
		dso = fargs_dso_open(file->path, file->used, &files->locator);
		/* Pairs with the acquire above: others read the functions without the lock. */
		atomic_store_explicit(&file->dso, dso, memory_order_release);
	}
	pthread_mutex_unlock(&files->lock);
	return dso;
}

const struct fargs_dso_symbol *fargs_pt_files_symbol(struct fargs_pt_files *files, uint32_t file,
						     uint64_t at)
{
	const struct fargs_dso *dso = dso_of(files, files->files[file]);

	return dso ? fargs_dso_find(dso, at) : NULL;
}

const struct fargs_dso *fargs_pt_files_dso(struct fargs_pt_files *files, uint32_t file)
{
	return dso_of(files, files->files[file]);
}

const char *fargs_pt_files_srcline(struct fargs_pt_files *files, uint32_t file, uint64_t at,
				   unsigned int *line)
{
	struct fargs_dso *dso = dso_of(files, files->files[file]);
	const char *found;

	if (!dso)
		return NULL;
	pthread_mutex_lock(&files->lock);
	found = fargs_dso_srcline(dso, at, line);
	pthread_mutex_unlock(&files->lock);
	return found;
}

bool fargs_pt_files_have(struct fargs_pt_files *files, const char *glob)
{
	const struct fargs_dso_symbol *symbols;
	const struct fargs_dso *dso;
	size_t i, k, nr;

	for (i = 0; i < files->nr; i++) {
		dso = files->files[i]->used ? dso_of(files, files->files[i]) : NULL;
		symbols = dso ? fargs_dso_symbols(dso, &nr) : NULL;
		for (k = 0; symbols && k < nr; k++)
			if (fargs_glob_match(glob, symbols[k].name))
				return true;
	}
	return false;
}

const char *fargs_pt_files_path(const struct fargs_pt_files *files, uint32_t file)
{
	return files->files[file]->path;
}
