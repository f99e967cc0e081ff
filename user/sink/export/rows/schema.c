// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/rows/schema.h"

#include <ctype.h>

#include "sink/export/rows/table.h"

static const char *const types[] = {
	[FARGS_COLUMN_DATE] = "Date", [FARGS_COLUMN_U8] = "UInt8", [FARGS_COLUMN_U16] = "UInt16",
	[FARGS_COLUMN_U32] = "UInt32", [FARGS_COLUMN_I32] = "Int32", [FARGS_COLUMN_U64] = "UInt64",
	[FARGS_COLUMN_I64] = "Int64", [FARGS_COLUMN_TEXT] = "String",
	[FARGS_COLUMN_WORD] = "LowCardinality(String)",
};

bool fargs_schema_is_name(const char *name)
{
	const char *at = name;

	while (isalnum((unsigned char)*at) || *at == '_')
		at++;
	return *name && !*at && !isdigit((unsigned char)*name);
}

/* Prints a table; @local: what its name ends with. */
static void print_table(FILE *to, const struct fargs_table *t, const char *local)
{
	const struct fargs_column *c;

	fprintf(to, "CREATE TABLE IF NOT EXISTS %s%s\n(\n", t->name, local);
	for (c = t->columns; c < t->columns + t->nr; c++)
		fprintf(to, c->may_be_null ? "    %s Nullable(%s)%s\n" : "    %s %s%s\n", c->name,
			types[c->type], c + 1 < t->columns + t->nr ? "," : "");
	fprintf(to, ")\nENGINE = ReplacingMergeTree\nPARTITION BY date\nORDER BY (%s);\n\n",
		t->order);
}

/* Prints the table @name of all servers of the cluster. */
static void print_distributed(FILE *to, const char *name, const char *cluster)
{
	fprintf(to, "CREATE TABLE IF NOT EXISTS %s AS %s_local\n"
		"ENGINE = Distributed(%s, currentDatabase(), %s_local, cityHash64(host));\n\n",
		name, name, cluster, name);
}

/*
 * Prints sums that grow while rows are inserted. They count distinct keys of rows, so that what is
 * inserted twice counts once.
 */
static void print_minutes(FILE *to, const char *local)
{
	fprintf(to, "CREATE MATERIALIZED VIEW IF NOT EXISTS minutes%s\n"
		"ENGINE = AggregatingMergeTree\n"
		"PARTITION BY date\n"
		"ORDER BY (function, minute, host, module)\n"
		"AS SELECT\n"
		"    date,\n"
		"    toDateTime(intDiv(time_ns, 60000000000) * 60) AS minute,\n"
		"    host,\n"
		"    function,\n"
		"    module,\n"
		"    uniqExactIfState(recording, cpu, seq, is_call) AS calls,\n"
		"    uniqExactIfState(recording, cpu, seq, error != '') AS errors,\n"
		"    quantilesState(0.5, 0.9, 0.99, 0.999)(duration_ns) AS durations_ns\n"
		"FROM calls%s\n"
		"WHERE kind IN ('call', 'return', 'tracepoint')\n"
		"GROUP BY date, minute, host, function, module;\n\n", local, local);
}

static void print_views(FILE *to)
{
	fprintf(to, "CREATE VIEW IF NOT EXISTS per_minute AS\n"
		"SELECT\n"
		"    minute,\n"
		"    host,\n"
		"    function,\n"
		"    module,\n"
		"    uniqExactIfMerge(calls) AS nr_calls,\n"
		"    uniqExactIfMerge(errors) AS nr_errors,\n"
		"    quantilesMerge(0.5, 0.9, 0.99, 0.999)(durations_ns) AS quantiles_ns\n"
		"FROM minutes\n"
		"GROUP BY minute, host, function, module;\n");
}

void fargs_schema_clickhouse(FILE *to, const char *cluster)
{
	const char *local = cluster ? "_local" : "";
	unsigned int i;

	fprintf(to, "-- Servers before 19.13 need this, and later ones ignore it.\n"
		"SET allow_experimental_low_cardinality_type = 1;\n\n");
	for (i = 0; i < FARGS_TABLES; i++) {
		print_table(to, &fargs_tables[i], local);
		if (cluster)
			print_distributed(to, fargs_tables[i].name, cluster);
	}
	print_minutes(to, local);
	if (cluster)
		print_distributed(to, "minutes", cluster);
	print_views(to);
}

void fargs_schema_duckdb(FILE *to, const char *cluster)
{
	unsigned int i;

	fprintf(to, "-- In the directory that has the tables' directories.\n");
	for (i = 0; i < FARGS_TABLES; i++)
		fprintf(to, "CREATE OR REPLACE VIEW %s AS SELECT * FROM\n"
			"    read_parquet('%s/**/*.parquet', hive_partitioning = true,\n"
			"        hive_types = {'host': VARCHAR, 'date': DATE});\n",
			fargs_tables[i].name, fargs_tables[i].name);
	fprintf(to, "\nCREATE OR REPLACE VIEW per_minute AS SELECT\n"
		"    make_timestamp(time_ns // 60000000000 * 60000000) AS minute,\n"
		"    host,\n"
		"    function,\n"
		"    module,\n"
		"    count(*) FILTER (is_call = 1) AS nr_calls,\n"
		"    count(*) FILTER (error <> '') AS nr_errors,\n"
		"    quantile_cont(duration_ns, [0.5, 0.9, 0.99, 0.999]) AS quantiles_ns\n"
		"FROM calls\n"
		"WHERE kind IN ('call', 'return', 'tracepoint')\n"
		"GROUP BY minute, host, function, module;\n");
}
