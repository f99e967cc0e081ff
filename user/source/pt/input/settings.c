// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/settings.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/row.h"
#include "source/perf_data/config.h"

struct reader {
	struct fargs_pt_input *in;
	struct fargs_error_text *err;
};

static int fail_value(const struct reader *r, const struct fargs_perf_variable *v,
		      const char *wanted)
{
	return fargs_fail(r->err, EINVAL, "'%s': '%s' is not a value of '%s.%s': give %s", v->path,
			  v->value ? v->value : "", v->section, v->name, wanted);
}

/*
 * Parses a number as perf does: decimal, or octal with 0, or hexadecimal with 0x; with k, m or g, a
 * multiple of 2^10, 2^20 or 2^30. Returns whether it is one from 0 to INT_MAX.
 */
static bool parse_number(const char *text, uint64_t *nr)
{
	static const char units[] = "kmg";
	const char *unit;
	char *end;

	if (!text || !isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*nr = strtoull(text, &end, 0);
	if (errno || *nr > INT_MAX)
		return false;
	if (*end) {
		unit = strchr(units, tolower((unsigned char)*end));
		if (!unit || end[1])
			return false;
		*nr <<= 10 * (unit - units + 1);
	}
	return *nr <= INT_MAX;
}

static bool parse_bool(const char *text, bool *is_set)
{
	static const char *const words[] = { "false", "true", "no", "yes", "off", "on" };
	uint64_t nr;
	size_t i;

	for (i = 0; text && i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcasecmp(text, words[i])) {
			*is_set = i & 1;
			return true;
		}
	}
	if (!parse_number(text, &nr))
		return false;
	*is_set = nr;
	return true;
}

static int take_variable(void *arg, const struct fargs_perf_variable *v)
{
	const struct reader *r = arg;
	struct fargs_pt_settings *s = &r->in->settings;
	static const char number[] = "a number from 0 to 2147483647";
	uint64_t nr;

	if (!strcmp(v->section, "itrace")) {
		if (strcmp(v->name, "debug-log-buffer-size"))
			return 0;
		if (!parse_number(v->value, &nr))
			return fail_value(r, v, number);
		s->log_bytes = nr;
		return 0;
	}
	if (strcmp(v->section, "intel-pt"))
		return 0;
	if (!strcmp(v->name, "mispred-all"))
		return !fargs_row(D6) || parse_bool(v->value, &s->is_mispredicted) ? 0 :
		       fail_value(r, v, "true or false");
	if (!strcmp(v->name, "max-loops")) {
		if (!parse_number(v->value, &nr))
			return fail_value(r, v, number);
		if (fargs_row(G6))
			s->max_loops = nr;
		return 0;
	}
	/* The size of a cache in perf's decoder, which does not change what is decoded. */
	if (!strcmp(v->name, "cache-divisor"))
		return 0;
	return fargs_pt_input_add_note(r->in, "'%s': '%s.%s' is unknown, and ignored", v->path,
				       v->section, v->name);
}

int fargs_pt_settings_read(struct fargs_pt_input *in, struct fargs_error_text *err)
{
	struct reader r = { .in = in, .err = err };
	int ret = fargs_perf_config_read(take_variable, &r);

	return ret == -ENOMEM ? fargs_fail(err, ENOMEM, "out of memory") : ret;
}
