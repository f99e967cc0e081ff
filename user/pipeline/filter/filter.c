// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline/filter/filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/errname.h"
#include "kernel/btf/btfs.h"
#include "model/flag_formats.h"
#include "pipeline/filter/eval.h"
#include "pipeline/filter/filter_check.h"
#include "pipeline/filter/match.h"
#include "select/syntax/selector.h"

struct fargs_filter {
	struct fargs_selector sel;
	/* Its BTF is that of vmlinux or, if missing, @empty. */
	struct fargs_eval eval;
	struct btf *empty;	/* empty BTF, created if BTF of vmlinux is missing; else NULL */
};

struct fargs_filter *fargs_filter_create(const char *text, struct fargs_meta *meta,
					 struct fargs_error_text *err)
{
	struct fargs_filter *f = calloc(1, sizeof(*f));
	struct fargs_diagnostic m = { };

	if (!f) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	f->eval.btf = meta->btfs ? fargs_btfs_get(meta->btfs, FARGS_BTF_VMLINUX, NULL) : NULL;
	f->eval.constants.symbolic = fargs_flag_formats_symbolic(meta);
	if (!f->eval.btf) {
		f->empty = btf__new_empty();
		f->eval.btf = f->empty;
	}
	if (!f->eval.btf || !f->eval.constants.symbolic)
		fargs_diagnostic_no_memory(&m);
	else if (!fargs_selector_init_filter(&f->sel, text, &m))
		fargs_filter_check(f->sel.entry.condition, meta, f->eval.btf, &f->eval.constants,
				   &m);
	if (m.code) {
		fargs_diagnostic_fail(&m, text, err);
		fargs_filter_destroy(f);
		return NULL;
	}
	return f;
}

void fargs_filter_destroy(struct fargs_filter *f)
{
	if (!f)
		return;
	fargs_selector_deinit(&f->sel);
	fargs_symbolic_destroy(f->eval.constants.symbolic);
	fargs_eval_deinit(&f->eval);
	btf__free(f->empty);
	free(f);
}

/*
 * If @pointer is a pointer and @other is a negative errno, converts @other to the unsigned value of
 * the corresponding error pointer.
 */
static void turn_error(const struct fargs_found *pointer, struct fargs_found *other)
{
	if (pointer->is_pointer && !other->is_pointer && other->number < 0 &&
	    other->number >= -FARGS_ERRNO_MAX)
		other->number += (__int128)1 << 64;
}

static bool relates(enum fargs_node_kind kind, __int128 a, __int128 b)
{
	switch (kind) {
	case FARGS_NODE_EQ:
		return a == b;
	case FARGS_NODE_NE:
		return a != b;
	case FARGS_NODE_LT:
		return a < b;
	case FARGS_NODE_LE:
		return a <= b;
	case FARGS_NODE_GT:
		return a > b;
	default:
		return a >= b;
	}
}

static enum fargs_node_kind negated(enum fargs_node_kind kind)
{
	switch (kind) {
	case FARGS_NODE_EQ:
		return FARGS_NODE_NE;
	case FARGS_NODE_NE:
		return FARGS_NODE_EQ;
	case FARGS_NODE_LT:
		return FARGS_NODE_GE;
	case FARGS_NODE_LE:
		return FARGS_NODE_GT;
	case FARGS_NODE_GT:
		return FARGS_NODE_LE;
	default:
		return FARGS_NODE_LT;
	}
}

/*
 * Does the relation hold for all values that @a and @b can have? For a duration from an Intel PT
 * trace, only bounds are known: it is certainly more than 10us if its lower bound is, and certainly
 * less than 10us if its upper bound is.
 */
static bool relates_always(enum fargs_node_kind kind, const struct fargs_found *a,
			   const struct fargs_found *b)
{
	__int128 a_most = a->has_most ? a->most : a->number;
	__int128 b_most = b->has_most ? b->most : b->number;

	switch (kind) {
	case FARGS_NODE_EQ:
		return a->number == a_most && b->number == b_most && a->number == b->number;
	case FARGS_NODE_NE:
		return a_most < b->number || b_most < a->number;
	case FARGS_NODE_LT:
		return a_most < b->number;
	case FARGS_NODE_LE:
		return a_most <= b->number;
	case FARGS_NODE_GT:
		return a->number > b_most;
	default:
		return a->number >= b_most;
	}
}

static bool find_string(struct fargs_eval *e, const struct fargs_node *node,
			struct fargs_found *found)
{
	if (fargs_lookup_string(&e->lookup, e->d, e->ev, node, found))
		e->is_short = true;
	return found->kind == FARGS_FOUND_STRING;
}

static bool compare_strings(struct fargs_eval *e, const struct fargs_node *node, bool is_negated)
{
	bool is_pattern_first = node->a->kind == FARGS_NODE_STRING;
	const struct fargs_node *pattern = is_pattern_first ? node->a : node->b;
	const struct fargs_node *value = is_pattern_first ? node->b : node->a;
	struct fargs_found found;

	if (!find_string(e, value, &found))
		return false;
	return fargs_match(pattern->text, pattern->len, found.text, found.len) ==
	       ((node->kind == FARGS_NODE_EQ) != is_negated);
}

