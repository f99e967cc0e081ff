// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/rows/files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/outfile.h"

#define FILE_BYTES	(256u << 10)

static int fail(int table, int ret, struct fargs_error_text *err)
{
	return ret ? fargs_fail(err, -ret, "cannot write the table '%s': %s",
				fargs_tables[table].name, strerror(-ret)) : 0;
}

void fargs_row_files_init(struct fargs_row_files *f)
{
	*f = (struct fargs_row_files){ .dir = -1 };
}

void fargs_row_files_deinit(struct fargs_row_files *f)
{
	int table;

	for (table = 0; table < FARGS_TABLES; table++) {
		if (f->files[table])
			fclose(f->files[table]);
		fargs_zout_deinit(&f->zouts[table]);
		fargs_buf_deinit(&f->waiting[table]);
	}
	if (f->dir >= 0)
		close(f->dir);
	fargs_row_files_init(f);
}

int fargs_row_files_make(struct fargs_row_files *f, const char *path, const char *suffix,
			 bool is_compressed, struct fargs_error_text *err)
{
	char name[64];
	int table;

	f->dir = fargs_outfile_mkdir(path, err);
	for (table = 0; table < FARGS_TABLES && f->dir >= 0; table++) {
		if (is_compressed && fargs_zout_init(&f->zouts[table]))
			return fargs_fail(err, ENOMEM, "out of memory");
		snprintf(name, sizeof(name), "%s.%s%s", fargs_tables[table].name, suffix,
			 is_compressed ? ".zst" : "");
		f->files[table] = fargs_outfile_in(f->dir, name);
		if (!f->files[table])
			return fargs_fail(err, errno, "cannot create '%s/%s': %s", path, name,
					  strerror(errno));
	}
	return f->dir < 0 ? f->dir : 0;
}

int fargs_row_files_make_scratch(struct fargs_row_files *f, const char *path,
				 struct fargs_error_text *err)
{
	int table, fd;

	f->dir = fargs_outfile_mkdir(path, err);
	for (table = 0; table < FARGS_TABLES && f->dir >= 0; table++) {
		fd = fargs_outfile_scratch(&FARGS_OUTFILE_NONE, err);
		if (fd < 0)
			return fd;
		f->files[table] = fdopen(fd, "w+");
		if (f->files[table])
			continue;
		close(fd);
		return fargs_fail(err, ENOMEM, "out of memory");
	}
	return f->dir < 0 ? f->dir : 0;
}

int fargs_row_files_write(struct fargs_row_files *f, int table, bool is_all,
			  struct fargs_error_text *err)
{
	struct fargs_buf *b = &f->waiting[table];
	int ret;

	if (b->n < FILE_BYTES && !is_all)
		return 0;
	ret = fargs_zout_write(&f->zouts[table], f->files[table], b->text, b->n);
	b->n = 0;
	return fail(table, ret, err);
}

int fargs_row_files_finish(struct fargs_row_files *f, int table, struct fargs_error_text *err)
{
	int ret = fargs_row_files_write(f, table, true, err);

	if (ret)
		return ret;
	ret = fargs_zout_end(&f->zouts[table], f->files[table]);
	if (!ret && fflush(f->files[table]))
		ret = -errno;
	return fail(table, ret, err);
}
