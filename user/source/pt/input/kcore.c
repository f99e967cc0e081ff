// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/kcore.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int read_at(int fd, void *buf, size_t bytes, uint64_t at)
{
	ssize_t n;

	while (bytes) {
		n = pread(fd, buf, bytes, (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		buf = (char *)buf + n;
		bytes -= n;
		at += n;
	}
	return 0;
}

static int read_segments(struct fargs_kcore *k)
{
	Elf64_Phdr *headers;
	Elf64_Ehdr ehdr;
	size_t i;
	int ret = read_at(k->fd, &ehdr, sizeof(ehdr), 0);

	if (ret)
		return ret;
	if (memcmp(ehdr.e_ident, ELFMAG, SELFMAG) || ehdr.e_ident[EI_CLASS] != ELFCLASS64 ||
	    ehdr.e_phentsize != sizeof(*headers))
		return -EIO;
	headers = calloc(ehdr.e_phnum + 1, sizeof(*headers));
	k->segments = calloc(ehdr.e_phnum + 1, sizeof(*k->segments));
	if (!headers || !k->segments) {
		free(headers);
		return -ENOMEM;
	}
	ret = read_at(k->fd, headers, ehdr.e_phnum * sizeof(*headers), ehdr.e_phoff);
	for (i = 0; !ret && i < ehdr.e_phnum; i++) {
		if (headers[i].p_type != PT_LOAD)
			continue;
		k->segments[k->nr++] = (struct fargs_kcore_segment){
			.addr = headers[i].p_vaddr,
			.bytes = headers[i].p_filesz,
			.offset = headers[i].p_offset,
		};
	}
	free(headers);
	return ret;
}

int fargs_kcore_open(struct fargs_kcore *k, const char *path, struct fargs_error_text *err)
{
	int ret;

	*k = (struct fargs_kcore){ .fd = open(path, O_RDONLY | O_CLOEXEC) };
	if (k->fd < 0 && (errno == EPERM || errno == EACCES))
		return fargs_fail(err, errno, "cannot copy the kernel's code: '%s' needs "
				  "CAP_SYS_RAWIO (run as root) and a kernel that is not locked "
				  "down", path);
	if (k->fd < 0)
		return fargs_fail(err, errno, "cannot copy the kernel's code: '%s': %s%s", path,
				  strerror(errno),
				  errno == ENOENT ? " (CONFIG_PROC_KCORE)" : "");
	ret = read_segments(k);
	if (!ret)
		return 0;
	fargs_kcore_close(k);
	return fargs_fail(err, -ret, "cannot copy the kernel's code: '%s' is not a valid ELF file: "
			  "%s", path, strerror(-ret));
}

void fargs_kcore_close(struct fargs_kcore *k)
{
	if (k->fd >= 0)
		close(k->fd);
	free(k->segments);
	*k = (struct fargs_kcore){ .fd = -1 };
}

int fargs_kcore_read(const struct fargs_kcore *k, uint64_t addr, void *buf, size_t bytes,
		     struct fargs_error_text *err)
{
	const struct fargs_kcore_segment *s;
	size_t i;
	int ret;

	for (i = 0; i < k->nr; i++) {
		s = &k->segments[i];
		if (addr < s->addr || addr - s->addr >= s->bytes ||
		    bytes > s->bytes - (addr - s->addr))
			continue;
		ret = read_at(k->fd, buf, bytes, s->offset + (addr - s->addr));
		return ret ? fargs_fail(err, -ret, "cannot read the kernel's code at %" PRIx64 ": "
					"%s", addr, strerror(-ret)) : 0;
	}
	return fargs_fail(err, ENOENT, "the kernel's code at %" PRIx64 " is not in '/proc/kcore'",
			  addr);
}
