// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/sqlite/values.h"

#include <errno.h>
#include <string.h>

#include "model/event_record.h"
#include "model/formats.h"
#include "select/typing/typename.h"
#include "sink/export/field_text.h"
#include "sink/text/value.h"

void fargs_db_values_deinit(struct fargs_db_values *v)
{
	fargs_buf_deinit(&v->text);
}

int fargs_db_values_prepare(struct fargs_db_values *v)
{
	return fargs_db_prepare(v->db, "INSERT INTO args VALUES (?,?,?,?,?,?,?)", &v->insert);
}

void fargs_db_values_finalize(struct fargs_db_values *v)
{
	fargs_db_finalize(v->db, v->insert);
	v->insert = NULL;
}

void fargs_db_bind_value(struct fargs_db *db, sqlite3_stmt *stmt, int i,
			 const struct fargs_arg *arg, const struct fargs_buf *text)
{
	const struct fargs_value *val = &arg->val;

	if (val->is_fault)
		db->sql.bind_null(stmt, i);
	else if (val->type == FARGS_TYPE_STR)
		fargs_db_bind_string(db, stmt, i, val->data, val->bytes);
	else if (val->type == FARGS_TYPE_BYTES)
		db->sql.bind_blob(stmt, i, val->data, val->bytes, SQLITE_TRANSIENT);
	else if (val->type == FARGS_TYPE_U128 || val->type == FARGS_TYPE_S128)
		fargs_db_bind_buf(db, stmt, i, text);
	else if (fargs_type_is_signed(val->type))
		db->sql.bind_int64(stmt, i, fargs_value_s64(val));
	else
		fargs_db_bind_u64(db, stmt, i, fargs_value_u64(val));
}

static int add_arg(struct fargs_db_values *v, struct fargs_decoder *d, int64_t event,
		   unsigned int position, const char *place, const struct fargs_arg *arg)
{
	char name[FARGS_TYPENAME_MAX];

	v->text.n = 0;
	if (!strcmp(place, "result"))
		fargs_value_put_return(&v->text, d, arg);
	else
		fargs_value_put(&v->text, d, arg);
	if (v->text.is_short)
		return -ENOMEM;
	v->db->sql.bind_int64(v->insert, 1, event);
	v->db->sql.bind_int64(v->insert, 2, position);
	fargs_db_bind_text(v->db, v->insert, 3, place);
	fargs_db_bind_text(v->db, v->insert, 4, arg->val.name);
	fargs_db_bind_text(v->db, v->insert, 5, arg->btf && arg->btf_id ?
			   fargs_typename(arg->btf, arg->btf_id, name) :
			   fargs_type_name(arg->val.type));
	fargs_db_bind_value(v->db, v->insert, 6, arg, &v->text);
	fargs_db_bind_buf(v->db, v->insert, 7, &v->text);
	return fargs_db_step(v->db, v->insert);
}

struct field_arg {
	struct fargs_db_values *v;
	int64_t event;
	unsigned int position;
};

static int add_field(void *arg, const struct fargs_field *field)
{
	struct field_arg *f = arg;
	struct fargs_db_values *v = f->v;
	struct fargs_db *db = v->db;

	v->text.n = 0;
	fargs_field_text_put(&v->text, field);
	if (v->text.is_short)
		return -ENOMEM;
	db->sql.bind_int64(v->insert, 1, f->event);
	db->sql.bind_int64(v->insert, 2, f->position++);
	fargs_db_bind_text(db, v->insert, 3, "field");
	fargs_db_bind_text(db, v->insert, 4, field->name);
	fargs_db_bind_text(db, v->insert, 5, field->type);
	if (field->kind == FARGS_FIELD_STRING)
		fargs_db_bind_string(db, v->insert, 6, field->data, field->bytes);
	else if (field->is_array || field->kind == FARGS_FIELD_BYTES)
		db->sql.bind_blob(v->insert, 6, field->data, field->bytes, SQLITE_TRANSIENT);
	else if (field->kind == FARGS_FIELD_SIGNED)
		db->sql.bind_int64(v->insert, 6, (int64_t)fargs_field_number(field, 0));
	else
		fargs_db_bind_u64(db, v->insert, 6, fargs_field_number(field, 0));
	fargs_db_bind_buf(db, v->insert, 7, &v->text);
	return fargs_db_step(db, v->insert);
}

int fargs_db_values_add(struct fargs_db_values *v, struct fargs_decoder *d,
			const struct fargs_event *ev, int64_t event)
{
	struct field_arg field = { v, event, 0 };
	unsigned int i, n = 0;
	int ret = 0;

	if (ev->kind == FARGS_KIND_EVENT) {
		ret = fargs_formats_fields(fargs_decoder_formats(d), &ev->formatted, add_field,
					   &field);
		return ret == -ENOENT ? 0 : ret;
	}
	for (i = 0; i < ev->nr_args && !ret; i++)
		ret = add_arg(v, d, event, n++, "argument", &ev->args[i]);
	if (ev->ret && !ret)
		ret = add_arg(v, d, event, n++, "result", ev->ret);
	for (i = 0; i < ev->nr_out && !ret; i++)
		ret = add_arg(v, d, event, n++, "return", &ev->out[i]);
	return ret;
}
