// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/elf_code.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int add_segments(struct fargs_pt_input *in, const char *path, uint64_t moved, Elf *elf,
			uint64_t size)
{
	struct fargs_pt_code code;
	GElf_Phdr segment;
	size_t nr, i;
	int ret;

	if (elf_getphdrnum(elf, &nr))
		return -EINVAL;
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, (int)i, &segment))
			return -EINVAL;
		if (segment.p_type != PT_LOAD || !segment.p_filesz || !(segment.p_flags & PF_X))
			continue;
		if (segment.p_offset >= size || segment.p_filesz > size - segment.p_offset ||
		    segment.p_vaddr + segment.p_filesz < segment.p_vaddr)
			return -EINVAL;
		code = (struct fargs_pt_code){
			.path = strdup(path), .at = segment.p_offset, .bytes = segment.p_filesz,
			.addr = segment.p_vaddr + moved, .pid = -1,
		};
		ret = fargs_pt_input_add_code(in, &code);
		if (ret)
			return ret;
	}
	return 0;
}

int fargs_elf_code_add(struct fargs_pt_input *in, const char *path, uint64_t moved,
		       struct fargs_error_text *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = -EINVAL;
	struct stat st;
	Elf *elf = NULL;

	if (fd < 0 || fstat(fd, &st)) {
		ret = fargs_fail(err, errno, "cannot open '%s': %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return ret;
	}
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		ret = add_segments(in, path, moved, elf, st.st_size);
	elf_end(elf);
	close(fd);
	if (ret == -ENOMEM)
		return fargs_fail(err, ENOMEM, "out of memory");
	if (ret)
		return fargs_fail(err, EINVAL, "'%s' is not an ELF file with code, or is "
				  "damaged", path);
	return 0;
}
