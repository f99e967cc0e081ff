/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BTF that the user gives with --btf: files, and trees of them by kernel release.
 *
 * BTF of another kernel, or of another build of a module, would show wrong values.
 * So a file must be proven to belong to what runs (btf/identity.h), or, if it or
 * the kernel does not tell, at least look like it: its functions are symbols here
 * (layout/coverage.h). Split BTF must besides fit the BTF below it (btf/split.h).
 */
#ifndef FARGS_CTL_BTF_FILES_H
#define FARGS_CTL_BTF_FILES_H

#include "kernel/btf/btfs.h"
#include "kernel/sym/ksyms.h"
#include "base/error.h"
#include "base/list.h"

struct fargs_btf_files;

/*
 * @words: [MODULE=]FILE or DIR. What a FILE describes is told by itself (a module
 * knows its name), else by its name. @ksyms must outlive it.
 */
struct fargs_btf_files *fargs_btf_files_create(const struct fargs_list *words,
					       const struct fargs_ksyms *ksyms,
					       struct fargs_error_text *err);
void fargs_btf_files_destroy(struct fargs_btf_files *files);

/*
 * To be given to fargs_btfs_load, which destroys @files. Files come before what
 * the kernel has, trees after it.
 */
struct fargs_btfs_finder fargs_btf_files_finder(struct fargs_btf_files *files);

/* The @i-th name that a FILE describes; NULL: no more. */
const char *fargs_btf_files_name(const struct fargs_btf_files *files, size_t i);

#endif
