// SPDX-License-Identifier: GPL-2.0-only
#include "file/load.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "file/format.h"
#include "kernel/btf/btfs.h"
#include "kernel/sym/ksyms.h"
#include "kernel/sym/module_list.h"
#include "model/missed.h"
#include "model/task_names.h"

bool fargs_load_wants(unsigned int kind)
{
	switch (kind) {
	case FARGS_CHUNK_BTF:
	case FARGS_CHUNK_FUNCS:
	case FARGS_CHUNK_KALLSYMS:
	case FARGS_CHUNK_TASKS:
	case FARGS_CHUNK_NSPIDS:
	case FARGS_CHUNK_NAMES:
	case FARGS_CHUNK_CLOCK:
	case FARGS_CHUNK_CLOCKS:
	case FARGS_CHUNK_STATS:
	case FARGS_CHUNK_FORMATS:
	case FARGS_CHUNK_EVENT_STATS:
	case FARGS_CHUNK_GUEST:
	case FARGS_CHUNK_GUEST_MODULES:
	case FARGS_CHUNK_MISSED:
		return true;
	default:
		return false;
	}
}

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

static int load_btf(struct fargs_meta *meta, const void *payload, size_t bytes,
		    struct fargs_error_text *err)
{
	struct fargs_file_btf head;

	if (bytes < sizeof(head))
		return fargs_fail(err, EIO, "BTF has no name");
	memcpy(&head, payload, sizeof(head));
	if (!head.name[0] || head.name[sizeof(head.name) - 1])
		return fargs_fail(err, EIO, "BTF has an invalid name");
	if (!meta->btfs)
		meta->btfs = fargs_btfs_create();
	if (!meta->btfs)
		return no_memory(err);
	return fargs_btfs_add(meta->btfs, head.name, (const char *)payload + sizeof(head),
			      bytes - sizeof(head), err);
}

static int load_funcs(struct fargs_meta *meta, const char *payload, size_t bytes,
		      struct fargs_error_text *err)
{
	struct fargs_file_funcs head;
	struct fargs_file_func from;
	struct fargs_func *funcs;
	const char *strings;
	size_t i, room, known;

	if (bytes < sizeof(head))
		return fargs_fail(err, EIO, "the list of functions has no header");
	memcpy(&head, payload, sizeof(head));
	payload += sizeof(head);
	room = bytes - sizeof(head);
	if (head.func_bytes < FARGS_FILE_FUNC_MIN || head.nr > room / head.func_bytes)
		return fargs_fail(err, EIO, "more functions than fit into the chunk");
	strings = payload + (size_t)head.nr * head.func_bytes;
	room -= (size_t)head.nr * head.func_bytes;
	if (!head.strings_bytes || head.strings_bytes > room || strings[0] ||
	    strings[head.strings_bytes - 1])
		return fargs_fail(err, EIO, "names of functions are not terminated");

	known = head.func_bytes < sizeof(from) ? head.func_bytes : sizeof(from);
	memset(&from, 0, sizeof(from));
	funcs = realloc(meta->funcs, (meta->nr_funcs + head.nr + 1) * sizeof(*funcs));
	if (!funcs)
		return no_memory(err);
	meta->funcs = funcs;
	for (i = 0; i < head.nr; i++) {
		memcpy(&from, payload + i * head.func_bytes, known);
		if (from.name >= head.strings_bytes || from.module >= head.strings_bytes ||
		    !strings[from.name])
			return fargs_fail(err, EIO, "a function has no name");
		if (!fargs_ksym_name_fits(strings + from.name) ||
		    !fargs_ksym_name_fits(strings + from.module))
			return fargs_fail(err, EIO, "a function's name is longer than %d bytes",
					  FARGS_KSYM_NAME_LEN - 1);
		funcs = &meta->funcs[meta->nr_funcs];
		memset(funcs, 0, sizeof(*funcs));
		funcs->ip = from.ip;
		funcs->addr = from.addr;
		funcs->btf_id = from.btf_id;
		funcs->layout_flags = from.layout_flags;
		funcs->from_tsc = from.from_tsc;
		funcs->name = strdup(strings + from.name);
		if (from.module)
			funcs->module = strdup(strings + from.module);
		/*
		 * Count the function before checking for errors, so that fargs_meta_deinit() frees
		 * its names.
		 */
		meta->nr_funcs++;
		if (!funcs->name || (from.module && !funcs->module))
			return no_memory(err);
	}
	return 0;
}

