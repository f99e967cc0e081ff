// SPDX-License-Identifier: GPL-2.0-only
#include "unit/oracle/compare.h"

#include <stdio.h>
#include <string.h>

#include "model/record.h"
#include "uapi/fargs_layout.h"

enum verdict {
	SAME,
	UNSAID,
	WRONG,
};

/* A layout split into its parts. */
struct parts {
	struct fargs_layout head;
	struct fargs_store stores[FARGS_STORES_MAX];
	const unsigned char *body;
};

static void parts_init(struct parts *parts, const unsigned char *layout)
{
	memcpy(&parts->head, layout, sizeof(parts->head));
	layout += sizeof(parts->head);
	memcpy(parts->stores, layout, parts->head.nr_stores * sizeof(parts->stores[0]));
	parts->body = layout + parts->head.nr_stores * sizeof(parts->stores[0]);
}

/* Returns the store that fills the eight bytes at @offset of the body, or NULL. */
static const struct fargs_store *find_store(const struct parts *parts, unsigned int offset)
{
	unsigned int i;

	for (i = 0; i < parts->head.nr_stores; i++)
		if (parts->stores[i].offset == offset)
			return &parts->stores[i];
	return NULL;
}

static const char *place_text(char *text, size_t size, unsigned int source, unsigned int index)
{
	static const char *const regs[] = { "rdi", "rsi", "rdx", "rcx", "r8", "r9" };

	if (source == FARGS_SOURCE_REG && index < FARGS_REGS)
		return regs[index];
	snprintf(text, size, "stack %u", index);
	return text;
}

static enum verdict compare_word(const struct fargs_store *store, const struct oracle_place *places,
				 unsigned int nr, char *why, size_t why_size)
{
	enum verdict verdict = UNSAID;
	char ours[16], theirs[16];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (!places[i].source)
			continue;
		if (places[i].source != store->source || places[i].index != store->index ||
		    places[i].byte != i) {
			snprintf(why, why_size, "is taken from %s, but is in %s",
				 place_text(ours, sizeof(ours), store->source, store->index),
				 place_text(theirs, sizeof(theirs), places[i].source,
					    places[i].index));
			return WRONG;
		}
		verdict = SAME;
	}
	return verdict;
}

static enum verdict compare_value(const struct parts *parts, const struct fargs_value *val,
				  const struct oracle_param *param, char *why, size_t why_size)
{
	unsigned int offset = (const unsigned char *)val->data - parts->body, i;
	enum verdict verdict = SAME, word;
	const struct fargs_store *store;

	snprintf(why, why_size, "has %u bytes, not %llu", val->bytes,
		 (unsigned long long)param->bytes);
	if (val->bytes < param->bytes)
		return WRONG;
	snprintf(why, why_size, "is not passed");
	if (param->is_omitted)
		return WRONG;
	if (param->bytes > ORACLE_BYTES_MAX)
		return UNSAID;
	for (i = 0; i < param->bytes; i += 8) {
		store = find_store(parts, offset + i);
		snprintf(why, why_size, "lacks a store");
		if (!store)
			return WRONG;
		snprintf(why, why_size, "is nowhere that DWARF knows");
		word = compare_word(store, param->places + i,
				    param->bytes - i < 8 ? param->bytes - i : 8, why, why_size);
		if (word > verdict)
			verdict = word;
		if (verdict == WRONG)
			break;
	}
	return verdict;
}

static void note_class(struct oracle_comparison *cmp, const struct parts *parts,
		       const struct fargs_value *val)
{
	unsigned int i;

	cmp->has_struct |= val->type == FARGS_TYPE_BYTES;
	cmp->has_128 |= val->type == FARGS_TYPE_U128 || val->type == FARGS_TYPE_S128;
	for (i = 0; i < parts->head.nr_stores; i++)
		cmp->has_stack |= parts->stores[i].source == FARGS_SOURCE_STACK;
}

/* Returns the name of parameter @i; an unnamed one is named by its number, as in layouts. */
static const char *param_name(char *text, size_t size, const struct oracle_func *func,
			      unsigned int i)
{
	if (func->params[i].name)
		return func->params[i].name;
	snprintf(text, size, "arg%u", i + 1);
	return text;
}

static const struct oracle_param *find_param(const struct oracle_func *func, const char *name)
{
	char text[16];
	unsigned int i;

	for (i = 0; i < func->nr; i++)
		if (!strcmp(param_name(text, sizeof(text), func, i), name))
			return &func->params[i];
	return NULL;
}

static void count(struct oracle_comparison *cmp, enum verdict verdict, const char *name,
		  const char *why)
{
	unsigned int *counts[] = { &cmp->nr_same, &cmp->nr_unsaid, &cmp->nr_wrong };

	if (verdict != SAME && !cmp->nr_wrong && (verdict == WRONG || !cmp->nr_unsaid))
		snprintf(cmp->wrong, sizeof(cmp->wrong), "argument %.40s %.60s", name, why);
	(*counts[verdict])++;
}

/*
 * Parameters are found by name, because those of a clone may be in another order than in the
 * source.
 */
void oracle_compare(struct oracle_comparison *cmp, const unsigned char *layout,
		    const struct oracle_func *func)
{
	const struct oracle_param *param;
	unsigned int nr_values = 0, nr_params = 0, i;
	struct fargs_values it;
	struct fargs_value val;
	struct parts parts;
	char why[64];

	memset(cmp, 0, sizeof(*cmp));
	parts_init(&parts, layout);
	it = (struct fargs_values) { parts.body, parts.body + parts.head.body_len };
	for (; fargs_record_next(&it, &val, NULL) == 1; nr_values++) {
		note_class(cmp, &parts, &val);
		param = find_param(func, val.name);
		if (param)
			count(cmp, compare_value(&parts, &val, param, why, sizeof(why)), val.name,
			      why);
		else
			count(cmp, UNSAID, val.name, "is not in DWARF");
	}
	for (i = 0; i < func->nr; i++)
		nr_params += func->params[i].bytes > 0;
	if (nr_params > nr_values)
		count(cmp, WRONG, "(the last)", "is not in the layout");
}
