// SPDX-License-Identifier: GPL-2.0-only
#include "sink/html/rows.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/put.h"

/*
 * Maximum nesting of JSON. Each level of nested values (DEPTH_MAX in model/visit.c) takes several
 * levels of JSON.
 */
#define DEPTH_MAX	128

/* Position of a string in an event's JSON, which determines how the string is encoded. */
enum spot {
	PLACE_EVENT,	/* a member of the event's object */
	PLACE_ARG,	/* a member of the object of an argument or a result */
	PLACE_VALUE,	/* anywhere inside a value */
};

/* The line of JSON that is being parsed. */
struct text {
	struct fargs_rows *rows;
	struct fargs_buf *out;
	const char *p, *end;
};

struct key {
	const char *text;	/* name of a JSON object's member, without quotes */
	size_t len;
};

static int walk_value(struct text *t, enum spot place, const struct key *key, unsigned int depth);

void fargs_rows_deinit(struct fargs_rows *rows)
{
	fargs_intern_deinit(&rows->shapes);
	fargs_intern_deinit(&rows->strings);
	fargs_intern_deinit(&rows->values);
	fargs_buf_deinit(&rows->shape);
}

uint64_t fargs_rows_bytes(const struct fargs_rows *rows)
{
	return rows->shapes.bytes + rows->strings.bytes + rows->values.bytes;
}

static bool is_one_of(const struct key *key, const char *const *words)
{
	for (; *words; words++)
		if (key->len == strlen(*words) && !memcmp(key->text, *words, key->len))
			return true;
	return false;
}

/* Is this a member whose value is the same in (nearly) all events of a function? */
static bool is_of_shape(enum spot place, const struct key *key)
{
	static const char *const of_events[] = {
		"type", "name", "module", "system", "address", "of", NULL
	};
	static const char *const of_args[] = { "name", "type", NULL };

	return place == PLACE_EVENT ? is_one_of(key, of_events) :
	       place == PLACE_ARG ? is_one_of(key, of_args) : false;
}

/*
 * Is this a member whose values differ in structure, but often repeat? Such a value is not split
 * into leaves, but stored in the table of values.
 */
static bool is_whole(enum spot place, const struct key *key)
{
	static const char *const words[] = { "context", "caller", "stack", NULL };

	return place == PLACE_EVENT && is_one_of(key, words);
}

static bool take_char(struct text *t, char c)
{
	if (t->p == t->end || *t->p != c)
		return false;
	t->p++;
	return true;
}

/* Skips a string including its quotes. */
static int skip_string(struct text *t)
{
	if (!take_char(t, '"'))
		return -EINVAL;
	for (; t->p < t->end && *t->p != '"'; t->p++)
		if (*t->p == '\\' && ++t->p == t->end)
			return -EINVAL;
	return take_char(t, '"') ? 0 : -EINVAL;
}

/* Skips a number or a word, such as true. */
static int skip_plain(struct text *t)
{
	const char *start = t->p;

	while (t->p < t->end && !strchr(",]}", *t->p))
		t->p++;
	return t->p > start ? 0 : -EINVAL;
}

/* Skips a JSON value of any kind. */
static int skip_value(struct text *t)
{
	unsigned int depth = 0;

	do {
		if (t->p == t->end)
			return -EINVAL;
		if (*t->p == '"') {
			if (skip_string(t))
				return -EINVAL;
			continue;
		}
		depth += *t->p == '{' || *t->p == '[';
		if ((*t->p == '}' || *t->p == ']') && !depth--)
			return -EINVAL;
		if (!depth && strchr("-0123456789tfn", *t->p)) {
			if (skip_plain(t))
				return -EINVAL;
			continue;
		}
		t->p++;
	} while (depth);
	return 0;
}

static void put_shape(struct text *t, const char *text, size_t len)
{
	fargs_buf_add(&t->rows->shape, text, len);
}

static int put_leaf(struct text *t, struct fargs_intern *table, char kind, const char *from)
{
	uint32_t number;

	if (fargs_intern_add(table, from, t->p - from, &number))
		return -ENOMEM;
	put_shape(t, &kind, 1);
	fargs_put_char(t->out, ',');
	fargs_put_u64(t->out, number, 0, 0);
	return 0;
}

static int walk_string(struct text *t, enum spot place, const struct key *key)
{
	const char *from = t->p;

	if (skip_string(t))
		return -EINVAL;
	if (!is_of_shape(place, key))
		return put_leaf(t, &t->rows->strings, '1', from);
	put_shape(t, from, t->p - from);
	return 0;
}

