// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trace.dat file of trace-cmd, version 6 (trace-cmd.dat.v6(5)).
 *
 * Each combination of a function and the types of its values is an event class, with its own id and
 * format. If a value could not be read, for example, its type differs, and so does the class. The
 * kernel's formatted events keep the kernel's formats and data.
 *
 * The head of the file contains all formats and the names of all tasks, and is therefore written
 * last. Until then, pages of events are stored in an unnamed temporary file
 * (sink/export/ring_pages.h), so that memory holds only a page per CPU, the classes and the names.
 */
#include "sink/export/export.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/intern.h"
#include "base/outfile.h"
#include "base/put.h"
#include "model/event_record.h"
#include "model/format_text.h"
#include "model/formats.h"
#include "sink/export/named.h"
#include "sink/export/ring_pages.h"
#include "sink/export/task_set.h"
#include "sink/export/tep_format.h"
#include "sink/export/tep_values.h"
#include "sink/export/tracedat_head.h"
#include "sink/text/value.h"

/* System (as in SYSTEM:EVENT) of all events that are not formatted events of the kernel. */
#define SYSTEM		"fargs"
/*
 * Ids have 16 bits. Events of SYSTEM get unused ids: first those from ID_START down to ID_MIN, then
 * those from ID_MAX down. Ids above ID_START come last, because KernelShark reads ids as signed
 * numbers. Ids below ID_MIN belong to ftrace's own events.
 */
#define ID_MIN		536
#define ID_START	32767
#define ID_MAX		65535
#define CLASSES_MAX	(ID_MAX - ID_MIN + 1)
/* Maximum size of a stack's text in bytes. */
#define STACK_MAX	8192

/* Bits of an event's common_flags: the kernel's enum trace_flag_type. */
static const struct {
	unsigned int context;
	uint8_t flag;
} flags[] = {
	{ FARGS_CONTEXT_IRQS_OFF, 0x01 },
	{ FARGS_CONTEXT_RESCHED_LAZY, 0x02 },
	{ FARGS_CONTEXT_RESCHED_TIF, 0x04 },
	{ FARGS_CONTEXT_HARDIRQ, 0x08 },
	{ FARGS_CONTEXT_SOFTIRQ, 0x10 },
	{ FARGS_CONTEXT_RESCHED_PREEMPT, 0x20 },
	{ FARGS_CONTEXT_NMI, 0x40 },
	{ FARGS_CONTEXT_BH_OFF, 0x80 },
};

struct tracedat {
	struct fargs_export e;
	const struct fargs_meta *meta;
	struct fargs_outfile file;
	struct fargs_ring_pages *pages;
	struct fargs_task_set tasks;
	struct fargs_intern keys;	/* key of each class */
	struct fargs_intern names;	/* names of the events of SYSTEM */
	struct fargs_tracedat_class *classes;	/* array, in the order of @keys */
	uint16_t *ids;			/* id of each class */
	size_t nr_classes, nr_ids;
	uint8_t is_used[ID_MAX + 1];	/* indexed by id: 1 if a class has the id */
	unsigned int next_id;		/* the next id to try */
	uint64_t last_ns;		/* time of the last event */
	struct fargs_tep_format format;	/* data and format of the current event */
	struct fargs_buf key, text;
};

static int fail_write(struct tracedat *t, int ret)
{
	return fargs_fail(&t->e.err, -ret, "cannot write '%s': %s", t->file.path, strerror(-ret));
}

/* Allocates an id: @wanted if it is unused and not 0, else any. Returns 0 if no id is unused. */
static unsigned int take_id(struct tracedat *t, unsigned int wanted)
{
	if (t->nr_classes >= CLASSES_MAX)
		return 0;
	if (!wanted || t->is_used[wanted]) {
		while (t->is_used[t->next_id])
			t->next_id = t->next_id == ID_MIN ? ID_MAX : t->next_id - 1;
		wanted = t->next_id;
	}
	t->is_used[wanted] = 1;
	return wanted;
}

