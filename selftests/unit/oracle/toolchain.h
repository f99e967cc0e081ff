/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A compiler and a BTF encoder: those of this machine, or those in the root file system in which
 * modules for newer test kernels are built.
 */
#ifndef SELFTESTS_UNIT_ORACLE_TOOLCHAIN_H
#define SELFTESTS_UNIT_ORACLE_TOOLCHAIN_H

#include <stdbool.h>
#include <stddef.h>

struct oracle_toolchain {
	char root[256];		/* the root file system; "": this machine */
	const char *cflags;	/* compiler flags, as in a kernel build */
	const char *pahole_flags;
};

/*
 * Initializes the tools for the oldest or for the newest test kernel. Returns false with the reason
 * in *@why if they cannot be used.
 */
bool oracle_toolchain_old(struct oracle_toolchain *tools, const char **why);
bool oracle_toolchain_new(struct oracle_toolchain *tools, const char **why);

/* Compiles NAME.c in @dir to NAME.o, and encodes its BTF as NAME.btf. */
bool oracle_toolchain_compile(const struct oracle_toolchain *tools, const char *dir,
			      const char *name);
/* Encodes the BTF of the file @object in @dir as NAME.btf, always with this machine's pahole. */
bool oracle_toolchain_encode(const char *dir, const char *object, const char *name);

#endif
