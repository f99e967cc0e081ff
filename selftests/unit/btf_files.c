// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests files with BTF: which kernel or module they are for, whether they match the running kernel,
 * and split BTF that is converted to another base.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <gelf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "kernel/btf/btfs.h"
#include "kernel/btf/coverage.h"
#include "kernel/btf/file.h"
#include "kernel/btf/identity.h"
#include "kernel/btf/split.h"
#include "kernel/btf/tree.h"
#include "select/codegen/compile.h"
#include "unit/ktap.h"

static char dir[64];

/* Returns a path below the test's directory, valid until the fourth call after this one. */
static const char *at(const char *name)
{
	static char paths[4][256];
	static unsigned int nr;
	char *path = paths[nr++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", dir, name);
	return path;
}

static void write_file(const char *name, const void *data, size_t bytes)
{
	char path[256], *slash;
	FILE *file;

	snprintf(path, sizeof(path), "%s", at(name));
	for (slash = strchr(path + strlen(dir) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "we");
	if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file))
		ktap_fail(__FILE__, __LINE__, "cannot write %s", path);
}

struct section {
	const char *name;
	unsigned int type;
	const void *data;
	size_t bytes;
};

/* Writes an ELF file with those of @sections that have contents. */
static void write_elf(const char *name, const struct section *sections, size_t nr)
{
	static const char names[] = "\0.BTF\0.BTF.base\0.modinfo\0.note.gnu.build-id\0.shstrtab";
	int fd = open(at(name), O_RDWR | O_CREAT | O_TRUNC, 0600);
	Elf64_Ehdr *ehdr;
	size_t i;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_WRITE, NULL);
	ehdr = elf64_newehdr(elf);
	ehdr->e_ident[EI_DATA] = ELFDATA2LSB;
	ehdr->e_machine = EM_X86_64;
	ehdr->e_type = ET_REL;
	for (i = 0; i <= nr; i++) {
		const struct section last = { ".shstrtab", SHT_STRTAB, names, sizeof(names) };
		const struct section *from = i < nr ? &sections[i] : &last;
		Elf_Scn *scn;
		Elf_Data *data;
		Elf64_Shdr *shdr;

		if (!from->bytes)
			continue;
		scn = elf_newscn(elf);
		data = elf_newdata(scn);
		shdr = elf64_getshdr(scn);
		data->d_buf = (void *)from->data;
		data->d_size = from->bytes;
		data->d_align = 4;
		shdr->sh_type = from->type;
		shdr->sh_name = (const char *)memmem(names, sizeof(names), from->name,
						     strlen(from->name) + 1) - names;
		if (i == nr)
			ehdr->e_shstrndx = elf_ndxscn(scn);
	}
	if (elf_update(elf, ELF_C_WRITE) < 0)
		ktap_fail(__FILE__, __LINE__, "%s", elf_errmsg(-1));
	elf_end(elf);
	close(fd);
}

static int add_func(struct btf *b, const char *name, const char *param, int type)
{
	int proto = btf__add_func_proto(b, 0);

	btf__add_func_param(b, param, type);
	return btf__add_func(b, name, BTF_FUNC_STATIC, proto);
}

/*
 * Makes BTF of a kernel: int, then a typedef named @padding that other kernels lack (NULL: none),
 * then struct file.
 */
static struct btf *make_kernel(const char *padding)
{
	struct btf *b = btf__new_empty();
	int s32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED);

	if (padding) {
		btf__add_typedef(b, padding, s32);
		btf__add_typedef(b, "another_type", s32);
	}
	btf__add_struct(b, "file", 200);
	btf__add_field(b, "position", s32, 0, 0);
	add_func(b, "vfs_read", "count", s32);
	return b;
}

static int find(const struct btf *b, const char *name, unsigned int kind)
{
	return btf__find_by_name_kind(b, name, kind);
}

/*
 * Makes split BTF of a module, based on @base, with a function void act(int count, struct file
 * *file).
 */
static struct btf *make_module(struct btf *base)
{
	int s32 = find(base, "int", BTF_KIND_INT), file = find(base, "file", BTF_KIND_STRUCT);
	struct btf *b = btf__new_empty_split(base);
	int ptr = btf__add_ptr(b, file), proto = btf__add_func_proto(b, 0);