static int load_ksyms(struct fargs_meta *meta, const char *payload, size_t bytes,
		      struct fargs_error_text *err)
{
	if (meta->ksyms)
		return fargs_fail(err, EIO, "duplicate symbols");
	/* Without symbols, addresses are shown as numbers. */
	if (!bytes)
		return 0;
	meta->ksyms = fargs_ksyms_parse(payload, bytes, err);
	return meta->ksyms ? 0 : -EIO;
}

static int load_tasks(struct fargs_meta *meta, const char *payload, size_t bytes,
		      struct fargs_error_text *err)
{
	struct fargs_task_start *tasks;
	struct fargs_file_task from;
	size_t nr = bytes / sizeof(from), i;

	if (bytes % sizeof(from))
		return fargs_fail(err, EIO, "the list of tasks has an invalid size");
	tasks = realloc(meta->tasks, (meta->nr_tasks + nr + 1) * sizeof(*tasks));
	if (!tasks)
		return no_memory(err);
	meta->tasks = tasks;
	tasks += meta->nr_tasks;
	for (i = 0; i < nr; i++) {
		memcpy(&from, payload + i * sizeof(from), sizeof(from));
		tasks[i].tid = from.tid;
		tasks[i].tgid = from.tgid;
		memcpy(tasks[i].comm, from.comm, sizeof(tasks[i].comm));
	}
	meta->nr_tasks += nr;
	return 0;
}

static int load_clocks(struct fargs_meta *meta, bool are_all, const char *payload, size_t bytes,
		       struct fargs_error_text *err)
{
	size_t round = meta->info.nr_cpus * sizeof(struct fargs_clock_sample), i;

	if (bytes % round || (!are_all && bytes != round))
		return fargs_fail(err, EIO, "the clock samples have an invalid size");
	if (are_all) {
		for (i = 0; i < meta->nr_clocks; i++)
			free(meta->clocks[i].cpus);
		meta->nr_clocks = 0;
		/*
		 * Free the array: fargs_meta_add_clock() derives the array's capacity from
		 * nr_clocks, and if that is 0, assumes that there is no array.
		 */
		free(meta->clocks);
		meta->clocks = NULL;
	}
	/*
	 * The cast is safe: the payload is at the start of a malloc'ed buffer, so samples are
	 * aligned.
	 */
	for (i = 0; i < bytes; i += round)
		if (fargs_meta_add_clock(meta, (const void *)(payload + i)))
			return no_memory(err);
	return 0;
}

static int load_stats(struct fargs_meta *meta, const void *payload, size_t bytes,
		      struct fargs_error_text *err)
{
	if (bytes != meta->info.nr_cpus * sizeof(*meta->stats))
		return fargs_fail(err, EIO, "the counters have an invalid size");
	if (meta->stats)
		return fargs_fail(err, EIO, "duplicate counters");
	meta->stats = malloc(bytes);
	if (!meta->stats)
		return no_memory(err);
	memcpy(meta->stats, payload, bytes);
	return 0;
}

static int load_nspids(struct fargs_meta *meta, const char *payload, size_t bytes,
		       struct fargs_error_text *err)
{
	struct fargs_file_nspid from;
	struct fargs_nspid nspid;
	size_t i;

	if (bytes % sizeof(from))
		return fargs_fail(err, EIO, "the task ids have an invalid size");
	for (i = 0; i < bytes; i += sizeof(from)) {
		memcpy(&from, payload + i, sizeof(from));
		nspid.tid = from.tid;
		nspid.ns_tid = from.ns_tid;
		nspid.from_tsc = from.from_tsc;
		if (fargs_meta_add_nspid(meta, &nspid))
			return no_memory(err);
	}
	return 0;
}

static int load_names(struct fargs_meta *meta, const char *payload, size_t bytes,
		      struct fargs_error_text *err)
{
	struct fargs_file_name from;
	struct fargs_task_name name;
	size_t i;

	if (bytes % sizeof(from))
		return fargs_fail(err, EIO, "the names of tasks have an invalid size");
	for (i = 0; i < bytes; i += sizeof(from)) {
		memcpy(&from, payload + i, sizeof(from));
		name = (struct fargs_task_name){
			.from_tsc = from.from_tsc,
			.is_known = from.is_known,
			.task = { .tid = from.tid, .tgid = from.tgid, .ns_tid = from.ns_tid },
		};
		memcpy(name.task.comm, from.comm, sizeof(from.comm));
		if (fargs_task_names_add(meta, &name))
			return no_memory(err);
	}
	return 0;
}

