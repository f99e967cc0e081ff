// SPDX-License-Identifier: GPL-2.0-only
#include "base/errname.h"

#include <stddef.h>
#include <string.h>

/* Errors that the kernel uses only internally (include/linux/errno.h, the same in 6.1 to 7.2). */
static const struct {
	int err;
	const char *name;
} internal[] = {
	{ 512, "ERESTARTSYS" }, { 513, "ERESTARTNOINTR" }, { 514, "ERESTARTNOHAND" },
	{ 515, "ENOIOCTLCMD" }, { 516, "ERESTART_RESTARTBLOCK" }, { 517, "EPROBE_DEFER" },
	{ 518, "EOPENSTALE" }, { 519, "ENOPARAM" }, { 521, "EBADHANDLE" }, { 522, "ENOTSYNC" },
	{ 523, "EBADCOOKIE" }, { 524, "ENOTSUPP" }, { 525, "ETOOSMALL" }, { 526, "ESERVERFAULT" },
	{ 527, "EBADTYPE" }, { 528, "EJUKEBOX" }, { 529, "EIOCBQUEUED" },
	{ 530, "ERECALLCONFLICT" }, { 531, "ENOGRACE" },
};

#define NR_INTERNAL	(sizeof(internal) / sizeof(internal[0]))

const char *fargs_errname(int64_t err)
{
	size_t i;

	if (err <= 0 || err > FARGS_ERRNO_MAX)
		return NULL;
	for (i = 0; i < NR_INTERNAL; i++)
		if (internal[i].err == err)
			return internal[i].name;
	return strerrorname_np((int)err);
}

int fargs_errname_find(const char *name)
{
	const char *other;
	int err;

	for (err = 1; err <= FARGS_ERRNO_MAX; err++) {
		other = fargs_errname(err);
		if (other && !strcmp(other, name))
			return err;
	}
	return 0;
}
