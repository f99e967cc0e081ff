// SPDX-License-Identifier: GPL-2.0-only
#include "file/reader.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gelf.h>

#include "file/format.h"
#include "file/load.h"
#include "ring/walk.h"

/* A chunk of records, found by the scan. */
struct run {
	uint64_t offset;	/* of the payload */
	uint32_t bytes;
	uint32_t crc;
};

struct cpu {
	struct run *runs;
	size_t nr_runs;
	size_t room;
	size_t next;		/* run to hand out next */
	uint64_t bytes;
	void *buf;		/* the run handed out last */
	size_t buf_bytes;
};

struct fargs_reader {
	int fd;
	char *path;
	uint64_t size;		/* of the file, when it was opened */
	struct fargs_meta *meta;
	struct fargs_file_info about;
	struct cpu *cpus;
	unsigned int nr_cpus;
};

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

static int fail_corrupt(const struct fargs_reader *r, uint64_t at, const char *what,
			struct fargs_error_text *err)
{
	return fargs_fail(err, EIO, "%s: corrupt at byte %llu: %s", r->path,
			  (unsigned long long)at, what);
}

static int read_at(const struct fargs_reader *r, uint64_t at, void *buf, size_t bytes,
		   struct fargs_error_text *err)
{
	ssize_t n;

