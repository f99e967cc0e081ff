/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One row of a table, and the forms in which rows are written.
 */
#ifndef FARGS_SINK_EXPORT_ROWS_ROW_H
#define FARGS_SINK_EXPORT_ROWS_ROW_H

#include "base/buf.h"
#include "sink/export/rows/table.h"

struct fargs_cell {
	bool is_set;		/* otherwise NULL, or 0, or an empty text */
	uint64_t number;	/* of signed columns: the same bits */
	/* Text is @bytes at @at in the row's text, or at @fixed if that is not NULL. */
	const char *fixed;
	size_t at, bytes;
};

/* Initialize with zeroes. */
struct fargs_row_cells {
	struct fargs_cell cells[FARGS_COLUMNS_MAX];
	struct fargs_buf text;
};

/* Makes all cells of @table from FARGS_ROW_OWN on empty. */
void fargs_row_clear(struct fargs_row_cells *r, const struct fargs_table *table);
static inline void fargs_row_number(struct fargs_row_cells *r, unsigned int column, uint64_t v)
{
	r->cells[column] = (struct fargs_cell){ .is_set = true, .number = v };
}

/* @text must remain valid until the row is written. NULL is an empty text. */
void fargs_row_fixed(struct fargs_row_cells *r, unsigned int column, const char *text);
/* The text is what was added to r->text since it had @from bytes. */
void fargs_row_text(struct fargs_row_cells *r, unsigned int column, size_t from);
/* Adds untrusted @text, escaped, as the text of the column; NULL is an empty text. */
void fargs_row_escaped(struct fargs_row_cells *r, unsigned int column, const char *text);

struct fargs_row_form {
	const char *name;
	/* Appends what precedes the rows; NULL: nothing. */
	void (*head)(struct fargs_buf *out, const struct fargs_table *table);
	/* Appends a row. With @has_table, it contains the table's name. */
	void (*row)(struct fargs_buf *out, const struct fargs_table *table,
		    const struct fargs_row_cells *r, bool has_table);
};

/* ClickHouse's RowBinary: https://clickhouse.com/docs/en/interfaces/formats#rowbinary */
extern const struct fargs_row_form fargs_row_binary;
/*
 * An object per line. There is no member for NULL. Numbers have up to 64 bits, which databases
 * read exactly.
 */
extern const struct fargs_row_form fargs_row_jsonl;
/* RFC 4180, with a line of names; NULL is an empty field. */
extern const struct fargs_row_form fargs_row_csv;
/* ClickHouse's and PostgreSQL's: tabs, a line of names, \N for NULL, escapes with backslashes. */
extern const struct fargs_row_form fargs_row_tsv;

#endif
