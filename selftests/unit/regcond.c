// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares predicates on registers that are compiled to a table (kmod/prog/regcond.c), and those
 * of them that are compiled to a range (kmod/prog/regrange.c), with an interpreter of their
 * programs, which follows the description in uapi/fargs_prog.h.
 */
#include <stdlib.h>

#include "fuzz/random.h"
#include "unit/expr_model.h"

/* The module's header. */
#include "../../kmod/prog/regrange.h"

#define CONDS_MAX	(FARGS_PROG_MAX / 2)

static struct fargs_insn code[FARGS_PROG_MAX];
static unsigned int nr;
static struct fuzz_random random_state = { 4711 };

static const uint64_t interesting[] = {
	0, 1, 2, 7, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff,
	0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffff80,
	0xffffffff80000000, ~1ull, ~0ull, 0xdeadbeef000001a4,
};

#define NR_INTERESTING	(sizeof(interesting) / sizeof(interesting[0]))

static void add(struct fargs_insn insn)
{
	code[nr++] = insn;
}

static uint64_t some_value(void)
{
	if (fuzz_once_in(&random_state, 3))
		return (uint64_t)fuzz_random(&random_state) << 32 | fuzz_random(&random_state);
	return interesting[fuzz_below(&random_state, NR_INTERESTING)];
}

static unsigned int nr_ranges;

/*
 * Checks that the table, the range (NULL: there is none) and the interpreter give the same result
 * for random registers.
 */
static void compare(const struct fargs_regcond *conds, const struct fargs_regrange *range)
{
	struct model m = { };
	int i, truth;

	for (i = 0; i < 6; i++)
		m.args[i] = some_value();
	truth = model_run(&m, code, nr, NULL);
	CHECK_INT(fargs_regconds_hold(conds, m.args), truth);
	if (range)
		CHECK_INT(fargs_regrange_holds(range, m.args), truth);
}

static void compare_often(unsigned int nr_conds)
{
	struct fargs_regcond conds[CONDS_MAX];
	struct fargs_regrange range;
	bool is_range;
	int i;

	REQUIRE(fargs_regconds_make(code, nr, NULL) == nr_conds);
	REQUIRE(fargs_regconds_make(code, nr, conds) == nr_conds);
	is_range = nr_conds == 1 && fargs_regrange_make(conds, &range);
	nr_ranges += is_range;
	for (i = 0; i < 50; i++)
		compare(conds, is_range ? &range : NULL);
}

/* Adds instructions that extract a value of random width from a register. */
static void add_steps(uint8_t reg)
{
	unsigned int bits = 1 + fuzz_below(&random_state, 64);
	unsigned int above = fuzz_below(&random_state, 65 - bits);
	bool is_signed = fuzz_once_in(&random_state, 2);

	if (is_signed || fuzz_once_in(&random_state, 3)) {
		add((struct fargs_insn){ .op = FARGS_OP_SHL, .dst = reg, .imm = above });
		add((struct fargs_insn){ .op = is_signed ? FARGS_OP_SAR : FARGS_OP_SHR, .dst = reg,
					 .imm = 64 - bits });
	} else if (fuzz_once_in(&random_state, 2)) {
		add((struct fargs_insn){ .op = FARGS_OP_SHR, .dst = reg, .imm = above });
		add((struct fargs_insn){ .op = FARGS_OP_AND, .dst = reg,
					 .imm = ~0ull >> (64 - bits) });
	}
	if (fuzz_once_in(&random_state, 3))
		add((struct fargs_insn){ .op = FARGS_OP_AND, .dst = reg, .imm = some_value() });
}

static void add_cond(uint8_t cond)
{
	uint8_t reg = fuzz_below(&random_state, FARGS_PROG_REGS);

	add((struct fargs_insn){ .op = FARGS_OP_ARG, .dst = reg,
				 .arg = fuzz_below(&random_state, 6) });
	add_steps(reg);
	add((struct fargs_insn){ .op = FARGS_OP_JIF, .dst = reg, .arg = cond,
				 .imm = some_value() });
}

static void tells_each_condition(void)
{
	int cond, i;

	for (cond = FARGS_COND_EQ; cond <= FARGS_COND_SET; cond++) {
		for (i = 0; i < 300; i++) {
			nr = 0;
			add_cond(cond);
			code[nr - 1].off = 1;
			add((struct fargs_insn){ .op = FARGS_OP_REJECT });
			add((struct fargs_insn){ .op = FARGS_OP_ACCEPT });
			compare_often(1);
		}
	}
	printf("# %u of %u comparisons are ranges\n", nr_ranges, 300 * (FARGS_COND_SET + 1));
	CHECK(nr_ranges > 100 * (FARGS_COND_SET + 1));
}

/* Tests random comparisons, in a program whose jumps lead to any later comparison or to an end. */
static void follows_jumps(void)
{
	unsigned int starts[20], i, j, k, n;

	for (i = 0; i < 2000; i++) {
		nr = 0;
		n = 1 + fuzz_below(&random_state, 12);
		for (j = 0; j < n; j++) {
			starts[j] = nr;
			add_cond(fuzz_below(&random_state, FARGS_COND_SET + 1));
			if (fuzz_once_in(&random_state, 3))
				add((struct fargs_insn){ .op = FARGS_OP_JMP });
		}
		starts[n] = nr;
		add((struct fargs_insn){ .op = FARGS_OP_ACCEPT });
		starts[n + 1] = nr;
		add((struct fargs_insn){ .op = FARGS_OP_REJECT });
		for (j = 0, k = 0; k < starts[n]; k++) {
			while (starts[j] <= k)
				j++;
			if (code[k].op == FARGS_OP_JIF || code[k].op == FARGS_OP_JMP)
				code[k].off = starts[j + fuzz_below(&random_state, n + 2 - j)] -
					      k - 1;
		}
		compare_often(n);
	}
}

