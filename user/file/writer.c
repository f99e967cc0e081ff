// SPDX-License-Identifier: GPL-2.0-only
#include "file/writer.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "kernel/btf/btfs.h"
#include "file/format.h"
#include "file/info.h"
#include "file/output.h"
#include "file/pack.h"
#include "file/records.h"
#include "model/walk.h"
#include "kernel/sym/ksyms.h"
#include "kernel/sym/module_list.h"

/* A chunk of records ends at the last record that fits; small enough for a reader of many CPUs. */
#define RECORDS_CHUNK	(256u << 10)

struct fargs_writer {
	struct fargs_meta *meta;
	struct fargs_output *output;
	struct fargs_packer *packer;	/* NULL: records are written as they are */
	bool is_hurried;		/* nothing is packed now */
	size_t nr_rounds;		/* of meta->clocks, written */
};

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

/* A chunk of no CPU. */
static int put_chunk(struct fargs_writer *w, unsigned int kind, const void *payload, size_t bytes,
		     struct fargs_error_text *err)
{
	const struct fargs_chunk head = { .kind = kind, .cpu = FARGS_CHUNK_NO_CPU };
	const struct iovec iov[2] = { { (void *)payload, bytes } };

	return fargs_output_chunk(w->output, &head, iov, err);
}

/* The same, and frees what was made for it. */
static int put_made(struct fargs_writer *w, unsigned int kind, void *made, size_t bytes,
		    struct fargs_error_text *err)
{
	int ret = put_chunk(w, kind, made, bytes, err);

	free(made);
	return ret;
}

static int put_module_btf(struct fargs_writer *w, const char *name, const void *raw, size_t bytes,
			  struct fargs_error_text *err)
{
	const struct fargs_chunk head = { .kind = FARGS_CHUNK_BTF, .cpu = FARGS_CHUNK_NO_CPU };
	struct fargs_file_btf front = { };
	const struct iovec iov[2] = {
		{ &front, sizeof(front) }, { (void *)raw, bytes },
	};

	if (strlen(name) >= sizeof(front.name))
		return fargs_fail(err, EINVAL, "the module name %s is too long", name);
	memcpy(front.name, name, strlen(name));
	return fargs_output_chunk(w->output, &head, iov, err);
}

static int put_btf(struct fargs_writer *w, struct fargs_error_text *err)
{
	const char *name;
	const void *raw;
	size_t i, size;
	int ret = 0;

	for (i = 0; !ret && w->meta->btfs && (name = fargs_btfs_name(w->meta->btfs, i)); i++) {
		raw = fargs_btfs_raw(w->meta->btfs, name, &size);
		if (raw)
			ret = put_module_btf(w, name, raw, size, err);
	}
	return ret;
}

static int put_funcs(struct fargs_writer *w, const struct fargs_func *funcs, size_t nr,
		     struct fargs_error_text *err)
{
	struct fargs_file_funcs *head;
	struct fargs_file_func *func;
	const struct fargs_func *from;
	size_t i, len, strings = 1, bytes;
	char *text, *module = NULL;

	for (i = 0; i < nr; i++) {
		strings += strlen(funcs[i].name) + 1;
		if (funcs[i].module)
			strings += strlen(funcs[i].module) + 1;
	}
	bytes = sizeof(*head) + nr * sizeof(*func) + strings;
	head = calloc(1, bytes);
	if (!head)
		return no_memory(err);
	head->nr = nr;
	head->func_bytes = sizeof(*func);
	func = (void *)(head + 1);
	text = (char *)(func + nr);
	strings = 1;
	for (i = 0; i < nr; i++, func++) {
		from = &funcs[i];
		func->ip = from->ip;
		func->addr = from->addr;
		func->btf_id = from->btf_id;
		func->layout_flags = from->layout_flags;
		func->from_tsc = from->from_tsc;
		func->name = strings;
		len = strlen(from->name) + 1;
		memcpy(text + strings, from->name, len);
		strings += len;
		if (!from->module)
			continue;
		/* Functions of a module are neighbours: most share the name before. */
		if (module && !strcmp(module, from->module)) {
			func->module = module - text;
			continue;
		}
		func->module = strings;
		module = text + strings;
		len = strlen(from->module) + 1;
		memcpy(module, from->module, len);
		strings += len;
	}
	head->strings_bytes = strings;
	bytes = (char *)text + strings - (char *)head;
	return put_made(w, FARGS_CHUNK_FUNCS, head, bytes, err);
}

