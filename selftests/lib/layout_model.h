/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A second implementation of the rules for layouts, written only from the comments in
 * include/uapi/fargs_layout.h and fargs_record.h. The module's answers are compared with it.
 * prog_model.h has the rules for programs.
 */
#ifndef FARGS_SELFTESTS_LAYOUT_MODEL_H
#define FARGS_SELFTESTS_LAYOUT_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "uapi/fargs.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_prog.h"
#include "uapi/fargs_record.h"

#define MODEL_BODY_MAX	(FARGS_RECORD_MAX - sizeof(struct fargs_record))

/*
 * The first rule that a layout breaks, in the order in which the rules are checked. Each comment
 * describes how a layout breaks the rule.
 */
enum model_rule {
	MODEL_VALID,
	MODEL_CUT,		/* the buffer ends inside the layout */
	MODEL_SIZE,		/* the size is not the sum of the sizes of the parts */
	MODEL_BODY_LEN,		/* the length is not a multiple of 8, or too long for a record */
	MODEL_NR_STORES,
	MODEL_NR_INSNS,
	MODEL_CONST_LEN,
	MODEL_RESERVED,
	MODEL_FLAGS,
	MODEL_SYMBOL_LEN,	/* invalid length, or the layout is not deferred */
	MODEL_RETURN_BODY_LEN,	/* invalid length, or the layout has no return */
	MODEL_RETURN_PROGRAM,	/* a RETURN program in a layout without return */
	MODEL_APPEND,		/* append_max is set without a program that appends */
	MODEL_RECORD,		/* the whole record can be too long */
	MODEL_NAME,		/* a name has no NUL, or is empty */
	MODEL_TYPE,
	MODEL_DATA,		/* the data of a value extends past the body, or has no bytes */
	MODEL_END,	/* the list of values has no end, or bytes after the end are not 0 */
	MODEL_SOURCE,
	MODEL_INDEX,
	MODEL_REGISTER_TWICE,
	MODEL_PLACE,		/* a store does not write to the data of a value */
	MODEL_PLACE_TWICE,
	MODEL_STORE_RESERVED,
	MODEL_DEFERRED_ADDR,	/* a deferred layout has an address */
	MODEL_SYMBOL_RESERVED,
	MODEL_BUILD_ID,		/* the build id is too long, or bytes after it are not 0 */
	MODEL_SYMBOL_NAME,	/* a name is empty, or has no NUL */
	MODEL_SYMBOL_END,	/* bytes after the names are not 0 */
	/* The following rules are about programs. */
	MODEL_OP,		/* the instruction does not exist, or is invalid in this program */
	MODEL_UNUSED,		/* a field that the instruction does not use is not 0 */
	MODEL_REGISTER,		/* the register does not exist */
	MODEL_UNWRITTEN,	/* a register is read that may not have been written */
	MODEL_ARG,		/* arg, or imm of a LOAD or shift, is out of range */
	MODEL_JUMP,
	MODEL_VERDICT,		/* a predicate does not end with ACCEPT or REJECT */
	MODEL_PATTERN,
	MODEL_MATCHES,
	MODEL_ST,		/* no data of a suitable type and length begins at the offset */
	MODEL_ST_TWICE,
	MODEL_PUT_NAME,
	MODEL_PUT_BYTES,	/* the maximum size is 0, or too large by itself */
	MODEL_PUT_ROOM,		/* the appended values exceed append_max */
	MODEL_PATHS,
	MODEL_RULES
};

static const char *const model_rule_names[MODEL_RULES] = {
	"valid", "cut off", "size", "body_len", "nr_stores", "nr_insns", "const_len",
	"reserved", "flags", "symbol_len", "return_body_len", "return program", "append_max",
	"record too long", "name", "type", "data", "end", "source", "index", "register twice",
	"place", "place twice", "reserved of a store", "address with a symbol",
	"reserved of a symbol", "build id", "name of a symbol", "end of a symbol", "op",
	"unused field", "register", "unwritten register", "arg", "jump", "verdict", "pattern",
	"JMATCH", "ST", "ST twice", "name of PUT", "bytes of PUT", "room of PUT",
	"PUT_PATH",
};

