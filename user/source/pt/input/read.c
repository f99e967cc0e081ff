// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/read.h"

#include <errno.h>

#include "source/perf_data/file.h"
#include "source/pt/input/file_input.h"
#include "source/pt/input/perf_input.h"

int fargs_pt_read(struct fargs_pt_input *in, const char *path, const char *kcore,
		  struct fargs_error_text *err)
{
	if (fargs_perf_file_is(path))
		return fargs_perf_input_read(in, path, kcore, err);
	if (kcore)
		return fargs_fail(err, EINVAL, "'%s': '--kcore' is only for perf.data files: fargs "
				  "files already contain the kernel's code", path);
	return fargs_pt_file_input_read(in, path, err);
}
