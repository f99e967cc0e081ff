/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What include/uapi/fargs_layout.h and fargs_record.h allow, said a second time and
 * out of their comments alone: the module's answers are compared with it. It knows
 * layouts of FARGS_FEATURE_ENTRY, without programs and returns.
 */
#ifndef FARGS_SELFTESTS_LAYOUT_MODEL_H
#define FARGS_SELFTESTS_LAYOUT_MODEL_H

#include <stdint.h>
#include <string.h>

#include "uapi/fargs_layout.h"
#include "uapi/fargs_record.h"

#define MODEL_BODY_MAX	(FARGS_RECORD_MAX - sizeof(struct fargs_record))

/* The first rule that a layout breaks, in the order they are looked at. */
enum model_rule {
	MODEL_VALID,
	MODEL_CUT,		/* the buffer ends inside the layout */
	MODEL_FEATURE,		/* programs, returns, unknown flags */
	MODEL_SIZE,		/* not the sum of the parts */
	MODEL_BODY_LEN,		/* not a multiple of 8, or too long for a record */
	MODEL_NR_STORES,
	MODEL_RESERVED,
	MODEL_NAME,		/* without an end, or empty where none may be */
	MODEL_TYPE,
	MODEL_DATA,		/* reaches behind the body, or is none */
	MODEL_END,		/* absent, or something behind it */
	MODEL_SOURCE,
	MODEL_INDEX,
	MODEL_REGISTER_TWICE,
	MODEL_PLACE,		/* a store elsewhere than into data */
	MODEL_PLACE_TWICE,
	MODEL_STORE_RESERVED,
	MODEL_RULES
};

static const char *const model_rule_names[MODEL_RULES] = {
	"valid", "cut off", "feature", "size", "body_len", "nr_stores", "reserved", "name",
	"type", "data", "end", "source", "index", "register twice", "place", "place twice",
	"reserved of a store",
};

/* Where the data of one value is, without the length of bytes. */
struct model_data {
	uint32_t at;
	uint32_t bytes;
};

/* Finds the data of a value of @type at @at. False if it is none or not inside @len. */
static inline bool model_data_at(const uint8_t *body, uint32_t len, uint32_t at, uint8_t type,
				 struct model_data *data)
{
	uint16_t n;

	data->at = at;
	switch (type) {
	case FARGS_TYPE_U128:
	case FARGS_TYPE_S128:
		data->bytes = 16;
		break;
	case FARGS_TYPE_BYTES:
		if (len - at < sizeof(n))
			return false;
		memcpy(&n, body + at, sizeof(n));
		data->at = at + sizeof(n);
		data->bytes = (n + 7u) & ~7u;
		if (!n)
			return false;
		break;
	default:
		data->bytes = 8;
	}
	return data->bytes <= len - data->at;
}

static inline bool model_is_type(uint8_t type)
{
	return type > FARGS_TYPE_END && type <= FARGS_TYPE_BYTES && type != FARGS_TYPE_STR;
}

/*
 * Walks a body. Sets slots[i] where 8 bytes at i are a part of some data, i being
 * the data's start or a multiple of 8 behind it. *@end: the bytes up to its end.
 */
static inline enum model_rule model_body(const uint8_t *body, uint32_t len, bool *slots,
					 uint32_t *end)
{
	struct model_data data;
	const uint8_t *nul;
	uint32_t at = 0;
	uint32_t i;

	memset(slots, 0, len * sizeof(*slots));
	for (;;) {
		nul = memchr(body + at, 0, len - at);
		if (!nul)
			return at == len ? MODEL_END : MODEL_NAME;
		if (nul + 1 == body + len)
			return MODEL_TYPE;
		if (nul == body + at && nul[1])
			return MODEL_NAME;
		if (nul == body + at) {
			*end = at + 2;
			return MODEL_VALID;
		}
		if (!model_is_type(nul[1]))
			return MODEL_TYPE;
		if (!model_data_at(body, len, nul + 2 - body, nul[1], &data))
			return MODEL_DATA;
		for (i = 0; i < data.bytes; i += 8)
			slots[data.at + i] = true;
		at = data.at + data.bytes;
	}
}

