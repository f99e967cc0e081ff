// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that every function of the test kernels and of all their modules has a layout that the
 * module fargs accepts, or a reason for a refusal. A module's functions whose name is ambiguous in
 * BTF are counted by the names in the module's symbol table.
 *
 * The kernels are those of selftests/vm, unpacked in FARGS_VM_CACHE or build/vm.
 */
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <unistd.h>

#include <gelf.h>

#include "kernel/btf/btfs.h"
#include "select/resolve/resolve.h"
#include "unit/coverage.h"
#include "unit/ktap.h"

struct modules {
	struct fargs_btfs *btfs;
	struct coverage coverage;
	size_t nr;
	size_t nr_plain;	/* modules without BTF */
	size_t nr_distilled;	/* modules with .BTF.base */
	size_t nr_symbols;
	size_t symbols[FARGS_REFUSALS];
};

/* An ELF file. */
struct object {
	int fd;
	Elf *elf;
};

static bool object_init(struct object *o, const char *path)
{
	o->fd = open(path, O_RDONLY | O_CLOEXEC);
	/* Map the file, because most of it is not read. */
	o->elf = o->fd < 0 ? NULL : elf_begin(o->fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	return o->elf;
}

static void object_deinit(struct object *o)
{
	elf_end(o->elf);
	if (o->fd >= 0)
		close(o->fd);
}

/* Returns the section @name; NULL: there is none. */
static Elf_Data *object_section(const struct object *o, const char *name, GElf_Shdr *header)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(o->elf, &names))
		return NULL;
	while ((scn = elf_nextscn(o->elf, scn)))
		if (gelf_getshdr(scn, header) &&
		    !strcmp(elf_strptr(o->elf, names, header->sh_name), name))
			return elf_rawdata(scn, NULL);
	return NULL;
}

/*
 * Returns the functions in the format of /proc/kallsyms, with a separate range of 4 GB for each
 * section. Symbols named __pfx_*, the padding before functions, are omitted.
 */
static char *object_kallsyms(const struct object *o, const char *module, size_t *size)
{
	char *text = NULL;
	GElf_Shdr header;
	Elf_Data *symtab = object_section(o, ".symtab", &header);
	FILE *f = open_memstream(&text, size);
	const char *name;
	GElf_Sym sym;
	int i;

	for (i = 0; symtab && gelf_getsym(symtab, i, &sym); i++) {
		name = elf_strptr(o->elf, header.sh_link, sym.st_name);
		if (GELF_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_shndx && name &&
		    strncmp(name, "__pfx_", 6))
			fprintf(f, "%llx t %s\t[%s]\n",
				(1ull << 63) + ((uint64_t)sym.st_shndx << 32) + sym.st_value,
				name, module);
	}
	fclose(f);
	return text;
}

/*
 * Converts the file name "nf-tables.ko" to nf_tables, as the kernel does. Returns false if the file
 * is not a module.
 */
static bool module_name(const char *file, char *name, size_t size)
{
	size_t i, len = strlen(file);

	if (len < 4 || strcmp(file + len - 3, ".ko") || len - 3 >= size)
		return false;
	for (i = 0; i < len - 3; i++)
		name[i] = file[i] == '-' ? '_' : file[i];
	name[i] = '\0';
	return true;
}

static void resolve_symbols(struct modules *m, const struct object *o, const char *name)
{
	struct fargs_layouts layouts = { };
	struct fargs_error_text err = { "" };
	struct fargs_resolver *resolver;
	struct fargs_ksyms *ksyms;
	struct fargs_match match;
	char *text;
	size_t size, i;

	text = object_kallsyms(o, name, &size);
	ksyms = size ? fargs_ksyms_parse(text, size, &err) : NULL;
	free(text);
	/* Some modules contain only data. */
	if (!size)
		return;
	resolver = ksyms ? fargs_resolver_create(ksyms, m->btfs, NULL, false) : NULL;
	if (!resolver)
		ktap_fail(__FILE__, __LINE__, "%s: %s", name, err.text);
	for (i = 0; resolver && i < fargs_ksyms_count(ksyms); i++) {
		if (fargs_resolver_match(resolver, fargs_ksyms_at(ksyms, i), &layouts, &match))
			ktap_fail(__FILE__, __LINE__, "%s: no memory", name);
		m->nr_symbols++;
		m->symbols[match.why]++;
	}
	fargs_layouts_deinit(&layouts);
	fargs_resolver_destroy(resolver);
	fargs_ksyms_destroy(ksyms);
}

