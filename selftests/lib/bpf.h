/* SPDX-License-Identifier: GPL-2.0-only */
/* Wraps bpf(2), and finds functions of the kernel and its modules in their BTF. */
#ifndef FARGS_SELFTESTS_BPF_H
#define FARGS_SELFTESTS_BPF_H

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BTF_DIR		"/sys/kernel/btf/"
#define BTF_BYTES_MAX	(32u << 20)

static inline long bpf(int cmd, union bpf_attr *attr)
{
	return syscall(__NR_bpf, cmd, attr, sizeof(*attr));
}

/* A file of BTF_DIR. */
struct btf_file {
	uint8_t *data;
	const uint8_t *at, *end;	/* types that have not been read */
	const char *names;
	uint32_t names_bytes;
};

/* Reads a file of sysfs, whose size is not known in advance. The caller frees @file->data. */
static inline bool btf_load(struct btf_file *file, const char *name)
{
	struct btf_header header;
	uint64_t bytes = 0, types, names;
	char path[256];
	ssize_t n = -1;
	int fd;

	memset(file, 0, sizeof(*file));
	snprintf(path, sizeof(path), BTF_DIR "%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	file->data = malloc(BTF_BYTES_MAX);
	while (file->data && bytes < BTF_BYTES_MAX &&
	       (n = read(fd, file->data + bytes, BTF_BYTES_MAX - bytes)) > 0)
		bytes += n;
	close(fd);
	if (n || bytes < sizeof(header))
		return false;
	memcpy(&header, file->data, sizeof(header));
	types = (uint64_t)header.hdr_len + header.type_off;
	names = (uint64_t)header.hdr_len + header.str_off;
	if (header.magic != BTF_MAGIC || types + header.type_len > bytes ||
	    names + header.str_len > bytes || !header.str_len ||
	    file->data[names + header.str_len - 1])
		return false;
	file->at = file->data + types;
	file->end = file->at + header.type_len;
	file->names = (const char *)file->data + names;
	file->names_bytes = header.str_len;
	return true;
}

/* Returns the number of bytes after a struct btf_type, or -1 for an unknown kind. */
static inline long btf_tail_bytes(const struct btf_type *type)
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

/* Reads the next type. Returns false at the end, or at an unknown kind. */
static inline bool btf_next(struct btf_file *file, struct btf_type *type)
{
	long tail;

	if (file->end - file->at < (long)sizeof(*type))
		return false;
	memcpy(type, file->at, sizeof(*type));
	file->at += sizeof(*type);
	tail = btf_tail_bytes(type);
	if (tail < 0 || tail > file->end - file->at)
		return false;
	file->at += tail;
	return true;
}

/*
 * Reads types from @file up to @function. Returns its ID, or 0 if it was not found. *@id: ID of the
 * next type to be read; updated. @first_name: offset of the file's first name.
 */
static inline uint32_t btf_find(struct btf_file *file, const char *function, uint32_t *id,
				uint32_t first_name)
{
	struct btf_type type;

	while (btf_next(file, &type)) {
		uint32_t name = type.name_off - first_name;

		(*id)++;
		if (function && BTF_INFO_KIND(type.info) == BTF_KIND_FUNC &&
		    name < file->names_bytes && !strcmp(file->names + name, function))
			return *id - 1;
	}
	return 0;
}

/* Returns the ID of a function of the kernel or, if @module is not NULL, of a module; 0: none. */
static inline uint32_t btf_find_function(const char *module, const char *function)
{
	struct btf_file kernel = { 0 }, own = { 0 };
	uint32_t id = 1, found = 0;

	if (btf_load(&kernel, "vmlinux"))
		found = btf_find(&kernel, module ? NULL : function, &id, 0);
	/* The IDs and the names of a module continue those of the kernel. */
	if (module && kernel.names && kernel.at == kernel.end && btf_load(&own, module))
		found = btf_find(&own, function, &id, kernel.names_bytes);
	free(kernel.data);
	free(own.data);
	return found;
}

#endif
