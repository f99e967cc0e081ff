// SPDX-License-Identifier: GPL-2.0-only
#include "fargsdata.h"

#include <elf.h>
#include <intel-pt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/scan.h"
#include "file/pt_file.h"
#include "source/pt/input/file_samples.h"

bool fargsdata_is(const char *path)
{
	FILE *file = fopen(path, "r");
	char ident[SELFMAG] = "";
	bool is_elf;

	if (!file)
		return false;
	is_elf = fread(ident, 1, SELFMAG, file) == SELFMAG && !memcmp(ident, ELFMAG, SELFMAG);
	fclose(file);
	return is_elf;
}

static bool complain(const struct fargs_scan *scan, const struct fargs_scan_chunk *chunk,
		     const char *what)
{
	fprintf(stderr, "%s: the chunk at %llu: %s\n", scan->path,
		(unsigned long long)chunk->head.at, what);
	return false;
}

/* Returns the piece to which the CPU's next bytes belong. */
static struct perfdata_piece *last_piece(struct perfdata *data, uint32_t cpu)
{
	size_t i;

	for (i = data->nr_pieces; i; i--)
		if (data->pieces[i - 1].cpu == cpu)
			return &data->pieces[i - 1];
	return NULL;
}

static struct perfdata_piece *begin_piece(struct perfdata *data, uint32_t cpu, uint64_t offset)
{
	struct perfdata_piece *pieces = realloc(data->pieces,
						(data->nr_pieces + 1) * sizeof(*pieces));

	if (!pieces)
		return NULL;
	data->pieces = pieces;
	pieces += data->nr_pieces++;
	*pieces = (struct perfdata_piece){ .cpu = cpu, .offset = offset, .is_whole = true };
	return pieces;
}

static bool add_aux(struct perfdata *data, const struct fargs_scan *scan,
		    const struct fargs_scan_chunk *chunk, const uint8_t *payload)
{
	size_t bytes = chunk->head.raw_bytes - sizeof(struct fargs_file_pt_aux);
	struct perfdata_piece *piece = last_piece(data, chunk->head.cpu);
	struct fargs_file_pt_aux head;

	if (chunk->head.raw_bytes < sizeof(head))
		return complain(scan, chunk, "it is too short");
	memcpy(&head, payload, sizeof(head));
	if (head.flags & FARGS_PT_AUX_BEGINS) {
		data->nr_truncated += !!(head.flags & FARGS_PT_AUX_AFTER_LOSS);
		piece = begin_piece(data, chunk->head.cpu, head.offset);
		if (piece)
			piece->is_tail = data->is_snapshot;
	}
	if (!piece || head.offset != piece->offset + piece->size)
		return complain(scan, chunk, "it continues nothing");
	piece->bytes = realloc(piece->bytes, piece->size + bytes + 1);
	if (!piece->bytes)
		return complain(scan, chunk, "no memory");
	memcpy(piece->bytes + piece->size, payload + sizeof(head), bytes);
	piece->size += bytes;
	return true;
}

/* Adds the trace in each sample as a piece of its own, which begins anywhere in the trace. */
static bool add_samples(struct perfdata *data, const struct fargs_pt_file_samples *samples,
			const struct fargs_scan *scan, const struct fargs_scan_chunk *chunk,
			const uint8_t *payload)
{
	struct perfdata_piece *piece;
	struct fargs_sample sample;
	size_t at = 0, nr;

	while (at < chunk->head.raw_bytes) {
		if (fargs_pt_file_samples_next(samples, (const char *)payload,
					       chunk->head.raw_bytes, &at, &sample, &nr))
			return complain(scan, chunk, "a sample is corrupt");
		if (!sample.aux_bytes)
			continue;
		piece = begin_piece(data, chunk->head.cpu, 0);
		if (!piece)
			return complain(scan, chunk, "no memory");
		piece->is_whole = false;
		piece->is_tail = true;
		piece->bytes = malloc(sample.aux_bytes);
		if (!piece->bytes)
			return complain(scan, chunk, "no memory");
		memcpy(piece->bytes, sample.aux, sample.aux_bytes);
		piece->size = sample.aux_bytes;
	}
	return true;
}

