// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/dso.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "source/perf_data/locate.h"
#include "source/perf_data/plt.h"

/* A part of the file that is loaded into memory. */
struct segment {
	uint64_t at, bytes, addr;
};

struct fargs_dso {
	char *path;
	const struct fargs_locator *locator;
	int fd;			/* -1: the file cannot be read */
	Elf *elf;
	int debug_fd;		/* separate debug file; -1: none */
	Elf *debug_elf;
	Dwarf *dwarf;		/* debug information; NULL: none, or not loaded yet */
	bool has_dwarf;		/* an attempt was made to load @dwarf */
	bool is_64_bit, is_fixed;
	const uint8_t *build_id;
	size_t build_id_bytes;
	struct segment *segments;
	size_t nr_segments;
	struct fargs_dso_symbol *symbols;	/* sorted by start, with one symbol per start */
	size_t nr_symbols;
	char **plt_names;	/* names of symbols whose is_plt is set */
	size_t nr_plt_names;
};

static bool to_offset(const struct fargs_dso *dso, uint64_t addr, uint64_t *at)
{
	const struct segment *s = dso->segments, *end = s + dso->nr_segments;

	for (; s < end; s++) {
		if (addr - s->addr < s->bytes) {
			*at = addr - s->addr + s->at;
			return true;
		}
	}
	return false;
}

bool fargs_dso_addr(const struct fargs_dso *dso, uint64_t at, uint64_t *addr)
{
	const struct segment *s = dso->segments, *end = s + dso->nr_segments;

	for (; s < end; s++) {
		if (at - s->at < s->bytes) {
			*addr = at - s->at + s->addr;
			return true;
		}
	}
	return false;
}

static void read_segments(struct fargs_dso *dso)
{
	struct segment *to;
	GElf_Phdr phdr;
	size_t nr, i;

	if (elf_getphdrnum(dso->elf, &nr))
		return;
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(dso->elf, (int)i, &phdr) || phdr.p_type != PT_LOAD)
			continue;
		to = fargs_array_add(dso->segments, dso->nr_segments);
		if (!to)
			return;
		*to = (struct segment){
			.at = phdr.p_offset, .bytes = phdr.p_filesz, .addr = phdr.p_vaddr,
		};
	}
}

/* Returns the number of bytes from @sym to the end of its section in @elf. */
static uint64_t section_rest(Elf *elf, const GElf_Sym *sym)
{
	Elf_Scn *section = sym->st_shndx < SHN_LORESERVE ? elf_getscn(elf, sym->st_shndx) : NULL;
	GElf_Shdr shdr;

	if (!section || !gelf_getshdr(section, &shdr) || sym->st_value < shdr.sh_addr ||
	    sym->st_value - shdr.sh_addr > shdr.sh_size)
		return 0;
	return shdr.sh_size - (sym->st_value - shdr.sh_addr);
}

/*
 * Sets *@at to the offset of a symbol in the file. Files without segments, which old versions of
 * perf inject wrote for functions of a JIT compiler, have only sections.
 */
static bool symbol_offset(const struct fargs_dso *dso, Elf *elf, const GElf_Sym *sym, uint64_t *at)
{
	Elf_Scn *section;
	GElf_Shdr shdr;

	if (dso->nr_segments || elf != dso->elf)
		return to_offset(dso, sym->st_value, at);
	section = sym->st_shndx < SHN_LORESERVE ? elf_getscn(elf, sym->st_shndx) : NULL;
	if (!section || !gelf_getshdr(section, &shdr))
		return false;
	*at = sym->st_value - shdr.sh_addr + shdr.sh_offset;
	return true;
}

static void add_symbol(struct fargs_dso *dso, Elf *elf, const GElf_Sym *sym, const char *name)
{
	unsigned int type = GELF_ST_TYPE(sym->st_info);
	struct fargs_dso_symbol *to;
	uint64_t at;

	if ((type != STT_FUNC && type != STT_GNU_IFUNC) || sym->st_shndx == SHN_UNDEF || !name ||
	    !*name || !symbol_offset(dso, elf, sym, &at))
		return;
	to = fargs_array_add(dso->symbols, dso->nr_symbols);
	if (!to)
		return;
	*to = (struct fargs_dso_symbol){
		.name = name, .start = at, .end = at + sym->st_size,
		.section_end = at + (sym->st_size ? sym->st_size : section_rest(elf, sym)),
		.binding = GELF_ST_BIND(sym->st_info),
	};
}