/* Sets t->text to a unique name for an event of SYSTEM. */
static int take_name(struct tracedat *t, const char *name, const char *suffix)
{
	unsigned int i = 1;
	uint32_t number, nr = t->names.nr;
	size_t n;
	int ret;

	t->text.n = 0;
	fargs_tep_format_put_name(&t->text, name);
	fargs_put(&t->text, suffix);
	n = t->text.n;
	for (;;) {
		if (t->text.is_short)
			return -ENOMEM;
		ret = fargs_intern_add(&t->names, t->text.text, t->text.n, &number);
		if (ret || number >= nr)
			return ret;
		t->text.n = n;
		fargs_put_char(&t->text, '_');
		fargs_put_u64(&t->text, ++i, 0, 0);
	}
}

/* Adds a class whose name is in t->text. @body: the format from the line after "format:" on. */
static int add_class(struct tracedat *t, const char *system, unsigned int wanted,
		     const struct fargs_buf *body)
{
	__cleanup_free char *text = NULL, *copy = strdup(system);
	unsigned int id = take_id(t, wanted);
	struct fargs_tracedat_class *class;
	uint16_t *last;
	int n;

	if (!id)
		return fargs_fail(&t->e.err, E2BIG, "'%s': '%.*s' does not fit: a trace.dat file "
				  "has at most %u functions with different types of values: "
				  "select events with '--filter'", t->file.path, (int)t->text.n,
				  t->text.text, CLASSES_MAX);
	n = asprintf(&text, "name: %.*s\nID: %u\nformat:\n%.*s", (int)t->text.n, t->text.text, id,
		     (int)body->n, body->text);
	if (n < 0)
		text = NULL;
	if (!text || !copy)
		return -ENOMEM;
	last = fargs_array_add(t->ids, t->nr_ids);
	if (!last)
		return -ENOMEM;
	*last = id;
	class = fargs_array_add(t->classes, t->nr_classes);
	if (!class)
		return -ENOMEM;
	*class = (struct fargs_tracedat_class){
		.system = fargs_take_ptr(copy), .text = fargs_take_ptr(text), .bytes = n,
	};
	return 0;
}

/* Adds the class of the current event, whose format is complete. */
static int add_described(struct tracedat *t, const char *name, const char *suffix)
{
	struct fargs_tep_format *f = &t->format;
	struct fargs_buf body = { };
	int ret = take_name(t, name, suffix);

	fargs_buf_add(&body, f->fields.text, f->fields.n);
	fargs_put(&body, "\nprint fmt: \"");
	fargs_buf_add(&body, f->print.text, f->print.n);
	fargs_put_char(&body, '"');
	fargs_buf_add(&body, f->args.text, f->args.n);
	fargs_put_char(&body, '\n');
	if (!ret)
		ret = body.is_short ? -ENOMEM : add_class(t, SYSTEM, 0, &body);
	fargs_buf_deinit(&body);
	return ret;
}

/* Finds the class whose key is in t->key. Sets *@is_new if it must be added. */
static int find_class(struct tracedat *t, uint32_t *class, bool *is_new)
{
	int ret = t->key.is_short ? -ENOMEM :
		  fargs_intern_add(&t->keys, t->key.text, t->key.n, class);

	*is_new = !ret && *class >= t->nr_classes;
	return ret;
}

static void set_head(struct tracedat *t, const struct fargs_event *ev, unsigned int id)
{
	uint8_t *p = (uint8_t *)t->format.data.text;
	int32_t pid = ev->tid;
	size_t i;

	p[0] = id;
	p[1] = id >> 8;
	p[2] = 0;
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (ev->context & flags[i].context)
			p[2] |= flags[i].flag;
	p[3] = ev->preempt_depth > 15 ? 15 : ev->preempt_depth;
	memcpy(p + 4, &pid, sizeof(pid));
}

static int write_event(struct tracedat *t, const struct fargs_event *ev)
{
	const struct fargs_buf *data = &t->format.data;
	int ret = fargs_ring_pages_add(t->pages, ev->cpu, ev->time_ns, data->text, data->n);

	t->last_ns = ev->time_ns;
	return !ret || ret == -ENOMEM ? ret : fail_write(t, ret);
}

