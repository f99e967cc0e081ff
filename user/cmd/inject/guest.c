// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/inject/guest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "source/perf_data/event_name.h"
#include "source/perf_data/sample_id.h"

#define RECORD_MAX	UINT16_MAX
#define NO_CPU		UINT64_MAX
#define NAME_MIN	8
#define NAME_ALIGN	64

void fargs_guest_deinit(struct fargs_guest *g)
{
	size_t i;

	for (i = 0; i < g->nr_events; i++)
		free((char *)g->events[i].name);
	free(g->events);
	free(g->ids);
	free(g->host_ids);
	free(g->records);
	free(g->vcpus);
	fargs_buf_deinit(&g->build_ids);
	fargs_perf_file_destroy(g->file);
}

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

static struct fargs_guest_id *find_id(const struct fargs_guest *g, uint64_t id)
{
	size_t i;

	for (i = 0; i < g->nr_ids; i++)
		if (g->ids[i].id == id)
			return &g->ids[i];
	return NULL;
}

/* Takes the CPUs of ids. */
static void take_index(struct fargs_guest *g, const struct fargs_perf_id_index *index)
{
	uint64_t room = index->head.size < sizeof(*index) ? 0 :
			(index->head.size - sizeof(*index)) / sizeof(index->entries[0]), i;
	struct fargs_guest_id *id;

	for (i = 0; room && i < index->nr && i < room; i++) {
		id = find_id(g, index->entries[i].id);
		if (id && index->entries[i].cpu < UINT32_MAX)
			id->vcpu = (uint32_t)index->entries[i].cpu;
	}
}

/* Records about tasks and code: those that perf inject takes. */
static bool is_wanted(const struct perf_event_header *head)
{
	uint16_t type;

	switch (head->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_LOST:
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
	case PERF_RECORD_TEXT_POKE:
		return true;
	case PERF_RECORD_KSYMBOL:
		/* Programs of BPF would need more than this. */
		if (head->size < sizeof(*head) + 16)
			return false;
		memcpy(&type, (const uint8_t *)head + sizeof(*head) + 12, sizeof(type));
		return type == PERF_RECORD_KSYMBOL_TYPE_OOL;
	default:
		return false;
	}
}

static int take_record(struct fargs_guest *g, const struct perf_event_header *head)
{
	struct fargs_guest_record *rec = fargs_array_add(g->records, g->nr_records);

	if (!rec)
		return -ENOMEM;
	*rec = (struct fargs_guest_record){ .head = head, .nr = g->nr_records };
	return 0;
}

static int add_ids(struct fargs_guest *g, struct fargs_error_text *err)
{
	const struct fargs_perf_event *events;
	size_t nr = fargs_perf_file_events(g->file, &events), i, j;
	struct fargs_guest_id *id;

	for (i = 0; i < nr; i++) {
		if (!(events[i].attr.sample_type & PERF_SAMPLE_IDENTIFIER) ||
		    !events[i].attr.sample_id_all)
			return fargs_fail(err, EINVAL, "its records do not identify their event: "
					  "record with 'perf record --sample-identifier'");
		for (j = 0; j < events[i].nr_ids; j++) {
			id = fargs_array_add(g->ids, g->nr_ids);
			if (!id)
				return no_memory(err);
			*id = (struct fargs_guest_id){
				.id = events[i].ids[j], .vcpu = UINT32_MAX, .event = i,
			};
		}
	}
	return g->nr_ids ? 0 : fargs_fail(err, EINVAL, "its events have no ids");
}

static bool is_of_kernel(const char *path)
{
	size_t n = strlen(path);

	return (path[0] == '[' && strcmp(path, "[vdso]")) ||
	       (n > 3 && !strcmp(path + n - 3, ".ko")) || strstr(path, ".ko.") ||
	       strstr(path, "vmlinux");
}

