// SPDX-License-Identifier: GPL-2.0-only
#include "capture/pt.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "kernel/cpus.h"
#include "base/size.h"

#define DEFAULT_AUX_BYTES	(4u << 20)
/* No more than this part of the memory for all CPUs. */
#define MEMORY_PART		16
/* The kernel's tables of pages, and what an mmap can be. */
#define AUX_BYTES_MAX		(1ull << 30)

int fargs_pt_check(const struct fargs_capture_options *o, struct fargs_error_text *err)
{
	if (o->aux_bytes && !o->has_pt)
		return fargs_fail(err, EINVAL, "-m ,SIZE is the buffer of --pt: add it, or leave "
				  "out the comma");
	if (!o->has_pt)
		return 0;
	if (strcmp(o->verb, "record"))
		return fargs_fail(err, EINVAL, "--pt is for fargs record");
	if (o->flight.is_on && !o->wanted.nr && !o->tpoints.nr)
		return fargs_fail(err, EINVAL, "--flight keeps calls, and Intel PT beside them: "
				  "give functions with -f, or tracepoints with -t");
	return 0;
}

int fargs_pt_choose(struct fargs_pt *pt, const struct fargs_capture_options *o,
		    struct fargs_error_text *err)
{
	struct fargs_error_text why;
	int ret;

	if (!o->has_pt)
		return 0;
	ret = fargs_pt_pmu_load(&pt->pmu, FARGS_PT_PMU_DIR, &why);
	if (!ret)
		ret = fargs_pt_terms_parse(&pt->terms, o->pt_terms, &pt->pmu, &why);
	return ret ? fargs_fail(err, -ret, "--pt: %s", why.text) : 0;
}

static uint64_t default_aux_bytes(unsigned int nr_cpus)
{
	uint64_t bytes = DEFAULT_AUX_BYTES, all = UINT64_MAX, page = sysconf(_SC_PAGESIZE);
	struct sysinfo si;

	if (!sysinfo(&si))
		all = (uint64_t)si.totalram * si.mem_unit;
	while (bytes > 4 * page && bytes * nr_cpus > all / MEMORY_PART)
		bytes /= 2;
	return bytes;
}

static int choose_aux_bytes(struct fargs_pt *pt, uint64_t bytes, unsigned int nr_cpus,
			    struct fargs_error_text *err)
{
	uint64_t page = sysconf(_SC_PAGESIZE);
	char size[32];

	if (!bytes)
		bytes = default_aux_bytes(nr_cpus);
	if (bytes < 2 * page || bytes > AUX_BYTES_MAX || bytes & (bytes - 1))
		return fargs_fail(err, EINVAL, "-m: a buffer of %s for --pt is impossible: a power "
				  "of two from 8K to 1G",
				  fargs_size_exact(bytes, size, sizeof(size)));
	pt->options.aux_bytes = bytes;
	return 0;
}

static int choose_cpus(struct fargs_pt *pt, const struct fargs_capture_options *o,
		       unsigned int nr, struct fargs_error_text *err)
{
	size_t i;

	if (!o->cpus.nr)
		return 0;
	pt->cpus = calloc(nr, sizeof(*pt->cpus));
	if (!pt->cpus)
		return fargs_fail(err, ENOMEM, "no memory for Intel PT");
	/* They have been checked. */
	for (i = 0; i < o->cpus.nr; i++)
		fargs_cpus_parse(o->cpus.words[i], pt->cpus, nr);
	pt->options.cpus = pt->cpus;
	return 0;
}

int fargs_pt_start(struct fargs_pt *pt, const struct fargs_capture_options *o,
		   const struct fargs_meta *meta, const struct fargs_pt_sink *sink,
		   struct fargs_error_text *err)
{
	int ret;

	if (!o->has_pt)
		return 0;
	pt->sink = *sink;
	pt->options.pmu = &pt->pmu;
	pt->options.terms = &pt->terms;
	pt->options.nr_cpus = meta->info.nr_cpus;
	pt->options.ksyms = meta->ksyms;
	pt->options.is_snapshot = o->flight.is_on;
	ret = choose_aux_bytes(pt, o->aux_bytes, meta->info.nr_cpus, err);
	if (!ret)
		ret = choose_cpus(pt, o, meta->info.nr_cpus, err);
	if (ret)
		return ret;
	pt->recorder = fargs_pt_recorder_open(&pt->options, &pt->sink, err);
	return pt->recorder ? fargs_pt_recorder_start(pt->recorder, err) : -EINVAL;
}

int fargs_pt_finish(struct fargs_pt *pt, bool has_more, struct fargs_error_text *err)
{
	int ret = 0;

	if (!pt->recorder)
		return 0;
	if (has_more)
		ret = pt->options.is_snapshot ? fargs_pt_recorder_keep(pt->recorder, err) :
						fargs_pt_recorder_read(pt->recorder, err);
	return ret ? ret : fargs_pt_recorder_finish(pt->recorder, err);
}

void fargs_pt_tell(const struct fargs_pt *pt)
{
	uint64_t bytes = 0, truncated = 0, lost = 0;
	const struct fargs_file_pt_stats *stats;
	unsigned int i;

	if (!pt->recorder)
		return;
	stats = fargs_pt_recorder_stats(pt->recorder);
	for (i = 0; i < pt->options.nr_cpus; i++) {
		bytes += stats[i].aux_bytes;
		truncated += stats[i].nr_truncated + stats[i].nr_partial + stats[i].nr_collisions;
		lost += stats[i].nr_lost[FARGS_PT_RING_PT] + stats[i].nr_lost[FARGS_PT_RING_SIDE];
	}
	fprintf(stderr, "fargs: %.1f MB of Intel PT (%s), %.1f MB of code\n", bytes / 1e6,
		pt->terms.text, fargs_pt_recorder_text_bytes(pt->recorder) / 1e6);
	if (truncated)
		fprintf(stderr, "fargs: Intel PT was lost at %" PRIu64 " places, for want of room: "
			"give larger buffers with -m ,SIZE, or record fewer CPUs\n", truncated);
	if (lost)
		fprintf(stderr, "fargs: %" PRIu64 " records beside Intel PT were lost: tasks and "
			"changed code may be shown wrong\n", lost);
}

void fargs_pt_deinit(struct fargs_pt *pt)
{
	fargs_pt_recorder_close(pt->recorder);
	free(pt->cpus);
	*pt = (struct fargs_pt){ };
}
