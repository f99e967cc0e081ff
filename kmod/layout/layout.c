// SPDX-License-Identifier: GPL-2.0-only
#include "layout/layout.h"

#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "base/refusal.h"
#include "layout/parts.h"
#include "layout/prog_verify.h"

static_assert(sizeof(struct fargs_record) == 48);
static_assert(sizeof(struct fargs_record) % 16 == 0);
static_assert(offsetof(struct fargs_record, kind) == 2);
static_assert(sizeof(struct fargs_layout) == 64);
static_assert(sizeof(struct fargs_symbol) == 32);
static_assert(sizeof(struct fargs_store) == 8);
static_assert(sizeof(struct fargs_insn) == 16);
static_assert(ARRAY_SIZE(((struct fargs_layout *)NULL)->nr_insns) == FARGS_PROGS);

#define FIELD(name)	offsetof(struct fargs_layout, name)
#define RETURN_STORES_MAX 3

struct verifier {
	const struct fargs_layout *layout;
	u32 nr;			/* index of the layout in the batch */
	struct fargs_refusal *refusal;
	u32 regs_used;		/* bit n is set if a store has register n as its source */
	/*
	 * The sources of stores that fill the return body. Bit 0 is set if a store has rax at the
	 * return as its source, bit 1: rdx at the return, bit 2: the TSC at the call.
	 */
	u32 returns_used;
};

static u32 parts_size(const struct fargs_layout *layout)
{
	u32 i, insns = 0;

	for (i = 0; i < FARGS_PROGS; i++)
		insns += layout->nr_insns[i];
	return sizeof(*layout) + layout->nr_stores * sizeof(struct fargs_store) +
	       insns * sizeof(struct fargs_insn) + layout->body_len + layout->return_body_len +
	       layout->const_len + layout->symbol_len;
}

/* Verifies the fields that determine the sizes of the layout's parts. */
static int verify_lengths(const struct verifier *v)
{
	const struct fargs_layout *layout = v->layout;
	const u32 most = FARGS_RECORD_MAX - sizeof(struct fargs_record);
	u32 i;

	if (layout->body_len % 8 || layout->body_len < 8 || layout->body_len > most)
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(body_len),
				    "body_len %u is not a multiple of 8 from 8 to %u",
				    layout->body_len, most);
	if (layout->nr_stores > FARGS_STORES_MAX + RETURN_STORES_MAX)
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(nr_stores),
				    "%u stores exceed the maximum of %u", layout->nr_stores,
				    FARGS_STORES_MAX + RETURN_STORES_MAX);
	for (i = 0; i < FARGS_PROGS; i++) {
		if (layout->nr_insns[i] > FARGS_PROG_MAX)
			return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(nr_insns[i]),
					    "%u instructions exceed the maximum of %u",
					    layout->nr_insns[i], FARGS_PROG_MAX);
	}
	if (layout->return_body_len % 8 || layout->return_body_len > most)
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(return_body_len),
				    "return_body_len %u is not a multiple of 8 up to %u",
				    layout->return_body_len, most);
	if (layout->const_len % 8 || layout->const_len > FARGS_CONST_MAX)
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(const_len),
				    "const_len %u is not a multiple of 8 up to %u",
				    layout->const_len, FARGS_CONST_MAX);
	if (layout->symbol_len % 8 || layout->symbol_len > FARGS_SYMBOL_MAX)
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(symbol_len),
				    "symbol_len %u is not a multiple of 8 up to %u",
				    layout->symbol_len, FARGS_SYMBOL_MAX);
	return 0;
}

