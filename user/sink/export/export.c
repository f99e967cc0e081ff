// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/export.h"

#define TIMES	FARGS_FACT_TIMES
#define CPUS	FARGS_FACT_CPUS

const struct fargs_export_format fargs_export_formats[] = {
	{ "chrome", "JSON for chrome://tracing and Perfetto", TIMES, false, fargs_chrome_create },
	{ "csv", "a table of events, as comma-separated values", 0, false, fargs_csv_create },
	{ "ctf", "a directory in the Common Trace Format, for babeltrace2", TIMES | CPUS, true,
	  fargs_ctf_create },
	{ "folded", "stacks with counts, for flame graphs", 0, false, fargs_folded_create },
	{ "perfetto", "Perfetto's protobuf", TIMES, false, fargs_perfetto_create },
	{ "sqlite", "a database for sqlite3", 0, true, fargs_sqlite_create },
	{ "trace-dat", "a trace.dat file, for trace-cmd and KernelShark", TIMES | CPUS, true,
	  fargs_tracedat_create },
	{ }
};
