// SPDX-License-Identifier: GPL-2.0-only
#include "sink/text/found.h"

#include <string.h>

#include "base/put.h"
#include "kernel/value/symbolic.h"
#include "model/types.h"
#include "sink/text/value.h"

/* Maximum size of a member's name, including its NUL; longer names have no meaning. */
#define NAME_BYTES	64

void fargs_found_put_ns(struct fargs_buf *out, uint64_t ns)
{
	static const struct { uint64_t ns; const char *name; } units[] = {
		{ 1000000000, " s" }, { 1000000, " ms" }, { 1000, " us" },
	};
	unsigned int i;

	for (i = 0; i < 2 && ns < units[i].ns; i++)
		;
	/* Truncate instead of rounding, so that the duration shown never exceeds the actual one. */
	fargs_put_u64(out, ns / units[i].ns, 0, 0);
	fargs_put_char(out, '.');
	fargs_put_u64(out, ns % units[i].ns / (units[i].ns / 1000), 3, '0');
	fargs_put(out, units[i].name);
}

/* Returns the record type of integers of @bits bits; of 64 for any other number of bits. */
static uint8_t integer_of(unsigned int bits, bool is_signed)
{
	switch (bits) {
	case 8:
		return is_signed ? FARGS_TYPE_S8 : FARGS_TYPE_U8;
	case 16:
		return is_signed ? FARGS_TYPE_S16 : FARGS_TYPE_U16;
	case 32:
		return is_signed ? FARGS_TYPE_S32 : FARGS_TYPE_U32;
	default:
		return is_signed ? FARGS_TYPE_S64 : FARGS_TYPE_U64;
	}
}

/* Returns the record type whose values are shown in the same way as @found. */
static uint8_t type_of(const struct fargs_found *found)
{
	const struct btf_type *t = found->btf && found->base_id ?
				   btf__type_by_id(found->btf, found->base_id) : NULL;

	if (found->format)
		return integer_of(found->bits, found->is_signed);
	if (found->is_pointer)
		return FARGS_TYPE_PTR;
	if (t && btf_kind(t) == BTF_KIND_INT && btf_int_encoding(t) & BTF_INT_BOOL)
		return FARGS_TYPE_BOOL;
	if (t && fargs_types_is_char(found->btf, found->base_id))
		return FARGS_TYPE_CHAR;
	if (found->number > UINT64_MAX || found->number < INT64_MIN)
		return FARGS_TYPE_S128;
	return found->number < 0 ? FARGS_TYPE_S64 : FARGS_TYPE_U64;
}

/* Returns how the number is shown; NULL: by its C type. */
static const struct fargs_naming *naming_of(struct fargs_decoder *d,
					    const struct fargs_found *found)
{
	const struct fargs_node *node = found->member;
	const struct btf_type *of;
	char name[NAME_BYTES];

	if (found->naming || !node || node->len >= sizeof(name))
		return found->naming;
	of = btf__type_by_id(found->btf, found->of);
	memcpy(name, node->text, node->len);
	name[node->len] = '\0';
	return of ? fargs_symbolic_of_member(fargs_decoder_symbolic(d), found->btf, found->type_id,
					     btf__name_by_offset(found->btf, of->name_off), name) :
		    NULL;
}

static void put_number(struct fargs_buf *out, struct fargs_decoder *d,
		       const struct fargs_found *found)
{
	const struct fargs_arg arg = {
		.val = {
			.type = type_of(found), .data = &found->number,
			.bytes = sizeof(found->number),
		},
		.btf = found->btf,
		.btf_id = found->type_id,
		.base_id = found->base_id,
		.format = found->format,
		.shape = found->btf ? fargs_types_shape(found->btf, found->base_id) :
				      FARGS_SHAPE_PLAIN,
	};

	const struct fargs_naming *naming = found->format ? NULL : naming_of(d, found);

	if (naming && fargs_value_put_named(out, d, naming, (uint64_t)found->number, found->width))
		return;
	fargs_value_put(out, d, &arg);
}

static void put_whole(struct fargs_buf *out, struct fargs_decoder *d,
		      const struct fargs_found *found)
{
	int64_t bytes = found->btf && found->base_id ?
			fargs_types_size(found->btf, found->base_id) : -1;
	const uint64_t from = found->bit / 8;
	const struct fargs_arg arg = {
		.val = {
			.type = FARGS_TYPE_BYTES, .data = found->data + from,
			.bytes = bytes >= 0 && (uint64_t)bytes <= found->bytes - from ?
				 (uint64_t)bytes : found->bytes - from,
		},
		.btf = found->btf,
		.btf_id = found->type_id,
		.base_id = found->base_id,
		.shape = FARGS_SHAPE_AGGREGATE,
	};

	fargs_value_put(out, d, &arg);
}

/* Writes a time in seconds with all nine decimals. */
static void put_time(struct fargs_buf *out, uint64_t ns)
{
	fargs_put_u64(out, ns / 1000000000, 0, 0);
	fargs_put_char(out, '.');
	fargs_put_u64(out, ns % 1000000000, 9, '0');
}

/* Writes a duration, or its bounds if no more is known: "41.996 us..74.004 us". */
static void put_duration(struct fargs_buf *out, const struct fargs_found *found)
{
	fargs_found_put_ns(out, found->number);
	if (!found->has_most || found->most == found->number)
		return;
	fargs_put(out, "..");
	fargs_found_put_ns(out, found->most);
}

void fargs_found_put(struct fargs_buf *out, struct fargs_decoder *d,
		     const struct fargs_found *found)
{
	switch (found->kind) {
	case FARGS_FOUND_STRING:
		fargs_put_char(out, '"');
		fargs_put_escaped(out, found->text, found->len, "\"");
		fargs_put_char(out, '"');
		break;
	case FARGS_FOUND_WHOLE:
		put_whole(out, d, found);
		break;
	case FARGS_FOUND_NUMBER:
		if (found->is_time)
			put_time(out, found->number);
		else if (found->is_duration)
			put_duration(out, found);
		else
			put_number(out, d, found);
		break;
	}
}