static int put_ksyms_text(struct fargs_writer *w, const char *text, size_t size,
			  struct fargs_packer *packer, struct fargs_error_text *err)
{
	struct fargs_chunk head = { .kind = FARGS_CHUNK_KALLSYMS, .cpu = FARGS_CHUNK_NO_CPU };
	Elf64_Chdr chdr = {
		.ch_type = FARGS_ELFCOMPRESS_ZSTD, .ch_size = size, .ch_addralign = 1,
	};
	struct iovec iov[2] = { { &chdr, sizeof(chdr) } };
	const void *packed;
	size_t bytes = packer ? fargs_packer_pack(packer, text, size, &packed) : 0;

	/* What readers would refuse is written as it is. */
	if (!bytes || !fargs_chunk_symbols_fit(sizeof(chdr) + bytes, size))
		return put_chunk(w, FARGS_CHUNK_KALLSYMS, text, size, err);
	head.flags = FARGS_CHUNK_ELF_ZSTD;
	head.raw_bytes = size;
	iov[1] = (struct iovec){ (void *)packed, bytes };
	return fargs_output_chunk(w->output, &head, iov, err);
}

static int put_ksyms(struct fargs_writer *w, int level, struct fargs_error_text *err)
{
	struct fargs_packer *packer;
	size_t size;
	char *text;
	int ret;

	if (!w->meta->ksyms)
		return 0;
	text = fargs_ksyms_text(w->meta->ksyms, &size);
	if (!text)
		return no_memory(err);
	/* One of its own: that of the records would keep megabytes that it never needs again. */
	packer = level ? fargs_packer_create(level) : NULL;
	ret = put_ksyms_text(w, text, size, packer, err);
	fargs_packer_destroy(packer);
	free(text);
	return ret;
}

static int put_tasks(struct fargs_writer *w, struct fargs_error_text *err)
{
	struct fargs_file_task *tasks;
	size_t i;

	tasks = calloc(w->meta->nr_tasks + 1, sizeof(*tasks));
	if (!tasks)
		return no_memory(err);
	for (i = 0; i < w->meta->nr_tasks; i++) {
		tasks[i].tid = w->meta->tasks[i].tid;
		tasks[i].tgid = w->meta->tasks[i].tgid;
		memcpy(tasks[i].comm, w->meta->tasks[i].comm, sizeof(tasks[i].comm));
	}
	return put_made(w, FARGS_CHUNK_TASKS, tasks, i * sizeof(*tasks), err);
}

static int put_nspids(struct fargs_writer *w, const struct fargs_nspid *nspids, size_t nr,
		      struct fargs_error_text *err)
{
	struct fargs_file_nspid *to;
	size_t i;

	if (!nr)
		return 0;
	to = calloc(nr, sizeof(*to));
	if (!to)
		return no_memory(err);
	for (i = 0; i < nr; i++) {
		to[i].tid = nspids[i].tid;
		to[i].ns_tid = nspids[i].ns_tid;
		to[i].from_tsc = nspids[i].from_tsc;
	}
	return put_made(w, FARGS_CHUNK_NSPIDS, to, nr * sizeof(*to), err);
}

/* Appends to @out what load.c takes for one. */
static void put_format(FILE *out, unsigned int what, const char *name, const char *text,
		       size_t bytes)
{
	static const char zeroes[FARGS_CHUNK_ALIGN];
	const struct fargs_file_format head = {
		.what = what, .name_bytes = strlen(name) + 1, .text_bytes = bytes,
	};
	uint64_t n = sizeof(head) + head.name_bytes + bytes;

	fwrite(&head, sizeof(head), 1, out);
	fwrite(name, head.name_bytes, 1, out);
	fwrite(text, 1, bytes, out);
	fwrite(zeroes, 1, fargs_chunk_room(n) - n, out);
}

