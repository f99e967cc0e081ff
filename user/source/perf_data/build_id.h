/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Build IDs, which identify the contents of programs and libraries: in ELF files, in MMAP2 records,
 * and in the list that perf record appends to its file.
 */
#ifndef FARGS_SOURCE_PERF_DATA_BUILD_ID_H
#define FARGS_SOURCE_PERF_DATA_BUILD_ID_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* perf records no more bytes, and so only the first bytes of longer build IDs are compared. */
#define FARGS_BUILD_ID_MAX	20
/* Room for the digits of a build ID, with a NUL. */
#define FARGS_BUILD_ID_TEXT	(2 * FARGS_BUILD_ID_MAX + 1)

struct fargs_build_id {
	uint8_t nr;			/* number of bytes; 0: unknown */
	uint8_t bytes[FARGS_BUILD_ID_MAX];
};

/* Sets @id. If all bytes are 0, or there are none, the build ID is unknown. */
void fargs_build_id_set(struct fargs_build_id *id, const void *bytes, size_t nr);
/*
 * Do both identify the same file? perf once filled up shorter build IDs with zeroes. Unknown build
 * IDs differ from all others.
 */
bool fargs_build_id_is_same(const struct fargs_build_id *a, const struct fargs_build_id *b);
/* Writes the build ID as digits to @text, and returns @text. */
const char *fargs_build_id_text(const struct fargs_build_id *id, char text[FARGS_BUILD_ID_TEXT]);

/* Finds the build ID of an ELF file, which may be unknown. */
void fargs_build_id_of_elf(struct fargs_build_id *id, Elf *elf);
/* Finds the build ID in ELF notes, such as /sys/kernel/notes; it may be unknown. */
void fargs_build_id_of_notes(struct fargs_build_id *id, const void *notes, size_t size);
/* Returns false if @path is not a regular file that can be read. */
bool fargs_build_id_of_file(struct fargs_build_id *id, const char *path);

/* The build IDs of the files of a recording. Initialize with zeroes. */
struct fargs_build_id_list {
	struct fargs_build_id_entry {
		char *path;
		struct fargs_build_id id;
	} *entries;
	size_t nr;
	struct fargs_hash by_path;
};

void fargs_build_id_list_deinit(struct fargs_build_id_list *list);
/*
 * Adds the build IDs of programs and of the kernel in @bytes: the feature BUILD_ID of a perf.data
 * file, which consists of records, or one such record. The input is not trusted: reading ends at a
 * record that is invalid. Returns 0 or -ENOMEM.
 */
int fargs_build_id_list_add(struct fargs_build_id_list *list, const uint8_t *bytes, uint64_t size);
/* Returns the build ID of the file that was recorded as @path; NULL: unknown. */
const struct fargs_build_id *fargs_build_id_list_find(const struct fargs_build_id_list *list,
						      const char *path);

#endif
