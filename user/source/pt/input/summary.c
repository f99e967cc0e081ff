// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/scan.h"
#include "model/meta.h"

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

static int take_config(struct fargs_pt_summary *s, const void *payload, size_t bytes)
{
	const char *text;
	uint32_t known;

	if (bytes < sizeof(known))
		return -EIO;
	memcpy(&known, payload, sizeof(known));
	if (known < sizeof(s->config) || known > bytes)
		return -EIO;
	memcpy(&s->config, payload, sizeof(s->config));
	if (s->config.terms_bytes > bytes - known ||
	    s->config.filter_bytes > bytes - known - s->config.terms_bytes)
		return -EIO;
	text = (const char *)payload + known;
	free(s->terms);
	free(s->filter);
	s->terms = strndup(text, s->config.terms_bytes);
	s->filter = strndup(text + s->config.terms_bytes, s->config.filter_bytes);
	s->is_there = true;
	return s->terms && s->filter ? 0 : -ENOMEM;
}

static int take_text(struct fargs_pt_summary *s, const void *payload, size_t bytes)
{
	struct fargs_file_pt_text head;

	if (bytes < sizeof(head))
		return -EIO;
	memcpy(&head, payload, sizeof(head));
	if (head.bytes > bytes)
		return -EIO;
	s->text_bytes += bytes - head.bytes;
	s->nr_texts++;
	return 0;
}

static int take_aux(struct fargs_pt_summary *s, unsigned int cpu, const void *payload,
		    size_t bytes)
{
	struct fargs_file_pt_aux head;

	if (bytes < sizeof(head) || cpu >= s->nr_cpus)
		return -EIO;
	memcpy(&head, payload, sizeof(head));
	s->cpus[cpu].aux_bytes += bytes - sizeof(head);
	s->cpus[cpu].nr_losses += !!(head.flags & FARGS_PT_AUX_AFTER_LOSS);
	return 0;
}

static int take_samples(struct fargs_pt_summary *s, unsigned int cpu, const void *payload,
			size_t bytes)
{
	struct fargs_sample sample;
	size_t at = 0, nr;

	if (cpu >= s->nr_cpus)
		return -EIO;
	while (at < bytes) {
		if (fargs_pt_file_samples_next(&s->samples, payload, bytes, &at, &sample, &nr))
			return -EIO;
		s->cpus[cpu].aux_bytes += sample.aux_bytes;
		s->cpus[cpu].nr_samples++;
	}
	return 0;
}

/*
 * Replaces the counts of losses by those in the statistics chunk, which include losses after which
 * no trace was recorded.
 */
static int take_stats(struct fargs_pt_summary *s, const void *payload, size_t bytes)
{
	size_t each = s->nr_cpus ? bytes / s->nr_cpus : 0;
	struct fargs_file_pt_stats stats = { };
	size_t known = each < sizeof(stats) ? each : sizeof(stats);
	unsigned int i, ring;

	if (each < FARGS_FILE_PT_STATS_MIN || bytes % s->nr_cpus)
		return -EIO;
	for (i = 0; i < s->nr_cpus; i++) {
		memcpy(&stats, (const char *)payload + i * each, known);
		s->cpus[i].nr_lost_samples = stats.nr_lost_samples;
		s->cpus[i].nr_losses = stats.nr_truncated + stats.nr_partial +
				       stats.nr_collisions;
		s->cpus[i].nr_lost = 0;
		for (ring = 0; ring < FARGS_PT_RINGS; ring++)
			s->cpus[i].nr_lost += stats.nr_lost[ring];
	}
	s->has_stats = true;
	return 0;
}

static int take_chunk(struct fargs_pt_summary *s, const struct fargs_chunk *head,
		      const void *payload)
{
	switch (head->kind) {
	case FARGS_CHUNK_PT_CONFIG:
		return take_config(s, payload, head->raw_bytes);
	case FARGS_CHUNK_PT_TEXT:
		return take_text(s, payload, head->raw_bytes);
	case FARGS_CHUNK_PT_AUX:
		return take_aux(s, head->cpu, payload, head->raw_bytes);
	case FARGS_CHUNK_PT_SAMPLERS:
		return fargs_pt_file_samples_describe(&s->samples, payload, head->raw_bytes);
	case FARGS_CHUNK_PT_SAMPLES:
		return take_samples(s, head->cpu, payload, head->raw_bytes);
	case FARGS_CHUNK_PT_STATS:
		return take_stats(s, payload, head->raw_bytes);
	default:
		return 0;
	}
}

static int read_chunk(struct fargs_pt_summary *s, const struct fargs_scan *scan,
		      const struct fargs_scan_chunk *chunk, struct fargs_error_text *err)
{
	char *payload;
	int ret;

	if ((chunk->head.kind < FARGS_CHUNK_PT_CONFIG || chunk->head.kind > FARGS_CHUNK_PT_STATS) &&
	    chunk->head.kind != FARGS_CHUNK_PT_SAMPLERS &&
	    chunk->head.kind != FARGS_CHUNK_PT_SAMPLES)
		return 0;
	payload = malloc((size_t)chunk->head.raw_bytes + 1);
	if (!payload)
		return no_memory(err);
	ret = fargs_scan_payload(scan, chunk, payload, err);
	if (!ret) {
		ret = take_chunk(s, &chunk->head, payload);
		if (ret == -ENOMEM)
			no_memory(err);
		else if (ret)
			fargs_scan_corrupt(scan, chunk->head.at, "invalid Intel PT",
					   err);
	}
	free(payload);
	return ret;
}

int fargs_pt_summary_init(struct fargs_pt_summary *s, const char *path,
			  struct fargs_error_text *err)
{
	struct fargs_scan_chunk chunk;
	struct fargs_meta meta;
	struct fargs_scan scan;
	int ret;

	memset(s, 0, sizeof(*s));
	fargs_meta_init(&meta);
	ret = fargs_scan_init(&scan, path, &meta, err);
	if (!ret) {
		s->nr_cpus = meta.info.nr_cpus;
		s->cpus = calloc(s->nr_cpus + 1, sizeof(*s->cpus));
		ret = s->cpus ? 0 : no_memory(err);
	}
	while (!ret && (ret = fargs_scan_next(&scan, &chunk, err)) == 1)
		ret = read_chunk(s, &scan, &chunk, err);
	fargs_scan_deinit(&scan);
	fargs_meta_deinit(&meta);
	return ret;
}

void fargs_pt_summary_deinit(struct fargs_pt_summary *s)
{
	free(s->terms);
	free(s->filter);
	free(s->cpus);
	fargs_pt_file_samples_deinit(&s->samples);
	memset(s, 0, sizeof(*s));
}
