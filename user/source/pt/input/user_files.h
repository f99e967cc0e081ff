/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files with the code of user space: which files on this machine have the code that was
 * executed (source/perf_data/locate.h), and their functions, which are read when they are first
 * needed.
 */
#ifndef FARGS_SOURCE_PT_INPUT_USER_FILES_H
#define FARGS_SOURCE_PT_INPUT_USER_FILES_H

#include <stdbool.h>

#include "source/perf_data/build_id.h"
#include "source/perf_data/dso.h"
#include "source/pt/input/input.h"

/* Threads may share the struct. */
struct fargs_pt_files;

void fargs_pt_files_destroy(struct fargs_pt_files *files);

/*
 * Finds the files of in->mappings, and creates in->files. Drops mappings whose file is missing or
 * is another version, and adds a note about them; drops all if user space is not traced. Replaces
 * mappings of dumps of JIT compilers by the functions in them (jitdump.h). @ids: build IDs of files
 * whose mappings have none; NULL: none. Call before in->mappings are sorted, and after in->config
 * is set. Returns 0 or -ENOMEM.
 */
int fargs_pt_user_files_find(struct fargs_pt_input *in, const struct fargs_build_id_list *ids);

/*
 * Returns the function at offset @at of file number @file, or NULL. The result is valid as long as
 * @files.
 */
const struct fargs_dso_symbol *fargs_pt_files_symbol(struct fargs_pt_files *files, uint32_t file,
						     uint64_t at);
/* Returns file number @file; NULL: out of memory. Its debug information is not for threads. */
const struct fargs_dso *fargs_pt_files_dso(struct fargs_pt_files *files, uint32_t file);
/* Like fargs_dso_srcline(), for threads. The result is valid as long as @files. */
const char *fargs_pt_files_srcline(struct fargs_pt_files *files, uint32_t file, uint64_t at,
				   unsigned int *line);
/* Returns whether a function of any file has a name that matches @glob. */
bool fargs_pt_files_have(struct fargs_pt_files *files, const char *glob);
/* Returns the recorded path of file number @file. */
const char *fargs_pt_files_path(const struct fargs_pt_files *files, uint32_t file);

#endif
