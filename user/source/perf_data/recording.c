// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "kernel/sym/ksyms.h"
#include "source/perf_data/body.h"
#include "source/perf_data/event_name.h"
#include "source/perf_data/file.h"
#include "source/perf_data/kernel_files.h"
#include "source/perf_data/locate.h"
#include "source/perf_data/sample_id.h"
#include "source/perf_data/switch.h"
#include "source/perf_data/tasks.h"

/* An element of the array items of struct fargs_recording, which is sorted by time. */
struct item {
	uint64_t ns;		/* 0: the record has no time, and sorts before all others */
	uint64_t nr;		/* position in file order */
	const struct perf_event_header *head;
	uint64_t at;		/* offset of the record in its file */
};

struct fargs_recording {
	char *path;
	struct fargs_perf_file *file;
	struct item *items;
	size_t nr_items, next;
	uint64_t nr_samples;
	unsigned int nr_cpus;
	bool has_trace, has_switches;
	struct perf_event_attr *attrs;	/* attr of each event */
	char **names;
	size_t nr_events;
	struct fargs_kernel_maps maps;
	struct fargs_kernel_files kernel;
	struct fargs_ksyms *ksyms;
	struct fargs_perf_tasks *tasks;
	struct fargs_locator locator;
	struct fargs_dso **dsos;
	struct fargs_build_id *dso_ids;	/* recorded build IDs of @dsos */
	size_t nr_dsos, nr_dso_ids;
};

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

static int fail_record(const struct fargs_recording *r, uint64_t at, const char *what,
		       struct fargs_error_text *err)
{
	return fargs_fail(err, EIO, "'%s' is corrupt at byte %llu: %s", r->path,
			  (unsigned long long)at, what);
}

/*
 * Returns the index of the event of a sample. Samples of all events have the event's id at the same
 * offset.
 */
static int event_of(const struct fargs_recording *r, const struct perf_event_header *head)
{
	const struct fargs_perf_event *events;
	size_t nr = fargs_perf_file_events(r->file, &events), i;
	uint64_t id;
	int at;

	if (nr < 2)
		return nr ? 0 : -1;
	at = fargs_sample_id_at(events[0].attr.sample_type);
	if (at < 0 || head->size < sizeof(*head) + at + sizeof(id))
		return 0;
	memcpy(&id, (const uint8_t *)(head + 1) + at, sizeof(id));
	for (i = 0; i < nr; i++)
		if (fargs_perf_event_has_id(&events[i], id))
			return i;
	return 0;
}

static int add_item(struct fargs_recording *r, const struct fargs_perf_record *rec,
		    struct fargs_error_text *err)
{
	struct item *larger = fargs_grow(r->items, r->nr_items, sizeof(*larger)), *item;
	const struct fargs_perf_event *events;
	struct fargs_perf_sample tail;
	struct fargs_sample sample;
	int event;

	if (!larger)
		return no_memory(err);
	r->items = larger;
	item = &larger[r->nr_items];
	*item = (struct item){ .nr = r->nr_items, .head = rec->head, .at = rec->at };
	if (rec->head->type == PERF_RECORD_SAMPLE) {
		event = event_of(r, rec->head);
		if (event < 0)
			return fail_record(r, rec->at, "a sample belongs to no event", err);
		fargs_perf_file_events(r->file, &events);
		if (fargs_sample_parse(&sample, rec->head, &events[event].attr))
			return fail_record(r, rec->at, "a sample is shorter than its header "
					   "says", err);
		item->ns = sample.ns == UINT64_MAX ? 0 : sample.ns;
		r->nr_samples++;
		if (sample.cpu >= 0 && (unsigned int)sample.cpu >= r->nr_cpus)
			r->nr_cpus = (unsigned int)sample.cpu + 1;
	} else if (fargs_perf_sample_find(&tail, rec->head, r->file) && tail.has_time) {
		item->ns = tail.ns;
	}
	r->nr_items++;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

static int add_kernel_map(struct fargs_recording *r, const struct fargs_perf_record *rec,
			  struct fargs_error_text *err)
{
	struct fargs_perf_sample tail;
	struct fargs_perf_body b;
	int ret;

