// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/kernel_code.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"

struct segment {
	uint64_t addr, bytes, at;
};

struct fargs_kernel_code {
	int fd;
	struct segment *segments;
	size_t nr;
};

/* Without memory for all segments, some are missing. */
static void read_segments(struct fargs_kernel_code *code, uint64_t moved)
{
	Elf *elf = elf_begin(code->fd, ELF_C_READ, NULL);
	struct segment *to;
	GElf_Phdr phdr;
	size_t nr, i;

	if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &nr))
		nr = 0;
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, (int)i, &phdr) || phdr.p_type != PT_LOAD ||
		    !(phdr.p_flags & PF_X))
			continue;
		to = fargs_array_add(code->segments, code->nr);
		if (!to)
			break;
		*to = (struct segment){
			.addr = phdr.p_vaddr + moved, .bytes = phdr.p_filesz, .at = phdr.p_offset,
		};
	}
	elf_end(elf);
}

struct fargs_kernel_code *fargs_kernel_code_create(const struct fargs_kernel_files *files)
{
	const char *path = files->kcore ? files->kcore : files->vmlinux;
	struct fargs_kernel_code *code = calloc(1, sizeof(*code));

	if (!code)
		return NULL;
	elf_version(EV_CURRENT);
	code->fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	if (code->fd >= 0)
		read_segments(code, files->kcore ? 0 : files->vmlinux_moved);
	return code;
}

void fargs_kernel_code_destroy(struct fargs_kernel_code *code)
{
	if (!code)
		return;
	if (code->fd >= 0)
		close(code->fd);
	free(code->segments);
	free(code);
}

size_t fargs_kernel_code_read(const struct fargs_kernel_code *code, uint64_t addr, void *buf,
			      size_t bytes)
{
	const struct segment *s = code->segments, *end = s + code->nr;
	ssize_t n;

	for (; s < end; s++) {
		if (addr - s->addr >= s->bytes)
			continue;
		if (bytes > s->bytes - (addr - s->addr))
			bytes = s->bytes - (addr - s->addr);
		n = pread(code->fd, buf, bytes, (off_t)(addr - s->addr + s->at));
		return n > 0 ? n : 0;
	}
	return 0;
}
