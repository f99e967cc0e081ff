// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a synthetic stream: its packets, the truth, and the code.
 *
 *	synth [-c] DESCRIPTION [OUT]
 *
 * OUT.pt has the packets, OUT.truth the truth, OUT.ADDRESS.bin each piece of code. -c compares what
 * libipt decodes with the truth.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libipt.h"
#include "parse.h"

static char *read_text(const char *path)
{
	FILE *file = !strcmp(path, "-") ? stdin : fopen(path, "r");
	size_t size = 0, got;
	char *text = NULL;

	if (!file)
		return NULL;
	do {
		text = realloc(text, size + 65536);
		if (!text)
			return NULL;
		got = fread(text + size, 1, 65535, file);
		size += got;
	} while (got);
	text[size] = '\0';
	if (file != stdin)
		fclose(file);
	return text;
}

static FILE *create(const char *out, const char *suffix)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s%s", out, suffix);
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		exit(2);
	}
	return file;
}

static void finish(FILE *file)
{
	if (ferror(file) | fclose(file)) {
		perror("synth");
		exit(2);
	}
}

/* Instructions that follow each other without a gap are one piece. */
static void write_code(const struct code *code, const char *out)
{
	FILE *file = NULL;
	uint64_t next = 0;
	char suffix[32];
	size_t i;

	for (i = 0; i < code->nr_insns; i++) {
		const struct code_insn *insn = &code->insns[i];

		if (file && insn->ip != next) {
			finish(file);
			file = NULL;
		}
		if (!file) {
			snprintf(suffix, sizeof(suffix), ".%" PRIx64 ".bin", insn->ip);
			file = create(out, suffix);
		}
		fwrite(insn->bytes, 1, insn->size, file);
		next = insn->ip + insn->size;
	}
	if (file)
		finish(file);
}

static void write_all(const struct machine *m, const char *out)
{
	FILE *file = create(out, ".pt");

	fwrite(m->order.stream.bytes, 1, m->order.stream.nr_bytes, file);
	finish(file);
	file = create(out, ".truth");
	records_print(&m->records, file);
	finish(file);
	write_code(&m->code, out);
}

static bool check(const struct machine *m)
{
	struct libipt_result result = libipt_compare(m, m->order.stream.bytes,
						     m->order.stream.nr_bytes);

	printf("insns %" PRIu64 " events %" PRIu64 " errors %" PRIu64 " event_off %" PRIu64
	       " insn_off %" PRIu64 " %s\n", result.nr_insns, result.nr_events, result.nr_errors,
	       result.event_off, result.insn_off, result.is_same ? "same" : "DIFFERENT");
	return result.is_same;
}

int main(int argc, char **argv)
{
	bool is_checked = argc > 1 && !strcmp(argv[1], "-c"), ok = true;
	struct machine machine;
	struct parse parse = { .m = &machine };
	char *text;

	argc -= is_checked;
	argv += is_checked;
	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: synth [-c] DESCRIPTION [OUT]\n");
		return 2;
	}
	text = read_text(argv[1]);
	if (!text) {
		perror(argv[1]);
		return 2;
	}
	machine_init(&machine);
	if (!parse_text(&parse, text)) {
		fprintf(stderr, "%s: %s\n", argv[1], parse.error);
		ok = false;
	}
	if (ok && argc == 3)
		write_all(&machine, argv[2]);
	if (ok && is_checked)
		ok = check(&machine);
	machine_deinit(&machine);
	free(text);
	return !ok;
}
