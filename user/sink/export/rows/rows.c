// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the tables of table.h: all of them into files of a directory or, as JSON lines, into one
 * stream; or one of them. Memory does not grow with the recording, but with its tasks and stacks.
 */
#include "sink/export/export.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/errname.h"
#include "base/hash.h"
#include "base/put.h"
#include "model/event_record.h"
#include "model/missed.h"
#include "sink/export/named.h"
#include "sink/export/redact.h"
#include "sink/export/rows/arg_rows.h"
#include "sink/export/rows/files.h"
#include "sink/export/rows/parquet.h"
#include "sink/export/rows/realtime.h"
#include "sink/export/rows/row.h"
#include "sink/export/task_set.h"
#include "sink/text/text.h"
#include "sink/text/value.h"

#define NS_PER_DAY	(86400ull * 1000000000)
/* Number of stacks that are known to have been written. */
#define STACKS_MAX	(1u << 20)
/* Of numbers that are counted here: above those of records. */
#define COUNTED		(1ull << 63)

struct rows {
	struct fargs_export e;
	struct fargs_meta *meta;
	const struct fargs_row_form *form;
	int only;			/* the table, or FARGS_TABLE_ALL */
	const struct fargs_redact *redact;
	struct fargs_row_files files;	/* where all tables are wanted, unless in one stream */
	struct fargs_buf *out;		/* output of the current event, if there are no files */
	struct fargs_parquet *parquet;	/* by which @files are converted; NULL: they are not */
	const char *path;		/* of the directory */
	uint64_t nr_rows[FARGS_TABLES];
	struct fargs_row_cells row;
	struct fargs_buf host;		/* the machine's name, escaped */
	struct fargs_realtime time;
	/* Numbers of the last event and the last loss of each CPU, for those without a record. */
	uint64_t *nr_events, *nr_lost;
	unsigned int nr_cpus;
	uint64_t *stacks;
	size_t nr_stacks;
	struct fargs_hash by_stack;
	struct fargs_task_set tasks;
};

static bool is_wanted(const struct rows *r, int table)
{
	return r->only == FARGS_TABLE_ALL || r->only == table;
}

/* Where rows of the table are put. */
static struct fargs_buf *out_of(struct rows *r, int table)
{
	return r->files.dir < 0 ? r->out : &r->files.waiting[table];
}

/* Writes the current row. Returns 0 or -errno. */
static int put_row(struct rows *r, int table)
{
	struct fargs_buf *out = out_of(r, table);

	if (r->row.text.is_short)
		return -ENOMEM;
	r->form->row(out, &fargs_tables[table], &r->row,
		     r->only == FARGS_TABLE_ALL && r->files.dir < 0);
	if (out->is_short)
		return -ENOMEM;
	r->nr_rows[table]++;
	return r->files.dir < 0 ? 0 : fargs_row_files_write(&r->files, table, false, &r->e.err);
}

/* Begins a row of @table at time @ns. */
static void begin_row(struct rows *r, int table, int64_t ns)
{
	fargs_row_clear(&r->row, &fargs_tables[table]);
	fargs_row_number(&r->row, FARGS_ROW_DATE, ns > 0 ? ns / NS_PER_DAY : 0);
}

static int add_recording(struct rows *r)
{
	const struct fargs_meta *meta = r->meta;
	const struct fargs_module_id *id = &meta->module_id;
	size_t from, i;

	begin_row(r, FARGS_TABLE_RECORDINGS, fargs_realtime_begin(&r->time));
	fargs_row_number(&r->row, FARGS_RECORDING_TIME, fargs_realtime_begin(&r->time));
	fargs_row_fixed(&r->row, FARGS_RECORDING_MACHINE, meta->origin.machine_id);
	fargs_row_fixed(&r->row, FARGS_RECORDING_BOOT, meta->origin.boot_id);
	fargs_row_escaped(&r->row, FARGS_RECORDING_KERNEL, meta->info.release);
	from = r->row.text.n;
	for (i = 0; i < id->bytes; i++) {
		static const char digits[] = "0123456789abcdef";

		fargs_put_char(&r->row.text, digits[id->data[i] >> 4]);
		fargs_put_char(&r->row.text, digits[id->data[i] & 15]);
	}
	fargs_row_text(&r->row, FARGS_RECORDING_MODULE, from);
	fargs_row_number(&r->row, FARGS_RECORDING_CPUS, meta->info.nr_cpus);
	fargs_row_escaped(&r->row, FARGS_RECORDING_COMMAND, meta->command);
	return put_row(r, FARGS_TABLE_RECORDINGS);
}