/* For each program: if a layout has it, (layout->flags & @flags) must be equal to @wanted. */
static const struct {
	u32 flags;
	u32 wanted;
	const char *why;
} needs[FARGS_PROGS] = {
	[FARGS_PROG_ENTRY_PREDICATE ... FARGS_PROG_ENTRY_FETCH] = {
		FARGS_LAYOUT_SILENT, 0, "an entry program in a layout with FARGS_LAYOUT_SILENT"
	},
	[FARGS_PROG_RETURN_PREDICATE ... FARGS_PROG_RETURN_FETCH] = {
		FARGS_LAYOUT_RETURN, FARGS_LAYOUT_RETURN,
		"a program for the return of a function that is traced at entry only"
	},
	[FARGS_PROG_SCOPE] = {
		FARGS_LAYOUT_SCOPE, FARGS_LAYOUT_SCOPE,
		"a SCOPE program without FARGS_LAYOUT_SCOPE"
	},
	[FARGS_PROG_TRIGGER] = {
		FARGS_LAYOUT_TRIGGER, FARGS_LAYOUT_TRIGGER,
		"a TRIGGER program without FARGS_LAYOUT_TRIGGER"
	},
	[FARGS_PROG_RETURN_TRIGGER] = {
		FARGS_LAYOUT_TRIGGER | FARGS_LAYOUT_RETURN,
		FARGS_LAYOUT_TRIGGER | FARGS_LAYOUT_RETURN,
		"a RETURN_TRIGGER program without FARGS_LAYOUT_TRIGGER and _RETURN"
	},
};

static int verify_flags(const struct verifier *v)
{
	const u32 known = FARGS_LAYOUT_RETURN | FARGS_LAYOUT_GRAPH | FARGS_LAYOUT_DEFERRED |
			  FARGS_LAYOUT_SCOPE | FARGS_LAYOUT_SILENT | FARGS_LAYOUT_TRIGGER |
			  FARGS_LAYOUT_TPOINT | FARGS_LAYOUT_RELOAD;
	const struct fargs_layout *layout = v->layout;
	u32 i;

	if (layout->flags & ~known)
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(flags), "unknown flags %#x",
				    layout->flags);
	if (((layout->flags & FARGS_LAYOUT_GRAPH) && !(layout->flags & FARGS_LAYOUT_RETURN)) ||
	    ((layout->flags & FARGS_LAYOUT_SILENT) &&
	     (layout->flags & ~FARGS_LAYOUT_NAMED) !=
	     (FARGS_LAYOUT_SCOPE | FARGS_LAYOUT_SILENT)) ||
	    ((layout->flags & FARGS_LAYOUT_TPOINT) &&
	     (layout->flags & ~(FARGS_LAYOUT_TPOINT | FARGS_LAYOUT_NAMED |
			       FARGS_LAYOUT_TRIGGER))) ||
	    (layout->flags & FARGS_LAYOUT_NAMED) == FARGS_LAYOUT_NAMED)
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(flags),
				    "the flags %#x cannot be combined", layout->flags);
	if (!(layout->flags & FARGS_LAYOUT_RETURN) != !layout->return_body_len)
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(return_body_len),
				    "return_body_len is %u with flags %#x: it must be nonzero with FARGS_LAYOUT_RETURN, else 0",
				    layout->return_body_len, layout->flags);
	for (i = 0; i < FARGS_PROGS; i++) {
		if (layout->nr_insns[i] && (layout->flags & needs[i].flags) != needs[i].wanted)
			return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(nr_insns[i]),
					    "%s", needs[i].why);
	}
	if ((layout->flags & FARGS_LAYOUT_SILENT) && layout->nr_stores)
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(nr_stores),
				    "%u stores in a layout with FARGS_LAYOUT_SILENT, which must have none",
				    layout->nr_stores);
	return 0;
}

static bool is_tpoint(const struct fargs_layout *layout)
{
	return layout->flags & FARGS_LAYOUT_TPOINT;
}

static int refuse_symbol(const struct verifier *v, u32 offset, const char *why)
{
	const u8 *symbol = (const u8 *)fargs_layout_symbol(v->layout);

	return fargs_refuse(v->refusal, EINVAL, v->nr, symbol - (const u8 *)v->layout + offset,
			    "the symbol of a %s %s", is_tpoint(v->layout) ? "tracepoint" :
			    v->layout->flags & FARGS_LAYOUT_DEFERRED ? "deferred layout" :
			    "layout with FARGS_LAYOUT_RELOAD", why);
}

