// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a BPF program to compare fargs with: the program is attached to one function of a module
 * (fargs_bench_4), and writes an event for each call to a BPF ring buffer, as an equivalent program
 * in C would.
 *
 *	fentry [--WHAT] MODULE FUNCTION RING_BYTES COMMAND [ARG...]
 *	fentry --tracepoint MODULE TRACEPOINT RING_BYTES COMMAND [ARG...]
 *
 * bpf_prog.h describes what the program does for each WHAT; by default, it writes arguments, task
 * and time. COMMAND runs while the program is attached. Then the number of events in the ring
 * buffer is printed: nothing reads the buffer before, so RING_BYTES must suffice. Fails if an event
 * has other contents than the module's calls.
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "bpf_prog.h"
#include "kmod/object.h"

static const char *const what_names[] = {
	[WHAT_ENTRY] = "--entry",
	[WHAT_UNTIMED] = "--untimed",
	[WHAT_REJECT] = "--reject",
	[WHAT_STRING] = "--string",
	[WHAT_PATH] = "--path",
	[WHAT_PATH_READ] = "--path-read",
	[WHAT_STACK] = "--stack",
	[WHAT_EXIT] = "--exit",
	[WHAT_DURATION] = "--duration",
	[WHAT_DURATION_HASH] = "--duration-hash",
	[WHAT_TRACEPOINT] = "--tracepoint",
};

#define NR_WHATS	(sizeof(what_names) / sizeof(what_names[0]))

static char verifier_log[65536];

/* Returns a descriptor of the BTF of @module. */
static int open_module_btf(const char *module)
{
	struct bpf_btf_info info;
	char name[64];
	__u32 id = 0;
	__u32 len;
	int fd;

	while (!bpf_btf_get_next_id(id, &id)) {
		fd = bpf_btf_get_fd_by_id(id);
		if (fd < 0)
			continue;
		memset(&info, 0, sizeof(info));
		info.name = (uintptr_t)name;
		info.name_len = sizeof(name);
		len = sizeof(info);
		if (!bpf_obj_get_info_by_fd(fd, &info, &len) && !strcmp(name, module))
			return fd;
		close(fd);
	}
	errx(1, "module %s has no BTF", module);
}

/*
 * Finds the BTF id to which the program is attached: that of a function, or that of the type of a
 * tracepoint's probes.
 */
static int find_target(const char *module, const char *name, enum what what)
{
	char type[64];
	struct btf *vmlinux = btf__load_vmlinux_btf();
	struct btf *btf;
	int id;

	if (!vmlinux)
		err(1, "cannot read the BTF of vmlinux");
	btf = btf__load_module_btf(module, vmlinux);
	if (!btf)
		err(1, "cannot read the BTF of %s", module);
	snprintf(type, sizeof(type), "btf_trace_%s", name);
	id = what == WHAT_TRACEPOINT ? btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF) :
	     btf__find_by_name_kind(btf, name, BTF_KIND_FUNC);
	if (id < 0)
		errx(1, "%s is not in the BTF of %s", name, module);
	btf__free(btf);
	btf__free(vmlinux);
	return id;
}

/* Loads a program and attaches it; returns its link. */
static int attach(const struct bpf_code *code, int btf_fd, int func_id,
		  enum bpf_attach_type type)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		.expected_attach_type = type,
		.attach_btf_id = func_id,
		.attach_btf_obj_fd = btf_fd,
		.log_buf = verifier_log,
		.log_size = sizeof(verifier_log),
		.log_level = 1,
	);
	int prog_fd, link_fd;

	prog_fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, "fargs_bench", "GPL", code->insns,
				code->nr, &opts);
	if (prog_fd < 0)
		err(1, "the kernel refused the program: %s", verifier_log);
	link_fd = bpf_raw_tracepoint_open(NULL, prog_fd);
	if (link_fd < 0)
		err(1, "the program cannot be put on the function");
	close(prog_fd);
	return link_fd;
}

/* Creates a map of type task storage, whose values must be described by BTF. */
static int make_task_storage(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_NO_PREALLOC);
	struct btf *btf = btf__new_empty();

	opts.btf_key_type_id = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	opts.btf_value_type_id = btf__add_int(btf, "unsigned long", 8, 0);
	if (btf__load_into_kernel(btf))
		err(1, "cannot load BTF");
	opts.btf_fd = btf__fd(btf);
	return bpf_map_create(BPF_MAP_TYPE_TASK_STORAGE, "fargs_bench", 4, 8, 0, &opts);
}

/*
 * Creates the map that stores the time of a call until its return. Returns -1 if @what needs no
 * such map.
 */
