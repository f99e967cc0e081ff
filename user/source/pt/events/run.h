/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPU and task that successive items of a batch share. */
#ifndef FARGS_SOURCE_PT_EVENTS_RUN_H
#define FARGS_SOURCE_PT_EVENTS_RUN_H

#include <stdint.h>

#include "model/batch.h"
#include "source/pt/trace/context.h"

/*
 * Returns the index of the last run in @batch, after adding a new run if the last one is not for
 * the CPU and task of @c.
 */
uint16_t fargs_pt_run_of(struct fargs_batch *batch, struct fargs_pt_context *c);

#endif
