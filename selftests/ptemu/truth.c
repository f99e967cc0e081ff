// SPDX-License-Identifier: GPL-2.0-only
#include "truth.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#include "truth_code.h"

#define STREAM_BYTES	(1u << 18)

struct truth_stream {
	FILE *file;
	ZSTD_CCtx *zstd;
	size_t used;
	uint8_t bytes[STREAM_BYTES];
	uint8_t compressed[STREAM_BYTES];
};

static FILE *create(const char *dir, const char *name, unsigned int vcpu)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s.%u", dir, name, vcpu);
	file = fopen(path, "w");
	if (file)
		setvbuf(file, NULL, _IOFBF, 1 << 18);
	return file;
}

int truth_open(struct truth *truth, const char *dir, unsigned int vcpu)
{
	struct truth_stream *log = calloc(1, sizeof(*log));

	truth->log = log;
	if (!log)
		return -1;
	log->zstd = ZSTD_createCCtx();
	log->file = create(dir, "log", vcpu);
	truth->packets = create(dir, "pt", vcpu);
	return log->zstd && log->file && truth->packets ? 0 : -1;
}

/* An incomplete log would be mistaken for a complete one. */
static void give_up(void)
{
	fprintf(stderr, "ptemu: cannot write the truth log\n");
	abort();
}

/* Compresses what has been written. */
static void compress(struct truth_stream *log, ZSTD_EndDirective end)
{
	ZSTD_inBuffer in = { log->bytes, log->used, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { log->compressed, sizeof(log->compressed), 0 };

		left = ZSTD_compressStream2(log->zstd, &out, &in, end);
		if (ZSTD_isError(left) ||
		    fwrite(log->compressed, 1, out.pos, log->file) != out.pos)
			give_up();
	} while (end == ZSTD_e_continue ? in.pos < in.size : left);
	log->used = 0;
}

static void close_whole(FILE *file)
{
	if (ferror(file) | fclose(file))
		give_up();
}

void truth_close(struct truth *truth)
{
	compress(truth->log, ZSTD_e_end);
	close_whole(truth->log->file);
	close_whole(truth->packets);
	ZSTD_freeCCtx(truth->log->zstd);
	free(truth->log);
}

void truth_flush(struct truth *truth)
{
	compress(truth->log, ZSTD_e_flush);
	fflush(truth->log->file);
	fflush(truth->packets);
}

static void put_number(struct truth_stream *log, uint64_t number)
{
	for (; number >> 7; number >>= 7)
		log->bytes[log->used++] = (uint8_t)(number | 0x80);
	log->bytes[log->used++] = (uint8_t)number;
}

void truth_write(struct truth *truth, const struct truth_record *record)
{
	struct truth_stream *log = truth->log;
	struct truth_record *last = &truth->last;
	uint8_t head = (uint8_t)record->kind;

	if (log->used + TRUTH_CODE_MAX > sizeof(log->bytes))
		compress(log, ZSTD_e_continue);
	if (record->ip != last->ip)
		head |= TRUTH_CODE_IP;
	if (record->value != last->value)
		head |= TRUTH_CODE_VALUE;
	if (record->offset != last->offset)
		head |= TRUTH_CODE_OFFSET;
	log->bytes[log->used++] = head;
	put_number(log, record->nr);
	if (head & TRUTH_CODE_IP)
		put_number(log, truth_code_folded(record->ip - last->ip));
	if (head & TRUTH_CODE_VALUE)
		put_number(log, truth_code_folded(record->value - last->value));
	if (head & TRUTH_CODE_OFFSET)
		put_number(log, record->offset - last->offset);
	*last = *record;
}

void truth_packets(struct truth *truth, const void *bytes, size_t size)
{
	fwrite(bytes, 1, size, truth->packets);
}
