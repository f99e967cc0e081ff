/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BTF that the user gives with --btf: files, and directories of files by kernel release.
 *
 * BTF of another kernel, or of another build of a module, would show wrong values. So a file must
 * be proven to belong to the running kernel or module (kernel/btf/identity.h). If the file or the
 * kernel lacks the data for a proof, at least the functions in the BTF must be symbols of the
 * running kernel or module (kernel/btf/coverage.h). Split BTF must also fit its base
 * (kernel/btf/split.h).
 */
#ifndef FARGS_KERNEL_BTF_FILES_H
#define FARGS_KERNEL_BTF_FILES_H

#include "base/error.h"
#include "base/list.h"
#include "kernel/btf/btfs.h"
#include "kernel/sym/ksyms.h"

struct fargs_btf_files;

/*
 * @words: [MODULE=]FILE or DIR, as given with --btf. If MODULE is missing, it is taken from FILE if
 * that is a module's ELF file; for other split BTF, it is derived from the name of FILE. @ksyms
 * must outlive the result. Returns NULL with the reason in @err on failure.
 */
struct fargs_btf_files *fargs_btf_files_create(const struct fargs_list *words,
					       const struct fargs_ksyms *ksyms,
					       struct fargs_error_text *err);
void fargs_btf_files_destroy(struct fargs_btf_files *files);

/*
 * Returns a finder for fargs_btfs_load(), which takes ownership of @files. BTF in files has
 * precedence over the kernel's own BTF, which has precedence over BTF in directories.
 */
struct fargs_btfs_finder fargs_btf_files_finder(struct fargs_btf_files *files);

/*
 * Returns the name of the BTF in the @i-th FILE, from 0: "vmlinux" or a module; NULL if there are
 * no more.
 */
const char *fargs_btf_files_name(const struct fargs_btf_files *files, size_t i);

#endif
