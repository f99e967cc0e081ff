// SPDX-License-Identifier: GPL-2.0-only
/*
 * Feeds random layouts with programs, most of them corrupted, to the module's verifier, and runs
 * accepted programs in the module's interpreter (both built for user space), with random arguments
 * and memory.
 *
 * The verifier must accept exactly the layouts that lib/layout_model.h accepts, and report which
 * field of a refused layout is wrong. An accepted program must terminate, read and write only
 * its own memory (a sanitizer detects other accesses), append at most the announced size, and have
 * the results that unit/expr_model.h computes.
 *
 *	prog [-n N] [-t SECONDS] [-s SEED]
 *
 * Stops after N (20000) layouts, or after SECONDS. A layout depends only on its seed, which starts
 * with SEED and is incremented: -n 1 -s SEED repeats a single layout.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/options.h"
#include "fuzz/random.h"
#include "lib/body_check.h"
#include "lib/machine.h"
#include "lib/verifier.h"
#include "unit/expr_model.h"

/* Time limit in seconds: a program that does not terminate is a failure. */
#define SECONDS_EACH	20
#define PIECES		5
/* The last piece consists of nodes and mounts of trees: each is five pointers. */
#define TREE		(PIECES - 1)
#define NODES		12
#define NODE_BYTES	40

static struct fuzz_random state;
static uint64_t seed = 1;

/* Memory that programs can read. Each piece is allocated separately. */
static struct machine_memory pieces[PIECES];
static const char no_nodes[NODES * NODE_BYTES];
static const struct { const char *text; unsigned int len; bool is_user; } contents[PIECES] = {
	{ "eth0\0of the kernel\0\1\2\3\4\5\6\7\xff\xfe\xfd\xfc\xfb\xfa", 32, false },
	{ "eth1, the user's, with an end\0and more behind", 44, true },
	{ "no end", 6, false },
	{ "\0", 1, true },
	{ no_nodes, sizeof(no_nodes), false },
};

static uint64_t *nodes;		/* contents of the last piece */

static unsigned long nr_layouts, nr_taken, nr_reading, nr_runs, nr_accepted, nr_insns;
static unsigned long nr_fetched, nr_faults, nr_paths;
static unsigned long by_rule[64];

static uint64_t rnd(void)
{
	return (uint64_t)fuzz_random(&state) << 32 | fuzz_random(&state);
}

static uint32_t below(uint32_t n)
{
	return n ? fuzz_below(&state, n) : 0;
}

static bool one_in(uint32_t n)
{
	return fuzz_once_in(&state, n);
}

/* Returns a number near @value, or near a limit. */
static uint64_t near(uint64_t value)
{
	static const uint64_t borders[] = {
		0, 1, 2, 7, 8, 9, 31, 32, 63, 64, 127, 128, 129, 255, 256, 2048, 2049, 3024, 3072,
		4096, 4104, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000u, 0xffffffffu,
		1ull << 32, 1ull << 47, 1ull << 63, ~0ull,
	};

	switch (below(3)) {
	case 0:
		return value + below(33) - 16;
	case 1:
		return borders[below(sizeof(borders) / sizeof(borders[0]))];
	default:
		return rnd();
	}
}

static uint64_t random_addr(void)
{
	return rnd();
}

static uint64_t random_node(void)
{
	return pieces[TREE].addr + below(NODES) * NODE_BYTES;
}

/* Returns a number that is often an address in or near a piece of memory. */
static uint64_t random_value(void)
{
	const struct machine_memory *piece = &pieces[below(PIECES)];

	if (one_in(3))
		return random_node();
	return one_in(4) ? near(0) : piece->addr + below(piece->len + 9) - 4;
}

#include "lib/layout_random.h"

/* The layout that is being tried, and its call. */
static struct made made;
static uint8_t packed[MADE_BYTES_MAX];
static struct machine machine;
static struct model model;

