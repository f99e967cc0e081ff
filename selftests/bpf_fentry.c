// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the kernel call its bpf_fentry_test functions with their fixed arguments, by a test run of
 * an fentry program. The program is loaded for another function, and never attached, so that BPF
 * does not trace the bpf_fentry_test functions.
 *
 * Exit status: 0; 1 if the kernel refuses the program; 4 if the kernel cannot make test runs.
 */
#include <errno.h>

#include "lib/bpf.h"
#include "lib/ktap.h"

#define ATTACH_TO	"vfs_read"

static char verifier_log[65536];

static int fail(int status, const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	return status;
}

int main(void)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr;
	uint32_t id = btf_find_function(NULL, ATTACH_TO);
	int fd;

	if (!id) {
		fprintf(stderr, "no %s in " BTF_DIR "vmlinux\n", ATTACH_TO);
		return KTAP_SKIP;
	}
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_TRACING;
	attr.expected_attach_type = BPF_TRACE_FENTRY;
	attr.attach_btf_id = id;
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = sizeof(insns) / sizeof(insns[0]);
	attr.license = (uintptr_t)"GPL";
	attr.log_buf = (uintptr_t)verifier_log;
	attr.log_size = sizeof(verifier_log);
	attr.log_level = 1;
	fd = bpf(BPF_PROG_LOAD, &attr);
	if (fd < 0) {
		fputs(verifier_log, stderr);
		return fail(errno == ENOSYS || errno == EPERM ? KTAP_SKIP : 1,
			    "cannot load a BPF program");
	}
	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = fd;
	if (bpf(BPF_PROG_TEST_RUN, &attr))
		return fail(1, "cannot run a BPF program");
	close(fd);
	return 0;
}
