// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests items for several instructions: they are the instructions that are decoded one by one, and
 * what happens between instructions is between items.
 */
#include <stdlib.h>

#include "source/pt/code/insn.h"
#include "source/pt/input/perf_input.h"
#include "source/pt/trace/decoder.h"
#include "unit/pt_program.h"
#include "unit/pt_testdata.h"

static struct fargs_pt_flow by_insn, by_block;

static void run(struct fargs_pt_decoder *d, const struct fargs_pt_segment *seg,
		struct fargs_pt_flow *flow)
{
	CHECK(!fargs_pt_decoder_run(d, seg, flow));
}

static bool is_same(const struct fargs_pt_item *a, const struct fargs_pt_item *b)
{
	return a->kind == b->kind && a->from == b->from && a->to == b->to && a->tsc == b->tsc &&
	       a->offset == b->offset && a->nr_insns == b->nr_insns && a->insn == b->insn &&
	       a->flags == b->flags && a->error == b->error;
}

/* Compares @item with the items from @i on. Returns the next one. */
static size_t compare_item(const struct fargs_pt_item *item, size_t i)
{
	struct fargs_pt_item one = *item;
	uint32_t k;

	if (item->kind != FARGS_PT_EXECUTED) {
		if (i >= by_insn.nr || !is_same(item, &by_insn.items[i]))
			return SIZE_MAX;
		return i + 1;
	}
	for (k = 0; k < item->nr_insns; k++, i++) {
		one.to = 0;
		one.nr_insns = 1;
		one.insn = k + 1 == item->nr_insns ? item->insn : FARGS_PT_INSN_OTHER;
		if (i >= by_insn.nr || !is_same(&one, &by_insn.items[i]))
			return SIZE_MAX;
		one.from += fargs_pt_flow_insn_size(&by_block, item, k);
	}
	return i;
}

/* Returns whether the flows have the same instructions. */
static bool compare_flows(void)
{
	size_t i, at = 0;

	for (i = 0; i < by_block.nr && at != SIZE_MAX; i++)
		at = compare_item(&by_block.items[i], at);
	return at == by_insn.nr && by_block.nr_insns == by_insn.nr_insns &&
	       by_block.nr_rest == by_insn.nr_rest;
}

/* Decodes @s in both ways. Returns the numbers of items. */
static void compare_stream(const struct fargs_pt_stream *s, uint64_t switch_addr, size_t *nr_insns,
			   size_t *nr_blocks)
{
	struct fargs_pt_text *text = fargs_pt_text_create(&in, FARGS_PT_ENGINE_FARGS, &err);
	struct fargs_pt_decoder *insns = fargs_pt_decoder_create(&in, text, switch_addr);
	struct fargs_pt_decoder *blocks = fargs_pt_decoder_create(&in, text, switch_addr);
	struct fargs_pt_segments segs = { };
	size_t i, nr_different = 0;

	fargs_pt_decoder_step_by_insn(insns);
	fargs_pt_decoder_step_by_block(blocks);
	REQUIRE(!fargs_pt_segments_init(&segs, s, 1));
	for (i = 0; i < segs.nr; i++) {
		run(insns, &segs.all[i], &by_insn);
		run(blocks, &segs.all[i], &by_block);
		nr_different += !compare_flows();
		*nr_insns += by_insn.nr;
		*nr_blocks += by_block.nr;
	}
	CHECK_INT(nr_different, 0);
	fargs_pt_segments_deinit(&segs);
	fargs_pt_decoder_destroy(insns);
	fargs_pt_decoder_destroy(blocks);
	fargs_pt_text_destroy(text);
}

static void end_test(void)
{
	fargs_pt_flow_deinit(&by_insn);
	fargs_pt_flow_deinit(&by_block);
	fargs_pt_input_deinit(&in);
}

/* 1000 nop 1001 nopw 1003 nopl 1006 jz 1001 1008 nop 1009 ret */
static const uint8_t code[] = {
	0x90, 0x66, 0x90, 0x0f, 0x1f, 0x00, 0x74, 0xf9, 0x90, 0xc3,
};

