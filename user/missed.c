// SPDX-License-Identifier: GPL-2.0-only
#include "missed.h"

#include <inttypes.h>

#include "decode/missed.h"
#include "out/put.h"

/* What the module allows (fargs(4)). */
#define MAXACTIVE_MAX	65536

/* Functions that are named, in a line and in lines. */
#define NAMES_MAX	3
#define LINES_MAX	16

static void put_function(FILE *out, const struct fargs_meta *meta,
			 const struct fargs_missed_func *missed, bool has_module)
{
	const struct fargs_func *func = fargs_missed_func(meta, missed);

	if (!func) {
		fprintf(out, "%#" PRIx64, missed->ip);
		return;
	}
	fargs_print_escaped(out, func->name);
	if (!has_module || !func->module)
		return;
	fputs(" [", out);
	fargs_print_escaped(out, func->module);
	putc(']', out);
}

static uint64_t calls_of(const struct fargs_missed_func *func, bool is_any)
{
	return is_any ? func->missed_any : func->missed;
}

/* " (vfs_read: 12, vfs_write: 1)"; nothing if no function is known. */
static void put_names(FILE *out, const struct fargs_meta *meta, bool is_any)
{
	const char *before = " (";
	size_t i, nr = 0;

	for (i = 0; i < meta->missed.nr; i++) {
		const struct fargs_missed_func *func = &meta->missed.funcs[i];

		if (!calls_of(func, is_any) || nr++ >= NAMES_MAX)
			continue;
		fputs(before, out);
		put_function(out, meta, func, false);
		fprintf(out, ": %" PRIu64, calls_of(func, is_any));
		before = ", ";
	}
	if (nr > NAMES_MAX)
		fprintf(out, ", and of %zu other functions", nr - NAMES_MAX);
	if (nr)
		putc(')', out);
}

static const char *calls(uint64_t nr)
{
	return nr == 1 ? "call" : "calls";
}

/* Why, and what to do: of calls that found no slot. */
static void put_maxactive(FILE *out, const struct fargs_meta *meta)
{
	uint32_t maxactive = meta->missed.maxactive;

	if (!maxactive)
		fputs("more were waiting to return than --maxactive allowed: raise it", out);
	else
		fprintf(out, "more than %u were waiting to return: raise --maxactive", maxactive);
	if (maxactive < MAXACTIVE_MAX)
		fprintf(out, " (up to %u)", MAXACTIVE_MAX);
	fputs(", or trace fewer functions to their return\n", out);
}

/* The same of what the kernel's return probes did not follow. */
static void put_kernel(FILE *out)
{
	fputs("the kernel's return probes did not follow them, and count those of all tasks: trace "
	      "fewer functions to their return, and stop other tracers\n", out);
}

static void put_unknown(FILE *out)
{
	fputs("the recording did not come to its end: let the recorder end by itself, or end it "
	      "with Ctrl-C\n", out);
}

void fargs_missed_tell(const struct fargs_meta *meta)
{
	uint64_t nr = fargs_missed_count(meta);

	if (nr) {
		fprintf(stderr, "fargs: missed %" PRIu64 " %s", nr, calls(nr));
		put_names(stderr, meta, false);
		fputs(": ", stderr);
		put_maxactive(stderr, meta);
	}
	if (meta->missed.any) {
		fprintf(stderr, "fargs: missed at most %" PRIu64 " %s%s", meta->missed.any,
			nr ? "more " : "", calls(meta->missed.any));
		put_names(stderr, meta, true);
		fputs(": ", stderr);
		put_kernel(stderr);
	}
	if (fargs_missed_is_unknown(meta)) {
		fputs("fargs: how many calls were missed is not known: ", stderr);
		put_unknown(stderr);
	}
}

static void put_key(FILE *out, const char *key)
{
	fprintf(out, "%-10s ", key);
}

static void put_lines(FILE *out, const struct fargs_meta *meta, const char *key, bool is_any)
{
	uint64_t left = 0;
	size_t i, nr = 0;

	for (i = 0; i < meta->missed.nr; i++) {
		const struct fargs_missed_func *func = &meta->missed.funcs[i];

		if (!calls_of(func, is_any))
			continue;
		if (nr++ >= LINES_MAX) {
			left += calls_of(func, is_any);
			continue;
		}
		put_key(out, key);
		fprintf(out, "%14" PRIu64 "  ", calls_of(func, is_any));
		put_function(out, meta, func, true);
		putc('\n', out);
	}
	if (nr <= LINES_MAX)
		return;
	put_key(out, key);
	fprintf(out, "%14" PRIu64 "  of %zu other functions\n", left, nr - LINES_MAX);
}

void fargs_missed_put(FILE *out, const struct fargs_meta *meta, const char *key)
{
	uint64_t nr = fargs_missed_count(meta);

	if (nr) {
		put_key(out, key);
		fprintf(out, "%" PRIu64 ": ", nr);
		put_maxactive(out, meta);
		put_lines(out, meta, key, false);
	}
	if (meta->missed.any) {
		put_key(out, key);
		fprintf(out, "at most %" PRIu64 "%s: ", meta->missed.any, nr ? " more" : "");
		put_kernel(out);
		put_lines(out, meta, key, true);
	}
	if (fargs_missed_is_unknown(meta)) {
		put_key(out, key);
		fputs("not known: ", out);
		put_unknown(out);
	}
}
