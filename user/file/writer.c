// SPDX-License-Identifier: GPL-2.0-only
#include "file/writer.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "file/chunks.h"
#include "file/format.h"
#include "file/info.h"
#include "file/output.h"
#include "file/pack.h"
#include "file/records.h"

/*
 * Maximum size of a chunk of records. It is small because a reader holds one chunk for each stream.
 */
#define RECORDS_CHUNK	(256u << 10)

struct fargs_writer {
	struct fargs_meta *meta;
	struct fargs_output *output;
	struct fargs_packer *packer;	/* NULL: no compression */
	bool is_uncompressed;		/* set by fargs_writer_set_uncompressed() */
	size_t nr_rounds;		/* how many rounds of meta->clocks have been written */
};

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

static int put_round(struct fargs_writer *w, const struct fargs_clock_sample *samples,
		     struct fargs_error_text *err)
{
	w->nr_rounds++;
	return fargs_chunks_put(w->output, FARGS_CHUNK_CLOCK, samples,
				w->meta->info.nr_cpus * sizeof(*samples), err);
}

/* Writes the rounds in meta->clocks that have not been written yet. */
static int put_rounds(struct fargs_writer *w, struct fargs_error_text *err)
{
	int ret = 0;

	while (!ret && w->nr_rounds < w->meta->nr_clocks)
		ret = put_round(w, w->meta->clocks[w->nr_rounds].cpus, err);
	return ret;
}

static int create_output(struct fargs_writer *w, const char *path, struct fargs_error_text *err)
{
	struct fargs_file_info about = { .version = FARGS_FILE_VERSION, .date = time(NULL) };
	size_t size;
	char *text;

	/*
	 * If no random number is available, use the date, which differs unless files are created in
	 * the same second.
	 */
	if (getrandom(&about.id, sizeof(about.id), GRND_NONBLOCK) != sizeof(about.id))
		about.id = about.date;
	snprintf(about.writer, sizeof(about.writer), "%s", FARGS_VERSION);
	text = fargs_info_text(w->meta, &about, &size);
	if (!text)
		return no_memory(err);
	w->output = fargs_output_create(path, false, text, size, about.id, err);
	free(text);
	return w->output ? 0 : -EIO;
}

struct fargs_writer *fargs_writer_create(const char *path, struct fargs_meta *meta,
					 const struct fargs_writer_options *options,
					 struct fargs_error_text *err)
{
	struct fargs_writer *w = calloc(1, sizeof(*w));

	if (!w) {
		no_memory(err);
		return NULL;
	}
	w->meta = meta;
	if (options->level) {
		w->packer = fargs_packer_create(options->level);
		if (!w->packer) {
			no_memory(err);
			goto fail;
		}
	}
	/*
	 * put_rounds() writes a round of clock samples: without one, records in a file that is cut
	 * off early would have no time.
	 */
	if (create_output(w, path, err) ||
	    fargs_chunks_put_meta(w->output, meta, options->level, err) || put_rounds(w, err))
		goto fail;
	if (options->sync_ms && fargs_output_sync_start(w->output, options->sync_ms, err))
		goto fail;
	return w;

fail:
	fargs_writer_discard(w);
	return NULL;
}

void fargs_writer_destroy(struct fargs_writer *w)
{
	if (!w)
		return;
	fargs_output_destroy(w->output);
	fargs_packer_destroy(w->packer);
	free(w);
}

void fargs_writer_discard(struct fargs_writer *w)
{
	if (!w)
		return;
	fargs_output_discard(w->output);
	w->output = NULL;
	fargs_writer_destroy(w);
}

static int put_records(struct fargs_writer *w, struct fargs_chunk *head, const void *records,
		       size_t bytes, struct fargs_error_text *err)
{
	struct iovec iov[2] = { { (void *)records, bytes } };
	const void *packed;
	size_t size = w->packer && !w->is_uncompressed ?
		      fargs_packer_pack(w->packer, records, bytes, &packed) : 0;

	if (size) {
		head->flags |= FARGS_CHUNK_ZSTD;
		head->raw_bytes = bytes;
		iov[0] = (struct iovec){ (void *)packed, size };
	}
	return fargs_output_chunk(w->output, head, iov, err);
}

void fargs_writer_set_uncompressed(struct fargs_writer *w, bool is_uncompressed)
{
	w->is_uncompressed = is_uncompressed;
}

static int put_stream(struct fargs_writer *w, unsigned int kind, unsigned int cpu,
		      const void *records, size_t bytes, struct fargs_error_text *err)
{
	struct fargs_chunk head;
	const uint8_t *p = records;
	size_t n;
	int ret;

	for (; bytes; p += n, bytes -= n) {
		n = fargs_records_measure(kind, p, bytes, RECORDS_CHUNK, &head);
		if (!n)
			return fargs_fail(err, EIO, "the ring of CPU %u holds a corrupt record",
					  cpu);
		head.cpu = cpu;
		ret = put_records(w, &head, p, n, err);
		if (ret)
			return ret;
	}
	return 0;
}

