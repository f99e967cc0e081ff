/* SPDX-License-Identifier: GPL-2.0-only */
/* A program of a few bytes, a trace of it made by hand, and the state for decoding both. */
#ifndef SELFTESTS_PT_PROGRAM_H
#define SELFTESTS_PT_PROGRAM_H

#include <string.h>

#include "source/pt/input/input.h"
#include "unit/perf_world.h"
#include "unit/temp_file.h"

/* Address of the program. */
#define CODE	0x1000

static struct world trace;
static struct fargs_pt_input in;
static struct fargs_error_text err;

/*
 * Initializes @in and an empty @trace. Writes @code, which is the kernel's code, to the temporary
 * file.
 */
__attribute__((unused)) static void set_code(const void *code, size_t n)
{
	struct fargs_pt_code c = { .bytes = n, .addr = CODE, .pid = -1 };

	temp_write(code, n);
	fargs_pt_input_init(&in);
	in.config.has_kernel = true;
	in.config.has_time = true;
	in.config.time_mult = 1;
	c.path = strdup(temp_path);
	CHECK(!fargs_pt_input_add_code(&in, &c));
	trace.n = 0;
}

#endif
