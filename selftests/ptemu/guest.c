// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs that are traced in the guest. The file is linked statically and for a fixed address,
 * so a decoder needs no other file and no load address.
 *
 *	guest ptwrite NR		NR PTWRITEs of 64 bits, and as many of 32
 *	guest ptwrites NR		the same of operands in memory
 *	guest work NR			calls, returns and system calls
 *	guest alone NR			the same on CPU 1, whose CR3_MATCH is this program's
 *	guest msr MSR VALUE		writes an MSR on every CPU
 *	guest overflow BYTES BRANCHES	forces overflows on every CPU (model.h)
 *	guest count TASKS TIMES		TASKS tasks make calls of fargs_target with increasing
 *					numbers on all CPUs: the first task from 1000 on, the
 *					second from 2000 on, and so on
 *	guest filter NR			sends NR packets to itself through a BPF program; after
 *					a line is read, or at the end of input, NR through
 *					another one; then NR through a third one
 *	guest filter			prints bytes that are in the code of these programs
 *	guest jit NR			generates NR functions, one after the other at the same
 *					address; calls each, and writes them to jit-PID.dump
 */
#include <cpuid.h>
#include <elf.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model.h"

static int ptwrite(uint64_t nr)
{
	unsigned int a, b, c, d;
	uint64_t i;

	__cpuid_count(0x14, 0, a, b, c, d);
	if (a < 1 || !(b & 1 << 4)) {
		fprintf(stderr, "guest: CPUID has no PTWRITE\n");
		return 1;
	}
	for (i = 0; i < nr; i++) {
		/* Write the instruction's bytes, because not every assembler supports it. */
		asm volatile(".byte 0xf3, 0x48, 0x0f, 0xae, 0xe0" : : "a"(i << 40 | 0x5aa5));
		asm volatile("mov %0, %%r9; .byte 0xf3, 0x41, 0x0f, 0xae, 0xe1" : :
			     "r"(~i << 32 | i) : "r9");
	}
	return 0;
}

static uint64_t words[64];

/* Operands with a base, an index and a displacement, and with an address relative to RIP. */
static int ptwrites(uint64_t nr)
{
	uint64_t i;

	for (i = 0; i < nr; i++) {
		words[i % 32 + 4] = i << 40 | 0x5aa5;
		words[0] = ~i << 32 | i;
		/* ptwriteq 32(%rax,%rcx,8); ptwritel words(%rip) */
		asm volatile(".byte 0xf3, 0x48, 0x0f, 0xae, 0x64, 0xc8, 0x20" : :
			     "a"(words), "c"(i % 32) : "memory");
		asm volatile(".byte 0xf3, 0x0f, 0xae, 0x25; .long words - . - 4" : : : "memory");
	}
	return 0;
}

static __attribute__((noinline)) uint64_t fib(uint64_t n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static uint64_t (*volatile indirect)(uint64_t n) = fib;

static int work(uint64_t nr)
{
	uint64_t i, sum = 0;

	for (i = 0; i < nr; i++) {
		sum += indirect(10);
		sum += (uint64_t)getppid();
	}
	return sum == 0;
}

static int write_msr(int cpu, uint64_t msr, uint64_t value)
{
	char path[64];
	int fd, failed;

	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	fd = open(path, O_WRONLY);
	failed = fd < 0 || pwrite(fd, &value, sizeof(value), (off_t)msr) != 8;
	if (failed)
		perror(path);
	close(fd);
	return failed;
}

static int write_msrs(uint64_t msr, uint64_t value)
{
	int cpu;

	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++)
		if (write_msr(cpu, msr, value))
			return 1;
	return 0;
}

static int go_to(long cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	return sched_setaffinity(0, sizeof(cpus), &cpus);
}

static int alone(uint64_t nr)
{
	/* It runs where it writes, so that the MSR is written with its own CR3. */
	return go_to(1) || write_msr(1, MSR_MATCH_CR3, 0) || work(nr);
}

static int count_on(long cpu, uint64_t first, uint64_t times)
{
	char command[64];
	int fd, n;

	fd = open("/proc/fargs_target", O_WRONLY);
	n = snprintf(command, sizeof(command), "number %llu %llu", (unsigned long long)first,
		     (unsigned long long)times);
	if (go_to(cpu) || fd < 0 || write(fd, command, n) != n) {
		perror("/proc/fargs_target");
		return 1;
	}
	return 0;
}

static int count(uint64_t tasks, uint64_t times)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int status, failed = 0;
	uint64_t i;

	for (i = 1; i <= tasks; i++)
		if (!fork())
			_exit(count_on((long)i % nr_cpus, 1000 * i, times));
	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}

#define INSN(op, to, from, number)	\
	{ .code = (op), .dst_reg = (to), .src_reg = (from), .imm = (number) }

#define FILTER_BYTES	"FaPt"

