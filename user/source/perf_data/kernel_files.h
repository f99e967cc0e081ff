/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the code and the symbols of the kernel that perf recorded: in the recording (perf record
 * --kcore), in this machine's kernel if it is still the same, in perf's cache (perf buildid-cache
 * --kcore), or in the file vmlinux.
 */
#ifndef FARGS_SOURCE_PERF_DATA_KERNEL_FILES_H
#define FARGS_SOURCE_PERF_DATA_KERNEL_FILES_H

#include <stdbool.h>

#include "base/error.h"
#include "source/perf_data/kernel_maps.h"
#include "source/perf_data/locate.h"

/* Initialize with zeroes. Paths are NULL if there is no such file. */
struct fargs_kernel_files {
	char *kcore;		/* a copy of /proc/kcore, or this file itself */
	char *vmlinux;		/* the kernel as it was linked, if there is no kcore */
	uint64_t vmlinux_moved;	/* what to add to its addresses; 0: not relocated, or unknown */
	char *kallsyms;		/* symbols, in the format of /proc/kallsyms */
	/*
	 * The symbols are from another boot: modules may be at other addresses, and @kallsyms_moved
	 * is to be added to the kernel's.
	 */
	bool is_other_boot;
	uint64_t kallsyms_moved;
	bool is_recorded;	/* the files are part of the recording */
	bool is_running;	/* they are those of this machine's kernel */
};

void fargs_kernel_files_deinit(struct fargs_kernel_files *files);

/*
 * @kcore_dir: the directory written by perf record --kcore; NULL: none. @release: the version of
 * the recorded kernel; NULL: unknown. Returns 0 or -ENOMEM.
 */
int fargs_kernel_files_find(struct fargs_kernel_files *files, const char *kcore_dir,
			    const struct fargs_kernel_maps *maps, const char *release,
			    const struct fargs_locator *l);

/*
 * Returns the symbols in the format of /proc/kallsyms, to be freed with free(); NULL with errno and
 * @err if they cannot be read. Modules that were elsewhere have none.
 */
char *fargs_kernel_files_symbols(const struct fargs_kernel_files *files,
				 const struct fargs_kernel_maps *maps, size_t *size,
				 struct fargs_error_text *err);

#endif
