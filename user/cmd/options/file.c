// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "base/duration.h"
#include "file/pack.h"

#define LEVEL_USUAL	1
#define SYNC_MS_USUAL	1000
/*
 * Limits of --sync. A shorter interval would only keep the disk busy; one of more than a day would
 * hardly differ from 0, which means no syncs.
 */
#define SYNC_MS_MIN	10
#define SYNC_MS_MAX	86400000

void fargs_file_options_init(struct fargs_writer_options *o)
{
	*o = (struct fargs_writer_options){ .level = LEVEL_USUAL, .sync_ms = SYNC_MS_USUAL };
}

static int take_compress(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_writer_options *o = to;
	char *end;
	unsigned long level = value ? strtoul(value, &end, 10) : LEVEL_USUAL;

	if (value && (!isdigit((unsigned char)*value) || *end || !level ||
		      level > FARGS_PACK_LEVEL_MAX))
		return fargs_fail(err, EINVAL, "'%s' is not a level from 1 to %d", value,
				  FARGS_PACK_LEVEL_MAX);
	o->level = level;
	return 0;
}

static int take_sync(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_writer_options *o = to;
	uint64_t ns;
	int ret = fargs_duration_parse(value, &ns, err);

	if (ret)
		return ret;
	/* The value 0 means: never sync. */
	if (ns && (ns < SYNC_MS_MIN * 1000000ull || ns > SYNC_MS_MAX * 1000000ull))
		return fargs_fail(err, EINVAL, "'%s' is neither 0s nor a time from %dms to 1 "
				  "day", value,
				  SYNC_MS_MIN);
	o->sync_ms = ns / 1000000;
	return 0;
}

static int take_no_compress(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_writer_options *o = to;

	o->level = 0;
	return 0;
}

static int take_label(void *to, const char *value, struct fargs_error_text *err)
{
	return fargs_origin_add_label(to, value, err);
}

const struct fargs_option fargs_label_option[] = {
	{ 0, "label", "KEY=VALUE", "keep this in the file, such as which role the machine has; can "
	  "be repeated", .take = take_label },
	FARGS_OPTION_END
};

const struct fargs_option fargs_file_options[] = {
	{ 0, "compress", "LEVEL", "compress the records with zstd (default: level 1)",
	  FARGS_OPTION_OPTIONAL, .take = take_compress },
	{ 0, "no-compress", NULL, "do not compress the records", .take = take_no_compress },
	{ 0, "sync", "TIME", "write the file to disk this often, to limit what a power failure can "
	  "lose (default 1s; 0s: leave it to the kernel)", .take = take_sync },
	FARGS_OPTION_END
};