	btf__add_func_param(b, "count", s32);
	btf__add_func_param(b, "file", ptr);
	btf__add_func(b, "act", BTF_FUNC_STATIC, proto);
	btf__add_func(b, "mod_only_name", BTF_FUNC_STATIC, proto);
	return b;
}

static void write_btf(const char *name, const struct btf *b)
{
	uint32_t bytes;
	const void *data = btf__raw_data(b, &bytes);

	write_file(name, data, bytes);
}

static const unsigned char note[] = {
	/* Two notes: "Linux" of type 0x101 with 4 bytes; "GNU" with a build id of 4 bytes. */
	6, 0, 0, 0, 4, 0, 0, 0, 1, 1, 0, 0, 'L', 'i', 'n', 'u', 'x', 0, 0, 0, 0, 0, 0, 0,
	4, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 0xde, 0xad, 0xbe, 0xef,
};

static const unsigned char other_note[] = {
	4, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 0xde, 0xad, 0xbe, 0xee,
};

static const char modinfo[] = "license=GPL\0name=some_mod\0srcversion=ABCDEF\0"
			      "vermagic=6.1.0-9-amd64 SMP preempt mod_unload ";

static void raw_and_elf(void)
{
	struct btf *kernel = make_kernel(NULL), *module = make_module(kernel);
	struct fargs_btf_file file;
	struct section sections[3] = {
		{ ".BTF", SHT_PROGBITS, NULL, 0 },
		{ ".modinfo", SHT_PROGBITS, modinfo, sizeof(modinfo) },
		{ ".note.gnu.build-id", SHT_NOTE, note, sizeof(note) },
	};
	uint32_t bytes;

	write_btf("raw", kernel);
	REQUIRE(!fargs_btf_file_init(&file, at("raw"), NULL));
	CHECK(!file.is_elf && !file.is_split && !file.build_id.bytes && !file.module[0]);
	fargs_btf_file_deinit(&file);
	write_btf("split", module);
	REQUIRE(!fargs_btf_file_init(&file, at("split"), NULL));
	CHECK(file.is_split);
	fargs_btf_file_deinit(&file);

	sections[0].data = btf__raw_data(module, &bytes);
	sections[0].bytes = bytes;
	write_elf("elf", sections, 3);
	REQUIRE(!fargs_btf_file_init(&file, at("elf"), NULL));
	CHECK(file.is_elf && file.is_split && !file.base);
	CHECK(file.bytes == bytes && !memcmp(file.data, sections[0].data, bytes));
	CHECK_STR(file.module, "some_mod");
	CHECK_STR(file.release, "6.1.0-9-amd64");
	CHECK_STR(file.srcversion, "ABCDEF");
	CHECK_INT(file.build_id.bytes, 4);
	CHECK(!memcmp(file.build_id.data, "\xde\xad\xbe\xef", 4));
	fargs_btf_file_deinit(&file);
	btf__free(module);
	btf__free(kernel);
}

static const char *complaint(const char *name)
{
	static struct fargs_error_text err;
	struct fargs_btf_file file;

	err.text[0] = '\0';
	if (!fargs_btf_file_init(&file, at(name), &err))
		fargs_btf_file_deinit(&file);
	return err.text;
}

static void other_files(void)
{
	const struct section sections[] = {
		{ ".modinfo", SHT_PROGBITS, modinfo, sizeof(modinfo) },
	};

	write_elf("no-btf", sections, 1);
	CHECK(strstr(complaint("no-btf"), "there is no BTF in"));
	write_file("text", "hello, world", 12);
	CHECK(strstr(complaint("text"), "neither BTF nor ELF"));
	write_file("empty", "", 0);
	CHECK(strstr(complaint("empty"), "neither BTF nor ELF"));
	write_file("x.ko.xz", "\3757zXZ\0", 6);
	CHECK(strstr(complaint("x.ko.xz"), "is compressed: unpack it first"));
	write_file("cut", "\177ELF\2\1\1", 7);
	CHECK(strstr(complaint("cut"), "neither BTF nor ELF"));
	CHECK(strstr(complaint("not there"), "cannot read"));
}