static int add_labels(struct rows *r)
{
	const struct fargs_origin *o = &r->meta->origin;
	const char *value;
	size_t i, from;
	int ret = 0;

	for (i = 0; i < o->nr_labels && !ret; i++) {
		begin_row(r, FARGS_TABLE_LABELS, fargs_realtime_begin(&r->time));
		value = strchr(o->labels[i], '=');
		from = r->row.text.n;
		fargs_buf_add(&r->row.text, o->labels[i], value - o->labels[i]);
		fargs_row_text(&r->row, FARGS_LABEL_KEY, from);
		fargs_row_escaped(&r->row, FARGS_LABEL_VALUE, value + 1);
		ret = put_row(r, FARGS_TABLE_LABELS);
	}
	return ret;
}

/* An event that is a row of its own. */
struct occurrence {
	int64_t ns;
	uint64_t error;
	uint64_t seq;
	uint64_t stack;		/* 0: none */
};

static void put_result(struct rows *r, struct fargs_decoder *d, const struct fargs_arg *ret)
{
	int error = fargs_value_error(ret);
	size_t from = r->row.text.n;
	uint64_t number;

	if (fargs_redact_hides(r->redact, ret->val.name)) {
		fargs_row_fixed(&r->row, FARGS_CALL_RESULT_TEXT, FARGS_REDACTED);
		return;
	}
	if (fargs_arg_number(ret, &number))
		fargs_row_number(&r->row, FARGS_CALL_RESULT, number);
	fargs_value_put(&r->row.text, d, ret);
	fargs_row_text(&r->row, FARGS_CALL_RESULT_TEXT, from);
	if (error)
		fargs_row_fixed(&r->row, FARGS_CALL_ERROR, fargs_errname(-error));
}

static void put_durations(struct rows *r, const struct fargs_event *ev)
{
	bool has_bounds = ev->trace && ev->trace->has_bounds;

	if (ev->has_duration)
		fargs_row_number(&r->row, FARGS_CALL_DURATION, ev->duration_ns);
	if (has_bounds || ev->has_duration) {
		fargs_row_number(&r->row, FARGS_CALL_DURATION_MIN,
				 has_bounds ? ev->trace->least_ns : ev->duration_ns);
		fargs_row_number(&r->row, FARGS_CALL_DURATION_MAX,
				 has_bounds ? ev->trace->most_ns : ev->duration_ns);
	}
}

/* Writes what no column of its own has: the text of an event, a sample or an error. */
static int put_text(struct rows *r, struct fargs_decoder *d, const struct fargs_event *ev)
{
	size_t from = r->row.text.n;
	int ret = 0;

	if ((ev->kind == FARGS_KIND_EVENT || ev->sample) &&
	    fargs_redact_hides_text(r->redact, d, ev))
		fargs_put(&r->row.text, FARGS_REDACTED);
	else if (ev->kind == FARGS_KIND_EVENT)
		ret = fargs_text_formatted(&r->row.text, d, ev, false);
	else if (ev->error)
		fargs_put(&r->row.text, ev->error->text);
	else if (ev->sample)
		fargs_text_args(&r->row.text, d, ev);
	fargs_row_text(&r->row, FARGS_CALL_TEXT, from);
	return ret;
}

/* Returns whether a call is counted by this row: if it has two, by that of its entry. */
static bool is_call(const struct fargs_event *ev)
{
	return ev->kind == FARGS_KIND_ENTRY || ev->kind == FARGS_KIND_TPOINT ||
	       (ev->kind == FARGS_KIND_RETURN && !ev->is_pair &&
		!(ev->trace && ev->trace->has_returns));
}

