// SPDX-License-Identifier: GPL-2.0-only
#include "file/zout.h"

#include <errno.h>
#include <stdlib.h>

#include <zstd.h>

int fargs_zout_init(struct fargs_zout *z)
{
	z->ctx = ZSTD_createCCtx();
	z->room = ZSTD_CStreamOutSize();
	z->buf = malloc(z->room);
	/* Whoever reads the file notices damage. */
	if (z->ctx && z->buf &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(z->ctx, ZSTD_c_checksumFlag, 1)))
		return 0;
	fargs_zout_deinit(z);
	return -ENOMEM;
}

void fargs_zout_deinit(struct fargs_zout *z)
{
	ZSTD_freeCCtx(z->ctx);
	free(z->buf);
	*z = (struct fargs_zout){ };
}

static int write_raw(FILE *to, const void *data, size_t bytes)
{
	errno = 0;
	if (!bytes || fwrite(data, 1, bytes, to) == bytes)
		return 0;
	return errno ? -errno : -EIO;
}

/* Compresses all of @in; with ZSTD_e_end, also what zstd still holds. */
static int compress(struct fargs_zout *z, FILE *to, ZSTD_inBuffer *in, ZSTD_EndDirective end)
{
	size_t left;
	int ret;

	do {
		ZSTD_outBuffer out = { z->buf, z->room, 0 };

		left = ZSTD_compressStream2(z->ctx, &out, in, end);
		if (ZSTD_isError(left))
			return -ENOMEM;
		ret = write_raw(to, z->buf, out.pos);
		if (ret)
			return ret;
	} while (in->pos < in->size || (end == ZSTD_e_end && left));
	return 0;
}

int fargs_zout_write(struct fargs_zout *z, FILE *to, const void *data, size_t bytes)
{
	ZSTD_inBuffer in = { data, bytes, 0 };

	return z->ctx ? compress(z, to, &in, ZSTD_e_continue) : write_raw(to, data, bytes);
}

int fargs_zout_end(struct fargs_zout *z, FILE *to)
{
	ZSTD_inBuffer in = { };

	return z->ctx ? compress(z, to, &in, ZSTD_e_end) : 0;
}
