// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests finding the name of a guest in QEMU's command line: the option -name of qemu(1), in which
 * two commas represent a comma of the name.
 */
#include "unit/ktap.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "kernel/guest/qemu.h"

static void check(const char *cmdline, size_t bytes, const char *expected)
{
	char *name = fargs_qemu_name(cmdline, bytes);

	CHECK_STR(name ? name : "", expected);
	free(name);
}

/* The size includes the last NUL, as in /proc/PID/cmdline. */
#define CHECK_NAME(cmdline, expected)	check(cmdline, sizeof(cmdline), expected)

static void takes_the_name(void)
{
	CHECK_NAME("qemu-system-x86_64\0-name\0web", "web");
	CHECK_NAME("/usr/bin/qemu-system-x86_64\0-m\0002G\0-name\0web\0-smp\0002", "web");
	CHECK_NAME("/usr/libexec/qemu-kvm\0--name\0web", "web");
	CHECK_NAME("kvm\0-name\0web", "web");
}

static void takes_it_out_of_options(void)
{
	CHECK_NAME("qemu-kvm\0-name\0guest=web,debug-threads=on", "web");
	CHECK_NAME("qemu-kvm\0-name\0web,process=other", "web");
	CHECK_NAME("qemu-kvm\0-name\0debug-threads=on,guest=web", "web");
	CHECK_NAME("qemu-kvm\0-name\0guest=a,,b,debug-threads=on", "a,b");
	CHECK_NAME("qemu-kvm\0-name\0two words", "two words");
	CHECK_NAME("qemu-kvm\0-name\0old\0-name\0new", "new");
}

static void finds_none(void)
{
	CHECK_NAME("qemu-kvm\0-m\0001G", "");
	CHECK_NAME("qemu-kvm\0-name", "");
	CHECK_NAME("qemu-kvm\0-name\0", "");
	CHECK_NAME("qemu-kvm\0-name\0process=web", "");
	CHECK_NAME("qemu-kvm\0-name\0guest=", "");
	/* Options of other programs are ignored. */
	CHECK_NAME("find\0.\0-name\0web", "");
	CHECK_NAME("/opt/qemu-x/find\0-name\0web", "");
	/*
	 * A kernel thread has no command line, and a process that has changed its command line may
	 * lack the last NUL.
	 */
	check("", 0, "");
	check("qemu-kvm\0-name\0web", sizeof("qemu-kvm\0-name\0web") - 1, "");
}

static void make(const char *dir, const char *pid, const char *cmdline, size_t bytes)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, pid);
	CHECK(!mkdir(path, 0700));
	snprintf(path, sizeof(path), "%s/%s/cmdline", dir, pid);
	file = fopen(path, "w");
	REQUIRE(file);
	CHECK_INT(fwrite(cmdline, 1, bytes, file), bytes);
	fclose(file);
}

static void finds_processes_by_name(void)
{
	static const char web[] = "qemu-kvm\0-name\0web", other[] = "qemu-kvm\0-name\0webs";
	char dir[] = "/tmp/fargs-qemu-XXXXXX", command[64];
	pid_t *pids;

	REQUIRE(mkdtemp(dir));
	make(dir, "1", "init", 5);
	make(dir, "20", web, sizeof(web));
	make(dir, "30", other, sizeof(other));
	make(dir, "40", "", 0);
	make(dir, "self", web, sizeof(web));
	CHECK_INT(fargs_qemu_find(dir, "web", &pids), 1);
	CHECK_INT(pids ? pids[0] : 0, 20);
	free(pids);
	make(dir, "50", web, sizeof(web));
	CHECK_INT(fargs_qemu_find(dir, "web", &pids), 2);
	CHECK_INT(pids ? pids[0] + pids[1] : 0, 70);
	free(pids);
	CHECK_INT(fargs_qemu_find(dir, "none", &pids), 0);
	free(pids);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	CHECK(!system(command));
	CHECK_INT(fargs_qemu_find(dir, "web", &pids), -ENOENT);
	free(pids);
}

static const struct ktap_test tests[] = {
	{ "reads the name", takes_the_name },
	{ "reads the name among suboptions", takes_it_out_of_options },
	{ "finds no name if there is none", finds_none },
	{ "finds processes by name", finds_processes_by_name },
};

int main(void)
{
	return KTAP_RUN(tests);
}
