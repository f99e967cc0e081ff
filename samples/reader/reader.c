// SPDX-License-Identifier: GPL-2.0-only
/*
 * reader: traces one function, using only the uapi headers.
 *
 *	reader ADDRESS TYPE:NAME... -- COMMAND [ARG...]
 *
 * ADDRESS is the address of the function in hex, from /proc/kallsyms. The TYPE:NAMEs are its
 * arguments, in order, at most six; TYPE is one of u8 s8 u16 s16 u32 s32 u64 s64 bool char ptr.
 * Every call made while COMMAND runs is printed:
 *
 *	cpu 1 seq 0 tid 1234 ip ffffffffc0201004: a=-100
 *
 * A minimal sample of the interface: one thread, no polling while COMMAND runs, no task names, no
 * times in seconds. Calls that do not fit into the rings are only counted.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "uapi/fargs.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_record.h"
#include "uapi/fargs_ring.h"

#define RING_BYTES	(1u << 20)

static const struct {
	const char *name;
	unsigned char type;
	unsigned char bits;
	bool is_signed;
} types[] = {
	{ "u8", FARGS_TYPE_U8, 8, false },
	{ "s8", FARGS_TYPE_S8, 8, true },
	{ "u16", FARGS_TYPE_U16, 16, false },
	{ "s16", FARGS_TYPE_S16, 16, true },
	{ "u32", FARGS_TYPE_U32, 32, false },
	{ "s32", FARGS_TYPE_S32, 32, true },
	{ "u64", FARGS_TYPE_U64, 64, false },
	{ "s64", FARGS_TYPE_S64, 64, true },
	{ "bool", FARGS_TYPE_BOOL, 8, false },
	{ "char", FARGS_TYPE_CHAR, 8, true },
	{ "ptr", FARGS_TYPE_PTR, 64, false },
};

#define NR_TYPES	(sizeof(types) / sizeof(types[0]))

/* Calls an ioctl; if it fails, prints the module's reason and exits. */
static void call(int fd, unsigned long cmd, struct fargs_head *head, uint32_t size,
		 const char *what)
{
	struct fargs_error error = { .text = "" };

	head->size = size;
	head->error = (uintptr_t)&error;
	if (ioctl(fd, cmd, head))
		err(1, "%s: %s", what, error.text);
}

/*
 * Adds a layout, which consists of a header, a store for each argument, and a record body with the
 * name, the type and the value of each argument, in which all values are 0.
 */
static void add_layout(int fd, uint64_t addr, char **args, unsigned int nr)
{
	_Alignas(8) uint8_t memory[2048] = { 0 };
	struct fargs_layout *layout = (void *)memory;
	struct fargs_store *stores = (void *)(layout + 1);
	uint8_t *body = (uint8_t *)(stores + nr);
	struct fargs_add add = { .layouts = (uintptr_t)memory, .nr = 1 };
	size_t at = 0;
	unsigned int i, t;
	char *name;

	for (i = 0; i < nr; i++) {
		name = strchr(args[i], ':');
		for (t = 0; t < NR_TYPES; t++)
			if (name && !strncmp(args[i], types[t].name, name - args[i]) &&
			    !types[t].name[name - args[i]])
				break;
		if (!name++ || t == NR_TYPES || !*name || strlen(name) > 100)
			errx(2, "'%s' is not TYPE:NAME", args[i]);
		strcpy((char *)body + at, name);
		at += strlen(name) + 1;
		body[at++] = types[t].type;
		stores[i] = (struct fargs_store){
			.offset = at, .source = FARGS_SOURCE_REG, .index = i,
		};
		at += 8;
	}
	at = (at + 2 + 7) & ~7ul;	/* an empty name and type 0, then padding to 8 bytes */
	layout->addr = addr;
	layout->nr_stores = nr;
	layout->body_len = at;
	layout->size = body + at - memory;
	add.bytes = layout->size;
	call(fd, FARGS_IOC_ADD, &add.head, sizeof(add), "cannot add the function");
}

static void print_value(unsigned char type, uint64_t raw)
{
	unsigned int t, unused;

	for (t = 0; t < NR_TYPES && types[t].type != type; t++)
		;
	if (t == NR_TYPES)
		errx(1, "a record has the unknown type %u", type);
	/* Bits beyond the width of the type are undefined. */
	unused = 64 - types[t].bits;
	if (type == FARGS_TYPE_PTR)
		printf("0x%" PRIx64, raw);
	else if (types[t].is_signed)
		printf("%" PRId64, (int64_t)(raw << unused) >> unused);
	else
		printf("%" PRIu64, raw << unused >> unused);
}

