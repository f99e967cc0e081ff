/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unpacks the Intel PT recordings in ../shared/testdata. They are not part of the source tree: if
 * they are missing, tests are skipped.
 */
#ifndef SELFTESTS_PT_TESTDATA_H
#define SELFTESTS_PT_TESTDATA_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "unit/ktap.h"

#define PT_TESTDATA	"../shared/testdata"

static char pt_testdata_dir[64];

/* Returns a path in the unpacked recording, valid until the fourth call after this one. */
__attribute__((unused)) static const char *pt_testdata_at(const char *name)
{
	static char paths[4][256];
	static unsigned int nr;
	char *path = paths[nr++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", pt_testdata_dir, name);
	return path;
}

/* Unpacks @name.tar.xz. Returns false if the test was skipped or has failed. */
__attribute__((unused)) static bool pt_testdata_unpack(const char *name)
{
	char command[512], path[256];

	snprintf(path, sizeof(path), PT_TESTDATA "/%s.tar.xz", name);
	if (access(path, R_OK)) {
		ktap_skip("there is no %s", path);
		return false;
	}
	if (!pt_testdata_dir[0]) {
		strcpy(pt_testdata_dir, "/tmp/fargs-pt-XXXXXX");
		if (!mkdtemp(pt_testdata_dir))
			pt_testdata_dir[0] = '\0';
	}
	if (!access(pt_testdata_at(name), F_OK))
		return true;
	snprintf(command, sizeof(command), "tar xf %s -C '%s'", path, pt_testdata_dir);
	if (!pt_testdata_dir[0] || system(command)) {
		ktap_fail(__FILE__, __LINE__, "cannot unpack %s", path);
		return false;
	}
	return true;
}

static int pt_testdata_remove_one(const char *path, const struct stat *st, int type,
				  struct FTW *ftw)
{
	return remove(path);
}

__attribute__((unused)) static void pt_testdata_clean_up(void)
{
	if (pt_testdata_dir[0])
		nftw(pt_testdata_dir, pt_testdata_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
