// SPDX-License-Identifier: GPL-2.0-only
#include "model/formats.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <event-parse.h>
#include <trace-seq.h>

#include "model/format_check.h"
#include "model/kvm_plugin.h"
#include "model/event_record.h"
#include "kernel/sym/ksyms.h"

#define LONG_BYTES	8
/* What the library may read behind the end of data that lies. */
#define MARGIN		64
/* All formats of a kernel take half a second, or ten where it is emulated. */
#define VET_SECONDS	60
#define VET_ALL_SECONDS	(2 * VET_SECONDS)

struct fargs_formats {
	const struct fargs_meta *meta;
	struct tep_handle *tep;
	bool is_adopted;		/* it is somebody else's */
	struct tep_plugin_list *plugins;	/* all of them; or, of formats out of a file, */
	struct fargs_kvm_plugin *kvm;		/* this one. NULL: not that */
	struct trace_seq text;
	struct trace_seq kernel_text;	/* what replaces a part of it */
	/* Data, with zeroes behind it: strings end. */
	uint8_t data[FARGS_EVENT_RAW_MAX + MARGIN] __attribute__((aligned(8)));
};

/* For what formats print with %ps and the like. */
static char *find_symbol(void *priv, unsigned long long *addr, char **module)
{
	const struct fargs_formats *f = priv;
	const struct fargs_ksym *sym = f->meta->ksyms ?
				       fargs_ksyms_find_addr(f->meta->ksyms, *addr) : NULL;

	if (!sym)
		return NULL;
	*addr = sym->addr;
	*module = (char *)sym->module;
	return (char *)sym->name;
}

/* That of a variable of our environment; free() it. */
static char *take_away(const char *name)
{
	char *value = getenv(name);

	value = value ? strdup(value) : NULL;
	unsetenv(name);
	return value;
}

static void give_back(const char *name, char *value)
{
	if (value)
		setenv(name, value, 1);
	free(value);
}

/*
 * Neither from where a variable says, nor from the home directory, which of a command run
 * with sudo is another user's. While no other thread asks for these.
 */
static void load_plugins(struct fargs_formats *f)
{
	char *dir = take_away("TRACEEVENT_PLUGIN_DIR"), *home = take_away("HOME");

	/* Most follow pointers, or lengths, which in a file may be any. */
	if (f->meta->are_formats_trusted)
		f->plugins = tep_load_plugins(f->tep);
	else
		f->kvm = fargs_kvm_plugin_load(f->tep);
	give_back("HOME", home);
	give_back("TRACEEVENT_PLUGIN_DIR", dir);
}

/* Of the kernel's own formats those that the library does not understand have what there is. */
static bool is_plugins(const struct fargs_formats *f, struct tep_event *event)
{
	if (!strcmp(event->system, "kvm"))
		return fargs_kvm_plugin_prints(event);
	return f->plugins && event->flags & TEP_EVENT_FL_FAILED;
}

/* FAILED: its fields are shown, unless a plugin knows the event. */
static void guard(const struct fargs_formats *f, struct tep_event *event)
{
	if (!fargs_format_is_known(event) ||
	    (!f->meta->are_formats_trusted && !fargs_format_is_safe(event)))
		event->flags |= TEP_EVENT_FL_FAILED;
	if (!is_plugins(f, event))
		event->flags |= TEP_EVENT_FL_NOHANDLE;
}

static void guard_all(struct fargs_formats *f)
{
	struct tep_event *event;
	int i;

	for (i = 0; (event = tep_get_event(f->tep, i)); i++)
		guard(f, event);
}

static void read_formats(struct fargs_formats *f)
{
	char *printk;
	size_t i;

	for (i = 0; i < f->meta->nr_formats; i++) {
		const struct fargs_event_format *format = &f->meta->formats[i];

		if (!format->is_bad)
			tep_parse_event(f->tep, format->text, format->bytes, format->system);
	}
	guard_all(f);
	/* Is taken apart in place. */
	printk = f->meta->printk ? strdup(f->meta->printk) : NULL;
	if (printk)
		tep_parse_printk_formats(f->tep, printk);
	free(printk);
}

