/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints formatted events according to the formats of their kernel. Only this part of fargs uses
 * libtraceevent.
 *
 * Plugins are loaded only from libtraceevent's own directory; linux-perf has another directory with
 * nearly the same name. Plugins provide functions that formats call. If a plugin can print a whole
 * event, the kernel's format is still preferred, except for entries and exits of kvm
 * (model/kvm_plugin.h).
 *
 * Formats in a file are not trusted: with them, only kvm's plugin is loaded, and events whose
 * format is unsafe (model/format_check.h) are shown by their fields.
 */
#ifndef FARGS_MODEL_FORMATS_H
#define FARGS_MODEL_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/formatted.h"
#include "model/meta.h"

struct fargs_formats;
struct fargs_ksyms;
struct tep_handle;

/*
 * Tests in a child process which of @meta's formats libtraceevent can parse, and marks the others
 * as bad. Malformed formats, as in a corrupt file, may crash libtraceevent or make it loop forever.
 * Must be called once for a @meta, while there is only one thread. Takes at most two minutes.
 * Returns 0 or -errno.
 */
int fargs_formats_validate(struct fargs_meta *meta);

/*
 * Parses the formats of @meta, which must have been validated. @meta must outlive the result, which
 * uses its symbols. Bad formats are skipped: their events are shown as bytes. Only one thread at a
 * time may use the result. Returns NULL if there is no memory.
 */
struct fargs_formats *fargs_formats_create(const struct fargs_meta *meta);
/*
 * Like fargs_formats_create(), for formats that @tep has already parsed from a file. @tep must have
 * no plugins, and must outlive the result. The caller must not use @tep until the result is
 * destroyed.
 */
struct fargs_formats *fargs_formats_adopt(const struct fargs_meta *meta, struct tep_handle *tep);
void fargs_formats_destroy(struct fargs_formats *f);

/* The fields that all formatted events have in common. */
struct fargs_format_head {
	const char *system, *name;	/* both are NULL if the event has no format */
	unsigned int id;
	unsigned int flags;		/* bits of the kernel's enum trace_flag_type */
	/* Low 4 bits: depth of disabled preemption; high 4 bits: depth of disabled migration. */
	unsigned int preempt_count;
};

void fargs_formats_head(struct fargs_formats *f, const struct fargs_formatted *ev,
			struct fargs_format_head *head);
/*
 * Returns the text of the event, not escaped, and sets *@n to its length. The text is valid until
 * the next call. @guest: symbols of the KVM guest that the event belongs to, or NULL. @is_raw:
 * print the fields one by one instead of the kernel's text. Returns NULL if there is no memory.
 */
const char *fargs_formats_text(struct fargs_formats *f, const struct fargs_formatted *ev,
			       const struct fargs_ksyms *guest, bool is_raw, size_t *n);

enum fargs_field_kind {
	FARGS_FIELD_UNSIGNED,
	FARGS_FIELD_SIGNED,
	FARGS_FIELD_PTR,	/* a pointer according to the event's format */
	FARGS_FIELD_STRING,	/* text that ends at its first NUL */
	FARGS_FIELD_BYTES,	/* data that are neither an integer nor an array of integers */
};

/* A field of an event, with its data. */
struct fargs_field {
	const char *name, *type;	/* name and type according to the format */
	uint8_t kind;			/* enum fargs_field_kind */
	/* The data are an array of integers; false for FARGS_FIELD_STRING and FARGS_FIELD_BYTES. */
	bool is_array;
	unsigned int nr;		/* number of elements; 1 if it is not an array */
	unsigned int width;		/* size of an element in bytes: 1, 2, 4 or 8 */
	const uint8_t *data;		/* may be unaligned; valid until the next call */
	size_t bytes;			/* size of @data, without the NUL of a FARGS_FIELD_STRING */
};

/* Returns element @i of a field of integers, sign-extended to 64 bits if it is signed. */
uint64_t fargs_field_number(const struct fargs_field *field, unsigned int i);

/*
 * Calls @fn for each field of @ev in order, except for the fields that all events have in common.
 * Stops if @fn returns a value other than 0. Returns that value, 0, or -ENOENT if the event has no
 * format, or its data do not fit its format.
 */
int fargs_formats_fields(struct fargs_formats *f, const struct fargs_formatted *ev,
			 int (*fn)(void *arg, const struct fargs_field *field), void *arg);

/* Does any event have a field whose name is the @len bytes at @name? */
bool fargs_formats_has_field(const struct fargs_formats *f, const char *name, size_t len);

/*
 * Writes "SYSTEM:NAME" of format @i of @meta to @buf. Returns 0, or -EIO if the format has no name.
 */
int fargs_formats_name(const struct fargs_meta *meta, size_t i, char *buf, size_t size);

#endif
