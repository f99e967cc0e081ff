/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where fargs inject writes: a file, or a directory with a file and a copy of the kernel's code.
 */
#ifndef FARGS_CMD_INJECT_TARGET_H
#define FARGS_CMD_INJECT_TARGET_H

#include <stdio.h>

#include "base/error.h"
#include "base/outfile.h"
#include "cmd/inject/kcore.h"

/* Name of the file in a directory. */
#define FARGS_INJECT_DATA	"data"

struct fargs_inject_target {
	const char *path;
	struct fargs_outfile file;
	int dir;		/* -1: a file */
	FILE *out;
	char guest[32];		/* name of the directory with a guest's code; empty: none */
};

/* Directories with code, which are copied to the output. */
struct fargs_inject_code {
	const char *host;	/* NULL: none */
	const char *guest;	/* NULL: none */
	unsigned int guest_pid;	/* of the guest's hypervisor */
};

#define FARGS_INJECT_TARGET_NONE \
	((struct fargs_inject_target){ .file = FARGS_OUTFILE_NONE, .dir = -1 })

/*
 * Opens t->out, the file @path or, if there is @code, a file in the new directory @path, to which
 * @code is copied. @path must outlive @t. Returns 0, or -errno with @err.
 */
int fargs_inject_target_open(struct fargs_inject_target *t, const char *path,
			     const struct fargs_inject_code *code, struct fargs_error_text *err);
/* Completes the output. Returns 0 or -errno. */
int fargs_inject_target_finish(struct fargs_inject_target *t);
/* Removes the output, unless it was completed. */
void fargs_inject_target_deinit(struct fargs_inject_target *t);

#endif