static int make_start_map(enum what what)
{
	int fd;

	if (what != WHAT_DURATION && what != WHAT_DURATION_HASH)
		return -1;
	fd = what == WHAT_DURATION ? make_task_storage() :
	     bpf_map_create(BPF_MAP_TYPE_HASH, "fargs_bench", 8, 8, 10240, NULL);
	if (fd < 0)
		err(1, "cannot make a map");
	return fd;
}

/*
 * Returns whether the event has the contents of a call that the module makes and the program does
 * not reject.
 */
static int is_right(const struct event *event, enum what what)
{
	if ((int)event->args[3] != BENCH_MODE || !event->args[0] || !event->pid_tgid)
		return 0;
	if (what == WHAT_UNTIMED ? event->time : !event->time)
		return 0;
	switch (what) {
	case WHAT_REJECT:
		return event->args[2] == BENCH_FLAGS_WARM_UP;
	case WHAT_STRING:
		return event->string.len == sizeof(BENCH_NAME) &&
		       !strcmp(event->string.text, BENCH_NAME);
	case WHAT_PATH:
	case WHAT_PATH_READ:
		return event->path == BENCH_ID;
	case WHAT_STACK:
		return event->stack.bytes == 8 * STACK_MAX;
	case WHAT_DURATION:
	case WHAT_DURATION_HASH:
		if (!event->ret.duration)
			return 0;
		/* fall through */
	case WHAT_EXIT:
		return (int)event->ret.value == BENCH_MODE;
	default:
		return 1;
	}
}

/*
 * Returns the number of events, which must all be right. In the mapping, the consumer's page is
 * followed by the page with the producer's position, and then by the data.
 */
static uint64_t count_events(int ring_fd, size_t ring_bytes, enum what what)
{
	size_t page = sysconf(_SC_PAGESIZE);
	uint64_t bytes, at, each = BPF_RINGBUF_HDR_SZ + what_bytes(what);
	uint8_t *producer;

	producer = mmap(NULL, page + ring_bytes, PROT_READ, MAP_SHARED, ring_fd, page);
	if (producer == MAP_FAILED)
		err(1, "cannot map the ring buffer");
	bytes = __atomic_load_n((uint64_t *)producer, __ATOMIC_ACQUIRE);
	for (at = 0; at < bytes; at += each) {
		const uint8_t *header = producer + page + at;

		if (*(const uint32_t *)header != what_bytes(what) ||
		    !is_right((const struct event *)(header + BPF_RINGBUF_HDR_SZ), what))
			errx(1, "event %" PRIu64 " is wrong", at / each);
	}
	munmap(producer, page + ring_bytes);
	return bytes / each;
}

static int run(char **argv)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (!pid) {
		execvp(argv[0], argv);
		err(127, "%s", argv[0]);
	}
	if (waitpid(pid, &status, 0) != pid)
		err(1, "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static enum what find_what(const char *option)
{
	size_t i;

	for (i = 0; i < NR_WHATS; i++)
		if (!strcmp(option, what_names[i]))
			return i;
	errx(2, "unknown option %s", option);
}

int main(int argc, char **argv)
{
	int btf_fd, func_id, ring_fd, map_fd, start_fd = -1, link_fd, status;
	enum what what = WHAT_ENTRY;
	struct bpf_code code;
	size_t ring_bytes;

	if (argc > 1 && argv[1][0] == '-') {
		what = find_what(argv[1]);
		argc--;
		argv++;
	}
	if (argc < 5)
		errx(2, "usage: fentry [--WHAT] MODULE FUNCTION RING_BYTES COMMAND [ARG...]");
	btf_fd = open_module_btf(argv[1]);
	func_id = find_target(argv[1], argv[2], what);
	ring_bytes = strtoul(argv[3], NULL, 0);
	ring_fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "fargs_bench", 0, 0, ring_bytes, NULL);
	if (ring_fd < 0)
		err(1, "cannot make the ring buffer");
	map_fd = make_start_map(what);
	if (map_fd >= 0) {
		bpf_prog_make_start(&code, what, map_fd);
		start_fd = attach(&code, btf_fd, func_id, BPF_TRACE_FENTRY);
	}
	bpf_prog_make(&code, what, ring_fd, map_fd);
	link_fd = attach(&code, btf_fd, func_id,
			 what == WHAT_TRACEPOINT ? BPF_TRACE_RAW_TP :
			 what < WHAT_EXIT ? BPF_TRACE_FENTRY : BPF_TRACE_FEXIT);
	status = run(argv + 4);
	close(link_fd);
	close(start_fd);
	printf("events=%" PRIu64 "\n", count_events(ring_fd, ring_bytes, what));
	return status;
}
