// SPDX-License-Identifier: GPL-2.0-only
#include "model/format_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

#include "base/put.h"
#include "model/formats_tep.h"

/* Maximum nesting of the arguments of a print format. */
#define DEPTH_MAX	64

/* Writes @arg as in a print format. Returns false if that is not possible. */
static bool put_arg(struct fargs_buf *out, const struct tep_print_arg *arg, int depth);

static bool put_call(struct fargs_buf *out, const char *function, const struct tep_print_arg *arg,
		     const struct tep_print_arg *next, int depth)
{
	fargs_put(out, function);
	fargs_put_char(out, '(');
	if (!put_arg(out, arg, depth))
		return false;
	fargs_put(out, ", ");
	return put_arg(out, next, depth);
}

static void put_named_call(struct fargs_buf *out, const char *function, const char *name)
{
	fargs_put(out, function);
	fargs_put_char(out, '(');
	fargs_put(out, name);
	fargs_put_char(out, ')');
}

static bool put_symbols(struct fargs_buf *out, const char *function,
			const struct tep_print_arg *field, const char *delim,
			const struct tep_print_flag_sym *sym, int depth)
{
	fargs_put(out, function);
	fargs_put_char(out, '(');
	if (!put_arg(out, field, depth))
		return false;
	if (delim) {
		fargs_put(out, ", \"");
		fargs_put(out, delim);
		fargs_put_char(out, '"');
	}
	for (; sym; sym = sym->next) {
		fargs_put(out, ", { ");
		fargs_put(out, sym->value);
		fargs_put(out, ", \"");
		fargs_put(out, sym->str);
		fargs_put(out, "\" }");
	}
	fargs_put_char(out, ')');
	return true;
}

static bool put_op(struct fargs_buf *out, const struct tep_print_arg *arg, int depth)
{
	const struct tep_print_arg *left = arg->op.left, *right = arg->op.right;
	bool is_index = !strcmp(arg->op.op, "[");
	bool is_choice = !strcmp(arg->op.op, "?");

	if (!right)
		return false;
	fargs_put(out, is_index ? "" : "(");
	if (left && left->type != TEP_PRINT_NULL && !put_arg(out, left, depth))
		return false;
	fargs_put(out, arg->op.op);
	if (is_choice) {
		if (right->type != TEP_PRINT_OP || strcmp(right->op.op, ":") ||
		    !put_arg(out, right->op.left, depth))
			return false;
		fargs_put_char(out, ':');
		right = right->op.right;
	}
	if (!put_arg(out, right, depth))
		return false;
	fargs_put_char(out, is_index ? ']' : ')');
	return true;
}

static bool put_atom(struct fargs_buf *out, const char *atom)
{
	bool is_number = *atom >= '0' && *atom <= '9';

	fargs_put(out, is_number ? "" : "\"");
	fargs_put(out, atom);
	fargs_put(out, is_number ? "" : "\"");
	return true;
}

static bool put_array(struct fargs_buf *out, const struct tep_print_arg *arg, int depth)
{
	const struct tep_print_arg *size = NULL;
	bool is_good;

	if (arg->type == TEP_PRINT_INT_ARRAY) {
		size = arg->int_array.el_size;
		is_good = put_call(out, "__print_array", arg->int_array.field,
				   arg->int_array.count, depth);
	} else {
		is_good = put_call(out, arg->type == TEP_PRINT_HEX ? "__print_hex" :
				   "__print_hex_str", arg->hex.field, arg->hex.size, depth);
	}
	if (is_good && size) {
		fargs_put(out, ", ");
		is_good = put_arg(out, size, depth);
	}
	fargs_put_char(out, ')');
	return is_good;
}

static bool put_dynamic(struct fargs_buf *out, const struct tep_print_arg *arg)
{
	const struct tep_format_field *field = arg->dynarray.field;
	bool is_relative = field && field->flags & TEP_FIELD_IS_RELATIVE;
	bool is_len = arg->type == TEP_PRINT_DYNAMIC_ARRAY_LEN;

	if (!field)
		return false;
	if (is_relative)
		put_named_call(out, is_len ? "__get_rel_dynamic_array_len" :
			       "__get_rel_dynamic_array", field->name);
	else
		put_named_call(out, is_len ? "__get_dynamic_array_len" : "__get_dynamic_array",
			       field->name);
	return true;
}

static bool put_string(struct fargs_buf *out, const struct tep_print_arg *arg)
{
	bool is_string = arg->type == TEP_PRINT_STRING;
	const struct tep_format_field *field = is_string ? arg->string.field : arg->bitmask.field;
	bool is_relative = field && field->flags & TEP_FIELD_IS_RELATIVE;

	if (is_string)
		put_named_call(out, is_relative ? "__get_rel_str" : "__get_str",
			       arg->string.string);
	else
		put_named_call(out, is_relative ? "__get_rel_bitmask" : "__get_bitmask",
			       arg->bitmask.bitmask);
	return true;
}

