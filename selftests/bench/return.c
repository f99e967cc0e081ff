// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows one function of four arguments to its return, while a command runs:
 * arguments, value and time of the call in one record.
 *
 *	return FUNCTION MORE COMMAND [ARG...]
 *
 * MORE other functions, which nobody calls, are followed as well: the kernel has
 * other means for many than for few. Prints how many records were kept, and what
 * START and STOP took in ticks of the TSC.
 */
#include <sys/wait.h>
#include <x86intrin.h>

#include "lib/returns.h"

#define RING_BYTES	(16u << 20)

static void add_function(int fd, uint64_t addr)
{
	struct maker m;

	maker_init(&m, addr, FARGS_LAYOUT_RETURN);
	maker_reg(&m, "obj", FARGS_TYPE_PTR, 0);
	maker_reg(&m, "name", FARGS_TYPE_PTR, 1);
	maker_reg(&m, "flags", FARGS_TYPE_U64, 2);
	maker_reg(&m, "mode", FARGS_TYPE_S32, 3);
	maker_return(&m, "ret", FARGS_TYPE_S32, FARGS_SOURCE_RETURN, 0);
	maker_return(&m, "entered", FARGS_TYPE_U64, FARGS_SOURCE_ENTRY_TSC, 0);
	must(maker_add(fd, &m), "ADD");
}

/* Functions that are there in every kernel, and that no benchmark calls. */
static void add_more(int fd, unsigned int nr)
{
	FILE *symbols = fopen("/proc/kallsyms", "re");
	unsigned long long addr;
	char line[512], name[256];
	struct maker m;
	char type;

	while (symbols && nr && fgets(line, sizeof(line), symbols)) {
		if (sscanf(line, "%llx %c %255s", &addr, &type, name) != 3 ||
		    strncmp(name, "acpi_", 5) || (type != 't' && type != 'T'))
			continue;
		maker_init(&m, addr, FARGS_LAYOUT_RETURN);
		nr -= !maker_add(fd, &m);
	}
	must(nr ? -ENOENT : 0, "more functions");
	fclose(symbols);
}

static int run_command(char **command)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		execvp(command[0], command);
		_exit(127);
	}
	must(pid < 0 ? -errno : 0, "fork");
	must(waitpid(pid, &status, 0) < 0 ? -errno : 0, "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char **argv)
{
	uint64_t before, start_ticks, stop_ticks, addr;
	struct reader r;
	int status;

	if (argc < 4) {
		fprintf(stderr, "usage: return FUNCTION MORE COMMAND [ARG...]\n");
		return 2;
	}
	addr = symbol_address(argv[1]);
	must(addr ? 0 : -ENOENT, argv[1]);
	reader_open(&r, RING_BYTES);
	add_function(r.fd, addr);
	add_more(r.fd, atoi(argv[2]));
	before = __rdtsc();
	must(session_start(r.fd), "START");
	start_ticks = __rdtsc() - before;
	status = run_command(argv + 3);
	before = __rdtsc();
	must(session_stop(r.fd), "STOP");
	stop_ticks = __rdtsc() - before;
	printf("records=%lu start=%lu stop=%lu\n", reader_skip(&r), start_ticks, stop_ticks);
	reader_close(&r);
	return status;
}
