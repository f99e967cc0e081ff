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

/* Work to be done at intervals during long copies. work() returns 0 or -errno with @err. */
struct fargs_pt_meanwhile {
	int (*work)(void *arg, struct fargs_error_text *err);
	void *arg;
};

/*
 * @known: symbols that the recording already contains, or NULL; must outlive the result. Returns
 * NULL with @err on failure.
 */
struct fargs_pt_copy *fargs_pt_copy_create(const struct fargs_ksyms *known,
					   const struct fargs_pt_meanwhile *meanwhile,
					   struct fargs_error_text *err);
void fargs_pt_copy_destroy(struct fargs_pt_copy *c);

/*
 * Copies all kernel code that is new or has changed since its last copy, and the symbols of new
 * code. Returns 0 or -errno with @err.
 */
int fargs_pt_copy_all(struct fargs_pt_copy *c, const struct fargs_pt_sink *sink,
		      struct fargs_error_text *err);
/* Call for an unloaded module, so that a new module of the same name will be copied. */
void fargs_pt_copy_unloaded(struct fargs_pt_copy *c, const char *module);
/*
 * Copies @bytes of code at @addr, which belong to @name; does nothing if they are no longer mapped.
 * Returns 0 or -errno with @err.
 */
int fargs_pt_copy_at(struct fargs_pt_copy *c, const struct fargs_pt_sink *sink,
		     uint64_t addr, size_t bytes, const char *name,
		     struct fargs_error_text *err);

/* Call at the beginning of a new file, so that all code will be copied to it. */
void fargs_pt_copy_forget(struct fargs_pt_copy *c);

/* Number of bytes copied so far. */
uint64_t fargs_pt_copy_bytes(const struct fargs_pt_copy *c);

#endif
