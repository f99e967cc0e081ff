// SPDX-License-Identifier: GPL-2.0-only
/*
 * Feeds bytes to the parsers of untrusted input: the record parser and decoder or, if the input
 * begins like an ELF file, the trace file reader.
 *
 * With clang: -fsanitize=fuzzer,address,undefined -DFARGS_LIBFUZZER. Without these flags, this is a
 * stand-alone program:
 *
 *	record FILE...		replays the files
 *	record -n N [FILE...]	N random mutations of them, or of a built-in
 *				record; -s SEED repeats a run
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "file/format.h"
#include "file/reader.h"
#include "fuzz/json_check.h"
#include "model/decoder.h"
#include "model/event_record.h"
#include "sink/json/json_event.h"
#include "sink/text/text.h"
#include "unit/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libtraceevent leaks parts of formats that it cannot parse, which is not our bug. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent";
}

static struct fargs_buf sink;

static void require(int cond, const char *what)
{
	if (!cond) {
		fprintf(stderr, "fuzz: %s\n", what);
		abort();
	}
}

static void show(struct fargs_decoder *d, unsigned int cpu, const struct fargs_record *rec)
{
	struct fargs_event ev;

	if (fargs_decoder_event(d, cpu, rec, &ev))
		return;
	sink.n = 0;
	fargs_text_event(&sink, d, &ev);
	fargs_text_event_raw(&sink, d, &ev);
	sink.n = 0;
	fargs_json_event(&sink, d, &ev);
	fargs_json_event_raw(&sink, d, &ev);
	require(json_lines_are_valid(sink.text, sink.n), "a line is no JSON");
}

static void try_records(const uint8_t *data, size_t size)
{
	static struct fargs_meta meta = { .info = { .nr_cpus = 2, .tsc_khz = 1000000 } };
	static struct fargs_decoder *d;
	struct fargs_values it;
	struct fargs_value val;
	const char *why = NULL;
	uint8_t *copy;
	int len, ret;

	if (!d)
		d = fargs_decoder_create(&meta, NULL);
	/*
	 * The record is copied to memory of the exact size, so that a sanitizer detects accesses
	 * beyond it.
	 */
	copy = malloc(size ? size : 1);
	memcpy(copy, data, size);
	len = fargs_record_check(copy, size, &why);
	require(len < 0 ? why != NULL : (size_t)len <= size, "no reason, or too long");
	if (len > 0 && copy[offsetof(struct fargs_record, kind)] == FARGS_KIND_EVENT) {
		show(d, 1, (void *)copy);
	} else if (fargs_record_check_header(copy, size, NULL) > 0 &&
		   copy[offsetof(struct fargs_record, kind)] != FARGS_KIND_EVENT) {
		fargs_record_values((void *)copy, &it);
		while ((ret = fargs_record_next(&it, &val, NULL)) == 1) {
			fargs_value_u128(&val);
			require(val.is_fault || (int64_t)fargs_value_u64(&val) ==
				fargs_value_s64(&val), "two readings of a value");
		}
		require((ret < 0) == (len < 0), "check and iteration disagree");
		show(d, 1, (void *)copy);
	}
	free(copy);
}

static int take(void *arg, unsigned int cpu, const struct fargs_record *rec)
{
	show(arg, cpu, rec);
	return 0;
}

/* Corrects the checksums, so that the mutated contents are parsed. */
static void mend(uint8_t *data, size_t size)
{
	struct fargs_chunk_v1 info;
	struct fargs_chunk chunk;
	size_t at = 64;

	/*
	 * In a file of version 1, all chunks have headers of version 1; otherwise, only INFO has
	 * one.
	 */
	while (at + sizeof(info) <= size) {
		memcpy(&info, data + at, sizeof(info));
		if (info.magic != FARGS_CHUNK_V1_MAGIC || info.bytes > size - at - sizeof(info))
			break;
		info.crc = fargs_crc32c(0, data + at + sizeof(info), info.bytes);
		info.head_crc = fargs_chunk_v1_head_crc(&info);
		memcpy(data + at, &info, sizeof(info));
		at += sizeof(info) + fargs_chunk_room(info.bytes);
	}
	while (at + sizeof(chunk) <= size) {
		memcpy(&chunk, data + at, sizeof(chunk));
		if (chunk.magic != FARGS_CHUNK_MAGIC || chunk.bytes > size - at - sizeof(chunk))
			return;
		chunk.crc = fargs_crc32c(0, data + at + sizeof(chunk), chunk.bytes);
		chunk.head_crc = fargs_chunk_head_crc(&chunk);
		memcpy(data + at, &chunk, sizeof(chunk));
		at += sizeof(chunk) + fargs_chunk_room(chunk.bytes);
	}
}