/*
 * Does the relation @kind hold for numbers of this event? Converts an errno that is compared with a
 * pointer.
 */
static bool relates_numbers(enum fargs_node_kind kind, struct fargs_found a, struct fargs_found b)
{
	turn_error(&a, &b);
	turn_error(&b, &a);
	if (a.has_most || b.has_most)
		return relates_always(kind, &a, &b);
	return relates(kind, a.number, b.number);
}

static bool compare(struct fargs_eval *e, const struct fargs_node *node, bool is_negated)
{
	struct fargs_found a, b;

	if (node->a->kind == FARGS_NODE_STRING || node->b->kind == FARGS_NODE_STRING)
		return compare_strings(e, node, is_negated);
	/* A constant may be an enumerator of the other operand's enum. */
	if (!fargs_eval_number(e, node->a, NULL, &a)) {
		if (!fargs_eval_number(e, node->b, NULL, &b) ||
		    !fargs_eval_beside(e, node->a, &b, &a))
			return false;
	} else if (!fargs_eval_number(e, node->b, &a, &b) ||
		   (b.enum_id && !a.enum_id && !fargs_eval_number(e, node->a, &b, &a))) {
		return false;
	}
	return relates_numbers(is_negated ? negated(node->kind) : node->kind, a, b);
}

/* Does "value in {...}" hold for strings or, with @is_negated, its negation? */
static bool is_in_strings(struct fargs_eval *e, const struct fargs_node *node, bool is_negated)
{
	const struct fargs_node *item;
	struct fargs_found found;

	if (!find_string(e, node->a, &found))
		return false;
	for (item = node->b; item; item = item->next)
		if (fargs_match(item->text, item->len, found.text, found.len))
			return !is_negated;
	return is_negated;
}

/* Is @value the element @item or, with @is_negated, is it certainly not? */
static bool is_element(struct fargs_eval *e, const struct fargs_found *value,
		       const struct fargs_node *item, bool is_negated)
{
	struct fargs_found from, to;

	if (item->kind != FARGS_NODE_SPAN)
		return fargs_eval_number(e, item, value, &from) &&
		       relates_numbers(is_negated ? FARGS_NODE_NE : FARGS_NODE_EQ, *value, from);
	if (!fargs_eval_number(e, item->a, value, &from) ||
	    !fargs_eval_number(e, item->b, value, &to))
		return false;
	return is_negated ? relates_numbers(FARGS_NODE_LT, *value, from) ||
			    relates_numbers(FARGS_NODE_GT, *value, to) :
			    relates_numbers(FARGS_NODE_GE, *value, from) &&
			    relates_numbers(FARGS_NODE_LE, *value, to);
}

static bool is_in_set(struct fargs_eval *e, const struct fargs_node *node, bool is_negated)
{
	const struct fargs_node *item;
	struct fargs_found value;

	if (node->b->kind == FARGS_NODE_STRING)
		return is_in_strings(e, node, is_negated);
	if (!fargs_eval_number(e, node->a, NULL, &value))
		return false;
	for (item = node->b; item; item = item->next)
		if (is_element(e, &value, item, is_negated) != is_negated)
			return !is_negated;
	return is_negated;
}

/*
 * Returns whether @node is true or, with @is_negated, whether it is false. If a value is missing,
 * @node is neither true nor false.
 */
static bool holds(struct fargs_eval *e, const struct fargs_node *node, bool is_negated)
{
	struct fargs_found found;
	bool is_all;

	switch (node->kind) {
	case FARGS_NODE_NOT:
		return holds(e, node->a, !is_negated);
	case FARGS_NODE_AND:
	case FARGS_NODE_OR:
		/* A negated "a && b" is "!a || !b"; a negated "a || b" is "!a && !b". */
		is_all = node->kind == FARGS_NODE_AND ? !is_negated : is_negated;
		if (is_all)
			return holds(e, node->a, is_negated) && holds(e, node->b, is_negated);
		return holds(e, node->a, is_negated) || holds(e, node->b, is_negated);
	case FARGS_NODE_EQ:
	case FARGS_NODE_NE:
	case FARGS_NODE_LT:
	case FARGS_NODE_LE:
	case FARGS_NODE_GT:
	case FARGS_NODE_GE:
		return compare(e, node, is_negated);
	case FARGS_NODE_IN:
		return is_in_set(e, node, is_negated);
	default:
		if (!fargs_eval_number(e, node, NULL, &found))
			return false;
		/* If only bounds are known, the number is certainly 0 if the upper bound is 0. */
		return is_negated ? !found.number && !(found.has_most && found.most) :
				    !!found.number;
	}
}

int fargs_filter_holds(struct fargs_filter *f, struct fargs_decoder *d,
		       const struct fargs_event *ev)
{
	bool is_true;

	f->eval.d = d;
	f->eval.ev = ev;
	is_true = holds(&f->eval, f->sel.entry.condition, false);
	return f->eval.is_short ? -ENOMEM : is_true;
}
