// SPDX-License-Identifier: GPL-2.0-only
/*
 * kvm_guest ROUNDS GO NAME [ARG]...: runs a guest with /dev/kvm in a thread called NAME, once the
 * file GO exists, for ROUNDS rounds (0: slowly, forever). Further arguments are ignored; fargs
 * reads them from /proc.
 *
 * The guest calls two functions, each of which exits by writing to a port:
 *
 *	1000	start	call hello; call bye; again
 *	1100	hello	exits at +1, resumes at +3
 *	1200	bye	exits at +3, resumes at +5
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define MEMORY_BYTES	0x4000
#define STACK		0x3000
#define BYE_PORT	0x11
#define POLL_US		20000

struct code {
	unsigned int at;
	unsigned char bytes[8];
};

/* The guest's code, for 16-bit mode. */
static const struct code code[] = {
	{ 0x1000, { 0xe8, 0xfd, 0x00,		/* call 1100 */
		    0xe8, 0xfa, 0x01,		/* call 1200 */
		    0xeb, 0xf8 } },		/* jmp 1000 */
	{ 0x1100, { 0x90,			/* nop */
		    0xe6, 0x10,			/* out %al, $0x10 */
		    0xc3 } },			/* ret */
	{ 0x1200, { 0x90, 0x90, 0x90,
		    0xe6, BYE_PORT,
		    0xc3 } },
};

struct guest {
	const char *name;
	unsigned long rounds;
	int vcpu;
	struct kvm_run *run;
};

static int check(int ret, const char *what)
{
	if (ret < 0)
		err(1, "%s", what);
	return ret;
}

static void set_up(struct guest *g)
{
	struct kvm_userspace_memory_region region = { .memory_size = MEMORY_BYTES };
	struct kvm_regs regs = { .rip = 0x1000, .rsp = STACK, .rflags = 2 };
	struct kvm_sregs sregs;
	int kvm = check(open("/dev/kvm", O_RDWR | O_CLOEXEC), "/dev/kvm");
	int vm = check(ioctl(kvm, KVM_CREATE_VM, 0), "KVM_CREATE_VM");
	int bytes = check(ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0), "KVM_GET_VCPU_MMAP_SIZE");
	char *memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	size_t i;

	if (memory == MAP_FAILED)
		err(1, "mmap");
	for (i = 0; i < sizeof(code) / sizeof(code[0]); i++)
		memcpy(memory + code[i].at, code[i].bytes, sizeof(code[i].bytes));
	region.userspace_addr = (unsigned long)memory;
	check(ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region), "KVM_SET_USER_MEMORY_REGION");
	g->vcpu = check(ioctl(vm, KVM_CREATE_VCPU, 0), "KVM_CREATE_VCPU");
	g->run = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, g->vcpu, 0);
	if (g->run == MAP_FAILED)
		err(1, "mmap of the vCPU");
	check(ioctl(g->vcpu, KVM_GET_SREGS, &sregs), "KVM_GET_SREGS");
	sregs.cs.base = 0;
	sregs.cs.selector = 0;
	check(ioctl(g->vcpu, KVM_SET_SREGS, &sregs), "KVM_SET_SREGS");
	check(ioctl(g->vcpu, KVM_SET_REGS, &regs), "KVM_SET_REGS");
}

static void *run(void *arg)
{
	struct guest *g = arg;
	unsigned long nr = 0;

	pthread_setname_np(pthread_self(), g->name);
	while (!g->rounds || nr < g->rounds) {
		if (ioctl(g->vcpu, KVM_RUN, 0) < 0) {
			if (errno == EINTR)
				continue;
			err(1, "KVM_RUN");
		}
		if (g->run->exit_reason != KVM_EXIT_IO)
			errx(1, "the guest exited with reason %u", g->run->exit_reason);
		if (g->run->io.port != BYE_PORT)
			continue;
		nr++;
		if (!g->rounds)
			usleep(POLL_US);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct guest g = { };
	pthread_t thread;

	if (argc < 4)
		errx(1, "usage: kvm_guest ROUNDS GO NAME");
	g.rounds = strtoul(argv[1], NULL, 0);
	g.name = argv[3];
	set_up(&g);
	while (access(argv[2], F_OK))
		usleep(POLL_US);
	errno = pthread_create(&thread, NULL, run, &g);
	if (errno)
		err(1, "pthread_create");
	pthread_join(thread, NULL);
	return 0;
}
