// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/screen/missed.h"

#include <inttypes.h>
#include <stdbool.h>

#include "base/plural.h"
#include "base/put.h"
#include "model/missed.h"

/* The largest value of --maxactive that the module accepts (fargs(4)). */
#define MAXACTIVE_MAX	65536

/*
 * Maximum numbers of functions that are named in a sentence (NAMES_MAX) and in a list (LINES_MAX).
 */
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

/* Why a call was missed. */
enum kind {
	NO_SLOT,	/* too many calls were waiting to return: see --maxactive */
	BY_KERNEL,
	TOO_DEEP,
};

static uint64_t calls_of(const struct fargs_missed_func *func, enum kind kind)
{
	return kind == NO_SLOT ? func->missed :
	       kind == BY_KERNEL ? func->missed_any : func->too_deep;
}

/* Writes " (vfs_read: 12, vfs_write: 1)"; nothing if no function is known. */
static void put_names(FILE *out, const struct fargs_meta *meta, enum kind kind)
{
	const char *before = " (";
	size_t i, nr = 0;

	for (i = 0; i < meta->missed.nr; i++) {
		const struct fargs_missed_func *func = &meta->missed.funcs[i];

		if (!calls_of(func, kind) || nr++ >= NAMES_MAX)
			continue;
		fputs(before, out);
		put_function(out, meta, func, false);
		fprintf(out, ": %" PRIu64, calls_of(func, kind));
		before = ", ";
	}
	if (nr > NAMES_MAX)
		fprintf(out, ", and of %zu other function%s", nr - NAMES_MAX,
			fargs_plural(nr - NAMES_MAX));
	if (nr)
		putc(')', out);
}

/* Writes the reason and the remedy for calls missed because of NO_SLOT. */
static void put_maxactive(FILE *out, const struct fargs_meta *meta)
{
	uint32_t maxactive = meta->missed.maxactive;

	if (!maxactive)
		fputs("more were pending than '--maxactive' allows: raise it", out);
	else
		fprintf(out, "more than %u were pending: raise '--maxactive'", maxactive);
	if (maxactive < MAXACTIVE_MAX)
		fprintf(out, " (up to %u)", MAXACTIVE_MAX);
	fputs(", or trace the return of fewer functions\n", out);
}

/* Writes the reason and the remedy for calls that the kernel's return probes missed. */
static void put_kernel(FILE *out)
{
	fputs("the kernel's return probes missed them; this includes calls by all tasks: trace the "
	      "return of fewer functions, and stop other tracers\n", out);
}

static void put_deep(FILE *out)
{
	fputs("they were nested too deeply for the kernel's stack of return addresses: trace the "
	      "return of fewer functions\n", out);
}

static void put_unknown(FILE *out)
{
	fputs("the recording did not finish: let the recorder end by itself, or end it with "
	      "Ctrl-C\n", out);
}

void fargs_missed_tell(const struct fargs_meta *meta)
{
	uint64_t nr = fargs_missed_count(meta), deep = fargs_missed_count_deep(&meta->missed);

	if (nr) {
		fprintf(stderr, "fargs: missed %" PRIu64 " call%s", nr, fargs_plural(nr));
		put_names(stderr, meta, NO_SLOT);
		fputs(": ", stderr);
		put_maxactive(stderr, meta);
	}
	if (meta->missed.any) {
		fprintf(stderr, "fargs: missed at most %" PRIu64 " %scall%s", meta->missed.any,
			nr ? "more " : "", fargs_plural(meta->missed.any));
		put_names(stderr, meta, BY_KERNEL);
		fputs(": ", stderr);
		put_kernel(stderr);
	}
	if (deep) {
		fprintf(stderr, "fargs: missed %" PRIu64 " call%s inside other calls", deep,
			fargs_plural(deep));
		put_names(stderr, meta, TOO_DEEP);
		fputs(": ", stderr);
		put_deep(stderr);
	}
	if (fargs_missed_is_unknown(meta)) {
		fputs("fargs: the number of missed calls is not known: ", stderr);
		put_unknown(stderr);
	}
}

static void put_key(FILE *out, const char *key)
{
	fprintf(out, "%-10s ", key);
}

static void put_lines(FILE *out, const struct fargs_meta *meta, const char *key, enum kind kind)
{
	uint64_t left = 0;
	size_t i, nr = 0;

	for (i = 0; i < meta->missed.nr; i++) {
		const struct fargs_missed_func *func = &meta->missed.funcs[i];

		if (!calls_of(func, kind))
			continue;
		if (nr++ >= LINES_MAX) {
			left += calls_of(func, kind);
			continue;
		}
		put_key(out, key);
		fprintf(out, "%14" PRIu64 "  ", calls_of(func, kind));
		put_function(out, meta, func, true);
		putc('\n', out);
	}
	if (nr <= LINES_MAX)
		return;
	put_key(out, key);
	fprintf(out, "%14" PRIu64 "  of %zu other function%s\n", left, nr - LINES_MAX,
		fargs_plural(nr - LINES_MAX));
}

void fargs_missed_put(FILE *out, const struct fargs_meta *meta, const char *key)
{
	uint64_t nr = fargs_missed_count(meta), deep = fargs_missed_count_deep(&meta->missed);

	if (nr) {
		put_key(out, key);
		fprintf(out, "%" PRIu64 ": ", nr);
		put_maxactive(out, meta);
		put_lines(out, meta, key, NO_SLOT);
	}
	if (meta->missed.any) {
		put_key(out, key);
		fprintf(out, "at most %" PRIu64 "%s: ", meta->missed.any, nr ? " more" : "");
		put_kernel(out);
		put_lines(out, meta, key, BY_KERNEL);
	}
	if (deep) {
		put_key(out, key);
		fprintf(out, "%" PRIu64 " inside calls of the following: ", deep);
		put_deep(out);
		put_lines(out, meta, key, TOO_DEEP);
	}
	if (fargs_missed_is_unknown(meta)) {
		put_key(out, key);
		fputs("not known: ", out);
		put_unknown(out);
	}
}
