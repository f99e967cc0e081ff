// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests executions of seq sites (instructions that allocate sequence numbers) in a trace. Calls
 * reach fargs's code through ftrace, as in the kernel; each test states the expected tokens.
 */
#include <stdlib.h>
#include <string.h>

#include "kernel/sym/ksyms.h"
#include "source/pt/code/insn.h"
#include "source/pt/join/seq_sites.h"
#include "uapi/fargs.h"
#include "uapi/fargs_layout.h"
#include "unit/ktap.h"

/* Functions begin at multiples of 0x100. Those of fargs begin at TRACER. */
#define FUNC(ip)	((ip) & ~0xffull)
#define CALLER		0x100
#define PLAIN		0x200
#define OTHER		0x300	/* not traced by this session */
#define PROBED		0x400
#define PROBED_TOO	0x500
#define FTRACE		0xa000
#define HOOK		0xb000
#define TRACER		0xc000
#define ENTRY_PLAIN	0xc000
#define RETURNED	0xc100
#define STUB		0xc200
#define ENTRY_TPOINT	0xc300

#define SYMBOLS \
	"000000000000c000 t fargs_entry_plain\t[fargs]\n" \
	"000000000000c300 t fargs_tpoint_call\t[fargs]\n"
#define GRAPH_SYMBOLS	"000000000000b000 t return_to_handler\n" SYMBOLS

static struct fargs_func funcs[] = {
	{ .ip = PLAIN, .addr = PLAIN },
	{ .ip = PROBED + 4, .addr = PROBED, .layout_flags = FARGS_LAYOUT_RETURN },
	{ .ip = PROBED_TOO, .addr = PROBED_TOO, .layout_flags = FARGS_LAYOUT_RETURN },
};

static struct fargs_meta meta = { .funcs = funcs, .nr_funcs = sizeof(funcs) / sizeof(*funcs) };
static struct fargs_pt_stream stream = { .cpu = 0, .tid = -1 };

static struct fargs_pt_input in = {
	.config.has_tsc = true, .streams = &stream, .nr_streams = 1,
};

static struct fargs_pt_seq_sites *seq_sites;
static struct fargs_pt_stack stack;
static uint64_t nr_nodes;
static uint32_t trusted;
static const struct fargs_pt_token *tokens;
static size_t nr_tokens;

static void take(enum fargs_pt_item_kind kind, enum fargs_pt_insn insn, uint64_t from, uint64_t to)
{
	const struct fargs_pt_item it = { .kind = kind, .insn = insn, .from = from, .to = to };
	const struct fargs_pt_target target = {
		.func = FUNC(to), .is_begin = to == FUNC(to), .is_own = FUNC(to) == FUNC(from),
		.is_hook = to == HOOK && insn == FARGS_PT_INSN_RETURN,
		.is_tracer = to >= TRACER, .is_ftrace = to == FTRACE,
	};
	struct fargs_pt_site_context c = {
		.stack = &stack, .trusted = trusted, .tid = 7,
		.was_tracer = stack.nr && stack.frames[stack.nr - 1].is_tracer,
	};
	struct fargs_pt_step step = { };

	if (kind != FARGS_PT_SITE && kind != FARGS_PT_TICK)
		CHECK(!fargs_pt_stack_take(&stack, &it, &target, &step));
	c.step = step.kind;
	CHECK(!fargs_pt_seq_sites_take(seq_sites, &c, &it));
}

static void call(uint64_t from, uint64_t to)
{
	take(FARGS_PT_BRANCH, FARGS_PT_INSN_CALL, from, to);
}

static void jump(uint64_t from, uint64_t to)
{
	take(FARGS_PT_BRANCH, FARGS_PT_INSN_JUMP, from, to);
}

static void ret(uint64_t from, uint64_t to)
{
	take(FARGS_PT_BRANCH, FARGS_PT_INSN_RETURN, from, to);
}

static void site(enum fargs_path path, uint64_t tsc)
{
	take(FARGS_PT_SITE, 0, tsc, path);
}

static void tick(uint64_t tsc)
{
	take(FARGS_PT_TICK, 0, 0, tsc);
}

static void return_to_user(void)
{
	take(FARGS_PT_BRANCH, FARGS_PT_INSN_SYSRET, 0x50, 0);
}

