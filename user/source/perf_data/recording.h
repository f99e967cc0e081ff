/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples of a perf.data in the order of time, with whose and where they are.
 */
#ifndef FARGS_PERF_RECORDING_H
#define FARGS_PERF_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/perf_data/dso.h"
#include "source/perf_data/sample.h"
#include "base/error.h"

struct fargs_ksyms;
struct fargs_recording;

struct fargs_recorded {
	struct fargs_sample sample;
	struct perf_event_attr *attr;
	const char *event;	/* its name */
	const char *comm;	/* NULL: not known */
};

/* NULL with @err. Memory: 24 bytes for each record beside the file, which is mapped. */
struct fargs_recording *fargs_recording_open(const char *path, struct fargs_error_text *err);
void fargs_recording_close(struct fargs_recording *r);

uint64_t fargs_recording_nr_samples(const struct fargs_recording *r);
/* Is there a trace in it, of Intel PT or others, from which samples could be made? */
bool fargs_recording_has_trace(const struct fargs_recording *r);
/* Of perf record --kcore; NULL: none. The directory, and the symbols in it. */
const char *fargs_recording_kcore_dir(const struct fargs_recording *r);
const struct fargs_ksyms *fargs_recording_ksyms(const struct fargs_recording *r);

/* The next sample: 1; 0 at the end; -errno with @err. Until the next call: */
int fargs_recording_next(struct fargs_recording *r, struct fargs_recorded *sample,
			 struct fargs_error_text *err);

/*
 * The file that is mapped at @addr in @pid at the time of that sample, and where in it @addr
 * is; *@room is up to the end of the mapping. NULL: none is known.
 */
struct fargs_dso *fargs_recording_find(struct fargs_recording *r, int32_t pid, uint64_t addr,
				       uint64_t *at, uint64_t *room);

#endif
