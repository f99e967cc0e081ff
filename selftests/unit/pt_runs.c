// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests runs, which our own decoder remembers: a program that takes random ways is decoded as it
 * was executed, and recordings are decoded the same way with runs and without.
 */
#include <stdlib.h>

#include "source/pt/input/perf_input.h"
#include "source/pt/trace/decoder.h"
#include "unit/pt_program.h"
#include "unit/pt_testdata.h"

#define NR_ROUNDS	4000u
#define POKE_TSC	550u

/*
 * A function is called from two places, and has a way around a NOP:
 *
 *	1000 jz 1009
 *	1002 call 1015
 *	1007 jmp 100e
 *	1009 call 1015
 *	100e jnz 1000
 *	1010 ret
 *	1015 jz 1018
 *	1017 nop
 *	1018 ret
 */
static const uint8_t code[] = {
	0x74, 0x07, 0xe8, 0x0e, 0, 0, 0, 0xeb, 0x05, 0xe8, 0x07, 0, 0, 0, 0x75, 0xf0,
	0xc3, 0x90, 0x90, 0x90, 0x90, 0x74, 0x01, 0x90, 0xc3,
};

/* A branch that was executed. */
struct taken {
	uint64_t from, to;
	uint32_t nr_insns;		/* number of instructions since the last one */
};

static struct taken *all;
static size_t nr_taken, nr_shown;
static uint32_t nr_insns;
static uint64_t switch_addr;
static size_t nr_nops;
static uint64_t bits;			/* that no packet has yet; the last one is bit 0 */
static unsigned int nr_bits;
static uint64_t state;
static struct fargs_pt_flow flow;

static unsigned int random_below(unsigned int limit)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % limit;
}

/* Adds a TNT of all bits. */
static void put_bits(void)
{
	uint8_t packet[8] = { 0x02, 0xa3 };
	uint64_t payload = bits | UINT64_C(1) << nr_bits;
	size_t i;

	for (i = 2; i < sizeof(packet); i++, payload >>= 8)
		packet[i] = payload;
	if (nr_bits)
		put_bytes(&trace, packet, sizeof(packet));
	bits = 0;
	nr_bits = 0;
}

/* Packets have any number of bits, up to 47. */
static void put_bit(bool bit)
{
	static unsigned int limit = 1;

	bits = bits << 1 | bit;
	if (++nr_bits < limit)
		return;
	put_bits();
	limit = 1 + random_below(47);
}

static void take(unsigned int from, unsigned int to)
{
	all[nr_taken++] = (struct taken){ CODE + from, CODE + to, nr_insns + 1 };
	nr_insns = 0;
}

/* Executes a conditional branch. Returns whether it was taken. */
static bool execute_cond(unsigned int from, unsigned int to, bool is_taken)
{
	put_bit(is_taken);
	if (is_taken)
		take(from, to);
	else
		nr_insns++;
	return is_taken;
}

static void execute_function(unsigned int from, unsigned int to, bool is_patched)
{
	take(from, 0x15);
	if (is_patched) {
		take(0x15, 0x18);
	} else if (!execute_cond(0x15, 0x18, random_below(2))) {
		nr_insns++;
		nr_nops++;
	}
	put_bit(true);
	take(0x18, to);
}

/* @turns: of how many times the first branch is taken, once. */
static void execute_round(unsigned int turns, bool is_patched, bool is_last)
{
	if (execute_cond(0, 9, !random_below(turns))) {
		execute_function(9, 0x0e, is_patched);
	} else {
		execute_function(2, 7, is_patched);
		take(7, 0x0e);
	}
	execute_cond(0x0e, 0, !is_last);
}

static void decode(bool has_runs)
{
	decode_trace(&flow, switch_addr, has_runs);
}

/* Checks that @flow is a BEGIN, and what was executed. */
static void check_flow(size_t nr_pokes)
{
	size_t i, k, nr_switches = 0, nr = 0;
	uint32_t before = 0;

	for (i = 1; i < flow.nr; i++) {
		const struct fargs_pt_item *item = &flow.items[i];

		before += item->nr_insns;
		if (item->kind == FARGS_PT_POKED || item->kind == FARGS_PT_SWITCH) {
			nr_switches += item->kind == FARGS_PT_SWITCH;
			nr_pokes -= item->kind == FARGS_PT_POKED;
			continue;
		}
		k = nr++;
		if (k < nr_taken && item->kind == FARGS_PT_BRANCH && item->from == all[k].from &&
		    item->to == all[k].to && before == all[k].nr_insns) {
			before = 0;
			continue;
		}
		ktap_fail(__FILE__, __LINE__, "branch %zu, from %" PRIx64, k, item->from);
		break;
	}
	CHECK(nr_taken > NR_ROUNDS);
	CHECK_INT(nr, nr_taken);
	CHECK_INT(nr_switches, switch_addr ? nr_nops : 0);
	CHECK_INT(nr_pokes, 0);
}

