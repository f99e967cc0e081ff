// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "file/pack.h"
#include "base/duration.h"

#define LEVEL_USUAL	1
#define SYNC_MS_USUAL	1000
/* More often would only keep the disk busy; a day is as good as never. */
#define SYNC_MS_MIN	10
#define SYNC_MS_MAX	86400000

void fargs_file_options_init(struct fargs_writer_options *o)
{
	*o = (struct fargs_writer_options){ .level = LEVEL_USUAL, .sync_ms = SYNC_MS_USUAL };
}

int fargs_file_options_set_compress(struct fargs_writer_options *o, const char *value,
				    struct fargs_error_text *err)
{
	char *end;
	unsigned long level = value ? strtoul(value, &end, 10) : LEVEL_USUAL;

	if (value && (!isdigit((unsigned char)*value) || *end || !level ||
		      level > FARGS_PACK_LEVEL_MAX))
		return fargs_fail(err, EINVAL, "'%s' is not a level from 1 to %d", value,
				  FARGS_PACK_LEVEL_MAX);
	o->level = level;
	return 0;
}

int fargs_file_options_set_sync(struct fargs_writer_options *o, const char *value,
				struct fargs_error_text *err)
{
	uint64_t ns;
	int ret = fargs_duration_parse(value, &ns, err);

	if (ret)
		return ret;
	/* 0: never. */
	if (ns && (ns < SYNC_MS_MIN * 1000000ull || ns > SYNC_MS_MAX * 1000000ull))
		return fargs_fail(err, EINVAL, "'%s' is neither 0s nor from %dms to a day", value,
				  SYNC_MS_MIN);
	o->sync_ms = ns / 1000000;
	return 0;
}
