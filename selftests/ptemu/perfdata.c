// SPDX-License-Identifier: GPL-2.0-only
#include "perfdata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_SAMPLE = 9, RECORD_AUX = 11, RECORD_AUXTRACE_INFO = 70, RECORD_AUXTRACE = 71 };
enum { AUX_TRUNCATED = 1 };

/* Index in the data of an AUXTRACE_INFO of Intel PT: whether the trace consists of snapshots. */
#define INFO_SNAPSHOT	8

/*
 * Members of a sample, in the order in which they are written; all of eight bytes but the last, a
 * size and so many bytes of trace.
 */
enum { SAMPLE_IDENTIFIER = 1 << 16, SAMPLE_CPU = 1 << 7, SAMPLE_AUX = 1 << 20 };

static const uint32_t sample_members[] = {
	SAMPLE_IDENTIFIER, 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 6, 1 << 9, SAMPLE_CPU, 1 << 8,
	SAMPLE_AUX,
};

struct header {
	char magic[8];
	uint64_t size, attr_size, attrs[2], data[2];
};

/* The beginning of an event's attributes; at the end is the section of its ids. */
struct attr {
	uint32_t type, size;
	uint64_t config, period, sample_type;
};

struct file {
	uint8_t *bytes;
	size_t size;
	struct header header;
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

	for (i = 0; !data->is_snapshot && i < data->nr_pieces; i++)
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

/* Adds a piece of its own, which begins anywhere in the trace. */
static bool add_sample(struct perfdata *data, uint32_t cpu, const uint8_t *bytes, uint64_t size)
{
	struct perfdata_piece *piece = realloc(data->pieces,
					       (data->nr_pieces + 1) * sizeof(*piece));

	if (!piece)
		return false;
	data->pieces = piece;
	piece += data->nr_pieces;
	*piece = (struct perfdata_piece){ .cpu = cpu, .size = size, .is_tail = true };
	piece->bytes = malloc(size + 1);
	if (!piece->bytes)
		return false;
	memcpy(piece->bytes, bytes, size);
	data->nr_pieces++;
	return true;
}

/* Returns the members of the samples of the event that has @id; 0 if no event has. */
static uint64_t sample_type(const struct file *file, uint64_t id)
{
	const struct header *header = &file->header;
	uint64_t at, ids[2], i, one;
	struct attr attr;

	for (at = header->attrs[0]; at + header->attr_size <= header->attrs[0] + header->attrs[1];
	     at += header->attr_size) {
		memcpy(&attr, file->bytes + at, sizeof(attr));
		memcpy(ids, file->bytes + at + header->attr_size - sizeof(ids), sizeof(ids));
		for (i = 0; ids[0] + ids[1] <= file->size && i < ids[1] / 8; i++) {
			memcpy(&one, file->bytes + ids[0] + 8 * i, 8);
			if (one == id)
				return attr.sample_type;
		}
	}
	return 0;
}

/* Handles a sample of @size bytes. Returns false if it is malformed. */
static bool take_sample(struct perfdata *data, const struct file *file, const uint8_t *at,
			size_t size)
{
	uint64_t type, word, cpu = UINT32_MAX;
	size_t i;

	if (size < 8)
		return false;
	memcpy(&word, at, 8);
	type = sample_type(file, word);
	if (!(type & SAMPLE_AUX))
		return true;
	for (i = 0; i < sizeof(sample_members) / sizeof(sample_members[0]); i++) {
		if (!(type & sample_members[i]))
			continue;
		type &= ~(uint64_t)sample_members[i];
		if (size < 8)
			return false;
		memcpy(&word, at, 8);
		at += 8;
		size -= 8;
		if (sample_members[i] == SAMPLE_CPU)
			cpu = word;
	}
	/* The last word was the size; a member that is not known would be before it. */
	return !type && word <= size && (!word || add_sample(data, (uint32_t)cpu, at, word));
}

/* Handles a record. Returns its size including its data; 0 if it exceeds the file. */
static uint64_t take(struct perfdata *data, const struct file *file, const uint8_t *at,
		     size_t left)
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
	if (record.type == RECORD_SAMPLE &&
	    !take_sample(data, file, at + sizeof(record), record.size - sizeof(record)))
		return 0;
	if (record.type == RECORD_AUXTRACE_INFO && record.size >= 16 + 8 * (INFO_SNAPSHOT + 1))
		data->is_snapshot = at[16 + 8 * INFO_SNAPSHOT];
	if (record.type != RECORD_AUXTRACE)
		return record.size;
	if (record.size < sizeof(auxtrace))
		return 0;
	memcpy(&auxtrace, at, sizeof(auxtrace));
	if (auxtrace.size > left - record.size || !add(data, &auxtrace, at + record.size))
		return 0;
	return record.size + auxtrace.size;
}

static bool read_records(struct perfdata *data, const struct file *file, const char *path)
{
	const struct header *header = &file->header;
	uint64_t at, end = header->data[0] + header->data[1], step;

	for (at = header->data[0]; at < end; at += step) {
		step = take(data, file, file->bytes + at, end - at);
		if (!step) {
			fprintf(stderr, "%s: a bad record at %lu\n", path, at);
			return false;
		}
	}
	return true;
}

bool perfdata_read(struct perfdata *data, const char *path)
{
	struct file file = { 0 };
	struct header *header = &file.header;
	bool ok = false;
	size_t i;

	file.bytes = file_read(path, &file.size);
	if (!file.bytes) {
		perror(path);
		return false;
	}
	memset(data, 0, sizeof(*data));
	memcpy(header, file.bytes, file.size < sizeof(*header) ? file.size : sizeof(*header));
	if (file.size < sizeof(*header) || memcmp(header->magic, "PERFILE2", 8) ||
	    header->data[0] > file.size || header->data[1] > file.size - header->data[0] ||
	    header->attrs[0] > file.size || header->attrs[1] > file.size - header->attrs[0] ||
	    header->attr_size < sizeof(struct attr) + 16)
		fprintf(stderr, "%s: no perf.data\n", path);
	else
		ok = read_records(data, &file, path);
	for (i = 0; ok && data->is_snapshot && i < data->nr_pieces; i++)
		data->pieces[i].is_tail = true;
	free(file.bytes);
	return ok;
}
