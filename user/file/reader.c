// SPDX-License-Identifier: GPL-2.0-only
#include "file/reader.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#include "file/load.h"
#include "file/scan.h"
#include "model/walk.h"

struct stream {
	struct fargs_scan_chunk *runs;	/* chunks of records; each chunk is a run */
	size_t nr_runs;
	size_t room;
	size_t nr_forgotten;	/* number of runs removed before runs[0] */
	size_t next;		/* number of the run that fargs_reader_next() returns next */
	uint64_t bytes;
	uint64_t oldest;	/* earliest time in the headers of all runs; valid if @has_runs */
	uint64_t newest;	/* latest time in the headers of all runs */
	bool has_runs;
	void *buf;		/* contents of the run that was returned last */
	size_t buf_bytes;
};

struct fargs_reader {
	char *path;
	struct fargs_meta *meta;
	struct fargs_scan scan;
	struct stream *streams;
	unsigned int nr_cpus;
	unsigned int nr_streams;
	bool is_begun;		/* records or the END chunk were found */
};

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

static int add_run(struct fargs_reader *r, const struct fargs_scan_chunk *chunk,
		   struct fargs_error_text *err)
{
	struct fargs_scan_chunk *runs;
	bool is_event = chunk->head.kind == FARGS_CHUNK_EVENTS;
	struct stream *stream;

	if (chunk->head.cpu >= r->nr_cpus)
		return fargs_scan_corrupt(&r->scan, chunk->head.at,
					  "records of a CPU that does not exist", err);
	stream = &r->streams[chunk->head.cpu + (is_event ? r->nr_cpus : 0)];
	if (stream->nr_runs == stream->room) {
		runs = realloc(stream->runs, (2 * stream->room + 16) * sizeof(*runs));
		if (!runs)
			return no_memory(err);
		stream->runs = runs;
		stream->room = 2 * stream->room + 16;
	}
	r->meta->has_events |= is_event;
	stream->runs[stream->nr_runs++] = *chunk;
	stream->bytes += chunk->head.raw_bytes;
	if (!stream->has_runs || stream->oldest > chunk->head.first_tsc)
		stream->oldest = chunk->head.first_tsc;
	stream->has_runs = true;
	if (stream->newest < chunk->head.last_tsc)
		stream->newest = chunk->head.last_tsc;
	return 0;
}

static int load(struct fargs_reader *r, const struct fargs_scan_chunk *chunk,
		struct fargs_error_text *err)
{
	struct fargs_error_text why;
	char *payload;
	int ret;

	payload = malloc((size_t)chunk->head.raw_bytes + 1);
	if (!payload)
		return no_memory(err);
	ret = fargs_scan_payload(&r->scan, chunk, payload, err);
	if (!ret) {
		ret = fargs_load_chunk(r->meta, chunk->head.kind, payload, chunk->head.raw_bytes,
				       &why);
		if (ret == -ENOMEM)
			no_memory(err);
		else if (ret)
			fargs_scan_corrupt(&r->scan, chunk->head.at, why.text, err);
	}
	free(payload);
	return ret;
}

static int take(struct fargs_reader *r, const struct fargs_scan_chunk *chunk,
		struct fargs_error_text *err)
{
	if (chunk->head.kind == FARGS_CHUNK_RECORDS || chunk->head.kind == FARGS_CHUNK_EVENTS) {
		r->is_begun = true;
		return add_run(r, chunk, err);
	}
	/* In a growing file, CLOCKS only repeats the CLOCK chunks, which have been loaded. */
	if (!fargs_load_wants(chunk->head.kind) ||
	    (r->scan.is_growing && chunk->head.kind == FARGS_CHUNK_CLOCKS))
		return 0;
	return load(r, chunk, err);
}

/* Loads all chunks that are complete. Returns 1 if there were any new ones, 0 if not, or -errno. */
static int take_all(struct fargs_reader *r, struct fargs_error_text *err)
{
	struct fargs_scan_chunk chunk;
	int ret, nr = 0;

	if (r->scan.has_end)
		return 0;
	while ((ret = fargs_scan_next(&r->scan, &chunk, err)) == 1) {
		ret = take(r, &chunk, err);
		if (ret)
			return ret;
		nr = 1;
	}
	if (ret < 0)
		return ret;
	r->is_begun |= r->scan.has_end;
	if (nr)
		fargs_load_finish(r->meta);
	return nr || r->scan.has_end;
}