static void require(bool cond, const char *what)
{
	if (cond)
		return;
	fprintf(stderr, "fuzz: %s\nfuzz: at -s %llu\n", what, (unsigned long long)seed);
	abort();
}

/* Allocates each piece with its exact size. */
static void make_pieces(void)
{
	unsigned int i;

	for (i = 0; i < PIECES; i++) {
		uint8_t *bytes = malloc(contents[i].len);

		require(bytes, "no memory");
		memcpy(bytes, contents[i].text, contents[i].len);
		pieces[i] = (struct machine_memory){
			.addr = (uintptr_t)bytes, .bytes = bytes, .len = contents[i].len,
			.is_user = contents[i].is_user,
		};
		if (i == TREE)
			nodes = (uint64_t *)bytes;
	}
}

/* Connects the nodes: each pointer may be one to a node, or the address of a name. */
static void make_tree(void)
{
	unsigned int i;

	for (i = 0; i < NODES * NODE_BYTES / sizeof(*nodes); i++)
		nodes[i] = one_in(16) ? near(0) : one_in(8) ? 0 : one_in(2) ? random_node() :
			   pieces[0].addr + below(pieces[0].len);
}

/* Makes a call for both the module's interpreter and the model. */
static void make_call(void)
{
	unsigned int i;

	make_tree();
	memset(&machine, 0, sizeof(machine));
	memset(&model, 0, sizeof(model));
	model.slots_at = MACHINE_SP;
	for (i = 0; i < FARGS_REGS; i++)
		machine.args[i] = random_value();
	memcpy(model.args, machine.args, sizeof(model.args));
	for (i = 0; i < FARGS_STACK_SLOTS; i++) {
		machine.slots[i] = one_in(6) ? ~0ull : random_value();
		if (machine.slots[i] == ~0ull)
			model.bad_slots |= 1u << i;
		model.slots[i] = machine.slots[i];
	}
	for (i = 0; i < FARGS_CTXS; i++)
		machine.ctx[i] = random_value();
	memcpy(model.ctx, machine.ctx, sizeof(model.ctx));
	machine.nr_stack = below(FARGS_STACK_MAX + 1);
	for (i = 0; i < machine.nr_stack; i++)
		machine.stack[i] = rnd();
	model.nr_stack = machine.nr_stack;
	memcpy(model.stack, machine.stack, sizeof(model.stack));
	machine.memory = pieces;
	machine.nr_memory = PIECES;
	for (i = 0; i < PIECES; i++)
		model_allow(&model, pieces[i].bytes, pieces[i].len, pieces[i].is_user);
}

/* ---- one layout ---- */

static int model_says(uint32_t which)
{
	if (!made.layout.nr_insns[which])
		return 1;
	model.nr_values = 0;
	return model_run(&model, made.insns[which], made.layout.nr_insns[which],
			 (const char *)made.consts);
}

/* Runs the ENTRY programs (@which 0) or the RETURN programs (@which 1). */
static void run_programs(uint32_t which)
{
	static struct machine_result result;
	uint32_t prog = 2 * which;
	uint32_t trigger = which ? FARGS_PROG_RETURN_TRIGGER : FARGS_PROG_TRIGGER;
	struct body_check check = {
		.model = &model, .insns = made.insns[prog + 1],
		.body = made.body[which], .body_len = made.body_len[which],
		.append_max = which ? made.layout.return_append_max : made.layout.append_max,
	};
	const char *wrong;
	bool is_done, is_trigger;
	int verdict;

	if (!made.layout.nr_insns[prog] && !made.layout.nr_insns[prog + 1] &&
	    !made.layout.nr_insns[trigger])
		return;
	make_call();
	is_trigger = model_says(trigger);
	model.has_unreadable = false;
	verdict = model_says(prog);
	alarm(SECONDS_EACH);
	is_done = which ? machine_run_return(&machine, packed, &result) :
			  machine_run(&machine, packed, &result);
	alarm(0);
	require(is_done, "no memory");
	require(result.is_accepted == verdict, "another verdict");
	require(result.is_trigger == is_trigger, "another verdict of a trigger");
	require(result.is_accepted || result.is_unreadable == model.has_unreadable,
		"wrong result for unreadable memory");
	nr_runs++;
	nr_accepted += verdict;
	nr_insns += made.layout.nr_insns[prog] + made.layout.nr_insns[prog + 1];
	if (!verdict)
		return;
	model.nr_values = 0;
	model_says(prog + 1);
	wrong = check_body(&check, result.body, result.body_len);
	require(!wrong, wrong);
	nr_fetched += check.nr_fetched;
	nr_faults += check.nr_faults;
	nr_paths += check.nr_paths;
	require(!ktap_has_failed, "the model cannot follow");
}