static void begin_with(const char *symbols)
{
	in.ksyms = fargs_ksyms_parse(symbols, strlen(symbols), NULL);
	CHECK(in.ksyms != NULL);
	seq_sites = fargs_pt_seq_sites_create(&in, &meta, in.nr_streams,
					      fargs_pt_flow_error(&in.config));
	nr_nodes = 0;
	trusted = 0;
	stack.nr_nodes = &nr_nodes;
	take(FARGS_PT_BEGIN, 0, 0, CALLER);
}

static void begin(void)
{
	begin_with(SYMBOLS);
}

static void end(void)
{
	CHECK(!fargs_pt_seq_sites_finish(seq_sites));
	tokens = fargs_pt_seq_sites_tokens(seq_sites, 0, &nr_tokens);
	/*
	 * There is always a hole at the beginning and at the end; if nothing is between them, they
	 * are one hole.
	 */
	CHECK(nr_tokens && tokens[0].is_hole && tokens[nr_tokens - 1].is_hole);
}

static void clean_up(void)
{
	fargs_pt_seq_sites_destroy(seq_sites);
	fargs_pt_stack_deinit(&stack);
	fargs_ksyms_destroy(in.ksyms);
	in.ksyms = NULL;
}

static bool is_hidden(uint64_t node)
{
	const uint64_t *hidden;
	size_t nr, i;

	hidden = fargs_pt_seq_sites_hidden(seq_sites, &nr);
	for (i = 0; i < nr; i++)
		if (hidden[i] == node)
			return true;
	return false;
}

static void check_token(size_t i, uint8_t makers, uint64_t ip, uint64_t node, bool is_optional)
{
	const struct fargs_pt_caller *c = fargs_pt_seq_sites_callers(seq_sites) + tokens[i].caller;

	CHECK(!tokens[i].is_hole);
	CHECK_INT(tokens[i].makers, makers);
	CHECK_INT(tokens[i].is_optional, is_optional);
	CHECK_INT(tokens[i].nr_callers, 1);
	if (!tokens[i].nr_callers)
		return;
	CHECK_INT(c->ip, ip);
	CHECK_INT(c->node, node);
}

/* Adds a session's callback for a call, which allocates a sequence number unless @tsc is 0. */
static void callback(uint64_t tsc)
{
	call(FTRACE + 0x30, ENTRY_PLAIN);
	if (tsc)
		site(FARGS_PATH_PLAIN, tsc);
	ret(ENTRY_PLAIN + 0x40, FTRACE + 0x35);
}

static uint64_t call_plain(unsigned int sessions, uint64_t tsc)
{
	uint64_t node;

	call(CALLER + 0x10, PLAIN);
	node = stack.frames[stack.nr - 1].node;
	call(PLAIN, FTRACE);
	while (sessions--)
		callback(tsc);
	ret(FTRACE + 0x80, PLAIN + 5);
	ret(PLAIN + 0x20, CALLER + 0x15);
	return node;
}

static void knows_the_call(void)
{
	uint64_t node;

	begin();
	node = call_plain(1, 1000);
	end();
	CHECK_INT(nr_tokens, 3);
	check_token(1, FARGS_PT_MAKES_ENTRY, PLAIN, node, false);
	CHECK_INT(tokens[1].first_tsc, 1000);
	CHECK_INT(tokens[1].tid, 7);
	CHECK(is_hidden(node + 1));
	CHECK(!is_hidden(node));
	CHECK(!is_hidden(node + 2));
	clean_up();
}

/*
 * Tests the time of a record, which is written while fargs's code runs: the second time that the
 * trace reports afterwards is an upper bound.
 */
static void bounds_its_time(void)
{
	begin();
	tick(500);
	tick(900);
	return_to_user();
	take(FARGS_PT_BEGIN, 0, 0, CALLER);
	call(CALLER + 0x10, PLAIN);
	call(PLAIN, FTRACE);
	call(FTRACE + 0x30, ENTRY_PLAIN);
	site(FARGS_PATH_PLAIN, 1000);
	tick(1500);
	tick(1600);
	tick(1700);
	ret(ENTRY_PLAIN + 0x40, FTRACE + 0x35);
	ret(FTRACE + 0x80, PLAIN + 5);
	ret(PLAIN + 0x20, CALLER + 0x15);
	tick(2000);
	tick(3000);
	call_plain(1, 4000);
	end();
	CHECK_INT(nr_tokens, 4);
	CHECK_INT(tokens[0].last_tsc, 900);
	CHECK_INT(tokens[1].last_tsc, 3000);
	CHECK(tokens[2].last_tsc == UINT64_MAX);
	clean_up();
}

