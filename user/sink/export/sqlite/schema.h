/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables, indexes and views of a database (fargs-export(1)).
 */
#ifndef FARGS_SINK_EXPORT_SQLITE_SCHEMA_H
#define FARGS_SINK_EXPORT_SQLITE_SCHEMA_H

extern const char fargs_schema_tables[];
/* Created after all rows were added: adding to an index costs more than sorting once. */
extern const char fargs_schema_indexes[];
extern const char fargs_schema_views[];

#endif
