// SPDX-License-Identifier: GPL-2.0-only
#include "plugin/dlfilter/pt_code.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fargs_pt_code_reader {
	const struct fargs_pt_input *in;
	/*
	 * Descriptor of the file of each piece in in->codes; -1: not open. Adjacent pieces of one
	 * file share a descriptor.
	 */
	int *fds;
};

struct fargs_pt_code_reader *fargs_pt_code_reader_create(const struct fargs_pt_input *in)
{
	struct fargs_pt_code_reader *r = calloc(1, sizeof(*r));
	size_t i;

	if (!r)
		return NULL;
	r->in = in;
	r->fds = calloc(in->nr_codes + 1, sizeof(*r->fds));
	if (!r->fds) {
		free(r);
		return NULL;
	}
	/* Pieces of one file are adjacent in in->codes. */
	for (i = 0; i < in->nr_codes; i++)
		r->fds[i] = i && !strcmp(in->codes[i].path, in->codes[i - 1].path) ?
			    r->fds[i - 1] : open(in->codes[i].path, O_RDONLY | O_CLOEXEC);
	return r;
}

void fargs_pt_code_reader_destroy(struct fargs_pt_code_reader *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->in->nr_codes; i++)
		if (r->fds[i] >= 0 && (!i || r->fds[i] != r->fds[i - 1]))
			close(r->fds[i]);
	free(r->fds);
	free(r);
}

static bool is_of(const struct fargs_pt_code *code, int32_t pid, uint64_t addr)
{
	return (code->pid == -1 || code->pid == pid) && addr - code->addr < code->bytes;
}

const struct fargs_pt_code *fargs_pt_code_find(const struct fargs_pt_input *in, int32_t pid,
					       uint64_t addr)
{
	size_t i;

	for (i = in->nr_codes; i; i--)
		if (is_of(&in->codes[i - 1], pid, addr))
			return &in->codes[i - 1];
	return NULL;
}

/*
 * Reads code from the files. Where pieces of code overlap, the last one in in->codes takes
 * precedence, so a read from a piece must end where a later piece begins.
 */
static size_t read_files(struct fargs_pt_code_reader *r, int32_t pid, uint64_t addr,
			 uint8_t *buf, size_t bytes)
{
	const struct fargs_pt_input *in = r->in;
	const struct fargs_pt_code *code, *other;
	size_t done = 0;
	uint64_t room;
	ssize_t n;

	while (done < bytes) {
		code = fargs_pt_code_find(in, pid, addr + done);
		if (!code)
			break;
		room = code->bytes - (addr + done - code->addr);
		for (other = code + 1; other < in->codes + in->nr_codes; other++)
			if ((other->pid == -1 || other->pid == pid) &&
			    other->addr - (addr + done) < room)
				room = other->addr - (addr + done);
		if (room > bytes - done)
			room = bytes - done;
		n = pread(r->fds[code - in->codes], buf + done, room,
			  code->at + (addr + done - code->addr));
		if (n <= 0)
			break;
		done += n;
	}
	return done;
}

/*
 * Overwrites the part of @buf that overlaps with @code. @buf contains @bytes of code starting at
 * address @addr, and @code contains @nr bytes of code starting at address @at.
 */
static void overlay(uint64_t at, const uint8_t *code, size_t nr, uint64_t addr, uint8_t *buf,
		    size_t bytes)
{
	size_t i;

	if (at >= addr + bytes || at + nr <= addr)
		return;
	for (i = 0; i < nr; i++)
		if (at + i - addr < bytes)
			buf[at + i - addr] = code[i];
}

size_t fargs_pt_code_read(struct fargs_pt_code_reader *r, int32_t pid, uint64_t ns,
			  uint64_t addr, void *buf, size_t bytes)
{
	const struct fargs_pt_input *in = r->in;
	size_t n = read_files(r, pid, addr, buf, bytes), i;
	const struct fargs_pt_poke *poke;

	/* Undo all changes of the code, then redo those up to @ns: see source/pt/code/memory.c. */
	for (i = in->nr_pokes; i; i--) {
		poke = &in->pokes[i - 1];
		overlay(poke->addr, poke->code, poke->old_bytes, addr, buf, n);
	}
	for (i = 0; i < in->nr_pokes && in->pokes[i].ns <= ns; i++) {
		poke = &in->pokes[i];
		overlay(poke->addr, poke->code + poke->old_bytes, poke->new_bytes, addr, buf, n);
	}
	return n;
}
