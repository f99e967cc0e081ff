/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the file that was executed while perf recorded, which may have been replaced since, or be
 * that of another machine: by its path, and by its build ID in perf's cache and among installed
 * debug files. Also finds separate debug files.
 */
#ifndef FARGS_SOURCE_PERF_DATA_LOCATE_H
#define FARGS_SOURCE_PERF_DATA_LOCATE_H

#include <libelf.h>

#include "source/perf_data/build_id.h"

/* perf's name for the code that the kernel maps into each process. */
#define FARGS_VDSO	"[vdso]"

/* Where files are looked for. */
struct fargs_locator {
	char *root;	/* the recorded machine's files are below this directory; "": not moved */
	char *cache;	/* perf's cache of files, as in buildid.dir of perfconfig; "": none */
	int vdso_fd;	/* a copy of the vdso of this process; -1: none yet */
};

/* @root: value of --symfs; NULL: none. Returns 0 or -ENOMEM; in both cases, call deinit. */
int fargs_locator_init(struct fargs_locator *l, const char *root);
void fargs_locator_deinit(struct fargs_locator *l);

/*
 * Returns the path of a file with the contents of the file that was recorded as @path, to be freed
 * with free(), or NULL. @id: the recorded build ID; if it is unknown, any file at @path is used,
 * but no vdso. *@other: the build ID of a file that is at @path, but differs; otherwise unknown.
 * The path of a vdso can be used until fargs_locator_deinit().
 *
 * Inode numbers in MMAP2 records are not compared, as in perf: they differ for a copy of the same
 * file, and on btrfs and overlayfs even for the file itself.
 */
char *fargs_locate(struct fargs_locator *l, const char *path, const struct fargs_build_id *id,
		   struct fargs_build_id *other);

/*
 * Returns the path of the kernel's file with debug information and the build ID @id, to be freed
 * with free(), or NULL.
 */
char *fargs_locate_kernel(const struct fargs_locator *l, const struct fargs_build_id *id);

/*
 * Returns the path of the file vmlinux with the kernel's code and the build ID @id, to be freed
 * with free(), or NULL. @release: the version in the names of files; NULL: unknown.
 */
char *fargs_locate_vmlinux(const struct fargs_locator *l, const struct fargs_build_id *id,
			   const char *release);

/*
 * Returns the path of a module's file with the build ID @id, to be freed with free(), or NULL:
 * preferably one with debug information. @path: as recorded; it may be only "[name]".
 */
char *fargs_locate_module(const struct fargs_locator *l, const char *path,
			  const struct fargs_build_id *id);

/*
 * Opens the separate debug file of @elf, which was recorded as @path and has the build ID @id: by
 * this ID or, if unknown or not found, by the section .gnu_debuglink. Returns a descriptor, or -1.
 */
int fargs_locate_debug(const struct fargs_locator *l, const char *path,
		       const struct fargs_build_id *id, Elf *elf);

#endif