/* Adds the functions of a symbol table of @type. Returns false if there is no such table. */
static bool read_table(struct fargs_dso *dso, Elf *elf, unsigned int type)
{
	Elf_Scn *section = NULL;
	Elf_Data *data;
	GElf_Shdr shdr;
	GElf_Sym sym;
	size_t i;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &shdr) && shdr.sh_type == type && shdr.sh_entsize)
			break;
	data = section ? elf_getdata(section, NULL) : NULL;
	if (!data)
		return false;
	for (i = 0; i < data->d_size / shdr.sh_entsize; i++)
		if (gelf_getsym(data, (int)i, &sym))
			add_symbol(dso, elf, &sym, elf_strptr(elf, shdr.sh_link, sym.st_name));
	return true;
}

/*
 * Sorts symbols by address. At the same address, the symbol to show is first: preferably one with a
 * size, then a global one, then one with fewer leading underscores.
 */
static int compare(const void *a, const void *b)
{
	const struct fargs_dso_symbol *x = a, *y = b;
	bool is_sized_x = x->end > x->start, is_sized_y = y->end > y->start;
	bool is_global_x = x->binding == STB_GLOBAL, is_global_y = y->binding == STB_GLOBAL;
	size_t lines_x = strspn(x->name, "_"), lines_y = strspn(y->name, "_");

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (is_sized_x != is_sized_y)
		return is_sized_x ? -1 : 1;
	if (is_global_x != is_global_y)
		return is_global_x ? -1 : 1;
	if (lines_x != lines_y)
		return lines_x < lines_y ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void sort_symbols(struct fargs_dso *dso)
{
	size_t i, nr = 0;

	if (!dso->nr_symbols)
		return;
	qsort(dso->symbols, dso->nr_symbols, sizeof(*dso->symbols), compare);
	for (i = 0; i < dso->nr_symbols; i++)
		if (!nr || dso->symbols[i].start != dso->symbols[nr - 1].start)
			dso->symbols[nr++] = dso->symbols[i];
	dso->nr_symbols = nr;
	/*
	 * A symbol without a size, as in assembler code, extends to the next symbol or to the end
	 * of its section.
	 */
	for (i = 0; i < nr; i++) {
		struct fargs_dso_symbol *sym = &dso->symbols[i];

		if (sym->end != sym->start)
			continue;
		sym->end = sym->section_end;
		if (i + 1 < nr && sym[1].start < sym->end)
			sym->end = sym[1].start;
	}
}

/* Opens the separate debug file if it is installed. */
static void open_debug(struct fargs_dso *dso)
{
	struct fargs_build_id id;

	if (dso->debug_fd >= 0)
		return;
	fargs_build_id_set(&id, dso->build_id, dso->build_id_bytes);
	dso->debug_fd = fargs_locate_debug(dso->locator, dso->path, &id, dso->elf);
	if (dso->debug_fd >= 0)
		dso->debug_elf = elf_begin(dso->debug_fd, ELF_C_READ_MMAP, NULL);
}

static int add_plt(void *arg, uint64_t at, uint64_t bytes, const char *name)
{
	struct fargs_dso *dso = arg;
	struct fargs_dso_symbol *to;
	char **kept = fargs_array_add(dso->plt_names, dso->nr_plt_names);

	if (!kept)
		return -ENOMEM;
	if (asprintf(kept, "%s@plt", name) < 0) {
		dso->nr_plt_names--;
		return -ENOMEM;
	}
	to = fargs_array_add(dso->symbols, dso->nr_symbols);
	if (!to)
		return -ENOMEM;
	*to = (struct fargs_dso_symbol){
		.name = *kept, .start = at, .end = at + bytes, .section_end = at + bytes,
		.is_plt = true,
	};
	return 0;
}

static void read_elf(struct fargs_dso *dso)
{
	const void *id;
	GElf_Ehdr ehdr;
	ssize_t n;

	elf_version(EV_CURRENT);
	dso->elf = elf_begin(dso->fd, ELF_C_READ_MMAP, NULL);
	if (!dso->elf || elf_kind(dso->elf) != ELF_K_ELF)
		return;
	dso->is_64_bit = gelf_getclass(dso->elf) == ELFCLASS64;
	n = dwelf_elf_gnu_build_id(dso->elf, &id);
	if (n > 0) {
		dso->build_id = id;
		dso->build_id_bytes = n;
	}
	if (gelf_getehdr(dso->elf, &ehdr))
		dso->is_fixed = ehdr.e_type == ET_EXEC;
	read_segments(dso);
	if (!read_table(dso, dso->elf, SHT_SYMTAB)) {
		open_debug(dso);
		if (!dso->debug_elf || !read_table(dso, dso->debug_elf, SHT_SYMTAB))
			read_table(dso, dso->elf, SHT_DYNSYM);
	}
	/* Without memory for all symbols, some are missing. */
	fargs_plt_each(dso->elf, add_plt, dso);
	sort_symbols(dso);
}

struct fargs_dso *fargs_dso_open(const char *path, const char *file,
				 const struct fargs_locator *l)
{
	struct fargs_dso *dso = calloc(1, sizeof(*dso));
	struct stat st;

	if (!dso)
		return NULL;
	dso->path = strdup(path);
	dso->locator = l;
	dso->fd = -1;
	dso->debug_fd = -1;
	/* As in perf, if the file does not show it. */
	dso->is_64_bit = true;
	if (!dso->path) {
		free(dso);
		return NULL;
	}
	/* O_NONBLOCK: opening a FIFO must not wait for a writer. */
	if (file)
		dso->fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (dso->fd >= 0 && (fstat(dso->fd, &st) || !S_ISREG(st.st_mode))) {
		close(dso->fd);
		dso->fd = -1;
	}
	if (dso->fd >= 0)
		read_elf(dso);
	return dso;
}

void fargs_dso_close(struct fargs_dso *dso)
{
	if (!dso)
		return;
	dwarf_end(dso->dwarf);
	elf_end(dso->debug_elf);
	elf_end(dso->elf);
	if (dso->debug_fd >= 0)
		close(dso->debug_fd);
	if (dso->fd >= 0)
		close(dso->fd);
	while (dso->nr_plt_names)
		free(dso->plt_names[--dso->nr_plt_names]);
	free(dso->plt_names);
	free(dso->segments);
	free(dso->symbols);
	free(dso->path);
	free(dso);
}

const char *fargs_dso_path(const struct fargs_dso *dso)
{
	return dso->path;
}

bool fargs_dso_is_64_bit(const struct fargs_dso *dso)
{
	return dso->is_64_bit;
}

const uint8_t *fargs_dso_build_id(const struct fargs_dso *dso, size_t *bytes)
{
	*bytes = dso->build_id_bytes;
	return dso->build_id;
}

const struct fargs_dso_symbol *fargs_dso_find(const struct fargs_dso *dso, uint64_t at)
{
	size_t low = 0, high = dso->nr_symbols, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (dso->symbols[mid].start <= at)
			low = mid + 1;
		else
			high = mid;
	}
	return low && at < dso->symbols[low - 1].end ? &dso->symbols[low - 1] : NULL;
}