/* With @tep, or one of its own. */
static struct fargs_formats *allocate(const struct fargs_meta *meta, struct tep_handle *tep)
{
	struct fargs_formats *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->meta = meta;
	trace_seq_init(&f->text);
	trace_seq_init(&f->kernel_text);
	f->is_adopted = tep;
	f->tep = tep ? tep : tep_alloc();
	if (!f->tep) {
		fargs_formats_destroy(f);
		return NULL;
	}
	/* It would complain on stderr of what it cannot read. */
	tep_set_loglevel(TEP_LOG_NONE);
	return f;
}

static struct fargs_formats *create(const struct fargs_meta *meta)
{
	struct fargs_formats *f = allocate(meta, NULL);

	if (!f)
		return NULL;
	tep_set_long_size(f->tep, LONG_BYTES);
	tep_set_page_size(f->tep, meta->info.page_size ? meta->info.page_size : 4096);
	tep_set_file_bigendian(f->tep, TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(f->tep, TEP_LITTLE_ENDIAN);
	tep_set_function_resolver(f->tep, find_symbol, f);
	/* First, since the functions they bring along are known when formats are read. */
	load_plugins(f);
	return f;
}

struct fargs_formats *fargs_formats_create(const struct fargs_meta *meta)
{
	struct fargs_formats *f = create(meta);

	if (f)
		read_formats(f);
	return f;
}

struct fargs_formats *fargs_formats_adopt(const struct fargs_meta *meta, struct tep_handle *tep)
{
	struct fargs_formats *f = allocate(meta, tep);

	if (!f)
		return NULL;
	/* Whoever read the formats without plugins has told the library. */
	tep_clear_flag(tep, TEP_DISABLE_PLUGINS);
	load_plugins(f);
	guard_all(f);
	return f;
}

void fargs_formats_destroy(struct fargs_formats *f)
{
	if (!f)
		return;
	if (f->tep) {
		if (f->plugins)
			tep_unload_plugins(f->plugins, f->tep);
		fargs_kvm_plugin_unload(f->kvm, f->tep);
	}
	if (f->tep && !f->is_adopted) {
		tep_reset_function_resolver(f->tep);
		tep_free(f->tep);
	}
	trace_seq_destroy(&f->text);
	trace_seq_destroy(&f->kernel_text);
	free(f);
}

/* As the library takes it, in f->data. */
static void take(struct fargs_formats *f, const struct fargs_record *rec,
		 const struct fargs_ksyms *guest, struct tep_record *to)
{
	struct fargs_event_body body;

	memcpy(&body, rec + 1, sizeof(body));
	if (body.bytes > FARGS_EVENT_RAW_MAX)
		body.bytes = FARGS_EVENT_RAW_MAX;
	memcpy(f->data, (const uint8_t *)(rec + 1) + sizeof(body), body.bytes);
	memset(f->data + body.bytes, 0, MARGIN);
	*to = (struct tep_record){
		.ts = rec->tsc, .size = body.bytes, .record_size = body.bytes, .data = f->data,
		/* For decode/kvm_plugin.h; there is no other user of it. */
		.priv = (void *)guest,
	};
}

/* What all events begin with, since Linux 2.6.31: u16 id, u8 flags, u8 preempt_count, s32 pid. */
void fargs_formats_head(struct fargs_formats *f, const struct fargs_record *rec,
			struct fargs_format_head *head)
{
	const uint8_t *p = (const uint8_t *)(rec + 1) + sizeof(struct fargs_event_body);
	const struct tep_event *event;
	struct fargs_event_body body;