/* Completes and writes the current event, of class @class. */
static int finish_event(struct tracedat *t, const struct fargs_event *ev, uint32_t class,
			bool is_new, const char *name, const char *suffix)
{
	int ret = fargs_tep_format_end(&t->format);

	if (!ret && is_new)
		ret = add_described(t, name, suffix);
	if (ret)
		return ret;
	set_head(t, ev, t->ids[class]);
	return write_event(t, ev);
}

/* Writes a formatted event as bytes, because its format is unknown or does not fit its data. */
static int add_raw(struct tracedat *t, const struct fargs_event *ev, unsigned int id,
		   const void *data, size_t bytes)
{
	char name[32];
	uint32_t class;
	bool is_new;
	int ret;

	snprintf(name, sizeof(name), "event_%u", id);
	t->key.n = 0;
	fargs_put_char(&t->key, 'r');
	fargs_put(&t->key, name);
	ret = find_class(t, &class, &is_new);
	if (ret)
		return ret;
	fargs_tep_format_begin(&t->format, is_new);
	fargs_tep_format_bytes(&t->format, "data", data, bytes);
	return finish_event(t, ev, class, is_new, name, "");
}

static int skip_field(void *arg, const struct fargs_field *field)
{
	return 0;
}

/* Adds the class of a formatted event. Returns -ENOENT if the format cannot be written. */
static int add_format(struct tracedat *t, struct fargs_formats *formats,
		      const struct fargs_format_head *head)
{
	struct fargs_buf body = { };
	int ret = fargs_format_text_put(&body, formats, head->id);

	t->text.n = 0;
	fargs_put(&t->text, head->name);
	if (!ret)
		ret = t->text.is_short ? -ENOMEM : add_class(t, head->system, head->id, &body);
	fargs_buf_deinit(&body);
	return ret;
}

static int add_formatted(struct tracedat *t, struct fargs_decoder *d, const struct fargs_event *ev)
{
	struct fargs_formats *formats = fargs_decoder_formats(d);
	struct fargs_format_head head;
	const uint8_t *data = ev->formatted.data;
	size_t bytes = ev->formatted.bytes;
	uint32_t class;
	bool is_new;
	int ret;

	if (bytes > FARGS_EVENT_RAW_MAX)
		bytes = FARGS_EVENT_RAW_MAX;
	fargs_formats_head(formats, &ev->formatted, &head);
	if (!head.name || fargs_formats_fields(formats, &ev->formatted, skip_field, NULL))
		return add_raw(t, ev, head.id, data, bytes);
	t->key.n = 0;
	fargs_put_char(&t->key, 'f');
	fargs_buf_add(&t->key, &head.id, sizeof(head.id));
	ret = find_class(t, &class, &is_new);
	if (!ret && is_new)
		ret = add_format(t, formats, &head);
	if (ret)
		return ret;
	t->format.data.n = 0;
	fargs_buf_add(&t->format.data, data, bytes);
	if (t->format.data.is_short)
		return -ENOMEM;
	/* Correct the preemption depth: in perf's data, it is too high by one. */
	t->format.data.text[3] = (char)((data[3] & 0xf0) | ev->preempt_depth);
	memcpy(t->format.data.text, &t->ids[class], sizeof(t->ids[class]));
	return write_event(t, ev);
}

static void put_keys(struct fargs_buf *key, const struct fargs_arg *args, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		fargs_tep_values_put_key(key, &args[i]);
		fargs_buf_add(key, args[i].val.name, strlen(args[i].val.name) + 1);
	}
}

/* Sets t->key to everything that determines the fields of a call or sample. */
static void set_key(struct tracedat *t, const struct fargs_event *ev, const char *name)
{
	const uint32_t words[] = {
		ev->kind | !!ev->ret << 8 | ev->has_duration << 9 | !!ev->nr_stack << 10,
		ev->nr_args, ev->nr_out,
	};

	t->key.n = 0;
	fargs_put_char(&t->key, 'c');
	fargs_buf_add(&t->key, words, sizeof(words));
	fargs_buf_add(&t->key, name, strlen(name) + 1);
	if (ev->func)
		fargs_buf_add(&t->key, &ev->func->addr, sizeof(ev->func->addr));
	put_keys(&t->key, ev->args, ev->nr_args);
	if (ev->ret)
		fargs_tep_values_put_key(&t->key, ev->ret);
	put_keys(&t->key, ev->out, ev->nr_out);
}

