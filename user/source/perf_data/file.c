// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "source/perf_data/event_desc.h"

/* Maximum number of files in a directory; perf record --threads never creates that many. */
#define PARTS_MAX	65536
/* Maximum number of events; a file with more is corrupt. */
#define EVENTS_MAX	65536

/* The perf.data file or, if a directory was opened, one of its files. */
struct part {
	char *path;
	const uint8_t *bytes;
	uint64_t size;
	bool is_mapped;
	uint64_t next;		/* offset of the next record */
	uint64_t end;		/* offset of the end of the records */
};

struct fargs_perf_file {
	char *kcore_dir;
	struct part *parts;
	size_t nr_parts;
	size_t part;		/* index of the part that fargs_perf_file_next() reads */
	bool is_pipe;
	struct fargs_perf_event *events;
	size_t nr_events;
	char *features[FARGS_PERF_FEATURES];
	struct fargs_build_id_list build_ids;
	uint64_t first_ns, last_ns;	/* from the feature SAMPLE_TIME; 0: unknown */
};

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

static int fail_corrupt(const struct part *part, uint64_t at, const char *what,
			struct fargs_error_text *err)
{
	return fargs_fail(err, EIO, "'%s' is corrupt at byte %llu: %s", part->path,
			  (unsigned long long)at, what);
}

int fargs_perf_file_corrupt(const struct fargs_perf_file *file, uint64_t at, const char *what,
			    struct fargs_error_text *err)
{
	return fail_corrupt(&file->parts[file->part], at, what, err);
}

static bool has(const struct part *part, const struct fargs_perf_section *s)
{
	return s->at <= part->size && s->bytes <= part->size - s->at;
}

/* Opens a part. Takes ownership of @path. */
static int add_part(struct fargs_perf_file *file, char *path, struct fargs_error_text *err)
{
	struct part *larger = NULL, *part;
	struct stat st;
	size_t size;
	void *bytes = NULL;
	int fd;

	if (path)
		larger = realloc(file->parts, (file->nr_parts + 1) * sizeof(*larger));
	if (!larger) {
		free(path);
		return no_memory(err);
	}
	file->parts = larger;
	part = &larger[file->nr_parts++];
	*part = (struct part){ .path = path };
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		if (fd >= 0)
			close(fd);
		return fargs_fail(err, errno, "cannot open '%s': %s", path, strerror(errno));
	}
	if (S_ISREG(st.st_mode) && st.st_size) {
		bytes = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		part->is_mapped = bytes != MAP_FAILED;
		part->size = st.st_size;
	}
	close(fd);
	if (!part->is_mapped) {
		/* The file cannot be mapped: it is a pipe, or on a file system without mmap. */
		bytes = fargs_file_read(path, &size);
		if (!bytes)
			return fargs_fail(err, errno, "cannot read '%s': %s", path,
					  strerror(errno));
		part->size = size;
	}
	part->bytes = bytes;
	part->end = part->size;
	return 0;
}

static struct fargs_perf_event *add_event(struct fargs_perf_file *file)
{
	struct fargs_perf_event *larger;

	if (file->nr_events == EVENTS_MAX)
		return NULL;
	larger = realloc(file->events, (file->nr_events + 1) * sizeof(*larger));
	if (!larger)
		return NULL;
	file->events = larger;
	larger += file->nr_events++;
	memset(larger, 0, sizeof(*larger));
	return larger;
}

/*
 * Returns the size of the attr at @bytes, where @room bytes are available; 0: invalid. An attr may
 * be followed by ids.
 */
static size_t attr_bytes(const uint8_t *bytes, uint64_t room)
{
	uint32_t size;

	if (room < PERF_ATTR_SIZE_VER0)
		return 0;
	memcpy(&size, bytes + offsetof(struct perf_event_attr, size), sizeof(size));
	/* As in perf_event_open(2), 0 means the size of the first version. */
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	return size >= PERF_ATTR_SIZE_VER0 && size <= room ? size : 0;
}

static int set_event(struct fargs_perf_event *ev, const uint8_t *attr, size_t bytes,
		     const uint8_t *ids, uint64_t ids_bytes)
{
	memcpy(&ev->attr, attr, bytes < sizeof(ev->attr) ? bytes : sizeof(ev->attr));
	ev->nr_ids = ids_bytes / sizeof(*ev->ids);
	ev->ids = malloc(ids_bytes + 1);
	if (!ev->ids)
		return -ENOMEM;
	memcpy(ev->ids, ids, ev->nr_ids * sizeof(*ev->ids));
	return 0;
}

