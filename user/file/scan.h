/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Iterates over the chunks of a trace file, and trusts no byte. Interprets no payload but INFO.
 *
 * A file that was cut off is salvaged: damaged parts are skipped, and every whole chunk is
 * returned. That requires reading all payloads, since a header can reach the disk without its
 * payload.
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
	uint64_t size;			/* of the file, when last looked at */
	struct fargs_file_info about;
	bool is_finished;		/* the file has a section table */
	bool is_salvage;		/* settable between init and the first next */
	bool is_growing;		/* likewise; requires is_salvage off */
	bool has_end;			/* END was found */
	uint64_t next;			/* offset of the next header */
	uint64_t end;			/* end of the last whole chunk */
	uint64_t nr_chunks;		/* chunks returned */
	uint64_t damaged;		/* bytes skipped before whole chunks */
	uint64_t damaged_at;		/* offset of the first of them */
	char *buf;			/* payload buffer for salvaging */
	size_t room;
};

/* A chunk that was found. */
struct fargs_scan_chunk {
	struct fargs_chunk head;	/* version 1: widest values for missing fields */
	uint64_t payload;		/* offset in the file */
};

/*
 * Opens @path, which must outlive @s, and parses INFO into @meta and @s->about. Returns 0, or
 * -errno with @err: not a trace, a newer version, or cut off within INFO. The caller calls
 * fargs_scan_deinit() in all cases.
 */
int fargs_scan_init(struct fargs_scan *s, const char *path, struct fargs_meta *meta,
		    struct fargs_error_text *err);
void fargs_scan_deinit(struct fargs_scan *s);

/* The next chunk of a growing file is not complete yet. */
#define FARGS_SCAN_WAITS	2

/*
 * Returns 1 with the next chunk other than END, 0 at the end, FARGS_SCAN_WAITS, or -errno with
 * @err, which names the byte offset.
 */
int fargs_scan_next(struct fargs_scan *s, struct fargs_scan_chunk *chunk,
		    struct fargs_error_text *err);

/*
 * Updates the size of a growing file, and is_finished. Returns 0, or -errno with @err if the file
 * was truncated or removed.
 */
int fargs_scan_grow(struct fargs_scan *s, struct fargs_error_text *err);
/*
 * Can fargs_scan_init() open @path, a file being written? Returns 1 if so, 0 if the file is still
 * too short, or -errno with @err if it cannot be opened. Also returns 1 for what is not a trace:
 * fargs_scan_init() reports that.
 */
int fargs_scan_is_begun(const char *path, struct fargs_error_text *err);

/*
 * Reads @chunk's payload into @buf, of at least head.raw_bytes, verifies its checksum and
 * decompresses it. Does not modify @s, so threads may share it. Returns 0 or -errno.
 */
int fargs_scan_payload(const struct fargs_scan *s, const struct fargs_scan_chunk *chunk,
		       void *buf, struct fargs_error_text *err);
/* The same without decompression, for @buf of at least head.bytes. */
int fargs_scan_stored(const struct fargs_scan *s, const struct fargs_scan_chunk *chunk,
		      void *buf, struct fargs_error_text *err);

/* Sets @err to "PATH: corrupt at byte AT: WHAT" and returns -EIO. */
int fargs_scan_corrupt(const struct fargs_scan *s, uint64_t at, const char *what,
		       struct fargs_error_text *err);

#endif