/* Verifies that a symbol has two names that are not empty, followed only by zeroes. */
static int verify_names(const struct verifier *v, const char *names, u32 len)
{
	u32 i, at = 0, field = offsetof(struct fargs_symbol, names);

	for (i = 0; i < 2; i++) {
		u32 name_len = strnlen(names + at, len - at);

		if (at == len)
			return refuse_symbol(v, field + at - 1, "has only the name of a module");
		if (!name_len)
			return refuse_symbol(v, field + at, "has an empty name");
		if (name_len == len - at)
			return refuse_symbol(v, field + at, "has a name that does not end in NUL");
		at += name_len + 1;
	}
	if (memchr_inv(names + at, 0, len - at))
		return refuse_symbol(v, field + at, "has data after its names");
	return 0;
}

static int verify_symbol(const struct verifier *v)
{
	const struct fargs_layout *layout = v->layout;
	const struct fargs_symbol *symbol = fargs_layout_symbol(layout);
	bool has_symbol = layout->flags & (FARGS_LAYOUT_NAMED | FARGS_LAYOUT_TPOINT);

	if (!has_symbol && layout->symbol_len)
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(symbol_len),
				    "a symbol in a layout without FARGS_LAYOUT_DEFERRED, _RELOAD or _TPOINT");
	if (!has_symbol)
		return 0;
	if (layout->addr && (layout->flags & (FARGS_LAYOUT_DEFERRED | FARGS_LAYOUT_TPOINT)))
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(addr),
				    "addr must be 0 in a %s layout",
				    is_tpoint(layout) ? "tracepoint" : "deferred");
	if (!layout->addr && (layout->flags & FARGS_LAYOUT_RELOAD) && !is_tpoint(layout))
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(addr),
				    "addr must not be 0 in a layout with FARGS_LAYOUT_RELOAD");
	if (layout->symbol_len <= sizeof(*symbol))
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(symbol_len),
				    "symbol_len %u has no room for names", layout->symbol_len);
	if (memchr_inv(symbol->reserved, 0, sizeof(symbol->reserved)))
		return refuse_symbol(v, offsetof(struct fargs_symbol, reserved),
				    "has reserved fields that are not 0");
	if (is_tpoint(layout) && symbol->index)
		return refuse_symbol(v, offsetof(struct fargs_symbol, index),
				    "has an index that is not 0");
	if (symbol->build_id_len > FARGS_SYMBOL_ID_MAX)
		return refuse_symbol(v, offsetof(struct fargs_symbol, build_id_len),
				    "has a build ID that is too long");
	if (memchr_inv(symbol->build_id + symbol->build_id_len, 0,
		       FARGS_SYMBOL_ID_MAX - symbol->build_id_len))
		return refuse_symbol(v, offsetof(struct fargs_symbol, build_id) +
				    symbol->build_id_len, "has data after its build ID");
	return verify_names(v, symbol->names, layout->symbol_len - sizeof(*symbol));
}

/*
 * Since FARGS_RECORD_MAX bounds @len, append_max needs no other check. @len is a sum of 16-bit
 * lengths, and does not overflow.
 */
static int verify_record(const struct verifier *v, u32 len, u32 field)
{
	if (round_up(len, FARGS_RECORD_ALIGN) > FARGS_RECORD_MAX)
		return fargs_refuse(v->refusal, EINVAL, v->nr, field,
				    "a record of %u bytes is longer than %u", len,
				    FARGS_RECORD_MAX);
	return 0;
}

