// SPDX-License-Identifier: GPL-2.0-only
#include "file/pack.h"

#include <errno.h>
#include <stdlib.h>

#include <zstd.h>

struct fargs_packer {
	ZSTD_CCtx *ctx;
	void *buf;
	size_t room;
};

struct fargs_packer *fargs_packer_create(int level)
{
	struct fargs_packer *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->ctx = ZSTD_createCCtx();
	if (!p->ctx ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(p->ctx, ZSTD_c_compressionLevel, level))) {
		fargs_packer_destroy(p);
		return NULL;
	}
	return p;
}

void fargs_packer_destroy(struct fargs_packer *p)
{
	if (!p)
		return;
	ZSTD_freeCCtx(p->ctx);
	free(p->buf);
	free(p);
}

size_t fargs_packer_pack(struct fargs_packer *p, const void *raw, size_t bytes,
			 const void **packed)
{
	size_t n;
	void *buf;

	if (bytes > p->room) {
		buf = realloc(p->buf, bytes);
		/* On failure, the caller stores the payload uncompressed. */
		if (!buf)
			return 0;
		p->buf = buf;
		p->room = bytes;
	}
	/* Limit the result to @bytes: a larger one would save nothing. */
	n = ZSTD_compress2(p->ctx, p->buf, bytes, raw, bytes);
	*packed = p->buf;
	return ZSTD_isError(n) || n >= bytes ? 0 : n;
}

int fargs_unpack(const void *packed, size_t bytes, void *raw, size_t raw_bytes)
{
	/*
	 * @packed must be exactly one frame, and its sizes before and after unpacking must be
	 * @bytes and @raw_bytes, which are from the chunk's header.
	 */
	if (ZSTD_findFrameCompressedSize(packed, bytes) != bytes ||
	    ZSTD_getFrameContentSize(packed, bytes) != raw_bytes ||
	    ZSTD_decompress(raw, raw_bytes, packed, bytes) != raw_bytes)
		return -EIO;
	return 0;
}
