// SPDX-License-Identifier: GPL-2.0-only
#include "truth.h"

#include <stdlib.h>

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
	truth->log = create(dir, "log", vcpu);
	truth->packets = create(dir, "pt", vcpu);
	return truth->log && truth->packets ? 0 : -1;
}

static void close_whole(FILE *file)
{
	/* Abort, because an incomplete log would be mistaken for a complete one. */
	if (ferror(file) | fclose(file)) {
		fprintf(stderr, "ptemu: cannot write the truth log\n");
		abort();
	}
}

void truth_close(struct truth *truth)
{
	close_whole(truth->log);
	close_whole(truth->packets);
}

void truth_flush(struct truth *truth)
{
	fflush(truth->log);
	fflush(truth->packets);
}

void truth_write(struct truth *truth, const struct truth_record *record)
{
	fwrite(record, sizeof(*record), 1, truth->log);
}

void truth_packets(struct truth *truth, const void *bytes, size_t size)
{
	fwrite(bytes, 1, size, truth->packets);
}
