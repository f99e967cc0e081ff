// SPDX-License-Identifier: GPL-2.0-only
#include "perfdata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_AUX = 11, RECORD_AUXTRACE = 71 };
enum { AUX_TRUNCATED = 1 };

struct header {
	char magic[8];
	uint64_t size, attr_size, attrs[2], data[2];
};

struct record {
	uint32_t type;
	uint16_t misc, size;
};

struct aux {
	struct record record;
	uint64_t offset, size, flags;
};

/* An AUXTRACE record. Its data follow, and are not included in the record's size. */
struct auxtrace {
	struct record record;
	uint64_t size, offset, reference;
	uint32_t index, tid, cpu, reserved;
};

uint8_t *file_read(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	uint8_t *bytes = NULL;
	long end = -1;

	if (!file)
		return NULL;
	if (!fseek(file, 0, SEEK_END))
		end = ftell(file);
	if (end >= 0 && !fseek(file, 0, SEEK_SET)) {
		*size = (size_t)end;
		bytes = malloc(*size + 1);
		if (bytes && fread(bytes, 1, *size, file) != *size) {
			free(bytes);
			bytes = NULL;
		}
	}
	fclose(file);
	return bytes;
}

/* perf pads data with zeroes to a multiple of eight bytes, and does not record how many. */
#define ALIGNMENT	8

static uint64_t end_of(const struct perfdata_piece *piece)
{
	return piece->offset + piece->size;
}

/* Appends data to the piece that they continue, or adds a new piece. */
static bool add(struct perfdata *data, const struct auxtrace *aux, const uint8_t *bytes)
{
	struct perfdata_piece *piece = NULL;
	size_t i;

	for (i = 0; i < data->nr_pieces; i++)
		if (data->pieces[i].cpu == aux->cpu && end_of(&data->pieces[i]) >= aux->offset &&
		    end_of(&data->pieces[i]) - aux->offset < ALIGNMENT)
			piece = &data->pieces[i];
	if (!piece) {
		piece = realloc(data->pieces, (data->nr_pieces + 1) * sizeof(*piece));
		if (!piece)
			return false;
		data->pieces = piece;
		piece += data->nr_pieces++;
		*piece = (struct perfdata_piece){ .cpu = aux->cpu, .offset = aux->offset };
	}
	piece->size = aux->offset - piece->offset;
	piece->bytes = realloc(piece->bytes, piece->size + aux->size + 1);
	if (!piece->bytes)
		return false;
	memcpy(piece->bytes + piece->size, bytes, aux->size);
	piece->size += aux->size;
	return true;
}

/* Handles a record. Returns its size including its data; 0 if it exceeds the file. */
static uint64_t take(struct perfdata *data, const uint8_t *at, size_t left)
{
	struct auxtrace auxtrace;
	struct record record;
	struct aux aux;

	if (left < sizeof(record))
		return 0;
	memcpy(&record, at, sizeof(record));
	if (record.size < sizeof(record) || record.size > left)
		return 0;
	if (record.type == RECORD_AUX && record.size >= sizeof(aux)) {
		memcpy(&aux, at, sizeof(aux));
		data->nr_truncated += !!(aux.flags & AUX_TRUNCATED);
	}
	if (record.type != RECORD_AUXTRACE)
		return record.size;
	if (record.size < sizeof(auxtrace))
		return 0;
	memcpy(&auxtrace, at, sizeof(auxtrace));
	if (auxtrace.size > left - record.size || !add(data, &auxtrace, at + record.size))
		return 0;
	return record.size + auxtrace.size;
}

bool perfdata_read(struct perfdata *data, const char *path)
{
	struct header header;
	uint64_t at, end, step;
	uint8_t *bytes;
	size_t size;

	bytes = file_read(path, &size);
	if (!bytes) {
		perror(path);
		return false;
	}
	memset(data, 0, sizeof(*data));
	memcpy(&header, bytes, size < sizeof(header) ? size : sizeof(header));
	if (size < sizeof(header) || memcmp(header.magic, "PERFILE2", 8) ||
	    header.data[0] > size || header.data[1] > size - header.data[0]) {
		fprintf(stderr, "%s: no perf.data\n", path);
		free(bytes);
		return false;
	}
	end = header.data[0] + header.data[1];
	for (at = header.data[0]; at < end; at += step) {
		step = take(data, bytes + at, end - at);
		if (!step) {
			fprintf(stderr, "%s: a bad record at %lu\n", path, at);
			free(bytes);
			return false;
		}
	}
	free(bytes);
	return true;
}
