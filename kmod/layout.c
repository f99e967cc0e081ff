// SPDX-License-Identifier: GPL-2.0-only
#include "layout.h"

#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "refusal.h"

static_assert(sizeof(struct fargs_record) == 48);
static_assert(sizeof(struct fargs_record) % 16 == 0);
static_assert(offsetof(struct fargs_record, kind) == 2);
static_assert(sizeof(struct fargs_layout) == 64);
static_assert(sizeof(struct fargs_store) == 8);

#define FIELD(name) offsetof(struct fargs_layout, name)

/* One value of a body; offsets in bytes from the body's start. */
struct value {
	u32 type_offset;
	u32 data_offset;
	u32 data_len;	/* a multiple of 8 */
};

static const struct fargs_store *stores_of(const struct fargs_layout *layout)
{
	return (const void *)(layout + 1);
}

static const u8 *body_of(const struct fargs_layout *layout)
{
	return (const void *)(stores_of(layout) + layout->nr_stores);
}

/*
 * The value at *@at, which is moved behind it. Returns 1; 0 at the body's end;
 * -EINVAL if the body is not well-formed.
 */
static int next_value(const u8 *body, u32 len, u32 *at, struct value *value)
{
	u32 name = *at, pos;
	u16 bytes;
	u8 type;

	pos = name + strnlen(body + name, len - name);
	if (len - pos < 2)	/* its NUL and the type */
		return -EINVAL;
	value->type_offset = pos + 1;
	type = body[pos + 1];
	pos += 2;
	if (type == FARGS_TYPE_END)
		return value->type_offset == name + 1 ? 0 : -EINVAL;
	if (value->type_offset == name + 1)
		return -EINVAL;

	switch (type) {
	case FARGS_TYPE_U8 ... FARGS_TYPE_PTR:
		value->data_len = 8;
		break;
	case FARGS_TYPE_U128:
	case FARGS_TYPE_S128:
		value->data_len = 16;
		break;
	case FARGS_TYPE_BYTES:
		if (len - pos < sizeof(bytes))
			return -EINVAL;
		memcpy(&bytes, body + pos, sizeof(bytes));
		pos += sizeof(bytes);
		if (!bytes)
			return -EINVAL;
		value->data_len = round_up((u32)bytes, 8);
		break;
	default:
		return -EINVAL;
	}
	if (len - pos < value->data_len)
		return -EINVAL;
	value->data_offset = pos;
	*at = pos + value->data_len;
	return 1;
}

/* The value whose data holds @offset, of a body that is well-formed. */
static bool find_value(const struct fargs_layout *layout, u32 offset, struct value *value)
{
	u32 at = 0;

	while (next_value(body_of(layout), layout->body_len, &at, value) == 1) {
		if (offset >= value->data_offset &&
		    offset - value->data_offset < value->data_len)
			return true;
	}
	return false;
}

static int verify_body(const struct fargs_layout *layout, u32 nr, struct fargs_refusal *refusal)
{
	const u8 *body = body_of(layout);
	struct value value;
	u32 at = 0;
	int ret;

	while ((ret = next_value(body, layout->body_len, &at, &value)) == 1)
		;
	if (ret)
		return fargs_refuse(refusal, EINVAL, nr, body - (const u8 *)layout + at,
				    "the body is not well-formed at its byte %u", at);
	if (memchr_inv(body + at, 0, layout->body_len - at))
		return fargs_refuse(refusal, EINVAL, nr, FIELD(body_len),
				    "the body goes on behind its end at byte %u", at);
	return 0;
}

static int verify_store(const struct fargs_layout *layout, u32 i, u32 *regs_used, u32 nr,
			struct fargs_refusal *refusal)
{
	const struct fargs_store *stores = stores_of(layout), *store = &stores[i];
	u32 field = sizeof(*layout) + i * sizeof(*store);
	struct value value;
	u32 j;

	if (store->reserved)
		return fargs_refuse(refusal, EINVAL, nr,
				    field + offsetof(struct fargs_store, reserved),
				    "store %u: reserved is not 0", i);
	if (store->source == FARGS_SOURCE_REG && store->index < FARGS_REGS) {
		if (*regs_used & BIT(store->index))
			return fargs_refuse(refusal, EINVAL, nr,
					    field + offsetof(struct fargs_store, index),
					    "store %u: register %u is stored twice", i,
					    store->index);
		*regs_used |= BIT(store->index);
	} else if (store->source != FARGS_SOURCE_STACK || store->index >= FARGS_STACK_SLOTS) {
		return fargs_refuse(refusal, EINVAL, nr,
				    field + offsetof(struct fargs_store, source),
				    "store %u: there is no source %u with index %u", i,
				    store->source, store->index);
	}
	if (!find_value(layout, store->offset, &value) ||
	    (store->offset - value.data_offset) % 8)
		return fargs_refuse(refusal, EINVAL, nr,
				    field + offsetof(struct fargs_store, offset),
				    "store %u: offset %u is not in a value's data", i,
				    store->offset);
	for (j = 0; j < i; j++) {
		if (stores[j].offset == store->offset)
			return fargs_refuse(refusal, EINVAL, nr,
					    field + offsetof(struct fargs_store, offset),
					    "stores %u and %u fill the same data", j, i);
	}
	return 0;
}