	memset(head, 0, sizeof(*head));
	memcpy(&body, rec + 1, sizeof(body));
	if (body.bytes < 4)
		return;
	head->id = p[0] | p[1] << 8;
	head->flags = p[2];
	head->preempt_count = p[3];
	event = tep_find_event(f->tep, head->id);
	if (event) {
		head->system = event->system;
		head->name = event->name;
	}
}

/* Do all of @fields lie in the data, and what those of variable length point to? */
static bool are_whole(struct tep_format_field *fields, const struct tep_record *rec)
{
	struct tep_format_field *field;
	unsigned long long loc;
	unsigned int at, len;

	for (field = fields; field; field = field->next) {
		if (field->offset < 0 || field->size < 0 || field->offset > rec->size ||
		    field->size > rec->size - field->offset)
			return false;
		if (!(field->flags & TEP_FIELD_IS_DYNAMIC))
			continue;
		if (field->size != 4 || tep_read_number_field(field, rec->data, &loc))
			return false;
		at = loc & 0xffff;
		len = loc >> 16 & 0xffff;
		if (field->flags & TEP_FIELD_IS_RELATIVE)
			at += field->offset + field->size;
		if (at > (unsigned int)rec->size || len > rec->size - at)
			return false;
	}
	return true;
}

static bool is_whole(const struct tep_event *event, const struct tep_record *rec)
{
	return are_whole(event->format.common_fields, rec) &&
	       are_whole(event->format.fields, rec);
}

static void put_bytes(struct trace_seq *s, const struct tep_record *rec)
{
	const uint8_t *p = rec->data;
	int i;

	for (i = 0; i < rec->size; i++)
		trace_seq_printf(s, "%s%02x", i ? " " : "", p[i]);
}

static bool has_plugin(const struct tep_event *event)
{
	return event->handler && !(event->flags & TEP_EVENT_FL_NOHANDLE);
}

/* Is it known how the kernel would print it? */
static bool has_text(const struct tep_event *event)
{
	return has_plugin(event) || !(event->flags & TEP_EVENT_FL_FAILED);
}

/*
 * Reasons for an exit that came after the plugin, and an entry that failed, which is a flag of the
 * reason, are known to the kernel: they get its words. Where the text is then.
 */
static struct trace_seq *name_reason(struct fargs_formats *f, struct tep_record *rec,
				     struct tep_event *event)
{
	size_t unknown = fargs_kvm_plugin_unknown(f->text.buffer, f->text.len), n;
	struct trace_seq *s = &f->kernel_text;
	const char *words;
	char *copy;

