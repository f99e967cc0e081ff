// SPDX-License-Identifier: GPL-2.0-only
#include "sink/text/source_text.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/file.h"
#include "base/hash.h"

struct file {
	char *path;
	char *text;			/* NULL: the file cannot be read */
	size_t *lines;			/* offset of each line, and of the end */
	size_t nr_lines;
};

struct fargs_source_text {
	pthread_mutex_t lock;
	struct file *files;
	size_t nr;
	struct fargs_hash by_path;
};

struct fargs_source_text *fargs_source_text_create(void)
{
	struct fargs_source_text *t = calloc(1, sizeof(*t));

	if (t)
		pthread_mutex_init(&t->lock, NULL);
	return t;
}

void fargs_source_text_destroy(struct fargs_source_text *t)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; i < t->nr; i++) {
		free(t->files[i].path);
		free(t->files[i].text);
		free(t->files[i].lines);
	}
	free(t->files);
	fargs_hash_deinit(&t->by_path);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

/* Finds the lines of @file. Without memory, it has none. */
static void split(struct file *file, size_t size)
{
	size_t i, nr = 0;

	for (i = 0; i < size; i++)
		nr += file->text[i] == '\n';
	if (size && file->text[size - 1] != '\n')
		nr++;
	file->lines = calloc(nr + 1, sizeof(*file->lines));
	if (!file->lines)
		return;
	file->nr_lines = nr;
	for (i = 0, nr = 1; i < size && nr <= file->nr_lines; i++)
		if (file->text[i] == '\n' || i + 1 == size)
			file->lines[nr++] = i + 1;
}

/* The path is one that a program's debug information names: it may be a FIFO, or /dev/zero. */
static char *read_regular(const char *path, size_t *size)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) ? fargs_file_read(path, size) : NULL;
}

/* Returns the file at @path, which is read if this is the first call; NULL: out of memory. */
static const struct file *find(struct fargs_source_text *t, const char *path)
{
	uint32_t hash = fargs_hash_string(path), at, i;
	struct file *file;
	size_t size = 0;

	fargs_hash_for_each(i, at, &t->by_path, hash)
		if (!strcmp(t->files[i].path, path))
			return &t->files[i];
	if (fargs_hash_reserve(&t->by_path, t->nr + 1))
		return NULL;
	file = fargs_array_add(t->files, t->nr);
	if (!file)
		return NULL;
	*file = (struct file){ .path = strdup(path), .text = read_regular(path, &size) };
	if (!file->path) {
		free(file->text);
		t->nr--;
		return NULL;
	}
	fargs_hash_add(&t->by_path, hash, t->nr - 1);
	if (file->text)
		split(file, size);
	return file;
}

const char *fargs_source_text_line(struct fargs_source_text *t, const char *path,
				   unsigned int line, size_t *bytes)
{
	const struct file *file;
	const char *text = NULL;

	pthread_mutex_lock(&t->lock);
	file = find(t, path);
	if (file && line && line <= file->nr_lines) {
		text = file->text + file->lines[line - 1];
		*bytes = file->lines[line] - file->lines[line - 1];
		if (*bytes && text[*bytes - 1] == '\n')
			--*bytes;
	}
	pthread_mutex_unlock(&t->lock);
	return text;
}
