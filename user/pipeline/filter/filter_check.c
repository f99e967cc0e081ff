// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline/filter/filter_check.h"

#include <errno.h>
#include <string.h>

#include <bsd/string.h>

#include "abi/signature.h"
#include "abi/syscalls.h"
#include "kernel/btf/btfs.h"
#include "model/formats.h"
#include "model/func_types.h"
#include "pipeline/filter/lookup.h"
#include "select/syntax/suggest.h"
#include "select/typing/context.h"
#include "select/typing/names.h"
#include "select/typing/type_check.h"

#define NAME_BYTES	64

struct check {
	struct fargs_meta *meta;
	const struct btf *btf;
	struct fargs_constants *constants;
	struct fargs_diagnostic *m;
};

static bool describe(const struct fargs_meta *meta, const struct fargs_func *func,
		     struct fargs_signature *sig)
{
	const struct btf *btf;

	if (!meta->btfs || !func->btf_id)
		return false;
	btf = fargs_btfs_get(meta->btfs, func->module ? func->module : FARGS_BTF_VMLINUX, NULL);
	return btf && !fargs_signature_init(sig, btf, func->btf_id);
}

/* Reports an unknown name, and suggests similar names. */
static int fail_name(const struct check *c, const struct fargs_node *node)
{
	char wanted[NAME_BYTES], names[FARGS_SUGGEST_MAX];
	struct fargs_near near = { .wanted = wanted };
	struct fargs_signature sig;
	size_t i, j, len = node->len < sizeof(wanted) ? node->len : sizeof(wanted) - 1;

	memcpy(wanted, node->text, len);
	wanted[len] = '\0';
	fargs_lookup_offer_context(&near);
	for (i = 0; i < c->meta->nr_funcs; i++)
		for (j = 0; describe(c->meta, &c->meta->funcs[i], &sig) && j < sig.nr_params; j++)
			if (*sig.params[j].name)
				fargs_near_offer(&near, sig.params[j].name);
	fargs_names_offer(&near);
	if (c->constants->symbolic)
		fargs_symbolic_offer(c->constants->symbolic, c->btf, &near);
	return fargs_diagnostic_at(c->m, node->column, "'%s' is neither an argument of a traced "
				   "function%s nor a constant%s", wanted,
				   c->meta->has_events ? " or event" : "",
				   fargs_suggest(&near, "", names));
}

/* Reports that no event has a value with the name @node, and lists the names of values. */
static int fail_value_name(const struct check *c, const struct fargs_node *node)
{
	char names[FARGS_SUGGEST_MAX] = "";
	size_t i;

	for (i = 0; c->meta->value_names[i]; i++) {
		if (i)
			strlcat(names, " ", sizeof(names));
		strlcat(names, c->meta->value_names[i], sizeof(names));
	}
	return fargs_diagnostic_at(c->m, node->column, "events have no '%.*s': the names are %s",
				   node->len > 40 ? 40 : (int)node->len, node->text, names);
}

/*
 * Do formatted events have a field, or other events a value, with the name @node? tracefs describes
 * a field as "field:TYPE NAME;" or "NAME[…];".
 */
static bool is_field(struct fargs_meta *meta, const struct fargs_node *node)
{
	const char *at, *text;
	size_t i;

	if (meta->adopted && fargs_formats_has_field(meta->adopted, node->text, node->len))
		return true;
	for (i = 0; meta->value_names && meta->value_names[i]; i++)
		if (fargs_node_is(node, meta->value_names[i])) {
			meta->used_values[i / 64] |= 1ull << i % 64;
			return true;
		}
	for (i = 0; i < meta->nr_formats; i++) {
		text = meta->formats[i].text;
		for (at = text; (at = memmem(at, strlen(at), node->text, node->len)); at++) {
			if (at > text && at[-1] == ' ' &&
			    (at[node->len] == ';' || at[node->len] == '['))
				return true;
		}
	}
	return false;
}

/*
 * Checks that @node is a constant, a field of a formatted event, or a value of at least one
 * function.
 */