/* Appends the build IDs of the file, as those of a guest. */
static void add_build_ids(struct fargs_guest *g)
{
	const struct fargs_build_id_list *list = fargs_perf_file_build_ids(g->file);
	struct fargs_perf_build_id rec = { .head.type = FARGS_PERF_HEADER_BUILD_ID, .pid = g->pid };
	const struct fargs_build_id_entry *e;
	size_t n, padded;

	for (e = list->entries; e < list->entries + list->nr; e++) {
		n = strlen(e->path);
		padded = (n + NAME_ALIGN) / NAME_ALIGN * NAME_ALIGN;
		rec.head.size = sizeof(rec) + padded;
		rec.head.misc = FARGS_PERF_MISC_BUILD_ID_SIZE |
				(is_of_kernel(e->path) ? PERF_RECORD_MISC_GUEST_KERNEL :
				 PERF_RECORD_MISC_GUEST_USER);
		rec.bytes = e->id.nr;
		memcpy(rec.id, e->id.bytes, sizeof(rec.id));
		fargs_buf_add(&g->build_ids, &rec, sizeof(rec));
		fargs_buf_add(&g->build_ids, e->path, n);
		fargs_buf_fill(&g->build_ids, 0, padded - n);
	}
}

int fargs_guest_read(struct fargs_guest *g, const char *path, struct fargs_error_text *err)
{
	struct fargs_perf_record rec;
	uint64_t size;
	int ret;

	g->file = fargs_perf_file_open(path, err);
	if (!g->file)
		return -EINVAL;
	if (!fargs_perf_file_bytes(g->file, &size))
		return fargs_fail(err, EINVAL, "it is perf's output to a pipe, without a header");
	ret = add_ids(g, err);
	while (!ret && (ret = fargs_perf_file_next(g->file, &rec, err)) == 1) {
		ret = 0;
		if (rec.head->type == FARGS_PERF_ID_INDEX)
			take_index(g, (const void *)rec.head);
		else if (rec.head->type == FARGS_PERF_TIME_CONV)
			fargs_guest_clock_take(&g->time.guest, rec.head);
		else if (is_wanted(rec.head) && take_record(g, rec.head))
			ret = no_memory(err);
	}
	if (ret)
		return ret;
	add_build_ids(g);
	return g->build_ids.is_short ? no_memory(err) : 0;
}

static bool is_used(const struct fargs_perf_event *events, size_t nr, uint64_t id)
{
	size_t i, j;

	for (i = 0; i < nr; i++)
		for (j = 0; j < events[i].nr_ids; j++)
			if (events[i].ids[j] == id)
				return true;
	return false;
}

static int add_event(struct fargs_guest *g, const struct fargs_perf_event *from,
		     const uint64_t *ids, struct fargs_error_text *err)
{
	struct fargs_inject_event *event = fargs_array_add(g->events, g->nr_events);

	if (!event)
		return no_memory(err);
	*event = (struct fargs_inject_event){
		.attr = from->attr, .ids = ids, .nr_ids = from->nr_ids,
	};
	event->attr.exclude_host = 1;
	event->attr.exclude_guest = 0;
	/* As in perf, with modifiers that say that it is a guest's. */
	event->name = from->name && from->attr.type >= PERF_TYPE_MAX ? strdup(from->name) :
		      fargs_perf_event_name(&event->attr);
	return event->name ? 0 : no_memory(err);
}

int fargs_guest_add_events(struct fargs_guest *g, const struct fargs_perf_event *host, size_t nr,
			   struct fargs_error_text *err)
{
	const struct fargs_perf_event *events;
	size_t nr_events = fargs_perf_file_events(g->file, &events), i, at = 0;
	uint64_t next = 1;
	int ret = 0;

	g->host_ids = calloc(g->nr_ids, sizeof(*g->host_ids));
	if (!g->host_ids)
		return no_memory(err);
	for (i = 0; i < nr; i++)
		for (at = 0; at < host[i].nr_ids; at++)
			if (host[i].ids[at] > next)
				next = host[i].ids[at];
	for (i = 0; i < g->nr_ids; i++) {
		if (g->ids[i].vcpu == UINT32_MAX)
			return fargs_fail(err, EINVAL, "the CPU of an event is unknown: record on "
					  "CPUs, such as with 'perf record -a'");
		do {
			next++;
		} while (!next || is_used(host, nr, next));
		g->ids[i].host_id = next;
		g->host_ids[i] = next;
	}
	for (i = 0, at = 0; !ret && i < nr_events; at += events[i++].nr_ids)
		ret = add_event(g, &events[i], g->host_ids + at, err);
	return ret;
}