/* Tests an execution during which a virtual CPU stops: its record may be written at any time. */
static void bounds_no_pause(void)
{
	begin();
	call(CALLER + 0x10, PLAIN);
	call(PLAIN, FTRACE);
	call(FTRACE + 0x30, ENTRY_PLAIN);
	site(FARGS_PATH_PLAIN, 1000);
	fargs_pt_seq_sites_pause(seq_sites, 0);
	take(FARGS_PT_BEGIN, 0, 0, CALLER + 0x20);
	tick(2000);
	tick(3000);
	call_plain(1, 4000);
	tick(5000);
	tick(6000);
	end();
	CHECK_INT(nr_tokens, 4);
	CHECK(tokens[1].last_tsc == UINT64_MAX);
	CHECK_INT(tokens[2].last_tsc, 6000);
	clean_up();
}

static void counts_what_takes_none(void)
{
	begin();
	call_plain(1, 0);
	call_plain(1, 1000);
	call_plain(1, 0);
	end();
	CHECK_INT(nr_tokens, 3);
	CHECK_INT(fargs_pt_seq_sites_filtered(seq_sites), 2);
	clean_up();
}

/*
 * Tests two sessions that trace the same call. If both allocate a sequence number, one of the two
 * executions is this session's. If only one does, it may be this session or the other.
 */
static void sees_two_sessions(void)
{
	uint64_t both, one;

	begin();
	both = call_plain(2, 1000);
	call(CALLER + 0x10, PLAIN);
	one = stack.frames[stack.nr - 1].node;
	call(PLAIN, FTRACE);
	callback(2000);
	callback(0);
	ret(FTRACE + 0x80, PLAIN + 5);
	ret(PLAIN + 0x20, CALLER + 0x15);
	end();
	CHECK_INT(nr_tokens, 4);
	check_token(1, FARGS_PT_MAKES_ENTRY, PLAIN, both, false);
	check_token(2, FARGS_PT_MAKES_ENTRY, PLAIN, one, true);
	clean_up();
}

/* One callback that is called for several sessions, of which @nr allocate a sequence number. */
static uint64_t call_several(unsigned int nr, uint64_t tsc)
{
	uint64_t node;

	call(CALLER + 0x10, PLAIN);
	node = stack.frames[stack.nr - 1].node;
	call(PLAIN, FTRACE);
	call(FTRACE + 0x30, ENTRY_PLAIN);
	for (; nr; nr--, tsc += 10)
		take(FARGS_PT_SITE, 0, tsc, FARGS_PATHS + FARGS_PATH_PLAIN);
	ret(ENTRY_PLAIN + 0x40, FTRACE + 0x35);
	ret(FTRACE + 0x80, PLAIN + 5);
	ret(PLAIN + 0x20, CALLER + 0x15);
	return node;
}

/*
 * Tests a function that several sessions trace with one callback: at most one of the executions of
 * a call is this session's, and a call without any was filtered by all.
 */
static void sees_several_in_one_callback(void)
{
	uint64_t first, second, own;

	begin();
	first = call_several(2, 1000);
	call_several(0, 0);
	second = call_several(1, 2000);
	own = call_plain(1, 3000);
	tick(4000);
	tick(5000);
	end();
	CHECK_INT(nr_tokens, 5);
	check_token(1, FARGS_PT_MAKES_ENTRY, PLAIN, first, true);
	check_token(2, FARGS_PT_MAKES_ENTRY, PLAIN, second, true);
	check_token(3, FARGS_PT_MAKES_ENTRY, PLAIN, own, false);
	CHECK_INT(tokens[1].first_tsc, 1000);
	CHECK_INT(tokens[3].last_tsc, 5000);
	CHECK_INT(fargs_pt_seq_sites_filtered(seq_sites), 1);
	clean_up();
}

