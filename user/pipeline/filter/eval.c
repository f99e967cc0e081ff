// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline/filter/eval.h"

#include <stdlib.h>

#include "pipeline/filter/compute.h"
#include "select/typing/constant_type.h"
#include "select/typing/offset.h"

/* Cached value of a constant expression. */
struct fargs_eval_memo {
	const struct fargs_node *node;
	const struct btf *btf;
	uint32_t enum_id;
	bool is_known;
	__int128 value;
	/* The same with the types of C; the type has 0 bits if it is unknown. */
	struct fargs_scalar scalar;
	__int128 typed;
};

void fargs_eval_deinit(struct fargs_eval *e)
{
	fargs_constants_deinit(&e->constants);
	fargs_lookup_deinit(&e->lookup);
	free(e->memos);
}

static void fill_memo(struct fargs_eval *e, struct fargs_eval_memo *memo,
		      const struct fargs_signature *none)
{
	struct fargs_diagnostic m = { };
	struct fargs_typed_constant c;

	if (!fargs_constant_is(none, memo->node))
		return;
	memo->is_known = !fargs_constant_eval(&e->constants, none, memo->node, memo->enum_id,
					      &memo->value, &m);
	if (memo->is_known && !fargs_constant_type(&e->constants, none, memo->node, memo->enum_id,
						   &c, &m)) {
		memo->scalar = c.scalar;
		memo->typed = c.value;
	}
}

/* Returns NULL if out of memory. */
static const struct fargs_eval_memo *memo_of(struct fargs_eval *e, const struct fargs_node *node,
					     const struct fargs_found *beside)
{
	const struct fargs_signature none = {
		.btf = beside && beside->btf ? beside->btf : e->btf, .name = "",
	};
	uint32_t enum_id = beside ? beside->enum_id : 0;
	struct fargs_eval_memo *memo;
	size_t i;

	for (i = 0; i < e->nr_memos; i++) {
		memo = &e->memos[i];
		if (memo->node == node && memo->btf == none.btf && memo->enum_id == enum_id)
			return memo;
	}
	memo = realloc(e->memos, (e->nr_memos + 1) * sizeof(*memo));
	if (!memo) {
		e->is_short = true;
		return NULL;
	}
	e->memos = memo;
	memo += e->nr_memos++;
	*memo = (struct fargs_eval_memo){ .node = node, .btf = none.btf, .enum_id = enum_id };
	fill_memo(e, memo, &none);
	return memo;
}

/* Returns false if @node is not a constant. */
static bool eval_constant(struct fargs_eval *e, const struct fargs_node *node,
			  const struct fargs_found *beside, __int128 *value)
{
	const struct fargs_eval_memo *memo = memo_of(e, node, beside);

	if (!memo || !memo->is_known)
		return false;
	*value = memo->value;
	return true;
}

