// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/tracedat_head.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "kernel/sym/ksyms.h"

#define LONG_BYTES	8

/* Ids of options in the file. */
enum option {
	OPTION_DONE = 0,
	OPTION_TRACECLOCK = 4,
	OPTION_UNAME = 5,
};

static const char magic[] = "\x17\x08\x44tracing6";

/* Contents of tracefs' files events/header_page and events/header_event, for our page size. */
static const char header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:65520;\tsigned:1;\n";
static const char header_event[] =
	"# compressed entry header\n"
	"\ttype_len    :    5 bits\n"
	"\ttime_delta  :   27 bits\n"
	"\tarray       :   32 bits\n\n"
	"\tpadding     : type == 29\n"
	"\ttime_extend : type == 30\n"
	"\ttime_stamp : type == 31\n"
	"\tdata max type_len  == 28\n";

_Static_assert(FARGS_RING_PAGE_BYTES - FARGS_RING_PAGE_HEAD == 65520, "as in header_page");

static void put_u16(struct fargs_buf *out, uint16_t v)
{
	fargs_buf_add(out, &v, sizeof(v));
}

static void put_u32(struct fargs_buf *out, uint32_t v)
{
	fargs_buf_add(out, &v, sizeof(v));
}

static void put_u64(struct fargs_buf *out, uint64_t v)
{
	fargs_buf_add(out, &v, sizeof(v));
}

/* Writes text with its terminating NUL. */
static void put_string(struct fargs_buf *out, const char *text)
{
	fargs_buf_add(out, text, strlen(text) + 1);
}

/* Writes the size of the text as a 64-bit number, then the text without a NUL. */
static void put_sized(struct fargs_buf *out, const char *text, size_t bytes)
{
	put_u64(out, bytes);
	fargs_buf_add(out, text, bytes);
}

static void put_start(struct fargs_buf *out)
{
	put_string(out, magic);
	fargs_put_char(out, 0);		/* little-endian */
	fargs_put_char(out, LONG_BYTES);
	put_u32(out, FARGS_RING_PAGE_BYTES);
	put_string(out, "header_page");
	put_sized(out, header_page, strlen(header_page));
	put_string(out, "header_event");
	put_sized(out, header_event, strlen(header_event));
	put_u32(out, 0);		/* number of formats of ftrace's own events */
}

/* Is @classes[@i] the first class of its system? */
static bool is_first(const struct fargs_tracedat_class *classes, size_t i)
{
	size_t j;

	for (j = 0; j < i; j++)
		if (!strcmp(classes[j].system, classes[i].system))
			return false;
	return true;
}

static void put_system(struct fargs_buf *out, const struct fargs_tracedat_class *classes, size_t nr,
		       size_t first)
{
	const char *system = classes[first].system;
	uint32_t nr_events = 0;
	size_t i, at;

	put_string(out, system);
	at = out->n;
	put_u32(out, 0);
	for (i = first; i < nr; i++) {
		if (strcmp(classes[i].system, system))
			continue;
		put_sized(out, classes[i].text, classes[i].bytes);
		nr_events++;
	}
	if (!out->is_short)
		memcpy(out->text + at, &nr_events, sizeof(nr_events));
}

static void put_formats(struct fargs_buf *out, const struct fargs_tracedat_class *classes,
			size_t nr)
{
	uint32_t nr_systems = 0;
	size_t at = out->n, i;

	put_u32(out, 0);
	for (i = 0; i < nr; i++) {
		if (!is_first(classes, i))
			continue;
		put_system(out, classes, nr, i);
		nr_systems++;
	}
	if (!out->is_short)
		memcpy(out->text + at, &nr_systems, sizeof(nr_systems));
}

/*
 * Writes the lines of the symbols. libtraceevent finds a symbol only if another one follows it, so
 * the last function is followed by its end.
 */