/* Position of a value's data; for a value of type bytes, after its length. */
struct model_data {
	uint32_t at;
	uint32_t bytes;		/* number of bytes including padding */
	uint16_t n;
};

/*
 * Finds the data of a value of @type at offset @at. Returns false if there are no data, or if they
 * extend past @len.
 */
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
		data->n = n;
		if (!n)
			return false;
		return data->bytes <= len - data->at;
	default:
		data->bytes = 8;
	}
	data->n = data->bytes;
	return data->bytes <= len - data->at;
}

static inline bool model_is_type(uint8_t type)
{
	return type > FARGS_TYPE_END && type <= FARGS_TYPE_BYTES && type != FARGS_TYPE_STR;
}

/* Positions of the data in a body, indexed by offset in the body. */
struct model_places {
	/* 8 bytes of a value's data, or of its padding, begin at this offset. */
	bool is_slot[MODEL_BODY_MAX];
	/* A store fills the 8 bytes at this offset. */
	bool is_filled[MODEL_BODY_MAX];
	/*
	 * Type and size of the value whose data begin at this offset; type 0: no data begin at it.
	 */
	uint8_t type[MODEL_BODY_MAX];
	uint16_t bytes[MODEL_BODY_MAX];
	uint32_t values_end;	/* offset after the last value */
};

/* Parses a body, and fills in @places. */
static inline enum model_rule model_body(const uint8_t *body, uint32_t len,
					 struct model_places *places)
{
	struct model_data data;
	const uint8_t *nul;
	uint32_t at = 0;
	uint32_t i;

	memset(places, 0, sizeof(*places));
	for (;;) {
		nul = memchr(body + at, 0, len - at);
		if (!nul)
			return at == len ? MODEL_END : MODEL_NAME;
		if (nul + 1 == body + len)
			return MODEL_TYPE;
		if (nul == body + at && nul[1])
			return MODEL_NAME;
		if (nul == body + at)
			break;
		if (!model_is_type(nul[1]))
			return MODEL_TYPE;
		if (!model_data_at(body, len, nul + 2 - body, nul[1], &data))
			return MODEL_DATA;
		for (i = 0; i < data.bytes; i += 8)
			places->is_slot[data.at + i] = true;
		places->type[data.at] = nul[1];
		places->bytes[data.at] = data.n;
		at = data.at + data.bytes;
	}
	places->values_end = at;
	return MODEL_VALID;
}

/*
 * Sets *@nr to the number of registers or slots of @source, and *@is_once if each of them may be
 * stored only once. Returns false if @source is invalid.
 */
static inline bool model_source(uint8_t source, bool is_return, uint32_t *nr, bool *is_once)
{
	*is_once = source != FARGS_SOURCE_STACK;
	switch (source) {
	case FARGS_SOURCE_REG:
		*nr = FARGS_REGS;
		return true;
	case FARGS_SOURCE_STACK:
		*nr = FARGS_STACK_SLOTS;
		return true;
	case FARGS_SOURCE_RETURN:
		*nr = 2;
		return is_return;
	case FARGS_SOURCE_ENTRY_TSC:
		*nr = 1;
		return is_return;
	default:
		return false;
	}
}

static inline bool model_is_return_store(uint8_t source)
{
	return source == FARGS_SOURCE_RETURN || source == FARGS_SOURCE_ENTRY_TSC;
}