static int add_call(struct rows *r, struct fargs_decoder *d, const struct fargs_event *ev,
		    const struct occurrence *o)
{
	const struct fargs_origin *origin = &r->meta->origin;
	char name[FARGS_NAMED_MAX];
	size_t from;
	int ret;

	begin_row(r, FARGS_TABLE_CALLS, o->ns);
	fargs_row_fixed(&r->row, FARGS_CALL_MACHINE, origin->machine_id);
	fargs_row_fixed(&r->row, FARGS_CALL_BOOT, origin->boot_id);
	fargs_row_escaped(&r->row, FARGS_CALL_KERNEL, r->meta->info.release);
	fargs_row_number(&r->row, FARGS_CALL_TIME, o->ns);
	if (o->error != UINT64_MAX)
		fargs_row_number(&r->row, FARGS_CALL_TIME_ERROR, o->error);
	if (!ev->has_no_time)
		fargs_row_number(&r->row, FARGS_CALL_PERF_TIME, ev->time_ns);
	fargs_row_number(&r->row, FARGS_CALL_CPU, ev->has_no_cpu ? (uint64_t)-1 : ev->cpu);
	fargs_row_number(&r->row, FARGS_CALL_SEQ, o->seq);
	fargs_row_fixed(&r->row, FARGS_CALL_KIND, fargs_named_kind(ev));
	fargs_row_number(&r->row, FARGS_CALL_IS_CALL, is_call(ev));
	if (ev->tgid >= 0)
		fargs_row_number(&r->row, FARGS_CALL_PID, ev->tgid);
	fargs_row_number(&r->row, FARGS_CALL_TID, ev->tid);
	fargs_row_escaped(&r->row, FARGS_CALL_COMM, ev->comm);
	fargs_row_escaped(&r->row, FARGS_CALL_FUNCTION, fargs_named(d, ev, name));
	if (ev->func)
		fargs_row_escaped(&r->row, FARGS_CALL_MODULE, ev->func->module);
	else if (ev->sample && ev->sample->has_place)
		fargs_row_escaped(&r->row, FARGS_CALL_MODULE, ev->sample->place.module ?
				  ev->sample->place.module : ev->sample->place.file);
	put_durations(r, ev);
	if (ev->ret)
		put_result(r, d, ev->ret);
	if (ev->parent_ip) {
		from = r->row.text.n;
		fargs_value_put_symbol(&r->row.text, d, ev->parent_ip, false);
		fargs_row_text(&r->row, FARGS_CALL_CALLER, from);
	}
	fargs_row_number(&r->row, FARGS_CALL_STACK, o->stack);
	ret = put_text(r, d, ev);
	return ret ? ret : put_row(r, FARGS_TABLE_CALLS);
}

static int put_arg(void *arg)
{
	return put_row(arg, FARGS_TABLE_ARGS);
}

static int add_args(struct rows *r, struct fargs_decoder *d, const struct fargs_event *ev,
		    const struct occurrence *o)
{
	char buf[FARGS_NAMED_MAX];
	struct fargs_arg_rows a = { .row = &r->row, .put = put_arg, .arg = r,
				    .redact = r->redact };

	begin_row(r, FARGS_TABLE_ARGS, o->ns);
	fargs_row_number(&r->row, FARGS_ARG_TIME, o->ns);
	fargs_row_number(&r->row, FARGS_ARG_CPU, ev->has_no_cpu ? (uint64_t)-1 : ev->cpu);
	fargs_row_number(&r->row, FARGS_ARG_SEQ, o->seq);
	fargs_row_escaped(&r->row, FARGS_ARG_FUNCTION, fargs_named(d, ev, buf));
	return fargs_arg_rows_put(&a, d, ev);
}

static uint64_t stack_id(const struct fargs_event *ev)
{
	uint64_t hash = fargs_hash_fnv(FARGS_HASH_FNV, ev->stack, 8 * (size_t)ev->nr_stack);

	return hash ? hash : 1;
}