static int verify_appends(const struct verifier *v)
{
	const struct fargs_layout *layout = v->layout;
	u32 entry = sizeof(struct fargs_record) + layout->body_len + layout->append_max;
	u32 at_return = layout->return_body_len + layout->return_append_max;

	if (layout->append_max && !layout->nr_insns[FARGS_PROG_ENTRY_FETCH])
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(append_max),
				    "append_max %u without a program that appends",
				    layout->append_max);
	if (layout->return_append_max && !layout->nr_insns[FARGS_PROG_RETURN_FETCH])
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(return_append_max),
				    "return_append_max %u without a program that appends",
				    layout->return_append_max);
	at_return += layout->flags & FARGS_LAYOUT_GRAPH ? sizeof(struct fargs_record) : entry;
	return verify_record(v, entry, FIELD(append_max)) ?:
	       verify_record(v, at_return, FIELD(return_append_max));
}

static int verify_body(const struct verifier *v, const struct fargs_body *body, u32 len_field)
{
	struct fargs_body_value value;
	u32 at = 0;
	int ret;

	while ((ret = fargs_body_next(body, &at, &value)) == 1)
		;
	/* If the body lacks its end, report the field with the body's length. */
	if (ret)
		return fargs_refuse(v->refusal, EINVAL, v->nr, at == body->len ? len_field :
				    body->bytes - (const u8 *)v->layout + at,
				    "the body is malformed at byte %u", at);
	if (memchr_inv(body->bytes + at, 0, body->len - at))
		return fargs_refuse(v->refusal, EINVAL, v->nr, len_field,
				    "the body has data after its end at byte %u", at);
	return 0;
}

static int verify_source(struct verifier *v, u32 i, u32 field)
{
	const struct fargs_store *store = &fargs_layout_stores(v->layout)[i];
	bool is_return = v->layout->flags & FARGS_LAYOUT_RETURN;
	u32 *used, bit;

	field += offsetof(struct fargs_store, source);
	if (store->source == FARGS_SOURCE_STACK && store->index < FARGS_STACK_SLOTS)
		return 0;
	if (store->source == FARGS_SOURCE_REG && store->index < FARGS_REGS) {
		used = &v->regs_used;
		bit = store->index;
	} else if (is_return && store->source == FARGS_SOURCE_RETURN && store->index < 2) {
		used = &v->returns_used;
		bit = store->index;
	} else if (is_return && store->source == FARGS_SOURCE_ENTRY_TSC && !store->index) {
		used = &v->returns_used;
		bit = 2;
	} else {
		return fargs_refuse(v->refusal, EINVAL, v->nr, field,
				    "store %u: there is no source %u with index %u", i,
				    store->source, store->index);
	}
	if (*used & BIT(bit))
		return fargs_refuse(v->refusal, EINVAL, v->nr,
				    field - offsetof(struct fargs_store, source) +
				    offsetof(struct fargs_store, index),
				    "store %u: register %u is stored twice", i, store->index);
	*used |= BIT(bit);
	return 0;
}

static int verify_store(struct verifier *v, u32 i)
{
	const struct fargs_store *stores = fargs_layout_stores(v->layout), *store = &stores[i];
	u32 field = sizeof(*v->layout) + i * sizeof(*store);
	bool is_return = fargs_store_is_return(store);
	struct fargs_body_value value;
	struct fargs_body body;
	int ret;
	u32 j;

	if (store->reserved)
		return fargs_refuse(v->refusal, EINVAL, v->nr,
				    field + offsetof(struct fargs_store, reserved),
				    "store %u: reserved is not 0", i);
	ret = verify_source(v, i, field);
	if (ret)
		return ret;
	body = is_return ? fargs_layout_return_body(v->layout) : fargs_layout_body(v->layout);
	if (!fargs_body_find(&body, store->offset, &value) ||
	    (store->offset - value.data_offset) % 8)
		return fargs_refuse(v->refusal, EINVAL, v->nr,
				    field + offsetof(struct fargs_store, offset),
				    "store %u: offset %u is not in a value's data", i,
				    store->offset);
	for (j = 0; j < i; j++) {
		if (stores[j].offset == store->offset &&
		    fargs_store_is_return(&stores[j]) == is_return)
			return fargs_refuse(v->refusal, EINVAL, v->nr,
					    field + offsetof(struct fargs_store, offset),
					    "stores %u and %u fill the same data", j, i);
	}
	return 0;
}

