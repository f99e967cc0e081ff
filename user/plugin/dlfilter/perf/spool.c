// SPDX-License-Identifier: GPL-2.0-only
#include "plugin/dlfilter/perf/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * A mark consists of a random word, which is very unlikely to occur in other text, and a 64-bit id.
 */
#define WORD_BYTES	16
#define MARK_BYTES	(WORD_BYTES + sizeof(uint64_t))
/* Size of the pieces in which text is written. */
#define OUT_BYTES	(64u << 10)

struct fargs_spool {
	int file;
	int saved;		/* duplicate of the original stdout; -1: stdout is not redirected */
	char word[WORD_BYTES];
	struct fargs_buf out;
};

static int open_file(void)
{
	const char *dir = getenv("TMPDIR");
	int fd = open(dir ? dir : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	/* Fall back to memory if the file system does not support O_TMPFILE. */
	return fd < 0 ? memfd_create("fargs", MFD_CLOEXEC) : fd;
}

struct fargs_spool *fargs_spool_create(struct fargs_error_text *err)
{
	struct fargs_spool *s = calloc(1, sizeof(*s));

	if (!s) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	s->saved = -1;
	s->file = open_file();
	if (s->file < 0 || getrandom(s->word, sizeof(s->word), 0) != sizeof(s->word)) {
		fargs_fail(err, errno, "cannot create the temporary file for lines: %s",
			   strerror(errno));
		goto fail;
	}
	s->saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	if (fflush(stdout) || s->saved < 0 || dup2(s->file, STDOUT_FILENO) < 0) {
		fargs_fail(err, errno, "cannot redirect standard output: %s", strerror(errno));
		goto fail;
	}
	return s;

fail:
	fargs_spool_destroy(s);
	return NULL;
}

static int put_back(struct fargs_spool *s)
{
	int ret = fflush(stdout) ? -errno : 0;

	if (s->saved < 0)
		return ret;
	if (dup2(s->saved, STDOUT_FILENO) < 0 && !ret)
		ret = -errno;
	close(s->saved);
	s->saved = -1;
	return ret;
}

void fargs_spool_destroy(struct fargs_spool *s)
{
	if (!s)
		return;
	put_back(s);
	if (s->file >= 0)
		close(s->file);
	fargs_buf_deinit(&s->out);
	free(s);
}

int fargs_spool_mark(struct fargs_spool *s, uint64_t id)
{
	char mark[MARK_BYTES];

	memcpy(mark, s->word, WORD_BYTES);
	memcpy(mark + WORD_BYTES, &id, sizeof(id));
	return fwrite(mark, sizeof(mark), 1, stdout) == 1 ? 0 : -errno;
}

static int write_out(struct fargs_spool *s)
{
	const char *at = s->out.text;
	size_t left = s->out.n;
	ssize_t n;

	if (s->out.is_short)
		return -ENOMEM;
	for (; left; at += n, left -= (size_t)n) {
		n = write(STDOUT_FILENO, at, left);
		if (n < 0 && errno == EINTR)
			n = 0;
		if (n < 0)
			return -errno;
	}
	s->out.n = 0;
	return 0;
}

/* Writes @text, a piece of the held text that contains no mark. */
static int put_text(struct fargs_spool *s, const char *text, size_t bytes)
{
	size_t n;
	int ret = 0;

	for (; !ret && bytes; text += n, bytes -= n) {
		n = bytes < OUT_BYTES ? bytes : OUT_BYTES;
		fargs_buf_add(&s->out, text, n);
		if (s->out.n >= OUT_BYTES || s->out.is_short)
			ret = write_out(s);
	}
	return ret;
}

/*
 * Writes @text, which lies between the mark of @id and the next mark. @fn completes the first line
 * of @text, or drops all of @text.
 */
static int put_marked(struct fargs_spool *s, uint64_t id, const char *text, size_t bytes,
		      fargs_spool_fn fn, void *arg)
{
	const char *end = memchr(text, '\n', bytes);
	size_t line = end ? (size_t)(end - text) : bytes, before = s->out.n;
	int ret;

	fargs_buf_add(&s->out, text, line);
	ret = fn(arg, id, &s->out);
	if (ret < 0)
		return ret;
	if (!ret) {
		s->out.n = before;
		return 0;
	}
	return put_text(s, text + line, bytes - line);
}

static int put_all(struct fargs_spool *s, const char *text, size_t bytes, fargs_spool_fn fn,
		   void *arg)
{
	const char *end = text + bytes, *mark, *next;
	uint64_t id;
	int ret;

	mark = memmem(text, bytes, s->word, WORD_BYTES);
	ret = put_text(s, text, mark ? (size_t)(mark - text) : bytes);
	for (; !ret && mark && (size_t)(end - mark) >= MARK_BYTES; mark = next) {
		memcpy(&id, mark + WORD_BYTES, sizeof(id));
		text = mark + MARK_BYTES;
		next = memmem(text, end - text, s->word, WORD_BYTES);
		ret = put_marked(s, id, text, (next ? next : end) - text, fn, arg);
	}
	return ret ? ret : write_out(s);
}

int fargs_spool_release(struct fargs_spool *s, fargs_spool_fn fn, void *arg)
{
	struct stat st;
	int ret = put_back(s);
	void *text;

	if (ret)
		return ret;
	if (fstat(s->file, &st))
		return -errno;
	if (!st.st_size)
		return 0;
	text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, s->file, 0);
	if (text == MAP_FAILED)
		return -errno;
	ret = put_all(s, text, (size_t)st.st_size, fn, arg);
	munmap(text, (size_t)st.st_size);
	return ret;
}