static void add_module(struct modules *m, const struct object *o, const char *name)
{
	struct fargs_error_text err = { "" };
	GElf_Shdr header;
	Elf_Data *data = object_section(o, ".BTF", &header);
	struct btf *btf;

	m->nr++;
	if (object_section(o, ".BTF.base", &header)) {
		m->nr_distilled++;
		return;
	}
	if (!data) {
		m->nr_plain++;
		return;
	}
	if (fargs_btfs_add(m->btfs, name, data->d_buf, data->d_size, &err)) {
		ktap_fail(__FILE__, __LINE__, "%s: %s", name, err.text);
		return;
	}
	btf = fargs_btfs_get(m->btfs, name, &err);
	REQUIRE(btf);
	coverage_add(&m->coverage, btf, name);
	resolve_symbols(m, o, name);
}

static void add_tree(struct modules *m, char *path)
{
	char *const paths[] = { path, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	struct object o;
	char name[64];
	FTSENT *file;

	REQUIRE(tree);
	while ((file = fts_read(tree))) {
		if (file->fts_info != FTS_F || !module_name(file->fts_name, name, sizeof(name)))
			continue;
		if (object_init(&o, file->fts_path))
			add_module(m, &o, name);
		else
			ktap_fail(__FILE__, __LINE__, "%s is no ELF file", file->fts_path);
		object_deinit(&o);
	}
	fts_close(tree);
}

static void print_symbols(const struct modules *m, const char *series)
{
	size_t i;

	printf("# %s, symbols of modules: %zu:", series, m->nr_symbols);
	for (i = 1; i < FARGS_REFUSALS; i++)
		if (m->symbols[i])
			printf(" %s %zu", fargs_refusal_word(i), m->symbols[i]);
	putchar('\n');
}

static void add_vmlinux(struct modules *m, const char *path, const char *series)
{
	struct fargs_error_text err = { "" };
	struct coverage c = { };
	GElf_Shdr header;
	struct object o;
	Elf_Data *data;

	REQUIRE(object_init(&o, path));
	data = object_section(&o, ".BTF", &header);
	if (!data || fargs_btfs_add(m->btfs, FARGS_BTF_VMLINUX, data->d_buf, data->d_size, &err)) {
		ktap_fail(__FILE__, __LINE__, "%s: %s", path, data ? err.text : "no BTF");
	} else {
		coverage_add(&c, fargs_btfs_get(m->btfs, FARGS_BTF_VMLINUX, &err), series);
		coverage_judge(&c, series);
		CHECK(c.nr > 40000);
	}
	object_deinit(&o);
}

static void check_kernel(const char *series)
{
	const char *cache = getenv("FARGS_VM_CACHE");
	struct modules m = { };
	char path[4096], title[64];

	snprintf(path, sizeof(path), "%s/%s/kernel/vmlinux", cache ? cache : "build/vm", series);
	if (access(path, R_OK)) {
		ktap_skip("there is no %s: selftests/vm/prefetch %s gets it", path, series);
		return;
	}
	m.btfs = fargs_btfs_create();
	add_vmlinux(&m, path, series);
	snprintf(path, sizeof(path), "%s/%s/kernel/tree/lib/modules", cache ? cache : "build/vm",
		 series);
	if (fargs_btfs_name(m.btfs, 0))
		add_tree(&m, path);
	fargs_btfs_destroy(m.btfs);

	snprintf(title, sizeof(title), "%s, %zu modules (%zu without BTF, %zu with .BTF.base)",
		 series, m.nr, m.nr_plain, m.nr_distilled);
	coverage_judge(&m.coverage, title);
	print_symbols(&m, series);
	CHECK(m.nr > 3000);
	CHECK(m.coverage.nr > 100000);
	CHECK_INT(m.symbols[FARGS_REFUSAL_MALFORMED], 0);
}

static void kernel_6_1(void)
{
	check_kernel("6.1");
}

static void kernel_6_12(void)
{
	check_kernel("6.12");
}

static void kernel_7_2(void)
{
	check_kernel("7.2");
}

static const struct ktap_test tests[] = {
	{ "all functions of 6.1 and its modules have a layout or a reason", kernel_6_1 },
	{ "all functions of 6.12 and its modules have a layout or a reason", kernel_6_12 },
	{ "all functions of 7.2 and its modules have a layout or a reason", kernel_7_2 },
};

int main(void)
{
	elf_version(EV_CURRENT);
	return KTAP_RUN(tests);
}
