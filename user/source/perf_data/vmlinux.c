// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/vmlinux.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

struct elf_symbol {
	GElf_Sym sym;
	GElf_Shdr section;
	const char *name;
};

/* Returns true to end. */
typedef bool (*symbol_fn)(void *arg, const struct elf_symbol *symbol);

static Elf *open_elf(const char *path, int *fd)
{
	Elf *elf;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0)
		return NULL;
	elf_version(EV_CURRENT);
	elf = elf_begin(*fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	return NULL;
}

bool fargs_vmlinux_has_code(const char *path)
{
	__cleanup_close int fd = -1;
	Elf *elf = open_elf(path, &fd);
	Elf_Scn *section = NULL;
	bool has_code = false;
	GElf_Shdr shdr;

	while (elf && !has_code && (section = elf_nextscn(elf, section)))
		has_code = gelf_getshdr(section, &shdr) && shdr.sh_type == SHT_PROGBITS &&
			   shdr.sh_flags & SHF_EXECINSTR && shdr.sh_size;
	elf_end(elf);
	return has_code;
}

/* Calls @fn for each symbol that has an address, until it returns true. */
static bool each_symbol(Elf *elf, symbol_fn fn, void *arg)
{
	Elf_Scn *table = NULL, *section;
	Elf_Data *data = NULL;
	struct elf_symbol found;
	GElf_Shdr shdr;
	size_t i;

	while (elf && !data && (table = elf_nextscn(elf, table)))
		if (gelf_getshdr(table, &shdr) && shdr.sh_type == SHT_SYMTAB && shdr.sh_entsize)
			data = elf_getdata(table, NULL);
	for (i = 0; data && i < data->d_size / shdr.sh_entsize; i++) {
		if (!gelf_getsym(data, (int)i, &found.sym) || found.sym.st_shndx == SHN_UNDEF ||
		    found.sym.st_shndx >= SHN_LORESERVE ||
		    GELF_ST_TYPE(found.sym.st_info) > STT_FUNC)
			continue;
		section = elf_getscn(elf, found.sym.st_shndx);
		found.name = elf_strptr(elf, shdr.sh_link, found.sym.st_name);
		if (section && gelf_getshdr(section, &found.section) &&
		    found.section.sh_flags & SHF_ALLOC && found.name && *found.name &&
		    !strpbrk(found.name, " \t\n") && fn(arg, &found))
			return true;
	}
	return false;
}

struct wanted {
	const char *name;
	uint64_t addr;
};

static bool is_wanted(void *arg, const struct elf_symbol *symbol)
{
	struct wanted *w = arg;

	if (strcmp(symbol->name, w->name))
		return false;
	w->addr = symbol->sym.st_value;
	return true;
}

bool fargs_vmlinux_find(const char *path, const char *symbol, uint64_t *addr)
{
	__cleanup_close int fd = -1;
	Elf *elf = open_elf(path, &fd);
	struct wanted w = { .name = symbol };
	bool is_found = each_symbol(elf, is_wanted, &w);

	elf_end(elf);
	*addr = w.addr;
	return is_found;
}

struct lines {
	FILE *out;
	uint64_t moved;
};

/* Returns the letter of the symbol, as nm. */
static char letter_of(const struct elf_symbol *symbol)
{
	char letter = symbol->section.sh_flags & SHF_EXECINSTR ? 't' :
		      symbol->section.sh_type == SHT_NOBITS ? 'b' :
		      symbol->section.sh_flags & SHF_WRITE ? 'd' : 'r';
	unsigned int binding = GELF_ST_BIND(symbol->sym.st_info);

	if (binding == STB_WEAK)
		return letter == 't' ? 'W' : 'V';
	return binding == STB_LOCAL ? letter : (char)(letter - 'a' + 'A');
}

static bool put_line(void *arg, const struct elf_symbol *symbol)
{
	struct lines *l = arg;

	/* Symbols of data of each CPU are offsets. */
	if (symbol->sym.st_value >> 63)
		fprintf(l->out, "%016" PRIx64 " %c %s\n", symbol->sym.st_value + l->moved,
			letter_of(symbol), symbol->name);
	return false;
}

char *fargs_vmlinux_symbols(const char *path, uint64_t moved, size_t *size)
{
	__cleanup_close int fd = -1;
	char *text = NULL;
	struct lines l = { .out = open_memstream(&text, size), .moved = moved };
	Elf *elf;

	if (!l.out)
		return NULL;
	elf = open_elf(path, &fd);
	each_symbol(elf, put_line, &l);
	elf_end(elf);
	if (!fclose(l.out) && *size)
		return text;
	free(text);
	return NULL;
}