static int walk_plain(struct text *t)
{
	const char *from = t->p;

	if (skip_plain(t))
		return -EINVAL;
	/* @from is one of the words true, false and null. */
	if (*from >= 'a')
		return put_leaf(t, &t->rows->values, '2', from);
	put_shape(t, "0", 1);
	fargs_put_char(t->out, ',');
	fargs_buf_add(t->out, from, t->p - from);
	return 0;
}

/* Returns the position of the members of an object that is the value of @key. */
static enum spot place_inside(enum spot place, const struct key *key)
{
	static const char *const words[] = { "args", "out", "result", NULL };

	return place == PLACE_EVENT && is_one_of(key, words) ? PLACE_ARG : PLACE_VALUE;
}

static int walk_object(struct text *t, enum spot place, unsigned int depth)
{
	const char *from;
	struct key key;
	int ret;

	put_shape(t, t->p++, 1);
	while (!take_char(t, '}')) {
		from = t->p;
		if (skip_string(t))
			return -EINVAL;
		key = (struct key){ from + 1, t->p - from - 2 };
		if (!take_char(t, ':'))
			return -EINVAL;
		put_shape(t, from, t->p - from);
		ret = walk_value(t, place, &key, depth + 1);
		if (ret)
			return ret;
		if (take_char(t, ','))
			put_shape(t, ",", 1);
	}
	put_shape(t, "}", 1);
	return 0;
}

static int walk_array(struct text *t, enum spot place, const struct key *key, unsigned int depth)
{
	int ret;

	put_shape(t, t->p++, 1);
	while (!take_char(t, ']')) {
		ret = walk_value(t, place, key, depth + 1);
		if (ret)
			return ret;
		if (take_char(t, ','))
			put_shape(t, ",", 1);
	}
	put_shape(t, "]", 1);
	return 0;
}

/* Encodes the value of the member @key, whose position is @place. */
static int walk_value(struct text *t, enum spot place, const struct key *key, unsigned int depth)
{
	const char *from = t->p;

	if (t->p == t->end || depth > DEPTH_MAX)
		return -EINVAL;
	if (is_whole(place, key))
		return skip_value(t) ? -EINVAL : put_leaf(t, &t->rows->values, '2', from);
	switch (*t->p) {
	case '"':
		return walk_string(t, place, key);
	case '{':
		return walk_object(t, place_inside(place, key), depth);
	case '[':
		/* Elements that are not objects are treated like the value of @key. */
		return walk_array(t, place, key, depth);
	default:
		return walk_plain(t);
	}
}

int fargs_rows_add(struct fargs_rows *rows, struct fargs_buf *out, const char *line, size_t len)
{
	struct fargs_buf leaves = { };
	struct text t = { .rows = rows, .out = &leaves, .p = line, .end = line + len };
	uint32_t number;
	int ret;

	rows->shape.n = 0;
	if (!len || *line != '{')
		return -EINVAL;
	ret = walk_object(&t, PLACE_EVENT, 0);
	if (!ret && (t.p != t.end || leaves.is_short || rows->shape.is_short))
		ret = t.p != t.end ? -EINVAL : -ENOMEM;
	if (!ret)
		ret = fargs_intern_add(&rows->shapes, rows->shape.text, rows->shape.n, &number);
	if (!ret) {
		fargs_put_char(out, '[');
		fargs_put_u64(out, number, 0, 0);
		fargs_buf_add(out, leaves.text, leaves.n);
		fargs_put_char(out, ']');
		ret = out->is_short ? -ENOMEM : 0;
	}
	fargs_buf_deinit(&leaves);
	return ret;
}

void fargs_rows_put_html(struct fargs_buf *out, const char *json, size_t len)
{
	const char *end = json + len, *less;

	for (; json < end; json = less + 1) {
		less = memchr(json, '<', end - json);
		fargs_buf_add(out, json, (less ? less : end) - json);
		if (!less)
			return;
		fargs_put(out, "\\u003c");
	}
}

static void put_table(struct fargs_buf *out, const char *name, const struct fargs_intern *table)
{
	uint32_t i;

	fargs_put_char(out, '"');
	fargs_put(out, name);
	fargs_put(out, "\":[");
	for (i = 0; i < table->nr; i++) {
		fargs_put(out, i ? ",\n" : "\n");
		fargs_rows_put_html(out, table->texts[i].text, table->texts[i].len);
	}
	fargs_put_char(out, ']');
}

void fargs_rows_put_tables(const struct fargs_rows *rows, struct fargs_buf *out)
{
	fargs_put_char(out, '{');
	put_table(out, "shapes", &rows->shapes);
	fargs_put_char(out, ',');
	put_table(out, "strings", &rows->strings);
	fargs_put_char(out, ',');
	put_table(out, "values", &rows->values);
	fargs_put_char(out, '}');
}