/* Checks the stores. @places, @lens: positions and length of the body, and of the return body. */
static inline enum model_rule model_stores(const struct fargs_store *stores, uint32_t nr,
					   bool is_return, struct model_places *places,
					   const uint32_t *lens)
{
	bool has[5][FARGS_STACK_SLOTS] = { { false } };
	uint32_t i, sources, nr_entry = 0;
	bool is_once;

	for (i = 0; i < nr; i++) {
		const struct fargs_store store = stores[i];
		uint32_t which = model_is_return_store(store.source);

		if (!model_source(store.source, is_return, &sources, &is_once))
			return MODEL_SOURCE;
		if (store.index >= sources)
			return MODEL_INDEX;
		if (is_once && has[store.source][store.index])
			return MODEL_REGISTER_TWICE;
		if (store.offset >= lens[which] || !places[which].is_slot[store.offset])
			return MODEL_PLACE;
		if (places[which].is_filled[store.offset])
			return MODEL_PLACE_TWICE;
		if (store.reserved)
			return MODEL_STORE_RESERVED;
		places[which].is_filled[store.offset] = true;
		has[store.source][store.index] = true;
		nr_entry += !which;
	}
	return nr_entry > FARGS_STORES_MAX ? MODEL_NR_STORES : MODEL_VALID;
}

static inline bool model_is_zero(const void *bytes, size_t n)
{
	const uint8_t *at = bytes;

	while (n && !*at)
		at++, n--;
	return !n;
}

#include "prog_model.h"

/* Checks each field of the header by itself. */
static inline enum model_rule model_header(const struct fargs_layout *layout)
{
	const uint32_t named = FARGS_LAYOUT_DEFERRED | FARGS_LAYOUT_RELOAD;
	const uint32_t flags = layout->flags & ~(FARGS_LAYOUT_SCOPE | FARGS_LAYOUT_SILENT |
						 FARGS_LAYOUT_TRIGGER | named);
	bool is_named = layout->flags & named;
	bool is_trigger = layout->flags & FARGS_LAYOUT_TRIGGER;
	bool is_return = layout->flags & FARGS_LAYOUT_RETURN;
	bool is_silent = layout->flags & FARGS_LAYOUT_SILENT;
	uint32_t i;

	if (layout->body_len % 8 || layout->body_len > MODEL_BODY_MAX)
		return MODEL_BODY_LEN;
	if (layout->nr_stores > FARGS_STORES_MAX + 3)
		return MODEL_NR_STORES;
	for (i = 0; i < FARGS_PROGS; i++)
		if (layout->nr_insns[i] > FARGS_PROG_MAX)
			return MODEL_NR_INSNS;
	if (layout->const_len % 8 || layout->const_len > FARGS_CONST_MAX)
		return MODEL_CONST_LEN;
	if (!model_is_zero(layout->reserved, sizeof(layout->reserved)))
		return MODEL_RESERVED;
	if (flags && flags != FARGS_LAYOUT_RETURN &&
	    flags != (FARGS_LAYOUT_RETURN | FARGS_LAYOUT_GRAPH))
		return MODEL_FLAGS;
	if ((layout->flags & named) == named)
		return MODEL_FLAGS;
	if (is_silent && ((layout->flags & ~named) !=
			  (FARGS_LAYOUT_SCOPE | FARGS_LAYOUT_SILENT) ||
			  layout->nr_insns[FARGS_PROG_ENTRY_PREDICATE] ||
			  layout->nr_insns[FARGS_PROG_ENTRY_FETCH] || layout->nr_stores))
		return MODEL_FLAGS;
	if (!(layout->flags & FARGS_LAYOUT_SCOPE) && layout->nr_insns[FARGS_PROG_SCOPE])
		return MODEL_FLAGS;
	if (!is_trigger && (layout->nr_insns[FARGS_PROG_TRIGGER] ||
			    layout->nr_insns[FARGS_PROG_RETURN_TRIGGER]))
		return MODEL_FLAGS;
	if (layout->symbol_len % 8 || layout->symbol_len > FARGS_SYMBOL_MAX ||
	    (is_named ? layout->symbol_len <= sizeof(struct fargs_symbol) : layout->symbol_len))
		return MODEL_SYMBOL_LEN;
	if (layout->return_body_len % 8 || layout->return_body_len > MODEL_BODY_MAX ||
	    is_return != !!layout->return_body_len)
		return MODEL_RETURN_BODY_LEN;
	if (!is_return && (layout->nr_insns[FARGS_PROG_RETURN_PREDICATE] ||
			   layout->nr_insns[FARGS_PROG_RETURN_FETCH] ||
			   layout->nr_insns[FARGS_PROG_RETURN_TRIGGER]))
		return MODEL_RETURN_PROGRAM;
	if ((layout->append_max && !layout->nr_insns[FARGS_PROG_ENTRY_FETCH]) ||
	    (layout->return_append_max && !layout->nr_insns[FARGS_PROG_RETURN_FETCH]))
		return MODEL_APPEND;
	return MODEL_VALID;
}

