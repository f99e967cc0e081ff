// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/names.h"

#include <string.h>

#include "base/errname.h"
#include "kernel/value/uapi.h"

/* Maximum size of an error's name, including its NUL. */
#define NAME_BYTES	64

bool fargs_names_find(const char *name, size_t len, int64_t *value)
{
	const struct fargs_flag *flag = fargs_uapi_find(name, len);
	char copy[NAME_BYTES];

	if (flag) {
		*value = flag->value;
		return true;
	}
	if (len >= sizeof(copy) || name[0] != 'E')
		return false;
	memcpy(copy, name, len);
	copy[len] = '\0';
	*value = fargs_errname_find(copy);
	return *value;
}

void fargs_names_offer(struct fargs_near *near)
{
	const struct fargs_flags *flags;
	const char *name;
	size_t i, j;
	int err;

	for (i = 0; i < FARGS_NR_UAPI; i++) {
		flags = fargs_uapi_flags(i);
		for (j = 0; j < flags->nr; j++)
			fargs_near_offer(near, flags->flags[j].name);
	}
	for (err = 1; err <= FARGS_ERRNO_MAX; err++) {
		name = fargs_errname(err);
		if (name)
			fargs_near_offer(near, name);
	}
}