static int compare_records(const void *a, const void *b)
{
	const struct fargs_guest_record *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->nr < y->nr ? -1 : 1;
}

void fargs_guest_sort(struct fargs_guest *g)
{
	struct fargs_perf_sample sample;
	size_t i;

	for (i = 0; i < g->nr_records; i++)
		if (fargs_perf_sample_find(&sample, g->records[i].head, g->file) && sample.has_time)
			g->records[i].ns = fargs_guest_time_convert(&g->time, sample.ns);
	if (g->nr_records)
		qsort(g->records, g->nr_records, sizeof(*g->records), compare_records);
}

struct fargs_guest_vcpu *fargs_guest_vcpu_of(const struct fargs_guest *g, uint32_t tid)
{
	size_t i;

	for (i = 0; i < g->nr_vcpus; i++)
		if (g->vcpus[i].tid == tid)
			return &g->vcpus[i];
	return NULL;
}

static const struct fargs_guest_vcpu *vcpu_of_nr(const struct fargs_guest *g, uint32_t nr)
{
	size_t i;

	for (i = 0; i < g->nr_vcpus; i++)
		if (g->vcpus[i].vcpu == nr)
			return &g->vcpus[i];
	return NULL;
}

static int fail_vcpu(uint32_t nr, struct fargs_error_text *err)
{
	return fargs_fail(err, EINVAL, "no thread of the hypervisor is named 'CPU %u/KVM': run "
			  "QEMU with '-name debug-threads=on'", nr);
}

/* Appends a record of the @nr ids from @first. */
static int put_ids(const struct fargs_guest *g, size_t first, size_t nr, struct fargs_buf *out,
		   struct fargs_error_text *err)
{
	const struct fargs_guest_vcpu *vcpu;
	struct fargs_perf_id_index head = { .head.type = FARGS_PERF_ID_INDEX, .nr = nr };
	struct fargs_perf_id_index_entry entry;
	struct fargs_perf_id_index_guest guest = { .pid = g->pid };
	size_t i;

	head.head.size = sizeof(head) + nr * (sizeof(entry) + sizeof(guest));
	fargs_buf_add(out, &head, sizeof(head));
	for (i = first; i < first + nr; i++) {
		vcpu = vcpu_of_nr(g, g->ids[i].vcpu);
		if (!vcpu)
			return fail_vcpu(g->ids[i].vcpu, err);
		/* For the host, it is an event of a thread, without a buffer. */
		entry = (struct fargs_perf_id_index_entry){
			.id = g->ids[i].host_id, .cpu = NO_CPU, .tid = vcpu->tid,
		};
		fargs_buf_add(out, &entry, sizeof(entry));
	}
	for (i = first; i < first + nr; i++) {
		guest.vcpu = g->ids[i].vcpu;
		fargs_buf_add(out, &guest, sizeof(guest));
	}
	return 0;
}

int fargs_guest_put_index(const struct fargs_guest *g, struct fargs_buf *out,
			  struct fargs_error_text *err)
{
	const size_t max = (RECORD_MAX - sizeof(struct fargs_perf_id_index)) /
			   (sizeof(struct fargs_perf_id_index_entry) +
			    sizeof(struct fargs_perf_id_index_guest));
	size_t at, nr;
	int ret = 0;

	for (at = 0; !ret && at < g->nr_ids; at += nr) {
		nr = g->nr_ids - at < max ? g->nr_ids - at : max;
		ret = put_ids(g, at, nr, out, err);
	}
	return ret ? ret : out->is_short ? no_memory(err) : 0;
}

static void put_u64(struct fargs_buf *out, uint64_t value)
{
	fargs_buf_add(out, &value, sizeof(value));
}

