// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/tep_format.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/put.h"

/* Size of the common fields, which all events have: id, flags, preemption depth, pid. */
#define COMMON_BYTES	8

static const char common[] =
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

/* Names of the common fields, which no other field may have. */
static const char common_names[] =
	"\ncommon_type\n\ncommon_flags\n\ncommon_preempt_count\n\ncommon_pid\n";

void fargs_tep_format_deinit(struct fargs_tep_format *f)
{
	fargs_buf_deinit(&f->data);
	fargs_buf_deinit(&f->arrays);
	fargs_buf_deinit(&f->locs);
	fargs_buf_deinit(&f->fields);
	fargs_buf_deinit(&f->print);
	fargs_buf_deinit(&f->args);
	fargs_buf_deinit(&f->names);
	fargs_buf_deinit(&f->reserved);
	fargs_buf_deinit(&f->name);
}

void fargs_tep_format_begin(struct fargs_tep_format *f, bool is_described)
{
	static const struct fargs_tep_mark empty;

	fargs_tep_format_reset(f, &empty);
	f->is_described = is_described;
	fargs_buf_fill(&f->data, 0, COMMON_BYTES);
	if (!is_described)
		return;
	fargs_put(&f->fields, common);
	fargs_put(&f->names, common_names);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

void fargs_tep_format_put_name(struct fargs_buf *out, const char *text)
{
	size_t from = out->n;
	bool is_gap = false;

	/* "*file->f_mode" becomes "file_f_mode". */
	for (; *text; text++) {
		if (!is_letter(*text) && !is_digit(*text)) {
			is_gap = out->n > from;
			continue;
		}
		if (is_gap || (out->n == from && is_digit(*text)))
			fargs_put_char(out, '_');
		fargs_put_char(out, *text);
		is_gap = false;
	}
	if (out->n == from)
		fargs_put_char(out, '_');
}

static bool has(const struct fargs_buf *names, const struct fargs_buf *name)
{
	return names->n && memmem(names->text, names->n, name->text, name->n);
}

/* Sets f->name to "\nNAME\n". NAME is @name, with a number if another field has that name. */
static void take_name(struct fargs_tep_format *f, const char *name)
{
	struct fargs_buf *to = &f->name;
	unsigned int i = 1;
	size_t n;

	to->n = 0;
	fargs_put_char(to, '\n');
	fargs_tep_format_put_name(to, name);
	n = to->n;
	fargs_put_char(to, '\n');
	while (!to->is_short && (has(&f->names, to) || has(&f->reserved, to))) {
		to->n = n;
		fargs_put_char(to, '_');
		fargs_put_u64(to, ++i, 0, 0);
		fargs_put_char(to, '\n');
	}
	fargs_buf_add(&f->names, to->text, to->n);
}

void fargs_tep_format_reserve(struct fargs_tep_format *f, const char *const *names)
{
	f->reserved.n = 0;
	for (; *names && f->is_described; names++) {
		fargs_put_char(&f->reserved, '\n');
		fargs_put(&f->reserved, *names);
		fargs_put_char(&f->reserved, '\n');
	}
}

void fargs_tep_format_release(struct fargs_tep_format *f)
{
	f->reserved.n = 0;
}

static void put_name(const struct fargs_tep_format *f, struct fargs_buf *out)
{
	if (f->name.n > 2)
		fargs_buf_add(out, f->name.text + 1, f->name.n - 2);
}

/* Can @type be the type of a field? */
static bool is_type(const char *type)
{
	if (!type || !is_letter(*type))
		return false;
	for (; *type; type++)
		if (!is_letter(*type) && !is_digit(*type) && *type != ' ' && *type != '*')
			return false;
	return true;
}

static const char *type_of(const struct fargs_tep_number *n)
{
	static const char *const names[2][9] = {
		{ [1] = "u8", [2] = "u16", [4] = "u32", [8] = "u64" },
		{ [1] = "s8", [2] = "s16", [4] = "s32", [8] = "s64" },
	};

	if (is_type(n->type))
		return n->type;
	return n->shown == FARGS_TEP_DECIMAL || n->width < 8 ? names[n->is_signed][n->width] :
							       "void *";
}

/* Adds a line for the field that will be appended to the data, and "NAME=" to the print format. */
static void describe(struct fargs_tep_format *f, const char *name, const char *before,
		     const char *type, const char *after, unsigned int bytes, bool is_signed)
{
	char text[64];

	take_name(f, name);
	fargs_put(&f->fields, "\tfield:");
	fargs_put(&f->fields, before);
	fargs_put(&f->fields, type);
	fargs_put(&f->fields, after);
	fargs_put_char(&f->fields, ' ');
	put_name(f, &f->fields);
	snprintf(text, sizeof(text), ";\toffset:%zu;\tsize:%u;\tsigned:%d;\n", f->data.n, bytes,
		 is_signed);
	fargs_put(&f->fields, text);
	if (f->print.n)
		fargs_put_char(&f->print, ' ');
	put_name(f, &f->print);
	fargs_put_char(&f->print, '=');
}

static void align(struct fargs_tep_format *f, unsigned int width)
{
	fargs_buf_fill(&f->data, 0, -f->data.n & (width - 1));
}

static void put_conversion(struct fargs_tep_format *f, const struct fargs_tep_number *n)
{
	/* libtraceevent sign-extends 8- and 16-bit numbers only with a size modifier: hh or h. */
	static const char *const decimal[2][9] = {
		{ [1] = "%u", [2] = "%u", [4] = "%u", [8] = "%llu" },
		{ [1] = "%hhd", [2] = "%hd", [4] = "%d", [8] = "%lld" },
	};
	bool is_wide = n->width == 8;

	if (n->function)
		fargs_put(&f->print, "%s");
	else if (n->shown == FARGS_TEP_SYMBOL && is_wide)
		fargs_put(&f->print, "%pS");
	else if (n->shown == FARGS_TEP_DECIMAL)
		fargs_put(&f->print, decimal[n->is_signed][n->width]);
	else
		fargs_put(&f->print, is_wide ? "0x%llx" : "0x%x");
}

static void describe_number(struct fargs_tep_format *f, const char *name,
			    const struct fargs_tep_number *n)
{
	describe(f, name, "", type_of(n), "", n->width, n->is_signed);
	put_conversion(f, n);
	fargs_put(&f->args, ", ");
	if (n->function) {
		fargs_put(&f->args, n->function);
		fargs_put_char(&f->args, '(');
	}
	fargs_put(&f->args, "REC->");
	put_name(f, &f->args);
	if (n->function) {
		fargs_put(&f->args, n->names);
		fargs_put_char(&f->args, ')');
	}
}

void fargs_tep_format_number(struct fargs_tep_format *f, const char *name,
			     const struct fargs_tep_number *n, uint64_t v)
{
	align(f, n->width);
	if (f->is_described)
		describe_number(f, name, n);
	f->nr_fields++;
	fargs_buf_add(&f->data, &v, n->width);
}

/*
 * Adds an array that consists of @data and @nr_zeroes zero bytes: appends its contents to f->arrays
 * and its word to f->data. The offset in the word is relative to f->arrays until
 * fargs_tep_format_end() makes it relative to the event.
 */
static void add_array(struct fargs_tep_format *f, const void *data, size_t bytes,
		      size_t nr_zeroes)
{
	uint32_t loc = (uint32_t)(bytes + nr_zeroes) << 16 | (uint32_t)f->arrays.n;
	size_t at = f->data.n;

	f->nr_fields++;
	fargs_buf_add(&f->locs, &at, sizeof(at));
	fargs_buf_add(&f->data, &loc, sizeof(loc));
	fargs_buf_add(&f->arrays, data, bytes);
	fargs_buf_fill(&f->arrays, 0, nr_zeroes);
}

void fargs_tep_format_string(struct fargs_tep_format *f, const char *name, const void *text,
			     size_t len)
{
	align(f, sizeof(uint32_t));
	if (f->is_described) {
		describe(f, name, "__data_loc ", "char", "[]", sizeof(uint32_t), false);
		fargs_put(&f->print, "%s");
		fargs_put(&f->args, ", __get_str(");
		put_name(f, &f->args);
		fargs_put_char(&f->args, ')');
	}
	/* A string includes the NUL that ends it. */
	add_array(f, text, strnlen(text, len), 1);
}

static void describe_array(struct fargs_tep_format *f, const char *name,
			   const struct fargs_tep_number *n)
{
	char width[32];

	describe(f, name, "__data_loc ", type_of(n), "[]", sizeof(uint32_t), n->is_signed);
	fargs_put(&f->print, "%s");
	fargs_put(&f->args, n->width == 1 ? ", __print_hex(" : ", __print_array(");
	fargs_put(&f->args, "__get_dynamic_array(");
	put_name(f, &f->args);
	fargs_put(&f->args, "), __get_dynamic_array_len(");
	put_name(f, &f->args);
	if (n->width > 1)
		snprintf(width, sizeof(width), ") / %u, %u)", n->width, n->width);
	fargs_put(&f->args, n->width > 1 ? width : "))");
}

void fargs_tep_format_array(struct fargs_tep_format *f, const char *name,
			    const struct fargs_tep_number *n, const void *data, size_t bytes)
{
	align(f, sizeof(uint32_t));
	if (f->is_described)
		describe_array(f, name, n);
	fargs_buf_fill(&f->arrays, 0, -f->arrays.n & (n->width - 1));
	add_array(f, data, bytes, 0);
}

void fargs_tep_format_bytes(struct fargs_tep_format *f, const char *name, const void *data,
			    size_t bytes)
{
	static const struct fargs_tep_number byte = { .type = "u8", .width = 1 };

	fargs_tep_format_array(f, name, &byte, data, bytes);
}

int fargs_tep_format_end(struct fargs_tep_format *f)
{
	uint32_t loc;
	size_t at, i;

	align(f, sizeof(uint64_t));
	if (f->data.is_short || f->arrays.is_short || f->locs.is_short || f->fields.is_short ||
	    f->print.is_short || f->args.is_short || f->names.is_short || f->name.is_short ||
	    f->reserved.is_short)
		return -ENOMEM;
	for (i = 0; i < f->locs.n; i += sizeof(at)) {
		memcpy(&at, f->locs.text + i, sizeof(at));
		memcpy(&loc, f->data.text + at, sizeof(loc));
		loc += f->data.n;
		memcpy(f->data.text + at, &loc, sizeof(loc));
	}
	fargs_buf_add(&f->data, f->arrays.text, f->arrays.n);
	return f->data.is_short ? -ENOMEM : 0;
}

void fargs_tep_format_mark(const struct fargs_tep_format *f, struct fargs_tep_mark *mark)
{
	*mark = (struct fargs_tep_mark){
		.data = f->data.n, .arrays = f->arrays.n, .locs = f->locs.n,
		.fields = f->fields.n, .print = f->print.n, .args = f->args.n,
		.names = f->names.n, .nr_fields = f->nr_fields,
	};
}

void fargs_tep_format_reset(struct fargs_tep_format *f, const struct fargs_tep_mark *mark)
{
	f->data.n = mark->data;
	f->arrays.n = mark->arrays;
	f->locs.n = mark->locs;
	f->fields.n = mark->fields;
	f->print.n = mark->print;
	f->args.n = mark->args;
	f->names.n = mark->names;
	f->nr_fields = mark->nr_fields;
}
