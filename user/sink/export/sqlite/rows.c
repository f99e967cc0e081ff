// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/sqlite/rows.h"

#include <errno.h>
#include <string.h>

#include "base/errname.h"
#include "base/put.h"
#include "kernel/sym/ksyms.h"
#include "model/event_record.h"
#include "sink/export/named.h"
#include "sink/export/branch_type.h"
#include "sink/export/sqlite/values.h"
#include "sink/text/text.h"
#include "sink/text/value.h"

/* The columns of table "events". */
enum {
	ID = 1, TIME, TYPE, CPU, TID, PID, COMM, FUNCTION, DURATION, RESULT, ERROR, CALLER, LOST,
	TEXT, DURATION_MIN, DURATION_MAX, PATH, THREAD, COMM_ID, NEXT_TID, SELECTED, PERIOD, IP,
	OFFSET, TO_IP, TO_FUNCTION, TO_OFFSET, BRANCH_TYPE, LAST = BRANCH_TYPE,
};

void fargs_db_rows_deinit(struct fargs_db_rows *r)
{
	fargs_intern_deinit(&r->selected);
	fargs_intern_deinit(&r->types);
	fargs_buf_deinit(&r->text);
}

int fargs_db_rows_prepare(struct fargs_db_rows *r)
{
	int ret = fargs_db_prepare(r->db, "INSERT INTO events VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,"
				   "?,?,?,?,?,?,?,?,?,?,?,?,?,?)", &r->event);

	if (!ret)
		ret = fargs_db_prepare(r->db, "INSERT INTO selected_events VALUES (?,?)",
				       &r->selected_event);
	return ret ? ret : fargs_db_prepare(r->db, "INSERT INTO branch_types VALUES (?,?)",
					    &r->branch_type);
}

void fargs_db_rows_finalize(struct fargs_db_rows *r)
{
	fargs_db_finalize(r->db, r->event);
	fargs_db_finalize(r->db, r->selected_event);
	fargs_db_finalize(r->db, r->branch_type);
	r->event = NULL;
	r->selected_event = NULL;
	r->branch_type = NULL;
}

/*
 * Binds the text of an event as in text output, without the columns of task, CPU, flags and time.
 * Losses have no such text.
 */
static int bind_line(struct fargs_db_rows *r, struct fargs_decoder *d,
		     const struct fargs_event *ev)
{
	int ret = 0;

	r->text.n = 0;
	if (ev->kind == FARGS_KIND_EVENT) {
		ret = fargs_text_formatted(&r->text, d, ev, false);
	} else if (ev->sample) {
		fargs_put(&r->text, ev->sample->event);
		fargs_text_args(&r->text, d, ev);
	} else if (ev->error) {
		fargs_put(&r->text, ev->error->text);
		if (ev->error->has_count) {
			fargs_put_char(&r->text, ' ');
			fargs_put_u64(&r->text, ev->error->count, 0, ' ');
			fargs_put(&r->text, ev->error->unit);
		}
	} else if (ev->kind != FARGS_KIND_LOST && ev->kind != FARGS_KIND_SWITCH) {
		fargs_text_call(&r->text, d, ev);
		if (ev->kind == FARGS_KIND_RETURN)
			fargs_text_result(&r->text, d, ev);
	} else if (ev->kind == FARGS_KIND_SWITCH) {
		fargs_put(&r->text, "switch -> ");
		fargs_put_s64(&r->text, ev->next_tid);
	}
	if (r->text.is_short)
		ret = -ENOMEM;
	fargs_db_bind_buf(r->db, r->event, TEXT, &r->text);
	return ret;
}

/* Finds or adds the row with @id and @name, which is identified by @key. */
static int find_row(struct fargs_db_rows *r, struct fargs_intern *known, sqlite3_stmt *stmt,
		    const char *key, const char *name, int64_t *id)
{
	uint32_t number, nr = known->nr;
	int ret = fargs_intern_add(known, key, strlen(key), &number);

	if (ret)
		return ret;
	if (*id < 0)
		*id = (int64_t)number + 1;
	if (known->nr == nr)
		return 0;
	r->db->sql.bind_int64(stmt, 1, *id);
	fargs_db_bind_text(r->db, stmt, 2, name);
	return fargs_db_step(r->db, stmt);
}

static int bind_branch_type(struct fargs_db_rows *r, const char *words)
{
	int64_t type = words ? fargs_branch_type(words) : -1;
	char name[FARGS_BRANCH_TYPE_MAX];
	int ret;

	if (type < 0)
		return 0;
	fargs_branch_type_name(name, type);
	ret = find_row(r, &r->types, r->branch_type, words, name, &type);
	r->db->sql.bind_int64(r->event, BRANCH_TYPE, type);
	return ret;
}