	if (!unknown || event->flags & TEP_EVENT_FL_FAILED)
		return &f->text;
	trace_seq_reset(s);
	event->flags |= TEP_EVENT_FL_NOHANDLE;
	tep_print_event(f->tep, s, rec, "%s", TEP_PRINT_INFO);
	event->flags &= ~TEP_EVENT_FL_NOHANDLE;
	n = s->state == TRACE_SEQ__GOOD ? fargs_kvm_plugin_reason(s->buffer, s->len, &words) : 0;
	copy = n ? strndup(words, n) : NULL;
	if (!copy)
		return &f->text;
	trace_seq_reset(s);
	trace_seq_printf(s, "reason %s%.*s", copy, (int)(f->text.len - unknown),
			 f->text.buffer + unknown);
	free(copy);
	return s;
}

static void put_event(struct fargs_formats *f, struct tep_record *rec, struct tep_event *event,
		      bool is_raw)
{
	if (is_raw || !has_text(event))
		tep_record_print_fields(&f->text, rec, event);
	else
		tep_print_event(f->tep, &f->text, rec, "%s", TEP_PRINT_INFO);
}

/*
 * What a format itself may print: the kernel has two pages for all of a line. And as much again for
 * each byte of the event as it takes to print arrays.
 */
#define TEXT_MAX	8192
#define TEXT_PER_BYTE	8

/* The format of a file may be long, and its events many. In the kernel's words. */
static size_t cut_text(char *text, size_t n, size_t data_bytes)
{
	static const char words[] = "[LINE TOO BIG]";
	size_t max = TEXT_MAX + TEXT_PER_BYTE * data_bytes;

	if (n <= max)
		return n;
	memcpy(text + max - (sizeof(words) - 1), words, sizeof(words) - 1);
	return max;
}

const char *fargs_formats_text(struct fargs_formats *f, const struct fargs_record *rec,
			       const struct fargs_ksyms *guest, bool is_raw, size_t *n)
{
	struct trace_seq *s = &f->text;
	struct tep_event *event;
	struct tep_record data;
	const char *text;
	bool has_blank;

	take(f, rec, guest, &data);
	trace_seq_reset(s);
	event = data.size >= 8 ? tep_find_event_by_record(f->tep, &data) : NULL;
	if (event && !is_whole(event, &data))
		event = NULL;
	if (!event)
		put_bytes(s, &data);
	else
		put_event(f, &data, event, is_raw);
	if (event && !is_raw && has_plugin(event) && s->state == TRACE_SEQ__GOOD)
		s = name_reason(f, &data, event);
	if (s->state != TRACE_SEQ__GOOD)
		return NULL;
	*n = cut_text(s->buffer, s->len, data.size);
	text = s->buffer;
	/* Fields have a blank in front, each, as has what kvm's plugin prints of an entry. */
	has_blank = event && (is_raw || has_plugin(event) || !has_text(event));
	if (has_blank && *n && *text == ' ') {
		text++;
		--*n;
	}
	/* Some formats end with a newline of their own. */
	while (*n && text[*n - 1] == '\n')
		--*n;
	return text;
}

uint64_t fargs_field_number(const struct fargs_field *field, unsigned int i)
{
	unsigned int unused = 64 - 8 * field->width;
	uint64_t v = 0;

	memcpy(&v, field->data + (size_t)i * field->width, field->width);
	v <<= unused;
	return field->kind == FARGS_FIELD_SIGNED ? (uint64_t)((int64_t)v >> unused) : v >> unused;
}

/* The library takes all that has elements of a byte for strings: of addresses, too. */
static bool is_text(const struct tep_format_field *field)
{
	return strstr(field->type, "char") && !strstr(field->type, "signed");
}

/* @from lies in the data, as does what it points to. */
static void take_field(struct tep_format_field *from, const struct tep_record *rec,
		       struct fargs_field *to)
{
	unsigned int element = from->elementsize;
	unsigned long long loc = 0;

	*to = (struct fargs_field){
		.name = from->name,
		.type = from->type,
		.data = (const uint8_t *)rec->data + from->offset,
		.bytes = from->size,
	};
	if (from->flags & TEP_FIELD_IS_DYNAMIC) {
		tep_read_number_field(from, rec->data, &loc);
		to->data = (const uint8_t *)rec->data + (loc & 0xffff);
		if (from->flags & TEP_FIELD_IS_RELATIVE)
			to->data += from->offset + from->size;
		to->bytes = loc >> 16 & 0xffff;
	}
	if (from->flags & TEP_FIELD_IS_STRING && is_text(from)) {
		to->kind = FARGS_FIELD_STRING;
		to->bytes = strnlen((const char *)to->data, to->bytes);
		return;
	}
	to->is_array = from->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC);
	to->width = to->is_array ? element : to->bytes;
	if (to->width != 1 && to->width != 2 && to->width != 4 && to->width != 8) {
		to->kind = FARGS_FIELD_BYTES;
		to->is_array = false;
		return;
	}
	to->nr = to->bytes / to->width;
	to->kind = from->flags & TEP_FIELD_IS_POINTER ? FARGS_FIELD_PTR :
		   from->flags & TEP_FIELD_IS_SIGNED ? FARGS_FIELD_SIGNED : FARGS_FIELD_UNSIGNED;
}

int fargs_formats_fields(struct fargs_formats *f, const struct fargs_record *rec,
			 int (*fn)(void *arg, const struct fargs_field *field), void *arg)
{
	struct tep_format_field *from;
	struct fargs_field field;
	struct tep_event *event;
	struct tep_record data;
	int ret = 0;

	take(f, rec, NULL, &data);
	event = data.size >= 8 ? tep_find_event_by_record(f->tep, &data) : NULL;
	if (!event || !is_whole(event, &data))
		return -ENOENT;
	for (from = event->format.fields; from && !ret; from = from->next) {
		take_field(from, &data, &field);
		ret = fn(arg, &field);
	}
	return ret;
}