static int read_attrs(struct fargs_perf_file *file, const struct fargs_perf_header *h,
		      struct fargs_error_text *err)
{
	const struct part *part = file->parts;
	struct fargs_perf_section ids;
	struct fargs_perf_event *ev;
	uint64_t at, left, room = part->size;
	size_t bytes;

	if (!has(part, &h->attrs))
		return fail_corrupt(part, 0, "the event attributes are outside the file", err);
	if (h->attr_bytes < PERF_ATTR_SIZE_VER0 + sizeof(ids))
		return fail_corrupt(part, 0, "the event attributes are too short", err);
	at = h->attrs.at;
	for (left = h->attrs.bytes; left >= h->attr_bytes; left -= h->attr_bytes) {
		memcpy(&ids, part->bytes + at + h->attr_bytes - sizeof(ids), sizeof(ids));
		bytes = attr_bytes(part->bytes + at, h->attr_bytes - sizeof(ids));
		if (!bytes || !has(part, &ids))
			return fail_corrupt(part, at, "invalid event attributes or ids", err);
		/*
		 * Limit the total: if the ids of different events overlapped, their copies could
		 * need far more memory than the size of the file.
		 */
		if (ids.bytes > room)
			return fail_corrupt(part, at, "the events have more ids than fit into the "
					    "file",
					    err);
		room -= ids.bytes;
		ev = add_event(file);
		if (!ev || set_event(ev, part->bytes + at, bytes, part->bytes + ids.at, ids.bytes))
			return no_memory(err);
		at += h->attr_bytes;
	}
	return 0;
}

/*
 * Returns the string of a feature; if @has_many, its strings joined by blanks. In the file, a
 * string consists of a length and that number of bytes, which include a NUL and padding.
 */
static char *feature_text(const uint8_t *bytes, uint64_t left, bool has_many)
{
	size_t used = 0, len;
	uint32_t nr = 1, n;
	char *text = malloc(left + 1);

	if (text && has_many && left >= sizeof(nr)) {
		memcpy(&nr, bytes, sizeof(nr));
		bytes += sizeof(nr);
		left -= sizeof(nr);
	}
	for (; text && nr && left >= sizeof(n); nr--) {
		memcpy(&n, bytes, sizeof(n));
		bytes += sizeof(n);
		left -= sizeof(n);
		if (n > left)
			break;
		len = strnlen((const char *)bytes, n);
		if (used)
			text[used++] = ' ';
		memcpy(text + used, bytes, len);
		used += len;
		bytes += n;
		left -= n;
	}
	if (text)
		text[used] = '\0';
	return text;
}

static void name_events(struct fargs_perf_file *file, const uint8_t *bytes, uint64_t size)
{
	size_t i;

	for (i = 0; i < file->nr_events; i++) {
		free(file->events[i].name);
		file->events[i].name = fargs_perf_event_desc_name(bytes, size, i);
	}
}

static void keep_feature(struct fargs_perf_file *file, uint64_t nr, const uint8_t *bytes,
			 uint64_t size)
{
	switch (nr) {
	case FARGS_PERF_FEATURE_BUILD_ID:
		/* Without memory for a build ID, it is unknown. */
		fargs_build_id_list_add(&file->build_ids, bytes, size);
		break;
	case FARGS_PERF_FEATURE_HOSTNAME:
	case FARGS_PERF_FEATURE_OSRELEASE:
	case FARGS_PERF_FEATURE_CPUID:
	case FARGS_PERF_FEATURE_CMDLINE:
		free(file->features[nr]);
		file->features[nr] = feature_text(bytes, size, nr == FARGS_PERF_FEATURE_CMDLINE);
		break;
	case FARGS_PERF_FEATURE_EVENT_DESC:
		name_events(file, bytes, size);
		break;
	case FARGS_PERF_FEATURE_SAMPLE_TIME:
		if (size < 2 * sizeof(uint64_t))
			break;
		memcpy(&file->first_ns, bytes, sizeof(file->first_ns));
		memcpy(&file->last_ns, bytes + sizeof(file->first_ns), sizeof(file->last_ns));
	}
}