/* The sample id at the end of a record (sample_id_all), whose members are in this order. */
static void put_sample(struct fargs_buf *out, uint64_t type, const struct fargs_perf_sample *sample,
		       uint64_t ns, uint64_t id, uint32_t cpu)
{
	const uint32_t task[] = { sample->pid, sample->tid }, where[] = { cpu, 0 };

	if (type & PERF_SAMPLE_TID)
		fargs_buf_add(out, task, sizeof(task));
	if (type & PERF_SAMPLE_TIME)
		put_u64(out, ns);
	if (type & PERF_SAMPLE_ID)
		put_u64(out, id);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_u64(out, id);
	if (type & PERF_SAMPLE_CPU)
		fargs_buf_add(out, where, sizeof(where));
	put_u64(out, id);
}

/*
 * Returns the number of bytes that a record has at least between its header and its sample id. Of
 * names, these are eight, the last of which is the end of the name.
 */
static size_t bytes_of(uint32_t type, bool *has_name)
{
	*has_name = false;
	switch (type) {
	case PERF_RECORD_MMAP:
		*has_name = true;
		return 32 + NAME_MIN;
	case PERF_RECORD_MMAP2:
		*has_name = true;
		return 64 + NAME_MIN;
	case PERF_RECORD_COMM:
		*has_name = true;
		return 8 + NAME_MIN;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return 24;
	case PERF_RECORD_LOST:
		return 16;
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return 8;
	case PERF_RECORD_TEXT_POKE:
		return 12;
	case PERF_RECORD_KSYMBOL:
		*has_name = true;
		return 16 + NAME_MIN;
	}
	return 0;
}

static bool is_whole(const struct perf_event_header *head, size_t sample_bytes)
{
	bool has_name;
	size_t bytes = sizeof(*head) + bytes_of(head->type, &has_name);
	size_t end = head->size - sample_bytes;
	const uint8_t *at = (const uint8_t *)head;
	uint16_t lengths[2] = { };

	if (head->size < bytes + sample_bytes)
		return false;
	/* An address, the lengths of the bytes before and after, and the bytes. */
	if (head->type == PERF_RECORD_TEXT_POKE)
		memcpy(lengths, at + sizeof(*head) + sizeof(uint64_t), sizeof(lengths));
	return (!has_name || !at[end - 1]) && bytes + lengths[0] + lengths[1] <= end;
}

int fargs_guest_put_record(const struct fargs_guest *g, const struct fargs_guest_record *rec,
			   struct fargs_buf *out, struct fargs_error_text *err)
{
	struct perf_event_header head = *rec->head;
	const uint8_t *end = (const uint8_t *)rec->head + head.size;
	const struct fargs_guest_vcpu *vcpu = NULL;
	const struct fargs_guest_id *id;
	struct fargs_perf_sample sample;
	uint64_t nr, type;

	if (!fargs_perf_sample_find(&sample, rec->head, g->file) ||
	    !is_whole(rec->head, sample.bytes))
		return fargs_fail(err, EINVAL, "a record is too short");
	memcpy(&nr, end - sizeof(nr), sizeof(nr));
	/* Records that perf synthesizes have none. */
	id = nr ? find_id(g, nr) : g->ids;
	if (!id)
		return fargs_fail(err, EINVAL, "a record has the unknown id %llu",
				  (unsigned long long)nr);
	if (sample.has_cpu && sample.cpu != UINT32_MAX) {
		vcpu = vcpu_of_nr(g, sample.cpu);
		if (!vcpu)
			return fail_vcpu(sample.cpu, err);
	}
	type = g->events[id->event].attr.sample_type;
	head.misc = (head.misc & ~PERF_RECORD_MISC_CPUMODE_MASK) |
		    (head.misc & PERF_RECORD_MISC_USER ? PERF_RECORD_MISC_GUEST_USER :
		     PERF_RECORD_MISC_GUEST_KERNEL);
	fargs_buf_add(out, &head, sizeof(head));
	fargs_buf_add(out, rec->head + 1, head.size - sizeof(head) - sample.bytes);
	put_sample(out, type, &sample, rec->ns, id->host_id, vcpu ? vcpu->cpu : UINT32_MAX);
	return out->is_short ? no_memory(err) : 0;
}
