// SPDX-License-Identifier: GPL-2.0-only
#include "file/output.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/machine.h"
#include "base/outfile.h"
#include "file/syncer.h"
#include "kernel/btf/btfs.h"

/* An entry of the section table: the location of a chunk's payload in the file. */
struct section {
	char name[80];
	uint64_t offset;
	uint64_t bytes;
	bool is_packed;		/* the section has the flag SHF_COMPRESSED */
};

struct fargs_output {
	struct fargs_outfile out;
	uint32_t file;
	uint64_t at;			/* end of the last whole chunk */
	uint64_t stream, stream_end;	/* start and end of section .fargs.stream; 0, 0: empty */
	bool is_broken;			/* a write failed: no more chunks can be written */
	struct fargs_syncer *syncer;
	struct section *sections;
	size_t nr_sections;
};

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

/*
 * Sets @err, and truncates the file to its last whole chunk, so that the remaining file is
 * readable.
 */
static int fail_write(struct fargs_output *o, int code, struct fargs_error_text *err)
{
	bool is_full = code == ENOSPC || code == EDQUOT;

	o->is_broken = true;
	/*
	 * Mention the truncated file only if it contains records and was truncated successfully; a
	 * device, for example, cannot be truncated.
	 */
	if (!o->stream || ftruncate(o->out.fd, (off_t)o->at))
		return fargs_fail(err, code, "cannot write '%s': %s%s", o->out.path, strerror(code),
				  is_full ? ": free some space, or record fewer functions" : "");
	return fargs_fail(err, code,
			  "cannot write '%s': %s: it was truncated to %llu bytes, which 'fargs "
			  "report' can read",
			  o->out.path, strerror(code), (unsigned long long)o->at);
}

/* Writes all of @iov, in as many calls of writev(2) as needed. Modifies @iov. */
static int write_all(struct fargs_output *o, struct iovec *iov, int nr,
		     struct fargs_error_text *err)
{
	uint64_t bytes = 0;
	ssize_t n;
	int code;

	if (o->is_broken)
		return fargs_fail(err, EIO, "'%s': an earlier write failed", o->out.path);
	code = o->syncer ? fargs_syncer_error(o->syncer) : 0;
	if (code)
		return fail_write(o, code, err);
	while (nr) {
		if (!iov->iov_len) {
			iov++;
			nr--;
			continue;
		}
		n = writev(o->out.fd, iov, nr);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return fail_write(o, n < 0 ? errno : EIO, err);
		bytes += n;
		for (; n && (size_t)n >= iov->iov_len; iov++, nr--)
			n -= iov->iov_len;
		if (n) {
			iov->iov_base = (char *)iov->iov_base + n;
			iov->iov_len -= n;
		}
	}
	o->at += bytes;
	return 0;
}

static int add_section(struct fargs_output *o, const char *name, uint64_t offset, uint64_t bytes,
		       struct fargs_error_text *err)
{
	struct section *sections = realloc(o->sections, (o->nr_sections + 1) * sizeof(*sections));

	if (!sections)
		return no_memory(err);
	o->sections = sections;
	sections += o->nr_sections++;
	snprintf(sections->name, sizeof(sections->name), "%s", name);
	sections->offset = offset;
	sections->bytes = bytes;
	sections->is_packed = false;
	return 0;
}

/*
 * Adds a section for BTF. The section excludes the name before the BTF, because bpftool expects raw
 * BTF.
 */
static int add_btf_section(struct fargs_output *o, const struct iovec iov[2], uint64_t payload,
			   struct fargs_error_text *err)
{
	struct fargs_file_btf head = { "" };
	char section[80] = ".BTF";

