// SPDX-License-Identifier: GPL-2.0-only
#include "file/chunks.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "file/format.h"
#include "file/pack.h"
#include "kernel/btf/btfs.h"
#include "kernel/sym/ksyms.h"
#include "kernel/sym/module_list.h"

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

int fargs_chunks_put(struct fargs_output *output, unsigned int kind, const void *payload,
		     size_t bytes, struct fargs_error_text *err)
{
	const struct fargs_chunk head = { .kind = kind, .cpu = FARGS_CHUNK_NO_CPU };
	const struct iovec iov[2] = { { (void *)payload, bytes } };

	return fargs_output_chunk(output, &head, iov, err);
}

/* Like fargs_chunks_put(), but also frees the payload @made. */
static int put_made(struct fargs_output *output, unsigned int kind, void *made, size_t bytes,
		    struct fargs_error_text *err)
{
	int ret = fargs_chunks_put(output, kind, made, bytes, err);

	free(made);
	return ret;
}

static int put_module_btf(struct fargs_output *output, const char *name, const void *raw,
			  size_t bytes, struct fargs_error_text *err)
{
	const struct fargs_chunk head = { .kind = FARGS_CHUNK_BTF, .cpu = FARGS_CHUNK_NO_CPU };
	struct fargs_file_btf front = { };
	const struct iovec iov[2] = {
		{ &front, sizeof(front) }, { (void *)raw, bytes },
	};

	if (strlen(name) >= sizeof(front.name))
		return fargs_fail(err, EINVAL, "the name of module '%s' is too long", name);
	memcpy(front.name, name, strlen(name));
	return fargs_output_chunk(output, &head, iov, err);
}

static int put_btf(struct fargs_output *output, const struct fargs_meta *meta,
		   struct fargs_error_text *err)
{
	const char *name;
	const void *raw;
	size_t i, size;
	int ret = 0;

	for (i = 0; !ret && meta->btfs && (name = fargs_btfs_name(meta->btfs, i)); i++) {
		raw = fargs_btfs_raw(meta->btfs, name, &size);
		if (raw)
			ret = put_module_btf(output, name, raw, size, err);
	}
	return ret;
}

int fargs_chunks_put_funcs(struct fargs_output *output, const struct fargs_func *funcs, size_t nr,
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
		/*
		 * Functions of a module are adjacent, so most have the same module as the previous
		 * one: share the string.
		 */
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
	return put_made(output, FARGS_CHUNK_FUNCS, head, bytes, err);
}

static int put_ksyms_text(struct fargs_output *output, const char *text, size_t size,
			  struct fargs_packer *packer, struct fargs_error_text *err)
{
	struct fargs_chunk head = { .kind = FARGS_CHUNK_KALLSYMS, .cpu = FARGS_CHUNK_NO_CPU };
	Elf64_Chdr chdr = {
		.ch_type = FARGS_ELFCOMPRESS_ZSTD, .ch_size = size, .ch_addralign = 1,
	};
	struct iovec iov[2] = { { &chdr, sizeof(chdr) } };
	const void *packed;
	size_t bytes = packer ? fargs_packer_pack(packer, text, size, &packed) : 0;

	/* Symbols whose compression ratio readers would reject are stored uncompressed. */
	if (!bytes || !fargs_chunk_symbols_fit(sizeof(chdr) + bytes, size))
		return fargs_chunks_put(output, FARGS_CHUNK_KALLSYMS, text, size, err);
	head.flags = FARGS_CHUNK_ELF_ZSTD;
	head.raw_bytes = size;
	iov[1] = (struct iovec){ (void *)packed, bytes };
	return fargs_output_chunk(output, &head, iov, err);
}

static int put_ksyms(struct fargs_output *output, const struct fargs_meta *meta, int level,
		     struct fargs_error_text *err)
{
	struct fargs_packer *packer;
	size_t size;
	char *text;
	int ret;

	if (!meta->ksyms)
		return 0;
	text = fargs_ksyms_text(meta->ksyms, &size);
	if (!text)
		return no_memory(err);
	/*
	 * Use a separate packer, which is destroyed afterwards: symbols need a buffer of megabytes,
	 * which the packer for records would keep.
	 */
	packer = level ? fargs_packer_create(level) : NULL;
	ret = put_ksyms_text(output, text, size, packer, err);
	fargs_packer_destroy(packer);
	free(text);
	return ret;
}

static int put_tasks(struct fargs_output *output, const struct fargs_meta *meta,
		     struct fargs_error_text *err)
{
	struct fargs_file_task *tasks;
	size_t i;

