/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Iterates over the chunks of a trace file, without trusting its contents. Parses only the payload
 * of INFO.
 *
 * A file that was cut off is salvaged: damaged parts are skipped, and all whole chunks are
 * returned. All payloads must be read to find them, since a header may have reached the disk
 * without its payload.
 */
#ifndef FARGS_FILE_SCAN_H
#define FARGS_FILE_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "file/format.h"
#include "file/info.h"
#include "model/meta.h"

struct fargs_scan {
	int fd;
	const char *path;
	uint64_t size;			/* size of the file when it was last checked */
	struct fargs_file_info about;
	bool is_finished;		/* the file has a section table */
	/*
	 * Skip damaged parts. fargs_scan_init() sets it to !is_finished; the caller may change it
	 * before the first fargs_scan_next().
	 */
	bool is_salvage;
	/*
	 * The file is still being written. May be set before the first fargs_scan_next(), if
	 * is_salvage is cleared.
	 */
	bool is_growing;
	bool has_end;			/* the END chunk was found */
	uint64_t next;			/* offset of the next chunk's header */
	uint64_t end;			/* offset after the last whole chunk */
	uint64_t nr_chunks;		/* number of chunks found */
	uint64_t damaged;		/* bytes in damaged parts that precede a whole chunk */
	uint64_t damaged_at;		/* offset of the first byte that was skipped as damaged */
	char *buf;			/* buffer for checking a payload while salvaging */
	size_t room;
};

/* A chunk that fargs_scan_next() has found. */
struct fargs_scan_chunk {
	/* Version 1 has no times: they are set to 0 and UINT64_MAX. */
	struct fargs_chunk head;
	uint64_t payload;		/* offset of the payload in the file */
};

/*
 * Opens @path, which must outlive @s, and parses INFO into @meta and @s->about. Returns 0, or
 * -errno with @err if the file is not a trace, is of a newer version, or was cut off within INFO.
 * The caller calls fargs_scan_deinit() in all cases.
 */
int fargs_scan_init(struct fargs_scan *s, const char *path, struct fargs_meta *meta,
		    struct fargs_error_text *err);
void fargs_scan_deinit(struct fargs_scan *s);

/* Result of fargs_scan_next() if the next chunk of a growing file is not complete yet. */
#define FARGS_SCAN_WAITS	2

/*
 * Sets *@chunk to the next chunk. Returns 1; 0 if it is the END chunk or, with is_salvage, if there
 * are no more whole chunks; FARGS_SCAN_WAITS; or -errno with @err, which contains the byte offset.
 */
int fargs_scan_next(struct fargs_scan *s, struct fargs_scan_chunk *chunk,
		    struct fargs_error_text *err);

/*
 * Updates the size of a growing file, and s->is_finished. Returns 0, or -errno with @err if the
 * file was truncated or removed.
 */
int fargs_scan_grow(struct fargs_scan *s, struct fargs_error_text *err);
/*
 * Is the file @path, which is being written, long enough for fargs_scan_init()? Returns 1 if so, 0
 * if it is still too short, or -errno with @err if it cannot be opened. Also returns 1 if @path is
 * not a trace; fargs_scan_init() then reports the error.
 */
int fargs_scan_is_begun(const char *path, struct fargs_error_text *err);

/*
 * Reads @chunk's payload into @buf, which has room for @chunk->head.raw_bytes, verifies its
 * checksum and decompresses it. Does not modify @s, so several threads may use it. Returns 0 or
 * -errno.
 */
int fargs_scan_payload(const struct fargs_scan *s, const struct fargs_scan_chunk *chunk,
		       void *buf, struct fargs_error_text *err);
/* Like fargs_scan_payload(), but without decompression. @buf has room for @chunk->head.bytes. */
int fargs_scan_stored(const struct fargs_scan *s, const struct fargs_scan_chunk *chunk,
		      void *buf, struct fargs_error_text *err);

/* Sets @err to "PATH: corrupt at byte AT: WHAT" and returns -EIO. */
int fargs_scan_corrupt(const struct fargs_scan *s, uint64_t at, const char *what,
		       struct fargs_error_text *err);

#endif