	if (iov[0].iov_len + iov[1].iov_len < sizeof(head))
		return 0;
	/*
	 * The struct fargs_file_btf is contained in the first part of the payload that is not
	 * empty.
	 */
	memcpy(&head, iov[0].iov_len ? iov[0].iov_base : iov[1].iov_base, sizeof(head));
	head.name[sizeof(head.name) - 1] = '\0';
	if (strcmp(head.name, FARGS_BTF_VMLINUX))
		snprintf(section, sizeof(section), ".BTF.%s", head.name);
	return add_section(o, section, payload + sizeof(head),
			   iov[0].iov_len + iov[1].iov_len - sizeof(head), err);
}

static int add_section_of(struct fargs_output *o, unsigned int kind, const struct iovec iov[2],
			  uint64_t payload, struct fargs_error_text *err)
{
	static const char * const names[] = {
		[FARGS_CHUNK_INFO] = ".fargs.info",
		[FARGS_CHUNK_FUNCS] = ".fargs.funcs",
		[FARGS_CHUNK_KALLSYMS] = ".fargs.kallsyms",
		[FARGS_CHUNK_TASKS] = ".fargs.tasks",
		[FARGS_CHUNK_CLOCKS] = ".fargs.clock",
		[FARGS_CHUNK_STATS] = ".fargs.stats",
		[FARGS_CHUNK_MISSED] = ".fargs.missed",
		[FARGS_CHUNK_FORMATS] = ".fargs.formats",
		[FARGS_CHUNK_EVENT_STATS] = ".fargs.event_stats",
		[FARGS_CHUNK_PT_CONFIG] = ".fargs.pt",
		[FARGS_CHUNK_PT_STATS] = ".fargs.pt_stats",
		[FARGS_CHUNK_PT_SAMPLERS] = ".fargs.pt_samplers",
	};

	if (kind == FARGS_CHUNK_BTF)
		return add_btf_section(o, iov, payload, err);
	if (kind < sizeof(names) / sizeof(names[0]) && names[kind])
		return add_section(o, names[kind], payload, iov[0].iov_len + iov[1].iov_len, err);
	return 0;
}

/*
 * Is the chunk part of .fargs.stream, without a section of its own? This applies to kinds with many
 * chunks.
 */
static bool is_streamed(const struct fargs_output *o, unsigned int kind)
{
	switch (kind) {
	case FARGS_CHUNK_RECORDS:
	case FARGS_CHUNK_EVENTS:
	case FARGS_CHUNK_CLOCK:
	case FARGS_CHUNK_PT_TEXT:
	case FARGS_CHUNK_PT_AUX:
	case FARGS_CHUNK_PT_SIDEBAND:
	case FARGS_CHUNK_PT_SYMBOLS:
	case FARGS_CHUNK_PT_MODULES:
	case FARGS_CHUNK_PT_CLOCK:
	case FARGS_CHUNK_PT_SAMPLES:
		return true;
	case FARGS_CHUNK_FUNCS:
		/*
		 * Functions of modules that were loaded during the recording are part of the
		 * stream.
		 */
		return o->stream;
	default:
		return false;
	}
}

int fargs_output_chunk(struct fargs_output *o, const struct fargs_chunk *as,
		       const struct iovec iov[2], struct fargs_error_text *err)
{
	static const char zeroes[FARGS_CHUNK_ALIGN];
	uint64_t bytes = iov[0].iov_len + iov[1].iov_len, at = o->at;
	struct fargs_chunk head = *as;
	struct iovec all[4] = {
		{ &head, sizeof(head) }, iov[0], iov[1],
		{ (void *)zeroes, fargs_chunk_room(bytes) - bytes },
	};
	int ret;

	if (bytes > FARGS_CHUNK_OTHER_MAX)
		return fargs_fail(err, EFBIG,
				  "'%s': %llu bytes do not fit into one chunk of a trace file",
				  o->out.path, (unsigned long long)bytes);
	head.magic = FARGS_CHUNK_MAGIC;
	head.bytes = bytes;
	if (!(head.flags & FARGS_CHUNK_PACKED))
		head.raw_bytes = bytes;
	head.at = at;
	head.file = o->file;
	head.reserved = 0;
	head.crc = fargs_crc32c(fargs_crc32c(0, iov[0].iov_base, iov[0].iov_len),
				iov[1].iov_base, iov[1].iov_len);
	head.head_crc = fargs_chunk_head_crc(&head);
	ret = write_all(o, all, 4, err);
	if (ret)
		return ret;
	if (is_streamed(o, head.kind)) {
		if (!o->stream)
			o->stream = at;
		o->stream_end = o->at;
		return 0;
	}
	ret = add_section_of(o, head.kind, iov, at + sizeof(head), err);
	if (!ret && head.flags & FARGS_CHUNK_ELF_ZSTD)
		o->sections[o->nr_sections - 1].is_packed = true;
	return ret;
}