static int identity(const unsigned char *id, size_t bytes, const char *name, const char *release)
{
	struct fargs_btf_file file = { .is_elf = true };

	if (id)
		fargs_build_id_find(&file.build_id, id, bytes);
	if (strcmp(name, "vmlinux")) {
		strcpy(file.module, "some_mod");
		strcpy(file.release, "6.1.0-9-amd64");
		strcpy(file.srcversion, "ABCDEF");
	}
	return fargs_btf_identity_check(&file, "x", name, at("sys"), release, NULL);
}

static void identities(void)
{
	write_file("sys/kernel/notes", note, sizeof(note));
	write_file("sys/module/some_mod/notes/.note.gnu.build-id", note, sizeof(note));
	write_file("sys/module/some_mod/srcversion", "ABCDEF\n", 7);
	write_file("sys/module/changed/srcversion", "012345\n", 7);
	CHECK_INT(identity(note, sizeof(note), "vmlinux", ""), FARGS_BTF_IDENTITY_SAME);
	CHECK_INT(identity(other_note, sizeof(other_note), "vmlinux", ""), -ESTALE);
	CHECK_INT(identity(NULL, 0, "vmlinux", ""), FARGS_BTF_IDENTITY_UNKNOWN);
	CHECK_INT(identity(note, sizeof(note), "some_mod", "6.1.0-9-amd64"),
		  FARGS_BTF_IDENTITY_SAME);
	CHECK_INT(identity(note, sizeof(note), "some_mod", "6.1.0-10-amd64"), -ESTALE);
	CHECK_INT(identity(other_note, sizeof(other_note), "some_mod", "6.1.0-9-amd64"), -ESTALE);
	CHECK_INT(identity(NULL, 0, "some_mod", "6.1.0-9-amd64"), FARGS_BTF_IDENTITY_UNKNOWN);
	CHECK_INT(identity(NULL, 0, "changed", "6.1.0-9-amd64"), -ESTALE);
	CHECK_INT(identity(note, sizeof(note), "not_told", "6.1.0-9-amd64"),
		  FARGS_BTF_IDENTITY_UNKNOWN);
}

static void broken_notes(void)
{
	unsigned char huge[sizeof(other_note)];
	struct fargs_build_id id;
	size_t i;

	for (i = 0; i < sizeof(other_note); i++) {
		fargs_build_id_find(&id, other_note, i);
		CHECK_INT(id.bytes, 0);
	}
	memcpy(huge, other_note, sizeof(huge));
	memset(huge + 4, 0xff, 4);
	fargs_build_id_find(&id, huge, sizeof(huge));
	CHECK_INT(id.bytes, 0);
}

static void split_fits_its_base_only(void)
{
	struct btf *kernel = make_kernel(NULL), *longer = make_kernel("one_more_type");
	struct btf *module = make_module(kernel);
	uint32_t bytes;
	const void *data = btf__raw_data(module, &bytes);

	CHECK(fargs_btf_split_fits(data, bytes, kernel));
	CHECK(!fargs_btf_split_fits(data, bytes, longer));
	CHECK(!fargs_btf_split_fits(data, bytes - 1, kernel));
	btf__free(module);
	/* BTF based on the longer kernel does not fit the shorter one either, which lacks types. */
	module = make_module(longer);
	data = btf__raw_data(module, &bytes);
	CHECK(!fargs_btf_split_fits(data, bytes, kernel));
	btf__free(module);
	btf__free(longer);
	btf__free(kernel);
}

/* Makes the BTF that modules have in .BTF.base since 6.12: names and sizes of types. */
static struct btf *make_base(int file_bytes)
{
	struct btf *b = btf__new_empty();

	btf__add_struct(b, "file", file_bytes);
	btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	return b;
}

/*
 * Relocates BTF of a module based on @base to @kernel. Returns NULL with the reason in @err on
 * failure.
 */
