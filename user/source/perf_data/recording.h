/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples of a perf.data file in time order, with their tasks and files.
 */
#ifndef FARGS_SOURCE_PERF_DATA_RECORDING_H
#define FARGS_SOURCE_PERF_DATA_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event.h"
#include "model/meta.h"
#include "source/perf_data/dso.h"
#include "source/perf_data/sample.h"

struct fargs_ksyms;
struct fargs_recording;

struct fargs_recorded {
	struct fargs_sample sample;
	struct perf_event_attr *attr;
	const char *event;	/* name of the event */
	const char *comm;	/* NULL: unknown */
	uint64_t named_ns;	/* as in struct fargs_event */
	bool is_named_by_exec;
	/* A record of a switch instead of a sample, which has only a task, a CPU and a time. */
	bool is_switch;
	struct fargs_event_switch sw;
};

/*
 * Opens a perf.data file. @root: the directory with the files of the recorded machine; NULL: they
 * are on this machine. @has_switches: records of switches are read like samples. Returns NULL with
 * @err on error. The file is mapped. In addition, each record that is used takes 32 bytes of
 * memory.
 */
struct fargs_recording *fargs_recording_open(const char *path, const char *root, bool has_switches,
					     struct fargs_error_text *err);
void fargs_recording_close(struct fargs_recording *r);

/* Sets the times of the first and the last sample; 0 if there is none, or it has no time. */
void fargs_recording_span(const struct fargs_recording *r, uint64_t *first_ns, uint64_t *last_ns);
uint64_t fargs_recording_nr_samples(const struct fargs_recording *r);
/* Returns the highest number of a CPU in a sample, plus 1; 0: samples have no CPU. */
unsigned int fargs_recording_nr_cpus(const struct fargs_recording *r);
/* Returns the fields that the samples of all events have (PERF_SAMPLE_*). */
uint64_t fargs_recording_sample_type(const struct fargs_recording *r);
/*
 * Does the file contain a hardware trace, such as Intel PT, from which perf could synthesize
 * samples?
 */
bool fargs_recording_has_trace(const struct fargs_recording *r);
/* Describes the events, with names that are valid until @r is closed. */
void fargs_recording_describe(const struct fargs_recording *r, struct fargs_perf_meta *perf);
/* Returns where the kernel and its modules were. */
const struct fargs_kernel_maps *fargs_recording_maps(const struct fargs_recording *r);
/* Returns the directory with the files of the recorded machine; "": this machine's. */
const char *fargs_recording_root(const struct fargs_recording *r);
/* Return the files with the kernel's code and symbols, and these symbols; NULL: none. */
const struct fargs_kernel_files *fargs_recording_kernel(const struct fargs_recording *r);
const struct fargs_ksyms *fargs_recording_ksyms(const struct fargs_recording *r);
/* Returns the build ID of the kernel; NULL: unknown. */
const struct fargs_build_id *fargs_recording_kernel_id(const struct fargs_recording *r);

/*
 * Reads the next sample, or switch, which is valid until the next call. Returns 1, 0 at the end, or
 * -errno with @err.
 */
int fargs_recording_next(struct fargs_recording *r, struct fargs_recorded *sample,
			 struct fargs_error_text *err);

/*
 * Returns the file that was mapped at @addr in process @pid at the time of the last sample. Sets
 * *@at to the offset of @addr in the file, and *@room to the number of bytes to the end of the
 * mapping. NULL: unknown.
 */
struct fargs_dso *fargs_recording_find(struct fargs_recording *r, int32_t pid, uint64_t addr,
				       uint64_t *at, uint64_t *room);

#endif