static int check_on_functions(const struct check *c, const struct fargs_node *node, bool is_string)
{
	const struct fargs_signature none = { .btf = c->btf, .name = "" };
	struct fargs_diagnostic best = { }, m = { };
	struct fargs_signature sig;
	bool is_all = true, is_known = false, is_param;
	const char *contexts;
	__int128 value;
	size_t i;

	if (node->kind == FARGS_NODE_NAME && !is_string && fargs_constant_is(&none, node) &&
	    !fargs_constant_eval(c->constants, &none, node, 0, &value, &m))
		return 0;
	if (node->kind == FARGS_NODE_NAME && is_field(c->meta, node))
		return 0;
	for (i = 0; i < c->meta->nr_funcs; i++) {
		if (!describe(c->meta, &c->meta->funcs[i], &sig)) {
			is_all = false;
			continue;
		}
		memset(&m, 0, sizeof(m));
		if (!fargs_type_check(c->constants, &sig, node, is_string, &m))
			return 0;
		is_param = node->kind == FARGS_NODE_NAME ? fargs_expr_param(&sig, node) >= 0 :
							   !m.is_unknown_argument;
		/*
		 * Keep the diagnostic with the largest column: it is the most specific one. But the
		 * first function that has the parameters of @node replaces the diagnostic of
		 * earlier functions.
		 */
		if (!best.code || is_param > is_known || m.column > best.column)
			best = m;
		is_known |= is_param;
	}
	/* Not an error: a function without BTF may have the value. */
	if (!is_all)
		return 0;
	if (node->kind == FARGS_NODE_NAME && c->meta->value_names)
		return fail_value_name(c, node);
	if (node->kind == FARGS_NODE_NAME && !is_known &&
	    (c->meta->nr_funcs != 1 || fargs_lookup_has_context(node, &contexts)))
		return fail_name(c, node);
	if (!best.code)
		return fargs_diagnostic_at(c->m, node->column, "no function calls were traced: "
					   "only fields of events are available");
	*c->m = best;
	return -best.code;
}

static int check_value(const struct check *c, const struct fargs_node *node, bool is_string);

/*
 * Does @node use values that selectors do not have, or only as something else: fields of events,
 * $time, or $duration, which is a number of ns in a recording?
 */
static bool uses_fields(const struct check *c, const struct fargs_node *node)
{
	struct fargs_diagnostic ignored = { };

	if (!node || node->kind == FARGS_NODE_TYPE)
		return false;
	if (node->kind == FARGS_NODE_NAME)
		return is_field(c->meta, node);
	if (node->kind == FARGS_NODE_CONTEXT)
		return fargs_node_is(node, "duration") ||
		       (!fargs_node_is(node, "ret") && fargs_context_find(node, &ignored) < 0);
	return uses_fields(c, node->a) || uses_fields(c, node->b);
}

/*
 * Checks a value that is computed: as a whole on the traced functions, or if it uses values that
 * these do not have, each of its operands.
 */
static int check_computed(const struct check *c, const struct fargs_node *node, bool is_string)
{
	const struct fargs_signature none = { .btf = c->btf, .name = "" };
	struct fargs_diagnostic m = { };
	struct fargs_ctype type;
	bool is_type;
	__int128 value;
	int ret = 0;

	if (fargs_constant_is(&none, node) &&
	    !fargs_constant_eval(c->constants, &none, node, 0, &value, &m))
		return is_string ? fargs_diagnostic_at(c->m, node->column,
						       "this is a number, not a string") : 0;
	is_type = node->b && node->b->kind == FARGS_NODE_TYPE;
	if (is_type)
		ret = fargs_ctype_init(&type, &c->constants->types, c->btf, node->b, c->m);
	if (ret)
		return ret;
	if (!uses_fields(c, node))
		return check_on_functions(c, node, is_string);
	ret = check_value(c, node->a, false);
	return ret || is_type || !node->b ? ret : check_value(c, node->b, false);
}

static int check_value(const struct check *c, const struct fargs_node *node, bool is_string)
{
	const struct fargs_signature none = { .btf = c->btf, .name = "" };
	const char *names;
	__int128 value;

	if (fargs_node_is_condition(node) && node->kind != FARGS_NODE_BITAND)
		return fargs_diagnostic_at(c->m, node->column, "this is true or false, not a "
					   "number");
	if (fargs_node_is_arithmetic(node))
		return check_computed(c, node, is_string);
	switch (node->kind) {
	case FARGS_NODE_NEGATIVE:
	case FARGS_NODE_INVERT:
	case FARGS_NODE_CAST:
	case FARGS_NODE_ADDRESS:
	case FARGS_NODE_CONTAINER:
	case FARGS_NODE_SIZEOF:
		return check_computed(c, node, is_string);
	case FARGS_NODE_NUMBER:
		if (is_string)
			return fargs_diagnostic_at(c->m, node->column,
						   "this is a number, not a string");
		return fargs_constant_eval(c->constants, &none, node, 0, &value, c->m);
	case FARGS_NODE_STRING:
		return fargs_diagnostic_at(c->m, node->column,
					   "a string can only be compared with a value, using == "
					   "or !=");
	case FARGS_NODE_TIME:
		return fargs_diagnostic_at(c->m, node->column, "only $duration can be compared "
					   "with a time");
	case FARGS_NODE_RANGE:
		return fargs_diagnostic_at(c->m, node->column, "a range cannot be compared");
	case FARGS_NODE_CONTEXT:
		if (fargs_lookup_has_context(node, &names))
			return 0;
		return fargs_diagnostic_at(c->m, node->column, "there is no $%.*s: the names are "
					   "%s",
					   node->len > 40 ? 40 : (int)node->len, node->text, names);
	default:
		return check_on_functions(c, node, is_string);
	}
}

