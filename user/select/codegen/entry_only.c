// SPDX-License-Identifier: GPL-2.0-only
#include "select/codegen/entry_only.h"

#include <string.h>

#include "uapi/fargs_layout.h"
#include "uapi/fargs_prog.h"

static struct fargs_layout head_of(const unsigned char *layout)
{
	struct fargs_layout head;

	memcpy(&head, layout, sizeof(head));
	return head;
}

bool fargs_layout_has_return(const unsigned char *layout)
{
	return head_of(layout).flags & (FARGS_LAYOUT_RETURN | FARGS_LAYOUT_SCOPE);
}

bool fargs_layout_needs_return(const unsigned char *layout)
{
	struct fargs_layout head = head_of(layout);

	return head.flags & (FARGS_LAYOUT_SCOPE | FARGS_LAYOUT_TRIGGER) ||
	       head.nr_insns[FARGS_PROG_RETURN_PREDICATE];
}

/* Moves the next @bytes of a layout to its new end, and advances both positions. */
static void keep(unsigned char **to, unsigned char **from, size_t bytes)
{
	memmove(*to, *from, bytes);
	*to += bytes;
	*from += bytes;
}

static bool is_of_return(const unsigned char *at)
{
	struct fargs_store store;

	memcpy(&store, at, sizeof(store));
	return store.source == FARGS_SOURCE_RETURN || store.source == FARGS_SOURCE_ENTRY_TSC;
}

static bool is_program_of_return(unsigned int program)
{
	return program == FARGS_PROG_RETURN_PREDICATE || program == FARGS_PROG_RETURN_FETCH ||
	       program == FARGS_PROG_RETURN_TRIGGER;
}

size_t fargs_layout_make_entry_only(unsigned char *layout)
{
	const struct fargs_layout old = head_of(layout);
	unsigned char *from = layout + sizeof(old), *to = from;
	struct fargs_layout head = old;
	unsigned int i;

	head.nr_stores = 0;
	for (i = 0; i < old.nr_stores; i++) {
		if (is_of_return(from)) {
			from += sizeof(struct fargs_store);
			continue;
		}
		keep(&to, &from, sizeof(struct fargs_store));
		head.nr_stores++;
	}
	for (i = 0; i < FARGS_PROGS; i++) {
		size_t bytes = old.nr_insns[i] * sizeof(struct fargs_insn);

		if (is_program_of_return(i)) {
			head.nr_insns[i] = 0;
			from += bytes;
		} else {
			keep(&to, &from, bytes);
		}
	}
	keep(&to, &from, old.body_len);
	from += old.return_body_len;
	/* The constants may still include names that only the removed programs used. */
	keep(&to, &from, old.const_len + old.symbol_len);
	head.flags &= ~(FARGS_LAYOUT_RETURN | FARGS_LAYOUT_GRAPH);
	head.return_append_max = 0;
	head.return_body_len = 0;
	head.size = to - layout;
	memcpy(layout, &head, sizeof(head));
	return head.size;
}