static bool put_arg(struct fargs_buf *out, const struct tep_print_arg *arg, int depth)
{
	if (!arg || !depth--)
		return false;
	switch (arg->type) {
	case TEP_PRINT_ATOM:
		return put_atom(out, arg->atom.atom);
	case TEP_PRINT_FIELD:
		fargs_put(out, "REC->");
		fargs_put(out, arg->field.name);
		return true;
	case TEP_PRINT_FLAGS:
		return put_symbols(out, "__print_flags", arg->flags.field,
				   arg->flags.delim ? arg->flags.delim : "", arg->flags.flags,
				   depth);
	case TEP_PRINT_SYMBOL:
		return put_symbols(out, "__print_symbolic", arg->symbol.field, NULL,
				   arg->symbol.symbols, depth);
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
	case TEP_PRINT_INT_ARRAY:
		return put_array(out, arg, depth);
	case TEP_PRINT_TYPE:
		fargs_put_char(out, '(');
		fargs_put(out, arg->typecast.type);
		fargs_put_char(out, ')');
		return put_arg(out, arg->typecast.item, depth);
	case TEP_PRINT_STRING:
	case TEP_PRINT_BITMASK:
		return put_string(out, arg);
	case TEP_PRINT_DYNAMIC_ARRAY:
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		return put_dynamic(out, arg);
	case TEP_PRINT_OP:
		return put_op(out, arg, depth);
	default:
		return false;
	}
}

static bool put_print_format(struct fargs_buf *out, const struct tep_event *event)
{
	const struct tep_print_arg *arg;

	if (event->flags & TEP_EVENT_FL_FAILED || !event->print_fmt.format)
		return false;
	fargs_put(out, "\nprint fmt: \"");
	fargs_put(out, event->print_fmt.format);
	fargs_put_char(out, '"');
	for (arg = event->print_fmt.args; arg; arg = arg->next) {
		fargs_put(out, ", ");
		if (arg->type != TEP_PRINT_NULL && !put_arg(out, arg, DEPTH_MAX))
			return false;
	}
	fargs_put_char(out, '\n');
	return true;
}

/* Writes a print format with all fields that are numbers or strings. */
static void put_plain_format(struct fargs_buf *out, const struct tep_event *event)
{
	const struct tep_format_field *field;
	struct fargs_buf args = { };

	fargs_put(out, "\nprint fmt: \"");
	for (field = event->format.fields; field; field = field->next) {
		bool is_string = field->flags & TEP_FIELD_IS_STRING;
		bool is_dynamic = field->flags & TEP_FIELD_IS_DYNAMIC;

		if (!is_string && (is_dynamic || field->size > 8 ||
				   field->flags & TEP_FIELD_IS_ARRAY))
			continue;
		fargs_put(out, args.n ? " " : "");
		fargs_put(out, field->name);
		fargs_put(out, is_string ? "=%s" : field->flags & TEP_FIELD_IS_POINTER ?
			  "=0x%llx" : field->flags & TEP_FIELD_IS_SIGNED ? "=%lld" : "=%llu");
		fargs_put(&args, ", ");
		if (is_string && is_dynamic)
			put_named_call(&args, field->flags & TEP_FIELD_IS_RELATIVE ?
				       "__get_rel_str" : "__get_str", field->name);
		else
			fargs_put(&args, "REC->");
		fargs_put(&args, is_string && is_dynamic ? "" : field->name);
	}
	fargs_put_char(out, '"');
	fargs_buf_add(out, args.text, args.n);
	fargs_put_char(out, '\n');
	out->is_short |= args.is_short;
	fargs_buf_deinit(&args);
}

static void put_fields(struct fargs_buf *out, const struct tep_format_field *field)
{
	char numbers[96];
	const char *end;

	for (; field; field = field->next) {
		/* libtraceevent has moved the brackets of an array to the type. */
		end = strchr(field->type, '[');
		if (field->flags & TEP_FIELD_IS_DYNAMIC)
			end = NULL;
		fargs_put(out, "\tfield:");
		fargs_buf_add(out, field->type, end ? (size_t)(end - field->type) :
			      strlen(field->type));
		fargs_put_char(out, ' ');
		fargs_put(out, field->name);
		fargs_put(out, end ? end : "");
		snprintf(numbers, sizeof(numbers), ";\toffset:%d;\tsize:%d;\tsigned:%d;\n",
			 field->offset, field->size, !!(field->flags & TEP_FIELD_IS_SIGNED));
		fargs_put(out, numbers);
	}
}

static int put_parsed(struct fargs_buf *out, const struct tep_event *event)
{
	size_t from;

	put_fields(out, event->format.common_fields);
	fargs_put_char(out, '\n');
	put_fields(out, event->format.fields);
	from = out->n;
	if (!put_print_format(out, event)) {
		out->n = from;
		put_plain_format(out, event);
	}
	return out->is_short ? -ENOMEM : 0;
}

/* Returns the text of @format after the line "format:"; NULL if its id is not @id. */
static const char *find_text(const struct fargs_event_format *format, unsigned int id)
{
	static const char id_key[] = "\nID: ", key[] = "\nformat:\n";
	const char *text = strstr(format->text, id_key);

	if (!text || format->is_bad || strtoul(text + strlen(id_key), NULL, 10) != id)
		return NULL;
	text = strstr(text, key);
	return text ? text + strlen(key) : NULL;
}

int fargs_format_text_put(struct fargs_buf *out, const struct fargs_formats *f, unsigned int id)
{
	const struct fargs_meta *meta = fargs_formats_meta(f);
	const struct tep_event *event = tep_find_event(fargs_formats_tep(f), (int)id);
	const char *text;
	size_t i;

	if (!event)
		return -ENOENT;
	for (i = 0; i < meta->nr_formats; i++) {
		text = find_text(&meta->formats[i], id);
		if (!text || strcmp(meta->formats[i].system, event->system))
			continue;
		fargs_put(out, text);
		return out->is_short ? -ENOMEM : 0;
	}
	return put_parsed(out, event);
}
