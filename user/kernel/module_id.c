// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/module_id.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "kernel/btf/file.h"

#define NOTE	".note.gnu.build-id"

/* Returns the address of the loaded section with the note; 0 if it is unknown. */
static uint64_t find_section(const char *sysfs, const char *name)
{
	char path[4096], line[64];

	snprintf(path, sizeof(path), "%s/module/%s/sections/" NOTE, sysfs, name);
	return fargs_file_line(path, line, sizeof(line)) ? 0 : strtoull(line, NULL, 16);
}

void fargs_module_id_read(struct fargs_module_id *id, const char *sysfs, const char *name)
{
	struct fargs_build_id found = { .bytes = 0 };
	uint64_t section = find_section(sysfs, name);
	char path[4096], *notes;
	const char *at;
	size_t bytes;

	memset(id, 0, sizeof(*id));
	snprintf(path, sizeof(path), "%s/module/%s/notes/" NOTE, sysfs, name);
	notes = fargs_file_read(path, &bytes);
	if (notes)
		fargs_build_id_find(&found, notes, bytes);
	at = found.bytes ? memmem(notes, bytes, found.data, found.bytes) : NULL;
	if (at) {
		memcpy(id->data, found.data, found.bytes);
		id->bytes = found.bytes;
		id->addr = section ? section + (uint64_t)(at - notes) : 0;
	}
	free(notes);
}