static struct btf *relocate(struct btf *base, struct btf *kernel, struct fargs_error_text *err)
{
	struct btf *module = make_module(base), *relocated = NULL;
	uint32_t bytes, base_bytes;
	const void *data = btf__raw_data(module, &bytes);
	const void *base_data = btf__raw_data(base, &base_bytes);
	size_t relocated_bytes;
	void *copy = fargs_btf_split_relocate(data, bytes, base_data, base_bytes, kernel,
					      &relocated_bytes, err);

	if (copy) {
		CHECK(fargs_btf_is_split(copy, relocated_bytes));
		CHECK(fargs_btf_split_fits(copy, relocated_bytes, kernel));
		relocated = fargs_btf_parse(copy, relocated_bytes, kernel);
		CHECK(relocated);
	}
	free(copy);
	btf__free(module);
	return relocated;
}

static void base_is_relocated(void)
{
	struct btf *kernel = make_kernel("padding"), *base = make_base(200);
	struct btf *module = relocate(base, kernel, NULL);
	const struct btf_type *proto, *ptr;
	int act;

	REQUIRE(module);
	act = find(module, "act", BTF_KIND_FUNC);
	REQUIRE(act > 0);
	CHECK(find(module, "mod_only_name", BTF_KIND_FUNC) > act);
	proto = btf__type_by_id(module, btf__type_by_id(module, act)->type);
	REQUIRE(btf_is_func_proto(proto) && btf_vlen(proto) == 2);
	CHECK_INT(btf_params(proto)[0].type, find(kernel, "int", BTF_KIND_INT));
	CHECK_STR(btf__name_by_offset(module, btf_params(proto)[0].name_off), "count");
	ptr = btf__type_by_id(module, btf_params(proto)[1].type);
	REQUIRE(btf_is_ptr(ptr));
	CHECK_INT(ptr->type, find(kernel, "file", BTF_KIND_STRUCT));
	CHECK_STR(btf__name_by_offset(module, btf_params(proto)[1].name_off), "file");
	btf__free(module);
	btf__free(base);
	btf__free(kernel);
}

static void base_that_does_not_match(void)
{
	struct btf *kernel = make_kernel(NULL), *base = make_base(208);
	struct fargs_error_text err = { };

	CHECK(!relocate(base, kernel, &err));
	CHECK(strstr(err.text, "the kernel has no type 'file'"));
	btf__free(base);
	base = make_base(200);
	btf__add_struct(kernel, "file", 200);
	CHECK(!relocate(base, kernel, &err));
	CHECK(strstr(err.text, "the kernel has several types 'file'"));
	btf__free(base);
	btf__free(kernel);
}

static void functions_tell_kernels_apart(void)
{
	static const char kallsyms[] =
		"ffffffff81000010 T vfs_read\n"
		"ffffffff81000020 t cloned.isra.0\n"
		"ffffffffc0000000 t helper\t[mod_a]\n";
	struct fargs_ksyms *ksyms = fargs_ksyms_parse(kallsyms, strlen(kallsyms), NULL);
	struct btf *kernel = make_kernel(NULL), *module;
	struct fargs_coverage c;

	add_func(kernel, "cloned", "count", 1);
	REQUIRE(!fargs_coverage_init(&c, kernel, ksyms, NULL));
	CHECK(c.nr_funcs == 2 && c.nr_found == 2 && c.nr_symbols == 2);
	CHECK(fargs_coverage_is_likely(&c, NULL));
	/* Symbols of another module do not count. */
	add_func(kernel, "helper", "count", 1);
	REQUIRE(!fargs_coverage_init(&c, kernel, ksyms, NULL));
	CHECK(c.nr_funcs == 3 && c.nr_found == 2);
	CHECK(!fargs_coverage_is_likely(&c, NULL));
	module = btf__new_empty_split(kernel);
	add_func(module, "helper", "count", 1);
	add_func(module, "init_is_gone", "count", 1);
	REQUIRE(!fargs_coverage_init(&c, module, ksyms, "mod_a"));
	CHECK(c.nr_funcs == 2 && c.nr_found == 1 && c.nr_symbols == 1);
	CHECK(fargs_coverage_is_likely(&c, "mod_a"));
	REQUIRE(!fargs_coverage_init(&c, module, ksyms, "mod_b"));
	CHECK(!fargs_coverage_is_likely(&c, "mod_b"));
	/*
	 * One function in 200 may lack a symbol. BTF without functions is probably not that of a
	 * kernel.
	 */
	c = (struct fargs_coverage) { .nr_funcs = 400, .nr_found = 398 };
	CHECK(fargs_coverage_is_likely(&c, NULL));
	c.nr_found = 397;
	CHECK(!fargs_coverage_is_likely(&c, NULL));
	c = (struct fargs_coverage) { };
	CHECK(!fargs_coverage_is_likely(&c, NULL));
	btf__free(module);
	btf__free(kernel);
	fargs_ksyms_destroy(ksyms);
}