/*
 * Maximum size of an event's format up to "print fmt:". Without a limit, JSON output could be huge,
 * since it lists the fields with each event.
 */
#define FIELDS_MAX	(64u << 10)

static bool has_many_fields(const char *text, size_t bytes)
{
	static const char print[] = "print fmt:";
	const char *end = memmem(text, bytes, print, sizeof(print) - 1);

	return (end ? (size_t)(end - text) : bytes) > FIELDS_MAX;
}

static int load_format(struct fargs_meta *meta, const struct fargs_file_format *head,
		       const char *name, struct fargs_error_text *err)
{
	const char *text = name + head->name_bytes;
	int ret = 0;

	if (!head->name_bytes || name[head->name_bytes - 1] || memchr(text, 0, head->text_bytes))
		return fargs_fail(err, EIO, "the format of an event is invalid");
	if (!fargs_ksym_name_fits(name))
		return fargs_fail(err, EIO,
				  "the name of an event's system is longer than %d bytes",
				  FARGS_KSYM_NAME_LEN - 1);
	if (head->what == FARGS_FORMAT_EVENT && has_many_fields(text, head->text_bytes))
		return fargs_fail(err, EIO, "the fields of an event take more than 64 KiB");
	if (head->what == FARGS_FORMAT_EVENT)
		ret = fargs_meta_add_format(meta, name, text, head->text_bytes);
	else if (head->what == FARGS_FORMAT_FLAGS)
		ret = fargs_meta_add_flag_format(meta, name, text, head->text_bytes);
	else if (head->what == FARGS_FORMAT_PRINTK)
		ret = fargs_meta_set_printk(meta, text, head->text_bytes);
	return ret ? no_memory(err) : 0;
}

static int load_formats(struct fargs_meta *meta, const char *payload, size_t bytes,
			struct fargs_error_text *err)
{
	struct fargs_file_format head;
	uint64_t n;
	int ret;

	for (; bytes; payload += n, bytes -= n) {
		if (bytes < sizeof(head))
			return fargs_fail(err, EIO, "the format of an event has no length");
		memcpy(&head, payload, sizeof(head));
		n = sizeof(head) + head.name_bytes;
		if (n > bytes || head.text_bytes > bytes - n)
			return fargs_fail(err, EIO, "the format of an event is cut off");
		ret = load_format(meta, &head, payload + sizeof(head), err);
		if (ret)
			return ret;
		n = fargs_chunk_room(n + head.text_bytes);
		if (n > bytes)
			return fargs_fail(err, EIO, "the format of an event is cut off");
	}
	return 0;
}

/*
 * Copies the struct fargs_file_guest at the beginning of @payload to @head, and sets *@text to the
 * text after the guest's name.
 */
static int load_guest_head(const char *payload, size_t bytes, struct fargs_file_guest *head,
			   const char **text, struct fargs_error_text *err)
{
	const char *name = payload + sizeof(*head);

	if (bytes < sizeof(*head))
		return fargs_fail(err, EIO, "the symbols of a guest have no header");
	memcpy(head, payload, sizeof(*head));
	bytes -= sizeof(*head);
	if (head->pid < 0 || !head->name_bytes || head->name_bytes > bytes ||
	    name[head->name_bytes - 1])
		return fargs_fail(err, EIO, "the symbols of a guest have no name");
	*text = name + head->name_bytes;
	return 0;
}

static int load_guest(struct fargs_meta *meta, const char *payload, size_t bytes,
		      struct fargs_error_text *err)
{
	struct fargs_file_guest head;
	struct fargs_ksyms *syms;
	const char *text;

	if (load_guest_head(payload, bytes, &head, &text, err))
		return -EIO;
	syms = fargs_ksyms_parse(text, bytes - (text - payload), err);
	if (!syms)
		return -EIO;
	return fargs_guests_add(&meta->guests, head.pid, payload + sizeof(head), syms) ?
	       no_memory(err) : 0;
}

static int load_guest_modules(struct fargs_meta *meta, const char *payload, size_t bytes,
			      struct fargs_error_text *err)
{
	struct fargs_module_list *modules;
	struct fargs_file_guest head;
	struct fargs_ksyms *syms;
	const char *text;

