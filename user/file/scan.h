/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The chunks of a trace file, from one to the next; trusts no byte. Knows nothing
 * of what is in them, INFO excepted.
 *
 * A file that was cut off is salvaged: what is damaged is passed over, and each
 * chunk that is whole is given. That costs reading all of it, since a header may
 * have got to the disk without its payload.
 */
#ifndef FARGS_FILE_SCAN_H
#define FARGS_FILE_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/meta.h"
#include "file/format.h"
#include "file/info.h"
#include "base/error.h"

struct fargs_scan {
	int fd;
	const char *path;
	uint64_t size;			/* of the file, when it was opened */
	struct fargs_file_info about;
	bool is_finished;		/* it has a section table */
	bool is_salvage;		/* may be set after init, before the first next */
	bool is_growing;		/* may be set as is_salvage, which is off then */
	bool has_end;			/* END was found */
	uint64_t next;			/* where to go on */
	uint64_t end;			/* of the last whole chunk */
	uint64_t nr_chunks;		/* that were given */
	uint64_t damaged;		/* bytes passed over in front of whole chunks */
	uint64_t damaged_at;		/* the first of them */
	char *buf;			/* a payload, when salvaging */
	size_t room;
};

/* A chunk that was found. */
struct fargs_scan_chunk {
	struct fargs_chunk head;	/* of version 1: what is not told is as wide as can be */
	uint64_t payload;		/* where in the file it begins */
};

/*
 * Opens @path, which must outlive @s, and reads INFO into @meta and @s->about.
 * 0; -errno with @err: not a trace, a newer version, cut off before INFO ends.
 * To be deinited in either case.
 */
int fargs_scan_init(struct fargs_scan *s, const char *path, struct fargs_meta *meta,
		    struct fargs_error_text *err);
void fargs_scan_deinit(struct fargs_scan *s);

/* Of a file that is_growing: the next chunk is not whole yet. */
#define FARGS_SCAN_WAITS	2

/*
 * The next chunk but END: 1; 0 at the end; FARGS_SCAN_WAITS; -errno with @err, which names the
 * byte.
 */
int fargs_scan_next(struct fargs_scan *s, struct fargs_scan_chunk *chunk,
		    struct fargs_error_text *err);

/*
 * Takes in how large a file that is_growing is now, and if it is_finished. 0; -errno with @err: it
 * has shrunk, or is gone.
 */
int fargs_scan_grow(struct fargs_scan *s, struct fargs_error_text *err);
/*
 * Has @path, which is written now, all that init needs? 1; 0: not yet; -errno with @err: it is not
 * there. What is no trace is for init to tell.
 */
int fargs_scan_is_begun(const char *path, struct fargs_error_text *err);

/*
 * Reads @chunk's payload into @buf, which has room for head.raw_bytes, checks it
 * and unpacks it. Leaves @s as it is: threads may share it. 0 or -errno.
 */
int fargs_scan_payload(const struct fargs_scan *s, const struct fargs_scan_chunk *chunk,
		       void *buf, struct fargs_error_text *err);
/* The same, not unpacked: head.bytes of them. */
int fargs_scan_stored(const struct fargs_scan *s, const struct fargs_scan_chunk *chunk,
		      void *buf, struct fargs_error_text *err);

/* "PATH: corrupt at byte AT: WHAT"; returns -EIO. */
int fargs_scan_corrupt(const struct fargs_scan *s, uint64_t at, const char *what,
		       struct fargs_error_text *err);

#endif
