/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code that was in memory: of the kernel, and of each space of user space (spaces.h), at a
 * given time of the trace.
 *
 * For each change of kernel code, a record contains the bytes before and after. The record's bytes
 * override those of the files, so it does not matter when the code in the files was copied.
 */
#ifndef FARGS_SOURCE_PT_CODE_MEMORY_H
#define FARGS_SOURCE_PT_CODE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/pt/input/input.h"

/* The files with code, mapped. Immutable, so threads may share it. */
struct fargs_pt_memory;

/*
 * @in must outlive the result. Code whose file cannot be mapped is missing. Returns NULL with @err
 * on failure.
 */
struct fargs_pt_memory *fargs_pt_memory_create(const struct fargs_pt_input *in,
					       struct fargs_error_text *err);
void fargs_pt_memory_destroy(struct fargs_pt_memory *memory);
/* Returns the code of in->guests[@guest]; at in->nr_guests or later, that of no guest: none. */
const struct fargs_pt_memory *fargs_pt_memory_guest(const struct fargs_pt_memory *memory,
						    size_t guest);

/* Contiguous code with the same source. */
struct fargs_pt_extent {
	uint64_t addr, bytes;
	const uint8_t *code;
};

/* What changes the code of a view: for the kernel, a poke, or code that appears or disappears. */
struct fargs_pt_change {
	uint64_t ns;
	uint64_t addr, bytes;
	bool is_poke;
};

/*
 * The code of the kernel, or of a space, at a time. Initialize with fargs_pt_view_init(). Each
 * thread has its own.
 */
struct fargs_pt_view {
	const struct fargs_pt_memory *memory;
	int32_t space;			/* index in in->spaces; -1: the kernel */
	uint64_t ns;			/* the time */
	const struct fargs_pt_change *changes;	/* sorted by time */
	size_t nr_changes;
	size_t nr_done;			/* changes that are not later than @ns */
	struct fargs_pt_change *owned;	/* @changes, if the view owns them */
	struct fargs_pt_extent *extents;	/* sorted by address; they do not overlap */
	size_t nr_extents;
	bool is_stale;			/* @extents must be found anew */
	bool has_pokes;			/* pokes may override the code */
	size_t last;			/* index of the extent that was used last */
};

/* @memory must outlive the view. The time of the view is 0. Returns 0 or -ENOMEM. */
int fargs_pt_view_init(struct fargs_pt_view *v, const struct fargs_pt_memory *memory,
		       int32_t space);
void fargs_pt_view_deinit(struct fargs_pt_view *v);

/* Returns the time of the next change of the view's code; UINT64_MAX if there is none. */
static inline uint64_t fargs_pt_view_until(const struct fargs_pt_view *v)
{
	return v->nr_done < v->nr_changes ? v->changes[v->nr_done].ns : UINT64_MAX;
}

/*
 * Sets the time of the view, which may be earlier than before. Calls @changed, unless it is NULL,
 * for each range of code that may have changed. Returns the number of changes.
 */
size_t fargs_pt_view_move(struct fargs_pt_view *v, uint64_t ns,
			  void (*changed)(void *arg, uint64_t addr, uint64_t bytes), void *arg);

/*
 * Returns the code at @addr if at least @bytes (nonzero) of it are contiguous and no poke may
 * override them; else NULL: then use fargs_pt_view_read().
 */
static inline const uint8_t *fargs_pt_view_code(const struct fargs_pt_view *v, uint64_t addr,
						size_t bytes)
{
	const struct fargs_pt_extent *e = &v->extents[v->last];

	if (v->is_stale || v->last >= v->nr_extents || v->has_pokes ||
	    addr - e->addr >= e->bytes || e->bytes - (addr - e->addr) < bytes)
		return NULL;
	return e->code + (addr - e->addr);
}

/* Maximum number of bytes that fargs_pt_view_read() copies: those of an instruction, and more. */
#define FARGS_PT_VIEW_READ_MAX	16

/*
 * Copies up to @bytes (at most FARGS_PT_VIEW_READ_MAX) of code at @addr to @buf, and returns the
 * number copied, which is less if the code after them is missing.
 */
size_t fargs_pt_view_read(struct fargs_pt_view *v, uint64_t addr, uint8_t *buf, size_t bytes);

#endif
