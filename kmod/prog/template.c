// SPDX-License-Identifier: GPL-2.0-only
#include "prog/template.h"

#include <linux/kernel.h>
#include <linux/string.h>

#include "layout/layout.h"
#include "layout/parts.h"
#include "prog/regcond.h"
#include "prog/regrange.h"

#define HEADER	((u32)sizeof(struct fargs_record))

static u32 body_bytes(u32 body_len)
{
	return round_up(body_len, 16);	/* fargs_fill_body() copies 16 bytes at a time */
}

static u32 nr_stack_stores(const struct fargs_layout *layout)
{
	const struct fargs_store *stores = fargs_layout_stores(layout);
	u32 i, n = 0;

	for (i = 0; i < layout->nr_stores; i++)
		n += stores[i].source == FARGS_SOURCE_STACK;
	return n;
}

static bool has_return(const struct fargs_layout *layout)
{
	return layout->flags & FARGS_LAYOUT_RETURN;
}

/*
 * Returns the length of both bodies joined in one record: the return body takes the place of the
 * FARGS_TYPE_END of the first.
 */
static u32 both_len(const struct fargs_layout *layout)
{
	struct fargs_body body = fargs_layout_body(layout);

	return fargs_body_values_len(&body) + layout->return_body_len;
}

/* Is the function composed? See struct fargs_programs. */
static bool is_composed(const struct fargs_layout *layout)
{
	u32 i;

	for (i = 0; i < FARGS_PROGS; i++) {
		if (layout->nr_insns[i])
			return true;
	}
	return nr_stack_stores(layout) ||
	       layout->flags & (FARGS_LAYOUT_GRAPH | FARGS_LAYOUT_SCOPE | FARGS_LAYOUT_TRIGGER) ||
	       HEADER + body_bytes(both_len(layout)) > FARGS_RECORD_MAX;
}

static bool is_in_one(const struct fargs_layout *layout)
{
	return has_return(layout) && !is_composed(layout);
}

/* Returns the length of the body in fargs_programs.entry, or in a plain template. */
static u32 entry_body_len(const struct fargs_layout *layout)
{
	return is_in_one(layout) ? both_len(layout) : layout->body_len;
}

/* Returns the size of a struct fargs_template including its body and stack stores. */
static size_t entry_size(const struct fargs_layout *layout)
{
	return sizeof(struct fargs_template) + body_bytes(entry_body_len(layout)) +
	       nr_stack_stores(layout) * sizeof(struct fargs_stack_store);
}

static size_t insns_size(const struct fargs_layout *layout)
{
	u32 i, nr = 0;

	for (i = 0; i < FARGS_PROGS; i++)
		nr += layout->nr_insns[i];
	return nr * sizeof(struct fargs_insn);
}

/*
 * Makes the table of comparisons for ENTRY_PREDICATE. With FARGS_LAYOUT_TRIGGER there is no table:
 * the TRIGGER program must run before a call can be rejected.
 */
static u32 make_regconds(const struct fargs_layout *layout, struct fargs_regcond *to)
{
	if (layout->flags & FARGS_LAYOUT_TRIGGER)
		return 0;
	return fargs_regconds_make(fargs_layout_insns(layout, FARGS_PROG_ENTRY_PREDICATE),
				   layout->nr_insns[FARGS_PROG_ENTRY_PREDICATE], to);
}

/* Returns the size of the separate return body of a composed function, otherwise 0. */
static size_t return_size(const struct fargs_layout *layout)
{
	return has_return(layout) && is_composed(layout) ? body_bytes(layout->return_body_len) : 0;
}

size_t fargs_template_size(const struct fargs_layout *layout)
{
	if (fargs_layout_path(layout) == FARGS_PATH_PLAIN)
		return entry_size(layout);
	return offsetof(struct fargs_programs, entry) + entry_size(layout) + insns_size(layout) +
	       make_regconds(layout, NULL) * sizeof(struct fargs_regcond) +
	       return_size(layout) + layout->const_len + FARGS_CONST_PAD;
}

