/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A value of an event by its expression (fargs-select(7)): an argument, what was fetched, a
 * member of either, what was returned, a field of a formatted event, or what is known of the
 * call besides. Nothing is read but what the event holds.
 */
#ifndef FARGS_FILTER_LOOKUP_H
#define FARGS_FILTER_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/decoder.h"
#include "select/syntax/node.h"
#include "base/near.h"

enum fargs_found_kind {
	FARGS_FOUND_NONE,	/* the event has no such value, or it could not be read */
	FARGS_FOUND_NUMBER,
	FARGS_FOUND_STRING,
	FARGS_FOUND_WHOLE,	/* struct, union or array */
};

struct fargs_found {
	uint8_t kind;		/* enum fargs_found_kind */
	bool is_pointer;
	bool is_duration;	/* ns */
	bool is_time;		/* ns, of the perf clock */
	bool is_signed;
	const struct btf *btf;	/* NULL: no type is known */
	uint32_t type_id;	/* as declared; 0: none */
	uint32_t base_id;
	uint32_t enum_id;	/* 0: it is none */
	__int128 number;
	const char *text;	/* STRING; lives as long as the event */
	size_t len;
	/* WHOLE: */
	const uint8_t *data;	/* of the value that it is in */
	size_t bytes;
	uint64_t bit;		/* where in that it begins */
};

/* Texts of the expressions that were looked up. Begin with zeroes. */
struct fargs_lookup {
	struct fargs_lookup_text **texts;
	size_t nr;
};

void fargs_lookup_deinit(struct fargs_lookup *lookup);

/* What @node, which must outlive @lookup, is in @ev. 0 or -ENOMEM. */
int fargs_lookup(struct fargs_lookup *lookup, struct fargs_decoder *d, const struct fargs_event *ev,
		 const struct fargs_node *node, struct fargs_found *found);
/* The same as a string: of a pointer, the one that was fetched there. */
int fargs_lookup_string(struct fargs_lookup *lookup, struct fargs_decoder *d,
			const struct fargs_event *ev, const struct fargs_node *node,
			struct fargs_found *found);

/* Is $NAME one of those that events have, or may have fetched? Those that there are, if not. */
bool fargs_lookup_has_context(const struct fargs_node *node, const char **names);
/* Offers, with its $, the one that was meant without. */
void fargs_lookup_offer_context(struct fargs_near *near);

#endif