static int verify_stores(struct verifier *v)
{
	const struct fargs_store *stores = fargs_layout_stores(v->layout);
	u32 i, nr_entry = 0;
	int ret = 0;

	for (i = 0; !ret && i < v->layout->nr_stores; i++) {
		ret = verify_store(v, i);
		nr_entry += !fargs_store_is_return(&stores[i]);
	}
	if (!ret && nr_entry > FARGS_STORES_MAX)
		return fargs_refuse(v->refusal, EINVAL, v->nr, FIELD(nr_stores),
				    "%u stores at entry exceed the maximum of %u", nr_entry,
				    FARGS_STORES_MAX);
	return ret;
}

static int verify_parts(struct verifier *v)
{
	struct fargs_body body = fargs_layout_body(v->layout);
	struct fargs_body return_body = fargs_layout_return_body(v->layout);
	int ret;
	u32 i;

	ret = verify_body(v, &body, FIELD(body_len));
	if (!ret && return_body.len)
		ret = verify_body(v, &return_body, FIELD(return_body_len));
	if (!ret)
		ret = verify_stores(v);
	for (i = 0; !ret && i < FARGS_PROGS; i++)
		ret = fargs_prog_verify(v->layout, i, v->nr, v->refusal);
	return ret;
}

int fargs_layout_verify(const struct fargs_layout *layout, u64 left, u32 nr,
			struct fargs_refusal *refusal)
{
	struct verifier v = { .layout = layout, .nr = nr, .refusal = refusal };
	u32 size;
	int ret;

	if (left < sizeof(*layout))
		return fargs_refuse(refusal, EINVAL, nr, FIELD(size),
				    "the buffer ends inside layout %u", nr);
	ret = verify_lengths(&v);
	if (ret)
		return ret;
	size = parts_size(layout);
	if (layout->size != size || left < size)
		return fargs_refuse(refusal, EINVAL, nr, FIELD(size),
				    "size %u must equal the size of its parts (%u) and fit into the rest of the buffer (%llu)",
				    layout->size, size, left);
	if (memchr_inv(layout->reserved, 0, sizeof(layout->reserved)))
		return fargs_refuse(refusal, EINVAL, nr, FIELD(reserved), "reserved is not 0");
	ret = verify_flags(&v) ?: verify_symbol(&v) ?: verify_appends(&v) ?: verify_parts(&v);
	return ret ?: size;
}

enum fargs_reads fargs_layout_reads(const struct fargs_layout *layout, u32 *field)
{
	const struct fargs_store *stores = fargs_layout_stores(layout);
	u32 i, read;

	for (i = 0; i < FARGS_PROGS; i++) {
		read = fargs_prog_find_read(layout, i);
		if (read == layout->nr_insns[i])
			continue;
		*field = (const u8 *)&fargs_layout_insns(layout, i)[read] - (const u8 *)layout;
		return FARGS_READS_MEMORY;
	}
	for (i = 0; i < layout->nr_stores; i++) {
		if (stores[i].source != FARGS_SOURCE_STACK ||
		    stores[i].index < FARGS_STACK_SLOTS_PLAIN)
			continue;
		*field = (const u8 *)&stores[i] - (const u8 *)layout;
		return FARGS_READS_SLOTS;
	}
	return FARGS_READS_NOTHING;
}

enum fargs_path fargs_layout_path(const struct fargs_layout *layout)
{
	if (is_tpoint(layout))
		return FARGS_PATH_TPOINT;
	if (layout->flags & (FARGS_LAYOUT_RETURN | FARGS_LAYOUT_SCOPE))
		return FARGS_PATH_RETURN;
	if (layout->flags & FARGS_LAYOUT_TRIGGER)
		return FARGS_PATH_FETCH;
	return memchr_inv(layout->nr_insns, 0, sizeof(layout->nr_insns)) ? FARGS_PATH_FETCH :
									    FARGS_PATH_PLAIN;
}
