// SPDX-License-Identifier: GPL-2.0-only
/*
 * The number to compare with: a BPF fentry program on one function of a module,
 * which writes the time, the task and its first four arguments to a BPF ring
 * buffer, as a program in C for the same would.
 *
 *	fentry [--untimed] MODULE FUNCTION RING_BYTES COMMAND [ARG...]
 *
 * --untimed leaves the time out, which is a good part of the cost. It runs COMMAND
 * with the program attached and then prints how many events the ring buffer
 * holds: nothing reads it meanwhile, so RING_BYTES must suffice.
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
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
#include <linux/bpf.h>

#define NR_ARGS		4

struct event {
	uint64_t time;
	uint64_t pid_tgid;
	uint64_t args[NR_ARGS];
};

/* What the kernel puts before each event of a ring buffer. */
#define RING_HEADER_BYTES	8

#define INSN(op, dst, src, offset, value) \
	((struct bpf_insn){ .code = (op), .dst_reg = (dst), .src_reg = (src), \
			    .off = (offset), .imm = (value) })
#define MOV(dst, src)		INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define MOV_VALUE(dst, value)	INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value)
#define LOAD(dst, src, offset)	INSN(BPF_LDX | BPF_MEM | BPF_DW, dst, src, offset, 0)
#define STORE(dst, offset, src)	INSN(BPF_STX | BPF_MEM | BPF_DW, dst, src, offset, 0)
#define CALL(helper)		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, helper)
#define JUMP_IF_0(reg, over)	INSN(BPF_JMP | BPF_JEQ | BPF_K, reg, 0, over, 0)
#define EXIT()			INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

static char verifier_log[65536];

/* The descriptor of a module's BTF. */
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

static int find_function(const char *module, const char *function)
{
	struct btf *vmlinux = btf__load_vmlinux_btf();
	struct btf *btf;
	int id;

	if (!vmlinux)
		err(1, "cannot read the BTF of vmlinux");
	btf = btf__load_module_btf(module, vmlinux);
	if (!btf)
		err(1, "cannot read the BTF of %s", module);
	id = btf__find_by_name_kind(btf, function, BTF_KIND_FUNC);
	if (id < 0)
		errx(1, "%s is not in the BTF of %s", function, module);
	btf__free(btf);
	btf__free(vmlinux);
	return id;
}

/* What follows the reservation: instructions of load() that a full ring skips. */
#define NR_WRITING	16

static int load(int btf_fd, int func_id, int ring_fd, bool is_timed)
{
	struct bpf_insn insns[] = {
		MOV(BPF_REG_6, BPF_REG_1),
		INSN(BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, ring_fd),
		INSN(0, 0, 0, 0, 0),
		MOV_VALUE(BPF_REG_2, sizeof(struct event)),
		MOV_VALUE(BPF_REG_3, 0),
		CALL(BPF_FUNC_ringbuf_reserve),
		JUMP_IF_0(BPF_REG_0, NR_WRITING),
		MOV(BPF_REG_7, BPF_REG_0),
		is_timed ? CALL(BPF_FUNC_ktime_get_ns) : MOV_VALUE(BPF_REG_0, 0),
		STORE(BPF_REG_7, offsetof(struct event, time), BPF_REG_0),
		CALL(BPF_FUNC_get_current_pid_tgid),
		STORE(BPF_REG_7, offsetof(struct event, pid_tgid), BPF_REG_0),
		LOAD(BPF_REG_1, BPF_REG_6, 0),
		STORE(BPF_REG_7, offsetof(struct event, args[0]), BPF_REG_1),
		LOAD(BPF_REG_1, BPF_REG_6, 8),
		STORE(BPF_REG_7, offsetof(struct event, args[1]), BPF_REG_1),
		LOAD(BPF_REG_1, BPF_REG_6, 16),
		STORE(BPF_REG_7, offsetof(struct event, args[2]), BPF_REG_1),
		LOAD(BPF_REG_1, BPF_REG_6, 24),
		STORE(BPF_REG_7, offsetof(struct event, args[3]), BPF_REG_1),
		MOV(BPF_REG_1, BPF_REG_7),
		MOV_VALUE(BPF_REG_2, 0),
		CALL(BPF_FUNC_ringbuf_submit),
		MOV_VALUE(BPF_REG_0, 0),
		EXIT(),
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		.expected_attach_type = BPF_TRACE_FENTRY,
		.attach_btf_id = func_id,
		.attach_btf_obj_fd = btf_fd,
		.log_buf = verifier_log,
		.log_size = sizeof(verifier_log),
		.log_level = 1,
	);
	int fd;

	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, "fargs_bench", "GPL", insns,
			   sizeof(insns) / sizeof(insns[0]), &opts);
	if (fd < 0)
		err(1, "the kernel refused the program: %s", verifier_log);
	return fd;
}

/* Bytes produced. The page behind the consumer's holds the producer's position. */
static uint64_t ring_bytes(int ring_fd)
{
	long page = sysconf(_SC_PAGESIZE);
	uint64_t bytes;
	void *producer;

	producer = mmap(NULL, page, PROT_READ, MAP_SHARED, ring_fd, page);
	if (producer == MAP_FAILED)
		err(1, "cannot map the ring buffer");
	bytes = __atomic_load_n((uint64_t *)producer, __ATOMIC_ACQUIRE);
	munmap(producer, page);
	return bytes;
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

int main(int argc, char **argv)
{
	int btf_fd, func_id, ring_fd, prog_fd, link_fd, status;
	bool is_timed = true;

	if (argc > 1 && !strcmp(argv[1], "--untimed")) {
		is_timed = false;
		argc--;
		argv++;
	}
	if (argc < 5)
		errx(2, "usage: fentry [--untimed] MODULE FUNCTION RING_BYTES COMMAND [ARG...]");
	btf_fd = open_module_btf(argv[1]);
	func_id = find_function(argv[1], argv[2]);
	ring_fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "fargs_bench", 0, 0,
				 strtoul(argv[3], NULL, 0), NULL);
	if (ring_fd < 0)
		err(1, "cannot make the ring buffer");
	prog_fd = load(btf_fd, func_id, ring_fd, is_timed);
	link_fd = bpf_raw_tracepoint_open(NULL, prog_fd);
	if (link_fd < 0)
		err(1, "cannot attach to %s", argv[2]);
	status = run(argv + 4);
	close(link_fd);
	printf("events=%" PRIu64 "\n",
	       ring_bytes(ring_fd) / (RING_HEADER_BYTES + sizeof(struct event)));
	return status;
}