int fargs_layout_verify(const struct fargs_layout *layout, u64 left, u32 nr,
			struct fargs_refusal *refusal)
{
	u32 regs_used = 0, i, size;
	int ret;

	if (left < sizeof(*layout))
		return fargs_refuse(refusal, EINVAL, nr, FIELD(size),
				    "the buffer ends inside layout %u", nr);
	if (layout->body_len % 8 || layout->body_len < 8 ||
	    layout->body_len > FARGS_RECORD_MAX - sizeof(struct fargs_record))
		return fargs_refuse(refusal, EINVAL, nr, FIELD(body_len),
				    "body_len %u is not a multiple of 8 from 8 to %zu",
				    layout->body_len,
				    FARGS_RECORD_MAX - sizeof(struct fargs_record));
	if (layout->nr_stores > FARGS_STORES_MAX)
		return fargs_refuse(refusal, EINVAL, nr, FIELD(nr_stores),
				    "%u stores are more than %u", layout->nr_stores,
				    FARGS_STORES_MAX);
	size = sizeof(*layout) + layout->nr_stores * sizeof(struct fargs_store) + layout->body_len;
	if (layout->size != size || left < size)
		return fargs_refuse(refusal, EINVAL, nr, FIELD(size),
				    "size is %u, its parts are %u, %llu are left in the buffer",
				    layout->size, size, left);
	if (layout->flags)
		return fargs_refuse(refusal, EINVAL, nr, FIELD(flags), "unknown flags %#x",
				    layout->flags);
	if (memchr_inv(layout->nr_insns, 0, FIELD(reserved) - FIELD(nr_insns)))
		return fargs_refuse(refusal, EINVAL, nr, FIELD(nr_insns),
				    "this module runs no programs");
	if (memchr_inv(layout->reserved, 0, sizeof(layout->reserved)))
		return fargs_refuse(refusal, EINVAL, nr, FIELD(reserved), "reserved is not 0");
	ret = verify_body(layout, nr, refusal);
	for (i = 0; !ret && i < layout->nr_stores; i++)
		ret = verify_store(layout, i, &regs_used, nr, refusal);
	return ret ?: size;
}

static size_t template_body_bytes(const struct fargs_layout *layout)
{
	return round_up(layout->body_len, 16);	/* copied 16 bytes at a time */
}

static u32 nr_stack_stores(const struct fargs_layout *layout)
{
	const struct fargs_store *stores = stores_of(layout);
	u32 i, n = 0;

	for (i = 0; i < layout->nr_stores; i++)
		n += stores[i].source == FARGS_SOURCE_STACK;
	return n;
}

size_t fargs_layout_template_size(const struct fargs_layout *layout)
{
	return sizeof(struct fargs_template) + template_body_bytes(layout) +
	       nr_stack_stores(layout) * sizeof(struct fargs_stack_store);
}

void fargs_layout_fill_template(const struct fargs_layout *layout, struct fargs_template *t)
{
	const struct fargs_store *store = stores_of(layout);
	const u32 header = sizeof(struct fargs_record);
	struct fargs_stack_store *stack;
	struct value value;
	u32 i;

	memset(t, 0, fargs_layout_template_size(layout));
	t->body_len = template_body_bytes(layout);
	t->len = header + t->body_len;
	t->head = t->len | FARGS_KIND_ENTRY << 16;
	memcpy(t->body, body_of(layout), layout->body_len);
	for (i = 0; i < FARGS_REGS; i++)
		t->reg_offset[i] = offsetof(struct fargs_record, seq);
	stack = (struct fargs_stack_store *)fargs_template_stack(t);
	for (i = 0; i < layout->nr_stores; i++, store++) {
		if (store->source == FARGS_SOURCE_REG) {
			t->reg_offset[store->index] = header + store->offset;
			t->nr_regs = max_t(u16, t->nr_regs, store->index + 1);
			continue;
		}
		find_value(layout, store->offset, &value);
		*stack++ = (struct fargs_stack_store){
			.offset = header + store->offset,
			.value_offset = header + value.data_offset,
			.type_offset = header + value.type_offset,
			.slot = store->index,
		};
		t->nr_stack++;
	}
}
