// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Common Trace Format, version 1.8 (diamon.org/ctf): a directory with one stream file per CPU
 * and a metadata file, in TSDL, that describes their layout.
 *
 * An event class is a function together with the types of its values, each an integer or a string.
 * A record whose values have other types, such as a fault instead of a number, gets another class
 * of the same name. All data is packed and little-endian. Losses are events, and are also counted
 * per packet (events_discarded).
 */
#include "sink/export/export.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/outfile.h"
#include "base/put.h"
#include "model/event_record.h"
#include "model/formats.h"
#include "sink/export/field_text.h"
#include "sink/export/named.h"
#include "sink/json/json.h"
#include "sink/text/text.h"
#include "sink/text/value.h"

#define MAGIC		0xc1fc1fc1u
/* Approximate size of the events in a packet. */
#define PACKET_BYTES	(64u << 10)

struct packet_head {
	uint32_t magic, stream_id;
	uint64_t from_ns, to_ns;
	uint64_t content_bits, packet_bits;
	uint64_t nr_lost;
	uint32_t cpu;
} __attribute__((packed));

struct stream {
	FILE *file;		/* stream file; NULL: no events yet */
	struct fargs_buf events;
	uint64_t from_ns, to_ns;
	uint64_t nr_lost;	/* total number of lost events; grows while events are added */
};

/* An event class. There is only one class with a given text. */
struct class {
	char *text;		/* TSDL: the class's name and fields */
	size_t len;
};

struct ctf {
	struct fargs_export e;
	const struct fargs_meta *meta;
	char *path;
	int dir;		/* descriptor of @path; -1: not created yet */
	struct stream *streams;
	unsigned int nr_streams;
	struct class *classes;	/* array, indexed by id */
	size_t nr_classes;
	struct fargs_hash by_text;
	/* The following members are buffers for the current event. */
	struct fargs_buf fields;	/* declarations of the fields, in TSDL */
	struct fargs_buf payload;
	struct fargs_buf text;
	unsigned int nr_fields;
};

static int fail(struct ctf *c, const char *name)
{
	return fargs_fail(&c->e.err, errno ? errno : EIO, "cannot write '%s/%s': %s", c->path, name,
			  strerror(errno ? errno : EIO));
}

static FILE *make_file(struct ctf *c, const char *name)
{
	FILE *file = fargs_outfile_in(c->dir, name);

	if (!file)
		fail(c, name);
	return file;
}

/*
 * Writes a TSDL string literal. TSDL readers support the escapes of C except \u, so JSON's \u
 * escapes are written with another backslash, and are displayed literally.
 */
static void put_string(struct fargs_buf *out, const char *text)
{
	struct fargs_buf json = { };
	size_t i;

	fargs_json_put_string(&json, text, strlen(text));
	for (i = 0; i < json.n; i++) {
		if (json.text[i] == '\\' && json.text[i + 1] == 'u')
			fargs_put_char(out, '\\');
		fargs_put_char(out, json.text[i]);
		/*
		 * Copy the escaped character: if it is a backslash, it does not start another
		 * escape.
		 */
		if (json.text[i] == '\\')
			fargs_put_char(out, json.text[++i]);
	}
	out->is_short |= json.is_short;
	fargs_buf_deinit(&json);
}

static int write_packet(struct ctf *c, struct stream *s)
{
	const struct packet_head head = {
		.magic = MAGIC,
		.from_ns = s->from_ns,
		.to_ns = s->to_ns,
		.content_bits = 8 * (sizeof(head) + s->events.n),
		.packet_bits = 8 * (sizeof(head) + s->events.n),
		.nr_lost = s->nr_lost,
		.cpu = s - c->streams,
	};
	size_t n = s->events.n;

	s->events.n = 0;
	errno = 0;
	if (fwrite(&head, 1, sizeof(head), s->file) == sizeof(head) &&
	    fwrite(s->events.text, 1, n, s->file) == n)
		return 0;
	return fail(c, "stream");
}