static void trees(void)
{
	struct fargs_btf_tree *tree;
	struct fargs_error_text err;

	write_file("tree/6.1/kernel/sound/snd-pcm.ko", "", 0);
	write_file("tree/6.1/updates/snd_pcm.ko.debug", "", 0);
	write_file("tree/6.1/extra/x.ko.xz", "", 0);
	write_file("tree/6.1/mod.btf", "", 0);
	write_file("tree/6.1/modules.dep", "", 0);
	write_file("tree/6.1.btf", "", 0);
	write_file("tree/vmlinux-6.1", "", 0);
	write_file("tree/6.12.btf.tar.xz", "", 0);
	write_file("tree/6.12/vmlinux.btf", "", 0);

	tree = fargs_btf_tree_create(at("tree"), "6.1", NULL);
	REQUIRE(tree);
	CHECK_STR(fargs_btf_tree_find(tree, "vmlinux", 0), at("tree/6.1.btf"));
	CHECK_STR(fargs_btf_tree_find(tree, "vmlinux", 1), at("tree/vmlinux-6.1"));
	CHECK(!fargs_btf_tree_find(tree, "vmlinux", 2));
	CHECK(fargs_btf_tree_find(tree, "snd_pcm", 1));
	CHECK(!fargs_btf_tree_find(tree, "snd_pcm", 2));
	CHECK_STR(fargs_btf_tree_find(tree, "mod", 0), at("tree/6.1/mod.btf"));
	CHECK(!fargs_btf_tree_find(tree, "modules", 0));
	CHECK(!fargs_btf_tree_find(tree, "x", 0));
	CHECK_STR(fargs_btf_tree_find_packed(tree, "x"), at("tree/6.1/extra/x.ko.xz"));
	CHECK(!fargs_btf_tree_find_packed(tree, "vmlinux"));
	fargs_btf_tree_destroy(tree);

	tree = fargs_btf_tree_create(at("tree"), "6.12", NULL);
	REQUIRE(tree);
	CHECK_STR(fargs_btf_tree_find(tree, "vmlinux", 0), at("tree/6.12/vmlinux.btf"));
	CHECK_STR(fargs_btf_tree_find_packed(tree, "vmlinux"), at("tree/6.12.btf.tar.xz"));
	fargs_btf_tree_destroy(tree);

	CHECK(!fargs_btf_tree_create(at("tree"), "7.2", &err));
	CHECK(strstr(err.text, "has no BTF of kernel 7.2"));
}

static const struct ktap_test tests[] = {
	{ "raw BTF and ELF files are recognised", raw_and_elf },
	{ "other files are refused", other_files },
	{ "a file matches the running kernel, another one, or is unknown", identities },
	{ "notes that are cut off or too long have no build ID", broken_notes },
	{ "split BTF is accepted only with its own base", split_fits_its_base_only },
	{ "a .BTF.base is replaced by the kernel's types", base_is_relocated },
	{ "a .BTF.base is refused if the kernel has no such type, or several",
	  base_that_does_not_match },
	{ "kernels and modules are distinguished by their functions",
	  functions_tell_kernels_apart },
	{ "files are found in trees by release", trees },
};

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

int main(void)
{
	int status;

	strcpy(dir, "/tmp/fargs-unit-XXXXXX");
	if (!mkdtemp(dir))
		return 1;
	status = KTAP_RUN(tests);
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return status;
}