/* Decodes the code above, with the branch taken once. Returns the items of blocks. */
static const struct fargs_pt_item *decode(uint64_t switch_addr)
{
	struct fargs_pt_piece piece = { .begins = true };
	struct fargs_pt_stream s = { .tid = -1, .pieces = &piece, .nr_pieces = 1 };
	size_t nr_insns = 0, nr_blocks = 0;

	set_code(code, sizeof(code));
	put_psb(&trace, 500, CODE);
	put_bytes(&trace, "\x0c", 1);		/* TNT: taken, not taken */
	put_bytes(&trace, "\x2d\x00\x10", 3);	/* TIP 1000 */
	piece.bytes = trace.bytes;
	piece.size = trace.n;
	compare_stream(&s, switch_addr, &nr_insns, &nr_blocks);
	return by_block.items;
}

static void has_blocks(void)
{
	static const struct {
		uint64_t from;
		uint32_t nr;
		enum fargs_pt_insn insn;
	} expected[] = {
		{ CODE, 4, FARGS_PT_INSN_COND }, { CODE + 1, 3, FARGS_PT_INSN_COND },
		{ CODE + 8, 2, FARGS_PT_INSN_RETURN },
	};
	const struct fargs_pt_item *items = decode(0);
	size_t i, k = 0;

	for (i = 0; i < by_block.nr; i++) {
		if (items[i].kind != FARGS_PT_EXECUTED)
			continue;
		REQUIRE(k < 3);
		CHECK(items[i].from == expected[k].from && items[i].insn == expected[k].insn);
		CHECK_INT(items[i].nr_insns, expected[k].nr);
		k++;
	}
	CHECK_INT(k, 3);
	REQUIRE(by_block.nr > 1 && items[1].nr_insns == 4);
	CHECK_INT(fargs_pt_flow_insn_size(&by_block, &items[1], 0), 1);
	CHECK_INT(fargs_pt_flow_insn_size(&by_block, &items[1], 1), 2);
	CHECK_INT(fargs_pt_flow_insn_size(&by_block, &items[1], 2), 3);
	end_test();
}

/* A SWITCH is after its instruction, and before the next. */
static void is_cut_at_switches(void)
{
	const struct fargs_pt_item *items = decode(CODE + 3);
	size_t i, nr = 0;

	for (i = 1; i + 1 < by_block.nr; i++) {
		if (items[i].kind != FARGS_PT_SWITCH)
			continue;
		CHECK(items[i - 1].kind == FARGS_PT_EXECUTED && items[i - 1].from == CODE + 3 &&
		      items[i - 1].nr_insns == 1);
		CHECK(items[i + 1].kind == FARGS_PT_EXECUTED && items[i + 1].from == CODE + 6);
		nr++;
	}
	CHECK_INT(nr, 2);
	end_test();
}

static void decodes_a_recording(void)
{
	size_t nr_insns = 0, nr_blocks = 0, i;

	if (!pt_testdata_unpack("pt-kernel"))
		return;
	fargs_pt_input_init(&in);
	if (fargs_perf_input_read(&in, pt_testdata_at("pt-kernel/perf.data"), NULL, &err))
		ktap_fail(__FILE__, __LINE__, "%s", err.text);
	for (i = 0; i < in.nr_streams; i++)
		compare_stream(&in.streams[i], 0, &nr_insns, &nr_blocks);
	printf("# %zu items by instruction, %zu by block\n", nr_insns, nr_blocks);
	CHECK(nr_blocks > 100000 && nr_insns > 2 * nr_blocks);
	end_test();
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "an item has the instructions up to a branch", has_blocks },
		{ "items end where tasks are switched", is_cut_at_switches },
		{ "a recording has the same instructions", decodes_a_recording },
	};
	int status = TEMP_RUN(tests);

	pt_testdata_clean_up();
	return status;
}