static void count_section(void *arg, const char *name, uint64_t bytes)
{
	*(size_t *)arg += strlen(name);
}

static void try_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct fargs_error_text err = { "" };
	uint8_t *copy = malloc(size);
	struct fargs_decoder *d;
	struct fargs_reader *r;
	struct fargs_meta meta;
	size_t total = 0;
	char path[32];

	memcpy(copy, data, size);
	mend(copy, size);
	require(write(fd, copy, size) == (ssize_t)size, "no memory for a file");
	free(copy);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fargs_meta_init(&meta);
	r = fargs_reader_open(path, &meta, &err);
	require(r || err.text[0], "failed without a reason");
	if (r) {
		fargs_reader_sections(r, count_section, &total, &err);
		d = meta.info.nr_cpus <= 1024 ? fargs_decoder_create(&meta, &err) : NULL;
		if (d)
			replay(r, &meta, take, d, &err);
		fargs_decoder_destroy(d);
	}
	fargs_reader_destroy(r);
	fargs_meta_deinit(&meta);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 4 && !memcmp(data, "\177ELF", 4))
		try_file(data, size);
	else
		try_records(data, size);
	return 0;
}

#ifndef FARGS_LIBFUZZER
static uint64_t state = 1;

static uint32_t random32(void)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return state >> 32;
}

static void mutate(uint8_t *data, size_t *size)
{
	static const uint8_t odd[] = { 0, 1, 7, 8, 14, 15, 0x7f, 0x80, 0x8f, 0xff };
	unsigned int n = 1 + random32() % 8, at;

	for (; n && *size; n--) {
		/* Choose half of the offsets near the beginning, where the headers are. */
		at = random32() % (random32() & 1 ? *size : *size < 256 ? *size : 256);
		switch (random32() % 4) {
		case 0:
			data[at] ^= 1 << random32() % 8;
			break;
		case 1:
			data[at] = odd[random32() % sizeof(odd)];
			break;
		case 2:
			data[at] = random32();
			break;
		default:
			if (!(random32() % 8))
				*size = at;
			else
				memmove(data + at, data, (*size - at) / 2);
		}
	}
}

static uint8_t *slurp(const char *path, size_t *size)
{
	uint8_t *data = NULL;
	FILE *f = fopen(path, "r");
	long end = f && !fseek(f, 0, SEEK_END) ? ftell(f) : -1;

	if (end >= 0 && !fseek(f, 0, SEEK_SET)) {
		data = malloc(end + 1);
		*size = fread(data, 1, end, f);
	}
	if (f)
		fclose(f);
	return data;
}

int main(int argc, char **argv)
{
	static const uint8_t seed[] =
		"\x60\0\1\0\1\0\0\0TSCTSCTSip--ip--par-par-seq-seq-\0\0\0\x80\0\2\0\0"
		"name\0\00612345678s\0\016\5\0hello\0\0\0p\0\21312345678\0\0\0\0\0\0\0\0\0\0";
	unsigned long n = 0, i;
	uint8_t *data, *copy;
	size_t size, left;
	int opt;

	while ((opt = getopt(argc, argv, "n:s:")) != -1) {
		if (opt == 'n')
			n = strtoul(optarg, NULL, 0);
		else if (opt == 's')
			state = strtoul(optarg, NULL, 0);
		else
			return 1;
	}
	do {
		size = sizeof(seed) - 1;
		data = optind < argc ? slurp(argv[optind], &size) :
				       memcpy(malloc(size), seed, size);
		if (!data) {
			fprintf(stderr, "%s: cannot read it: %s\n", argv[optind], strerror(errno));
			return 1;
		}
		LLVMFuzzerTestOneInput(data, size);
		copy = malloc(size + 1);
		for (i = 0; i < n; i++) {
			left = size;
			memcpy(copy, data, size);
			mutate(copy, &left);
			LLVMFuzzerTestOneInput(copy, left);
		}
		free(copy);
		free(data);
	} while (++optind < argc);
	fargs_buf_deinit(&sink);
	printf("ok\n");
	return 0;
}
#endif