static void add_number(struct tracedat *t, const char *name, const char *type, unsigned int width,
		       bool is_signed, uint8_t shown, uint64_t v)
{
	const struct fargs_tep_number n = {
		.type = type, .width = width, .is_signed = is_signed, .shown = shown,
	};

	fargs_tep_format_number(&t->format, name, &n, v);
}

static void add_stack(struct tracedat *t, struct fargs_decoder *d, const struct fargs_event *ev)
{
	const uint8_t *p = ev->stack;
	unsigned int i;
	uint64_t addr;

	t->text.n = 0;
	for (i = 0; i < ev->nr_stack && t->text.n < STACK_MAX; i++) {
		memcpy(&addr, p + 8 * i, sizeof(addr));
		if (i)
			fargs_put_char(&t->text, ';');
		fargs_value_put_symbol(&t->text, d, addr, true);
	}
	if (!t->text.is_short)
		fargs_tep_format_string(&t->format, "stack", t->text.text, t->text.n);
}

/* Names of fields other than arguments; the fields of arguments get other names. */
static const char *const own_names[] = { "ret", "duration_ns", "caller", "stack", NULL };

static void add_values(struct tracedat *t, struct fargs_decoder *d, const struct fargs_event *ev)
{
	struct fargs_tep_format *f = &t->format;
	char name[FARGS_NAMED_MAX];
	unsigned int i;

	for (i = 0; i < ev->nr_args; i++)
		fargs_tep_values_add(f, &ev->args[i], ev->args[i].val.name);
	for (i = 0; i < ev->nr_out; i++) {
		snprintf(name, sizeof(name), "out_%s", ev->out[i].val.name);
		fargs_tep_values_add(f, &ev->out[i], name);
	}
	fargs_tep_format_release(f);
	if (ev->ret)
		fargs_tep_values_add(f, ev->ret, "ret");
	if (ev->has_duration)
		add_number(t, "duration_ns", "u64", 8, false, FARGS_TEP_DECIMAL, ev->duration_ns);
	if (!ev->sample)
		add_number(t, "caller", "unsigned long", 8, false, FARGS_TEP_SYMBOL, ev->parent_ip);
	if (ev->nr_stack)
		add_stack(t, d, ev);
}

static int add_call(struct tracedat *t, struct fargs_decoder *d, const struct fargs_event *ev)
{
	bool is_graph = ev->kind == FARGS_KIND_RETURN && fargs_named_is_graph(ev);
	char buf[FARGS_NAMED_MAX];
	const char *name = fargs_named(d, ev, buf);
	uint32_t class;
	bool is_new;
	int ret;

	set_key(t, ev, name);
	ret = find_class(t, &class, &is_new);
	if (ret)
		return ret;
	fargs_tep_format_begin(&t->format, is_new);
	fargs_tep_format_reserve(&t->format, own_names);
	add_values(t, d, ev);
	if (t->text.is_short)
		return -ENOMEM;
	return finish_event(t, ev, class, is_new, name, is_graph ? "_return" : "");
}

/* Writes an event whose only field is the number @v. */
static int add_single(struct tracedat *t, const struct fargs_event *ev, const char *name,
		      const char *field, const struct fargs_tep_number *n, uint64_t v)
{
	uint32_t class;
	bool is_new;
	int ret;

	t->key.n = 0;
	fargs_put_char(&t->key, 's');
	fargs_put(&t->key, name);
	ret = find_class(t, &class, &is_new);
	if (ret)
		return ret;
	fargs_tep_format_begin(&t->format, is_new);
	fargs_tep_format_number(&t->format, field, n, v);
	return finish_event(t, ev, class, is_new, name, "");
}

