// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline/filter/filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/errname.h"
#include "kernel/btf/btfs.h"
#include "model/flag_formats.h"
#include "pipeline/filter/filter_check.h"
#include "pipeline/filter/lookup.h"
#include "pipeline/filter/match.h"
#include "select/syntax/selector.h"
#include "select/typing/constant.h"

/* Cached value of a constant expression. */
struct memo {
	const struct fargs_node *node;
	const struct btf *btf;
	uint32_t enum_id;
	bool is_known;
	__int128 value;
};

struct fargs_filter {
	struct fargs_selector sel;
	struct fargs_constants constants;
	struct fargs_lookup lookup;
	struct memo *memos;
	size_t nr_memos;
	/* BTF for values that have no BTF of their own: that of vmlinux or, if missing, @empty. */
	const struct btf *btf;
	struct btf *empty;	/* empty BTF, created if BTF of vmlinux is missing; else NULL */
	/* The following members are the state while an event is evaluated. */
	struct fargs_decoder *d;
	const struct fargs_event *ev;
	bool is_short;		/* the evaluation ran out of memory */
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
	f->btf = meta->btfs ? fargs_btfs_get(meta->btfs, FARGS_BTF_VMLINUX, NULL) : NULL;
	f->constants.symbolic = fargs_flag_formats_symbolic(meta);
	if (!f->btf) {
		f->empty = btf__new_empty();
		f->btf = f->empty;
	}
	if (!f->btf || !f->constants.symbolic)
		fargs_diagnostic_no_memory(&m);
	else if (!fargs_selector_init_filter(&f->sel, text, &m))
		fargs_filter_check(f->sel.entry.condition, meta, f->btf, &f->constants, &m);
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
	fargs_symbolic_destroy(f->constants.symbolic);
	fargs_constants_deinit(&f->constants);
	fargs_lookup_deinit(&f->lookup);
	btf__free(f->empty);
	free(f->memos);
	free(f);
}

/*
 * Evaluates @node as a constant. A name may be an enumerator of the enum of @beside, the other
 * operand (NULL: none). Returns false if @node is not a constant.
 */
static bool eval_constant(struct fargs_filter *f, const struct fargs_node *node,
			  const struct fargs_found *beside, __int128 *value)
{
	const struct fargs_signature none = {
		.btf = beside && beside->btf ? beside->btf : f->btf, .name = "",
	};
	uint32_t enum_id = beside ? beside->enum_id : 0;
	struct fargs_diagnostic m = { };
	struct memo *memo;
	size_t i;

	for (i = 0; i < f->nr_memos; i++) {
		memo = &f->memos[i];
		if (memo->node == node && memo->btf == none.btf && memo->enum_id == enum_id) {
			*value = memo->value;
			return memo->is_known;
		}
	}
	memo = realloc(f->memos, (f->nr_memos + 1) * sizeof(*memo));
	if (!memo) {
		f->is_short = true;
		return false;
	}
	f->memos = memo;
	memo += f->nr_memos++;
	*memo = (struct memo){ .node = node, .btf = none.btf, .enum_id = enum_id };
	memo->is_known = fargs_constant_is(&none, node) &&
			 !fargs_constant_eval(&f->constants, &none, node, enum_id, &memo->value,
					      &m);
	*value = memo->value;
	return memo->is_known;
}

/* Can @node be a value of an event? If not, it can only be a constant. */
static bool is_value(const struct fargs_node *node)
{
	switch (node->kind) {
	case FARGS_NODE_NAME:
	case FARGS_NODE_CONTEXT:
	case FARGS_NODE_MEMBER:
	case FARGS_NODE_INDEX:
	case FARGS_NODE_DEREF:
	case FARGS_NODE_FORMAT:
		return true;
	default:
		return false;
	}
}

/*
 * Evaluates @node for the current event. @beside: as for eval_constant(). Returns false if @node is
 * not a number in this event.
 */
static bool eval(struct fargs_filter *f, const struct fargs_node *node,
		 const struct fargs_found *beside, struct fargs_found *found);

static bool eval_masked(struct fargs_filter *f, const struct fargs_node *node,
			struct fargs_found *found)
{
	struct fargs_found a, b;

