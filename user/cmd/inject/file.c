// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/inject/file.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"
#include "source/perf_data/event_name.h"
#include "source/perf_data/sample_id.h"

/* Alignment of a string's size in features. */
#define NAME_ALIGN	64

/* Maximum size of an attribute and the section of its ids; those of perf 7.2 have 160 bytes. */
#define ATTR_MAX	4096

/* What is written of an event. */
struct event {
	const void *attr;
	size_t bytes;			/* of @attr */
	const uint64_t *ids;
	size_t nr_ids;
	const char *name;
};

typedef int event_fn(struct fargs_inject_file *f, const struct event *ev, void *arg);

int fargs_inject_file_write(struct fargs_inject_file *f, const void *bytes, size_t n)
{
	errno = 0;
	if (n && fwrite(bytes, 1, n, f->file) != n)
		return errno ? -errno : -EIO;
	f->at += n;
	return 0;
}

static int put_zeroes(struct fargs_inject_file *f, size_t n)
{
	static const char zeroes[4096];
	size_t part;
	int ret = 0;

	for (; !ret && n; n -= part) {
		part = n < sizeof(zeroes) ? n : sizeof(zeroes);
		ret = fargs_inject_file_write(f, zeroes, part);
	}
	return ret;
}

/* Calls @fn for each event of the new file, in the order of their attributes. */
static int visit_events(struct fargs_inject_file *f, event_fn *fn, void *arg)
{
	const struct fargs_perf_event *old;
	const struct fargs_perf_header *head;
	size_t nr = fargs_perf_file_events(f->from, &old), i;
	struct perf_event_attr attr;
	struct event ev;
	uint64_t size;
	const uint8_t *bytes = fargs_perf_file_bytes(f->from, &size);
	int ret = 0;

	head = (const void *)bytes;
	/* Records of a damaged file may add events that are not in its header. */
	if (nr > head->attrs.bytes / head->attr_bytes)
		nr = head->attrs.bytes / head->attr_bytes;
	for (i = 0; !ret && i < nr; i++) {
		/* The bytes of the file may have members that struct perf_event_attr lacks. */
		ev = (struct event){
			.attr = bytes + head->attrs.at + i * head->attr_bytes,
			.bytes = f->head.attr_bytes - sizeof(struct fargs_perf_section),
			.ids = old[i].ids, .nr_ids = old[i].nr_ids, .name = old[i].name,
		};
		if (!f->traced_id || !fargs_perf_event_has_id(&old[i], f->traced_id))
			ret = fn(f, &ev, arg);
	}
	for (i = 0; !ret && i < f->nr_added; i++) {
		attr = f->added[i].attr;
		/* See fargs_inject_put_sample(). */
		attr.branch_sample_type &= ~(uint64_t)PERF_SAMPLE_BRANCH_HW_INDEX;
		ev = (struct event){
			.attr = &attr, .bytes = sizeof(attr), .ids = f->added[i].ids,
			.nr_ids = f->added[i].nr_ids, .name = f->added[i].name,
		};
		if (ev.bytes > f->head.attr_bytes - sizeof(struct fargs_perf_section))
			ev.bytes = f->head.attr_bytes - sizeof(struct fargs_perf_section);
		attr.size = ev.bytes;
		ret = fn(f, &ev, arg);
	}
	return ret;
}

static int put_ids(struct fargs_inject_file *f, const struct event *ev, void *arg)
{
	return fargs_inject_file_write(f, ev->ids, ev->nr_ids * sizeof(*ev->ids));
}

/* @arg: where its ids are, which is advanced. */
static int put_attr(struct fargs_inject_file *f, const struct event *ev, void *arg)
{
	size_t room = f->head.attr_bytes - sizeof(struct fargs_perf_section);
	struct fargs_perf_section ids = { .bytes = ev->nr_ids * sizeof(*ev->ids) };
	uint64_t *at = arg, sample_type;
	int ret = fargs_inject_file_write(f, ev->attr, ev->bytes);

	ids.at = *at;
	*at += ids.bytes;
	memcpy(&sample_type, (const char *)ev->attr + offsetof(struct perf_event_attr, sample_type),
	       sizeof(sample_type));
	f->has_last_branches |= sample_type & PERF_SAMPLE_BRANCH_STACK;
	if (!ret)
		ret = put_zeroes(f, room - ev->bytes);
	return ret ? ret : fargs_inject_file_write(f, &ids, sizeof(ids));
}

