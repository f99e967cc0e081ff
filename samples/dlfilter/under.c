// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps only those calls of a function in which a certain argument has a certain value, and all
 * calls made inside them.
 *
 *	fargs record --graph -f vfs_read -f 'ext4_*' -o t.fargs -- command
 *	fargs report --dlfilter under.so --dlarg vfs_read --dlarg count=4096 t.fargs
 *
 * Needs a recording made with --graph, in which each call has two records: one at its entry, with
 * its arguments, and one at its return.
 *
 * Shows how to read raw_data, which is the record as described in include/uapi/fargs_record.h.
 */
#include <perf/perf_dlfilter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uapi/fargs_record.h"

#define THREADS	65536

struct perf_dlfilter_fns perf_dlfilter_fns;

struct thread {
	__s32 tid;
	unsigned int depth;	/* nesting depth: 1 in the matching call; 0: not in such a call */
};

struct under {
	const char *function;
	char *name;			/* name of the argument */
	long long value;
	struct thread threads[THREADS];
};

int start(void **data, void *ctx)
{
	struct under *u = calloc(1, sizeof(*u));
	char **args, *equals, *end;
	int nr;

	args = perf_dlfilter_fns.args(ctx, &nr);
	equals = u && nr == 2 ? strchr(args[1], '=') : NULL;
	if (!equals) {
		fprintf(stderr, "under.so: use --dlarg FUNCTION --dlarg ARGUMENT=VALUE\n");
		free(u);
		return -1;
	}
	u->function = args[0];
	u->name = strndup(args[1], equals - args[1]);
	u->value = (long long)strtoull(equals + 1, &end, 0);
	if (!u->name || *end || end == equals + 1) {
		fprintf(stderr, "under.so: '%s' is not a number\n", equals + 1);
		free(u->name);
		free(u);
		return -1;
	}
	*data = u;
	return 0;
}

/*
 * Returns how many of a value's 8 bytes are used if the value has this @type; 0: values of this
 * type are not numbers.
 */
static int width_of(int type, int *is_signed)
{
	static const struct {
		signed char bytes, is_signed;
	} types[] = {
		[FARGS_TYPE_U8] = { 1, 0 }, [FARGS_TYPE_S8] = { 1, 1 },
		[FARGS_TYPE_U16] = { 2, 0 }, [FARGS_TYPE_S16] = { 2, 1 },
		[FARGS_TYPE_U32] = { 4, 0 }, [FARGS_TYPE_S32] = { 4, 1 },
		[FARGS_TYPE_U64] = { 8, 0 }, [FARGS_TYPE_S64] = { 8, 1 },
		[FARGS_TYPE_BOOL] = { 1, 0 }, [FARGS_TYPE_CHAR] = { 1, 1 },
		[FARGS_TYPE_PTR] = { 8, 0 },
	};

	if (type < 0 || type >= (int)(sizeof(types) / sizeof(types[0])))
		return 0;
	*is_signed = types[type].is_signed;
	return types[type].bytes;
}

static long long number(const unsigned char *data, int width, int is_signed)
{
	unsigned long long v;

	memcpy(&v, data, sizeof(v));
	v <<= 64 - 8 * width;
	return is_signed ? (long long)v >> (64 - 8 * width) : (long long)(v >> (64 - 8 * width));
}

/* Does the argument @name have this @value? Parses the values from @at up to @end. */
static int has_value(const unsigned char *at, const unsigned char *end, const char *name,
		     long long value)
{
	const unsigned char *nul;
	int type, width, is_signed;
	unsigned short n;
	size_t bytes;

	while ((nul = memchr(at, 0, end - at)) && nul + 1 < end && nul != at) {
		const char *its_name = (const char *)at;
		int is_fault = nul[1] & FARGS_TYPE_FAULT;

		type = nul[1] & ~(FARGS_TYPE_FAULT | FARGS_TYPE_CUT);
		at = nul + 2;
		bytes = type == FARGS_TYPE_U128 || type == FARGS_TYPE_S128 ? 16 : 8;
		if (type == FARGS_TYPE_STR || type == FARGS_TYPE_BYTES) {
			if (end - at < (long)sizeof(n))
				return 0;
			memcpy(&n, at, sizeof(n));
			at += sizeof(n);
			bytes = (n + 7u) & ~7u;
			if (is_fault && bytes < 8)
				bytes = 8;
		}
		if ((size_t)(end - at) < bytes)
			return 0;
		width = width_of(type, &is_signed);
		if (width && !is_fault && !strcmp(its_name, name))
			return number(at, width, is_signed) == value;
		at += bytes;
	}
	return 0;
}

static int is_match(const struct under *u, const struct fargs_record *rec, void *ctx)
{
	const struct perf_dlfilter_al *al = perf_dlfilter_fns.resolve_ip(ctx);
	const unsigned char *begin = (const unsigned char *)rec;

	return al && al->sym && !strcmp(al->sym, u->function) &&
	       has_value(begin + sizeof(*rec), begin + rec->len, u->name, u->value);
}

int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	struct under *u = data;
	struct thread *t = &u->threads[(__u32)sample->tid % THREADS];
	const struct fargs_record *rec = sample->raw_data;

	if (strncmp(sample->event, "fargs:", 6) || sample->raw_size < sizeof(*rec) ||
	    rec->len > sample->raw_size)
		return 1;
	if (t->tid != sample->tid)
		*t = (struct thread){ .tid = sample->tid };
	if (rec->kind == FARGS_KIND_ENTRY) {
		if (t->depth || is_match(u, rec, ctx))
			t->depth++;
		return !t->depth;
	}
	/* A return record belongs to the innermost call that has not returned. */
	if (rec->kind != FARGS_KIND_RETURN || !t->depth)
		return 1;
	t->depth--;
	return 0;
}

int stop(void *data, void *ctx)
{
	struct under *u = data;

	free(u->name);
	free(u);
	return 0;
}

const char *filter_description(const char **long_description)
{
	*long_description = "Arguments: a function, and ARGUMENT=VALUE. Needs a recording\n"
			    "with --graph.";
	return "Keep calls made inside a function whose argument has a given value";
}