static void print_body(const uint8_t *body, const uint8_t *end)
{
	const uint8_t *name, *nul;
	uint64_t raw;

	for (;;) {
		name = body;
		nul = memchr(name, 0, end - name);
		if (!nul || end - nul < 2)
			errx(1, "a record has no end marker");
		if (nul[1] == FARGS_TYPE_END)
			return;
		if (end - nul < 2 + 8)
			errx(1, "a record is cut off");
		memcpy(&raw, nul + 2, 8);
		printf(" %s=", (const char *)name);
		print_value(nul[1], raw);
		body = nul + 2 + 8;
	}
}

static void print_record(unsigned int cpu, const struct fargs_record *rec)
{
	const uint8_t *body = (const uint8_t *)(rec + 1);

	if (rec->kind != FARGS_KIND_ENTRY && rec->kind != FARGS_KIND_LOST)
		return;
	printf("cpu %u seq %llu tid %u ip %llx:", cpu, (unsigned long long)rec->seq,
	       rec->tid, (unsigned long long)rec->ip);
	print_body(body, (const uint8_t *)rec + rec->len);
	putchar('\n');
}

static void read_ring(int fd, unsigned int cpu, uint32_t page)
{
	const size_t bytes = page + 2 * (size_t)RING_BYTES;
	const struct fargs_record *rec;
	struct fargs_ring_head *ring;
	struct fargs_ring_tail *tail;
	uint64_t pos, head;

	ring = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, FARGS_MMAP_DATA(cpu));
	tail = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, FARGS_MMAP_TAIL(cpu));
	if (ring == MAP_FAILED || tail == MAP_FAILED)
		err(1, "cannot map the ring of CPU %u", cpu);
	if (ring->version != FARGS_RING_VERSION)
		errx(1, "the rings have the unknown version %u", ring->version);
	pos = tail->data_tail;
	head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
	while (pos < head) {
		rec = (const void *)((uint8_t *)ring + page + (pos & (RING_BYTES - 1)));
		if (head - pos < sizeof(*rec) || rec->len < sizeof(*rec) ||
		    rec->len > head - pos || rec->len % FARGS_RECORD_ALIGN)
			errx(1, "CPU %u has a bad record", cpu);
		print_record(cpu, rec);
		pos += rec->len;
	}
	__atomic_store_n(&tail->data_tail, pos, __ATOMIC_RELEASE);
	munmap(ring, bytes);
	munmap(tail, page);
}

static void run(char **command)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (!pid) {
		execvp(command[0], command);
		err(127, "%s", command[0]);
	}
	waitpid(pid, NULL, 0);
}

static void print_losses(int fd, uint32_t nr_cpus)
{
	struct fargs_cpu_stats *cpus = calloc(nr_cpus, sizeof(*cpus));
	struct fargs_stats stats = { .cpus = (uintptr_t)cpus, .nr_cpus = nr_cpus };
	uint32_t cpu;

	if (!cpus)
		err(1, "no memory");
	call(fd, FARGS_IOC_STATS, &stats.head, sizeof(stats), "cannot get statistics");
	for (cpu = 0; cpu < nr_cpus; cpu++)
		if (cpus[cpu].lost)
			printf("cpu %u lost %llu of %llu\n", cpu,
			       (unsigned long long)cpus[cpu].lost,
			       (unsigned long long)cpus[cpu].produced);
	free(cpus);
}

int main(int argc, char **argv)
{
	struct fargs_buffer buffer = { .bytes = RING_BYTES };
	struct fargs_info info = { 0 };
	struct fargs_start start = { 0 };
	struct fargs_stop stop = { 0 };
	unsigned int cpu;
	int nr, fd;

	for (nr = 0; nr + 2 < argc && strcmp(argv[nr + 2], "--"); nr++)
		;
	if (nr + 3 >= argc || nr > FARGS_REGS)
		errx(2, "usage: reader ADDRESS TYPE:NAME... -- COMMAND [ARG...]");
	fd = open(FARGS_DEVICE, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		err(1, FARGS_DEVICE);
	call(fd, FARGS_IOC_INFO, &info.head, sizeof(info), "cannot get information");
	if (info.abi != FARGS_ABI)
		errx(1, "the module has ABI %u, this program %u", info.abi, FARGS_ABI);
	call(fd, FARGS_IOC_BUFFER, &buffer.head, sizeof(buffer), "cannot create the rings");
	add_layout(fd, strtoull(argv[1], NULL, 16), argv + 2, nr);
	call(fd, FARGS_IOC_START, &start.head, sizeof(start), "cannot start");
	run(argv + nr + 3);
	call(fd, FARGS_IOC_STOP, &stop.head, sizeof(stop), "cannot stop");
	for (cpu = 0; cpu < info.nr_cpus; cpu++)
		read_ring(fd, cpu, info.page_size);
	print_losses(fd, info.nr_cpus);
	close(fd);
	return 0;
}
