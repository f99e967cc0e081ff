// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/rows/row.h"

#include <string.h>
#include <time.h>

#include "base/put.h"
#include "sink/json/json.h"

void fargs_row_clear(struct fargs_row_cells *r, const struct fargs_table *table)
{
	memset(r->cells + FARGS_ROW_OWN, 0, (table->nr - FARGS_ROW_OWN) * sizeof(r->cells[0]));
	r->text.n = 0;
}

void fargs_row_fixed(struct fargs_row_cells *r, unsigned int column, const char *text)
{
	r->cells[column] = (struct fargs_cell){
		.is_set = true, .fixed = text ? text : "", .bytes = text ? strlen(text) : 0,
	};
}

void fargs_row_text(struct fargs_row_cells *r, unsigned int column, size_t from)
{
	r->cells[column] = (struct fargs_cell){
		.is_set = true, .at = from, .bytes = r->text.n - from,
	};
}

void fargs_row_escaped(struct fargs_row_cells *r, unsigned int column, const char *text)
{
	size_t from = r->text.n;

	if (text)
		fargs_put_escaped(&r->text, text, strlen(text), NULL);
	fargs_row_text(r, column, from);
}

static const char *text_of(const struct fargs_row_cells *r, const struct fargs_cell *cell)
{
	return cell->fixed ? cell->fixed : cell->bytes ? r->text.text + cell->at : "";
}

static bool is_text(const struct fargs_column *c)
{
	return c->type >= FARGS_COLUMN_TEXT;
}

static bool is_signed(const struct fargs_column *c)
{
	return c->type == FARGS_COLUMN_I32 || c->type == FARGS_COLUMN_I64;
}

/* ---- RowBinary ---- */

static unsigned int bytes_of(const struct fargs_column *c)
{
	static const uint8_t bytes[] = {
		[FARGS_COLUMN_DATE] = 2, [FARGS_COLUMN_U8] = 1, [FARGS_COLUMN_U16] = 2,
		[FARGS_COLUMN_U32] = 4, [FARGS_COLUMN_I32] = 4, [FARGS_COLUMN_U64] = 8,
		[FARGS_COLUMN_I64] = 8,
	};

	return bytes[c->type];
}

/* Appends a length as LEB128. */
static void put_length(struct fargs_buf *out, size_t n)
{
	for (; n > 0x7f; n >>= 7)
		fargs_put_char(out, n | 0x80);
	fargs_put_char(out, n);
}

static void put_binary(struct fargs_buf *out, const struct fargs_table *table,
		       const struct fargs_row_cells *r, bool has_table)
{
	const struct fargs_column *c;
	const struct fargs_cell *cell;
	unsigned int i, byte;

	for (i = 0; i < table->nr; i++) {
		c = &table->columns[i];
		cell = &r->cells[i];
		if (is_text(c)) {
			put_length(out, cell->bytes);
			fargs_buf_add(out, text_of(r, cell), cell->bytes);
			continue;
		}
		if (c->may_be_null)
			fargs_put_char(out, !cell->is_set);
		for (byte = 0; byte < bytes_of(c) && (cell->is_set || !c->may_be_null); byte++)
			fargs_put_char(out, cell->number >> (8 * byte));
	}
}

const struct fargs_row_form fargs_row_binary = { "clickhouse", NULL, put_binary };

/* ---- text ---- */

/* Appends a date as YYYY-MM-DD. */
static void put_date(struct fargs_buf *out, uint64_t days)
{
	time_t seconds = (time_t)days * 86400;
	char text[16];
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y-%m-%d", &tm);
	fargs_put(out, text);
}

static void put_number(struct fargs_buf *out, const struct fargs_column *c, uint64_t v)
{
	if (c->type == FARGS_COLUMN_DATE)
		put_date(out, v);
	else if (is_signed(c))
		fargs_put_s64(out, (int64_t)v);
	else
		fargs_put_u64(out, v, 0, 0);
}