	while (bytes) {
		n = pread(r->fd, buf, bytes, (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fargs_fail(err, errno, "%s: cannot read it: %s", r->path,
					  strerror(errno));
		if (!n)
			return fargs_fail(err, EIO, "%s: cut off: it ends at byte %llu", r->path,
					  (unsigned long long)at);
		buf = (char *)buf + n;
		at += n;
		bytes -= n;
	}
	return 0;
}

/* The chunk's header at @at, with its payload being inside of the file. */
static int read_chunk(const struct fargs_reader *r, uint64_t at, struct fargs_chunk *chunk,
		      struct fargs_error_text *err)
{
	uint64_t max;
	int ret;

	if (r->size < at + sizeof(*chunk))
		return fargs_fail(err, EIO, "%s: cut off: it ends at byte %llu", r->path,
				  (unsigned long long)r->size);
	ret = read_at(r, at, chunk, sizeof(*chunk), err);
	if (ret)
		return ret;
	if (chunk->magic != FARGS_CHUNK_MAGIC)
		return fail_corrupt(r, at, "no chunk begins there", err);
	if (chunk->head_crc != fargs_chunk_head_crc(chunk))
		return fail_corrupt(r, at, "the checksum of a chunk's header does not match", err);
	if (chunk->flags)
		return fail_corrupt(r, at, "a chunk has flags that are not known", err);
	max = chunk->kind == FARGS_CHUNK_RECORDS ? FARGS_CHUNK_RECORDS_MAX : FARGS_CHUNK_OTHER_MAX;
	if (chunk->bytes > max)
		return fail_corrupt(r, at, "a chunk is longer than it can be", err);
	if (fargs_chunk_room(chunk->bytes) > r->size - at - sizeof(*chunk))
		return fargs_fail(err, EIO, "%s: cut off: it ends at byte %llu", r->path,
				  (unsigned long long)r->size);
	return 0;
}

/* Reads and checks a payload; free() it. */
static int read_payload(const struct fargs_reader *r, uint64_t at,
			const struct fargs_chunk *chunk, char **payload,
			struct fargs_error_text *err)
{
	char *buf = malloc(chunk->bytes + 1);
	int ret;

	if (!buf)
		return no_memory(err);
	ret = read_at(r, at + sizeof(*chunk), buf, chunk->bytes, err);
	if (!ret && fargs_crc32c(0, buf, chunk->bytes) != chunk->crc)
		ret = fail_corrupt(r, at, "the checksum of a chunk does not match", err);
	if (ret) {
		free(buf);
		return ret;
	}
	*payload = buf;
	return 0;
}

/* First: is it ours, and of a version to read. */
static int read_info(struct fargs_reader *r, const Elf64_Ehdr *ehdr, uint64_t *next,
		     struct fargs_error_text *err)
{
	uint64_t at = sizeof(*ehdr);
	struct fargs_error_text why;
	struct fargs_chunk chunk;
	char *payload;
	int ret;

	if (memcmp(ehdr->e_ident, ELFMAG, SELFMAG) || ehdr->e_ident[EI_CLASS] != ELFCLASS64 ||
	    ehdr->e_ident[EI_DATA] != ELFDATA2LSB)
		return fargs_fail(err, EINVAL, "%s: not a fargs trace", r->path);
	if (r->size < at + sizeof(chunk))
		return fargs_fail(err, EINVAL,
				  "%s: not a fargs trace, or cut off at its very beginning",
				  r->path);
	ret = read_at(r, at, &chunk, sizeof(chunk), err);
	if (ret)
		return ret;
	if (chunk.magic != FARGS_CHUNK_MAGIC || chunk.kind != FARGS_CHUNK_INFO)
		return fargs_fail(err, EINVAL, "%s: an ELF file, but not a fargs trace", r->path);
	ret = read_chunk(r, at, &chunk, err);
	if (ret)
		return ret;
	ret = read_payload(r, at, &chunk, &payload, err);
	if (ret)
		return ret;
	ret = fargs_info_parse(payload, chunk.bytes, r->meta, &r->about, &why);
	free(payload);
	if (ret)
		return fargs_fail(err, -ret, "%s: %s", r->path, why.text);
	*next = at + sizeof(chunk) + fargs_chunk_room(chunk.bytes);
	return 0;
}

static int add_run(struct fargs_reader *r, uint64_t at, const struct fargs_chunk *chunk,
		   struct fargs_error_text *err)
{
	struct run *runs;
	struct cpu *cpu;

	if (chunk->cpu >= r->nr_cpus)
		return fail_corrupt(r, at, "records of a CPU that is not there", err);
	cpu = &r->cpus[chunk->cpu];
	if (cpu->nr_runs == cpu->room) {
		runs = realloc(cpu->runs, (2 * cpu->room + 16) * sizeof(*runs));
		if (!runs)
			return no_memory(err);
		cpu->runs = runs;
		cpu->room = 2 * cpu->room + 16;
	}
	cpu->runs[cpu->nr_runs++] = (struct run){ at + sizeof(*chunk), chunk->bytes, chunk->crc };
	cpu->bytes += chunk->bytes;
	return 0;
}

static int scan(struct fargs_reader *r, uint64_t at, struct fargs_error_text *err)
{
	struct fargs_error_text why;
	struct fargs_chunk chunk;
	char *payload;
	int ret;

	for (;; at += sizeof(chunk) + fargs_chunk_room(chunk.bytes)) {
		ret = read_chunk(r, at, &chunk, err);
		if (ret)
			return ret;
		if (chunk.kind == FARGS_CHUNK_END)
			return 0;
		if (chunk.kind == FARGS_CHUNK_INFO)
			return fail_corrupt(r, at, "a second beginning", err);
		if (chunk.kind == FARGS_CHUNK_RECORDS) {
			ret = add_run(r, at, &chunk, err);
		} else if (fargs_load_wants(chunk.kind)) {
			ret = read_payload(r, at, &chunk, &payload, err);
			if (ret)
				return ret;
			ret = fargs_load_chunk(r->meta, chunk.kind, payload, chunk.bytes, &why);
			free(payload);
			if (ret == -ENOMEM)
				return no_memory(err);
			if (ret)
				ret = fail_corrupt(r, at, why.text, err);
		}
		if (ret)
			return ret;
	}
}

static int open_file(struct fargs_reader *r, struct fargs_error_text *err)
{
	uint64_t at = 0, end;
	Elf64_Ehdr ehdr;
	struct stat st;
	int ret;

	r->fd = open(r->path, O_RDONLY | O_CLOEXEC);
	if (r->fd < 0 || fstat(r->fd, &st))
		return fargs_fail(err, errno, "%s: cannot open it: %s", r->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return fargs_fail(err, EINVAL, "%s: not a fargs trace: no regular file", r->path);
	r->size = st.st_size;
	if (r->size < sizeof(ehdr))
		return fargs_fail(err, EINVAL, "%s: not a fargs trace%s", r->path,
				  r->size ? "" : ": it is empty");
	ret = read_at(r, 0, &ehdr, sizeof(ehdr), err);
	if (!ret)
		ret = read_info(r, &ehdr, &at, err);
	if (ret)
		return ret;

	if (!ehdr.e_shoff)
		return fargs_fail(err, EIO,
				  "%s: cut off: it has no section table (the recording did not finish)",
				  r->path);
	end = (uint64_t)ehdr.e_shnum * sizeof(Elf64_Shdr);
	if (ehdr.e_shoff > r->size || end > r->size - ehdr.e_shoff)
		return fargs_fail(err, EIO, "%s: cut off: it ends at byte %llu of %llu", r->path,
				  (unsigned long long)r->size,
				  (unsigned long long)(ehdr.e_shoff + end));
	r->nr_cpus = r->meta->info.nr_cpus;
	r->cpus = calloc(r->nr_cpus, sizeof(*r->cpus));
	if (!r->cpus)
		return no_memory(err);
	ret = scan(r, at, err);
	fargs_load_finish(r->meta);
	return ret;
}

struct fargs_reader *fargs_reader_open(const char *path, struct fargs_meta *meta,
				       struct fargs_error_text *err)
{
	struct fargs_reader *r = calloc(1, sizeof(*r));

	if (!r) {
		no_memory(err);
		return NULL;
	}
	r->fd = -1;
	r->meta = meta;
	r->path = strdup(path);
	if (r->path ? open_file(r, err) : no_memory(err)) {
		fargs_reader_destroy(r);
		return NULL;
	}
	return r;
}

void fargs_reader_destroy(struct fargs_reader *r)
{
	unsigned int cpu;

	if (!r)
		return;
	for (cpu = 0; cpu < r->nr_cpus && r->cpus; cpu++) {
		free(r->cpus[cpu].runs);
		free(r->cpus[cpu].buf);
	}
	free(r->cpus);
	if (r->fd >= 0)
		close(r->fd);
	free(r->path);
	free(r);
}

int fargs_reader_next(struct fargs_reader *r, unsigned int cpu, const void **records,
		      size_t *bytes, struct fargs_error_text *err)
{
	const struct run *run;
	size_t at, len;
	struct cpu *c;
	void *buf;
	int ret;

	if (cpu >= r->nr_cpus)
		return fargs_fail(err, EINVAL, "%s: there is no CPU %u", r->path, cpu);
	c = &r->cpus[cpu];
	if (c->next == c->nr_runs) {
		/* Of many CPUs, those that ended early need no memory. */
		free(c->buf);
		c->buf = NULL;
		c->buf_bytes = 0;
		return 0;
	}
	run = &c->runs[c->next];
	if (run->bytes > c->buf_bytes) {
		buf = realloc(c->buf, run->bytes);
		if (!buf)
			return no_memory(err);
		c->buf = buf;
		c->buf_bytes = run->bytes;
	}
	ret = read_at(r, run->offset, c->buf, run->bytes, err);
	if (ret)
		return ret;
	if (fargs_crc32c(0, c->buf, run->bytes) != run->crc)
		return fail_corrupt(r, run->offset, "the checksum of records does not match", err);
	for (at = 0; at < run->bytes; at += len) {
		len = fargs_walk_len((char *)c->buf + at, run->bytes - at);
		if (!len)
			return fail_corrupt(r, run->offset + at, "a record is broken", err);
	}
	c->next++;
	*records = c->buf;
	*bytes = run->bytes;
	return 1;
}

const struct fargs_file_info *fargs_reader_about(const struct fargs_reader *r)
{
	return &r->about;
}

uint64_t fargs_reader_bytes(const struct fargs_reader *r)
{
	return r->size;
}

uint64_t fargs_reader_cpu_bytes(const struct fargs_reader *r, unsigned int cpu)
{
	return cpu < r->nr_cpus ? r->cpus[cpu].bytes : 0;
}

int fargs_reader_sections(struct fargs_reader *r, fargs_section_fn fn, void *arg,
			  struct fargs_error_text *err)
{
	Elf_Scn *scn = NULL;
	const char *name;
	size_t names;
	GElf_Shdr shdr;
	Elf *elf;
	int ret = 0;

	elf_version(EV_CURRENT);
	elf = elf_begin(r->fd, ELF_C_READ, NULL);
	if (!elf || elf_getshdrstrndx(elf, &names)) {
		ret = fargs_fail(err, EIO, "%s: its section table is broken: %s", r->path,
				 elf_errmsg(-1));
		goto out;
	}
	while ((scn = elf_nextscn(elf, scn))) {
		name = gelf_getshdr(scn, &shdr) ? elf_strptr(elf, names, shdr.sh_name) : NULL;
		if (!name ||
		    shdr.sh_offset > r->size || shdr.sh_size > r->size - shdr.sh_offset) {
			ret = fargs_fail(err, EIO, "%s: section %zu is broken", r->path,
					 elf_ndxscn(scn));
			goto out;
		}
		fn(arg, name, shdr.sh_size);
	}
out:
	elf_end(elf);
	return ret;
}
