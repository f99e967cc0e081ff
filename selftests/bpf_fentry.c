// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the kernel call its bpf_fentry_test functions with their fixed arguments, which a test run
 * of an fentry program does. The program is loaded for another function, and never attached, so
 * that BPF does not trace these functions.
 *
 * Exit status: 0, 1 if the kernel refuses, 4 if it cannot do that.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/ktap.h"

#define BTF_FILE	"/sys/kernel/btf/vmlinux"
#define ATTACH_TO	"vfs_read"

struct types {
	uint8_t *data;
	size_t bytes;
	const uint8_t *types, *types_end;
	const char *names;
	size_t names_bytes;
};

static char verifier_log[65536];

static int fail(int status, const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	return status;
}

static long bpf(int cmd, union bpf_attr *attr)
{
	return syscall(__NR_bpf, cmd, attr, sizeof(*attr));
}

/* Reads a file of sysfs, whose size is not known beforehand. */
static int read_file(const char *path, struct types *t)
{
	size_t room = 32 << 20;
	ssize_t n = -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	t->data = malloc(room);
	while (t->data && t->bytes < room &&
	       (n = read(fd, t->data + t->bytes, room - t->bytes)) > 0)
		t->bytes += n;
	close(fd);
	return n ? -1 : 0;
}

static int find_sections(struct types *t)
{
	struct btf_header header;
	uint64_t types, names;

	if (t->bytes < sizeof(header))
		return -1;
	memcpy(&header, t->data, sizeof(header));
	types = (uint64_t)header.hdr_len + header.type_off;
	names = (uint64_t)header.hdr_len + header.str_off;
	if (header.magic != BTF_MAGIC || types + header.type_len > t->bytes ||
	    names + header.str_len > t->bytes || !header.str_len ||
	    t->data[names + header.str_len - 1])
		return -1;
	t->types = t->data + types;
	t->types_end = t->types + header.type_len;
	t->names = (const char *)t->data + names;
	t->names_bytes = header.str_len;
	return 0;
}

/* Bytes after a struct btf_type, or -1 for an unknown kind. */
static long tail_bytes(const struct btf_type *type)
{
	const size_t nr = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
		return sizeof(__u32);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return nr * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return nr * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return nr * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return nr * sizeof(struct btf_param);
	case BTF_KIND_VAR:
		return sizeof(struct btf_var);
	case BTF_KIND_DATASEC:
		return nr * sizeof(struct btf_var_secinfo);
	case BTF_KIND_DECL_TAG:
		return sizeof(struct btf_decl_tag);
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	default:
		return -1;
	}
}

/* The number of a function in the BTF of vmlinux, or 0. */
static uint32_t find_function(const char *function)
{
	struct types t = { 0 };
	struct btf_type type;
	uint32_t id, found = 0;
	const uint8_t *p;
	long tail;

	if (!read_file(BTF_FILE, &t) && !find_sections(&t)) {
		p = t.types;
		for (id = 1; !found && (size_t)(t.types_end - p) >= sizeof(type); id++) {
			memcpy(&type, p, sizeof(type));
			p += sizeof(type);
			tail = tail_bytes(&type);
			if (tail < 0 || tail > t.types_end - p)
				break;
			p += tail;
			if (BTF_INFO_KIND(type.info) == BTF_KIND_FUNC &&
			    type.name_off < t.names_bytes &&
			    !strcmp(t.names + type.name_off, function))
				found = id;
		}
	}
	free(t.data);
	return found;
}

int main(void)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr;
	uint32_t id = find_function(ATTACH_TO);
	int fd;

	if (!id) {
		fprintf(stderr, "no %s in %s\n", ATTACH_TO, BTF_FILE);
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
