// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/build_id.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "source/perf_data/format.h"

void fargs_build_id_set(struct fargs_build_id *id, const void *bytes, size_t nr)
{
	size_t i;

	*id = (struct fargs_build_id){ };
	if (nr > sizeof(id->bytes))
		nr = sizeof(id->bytes);
	/* Without a build ID, @bytes may be NULL. */
	if (nr)
		memcpy(id->bytes, bytes, nr);
	for (i = 0; i < nr; i++)
		if (id->bytes[i])
			id->nr = nr;
}

bool fargs_build_id_is_same(const struct fargs_build_id *a, const struct fargs_build_id *b)
{
	/* Bytes that are not used are 0, like those with which perf filled up build IDs. */
	return a->nr && b->nr && !memcmp(a->bytes, b->bytes, sizeof(a->bytes)) &&
	       (a->nr == b->nr || a->nr == sizeof(a->bytes) || b->nr == sizeof(b->bytes));
}

const char *fargs_build_id_text(const struct fargs_build_id *id, char text[FARGS_BUILD_ID_TEXT])
{
	size_t i;

	text[0] = '\0';
	for (i = 0; i < id->nr; i++)
		sprintf(text + 2 * i, "%02x", id->bytes[i]);
	return text;
}

/* Returns whether one of the ELF notes in @data is a build ID, which is then in @id. */
static bool find_note(struct fargs_build_id *id, Elf_Data *data)
{
	size_t at = 0, next, name_at, desc_at;
	GElf_Nhdr note;

	while (data && (next = gelf_getnote(data, at, &note, &name_at, &desc_at)) > at) {
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    !memcmp((const char *)data->d_buf + name_at, "GNU", sizeof("GNU"))) {
			fargs_build_id_set(id, (const char *)data->d_buf + desc_at, note.n_descsz);
			return true;
		}
		at = next;
	}
	return false;
}

void fargs_build_id_of_elf(struct fargs_build_id *id, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Phdr phdr;
	GElf_Shdr shdr;
	size_t nr = 0, i;

	*id = (struct fargs_build_id){ };
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		return;
	if (elf_getphdrnum(elf, &nr))
		nr = 0;
	for (i = 0; i < nr; i++)
		if (gelf_getphdr(elf, (int)i, &phdr) && phdr.p_type == PT_NOTE &&
		    find_note(id, elf_getdata_rawchunk(elf, (int64_t)phdr.p_offset, phdr.p_filesz,
						       phdr.p_align == 8 ? ELF_T_NHDR8 :
									   ELF_T_NHDR)))
			return;
	/* Files that perf inject writes for functions of a JIT compiler have only the section. */
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &shdr) && shdr.sh_type == SHT_NOTE &&
		    find_note(id, elf_getdata(section, NULL)))
			return;
}

void fargs_build_id_of_notes(struct fargs_build_id *id, const void *notes, size_t size)
{
	Elf_Data data = { .d_buf = (void *)notes, .d_type = ELF_T_NHDR, .d_size = size };

	*id = (struct fargs_build_id){ };
	find_note(id, &data);
}

bool fargs_build_id_of_file(struct fargs_build_id *id, const char *path)
{
	__cleanup_close int fd = -1;
	struct stat st;
	Elf *elf;

	*id = (struct fargs_build_id){ };
	/*
	 * The path is not trusted: opening a FIFO waits, and opening a device may change its state.
	 */
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	fargs_build_id_of_elf(id, elf);
	elf_end(elf);
	return true;
}

void fargs_build_id_list_deinit(struct fargs_build_id_list *list)
{
	size_t i;

	for (i = 0; i < list->nr; i++)
		free(list->entries[i].path);
	free(list->entries);
	fargs_hash_deinit(&list->by_path);
	*list = (struct fargs_build_id_list){ };
}

const struct fargs_build_id *fargs_build_id_list_find(const struct fargs_build_id_list *list,
						      const char *path)
{
	uint32_t hash = fargs_hash_string(path), at, i;

	fargs_hash_for_each(i, at, &list->by_path, hash)
		if (!strcmp(list->entries[i].path, path))
			return &list->entries[i].id;
	return NULL;
}

/* Adds an entry, of which @path needs no NUL after its @bytes. Returns 0 or -ENOMEM. */
static int add_entry(struct fargs_build_id_list *list, const char *path, size_t bytes,
		     const struct fargs_build_id *id)
{
	__cleanup_free char *copy = strndup(path, bytes);
	struct fargs_build_id_entry *to;

	if (!copy)
		return -ENOMEM;
	/* Of several entries of a path, perf uses the first one. */
	if (!id->nr || fargs_build_id_list_find(list, copy))
		return 0;
	if (fargs_hash_reserve(&list->by_path, list->nr + 1))
		return -ENOMEM;
	to = fargs_array_add(list->entries, list->nr);
	if (!to)
		return -ENOMEM;
	*to = (struct fargs_build_id_entry){ .path = fargs_take_ptr(copy), .id = *id };
	fargs_hash_add(&list->by_path, fargs_hash_string(to->path), list->nr - 1);
	return 0;
}

int fargs_build_id_list_add(struct fargs_build_id_list *list, const uint8_t *bytes, uint64_t size)
{
	struct fargs_perf_build_id rec;
	struct fargs_build_id id;
	uint16_t mode;
	size_t nr;

	for (; size >= sizeof(rec); bytes += rec.head.size, size -= rec.head.size) {
		memcpy(&rec, bytes, sizeof(rec));
		if (rec.head.size < sizeof(rec) || rec.head.size > size)
			break;
		mode = rec.head.misc & PERF_RECORD_MISC_CPUMODE_MASK;
		if (mode != PERF_RECORD_MISC_USER && mode != PERF_RECORD_MISC_KERNEL)
			continue;
		nr = rec.head.misc & FARGS_PERF_MISC_BUILD_ID_SIZE ? rec.bytes : sizeof(rec.id);
		fargs_build_id_set(&id, rec.id, nr < sizeof(rec.id) ? nr : sizeof(rec.id));
		if (add_entry(list, (const char *)bytes + sizeof(rec),
			      rec.head.size - sizeof(rec), &id))
			return -ENOMEM;
	}
	return 0;
}
