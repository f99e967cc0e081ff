// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/inject/target.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int copy_code(struct fargs_inject_target *t, const struct fargs_inject_code *code,
		     struct fargs_error_text *err)
{
	int ret = 0;

	if (code->host)
		ret = fargs_inject_copy_kcore(code->host, t->dir, FARGS_INJECT_KCORE, err);
	if (ret || !code->guest)
		return ret;
	snprintf(t->guest, sizeof(t->guest), FARGS_INJECT_KCORE "__%u", code->guest_pid);
	return fargs_inject_copy_kcore(code->guest, t->dir, t->guest, err);
}

int fargs_inject_target_open(struct fargs_inject_target *t, const char *path,
			     const struct fargs_inject_code *code, struct fargs_error_text *err)
{
	t->path = path;
	if (!code->host && !code->guest) {
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
	return copy_code(t, code, err);
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
	fargs_inject_remove_kcore(t->dir, FARGS_INJECT_KCORE);
	if (t->guest[0])
		fargs_inject_remove_kcore(t->dir, t->guest);
	close(t->dir);
	rmdir(t->path);
}
