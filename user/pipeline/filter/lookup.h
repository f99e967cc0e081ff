/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looks up a value of an event by its expression (fargs-select(7)): an argument, a fetched value, a
 * member of either, the result, a field of a formatted event, or the context of the call. Reads
 * nothing but the event.
 */
#ifndef FARGS_PIPELINE_FILTER_LOOKUP_H
#define FARGS_PIPELINE_FILTER_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/near.h"
#include "model/decoder.h"
#include "select/syntax/node.h"
#include "select/typing/ctype.h"

enum fargs_found_kind {
	FARGS_FOUND_NONE,	/* the event has no such value, or it could not be read */
	FARGS_FOUND_NUMBER,
	FARGS_FOUND_STRING,
	FARGS_FOUND_WHOLE,	/* struct, union or array */
};

struct fargs_found {
	uint8_t kind;		/* enum fargs_found_kind */
	bool is_pointer;
	bool is_duration;	/* @number is a duration in ns */
	bool is_time;		/* @number is a time in ns of the perf clock */
	bool is_signed;
	bool is_constant;	/* @number is a constant, of no known type if @bits is 0 */
	uint8_t bits;		/* width of the type of @number; 0: unknown */
	uint8_t format;		/* enum fargs_format that is requested for @number */
	const struct btf *btf;	/* BTF that describes the value's type; NULL: the type is unknown */
	uint32_t type_id;	/* BTF id of the type as declared; 0: none */
	uint32_t base_id;
	uint32_t enum_id;	/* BTF id of the value's enum; 0: not an enum */
	/* How the number, of @width bytes, is shown; NULL: see @member, or by its C type. */
	const struct fargs_naming *naming;
	unsigned int width;
	/* The number is the member that this node names, of the struct @of; NULL: it is none. */
	const struct fargs_node *member;
	uint32_t of;
	__int128 number;
	/* What a pointer points to that was computed, and may have no BTF type. */
	bool has_target;
	struct fargs_ctype target;
	/* The number is known to be at least @number and at most @most. */
	bool has_most;
	__int128 most;
	const char *text;	/* for FARGS_FOUND_STRING; lives as long as the event */
	size_t len;
	/* The following members are set only for FARGS_FOUND_WHOLE. */
	/* Data of the recorded value that is, or contains, the struct, union or array. */
	const uint8_t *data;
	size_t bytes;
	uint64_t bit;		/* offset of the struct, union or array in @data, in bits */
};

/* Cache of the record names of all expressions that were looked up. Initialize with zeroes. */
struct fargs_lookup {
	struct fargs_lookup_text **texts;
	size_t nr;
};

void fargs_lookup_deinit(struct fargs_lookup *lookup);

/* Looks up the value of @node, which must outlive @lookup, in @ev. Returns 0 or -ENOMEM. */
int fargs_lookup(struct fargs_lookup *lookup, struct fargs_decoder *d, const struct fargs_event *ev,
		 const struct fargs_node *node, struct fargs_found *found);
/*
 * Like fargs_lookup(), but looks up a string: for a pointer, the string that was fetched from its
 * address.
 */
int fargs_lookup_string(struct fargs_lookup *lookup, struct fargs_decoder *d,
			const struct fargs_event *ev, const struct fargs_node *node,
			struct fargs_found *found);

/* Is @node, by its name, a value that is the number of a system call in some events? */
bool fargs_lookup_may_be_syscall(const struct fargs_node *node);
/*
 * Is @node the name of a context variable, with or without the '$'? Sets *@names to the names,
 * separated by blanks, of the context variables that are available without being fetched.
 */
bool fargs_lookup_has_context(const struct fargs_node *node, const char **names);
/*
 * If @near->wanted is the name of a context variable without the '$', offers the name with the '$'.
 */
void fargs_lookup_offer_context(struct fargs_near *near);

#endif
