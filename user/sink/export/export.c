// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/export.h"

#define TIMES	FARGS_FACT_TIMES
#define CPUS	FARGS_FACT_CPUS
#define SAMPLES	FARGS_FACT_SAMPLES

const struct fargs_export_format fargs_export_formats[] = {
	{ .name = "chrome", .what = "JSON for chrome://tracing and Perfetto", .needs = TIMES,
	  .create = fargs_chrome_create },
	{ .name = "clickhouse", .what = "tables of many machines, as RowBinary for ClickHouse",
	  .tables = FARGS_EXPORT_ONLY_TABLES, .create = fargs_clickhouse_create },
	{ .name = "csv", .what = "a table of events, as comma-separated values",
	  .tables = FARGS_EXPORT_ANY_TABLES, .create = fargs_csv_table_create },
	{ .name = "ctf", .what = "a directory in the Common Trace Format, for babeltrace2",
	  .needs = TIMES | CPUS, .has_files = true, .create = fargs_ctf_create },
	{ .name = "folded", .what = "stacks with counts, for flame graphs",
	  .create = fargs_folded_create },
	{ .name = "jsonl", .what = "tables of many machines, as lines of JSON",
	  .tables = FARGS_EXPORT_ALL_TABLES, .create = fargs_jsonl_create },
	{ .name = "parquet", .what = "tables of many machines, as a directory of Parquet files",
	  .has_files = true, .tables = FARGS_EXPORT_ALL_TABLES,
	  .create = fargs_parquet_export_create },
	{ .name = "perf-postgresql",
	  .what = "a script for psql with perf's tables, for PostgreSQL",
	  .needs = SAMPLES, .itrace = "bepwx", .create = fargs_perf_postgresql_create },
	{ .name = "perf-sqlite", .what = "a database with perf's tables, for its viewer",
	  .needs = SAMPLES, .has_files = true, .itrace = "bepwx",
	  .create = fargs_perf_sqlite_create },
	{ .name = "perfetto", .what = "Perfetto's protobuf", .needs = TIMES,
	  .create = fargs_perfetto_create },
	{ .name = "sqlite", .what = "a database for sqlite3", .has_files = true,
	  .create = fargs_sqlite_create },
	{ .name = "trace-dat", .what = "a trace.dat file, for trace-cmd and KernelShark",
	  .needs = TIMES | CPUS, .has_files = true, .create = fargs_tracedat_create },
	{ .name = "tsv", .what = "tables of many machines, as tab-separated values",
	  .tables = FARGS_EXPORT_ONLY_TABLES, .create = fargs_tsv_create },
	{ }
};