/* Returns 1 if the stack was not written before, 0, or -ENOMEM. */
static int note_stack(struct rows *r, uint64_t id)
{
	uint32_t hash = fargs_hash_u64(id), at, i;
	uint64_t *to;

	fargs_hash_for_each(i, at, &r->by_stack, hash)
		if (r->stacks[i] == id)
			return 0;
	if (r->nr_stacks == STACKS_MAX) {
		/* Some are written again: their rows are the same. */
		r->nr_stacks = 0;
		fargs_hash_clear(&r->by_stack);
	}
	if (fargs_hash_reserve(&r->by_stack, r->nr_stacks + 1))
		return -ENOMEM;
	to = fargs_array_add(r->stacks, r->nr_stacks);
	if (!to)
		return -ENOMEM;
	*to = id;
	fargs_hash_add(&r->by_stack, hash, r->nr_stacks - 1);
	return 1;
}

static int add_stack(struct rows *r, struct fargs_decoder *d, const struct fargs_event *ev,
		     const struct occurrence *o)
{
	const uint8_t *stack = ev->stack;
	unsigned int i;
	uint64_t addr;
	size_t from;
	int ret = note_stack(r, o->stack);

	if (ret <= 0)
		return ret;
	/* The date is the recording's: a stack that is written again has the same key. */
	for (i = 0, ret = 0; i < ev->nr_stack && !ret; i++) {
		begin_row(r, FARGS_TABLE_STACKS, fargs_realtime_begin(&r->time));
		memcpy(&addr, stack + 8 * i, sizeof(addr));
		fargs_row_number(&r->row, FARGS_STACK_ID, o->stack);
		fargs_row_number(&r->row, FARGS_STACK_DEPTH, i);
		fargs_row_number(&r->row, FARGS_STACK_ADDRESS, addr);
		from = r->row.text.n;
		fargs_value_put_symbol(&r->row.text, d, addr, true);
		fargs_row_text(&r->row, FARGS_STACK_FUNCTION, from);
		ret = put_row(r, FARGS_TABLE_STACKS);
	}
	return ret;
}

static int add_task(struct rows *r, const struct fargs_event *ev, const struct occurrence *o)
{
	int ret = fargs_task_set_add(&r->tasks, ev);

	if (ret != 1)
		return ret;
	begin_row(r, FARGS_TABLE_TASKS, o->ns);
	fargs_row_number(&r->row, FARGS_TASK_TIME, o->ns);
	if (ev->tgid >= 0)
		fargs_row_number(&r->row, FARGS_TASK_PID, ev->tgid);
	fargs_row_number(&r->row, FARGS_TASK_TID, ev->tid);
	fargs_row_escaped(&r->row, FARGS_TASK_COMM, ev->comm);
	return put_row(r, FARGS_TABLE_TASKS);
}

static int add_lost(struct rows *r, const struct fargs_event *ev, const struct occurrence *o)
{
	if (!is_wanted(r, FARGS_TABLE_LOST))
		return 0;
	begin_row(r, FARGS_TABLE_LOST, o->ns);
	fargs_row_number(&r->row, FARGS_LOST_TIME, o->ns);
	fargs_row_number(&r->row, FARGS_LOST_CPU, ev->has_no_cpu ? (uint64_t)-1 : ev->cpu);
	fargs_row_number(&r->row, FARGS_LOST_SEQ, o->seq);
	fargs_row_fixed(&r->row, FARGS_LOST_WHAT, ev->is_event ? "events" : "calls");
	if (ev->lost)
		fargs_row_number(&r->row, FARGS_LOST_COUNT, ev->lost);
	return put_row(r, FARGS_TABLE_LOST);
}

static uint64_t count(struct rows *r, uint64_t *numbers, const struct fargs_event *ev)
{
	return COUNTED | ++numbers[ev->cpu < r->nr_cpus ? ev->cpu : r->nr_cpus];
}