static int add(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
	       const struct fargs_event *ev)
{
	static const struct fargs_tep_number pid = {
		.type = "pid_t", .width = 4, .is_signed = true,
	};
	struct tracedat *t = arg;
	int ret;

	if (ev->kind == FARGS_KIND_TASK || ev->cpu >= t->meta->info.nr_cpus)
		return 0;
	if (ev->kind == FARGS_KIND_LOST)
		return fargs_ring_pages_lose(t->pages, ev->cpu, ev->lost);
	ret = fargs_task_set_add(&t->tasks, ev);
	if (ret < 0)
		return ret;
	if (ev->kind == FARGS_KIND_EVENT)
		return add_formatted(t, d, ev);
	if (ev->kind == FARGS_KIND_SWITCH)
		return add_single(t, ev, "switch", "next_tid", &pid, ev->next_tid);
	return add_call(t, d, ev);
}

/*
 * Losses are stored in the page that begins with the next event of the CPU. For losses after the
 * last event of a CPU, which have no such page, adds an event with their number.
 */
static int add_last_losses(struct tracedat *t)
{
	static const struct fargs_tep_number number = { .type = "u64", .width = 8 };
	struct fargs_event ev = { .kind = FARGS_KIND_LOST, .time_ns = t->last_ns };
	unsigned int nr_cpus = fargs_ring_pages_nr_cpus(t->pages);
	int ret = 0;

	for (; ev.cpu < nr_cpus && !ret; ev.cpu++)
		if (fargs_ring_pages_has_lost(t->pages, ev.cpu, &ev.lost))
			ret = add_single(t, &ev, "lost", "lost", &number, ev.lost);
	return ret;
}

static int write_file(struct tracedat *t)
{
	struct fargs_buf head = { };
	unsigned int cpu;
	int ret;

	fargs_tracedat_head_put(&head, t->meta, t->classes, t->nr_classes, &t->tasks, t->pages);
	errno = 0;
	if (head.is_short)
		ret = -ENOMEM;
	else if (fwrite(head.text, 1, head.n, t->file.file) != head.n)
		ret = errno ? -errno : -EIO;
	else
		ret = 0;
	fargs_buf_deinit(&head);
	for (cpu = 0; cpu < t->meta->info.nr_cpus && !ret; cpu++)
		ret = fargs_ring_pages_write(t->pages, cpu, t->file.file);
	return ret ? ret : fargs_outfile_finish(&t->file);
}

static int end(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct tracedat *t = arg;
	int ret = add_last_losses(t);

	if (ret)
		return ret;
	ret = fargs_ring_pages_finish(t->pages);
	if (!ret)
		ret = write_file(t);
	return !ret || ret == -ENOMEM ? ret : fail_write(t, ret);
}

static void destroy(struct fargs_export *e)
{
	struct tracedat *t = (struct tracedat *)e;
	size_t i;

	for (i = 0; i < t->nr_classes; i++) {
		free(t->classes[i].system);
		free(t->classes[i].text);
	}
	free(t->classes);
	free(t->ids);
	fargs_ring_pages_destroy(t->pages);
	fargs_outfile_deinit(&t->file);
	fargs_task_set_deinit(&t->tasks);
	fargs_intern_deinit(&t->keys);
	fargs_intern_deinit(&t->names);
	fargs_tep_format_deinit(&t->format);
	fargs_buf_deinit(&t->key);
	fargs_buf_deinit(&t->text);
	free(t);
}

static int open_files(struct tracedat *t, const char *path, struct fargs_error_text *err)
{
	int fd, ret = fargs_outfile_open(&t->file, path, 0, err);

	if (ret)
		return ret;
	if (fargs_outfile_stream(&t->file))
		return fargs_fail(err, ENOMEM, "out of memory");
	fd = fargs_outfile_scratch(&t->file, err);
	if (fd < 0)
		return fd;
	t->pages = fargs_ring_pages_create(fd);
	return t->pages ? 0 : fargs_fail(err, ENOMEM, "out of memory");
}

struct fargs_export *fargs_tracedat_create(const struct fargs_export_options *o,
					   struct fargs_error_text *err)
{
	struct tracedat *t = calloc(1, sizeof(*t));

	if (!t) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	t->meta = o->meta;
	t->next_id = ID_START;
	t->e.destroy = destroy;
	t->e.sink = (struct fargs_sink){
		.event = add, .end = end, .arg = t, .is_in_order = true, .needs_callers = true,
	};
	if (!open_files(t, o->path, err))
		return &t->e;
	destroy(&t->e);
	return NULL;
}
