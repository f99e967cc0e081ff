// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/rows/arg_rows.h"

#include <errno.h>
#include <string.h>

#include "model/event_record.h"
#include "model/formats.h"
#include "select/typing/typename.h"
#include "sink/export/field_text.h"
#include "sink/text/value.h"

bool fargs_arg_number(const struct fargs_arg *arg, uint64_t *number)
{
	const struct fargs_value *val = &arg->val;

	if (val->is_fault || val->type == FARGS_TYPE_STR || val->type == FARGS_TYPE_BYTES ||
	    val->type == FARGS_TYPE_U128 || val->type == FARGS_TYPE_S128)
		return false;
	*number = fargs_type_is_signed(val->type) ? (uint64_t)fargs_value_s64(val) :
						    fargs_value_u64(val);
	return true;
}

static void put_number(struct fargs_row_cells *row, bool is_signed, uint64_t number)
{
	if (!is_signed || (int64_t)number >= 0)
		fargs_row_number(row, FARGS_ARG_UINT, number);
	if (is_signed || (int64_t)number >= 0)
		fargs_row_number(row, FARGS_ARG_INT, number);
}

struct position {
	struct fargs_arg_rows *a;
	size_t kept;		/* bytes of text that all rows share */
	unsigned int nr;
};

/* Begins the row of the next value. */
static struct fargs_row_cells *begin_value(struct position *p, const char *place, const char *name)
{
	struct fargs_row_cells *row = p->a->row;

	row->text.n = p->kept;
	row->cells[FARGS_ARG_INT].is_set = false;
	row->cells[FARGS_ARG_UINT].is_set = false;
	fargs_row_number(row, FARGS_ARG_POSITION, p->nr++);
	fargs_row_fixed(row, FARGS_ARG_PLACE, place);
	fargs_row_escaped(row, FARGS_ARG_NAME, name);
	return row;
}

static int put_value(struct position *p, struct fargs_decoder *d, const char *place,
		     const struct fargs_arg *arg)
{
	struct fargs_row_cells *row = begin_value(p, place, arg->val.name);
	char type[FARGS_TYPENAME_MAX];
	uint64_t number;
	size_t from;

	fargs_row_escaped(row, FARGS_ARG_TYPE, arg->btf && arg->btf_id ?
			  fargs_typename(arg->btf, arg->btf_id, type) :
			  fargs_type_name(arg->val.type));
	if (fargs_redact_hides(p->a->redact, arg->val.name)) {
		fargs_row_fixed(row, FARGS_ARG_TEXT, FARGS_REDACTED);
		return p->a->put(p->a->arg);
	}
	if (fargs_arg_number(arg, &number))
		put_number(row, fargs_type_is_signed(arg->val.type), number);
	from = row->text.n;
	if (!strcmp(place, "result"))
		fargs_value_put_return(&row->text, d, arg);
	else
		fargs_value_put(&row->text, d, arg);
	fargs_row_text(row, FARGS_ARG_TEXT, from);
	return p->a->put(p->a->arg);
}

static int put_field(void *arg, const struct fargs_field *field)
{
	struct position *p = arg;
	struct fargs_row_cells *row = begin_value(p, "field", field->name);
	size_t from;

	fargs_row_escaped(row, FARGS_ARG_TYPE, field->type);
	if (fargs_redact_hides(p->a->redact, field->name)) {
		fargs_row_fixed(row, FARGS_ARG_TEXT, FARGS_REDACTED);
		return p->a->put(p->a->arg);
	}
	if (field->kind != FARGS_FIELD_STRING && field->kind != FARGS_FIELD_BYTES &&
	    !field->is_array)
		put_number(row, field->kind == FARGS_FIELD_SIGNED, fargs_field_number(field, 0));
	from = row->text.n;
	fargs_field_text_put(&row->text, field);
	fargs_row_text(row, FARGS_ARG_TEXT, from);
	return p->a->put(p->a->arg);
}

int fargs_arg_rows_put(struct fargs_arg_rows *a, struct fargs_decoder *d,
		       const struct fargs_event *ev)
{
	struct position p = { .a = a, .kept = a->row->text.n };
	unsigned int i;
	int ret = 0;

	if (ev->kind == FARGS_KIND_EVENT) {
		ret = fargs_formats_fields(fargs_decoder_formats(d), &ev->formatted, put_field,
					   &p);
		return ret == -ENOENT ? 0 : ret;
	}
	for (i = 0; i < ev->nr_args && !ret; i++)
		ret = put_value(&p, d, "argument", &ev->args[i]);
	if (ev->ret && !ret)
		ret = put_value(&p, d, "result", ev->ret);
	for (i = 0; i < ev->nr_out && !ret; i++)
		ret = put_value(&p, d, "return", &ev->out[i]);
	return ret;
}
