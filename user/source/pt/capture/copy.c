// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/copy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

#include "base/crc32c.h"
#include "base/file.h"
#include "source/pt/input/kcore.h"
#include "source/pt/input/code.h"

#define KALLSYMS	"/proc/kallsyms"
#define MODULES		"/proc/modules"
#define KCORE		"/proc/kcore"
#define PAGE		4096
/* Maximum plausible size of a BPF program in a perf record. */
#define AT_MAX		(16u << 20)

/* The last copy of a range of code. */
struct copied {
	struct fargs_code_range range;
	struct fargs_file_pt_text head;	/* header that was written for the copy */
	uint32_t crc;
	bool is_new;		/* the first copy, or different from the previous copy */
};

struct fargs_pt_copy {
	const struct fargs_ksyms *known;
	struct fargs_pt_meanwhile meanwhile;
	struct fargs_kcore kcore;
	struct copied *copied;	/* sorted by address */
	size_t nr;
	void *buf;
	size_t room;
	uint64_t bytes;
};

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "no memory for a copy of the kernel's code");
}

struct fargs_pt_copy *fargs_pt_copy_create(const struct fargs_ksyms *known,
					   const struct fargs_pt_meanwhile *meanwhile,
					   struct fargs_error_text *err)
{
	struct fargs_pt_copy *c = calloc(1, sizeof(*c));

	if (!c) {
		no_memory(err);
		return NULL;
	}
	c->known = known;
	c->meanwhile = *meanwhile;
	if (fargs_kcore_open(&c->kcore, KCORE, err)) {
		free(c);
		return NULL;
	}
	return c;
}

void fargs_pt_copy_destroy(struct fargs_pt_copy *c)
{
	if (!c)
		return;
	fargs_kcore_close(&c->kcore);
	free(c->copied);
	free(c->buf);
	free(c);
}

void fargs_pt_copy_forget(struct fargs_pt_copy *c)
{
	free(c->copied);
	c->copied = NULL;
	c->nr = 0;
}

uint64_t fargs_pt_copy_bytes(const struct fargs_pt_copy *c)
{
	return c->bytes;
}

struct reading {
	const struct fargs_pt_meanwhile *meanwhile;
	struct fargs_error_text *err;
	int ret;		/* result of meanwhile->work() */
};

static int work_meanwhile(void *arg)
{
	struct reading *r = arg;

	r->ret = r->meanwhile->work(r->meanwhile->arg, r->err);
	return r->ret;
}

/*
 * Reads /proc/kallsyms. The kernel formats it for each reader, which takes 200 million instructions
 * and generates more Intel PT data than the AUX buffers hold. So work_meanwhile() empties these
 * buffers at intervals. The caller frees *@text. Returns 0 or -errno with @err.
 */
static int read_kallsyms(const struct fargs_pt_copy *c, char **text, size_t *size,
			 struct fargs_error_text *err)
{
	struct reading r = { &c->meanwhile, err, 0 };

	*text = fargs_file_read_amid(KALLSYMS, size, work_meanwhile, &r);
	if (*text)
		return 0;
	return r.ret ? r.ret :
	       fargs_fail(err, errno, "cannot read '%s': %s", KALLSYMS, strerror(errno));
}

/* Reads a range into c->buf, and sets @head to its address and the TSC before and after. */
static int read_range(struct fargs_pt_copy *c, uint64_t addr, size_t bytes,
		      struct fargs_file_pt_text *head, struct fargs_error_text *err)
{
	void *larger;
	int ret;

	if (bytes > c->room) {
		larger = realloc(c->buf, bytes);
		if (!larger)
			return no_memory(err);
		c->buf = larger;
		c->room = bytes;
	}
	*head = (struct fargs_file_pt_text){ .addr = addr };
	head->begin_tsc = __rdtsc();
	ret = fargs_kcore_read(&c->kcore, addr, c->buf, bytes, err);
	head->end_tsc = __rdtsc();
	return ret;
}

/*
 * Removes trailing zero pages: unmapped memory, which follows the last function, reads as zeroes.
 */
static size_t trim(const char *buf, size_t bytes)
{
	static const char zeroes[PAGE];

	while (bytes >= PAGE && !memcmp(buf + bytes - PAGE, zeroes, PAGE))
		bytes -= PAGE;
	return bytes;
}

/* Writes c->buf, preceded by @head and the name. */
static int write_range(struct fargs_pt_copy *c, const struct fargs_pt_sink *sink,
		       struct fargs_file_pt_text *head, const char *name, size_t bytes,
		       struct fargs_error_text *err)
{
	char front[sizeof(*head) + FARGS_CHUNK_ALIGN * 16] = "";
	struct iovec iov[2] = { { front, 0 }, { c->buf, bytes } };