int fargs_inject_file_begin(struct fargs_inject_file *f, FILE *file,
			    const struct fargs_perf_file *from,
			    const struct fargs_inject_event *added, size_t nr_added,
			    uint64_t traced_id, struct fargs_error_text *err)
{
	uint64_t size, ids = sizeof(f->head);
	const uint8_t *bytes = fargs_perf_file_bytes(from, &size);
	int ret;

	*f = (struct fargs_inject_file){
		.file = file, .from = from, .added = added, .nr_added = nr_added,
		.traced_id = traced_id,
	};
	if (!bytes)
		return fargs_fail(err, EINVAL, "it is perf's output to a pipe, without a header");
	memcpy(&f->head, bytes, sizeof(f->head));
	if (f->head.attr_bytes > ATTR_MAX)
		return fargs_fail(err, EINVAL, "its event attributes are too long");
	memset(f->head.features, 0, sizeof(f->head.features));
	f->head.size = sizeof(f->head);
	f->head.event_types = (struct fargs_perf_section){ };
	/* The header is written again at the end, when sizes are known. */
	ret = put_zeroes(f, sizeof(f->head));
	if (!ret)
		ret = visit_events(f, put_ids, NULL);
	f->head.attrs.at = f->at;
	if (!ret)
		ret = visit_events(f, put_attr, &ids);
	f->head.attrs.bytes = f->at - f->head.attrs.at;
	/* Records begin at a multiple of their unit, whatever the size of the attributes is. */
	if (!ret)
		ret = put_zeroes(f, -f->at & 7);
	f->head.data.at = f->at;
	return ret ? fargs_fail(err, -ret, "cannot write: %s", strerror(-ret)) : 0;
}

static int count_event(struct fargs_inject_file *f, const struct event *ev, void *arg)
{
	++*(uint32_t *)arg;
	return 0;
}

/* Returns perf's name of an event of a file without names, or NULL if out of memory. */
static char *make_name(const struct event *ev)
{
	struct perf_event_attr attr = { };

	memcpy(&attr, ev->attr, ev->bytes < sizeof(attr) ? ev->bytes : sizeof(attr));
	return fargs_perf_event_name(&attr);
}

/* Writes the name of an event, its attribute and ids, as in EVENT_DESC. */
static int put_description(struct fargs_inject_file *f, const struct event *ev, void *arg)
{
	__cleanup_free char *made = ev->name ? NULL : make_name(ev);
	const char *name = ev->name ? ev->name : made ? made : "";
	uint32_t nr_ids = ev->nr_ids, bytes = strlen(name) + 1;
	uint32_t padded = (bytes + NAME_ALIGN - 1) / NAME_ALIGN * NAME_ALIGN;
	size_t room = f->head.attr_bytes - sizeof(struct fargs_perf_section);
	int ret = fargs_inject_file_write(f, ev->attr, ev->bytes);

	if (!ret)
		ret = put_zeroes(f, room - ev->bytes);
	if (!ret)
		ret = fargs_inject_file_write(f, &nr_ids, sizeof(nr_ids));
	if (!ret)
		ret = fargs_inject_file_write(f, &padded, sizeof(padded));
	if (!ret)
		ret = fargs_inject_file_write(f, name, bytes);
	if (!ret)
		ret = put_zeroes(f, padded - bytes);
	return ret ? ret : put_ids(f, ev, NULL);
}

static int put_event_desc(struct fargs_inject_file *f)
{
	uint32_t head[] = { 0, f->head.attr_bytes - sizeof(struct fargs_perf_section) };
	int ret;

	visit_events(f, count_event, &head[0]);
	ret = fargs_inject_file_write(f, head, sizeof(head));
	return ret ? ret : visit_events(f, put_description, NULL);
}

/* Features of the new file that the old one need not have. */
static bool is_made(const struct fargs_inject_file *f, unsigned int nr)
{
	return nr == FARGS_PERF_FEATURE_EVENT_DESC ||
	       (nr == FARGS_PERF_FEATURE_AUXTRACE && f->nr_traces) ||
	       (nr == FARGS_PERF_FEATURE_BUILD_ID && f->build_id_bytes) ||
	       (nr == FARGS_PERF_FEATURE_BRANCH_STACK && f->has_last_branches);
}

