// SPDX-License-Identifier: GPL-2.0-only
#include "file/recover.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "file/output.h"
#include "file/records.h"
#include "file/scan.h"

struct recovery {
	struct fargs_scan scan;
	struct fargs_meta meta;		/* metadata from INFO */
	struct fargs_output *output;
	char *buf;			/* buffer for a chunk's payload */
	size_t room;
	char *clocks;			/* contents of all CLOCK chunks */
	size_t clocks_bytes;
	bool has_clocks;		/* the file has a CLOCKS chunk */
};

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

/*
 * Creates the new file. Its INFO is that of the old file, but with the current version, a new id,
 * and is_recovered set.
 */
static int create_output(struct recovery *r, const char *out, bool is_new,
			 struct fargs_error_text *err)
{
	struct fargs_file_info about = r->scan.about;
	size_t size;
	char *text;

	about.version = FARGS_FILE_VERSION;
	about.is_recovered = true;
	if (getrandom(&about.id, sizeof(about.id), GRND_NONBLOCK) != sizeof(about.id))
		about.id++;
	text = fargs_info_text(&r->meta, &about, &size);
	if (!text)
		return no_memory(err);
	r->output = fargs_output_create(out, is_new, text, size, about.id, err);
	free(text);
	return r->output ? 0 : -EIO;
}

static int keep_clock(struct recovery *r, size_t bytes, struct fargs_error_text *err)
{
	char *clocks = realloc(r->clocks, r->clocks_bytes + bytes + 1);

	if (!clocks)
		return no_memory(err);
	r->clocks = clocks;
	memcpy(clocks + r->clocks_bytes, r->buf, bytes);
	r->clocks_bytes += bytes;
	return 0;
}

static int put_clocks(struct recovery *r, struct fargs_error_text *err)
{
	const struct fargs_chunk head = { .kind = FARGS_CHUNK_CLOCKS, .cpu = FARGS_CHUNK_NO_CPU };
	const struct iovec iov[2] = { { r->clocks, r->clocks_bytes } };

	return r->has_clocks ? 0 : fargs_output_chunk(r->output, &head, iov, err);
}

static int copy(struct recovery *r, const struct fargs_scan_chunk *chunk,
		struct fargs_error_text *err)
{
	size_t bytes = chunk->head.bytes;
	struct fargs_chunk head = chunk->head;
	struct iovec iov[2];
	char *buf;
	int ret;

	if (bytes >= r->room) {
		buf = realloc(r->buf, bytes + 1);
		if (!buf)
			return no_memory(err);
		r->buf = buf;
		r->room = bytes + 1;
	}
	ret = fargs_scan_stored(&r->scan, chunk, r->buf, err);
	if (ret)
		return ret;
	/* Compute the header's fields that version 1 did not have, such as times. */
	if (head.kind == FARGS_CHUNK_RECORDS && r->scan.about.version < 2) {
		if (bytes && fargs_records_measure(head.kind, r->buf, bytes, bytes,
						   &head) != bytes)
			return fargs_scan_corrupt(&r->scan, chunk->head.at, "a record is corrupt",
						  err);
		head.cpu = chunk->head.cpu;
	} else if (r->scan.about.version < 2) {
		head.flags = 0;
		head.last_tsc = 0;
	}
	if (head.kind == FARGS_CHUNK_CLOCK && keep_clock(r, bytes, err))
		return -ENOMEM;
	/* The file has a CLOCKS chunk, so put_clocks() need not make one from the CLOCK chunks. */
	if (head.kind == FARGS_CHUNK_CLOCKS)
		r->has_clocks = true;
	iov[0] = (struct iovec){ r->buf, bytes };
	iov[1] = (struct iovec){ NULL, 0 };
	return fargs_output_chunk(r->output, &head, iov, err);
}

/* Copies all chunks that the scan finds, and finishes the output. */
static int recover(struct recovery *r, struct fargs_error_text *err)
{
	struct fargs_scan_chunk chunk;
	int ret;

	while ((ret = fargs_scan_next(&r->scan, &chunk, err)) == 1) {
		ret = copy(r, &chunk, err);
		if (ret)
			return ret;
	}
	if (!ret)
		ret = put_clocks(r, err);
	return ret ? ret : fargs_output_finish(r->output, err);
}

/* Are @out and the input the same file? Creating @out would destroy the input. */
static bool is_same(const struct fargs_scan *s, const char *out)
{
	struct stat a, b;

	return !fstat(s->fd, &a) && !stat(out, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Returns 1 if the file is complete and all checksums match, 0 if not, or -errno. */
static int is_whole(const char *path, struct fargs_error_text *err)
{
	struct fargs_scan_chunk chunk;
	struct fargs_scan scan;
	struct fargs_meta meta;
	int ret;

	fargs_meta_init(&meta);
	ret = fargs_scan_init(&scan, path, &meta, err);
	if (!ret && scan.is_finished) {
		scan.is_salvage = true;
		while ((ret = fargs_scan_next(&scan, &chunk, err)) == 1)
			;
		if (!ret)
			ret = scan.has_end && !scan.damaged;
	}
	fargs_scan_deinit(&scan);
	fargs_meta_deinit(&meta);
	return ret;
}

int fargs_recover(const char *path, const char *out, bool is_new, struct fargs_recovery *result,
		  struct fargs_error_text *err)
{
	struct recovery r = { };
	int ret = is_whole(path, err);

	*result = (struct fargs_recovery){ .was_whole = ret > 0 };
	if (ret)
		return ret < 0 ? ret : 0;
	fargs_meta_init(&r.meta);
	ret = fargs_scan_init(&r.scan, path, &r.meta, err);
	r.scan.is_salvage = true;
	if (!ret && is_same(&r.scan, out))
		ret = fargs_fail(err, EINVAL, "'%s' is the file to recover: give another name",
				 out);
	if (!ret)
		ret = create_output(&r, out, is_new, err);
	if (!ret) {
		ret = recover(&r, err);
		result->bytes = fargs_output_bytes(r.output);
		if (ret)
			fargs_output_discard(r.output);
		else
			fargs_output_destroy(r.output);
	}
	result->nr_chunks = r.scan.nr_chunks;
	result->end = r.scan.end;
	/*
	 * If END was found, only the section table follows. It does not count as left out, since it
	 * is rebuilt.
	 */
	result->left_out = r.scan.damaged + (r.scan.has_end ? 0 : r.scan.size - r.scan.end);
	fargs_scan_deinit(&r.scan);
	fargs_meta_deinit(&r.meta);
	free(r.buf);
	free(r.clocks);
	return ret;
}
