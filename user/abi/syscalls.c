// SPDX-License-Identifier: GPL-2.0-only
#include "abi/syscalls.h"

#include <string.h>

#include <asm/unistd_64.h>

struct syscall {
	const char *name;
	unsigned int nr;
};

#define N(name)	{ #name, __NR_##name },

/* The header has a line N(NAME) for each __NR_NAME that asm/unistd_64.h defines (Makefile). */
static const struct syscall syscalls[] = {
#include <syscall_names.h>
};

#define NR_SYSCALLS	(sizeof(syscalls) / sizeof(syscalls[0]))

bool fargs_syscalls_find(const char *name, size_t len, unsigned int *nr)
{
	size_t i;

	for (i = 0; i < NR_SYSCALLS; i++)
		if (!strncmp(syscalls[i].name, name, len) && !syscalls[i].name[len]) {
			*nr = syscalls[i].nr;
			return true;
		}
	return false;
}

void fargs_syscalls_offer(struct fargs_near *near)
{
	size_t i;

	for (i = 0; i < NR_SYSCALLS; i++)
		fargs_near_offer(near, syscalls[i].name);
}

bool fargs_syscalls_has_number(const char *name)
{
	static const char system[] = "raw_syscalls:";

	if (!strncmp(name, system, strlen(system)))
		name += strlen(system);
	return !strcmp(name, "sys_enter") || !strcmp(name, "sys_exit");
}
