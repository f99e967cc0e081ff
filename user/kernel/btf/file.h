/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that hold BTF: raw, or ELF with a section .BTF (vmlinux, a module, debug
 * information split off either), and what they say of the kernel they belong to.
 */
#ifndef FARGS_BTF_FILE_H
#define FARGS_BTF_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define FARGS_BUILD_ID_MAX	64

struct fargs_build_id {
	unsigned char data[FARGS_BUILD_ID_MAX];
	size_t bytes;			/* 0: there is none */
};

struct fargs_btf_file {
	void *data;			/* raw BTF */
	size_t bytes;
	void *base;			/* of .BTF.base; NULL: there is none */
	size_t base_bytes;
	bool is_elf;
	bool is_split;			/* it builds on other BTF */
	/* Of ELF files; empty where they do not say. */
	struct fargs_build_id build_id;
	char module[64];		/* a module's name */
	char release[128];		/* of the kernel that a module was built for */
	char srcversion[64];
};

/*
 * Reads @path. Returns 0; -ENODATA if it is ELF without BTF; another -errno;
 * with the reason in @err, which names @path. To be deinitialised after success.
 */
int fargs_btf_file_init(struct fargs_btf_file *file, const char *path,
			struct fargs_error_text *err);
void fargs_btf_file_deinit(struct fargs_btf_file *file);

/* Is raw BTF of @bytes split? Its strings then go on where those of its base end. */
bool fargs_btf_is_split(const void *data, size_t bytes);

/* Finds the GNU build id among ELF notes, as in /sys/kernel/notes. */
void fargs_build_id_find(struct fargs_build_id *id, const void *notes, size_t bytes);

#endif