	head->name_bytes = strnlen(name, sizeof(front) - sizeof(*head) - 1) + 1;
	head->bytes = fargs_chunk_room(sizeof(*head) + head->name_bytes);
	memcpy(front, head, sizeof(*head));
	memcpy(front + sizeof(*head), name, head->name_bytes - 1);
	iov[0].iov_len = head->bytes;
	c->bytes += bytes;
	return sink->chunk(sink->arg, FARGS_CHUNK_PT_TEXT, FARGS_CHUNK_NO_CPU, iov, false, err);
}

/* Returns the last copy of the same range, or NULL if it was not copied yet. */
static const struct copied *find_copied(const struct fargs_pt_copy *c,
					const struct fargs_code_range *range)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		if (c->copied[i].range.addr == range->addr &&
		    c->copied[i].range.bytes == range->bytes &&
		    !strcmp(c->copied[i].range.name, range->name))
			return &c->copied[i];
	return NULL;
}

static int copy_range(struct fargs_pt_copy *c, const struct fargs_pt_sink *sink,
		      const struct fargs_code_range *range, struct copied *to,
		      struct fargs_error_text *err)
{
	const struct copied *before = find_copied(c, range);
	struct fargs_file_pt_text head;
	size_t bytes;
	int ret;

	/* Copy the kernel image only once: it is large, and TEXT_POKE records report changes. */
	if (before && !strcmp(range->name, FARGS_CODE_KERNEL)) {
		*to = *before;
		to->is_new = false;
		return 0;
	}
	ret = read_range(c, range->addr, range->bytes, &head, err);
	if (ret == -ENOENT && strcmp(range->name, FARGS_CODE_KERNEL)) {
		/* Unreadable code is omitted; the decoder reports the gap. */
		*to = (struct copied){ .range = *range };
		return 0;
	}
	if (ret)
		return ret;
	bytes = trim(c->buf, range->bytes);
	*to = (struct copied){ .range = *range, .crc = fargs_crc32c(0, c->buf, bytes) };
	if (!bytes || (before && before->crc == to->crc))
		return 0;
	to->is_new = true;
	ret = write_range(c, sink, &head, range->name, bytes, err);
	to->head = head;
	return ret;
}

/* Returns whether the recording already contains this symbol. */
static bool is_known(const struct fargs_pt_copy *c, uint64_t addr, const char *name)
{
	const struct fargs_ksym *const *first;
	size_t nr;

	if (!c->known)
		return false;
	for (nr = fargs_ksyms_find_name(c->known, name, &first); nr; nr--, first++)
		if ((*first)->addr == addr)
			return true;
	return false;
}

static bool is_new(const struct fargs_pt_copy *c, uint64_t addr)
{
	size_t low = 0, high = c->nr, mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (c->copied[mid].range.addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && c->copied[low - 1].is_new &&
	       addr - c->copied[low - 1].range.addr < c->copied[low - 1].range.bytes;
}

/* Writes a line of /proc/kallsyms to @out if it is an unrecorded symbol of new code. */
static void put_symbol(const struct fargs_pt_copy *c, const char *line, size_t bytes, FILE *out)
{
	uint64_t addr;
	char name[512];

	if (!memchr(line, '[', bytes) ||
	    sscanf(line, "%" SCNx64 " %*[tTwW] %511s", &addr, name) != 2)
		return;
	if (is_new(c, addr) && !is_known(c, addr, name))
		fprintf(out, "%.*s\n", (int)bytes, line);
}

/* Writes the symbols of all new copies; @text has the format of /proc/kallsyms. */
static int copy_symbols(struct fargs_pt_copy *c, const struct fargs_pt_sink *sink,
			const char *text, uint64_t from_tsc, struct fargs_error_text *err)
{
	struct fargs_file_pt_symbols head = { .from_tsc = from_tsc };
	const char *line, *eol;
	char *lines = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&lines, &bytes);
	int ret = 0;

	for (line = text; out && (eol = strchr(line, '\n')); line = eol + 1)
		put_symbol(c, line, eol - line, out);
	if (!out || fclose(out)) {
		free(lines);
		return no_memory(err);
	}
	if (bytes) {
		struct iovec iov[2] = { { &head, sizeof(head) }, { lines, bytes } };

		ret = sink->chunk(sink->arg, FARGS_CHUNK_PT_SYMBOLS, FARGS_CHUNK_NO_CPU, iov, false,
				  err);
	}
	free(lines);
	return ret;
}