static inline enum model_rule model_stores(const struct fargs_store *stores, uint32_t nr,
					   bool *slots, uint32_t len)
{
	bool has_register[FARGS_REGS] = { false };
	bool *taken = calloc(len + 1, sizeof(*taken));
	enum model_rule rule = MODEL_VALID;
	uint32_t i;

	for (i = 0; i < nr && rule == MODEL_VALID; i++) {
		const struct fargs_store store = stores[i];

		if (store.source != FARGS_SOURCE_REG && store.source != FARGS_SOURCE_STACK)
			rule = MODEL_SOURCE;
		else if (store.index >= (store.source == FARGS_SOURCE_REG ? FARGS_REGS :
					 FARGS_STACK_SLOTS))
			rule = MODEL_INDEX;
		else if (store.source == FARGS_SOURCE_REG && has_register[store.index])
			rule = MODEL_REGISTER_TWICE;
		else if (store.offset >= len || !slots[store.offset])
			rule = MODEL_PLACE;
		else if (taken[store.offset])
			rule = MODEL_PLACE_TWICE;
		else if (store.reserved)
			rule = MODEL_STORE_RESERVED;
		else
			taken[store.offset] = true;
		if (rule == MODEL_VALID && store.source == FARGS_SOURCE_REG)
			has_register[store.index] = true;
	}
	free(taken);
	return rule;
}

static inline bool model_is_zero(const void *bytes, size_t n)
{
	const uint8_t *at = bytes;

	while (n && !*at)
		at++, n--;
	return !n;
}

static inline bool model_has_feature(const struct fargs_layout *layout)
{
	return layout->flags || layout->append_max || layout->return_append_max ||
	       layout->return_body_len || layout->const_len ||
	       !model_is_zero(layout->nr_insns, sizeof(layout->nr_insns));
}

/**
 * model_layout - which rule the layout at @bytes breaks
 * @room:	bytes up to the end of the buffer
 * @size:	out: bytes of the layout, where it is known where it ends
 */
static inline enum model_rule model_layout(const uint8_t *bytes, size_t room, uint32_t *size)
{
	static bool slots[MODEL_BODY_MAX];
	uint32_t end;
	struct fargs_store stores[FARGS_STORES_MAX];
	struct fargs_layout layout;
	const uint8_t *body;
	enum model_rule rule;
	uint32_t parts;

	*size = 0;
	if (room < sizeof(layout))
		return MODEL_CUT;
	memcpy(&layout, bytes, sizeof(layout));
	if (model_has_feature(&layout))
		return MODEL_FEATURE;
	parts = sizeof(layout) + layout.nr_stores * sizeof(stores[0]) + layout.body_len;
	if (layout.size != parts)
		return MODEL_SIZE;
	if (parts > room)
		return MODEL_CUT;
	*size = parts;
	if (layout.body_len % 8 || layout.body_len > MODEL_BODY_MAX)
		return MODEL_BODY_LEN;
	if (layout.nr_stores > FARGS_STORES_MAX)
		return MODEL_NR_STORES;
	if (!model_is_zero(layout.reserved, sizeof(layout.reserved)))
		return MODEL_RESERVED;
	memcpy(stores, bytes + sizeof(layout), layout.nr_stores * sizeof(stores[0]));
	body = bytes + sizeof(layout) + layout.nr_stores * sizeof(stores[0]);
	rule = model_body(body, layout.body_len, slots, &end);
	if (rule != MODEL_VALID)
		return rule;
	if (!model_is_zero(body + end, layout.body_len - end))
		return MODEL_END;
	return model_stores(stores, layout.nr_stores, slots, layout.body_len);
}

#endif