static void fill_entry(const struct fargs_layout *layout, struct fargs_template *t)
{
	const struct fargs_store *store = fargs_layout_stores(layout);
	struct fargs_body body = fargs_layout_body(layout);
	u32 i, len = entry_body_len(layout);
	struct fargs_body_value value;
	struct fargs_stack_store *stack;

	t->body_len = body_bytes(len);
	t->len = HEADER + t->body_len;
	/* A body may be longer than necessary: the bytes after @len are zeros, and not copied. */
	memcpy(t->body, body.bytes, min_t(u32, body.len, len));
	for (i = 0; i < FARGS_REGS; i++)
		t->reg_offset[i] = offsetof(struct fargs_record, seq);
	stack = (void *)t->body + t->body_len;
	for (i = 0; i < layout->nr_stores; i++, store++) {
		if (store->source == FARGS_SOURCE_REG) {
			t->reg_offset[store->index] = HEADER + store->offset;
			t->nr_regs = max_t(u16, t->nr_regs, store->index + 1);
		} else if (store->source == FARGS_SOURCE_STACK) {
			fargs_body_find(&body, store->offset, &value);
			*stack++ = (struct fargs_stack_store){
				.offset = HEADER + store->offset,
				.value_offset = HEADER + value.data_offset,
				.type_offset = HEADER + value.type_offset,
				.slot = store->index,
			};
			t->nr_stack++;
		}
	}
	t->shape = fargs_template_shape(t->nr_regs, t->body_len);
}

/*
 * Sets the offsets of the return values. @from: added to the offsets of the layout's stores;
 * @unwanted: offset for values without a store.
 */
static void fill_return_offsets(const struct fargs_layout *layout, struct fargs_programs *programs,
				u32 from, u32 unwanted)
{
	const struct fargs_store *store = fargs_layout_stores(layout);
	u32 i;

	programs->return_offset = unwanted;
	programs->return_high_offset = unwanted;
	programs->entry_tsc_offset = unwanted;
	for (i = 0; i < layout->nr_stores; i++, store++) {
		if (store->source == FARGS_SOURCE_ENTRY_TSC)
			programs->entry_tsc_offset = from + store->offset;
		else if (store->source == FARGS_SOURCE_RETURN && store->index)
			programs->return_high_offset = from + store->offset;
		else if (store->source == FARGS_SOURCE_RETURN)
			programs->return_offset = from + store->offset;
	}
}

/* Appends the return body to the entry's body, so that @t becomes the RETURN record's template. */
static void append_return(const struct fargs_layout *layout, struct fargs_programs *programs,
			  struct fargs_template *t)
{
	struct fargs_body body = fargs_layout_return_body(layout);

	memcpy((u8 *)t->body + programs->values_len, body.bytes, body.len);
	t->head = t->len | FARGS_KIND_RETURN << 16;
	fill_return_offsets(layout, programs, HEADER + programs->values_len,
			    offsetof(struct fargs_record, seq));
}

/* Copies the return body of a composed function to @to. */
static void fill_return(const struct fargs_layout *layout, struct fargs_programs *programs,
			void *to)
{
	struct fargs_body body = fargs_layout_return_body(layout);

	programs->return_body = to;
	programs->return_body_len = body_bytes(body.len);
	programs->return_values_len = fargs_body_values_len(&body);
	memcpy(to, body.bytes, body.len);
	fill_return_offsets(layout, programs, 0, programs->return_body_len);
}

/* Translates all programs to @insns, and copies their constants to @consts. */
static void fill_programs(const struct fargs_layout *layout, struct fargs_programs *programs,
			  struct fargs_insn *insns, u8 *consts)
{
	u32 which;

