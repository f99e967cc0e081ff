// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/btf/file.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/btf.h>

#include "base/file.h"

bool fargs_btf_is_split(const void *data, size_t bytes)
{
	struct btf_header head;

	if (bytes < sizeof(head))
		return false;
	memcpy(&head, data, sizeof(head));
	/* The strings of unsplit BTF begin with the empty string; those of split BTF do not. */
	return !head.str_len ||
	       ((uint64_t)head.hdr_len + head.str_off < bytes &&
		((const char *)data)[head.hdr_len + head.str_off]);
}

void fargs_build_id_find(struct fargs_build_id *id, const void *notes, size_t bytes)
{
	const char *p = notes;
	Elf64_Nhdr note;

	id->bytes = 0;
	while (bytes >= sizeof(note)) {
		size_t name, desc;

		memcpy(&note, p, sizeof(note));
		p += sizeof(note);
		bytes -= sizeof(note);
		name = ((size_t)note.n_namesz + 3) & -4ul;
		desc = ((size_t)note.n_descsz + 3) & -4ul;
		if (name > bytes || desc > bytes - name)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(p, "GNU", 4) &&
		    note.n_descsz && note.n_descsz <= sizeof(id->data)) {
			memcpy(id->data, p + name, note.n_descsz);
			id->bytes = note.n_descsz;
			return;
		}
		p += name + desc;
		bytes -= name + desc;
	}
}

/* Parses "key=value" strings, as written by MODULE_INFO. */
static void read_modinfo(struct fargs_btf_file *file, const char *p, size_t bytes)
{
	const char *end = p + bytes;

	for (; p < end; p += strnlen(p, end - p) + 1) {
		int len = strnlen(p, end - p);

		if (len > 5 && !strncmp(p, "name=", 5))
			snprintf(file->module, sizeof(file->module), "%.*s", len - 5, p + 5);
		else if (len > 11 && !strncmp(p, "srcversion=", 11))
			snprintf(file->srcversion, sizeof(file->srcversion), "%.*s", len - 11,
				 p + 11);
		else if (len > 9 && !strncmp(p, "vermagic=", 9))
			snprintf(file->release, sizeof(file->release), "%.*s",
				 (int)strcspn(p + 9, " "), p + 9);
	}
}

static int copy(void **to, size_t *bytes, const Elf_Data *data)
{
	if (*to || !data->d_buf || !data->d_size)
		return 0;
	*to = malloc(data->d_size);
	if (!*to)
		return -ENOMEM;
	memcpy(*to, data->d_buf, data->d_size);
	*bytes = data->d_size;
	return 0;
}

static int read_section(struct fargs_btf_file *file, const char *name, const GElf_Shdr *shdr,
			Elf_Scn *scn)
{
	bool is_btf = !strcmp(name, ".BTF"), is_base = !strcmp(name, ".BTF.base");
	bool is_modinfo = !strcmp(name, ".modinfo");
	Elf_Data *data;

	if (shdr->sh_type == SHT_NOBITS ||
	    (!is_btf && !is_base && !is_modinfo && shdr->sh_type != SHT_NOTE))
		return 0;
	data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf)
		return 0;
	if (is_btf)
		return copy(&file->data, &file->bytes, data);
	if (is_base)
		return copy(&file->base, &file->base_bytes, data);
	if (is_modinfo)
		read_modinfo(file, data->d_buf, data->d_size);
	else if (!file->build_id.bytes)
		fargs_build_id_find(&file->build_id, data->d_buf, data->d_size);
	return 0;
}

static int read_elf(struct fargs_btf_file *file, Elf *elf)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return -EINVAL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name;
		GElf_Shdr shdr;

		if (!gelf_getshdr(scn, &shdr))
			return -EINVAL;
		name = elf_strptr(elf, names, shdr.sh_name);
		if (name && read_section(file, name, &shdr, scn))
			return -ENOMEM;
	}
	return file->data ? 0 : -ENODATA;
}

static int open_elf(struct fargs_btf_file *file, const char *path)
{
	int ret = -EINVAL, fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;

	if (fd < 0)
		return -errno;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf) {
		ret = read_elf(file, elf);
		elf_end(elf);
	}
	close(fd);
	return ret;
}

static int fail(int ret, const char *path, struct fargs_error_text *err)
{
	switch (ret) {
	case -ENODATA:
		return fargs_fail(err, ENODATA, "there is no BTF in '%s'", path);
	case -EINVAL:
		return fargs_fail(err, EINVAL, "'%s' is neither BTF nor ELF", path);
	case -ENOTSUP:
		return fargs_fail(err, ENOTSUP, "'%s' is compressed: unpack it first", path);
	default:
		return fargs_fail(err, -ret, "cannot read '%s': %s", path, strerror(-ret));
	}
}

/*
 * Does a file that begins with @head look compressed? Checks the magic numbers of xz, gzip and
 * zstd.
 */
static bool is_packed(const unsigned char *head)
{
	return !memcmp(head, "\3757zX", 4) || !memcmp(head, "\x1f\x8b", 2) ||
	       !memcmp(head, "\x28\xb5\x2f\xfd", 4);
}

/* Reads the first bytes of @path. Returns their number or -errno. */
static int peek(const char *path, void *head, size_t bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, head, bytes);
	if (n < 0)
		n = -errno;
	close(fd);
	return n;
}

int fargs_btf_file_init(struct fargs_btf_file *file, const char *path,
			struct fargs_error_text *err)
{
	unsigned char head[4];
	uint16_t magic;
	int ret;

	memset(file, 0, sizeof(*file));
	ret = peek(path, head, sizeof(head));
	if (ret < 0)
		return fail(ret, path, err);
	memcpy(&magic, head, sizeof(magic));
	if (ret == sizeof(head) && !memcmp(head, ELFMAG, SELFMAG)) {
		file->is_elf = true;
		ret = open_elf(file, path);
	} else if (ret == sizeof(head) && magic == BTF_MAGIC) {
		file->data = fargs_file_read(path, &file->bytes);
		ret = file->data ? 0 : -errno;
	} else {
		ret = ret == sizeof(head) && is_packed(head) ? -ENOTSUP : -EINVAL;
	}
	if (ret) {
		fargs_btf_file_deinit(file);
		return fail(ret, path, err);
	}
	file->is_split = fargs_btf_is_split(file->data, file->bytes);
	return 0;
}

void fargs_btf_file_deinit(struct fargs_btf_file *file)
{
	free(file->data);
	free(file->base);
	memset(file, 0, sizeof(*file));
}
