/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a formatted event says, by the format that its kernel gave for it: all that
 * knows libtraceevent.
 *
 * Its plugins are taken from the library's own directory alone: linux-perf has another
 * of nearly the same names. They teach it functions that formats call; where a plugin has
 * words of its own for a whole event, the kernel's are preferred, except for entries and exits
 * of kvm (decode/kvm_plugin.h).
 *
 * Not so for formats out of a file, which need not be a kernel's: there is no plugin but that
 * of kvm, and what decode/format_check.h does not find safe is shown by its fields.
 */
#ifndef FARGS_DECODE_FORMATS_H
#define FARGS_DECODE_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/meta.h"
#include "uapi/fargs_record.h"

struct fargs_formats;
struct fargs_ksyms;
struct tep_handle;

/*
 * Tries, in a process of its own, which of @meta's formats the library can read, and marks
 * the others: on some that no kernel wrote it crashes, or does not end. Once for a @meta,
 * before there are threads; takes two minutes at most. 0 or -errno.
 */
int fargs_formats_vet(struct fargs_meta *meta);

/*
 * Of @meta's formats, which have been vetted, with its symbols; @meta must outlive it.
 * Bad ones are left out: their events are shown as bytes. Not for two threads at a time. NULL:
 * no memory.
 */
struct fargs_formats *fargs_formats_create(const struct fargs_meta *meta);
/*
 * The same of those that @tep has read, out of a file; it has no plugins, must outlive this, and
 * shall not be used meanwhile.
 */
struct fargs_formats *fargs_formats_adopt(const struct fargs_meta *meta, struct tep_handle *tep);
void fargs_formats_destroy(struct fargs_formats *f);

/* The kernel's columns of a record, which fargs_record_check accepted. */
struct fargs_format_head {
	const char *system, *name;	/* NULL, NULL: of an event that has no format */
	unsigned int id;
	unsigned int flags;		/* enum trace_flag_type of the kernel */
	unsigned int preempt_count;	/* low 4 bits: how deep; above: migration disabled */
};

void fargs_formats_head(struct fargs_formats *f, const struct fargs_record *rec,
			struct fargs_format_head *head);
/*
 * The text of the event, @n bytes that live until the next call, not escaped. @guest: the symbols
 * of the guest of kvm whose it is, or NULL. @is_raw: its fields, one by one, instead of what
 * the kernel would print. NULL: no memory.
 */
const char *fargs_formats_text(struct fargs_formats *f, const struct fargs_record *rec,
			       const struct fargs_ksyms *guest, bool is_raw, size_t *n);

enum fargs_field_kind {
	FARGS_FIELD_UNSIGNED,
	FARGS_FIELD_SIGNED,
	FARGS_FIELD_PTR,	/* of which the format says that it is one */
	FARGS_FIELD_STRING,	/* up to its NUL */
	FARGS_FIELD_BYTES,	/* of elements that are no integers */
};

/* A field of an event, as its data have it. */
struct fargs_field {
	const char *name, *type;	/* as the format has them */
	uint8_t kind;			/* enum fargs_field_kind */
	bool is_array;			/* of numbers; STRING and BYTES never are */
	unsigned int nr;		/* of them; without an array 1 */
	unsigned int width;		/* bytes of each: 1, 2, 4 or 8 */
	const uint8_t *data;		/* not aligned; lives until the next call */
	size_t bytes;			/* at @data; STRING: without the NUL */
};

/* Element @i of a field of numbers, extended by its sign to 64 bits. */
uint64_t fargs_field_number(const struct fargs_field *field, unsigned int i);

/*
 * Hands the fields of @rec to @fn, in their order, but for those that all events begin with.
 * 0; what @fn returned, which ends it, if not 0; or -ENOENT: the event has no format, or is
 * none of its format.
 */
int fargs_formats_fields(struct fargs_formats *f, const struct fargs_record *rec,
			 int (*fn)(void *arg, const struct fargs_field *field), void *arg);

/* "SYSTEM:NAME" of format @i of @meta, and its id: 0, or -EIO if it cannot be told. */
int fargs_formats_name(const struct fargs_meta *meta, size_t i, char *buf, size_t size);

#endif