static void try_layout(void)
{
	uint32_t bytes = made_pack(&made, packed), size, field;
	enum model_rule rule = model_layout(packed, bytes, &size);
	uint64_t *exact = malloc(bytes);
	const char *reason;

	require(exact, "no memory");
	memcpy(exact, packed, bytes);
	reason = verifier_check(exact, bytes);
	field = verifier_field();
	free(exact);
	if (rule == MODEL_VALID && size != bytes)
		rule = MODEL_SIZE;
	by_rule[rule]++;
	if (!reason ? rule != MODEL_VALID : rule == MODEL_VALID) {
		fprintf(stderr, "fuzz: the verifier says: %s; the model: %s\n",
			reason ? reason : "taken", model_rule_names[rule]);
		require(false, reason ? "refused what is allowed" : "took what is not allowed");
	}
	if (reason) {
		/*
		 * A refusal must name a field, except if the layout is shorter than its buffer:
		 * verifier_check() itself checks the size, without naming a field.
		 */
		require(reason[0] && (field < bytes || (size && size != bytes)),
			"a refusal without a field of the layout");
		return;
	}
	nr_taken++;
	require(verifier_reads(packed) == model_reads(packed),
		"what reads memory is not what the headers say");
	nr_reading += model_reads(packed) != FARGS_NONE;
	run_programs(0);
	if (made.layout.flags & FARGS_LAYOUT_RETURN)
		run_programs(1);
}

int main(int argc, char **argv)
{
	struct fuzz_options options = { .nr = 20000, .seed = seed };
	int rule;

	if (!fuzz_options_read(&options, argc, argv))
		return 1;
	make_pieces();
	for (seed = options.seed; fuzz_goes_on(&options, nr_layouts); nr_layouts++, seed++) {
		unsigned int spoils;

		state.state = seed;
		make_layout(&made, false);
		for (spoils = below(3); spoils; spoils--)
			spoil_layout(&made);
		try_layout();
	}
	printf("%lu layouts, %lu of them taken; %lu runs of %lu instructions, %lu accepted\n",
	       nr_layouts, nr_taken, nr_runs, nr_insns, nr_accepted);
	printf("%lu values compared, %lu of them whole paths, %lu faults\n", nr_fetched, nr_paths,
	       nr_faults);
	printf("%lu layouts that read memory\n", nr_reading);
	for (rule = 0; rule < MODEL_RULES; rule++)
		printf("%8lu %s\n", by_rule[rule], model_rule_names[rule]);
	/* Fail if too few cases occurred, since they would not test much. */
	if (nr_layouts >= 10000 && (nr_taken < nr_layouts / 5 || !nr_accepted || !nr_faults ||
				    !nr_paths || !nr_reading || nr_reading == nr_taken))
		return 1;
	for (rule = 0; rule < MODEL_RULES; rule++)
		if (nr_layouts >= 10000 && !by_rule[rule] && rule != MODEL_CUT) {
			printf("nothing broke: %s\n", model_rule_names[rule]);
			return 1;
		}
	return 0;
}