	fargs_perf_sample_find(&tail, rec->head, r->file);
	fargs_perf_body_init(&b, rec->head, &tail);
	ret = fargs_kernel_maps_add(&r->maps, &b);
	if (ret == -EIO)
		return fail_record(r, rec->at, "a record is too short for its type", err);
	return ret ? no_memory(err) : 0;
}

static int read_records(struct fargs_recording *r, struct fargs_error_text *err)
{
	struct fargs_perf_record rec;
	int ret;

	while ((ret = fargs_perf_file_next(r->file, &rec, err)) > 0) {
		switch (rec.head->type) {
		case PERF_RECORD_MMAP:
		case PERF_RECORD_MMAP2:
			ret = add_kernel_map(r, &rec, err);
			if (ret >= 0)
				ret = add_item(r, &rec, err);
			break;
		case PERF_RECORD_SAMPLE:
		case PERF_RECORD_COMM:
		case PERF_RECORD_FORK:
			ret = add_item(r, &rec, err);
			break;
		case PERF_RECORD_SWITCH:
		case PERF_RECORD_SWITCH_CPU_WIDE:
			ret = r->has_switches ? add_item(r, &rec, err) : 0;
			break;
		case FARGS_PERF_AUXTRACE:
			r->has_trace = true;
			break;
		}
		if (ret < 0)
			return ret;
	}
	if (!ret && r->nr_items)
		qsort(r->items, r->nr_items, sizeof(*r->items), compare);
	return ret;
}

static int name_events(struct fargs_recording *r, struct fargs_error_text *err)
{
	const struct fargs_perf_event *events;
	size_t nr = fargs_perf_file_events(r->file, &events), i;

	r->attrs = calloc(nr + 1, sizeof(*r->attrs));
	r->names = calloc(nr + 1, sizeof(*r->names));
	if (!r->attrs || !r->names)
		return no_memory(err);
	r->nr_events = nr;
	for (i = 0; i < nr; i++) {
		r->attrs[i] = events[i].attr;
		r->names[i] = events[i].name ? strdup(events[i].name) :
					       fargs_perf_event_name(&events[i].attr);
		if (!r->names[i])
			return no_memory(err);
	}
	return 0;
}

static int read_ksyms(struct fargs_recording *r, struct fargs_error_text *err)
{
	struct fargs_error_text why;
	size_t size = 0;
	char *text;

	fargs_kernel_maps_set_ids(&r->maps, fargs_perf_file_build_ids(r->file));
	if (fargs_kernel_files_find(&r->kernel, fargs_perf_file_kcore_dir(r->file), &r->maps,
				    fargs_perf_file_feature(r->file, FARGS_PERF_FEATURE_OSRELEASE),
				    &r->locator))
		return no_memory(err);
	/* Without symbols, samples are shown without names of kernel functions. */
	text = fargs_kernel_files_symbols(&r->kernel, &r->maps, &size, &why);
	if (text)
		r->ksyms = fargs_ksyms_parse_own(text, size, &why);
	return 0;
}

static int open_all(struct fargs_recording *r, const char *path, const char *root,
		    struct fargs_error_text *err)
{
	int ret;

	if (fargs_locator_init(&r->locator, root))
		return no_memory(err);
	r->path = strdup(path);
	r->tasks = fargs_perf_tasks_create();
	if (!r->path || !r->tasks)
		return no_memory(err);
	r->file = fargs_perf_file_open(path, err);
	if (!r->file)
		return -EINVAL;
	ret = read_records(r, err);
	if (!ret)
		ret = name_events(r, err);
	return ret ? ret : read_ksyms(r, err);
}

struct fargs_recording *fargs_recording_open(const char *path, const char *root, bool has_switches,
					     struct fargs_error_text *err)
{
	struct fargs_recording *r = calloc(1, sizeof(*r));

	if (!r) {
		no_memory(err);
		return NULL;
	}
	r->has_switches = has_switches;
	if (open_all(r, path, root, err)) {
		fargs_recording_close(r);
		return NULL;
	}
	return r;
}

void fargs_recording_close(struct fargs_recording *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->nr_dsos; i++)
		fargs_dso_close(r->dsos[i]);
	fargs_kernel_files_deinit(&r->kernel);
	fargs_kernel_maps_deinit(&r->maps);
	fargs_locator_deinit(&r->locator);
	for (i = 0; i < r->nr_events; i++)
		free(r->names[i]);
	free(r->dsos);
	free(r->dso_ids);
	free(r->names);
	free(r->attrs);
	free(r->items);
	fargs_perf_tasks_destroy(r->tasks);
	fargs_ksyms_destroy(r->ksyms);
	fargs_perf_file_destroy(r->file);
	free(r->path);
	free(r);
}

void fargs_recording_span(const struct fargs_recording *r, uint64_t *first_ns, uint64_t *last_ns)
{
	size_t i;

	*first_ns = 0;
	*last_ns = 0;
	/* The items are sorted by time. */
	for (i = 0; i < r->nr_items; i++) {
		if (r->items[i].head->type != PERF_RECORD_SAMPLE)
			continue;
		*last_ns = r->items[i].ns;
		*first_ns = *first_ns ? *first_ns : *last_ns;
	}
}

