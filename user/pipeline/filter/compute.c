// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline/filter/compute.h"

#include "abi/param.h"
#include "select/typing/arith.h"
#include "select/typing/member.h"

/* Returns the type of a number, as far as arithmetic needs it; bits is 0 if it is unknown. */
static struct fargs_scalar scalar_of(const struct fargs_found *found)
{
	if (found->is_constant && !found->bits)
		return fargs_arith_constant(found->number);
	return (struct fargs_scalar){
		.bits = found->bits, .is_signed = found->is_signed,
		.is_pointer = found->is_pointer,
	};
}

/* Sets *@type to what a pointer points to. */
static bool find_target(const struct fargs_found *pointer, struct fargs_ctype *type)
{
	const struct btf_type *t;

	if (!pointer->is_pointer || !pointer->btf)
		return false;
	*type = pointer->target;
	if (pointer->has_target)
		return true;
	t = pointer->base_id ? btf__type_by_id(pointer->btf, pointer->base_id) : NULL;
	/* An argument that is declared as an array is a pointer to its first element. */
	if (!t || !(btf_is_ptr(t) || btf_is_array(t)))
		return false;
	*type = (struct fargs_ctype){ .id = btf_is_ptr(t) ? t->type : btf_array(t)->type };
	return true;
}

static int64_t size_of(const struct btf *btf, const struct fargs_ctype *type)
{
	const struct btf_type *t = btf__type_by_id(btf, fargs_param_strip(btf, type->id));

	if (type->pointers)
		return sizeof(uint64_t);
	return !t || btf_is_void(t) || btf_is_func_proto(t) || btf_is_fwd(t) ? 1 :
	       btf__resolve_size(btf, type->id);
}

/* Returns the size of what a pointer points to; 1 for void, -1 if it is unknown. */
static int64_t target_size(const struct fargs_found *pointer)
{
	struct fargs_ctype type;

	return find_target(pointer, &type) ? size_of(pointer->btf, &type) : -1;
}

static void set_number(struct fargs_found *found, __int128 number, const struct fargs_scalar *s,
		       const struct fargs_found *from)
{
	const struct btf *btf = from->btf;
	uint32_t enum_id = from->enum_id;

	*found = (struct fargs_found){
		.kind = FARGS_FOUND_NUMBER, .number = number, .bits = s->bits,
		.is_signed = s->is_signed, .btf = btf, .enum_id = enum_id,
	};
}

/* Computes "pointer + number" and "pointer - number"; in elements. */
static bool move_pointer(enum fargs_node_kind kind, const struct fargs_found *pointer,
			 const struct fargs_found *number, struct fargs_found *found)
{
	int64_t bytes = target_size(pointer);
	uint64_t by = (uint64_t)number->number * (uint64_t)bytes;

	if (bytes < 0)
		return false;
	*found = *pointer;
	found->number = (uint64_t)pointer->number + (kind == FARGS_NODE_SUB ? -by : by);
	return true;
}

static bool subtract_pointers(const struct fargs_found *a, const struct fargs_found *b,
			      struct fargs_found *found)
{
	const struct fargs_scalar s = fargs_arith_integer(64, true);
	int64_t bytes = target_size(a);

	/* As in the kernel, which does not divide: see operation.c. */
	if (bytes <= 0 || bytes != target_size(b) || bytes & (bytes - 1))
		return false;
	set_number(found, (int64_t)((uint64_t)a->number - (uint64_t)b->number) >>
		   __builtin_ctzll(bytes), &s, &(struct fargs_found){ });
	return true;
}

/* If only the bounds of a number are known, nothing is computed from it. */
static bool is_exact(const struct fargs_found *found)
{
	return (!found->has_most || found->most == found->number) &&
	       (found->is_constant || (found->bits && found->bits <= 64));
}