static int open_file(struct fargs_reader *r, bool is_growing, struct fargs_error_text *err)
{
	int ret = fargs_scan_init(&r->scan, r->path, r->meta, err);

	if (ret)
		return ret;
	if (is_growing) {
		r->scan.is_salvage = false;
		r->scan.is_growing = true;
	}
	r->nr_cpus = r->meta->info.nr_cpus;
	r->nr_streams = FARGS_READER_STREAMS(r->nr_cpus);
	r->streams = calloc(r->nr_streams, sizeof(*r->streams));
	if (!r->streams)
		return no_memory(err);
	ret = take_all(r, err);
	return ret < 0 ? ret : 0;
}

static struct fargs_reader *open_reader(const char *path, struct fargs_meta *meta, bool is_growing,
					struct fargs_error_text *err)
{
	struct fargs_reader *r = calloc(1, sizeof(*r));

	if (!r) {
		no_memory(err);
		return NULL;
	}
	r->scan.fd = -1;
	r->meta = meta;
	r->path = strdup(path);
	if (r->path ? open_file(r, is_growing, err) : no_memory(err)) {
		fargs_reader_destroy(r);
		return NULL;
	}
	return r;
}

struct fargs_reader *fargs_reader_open(const char *path, struct fargs_meta *meta,
				       struct fargs_error_text *err)
{
	return open_reader(path, meta, false, err);
}

struct fargs_reader *fargs_reader_open_growing(const char *path, struct fargs_meta *meta,
					       bool *is_begun, struct fargs_error_text *err)
{
	struct fargs_reader *r = open_reader(path, meta, true, err);

	*is_begun = r && r->is_begun;
	return r;
}

int fargs_reader_grow(struct fargs_reader *r, bool *is_begun, struct fargs_error_text *err)
{
	int ret = fargs_scan_grow(&r->scan, err);

	if (!ret)
		ret = take_all(r, err);
	*is_begun = r->is_begun;
	return ret;
}

uint64_t fargs_reader_newest(const struct fargs_reader *r, unsigned int first)
{
	uint64_t newest = 0;
	unsigned int stream;

	for (stream = first; stream < r->nr_streams; stream++)
		if (newest < r->streams[stream].newest)
			newest = r->streams[stream].newest;
	return newest;
}

bool fargs_reader_span(const struct fargs_reader *r, unsigned int stream, uint64_t *first,
		       uint64_t *last)
{
	if (stream >= r->nr_streams || !r->streams[stream].has_runs)
		return false;
	*first = r->streams[stream].oldest;
	*last = r->streams[stream].newest;
	return true;
}

bool fargs_reader_is_growing(const struct fargs_reader *r)
{
	return r->scan.is_growing && !(r->scan.has_end && r->scan.is_finished);
}

/* Runs are dropped at least this many at a time, so that memmove() costs little. */
#define FORGET_RUNS	64

void fargs_reader_forget(struct fargs_reader *r, unsigned int stream, size_t nr)
{
	struct stream *s = &r->streams[stream];
	size_t n = nr + 1 - s->nr_forgotten;

	if (n < FORGET_RUNS)
		return;
	s->nr_runs -= n;
	memmove(s->runs, s->runs + n, s->nr_runs * sizeof(*s->runs));
	s->nr_forgotten += n;
}

void fargs_reader_destroy(struct fargs_reader *r)
{
	unsigned int stream;

	if (!r)
		return;
	for (stream = 0; stream < r->nr_streams && r->streams; stream++) {
		free(r->streams[stream].runs);
		free(r->streams[stream].buf);
	}
	free(r->streams);
	fargs_scan_deinit(&r->scan);
	free(r->path);
	free(r);
}

void fargs_reader_keep(struct fargs_reader *r, fargs_reader_fn is_wanted, void *arg)
{
	const struct fargs_chunk *head;
	struct stream *c;
	unsigned int stream;
	size_t from, to;

	for (stream = 0; stream < r->nr_streams; stream++) {
		c = &r->streams[stream];
		for (to = c->next, from = to; from < c->nr_runs; from++) {
			head = &c->runs[from].head;
			if (head->flags & FARGS_CHUNK_HAS_TASK ||
			    is_wanted(arg, stream, head->first_tsc, head->last_tsc))
				c->runs[to++] = c->runs[from];
		}
		c->nr_runs = to;
	}
}

/* Does the record belong to a stream of events? */
static bool is_event(const void *p)
{
	return ((const struct fargs_record *)p)->flags & FARGS_RECORD_NS;
}

