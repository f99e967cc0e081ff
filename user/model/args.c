// SPDX-License-Identifier: GPL-2.0-only
#include "model/args.h"

#include <errno.h>
#include <string.h>

/*
 * State of reading a record's body. The body of a RETURN record may consist of two parts: values
 * from the call, then values from the return.
 */
struct reading {
	struct fargs_args *args;
	struct fargs_func_types *types;
	unsigned int n;			/* number of values in args->found */
	unsigned int from;	/* index in types->params after the last parameter that was found */
	unsigned int nr_params;		/* number of parameters among the first @n values */
	bool is_return;
	/*
	 * @order is the value named FARGS_NAME_ORDER in the current part of the body, and @nr_order
	 * is its size in bytes. @first_fetched is the index in args->found of the first value that
	 * @order applies to.
	 */
	const uint8_t *order;
	unsigned int nr_order;
	unsigned int first_fetched;
};

/*
 * Adds the parameters from @from to @to - 1 that are structs without members: records have no value
 * for them.
 */
static void put_empty(struct reading *r, unsigned int from, unsigned int to)
{
	if (!r->types || !r->types->has_empty)
		return;
	for (; from < to && r->n < FARGS_RECORD_VALUES; from++) {
		const struct fargs_func_param *param = &r->types->params[from];
		struct fargs_arg *arg = &r->args->found[r->n];

		if (!param->is_empty)
			continue;
		arg->val = (struct fargs_value){
			.name = param->name, .type = FARGS_TYPE_BYTES, .data = (const uint8_t *)"",
		};
		fargs_func_types_describe(r->types, param, arg);
		r->n++;
	}
}

static bool is_word(char c)
{
	return (unsigned int)(c | 0x20) - 'a' < 26 || (unsigned int)c - '0' < 10 || c == '_';
}

/* Does the expression @at begin with the name @param, and continue after it? */
static bool begins_with(const char *at, const char *param)
{
	if (*at != *param || !*param)
		return false;
	while (*param && *at == *param) {
		at++;
		param++;
	}
	return !*param && !is_word(*at);
}

/* Is the word at @at in the expression @name neither a member nor $NAME? */
static bool is_first_of_path(const char *name, const char *at)
{
	return at == name || (at[-1] != '.' && at[-1] != '$' &&
			      (at[-1] != '>' || at == name + 1 || at[-2] != '-'));
}

/* Searches all words of the expression @name for a parameter. */
static unsigned int search_source(const struct reading *r, const char *name)
{
	const char *at = name;
	bool is_tag = false;	/* the word before was "struct" or the like */
	unsigned int i;
	size_t len;

	while (*at) {
		for (len = 0; is_word(at[len]); len++)
			;
		for (i = 0; len && !is_tag && is_first_of_path(name, at) && i < r->nr_params; i++) {
			if (begins_with(at, r->args->found[i].val.name) && (at != name || at[len]))
				return i;
		}
		if (len)
			is_tag = (len == 6 && !memcmp(at, "struct", len)) ||
				 (len == 5 && !memcmp(at, "union", len)) ||
				 (len == 4 && !memcmp(at, "enum", len));
		at += len ? len : 1;
	}
	return r->nr_params;
}

/*
 * Restores the order in which the user requested the values, which FARGS_NAME_ORDER describes. In a
 * record, values at fixed offsets precede those that are appended.
 */
static void apply_order(struct reading *r)
{
	struct fargs_arg *found = &r->args->found[r->first_fetched], *to = r->args->ordered;
	unsigned int nr = r->n - r->first_fetched, i, fixed = 0, n = 0;

	if (!r->nr_order || r->nr_order > nr)
		return;
	for (i = 0; i < r->nr_order; i++) {
		for (; fixed < r->order[i] && fixed < nr - r->nr_order; fixed++)
			to[n++] = found[fixed];
		to[n++] = found[nr - r->nr_order + i];
	}
	for (; fixed < nr - r->nr_order; fixed++)
		to[n++] = found[fixed];
	memcpy(found, to, n * sizeof(*to));
}

/*
 * Returns the index of the first parameter that the expression @name uses, or r->nr_params. A value
 * fetched at the call is named by its expression, such as "file->f_flags", "*pos" or "(u32)a+b".
 */
static unsigned int find_source(const struct reading *r, const char *name)
{
	const char *at = name;
	unsigned int i;

	/* Nearly all expressions begin with a parameter, or with signs before it. */
	while (*at == '*' || *at == '&' || *at == '(' || *at == '-')
		at++;
	for (i = 0; i < r->nr_params; i++)
		if (begins_with(at, r->args->found[i].val.name))
			return at == name && !at[strlen(r->args->found[i].val.name)] ?
			       r->nr_params : i;
	return *name == '$' ? r->nr_params : search_source(r, name);
}

