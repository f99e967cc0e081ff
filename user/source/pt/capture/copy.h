/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies the kernel's code from memory into the recording, with the time of it.
 */
#ifndef FARGS_PT_COPY_H
#define FARGS_PT_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "source/pt/capture/sink.h"
#include "kernel/sym/ksyms.h"
#include "base/error.h"

struct fargs_pt_copy;

/* What is to be done now and then while all is copied: 0 or -errno with @err. */
struct fargs_pt_meanwhile {
	int (*work)(void *arg, struct fargs_error_text *err);
	void *arg;
};

/* @known: symbols that the recording has already; may be NULL. It must outlive the result. */
struct fargs_pt_copy *fargs_pt_copy_create(const struct fargs_ksyms *known,
					   const struct fargs_pt_meanwhile *meanwhile,
					   struct fargs_error_text *err);
void fargs_pt_copy_destroy(struct fargs_pt_copy *c);

/*
 * Copies all there is now that was not copied before or has changed since, and its symbols.
 * 0 or -errno.
 */
int fargs_pt_copy_all(struct fargs_pt_copy *c, const struct fargs_pt_sink *sink,
		      struct fargs_error_text *err);
/* The module has gone: what comes with its name is new. */
void fargs_pt_copy_gone(struct fargs_pt_copy *c, const char *module);
/* The same as fargs_pt_copy_all for what is at @addr; does nothing where it has gone meanwhile. */
int fargs_pt_copy_at(struct fargs_pt_copy *c, const struct fargs_pt_sink *sink,
		     uint64_t addr, size_t bytes, const char *name,
		     struct fargs_error_text *err);

/* What comes next is another file, which has no code yet. */
void fargs_pt_copy_forget(struct fargs_pt_copy *c);

/* Bytes that were copied. */
uint64_t fargs_pt_copy_bytes(const struct fargs_pt_copy *c);

#endif
