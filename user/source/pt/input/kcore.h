/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads kernel memory from /proc/kcore, an ELF file with a segment for each range of memory.
 */
#ifndef FARGS_SOURCE_PT_INPUT_KCORE_H
#define FARGS_SOURCE_PT_INPUT_KCORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct fargs_kcore_segment {
	uint64_t addr, bytes;
	uint64_t offset;	/* offset in the file */
};

struct fargs_kcore {
	int fd;
	struct fargs_kcore_segment *segments;
	size_t nr;
};

/* Opens @path, which is /proc/kcore except in tests. Returns 0 or -errno with @err. */
int fargs_kcore_open(struct fargs_kcore *kcore, const char *path, struct fargs_error_text *err);
void fargs_kcore_close(struct fargs_kcore *kcore);

/*
 * Reads @bytes at @addr; memory that is not mapped reads as zeroes. Returns 0; -ENOENT with @err if
 * no segment contains the whole range; or another -errno with @err.
 */
int fargs_kcore_read(const struct fargs_kcore *kcore, uint64_t addr, void *buf, size_t bytes,
		     struct fargs_error_text *err);

#endif
