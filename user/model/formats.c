// SPDX-License-Identifier: GPL-2.0-only
#include "model/formats.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <trace-seq.h>

#include "kernel/sym/ksyms.h"
#include "model/event_record.h"
#include "model/format_check.h"
#include "model/format_validate.h"
#include "model/formats_tep.h"
#include "model/kvm_plugin.h"

#define LONG_BYTES	8
/*
 * Number of zero bytes after the data, because libtraceevent may read beyond the end of data whose
 * lengths are wrong.
 */
#define MARGIN		64

struct fargs_formats {
	const struct fargs_meta *meta;
	struct tep_handle *tep;
	bool is_adopted;		/* @tep was passed by the caller, who will free it */
	struct tep_plugin_list *plugins; /* all plugins; NULL if the formats are not trusted */
	struct fargs_kvm_plugin *kvm;	/* kvm's plugin if only that was loaded; else NULL */
	struct trace_seq text;
	/*
	 * Buffer of name_reason(), for the text of a KVM exit whose reason kvm's plugin cannot
	 * name.
	 */
	struct trace_seq kernel_text;
	/* Data of the current event, followed by zeroes, which terminate strings. */
	uint8_t data[FARGS_EVENT_RAW_MAX + MARGIN] __attribute__((aligned(8)));
};

/* Resolves addresses for conversions such as %ps. */
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

/* Removes a variable from the environment. Returns its previous value, which the caller frees. */
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
 * Loads plugins, but neither from the directory that TRACEEVENT_PLUGIN_DIR names nor from the home
 * directory, which may be another user's if the command runs under sudo. Other threads must not
 * read TRACEEVENT_PLUGIN_DIR and HOME at the same time.
 */
static void load_plugins(struct fargs_formats *f)
{
	char *dir = take_away("TRACEEVENT_PLUGIN_DIR"), *home = take_away("HOME");

	/*
	 * If the formats are from a file, load only kvm's plugin: most plugins trust pointers and
	 * lengths in the data.
	 */
	if (f->meta->are_formats_trusted)
		f->plugins = tep_load_plugins(f->tep);
	else
		f->kvm = fargs_kvm_plugin_load(f->tep);
	give_back("HOME", home);
	give_back("TRACEEVENT_PLUGIN_DIR", dir);
}

/*
 * Should a plugin print @event? The plugin of kvm prints exits and entries. Other plugins print an
 * event only if libtraceevent cannot parse its format, or does not support a conversion in the
 * format.
 */
static bool is_plugins(const struct fargs_formats *f, struct tep_event *event)
{
	if (!strcmp(event->system, "kvm"))
		return fargs_kvm_plugin_prints(event);
	return f->plugins && event->flags & TEP_EVENT_FL_FAILED;
}

/*
 * Sets the flag TEP_EVENT_FL_FAILED of @event if its format has a conversion that libtraceevent
 * does not support, or is from a file and not safe. The fields of @event are then shown one by one,
 * unless a plugin prints it.
 */
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
	/* Pass a copy, because libtraceevent modifies the text. */
	printk = f->meta->printk ? strdup(f->meta->printk) : NULL;
	if (printk)
		tep_parse_printk_formats(f->tep, printk);
	free(printk);
}

/* Allocates a struct fargs_formats that uses @tep or, if @tep is NULL, a new handle. */
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
	/* Do not let libtraceevent complain on stderr about formats that it cannot parse. */
	tep_set_loglevel(TEP_LOG_NONE);
	return f;
}

struct fargs_formats *fargs_formats_begin(const struct fargs_meta *meta)
{
	struct fargs_formats *f = allocate(meta, NULL);

	if (!f)
		return NULL;
	tep_set_long_size(f->tep, LONG_BYTES);
	tep_set_page_size(f->tep, meta->info.page_size ? meta->info.page_size : 4096);
	tep_set_file_bigendian(f->tep, TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(f->tep, TEP_LITTLE_ENDIAN);
	tep_set_function_resolver(f->tep, find_symbol, f);
	/* Load plugins before parsing formats, which may use functions that plugins define. */
	load_plugins(f);
	return f;
}

struct fargs_formats *fargs_formats_create(const struct fargs_meta *meta)
{
	struct fargs_formats *f = fargs_formats_begin(meta);

	if (f)
		read_formats(f);
	return f;
}

struct fargs_formats *fargs_formats_adopt(const struct fargs_meta *meta, struct tep_handle *tep)
{
	struct fargs_formats *f = allocate(meta, tep);

	if (!f)
		return NULL;
	/* The caller set TEP_DISABLE_PLUGINS so that formats were parsed without plugins. */
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

struct tep_handle *fargs_formats_tep(const struct fargs_formats *f)
{
	return f->tep;
}

const struct fargs_meta *fargs_formats_meta(const struct fargs_formats *f)
{
	return f->meta;
}

/* Converts @from to libtraceevent's form, and copies its data to f->data. */
static void take(struct fargs_formats *f, const struct fargs_formatted *from,
		 const struct fargs_ksyms *guest, struct tep_record *to)
{
	size_t bytes = from->bytes > FARGS_EVENT_RAW_MAX ? FARGS_EVENT_RAW_MAX : from->bytes;

	if (bytes)
		memcpy(f->data, from->data, bytes);
	memset(f->data + bytes, 0, MARGIN);
	*to = (struct tep_record){
		.ts = from->ns, .size = bytes, .record_size = bytes, .data = f->data,
		/* The member priv is used only by model/kvm_plugin.c. */
		.priv = (void *)guest,
	};
}

/* Since Linux 2.6.31, all events begin with: u16 id, u8 flags, u8 preempt_count, s32 pid. */
void fargs_formats_head(struct fargs_formats *f, const struct fargs_formatted *ev,
			struct fargs_format_head *head)
{
	const struct tep_event *event;