static bool is_duration(const struct fargs_node *node)
{
	return node->kind == FARGS_NODE_CONTEXT && fargs_node_is(node, "duration");
}

/* Is @node a system call by name, which only a number of a system call can be compared with? */
static bool is_syscall(const struct fargs_node *node, const struct fargs_node *beside)
{
	unsigned int ignored;

	return node->kind == FARGS_NODE_NAME && fargs_lookup_may_be_syscall(beside) &&
	       fargs_syscalls_find(node->text, node->len, &ignored);
}

static int check_comparison(const struct check *c, const struct fargs_node *node)
{
	const struct fargs_node *sides[2] = { node->a, node->b }, *other;
	bool is_equality = node->kind == FARGS_NODE_EQ || node->kind == FARGS_NODE_NE;
	int i, ret = 0;

	for (i = 0; i < 2 && !ret; i++) {
		other = sides[!i];
		if (sides[i]->kind == FARGS_NODE_STRING && is_equality &&
		    other->kind != FARGS_NODE_STRING)
			continue;
		if (sides[i]->kind == FARGS_NODE_TIME && is_duration(other))
			continue;
		if (is_syscall(sides[i], other))
			continue;
		if (is_duration(sides[i]) && other->kind != FARGS_NODE_TIME)
			return fargs_diagnostic_at(c->m, other->column,
						   "a duration can only be compared with a time "
						   "and its unit: 10us, 1.5ms, 2s");
		ret = check_value(c, sides[i], other->kind == FARGS_NODE_STRING && is_equality);
	}
	return ret;
}

static int check_set(const struct check *c, const struct fargs_node *node)
{
	bool is_string = node->b->kind == FARGS_NODE_STRING;
	const struct fargs_node *item;
	int ret = 0;

	if (is_duration(node->a))
		return fargs_diagnostic_at(c->m, node->a->column,
					   "no duration is exactly this value: use < or >");
	for (item = node->b; item && !ret; item = item->next) {
		if (item->kind == FARGS_NODE_STRING ? !is_string : is_string)
			return fargs_diagnostic_at(c->m, item->column,
						   "a set has either strings or numbers");
		if (is_string || is_syscall(item, node->a))
			continue;
		ret = check_value(c, item->kind == FARGS_NODE_SPAN ? item->a : item, false);
		if (!ret && item->kind == FARGS_NODE_SPAN)
			ret = check_value(c, item->b, false);
	}
	return ret ? ret : check_value(c, node->a, is_string);
}

static int check(const struct check *c, const struct fargs_node *node)
{
	int ret;

	switch (node->kind) {
	case FARGS_NODE_NOT:
		return check(c, node->a);
	case FARGS_NODE_AND:
	case FARGS_NODE_OR:
		ret = check(c, node->a);
		return ret ? ret : check(c, node->b);
	case FARGS_NODE_EQ:
	case FARGS_NODE_NE:
	case FARGS_NODE_LT:
	case FARGS_NODE_LE:
	case FARGS_NODE_GT:
	case FARGS_NODE_GE:
		return check_comparison(c, node);
	case FARGS_NODE_IN:
		return check_set(c, node);
	default:
		return check_value(c, node, false);
	}
}

int fargs_filter_check(const struct fargs_node *condition, struct fargs_meta *meta,
		       const struct btf *btf, struct fargs_constants *constants,
		       struct fargs_diagnostic *m)
{
	const struct check c = { meta, btf, constants, m };

	return check(&c, condition);
}

int fargs_filter_check_value(const struct fargs_node *node, struct fargs_meta *meta,
			     const struct btf *btf, struct fargs_constants *constants,
			     struct fargs_diagnostic *m)
{
	const struct check c = { meta, btf, constants, m };

	return check_value(&c, node, false);
}
