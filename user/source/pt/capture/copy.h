/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies the kernel's code from memory into the recording, with the time of each copy.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_COPY_H
#define FARGS_SOURCE_PT_CAPTURE_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/sym/ksyms.h"
#include "source/pt/capture/sink.h"

struct fargs_pt_copy;

/* Work to do from time to time during long copies. Returns 0 or -errno with @err. */
struct fargs_pt_meanwhile {
	int (*work)(void *arg, struct fargs_error_text *err);
	void *arg;
};

/*
 * @known: symbols that the recording has already; may be NULL; must outlive the result. NULL with
 * @err on failure.
 */
struct fargs_pt_copy *fargs_pt_copy_create(const struct fargs_ksyms *known,
					   const struct fargs_pt_meanwhile *meanwhile,
					   struct fargs_error_text *err);
void fargs_pt_copy_destroy(struct fargs_pt_copy *c);

/*
 * Copies all current code that is new or has changed since it was copied, and symbols of new
 * code. Returns 0 or -errno with @err.
 */
int fargs_pt_copy_all(struct fargs_pt_copy *c, const struct fargs_pt_sink *sink,
		      struct fargs_error_text *err);
/* Forgets an unloaded module: a module of the same name is copied anew. */
void fargs_pt_copy_gone(struct fargs_pt_copy *c, const char *module);
/*
 * Copies @bytes at @addr as code of @name; does nothing if they are no longer mapped. Returns 0
 * or -errno with @err.
 */
int fargs_pt_copy_at(struct fargs_pt_copy *c, const struct fargs_pt_sink *sink,
		     uint64_t addr, size_t bytes, const char *name,
		     struct fargs_error_text *err);

/* Forgets all copies: the next file has no code yet. */
void fargs_pt_copy_forget(struct fargs_pt_copy *c);

/* Number of bytes copied so far. */
uint64_t fargs_pt_copy_bytes(const struct fargs_pt_copy *c);

#endif
