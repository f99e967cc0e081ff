// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/plt.h"

#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Size of an entry, unless the section states another one. */
#define ENTRY_BYTES	16

/* An entry of the global offset table, and the function whose address it contains. */
struct slot {
	uint64_t addr;
	const char *name;
};

struct slots {
	struct slot *all;
	size_t nr;
};

/* Adds the slots of a section with relocations. Returns 0 or -ENOMEM. */
static int add_slots(struct slots *slots, Elf *elf, Elf_Scn *section, const GElf_Shdr *shdr)
{
	Elf_Scn *symbols = elf_getscn(elf, shdr->sh_link);
	Elf_Data *relocs = elf_getdata(section, NULL), *table;
	struct slot *to;
	GElf_Shdr linked;
	const char *name;
	GElf_Rela rela;
	GElf_Sym sym;
	size_t i;

	table = symbols && gelf_getshdr(symbols, &linked) ? elf_getdata(symbols, NULL) : NULL;
	if (!relocs || !table || !shdr->sh_entsize)
		return 0;
	for (i = 0; i < relocs->d_size / shdr->sh_entsize; i++) {
		if (!gelf_getrela(relocs, (int)i, &rela) ||
		    (GELF_R_TYPE(rela.r_info) != R_X86_64_JUMP_SLOT &&
		     GELF_R_TYPE(rela.r_info) != R_X86_64_GLOB_DAT) ||
		    !gelf_getsym(table, (int)GELF_R_SYM(rela.r_info), &sym))
			continue;
		name = elf_strptr(elf, linked.sh_link, sym.st_name);
		if (!name || !*name)
			continue;
		to = fargs_array_add(slots->all, slots->nr);
		if (!to)
			return -ENOMEM;
		*to = (struct slot){ .addr = rela.r_offset, .name = name };
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int find_slots(struct slots *slots, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr shdr;
	int ret = 0;

	while (!ret && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &shdr) && shdr.sh_type == SHT_RELA)
			ret = add_slots(slots, elf, section, &shdr);
	if (!ret && slots->nr)
		qsort(slots->all, slots->nr, sizeof(*slots->all), compare);
	return ret;
}

/*
 * Finds the instruction JMP [RIP + displacement] in an entry, which may begin with ENDBR64. Returns
 * the address from which it reads; 0: there is none.
 */
static uint64_t find_jump(const uint8_t *code, size_t bytes, uint64_t addr)
{
	int32_t displacement;
	size_t i;

	for (i = 0; i + 6 <= bytes; i++) {
		if (code[i] != 0xff || code[i + 1] != 0x25)
			continue;
		memcpy(&displacement, code + i + 2, sizeof(displacement));
		return addr + i + 6 + (int64_t)displacement;
	}
	return 0;
}

static int add_entries(const struct slots *slots, Elf_Scn *section, const GElf_Shdr *shdr,
		       int (*add)(void *arg, uint64_t at, uint64_t bytes, const char *name),
		       void *arg)
{
	size_t step = shdr->sh_entsize == 8 ? 8 : ENTRY_BYTES, at;
	Elf_Data *data = elf_getdata(section, NULL);
	const struct slot *found;
	struct slot wanted = { };
	int ret = 0;

	for (at = 0; data && !ret && at + step <= data->d_size; at += step) {
		wanted.addr = find_jump((const uint8_t *)data->d_buf + at, step,
					shdr->sh_addr + at);
		found = wanted.addr ? bsearch(&wanted, slots->all, slots->nr, sizeof(wanted),
					      compare) : NULL;
		if (found)
			ret = add(arg, shdr->sh_offset + at, step, found->name);
	}
	return ret;
}

static bool is_plt(Elf *elf, const GElf_Shdr *shdr)
{
	static const char *const names[] = { ".plt", ".plt.sec", ".plt.got" };
	const char *name;
	size_t strings, i;

	if (shdr->sh_type != SHT_PROGBITS || !(shdr->sh_flags & SHF_EXECINSTR) ||
	    elf_getshdrstrndx(elf, &strings))
		return false;
	name = elf_strptr(elf, strings, shdr->sh_name);
	for (i = 0; name && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

int fargs_plt_each(struct Elf *elf,
		   int (*add)(void *arg, uint64_t at, uint64_t bytes, const char *name),
		   void *arg)
{
	struct slots slots = { };
	Elf_Scn *section = NULL;
	GElf_Shdr shdr;
	GElf_Ehdr ehdr;
	int ret = 0;

	if (!gelf_getehdr(elf, &ehdr) || ehdr.e_machine != EM_X86_64)
		return 0;
	ret = find_slots(&slots, elf);
	while (!ret && slots.nr && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &shdr) && is_plt(elf, &shdr))
			ret = add_entries(&slots, section, &shdr, add, arg);
	free(slots.all);
	return ret;
}
