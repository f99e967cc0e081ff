/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BTF given by the user with --btf: files, and trees of files by kernel release.
 *
 * BTF of another kernel, or of another build of a module, would show wrong values. A file must be
 * proven to belong to the running kernel or module (kernel/btf/identity.h). If the file or the
 * kernel lacks the data for that, the file's functions must at least be symbols here
 * (kernel/btf/coverage.h). Split BTF must also fit its base (kernel/btf/split.h).
 */
#ifndef FARGS_KERNEL_BTF_FILES_H
#define FARGS_KERNEL_BTF_FILES_H

#include "base/error.h"
#include "base/list.h"
#include "kernel/btf/btfs.h"
#include "kernel/sym/ksyms.h"

struct fargs_btf_files;

/*
 * @words: [MODULE=]FILE or DIR. Without MODULE, the name is the one in an ELF file of a module;
 * other split BTF is named after its FILE. @ksyms must outlive the result.
 */
struct fargs_btf_files *fargs_btf_files_create(const struct fargs_list *words,
					       const struct fargs_ksyms *ksyms,
					       struct fargs_error_text *err);
void fargs_btf_files_destroy(struct fargs_btf_files *files);

/*
 * For fargs_btfs_load(), which takes ownership of @files. Files have precedence over the kernel's
 * own BTF, which has precedence over trees.
 */
struct fargs_btfs_finder fargs_btf_files_finder(struct fargs_btf_files *files);

/* The name ("vmlinux" or a module) that the @i-th FILE describes; NULL: no more. */
const char *fargs_btf_files_name(const struct fargs_btf_files *files, size_t i);

#endif
