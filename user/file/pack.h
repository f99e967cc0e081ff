/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compresses chunk payloads to zstd frames (RFC 8878).
 */
#ifndef FARGS_FILE_PACK_H
#define FARGS_FILE_PACK_H

#include <stddef.h>

/* Maximum zstd level. zstd supports higher levels, but they are too slow for recording. */
#define FARGS_PACK_LEVEL_MAX	19

struct fargs_packer;

/* Creates a packer for zstd level @level. Returns NULL if there is no memory. */
struct fargs_packer *fargs_packer_create(int level);
void fargs_packer_destroy(struct fargs_packer *p);

/*
 * Compresses @bytes at @raw. *@packed is valid until the next call. Returns the compressed size, or
 * 0 if it would not be smaller than @bytes or there is no memory.
 */
size_t fargs_packer_pack(struct fargs_packer *p, const void *raw, size_t bytes,
			 const void **packed);

/*
 * Decompresses a single frame to exactly @raw_bytes at @raw, and never writes more. Returns 0, or
 * -EIO if the frame is invalid or its contents have another size.
 */
int fargs_unpack(const void *packed, size_t bytes, void *raw, size_t raw_bytes);

#endif
