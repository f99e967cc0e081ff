/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables into which recordings of many machines are loaded: their columns, from which both the
 * rows and the schemas of databases are made. fargs-export(1) describes them.
 *
 * A row is identified by the members of its key. A recording that is exported again, with the same
 * options, has the same rows, so that a database can drop those that it has.
 */
#ifndef FARGS_SINK_EXPORT_ROWS_TABLE_H
#define FARGS_SINK_EXPORT_ROWS_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum fargs_column_type {
	FARGS_COLUMN_DATE,	/* days since 1970, 16 bits */
	FARGS_COLUMN_U8,
	FARGS_COLUMN_U16,
	FARGS_COLUMN_U32,
	FARGS_COLUMN_I32,
	FARGS_COLUMN_U64,
	FARGS_COLUMN_I64,
	FARGS_COLUMN_TEXT,
	FARGS_COLUMN_WORD,	/* text of which there are few different ones */
};

struct fargs_column {
	const char *name;
	uint8_t type;		/* enum fargs_column_type */
	bool may_be_null;	/* never of text */
};

enum fargs_table_id {
	FARGS_TABLE_RECORDINGS,
	FARGS_TABLE_LABELS,
	FARGS_TABLE_CALLS,
	FARGS_TABLE_ARGS,
	FARGS_TABLE_STACKS,
	FARGS_TABLE_TASKS,
	FARGS_TABLE_LOST,
	FARGS_TABLE_MISSED,
	FARGS_TABLES
};

#define FARGS_COLUMNS_MAX	28

struct fargs_table {
	const char *name;
	const struct fargs_column *columns;
	unsigned int nr;
	/* Names of columns, separated by commas: by which rows are sorted, ending with the key. */
	const char *order;
};

/* Indexed by enum fargs_table_id. */
extern const struct fargs_table fargs_tables[FARGS_TABLES];

/* Returns the table's id; -1: there is none of this name. */
int fargs_table_find(const char *name);

/* Columns of all tables begin with these. */
enum { FARGS_ROW_RECORDING, FARGS_ROW_DATE, FARGS_ROW_HOST, FARGS_ROW_OWN };

/* Columns of each table, from FARGS_ROW_OWN on. */
enum fargs_recordings_column {
	FARGS_RECORDING_TIME = FARGS_ROW_OWN, FARGS_RECORDING_MACHINE, FARGS_RECORDING_BOOT,
	FARGS_RECORDING_KERNEL, FARGS_RECORDING_MODULE, FARGS_RECORDING_CPUS,
	FARGS_RECORDING_COMMAND, FARGS_RECORDING_NR
};

enum fargs_labels_column {
	FARGS_LABEL_KEY = FARGS_ROW_OWN, FARGS_LABEL_VALUE, FARGS_LABEL_NR
};

enum fargs_calls_column {
	FARGS_CALL_MACHINE = FARGS_ROW_OWN, FARGS_CALL_BOOT, FARGS_CALL_KERNEL, FARGS_CALL_TIME,
	FARGS_CALL_TIME_ERROR, FARGS_CALL_PERF_TIME, FARGS_CALL_CPU, FARGS_CALL_SEQ,
	FARGS_CALL_KIND, FARGS_CALL_IS_CALL, FARGS_CALL_PID, FARGS_CALL_TID, FARGS_CALL_COMM,
	FARGS_CALL_FUNCTION, FARGS_CALL_MODULE, FARGS_CALL_DURATION, FARGS_CALL_DURATION_MIN,
	FARGS_CALL_DURATION_MAX, FARGS_CALL_RESULT, FARGS_CALL_RESULT_TEXT, FARGS_CALL_ERROR,
	FARGS_CALL_CALLER, FARGS_CALL_STACK, FARGS_CALL_TEXT, FARGS_CALL_NR
};

enum fargs_args_column {
	FARGS_ARG_TIME = FARGS_ROW_OWN, FARGS_ARG_CPU, FARGS_ARG_SEQ, FARGS_ARG_FUNCTION,
	FARGS_ARG_POSITION, FARGS_ARG_PLACE, FARGS_ARG_NAME, FARGS_ARG_TYPE, FARGS_ARG_INT,
	FARGS_ARG_UINT, FARGS_ARG_TEXT, FARGS_ARG_NR
};

enum fargs_stacks_column {
	FARGS_STACK_ID = FARGS_ROW_OWN, FARGS_STACK_DEPTH, FARGS_STACK_ADDRESS,
	FARGS_STACK_FUNCTION, FARGS_STACK_NR
};

enum fargs_tasks_column {
	FARGS_TASK_TIME = FARGS_ROW_OWN, FARGS_TASK_PID, FARGS_TASK_TID, FARGS_TASK_COMM,
	FARGS_TASK_NR
};

enum fargs_lost_column {
	FARGS_LOST_TIME = FARGS_ROW_OWN, FARGS_LOST_CPU, FARGS_LOST_SEQ, FARGS_LOST_WHAT,
	FARGS_LOST_COUNT, FARGS_LOST_NR
};

enum fargs_missed_column {
	FARGS_MISSED_FUNCTION = FARGS_ROW_OWN, FARGS_MISSED_MODULE, FARGS_MISSED_COUNT,
	FARGS_MISSED_ANY, FARGS_MISSED_TOO_DEEP, FARGS_MISSED_NR
};

#endif
