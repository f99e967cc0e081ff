/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Payloads of chunks as zstd frames (RFC 8878).
 */
#ifndef FARGS_FILE_PACK_H
#define FARGS_FILE_PACK_H

#include <stddef.h>

/* Levels of zstd that make sense while recording. */
#define FARGS_PACK_LEVEL_MAX	19

struct fargs_packer;

/* NULL: no memory. */
struct fargs_packer *fargs_packer_create(int level);
void fargs_packer_destroy(struct fargs_packer *p);

/*
 * Packs @bytes at @raw; *@packed is valid until the next call. Returns its size,
 * or 0 where it would not be smaller.
 */
size_t fargs_packer_pack(struct fargs_packer *p, const void *raw, size_t bytes,
			 const void **packed);

/*
 * Unpacks one frame that must give exactly @raw_bytes, into @raw; never writes
 * more than that. 0; -EIO when it does not.
 */
int fargs_unpack(const void *packed, size_t bytes, void *raw, size_t raw_bytes);

#endif
