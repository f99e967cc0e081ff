// SPDX-License-Identifier: GPL-2.0-only
#include "file/replay.h"

#include <errno.h>
#include <stdlib.h>

#include "ring/walk.h"

/* How far each CPU's stream is queued. */
struct progress {
	uint64_t tsc;		/* of the last record queued; UINT64_MAX: all are */
};

static uint64_t last_tsc(const void *records, size_t bytes)
{
	const char *p = records;
	size_t at, len;

	for (at = 0; at + (len = fargs_walk_len(p + at, bytes - at)) < bytes; at += len)
		;
	return ((const struct fargs_record *)(p + at))->tsc;
}

static int queue_next(struct fargs_reader *r, struct fargs_merge *m, unsigned int cpu,
		      struct progress *progress, struct fargs_error_text *err)
{
	const void *records;
	size_t bytes;
	int ret;

	/* A chunk may be empty. */
	do {
		ret = fargs_reader_next(r, cpu, &records, &bytes, err);
		if (ret < 0)
			return ret;
		if (!ret) {
			progress->tsc = UINT64_MAX;
			return 0;
		}
	} while (!bytes);
	progress->tsc = last_tsc(records, bytes);
	/* That is kept for the end of a stream. */
	if (progress->tsc == UINT64_MAX)
		progress->tsc--;
	ret = fargs_merge_add(m, cpu, records, bytes);
	return ret ? fargs_fail(err, -ret, "out of memory") : 0;
}

int fargs_replay(struct fargs_reader *r, unsigned int nr_cpus, fargs_merge_fn fn, void *arg,
		 struct fargs_error_text *err)
{
	struct progress *progress = calloc(nr_cpus ? nr_cpus : 1, sizeof(*progress));
	struct fargs_merge *m = fargs_merge_create(nr_cpus, fn, arg);
	unsigned int cpu, behind;
	int ret = 0;

	if (!progress || !m) {
		ret = fargs_fail(err, ENOMEM, "out of memory");
		goto out;
	}
	for (cpu = 0; cpu < nr_cpus && !ret; cpu++)
		ret = queue_next(r, m, cpu, &progress[cpu], err);
	while (!ret) {
		behind = 0;
		for (cpu = 1; cpu < nr_cpus; cpu++)
			if (progress[cpu].tsc < progress[behind].tsc)
				behind = cpu;
		/* All streams are queued up to there: nothing older can come. */
		ret = fargs_merge_flush(m, nr_cpus ? progress[behind].tsc : UINT64_MAX);
		if (ret || !nr_cpus || progress[behind].tsc == UINT64_MAX)
			break;
		ret = queue_next(r, m, behind, &progress[behind], err);
	}
out:
	fargs_merge_destroy(m);
	free(progress);
	return ret;
}
