// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/jitdump.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "source/pt/input/mono.h"

#define MAGIC		0x4a695444
#define VERSION		1
/* In head.flags: times are TSCs; otherwise, they are of CLOCK_MONOTONIC. */
#define ARCH_TIMESTAMP	1

struct dump_head {
	uint32_t magic;
	uint32_t version;
	uint32_t bytes;			/* size of the header */
	uint32_t machine;		/* EM_* of ELF */
	uint32_t pad;
	uint32_t pid;
	uint64_t time;
	uint64_t flags;
};

enum record_type {
	CODE_LOAD,
	CODE_MOVE,
	CODE_DEBUG_INFO,
	CODE_CLOSE,
	CODE_UNWINDING_INFO,
};

struct record_head {
	uint32_t type;
	uint32_t bytes;			/* size of the record, with this header */
	uint64_t time;
};

/* Followed by the name, with a NUL, and the code. */
struct load_record {
	struct record_head head;
	uint32_t pid, tid;
	uint64_t vma;
	uint64_t addr;
	uint64_t bytes;
	uint64_t index;			/* identifies the function, if it is moved */
};

struct move_record {
	struct record_head head;
	uint32_t pid, tid;
	uint64_t vma;
	uint64_t old_addr;
	uint64_t addr;
	uint64_t bytes;
	uint64_t index;
};

/* The latest function with this index. */
struct function {
	uint64_t index;
	uint64_t at, bytes;		/* where its code is in the dump */
	const char *name;
};

struct dump {
	struct fargs_pt_input *in;
	const struct fargs_pt_mapping *mapping;
	uint32_t file;
	const char *path;
	const uint8_t *bytes;
	uint64_t size;
	struct dump_head head;
	struct function *functions;
	size_t nr_functions;
	struct fargs_hash by_index;
};

bool fargs_jitdump_is_name(const char *path)
{
	const char *name = strrchr(path, '/');
	size_t digits;

	if (!name || strncmp(name, "/jit-", 5))
		return false;
	digits = strspn(name + 5, "0123456789");
	return digits && !strcmp(name + 5 + digits, ".dump");
}

static struct function *find_function(const struct dump *d, uint64_t index)
{
	uint32_t hash = fargs_hash_u64(index), at, i;

	fargs_hash_for_each(i, at, &d->by_index, hash)
		if (d->functions[i].index == index)
			return &d->functions[i];
	return NULL;
}

static int keep_function(struct dump *d, const struct function *f)
{
	struct function *to = find_function(d, f->index);

	if (!to) {
		if (fargs_hash_reserve(&d->by_index, d->nr_functions + 1))
			return -ENOMEM;
		to = fargs_array_add(d->functions, d->nr_functions);
		if (!to)
			return -ENOMEM;
		fargs_hash_add(&d->by_index, fargs_hash_u64(f->index), d->nr_functions - 1);
	}
	*to = *f;
	return 0;
}

/*
 * Returns the time of a record on the perf clock. If the recording has no samples of
 * CLOCK_MONOTONIC, as perf's, its times cannot be converted: then all functions have the time of
 * the dump's mapping, and a later one replaces an earlier one.
 */
static uint64_t ns_of(const struct dump *d, uint64_t time)
{
	uint64_t ns;

	if (d->head.flags & ARCH_TIMESTAMP)
		return fargs_pt_input_ns(&d->in->config, time);
	return fargs_pt_mono_convert(d->in, time, &ns) ? ns : d->mapping->ns;
}

/*
 * Adds a mapping of function @f. In a pid namespace, the pids in the dump are not those of the
 * kernel's records.
 */
static int add_mapping(struct dump *d, const struct record_head *head, uint32_t pid, uint64_t addr,
		       const struct function *f)
{
	const struct fargs_pt_mapping m = {
		.ns = ns_of(d, head->time), .kind = FARGS_PT_MAP,
		.pid = pid == d->head.pid ? d->mapping->pid : (int32_t)pid,
		.path = strdup(d->path), .name = strdup(f->name), .file = d->file,
		.at = f->at, .bytes = f->bytes, .addr = addr,
	};

	if (m.path && m.name)
		return fargs_pt_input_add_mapping(d->in, &m);
	free(m.path);
	free(m.name);
	return -ENOMEM;
}

