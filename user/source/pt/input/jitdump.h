/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the dumps that JIT compilers write: the code of each function they generate, with its name,
 * address and time. The format is described in tools/perf/Documentation/jitdump-specification.txt
 * of Linux. The compiler maps its dump, so that the kernel records where it is.
 */
#ifndef FARGS_SOURCE_PT_INPUT_JITDUMP_H
#define FARGS_SOURCE_PT_INPUT_JITDUMP_H

#include <stdbool.h>

#include "source/pt/input/input.h"

/* Is @path that of a dump, .../jit-PID.dump? */
bool fargs_jitdump_is_name(const char *path);

/*
 * Adds the functions of a dump to in->mappings. @m: the mapping of the dump, which is not trusted.
 * @file: its number in in->files. @path: path of the dump on this machine. If the dump is
 * truncated or damaged, adds the functions before the damage, and a note. Returns 0 or -ENOMEM.
 */
int fargs_jitdump_add(struct fargs_pt_input *in, const struct fargs_pt_mapping *m, uint32_t file,
		      const char *path);

#endif