uint64_t fargs_recording_nr_samples(const struct fargs_recording *r)
{
	return r->nr_samples;
}

unsigned int fargs_recording_nr_cpus(const struct fargs_recording *r)
{
	return r->nr_cpus;
}

uint64_t fargs_recording_sample_type(const struct fargs_recording *r)
{
	uint64_t type = r->nr_events ? UINT64_MAX : 0;
	size_t i;

	for (i = 0; i < r->nr_events; i++)
		type &= r->attrs[i].sample_type;
	return type;
}

bool fargs_recording_has_trace(const struct fargs_recording *r)
{
	return r->has_trace;
}

const struct fargs_kernel_files *fargs_recording_kernel(const struct fargs_recording *r)
{
	return &r->kernel;
}

const struct fargs_kernel_maps *fargs_recording_maps(const struct fargs_recording *r)
{
	return &r->maps;
}

const char *fargs_recording_root(const struct fargs_recording *r)
{
	return r->locator.root;
}

const struct fargs_ksyms *fargs_recording_ksyms(const struct fargs_recording *r)
{
	return r->ksyms;
}

const struct fargs_build_id *fargs_recording_kernel_id(const struct fargs_recording *r)
{
	return fargs_build_id_list_find(fargs_perf_file_build_ids(r->file), "[kernel.kallsyms]");
}

/*
 * Adds a map. The bodies of MMAP and MMAP2 records begin with pid, tid, addr, len and pgoff; the
 * name is at different offsets.
 */