static void set_ehdr(Elf64_Ehdr *ehdr)
{
	memset(ehdr, 0, sizeof(*ehdr));
	memcpy(ehdr->e_ident, ELFMAG, SELFMAG);
	ehdr->e_ident[EI_CLASS] = ELFCLASS64;
	ehdr->e_ident[EI_DATA] = ELFDATA2LSB;
	ehdr->e_ident[EI_VERSION] = EV_CURRENT;
	ehdr->e_type = ET_NONE;
	ehdr->e_machine = FARGS_MACHINE_ELF;
	ehdr->e_version = EV_CURRENT;
	ehdr->e_ehsize = sizeof(*ehdr);
	ehdr->e_shentsize = sizeof(Elf64_Shdr);
}

/* Writes the ELF header and INFO. INFO has the chunk header of version 1 in all versions. */
static int put_front(struct fargs_output *o, const char *info, size_t bytes,
		     struct fargs_error_text *err)
{
	static const char zeroes[FARGS_CHUNK_ALIGN];
	struct fargs_chunk_v1 head = {
		.magic = FARGS_CHUNK_V1_MAGIC,
		.kind = FARGS_CHUNK_INFO,
		.cpu = FARGS_CHUNK_NO_CPU,
		.bytes = bytes,
		.crc = fargs_crc32c(0, info, bytes),
	};
	const struct iovec payload[2] = { { (void *)info, bytes } };
	Elf64_Ehdr ehdr;
	struct iovec iov[] = {
		{ &ehdr, sizeof(ehdr) },
		{ &head, sizeof(head) },
		{ (void *)info, bytes },
		{ (void *)zeroes, fargs_chunk_room(bytes) - bytes },
	};

	set_ehdr(&ehdr);
	head.head_crc = fargs_chunk_v1_head_crc(&head);
	if (add_section_of(o, FARGS_CHUNK_INFO, payload, sizeof(ehdr) + sizeof(head), err))
		return -ENOMEM;
	return write_all(o, iov, 4, err);
}

struct fargs_output *fargs_output_create(const char *path, bool is_new, const char *info,
					 size_t info_bytes, uint32_t file,
					 struct fargs_error_text *err)
{
	struct fargs_output *o = calloc(1, sizeof(*o));

	if (!o) {
		no_memory(err);
		return NULL;
	}
	o->file = file;
	if (fargs_outfile_open(&o->out, path, FARGS_OUTFILE_GROWS | FARGS_OUTFILE_SEEKS |
			       (is_new ? FARGS_OUTFILE_NEW : 0), err)) {
		fargs_output_destroy(o);
		return NULL;
	}
	if (put_front(o, info, info_bytes, err)) {
		fargs_output_discard(o);
		return NULL;
	}
	return o;
}

void fargs_output_destroy(struct fargs_output *o)
{
	if (!o)
		return;
	fargs_syncer_destroy(o->syncer);
	fargs_outfile_deinit(&o->out);
	free(o->sections);
	free(o);
}

void fargs_output_discard(struct fargs_output *o)
{
	if (!o)
		return;
	/* Stop the thread that calls fdatasync(2) before the descriptor is closed. */
	fargs_syncer_destroy(o->syncer);
	o->syncer = NULL;
	fargs_outfile_discard(&o->out);
	fargs_output_destroy(o);
}

