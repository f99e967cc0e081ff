// SPDX-License-Identifier: GPL-2.0-only
#include "unit/oracle/toolchain.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOTS	"build/vm/root/trixie-*"

/* Flags of all kernels that affect the places of arguments, or which functions are cloned. */
#define KERNEL_FLAGS \
	"-O2 -g -w -Wno-psabi -std=gnu11 -fno-strict-aliasing -fno-common -fshort-wchar -fno-PIE " \
	"-mno-sse -mno-mmx -mno-sse2 -mno-3dnow -mno-avx -m64 -mno-80387 -mno-fp-ret-in-387 " \
	"-mpreferred-stack-boundary=3 -mskip-rax-setup -mno-red-zone -mcmodel=kernel " \
	"-fno-asynchronous-unwind-tables -mindirect-branch=thunk-extern " \
	"-mindirect-branch-register -mfunction-return=thunk-extern -fno-jump-tables " \
	"-fno-delete-null-pointer-checks -fno-allow-store-data-races " \
	"-fstack-protector-strong -ftrivial-auto-var-init=zero -fno-stack-clash-protection " \
	"-mrecord-mcount -mfentry -fno-strict-overflow -fconserve-stack "

static const char old_flags[] = KERNEL_FLAGS "-fcf-protection=none";
static const char new_flags[] = KERNEL_FLAGS
	"-fcf-protection=branch -fpatchable-function-entry=16,16 -fmin-function-alignment=16 "
	"-fms-extensions -funsigned-char";

/* Options that scripts/Makefile.btf of 7.2 passes to pahole 1.30. */
static const char new_pahole[] =
	"--btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,"
	"consistent_func,decl_tag_kfuncs --btf_features=attributes --lang_exclude=rust";

bool oracle_toolchain_old(struct oracle_toolchain *tools, const char **why)
{
	*tools = (struct oracle_toolchain) {
		.cflags = old_flags, .pahole_flags = "--btf_gen_floats",
	};
	*why = "gcc and pahole are needed";
	return !system("command -v gcc >/dev/null && command -v pahole >/dev/null");
}

static bool has_pahole(const char *root)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/usr/bin/pahole", root);
	return !access(path, X_OK);
}

bool oracle_toolchain_new(struct oracle_toolchain *tools, const char **why)
{
	glob_t found;
	size_t i;

	*tools = (struct oracle_toolchain) {
		.cflags = new_flags, .pahole_flags = new_pahole,
	};
	if (geteuid()) {
		*why = "only root can use " ROOTS;
		return false;
	}
	if (!glob(ROOTS, 0, NULL, &found)) {
		for (i = 0; i < found.gl_pathc; i++)
			if (has_pahole(found.gl_pathv[i]))
				snprintf(tools->root, sizeof(tools->root), "%s",
					 found.gl_pathv[i]);
		globfree(&found);
	}
	*why = "no pahole in " ROOTS " (selftests/vm/prefetch 7.2 makes it)";
	return *tools->root;
}

/*
 * Runs @command in @dir, in the tools' root file system if there is one. Nothing is written to that
 * file system: the mounts are private to the process.
 */
static bool run_in(const struct oracle_toolchain *tools, const char *dir, const char *command)
{
	char whole[2048];
	int len;

	if (*tools->root)
		len = snprintf(whole, sizeof(whole),
			       "unshare --mount --propagation private sh -ec '"
			       "mount --bind %s %s/src; mount --rbind /dev %s/dev; "
			       "mount -t tmpfs tmp %s/tmp; "
			       "exec chroot %s sh -c \"cd /src && %s\"'",
			       dir, tools->root, tools->root, tools->root, tools->root, command);
	else
		len = snprintf(whole, sizeof(whole), "cd %s && %s", dir, command);
	return len > 0 && (size_t)len < sizeof(whole) && !system(whole);
}

bool oracle_toolchain_compile(const struct oracle_toolchain *tools, const char *dir,
			      const char *name)
{
	char command[1536];

	snprintf(command, sizeof(command), "gcc %s -c -o %s.o %s.c && "
		 "pahole %s --btf_encode_detached=%s.btf %s.o", tools->cflags, name, name,
		 tools->pahole_flags, name, name);
	return run_in(tools, dir, command);
}

bool oracle_toolchain_encode(const char *dir, const char *object, const char *name)
{
	char command[512];

	snprintf(command, sizeof(command), "cd %s && pahole --btf_encode_detached=%s.btf %s", dir,
		 name, object);
	return !system(command);
}