static void leaves_out_others(void)
{
	begin();
	call(CALLER + 0x10, OTHER);
	call(OTHER, FTRACE);
	callback(1000);
	ret(FTRACE + 0x80, OTHER + 5);
	ret(OTHER + 0x20, CALLER + 0x15);
	/*
	 * This session records the function only at its return, so the execution belongs to another
	 * session.
	 */
	call(CALLER + 0x10, PROBED);
	call(PROBED + 4, FTRACE);
	callback(1100);
	ret(FTRACE + 0x80, PROBED + 9);
	end();
	CHECK_INT(nr_tokens, 1);
	clean_up();
}

static void return_through_hook(uint64_t from)
{
	ret(from, HOOK);
	call(HOOK + 8, RETURNED);
	site(FARGS_PATH_RETURN, 2000);
	ret(RETURNED + 0x40, HOOK + 13);
}

static void knows_who_returns(void)
{
	uint64_t node;

	begin();
	call(CALLER + 0x10, PROBED);
	node = stack.frames[stack.nr - 1].node;
	call(PROBED + 0x20, OTHER);
	ret(OTHER + 0x20, PROBED + 0x25);
	return_through_hook(PROBED + 0x30);
	ret(HOOK + 0x20, CALLER + 0x15);
	end();
	CHECK_INT(nr_tokens, 3);
	check_token(1, FARGS_PT_MAKES_RETURN, PROBED + 4, node, false);
	clean_up();
}

/* Tests a function that jumped to another one: both return. */
static void knows_who_jumped(void)
{
	const struct fargs_pt_caller *c;

	begin();
	call(CALLER + 0x10, PROBED);
	jump(PROBED + 0x20, PROBED_TOO);
	ret(PROBED_TOO + 0x30, HOOK);
	call(HOOK + 8, RETURNED);
	site(FARGS_PATH_RETURN, 2000);
	ret(RETURNED + 0x40, HOOK + 13);
	call(HOOK + 8, RETURNED);
	site(FARGS_PATH_RETURN, 2100);
	ret(RETURNED + 0x40, HOOK + 13);
	ret(HOOK + 0x20, CALLER + 0x15);
	end();
	CHECK_INT(nr_tokens, 4);
	CHECK_INT(tokens[1].nr_callers, 2);
	CHECK_INT(tokens[2].nr_callers, 2);
	CHECK(!tokens[1].is_optional && !tokens[2].is_optional);
	c = fargs_pt_seq_sites_callers(seq_sites) + tokens[1].caller;
	CHECK_INT(c[0].ip, PROBED + 4);
	CHECK_INT(c[1].ip, PROBED_TOO);
	CHECK_INT(c[1].node, c[0].node + 1);
	clean_up();
}

/* Tests the graph tracer's hook after a jump: the hook runs once for each of the two functions. */
static void knows_who_jumped_by_two_hooks(void)
{
	const struct fargs_pt_caller *c;
	size_t i;

	begin();
	call(CALLER + 0x10, PROBED);
	jump(PROBED + 0x20, PROBED_TOO);
	return_through_hook(PROBED_TOO + 0x30);
	return_through_hook(HOOK + 0x20);
	ret(HOOK + 0x20, CALLER + 0x15);
	CHECK_INT(stack.nr, 1);
	end();
	CHECK_INT(nr_tokens, 4);
	for (i = 1; i < 3 && nr_tokens == 4; i++) {
		CHECK_INT(tokens[i].makers, FARGS_PT_MAKES_RETURN);
		CHECK_INT(tokens[i].nr_callers, 2);
		CHECK(!tokens[i].is_optional);
		c = fargs_pt_seq_sites_callers(seq_sites) + tokens[i].caller;
		CHECK_INT(c[0].ip, PROBED + 4);
		CHECK_INT(c[1].ip, PROBED_TOO);
		CHECK_INT(c[1].node, c[0].node + 1);
	}
	clean_up();
}

/*
 * Tests two sessions that use the graph tracer: its hook runs once per return, so two callbacks
 * belong to two sessions.
 */
static void sees_two_sessions_in_a_graph(void)
{
	size_t i;

	begin_with(GRAPH_SYMBOLS);
	call(CALLER + 0x10, PROBED);
	jump(PROBED + 0x20, PROBED_TOO);
	ret(PROBED_TOO + 0x30, HOOK);
	for (i = 0; i < 2; i++) {
		call(HOOK + 8, RETURNED);
		site(FARGS_PATH_RETURN, 2000);
		ret(RETURNED + 0x40, HOOK + 13);
	}
	return_through_hook(HOOK + 0x20);
	ret(HOOK + 0x20, CALLER + 0x15);
	end();
	CHECK_INT(nr_tokens, 5);
	CHECK(tokens[1].is_optional && tokens[2].is_optional && !tokens[3].is_optional);
	clean_up();
}