/*
 * Reads the features of a file. If perf record was killed, there are none, and the data extends to
 * the end of the file.
 */
static int read_features(struct fargs_perf_file *file, const struct fargs_perf_header *h,
			 struct fargs_error_text *err)
{
	const struct part *part = file->parts;
	struct fargs_perf_section table, section;
	unsigned int nr;

	table.at = h->data.at + h->data.bytes;
	table.bytes = sizeof(section);
	for (nr = 0; h->data.bytes && nr < FARGS_PERF_FEATURES; nr++) {
		if (!(h->features[nr / 64] >> nr % 64 & 1))
			continue;
		if (!has(part, &table))
			return fail_corrupt(part, table.at, "the table of features is truncated",
					    err);
		memcpy(&section, part->bytes + table.at, sizeof(section));
		if (!has(part, &section))
			return fail_corrupt(part, table.at, "a feature is outside the file", err);
		keep_feature(file, nr, part->bytes + section.at, section.bytes);
		table.at += sizeof(section);
	}
	return 0;
}

static int read_header(struct fargs_perf_file *file, struct fargs_error_text *err)
{
	struct part *part = file->parts;
	struct fargs_perf_header h = { };
	int ret;

	memcpy(&h, part->bytes, part->size < sizeof(h) ? part->size : sizeof(h));
	if (part->size >= FARGS_PERF_MAGIC_LEN &&
	    !memcmp(h.magic, FARGS_PERF_MAGIC_SWAPPED, FARGS_PERF_MAGIC_LEN))
		return fargs_fail(err, EINVAL, "'%s' is from a big-endian machine, which has no "
				  "Intel PT",
				  part->path);
	if (part->size < FARGS_PERF_PIPE_HEADER_BYTES ||
	    memcmp(h.magic, FARGS_PERF_MAGIC, FARGS_PERF_MAGIC_LEN))
		return fargs_fail(err, EINVAL, "'%s' is not a perf.data file", part->path);
	if (h.size == FARGS_PERF_PIPE_HEADER_BYTES) {
		file->is_pipe = true;
		part->next = FARGS_PERF_PIPE_HEADER_BYTES;
		return 0;
	}
	if (part->size < sizeof(h) || h.size < sizeof(h))
		return fail_corrupt(part, 0, "the header is truncated", err);
	if (!h.data.bytes && h.data.at <= part->size)
		part->end = part->size;
	else if (!has(part, &h.data))
		return fail_corrupt(part, 0, "the data are outside the file, which may be "
				    "truncated", err);
	else
		part->end = h.data.at + h.data.bytes;
	part->next = h.data.at;
	if (part->next % sizeof(uint64_t))
		return fail_corrupt(part, 0, "the data start at an unaligned offset", err);
	ret = read_attrs(file, &h, err);
	return ret ? ret : read_features(file, &h, err);
}

static char *join(const char *dir, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", dir, name) < 0 ? NULL : path;
}

/* Opens a directory: its files data and data.N (perf record --threads), and kcore_dir. */
static int open_dir(struct fargs_perf_file *file, const char *dir, struct fargs_error_text *err)
{
	char name[32], *path;
	unsigned int nr;
	int ret;

	ret = add_part(file, join(dir, "data"), err);
	for (nr = 0; !ret && nr < PARTS_MAX; nr++) {
		snprintf(name, sizeof(name), "data.%u", nr);
		path = join(dir, name);
		if (!path || access(path, F_OK)) {
			free(path);
			break;
		}
		ret = add_part(file, path, err);
	}
	path = join(dir, "kcore_dir");
	if (path && !access(path, F_OK))
		file->kcore_dir = path;
	else
		free(path);
	return ret;
}

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

bool fargs_perf_file_is(const char *path)
{
	char magic[FARGS_PERF_MAGIC_LEN], *inner = NULL;
	ssize_t n = -1;
	int fd;

	if (is_dir(path)) {
		inner = join(path, "data");
		path = inner ? inner : path;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0) {
		n = pread(fd, magic, sizeof(magic), 0);
		close(fd);
	}
	free(inner);
	return n == sizeof(magic) && (!memcmp(magic, FARGS_PERF_MAGIC, sizeof(magic)) ||
				      !memcmp(magic, FARGS_PERF_MAGIC_SWAPPED, sizeof(magic)));
}