	memset(head, 0, sizeof(*head));
	if (ev->bytes < 4)
		return;
	head->id = ev->data[0] | ev->data[1] << 8;
	head->flags = ev->data[2];
	head->preempt_count = ev->data[3];
	event = tep_find_event(f->tep, head->id);
	if (event) {
		head->system = event->system;
		head->name = event->name;
	}
}

/*
 * Do all @fields lie within the data of @rec, and for fields of variable length also their
 * contents?
 */
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

/* Can the event be printed as text, instead of its fields one by one? */
static bool has_text(const struct tep_event *event)
{
	return has_plugin(event) || !(event->flags & TEP_EVENT_FL_FAILED);
}

/*
 * If kvm's plugin cannot name the reason of an exit, replaces the plugin's text for the reason with
 * the text of the kernel's own format. The plugin cannot name reasons that are newer than the
 * plugin, nor those of failed entries, which contain a flag. Returns the buffer with the final
 * text.
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
 * Maximum length of an event's text in bytes: TEXT_MAX, since the kernel limits a line to two
 * pages, plus TEXT_PER_BYTE for each byte of data, since an array is printed as several characters
 * per byte.
 */
#define TEXT_MAX	8192
#define TEXT_PER_BYTE	8

/*
 * Truncates @text if it is too long, and marks the truncation as the kernel does. Without this
 * limit, a file with a long format and many events could produce huge output.
 */
static size_t cut_text(char *text, size_t n, size_t data_bytes)
{
	static const char words[] = "[LINE TOO BIG]";
	size_t max = TEXT_MAX + TEXT_PER_BYTE * data_bytes;

	if (n <= max)
		return n;
	memcpy(text + max - (sizeof(words) - 1), words, sizeof(words) - 1);
	return max;
}

const char *fargs_formats_text(struct fargs_formats *f, const struct fargs_formatted *ev,
			       const struct fargs_ksyms *guest, bool is_raw, size_t *n)
{
	struct trace_seq *s = &f->text;
	struct tep_event *event;
	struct tep_record data;
	const char *text;
	bool has_blank;

	take(f, ev, guest, &data);
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
	/*
	 * Skip a blank at the start: libtraceevent prints one before the first field, and kvm's
	 * plugin prints one before the text of an entry.
	 */
	has_blank = event && (is_raw || has_plugin(event) || !has_text(event));
	if (has_blank && *n && *text == ' ') {
		text++;
		--*n;
	}
	/* Remove the newline at the end of some formats. */
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

/*
 * Is @field, an array of 1-byte elements, text? libtraceevent flags any such array as a string,
 * even if it contains a network address.
 */
static bool is_text(const struct tep_format_field *field)
{
	return strstr(field->type, "char") && !strstr(field->type, "signed");
}

/* Converts field @from to @to. The field and the data that it refers to lie within the record. */
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

int fargs_formats_fields(struct fargs_formats *f, const struct fargs_formatted *ev,
			 int (*fn)(void *arg, const struct fargs_field *field), void *arg)
{
	struct tep_format_field *from;
	struct fargs_field field;
	struct tep_event *event;
	struct tep_record data;
	int ret = 0;

	take(f, ev, NULL, &data);
	event = data.size >= 8 ? tep_find_event_by_record(f->tep, &data) : NULL;
	if (!event || !is_whole(event, &data))
		return -ENOENT;
	for (from = event->format.fields; from && !ret; from = from->next) {
		take_field(from, &data, &field);
		ret = fn(arg, &field);
	}
	return ret;
}

/* Prints an event whose data are all zeroes, to detect faulty arguments in its format. */
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

/*
 * Is the field common_type, the id of the event, at offset 0? libtraceevent takes its offset from
 * the first format that it parses, and uses this offset for all events.
 */
static bool has_type(struct tep_event *event)
{
	const struct tep_format_field *type = tep_find_common_field(event, "common_type");

	return type && !type->offset && type->size == 2;
}

bool fargs_formats_try(struct fargs_formats *f, const struct fargs_event_format *format)
{
	struct tep_event *event = NULL;

	/*
	 * Parse twice: first to get the id, then to add the event. If parsing of the print format
	 * fails, the event still has fields.
	 */
	tep_parse_format(f->tep, &event, format->text, format->bytes, format->system);
	if (event && !tep_parse_event(f->tep, format->text, format->bytes, format->system))
		event = tep_find_event(f->tep, event->id);
	if (!event || !has_type(event))
		return false;
	guard(f, event);
	print_zeroes(f, event);
	return true;
}

static bool has_field(const struct tep_format_field *fields, const char *name, size_t len)
{
	for (; fields; fields = fields->next)
		if (!strncmp(fields->name, name, len) && !fields->name[len])
			return true;
	return false;
}

bool fargs_formats_has_field(const struct fargs_formats *f, const char *name, size_t len)
{
	int i, nr = tep_get_events_count(f->tep);

	for (i = 0; i < nr; i++)
		if (has_field(tep_get_event(f->tep, i)->format.fields, name, len))
			return true;
	return false;
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