/* Returns 0, -EINVAL if the record is damaged, or -ENOMEM. */
static int take_load(struct dump *d, uint64_t at, const struct record_head *head)
{
	const char *name = (const char *)d->bytes + at + sizeof(struct load_record);
	struct load_record load;
	struct function f;
	size_t name_bytes;

	if (head->bytes < sizeof(load))
		return -EINVAL;
	memcpy(&load, d->bytes + at, sizeof(load));
	name_bytes = strnlen(name, head->bytes - sizeof(load)) + 1;
	if (name_bytes > head->bytes - sizeof(load) ||
	    load.bytes > head->bytes - sizeof(load) - name_bytes ||
	    load.addr + load.bytes < load.addr)
		return -EINVAL;
	/* Functions without code are allowed. */
	if (!load.bytes)
		return 0;
	f = (struct function){
		.index = load.index, .bytes = load.bytes, .name = name,
		.at = at + sizeof(load) + name_bytes,
	};
	return keep_function(d, &f) || add_mapping(d, head, load.pid, load.addr, &f) ? -ENOMEM : 0;
}

/* Like take_load(). Ignores a move of a function that is not in the dump. */
static int take_move(struct dump *d, uint64_t at, const struct record_head *head)
{
	const struct function *f;
	struct move_record move;

	if (head->bytes < sizeof(move))
		return -EINVAL;
	memcpy(&move, d->bytes + at, sizeof(move));
	f = find_function(d, move.index);
	if (!f)
		return 0;
	if (move.addr + f->bytes < move.addr)
		return -EINVAL;
	return add_mapping(d, head, move.pid, move.addr, f);
}

static int take_record(struct dump *d, uint64_t at, const struct record_head *head)
{
	switch (head->type) {
	case CODE_LOAD:
		return take_load(d, at, head);
	case CODE_MOVE:
		return take_move(d, at, head);
	}
	return 0;
}

static int add_damaged(const struct dump *d, uint64_t at)
{
	return fargs_pt_input_add_note(d->in, "'%s' is truncated or damaged at byte %llu: code "
				       "that was generated later is missing", d->path,
				       (unsigned long long)at);
}

static int read_records(struct dump *d)
{
	struct record_head head;
	uint64_t at;
	int ret;

	for (at = d->head.bytes; at < d->size; at += head.bytes) {
		if (d->size - at < sizeof(head))
			return add_damaged(d, at);
		memcpy(&head, d->bytes + at, sizeof(head));
		if (head.bytes < sizeof(head) || head.bytes > d->size - at)
			return add_damaged(d, at);
		if (head.type == CODE_CLOSE)
			break;
		ret = take_record(d, at, &head);
		if (ret)
			return ret == -EINVAL ? add_damaged(d, at) : ret;
	}
	return 0;
}

/* Returns whether the dump has a header, and is of this kind of machine. */
static bool take_head(struct dump *d)
{
	if (d->size < sizeof(d->head))
		return false;
	memcpy(&d->head, d->bytes, sizeof(d->head));
	return d->head.magic == MAGIC && d->head.version == VERSION &&
	       d->head.bytes >= sizeof(d->head) &&
	       (d->head.machine == EM_X86_64 || d->head.machine == EM_386);
}

static int read_dump(struct dump *d)
{
	int ret;

	if (!take_head(d))
		return fargs_pt_input_add_note(d->in, "'%s' is not a dump of generated code of an "
					       "x86 CPU (version 1): such code is missing",
					       d->path);
	if (!(d->head.flags & ARCH_TIMESTAMP) && d->in->config.has_time && !d->in->nr_monos &&
	    fargs_pt_input_add_note(d->in, "times in '%s' are of another clock than the trace's: "
				    "where a function replaced another one, the later one is used",
				    d->path))
		return -ENOMEM;
	ret = read_records(d);
	free(d->functions);
	fargs_hash_deinit(&d->by_index);
	return ret;
}

int fargs_jitdump_add(struct fargs_pt_input *in, const struct fargs_pt_mapping *m, uint32_t file,
		      const char *path)
{
	__cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct dump d = { .in = in, .mapping = m, .file = file, .path = path };
	void *bytes = MAP_FAILED;
	struct stat st;
	int ret;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size)
		bytes = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return fargs_pt_input_add_note(in, "'%s' cannot be read: the code that was "
					       "generated is missing", path);
	d.bytes = bytes;
	d.size = st.st_size;
	ret = read_dump(&d);
	munmap(bytes, st.st_size);
	return ret;
}