struct fargs_perf_file *fargs_perf_file_open(const char *path, struct fargs_error_text *err)
{
	struct fargs_perf_file *file = calloc(1, sizeof(*file));
	int ret;

	if (!file) {
		no_memory(err);
		return NULL;
	}
	ret = is_dir(path) ? open_dir(file, path, err) : add_part(file, strdup(path), err);
	if (!ret)
		ret = read_header(file, err);
	if (ret) {
		fargs_perf_file_destroy(file);
		return NULL;
	}
	return file;
}

void fargs_perf_file_release(const struct fargs_perf_file *file, const uint8_t *bytes, uint64_t n)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin, end;
	const struct part *part;

	for (part = file->parts; part < file->parts + file->nr_parts; part++) {
		if (!part->is_mapped || bytes < part->bytes || bytes > part->bytes + part->size ||
		    n > (uint64_t)(part->bytes + part->size - bytes))
			continue;
		/* The whole first page, too: what is before @bytes was used earlier. */
		begin = (uintptr_t)bytes / page * page;
		end = ((uintptr_t)bytes + n) / page * page;
		if (begin < end)
			madvise((void *)begin, end - begin, MADV_DONTNEED);
		return;
	}
}

void fargs_perf_file_destroy(struct fargs_perf_file *file)
{
	size_t i;

	if (!file)
		return;
	for (i = 0; i < file->nr_parts; i++) {
		if (file->parts[i].is_mapped)
			munmap((void *)file->parts[i].bytes, file->parts[i].size);
		else
			free((void *)file->parts[i].bytes);
		free(file->parts[i].path);
	}
	for (i = 0; i < file->nr_events; i++) {
		free(file->events[i].ids);
		free(file->events[i].name);
	}
	for (i = 0; i < FARGS_PERF_FEATURES; i++)
		free(file->features[i]);
	fargs_build_id_list_deinit(&file->build_ids);
	free(file->events);
	free(file->parts);
	free(file->kcore_dir);
	free(file);
}

/* Adds the event in a HEADER_ATTR record (perf's output to a pipe): an attr, then its ids. */
static int take_attr(struct fargs_perf_file *file, const struct fargs_perf_record *rec,
		     struct fargs_error_text *err)
{
	const uint8_t *body = (const uint8_t *)(rec->head + 1);
	uint64_t room = rec->head->size - sizeof(*rec->head);
	size_t bytes = attr_bytes(body, room);
	struct fargs_perf_event *ev;

	if (!bytes)
		return fargs_perf_file_corrupt(file, rec->at, "invalid event attributes", err);
	ev = add_event(file);
	if (!ev || set_event(ev, body, bytes, body + bytes, room - bytes))
		return no_memory(err);
	return 0;
}

static void take_feature(struct fargs_perf_file *file, const struct fargs_perf_record *rec)
{
	const uint8_t *body = (const uint8_t *)(rec->head + 1);
	uint64_t room = rec->head->size - sizeof(*rec->head), nr;

	if (room < sizeof(nr))
		return;
	memcpy(&nr, body, sizeof(nr));
	keep_feature(file, nr, body + sizeof(nr), room - sizeof(nr));
}

static void take_update(struct fargs_perf_file *file, const struct fargs_perf_record *rec)
{
	uint64_t id, room = rec->head->size - sizeof(*rec->head);
	char *name = fargs_perf_event_update_name((const uint8_t *)(rec->head + 1), room, &id);
	struct fargs_perf_event *ev;
	size_t i;

	for (ev = file->events; name && ev < file->events + file->nr_events; ev++) {
		for (i = 0; i < ev->nr_ids && ev->ids[i] != id; i++)
			;
		if (i == ev->nr_ids)
			continue;
		free(ev->name);
		ev->name = name;
		return;
	}
	free(name);
}

/* Finds the data that follows a record and is not included in the record's size. */
static int find_data(struct fargs_perf_file *file, struct fargs_perf_record *rec, uint64_t left,
		     struct fargs_error_text *err)
{
	const struct fargs_perf_auxtrace *aux = (const void *)rec->head;
	uint64_t bytes;
	uint32_t size;