static void put_jsonl(struct fargs_buf *out, const struct fargs_table *table,
		      const struct fargs_row_cells *r, bool has_table)
{
	const struct fargs_column *c;
	const struct fargs_cell *cell;
	bool is_first = !has_table;
	unsigned int i;

	fargs_put_char(out, '{');
	if (has_table) {
		fargs_json_put_key(out, "table");
		fargs_json_put_string(out, table->name, strlen(table->name));
	}
	for (i = 0; i < table->nr; i++) {
		c = &table->columns[i];
		cell = &r->cells[i];
		if (!cell->is_set && c->may_be_null)
			continue;
		if (!is_first)
			fargs_put_char(out, ',');
		is_first = false;
		fargs_json_put_key(out, c->name);
		if (is_text(c)) {
			fargs_json_put_string(out, text_of(r, cell), cell->bytes);
		} else if (c->type == FARGS_COLUMN_DATE) {
			fargs_put_char(out, '"');
			put_date(out, cell->number);
			fargs_put_char(out, '"');
		} else {
			put_number(out, c, cell->number);
		}
	}
	fargs_put(out, "}\n");
}

const struct fargs_row_form fargs_row_jsonl = { "jsonl", NULL, put_jsonl };

static void put_csv_text(struct fargs_buf *out, const char *text, size_t bytes)
{
	size_t i;

	for (i = 0; i < bytes && !strchr("\",\r\n", text[i]); i++)
		;
	if (i == bytes) {
		fargs_buf_add(out, text, bytes);
		return;
	}
	fargs_put_char(out, '"');
	for (i = 0; i < bytes; i++) {
		if (text[i] == '"')
			fargs_put_char(out, '"');
		fargs_put_char(out, text[i]);
	}
	fargs_put_char(out, '"');
}

static void put_tsv_text(struct fargs_buf *out, const char *text, size_t bytes)
{
	static const char escaped[] = "\t\n\r\\", letters[] = "tnr\\";
	const char *found;
	size_t i;

	for (i = 0; i < bytes; i++) {
		found = text[i] ? strchr(escaped, text[i]) : NULL;
		if (found)
			fargs_put_char(out, '\\');
		fargs_put_char(out, found ? letters[found - escaped] : text[i]);
	}
}

/* The differences between the two forms with separators. */
struct separated {
	char separator;
	const char *end, *null;
	void (*text)(struct fargs_buf *out, const char *text, size_t bytes);
};

static const struct separated csv = { ',', "\r\n", "", put_csv_text };
static const struct separated tsv = { '\t', "\n", "\\N", put_tsv_text };

static void put_names(struct fargs_buf *out, const struct fargs_table *table,
		      const struct separated *form)
{
	unsigned int i;

	for (i = 0; i < table->nr; i++) {
		if (i)
			fargs_put_char(out, form->separator);
		fargs_put(out, table->columns[i].name);
	}
	fargs_put(out, form->end);
}

static void put_separated(struct fargs_buf *out, const struct fargs_table *table,
			  const struct fargs_row_cells *r, const struct separated *form)
{
	const struct fargs_column *c;
	const struct fargs_cell *cell;
	unsigned int i;

	for (i = 0; i < table->nr; i++) {
		c = &table->columns[i];
		cell = &r->cells[i];
		if (i)
			fargs_put_char(out, form->separator);
		if (is_text(c))
			form->text(out, text_of(r, cell), cell->bytes);
		else if (cell->is_set || !c->may_be_null)
			put_number(out, c, cell->number);
		else
			fargs_put(out, form->null);
	}
	fargs_put(out, form->end);
}

static void head_csv(struct fargs_buf *out, const struct fargs_table *table)
{
	put_names(out, table, &csv);
}

static void put_csv(struct fargs_buf *out, const struct fargs_table *table,
		    const struct fargs_row_cells *r, bool has_table)
{
	put_separated(out, table, r, &csv);
}

const struct fargs_row_form fargs_row_csv = { "csv", head_csv, put_csv };

static void head_tsv(struct fargs_buf *out, const struct fargs_table *table)
{
	put_names(out, table, &tsv);
}

static void put_tsv(struct fargs_buf *out, const struct fargs_table *table,
		    const struct fargs_row_cells *r, bool has_table)
{
	put_separated(out, table, r, &tsv);
}

const struct fargs_row_form fargs_row_tsv = { "tsv", head_tsv, put_tsv };
