/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads PERF_RECORD_SWITCH and PERF_RECORD_SWITCH_CPU_WIDE. The input is not trusted.
 */
#ifndef FARGS_SOURCE_PERF_DATA_SWITCH_H
#define FARGS_SOURCE_PERF_DATA_SWITCH_H

#include <stdbool.h>

#include "source/perf_data/body.h"
#include "source/perf_data/recording.h"
#include "source/perf_data/tasks.h"

/*
 * Sets @to to the switch in the record @b; names are those of @tasks, which are valid as long as
 * they do not change. Returns false if the record is incomplete.
 */
bool fargs_perf_switch_read(struct fargs_recorded *to, const struct fargs_perf_body *b,
			    const struct fargs_perf_tasks *tasks);

#endif