/* Returns whether the longest records of the layout fit into FARGS_RECORD_MAX. */
static inline bool model_fits(const struct fargs_layout *layout)
{
	uint32_t entry = layout->body_len + layout->append_max;
	uint32_t at_return = layout->return_body_len + layout->return_append_max;

	if (!(layout->flags & FARGS_LAYOUT_GRAPH))
		at_return += entry;
	entry += sizeof(struct fargs_record);
	at_return += sizeof(struct fargs_record);
	return (entry + 7) / 8 * 8 <= FARGS_RECORD_MAX &&
	       (at_return + 7) / 8 * 8 <= FARGS_RECORD_MAX;
}

/*
 * Returns the position after the NUL of the name at @names; NULL if the name is empty or has no
 * NUL.
 */
static inline const char *model_name_end(const char *names, const char *end)
{
	const char *nul = memchr(names, 0, end - names);

	return nul && nul != names ? nul + 1 : NULL;
}

/* Checks the symbol, if there is one. */
static inline enum model_rule model_symbol(const struct fargs_layout *layout,
					   const uint8_t *bytes)
{
	const char *at = (const char *)bytes + sizeof(struct fargs_symbol);
	const char *end = (const char *)bytes + layout->symbol_len;
	struct fargs_symbol symbol;

	if (!(layout->flags & (FARGS_LAYOUT_DEFERRED | FARGS_LAYOUT_RELOAD)))
		return MODEL_VALID;
	if (!layout->addr != !!(layout->flags & FARGS_LAYOUT_DEFERRED))
		return MODEL_DEFERRED_ADDR;
	memcpy(&symbol, bytes, sizeof(symbol));
	if (!model_is_zero(symbol.reserved, sizeof(symbol.reserved)))
		return MODEL_SYMBOL_RESERVED;
	if (symbol.build_id_len > FARGS_SYMBOL_ID_MAX ||
	    !model_is_zero(symbol.build_id + symbol.build_id_len,
			   FARGS_SYMBOL_ID_MAX - symbol.build_id_len))
		return MODEL_BUILD_ID;
	at = model_name_end(at, end);
	if (at)
		at = model_name_end(at, end);
	if (!at)
		return MODEL_SYMBOL_NAME;
	return model_is_zero(at, end - at) ? MODEL_VALID : MODEL_SYMBOL_END;
}

/* Returns the size of the layout, computed from its header. */
static inline uint32_t model_size(const struct fargs_layout *layout)
{
	uint32_t bytes = sizeof(*layout) + layout->nr_stores * sizeof(struct fargs_store) +
			 layout->body_len + layout->return_body_len + layout->const_len +
			 layout->symbol_len;
	uint32_t i;

	for (i = 0; i < FARGS_PROGS; i++)
		bytes += layout->nr_insns[i] * sizeof(struct fargs_insn);
	return bytes;
}

