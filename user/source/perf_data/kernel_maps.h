/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the kernel and its modules were while perf recorded, from the MMAP records that perf writes
 * for them.
 */
#ifndef FARGS_SOURCE_PERF_DATA_KERNEL_MAPS_H
#define FARGS_SOURCE_PERF_DATA_KERNEL_MAPS_H

#include "source/perf_data/body.h"

/* Initialize with zeroes. */
struct fargs_kernel_maps {
	/*
	 * A symbol at the beginning of the kernel, mostly _text, and its address. They show whether
	 * the kernel was relocated. NULL: unknown.
	 */
	char *symbol;
	uint64_t addr;
	struct fargs_build_id id;	/* of the kernel */
	struct fargs_kernel_module {
		char *name;		/* as in /proc/modules */
		char *path;		/* as recorded: "[name]" or the path of its file */
		uint64_t addr, bytes;
		struct fargs_build_id id;
	} *modules;
	size_t nr_modules;
};

void fargs_kernel_maps_deinit(struct fargs_kernel_maps *maps);
/*
 * Adds the mapping in an MMAP or MMAP2 record; ignores those of programs. Returns 0, -EIO if the
 * record is too short, or -ENOMEM.
 */
int fargs_kernel_maps_add(struct fargs_kernel_maps *maps, const struct fargs_perf_body *b);
/* Sets the build IDs that are in the list of those of a recording: records mostly have none. */
void fargs_kernel_maps_set_ids(struct fargs_kernel_maps *maps,
			       const struct fargs_build_id_list *list);

#endif
