/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the file of a module that is not loaded: its functions, and which of them ftrace can trace.
 */
#ifndef FARGS_KERNEL_SYM_MODULE_FILE_H
#define FARGS_KERNEL_SYM_MODULE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/sym/ftrace_avail.h"
#include "kernel/sym/ksyms.h"

struct fargs_module_file;

/*
 * Reads the relocatable ELF file @path of module @module. Error messages name the file @name.
 * Returns NULL with the reason in @err on failure.
 */
struct fargs_module_file *fargs_module_file_create(const char *path, const char *name,
						   const char *module,
						   struct fargs_error_text *err);
void fargs_module_file_destroy(struct fargs_module_file *file);

/*
 * The symbols and traceable functions that the kernel would list if the module were loaded, but at
 * made-up addresses, which are equal only for aliases. Owned by @file.
 */
const struct fargs_ksyms *fargs_module_file_ksyms(const struct fargs_module_file *file);
const struct fargs_avail *fargs_module_file_avail(const struct fargs_module_file *file);

/*
 * Returns the index of @sym, one of the file's ksyms, among functions of the same name, counted
 * from 0 in symbol table order (struct fargs_symbol).
 */
uint32_t fargs_module_file_index(const struct fargs_module_file *file,
				 const struct fargs_ksym *sym);

#endif