/* Checks the stores, programs, bodies and constants, which begin at @bytes. */
static inline enum model_rule model_parts(const struct fargs_layout *layout,
					  const uint8_t *bytes)
{
	static struct model_places places[2];
	static struct fargs_insn insns[FARGS_PROG_MAX];
	struct fargs_store stores[FARGS_STORES_MAX + 3];
	const uint32_t lens[2] = { layout->body_len, layout->return_body_len };
	const uint8_t *programs = bytes + layout->nr_stores * sizeof(stores[0]);
	const uint8_t *body = programs, *consts;
	enum model_rule rule;
	uint32_t i;

	memcpy(stores, bytes, layout->nr_stores * sizeof(stores[0]));
	for (i = 0; i < FARGS_PROGS; i++)
		body += layout->nr_insns[i] * sizeof(insns[0]);
	consts = body + lens[0] + lens[1];
	for (i = 0; i < 2; i++) {
		if (i && !(layout->flags & FARGS_LAYOUT_RETURN))
			break;
		rule = model_body(body, lens[i], &places[i]);
		if (rule == MODEL_VALID &&
		    !model_is_zero(body + places[i].values_end, lens[i] - places[i].values_end))
			rule = MODEL_END;
		if (rule != MODEL_VALID)
			return rule;
		body += lens[i];
	}
	rule = model_stores(stores, layout->nr_stores, layout->flags & FARGS_LAYOUT_RETURN,
			    places, lens);
	for (i = 0; i < FARGS_PROGS && rule == MODEL_VALID; i++) {
		bool is_return = i == FARGS_PROG_RETURN_PREDICATE || i == FARGS_PROG_RETURN_FETCH ||
				 i == FARGS_PROG_RETURN_TRIGGER;
		const struct model_prog prog = {
			.which = i, .insns = insns, .nr = layout->nr_insns[i],
			.consts = (const char *)consts, .const_len = layout->const_len,
			.places = &places[is_return], .body_len = lens[is_return],
			.append_max = is_return ? layout->return_append_max : layout->append_max,
		};

		memcpy(insns, programs, prog.nr * sizeof(insns[0]));
		programs += prog.nr * sizeof(insns[0]);
		rule = model_prog(&prog);
	}
	return rule;
}

/**
 * model_layout - returns the rule that the layout at @bytes breaks, or MODEL_VALID
 * @room:	number of bytes up to the end of the buffer
 * @size:	out: size of the layout; 0 if its end is unknown
 */
static inline enum model_rule model_layout(const uint8_t *bytes, size_t room, uint32_t *size)
{
	struct fargs_layout layout;
	enum model_rule rule;
	uint32_t parts;

	*size = 0;
	if (room < sizeof(layout))
		return MODEL_CUT;
	memcpy(&layout, bytes, sizeof(layout));
	parts = model_size(&layout);
	if (layout.size != parts)
		return MODEL_SIZE;
	if (parts > room)
		return MODEL_CUT;
	*size = parts;
	rule = model_header(&layout);
	if (rule == MODEL_VALID && !model_fits(&layout))
		rule = MODEL_RECORD;
	if (rule == MODEL_VALID)
		rule = model_symbol(&layout, bytes + parts - layout.symbol_len);
	return rule == MODEL_VALID ? model_parts(&layout, bytes + sizeof(layout)) : rule;
}

/*
 * Returns the offset of the first part of a valid layout that needs more than CAP_PERFMON: an
 * instruction that reads memory or, if there is none, a store of a stack slot from
 * FARGS_STACK_SLOTS_PLAIN on. Returns FARGS_NONE if CAP_PERFMON suffices.
 */
static inline uint32_t model_reads(const uint8_t *bytes)
{
	uint32_t i, nr_insns = 0, at = sizeof(struct fargs_layout);
	const struct fargs_layout *layout = (const void *)bytes;
	const struct fargs_store *stores = (const void *)(bytes + at);
	const struct fargs_insn *insns = (const void *)(stores + layout->nr_stores);

	for (i = 0; i < FARGS_PROGS; i++)
		nr_insns += layout->nr_insns[i];
	for (i = 0; i < nr_insns; i++)
		if (model_is_reading(&insns[i]))
			return (const uint8_t *)&insns[i] - bytes;
	for (i = 0; i < layout->nr_stores; i++)
		if (stores[i].source == FARGS_SOURCE_STACK &&
		    stores[i].index >= FARGS_STACK_SLOTS_PLAIN)
			return (const uint8_t *)&stores[i] - bytes;
	return FARGS_NONE;
}

#endif