/* Returns whether @name is the kernel image or code generated by the kernel, not a module. */
static bool is_made(const char *name)
{
	return !strcmp(name, FARGS_CODE_KERNEL) || !strcmp(name, "bpf") ||
	       !strncmp(name, "__builtin__", strlen("__builtin__"));
}

/* Returns the module's line in @modules, the contents of /proc/modules; NULL if it has none. */
static const char *find_module(const char *modules, const char *name)
{
	size_t bytes = strlen(name);
	const char *line = modules;

	while (line && *line) {
		if (!strncmp(line, name, bytes) && line[bytes] == ' ')
			return line;
		line = strchr(line, '\n');
		line += !!line;
	}
	return NULL;
}

/*
 * Returns whether the code of range @i was still mapped after it was copied. @modules: contents of
 * /proc/modules, read after the copy. Once a module has been loaded, only one of its ranges is
 * mapped: the first one at or after its address. The others are init code, which was freed.
 */
static bool is_there(const struct fargs_pt_copy *c, size_t i, const char *modules)
{
	const struct fargs_code_range *range = &c->copied[i].range;
	const char *line;
	uint64_t addr;
	char state[16];

	if (is_made(range->name))
		return true;
	line = find_module(modules, range->name);
	if (!line || sscanf(line, "%*s %*s %*s %*s %15s %" SCNx64, state, &addr) != 2)
		return false;
	if (!strcmp(state, "Loading"))
		return true;
	if (range->addr + range->bytes <= addr)
		return false;
	while (i && c->copied[i - 1].range.addr + c->copied[i - 1].range.bytes > addr)
		if (!strcmp(c->copied[--i].range.name, range->name))
			return false;
	return true;
}

static bool has_new(const struct fargs_pt_copy *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		if (c->copied[i].is_new)
			return true;
	return false;
}

/*
 * A module's init code may have been freed, and its memory reused, before it was copied. So this
 * function checks new copies, and revokes a copy of freed code by writing the same chunk without
 * code.
 */
static int drop_unloaded(struct fargs_pt_copy *c, const struct fargs_pt_sink *sink,
		     struct fargs_error_text *err)
{
	size_t size, i;
	char *modules;
	int ret = 0;

	if (!has_new(c))
		return 0;
	modules = fargs_file_read(MODULES, &size);
	if (!modules)
		return fargs_fail(err, errno, "cannot read '%s': %s", MODULES, strerror(errno));
	for (i = 0; !ret && i < c->nr; i++)
		if (c->copied[i].is_new && !is_there(c, i, modules))
			ret = write_range(c, sink, &c->copied[i].head, c->copied[i].range.name, 0,
					  err);
	free(modules);
	return ret;
}

void fargs_pt_copy_unloaded(struct fargs_pt_copy *c, const char *module)
{
	size_t i, nr = 0;

	for (i = 0; i < c->nr; i++)
		if (strcmp(c->copied[i].range.name, module))
			c->copied[nr++] = c->copied[i];
	c->nr = nr;
}

static int copy_all(struct fargs_pt_copy *c, const struct fargs_pt_sink *sink, const char *text,
		    size_t size, struct fargs_error_text *err)
{
	uint64_t now = __rdtsc();
	struct fargs_code_ranges all;
	struct copied *copied;
	size_t i;
	int ret = fargs_code_ranges_init(&all, text, size, err);

	copied = ret ? NULL : calloc(all.nr, sizeof(*copied));
	if (!ret && !copied)
		ret = no_memory(err);
	for (i = 0; !ret && i < all.nr; i++)
		ret = copy_range(c, sink, &all.ranges[i], &copied[i], err);
	if (ret) {
		free(copied);
	} else {
		free(c->copied);
		c->copied = copied;
		c->nr = all.nr;
		ret = copy_symbols(c, sink, text, now, err);
		if (!ret)
			ret = drop_unloaded(c, sink, err);
	}
	fargs_code_ranges_deinit(&all);
	return ret;
}

int fargs_pt_copy_all(struct fargs_pt_copy *c, const struct fargs_pt_sink *sink,
		      struct fargs_error_text *err)
{
	size_t size;
	char *text;
	int ret = read_kallsyms(c, &text, &size, err);

	if (ret)
		return ret;
	ret = copy_all(c, sink, text, size, err);
	free(text);
	return ret;
}

int fargs_pt_copy_at(struct fargs_pt_copy *c, const struct fargs_pt_sink *sink,
		     uint64_t addr, size_t bytes, const char *name,
		     struct fargs_error_text *err)
{
	struct fargs_file_pt_text head;
	int ret;

	if (bytes > AT_MAX)
		return 0;
	ret = read_range(c, addr, bytes, &head, err);
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	return trim(c->buf, bytes) ? write_range(c, sink, &head, name, bytes, err) : 0;
}
