/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's memory, by /proc/kcore: an ELF file whose segments are what is mapped.
 */
#ifndef FARGS_PT_KCORE_H
#define FARGS_PT_KCORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct fargs_kcore_segment {
	uint64_t addr, bytes;
	uint64_t offset;	/* in the file */
};

struct fargs_kcore {
	int fd;
	struct fargs_kcore_segment *segments;
	size_t nr;
};

/* @path: /proc/kcore but for tests. -errno. */
int fargs_kcore_open(struct fargs_kcore *kcore, const char *path, struct fargs_error_text *err);
void fargs_kcore_close(struct fargs_kcore *kcore);

/*
 * Reads @bytes from @addr on; what is not mapped there now is zeroes. -ENOENT: that is in no
 * segment as a whole; -errno.
 */
int fargs_kcore_read(const struct fargs_kcore *kcore, uint64_t addr, void *buf, size_t bytes,
		     struct fargs_error_text *err);

#endif
