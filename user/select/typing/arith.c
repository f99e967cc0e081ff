// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/arith.h"

#include "abi/param.h"

#define INT_BITS	32
#define LONG_BITS	64

struct fargs_scalar fargs_arith_integer(unsigned int bits, bool is_signed)
{
	return (struct fargs_scalar){
		.type = fargs_param_int_type(bits / 8, is_signed), .bits = bits,
		.is_signed = is_signed,
	};
}

struct fargs_scalar fargs_arith_constant(__int128 value)
{
	return fargs_arith_integer(value == (int32_t)value ? INT_BITS : LONG_BITS,
				   value <= INT64_MAX);
}

struct fargs_scalar fargs_arith_promote(const struct fargs_scalar *s)
{
	if (s->is_pointer || s->bits > INT_BITS)
		return fargs_arith_integer(LONG_BITS, s->is_signed && !s->is_pointer);
	/* An int represents all values of a narrower type. */
	return fargs_arith_integer(INT_BITS, s->is_signed || s->bits < INT_BITS);
}

struct fargs_scalar fargs_arith_common(enum fargs_node_kind kind, const struct fargs_scalar *a,
				       const struct fargs_scalar *b)
{
	const struct fargs_scalar x = fargs_arith_promote(a), y = fargs_arith_promote(b);

	if (kind == FARGS_NODE_SHL || kind == FARGS_NODE_SHR)
		return x;
	if (x.bits != y.bits)
		return x.bits > y.bits ? x : y;
	return x.is_signed ? y : x;
}

__int128 fargs_arith_convert(__int128 value, const struct fargs_scalar *s)
{
	if (s->is_bool)
		return value != 0;
	value &= ((__int128)1 << s->bits) - 1;
	if (s->is_signed && value >> (s->bits - 1))
		value -= (__int128)1 << s->bits;
	return value;
}

__int128 fargs_arith_compute(enum fargs_node_kind kind, __int128 a, __int128 b,
			     const struct fargs_scalar *s)
{
	/* Unsigned, so that nothing overflows; the result is truncated anyway. */
	unsigned __int128 x = a, y = b;

	switch (kind) {
	case FARGS_NODE_MUL:
		x *= y;
		break;
	case FARGS_NODE_ADD:
		x += y;
		break;
	case FARGS_NODE_SUB:
		x -= y;
		break;
	case FARGS_NODE_SHL:
		x <<= (int)b;
		break;
	case FARGS_NODE_SHR:
		x = a >> (int)b;
		break;
	case FARGS_NODE_BITAND:
		x &= y;
		break;
	case FARGS_NODE_BITXOR:
		x ^= y;
		break;
	default:
		x |= y;
	}
	return fargs_arith_convert(x, s);
}