bool fargs_compute_binary(enum fargs_node_kind kind, const struct fargs_found *a,
			  const struct fargs_found *b, struct fargs_found *found)
{
	const struct fargs_scalar x = scalar_of(a), y = scalar_of(b);
	struct fargs_scalar common;
	bool is_shift = kind == FARGS_NODE_SHL || kind == FARGS_NODE_SHR;
	__int128 p, q;

	if (!is_exact(a) || !is_exact(b))
		return false;
	if (kind == FARGS_NODE_SUB && a->is_pointer && b->is_pointer)
		return subtract_pointers(a, b, found);
	if ((kind == FARGS_NODE_ADD || kind == FARGS_NODE_SUB) && a->is_pointer)
		return !b->is_pointer && move_pointer(kind, a, b, found);
	if (kind == FARGS_NODE_ADD && b->is_pointer)
		return move_pointer(kind, b, a, found);
	if ((kind == FARGS_NODE_MUL || kind == FARGS_NODE_SUB) && (a->is_pointer || b->is_pointer))
		return false;
	common = fargs_arith_common(kind, &x, &y);
	if (is_shift && (b->number < 0 || b->number >= common.bits))
		return false;
	p = fargs_arith_convert(a->number, &common);
	q = is_shift ? b->number : fargs_arith_convert(b->number, &common);
	set_number(found, fargs_arith_compute(kind, p, q, &common), &common,
		   a->enum_id || !b->enum_id ? a : b);
	return true;
}

bool fargs_compute_unary(enum fargs_node_kind kind, const struct fargs_found *a,
			 struct fargs_found *found)
{
	const struct fargs_scalar x = scalar_of(a);
	struct fargs_scalar s;
	__int128 number;

	if (!is_exact(a) || (a->is_pointer && kind == FARGS_NODE_NEGATIVE))
		return false;
	s = fargs_arith_promote(&x);
	number = fargs_arith_convert(a->number, &s);
	number = kind == FARGS_NODE_NEGATIVE ? -number : ~number;
	set_number(found, fargs_arith_convert(number, &s), &s, a);
	return true;
}

bool fargs_compute_cast(const struct btf *btf, const struct fargs_ctype *type,
			const struct fargs_found *a, struct fargs_found *found)
{
	struct fargs_compute_place place = { .btf = btf, .type = *type };
	struct fargs_scalar s;

	if (!is_exact(a))
		return false;
	if (type->pointers) {
		place.type.pointers--;
		place.address = a->number;
		fargs_compute_address(&place, found);
		return true;
	}
	if (!fargs_ctype_scalar(type, btf, &s) || s.bits > 64)
		return false;
	*found = (struct fargs_found){
		.kind = FARGS_FOUND_NUMBER, .number = fargs_arith_convert(a->number, &s),
		.bits = s.bits, .is_signed = s.is_signed, .is_pointer = s.is_pointer, .btf = btf,
		.type_id = type->id, .base_id = fargs_param_strip(btf, type->id),
		.enum_id = s.enum_id, .is_constant = a->is_constant,
	};
	return true;
}

bool fargs_compute_element(const struct fargs_found *pointer, __int128 index,
			   struct fargs_compute_place *to)
{
	int64_t bytes = target_size(pointer);

	*to = (struct fargs_compute_place){ .btf = pointer->btf };
	if (bytes < 0 || !find_target(pointer, &to->type))
		return false;
	to->address = (uint64_t)pointer->number + (uint64_t)index * (uint64_t)bytes;
	return true;
}

bool fargs_compute_item(struct fargs_compute_place *place, __int128 index)
{
	uint32_t base = fargs_param_strip(place->btf, place->type.id);
	const struct btf_type *t = btf__type_by_id(place->btf, base);

	if (place->type.pointers || !t || !btf_is_array(t) || index < 0 ||
	    (btf_array(t)->nelems && index >= btf_array(t)->nelems))
		return false;
	place->type.id = btf_array(t)->type;
	place->address += (uint64_t)index * (uint64_t)size_of(place->btf, &place->type);
	return true;
}

bool fargs_compute_member(struct fargs_compute_place *place, const struct fargs_node *node)
{
	struct fargs_member member;

	if (place->type.pointers ||
	    !fargs_member_find(&member, place->btf, fargs_param_strip(place->btf, place->type.id),
			       node->text, node->len) || member.bitfield_bits)
		return false;
	place->type.id = member.type_id;
	place->address += member.bit_offset / 8;
	return true;
}

void fargs_compute_address(const struct fargs_compute_place *place, struct fargs_found *found)
{
	*found = (struct fargs_found){
		.kind = FARGS_FOUND_NUMBER, .number = place->address, .bits = 64,
		.is_pointer = true, .btf = place->btf, .has_target = true, .target = place->type,
	};
}

int64_t fargs_compute_size(const struct fargs_found *found)
{
	if (found->kind == FARGS_FOUND_NUMBER && found->bits >= 8)
		return found->bits % 8 ? -1 : found->bits / 8;
	if (found->kind == FARGS_FOUND_WHOLE && found->btf && found->type_id)
		return btf__resolve_size(found->btf, found->type_id);
	return -1;
}
