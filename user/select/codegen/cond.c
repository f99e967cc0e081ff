// SPDX-License-Identifier: GPL-2.0-only
#include "select/codegen/cond.h"

#include <errno.h>
#include <string.h>

#include "select/codegen/compare.h"

bool fargs_cond_uses_return(const struct fargs_signature *func, const struct fargs_node *node)
{
	const struct fargs_node *item;

	if (!node)
		return false;
	if (fargs_expr_is_return(func, node))
		return true;
	if (node->kind == FARGS_NODE_CONTEXT)
		return fargs_node_is(node, "duration");
	/* Only the type matters. */
	if (node->kind == FARGS_NODE_SIZEOF)
		return false;
	for (item = node->kind == FARGS_NODE_IN ? node->b : NULL; item; item = item->next)
		if (fargs_cond_uses_return(func, item))
			return true;
	return fargs_cond_uses_return(func, node->a) || fargs_cond_uses_return(func, node->b) ||
	       fargs_cond_uses_return(func, node->c);
}

/*
 * Labels to jump to if a condition is true or false. One of them is bound right after the code of
 * the condition: is_true if is_true_next is set, else is_false.
 */
struct targets {
	struct fargs_label *is_true;
	struct fargs_label *is_false;
	bool is_true_next;
};

static int put(struct fargs_gen *gen, const struct fargs_node *node, bool is_negated,
	       const struct targets *to);

/*
 * Adds code for @node->a, then code for @node->b, which runs if @node->a does not determine the
 * result.
 */
static int put_two(struct fargs_gen *gen, const struct fargs_node *node, bool is_negated,
		   const struct targets *to)
{
	/* !(a && b) is !a || !b */
	bool is_and = (node->kind == FARGS_NODE_AND) != is_negated;
	struct fargs_label second = { };
	struct targets of_first = {
		.is_true = is_and ? &second : to->is_true,
		.is_false = is_and ? to->is_false : &second,
		.is_true_next = is_and,
	};
	int ret = put(gen, node->a, is_negated, &of_first);

	if (ret)
		return ret;
	fargs_code_bind(gen->code, &second);
	return put(gen, node->b, is_negated, to);
}

static int put(struct fargs_gen *gen, const struct fargs_node *node, bool is_negated,
	       const struct targets *to)
{
	int ret;

	if (node->kind == FARGS_NODE_NOT)
		return put(gen, node->a, !is_negated, to);
	if (node->kind == FARGS_NODE_AND || node->kind == FARGS_NODE_OR)
		return put_two(gen, node, is_negated, to);
	ret = fargs_compare(gen, node, is_negated, to->is_true);
	/*
	 * Jump explicitly: if a value cannot be read, execution also continues after the
	 * comparison.
	 */
	if (!ret && to->is_true_next)
		fargs_code_jump(gen->code, (struct fargs_insn){ .op = FARGS_OP_JMP },
				to->is_false);
	return ret;
}

int fargs_cond_require(struct fargs_gen *gen, const struct fargs_node *node, bool is_negated,
		       struct fargs_label *otherwise)
{
	struct fargs_label here = { };
	const struct targets to = { &here, otherwise, true };
	int ret = put(gen, node, is_negated, &to);

	if (!ret)
		fargs_code_bind(gen->code, &here);
	return ret;
}