/* An event of nothing but zeroes: what is wrong with the arguments shows. */
static void print_zeroes(struct fargs_formats *f, struct tep_event *event)
{
	const struct tep_format_field *field;
	struct tep_record rec = { .size = 8, .data = f->data };

	memset(f->data, 0, sizeof(f->data));
	f->data[0] = event->id;
	f->data[1] = event->id >> 8;
	for (field = event->format.fields; field; field = field->next)
		if (field->offset + field->size > rec.size)
			rec.size = field->offset + field->size;
	trace_seq_reset(&f->text);
	if (rec.size <= FARGS_EVENT_RAW_MAX && is_whole(event, &rec)) {
		put_event(f, &rec, event, false);
		trace_seq_reset(&f->text);
		put_event(f, &rec, event, true);
	}
}

/* The library takes the type of all events from where the first one says. */
static bool has_type(struct tep_event *event)
{
	const struct tep_format_field *type = tep_find_common_field(event, "common_type");

	return type && !type->offset && type->size == 2;
}

/* The child: tells of each format from @first on whether it is good. Does not return. */
static void __attribute__((noreturn)) vet(const struct fargs_meta *meta, size_t first,
					  unsigned int seconds, int fd)
{
	struct fargs_formats *f = create(meta);
	struct tep_event *event;
	size_t i;
	char good;

	/* Nobody is interested in what is left of it, or wants to wait for ever. */
	prctl(PR_SET_DUMPABLE, 0);
	close(STDERR_FILENO);
	alarm(seconds);
	for (i = first; f && i < meta->nr_formats; i++) {
		const struct fargs_event_format *format = &meta->formats[i];

		/* Once to know its id, once for good. What is not understood has fields still. */
		event = NULL;
		tep_parse_format(f->tep, &event, format->text, format->bytes, format->system);
		if (event && !tep_parse_event(f->tep, format->text, format->bytes, format->system))
			event = tep_find_event(f->tep, event->id);
		good = event && has_type(event);
		if (good) {
			guard(f, event);
			print_zeroes(f, event);
		}
		if (write(fd, &good, 1) != 1)
			break;
	}
	_exit(0);
}

/* Takes what a child tells from @first on. How far it came, or -errno. */
static ssize_t vet_from(struct fargs_meta *meta, size_t first, unsigned int seconds)
{
	size_t i = first;
	int fds[2];
	char good;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid)
		vet(meta, first, seconds, fds[1]);
	close(fds[1]);
	while (pid > 0 && i < meta->nr_formats && read(fds[0], &good, 1) == 1)
		meta->formats[i++].is_bad = !good;
	close(fds[0]);
	if (pid < 0)
		return -EAGAIN;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return i;
}

static time_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

int fargs_formats_vet(struct fargs_meta *meta)
{
	time_t end = now() + VET_ALL_SECONDS, left;
	ssize_t i = 0;

	while (!meta->are_formats_vetted && (size_t)i < meta->nr_formats) {
		left = end - now();
		/* Where one after the other does not end, the rest of them is bad. */
		if (left > 0)
			i = vet_from(meta, i, left < VET_SECONDS ? left : VET_SECONDS);
		if (i < 0)
			return i;
		/* The one that it did not survive. */
		if ((size_t)i < meta->nr_formats)
			meta->formats[i++].is_bad = true;
	}
	meta->are_formats_vetted = true;
	return 0;
}

int fargs_formats_name(const struct fargs_meta *meta, size_t i, char *buf, size_t size)
{
	const struct fargs_event_format *format = &meta->formats[i];
	static const char key[] = "name: ";
	size_t n;

	if (strncmp(format->text, key, strlen(key)))
		return -EIO;
	n = strcspn(format->text + strlen(key), "\n");
	snprintf(buf, size, "%s:%.*s", format->system, (int)n, format->text + strlen(key));
	return 0;
}