/* Loads a socket filter that accepts all packets, after a loop of @turns iterations. */
static int load_filter(const char *name, int turns)
{
	struct bpf_insn insns[] = {
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_6, 0, turns),
		INSN(BPF_ALU64 | BPF_SUB | BPF_K, BPF_REG_6, 0, 1),
		{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = BPF_REG_6, .off = -2 },
		INSN(BPF_JMP | BPF_CALL, 0, 0, BPF_FUNC_ktime_get_ns),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0),
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
		.insns = (uintptr_t)insns,
		.insn_cnt = sizeof(insns) / sizeof(insns[0]),
		.license = (uintptr_t)"GPL",
	};

	/* Accept more bytes than any packet has, that is, the whole packet. */
	memcpy(&insns[4].imm, FILTER_BYTES, sizeof(insns[4].imm));
	strcpy(attr.prog_name, name);
	return (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

static int send_through(const char *name, int turns, uint64_t nr)
{
	int sockets[2], prog = load_filter(name, turns);
	char byte = 0;
	uint64_t i;

	if (prog < 0 || socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets) ||
	    setsockopt(sockets[1], SOL_SOCKET, SO_ATTACH_BPF, &prog, sizeof(prog))) {
		perror("guest: a BPF program");
		return 1;
	}
	for (i = 0; i < nr; i++)
		if (send(sockets[0], &byte, 1, 0) != 1 || recv(sockets[1], &byte, 1, 0) != 1)
			return 1;
	/* Keep the program loaded until a line is read. */
	while (read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n')
		;
	close(sockets[0]);
	close(sockets[1]);
	close(prog);
	return 0;
}

static int filter(uint64_t nr)
{
	return send_through("fargs_first", 3, nr) || send_through("fargs_second", 500, nr) ||
	       send_through("fargs_third", 7, nr);
}

/*
 * A loop of 3 rounds behind @nr_nops NOPs, so its branch is elsewhere than that of the function
 * before. Returns the number of bytes.
 */
static size_t generate(uint8_t *code, unsigned int nr_nops)
{
	/* mov $3, %eax; dec %eax; jnz .-2; ret */
	static const uint8_t loop[] = { 0xb8, 3, 0, 0, 0, 0xff, 0xc8, 0x75, 0xfc, 0xc3 };

	memset(code, 0x90, nr_nops);
	memcpy(code + nr_nops, loop, sizeof(loop));
	return nr_nops + sizeof(loop);
}

static uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* Writes the record of a generated function, by jitdump-specification.txt of Linux. */
static int dump_function(int fd, uint64_t i, const uint8_t *code, size_t bytes)
{
	struct {
		uint32_t id, bytes;
		uint64_t ns;
		uint32_t pid, tid;
		uint64_t vma, addr, code_bytes, index;
		char name[16];
	} load = {
		.bytes = sizeof(load) + bytes, .ns = monotonic_ns(),
		.pid = getpid(), .tid = getpid(), .vma = (uintptr_t)code, .addr = (uintptr_t)code,
		.code_bytes = bytes, .index = i,
	};

	snprintf(load.name, sizeof(load.name), "generated_%05u", (unsigned int)i);
	return write(fd, &load, sizeof(load)) != sizeof(load) ||
	       write(fd, code, bytes) != (ssize_t)bytes;
}

static int run_generated(uint64_t nr)
{
	struct {
		uint32_t magic, version, bytes, machine, pad, pid;
		uint64_t ns, flags;
	} head = {
		.magic = 0x4a695444, .version = 1, .bytes = sizeof(head), .machine = EM_X86_64,
		.pid = getpid(), .ns = monotonic_ns(),
	};
	uint8_t *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[32];
	uint64_t i;
	int fd;

	snprintf(name, sizeof(name), "jit-%d.dump", (int)getpid());
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
	/* The kernel records where the dump is because it is mapped as code. */
	if (code == MAP_FAILED || fd < 0 || write(fd, &head, sizeof(head)) != sizeof(head) ||
	    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED) {
		perror("guest: a dump of generated code");
		return 1;
	}
	for (i = 0; i < nr; i++) {
		if (dump_function(fd, i, code, generate(code, i * 7 % 64)))
			return 1;
		asm volatile("call *%0" : : "r"(code) : "eax", "cc", "memory");
	}
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t a = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
	uint64_t b = argc > 3 ? strtoull(argv[3], NULL, 0) : 0;

	if (argc == 3 && !strcmp(argv[1], "ptwrite"))
		return ptwrite(a);
	if (argc == 3 && !strcmp(argv[1], "work"))
		return work(a);
	if (argc == 3 && !strcmp(argv[1], "ptwrites"))
		return ptwrites(a);
	if (argc == 3 && !strcmp(argv[1], "alone"))
		return alone(a);
	if (argc == 4 && !strcmp(argv[1], "msr"))
		return write_msrs(a, b);
	if (argc == 4 && !strcmp(argv[1], "overflow"))
		return write_msrs(MSR_FORCE_OVERFLOW, a << 32 | b);
	if (argc == 4 && !strcmp(argv[1], "count"))
		return count(a, b);
	if (argc == 3 && !strcmp(argv[1], "filter"))
		return filter(a);
	if (argc == 3 && !strcmp(argv[1], "jit"))
		return run_generated(a);
	if (argc == 2 && !strcmp(argv[1], "filter"))
		return puts(FILTER_BYTES) < 0;
	return 2;
}
