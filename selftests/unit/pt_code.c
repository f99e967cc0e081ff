// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests ranges of the kernel's code, found in lines of /proc/kallsyms, and contents of code, read
 * from a generated ELF file like /proc/kcore.
 */
#include "ktap.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/pt/input/kcore.h"
#include "source/pt/input/code.h"

static struct fargs_code_ranges all;
static struct fargs_error_text err;

static int find(const char *text)
{
	fargs_code_ranges_deinit(&all);
	err.text[0] = '\0';
	return fargs_code_ranges_init(&all, text, strlen(text), &err);
}

static void check(size_t i, uint64_t addr, uint64_t bytes, const char *name)
{
	REQUIRE(i < all.nr);
	CHECK_INT(all.ranges[i].addr, addr);
	CHECK_INT(all.ranges[i].bytes, bytes);
	CHECK_STR(all.ranges[i].name, name);
}

#define KERNEL	"ffffffff81000000 T _stext\nffffffff81000400 t some_function\n" \
		"ffffffff81a01234 T _etext\nffffffff82000000 D some_data\n"

static void finds_the_kernel(void)
{
	CHECK_INT(find(KERNEL), 0);
	CHECK_INT(all.nr, 1);
	check(0, 0xffffffff81000000, 0xa02000, "[kernel]");
}

/* Tests that code ends at data of the module, and at code of another module. */
static void finds_modules(void)
{
	CHECK_INT(find("ffffffffc0200000 t two_begin\t[two]\n"
		       "ffffffffc0201800 T two_next\t[two]\n"
		       "ffffffffc0204000 d two_data\t[two]\n"
		       "ffffffffc0100010 t one_begin\t[one]\n"
		       "ffffffffc0100800 t one_next\t[one]\n"
		       "ffffffffc0103010 b one_bss\t[one]\n" KERNEL), 0);
	CHECK_INT(all.nr, 3);
	check(0, 0xffffffff81000000, 0xa02000, "[kernel]");
	check(1, 0xffffffffc0100000, 0x4000, "one");
	check(2, 0xffffffffc0200000, 0x4000, "two");
}

/* Tests a module's init code, which is at another address, and code whose end is unknown. */
static void finds_pieces(void)
{
	CHECK_INT(find(KERNEL "ffffffffc0100000 t begin\t[one]\n"
		       "ffffffffc0102000 d data\t[one]\n"
		       "ffffffffc0400000 t init\t[one]\n"), 0);
	CHECK_INT(all.nr, 3);
	check(1, 0xffffffffc0100000, 0x2000, "one");
	check(2, 0xffffffffc0400000, 0x100000, "one");
}

/* Tests that a page is read once if it has two programs, or two symbols at one address. */
static void shares_pages(void)
{
	CHECK_INT(find(KERNEL "ffffffffc0203000 t ftrace_trampoline\t[__builtin__ftrace]\n"
		       "ffffffffc0205000 t bpf_prog_a\t[bpf]\n"
		       "ffffffffc0205000 t bpf_prog_alias\t[bpf]\n"
		       "ffffffffc0205800 t bpf_prog_b\t[bpf]\n"
		       "ffffffffc0206000 t kprobe_insn_page\t[__builtin__kprobes]\n"
		       "ffffffffc0206800 t first\t[one]\n"
		       "ffffffffc0207000 r rodata\t[one]\n"), 0);
	CHECK_INT(all.nr, 4);
	check(1, 0xffffffffc0203000, 0x2000, "__builtin__ftrace");
	check(2, 0xffffffffc0205000, 0x1000, "bpf");
	check(3, 0xffffffffc0206000, 0x1000, "__builtin__kprobes");
}

/* Tests that per-CPU symbols, which have no address, are ignored. */
static void leaves_out_what_has_no_address(void)
{
	CHECK_INT(find(KERNEL "0000000000012340 t odd\t[one]\n"), 0);
	CHECK_INT(all.nr, 1);
}