/*
 * Returns the number of conditions that are compiled for a valid program whose instruction at @at
 * is replaced by @insn.
 */
static unsigned int conds_with(unsigned int at, struct fargs_insn insn)
{
	static const struct fargs_insn right[] = {
		{ .op = FARGS_OP_ARG },
		{ .op = FARGS_OP_SHL, .imm = 8 },
		{ .op = FARGS_OP_SHR, .imm = 16 },
		{ .op = FARGS_OP_AND, .imm = 6 },
		{ .op = FARGS_OP_JIF, .arg = FARGS_COND_EQ, .imm = 2, .off = 1 },
		{ .op = FARGS_OP_ACCEPT },
		{ .op = FARGS_OP_REJECT },
	};

	memcpy(code, right, sizeof(right));
	nr = sizeof(right) / sizeof(right[0]);
	if (insn.op)
		code[at] = insn;
	return fargs_regconds_make(code, nr, NULL);
}

static void leaves_the_rest_to_programs(void)
{
	CHECK_INT(conds_with(0, (struct fargs_insn){ }), 1);
	CHECK_INT(conds_with(0, (struct fargs_insn){ .op = FARGS_OP_CTX }), 0);
	CHECK_INT(conds_with(0, (struct fargs_insn){ .op = FARGS_OP_SLOT }), 0);
	CHECK_INT(conds_with(1, (struct fargs_insn){ .op = FARGS_OP_LOAD, .arg = 8 }), 0);
	CHECK_INT(conds_with(1, (struct fargs_insn){ .op = FARGS_OP_SHR, .imm = 8 }), 0);
	CHECK_INT(conds_with(1, (struct fargs_insn){ .op = FARGS_OP_AND, .imm = 8 }), 0);
	CHECK_INT(conds_with(1, (struct fargs_insn){ .op = FARGS_OP_ADD, .imm = 8 }), 0);
	CHECK_INT(conds_with(1, (struct fargs_insn){ .op = FARGS_OP_ARG, .dst = 1 }), 0);
	CHECK_INT(conds_with(2, (struct fargs_insn){ .op = FARGS_OP_SHL, .imm = 8 }), 0);
	CHECK_INT(conds_with(3, (struct fargs_insn){ .op = FARGS_OP_SAR, .imm = 8 }), 0);
	CHECK_INT(conds_with(3, (struct fargs_insn){ .op = FARGS_OP_AND, .dst = 1 }), 0);
	CHECK_INT(conds_with(4, (struct fargs_insn){ .op = FARGS_OP_JIF_REG, .off = 1 }), 0);
}

/*
 * Tests a jump into a comparison: r0 would be the first argument on one path, and the second on the
 * other. Such programs are not compiled.
 */
static void leaves_jumps_into_a_comparison(void)
{
	static const struct fargs_insn insns[] = {
		{ .op = FARGS_OP_ARG },
		{ .op = FARGS_OP_JIF, .arg = FARGS_COND_EQ, .off = 1 },
		{ .op = FARGS_OP_ARG, .arg = 1 },
		{ .op = FARGS_OP_JIF, .arg = FARGS_COND_EQ, .imm = 1, .off = 1 },
		{ .op = FARGS_OP_ACCEPT },
		{ .op = FARGS_OP_REJECT },
	};

	CHECK_INT(fargs_regconds_make(insns, sizeof(insns) / sizeof(insns[0]), NULL), 0);
	CHECK_INT(fargs_regconds_make(insns, 0, NULL), 0);
}

/* Tests programs that do not begin with a comparison: they are not compiled. */
static void leaves_what_begins_with_no_comparison(void)
{
	static const struct fargs_insn accepts_all[] = {
		{ .op = FARGS_OP_ACCEPT },
		{ .op = FARGS_OP_ARG },
		{ .op = FARGS_OP_JIF, .arg = FARGS_COND_EQ, .off = 1 },
		{ .op = FARGS_OP_ACCEPT },
		{ .op = FARGS_OP_REJECT },
	};
	static const struct fargs_insn asks_for_the_second[] = {
		{ .op = FARGS_OP_JMP, .off = 2 },
		{ .op = FARGS_OP_ARG },
		{ .op = FARGS_OP_JIF, .arg = FARGS_COND_EQ, .off = 3 },
		{ .op = FARGS_OP_ARG, .arg = 1 },
		{ .op = FARGS_OP_JIF, .arg = FARGS_COND_EQ, .imm = 1, .off = 1 },
		{ .op = FARGS_OP_REJECT },
		{ .op = FARGS_OP_ACCEPT },
	};

	CHECK_INT(fargs_regconds_make(accepts_all, 5, NULL), 0);
	CHECK_INT(fargs_regconds_make(asks_for_the_second, 7, NULL), 0);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "conditions on values extracted in all ways are right", tells_each_condition },
		{ "several conditions with jumps to later ones are right", follows_jumps },
		{ "programs that use anything else have no table", leaves_the_rest_to_programs },
		{ "programs that jump into a comparison have no table",
		  leaves_jumps_into_a_comparison },
		{ "programs that begin with something else have no table",
		  leaves_what_begins_with_no_comparison },
	};

	return KTAP_RUN(tests);
}
