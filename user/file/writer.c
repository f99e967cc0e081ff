// SPDX-License-Identifier: GPL-2.0-only
#include "file/writer.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "btf/btfs.h"
#include "file/format.h"
#include "file/info.h"
#include "ring/walk.h"
#include "sym/ksyms.h"

/* A chunk of records ends at the last record that fits; small enough for a reader of many CPUs. */
#define RECORDS_CHUNK	(256u << 10)

/* A section to be, with its payload's place in the file. */
struct section {
	char name[80];
	uint64_t offset;
	uint64_t bytes;
};

struct fargs_writer {
	int fd;
	char *path;
	struct fargs_meta *meta;
	uint64_t at;			/* bytes written; always a multiple of 8 */
	uint64_t stream;		/* where .fargs.stream begins */
	size_t nr_rounds;		/* of meta->clocks, written */
	bool is_broken;			/* a write failed: what follows would not line up */
	struct section *sections;
	size_t nr_sections;
};

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

/* All of @iov, whatever write(2) takes at once. */
static int write_all(struct fargs_writer *w, struct iovec *iov, int nr,
		     struct fargs_error_text *err)
{
	ssize_t n;
	int code;

	if (w->is_broken)
		return fargs_fail(err, EIO, "%s: a write failed before", w->path);
	while (nr) {
		if (!iov->iov_len) {
			iov++;
			nr--;
			continue;
		}
		n = writev(w->fd, iov, nr);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			code = n < 0 ? errno : EIO;
			w->is_broken = true;
			return fargs_fail(err, code, "%s: cannot write: %s%s", w->path,
					  strerror(code),
					  code == ENOSPC || code == EDQUOT ?
					  " (make room, or record fewer functions)" : "");
		}
		w->at += n;
		for (; n && (size_t)n >= iov->iov_len; iov++, nr--)
			n -= iov->iov_len;
		if (n) {
			iov->iov_base = (char *)iov->iov_base + n;
			iov->iov_len -= n;
		}
	}
	return 0;
}

static int add_section(struct fargs_writer *w, const char *name, uint64_t offset, uint64_t bytes,
		       struct fargs_error_text *err)
{
	struct section *sections = realloc(w->sections, (w->nr_sections + 1) * sizeof(*sections));

	if (!sections)
		return no_memory(err);
	w->sections = sections;
	sections += w->nr_sections++;
	snprintf(sections->name, sizeof(sections->name), "%s", name);
	sections->offset = offset;
	sections->bytes = bytes;
	return 0;
}

/*
 * Writes a chunk whose payload is @front and @payload, and notes the section
 * @name (if any) for @payload alone.
 */
static int put_chunk(struct fargs_writer *w, unsigned int kind, unsigned int cpu,
		     const char *name, const void *front, size_t front_bytes,
		     const void *payload, size_t bytes, struct fargs_error_text *err)
{
	static const char zeroes[FARGS_CHUNK_ALIGN];
	struct fargs_chunk chunk = {
		.magic = FARGS_CHUNK_MAGIC,
		.kind = kind,
		.cpu = cpu,
		.bytes = front_bytes + bytes,
	};
	struct iovec iov[4] = {
		{ &chunk, sizeof(chunk) },
		{ (void *)front, front_bytes },
		{ (void *)payload, bytes },
		{ (void *)zeroes, fargs_chunk_room(chunk.bytes) - chunk.bytes },
	};

	if (chunk.bytes > FARGS_CHUNK_OTHER_MAX)
		return fargs_fail(err, EFBIG,
				  "%s: %zu bytes are too much for one part of a trace file",
				  w->path, bytes);
	if (name && add_section(w, name, w->at + sizeof(chunk) + front_bytes, bytes, err))
		return -ENOMEM;
	chunk.crc = fargs_crc32c(fargs_crc32c(0, front, front_bytes), payload, bytes);
	chunk.head_crc = fargs_chunk_head_crc(&chunk);
	return write_all(w, iov, 4, err);
}