static int add(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
	       const struct fargs_event *ev)
{
	struct rows *r = arg;
	struct occurrence o;
	bool has_seq;
	int ret = 0;

	if (ev->kind == FARGS_KIND_TASK)
		return 0;
	r->out = out;
	o.ns = fargs_realtime_at(&r->time, ev, &o.error);
	if (ev->kind == FARGS_KIND_LOST) {
		o.seq = count(r, r->nr_lost, ev);
		return add_lost(r, ev, &o);
	}
	/* Formatted events have no numbers; of an Intel PT trace, only some calls have records. */
	has_seq = !ev->has_no_seq && !ev->trace && ev->kind != FARGS_KIND_EVENT;
	o.seq = has_seq ? ev->seq : count(r, r->nr_events, ev);
	o.stack = ev->nr_stack ? stack_id(ev) : 0;
	if (is_wanted(r, FARGS_TABLE_CALLS))
		ret = add_call(r, d, ev, &o);
	if (!ret && is_wanted(r, FARGS_TABLE_ARGS))
		ret = add_args(r, d, ev, &o);
	if (!ret && o.stack && is_wanted(r, FARGS_TABLE_STACKS))
		ret = add_stack(r, d, ev, &o);
	if (!ret && is_wanted(r, FARGS_TABLE_TASKS))
		ret = add_task(r, ev, &o);
	return ret;
}

static int begin(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct rows *r = arg;
	int table, ret = fargs_realtime_init(&r->time, r->meta);

	r->out = out;
	for (table = 0; table < FARGS_TABLES; table++)
		if (r->form->head && is_wanted(r, table))
			r->form->head(out_of(r, table), &fargs_tables[table]);
	if (!ret && is_wanted(r, FARGS_TABLE_RECORDINGS))
		ret = add_recording(r);
	if (!ret && is_wanted(r, FARGS_TABLE_LABELS))
		ret = add_labels(r);
	return ret;
}

static int add_missed(struct rows *r)
{
	const struct fargs_missed *missed = &r->meta->missed;
	const struct fargs_missed_func *m;
	const struct fargs_func *func;
	int ret = 0;

	for (m = missed->funcs; m < missed->funcs + missed->nr && !ret; m++) {
		func = fargs_missed_func(r->meta, m);
		if (!func || (!m->missed && !m->missed_any && !m->too_deep))
			continue;
		begin_row(r, FARGS_TABLE_MISSED, fargs_realtime_begin(&r->time));
		fargs_row_escaped(&r->row, FARGS_MISSED_FUNCTION, func->name);
		fargs_row_escaped(&r->row, FARGS_MISSED_MODULE, func->module);
		fargs_row_number(&r->row, FARGS_MISSED_COUNT, m->missed);
		fargs_row_number(&r->row, FARGS_MISSED_ANY, m->missed_any);
		fargs_row_number(&r->row, FARGS_MISSED_TOO_DEEP, m->too_deep);
		ret = put_row(r, FARGS_TABLE_MISSED);
	}
	return ret;
}

/* Converts the files of the tables. Returns 0, or -errno with the error of the export. */
static int write_parquet(struct rows *r)
{
	const struct fargs_parquet_place place = {
		.path = r->path, .dir = r->files.dir, .recording = r->meta->origin.recording,
		.host = r->host.text, .date = fargs_realtime_begin(&r->time) / NS_PER_DAY,
	};
	int table, ret = 0;

	for (table = 0; table < FARGS_TABLES && !ret; table++)
		if (is_wanted(r, table))
			ret = fargs_parquet_write(r->parquet, &place, &fargs_tables[table],
						  fileno(r->files.files[table]), r->nr_rows[table],
						  &r->e.err);
	return ret;
}

static int end(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct rows *r = arg;
	int table, ret;

	r->out = out;
	ret = is_wanted(r, FARGS_TABLE_MISSED) ? add_missed(r) : 0;
	for (table = 0; table < FARGS_TABLES && r->files.dir >= 0 && !ret; table++)
		ret = fargs_row_files_finish(&r->files, table, &r->e.err);
	return ret || !r->parquet ? ret : write_parquet(r);
}

