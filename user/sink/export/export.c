// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/export.h"

const struct fargs_export_format fargs_export_formats[] = {
	{ "chrome", "JSON for chrome://tracing and Perfetto", false, fargs_chrome_create },
	{ "ctf", "a directory in the Common Trace Format, for babeltrace2", true,
	  fargs_ctf_create },
	{ "folded", "stacks with counts, for flame graphs", false, fargs_folded_create },
	{ "perfetto", "Perfetto's protobuf", false, fargs_perfetto_create },
	{ "sqlite", "a database for sqlite3", true, fargs_sqlite_create },
	{ }
};
