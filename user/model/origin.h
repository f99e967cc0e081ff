/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * On which machine, during which boot and at which time of day a recording was made, so that
 * recordings of many machines can be told apart and compared.
 */
#ifndef FARGS_MODEL_ORIGIN_H
#define FARGS_MODEL_ORIGIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define FARGS_ORIGIN_LABELS_MAX		64
#define FARGS_ORIGIN_LABEL_MAX		1024	/* bytes of one label */

/* Initialize with zeroes. */
struct fargs_origin {
	/*
	 * Identifies the recording among those of all machines; empty: unknown, as in all but
	 * fargs.dat files.
	 */
	char recording[48];
	/* When it began, in seconds since 1970, as far as the file shows; 0: unknown. */
	int64_t date;
	char machine_id[33];	/* machine-id(5); empty: unknown */
	char boot_id[37];	/* of /proc/sys/kernel/random/boot_id; empty: unknown */
	/*
	 * CLOCK_REALTIME, in ns, when the TSC of CPU @real_cpu was between @real_tsc and
	 * @real_tsc + @real_width; 0: unknown.
	 */
	uint64_t real_ns, real_tsc, real_width;
	uint32_t real_cpu;
	/* What the user says about the machine or the recording: "KEY=VALUE". */
	char **labels;
	size_t nr_labels;
};

void fargs_origin_deinit(struct fargs_origin *o);

/*
 * Adds a copy of @label. A key has letters, digits, '_', '.' and '-'; a value must not be empty.
 * Returns 0, -EINVAL with @err, if @label is none or its key was already added, or -ENOMEM.
 */
int fargs_origin_add_label(struct fargs_origin *o, const char *label, struct fargs_error_text *err);

#endif
