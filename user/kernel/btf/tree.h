/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds BTF files for a kernel release in a directory. For release R, the directory may contain
 *
 *	R/vmlinux  R/vmlinux.btf  R/build/vmlinux  R.btf  vmlinux-R  vmlinux-R.btf
 *
 * and, also in subdirectories of R/,
 *
 *	R/MODULE.btf  R/MODULE.ko  R/MODULE.ko.debug
 *
 * /lib/modules, /usr/lib/debug/lib/modules and collections such as BTFHub have such files.
 */
#ifndef FARGS_KERNEL_BTF_TREE_H
#define FARGS_KERNEL_BTF_TREE_H

#include <stddef.h>

#include "base/error.h"

struct fargs_btf_tree;

/*
 * Lists the BTF files in @dir for @release. Returns NULL with the reason in @err if @dir cannot be
 * read or has no such file.
 */
struct fargs_btf_tree *fargs_btf_tree_create(const char *dir, const char *release,
					     struct fargs_error_text *err);
void fargs_btf_tree_destroy(struct fargs_btf_tree *tree);

/*
 * Returns the path of the @i-th file, from 0, that may describe @name ("vmlinux" or a module), most
 * likely first; NULL if there are no more.
 */
const char *fargs_btf_tree_find(const struct fargs_btf_tree *tree, const char *name, size_t i);
/* Returns the path of a compressed file that may describe @name, or NULL. */
const char *fargs_btf_tree_find_packed(const struct fargs_btf_tree *tree, const char *name);

/* Derives a module's name from the path of its file: "a/snd-pcm.ko.debug" gives "snd_pcm". */
void fargs_btf_module_name(char *name, size_t size, const char *path);

#endif