static void refuses_nonsense(void)
{
	CHECK_INT(find("ffffffff81000000 T _stext\nnonsense\n"), -EINVAL);
	CHECK_STR(err.text, "kernel symbols: line 2 is not in the format of /proc/kallsyms");
	CHECK_INT(find(KERNEL "ffffffffc0206800 t first\t[one\n"), -EINVAL);
	CHECK_INT(find("0000000000000000 T _stext\n0000000000000000 T _etext\n"), -EINVAL);
	CHECK(strstr(err.text, "hides"));
	CHECK_INT(find(""), -EINVAL);
}

/* Makes a file like /proc/kcore, with segments at offsets 512 and 1024. */
static void make_kcore(char *path)
{
	struct {
		Elf64_Ehdr ehdr;
		Elf64_Phdr headers[3];
		char zeroes[512 - sizeof(Elf64_Ehdr) - 3 * sizeof(Elf64_Phdr)];
		char first[512];
		char second[256];
	} file = {
		.ehdr = {
			.e_phoff = sizeof(Elf64_Ehdr),
			.e_phnum = 3,
			.e_phentsize = sizeof(Elf64_Phdr),
		},
		.headers = {
			{ .p_type = PT_NOTE },
			{ .p_type = PT_LOAD, .p_vaddr = 0xffffffff81000000, .p_filesz = 512,
			  .p_offset = 512 },
			{ .p_type = PT_LOAD, .p_vaddr = 0xffffffffc0000000, .p_filesz = 256,
			  .p_offset = 1024 },
		},
	};
	int fd = mkstemp(path);

	memcpy(file.ehdr.e_ident, ELFMAG, SELFMAG);
	file.ehdr.e_ident[EI_CLASS] = ELFCLASS64;
	memset(file.first, 'a', sizeof(file.first));
	memset(file.second, 'b', sizeof(file.second));
	file.second[255] = 'c';
	if (fd < 0 || write(fd, &file, sizeof(file)) != sizeof(file) || close(fd))
		abort();
}

static void reads_kcore(void)
{
	char path[] = "/tmp/fargs-kcore-XXXXXX", buf[512];
	struct fargs_kcore kcore;

	make_kcore(path);
	REQUIRE(!fargs_kcore_open(&kcore, path, &err));
	unlink(path);
	CHECK_INT(kcore.nr, 2);
	CHECK_INT(fargs_kcore_read(&kcore, 0xffffffff81000000, buf, 512, &err), 0);
	CHECK_INT(buf[0], 'a');
	CHECK_INT(buf[511], 'a');
	CHECK_INT(fargs_kcore_read(&kcore, 0xffffffffc00000fe, buf, 2, &err), 0);
	CHECK_INT(buf[0], 'b');
	CHECK_INT(buf[1], 'c');
	CHECK_INT(fargs_kcore_read(&kcore, 0xffffffffc00000fe, buf, 3, &err), -ENOENT);
	CHECK_INT(fargs_kcore_read(&kcore, 0xffffffff80ffffff, buf, 2, &err), -ENOENT);
	CHECK_INT(fargs_kcore_read(&kcore, 0xffffffffc0000100, buf, 1, &err), -ENOENT);
	fargs_kcore_close(&kcore);
	CHECK_INT(fargs_kcore_open(&kcore, "/proc/self/status", &err), -EIO);
	CHECK_INT(fargs_kcore_open(&kcore, "/nowhere/kcore", &err), -ENOENT);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "finds the kernel", finds_the_kernel },
		{ "finds modules", finds_modules },
		{ "finds pieces", finds_pieces },
		{ "shares pages", shares_pages },
		{ "skips symbols without address", leaves_out_what_has_no_address },
		{ "refuses invalid input", refuses_nonsense },
		{ "reads kcore", reads_kcore },
	};
	int status = KTAP_RUN(tests);

	fargs_code_ranges_deinit(&all);
	return status;
}
