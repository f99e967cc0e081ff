// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/btf/identity.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "kernel/btf/btfs.h"

static void read_build_id(struct fargs_build_id *id, const char *path)
{
	size_t bytes;
	char *notes = fargs_file_read(path, &bytes);

	id->bytes = 0;
	if (notes)
		fargs_build_id_find(id, notes, bytes);
	free(notes);
}

static void format_notes(char *path, size_t bytes, const char *sysfs, const char *name)
{
	snprintf(path, bytes, "%s/module/%s/notes/.note.gnu.build-id", sysfs, name);
}

void fargs_btf_identity_of_module(struct fargs_build_id *id, const char *sysfs, const char *name)
{
	char path[4096];

	format_notes(path, sizeof(path), sysfs, name);
	read_build_id(id, path);
}

static int compare_build_ids(const struct fargs_btf_file *file, const char *path,
			     const char *notes, const char *what, struct fargs_error_text *err)
{
	struct fargs_build_id id;

	read_build_id(&id, notes);
	if (!id.bytes || !file->build_id.bytes)
		return FARGS_BTF_IDENTITY_UNKNOWN;
	if (id.bytes == file->build_id.bytes && !memcmp(id.data, file->build_id.data, id.bytes))
		return FARGS_BTF_IDENTITY_SAME;
	return fargs_fail(err, ESTALE, "'%s' is from a different build of %s than the one in use "
			  "(their build IDs differ)", path, what);
}

int fargs_btf_identity_check(const struct fargs_btf_file *file, const char *path,
			     const char *name, const char *sysfs, const char *release,
			     struct fargs_error_text *err)
{
	bool is_kernel = !strcmp(name, FARGS_BTF_VMLINUX);
	char at[4096], what[128], srcversion[64];

	if (is_kernel) {
		snprintf(at, sizeof(at), "%s/kernel/notes", sysfs);
		return compare_build_ids(file, path, at, "the kernel", err);
	}
	if (file->release[0] && strcmp(file->release, release))
		return fargs_fail(err, ESTALE, "'%s' is for kernel %s, but this is %s", path,
				  file->release, release);
	snprintf(at, sizeof(at), "%s/module/%s/srcversion", sysfs, name);
	if (file->srcversion[0] && !fargs_file_line(at, srcversion, sizeof(srcversion)) &&
	    strcmp(file->srcversion, srcversion))
		return fargs_fail(err, ESTALE, "'%s' was built from other sources than the loaded "
				  "module '%s' (their srcversions differ)", path, name);
	format_notes(at, sizeof(at), sysfs, name);
	snprintf(what, sizeof(what), "module %s", name);
	return compare_build_ids(file, path, at, what, err);
}