/*
 * Tests frames of an earlier epoch, which may belong to another task: they must not identify a
 * caller.
 */
static void trusts_no_old_frames(void)
{
	begin();
	stack.epoch = 1;
	call(CALLER + 0x10, PROBED);
	stack.epoch = 2;
	trusted = 2;
	return_through_hook(PROBED + 0x30);
	end();
	CHECK_INT(nr_tokens, 3);
	CHECK_INT(tokens[1].nr_callers, 0);
	CHECK(tokens[1].is_optional);
	clean_up();
}

static void knows_tracepoints(void)
{
	uint64_t node;

	begin();
	/*
	 * The first instruction of this function is a call, but not to ftrace: the function is not
	 * traced.
	 */
	call(CALLER + 0x10, OTHER);
	call(OTHER, STUB);
	node = stack.frames[stack.nr - 1].node;
	call(STUB + 0x40, ENTRY_TPOINT);
	site(FARGS_PATH_TPOINT, 1000);
	ret(ENTRY_TPOINT + 0x40, STUB + 0x45);
	ret(STUB + 0x50, OTHER + 5);
	end();
	CHECK_INT(nr_tokens, 3);
	check_token(1, FARGS_PT_MAKES_TPOINT, 0, node, false);
	CHECK(is_hidden(node));
	CHECK(!is_hidden(node - 1));
	clean_up();
}

/*
 * Tests fargs's code that was entered in a hole, and continues after it: its record may be written
 * at any time.
 */
static void knows_what_goes_on(void)
{
	begin();
	call_plain(1, 1000);
	CHECK(!fargs_pt_seq_sites_hole(seq_sites, 0));
	take(FARGS_PT_OVERFLOW, 0, 0, ENTRY_PLAIN + 0x30);
	tick(2000);
	tick(3000);
	ret(ENTRY_PLAIN + 0x40, FTRACE + 0x35);
	tick(3500);
	call_plain(1, 4000);
	tick(5000);
	tick(6000);
	end();
	CHECK_INT(nr_tokens, 5);
	CHECK(tokens[2].is_hole && tokens[2].last_tsc == UINT64_MAX);
	clean_up();
}

/* Tests the same until the code has ended, and no other code can run that was entered in a hole. */
static void knows_what_is_over(void)
{
	begin();
	call_plain(1, 1000);
	CHECK(!fargs_pt_seq_sites_hole(seq_sites, 0));
	take(FARGS_PT_OVERFLOW, 0, 0, ENTRY_PLAIN + 0x30);
	tick(2000);
	take(FARGS_PT_INTERRUPT, 0, ENTRY_PLAIN + 0x34, OTHER);
	tick(3000);
	take(FARGS_PT_BRANCH, FARGS_PT_INSN_IRET, OTHER + 0x20, ENTRY_PLAIN + 0x34);
	tick(4000);
	ret(ENTRY_PLAIN + 0x40, FTRACE + 0x35);
	tick(5000);
	return_to_user();
	tick(6000);
	take(FARGS_PT_BEGIN, 0, 0, CALLER);
	tick(7000);
	call_plain(1, 8000);
	end();
	CHECK_INT(nr_tokens, 5);
	CHECK(tokens[2].is_hole);
	CHECK_INT(tokens[2].last_tsc, 6000);
	clean_up();
}

/*
 * Tests code that is entered in a hole, then interrupted, and ends in the next hole: the trace does
 * not show it, but its record is as late as the second hole.
 */