static void put_symbol_lines(struct fargs_buf *out, const struct fargs_ksyms *ks)
{
	size_t bytes, nr = fargs_ksyms_count(ks);
	char *text = fargs_ksyms_text(ks, &bytes), line[64];

	out->is_short |= !text;
	fargs_buf_add(out, text, text ? bytes : 0);
	free(text);
	if (!nr)
		return;
	snprintf(line, sizeof(line), "%016llx t end_of_symbols\n",
		 (unsigned long long)fargs_ksyms_end(ks, fargs_ksyms_at(ks, nr - 1)));
	fargs_put(out, line);
}

static void put_symbols(struct fargs_buf *out, const struct fargs_meta *meta)
{
	size_t at = out->n;
	uint32_t bytes;

	put_u32(out, 0);
	if (meta->ksyms)
		put_symbol_lines(out, meta->ksyms);
	bytes = out->n - at - sizeof(bytes);
	if (!out->is_short)
		memcpy(out->text + at, &bytes, sizeof(bytes));
	put_u32(out, meta->printk_bytes);
	fargs_buf_add(out, meta->printk, meta->printk_bytes);
}

static void put_tasks(struct fargs_buf *out, const struct fargs_task_set *tasks)
{
	const struct fargs_task_set_entry *e;
	size_t at = out->n, i;
	uint64_t bytes;

	put_u64(out, 0);
	for (i = 0; i < tasks->nr; i++) {
		e = &tasks->entries[i];
		/* Omit the idle tasks: readers do not need their name from the file. */
		if (e->id <= 0 || !*e->comm)
			continue;
		fargs_put_s64(out, e->id);
		fargs_put_char(out, ' ');
		fargs_put_escaped(out, e->comm, strlen(e->comm), NULL);
		fargs_put_char(out, '\n');
	}
	bytes = out->n - at - sizeof(bytes);
	if (!out->is_short)
		memcpy(out->text + at, &bytes, sizeof(bytes));
}

static void put_option(struct fargs_buf *out, enum option option, const char *text)
{
	put_u16(out, option);
	put_u32(out, strlen(text) + 1);
	put_string(out, text);
}

static void put_options(struct fargs_buf *out, const struct fargs_meta *meta)
{
	struct fargs_buf name = { };

	put_string(out, "options  ");
	put_option(out, OPTION_TRACECLOCK, "local global [perf]\n");
	if (meta->info.release[0]) {
		fargs_put(&name, "Linux ");
		fargs_put(&name, meta->hostname ? meta->hostname : "");
		fargs_put_char(&name, ' ');
		fargs_buf_add(&name, meta->info.release,
			      strnlen(meta->info.release, sizeof(meta->info.release)));
		fargs_put_char(&name, '\0');
		if (!name.is_short)
			put_option(out, OPTION_UNAME, name.text);
	}
	put_u16(out, OPTION_DONE);
	out->is_short |= name.is_short;
	fargs_buf_deinit(&name);
}

void fargs_tracedat_head_put(struct fargs_buf *out, const struct fargs_meta *meta,
			     const struct fargs_tracedat_class *classes, size_t nr_classes,
			     const struct fargs_task_set *tasks,
			     const struct fargs_ring_pages *pages)
{
	unsigned int nr_cpus = meta->info.nr_cpus, cpu;
	uint64_t at, bytes;

	put_start(out);
	put_formats(out, classes, nr_classes);
	put_symbols(out, meta);
	put_tasks(out, tasks);
	put_u32(out, nr_cpus);
	put_options(out, meta);
	put_string(out, "flyrecord");
	/* Pages start at a multiple of their size. */
	at = out->n + 2 * sizeof(uint64_t) * (uint64_t)nr_cpus + FARGS_RING_PAGE_BYTES - 1;
	at -= at % FARGS_RING_PAGE_BYTES;
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		bytes = fargs_ring_pages_bytes(pages, cpu);
		put_u64(out, at);
		put_u64(out, bytes);
		at += bytes;
	}
	fargs_buf_fill(out, 0, -out->n & (FARGS_RING_PAGE_BYTES - 1));
}
