// SPDX-License-Identifier: GPL-2.0-only
#include "template.h"

#include <linux/kernel.h>
#include <linux/string.h>

#include "layout.h"
#include "layout_parts.h"

#define HEADER	((u32)sizeof(struct fargs_record))

static u32 body_bytes(u32 body_len)
{
	return round_up(body_len, 16);	/* copied 16 bytes at a time */
}

static u32 nr_stack_stores(const struct fargs_layout *layout)
{
	const struct fargs_store *stores = fargs_layout_stores(layout);
	u32 i, n = 0;

	for (i = 0; i < layout->nr_stores; i++)
		n += stores[i].source == FARGS_SOURCE_STACK;
	return n;
}

/* Of a struct fargs_template and what follows it. */
static size_t entry_size(const struct fargs_layout *layout)
{
	return sizeof(struct fargs_template) + body_bytes(layout->body_len) +
	       nr_stack_stores(layout) * sizeof(struct fargs_stack_store);
}

static size_t insns_size(const struct fargs_layout *layout)
{
	u32 i, nr = 0;

	for (i = 0; i < FARGS_PROGS; i++)
		nr += layout->nr_insns[i];
	return nr * sizeof(struct fargs_insn);
}

static size_t return_size(const struct fargs_layout *layout)
{
	if (!(layout->flags & FARGS_LAYOUT_RETURN))
		return 0;
	return sizeof(struct fargs_return_template) + body_bytes(layout->return_body_len);
}

size_t fargs_template_size(const struct fargs_layout *layout)
{
	if (fargs_layout_path(layout) == FARGS_PATH_PLAIN)
		return entry_size(layout);
	return offsetof(struct fargs_programs, entry) + entry_size(layout) + insns_size(layout) +
	       return_size(layout) + layout->const_len + FARGS_CONST_PAD;
}

static void fill_entry(const struct fargs_layout *layout, struct fargs_template *t)
{
	const struct fargs_store *store = fargs_layout_stores(layout);
	struct fargs_body body = fargs_layout_body(layout);
	struct fargs_body_value value;
	struct fargs_stack_store *stack;
	u32 i;

	t->body_len = body_bytes(layout->body_len);
	t->len = HEADER + t->body_len;
	memcpy(t->body, body.bytes, body.len);
	for (i = 0; i < FARGS_REGS; i++)
		t->reg_offset[i] = offsetof(struct fargs_record, seq);
	stack = (struct fargs_stack_store *)fargs_template_stack(t);
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
}

static void fill_return(const struct fargs_layout *layout, struct fargs_return_template *ret)
{
	const struct fargs_store *store = fargs_layout_stores(layout);
	struct fargs_body body = fargs_layout_return_body(layout);
	u32 i;

	ret->body_len = body_bytes(body.len);
	ret->values_len = fargs_body_values_len(&body);
	ret->rax_offset = FARGS_OFFSET_NONE;
	ret->rdx_offset = FARGS_OFFSET_NONE;
	ret->entry_tsc_offset = FARGS_OFFSET_NONE;
	memcpy(ret->body, body.bytes, body.len);
	for (i = 0; i < layout->nr_stores; i++, store++) {
		if (store->source == FARGS_SOURCE_ENTRY_TSC)
			ret->entry_tsc_offset = store->offset;
		else if (store->source == FARGS_SOURCE_RETURN && store->index)
			ret->rdx_offset = store->offset;
		else if (store->source == FARGS_SOURCE_RETURN)
			ret->rax_offset = store->offset;
	}
}

/* What is in the way of keeping nothing but registers from the call to the return? */
static bool is_composed(const struct fargs_layout *layout, const struct fargs_programs *programs)
{
	u32 i;

	for (i = 0; i < FARGS_PROGS; i++) {
		if (layout->nr_insns[i])
			return true;
	}
	return programs->entry.nr_stack || layout->flags & FARGS_LAYOUT_GRAPH ||
	       programs->return_len > FARGS_RECORD_MAX;
}

/* Each body is copied whole, the return body over the end of the other. */
static u32 return_record_len(const struct fargs_programs *programs)
{
	u32 bytes = max_t(u32, programs->entry.body_len,
			  programs->values_len + programs->ret->body_len);

	return HEADER + round_up(bytes, FARGS_RECORD_ALIGN);
}

/* Puts all programs at @insns, with their constants at @consts. */
static void fill_programs(const struct fargs_layout *layout, struct fargs_programs *programs,
			  struct fargs_insn *insns, u8 *consts)
{
	u32 which;

	memcpy(consts, fargs_layout_consts(layout), layout->const_len);
	for (which = 0; which < FARGS_PROGS; which++) {
		bool is_return = which >= FARGS_PROG_RETURN_PREDICATE;
		const struct fargs_insn *from = fargs_layout_insns(layout, which);
		struct fargs_body body = is_return ? fargs_layout_return_body(layout) :
						     fargs_layout_body(layout);
		u32 nr = layout->nr_insns[which];

		fargs_prog_translate(from, nr, which, &body, consts, insns);
		programs->prog[which] = (struct fargs_program){
			.insns = insns, .consts = consts, .nr = nr,
		};
		programs->is_guarded[is_return] |= fargs_prog_needs_guard(from, nr);
		insns += nr;
	}
}

/* What was appended, and the end, may need more than the body's own end had. */
static u32 entry_record_len(const struct fargs_programs *programs)
{
	u32 values = HEADER + programs->values_len + programs->append_max + 2;

	return max_t(u32, programs->entry.len, round_up(values, FARGS_RECORD_ALIGN));
}

/*
 * By addresses from @to on, never from a member: FORTIFY_SOURCE would hold its size
 * against what is copied behind it.
 */
const struct fargs_template *fargs_template_make(const struct fargs_layout *layout, void *to)
{
	struct fargs_body body = fargs_layout_body(layout);
	struct fargs_programs *programs = to;
	struct fargs_template *t = to;
	struct fargs_insn *insns;
	u8 *at;

	memset(to, 0, fargs_template_size(layout));
	if (fargs_layout_path(layout) == FARGS_PATH_PLAIN) {
		fill_entry(layout, t);
		t->head = t->len | FARGS_KIND_ENTRY << 16;
		return t;
	}
	t = to + offsetof(struct fargs_programs, entry);
	fill_entry(layout, t);
	programs->flags = layout->flags;
	programs->values_len = fargs_body_values_len(&body);
	programs->append_max = layout->append_max;
	programs->return_append_max = layout->return_append_max;
	t->len = entry_record_len(programs);
	t->head = t->len | FARGS_KIND_ENTRY << 16;

	at = to + offsetof(struct fargs_programs, entry) + entry_size(layout);
	insns = (struct fargs_insn *)at;
	at += insns_size(layout);
	if (layout->flags & FARGS_LAYOUT_RETURN) {
		programs->ret = (const struct fargs_return_template *)at;
		fill_return(layout, (struct fargs_return_template *)at);
		programs->return_len = return_record_len(programs);
		programs->is_composed = is_composed(layout, programs);
		at += return_size(layout);
	}
	fill_programs(layout, programs, insns, at);
	return t;
}