	/* A constant may be an enumerator of the other operand's enum. */
	if (eval(f, node->a, NULL, &a) ? !eval(f, node->b, &a, &b) :
	    !eval(f, node->b, NULL, &b) || !eval(f, node->a, &b, &a))
		return false;
	/* If only the bounds of a number are known, its bits are unknown. */
	if ((a.has_most && a.most != a.number) || (b.has_most && b.most != b.number))
		return false;
	*found = (struct fargs_found){
		.kind = FARGS_FOUND_NUMBER,
		.btf = a.btf ? a.btf : b.btf,
		.enum_id = a.enum_id ? a.enum_id : b.enum_id,
		.number = a.number & b.number,
	};
	return true;
}

static bool eval(struct fargs_filter *f, const struct fargs_node *node,
		 const struct fargs_found *beside, struct fargs_found *found)
{
	__int128 value;

	if (node->kind == FARGS_NODE_TIME) {
		*found = (struct fargs_found){
			.kind = FARGS_FOUND_NUMBER, .number = node->number,
		};
		return true;
	}
	if (node->kind == FARGS_NODE_BITAND)
		return eval_masked(f, node, found);
	*found = (struct fargs_found){ };
	if (is_value(node) && fargs_lookup(&f->lookup, f->d, f->ev, node, found))
		f->is_short = true;
	if (found->kind == FARGS_FOUND_NUMBER)
		return true;
	if (found->kind != FARGS_FOUND_NONE || !eval_constant(f, node, beside, &value))
		return false;
	*found = (struct fargs_found){ .kind = FARGS_FOUND_NUMBER, .number = value };
	return true;
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

static bool compare_strings(struct fargs_filter *f, const struct fargs_node *node, bool is_negated)
{
	bool is_pattern_first = node->a->kind == FARGS_NODE_STRING;
	const struct fargs_node *pattern = is_pattern_first ? node->a : node->b;
	const struct fargs_node *value = is_pattern_first ? node->b : node->a;
	struct fargs_found found;

	if (fargs_lookup_string(&f->lookup, f->d, f->ev, value, &found))
		f->is_short = true;
	if (found.kind != FARGS_FOUND_STRING)
		return false;
	return fargs_match(pattern->text, pattern->len, found.text, found.len) ==
	       ((node->kind == FARGS_NODE_EQ) != is_negated);
}

static bool compare(struct fargs_filter *f, const struct fargs_node *node, bool is_negated)
{
	struct fargs_found a, b;

	if (node->a->kind == FARGS_NODE_STRING || node->b->kind == FARGS_NODE_STRING)
		return compare_strings(f, node, is_negated);
	/* A constant may be an enumerator of the other operand's enum. */
	if (!eval(f, node->a, NULL, &a)) {
		if (!eval(f, node->b, NULL, &b) || !eval(f, node->a, &b, &a))
			return false;
	} else if (!eval(f, node->b, &a, &b) ||
		   (b.enum_id && !a.enum_id && !eval(f, node->a, &b, &a))) {
		return false;
	}
	turn_error(&a, &b);
	turn_error(&b, &a);
	if (a.has_most || b.has_most)
		return relates_always(is_negated ? negated(node->kind) : node->kind, &a, &b);
	return relates(node->kind, a.number, b.number) != is_negated;
}

/*
 * Returns whether @node is true or, with @is_negated, whether it is false. If a value is missing,
 * @node is neither true nor false.
 */
static bool holds(struct fargs_filter *f, const struct fargs_node *node, bool is_negated)
{
	struct fargs_found found;
	bool is_all;

	switch (node->kind) {
	case FARGS_NODE_NOT:
		return holds(f, node->a, !is_negated);
	case FARGS_NODE_AND:
	case FARGS_NODE_OR:
		/* A negated "a && b" is "!a || !b"; a negated "a || b" is "!a && !b". */
		is_all = node->kind == FARGS_NODE_AND ? !is_negated : is_negated;
		if (is_all)
			return holds(f, node->a, is_negated) && holds(f, node->b, is_negated);
		return holds(f, node->a, is_negated) || holds(f, node->b, is_negated);
	case FARGS_NODE_EQ:
	case FARGS_NODE_NE:
	case FARGS_NODE_LT:
	case FARGS_NODE_LE:
	case FARGS_NODE_GT:
	case FARGS_NODE_GE:
		return compare(f, node, is_negated);
	default:
		if (!eval(f, node, NULL, &found))
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

	f->d = d;
	f->ev = ev;
	is_true = holds(f, f->sel.entry.condition, false);
	return f->is_short ? -ENOMEM : is_true;
}