/* Gives @found, if it is the constant @node, its type in C: it is computed with @beside. */
static void give_type(struct fargs_eval *e, const struct fargs_node *node,
		      const struct fargs_found *beside, struct fargs_found *found)
{
	const struct fargs_eval_memo *memo = found->is_constant ? memo_of(e, node, beside) : NULL;

	if (!memo || !memo->scalar.bits)
		return;
	found->number = memo->typed;
	found->bits = memo->scalar.bits;
	found->is_signed = memo->scalar.is_signed;
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

/* Looks up the value of @node, or evaluates @node as a constant. */
static bool eval_leaf(struct fargs_eval *e, const struct fargs_node *node,
		      const struct fargs_found *beside, struct fargs_found *found)
{
	__int128 value;

	*found = (struct fargs_found){ };
	if (is_value(node) && fargs_lookup(&e->lookup, e->d, e->ev, node, found))
		e->is_short = true;
	if (found->kind == FARGS_FOUND_NUMBER)
		return true;
	if (found->kind == FARGS_FOUND_NONE && node->kind == FARGS_NODE_FORMAT)
		return fargs_eval_number(e, node->a, beside, found);
	if (found->kind != FARGS_FOUND_NONE || !eval_constant(e, node, beside, &value))
		return false;
	*found = (struct fargs_found){
		.kind = FARGS_FOUND_NUMBER, .number = value, .is_constant = true,
	};
	return true;
}

bool fargs_eval_beside(struct fargs_eval *e, const struct fargs_node *node,
		       const struct fargs_found *beside, struct fargs_found *found)
{
	__int128 value;

	while (node->kind == FARGS_NODE_FORMAT)
		node = node->a;
	if (!eval_constant(e, node, beside, &value))
		return false;
	*found = (struct fargs_found){
		.kind = FARGS_FOUND_NUMBER, .number = value, .is_constant = true,
	};
	return true;
}

/* Evaluates both operands; a constant may be an enumerator of the other operand's enum. */
static bool eval_operands(struct fargs_eval *e, const struct fargs_node *node,
			  const struct fargs_found *beside, struct fargs_found *a,
			  struct fargs_found *b)
{
	if (!node->b)
		return fargs_eval_number(e, node->a, beside, a);
	if (!fargs_eval_number(e, node->a, NULL, a))
		return fargs_eval_number(e, node->b, NULL, b) &&
		       fargs_eval_beside(e, node->a, b, a);
	return fargs_eval_number(e, node->b, a, b);
}

static bool eval_operator(struct fargs_eval *e, const struct fargs_node *node,
			  const struct fargs_found *beside, struct fargs_found *found)
{
	struct fargs_found a = { }, b = { };
	__int128 value;

	if (!eval_operands(e, node, beside, &a, &b)) {
		/* Both operands may be enumerators of the enum beside them. */
		if (!eval_constant(e, node, beside, &value))
			return false;
	} else if (!a.is_constant || (node->b && !b.is_constant)) {
		give_type(e, node->a, &b, &a);
		if (node->b)
			give_type(e, node->b, &a, &b);
		return node->b ? fargs_compute_binary(node->kind, &a, &b, found) :
				 fargs_compute_unary(node->kind, &a, found);
	} else if (!eval_constant(e, node, beside, &value)) {
		return false;
	}
	*found = (struct fargs_found){
		.kind = FARGS_FOUND_NUMBER, .number = value, .is_constant = true,
	};
	return true;
}

static bool eval_cast(struct fargs_eval *e, const struct fargs_node *node,
		      struct fargs_found *found)
{
	struct fargs_diagnostic m = { };
	struct fargs_ctype type;
	struct fargs_found a;
	const struct btf *btf;

	if (!fargs_eval_number(e, node->a, NULL, &a))
		return false;
	btf = a.btf ? a.btf : e->btf;
	return !fargs_ctype_init(&type, &e->constants.types, btf, node->b, &m) &&
	       fargs_compute_cast(btf, &type, &a, found);
}

/*
 * Sets *@to to the address of the object @node, with its type; reads no memory. Returns false if
 * the event does not have what the address is computed from.
 */
static bool eval_place(struct fargs_eval *e, const struct fargs_node *node,
		       struct fargs_compute_place *to)
{
	struct fargs_found pointer, index;

	switch (node->kind) {
	case FARGS_NODE_DEREF:
		return fargs_eval_number(e, node->a, NULL, &pointer) &&
		       fargs_compute_element(&pointer, 0, to);
	case FARGS_NODE_MEMBER:
		if (!node->is_arrow)
			return eval_place(e, node->a, to) && fargs_compute_member(to, node);
		return fargs_eval_number(e, node->a, NULL, &pointer) &&
		       fargs_compute_element(&pointer, 0, to) && fargs_compute_member(to, node);
	case FARGS_NODE_INDEX:
		if (!fargs_eval_number(e, node->b, NULL, &index))
			return false;
		if (fargs_eval_number(e, node->a, NULL, &pointer))
			return fargs_compute_element(&pointer, index.number, to);
		return eval_place(e, node->a, to) && fargs_compute_item(to, index.number);
	default:
		return false;
	}
}

static bool eval_address(struct fargs_eval *e, const struct fargs_node *node,
			 struct fargs_found *found)
{
	struct fargs_compute_place place;

	if (!eval_place(e, node->a, &place))
		return false;
	fargs_compute_address(&place, found);
	return true;
}

static bool eval_container(struct fargs_eval *e, const struct fargs_node *node,
			   struct fargs_found *found)
{
	struct fargs_signature none = { .name = "" };
	struct fargs_compute_place place = { };
	struct fargs_diagnostic m = { };
	struct fargs_offset offset;
	struct fargs_found a;

	if (!fargs_eval_number(e, node->a, NULL, &a) || !a.is_pointer)
		return false;
	none.btf = a.btf ? a.btf : e->btf;
	if (fargs_offset_init(&offset, &e->constants, &none, node, &m))
		return false;
	place.btf = none.btf;
	place.type = offset.container;
	place.address = a.number - offset.bytes;
	fargs_compute_address(&place, found);
	return true;
}

/* The size of a type is a constant; that of a value depends on the event. */
static bool eval_sizeof(struct fargs_eval *e, const struct fargs_node *node,
			struct fargs_found *found)
{
	struct fargs_found of = { };
	int64_t bytes;

	if (fargs_lookup(&e->lookup, e->d, e->ev, node->a, &of))
		e->is_short = true;
	if (of.kind == FARGS_FOUND_NONE && !fargs_eval_number(e, node->a, NULL, &of))
		return false;
	if (of.is_constant)
		return false;
	bytes = fargs_compute_size(&of);
	*found = (struct fargs_found){
		.kind = FARGS_FOUND_NUMBER, .number = bytes, .is_constant = true,
		.bits = 64,
	};
	return bytes >= 0;
}

bool fargs_eval_number(struct fargs_eval *e, const struct fargs_node *node,
		       const struct fargs_found *beside, struct fargs_found *found)
{
	switch (node->kind) {
	case FARGS_NODE_TIME:
		*found = (struct fargs_found){
			.kind = FARGS_FOUND_NUMBER, .number = node->number,
		};
		return true;
	case FARGS_NODE_SIZEOF:
		return eval_leaf(e, node, beside, found) || eval_sizeof(e, node, found);
	case FARGS_NODE_CAST:
	case FARGS_NODE_ADDRESS:
	case FARGS_NODE_CONTAINER:
	case FARGS_NODE_NEGATIVE:
	case FARGS_NODE_INVERT:
	case FARGS_NODE_MUL ... FARGS_NODE_BITOR:
		break;
	default:
		return eval_leaf(e, node, beside, found);
	}
	if (fargs_lookup(&e->lookup, e->d, e->ev, node, found))
		e->is_short = true;
	if (found->kind == FARGS_FOUND_NUMBER)
		return true;
	if (node->kind == FARGS_NODE_CAST)
		return eval_cast(e, node, found);
	if (node->kind == FARGS_NODE_ADDRESS)
		return eval_address(e, node, found);
	if (node->kind == FARGS_NODE_CONTAINER)
		return eval_container(e, node, found);
	return eval_operator(e, node, beside, found);
}