	memcpy(consts, fargs_layout_consts(layout), layout->const_len);
	for (which = 0; which < FARGS_PROGS; which++) {
		bool is_return = fargs_prog_is_return(which);
		const struct fargs_insn *from = fargs_layout_insns(layout, which);
		struct fargs_body body = is_return ? fargs_layout_return_body(layout) :
						     fargs_layout_body(layout);
		u32 nr = layout->nr_insns[which];

		fargs_prog_translate(from, nr, which, &body, consts, insns);
		programs->prog[which] = (struct fargs_program){
			.insns = insns, .consts = consts, .nr = nr,
			.is_chains = fargs_prog_is_chains(from, nr),
		};
		programs->is_guarded[is_return] |= fargs_prog_needs_guard(from, nr);
		insns += nr;
	}
}

/* Returns the maximum record length; appended values may make records longer than the body. */
static u32 entry_record_len(const struct fargs_programs *programs)
{
	u32 values = HEADER + programs->values_len + programs->append_max + 2;

	return max_t(u32, programs->entry.len, round_up(values, FARGS_RECORD_ALIGN));
}

static u32 entry_kind(const struct fargs_layout *layout)
{
	return layout->flags & FARGS_LAYOUT_TPOINT ? FARGS_KIND_TPOINT : FARGS_KIND_ENTRY;
}

/*
 * All addresses are computed from @to, never from a member: FORTIFY_SOURCE would compare the
 * size of a copy with the size of the member, and reject copies beyond the member.
 */
struct fargs_template *fargs_template_make(const struct fargs_layout *layout,
					   const struct fargs_capture *capture, void *to)
{
	struct fargs_body body = fargs_layout_body(layout);
	struct fargs_programs *programs = to;
	struct fargs_template *t = to;
	struct fargs_regcond *conds;
	struct fargs_insn *insns;
	u32 nr_conds;
	u8 *at;

	memset(to, 0, fargs_template_size(layout));
	if (fargs_layout_path(layout) == FARGS_PATH_PLAIN) {
		fill_entry(layout, t);
		t->capture = capture;
		t->head = t->len | FARGS_KIND_ENTRY << 16;
		t->fast_len = t->nr_stack ? ~0u : t->len;
		return t;
	}
	t = to + offsetof(struct fargs_programs, entry);
	fill_entry(layout, t);
	t->capture = capture;
	programs->flags = layout->flags;
	programs->depth = 1;
	programs->values_len = fargs_body_values_len(&body);
	programs->append_max = layout->append_max;
	programs->return_append_max = layout->return_append_max;
	t->len = entry_record_len(programs);
	t->head = t->len | entry_kind(layout) << 16;

	at = to + offsetof(struct fargs_programs, entry) + entry_size(layout);
	insns = (struct fargs_insn *)at;
	at += insns_size(layout);
	conds = (struct fargs_regcond *)at;
	nr_conds = make_regconds(layout, conds);
	at += nr_conds * sizeof(*conds);
	if (is_in_one(layout)) {
		append_return(layout, programs, t);
	} else if (has_return(layout)) {
		fill_return(layout, programs, at);
		at += return_size(layout);
	}
	programs->is_composed = is_composed(layout);
	programs->is_slow = programs->is_composed;
	fill_programs(layout, programs, insns, at);
	programs->prog[FARGS_PROG_ENTRY_PREDICATE].regconds = conds;
	programs->prog[FARGS_PROG_ENTRY_PREDICATE].nr_regconds = nr_conds;
	programs->is_chains = programs->prog[FARGS_PROG_ENTRY_FETCH].is_chains &&
			       !t->nr_stack && !(layout->flags & FARGS_LAYOUT_TRIGGER) &&
			       (nr_conds || !layout->nr_insns[FARGS_PROG_ENTRY_PREDICATE]);
	if (nr_conds == 1 && fargs_regrange_make(conds, &programs->range))
		programs->first_step = FARGS_FIRST_RANGE;
	else if (nr_conds)
		programs->first_step = FARGS_FIRST_TABLE;
	else
		programs->first_step = programs->is_chains ? FARGS_FIRST_CHAINS : FARGS_FIRST_OTHER;
	return t;
}

void fargs_template_set_depth(struct fargs_template *t, u8 depth)
{
	fargs_template_own(t)->depth = depth;
}

void fargs_template_make_slow(struct fargs_template *t)
{
	fargs_template_own(t)->is_slow = true;
}
