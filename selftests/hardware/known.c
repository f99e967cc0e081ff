// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program whose execution is known: it has no library, takes no input and ends with the same
 * number of instructions each time. What CPUs may trace differently is in it: conditional branches
 * without a pattern, indirect jumps and calls, recursion deeper than the 64 returns that a CPU
 * compresses, a return that no call belongs to, repeated string instructions, system calls, a
 * signal at an instruction that faults.
 *
 *	known [ROUNDS]		20 rounds, of 5,500 instructions each
 *
 * Its calls of read() have the sizes 1 to READS. It prints nothing.
 */
#include <asm/unistd_64.h>

#define ROUNDS		20ul
#define READS		100
#define DEPTH		100
#define SA_SIGINFO	4
#define SA_RESTORER	0x04000000
#define SIGILL		4
#define UD2_BYTES	2
/* In a signal's frame, struct ucontext's uc_mcontext.rip. */
#define CONTEXT_RIP	168

/* As the kernel has it: struct kernel_sigaction of the C library. */
struct action {
	void (*handler)(int number, void *info, char *context);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long mask;
};

void known_start(void);
void sig_return(void);

static long syscall3(long nr, long a, long b, long c)
{
	long ret;

	asm volatile("syscall" : "=a"(ret) : "a"(nr), "D"(a), "S"(b), "d"(c) :
		     "rcx", "r11", "memory");
	return ret;
}

static long syscall4(long nr, long a, long b, long c, long d)
{
	register long r10 asm("r10") = d;
	long ret;

	asm volatile("syscall" : "=a"(ret) : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10) :
		     "rcx", "r11", "memory");
	return ret;
}

static unsigned long state = 1;

static unsigned long next_random(void)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return state >> 33;
}

__attribute__((noinline)) static unsigned long fibonacci(unsigned long n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/* The asm keeps the compiler from making a loop of it. */
__attribute__((noinline)) static unsigned long go_deep(unsigned long n)
{
	unsigned long deeper = n ? go_deep(n - 1) : 0;

	asm volatile("" : "+r"(deeper));
	return deeper + 1;
}

__attribute__((noinline)) static unsigned long add(unsigned long x)
{
	return x + 3;
}

__attribute__((noinline)) static unsigned long rotate(unsigned long x)
{
	return x << 7 | x >> 57;
}

static unsigned long (*volatile const calls[])(unsigned long) = { add, rotate, fibonacci };

/* Jumps to one of four places by a table. */
__attribute__((noinline)) static unsigned long jump(unsigned long which)
{
	unsigned long x;

	asm volatile("jmp *1f(,%1,8)\n"
		     "	.section .rodata\n"
		     "	.balign 8\n"
		     "1:	.quad 2f, 3f, 4f, 5f\n"
		     "	.text\n"
		     "2:	mov $5, %0\n"
		     "	jmp 6f\n"
		     "3:	mov $7, %0\n"
		     "4:	mov $9, %0\n"
		     "	jmp 6f\n"
		     "5:	mov $1, %0\n"
		     "6:" : "=&r"(x) : "r"(which % 4));
	return x;
}

/* A return to an address that was pushed, as of a retpoline. */
static void return_without_call(void)
{
	asm volatile("sub $128, %%rsp\n"
		     "	push $1f\n"
		     "	ret\n"
		     "1:	add $128, %%rsp" : : : "memory", "cc");
}

static char from[64], to[64];

static void copy(unsigned long size)
{
	void *dst = to, *src = from;

	asm volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(size) : : "memory");
}

static void on_ill(int number, void *info, char *context)
{
	(void)number;
	(void)info;
	*(unsigned long *)(context + CONTEXT_RIP) += UD2_BYTES;
}

__attribute__((noinline)) static unsigned long branches(unsigned long turns)
{
	unsigned long i, sum = 0;

	for (i = 0; i < turns; i++) {
		unsigned long bits = next_random();

		if (bits & 1)
			asm volatile("" : "+r"(sum));
		if (bits & 2)
			sum = rotate(sum);
		if (bits & 4)
			sum += jump(bits >> 8);
		if ((bits & 0x18) == 0x18)
			sum += calls[bits >> 8 & 1](bits);
	}
	return sum;
}

static void read_all(void)
{
	static char buf[READS];
	long fd = syscall3(__NR_open, (long)"/dev/zero", 0, 0), i;

	for (i = 1; i <= READS; i++)
		syscall3(__NR_read, fd, (long)buf, i);
	syscall3(__NR_close, fd, 0, 0);
}

static unsigned long number(const char *s)
{
	unsigned long n = 0;

	for (; *s >= '0' && *s <= '9'; s++)
		n = 10 * n + (unsigned long)(*s - '0');
	return n;
}

/* @stack is what the kernel passes: the number of arguments, then the arguments. */
void known_run(const unsigned long *stack);
void known_run(const unsigned long *stack)
{
	unsigned long rounds = stack[0] > 1 ? number((const char *)stack[2]) : ROUNDS;
	static const struct action action = { on_ill, SA_SIGINFO | SA_RESTORER, sig_return, 0 };
	unsigned long i, sum = 0;

	syscall4(__NR_rt_sigaction, SIGILL, (long)&action, 0, sizeof(action.mask));
	for (i = 0; i < rounds; i++) {
		sum += branches(100);
		sum += calls[2](9);
		sum += go_deep(DEPTH);
		copy(i);
		return_without_call();
		if (i % 5 == 0)
			asm volatile("ud2" : : : "memory");
		syscall3(__NR_getppid, 0, 0, 0);
	}
	read_all();
	syscall3(__NR_exit_group, sum == 0, 0, 0);
}

asm(".globl known_start\n"
	"known_start:\n"
	"	xor %ebp, %ebp\n"
	"	mov %rsp, %rdi\n"
	"	call known_run\n"
	".globl sig_return\n"
	"sig_return:\n"
	"	mov $15, %eax\n"	/* __NR_rt_sigreturn */
	"	syscall\n");