static int put_formats(struct fargs_writer *w, struct fargs_error_text *err)
{
	const struct fargs_meta *meta = w->meta;
	char *payload = NULL;
	size_t i, bytes;
	int ret = 0;
	FILE *out;

	if (!meta->nr_formats)
		return 0;
	out = open_memstream(&payload, &bytes);
	if (!out)
		return no_memory(err);
	for (i = 0; i < meta->nr_formats; i++)
		put_format(out, FARGS_FORMAT_EVENT, meta->formats[i].system,
			   meta->formats[i].text, meta->formats[i].bytes);
	if (meta->printk)
		put_format(out, FARGS_FORMAT_PRINTK, "", meta->printk, meta->printk_bytes);
	ret = ferror(out);
	if (fclose(out) || ret) {
		free(payload);
		return no_memory(err);
	}
	return put_made(w, FARGS_CHUNK_FORMATS, payload, bytes, err);
}

/* Takes @text, which may be NULL. */
static int put_guest_text(struct fargs_writer *w, unsigned int kind,
			  const struct fargs_guest *guest, char *text, size_t bytes,
			  struct fargs_error_text *err)
{
	const struct fargs_file_guest head = {
		.pid = guest->pid, .name_bytes = strlen(guest->name) + 1,
	};
	size_t front = sizeof(head) + head.name_bytes;
	char *payload = text ? realloc(text, front + bytes) : NULL;

	if (!payload) {
		free(text);
		return no_memory(err);
	}
	memmove(payload + front, payload, bytes);
	memcpy(payload, &head, sizeof(head));
	memcpy(payload + sizeof(head), guest->name, head.name_bytes);
	return put_made(w, kind, payload, front + bytes, err);
}

static int put_guest(struct fargs_writer *w, const struct fargs_guest *guest,
		     struct fargs_error_text *err)
{
	const struct fargs_module_list *modules = fargs_ksyms_modules(guest->syms);
	size_t bytes;
	char *text = fargs_ksyms_text(guest->syms, &bytes);

	if (put_guest_text(w, FARGS_CHUNK_GUEST, guest, text, bytes, err))
		return -EIO;
	if (!modules)
		return 0;
	text = fargs_module_list_text(modules, &bytes);
	return put_guest_text(w, FARGS_CHUNK_GUEST_MODULES, guest, text, bytes, err);
}

static int put_guests(struct fargs_writer *w, struct fargs_error_text *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < w->meta->guests.nr; i++)
		ret = put_guest(w, &w->meta->guests.guests[i], err);
	return ret;
}

static int put_round(struct fargs_writer *w, const struct fargs_clock_sample *samples,
		     struct fargs_error_text *err)
{
	w->nr_rounds++;
	return put_chunk(w, FARGS_CHUNK_CLOCK, samples,
			 w->meta->info.nr_cpus * sizeof(*samples), err);
}

/* Those of meta->clocks that were not written yet. */
static int put_rounds(struct fargs_writer *w, struct fargs_error_text *err)
{
	int ret = 0;

	while (!ret && w->nr_rounds < w->meta->nr_clocks)
		ret = put_round(w, w->meta->clocks[w->nr_rounds].cpus, err);
	return ret;
}

static int create_output(struct fargs_writer *w, const char *path, struct fargs_error_text *err)
{
	struct fargs_file_info about = { .version = FARGS_FILE_VERSION, .date = time(NULL) };
	size_t size;
	char *text;

	/* Without, a file that breaks is told from another one by its bytes' places alone. */
	if (getrandom(&about.id, sizeof(about.id), GRND_NONBLOCK) != sizeof(about.id))
		about.id = about.date;
	snprintf(about.writer, sizeof(about.writer), "%s", FARGS_VERSION);
	text = fargs_info_text(w->meta, &about, &size);
	if (!text)
		return no_memory(err);
	w->output = fargs_output_create(path, false, text, size, about.id, err);
	free(text);
	return w->output ? 0 : -EIO;
}

struct fargs_writer *fargs_writer_create(const char *path, struct fargs_meta *meta,
					 const struct fargs_writer_options *options,
					 struct fargs_error_text *err)
{
	struct fargs_writer *w = calloc(1, sizeof(*w));

	if (!w) {
		no_memory(err);
		return NULL;
	}
	w->meta = meta;
	if (options->level) {
		w->packer = fargs_packer_create(options->level);
		if (!w->packer) {
			no_memory(err);
			goto fail;
		}
	}
	/* A clock, too: without one no record of a file that is cut off soon has a time. */
	if (create_output(w, path, err) || put_btf(w, err) ||
	    put_funcs(w, meta->funcs, meta->nr_funcs, err) || put_ksyms(w, options->level, err) ||
	    put_formats(w, err) || put_guests(w, err) ||
	    put_tasks(w, err) || put_nspids(w, meta->nspids, meta->nr_nspids, err) ||
	    put_rounds(w, err))
		goto fail;
	if (options->sync_ms && fargs_output_sync_start(w->output, options->sync_ms, err))
		goto fail;
	return w;

fail:
	fargs_writer_discard(w);
	return NULL;
}