/*
 * Reads whether the recording is a snapshot, in which each piece may begin in the middle of a
 * packet.
 */
static bool note_config(struct perfdata *data, const struct fargs_scan *scan,
			const struct fargs_scan_chunk *chunk, const uint8_t *payload)
{
	struct fargs_file_pt_config config;

	if (chunk->head.raw_bytes < sizeof(config))
		return complain(scan, chunk, "it is too short");
	memcpy(&config, payload, sizeof(config));
	data->is_snapshot = config.flags & FARGS_PT_SNAPSHOT;
	return true;
}

static bool add_text(struct pt_image *image, const struct fargs_scan *scan,
		     const struct fargs_scan_chunk *chunk, const uint8_t *payload)
{
	struct fargs_file_pt_text head;
	int status;

	memcpy(&head, payload, sizeof(head));
	if (chunk->head.flags || chunk->head.raw_bytes < sizeof(head) ||
	    head.bytes > chunk->head.raw_bytes || head.bytes % 8)
		return complain(scan, chunk, "the code in it cannot be mapped");
	status = pt_image_add_file(image, scan->path, chunk->payload + head.bytes,
				   chunk->head.raw_bytes - head.bytes, NULL, head.addr);
	return status >= 0 || complain(scan, chunk, pt_errstr(pt_errcode(status)));
}

static bool take(struct perfdata *data, struct fargs_pt_file_samples *samples,
		 struct pt_image *image, const struct fargs_scan *scan,
		 const struct fargs_scan_chunk *chunk)
{
	unsigned int kind = chunk->head.kind;
	struct fargs_error_text err;
	uint8_t *payload;
	bool ok = true;

	if (kind != FARGS_CHUNK_PT_AUX && kind != FARGS_CHUNK_PT_TEXT &&
	    kind != FARGS_CHUNK_PT_CONFIG && kind != FARGS_CHUNK_PT_SAMPLERS &&
	    kind != FARGS_CHUNK_PT_SAMPLES)
		return true;
	payload = malloc(chunk->head.raw_bytes + sizeof(struct fargs_file_pt_text));
	if (!payload)
		return complain(scan, chunk, "no memory");
	if (fargs_scan_payload(scan, chunk, payload, &err)) {
		fprintf(stderr, "%s\n", err.text);
		ok = false;
	} else if (kind == FARGS_CHUNK_PT_CONFIG) {
		ok = note_config(data, scan, chunk, payload);
	} else if (kind == FARGS_CHUNK_PT_AUX) {
		ok = add_aux(data, scan, chunk, payload);
	} else if (kind == FARGS_CHUNK_PT_SAMPLERS) {
		ok = !fargs_pt_file_samples_describe(samples, (const char *)payload,
						     chunk->head.raw_bytes) ||
		     complain(scan, chunk, "its events are corrupt");
	} else if (kind == FARGS_CHUNK_PT_SAMPLES) {
		ok = add_samples(data, samples, scan, chunk, payload);
	} else if (image) {
		ok = add_text(image, scan, chunk, payload);
	}
	free(payload);
	return ok;
}

bool fargsdata_read(struct perfdata *data, struct pt_image *image, const char *path)
{
	struct fargs_pt_file_samples samples = { };
	struct fargs_error_text err;
	struct fargs_scan_chunk chunk;
	struct fargs_meta meta;
	struct fargs_scan scan;
	bool ok = true;
	int ret;

	memset(data, 0, sizeof(*data));
	fargs_meta_init(&meta);
	ret = fargs_scan_init(&scan, path, &meta, &err);
	while (!ret && ok && (ret = fargs_scan_next(&scan, &chunk, &err)) == 1) {
		ok = take(data, &samples, image, &scan, &chunk);
		ret = 0;
	}
	if (ret < 0)
		fprintf(stderr, "%s\n", err.text);
	fargs_pt_file_samples_deinit(&samples);
	fargs_scan_deinit(&scan);
	fargs_meta_deinit(&meta);
	return ok && !ret;
}
