// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/running_code.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "source/pt/input/code.h"
#include "source/pt/input/kcore.h"

/* Appends the code of @range, of which parts may have been freed, to the copy at offset *@at. */
static int copy_range(struct fargs_pt_input *in, const struct fargs_kcore *kcore,
		      const struct fargs_code_range *range, uint64_t *at,
		      struct fargs_error_text *err)
{
	__cleanup_free char *bytes = malloc(range->bytes);
	struct fargs_pt_code code = {
		.at = *at, .bytes = range->bytes, .addr = range->addr, .pid = -1,
	};
	int ret;

	if (!bytes)
		return fargs_fail(err, ENOMEM, "out of memory");
	ret = fargs_kcore_read(kcore, range->addr, bytes, range->bytes, err);
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	if (pwrite(in->kernel_fd, bytes, range->bytes, (off_t)*at) != (ssize_t)range->bytes)
		return fargs_fail(err, ENOMEM, "cannot copy the kernel's code");
	if (asprintf(&code.path, "/proc/self/fd/%d", in->kernel_fd) < 0 ||
	    fargs_pt_input_add_code(in, &code))
		return fargs_fail(err, ENOMEM, "out of memory");
	*at += range->bytes;
	return 0;
}

int fargs_running_code_add(struct fargs_pt_input *in, const char *path, const char *kallsyms,
			   struct fargs_error_text *err)
{
	struct fargs_code_ranges all = { };
	struct fargs_kcore kcore;
	uint64_t at = 0;
	size_t size = 0, i;
	__cleanup_free char *symbols = fargs_file_read(kallsyms, &size);
	int ret;

	if (!symbols)
		return fargs_fail(err, errno, "cannot read '%s': %s", kallsyms, strerror(errno));
	ret = fargs_kcore_open(&kcore, path, err);
	if (ret)
		return ret;
	ret = fargs_code_ranges_init(&all, symbols, size, err);
	if (!ret) {
		in->kernel_fd = memfd_create("kernel", MFD_CLOEXEC);
		if (in->kernel_fd < 0)
			ret = fargs_fail(err, errno, "cannot copy the kernel's code: %s",
					 strerror(errno));
	}
	for (i = 0; !ret && i < all.nr; i++)
		ret = copy_range(in, &kcore, &all.ranges[i], &at, err);
	fargs_code_ranges_deinit(&all);
	fargs_kcore_close(&kcore);
	return ret;
}