	if (load_guest_head(payload, bytes, &head, &text, err))
		return -EIO;
	syms = fargs_guests_get(&meta->guests, head.pid, payload + sizeof(head));
	if (!syms)
		return fargs_fail(err, EIO, "a guest has modules but no symbols");
	modules = fargs_module_list_parse(text, bytes - (text - payload), err);
	if (!modules)
		return -EIO;
	return fargs_ksyms_set_modules(syms, modules) ? no_memory(err) : 0;
}

static int load_event_stats(struct fargs_meta *meta, const void *payload, size_t bytes,
			    struct fargs_error_text *err)
{
	if (bytes != meta->info.nr_cpus * sizeof(*meta->event_stats))
		return fargs_fail(err, EIO, "the counters of events have an invalid size");
	if (meta->event_stats)
		return fargs_fail(err, EIO, "duplicate counters of events");
	meta->event_stats = malloc(bytes);
	if (!meta->event_stats)
		return no_memory(err);
	memcpy(meta->event_stats, payload, bytes);
	return 0;
}

static int load_missed(struct fargs_meta *meta, const char *payload, size_t bytes,
		       struct fargs_error_text *err)
{
	struct fargs_missed *missed = &meta->missed;
	struct fargs_file_missed_func func;
	struct fargs_file_missed head;
	size_t i;

	if (meta->has_missed)
		return fargs_fail(err, EIO, "a second list of missed calls");
	if (bytes < sizeof(head))
		return fargs_fail(err, EIO, "the list of missed calls has an invalid size");
	memcpy(&head, payload, sizeof(head));
	bytes -= sizeof(head);
	if (head.func_bytes < sizeof(func) || bytes % head.func_bytes)
		return fargs_fail(err, EIO, "the list of missed calls has an invalid size");
	missed->nr = bytes / head.func_bytes;
	missed->any = head.any;
	missed->maxactive = head.maxactive;
	missed->funcs = calloc(missed->nr + 1, sizeof(*missed->funcs));
	if (!missed->funcs)
		return no_memory(err);
	for (i = 0; i < missed->nr; i++) {
		memcpy(&func, payload + sizeof(head) + i * head.func_bytes, sizeof(func));
		missed->funcs[i] = (struct fargs_missed_func){
			.ip = func.ip, .from_tsc = func.from_tsc, .missed = func.missed,
			.missed_any = func.missed_any, .too_deep = func.too_deep,
		};
	}
	fargs_missed_sort(missed);
	meta->has_missed = true;
	return 0;
}

int fargs_load_chunk(struct fargs_meta *meta, unsigned int kind, const void *payload,
		     size_t bytes, struct fargs_error_text *err)
{
	switch (kind) {
	case FARGS_CHUNK_BTF:
		return load_btf(meta, payload, bytes, err);
	case FARGS_CHUNK_FUNCS:
		return load_funcs(meta, payload, bytes, err);
	case FARGS_CHUNK_KALLSYMS:
		return load_ksyms(meta, payload, bytes, err);
	case FARGS_CHUNK_TASKS:
		return load_tasks(meta, payload, bytes, err);
	case FARGS_CHUNK_NSPIDS:
		return load_nspids(meta, payload, bytes, err);
	case FARGS_CHUNK_NAMES:
		return load_names(meta, payload, bytes, err);
	case FARGS_CHUNK_CLOCK:
	case FARGS_CHUNK_CLOCKS:
		return load_clocks(meta, kind == FARGS_CHUNK_CLOCKS, payload, bytes, err);
	case FARGS_CHUNK_STATS:
		return load_stats(meta, payload, bytes, err);
	case FARGS_CHUNK_FORMATS:
		return load_formats(meta, payload, bytes, err);
	case FARGS_CHUNK_EVENT_STATS:
		return load_event_stats(meta, payload, bytes, err);
	case FARGS_CHUNK_MISSED:
		return load_missed(meta, payload, bytes, err);
	case FARGS_CHUNK_GUEST:
		return load_guest(meta, payload, bytes, err);
	case FARGS_CHUNK_GUEST_MODULES:
		return load_guest_modules(meta, payload, bytes, err);
	default:
		return 0;
	}
}

void fargs_load_finish(struct fargs_meta *meta)
{
	if (meta->nr_funcs)
		qsort(meta->funcs, meta->nr_funcs, sizeof(*meta->funcs),
		      fargs_meta_compare_funcs);
	if (meta->nr_nspids)
		qsort(meta->nspids, meta->nr_nspids, sizeof(*meta->nspids),
		      fargs_meta_compare_nspids);
	fargs_task_names_sort(meta);
}
