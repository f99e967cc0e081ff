// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/kernel_input.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "kernel/sym/ksyms.h"
#include "source/perf_data/kernel_files.h"
#include "source/pt/input/elf_code.h"
#include "source/pt/input/running_code.h"

/* Number of digits of build IDs in notes. */
#define SHORT_ID	12

static int add_note(struct fargs_pt_input *in, const struct fargs_kernel_files *files)
{
	char id[FARGS_BUILD_ID_TEXT];

	if (!in->config.has_kernel)
		return 0;
	if (files->vmlinux)
		return fargs_pt_input_add_note(in, "the kernel's code is read from '%s': where the "
					       "kernel has modified it, errors are likely, and "
					       "modules have none. Record with 'perf record "
					       "--kcore'", files->vmlinux);
	if (!in->kernel.id.nr)
		return fargs_pt_input_add_note(in, "the kernel's code is missing: record with "
					       "'perf record --kcore'");
	return fargs_pt_input_add_note(in, "the kernel's code is missing (build ID %.*s): record "
				       "with 'perf record --kcore', or add it on the traced "
				       "machine with 'perf buildid-cache --kcore /proc/kcore'",
				       SHORT_ID,
				       fargs_build_id_text(&in->kernel.id, id));
}

int fargs_kernel_code_add(struct fargs_pt_input *in, const struct fargs_kernel_files *files,
			  struct fargs_error_text *err)
{
	if (files->kcore && files->is_running)
		return fargs_running_code_add(in, files->kcore, files->kallsyms, err);
	if (files->kcore)
		return fargs_elf_code_add(in, files->kcore, 0, err);
	return files->vmlinux ? fargs_elf_code_add(in, files->vmlinux, files->vmlinux_moved, err) :
				0;
}

/* Likewise. If there is none, or it cannot be read although it is not recorded, adds a note. */
static int add_code(struct fargs_pt_input *in, const struct fargs_kernel_files *files,
		    struct fargs_error_text *err)
{
	int ret = fargs_kernel_code_add(in, files, err);

	if (ret == -ENOMEM || (ret && files->is_recorded))
		return ret;
	if (ret)
		ret = fargs_pt_input_add_note(in, "%s", err->text);
	else if (!files->kcore)
		ret = add_note(in, files);
	return ret ? fargs_fail(err, ENOMEM, "out of memory") : 0;
}

static int add_all(struct fargs_pt_input *in, const struct fargs_kernel_files *files,
		   const char *kcore, struct fargs_error_text *err)
{
	__cleanup_free char *symbols = NULL;
	size_t size = 0;
	int ret;

	symbols = fargs_kernel_files_symbols(files, &in->kernel, &size, err);
	/* A recording has all that perf has copied, or it is damaged. */
	if (!symbols && files->is_recorded)
		return -EINVAL;
	ret = kcore ? fargs_elf_code_add(in, kcore, 0, err) : add_code(in, files, err);
	if (ret || !symbols)
		return ret;
	in->ksyms = fargs_ksyms_parse_own(fargs_take_ptr(symbols), size, err);
	return in->ksyms || !files->is_recorded ? 0 : -EINVAL;
}

int fargs_kernel_input_add(struct fargs_pt_input *in, const struct fargs_perf_file *file,
			   const char *kcore, struct fargs_error_text *err)
{
	const char *release = fargs_perf_file_feature(file, FARGS_PERF_FEATURE_OSRELEASE);
	struct fargs_kernel_files files = { };
	struct fargs_locator locator;
	int ret;

	ret = fargs_locator_init(&locator, in->root);
	if (!ret)
		ret = fargs_kernel_files_find(&files, fargs_perf_file_kcore_dir(file),
					      &in->kernel, release, &locator);
	if (ret)
		fargs_fail(err, ENOMEM, "out of memory");
	else
		ret = add_all(in, &files, kcore, err);
	fargs_kernel_files_deinit(&files);
	fargs_locator_deinit(&locator);
	return ret;
}