static void destroy(struct fargs_export *e)
{
	struct rows *r = (struct rows *)e;

	fargs_row_files_deinit(&r->files);
	fargs_parquet_destroy(r->parquet);
	fargs_buf_deinit(&r->row.text);
	fargs_buf_deinit(&r->host);
	fargs_task_set_deinit(&r->tasks);
	fargs_hash_deinit(&r->by_stack);
	free(r->stacks);
	free(r->nr_events);
	free(r->nr_lost);
	free(r);
}

/* Creates the files, if there are to be some. Returns 0, or -errno with @err. */
static int make_files(struct rows *r, const struct fargs_export_options *o, bool is_parquet,
		      struct fargs_error_text *err)
{
	if (is_parquet) {
		r->path = o->path;
		r->parquet = fargs_parquet_create(err);
		return r->parquet ? fargs_row_files_make_scratch(&r->files, o->path, err) :
				    -EINVAL;
	}
	if (r->only != FARGS_TABLE_ALL || r->form == &fargs_row_jsonl)
		return 0;
	return fargs_row_files_make(&r->files, o->path, r->form->name, o->is_compressed, err);
}

static struct fargs_export *create(const struct fargs_export_options *o, int table,
				   const struct fargs_row_form *form, bool is_parquet,
				   struct fargs_error_text *err)
{
	struct rows *r = calloc(1, sizeof(*r));

	if (!r) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	fargs_row_files_init(&r->files);
	r->meta = o->meta;
	r->form = form;
	r->only = table;
	r->redact = &o->redact;
	r->nr_cpus = o->meta->info.nr_cpus;
	r->nr_events = calloc(r->nr_cpus + 1, sizeof(*r->nr_events));
	r->nr_lost = calloc(r->nr_cpus + 1, sizeof(*r->nr_lost));
	r->e.destroy = destroy;
	r->e.sink = (struct fargs_sink){
		.begin = begin, .event = add, .end = end, .arg = r, .is_in_order = true,
		.needs_callers = true,
	};
	fargs_row_fixed(&r->row, FARGS_ROW_RECORDING, o->meta->origin.recording);
	if (o->meta->hostname)
		fargs_put_escaped(&r->host, o->meta->hostname, strlen(o->meta->hostname), NULL);
	fargs_buf_add_char(&r->host, '\0');
	fargs_row_fixed(&r->row, FARGS_ROW_HOST, r->host.is_short ? NULL : r->host.text);
	if (!r->nr_events || !r->nr_lost || r->host.is_short)
		fargs_fail(err, ENOMEM, "out of memory");
	else if (!make_files(r, o, is_parquet, err))
		return &r->e;
	destroy(&r->e);
	return NULL;
}

struct fargs_export *fargs_clickhouse_create(const struct fargs_export_options *o,
					     struct fargs_error_text *err)
{
	return create(o, o->table, &fargs_row_binary, false, err);
}

struct fargs_export *fargs_csv_table_create(const struct fargs_export_options *o,
					    struct fargs_error_text *err)
{
	if (o->table == FARGS_TABLE_UNSET)
		return fargs_csv_create(o, err);
	return create(o, o->table, &fargs_row_csv, false, err);
}

/* With all tables, unless one was chosen. */
static struct fargs_export *create_all(const struct fargs_export_options *o,
				       const struct fargs_row_form *form, bool is_parquet,
				       struct fargs_error_text *err)
{
	return create(o, o->table == FARGS_TABLE_UNSET ? FARGS_TABLE_ALL : o->table, form,
		      is_parquet, err);
}

struct fargs_export *fargs_jsonl_create(const struct fargs_export_options *o,
					struct fargs_error_text *err)
{
	return create_all(o, &fargs_row_jsonl, false, err);
}

struct fargs_export *fargs_parquet_export_create(const struct fargs_export_options *o,
						 struct fargs_error_text *err)
{
	return create_all(o, &fargs_row_csv, true, err);
}

struct fargs_export *fargs_tsv_create(const struct fargs_export_options *o,
				      struct fargs_error_text *err)
{
	return create(o, o->table, &fargs_row_tsv, false, err);
}
