// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/export.h"

#define TIMES	FARGS_FACT_TIMES
#define CPUS	FARGS_FACT_CPUS

const struct fargs_export_format fargs_export_formats[] = {
	{ "chrome", "JSON for chrome://tracing and Perfetto", TIMES, false, NULL,
	  fargs_chrome_create },
	{ "csv", "a table of events, as comma-separated values", 0, false, NULL, fargs_csv_create },
	{ "ctf", "a directory in the Common Trace Format, for babeltrace2", TIMES | CPUS, true,
	  NULL, fargs_ctf_create },
	{ "folded", "stacks with counts, for flame graphs", 0, false, NULL, fargs_folded_create },
	{ "perf-postgresql", "a script for psql with perf's tables, for PostgreSQL",
	  FARGS_FACT_SAMPLES, false, "bepwx", fargs_perf_postgresql_create },
	{ "perf-sqlite", "a database with perf's tables, for its viewer",
	  FARGS_FACT_SAMPLES, true, "bepwx", fargs_perf_sqlite_create },
	{ "perfetto", "Perfetto's protobuf", TIMES, false, NULL, fargs_perfetto_create },
	{ "sqlite", "a database for sqlite3", 0, true, NULL, fargs_sqlite_create },
	{ "trace-dat", "a trace.dat file, for trace-cmd and KernelShark", TIMES | CPUS, true, NULL,
	  fargs_tracedat_create },
	{ }
};