	if (rec->head->type == FARGS_PERF_AUXTRACE) {
		if (rec->head->size < sizeof(*aux))
			return fargs_perf_file_corrupt(file, rec->at, "AUXTRACE is too short", err);
		bytes = aux->bytes;
	} else if (rec->head->type == FARGS_PERF_HEADER_TRACING_DATA) {
		if (rec->head->size < sizeof(*rec->head) + sizeof(size))
			return fargs_perf_file_corrupt(file, rec->at, "TRACING_DATA is too short",
						       err);
		memcpy(&size, rec->head + 1, sizeof(size));
		bytes = ((uint64_t)size + 7) & ~7ull;
	} else {
		return 0;
	}
	if (bytes > left || bytes % sizeof(uint64_t))
		return fargs_perf_file_corrupt(file, rec->at,
					       "the data after it are outside the file", err);
	rec->data = (const uint8_t *)rec->head + rec->head->size;
	rec->data_bytes = bytes;
	return 0;
}

/* Parses the record at part->next, after checking that it is complete. */
static int find_record(struct fargs_perf_file *file, struct fargs_perf_record *rec,
		       struct fargs_error_text *err)
{
	struct part *part = &file->parts[file->part];
	uint64_t left = part->end - part->next;
	int ret;

	*rec = (struct fargs_perf_record){ .at = part->next };
	rec->head = (const void *)(part->bytes + part->next);
	if (left < sizeof(*rec->head) || rec->head->size > left)
		return fail_corrupt(part, part->next, "a record is truncated", err);
	if (rec->head->size < sizeof(*rec->head))
		return fail_corrupt(part, part->next, "no record starts there", err);
	if (rec->head->type == FARGS_PERF_COMPRESSED || rec->head->type == FARGS_PERF_COMPRESSED2)
		return fargs_fail(err, ENOTSUP, "'%s' is compressed: record without '-z'",
				  part->path);
	if (rec->head->size % sizeof(uint64_t))
		return fail_corrupt(part, part->next, "the length of the record is not a multiple "
				    "of 8", err);
	ret = find_data(file, rec, left - rec->head->size, err);
	if (!ret)
		part->next += rec->head->size + rec->data_bytes;
	return ret;
}

int fargs_perf_file_next(struct fargs_perf_file *file, struct fargs_perf_record *rec,
			 struct fargs_error_text *err)
{
	int ret;

	while (file->parts[file->part].next >= file->parts[file->part].end) {
		if (file->part + 1 == file->nr_parts)
			return 0;
		file->part++;
	}
	ret = find_record(file, rec, err);
	if (ret)
		return ret;
	if (rec->head->type == FARGS_PERF_HEADER_ATTR)
		ret = take_attr(file, rec, err);
	else if (rec->head->type == FARGS_PERF_HEADER_FEATURE)
		take_feature(file, rec);
	else if (rec->head->type == FARGS_PERF_EVENT_UPDATE)
		take_update(file, rec);
	else if (rec->head->type == FARGS_PERF_HEADER_BUILD_ID)
		fargs_build_id_list_add(&file->build_ids, (const uint8_t *)rec->head,
					rec->head->size);
	return ret ? ret : 1;
}

const uint8_t *fargs_perf_file_bytes(const struct fargs_perf_file *file, uint64_t *size)
{
	*size = file->parts->size;
	return file->is_pipe ? NULL : file->parts->bytes;
}

size_t fargs_perf_file_events(const struct fargs_perf_file *file,
			      const struct fargs_perf_event **events)
{
	*events = file->events;
	return file->nr_events;
}

const char *fargs_perf_file_feature(const struct fargs_perf_file *file,
				    enum fargs_perf_feature feature)
{
	const char *text = file->features[feature];

	return text && *text ? text : NULL;
}

const struct fargs_build_id_list *fargs_perf_file_build_ids(const struct fargs_perf_file *file)
{
	return &file->build_ids;
}

bool fargs_perf_file_span(const struct fargs_perf_file *file, uint64_t *first_ns,
			  uint64_t *last_ns)
{
	*first_ns = file->first_ns;
	*last_ns = file->last_ns;
	return file->first_ns && file->first_ns <= file->last_ns;
}

const char *fargs_perf_file_kcore_dir(const struct fargs_perf_file *file)
{
	return file->kcore_dir;
}