void fargs_writer_destroy(struct fargs_writer *w)
{
	if (!w)
		return;
	fargs_output_destroy(w->output);
	fargs_packer_destroy(w->packer);
	free(w);
}

void fargs_writer_discard(struct fargs_writer *w)
{
	if (!w)
		return;
	fargs_output_discard(w->output);
	w->output = NULL;
	fargs_writer_destroy(w);
}

static int put_records(struct fargs_writer *w, struct fargs_chunk *head, const void *records,
		       size_t bytes, struct fargs_error_text *err)
{
	struct iovec iov[2] = { { (void *)records, bytes } };
	const void *packed;
	size_t size = w->packer && !w->is_hurried ?
		      fargs_packer_pack(w->packer, records, bytes, &packed) : 0;

	if (size) {
		head->flags |= FARGS_CHUNK_ZSTD;
		head->raw_bytes = bytes;
		iov[0] = (struct iovec){ (void *)packed, size };
	}
	return fargs_output_chunk(w->output, head, iov, err);
}

void fargs_writer_hurry(struct fargs_writer *w, bool is_hurried)
{
	w->is_hurried = is_hurried;
}

static int put_stream(struct fargs_writer *w, unsigned int kind, unsigned int cpu,
		      const void *records, size_t bytes, struct fargs_error_text *err)
{
	struct fargs_chunk head;
	const uint8_t *p = records;
	size_t n;
	int ret;

	for (; bytes; p += n, bytes -= n) {
		n = fargs_records_measure(kind, p, bytes, RECORDS_CHUNK, &head);
		if (!n)
			return fargs_fail(err, EIO, "the ring of CPU %u holds a broken record",
					  cpu);
		head.cpu = cpu;
		ret = put_records(w, &head, p, n, err);
		if (ret)
			return ret;
	}
	return 0;
}

int fargs_writer_records(struct fargs_writer *w, unsigned int cpu, const void *records,
			 size_t bytes, struct fargs_error_text *err)
{
	return put_stream(w, FARGS_CHUNK_RECORDS, cpu, records, bytes, err);
}

int fargs_writer_events(struct fargs_writer *w, unsigned int cpu, const void *records,
			size_t bytes, struct fargs_error_text *err)
{
	return put_stream(w, FARGS_CHUNK_EVENTS, cpu, records, bytes, err);
}

int fargs_writer_funcs(struct fargs_writer *w, const struct fargs_func *funcs, size_t nr,
		       struct fargs_error_text *err)
{
	return put_funcs(w, funcs, nr, err);
}

int fargs_writer_nspids(struct fargs_writer *w, const struct fargs_nspid *nspids, size_t nr,
			struct fargs_error_text *err)
{
	return put_nspids(w, nspids, nr, err);
}

int fargs_writer_names(struct fargs_writer *w, const struct fargs_task_name *names, size_t nr,
		       struct fargs_error_text *err)
{
	struct fargs_file_name *to;
	size_t i;

	if (!nr)
		return 0;
	to = calloc(nr, sizeof(*to));
	if (!to)
		return no_memory(err);
	for (i = 0; i < nr; i++) {
		to[i].from_tsc = names[i].from_tsc;
		to[i].tid = names[i].task.tid;
		to[i].tgid = names[i].task.tgid;
		to[i].ns_tid = names[i].task.ns_tid;
		to[i].is_known = names[i].is_known;
		memcpy(to[i].comm, names[i].task.comm, sizeof(to[i].comm));
	}
	return put_made(w, FARGS_CHUNK_NAMES, to, nr * sizeof(*to), err);
}

int fargs_writer_clock(struct fargs_writer *w, const struct fargs_clock_sample *samples,
		       struct fargs_error_text *err)
{
	/* Those that the caller had added itself keep their order. */
	int ret = put_rounds(w, err);

	if (ret)
		return ret;
	if (fargs_meta_add_clock(w->meta, samples))
		return no_memory(err);
	return put_round(w, samples, err);
}

