// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the addresses of the instructions that a program executes in user space, one per line,
 * by single-stepping it: a witness that has nothing to do with Intel PT.
 *
 *	step COMMAND [ARGUMENT...]
 *
 * A repeated string instruction traps once per repetition, but is one line. An instruction that
 * faults is not executed, so it has no line, unless it is repeated after the fault.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what)
{
	fprintf(stderr, "step: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t instruction_pointer(pid_t pid)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
		fail("registers");
	return regs.rip;
}

int main(int argc, char **argv)
{
	uint64_t ip, last = 0;
	cpu_set_t cpus;
	int status, number = 0, delivered;
	pid_t pid;

	if (argc < 2) {
		fprintf(stderr, "Usage: step COMMAND [ARGUMENT...]\n");
		return 2;
	}
	/* It alternates with the program: waking up another CPU for each step takes longer. */
	CPU_ZERO(&cpus);
	CPU_SET(sched_getcpu(), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	pid = fork();
	if (pid < 0)
		fail("fork");
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[1], argv + 1);
		fail(argv[1]);
	}
	/* The first stop is that of execve(), in front of the first instruction. */
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		fail(argv[1]);
	for (;;) {
		ip = instruction_pointer(pid);
		delivered = number;
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, (void *)(intptr_t)number))
			fail("single step");
		if (waitpid(pid, &status, 0) != pid)
			fail("wait");
		number = WIFSTOPPED(status) && WSTOPSIG(status) != SIGTRAP ? WSTOPSIG(status) : 0;
		/*
		 * An instruction that raises a signal is not executed, and the stop after its
		 * delivery is in front of the handler.
		 */
		if (number || delivered)
			continue;
		if (ip != last)
			printf("%llx\n", (unsigned long long)ip);
		last = ip;
		if (!WIFSTOPPED(status))
			break;
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "step: %s failed\n", argv[1]);
		return 1;
	}
	return fflush(stdout) || ferror(stdout);
}
