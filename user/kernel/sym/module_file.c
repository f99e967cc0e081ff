// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/sym/module_file.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/machine.h"

/*
 * Gap between the made-up addresses of two sections, so that the end of one section is not the
 * start of the next.
 */
#define GAP	4096

struct func {
	char *name;
	uint64_t addr;
	uint32_t index;		/* index among functions of the same name */
};

struct fargs_module_file {
	uint64_t *bases;	/* made-up address of each section, indexed by section number */
	size_t nr_sections;
	struct func *funcs;	/* in symbol table order */
	size_t nr_funcs;
	struct fargs_ksyms *ksyms;
	struct fargs_avail *avail;
};

/* State while reading the file. */
struct input {
	Elf *elf;
	Elf_Data *symtab;
	size_t nr_syms;
	size_t strings;		/* section number of the string table */
	Elf_Data *locs;		/* relocations of __mcount_loc */
	size_t nr_locs;
};

static int find_sections(struct fargs_module_file *file, struct input *in)
{
	uint64_t next = GAP;
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrnum(in->elf, &file->nr_sections) || elf_getshdrstrndx(in->elf, &names))
		return -EINVAL;
	file->bases = calloc(file->nr_sections + 1, sizeof(*file->bases));
	if (!file->bases)
		return -ENOMEM;
	while ((scn = elf_nextscn(in->elf, scn))) {
		const char *name;
		GElf_Shdr shdr;

		if (!gelf_getshdr(scn, &shdr))
			return -EINVAL;
		name = elf_strptr(in->elf, names, shdr.sh_name);
		file->bases[elf_ndxscn(scn)] = next;
		if (shdr.sh_flags & SHF_ALLOC)
			next = (next + shdr.sh_size + 2 * GAP - 1) & -(uint64_t)GAP;
		if (shdr.sh_type == SHT_SYMTAB && shdr.sh_entsize) {
			in->symtab = elf_getdata(scn, NULL);
			in->nr_syms = shdr.sh_size / shdr.sh_entsize;
			in->strings = shdr.sh_link;
		} else if (name && !strcmp(name, ".rela__mcount_loc") && shdr.sh_entsize) {
			in->locs = elf_getdata(scn, NULL);
			in->nr_locs = shdr.sh_size / shdr.sh_entsize;
		}
	}
	return in->symtab ? 0 : -ENODATA;
}

/*
 * Reads the defined functions (STT_FUNC) in the order of the symbol table. The index of struct
 * fargs_symbol (uapi/fargs_layout.h) counts functions of the same name in this order.
 */
static int read_funcs(struct fargs_module_file *file, struct input *in)
{
	size_t i;

	file->funcs = calloc(in->nr_syms + 1, sizeof(*file->funcs));
	if (!file->funcs)
		return -ENOMEM;
	for (i = 1; i < in->nr_syms; i++) {
		struct func *func = &file->funcs[file->nr_funcs];
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(in->symtab, i, &sym))
			return -EINVAL;
		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_shndx == SHN_UNDEF)
			continue;
		name = elf_strptr(in->elf, in->strings, sym.st_name);
		if (!name || !*name || strpbrk(name, " \t\n") ||
		    sym.st_shndx >= file->nr_sections)
			return -EINVAL;
		func->name = strdup(name);
		if (!func->name)
			return -ENOMEM;
		func->addr = file->bases[sym.st_shndx] + sym.st_value;
		file->nr_funcs++;
	}
	return file->nr_funcs ? 0 : -ENODATA;
}

static int compare_funcs(const void *a, const void *b)
{
	const struct func *x = *(struct func *const *)a, *y = *(struct func *const *)b;
	int ret = strcmp(x->name, y->name);

	/* Functions of the same name stay in symbol table order. */
	return ret ? ret : (x < y ? -1 : x > y);
}

static int number_funcs(struct fargs_module_file *file)
{
	struct func **order = calloc(file->nr_funcs, sizeof(*order));
	size_t i;

	if (!order)
		return -ENOMEM;
	for (i = 0; i < file->nr_funcs; i++)
		order[i] = &file->funcs[i];
	qsort(order, file->nr_funcs, sizeof(*order), compare_funcs);
	for (i = 1; i < file->nr_funcs; i++)
		if (!strcmp(order[i]->name, order[i - 1]->name))
			order[i]->index = order[i - 1]->index + 1;
	free(order);
	return 0;
}

