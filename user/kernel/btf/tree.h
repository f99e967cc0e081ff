/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Searches a directory of BTF files by kernel release. For release R it may contain
 *
 *	R/vmlinux  R/vmlinux.btf  R/build/vmlinux  R.btf  vmlinux-R  vmlinux-R.btf
 *	R/MODULE.btf  R/MODULE.ko  R/MODULE.ko.debug, also in subdirectories of R/
 *
 * like /lib/modules, /usr/lib/debug/lib/modules and collections such as BTFHub.
 */
#ifndef FARGS_KERNEL_BTF_TREE_H
#define FARGS_KERNEL_BTF_TREE_H

#include <stddef.h>

#include "base/error.h"

struct fargs_btf_tree;

/* NULL with the reason in @err: @dir is not readable or has no file for @release. */
struct fargs_btf_tree *fargs_btf_tree_create(const char *dir, const char *release,
					     struct fargs_error_text *err);
void fargs_btf_tree_destroy(struct fargs_btf_tree *tree);

/*
 * The @i-th file that may describe @name ("vmlinux" or a module), most likely first; NULL: no more.
 */
const char *fargs_btf_tree_find(const struct fargs_btf_tree *tree, const char *name, size_t i);
/* A compressed file that may describe @name, or NULL. */
const char *fargs_btf_tree_find_packed(const struct fargs_btf_tree *tree, const char *name);

/* Derives the module's name from a file name: "a/snd-pcm.ko.debug" gives "snd_pcm". */
void fargs_btf_module_name(char *name, size_t size, const char *path);

#endif