int fargs_output_sync_start(struct fargs_output *o, unsigned int ms, struct fargs_error_text *err)
{
	o->syncer = fargs_syncer_create(o->out.fd, ms);
	return o->syncer ? 0 : fargs_fail(err, EAGAIN, "cannot start a thread");
}

/*
 * Writes the section names and the section table, and finally the ELF header that refers to them.
 */
static int put_table(struct fargs_output *o, struct fargs_error_text *err)
{
	size_t nr = o->nr_sections + 2, names = 1, i;
	Elf64_Shdr *table;
	Elf64_Ehdr ehdr;
	struct iovec iov;
	char *strtab;
	int ret;

	if (nr >= SHN_LORESERVE)
		return fargs_fail(err, E2BIG, "'%s': too many modules for one file", o->out.path);
	for (i = 0; i < o->nr_sections; i++)
		names += strlen(o->sections[i].name) + 1;
	names += sizeof(".shstrtab");
	strtab = calloc(1, fargs_chunk_room(names) + nr * sizeof(*table));
	if (!strtab)
		return no_memory(err);
	table = (Elf64_Shdr *)(strtab + fargs_chunk_room(names));
	names = 1;
	for (i = 1; i < nr; i++) {
		const char *name = i <= o->nr_sections ? o->sections[i - 1].name : ".shstrtab";

		table[i].sh_name = names;
		table[i].sh_type = i <= o->nr_sections ? SHT_PROGBITS : SHT_STRTAB;
		table[i].sh_addralign = i <= o->nr_sections ? FARGS_CHUNK_ALIGN : 1;
		if (i <= o->nr_sections) {
			table[i].sh_offset = o->sections[i - 1].offset;
			table[i].sh_size = o->sections[i - 1].bytes;
			if (o->sections[i - 1].is_packed)
				table[i].sh_flags = SHF_COMPRESSED;
		} else {
			table[i].sh_offset = o->at;
			table[i].sh_size = names + sizeof(".shstrtab");
		}
		strcpy(strtab + names, name);
		names += strlen(name) + 1;
	}
	set_ehdr(&ehdr);
	ehdr.e_shoff = o->at + fargs_chunk_room(names);
	ehdr.e_shnum = nr;
	ehdr.e_shstrndx = nr - 1;

	iov.iov_base = strtab;
	iov.iov_len = fargs_chunk_room(names) + nr * sizeof(*table);
	ret = write_all(o, &iov, 1, err);
	free(strtab);
	if (ret)
		return ret;
	/* The section table must be on disk before the header refers to it. */
	if (o->syncer && fdatasync(o->out.fd))
		return fail_write(o, errno, err);
	if (pwrite(o->out.fd, &ehdr, sizeof(ehdr), 0) != sizeof(ehdr))
		return fargs_fail(err, EIO, "cannot write the header of '%s': %s", o->out.path,
				  strerror(errno));
	return 0;
}

int fargs_output_finish(struct fargs_output *o, struct fargs_error_text *err)
{
	const struct fargs_chunk end = { .kind = FARGS_CHUNK_END, .cpu = FARGS_CHUNK_NO_CPU };
	const struct iovec nothing[2] = { };
	uint64_t stream = o->stream ? o->stream : o->at;
	uint64_t bytes = o->stream ? o->stream_end - o->stream : 0;
	int ret, closed;

	ret = add_section(o, ".fargs.stream", stream, bytes, err);
	if (!ret)
		ret = fargs_output_chunk(o, &end, nothing, err);
	if (!ret)
		ret = put_table(o, err);
	fargs_syncer_destroy(o->syncer);
	o->syncer = NULL;
	/* Some file systems report a lack of space only when the file is closed. */
	closed = fargs_outfile_finish(&o->out);
	if (closed && !ret)
		ret = fargs_fail(err, -closed, "cannot write '%s': %s", o->out.path,
				 strerror(-closed));
	return ret;
}

uint64_t fargs_output_bytes(const struct fargs_output *o)
{
	return o->at;
}