/* Moves each fetched value after the first parameter that it uses, for output. */
static void put_after_params(const struct reading *r, struct fargs_event *ev)
{
	struct fargs_arg *to = r->args->ordered, *found = r->args->found;
	unsigned int i, j, n = 0, nr = ev->nr_args, nr_params = r->nr_params;
	uint16_t *sources = r->args->sources;

	/* Without types, nothing is known to be a parameter. */
	if (nr <= nr_params || !nr_params)
		return;
	for (j = nr_params; j < nr; j++)
		sources[j] = find_source(r, found[j].val.name);
	for (i = 0; i <= nr_params; i++) {
		if (i < nr_params)
			to[n++] = found[i];
		for (j = nr_params; j < nr; j++)
			if (sources[j] == i)
				to[n++] = found[j];
	}
	ev->args = to;
}

static bool is_named(const struct fargs_value *val, uint8_t type, const char *name)
{
	return val->name[0] == '$' && val->type == type && !val->is_fault &&
	       !strcmp(val->name, name);
}

/*
 * Handles a value that is not an argument: the time of the call, the stack, or the order of values.
 * Returns false if @val is an argument.
 */
static bool take_special(struct reading *r, const struct fargs_record *rec,
			 const struct fargs_value *val, struct fargs_event *ev)
{
	if (!r->is_return && rec->kind == FARGS_KIND_RETURN &&
	    is_named(val, FARGS_TYPE_U64, FARGS_NAME_ENTRY)) {
		apply_order(r);
		put_empty(r, r->from, r->types ? r->types->nr_params : 0);
		r->is_return = true;
		r->nr_order = 0;
		ev->nr_args = r->n;
		ev->has_entry = true;
		ev->entry_tsc = fargs_value_u64(val);
		return true;
	}
	if (is_named(val, FARGS_TYPE_BYTES, FARGS_NAME_STACK)) {
		ev->stack = val->data;
		ev->nr_stack = val->bytes / 8;
		return true;
	}
	if (is_named(val, FARGS_TYPE_BYTES, FARGS_NAME_ORDER)) {
		r->order = val->data;
		r->nr_order = val->bytes;
		r->first_fetched = r->n;
		return true;
	}
	return false;
}

static bool is_returned(const struct reading *r, const struct fargs_value *val)
{
	return r->is_return && !strcmp(val->name, FARGS_NAME_RETURN);
}

static int take_value(struct reading *r, const struct fargs_value *val)
{
	const struct fargs_func_param *param = NULL;
	unsigned int was = r->from;
	struct fargs_arg *arg;
	int ret;

	if (r->types && !r->is_return)
		param = fargs_func_types_find(r->types, val->name, &r->from);
	if (param)
		put_empty(r, was, r->from - 1);
	if (r->n == FARGS_RECORD_VALUES)
		return 0;
	arg = &r->args->found[r->n++];
	arg->val = *val;
	if (param) {
		fargs_func_types_describe(r->types, param, arg);
		r->nr_params = r->n;
		return 0;
	}
	if (is_returned(r, val)) {
		fargs_func_types_describe_return(r->types, arg);
		return 0;
	}
	ret = fargs_func_types_describe_fetched(r->types, arg);
	/* The text is stored with the value: a call and its return can have values of one name. */
	if (!ret)
		fargs_printed_replace(arg, r->args->printed[r->n - 1]);
	return ret;
}

static void finish(struct reading *r, struct fargs_event *ev)
{
	bool has_ret;

	apply_order(r);
	if (r->is_return) {
		has_ret = r->n > ev->nr_args &&
			  is_returned(r, &r->args->found[ev->nr_args].val);
		if (has_ret)
			ev->ret = &r->args->found[ev->nr_args];
		ev->out = &r->args->found[ev->nr_args + has_ret];
		ev->nr_out = r->n - ev->nr_args - has_ret;
	} else {
		put_empty(r, r->from, r->types ? r->types->nr_params : 0);
		ev->nr_args = r->n;
	}
	put_after_params(r, ev);
}

int fargs_args_decode(struct fargs_args *args, struct fargs_func_types *types,
		      const struct fargs_record *rec, struct fargs_event *ev)
{
	struct reading r = { .args = args, .types = types };
	struct fargs_value val;
	struct fargs_values it;
	int ret;

	ev->args = args->found;
	ev->is_variadic = types && types->is_variadic;
	fargs_record_values(rec, &it);
	while (r.n < FARGS_RECORD_VALUES) {
		ret = fargs_record_next(&it, &val, NULL);
		if (ret < 0)
			return ret;
		if (!ret)
			break;
		if (take_special(&r, rec, &val, ev))
			continue;
		ret = take_value(&r, &val);
		if (ret)
			return ret;
	}
	finish(&r, ev);
	return 0;
}