const struct fargs_dso_symbol *fargs_dso_symbols(const struct fargs_dso *dso, size_t *nr)
{
	*nr = dso->nr_symbols;
	return dso->symbols;
}

const char *fargs_dso_srcline(struct fargs_dso *dso, uint64_t at, unsigned int *line)
{
	Dwarf_Line *found;
	uint64_t addr;
	Dwarf_Die cu;
	int nr;

	if (!dso->elf || !fargs_dso_addr(dso, at, &addr))
		return NULL;
	if (!dso->has_dwarf) {
		dso->has_dwarf = true;
		dso->dwarf = dwarf_begin_elf(dso->elf, DWARF_C_READ, NULL);
		if (!dso->dwarf) {
			open_debug(dso);
			if (dso->debug_elf)
				dso->dwarf = dwarf_begin_elf(dso->debug_elf, DWARF_C_READ, NULL);
		}
	}
	if (!dso->dwarf || !dwarf_addrdie(dso->dwarf, addr, &cu))
		return NULL;
	found = dwarf_getsrc_die(&cu, addr);
	if (!found || dwarf_lineno(found, &nr))
		return NULL;
	*line = nr;
	return dwarf_linesrc(found, NULL, NULL);
}

bool fargs_dso_is_fixed(const struct fargs_dso *dso)
{
	return dso->is_fixed;
}

size_t fargs_dso_read(const struct fargs_dso *dso, uint64_t at, void *buf, size_t bytes)
{
	ssize_t n = dso->fd < 0 ? 0 : pread(dso->fd, buf, bytes, at);

	return n > 0 ? n : 0;
}