static void set_ehdr(Elf64_Ehdr *ehdr)
{
	memset(ehdr, 0, sizeof(*ehdr));
	memcpy(ehdr->e_ident, ELFMAG, SELFMAG);
	ehdr->e_ident[EI_CLASS] = ELFCLASS64;
	ehdr->e_ident[EI_DATA] = ELFDATA2LSB;
	ehdr->e_ident[EI_VERSION] = EV_CURRENT;
	ehdr->e_type = ET_NONE;
	ehdr->e_machine = EM_X86_64;
	ehdr->e_version = EV_CURRENT;
	ehdr->e_ehsize = sizeof(*ehdr);
	ehdr->e_shentsize = sizeof(Elf64_Shdr);
}

static int put_info(struct fargs_writer *w, struct fargs_error_text *err)
{
	struct fargs_file_info about = { .version = FARGS_FILE_VERSION, .date = time(NULL) };
	size_t size;
	char *text;
	int ret;

	snprintf(about.writer, sizeof(about.writer), "%s", FARGS_VERSION);
	text = fargs_info_text(w->meta, &about, &size);
	if (!text)
		return no_memory(err);
	ret = put_chunk(w, FARGS_CHUNK_INFO, FARGS_CHUNK_NO_CPU, ".fargs.info", NULL, 0, text, size,
			err);
	free(text);
	return ret;
}

static int put_btf(struct fargs_writer *w, struct fargs_error_text *err)
{
	struct fargs_file_btf head;
	const char *name;
	const void *raw;
	char section[80];
	size_t i, size;
	int ret;

	for (i = 0; w->meta->btfs && (name = fargs_btfs_name(w->meta->btfs, i)); i++) {
		raw = fargs_btfs_raw(w->meta->btfs, name, &size);
		if (!raw)
			continue;
		if (strlen(name) >= sizeof(head.name))
			return fargs_fail(err, EINVAL, "the module name %s is too long", name);
		memset(&head, 0, sizeof(head));
		memcpy(head.name, name, strlen(name));
		if (!strcmp(name, FARGS_BTF_VMLINUX))
			strcpy(section, ".BTF");
		else
			snprintf(section, sizeof(section), ".BTF.%s", name);
		ret = put_chunk(w, FARGS_CHUNK_BTF, FARGS_CHUNK_NO_CPU, section, &head,
				sizeof(head), raw, size, err);
		if (ret)
			return ret;
	}
	return 0;
}

