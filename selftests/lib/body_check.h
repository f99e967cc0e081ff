/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compares the values in a record's body with those that unit/expr_model.h computes for the
 * layout's program: each value that an instruction stores or appends must be right, and all other
 * values must be unchanged. Depends on uapi/fargs_record.h, and not on the module.
 */
#ifndef FARGS_SELFTESTS_BODY_CHECK_H
#define FARGS_SELFTESTS_BODY_CHECK_H

#include "unit/expr_model.h"

struct body_check {
	const struct model *model;	/* state of the model after it has run the fetch program */
	const struct fargs_insn *insns;	/* instructions of the fetch program */
	/* body of the record before the program runs, with the stores of the layout done */
	const uint8_t *body;
	uint32_t body_len;
	uint32_t append_max;
	unsigned long nr_fetched, nr_faults, nr_paths;	/* nr_paths: paths that are whole */
};

/* A value of a body, of any type. */
struct body_value {
	const char *name;
	uint8_t type;
	uint16_t n;
	const uint8_t *data;
};

/*
 * Reads the value at *@at, and moves *@at past it. Returns 1; 0 at the end of the list of values;
 * -1 if the bytes up to @end are not a valid value.
 */
static inline int body_next(const uint8_t **at, const uint8_t *end, struct body_value *value)
{
	const uint8_t *nul = memchr(*at, 0, end - *at);
	uint8_t type;

	if (!nul || nul + 1 >= end)
		return -1;
	value->name = (const char *)*at;
	value->type = nul[1];
	*at = nul + 2;
	if (!value->type)
		return value->name[0] ? -1 : 0;
	type = value->type & ~(FARGS_TYPE_FAULT | FARGS_TYPE_CUT);
	if (type > FARGS_TYPE_BYTES || !value->name[0])
		return -1;
	value->n = type == FARGS_TYPE_U128 || type == FARGS_TYPE_S128 ? 16 : 8;
	if (type >= FARGS_TYPE_STR) {
		if (end - *at < 2)
			return -1;
		memcpy(&value->n, *at, 2);
		*at += 2;
	}
	if (end - *at < (value->n + 7) / 8 * 8)
		return -1;
	value->data = *at;
	*at += (value->n + 7) / 8 * 8;
	return 1;
}

static inline bool body_is_fault(const struct body_value *value, uint8_t type, uint64_t addr)
{
	uint64_t got;

	memcpy(&got, value->data, sizeof(got));
	return value->type == (type | FARGS_TYPE_FAULT) && got == addr;
}

/* Returns the value that the program stored at offset @off of the body; NULL: none. */
static inline const struct model_value *body_find_st(const struct body_check *c, uint32_t off)
{
	const struct model_value *v = c->model->values;

	for (; v < c->model->values + c->model->nr_values; v++)
		if (!v->type && c->insns[v->insn].off == (int32_t)off)
			return v;
	return NULL;
}

/* Checks @value, a value of the record. @was: the same value before the program ran. */
static inline const char *check_stored(struct body_check *c, const struct body_value *was,
				       const struct body_value *value)
{
	const struct model_value *st = body_find_st(c, was->data - c->body);

	if (!st)
		return value->type == was->type && value->n == was->n &&
		       !memcmp(value->data, was->data, was->n) ? NULL :
			"a value has changed that no instruction stores";
	if (st->is_fault) {
		c->nr_faults++;
		return body_is_fault(value, was->type, st->v) ? NULL :
			"the stored fault is wrong";
	}
	c->nr_fetched++;
	if (value->type != was->type || value->n != was->n)
		return "the stored value has the wrong type";
	if (c->insns[st->insn].op == FARGS_OP_ST)
		return memcmp(value->data, &st->v, 8) ? "the stored value is wrong" : NULL;
	return st->bytes == value->n && !memcmp(value->data, st->data, st->bytes) ? NULL :
		"the stored bytes are wrong";
}

/*
 * Checks a cut path of at most @max bytes: it is the end of the right path, from a '/' on, or the
 * beginning of the last name; and the name before it, or as much of it as is readable, does not fit
 * if 7 bytes are left free.
 */
static inline bool is_cut_rightly(const struct model_value *put, const struct body_value *value,
				  unsigned int max)
{
	unsigned int next = put->bytes - value->n, last = put->bytes;

	if (!put->bytes && put->is_fault)	/* only a part of the last name is readable */
		return value->n <= max && value->n <= put->least && put->least + 7 >= max;
	if (value->n > max || value->n > put->bytes)
		return false;
	while (last && put->data[last - 1] != '/')
		last--;
	if (value->n && value->data[0] != '/')
		return !memcmp(put->data + last, value->data, value->n) &&
		       put->bytes - last + 1 + 7 >= max;
	if (memcmp(put->data + next, value->data, value->n))
		return false;
	if (!next)
		return put->is_longer || put->least + 7 >= max;
	do
		next--;
	while (next && put->data[next] != '/');
	return put->bytes - next + 7 >= max;
}

static inline const char *check_path(struct body_check *c, const struct model_value *put,
				     const struct body_value *value)
{
	unsigned int max = c->insns[put->insn].imm & 0xffff;

	if (value->type == (FARGS_TYPE_STR | FARGS_TYPE_CUT)) {
		c->nr_fetched++;
		return is_cut_rightly(put, value, max) ? NULL :
			"the path is cut in the wrong place";
	}
	if (put->is_fault) {
		c->nr_faults++;
		return value->n == 8 && body_is_fault(value, FARGS_TYPE_STR, put->v) ? NULL :
			"the fault of a path is wrong";
	}
	c->nr_fetched++;
	c->nr_paths++;
	return value->type == FARGS_TYPE_STR && !put->is_longer && value->n == put->bytes &&
	       value->n <= max && !memcmp(value->data, put->data, value->n) ? NULL :
		"the path is wrong";
}

static inline const char *check_appended(struct body_check *c, const struct model_value *put,
					 const struct body_value *value)
{
	if (strcmp(value->name, put->name))
		return "the appended value has the wrong name";
	if (put->is_path)
		return check_path(c, put, value);
	if (put->is_fault) {
		c->nr_faults++;
		return value->n == 8 && body_is_fault(value, put->type, put->v) ? NULL :
			"the appended fault is wrong";
	}
	c->nr_fetched++;
	return value->type == put->type && value->n == put->bytes &&
	       !memcmp(value->data, put->data, put->bytes) ? NULL :
		"the appended value is wrong";
}

/* Checks the body at @got, of @len bytes. Returns the first error as text, or NULL. */
static inline const char *check_body(struct body_check *c, const uint8_t *got, uint32_t len)
{
	const uint8_t *was = c->body, *at = got, *end = got + len, *appended;
	const struct model_value *put = c->model->values;
	struct body_value value, before;
	const char *wrong;

	while (body_next(&was, c->body + c->body_len, &before) == 1) {
		if (body_next(&at, end, &value) != 1 || strcmp(value.name, before.name))
			return "a value of the body is missing";
		wrong = check_stored(c, &before, &value);
		if (wrong)
			return wrong;
	}
	appended = at;
	for (; put < c->model->values + c->model->nr_values; put++) {
		if (!put->type)
			continue;
		if (body_next(&at, end, &value) != 1)
			return "an appended value is missing";
		wrong = check_appended(c, put, &value);
		if (wrong)
			return wrong;
	}
	if (at - appended > c->append_max)
		return "the appended values exceed append_max";
	return body_next(&at, end, &value) ? "the body does not end after the last value" : NULL;
}

#endif