/* Writes @name as a C identifier, after an underscore, which babeltrace2 removes. */
static void put_field_name(struct ctf *c, const char *name)
{
	const char *p;

	fargs_put_char(&c->fields, '_');
	for (p = name; *p; p++)
		fargs_put_char(&c->fields, (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
			       (*p >= '0' && *p <= '9') ? *p : '_');
}

/*
 * Starts the field @name. If there already is a field of that name, appends the new field's index.
 */
static void begin_field(struct ctf *c, const char *type, const char *name)
{
	size_t from;
	char *at;

	fargs_put_char(&c->fields, ' ');
	fargs_put(&c->fields, type);
	fargs_put_char(&c->fields, ' ');
	from = c->fields.n;
	put_field_name(c, name);
	fargs_put_char(&c->fields, ';');
	c->nr_fields++;
	if (c->fields.is_short)
		return;
	/* Search for " NAME;" among the previous fields. */
	at = memmem(c->fields.text, from, c->fields.text + from - 1, c->fields.n - from + 1);
	if (!at)
		return;
	c->fields.n--;
	fargs_put_char(&c->fields, '_');
	fargs_put_u64(&c->fields, c->nr_fields, 0, 0);
	fargs_put_char(&c->fields, ';');
}

static void add_number(struct ctf *c, const char *type, const char *name, uint64_t v)
{
	begin_field(c, type, name);
	fargs_buf_add(&c->payload, &v, sizeof(v));
}

/* Adds a string field: @text up to its NUL, converted to UTF-8. */
static void add_text(struct ctf *c, const char *name, const char *text, size_t len)
{
	begin_field(c, "string", name);
	fargs_json_put_utf8(&c->payload, text, strnlen(text, len));
	fargs_put_char(&c->payload, '\0');
}

/*
 * Adds the field NAME_text with the name of a number, such as flags. It is there, perhaps empty,
 * for each number of the argument, so that the argument's events have the same class.
 */
static void add_symbolic(struct ctf *c, struct fargs_decoder *d, const struct fargs_arg *arg,
			 const char *name)
{
	char field[FARGS_NAMED_MAX + sizeof("_text")];

	if (!arg->naming || arg->format)
		return;
	snprintf(field, sizeof(field), "%.*s_text", FARGS_NAMED_MAX, name);
	c->text.n = 0;
	fargs_value_put_symbolic(&c->text, d, arg, false);
	add_text(c, field, c->text.n ? c->text.text : "", c->text.n);
}

static void add_arg(struct ctf *c, struct fargs_decoder *d, const struct fargs_arg *arg,
		    const char *name)
{
	const struct fargs_value *val = &arg->val;
	bool is_number = fargs_type_width(val->type) && fargs_type_width(val->type) <= 8 &&
			 !val->is_fault && arg->shape == FARGS_SHAPE_PLAIN;

	if (is_number && val->type == FARGS_TYPE_PTR) {
		add_number(c, "x64", name, fargs_value_u64(val));
	} else if (is_number && val->type != FARGS_TYPE_CHAR && val->type != FARGS_TYPE_BOOL) {
		add_number(c, fargs_type_is_signed(val->type) ? "s64" : "u64", name,
			   fargs_value_u64(val));
		add_symbolic(c, d, arg, name);
	} else if (val->type == FARGS_TYPE_STR && !val->is_fault) {
		add_text(c, name, val->data, val->bytes);
	} else {
		/* Write the value as text, as fargs report shows it. */
		c->text.n = 0;
		fargs_value_put(&c->text, d, arg);
		add_text(c, name, c->text.text, c->text.n);
	}
}

static int add_field(void *arg, const struct fargs_field *field)
{
	struct ctf *c = arg;

	if (field->kind == FARGS_FIELD_STRING) {
		add_text(c, field->name, (const char *)field->data, field->bytes);
		return 0;
	}
	if (!field->is_array && field->nr) {
		add_number(c, field->kind == FARGS_FIELD_PTR ? "x64" :
			   field->kind == FARGS_FIELD_SIGNED ? "s64" : "u64", field->name,
			   fargs_field_number(field, 0));
		return 0;
	}
	c->text.n = 0;
	fargs_field_text_put(&c->text, field);
	add_text(c, field->name, c->text.n ? c->text.text : "", c->text.n);
	return 0;
}

static void add_values(struct ctf *c, struct fargs_decoder *d, const struct fargs_event *ev)
{
	char name[FARGS_NAMED_MAX];
	unsigned int i;

	switch (ev->kind) {
	case FARGS_KIND_EVENT:
		fargs_formats_fields(fargs_decoder_formats(d), &ev->formatted, add_field, c);
		return;
	case FARGS_KIND_LOST:
		add_number(c, "u64", "lost", ev->lost);
		return;
	case FARGS_KIND_SWITCH:
		add_number(c, "s64", "next_tid", (int64_t)ev->next_tid);
		return;
	}
	if (ev->estimated_ns)
		add_number(c, "u64", "estimated", 1);
	/* The events of a call and of its return have the same name. */
	if (ev->trace) {
		add_text(c, "flags", ev->trace->word, strlen(ev->trace->word));
		add_number(c, "u64", "depth", ev->trace->depth);
	}
	if (ev->error)
		add_text(c, "text", ev->error->text, strlen(ev->error->text));
	for (i = 0; i < ev->nr_args; i++)
		add_arg(c, d, &ev->args[i], ev->args[i].val.name);
	if (ev->ret)
		add_arg(c, d, ev->ret, "ret");
	for (i = 0; i < ev->nr_out; i++) {
		snprintf(name, sizeof(name), "out_%s", ev->out[i].val.name);
		add_arg(c, d, &ev->out[i], name);
	}
	if (ev->has_duration)
		add_number(c, "u64", "duration", ev->duration_ns);
	if (ev->parent_ip) {
		c->text.n = 0;
		fargs_value_put_symbol(&c->text, d, ev->parent_ip, false);
		add_text(c, "caller", c->text.text, c->text.n);
	}
}

/* Finds the class whose text is in c->fields. Returns its id, or FARGS_HASH_NONE. */
static uint32_t find_class(const struct ctf *c, uint32_t hash)
{
	const struct class *class;
	uint32_t at, id;

	fargs_hash_for_each(id, at, &c->by_text, hash) {
		class = &c->classes[id];
		if (class->len == c->fields.n &&
		    !memcmp(class->text, c->fields.text, class->len))
			break;
	}
	return id;
}

/*
 * Sets *@id to the class whose text is in c->fields. If there is none, adds it. Returns 0 or
 * -ENOMEM.
 */
static int take_class(struct ctf *c, uint32_t *id)
{
	__cleanup_free char *text = NULL;
	uint32_t hash = fargs_hash_bytes(c->fields.text, c->fields.n);
	struct class *class;

	*id = find_class(c, hash);
	if (*id != FARGS_HASH_NONE)
		return 0;
	text = malloc(c->fields.n + 1);
	if (!text || fargs_hash_reserve(&c->by_text, c->nr_classes + 1))
		return -ENOMEM;
	memcpy(text, c->fields.text, c->fields.n);
	text[c->fields.n] = '\0';
	class = fargs_array_add(c->classes, c->nr_classes);
	if (!class)
		return -ENOMEM;
	*class = (struct class){ .text = fargs_take_ptr(text), .len = c->fields.n };
	*id = c->nr_classes - 1;
	return fargs_hash_add(&c->by_text, hash, *id);
}

/* Writes the event header and context, which precede the payload. */
static void put_head(struct fargs_buf *out, uint32_t id, uint64_t ns, const struct fargs_event *ev)
{
	int32_t tid = ev->tid, pid = ev->tgid;
	char flags[FARGS_TEXT_FLAGS];
	bool has_context = !ev->sample && !ev->error && !ev->has_no_context;

	fargs_buf_add(out, &id, sizeof(id));
	fargs_buf_add(out, &ns, sizeof(ns));
	fargs_buf_add(out, &tid, sizeof(tid));
	fargs_buf_add(out, &pid, sizeof(pid));
	fargs_json_put_utf8(out, ev->comm, strlen(ev->comm));
	fargs_put_char(out, '\0');
	fargs_text_flags(ev, flags);
	if (has_context)
		fargs_buf_add(out, flags, sizeof(flags));
	else
		fargs_put_char(out, '\0');
}

static int add_to_stream(struct ctf *c, const struct fargs_event *ev, uint32_t id)
{
	struct stream *s = &c->streams[ev->cpu];
	uint64_t ns = fargs_named_ns(ev) ? fargs_named_ns(ev) : s->to_ns;
	char name[32];

	if (!s->file) {
		snprintf(name, sizeof(name), "cpu_%u", ev->cpu);
		s->file = make_file(c, name);
		if (!s->file)
			return -EIO;
	}
	if (!s->events.n)
		s->from_ns = ns;
	s->to_ns = ns;
	if (ev->kind == FARGS_KIND_LOST)
		s->nr_lost += ev->lost;
	put_head(&s->events, id, ns, ev);
	fargs_buf_add(&s->events, c->payload.text, c->payload.n);
	if (s->events.is_short)
		return -ENOMEM;
	return s->events.n >= PACKET_BYTES ? write_packet(c, s) : 0;
}

static int add(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
	       const struct fargs_event *ev)
{
	struct ctf *c = arg;
	char buf[FARGS_NAMED_MAX];
	uint32_t id = 0;
	const char *name;
	int ret;

	if (ev->kind == FARGS_KIND_TASK || ev->cpu >= c->nr_streams)
		return 0;
	name = fargs_named(d, ev, buf);
	c->fields.n = 0;
	c->payload.n = 0;
	c->nr_fields = 0;
	fargs_put(&c->fields, "name = ");
	put_string(&c->fields, name);
	fargs_put(&c->fields, "; stream_id = 0; fields := struct {");
	add_values(c, d, ev);
	fargs_put(&c->fields, " };");
	if (c->fields.is_short || c->payload.is_short || c->text.is_short)
		return -ENOMEM;
	ret = take_class(c, &id);
	return ret ? ret : add_to_stream(c, ev, id);
}

static const char preamble[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := s32;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
	"typealias integer { size = 64; align = 8; signed = true; } := s64;\n"
	"typealias integer { size = 64; align = 8; signed = false; base = 16; } := x64;\n"
	"trace {\n"
	"	major = 1; minor = 8; byte_order = le;\n"
	"	packet.header := struct { u32 magic; u32 stream_id; };\n"
	"};\n"
	"clock { name = perf; description = \"the perf clock\"; freq = 1000000000; offset = 0; };\n"
	"typealias integer { size = 64; align = 8; signed = false; map = clock.perf.value; } :="
	" stamp;\n"
	"stream {\n"
	"	id = 0;\n"
	"	packet.context := struct {\n"
	"		stamp timestamp_begin; stamp timestamp_end; u64 content_size;\n"
	"		u64 packet_size; u64 events_discarded; u32 cpu_id;\n"
	"	};\n"
	"	event.header := struct { u32 id; stamp timestamp; };\n"
	"	event.context := struct { s32 _tid; s32 _pid; string _comm; string _flags; };\n"
	"};\n";

/* Writes an environment entry. @key is trusted; @text is not, and is escaped. */
static void print_env(FILE *file, const char *key, const char *text)
{
	struct fargs_buf quoted = { };

	if (!text)
		return;
	put_string(&quoted, text);
	fprintf(file, "	%s = %.*s;\n", key, (int)quoted.n, quoted.n ? quoted.text : "");
	fargs_buf_deinit(&quoted);
}

static int write_metadata(struct ctf *c)
{
	FILE *file = make_file(c, "metadata");
	bool is_bad;
	size_t i;

	if (!file)
		return -EIO;
	fputs(preamble, file);
	fputs("env {\n", file);
	print_env(file, "hostname", c->meta->hostname);
	print_env(file, "kernel_release", c->meta->info.release);
	print_env(file, "tracer_name", "fargs");
	fputs("};\n", file);
	for (i = 0; i < c->nr_classes; i++)
		fprintf(file, "event { id = %zu; %s };\n", i, c->classes[i].text);
	is_bad = ferror(file);
	return fclose(file) || is_bad ? fail(c, "metadata") : 0;
}

static int end(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct ctf *c = arg;
	unsigned int i;
	FILE *file;
	int ret;

	for (i = 0; i < c->nr_streams; i++) {
		file = c->streams[i].file;
		if (!file)
			continue;
		ret = c->streams[i].events.n ? write_packet(c, &c->streams[i]) : 0;
		c->streams[i].file = NULL;
		if (fclose(file) && !ret)
			ret = fail(c, "stream");
		if (ret)
			return ret;
	}
	return write_metadata(c);
}

static void destroy(struct fargs_export *e)
{
	struct ctf *c = (struct ctf *)e;
	size_t i;

	for (i = 0; c->streams && i < c->nr_streams; i++) {
		if (c->streams[i].file)
			fclose(c->streams[i].file);
		fargs_buf_deinit(&c->streams[i].events);
	}
	for (i = 0; i < c->nr_classes; i++)
		free(c->classes[i].text);
	if (c->dir >= 0)
		close(c->dir);
	free(c->streams);
	free(c->classes);
	fargs_hash_deinit(&c->by_text);
	free(c->path);
	fargs_buf_deinit(&c->fields);
	fargs_buf_deinit(&c->payload);
	fargs_buf_deinit(&c->text);
	free(c);
}

struct fargs_export *fargs_ctf_create(const struct fargs_export_options *o,
				      struct fargs_error_text *err)
{
	struct ctf *c = calloc(1, sizeof(*c));

	if (!c) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	c->dir = -1;
	c->meta = o->meta;
	c->nr_streams = o->meta->info.nr_cpus;
	c->streams = calloc(c->nr_streams + 1, sizeof(*c->streams));
	c->path = strdup(o->path);
	c->e.destroy = destroy;
	c->e.sink = (struct fargs_sink){
		.event = add, .end = end, .arg = c, .is_in_order = true,
	};
	if (!c->streams || !c->path)
		fargs_fail(err, ENOMEM, "out of memory");
	else
		c->dir = fargs_outfile_mkdir(o->path, err);
	if (c->dir >= 0)
		return &c->e;
	destroy(&c->e);
	return NULL;
}
