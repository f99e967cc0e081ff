// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/call.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "kernel/cgroup.h"
#include "uapi/fargs_record.h"

static const char *const names[FARGS_CALL_FILTERS] = { "comm", "cpu", "pid", "tid", "uid",
						    "cgroup", "duration" };

/*
 * Writes a comparison with a glob. Quotes in the glob are escaped, because they would end the
 * string.
 */
static void put_glob(FILE *out, const char *name, const char *glob)
{
	fprintf(out, "$%s == \"", name);
	for (; *glob; glob++) {
		if (*glob == '"')
			putc('\\', out);
		putc(*glob, out);
	}
	putc('"', out);
}

/*
 * Skips a decimal number. Returns the position after the number, or NULL if there is no number or
 * it has too many digits.
 */
static const char *skip_number(const char *s)
{
	size_t n = strspn(s, "0123456789");

	return n && n < 11 ? s + n : NULL;
}

/*
 * Writes the condition for the range "A" or "A-B" at @s. Returns the position after the range, or
 * NULL if there is no valid range.
 */
static const char *put_range(FILE *out, const char *name, const char *s)
{
	const char *end = skip_number(s), *high = s;

	if (end && *end == '-') {
		high = end + 1;
		end = skip_number(high);
	}
	if (!end || (*end && *end != ','))
		return NULL;
	if (high == s)
		fprintf(out, "$%s == %llu", name, strtoull(s, NULL, 10));
	else
		fprintf(out, "($%s >= %llu && $%s <= %llu)", name, strtoull(s, NULL, 10), name,
			strtoull(high, NULL, 10));
	return end;
}

static bool put_numbers(FILE *out, const char *name, const char *s)
{
	const char *mark = "";

	do {
		fputs(mark, out);
		s = put_range(out, name, s);
		mark = " || ";
	} while (s && *s++);
	return s;
}

/* Writes the condition for a minimum duration @s, a number with a unit, such as "100us". */
static bool put_time(FILE *out, const char *name, const char *s)
{
	const char *unit = skip_number(s);

	if (!unit || (strcmp(unit, "ns") && strcmp(unit, "us") && strcmp(unit, "ms") &&
		      strcmp(unit, "s")))
		return false;
	fprintf(out, "$%s >= %s", name, s);
	return true;
}

/*
 * Writes the condition that a task is in the cgroup @path or in a descendant of it: the task's
 * cgroup must have @path as its ancestor at the level of @path. The condition checks the level
 * first, because the array of ancestors ends at the level of the task's own cgroup.
 */
static int put_cgroup(FILE *out, const char *path, struct fargs_error_text *err)
{
	struct fargs_cgroup cgroup;
	int ret = fargs_cgroup_init(&cgroup, path, err);

	if (!ret)
		fprintf(out, "($task->cgroups->dfl_cgrp->level >= %u && "
			"$task->cgroups->dfl_cgrp->ancestors[%u]->kn->id == %llu)", cgroup.level,
			cgroup.level, (unsigned long long)cgroup.id);
	return ret;
}

int fargs_call_options_add(struct fargs_call_options *o, enum fargs_call_filter filter,
			   const char *value, struct fargs_error_text *err)
{
	char *text = NULL, *old = o->texts[filter];
	bool is_right = true;
	size_t size;
	int ret = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return fargs_fail(err, ENOMEM, "no memory for options");
	if (old)
		fprintf(out, "%s || ", old);
	if (filter == FARGS_CALL_COMM)
		put_glob(out, names[filter], value);
	else if (filter == FARGS_CALL_CGROUP)
		ret = put_cgroup(out, value, err);
	else if (filter == FARGS_CALL_MIN_DURATION)
		is_right = put_time(out, names[filter], value);
	else
		is_right = put_numbers(out, names[filter], value);
	if (fclose(out)) {
		free(text);
		return fargs_fail(err, ENOMEM, "no memory for options");
	}
	o->texts[filter] = text;
	free(old);
	if (ret || is_right)
		return ret;
	if (filter == FARGS_CALL_MIN_DURATION)
		return fargs_fail(err, EINVAL, "'%s' is not a time: write it like 100us (ns, us, "
				  "ms or s)",
				  value);
	return fargs_fail(err, EINVAL, "'%s' is neither a number nor a list: write it like "
			  "0-3,7", value);
}