int fargs_reader_load(const struct fargs_reader *r, unsigned int stream, size_t nr, void **buf,
		      size_t *room, size_t *bytes, struct fargs_error_text *err)
{
	const struct fargs_scan_chunk *run;
	bool is_of_events = stream >= r->nr_cpus;
	size_t at, len;
	void *larger;
	int ret;

	if (stream >= r->nr_streams)
		return fargs_fail(err, EINVAL, "'%s' has no stream %u", r->path, stream);
	nr -= r->streams[stream].nr_forgotten;
	if (nr >= r->streams[stream].nr_runs)
		return 0;
	run = &r->streams[stream].runs[nr];
	if (run->head.raw_bytes > *room) {
		larger = realloc(*buf, run->head.raw_bytes);
		if (!larger)
			return no_memory(err);
		*buf = larger;
		*room = run->head.raw_bytes;
	}
	ret = fargs_scan_payload(&r->scan, run, *buf, err);
	if (ret)
		return ret;
	for (at = 0; at < run->head.raw_bytes; at += len) {
		len = fargs_walk_len((char *)*buf + at, run->head.raw_bytes - at);
		if (!len || is_event((char *)*buf + at) != is_of_events)
			return fargs_scan_corrupt(&r->scan, run->head.at, "a record is corrupt",
						  err);
	}
	*bytes = run->head.raw_bytes;
	return 1;
}

int fargs_reader_next(struct fargs_reader *r, unsigned int stream, const void **records,
		      size_t *bytes, struct fargs_error_text *err)
{
	struct stream *c = stream < r->nr_streams ? &r->streams[stream] : NULL;
	int ret;

	if (!c)
		return fargs_fail(err, EINVAL, "'%s' has no stream %u", r->path, stream);
	ret = fargs_reader_load(r, stream, c->next, &c->buf, &c->buf_bytes, bytes, err);
	if (ret == 1) {
		c->next++;
		*records = c->buf;
	} else if (!ret) {
		/* Free the buffer: a stream that has ended needs none while others continue. */
		free(c->buf);
		c->buf = NULL;
		c->buf_bytes = 0;
	}
	return ret;
}

bool fargs_reader_is_cut(const struct fargs_reader *r, struct fargs_error_text *what)
{
	const struct fargs_scan *s = &r->scan;
	struct fargs_error_text damage = { "" };

	if (s->is_finished)
		return false;
	if (s->damaged)
		fargs_fail(&damage, EIO,
			   "; %llu damaged bytes before that are skipped, the first at byte %llu",
			   (unsigned long long)s->damaged, (unsigned long long)s->damaged_at);
	fargs_fail(what, EIO,
		   "'%s' is incomplete: the recording did not finish; the last complete chunk "
		   "ends at byte %llu of %llu%s",
		   r->path, (unsigned long long)s->end, (unsigned long long)s->size, damage.text);
	return true;
}

const struct fargs_file_info *fargs_reader_about(const struct fargs_reader *r)
{
	return &r->scan.about;
}

uint64_t fargs_reader_bytes(const struct fargs_reader *r)
{
	return r->scan.size;
}

uint64_t fargs_reader_stream_bytes(const struct fargs_reader *r, unsigned int stream)
{
	return stream < r->nr_streams ? r->streams[stream].bytes : 0;
}

int fargs_reader_sections(struct fargs_reader *r, fargs_section_fn fn, void *arg,
			  struct fargs_error_text *err)
{
	Elf_Scn *scn = NULL;
	const char *name;
	size_t names;
	GElf_Shdr shdr;
	Elf *elf;
	int ret = 0;

	elf_version(EV_CURRENT);
	elf = elf_begin(r->scan.fd, ELF_C_READ, NULL);
	if (!elf || elf_getshdrstrndx(elf, &names)) {
		ret = fargs_fail(err, EIO, "'%s': the section table is corrupt: %s", r->path,
				 elf_errmsg(-1));
		goto out;
	}
	while ((scn = elf_nextscn(elf, scn))) {
		name = gelf_getshdr(scn, &shdr) ? elf_strptr(elf, names, shdr.sh_name) : NULL;
		if (!name ||
		    shdr.sh_offset > r->scan.size || shdr.sh_size > r->scan.size - shdr.sh_offset) {
			ret = fargs_fail(err, EIO, "'%s': section %zu is corrupt", r->path,
					 elf_ndxscn(scn));
			goto out;
		}
		fn(arg, name, shdr.sh_size);
	}
out:
	elf_end(elf);
	return ret;
}