	tasks = calloc(meta->nr_tasks + 1, sizeof(*tasks));
	if (!tasks)
		return no_memory(err);
	for (i = 0; i < meta->nr_tasks; i++) {
		tasks[i].tid = meta->tasks[i].tid;
		tasks[i].tgid = meta->tasks[i].tgid;
		memcpy(tasks[i].comm, meta->tasks[i].comm, sizeof(tasks[i].comm));
	}
	return put_made(output, FARGS_CHUNK_TASKS, tasks, i * sizeof(*tasks), err);
}

int fargs_chunks_put_nspids(struct fargs_output *output, const struct fargs_nspid *nspids,
			    size_t nr, struct fargs_error_text *err)
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
	return put_made(output, FARGS_CHUNK_NSPIDS, to, nr * sizeof(*to), err);
}

/* Appends to @out a format in the form that load_formats() parses. */
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

static int put_formats(struct fargs_output *output, const struct fargs_meta *meta,
		       struct fargs_error_text *err)
{
	char *payload = NULL;
	size_t i, bytes;
	int ret = 0;
	FILE *out;

	if (!meta->nr_formats && !meta->nr_flag_formats)
		return 0;
	out = open_memstream(&payload, &bytes);
	if (!out)
		return no_memory(err);
	for (i = 0; i < meta->nr_formats; i++)
		put_format(out, FARGS_FORMAT_EVENT, meta->formats[i].system,
			   meta->formats[i].text, meta->formats[i].bytes);
	for (i = 0; i < meta->nr_flag_formats; i++)
		put_format(out, FARGS_FORMAT_FLAGS, meta->flag_formats[i].system,
			   meta->flag_formats[i].text, meta->flag_formats[i].bytes);
	if (meta->printk)
		put_format(out, FARGS_FORMAT_PRINTK, "", meta->printk, meta->printk_bytes);
	ret = ferror(out);
	if (fclose(out) || ret) {
		free(payload);
		return no_memory(err);
	}
	return put_made(output, FARGS_CHUNK_FORMATS, payload, bytes, err);
}

/*
 * Writes a chunk of @kind with @text (symbols or modules) of @guest. Takes ownership of @text.
 * Returns -ENOMEM if @text is NULL.
 */
static int put_guest_text(struct fargs_output *output, unsigned int kind,
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
	return put_made(output, kind, payload, front + bytes, err);
}

static int put_guest(struct fargs_output *output, const struct fargs_guest *guest,
		     struct fargs_error_text *err)
{
	const struct fargs_module_list *modules = fargs_ksyms_modules(guest->syms);
	size_t bytes;
	char *text = fargs_ksyms_text(guest->syms, &bytes);

	if (put_guest_text(output, FARGS_CHUNK_GUEST, guest, text, bytes, err))
		return -EIO;
	if (!modules)
		return 0;
	text = fargs_module_list_text(modules, &bytes);
	return put_guest_text(output, FARGS_CHUNK_GUEST_MODULES, guest, text, bytes, err);
}

static int put_guests(struct fargs_output *output, const struct fargs_meta *meta,
		      struct fargs_error_text *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < meta->guests.nr; i++)
		ret = put_guest(output, &meta->guests.guests[i], err);
	return ret;
}

int fargs_chunks_put_clocks(struct fargs_output *output, const struct fargs_meta *meta,
			    struct fargs_error_text *err)
{
	size_t round = meta->info.nr_cpus * sizeof(struct fargs_clock_sample), i;
	char *all;

	all = malloc(meta->nr_clocks * round + 1);
	if (!all)
		return no_memory(err);
	for (i = 0; i < meta->nr_clocks; i++)
		memcpy(all + i * round, meta->clocks[i].cpus, round);
	return put_made(output, FARGS_CHUNK_CLOCKS, all, meta->nr_clocks * round, err);
}

int fargs_chunks_put_missed(struct fargs_output *output, const struct fargs_meta *meta,
			    struct fargs_error_text *err)
{
	const struct fargs_missed *missed = &meta->missed;
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
	return put_made(output, FARGS_CHUNK_MISSED, head, bytes, err);
}

int fargs_chunks_put_names(struct fargs_output *output, const struct fargs_task_name *names,
			   size_t nr, struct fargs_error_text *err)
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
	return put_made(output, FARGS_CHUNK_NAMES, to, nr * sizeof(*to), err);
}

int fargs_chunks_put_meta(struct fargs_output *output, const struct fargs_meta *meta, int level,
			  struct fargs_error_text *err)
{
	int ret = put_btf(output, meta, err);

	if (!ret)
		ret = fargs_chunks_put_funcs(output, meta->funcs, meta->nr_funcs, err);
	if (!ret)
		ret = put_ksyms(output, meta, level, err);
	if (!ret)
		ret = put_formats(output, meta, err);
	if (!ret)
		ret = put_guests(output, meta, err);
	if (!ret)
		ret = put_tasks(output, meta, err);
	return ret ? ret : fargs_chunks_put_nspids(output, meta->nspids, meta->nr_nspids, err);
}