#define STACK_USUAL	16

int fargs_call_options_set_stack(struct fargs_call_options *o, const char *value,
				 struct fargs_error_text *err)
{
	char *end;
	unsigned long nr = value ? strtoul(value, &end, 10) : STACK_USUAL;

	if (value && (!isdigit((unsigned char)*value) || *end || !nr || nr > FARGS_STACK_MAX))
		return fargs_fail(err, EINVAL, "'%s' is not a number of callers from 1 to %d",
				  value, FARGS_STACK_MAX);
	o->nr_stack = nr;
	return 0;
}

int fargs_call_options_set_bytes(struct fargs_call_options *o, const char *value,
				 struct fargs_error_text *err)
{
	uint64_t bytes;
	int ret = fargs_size_parse(value, &bytes, err);

	if (ret)
		return ret;
	if (!bytes || bytes > FARGS_MEM_MAX)
		return fargs_fail(err, EINVAL, "'%s' is not a size from 1 to %d bytes", value,
				  FARGS_MEM_MAX);
	o->bytes = bytes;
	return 0;
}

/* Minimum of --record-size: room for a record header and some data. */
#define RECORD_BYTES_MIN	64

int fargs_call_options_set_record_bytes(struct fargs_call_options *o, const char *value,
					struct fargs_error_text *err)
{
	uint64_t bytes;
	int ret = fargs_size_parse(value, &bytes, err);

	if (ret)
		return ret;
	if (bytes < RECORD_BYTES_MIN || bytes > FARGS_RECORD_MAX)
		return fargs_fail(err, EINVAL, "'%s' is not a size from %d to %d bytes", value,
				  RECORD_BYTES_MIN, FARGS_RECORD_MAX);
	o->record_bytes = bytes;
	return 0;
}

int fargs_call_options_set_deref(struct fargs_call_options *o, const char *value,
				 struct fargs_error_text *err)
{
	if (strcmp(value, "0") && strcmp(value, "1"))
		return fargs_fail(err, EINVAL, "'%s' is neither 0 nor 1: fetch deeper members with "
				  "-f 'FUNC(a->b)'", value);
	o->has_derefs = *value == '1';
	return 0;
}

int fargs_call_options_finish(struct fargs_call_options *o, struct fargs_error_text *err)
{
	struct fargs_diagnostic diagnostic = { };
	size_t i;

	if (o->is_only_errors && o->is_graph)
		return fargs_fail(err, EINVAL, "'--only-errors' cannot be used with '-g', which "
				  "shows calls before they return: remove one of them");
	for (i = 0; i < FARGS_CALL_FILTERS; i++) {
		if (!o->texts[i] ||
		    (o->is_follow && (i == FARGS_CALL_PID || i == FARGS_CALL_TID)))
			continue;
		if (fargs_selector_init_filter(&o->filters[o->nr_filters], o->texts[i],
					       &diagnostic))
			return fargs_diagnostic_fail(&diagnostic, o->texts[i], err);
		o->nr_filters++;
	}
	return 0;
}

void fargs_call_options_deinit(struct fargs_call_options *o)
{
	size_t i;

	for (i = 0; i < FARGS_CALL_FILTERS; i++)
		free(o->texts[i]);
	while (o->nr_filters)
		fargs_selector_deinit(&o->filters[--o->nr_filters]);
}

struct fargs_bind_options fargs_call_options_bind(const struct fargs_call_options *o,
						  uint32_t tsc_khz)
{
	uint16_t bytes = o->bytes ? o->bytes : FARGS_BIND_CAP;

	return (struct fargs_bind_options){
		.str_cap = bytes, .mem_cap = bytes, .record_cap = o->record_bytes,
		.tsc_khz = tsc_khz,
		.nr_stack = o->nr_stack, .has_derefs = o->has_derefs, .is_graph = o->is_graph,
		.is_only_errors = o->is_only_errors,
		.filters = o->filters, .nr_filters = o->nr_filters,
	};
}