static void bounds_what_is_below(void)
{
	begin();
	return_to_user();
	take(FARGS_PT_BEGIN, 0, 0, CALLER);
	call_plain(1, 1000);
	CHECK(!fargs_pt_seq_sites_hole(seq_sites, 0));
	take(FARGS_PT_OVERFLOW, 0, 0, OTHER + 0x10);
	tick(2000);
	tick(3000);
	call_plain(1, 3500);
	CHECK(!fargs_pt_seq_sites_hole(seq_sites, 0));
	take(FARGS_PT_OVERFLOW, 0, 0, CALLER + 0x20);
	tick(5000);
	tick(6000);
	return_to_user();
	take(FARGS_PT_BEGIN, 0, 0, CALLER);
	call_plain(1, 7000);
	end();
	CHECK(tokens[2].is_hole && tokens[4].is_hole);
	CHECK_INT(tokens[2].last_tsc, 6000);
	CHECK_INT(tokens[4].last_tsc, 6000);
	clean_up();
}

/*
 * Tests a hole after the first callback of a call: a second callback may be in the hole, so it is
 * unknown which one is this session's.
 */
static void trusts_no_half_calls(void)
{
	begin();
	call_plain(1, 1000);
	call(CALLER + 0x10, PLAIN);
	call(PLAIN, FTRACE);
	callback(2000);
	CHECK(!fargs_pt_seq_sites_hole(seq_sites, 0));
	take(FARGS_PT_OVERFLOW, 0, 0, CALLER + 0x15);
	call_plain(1, 3000);
	end();
	CHECK_INT(nr_tokens, 6);
	CHECK(!tokens[1].is_optional && tokens[2].is_optional && tokens[3].is_hole &&
	      !tokens[4].is_optional);
	clean_up();
}

/*
 * Tests an interrupt that returns to the beginning of a function whose call is in a hole: no call
 * is shown that could have the record.
 */
static void knows_no_call_before_a_hole(void)
{
	begin();
	CHECK(!fargs_pt_seq_sites_hole(seq_sites, 0));
	take(FARGS_PT_OVERFLOW, 0, 0, OTHER);
	take(FARGS_PT_BRANCH, FARGS_PT_INSN_IRET, OTHER + 0x10, PLAIN);
	call(PLAIN, FTRACE);
	callback(1000);
	ret(FTRACE + 0x80, PLAIN + 5);
	end();
	CHECK_INT(nr_tokens, 3);
	check_token(1, FARGS_PT_MAKES_ENTRY, PLAIN, 0, false);
	clean_up();
}

/* Tests a jump from such a function: the jump is shown, and has the record. */
static void knows_a_jump_after_a_hole(void)
{
	uint64_t node;

	begin();
	CHECK(!fargs_pt_seq_sites_hole(seq_sites, 0));
	take(FARGS_PT_OVERFLOW, 0, 0, OTHER);
	take(FARGS_PT_BRANCH, FARGS_PT_INSN_IRET, OTHER + 0x10, PROBED);
	jump(PROBED + 0x20, PLAIN);
	node = stack.frames[stack.nr - 1].node;
	call(PLAIN, FTRACE);
	callback(1000);
	ret(FTRACE + 0x80, PLAIN + 5);
	end();
	CHECK_INT(nr_tokens, 3);
	check_token(1, FARGS_PT_MAKES_ENTRY, PLAIN, node, false);
	clean_up();
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "finds the call, and the code to hide", knows_the_call },
		{ "bounds its time", bounds_its_time },
		{ "bounds no time if the CPU stopped meanwhile", bounds_no_pause },
		{ "counts calls for which no number is allocated", counts_what_takes_none },
		{ "distinguishes two sessions", sees_two_sessions },
		{ "sees several sessions in one callback", sees_several_in_one_callback },
		{ "skips executions that certainly belong to other sessions", leaves_out_others },
		{ "finds the function that returns", knows_who_returns },
		{ "finds the function that jumped there", knows_who_jumped },
		{ "finds the function that jumped there through two hooks",
		  knows_who_jumped_by_two_hooks },
		{ "distinguishes two sessions in a graph", sees_two_sessions_in_a_graph },
		{ "ignores frames if the task may have changed", trusts_no_old_frames },
		{ "finds tracepoints", knows_tracepoints },
		{ "continues after a hole", knows_what_goes_on },
		{ "finds the end of what was entered in a hole", knows_what_is_over },
		{ "bounds records of what is interrupted between two holes", bounds_what_is_below },
		{ "ignores a call that is interrupted by a hole", trusts_no_half_calls },
		{ "joins no record to a call before a hole", knows_no_call_before_a_hole },
		{ "joins a record to a jump after a hole", knows_a_jump_after_a_hole },
	};

	return KTAP_RUN(tests);
}