/* Binds an address: as a signed number, as in perf's databases. */
static void bind_place(struct fargs_db_rows *r, int ip, int offset,
		       const struct fargs_event_place *place)
{
	r->db->sql.bind_int64(r->event, ip, (int64_t)place->addr);
	if (place->symbol)
		r->db->sql.bind_int64(r->event, offset, place->offset);
}

static int bind_sample(struct fargs_db_rows *r, const struct fargs_event *ev)
{
	const struct fargs_event_sample *sample = ev->sample;
	int64_t id = -1, target = 0;
	int ret = find_row(r, &r->selected, r->selected_event, sample->event, sample->event, &id);

	if (ret)
		return ret;
	r->db->sql.bind_int64(r->event, SELECTED, id);
	if (ev->kind == FARGS_EVENT_SAMPLE)
		fargs_db_bind_u64(r->db, r->event, PERIOD, sample->period);
	if (sample->has_place)
		bind_place(r, IP, OFFSET, &sample->place);
	if (sample->has_target) {
		bind_place(r, TO_IP, TO_OFFSET, &sample->target);
		ret = fargs_db_places_function(r->places, &sample->target, &target);
		fargs_db_bind_id(r->db, r->event, TO_FUNCTION, target);
	}
	return ret ? ret : bind_branch_type(r, sample->flags);
}

static void bind_result(struct fargs_db_rows *r, const struct fargs_event *ev)
{
	int error = fargs_value_error(ev->ret);

	if (ev->ret->val.type != FARGS_TYPE_U128 && ev->ret->val.type != FARGS_TYPE_S128)
		fargs_db_bind_value(r->db, r->event, RESULT, ev->ret, &r->text);
	if (error)
		fargs_db_bind_text(r->db, r->event, ERROR, fargs_errname(-error));
}

static void bind_task(struct fargs_db_rows *r, const struct fargs_event *ev,
		      const struct fargs_db_event_ids *ids)
{
	r->db->sql.bind_int64(r->event, TID, ev->tid);
	if (ev->tgid >= 0)
		r->db->sql.bind_int64(r->event, PID, ev->tgid);
	fargs_db_bind_text(r->db, r->event, COMM, ev->comm);
	fargs_db_bind_id(r->db, r->event, THREAD, ids->thread);
	fargs_db_bind_id(r->db, r->event, COMM_ID, ids->comm);
}

static void bind_call(struct fargs_db_rows *r, struct fargs_decoder *d,
		      const struct fargs_event *ev, const struct fargs_db_event_ids *ids)
{
	const struct fargs_ksym *sym = fargs_decoder_symbol(d, ev->parent_ip);

	fargs_db_bind_id(r->db, r->event, FUNCTION, ids->function);
	fargs_db_bind_id(r->db, r->event, PATH, ids->path);
	if (ev->has_duration)
		r->db->sql.bind_int64(r->event, DURATION, ev->duration_ns);
	if (ev->trace && ev->trace->has_bounds) {
		r->db->sql.bind_int64(r->event, DURATION_MIN, ev->trace->least_ns);
		r->db->sql.bind_int64(r->event, DURATION_MAX, ev->trace->most_ns);
	}
	if (ev->ret)
		bind_result(r, ev);
	if (sym)
		fargs_db_bind_text(r->db, r->event, CALLER, sym->name);
	if (ev->kind == FARGS_KIND_SWITCH)
		r->db->sql.bind_int64(r->event, NEXT_TID, ev->next_tid);
}

int fargs_db_rows_add(struct fargs_db_rows *r, struct fargs_decoder *d,
		      const struct fargs_event *ev, const struct fargs_db_event_ids *ids)
{
	int i, ret;

	for (i = ID; i <= LAST; i++)
		r->db->sql.bind_null(r->event, i);
	r->db->sql.bind_int64(r->event, ID, ids->event);
	if (ev->time_ns)
		r->db->sql.bind_int64(r->event, TIME, ev->time_ns);
	fargs_db_bind_text(r->db, r->event, TYPE, fargs_named_kind(ev));
	if (!ev->has_no_cpu)
		r->db->sql.bind_int64(r->event, CPU, ev->cpu);
	if (ev->kind == FARGS_KIND_LOST) {
		r->db->sql.bind_int64(r->event, LOST, ev->lost);
		return fargs_db_step(r->db, r->event);
	}
	bind_task(r, ev, ids);
	bind_call(r, d, ev, ids);
	ret = ev->sample ? bind_sample(r, ev) : 0;
	if (!ret)
		ret = bind_line(r, d, ev);
	return ret ? ret : fargs_db_step(r->db, r->event);
}