/*
 * Features that are copied. Groups are numbered by events, of which one is missing; and a directory
 * of perf record --threads becomes one file.
 */
static bool is_copied(const struct fargs_inject_file *f, unsigned int nr, const uint8_t *bytes,
		      const struct fargs_perf_section *s)
{
	uint64_t format = 0;

	switch (nr) {
	case FARGS_PERF_FEATURE_GROUP_DESC:
		return !f->traced_id;
	case FARGS_PERF_FEATURE_AUXTRACE:
		return false;
	case FARGS_PERF_FEATURE_DIR_FORMAT:
		if (s->bytes >= sizeof(format))
			memcpy(&format, bytes + s->at, sizeof(format));
		return !format;
	default:
		return true;
	}
}

/* Sets @old to the sections of the features of the old file; bytes: 0 where there is none. */
static void find_features(const uint8_t *bytes,
			  struct fargs_perf_section old[FARGS_PERF_FEATURES])
{
	const struct fargs_perf_header *head = (const void *)bytes;
	uint64_t at = head->data.at + head->data.bytes;
	unsigned int nr;

	/* If perf record was killed, there are none. */
	for (nr = 0; head->data.bytes && nr < FARGS_PERF_FEATURES; nr++) {
		if (!(head->features[nr / 64] >> nr % 64 & 1))
			continue;
		memcpy(&old[nr], bytes + at, sizeof(*old));
		at += sizeof(*old);
	}
}

/* The number of records of trace, and where they are. */
static int put_traces(struct fargs_inject_file *f)
{
	uint64_t nr = f->nr_traces;
	int ret = fargs_inject_file_write(f, &nr, sizeof(nr));

	return ret ? ret : fargs_inject_file_write(f, f->traces, nr * sizeof(*f->traces));
}

static int put_feature(struct fargs_inject_file *f, unsigned int nr, const uint8_t *bytes,
		       const struct fargs_perf_section *old)
{
	int ret;

	if (nr == FARGS_PERF_FEATURE_EVENT_DESC)
		return put_event_desc(f);
	if (nr == FARGS_PERF_FEATURE_AUXTRACE)
		return put_traces(f);
	/* A feature that is only made has no contents. */
	if (nr == FARGS_PERF_FEATURE_BRANCH_STACK && f->has_last_branches)
		return 0;
	ret = fargs_inject_file_write(f, bytes + old->at, old->bytes);
	if (!ret && nr == FARGS_PERF_FEATURE_BUILD_ID)
		ret = fargs_inject_file_write(f, f->build_ids, f->build_id_bytes);
	return ret;
}

static int put_features(struct fargs_inject_file *f)
{
	struct fargs_perf_section old[FARGS_PERF_FEATURES] = { }, new[FARGS_PERF_FEATURES];
	uint64_t size, table = f->at;
	const uint8_t *bytes = fargs_perf_file_bytes(f->from, &size);
	unsigned int nr, nr_new = 0;
	int ret;

	find_features(bytes, old);
	for (nr = 0; nr < FARGS_PERF_FEATURES; nr++)
		if (is_made(f, nr) || (old[nr].at && is_copied(f, nr, bytes, &old[nr])))
			f->head.features[nr / 64] |= 1ull << nr % 64;
	for (nr = 0; nr < FARGS_PERF_FEATURES; nr++)
		nr_new += f->head.features[nr / 64] >> nr % 64 & 1;
	ret = put_zeroes(f, nr_new * sizeof(*new));
	for (nr = 0, nr_new = 0; !ret && nr < FARGS_PERF_FEATURES; nr++) {
		if (!(f->head.features[nr / 64] >> nr % 64 & 1))
			continue;
		new[nr_new].at = f->at;
		ret = put_feature(f, nr, bytes, &old[nr]);
		new[nr_new].bytes = f->at - new[nr_new].at;
		nr_new++;
	}
	if (!ret && fseeko(f->file, table, SEEK_SET))
		return -errno;
	return ret ? ret : fargs_inject_file_write(f, new, nr_new * sizeof(*new));
}

int fargs_inject_file_end(struct fargs_inject_file *f)
{
	int ret;

	f->head.data.bytes = f->at - f->head.data.at;
	ret = put_features(f);
	if (!ret && fseeko(f->file, 0, SEEK_SET))
		return -errno;
	return ret ? ret : fargs_inject_file_write(f, &f->head, sizeof(f->head));
}