/* One frame of both parts, where that is smaller; its size or 0. */
static size_t pack_both(struct fargs_writer *w, const struct iovec iov[2], const void **packed)
{
	size_t bytes = iov[0].iov_len + iov[1].iov_len, size;
	char *whole;

	if (!w->packer)
		return 0;
	/* What cannot be packed is written as it is. */
	whole = malloc(bytes);
	if (!whole)
		return 0;
	memcpy(whole, iov[0].iov_base, iov[0].iov_len);
	memcpy(whole + iov[0].iov_len, iov[1].iov_base, iov[1].iov_len);
	size = fargs_packer_pack(w->packer, whole, bytes, packed);
	free(whole);
	return size;
}

int fargs_writer_pt(struct fargs_writer *w, unsigned int kind, unsigned int cpu,
		    const struct iovec iov[2], bool is_hurried, struct fargs_error_text *err)
{
	bool can_pack = kind == FARGS_CHUNK_PT_AUX || kind == FARGS_CHUNK_PT_SIDEBAND;
	struct fargs_chunk head = { .kind = kind, .cpu = cpu };
	struct iovec frame[2] = { };
	const void *packed;
	size_t size = can_pack && !is_hurried ? pack_both(w, iov, &packed) : 0;

	if (!size)
		return fargs_output_chunk(w->output, &head, iov, err);
	head.flags = FARGS_CHUNK_ZSTD;
	head.raw_bytes = iov[0].iov_len + iov[1].iov_len;
	frame[0] = (struct iovec){ (void *)packed, size };
	return fargs_output_chunk(w->output, &head, frame, err);
}

/* All rounds once more in one piece: a section has no holes. */
static int put_clocks(struct fargs_writer *w, struct fargs_error_text *err)
{
	size_t round = w->meta->info.nr_cpus * sizeof(struct fargs_clock_sample), i;
	char *all;

	all = malloc(w->meta->nr_clocks * round + 1);
	if (!all)
		return no_memory(err);
	for (i = 0; i < w->meta->nr_clocks; i++)
		memcpy(all + i * round, w->meta->clocks[i].cpus, round);
	return put_made(w, FARGS_CHUNK_CLOCKS, all, w->meta->nr_clocks * round, err);
}

static int put_missed(struct fargs_writer *w, struct fargs_error_text *err)
{
	const struct fargs_missed *missed = &w->meta->missed;
	const size_t bytes = sizeof(struct fargs_file_missed) +
			     missed->nr * sizeof(struct fargs_file_missed_func);
	struct fargs_file_missed_func *to;
	struct fargs_file_missed *head;
	size_t i;

	head = malloc(bytes);
	if (!head)
		return no_memory(err);
	*head = (struct fargs_file_missed){
		.any = missed->any, .maxactive = missed->maxactive, .func_bytes = sizeof(*to),
	};
	to = (void *)(head + 1);
	for (i = 0; i < missed->nr; i++)
		to[i] = (struct fargs_file_missed_func){
			.ip = missed->funcs[i].ip, .from_tsc = missed->funcs[i].from_tsc,
			.missed = missed->funcs[i].missed,
			.missed_any = missed->funcs[i].missed_any,
			.too_deep = missed->funcs[i].too_deep,
		};
	return put_made(w, FARGS_CHUNK_MISSED, head, bytes, err);
}

int fargs_writer_finish(struct fargs_writer *w, struct fargs_error_text *err)
{
	const struct fargs_meta *meta = w->meta;
	int ret = put_rounds(w, err);

	if (!ret)
		ret = put_clocks(w, err);
	if (!ret && meta->stats)
		ret = put_chunk(w, FARGS_CHUNK_STATS, meta->stats,
				meta->info.nr_cpus * sizeof(*meta->stats), err);
	if (!ret && meta->has_missed)
		ret = put_missed(w, err);
	if (!ret && meta->event_stats)
		ret = put_chunk(w, FARGS_CHUNK_EVENT_STATS, meta->event_stats,
				meta->info.nr_cpus * sizeof(*meta->event_stats), err);
	return ret ? ret : fargs_output_finish(w->output, err);
}

uint64_t fargs_writer_bytes(const struct fargs_writer *w)
{
	return fargs_output_bytes(w->output);
}