static int make_ksyms(struct fargs_module_file *file, const char *module,
		      struct fargs_error_text *err)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return -ENOMEM;
	for (i = 0; i < file->nr_funcs; i++)
		fprintf(out, "%016" PRIx64 " t %s\t[%s]\n", file->funcs[i].addr,
			file->funcs[i].name, module);
	if (!fclose(out))
		file->ksyms = fargs_ksyms_parse(text, size, err);
	free(text);
	return file->ksyms ? 0 : -ENOMEM;
}

/*
 * Adds an entry to file->avail for each call of __fentry__, as ftrace will when the module is
 * loaded.
 */
static int make_avail(struct fargs_module_file *file, struct input *in, const char *module,
		      struct fargs_error_text *err)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);
	int ret = 0;

	if (!out)
		return -ENOMEM;
	for (i = 0; !ret && in->locs && i < in->nr_locs; i++) {
		GElf_Rela rela;
		GElf_Sym sym;

		if (!gelf_getrela(in->locs, i, &rela) ||
		    !gelf_getsym(in->symtab, GELF_R_SYM(rela.r_info), &sym) ||
		    sym.st_shndx >= file->nr_sections)
			ret = -EINVAL;
		else
			fprintf(out, "%016" PRIx64 " loc [%s]\n",
				file->bases[sym.st_shndx] + sym.st_value + rela.r_addend, module);
	}
	if (fclose(out))
		ret = -ENOMEM;
	if (!ret)
		file->avail = fargs_avail_parse(text, size, err);
	free(text);
	return ret ? ret : file->avail ? 0 : -ENOMEM;
}

static int read_elf(struct fargs_module_file *file, struct input *in, const char *module,
		    struct fargs_error_text *err)
{
	GElf_Ehdr ehdr;
	int ret;

	if (elf_kind(in->elf) != ELF_K_ELF || !gelf_getehdr(in->elf, &ehdr) ||
	    ehdr.e_type != ET_REL || ehdr.e_machine != FARGS_MACHINE_ELF)
		return -EINVAL;
	ret = find_sections(file, in);
	if (!ret)
		ret = read_funcs(file, in);
	if (!ret)
		ret = number_funcs(file);
	if (!ret)
		ret = make_ksyms(file, module, err);
	return ret ? ret : make_avail(file, in, module, err);
}

static int fail(int ret, const char *name, struct fargs_error_text *err)
{
	switch (ret) {
	case -ENOMEM:
		return fargs_fail(err, ENOMEM, "no memory for '%s'", name);
	case -ENODATA:
		return fargs_fail(err, ENODATA, "'%s' has no functions in its symbol table", name);
	default:
		return fargs_fail(err, EINVAL, "'%s' is not a module for this architecture", name);
	}
}

struct fargs_module_file *fargs_module_file_create(const char *path, const char *name,
						   const char *module,
						   struct fargs_error_text *err)
{
	struct fargs_module_file *file = calloc(1, sizeof(*file));
	struct input in = { };
	int ret = -ENOMEM, fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		fargs_fail(err, errno, "cannot read '%s': %s", name, strerror(errno));
		free(file);
		return NULL;
	}
	elf_version(EV_CURRENT);
	in.elf = file ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	if (in.elf) {
		ret = read_elf(file, &in, module, err);
		elf_end(in.elf);
	} else if (file) {
		ret = -EINVAL;
	}
	close(fd);
	if (!ret)
		return file;
	fargs_module_file_destroy(file);
	fail(ret, name, err);
	return NULL;
}

void fargs_module_file_destroy(struct fargs_module_file *file)
{
	size_t i;

	if (!file)
		return;
	for (i = 0; i < file->nr_funcs; i++)
		free(file->funcs[i].name);
	free(file->funcs);
	free(file->bases);
	fargs_ksyms_destroy(file->ksyms);
	fargs_avail_destroy(file->avail);
	free(file);
}

const struct fargs_ksyms *fargs_module_file_ksyms(const struct fargs_module_file *file)
{
	return file->ksyms;
}

const struct fargs_avail *fargs_module_file_avail(const struct fargs_module_file *file)
{
	return file->avail;
}

uint32_t fargs_module_file_index(const struct fargs_module_file *file,
				 const struct fargs_ksym *sym)
{
	size_t i;

	for (i = 0; i < file->nr_funcs; i++)
		if (file->funcs[i].addr == sym->addr && !strcmp(file->funcs[i].name, sym->name))
			return file->funcs[i].index;
	return 0;
}