static int put_funcs(struct fargs_writer *w, struct fargs_error_text *err)
{
	const struct fargs_meta *meta = w->meta;
	struct fargs_file_funcs *head;
	struct fargs_file_func *func;
	const struct fargs_func *from;
	size_t i, len, strings = 1, bytes;
	char *text, *module = NULL;
	int ret;

	for (i = 0; i < meta->nr_funcs; i++) {
		strings += strlen(meta->funcs[i].name) + 1;
		if (meta->funcs[i].module)
			strings += strlen(meta->funcs[i].module) + 1;
	}
	bytes = sizeof(*head) + meta->nr_funcs * sizeof(*func) + strings;
	head = calloc(1, bytes);
	if (!head)
		return no_memory(err);
	head->nr = meta->nr_funcs;
	head->func_bytes = sizeof(*func);
	func = (void *)(head + 1);
	text = (char *)(func + meta->nr_funcs);
	strings = 1;
	for (i = 0; i < meta->nr_funcs; i++, func++) {
		from = &meta->funcs[i];
		func->ip = from->ip;
		func->addr = from->addr;
		func->btf_id = from->btf_id;
		func->layout_flags = from->layout_flags;
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
	ret = put_chunk(w, FARGS_CHUNK_FUNCS, FARGS_CHUNK_NO_CPU, ".fargs.funcs", NULL, 0, head,
			bytes, err);
	free(head);
	return ret;
}

static int put_ksyms(struct fargs_writer *w, struct fargs_error_text *err)
{
	size_t size;
	char *text;
	int ret;

	if (!w->meta->ksyms)
		return 0;
	text = fargs_ksyms_text(w->meta->ksyms, &size);
	if (!text)
		return no_memory(err);
	ret = put_chunk(w, FARGS_CHUNK_KALLSYMS, FARGS_CHUNK_NO_CPU, ".fargs.kallsyms", NULL, 0,
			text, size, err);
	free(text);
	return ret;
}

static int put_tasks(struct fargs_writer *w, struct fargs_error_text *err)
{
	struct fargs_file_task *tasks;
	size_t i;
	int ret;

	tasks = calloc(w->meta->nr_tasks + 1, sizeof(*tasks));
	if (!tasks)
		return no_memory(err);
	for (i = 0; i < w->meta->nr_tasks; i++) {
		tasks[i].tid = w->meta->tasks[i].tid;
		tasks[i].tgid = w->meta->tasks[i].tgid;
		memcpy(tasks[i].comm, w->meta->tasks[i].comm, sizeof(tasks[i].comm));
	}
	ret = put_chunk(w, FARGS_CHUNK_TASKS, FARGS_CHUNK_NO_CPU, ".fargs.tasks", NULL, 0, tasks,
			i * sizeof(*tasks), err);
	free(tasks);
	return ret;
}

struct fargs_writer *fargs_writer_create(const char *path, struct fargs_meta *meta,
					 struct fargs_error_text *err)
{
	struct fargs_writer *w = calloc(1, sizeof(*w));
	Elf64_Ehdr ehdr;
	struct iovec iov = { &ehdr, sizeof(ehdr) };
	struct stat st;

	if (!w) {
		no_memory(err);
		return NULL;
	}
	w->fd = -1;
	w->meta = meta;
	w->path = strdup(path);
	if (!w->path) {
		no_memory(err);
		goto fail;
	}
	/* Traces hold kernel addresses and what programs do: for their owner only. */
	w->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (w->fd < 0) {
		fargs_fail(err, errno, "%s: cannot create it: %s", path, strerror(errno));
		goto fail;
	}
	if (!fstat(w->fd, &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))) {
		fargs_fail(err, ESPIPE, "%s: a trace cannot be written into a pipe: give a file",
			   path);
		goto fail;
	}
	set_ehdr(&ehdr);
	if (write_all(w, &iov, 1, err) || put_info(w, err) || put_btf(w, err) ||
	    put_funcs(w, err) || put_ksyms(w, err) || put_tasks(w, err))
		goto fail;
	w->stream = w->at;
	return w;

fail:
	fargs_writer_destroy(w);
	return NULL;
}

void fargs_writer_destroy(struct fargs_writer *w)
{
	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	free(w->sections);
	free(w->path);
	free(w);
}

int fargs_writer_records(struct fargs_writer *w, unsigned int cpu, const void *records,
			 size_t bytes, struct fargs_error_text *err)
{
	const uint8_t *p = records;
	size_t n, len;
	int ret;

	for (; bytes; p += n, bytes -= n) {
		for (n = 0; n < bytes; n += len) {
			len = fargs_walk_len(p + n, bytes - n);
			if (!len)
				return fargs_fail(err, EIO,
						  "the ring of CPU %u holds a broken record", cpu);
			if (n + len > RECORDS_CHUNK)
				break;
		}
		ret = put_chunk(w, FARGS_CHUNK_RECORDS, cpu, NULL, NULL, 0, p, n, err);
		if (ret)
			return ret;
	}
	return 0;
}

static int put_round(struct fargs_writer *w, const struct fargs_clock_sample *samples,
		     struct fargs_error_text *err)
{
	w->nr_rounds++;
	return put_chunk(w, FARGS_CHUNK_CLOCK, FARGS_CHUNK_NO_CPU, NULL, NULL, 0, samples,
			 w->meta->info.nr_cpus * sizeof(*samples), err);
}

int fargs_writer_clock(struct fargs_writer *w, const struct fargs_clock_sample *samples,
		       struct fargs_error_text *err)
{
	int ret;

	/* Those that the caller had added itself keep their order. */
	for (; w->nr_rounds < w->meta->nr_clocks; ) {
		ret = put_round(w, w->meta->clocks[w->nr_rounds].cpus, err);
		if (ret)
			return ret;
	}
	if (fargs_meta_add_clock(w->meta, samples))
		return no_memory(err);
	return put_round(w, samples, err);
}

