/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A compiler and a BTF encoder: this machine's, or those in the root file system
 * in which modules for newer test kernels are built.
 */
#ifndef SELFTESTS_UNIT_ORACLE_TOOLCHAIN_H
#define SELFTESTS_UNIT_ORACLE_TOOLCHAIN_H

#include <stdbool.h>
#include <stddef.h>

struct oracle_toolchain {
	char root[256];		/* empty: this machine's */
	const char *cflags;	/* as a kernel's build has them */
	const char *pahole_flags;
};

/* As for the oldest test kernel, or the newest. False with *@why: cannot be used. */
bool oracle_toolchain_old(struct oracle_toolchain *tools, const char **why);
bool oracle_toolchain_new(struct oracle_toolchain *tools, const char **why);

/* NAME.c in @dir to NAME.o and, from that, to the BTF NAME.btf. */
bool oracle_toolchain_compile(const struct oracle_toolchain *tools, const char *dir,
			      const char *name);
/* The BTF of the file @object in @dir to NAME.btf; always by this machine's pahole. */
bool oracle_toolchain_encode(const char *dir, const char *object, const char *name);

#endif
