// SPDX-License-Identifier: GPL-2.0-only
/*
 * A 32-bit program that is traced in the guest: calls, returns and system calls. It needs no
 * library, because a 32-bit one is not installed everywhere.
 */
#define SYS_EXIT	1
#define SYS_GETPPID	64

static int syscall1(int number, int argument)
{
	int result;

	asm volatile("int $0x80" : "=a"(result) : "a"(number), "b"(argument) : "memory");
	return result;
}

static __attribute__((noinline)) unsigned int fib(unsigned int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static unsigned int (*volatile indirect)(unsigned int n) = fib;

void _start(void);

void _start(void)
{
	unsigned int i, sum = 0;

	for (i = 0; i < 20; i++) {
		sum += indirect(10);
		sum += (unsigned int)syscall1(SYS_GETPPID, 0);
	}
	syscall1(SYS_EXIT, !sum);
}
