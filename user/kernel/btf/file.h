/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads BTF files, and the data in them that identify a kernel build. The BTF is raw, or in section
 * .BTF of an ELF file: vmlinux, a module, or a file of debug information for either.
 */
#ifndef FARGS_KERNEL_BTF_FILE_H
#define FARGS_KERNEL_BTF_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define FARGS_BUILD_ID_MAX	64

struct fargs_build_id {
	unsigned char data[FARGS_BUILD_ID_MAX];
	size_t bytes;			/* 0: none */
};

struct fargs_btf_file {
	void *data;			/* raw BTF */
	size_t bytes;
	void *base;			/* raw contents of .BTF.base; NULL: none */
	size_t base_bytes;
	bool is_elf;
	bool is_split;			/* split BTF, which is based on other BTF */
	/* The following members are set only for ELF files; they are empty if unknown. */
	struct fargs_build_id build_id;
	char module[64];		/* name of the module */
	char release[128];		/* kernel release that a module was built for */
	char srcversion[64];
};

/*
 * Reads @path. Returns 0; -ENODATA if it is ELF without BTF; or another -errno. @err then has the
 * reason and names @path. The caller calls fargs_btf_file_deinit() only after success.
 */
int fargs_btf_file_init(struct fargs_btf_file *file, const char *path,
			struct fargs_error_text *err);
void fargs_btf_file_deinit(struct fargs_btf_file *file);

/*
 * Is this raw BTF split? The strings of split BTF continue those of its base, so they do not begin
 * with the empty string.
 */
bool fargs_btf_is_split(const void *data, size_t bytes);

/* Finds the GNU build id among ELF notes, as in /sys/kernel/notes. */
void fargs_build_id_find(struct fargs_build_id *id, const void *notes, size_t bytes);

#endif
