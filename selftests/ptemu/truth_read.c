// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "truth.h"
#include "truth_code.h"

/* Bytes of the log, uncompressed. */
struct bytes {
	uint8_t *at;
	size_t size, room;
};

static bool make_room(struct bytes *bytes)
{
	size_t room = bytes->room ? 2 * bytes->room : 1 << 20;
	uint8_t *larger;

	if (bytes->room - bytes->size >= 1 << 18)
		return true;
	larger = realloc(bytes->at, room);
	if (!larger)
		return false;
	bytes->at = larger;
	bytes->room = room;
	return true;
}

/* Returns NULL, or what is wrong. */
static const char *uncompress(struct bytes *bytes, FILE *file, ZSTD_DCtx *zstd)
{
	static uint8_t compressed[1 << 18];
	size_t got, left;

	while ((got = fread(compressed, 1, sizeof(compressed), file))) {
		ZSTD_inBuffer in = { compressed, got, 0 };

		while (in.pos < in.size) {
			ZSTD_outBuffer out;

			if (!make_room(bytes))
				return strerror(ENOMEM);
			out = (ZSTD_outBuffer){ bytes->at, bytes->room, bytes->size };
			left = ZSTD_decompressStream(zstd, &out, &in);
			if (ZSTD_isError(left))
				return ZSTD_getErrorName(left);
			bytes->size = out.pos;
		}
	}
	return ferror(file) ? strerror(errno) : NULL;
}

/* Reads a number and moves *@at behind it. Returns false if it goes beyond @end. */
static bool get_number(const uint8_t **at, const uint8_t *end, uint64_t *number)
{
	unsigned int shift;

	*number = 0;
	for (shift = 0; *at < end && shift < 64; shift += 7) {
		*number |= (uint64_t)(**at & 0x7f) << shift;
		if (!(*(*at)++ & 0x80))
			return true;
	}
	return false;
}

/* Reads a record, of which @record is the one before. Returns false if it is not whole. */
static bool get_record(const uint8_t **at, const uint8_t *end, struct truth_record *record)
{
	uint8_t head = *(*at)++;
	uint64_t number;

	record->kind = head & TRUTH_CODE_KIND;
	if (!get_number(at, end, &number))
		return false;
	record->nr = (uint32_t)number;
	if (head & TRUTH_CODE_IP) {
		if (!get_number(at, end, &number))
			return false;
		record->ip += truth_code_unfolded(number);
	}
	if (head & TRUTH_CODE_VALUE) {
		if (!get_number(at, end, &number))
			return false;
		record->value += truth_code_unfolded(number);
	}
	if (head & TRUTH_CODE_OFFSET) {
		if (!get_number(at, end, &number))
			return false;
		record->offset += number;
	}
	return true;
}

static size_t count(const struct bytes *bytes)
{
	const uint8_t *at = bytes->at, *end = at + bytes->size;
	struct truth_record record = { 0 };
	size_t nr;

	for (nr = 0; at < end && get_record(&at, end, &record); nr++)
		;
	return nr;
}

struct truth_record *truth_read(const char *dir, unsigned int vcpu, size_t *nr)
{
	struct truth_record *records = NULL, record = { 0 };
	ZSTD_DCtx *zstd = ZSTD_createDCtx();
	struct bytes bytes = { 0 };
	const char *wrong;
	const uint8_t *at;
	char path[4096];
	FILE *file;
	size_t i;

	snprintf(path, sizeof(path), "%s/log.%u", dir, vcpu);
	file = fopen(path, "r");
	if (!file || !zstd)
		wrong = strerror(errno);
	else
		wrong = uncompress(&bytes, file, zstd);
	if (!wrong) {
		*nr = count(&bytes);
		records = calloc(*nr + 1, sizeof(*records));
		if (!records)
			wrong = strerror(ENOMEM);
	}
	if (wrong)
		fprintf(stderr, "%s: %s\n", path, wrong);
	for (i = 0, at = bytes.at; records && i < *nr; i++) {
		get_record(&at, bytes.at + bytes.size, &record);
		records[i] = record;
	}
	if (file)
		fclose(file);
	ZSTD_freeDCtx(zstd);
	free(bytes.at);
	return records;
}