static int take_map(struct fargs_recording *r, const struct fargs_perf_body *b)
{
	size_t name_at = b->head->type == PERF_RECORD_MMAP2 ? 64 : 32;
	struct fargs_perf_map map;
	char *path;
	int ret;

	if (b->bytes <= name_at)
		return -EIO;
	map.start = fargs_perf_body_u64(b, 8);
	map.end = map.start + fargs_perf_body_u64(b, 16);
	map.at = fargs_perf_body_u64(b, 24);
	/* Skip empty maps, and kernel maps: kernel addresses are resolved with kernel symbols. */
	if ((b->head->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER ||
	    map.end <= map.start)
		return 0;
	path = strndup((const char *)b->at + name_at, b->bytes - name_at);
	if (!path)
		return -ENOMEM;
	map.path = path;
	fargs_perf_body_build_id(b, &map.build_id);
	ret = fargs_perf_tasks_add_map(r->tasks, (int32_t)fargs_perf_body_u32(b, 0), &map);
	free(path);
	return ret;
}

static uint64_t ns_of(const struct fargs_perf_body *b)
{
	return b->sample.has_time ? b->sample.ns : 0;
}

static int take_comm(struct fargs_recording *r, const struct fargs_perf_body *b)
{
	char comm[16] = "";
	size_t bytes;

	if (b->bytes < 8)
		return -EIO;
	bytes = b->bytes - 8;
	memcpy(comm, b->at + 8, bytes < sizeof(comm) ? bytes : sizeof(comm) - 1);
	return fargs_perf_tasks_set_comm(r->tasks, (int32_t)fargs_perf_body_u32(b, 0),
					 (int32_t)fargs_perf_body_u32(b, 4), comm, ns_of(b),
					 b->head->misc & PERF_RECORD_MISC_COMM_EXEC);
}

static int take_fork(struct fargs_recording *r, const struct fargs_perf_body *b)
{
	if (b->bytes < 16)
		return -EIO;
	return fargs_perf_tasks_fork(r->tasks, (int32_t)fargs_perf_body_u32(b, 0),
				     (int32_t)fargs_perf_body_u32(b, 8),
				     (int32_t)fargs_perf_body_u32(b, 4),
				     (int32_t)fargs_perf_body_u32(b, 12), ns_of(b));
}

/* Applies a record other than a sample: updates tasks and maps. */
static int take(struct fargs_recording *r, const struct item *item, struct fargs_error_text *err)
{
	struct fargs_perf_sample tail;
	struct fargs_perf_body b;
	int ret = 0;

	fargs_perf_sample_find(&tail, item->head, r->file);
	fargs_perf_body_init(&b, item->head, &tail);
	switch (item->head->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		ret = take_map(r, &b);
		break;
	case PERF_RECORD_COMM:
		ret = take_comm(r, &b);
		break;
	case PERF_RECORD_FORK:
		ret = take_fork(r, &b);
		break;
	}
	if (ret == -EIO)
		return fail_record(r, item->at, "a record is too short for its type", err);
	return ret ? no_memory(err) : 0;
}

/* Returns whether @item is a switch, and then sets @recorded. Some lack what it takes. */
static bool take_switch(struct fargs_recording *r, const struct item *item,
			struct fargs_recorded *recorded)
{
	struct fargs_perf_sample tail;
	struct fargs_perf_body b;

	if (item->head->type != PERF_RECORD_SWITCH &&
	    item->head->type != PERF_RECORD_SWITCH_CPU_WIDE)
		return false;
	fargs_perf_sample_find(&tail, item->head, r->file);
	fargs_perf_body_init(&b, item->head, &tail);
	return fargs_perf_switch_read(recorded, &b, r->tasks);
}

int fargs_recording_next(struct fargs_recording *r, struct fargs_recorded *sample,
			 struct fargs_error_text *err)
{
	const struct item *item;
	int event, ret;

	for (; r->next < r->nr_items; r->next++) {
		item = &r->items[r->next];
		if (take_switch(r, item, sample)) {
			r->next++;
			return 1;
		}
		if (item->head->type != PERF_RECORD_SAMPLE) {
			ret = take(r, item, err);
			if (ret)
				return ret;
			continue;
		}
		event = event_of(r, item->head);
		sample->is_switch = false;
		sample->attr = &r->attrs[event];
		sample->event = r->names[event];
		if (fargs_sample_parse(&sample->sample, item->head, sample->attr))
			return fail_record(r, item->at, "a sample is shorter than its header "
					   "says", err);
		sample->comm = fargs_perf_tasks_comm(r->tasks, sample->sample.pid,
						     sample->sample.tid);
		sample->named_ns = fargs_perf_tasks_named(r->tasks, sample->sample.pid,
							  sample->sample.tid,
							  &sample->is_named_by_exec);
		r->next++;
		return 1;
	}
	return 0;
}

/* Returns the file with the recorded build ID @id. The path is NULL if there is none. */
static struct fargs_dso *open_dso(struct fargs_recording *r, const char *path,
				  const struct fargs_build_id *id)
{
	const struct fargs_build_id *listed = NULL;
	struct fargs_build_id other;
	struct fargs_dso *dso;
	char *file = NULL;

	if (!id->nr)
		listed = fargs_build_id_list_find(fargs_perf_file_build_ids(r->file), path);
	/* Names such as "//anon" are not files, even if a file of that name exists. */
	if ((path[0] == '/' && path[1] != '/') || !strcmp(path, FARGS_VDSO))
		file = fargs_locate(&r->locator, path, listed ? listed : id, &other);
	dso = fargs_dso_open(path, file, &r->locator);
	free(file);
	return dso;
}

static struct fargs_dso *get_dso(struct fargs_recording *r, const char *path,
				 const struct fargs_build_id *id)
{
	struct fargs_dso **larger, *dso;
	struct fargs_build_id *to;
	size_t i;

	for (i = r->nr_dsos; i; i--)
		if (!strcmp(fargs_dso_path(r->dsos[i - 1]), path) &&
		    !memcmp(&r->dso_ids[i - 1], id, sizeof(*id)))
			return r->dsos[i - 1];
	larger = fargs_grow(r->dsos, r->nr_dsos, sizeof(*larger));
	if (!larger)
		return NULL;
	r->dsos = larger;
	to = fargs_array_add(r->dso_ids, r->nr_dso_ids);
	if (!to)
		return NULL;
	*to = *id;
	dso = open_dso(r, path, id);
	if (dso)
		larger[r->nr_dsos++] = dso;
	else
		r->nr_dso_ids--;
	return dso;
}

struct fargs_dso *fargs_recording_find(struct fargs_recording *r, int32_t pid, uint64_t addr,
				       uint64_t *at, uint64_t *room)
{
	const struct fargs_perf_map *map = fargs_perf_tasks_find(r->tasks, pid, addr);

	if (!map)
		return NULL;
	*at = addr - map->start + map->at;
	*room = map->end - addr;
	return get_dso(r, map->path, &map->build_id);
}

void fargs_recording_describe(const struct fargs_recording *r, struct fargs_perf_meta *perf)
{
	size_t i, n;

	*perf = (struct fargs_perf_meta){ .has_trace = r->has_trace };
	for (i = 0; i < r->nr_events; i++) {
		uint8_t type = fargs_perf_event_type(&r->attrs[i]);

		n = strlen(r->names[i]);
		if (n > perf->name_width)
			perf->name_width = n;
		if (perf->names[type])
			continue;
		perf->names[type] = r->names[i];
		perf->sample_types[type] = r->attrs[i].sample_type;
	}
}