/* All rounds once more in one piece: a section has no holes. */
static int put_clocks(struct fargs_writer *w, struct fargs_error_text *err)
{
	size_t round = w->meta->info.nr_cpus * sizeof(struct fargs_clock_sample), i;
	char *all;
	int ret;

	all = malloc(w->meta->nr_clocks * round + 1);
	if (!all)
		return no_memory(err);
	for (i = 0; i < w->meta->nr_clocks; i++)
		memcpy(all + i * round, w->meta->clocks[i].cpus, round);
	ret = put_chunk(w, FARGS_CHUNK_CLOCKS, FARGS_CHUNK_NO_CPU, ".fargs.clock", NULL, 0, all,
			w->meta->nr_clocks * round, err);
	free(all);
	return ret;
}

/* Names, table, and last of all the header that points to them. */
static int put_table(struct fargs_writer *w, struct fargs_error_text *err)
{
	size_t nr = w->nr_sections + 2, names = 1, i;
	Elf64_Shdr *table;
	Elf64_Ehdr ehdr;
	struct iovec iov;
	char *strtab;
	int ret;

	if (nr >= SHN_LORESERVE)
		return fargs_fail(err, E2BIG, "%s: too many modules for one file", w->path);
	for (i = 0; i < w->nr_sections; i++)
		names += strlen(w->sections[i].name) + 1;
	names += sizeof(".shstrtab");
	strtab = calloc(1, fargs_chunk_room(names) + nr * sizeof(*table));
	if (!strtab)
		return no_memory(err);
	table = (Elf64_Shdr *)(strtab + fargs_chunk_room(names));
	names = 1;
	for (i = 1; i < nr; i++) {
		const char *name = i <= w->nr_sections ? w->sections[i - 1].name : ".shstrtab";

		table[i].sh_name = names;
		table[i].sh_type = i <= w->nr_sections ? SHT_PROGBITS : SHT_STRTAB;
		table[i].sh_addralign = i <= w->nr_sections ? FARGS_CHUNK_ALIGN : 1;
		if (i <= w->nr_sections) {
			table[i].sh_offset = w->sections[i - 1].offset;
			table[i].sh_size = w->sections[i - 1].bytes;
		} else {
			table[i].sh_offset = w->at;
			table[i].sh_size = names + sizeof(".shstrtab");
		}
		strcpy(strtab + names, name);
		names += strlen(name) + 1;
	}
	set_ehdr(&ehdr);
	ehdr.e_shoff = w->at + fargs_chunk_room(names);
	ehdr.e_shnum = nr;
	ehdr.e_shstrndx = nr - 1;

	iov.iov_base = strtab;
	iov.iov_len = fargs_chunk_room(names) + nr * sizeof(*table);
	ret = write_all(w, &iov, 1, err);
	free(strtab);
	if (ret)
		return ret;
	if (pwrite(w->fd, &ehdr, sizeof(ehdr), 0) != sizeof(ehdr))
		return fargs_fail(err, EIO, "%s: cannot write its header: %s", w->path,
				  strerror(errno));
	return 0;
}

int fargs_writer_finish(struct fargs_writer *w, struct fargs_error_text *err)
{
	const struct fargs_meta *meta = w->meta;
	int ret;

	while (w->nr_rounds < meta->nr_clocks) {
		ret = put_round(w, meta->clocks[w->nr_rounds].cpus, err);
		if (ret)
			return ret;
	}
	ret = add_section(w, ".fargs.stream", w->stream, w->at - w->stream, err);
	if (!ret)
		ret = put_clocks(w, err);
	if (!ret && meta->stats)
		ret = put_chunk(w, FARGS_CHUNK_STATS, FARGS_CHUNK_NO_CPU, ".fargs.stats", NULL, 0,
				meta->stats, meta->info.nr_cpus * sizeof(*meta->stats), err);
	if (!ret)
		ret = put_chunk(w, FARGS_CHUNK_END, FARGS_CHUNK_NO_CPU, NULL, NULL, 0, NULL, 0,
				err);
	if (!ret)
		ret = put_table(w, err);
	/* Some file systems tell only now that there was no room. */
	if (close(w->fd) && !ret)
		ret = fargs_fail(err, errno, "%s: cannot write: %s", w->path, strerror(errno));
	w->fd = -1;
	return ret;
}

uint64_t fargs_writer_bytes(const struct fargs_writer *w)
{
	return w->at;
}
