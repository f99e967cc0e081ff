// SPDX-License-Identifier: GPL-2.0-only
#include "sink/summary/columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "pipeline/filter/value.h"
#include "sink/text/found.h"

#define COLUMNS_MAX	64

struct fargs_columns {
	unsigned int nr;
	struct fargs_wanted *wanted[COLUMNS_MAX];
};

/*
 * Returns the length of the first expression in the list @s. Commas within brackets or quotes do
 * not end an expression.
 */
static size_t expression_len(const char *s)
{
	unsigned int depth = 0;
	char quote = 0;
	size_t n;

	for (n = 0; s[n]; n++) {
		if (quote) {
			if (s[n] == '\\' && s[n + 1])
				n++;
			else if (s[n] == quote)
				quote = 0;
		} else if (s[n] == '"' || s[n] == '\'') {
			quote = s[n];
		} else if (strchr("([", s[n])) {
			depth++;
		} else if (strchr(")]", s[n])) {
			depth -= !!depth;
		} else if (s[n] == ',' && !depth) {
			break;
		}
	}
	return n;
}

static int add(struct fargs_columns *c, const char *text, size_t len, struct fargs_meta *meta,
	       struct fargs_error_text *err)
{
	char *copy;

	if (c->nr == COLUMNS_MAX)
		return fargs_fail(err, E2BIG, "there are more than %d fields: remove some",
				  COLUMNS_MAX);
	copy = strndup(text, len);
	if (!copy)
		return fargs_fail(err, ENOMEM, "out of memory");
	c->wanted[c->nr] = fargs_wanted_create(copy, meta, err);
	free(copy);
	if (!c->wanted[c->nr])
		return -EINVAL;
	c->nr++;
	return 0;
}

struct fargs_columns *fargs_columns_create(const char *list, struct fargs_meta *meta,
					   struct fargs_error_text *err)
{
	struct fargs_columns *c = calloc(1, sizeof(*c));
	const char *at = list;
	int ret = 0;
	size_t len;

	if (!c) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	for (;;) {
		len = expression_len(at);
		ret = add(c, at, len, meta, err);
		if (ret || !at[len])
			break;
		at += len + 1;
	}
	if (!ret)
		return c;
	fargs_columns_destroy(c);
	return NULL;
}

void fargs_columns_destroy(struct fargs_columns *c)
{
	if (!c)
		return;
	while (c->nr)
		fargs_wanted_destroy(c->wanted[--c->nr]);
	free(c);
}

int fargs_columns_put(struct fargs_columns *c, struct fargs_buf *out, struct fargs_decoder *d,
		      const struct fargs_event *ev)
{
	struct fargs_found found;
	size_t from = out->n;
	bool is_any = false;
	unsigned int i;
	int ret;

	/* Write a loss as a comment line, which cannot be mistaken for the line of an event. */
	if (ev->kind == FARGS_KIND_LOST) {
		fargs_put(out, "# lost ");
		fargs_put_u64(out, ev->lost, 0, 0);
		fargs_put(out, ev->is_event ? " events on CPU " : " records on CPU ");
		fargs_put_u64(out, ev->cpu, 0, 0);
		fargs_put_char(out, '\n');
		return out->is_short ? -ENOMEM : 0;
	}
	if (ev->kind == FARGS_KIND_TASK)
		return 0;
	for (i = 0; i < c->nr; i++) {
		ret = fargs_wanted_get(c->wanted[i], d, ev, &found);
		if (ret)
			return ret;
		if (i)
			fargs_put_char(out, '\t');
		if (found.kind == FARGS_FOUND_NONE)
			fargs_put_char(out, '-');
		else
			fargs_found_put(out, d, &found);
		is_any |= found.kind != FARGS_FOUND_NONE;
	}
	fargs_put_char(out, '\n');
	if (!is_any)
		out->n = from;
	return out->is_short ? -ENOMEM : 0;
}

void fargs_columns_put_names(const struct fargs_columns *c, struct fargs_buf *out)
{
	const char *name;
	unsigned int i;

	for (i = 0; i < c->nr; i++) {
		name = fargs_wanted_name(c->wanted[i]);
		if (i)
			fargs_put_char(out, '\t');
		fargs_put_escaped(out, name, strlen(name), NULL);
	}
	fargs_put_char(out, '\n');
}