/* @patch: of the rounds, the first that executes patched code. */
static void execute(unsigned int turns, unsigned int patch)
{
	unsigned int i, has_runs;

	set_code(code, sizeof(code));
	if (patch < NR_ROUNDS) {
		const struct fargs_pt_poke poke = {
			.ns = POKE_TSC, .addr = CODE + 0x15, .old_bytes = 1, .new_bytes = 1,
			.code = (const uint8_t *)"\x74\xeb",
		};

		CHECK(!fargs_pt_input_add_poke(&in, &poke));
	}
	all = calloc(6 * NR_ROUNDS, sizeof(*all));
	nr_taken = 0;
	nr_insns = 0;
	nr_nops = 0;
	state = turns;
	put_psb(&trace, 500, CODE);
	for (i = 0; i < NR_ROUNDS; i++) {
		if (i == patch) {
			put_bits();
			put_bytes(&trace, "\x19\x26\x02\x00\x00\x00\x00\x00", 8);
		}
		execute_round(turns, i >= patch, i + 1 == NR_ROUNDS);
	}
	put_bits();
	for (has_runs = 0; has_runs < 2; has_runs++) {
		decode(has_runs);
		check_flow(patch < NR_ROUNDS);
	}
	free(all);
	fargs_pt_flow_deinit(&flow);
	fargs_pt_input_deinit(&in);
}

static void takes_random_ways(void)
{
	execute(2, UINT32_MAX);
}

/* A run that is known expects the usual caller. */
static void returns_to_another_call(void)
{
	execute(20, UINT32_MAX);
}

static void takes_patched_code(void)
{
	execute(3, NR_ROUNDS / 2);
}

/* Each instruction that switches tasks has an item, so no run may contain it. */
static void finds_switches(void)
{
	switch_addr = CODE + 0x17;
	execute(3, UINT32_MAX);
	switch_addr = 0;
}

enum view { BRANCHES, CALLS, CYCLES, NR_VIEWS };

static bool is_same(const struct fargs_pt_item *a, const struct fargs_pt_item *b)
{
	return a->tsc == b->tsc && a->from == b->from && a->to == b->to &&
	       a->offset == b->offset && a->nr_insns == b->nr_insns && a->kind == b->kind &&
	       a->insn == b->insn && a->flags == b->flags && a->error == b->error;
}

static bool is_same_flow(const struct fargs_pt_flow *a, const struct fargs_pt_flow *b)
{
	size_t i;

	if (a->nr != b->nr || a->nr_insns != b->nr_insns || a->nr_rest != b->nr_rest ||
	    a->end_tsc != b->end_tsc || a->nr_cycle_marks != b->nr_cycle_marks ||
	    a->nr_cycles != b->nr_cycles || a->is_broken != b->is_broken)
		return false;
	for (i = 0; i < a->nr; i++)
		if (!is_same(&a->items[i], &b->items[i]))
			return false;
	for (i = 0; i < a->nr_cycle_marks; i++)
		if (a->cycles[i].item != b->cycles[i].item || a->cycles[i].nr != b->cycles[i].nr)
			return false;
	return true;
}

static struct fargs_pt_decoder *create_decoder(struct fargs_pt_text *text, enum view view)
{
	struct fargs_pt_decoder *d = fargs_pt_decoder_create(&in, text, 0);

	if (view == CALLS)
		fargs_pt_decoder_omit_jumps(d);
	if (view == CYCLES)
		fargs_pt_decoder_count_cycles(d);
	return d;
}

static void compare_stream(const struct fargs_pt_stream *s, enum view view)
{
	struct fargs_pt_text *text = fargs_pt_text_create(&in, FARGS_PT_ENGINE_FARGS, &err);
	struct fargs_pt_decoder *with = create_decoder(text, view);
	struct fargs_pt_decoder *without = create_decoder(text, view);
	struct fargs_pt_segments segs = { };
	struct fargs_pt_flow flows[2] = { };
	size_t i, nr_different = 0;

	fargs_pt_decoder_forget_runs(without);
	REQUIRE(!fargs_pt_segments_init(&segs, s, 1));
	for (i = 0; i < segs.nr; i++) {
		CHECK(!fargs_pt_decoder_run(with, &segs.all[i], &flows[0]));
		CHECK(!fargs_pt_decoder_run(without, &segs.all[i], &flows[1]));
		nr_different += !is_same_flow(&flows[0], &flows[1]);
		nr_shown += flows[0].nr;
	}
	CHECK_INT(nr_different, 0);
	fargs_pt_flow_deinit(&flows[0]);
	fargs_pt_flow_deinit(&flows[1]);
	fargs_pt_segments_deinit(&segs);
	fargs_pt_decoder_destroy(with);
	fargs_pt_decoder_destroy(without);
	fargs_pt_text_destroy(text);
}

static void decodes_a_recording(void)
{
	enum view view;
	size_t i;

	if (!pt_testdata_unpack("pt-kernel"))
		return;
	fargs_pt_input_init(&in);
	if (fargs_perf_input_read(&in, pt_testdata_at("pt-kernel/perf.data"), NULL, &err))
		ktap_fail(__FILE__, __LINE__, "%s", err.text);
	nr_shown = 0;
	for (view = 0; view < NR_VIEWS; view++)
		for (i = 0; i < in.nr_streams; i++)
			compare_stream(&in.streams[i], view);
	printf("# %zu items\n", nr_shown);
	CHECK(nr_shown > 100000);
	fargs_pt_input_deinit(&in);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "a program takes random ways", takes_random_ways },
		{ "a function returns to a call that is rare", returns_to_another_call },
		{ "code is patched between the same branches", takes_patched_code },
		{ "switches of tasks are found", finds_switches },
		{ "a recording has the same flow with runs and without", decodes_a_recording },
	};
	int status = TEMP_RUN(tests);

	pt_testdata_clean_up();
	return status;
}
