/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file of a module that is not loaded: which functions it has, and which of them
 * ftrace will be able to trace.
 */
#ifndef FARGS_SYM_MODULE_FILE_H
#define FARGS_SYM_MODULE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/sym/ftrace_avail.h"
#include "kernel/sym/ksyms.h"
#include "base/error.h"

struct fargs_module_file;

/*
 * Reads the relocatable ELF file @path, called @name when something is wrong with
 * it, of module @module. NULL with the reason in @err.
 */
struct fargs_module_file *fargs_module_file_create(const char *path, const char *name,
						   const char *module,
						   struct fargs_error_text *err);
void fargs_module_file_destroy(struct fargs_module_file *file);

/*
 * As if it were loaded, at addresses that mean nothing but tell functions apart, and
 * which of them are the same. Owned by the file.
 */
const struct fargs_ksyms *fargs_module_file_ksyms(const struct fargs_module_file *file);
const struct fargs_avail *fargs_module_file_avail(const struct fargs_module_file *file);

/*
 * Which one @sym, of those ksyms, is of the functions with its name, from 0 in the order
 * of the symbol table (struct fargs_symbol).
 */
uint32_t fargs_module_file_index(const struct fargs_module_file *file,
				 const struct fargs_ksym *sym);

#endif
