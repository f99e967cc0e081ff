// SPDX-License-Identifier: GPL-2.0-only
#include "file/scan.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/pack.h"

/* Bytes read at a time when searching for the next chunk after damage. */
#define WINDOW		(1u << 20)

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

int fargs_scan_corrupt(const struct fargs_scan *s, uint64_t at, const char *what,
		       struct fargs_error_text *err)
{
	return fargs_fail(err, EIO, "'%s' is corrupt at byte %llu: %s%s", s->path,
			  (unsigned long long)at, what,
			  s->is_salvage ? "" : " ('fargs recover' saves the rest)");
}

static int fail_cut(const struct fargs_scan *s, uint64_t at, struct fargs_error_text *err)
{
	return fargs_fail(err, EIO, "'%s' is truncated: it ends at byte %llu", s->path,
			  (unsigned long long)at);
}

static int read_at(const struct fargs_scan *s, uint64_t at, void *buf, size_t bytes,
		   struct fargs_error_text *err)
{
	ssize_t n;

	while (bytes) {
		n = pread(s->fd, buf, bytes, (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fargs_fail(err, errno, "cannot read '%s': %s", s->path,
					  strerror(errno));
		if (!n)
			return fail_cut(s, at, err);
		buf = (char *)buf + n;
		at += n;
		bytes -= n;
	}
	return 0;
}

/* Does a chunk of @kind hold records? */
static bool is_stream(unsigned int kind)
{
	return kind == FARGS_CHUNK_RECORDS || kind == FARGS_CHUNK_EVENTS;
}

static bool can_be_packed(unsigned int kind)
{
	return is_stream(kind) || kind == FARGS_CHUNK_PT_AUX || kind == FARGS_CHUNK_PT_SIDEBAND ||
	       kind == FARGS_CHUNK_PT_SAMPLES;
}

static uint64_t max_bytes(unsigned int kind)
{
	return is_stream(kind) ? FARGS_CHUNK_RECORDS_MAX : FARGS_CHUNK_OTHER_MAX;
}

/*
 * Checks the header @v1 of version 1 and converts it to @c. Returns NULL, or the reason why it is
 * invalid.
 */
static const char *check_v1(const struct fargs_chunk_v1 *v1, uint64_t at,
			    struct fargs_scan_chunk *c)
{
	if (v1->magic != FARGS_CHUNK_V1_MAGIC)
		return "no chunk starts there";
	if (v1->head_crc != fargs_chunk_v1_head_crc(v1))
		return "the checksum of a chunk's header does not match";
	if (v1->flags)
		return "a chunk has unknown flags";
	if (v1->bytes > max_bytes(v1->kind))
		return "a chunk is longer than the maximum";
	c->payload = at + sizeof(*v1);
	c->head = (struct fargs_chunk){
		.kind = v1->kind,
		.flags = FARGS_CHUNK_HAS_TASK,
		.cpu = v1->cpu,
		.bytes = v1->bytes,
		.crc = v1->crc,
		.raw_bytes = v1->bytes,
		.at = at,
		.last_tsc = UINT64_MAX,
	};
	return NULL;
}

static const char *check_v2(const struct fargs_chunk *head, uint64_t at, uint32_t file)
{
	if (head->magic != FARGS_CHUNK_MAGIC)
		return "no chunk starts there";
	if (head->head_crc != fargs_chunk_head_crc(head))
		return "the checksum of a chunk's header does not match";
	if (head->at != at || head->file != file)
		return "a chunk belongs to another offset or file";
	if (head->flags & ~FARGS_CHUNK_FLAGS)
		return "a chunk has unknown flags";
	if (head->bytes > max_bytes(head->kind) || head->raw_bytes > max_bytes(head->kind))
		return "a chunk is longer than the maximum";
	/*
	 * Each form of compression is valid only for certain kinds of chunks. Chunks of other kinds
	 * are never compressed, because readelf and bpftool read them, or because code is mapped
	 * from the file.
	 */
	if ((head->flags & FARGS_CHUNK_ZSTD && !can_be_packed(head->kind)) ||
	    (head->flags & FARGS_CHUNK_ELF_ZSTD && head->kind != FARGS_CHUNK_KALLSYMS))
		return "a chunk is compressed, but chunks of its kind never are";
	if (head->flags & FARGS_CHUNK_ELF_ZSTD &&
	    !fargs_chunk_symbols_fit(head->bytes, head->raw_bytes))
		return "compressed symbols would unpack to more than 16 times their size";
	if (!(head->flags & FARGS_CHUNK_PACKED) && head->bytes != head->raw_bytes)
		return "a chunk has two different lengths";
	return NULL;
}

/*
 * Reads the header at offset @at. Returns 1 if it is valid and its payload lies within the file.
 * Returns 0 if not, with the reason in *@what, which is NULL if the file ends too early. Returns
 * -errno if reading fails.
 */
static int look(const struct fargs_scan *s, uint64_t at, struct fargs_scan_chunk *c,
		const char **what, struct fargs_error_text *err)
{
	bool is_v1 = s->about.version < 2;
	size_t bytes = is_v1 ? sizeof(struct fargs_chunk_v1) : sizeof(struct fargs_chunk);
	struct fargs_chunk_v1 v1;
	int ret;

	*what = NULL;
	if (s->size < at || s->size - at < bytes)
		return 0;
	ret = read_at(s, at, is_v1 ? (void *)&v1 : &c->head, bytes, err);
	if (ret)
		return ret;
	c->payload = at + bytes;
	*what = is_v1 ? check_v1(&v1, at, c) : check_v2(&c->head, at, s->about.id);
	return !*what && fargs_chunk_room(c->head.bytes) <= s->size - c->payload;
}

int fargs_scan_stored(const struct fargs_scan *s, const struct fargs_scan_chunk *c, void *buf,
		      struct fargs_error_text *err)
{
	int ret = read_at(s, c->payload, buf, c->head.bytes, err);

	if (!ret && fargs_crc32c(0, buf, c->head.bytes) != c->head.crc)
		ret = fargs_scan_corrupt(s, c->head.at, "the checksum of a chunk does not match",
					 err);
	return ret;
}

/* Decompresses @packed, the stored payload of chunk @c, into @buf. */
static int unpack(const struct fargs_scan_chunk *c, const char *packed, void *buf)
{
	size_t bytes = c->head.bytes;
	Elf64_Chdr chdr;

	if (c->head.flags & FARGS_CHUNK_ELF_ZSTD) {
		if (bytes < sizeof(chdr))
			return -EIO;
		memcpy(&chdr, packed, sizeof(chdr));
		if (chdr.ch_type != FARGS_ELFCOMPRESS_ZSTD || chdr.ch_size != c->head.raw_bytes)
			return -EIO;
		packed += sizeof(chdr);
		bytes -= sizeof(chdr);
	}
	return fargs_unpack(packed, bytes, buf, c->head.raw_bytes);
}

int fargs_scan_payload(const struct fargs_scan *s, const struct fargs_scan_chunk *c, void *buf,
		       struct fargs_error_text *err)
{
	char *packed;
	int ret;

	if (!(c->head.flags & FARGS_CHUNK_PACKED))
		return fargs_scan_stored(s, c, buf, err);
	packed = malloc(c->head.bytes + 1);
	if (!packed)
		return no_memory(err);
	ret = fargs_scan_stored(s, c, packed, err);
	if (!ret && unpack(c, packed, buf))
		ret = fargs_scan_corrupt(s, c->head.at, "a chunk cannot be unpacked", err);
	free(packed);
	return ret;
}

/* Does the payload match its checksum? Returns 1, 0, or -errno if reading fails. */
static int is_sound(struct fargs_scan *s, const struct fargs_scan_chunk *c,
		    struct fargs_error_text *err)
{
	char *buf;
	int ret;

	if (c->head.bytes >= s->room) {
		buf = realloc(s->buf, c->head.bytes + 1);
		if (!buf)
			return no_memory(err);
		s->buf = buf;
		s->room = c->head.bytes + 1;
	}
	ret = read_at(s, c->payload, s->buf, c->head.bytes, err);
	return ret ? ret : fargs_crc32c(0, s->buf, c->head.bytes) == c->head.crc;
}

/*
 * Finds the first valid header at or after @at. Returns 1 with its offset in *@found, 0 if there is
 * none, or -errno.
 */
static int find_header(const struct fargs_scan *s, uint64_t at, uint64_t *found,
		       struct fargs_error_text *err)
{
	const uint32_t magic = FARGS_CHUNK_MAGIC;
	struct fargs_scan_chunk c;
	const char *what;
	size_t bytes, i;
	char *window;
	int ret = 0;

	/*
	 * Headers of version 1 do not contain their offset, so they cannot be distinguished from
	 * data in a record that looks like a header.
	 */
	if (s->about.version < 2)
		return 0;
	window = malloc(WINDOW);
	if (!window)
		return no_memory(err);
	for (; !ret && at + sizeof(c.head) <= s->size; at += bytes) {
		bytes = s->size - at < WINDOW ? s->size - at : WINDOW;
		ret = read_at(s, at, window, bytes, err);
		for (i = 0; !ret && i + sizeof(magic) <= bytes; i += FARGS_CHUNK_ALIGN) {
			if (memcmp(window + i, &magic, sizeof(magic)))
				continue;
			ret = look(s, at + i, &c, &what, err);
			*found = at + i;
		}
	}
	free(window);
	return ret;
}

static void note_damage(struct fargs_scan *s, uint64_t from, uint64_t to)
{
	if (!s->damaged)
		s->damaged_at = from;
	s->damaged += to - from;
}

/* Like strict_next(), but skips damaged parts. */
static int salvage_next(struct fargs_scan *s, struct fargs_scan_chunk *c,
			struct fargs_error_text *err)
{
	uint64_t at = s->next, found = at;
	const char *what;
	int ret;

	for (;; at = found) {
		ret = look(s, at, c, &what, err);
		if (ret < 0)
			return ret;
		if (ret) {
			found = c->payload + fargs_chunk_room(c->head.bytes);
			ret = is_sound(s, c, err);
			if (!ret)
				continue;
			if (ret > 0 && at != s->end)
				note_damage(s, s->end, at);
			return ret;
		}
		ret = find_header(s, at + FARGS_CHUNK_ALIGN, &found, err);
		if (ret <= 0)
			return ret;
	}
}

static int strict_next(struct fargs_scan *s, struct fargs_scan_chunk *c,
		       struct fargs_error_text *err)
{
	const char *what;
	int ret = look(s, s->next, c, &what, err);

	if (ret)
		return ret;
	if (!what && s->is_growing)
		return FARGS_SCAN_WAITS;
	return what ? fargs_scan_corrupt(s, s->next, what, err) : fail_cut(s, s->size, err);
}

int fargs_scan_next(struct fargs_scan *s, struct fargs_scan_chunk *c,
		    struct fargs_error_text *err)
{
	int ret = s->is_salvage ? salvage_next(s, c, err) : strict_next(s, c, err);

	if (ret != 1)
		return ret;
	s->next = c->payload + fargs_chunk_room(c->head.bytes);
	s->end = s->next;
	s->nr_chunks++;
	if (c->head.kind == FARGS_CHUNK_INFO)
		return fargs_scan_corrupt(s, c->head.at, "a second info chunk", err);
	s->has_end = c->head.kind == FARGS_CHUNK_END;
	return !s->has_end;
}

/*
 * Does @ehdr refer to a section table within the file, whose size is @size? If so, the file is
 * complete.
 */
static bool has_table(const Elf64_Ehdr *ehdr, uint64_t size)
{
	uint64_t table = (uint64_t)ehdr->e_shnum * sizeof(Elf64_Shdr);

	return ehdr->e_shoff && ehdr->e_shoff <= size && table <= size - ehdr->e_shoff;
}

int fargs_scan_grow(struct fargs_scan *s, struct fargs_error_text *err)
{
	Elf64_Ehdr ehdr;
	struct stat st;
	int ret;

	if (fstat(s->fd, &st))
		return fargs_fail(err, errno, "cannot read '%s': %s", s->path, strerror(errno));
	if (!st.st_nlink)
		return fargs_fail(err, ENOENT, "'%s' was removed or replaced", s->path);
	if ((uint64_t)st.st_size < s->size)
		return fargs_fail(err, EIO, "'%s' has become shorter: it may be another recording "
				  "now",
				  s->path);
	s->size = st.st_size;
	ret = read_at(s, 0, &ehdr, sizeof(ehdr), err);
	s->is_finished = !ret && has_table(&ehdr, s->size);
	return ret;
}

int fargs_scan_is_begun(const char *path, struct fargs_error_text *err)
{
	struct __attribute__((packed)) {
		Elf64_Ehdr ehdr;
		struct fargs_chunk_v1 info;
	} head = { };
	struct stat st;
	ssize_t n = -1;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && !fstat(fd, &st))
		n = S_ISREG(st.st_mode) ? pread(fd, &head, sizeof(head), 0) : 0;
	if (n < 0)
		fargs_fail(err, errno, "cannot open '%s': %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	if (n < 0)
		return -EIO;
	if (!S_ISREG(st.st_mode))
		return 1;
	if (n < (ssize_t)sizeof(head))
		return n >= SELFMAG && memcmp(head.ehdr.e_ident, ELFMAG, SELFMAG);
	return head.info.magic != FARGS_CHUNK_V1_MAGIC ||
	       (uint64_t)st.st_size - sizeof(head) >= fargs_chunk_room(head.info.bytes);
}

/* Checks that the file is a trace of a known version, and parses its INFO. */
static int read_info(struct fargs_scan *s, const Elf64_Ehdr *ehdr, struct fargs_meta *meta,
		     struct fargs_error_text *err)
{
	uint64_t at = sizeof(*ehdr);
	struct fargs_error_text why;
	struct fargs_scan_chunk c;
	const char *what;
	char *text;
	int ret;

	if (memcmp(ehdr->e_ident, ELFMAG, SELFMAG) || ehdr->e_ident[EI_CLASS] != ELFCLASS64 ||
	    ehdr->e_ident[EI_DATA] != ELFDATA2LSB)
		return fargs_fail(err, EINVAL, "'%s' is not a fargs trace", s->path);
	/*
	 * about.version is still 0, so look() expects the header of version 1, which INFO has in
	 * all versions.
	 */
	ret = look(s, at, &c, &what, err);
	if (ret < 0)
		return ret;
	if (!ret && !what && s->size < at + sizeof(struct fargs_chunk_v1))
		return fargs_fail(err, EINVAL,
				  "'%s' is not a fargs trace, or is truncated near its start",
				  s->path);
	if (!ret && !what)
		return fail_cut(s, s->size, err);
	if (!ret || c.head.kind != FARGS_CHUNK_INFO)
		return fargs_fail(err, EINVAL, "'%s' is an ELF file, but not a fargs trace%s%s",
				  s->path, what ? ": " : "", what ? what : "");
	text = malloc(c.head.bytes + 1);
	if (!text)
		return no_memory(err);
	ret = fargs_scan_stored(s, &c, text, err);
	if (!ret) {
		ret = fargs_info_parse(text, c.head.bytes, meta, &s->about, &why);
		if (ret)
			fargs_fail(err, -ret, "'%s': %s", s->path, why.text);
	}
	free(text);
	s->next = c.payload + fargs_chunk_room(c.head.bytes);
	s->end = s->next;
	s->nr_chunks = 1;
	return ret;
}

int fargs_scan_init(struct fargs_scan *s, const char *path, struct fargs_meta *meta,
		    struct fargs_error_text *err)
{
	Elf64_Ehdr ehdr;
	struct stat st;
	int ret;

	memset(s, 0, sizeof(*s));
	s->path = path;
	/* Use O_NONBLOCK, so that opening a FIFO does not block. */
	s->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (s->fd < 0 || fstat(s->fd, &st))
		return fargs_fail(err, errno, "cannot open '%s': %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return fargs_fail(err, EINVAL, "'%s' is not a fargs trace: it is not a regular "
				  "file", path);
	s->size = st.st_size;
	if (s->size < sizeof(ehdr))
		return fargs_fail(err, EINVAL, "'%s' is not a fargs trace%s", path,
				  s->size ? "" : ": it is empty");
	ret = read_at(s, 0, &ehdr, sizeof(ehdr), err);
	if (!ret)
		ret = read_info(s, &ehdr, meta, err);
	s->is_finished = has_table(&ehdr, s->size);
	s->is_salvage = !s->is_finished;
	return ret;
}

void fargs_scan_deinit(struct fargs_scan *s)
{
	if (s->fd >= 0)
		close(s->fd);
	free(s->buf);
}
