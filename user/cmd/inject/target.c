// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/inject/target.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cmd/inject/kcore.h"

int fargs_inject_target_open(struct fargs_inject_target *t, const char *path, const char *kcore,
			     struct fargs_error_text *err)
{
	t->path = path;
	if (!kcore) {
		if (fargs_outfile_open(&t->file, path, FARGS_OUTFILE_SEEKS, err))
			return -EINVAL;
		if (fargs_outfile_stream(&t->file))
			return fargs_fail(err, ENOMEM, "out of memory");
		t->out = t->file.file;
		return 0;
	}
	t->dir = fargs_outfile_mkdir(path, err);
	if (t->dir < 0)
		return -EINVAL;
	t->out = fargs_outfile_in(t->dir, FARGS_INJECT_DATA);
	if (!t->out)
		return fargs_fail(err, errno, "cannot create '%s/" FARGS_INJECT_DATA "': %s", path,
				  strerror(errno));
	return fargs_inject_copy_kcore(kcore, t->dir, err);
}

int fargs_inject_target_finish(struct fargs_inject_target *t)
{
	int ret;

	if (t->dir < 0)
		return fargs_outfile_finish(&t->file);
	ret = fclose(t->out) ? -errno : 0;
	t->out = NULL;
	close(t->dir);
	t->dir = -1;
	return ret;
}

void fargs_inject_target_deinit(struct fargs_inject_target *t)
{
	fargs_outfile_deinit(&t->file);
	if (t->dir < 0)
		return;
	if (t->out)
		fclose(t->out);
	unlinkat(t->dir, FARGS_INJECT_DATA, 0);
	fargs_inject_remove_kcore(t->dir);
	close(t->dir);
	rmdir(t->path);
}