int fargs_writer_records(struct fargs_writer *w, unsigned int cpu, const void *records,
			 size_t bytes, struct fargs_error_text *err)
{
	return put_stream(w, FARGS_CHUNK_RECORDS, cpu, records, bytes, err);
}

int fargs_writer_events(struct fargs_writer *w, unsigned int cpu, const void *records,
			size_t bytes, struct fargs_error_text *err)
{
	return put_stream(w, FARGS_CHUNK_EVENTS, cpu, records, bytes, err);
}

int fargs_writer_funcs(struct fargs_writer *w, const struct fargs_func *funcs, size_t nr,
		       struct fargs_error_text *err)
{
	return fargs_chunks_put_funcs(w->output, funcs, nr, err);
}

int fargs_writer_nspids(struct fargs_writer *w, const struct fargs_nspid *nspids, size_t nr,
			struct fargs_error_text *err)
{
	return fargs_chunks_put_nspids(w->output, nspids, nr, err);
}

int fargs_writer_names(struct fargs_writer *w, const struct fargs_task_name *names, size_t nr,
		       struct fargs_error_text *err)
{
	return fargs_chunks_put_names(w->output, names, nr, err);
}

int fargs_writer_clock(struct fargs_writer *w, const struct fargs_clock_sample *samples,
		       struct fargs_error_text *err)
{
	/*
	 * First write rounds that were added to w->meta directly, not by this function, so that
	 * the rounds are written in order.
	 */
	int ret = put_rounds(w, err);

	if (ret)
		return ret;
	if (fargs_meta_add_clock(w->meta, samples))
		return no_memory(err);
	return put_round(w, samples, err);
}

/* Compresses both parts of @iov into one frame. Returns its size, or 0 if it is not smaller. */
static size_t pack_both(struct fargs_writer *w, const struct iovec iov[2], const void **packed)
{
	size_t bytes = iov[0].iov_len + iov[1].iov_len, size;
	char *whole;

	if (!w->packer)
		return 0;
	/* On failure, the caller writes the chunk uncompressed. */
	whole = malloc(bytes);
	if (!whole)
		return 0;
	memcpy(whole, iov[0].iov_base, iov[0].iov_len);
	memcpy(whole + iov[0].iov_len, iov[1].iov_base, iov[1].iov_len);
	size = fargs_packer_pack(w->packer, whole, bytes, packed);
	free(whole);
	return size;
}

int fargs_writer_pt(struct fargs_writer *w, unsigned int kind, unsigned int cpu,
		    const struct iovec iov[2], bool is_uncompressed, struct fargs_error_text *err)
{
	bool can_pack = kind == FARGS_CHUNK_PT_AUX || kind == FARGS_CHUNK_PT_SIDEBAND ||
			kind == FARGS_CHUNK_PT_SAMPLES;
	struct fargs_chunk head = { .kind = kind, .cpu = cpu };
	struct iovec frame[2] = { };
	const void *packed;
	size_t size = can_pack && !is_uncompressed ? pack_both(w, iov, &packed) : 0;

	if (!size)
		return fargs_output_chunk(w->output, &head, iov, err);
	head.flags = FARGS_CHUNK_ZSTD;
	head.raw_bytes = iov[0].iov_len + iov[1].iov_len;
	frame[0] = (struct iovec){ (void *)packed, size };
	return fargs_output_chunk(w->output, &head, frame, err);
}

int fargs_writer_finish(struct fargs_writer *w, struct fargs_error_text *err)
{
	const struct fargs_meta *meta = w->meta;
	int ret = put_rounds(w, err);

	if (!ret)
		ret = fargs_chunks_put_clocks(w->output, meta, err);
	if (!ret && meta->stats)
		ret = fargs_chunks_put(w->output, FARGS_CHUNK_STATS, meta->stats,
				       meta->info.nr_cpus * sizeof(*meta->stats), err);
	if (!ret && meta->has_missed)
		ret = fargs_chunks_put_missed(w->output, meta, err);
	if (!ret && meta->event_stats)
		ret = fargs_chunks_put(w->output, FARGS_CHUNK_EVENT_STATS, meta->event_stats,
				       meta->info.nr_cpus * sizeof(*meta->event_stats), err);
	return ret ? ret : fargs_output_finish(w->output, err);
}

uint64_t fargs_writer_bytes(const struct fargs_writer *w)
{
	return fargs_output_bytes(w->output);
}
