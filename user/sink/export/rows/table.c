// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/rows/table.h"

#include <string.h>

#define DATE	FARGS_COLUMN_DATE
#define U8	FARGS_COLUMN_U8
#define U16	FARGS_COLUMN_U16
#define U32	FARGS_COLUMN_U32
#define I32	FARGS_COLUMN_I32
#define U64	FARGS_COLUMN_U64
#define I64	FARGS_COLUMN_I64
#define TEXT	FARGS_COLUMN_TEXT
#define WORD	FARGS_COLUMN_WORD

#define COMMON	{ "recording", WORD, false }, { "date", DATE, false }, { "host", WORD, false }

static const struct fargs_column recordings[] = {
	COMMON,
	[FARGS_RECORDING_TIME] = { "time_ns", I64, false },
	[FARGS_RECORDING_MACHINE] = { "machine_id", WORD, false },
	[FARGS_RECORDING_BOOT] = { "boot_id", WORD, false },
	[FARGS_RECORDING_KERNEL] = { "kernel", WORD, false },
	[FARGS_RECORDING_MODULE] = { "module_build_id", WORD, false },
	[FARGS_RECORDING_CPUS] = { "cpus", U32, false },
	[FARGS_RECORDING_COMMAND] = { "command", TEXT, false },
};

static const struct fargs_column labels[] = {
	COMMON,
	[FARGS_LABEL_KEY] = { "key", WORD, false },
	[FARGS_LABEL_VALUE] = { "value", TEXT, false },
};

static const struct fargs_column calls[] = {
	COMMON,
	[FARGS_CALL_MACHINE] = { "machine_id", WORD, false },
	[FARGS_CALL_BOOT] = { "boot_id", WORD, false },
	[FARGS_CALL_KERNEL] = { "kernel", WORD, false },
	[FARGS_CALL_TIME] = { "time_ns", I64, false },
	[FARGS_CALL_TIME_ERROR] = { "time_error_ns", U64, true },
	[FARGS_CALL_PERF_TIME] = { "perf_ns", U64, true },
	[FARGS_CALL_CPU] = { "cpu", I32, false },
	[FARGS_CALL_SEQ] = { "seq", U64, false },
	[FARGS_CALL_KIND] = { "kind", WORD, false },
	[FARGS_CALL_IS_CALL] = { "is_call", U8, false },
	[FARGS_CALL_PID] = { "pid", I32, true },
	[FARGS_CALL_TID] = { "tid", I32, false },
	[FARGS_CALL_COMM] = { "comm", WORD, false },
	[FARGS_CALL_FUNCTION] = { "function", WORD, false },
	[FARGS_CALL_MODULE] = { "module", WORD, false },
	[FARGS_CALL_DURATION] = { "duration_ns", U64, true },
	[FARGS_CALL_DURATION_MIN] = { "duration_min_ns", U64, true },
	[FARGS_CALL_DURATION_MAX] = { "duration_max_ns", U64, true },
	[FARGS_CALL_RESULT] = { "result", I64, true },
	[FARGS_CALL_RESULT_TEXT] = { "result_text", TEXT, false },
	[FARGS_CALL_ERROR] = { "error", WORD, false },
	[FARGS_CALL_CALLER] = { "caller", WORD, false },
	[FARGS_CALL_STACK] = { "stack", U64, false },
	[FARGS_CALL_TEXT] = { "text", TEXT, false },
};

static const struct fargs_column args[] = {
	COMMON,
	[FARGS_ARG_TIME] = { "time_ns", I64, false },
	[FARGS_ARG_CPU] = { "cpu", I32, false },
	[FARGS_ARG_SEQ] = { "seq", U64, false },
	[FARGS_ARG_FUNCTION] = { "function", WORD, false },
	[FARGS_ARG_POSITION] = { "position", U16, false },
	[FARGS_ARG_PLACE] = { "place", WORD, false },
	[FARGS_ARG_NAME] = { "name", WORD, false },
	[FARGS_ARG_TYPE] = { "type", WORD, false },
	[FARGS_ARG_INT] = { "int", I64, true },
	[FARGS_ARG_UINT] = { "uint", U64, true },
	[FARGS_ARG_TEXT] = { "text", TEXT, false },
};

static const struct fargs_column stacks[] = {
	COMMON,
	[FARGS_STACK_ID] = { "stack", U64, false },
	[FARGS_STACK_DEPTH] = { "depth", U16, false },
	[FARGS_STACK_ADDRESS] = { "address", U64, false },
	[FARGS_STACK_FUNCTION] = { "function", WORD, false },
};

static const struct fargs_column tasks[] = {
	COMMON,
	[FARGS_TASK_TIME] = { "time_ns", I64, false },
	[FARGS_TASK_PID] = { "pid", I32, true },
	[FARGS_TASK_TID] = { "tid", I32, false },
	[FARGS_TASK_COMM] = { "comm", WORD, false },
};

static const struct fargs_column lost[] = {
	COMMON,
	[FARGS_LOST_TIME] = { "time_ns", I64, false },
	[FARGS_LOST_CPU] = { "cpu", I32, false },
	[FARGS_LOST_SEQ] = { "seq", U64, false },
	[FARGS_LOST_WHAT] = { "what", WORD, false },
	[FARGS_LOST_COUNT] = { "lost", U64, true },
};

static const struct fargs_column missed[] = {
	COMMON,
	[FARGS_MISSED_FUNCTION] = { "function", WORD, false },
	[FARGS_MISSED_MODULE] = { "module", WORD, false },
	[FARGS_MISSED_COUNT] = { "missed", U64, false },
	[FARGS_MISSED_ANY] = { "missed_of_any_task", U64, false },
	[FARGS_MISSED_TOO_DEEP] = { "too_deep", U64, false },
};

#define TABLE(name, order)	{ #name, name, sizeof(name) / sizeof(name[0]), order }

const struct fargs_table fargs_tables[FARGS_TABLES] = {
	[FARGS_TABLE_RECORDINGS] = TABLE(recordings, "host, time_ns, recording"),
	[FARGS_TABLE_LABELS] = TABLE(labels, "key, value, recording"),
	[FARGS_TABLE_CALLS] = TABLE(calls, "function, time_ns, recording, cpu, seq"),
	[FARGS_TABLE_ARGS] = TABLE(args, "function, name, time_ns, recording, cpu, seq, position"),
	[FARGS_TABLE_STACKS] = TABLE(stacks, "recording, stack, depth"),
	[FARGS_TABLE_TASKS] = TABLE(tasks, "comm, time_ns, recording, tid"),
	[FARGS_TABLE_LOST] = TABLE(lost, "host, time_ns, recording, cpu, seq"),
	[FARGS_TABLE_MISSED] = TABLE(missed, "function, module, recording"),
};

_Static_assert(sizeof(calls) / sizeof(calls[0]) <= FARGS_COLUMNS_MAX, "calls has too many columns");

int fargs_table_find(const char *name)
{
	int i;

	for (i = 0; i < FARGS_TABLES; i++)
		if (!strcmp(fargs_tables[i].name, name))
			return i;
	return -1;
}
