/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints formatted events by the formats of their kernel. The only user of libtraceevent.
 *
 * Its plugins are loaded from the library's own directory only: linux-perf has another one of
 * nearly the same name. They provide functions that formats call. Where a plugin has its own text
 * for a whole event, the kernel's is preferred, except for entries and exits of kvm
 * (model/kvm_plugin.h).
 *
 * Formats of a file need not be a kernel's: for them only kvm's plugin is loaded, and events
 * whose format is unsafe (model/format_check.h) are shown by their fields.
 */
#ifndef FARGS_MODEL_FORMATS_H
#define FARGS_MODEL_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/meta.h"
#include "uapi/fargs_record.h"

struct fargs_formats;
struct fargs_ksyms;
struct tep_handle;

/*
 * Tries in a child process which of @meta's formats the library can parse, and marks the others:
 * some that no kernel wrote crash it, or never end. Call once for a @meta, while there is one
 * thread; takes at most two minutes. 0 or -errno.
 */
int fargs_formats_validate(struct fargs_meta *meta);

/*
 * Creates formats from those of @meta, which have been validated, with its symbols; @meta must
 * outlive them. Bad formats are skipped: their events are shown as bytes. For one thread at a
 * time. NULL: no memory.
 */
struct fargs_formats *fargs_formats_create(const struct fargs_meta *meta);
/*
 * The same from formats that @tep has parsed from a file. @tep has no plugins, must outlive the
 * formats, and must not be used meanwhile.
 */
struct fargs_formats *fargs_formats_adopt(const struct fargs_meta *meta, struct tep_handle *tep);
void fargs_formats_destroy(struct fargs_formats *f);

/* The kernel's columns of a record that fargs_record_check accepted. */
struct fargs_format_head {
	const char *system, *name;	/* NULL, NULL: the event has no format */
	unsigned int id;
	unsigned int flags;		/* the kernel's enum trace_flag_type */
	unsigned int preempt_count;	/* low 4 bits: preempt depth; high: migration disabled */
};

void fargs_formats_head(struct fargs_formats *f, const struct fargs_record *rec,
			struct fargs_format_head *head);
/*
 * Text of the event, not escaped; its @n bytes live until the next call. @guest: symbols of the
 * KVM guest that the event belongs to, or NULL. @is_raw: print the fields one by one instead of
 * the kernel's text. NULL: no memory.
 */
const char *fargs_formats_text(struct fargs_formats *f, const struct fargs_record *rec,
			       const struct fargs_ksyms *guest, bool is_raw, size_t *n);

enum fargs_field_kind {
	FARGS_FIELD_UNSIGNED,
	FARGS_FIELD_SIGNED,
	FARGS_FIELD_PTR,	/* a pointer, according to the format */
	FARGS_FIELD_STRING,	/* up to its NUL */
	FARGS_FIELD_BYTES,	/* elements that are not integers */
};

/* A field of an event with its data. */
struct fargs_field {
	const char *name, *type;	/* as in the format */
	uint8_t kind;			/* enum fargs_field_kind */
	bool is_array;			/* array of numbers; STRING and BYTES never are */
	unsigned int nr;		/* number of elements; 1 if it is no array */
	unsigned int width;		/* bytes of an element: 1, 2, 4 or 8 */
	const uint8_t *data;		/* not aligned; lives until the next call */
	size_t bytes;			/* at @data; STRING: without the NUL */
};

/* Element @i of a field of numbers, extended to 64 bits by its sign. */
uint64_t fargs_field_number(const struct fargs_field *field, unsigned int i);

/*
 * Calls @fn for each field of @rec in order, but for the fields that all events have in common.
 * Stops if @fn returns other than 0, and returns that; else 0, or -ENOENT if the event has no
 * format, or its data do not fit its format.
 */
int fargs_formats_fields(struct fargs_formats *f, const struct fargs_record *rec,
			 int (*fn)(void *arg, const struct fargs_field *field), void *arg);

/* Writes "SYSTEM:NAME" of format @i of @meta to @buf. 0, or -EIO if the format has no name. */
int fargs_formats_name(const struct fargs_meta *meta, size_t i, char *buf, size_t size);

#endif
