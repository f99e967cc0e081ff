// SPDX-License-Identifier: GPL-2.0-only
/* Tests symbols of guests: reading them from files, and finding the guest of a task. */
#include "unit/ktap.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/format.h"
#include "file/load.h"
#include "kernel/guest/guests.h"
#include "kernel/guest/symbols.h"
#include "kernel/sym/ksyms.h"
#include "model/meta.h"

#define GUEST	"ffffffff81000000 T startup_64\n"		\
		"ffffffff81000040 t native_apic_mem_write\n"	\
		"ffffffff81000040 W alias\n"			\
		"ffffffff81000060 D a_variable\n"		\
		"ffffffff81000080 T native_halt\n"		\
		"ffffffffc0000000 t first\t[mod]\n"

static struct fargs_error_text err;
static char path[64];

static struct fargs_ksyms *read_bytes(const char *text, size_t n)
{
	int fd;

	strcpy(path, "/tmp/fargs-guests-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0 || write(fd, text, n) != (ssize_t)n)
		ktap_fail(__FILE__, __LINE__, "%s cannot be written", path);
	close(fd);
	err.text[0] = '\0';
	return fargs_guest_symbols_read(path, &err);
}

/*
 * Checks that reading a file with @text fails, and that the message is the file's name in quotes,
 * followed by @expected.
 */
static void refuses_bytes(const char *text, size_t n, const char *expected)
{
	struct fargs_ksyms *syms = read_bytes(text, n);

	CHECK(!syms);
	CHECK(err.text[0] == '\'');
	CHECK(!strncmp(err.text + 1, path, strlen(path)));
	CHECK(err.text[1 + strlen(path)] == '\'');
	CHECK_STR(err.text + strlen(path) + 2, expected);
	CHECK(!strchr(err.text, '\n'));
	fargs_ksyms_destroy(syms);
	unlink(path);
}

static void refuses(const char *text, const char *expected)
{
	refuses_bytes(text, strlen(text), expected);
}

static void check(const struct fargs_ksyms *syms, uint64_t addr, const char *name, uint64_t start)
{
	const struct fargs_ksym *found = fargs_ksyms_find_addr(syms, addr);

	CHECK_STR(found ? found->name : "", name);
	CHECK_INT(found ? found->addr : 0, start);
}

static void names_functions_by_address(void)
{
	struct fargs_ksyms *syms = read_bytes(GUEST, strlen(GUEST));

	unlink(path);
	REQUIRE(syms);
	check(syms, 0xffffffff81000000, "startup_64", 0xffffffff81000000);
	check(syms, 0xffffffff8100003f, "startup_64", 0xffffffff81000000);
	check(syms, 0xffffffff81000042, "native_apic_mem_write", 0xffffffff81000040);
	/*
	 * The address 0xffffffff81000060 is that of a variable: it is in no function, and ends the
	 * function before it.
	 */
	check(syms, 0xffffffff8100005f, "native_apic_mem_write", 0xffffffff81000040);
	check(syms, 0xffffffff81000060, "", 0);
	check(syms, 0xffffffffc0000fff, "first", 0xffffffffc0000000);
	/*
	 * None of the following addresses is in a function: before the first symbol, in user space,
	 * 0, far after the last symbol of the kernel, far after the last symbol of the module.
	 */
	check(syms, 0xffffffff80ffffff, "", 0);
	check(syms, 0x7f0012345678, "", 0);
	check(syms, 0, "", 0);
	check(syms, 0xffffffff82000000, "", 0);
	check(syms, 0xffffffffc0001000, "", 0);
	fargs_ksyms_destroy(syms);
}

static void takes_a_file_without_a_last_newline(void)
{
	struct fargs_ksyms *syms = read_bytes("0000000000001100 t loop", 23);

	unlink(path);
	REQUIRE(syms);
	check(syms, 0x1105, "loop", 0x1100);
	fargs_ksyms_destroy(syms);
}

static void refuses_hidden_addresses(void)
{
	refuses("0000000000000000 T startup_64\n0000000000000000 t native_halt\n",
		": all addresses are 0, because kernel.kptr_restrict hides them: copy the "
		"guest's /proc/kallsyms as root");
}

static void refuses_files_without_code(void)
{
	refuses("", " is empty: give a copy of the guest's /proc/kallsyms");
	refuses("ffffffff81000060 D a_variable\n", " has no function symbols");
	refuses("\n\n", " has no function symbols");
}

#define LINE(n)	": kernel symbols: line " #n " is not in the format of /proc/kallsyms"

static void refuses_other_forms(void)
{
	refuses("#!/bin/sh\necho hello\n", LINE(1));
	refuses(GUEST "                 U printf\n", LINE(7));
	refuses(GUEST "0x81000000 T startup_64\n", LINE(7));
	refuses("ffffffff81000000\n", LINE(1));
	refuses("ffffffff81000000 T\n", LINE(1));
	refuses("ffffffff81000000 T \tname\n", LINE(1));
	refuses("ffffffff81000000 TT name\n", LINE(1));
	refuses("ffffffff81000000\tT\tname\n", LINE(1));
	refuses("ffffffff81000000 T two names\n", LINE(1));
	refuses("ffffffff81000000 T name\t[mod\n", LINE(1));
	refuses("ffffffff81000000 T name\t[]\n", LINE(1));
	refuses("11ffffffff81000000 T name\n", LINE(1));
	refuses("T name ffffffff81000000\n", LINE(1));
	refuses_bytes("ffffffff81000000 T na\0me\n", 25, LINE(1));
	refuses_bytes("\177ELF\2\1\1\0\0\0", 10, LINE(1));
	refuses_bytes("\0\0\0\0", 4, LINE(1));
}

static void refuses_what_cannot_be_read(void)
{
	struct fargs_ksyms *syms = fargs_guest_symbols_read("/tmp", &err);

	CHECK(!syms);
	CHECK_STR(err.text, "cannot read '/tmp': Is a directory");
	CHECK(!fargs_guest_symbols_read("/proc/self/none", &err));
	CHECK_STR(err.text, "cannot read '/proc/self/none': No such file or directory");
	syms = read_bytes(GUEST, strlen(GUEST));
	fargs_ksyms_destroy(syms);
	if (!geteuid()) {
		unlink(path);
		return;
	}
	chmod(path, 0);
	CHECK(!fargs_guest_symbols_read(path, &err));
	CHECK(strstr(err.text, "Permission denied"));
	unlink(path);
}

static struct fargs_ksyms *symbols_of(const char *text)
{
	return fargs_ksyms_parse(text, strlen(text), &err);
}

/* Returns the name of the function at 0x1004 in the guest of the given task; "": none. */
static const char *name_for(const struct fargs_guests *all, pid_t tid, pid_t tgid,
			    const char *comm, const char *process)
{
	const struct fargs_guest_task task = { tid, tgid, comm, process };
	const struct fargs_ksyms *syms = fargs_guests_find(all, &task);
	const struct fargs_ksym *sym = syms ? fargs_ksyms_find_addr(syms, 0x1004) : NULL;

	return sym ? sym->name : "";
}

static void keeps_guests_apart(void)
{
	struct fargs_guests all = { };

	CHECK_STR(name_for(&all, 11, 10, "CPU 0/KVM", "qemu"), "");
	CHECK(!fargs_guests_add(&all, 10, "", symbols_of("0000000000001000 T of_10\n")));
	CHECK(!fargs_guests_add(&all, 0, "qemu", symbols_of("0000000000001000 T of_qemu\n")));
	CHECK_STR(name_for(&all, 11, 10, "CPU 0/KVM", "qemu"), "of_10");
	CHECK_STR(name_for(&all, 21, 20, "CPU 0/KVM", "qemu"), "of_qemu");
	CHECK_STR(name_for(&all, 31, 30, "CPU 0/KVM", "crosvm"), "");
	CHECK_STR(name_for(&all, 31, 30, "qemu", "crosvm"), "of_qemu");
	/*
	 * A tid is compared with the pid of a guest's process only if the task's tgid is unknown.
	 */
	CHECK_STR(name_for(&all, 10, 9, NULL, NULL), "");
	CHECK_STR(name_for(&all, 10, -1, NULL, NULL), "of_10");
	CHECK_STR(name_for(&all, 11, -1, NULL, NULL), "");

	CHECK(!fargs_guests_add(&all, 0, "", symbols_of("0000000000001000 T of_any\n")));
	CHECK_STR(name_for(&all, 31, 30, "CPU 0/KVM", "crosvm"), "of_any");
	CHECK_STR(name_for(&all, 11, -1, NULL, NULL), "of_any");
	CHECK_STR(name_for(&all, 21, 20, "CPU 0/KVM", "qemu"), "of_qemu");
	CHECK_STR(name_for(&all, 10, 10, "qemu", "qemu"), "of_10");
	fargs_guests_deinit(&all);
	CHECK_INT(all.nr, 0);
}

static void takes_the_last_of_a_guest(void)
{
	struct fargs_guests all = { };

	CHECK(!fargs_guests_add(&all, 0, "qemu-system-x86_64",
				symbols_of("0000000000001000 T old\n")));
	CHECK(!fargs_guests_add(&all, 0, "qemu-system-x86",
				symbols_of("0000000000001000 T new\n")));
	CHECK_INT(all.nr, 1);
	/* The name has as many characters as a comm can hold. */
	CHECK_STR(name_for(&all, 1, 1, NULL, "qemu-system-x86"), "new");
	fargs_guests_deinit(&all);
}

/*
 * Tests guests with pids whose names were given by QEMU, and differ from the names of their
 * processes.
 */
static void takes_the_last_of_a_name(void)
{
	struct fargs_guests all = { };

	CHECK(!fargs_guests_add(&all, 10, "web", symbols_of("0000000000001000 T old_10\n")));
	CHECK(!fargs_guests_add(&all, 20, "web", symbols_of("0000000000001000 T old_20\n")));
	CHECK(!fargs_guests_add(&all, 30, "", symbols_of("0000000000001000 T of_30\n")));
	CHECK_STR(name_for(&all, 11, 10, "CPU 0/KVM", "qemu"), "old_10");
	CHECK_STR(name_for(&all, 51, 50, "CPU 0/KVM", "web"), "");
	CHECK(!fargs_guests_add(&all, 20, "web", symbols_of("0000000000001000 T of_20\n")));
	CHECK_INT(all.nr, 3);
	CHECK_STR(name_for(&all, 21, 20, "CPU 0/KVM", "qemu"), "of_20");
	CHECK_STR(name_for(&all, 11, 10, "CPU 0/KVM", "qemu"), "old_10");
	/* A guest for any process does not replace the guest for one process that has no name. */
	CHECK(!fargs_guests_add(&all, 0, "", symbols_of("0000000000001000 T of_any\n")));
	CHECK_INT(all.nr, 4);
	CHECK_STR(name_for(&all, 31, 30, "CPU 0/KVM", "qemu"), "of_30");
	CHECK(!fargs_guests_add(&all, 0, "web", symbols_of("0000000000001000 T of_web\n")));
	CHECK_INT(all.nr, 3);
	CHECK_STR(name_for(&all, 51, 50, "CPU 0/KVM", "web"), "of_web");
	CHECK_STR(name_for(&all, 11, 10, "CPU 0/KVM", "qemu"), "of_any");
	fargs_guests_deinit(&all);
}

/*
 * Loads a GUEST chunk with @pid and @name_bytes in its header, followed by @text. Returns 0 or
 * -errno.
 */
static int load(int32_t pid, uint32_t name_bytes, const char *text, size_t n)
{
	struct fargs_file_guest head = { pid, name_bytes };
	struct fargs_meta meta;
	char payload[256];
	int ret;

	fargs_meta_init(&meta);
	memcpy(payload, &head, sizeof(head));
	memcpy(payload + sizeof(head), text, n);
	err.text[0] = '\0';
	ret = fargs_load_chunk(&meta, FARGS_CHUNK_GUEST, payload, sizeof(head) + n, &err);
	CHECK_INT(meta.guests.nr, !ret);
	CHECK(!ret || err.text[0]);
	fargs_meta_deinit(&meta);
	return ret;
}

static void refuses_chunks_that_lie(void)
{
	static const char good[] = "ab\0ffffffff81000000 T of_ab\n";
	static const char bad[] = "ab\0ffffffff81000000\n";
	struct fargs_meta meta;

	CHECK_INT(load(0, 3, good, sizeof(good) - 1), 0);
	CHECK_INT(load(7, 3, good, sizeof(good) - 1), 0);
	CHECK_INT(load(-1, 3, good, sizeof(good) - 1), -EIO);
	CHECK_INT(load(0, 0, good, sizeof(good) - 1), -EIO);
	CHECK_INT(load(0, 2, good, sizeof(good) - 1), -EIO);
	CHECK_INT(load(0, sizeof(good), good, sizeof(good) - 1), -EIO);
	CHECK_INT(load(0, UINT32_MAX, good, sizeof(good) - 1), -EIO);
	CHECK_INT(load(0, 3, good, 3), -EIO);
	CHECK_INT(load(0, 1, good, 0), -EIO);
	CHECK_INT(load(0, 3, bad, sizeof(bad) - 1), -EIO);
	fargs_meta_init(&meta);
	CHECK_INT(fargs_load_chunk(&meta, FARGS_CHUNK_GUEST, good, 7, &err), -EIO);
	fargs_meta_deinit(&meta);
}

/* Loads a GUEST_MODULES chunk for the process @pid, whose name is "ab", with the list @text. */
static int load_modules(struct fargs_meta *meta, int32_t pid, const char *text, size_t n)
{
	struct fargs_file_guest head = { pid, 3 };
	char payload[256];

	memcpy(payload, &head, sizeof(head));
	memcpy(payload + sizeof(head), "ab", 3);
	memcpy(payload + sizeof(head) + 3, text, n);
	err.text[0] = '\0';
	return fargs_load_chunk(meta, FARGS_CHUNK_GUEST_MODULES, payload, sizeof(head) + 3 + n,
				&err);
}

static void refuses_modules_that_lie(void)
{
	static const char good[] = "mod 4096 0 - Live 0x0000000000002000\n";
	static const char bad[] = "mod 4096 0 - Live\n";
	const struct fargs_ksym *sym;
	struct fargs_meta meta;

	fargs_meta_init(&meta);
	/* The chunk with the symbols of a guest must precede the chunk with its modules. */
	CHECK_INT(load_modules(&meta, 7, good, sizeof(good) - 1), -EIO);
	CHECK(!fargs_guests_add(&meta.guests, 7, "ab", symbols_of("0000000000001000 T of_7\n")));
	CHECK_INT(load_modules(&meta, 8, good, sizeof(good) - 1), -EIO);
	CHECK_INT(load_modules(&meta, 7, bad, sizeof(bad) - 1), -EIO);
	CHECK(err.text[0]);
	CHECK_INT(fargs_load_chunk(&meta, FARGS_CHUNK_GUEST_MODULES, good, 7, &err), -EIO);
	CHECK_INT(load_modules(&meta, 7, good, sizeof(good) - 1), 0);
	/* A second list of modules replaces the first one. */
	CHECK_INT(load_modules(&meta, 7, good, sizeof(good) - 1), 0);
	sym = fargs_ksyms_find_addr(meta.guests.guests[0].syms, 0x2001);
	CHECK_STR(sym ? sym->name : "", "[mod]");
	fargs_meta_deinit(&meta);
}

static const struct ktap_test tests[] = {
	{ "names functions by address", names_functions_by_address },
	{ "accepts a file without final newline", takes_a_file_without_a_last_newline },
	{ "refuses hidden addresses", refuses_hidden_addresses },
	{ "refuses files without code", refuses_files_without_code },
	{ "refuses other formats", refuses_other_forms },
	{ "refuses unreadable files", refuses_what_cannot_be_read },
	{ "uses each guest's own symbols", keeps_guests_apart },
	{ "refuses invalid chunks", refuses_chunks_that_lie },
	{ "uses the last file given for a guest", takes_the_last_of_a_guest },
	{ "uses the last file given for a name", takes_the_last_of_a_name },
	{ "refuses invalid modules", refuses_modules_that_lie },
};

int main(void)
{
	return KTAP_RUN(tests);
}
