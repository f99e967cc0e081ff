// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests calls derived from branches as they occur in kernels: thunks, retpolines, tail calls,
 * interrupts. Each test is a list of branches, with the expected lines.
 */
#include <stdlib.h>

#include "source/pt/calls/stack.h"
#include "source/pt/code/insn.h"
#include "unit/ktap.h"

/* Functions begin at multiples of 0x100. From THUNK on they are retpolines. */
#define FUNC(ip)	((ip) & ~0xffull)
#define THUNK		0xf000

#define HOOK		0xe000
#define HIDDEN		0xd000
#define ROOT		0xc000

static struct fargs_pt_stack stack;
static char lines[1024];
static uint64_t nr_nodes;

static void step_line(const struct fargs_pt_step *step)
{
	static const char *const words[] = {
		[FARGS_PT_STEP_ENTERED] = "call", [FARGS_PT_STEP_JUMPED] = "jump",
		[FARGS_PT_STEP_LEFT] = "left", [FARGS_PT_STEP_UNSEEN] = "unseen",
	};
	size_t n = strlen(lines);

	if (step->kind)
		snprintf(lines + n, sizeof(lines) - n, "%s%u%s %" PRIx64 ";",
			 step->frame->is_below ? "^" : "", step->frame->depth, words[step->kind],
			 step->frame->addr);
}

static void item(enum fargs_pt_item_kind kind, enum fargs_pt_insn insn, uint64_t from, uint64_t to,
		 uint8_t flags)
{
	const struct fargs_pt_item it = {
		.kind = kind, .insn = insn, .from = from, .to = to, .flags = flags,
	};
	const struct fargs_pt_target target = {
		.func = FUNC(to), .is_begin = to == FUNC(to), .is_thunk = FUNC(to) >= THUNK,
		.is_own = FUNC(to) == FUNC(from), .is_hook = to == HOOK,
		.is_hidden = to == HIDDEN, .is_root = FUNC(to) == ROOT,
	};
	struct fargs_pt_step step;

	CHECK(!fargs_pt_stack_take(&stack, &it, &target, &step));
	step_line(&step);
}

static void call(uint64_t from, uint64_t to)
{
	item(FARGS_PT_BRANCH, FARGS_PT_INSN_CALL, from, to, 0);
}

static void jump(uint64_t from, uint64_t to)
{
	item(FARGS_PT_BRANCH, FARGS_PT_INSN_JUMP, from, to, 0);
}

static void ret(uint64_t from, uint64_t to)
{
	item(FARGS_PT_BRANCH, FARGS_PT_INSN_RETURN, from, to, 0);
}

static void iret(uint64_t from, uint64_t to)
{
	item(FARGS_PT_BRANCH, FARGS_PT_INSN_IRET, from, to, 0);
}

static void interrupt(uint64_t from, uint64_t to)
{
	item(FARGS_PT_INTERRUPT, 0, from, to, 0);
}

/* Begins in the function at 0x100, entered from user space. */
static void enter(void)
{
	fargs_pt_stack_deinit(&stack);
	lines[0] = '\0';
	item(FARGS_PT_BEGIN, 0, 0, 0x100, 0);
}

static void nests(void)
{
	enter();
	call(0x110, 0x200);
	call(0x220, 0x300);
	ret(0x330, 0x225);
	ret(0x240, 0x115);
	item(FARGS_PT_BRANCH, FARGS_PT_INSN_SYSRET, 0x150, 0, FARGS_PT_ENDS);
	CHECK_STR(lines, "0call 100;1call 200;2call 300;2left 300;1left 200;0left 100;");
	CHECK_INT(stack.nr, 0);
}

/* Tests calls from the same place: the innermost one returns first. */
static void recurses(void)
{
	enter();
	call(0x110, 0x200);
	call(0x210, 0x200);
	call(0x210, 0x200);
	ret(0x230, 0x215);
	ret(0x230, 0x215);
	ret(0x230, 0x115);
	CHECK_STR(lines, "0call 100;1call 200;2call 200;3call 200;3left 200;2left 200;1left 200;");
}

static void jumps_within(void)
{
	enter();
	call(0x110, 0x200);
	jump(0x220, 0x240);
	jump(0x250, 0x200);
	ret(0x230, 0x115);
	CHECK_STR(lines, "0call 100;1call 200;1left 200;");
}

/* Tests a tail call: the function that is jumped to returns for both. */
static void tail_calls(void)
{
	enter();
	call(0x110, 0x200);
	jump(0x220, 0x300);
	call(0x310, 0x400);
	ret(0x420, 0x315);
	ret(0x330, 0x115);
	CHECK_STR(lines, "0call 100;1call 200;1jump 300;2call 400;2left 400;1left 300;");
}

/* Tests a call to a thunk, which jumps to the address in a register. */
static void thunks(void)
{
	enter();
	call(0x110, THUNK);
	jump(THUNK + 5, 0x200);
	ret(0x220, 0x115);
	CHECK_STR(lines, "0call 100;1call 200;1left 200;");
}

/*
 * Tests a retpoline: call thunk; in the thunk, call 1f; ... 1: mov %rax,(%rsp); ret to the address
 * that was in the register.
 */
static void retpolines(void)
{
	enter();
	call(0x110, THUNK);
	call(THUNK, THUNK + 0xc);
	ret(THUNK + 0x10, 0x200);
	call(0x210, 0x300);
	ret(0x320, 0x215);
	ret(0x220, 0x115);
	CHECK_STR(lines, "0call 100;1call 200;2call 300;2left 300;1left 200;");
}

/* Tests a tail call by a retpoline: jmp thunk. */
static void tail_retpolines(void)
{
	enter();
	call(0x110, 0x200);
	jump(0x220, THUNK);
	call(THUNK, THUNK + 0xc);
	ret(THUNK + 0x10, 0x300);
	ret(0x320, 0x115);
	CHECK_STR(lines, "0call 100;1call 200;1jump 300;1left 300;");
}

/* Tests return stack buffer stuffing: call 1f; int3; 1: call 2f; int3; 2: add $16,%rsp */
static void stuffing(void)
{
	unsigned int i;

	enter();
	call(0x110, 0x200);
	for (i = 0; i < 16; i++)
		call(0x210, 0x216);
	jump(0x240, 0x300);
	ret(0x330, 0x115);
	call(0x120, 0x400);
	ret(0x410, 0x125);
	CHECK_STR(lines, "0call 100;1call 200;1jump 300;1left 300;1call 400;1left 400;");
}

static void interrupts(void)
{
	enter();
	call(0x110, 0x200);
	interrupt(0x222, 0x900);
	call(0x910, 0xa00);
	interrupt(0xa10, 0xb00);
	iret(0xb20, 0xa10);
	ret(0xa20, 0x915);
	iret(0x920, 0x222);
	ret(0x230, 0x115);
	CHECK_STR(lines, "0call 100;1call 200;2call 900;3call a00;4call b00;4left b00;3left a00;"
		  "2left 900;1left 200;");
}

/*
 * Tests a fault that is fixed up: execution continues at another address, and the outer calls are
 * still open.
 */
static void fixups(void)
{
	enter();
	call(0x110, 0x200);
	interrupt(0x222, 0x900);
	iret(0x920, 0x280);
	ret(0x290, 0x115);
	CHECK_STR(lines, "0call 100;1call 200;2call 900;2left 900;1left 200;");
}

/* Tests that a branch in an interrupt is not a return to a call below the interrupt. */
static void stays_in_interrupt(void)
{
	enter();
	call(0x110, 0x200);
	interrupt(0x222, 0x900);
	ret(0x930, 0x115);
	iret(0x150, 0x222);
	ret(0x230, 0x115);
	CHECK_STR(lines, "0call 100;1call 200;2call 900;3unseen 115;2left 900;1left 200;");
}

static void unseen_callers(void)
{
	enter();
	item(FARGS_PT_ERROR, 0, 0x123, 0, 0);
	CHECK_INT(stack.nr, 0);
	ret(0x230, 0x345);
	call(0x350, 0x400);
	ret(0x410, 0x355);
	ret(0x360, 0x555);
	CHECK_STR(lines, "0call 100;0unseen 345;1call 400;1left 400;0unseen 555;");
}

/* Tests an overflow, which may hide returns: the calls before it are dropped. */
static void overflows(void)
{
	enter();
	call(0x110, 0x200);
	item(FARGS_PT_OVERFLOW, 0, 0, 0x333, 0);
	call(0x340, 0x400);
	ret(0x410, 0x345);
	CHECK_STR(lines, "0call 100;1call 200;0call 333;1call 400;1left 400;");
}

/*
 * Tests an aborted transaction: the function in which it began continues, and calls made in the
 * transaction are undone.
 */
static void aborts(void)
{
	enter();
	call(0x110, 0x200);
	call(0x220, 0x300);
	call(0x320, 0x400);
	item(FARGS_PT_INTERRUPT, 0, 0x410, 0x230, FARGS_PT_ABORTS);
	ret(0x240, 0x115);
	CHECK_STR(lines, "0call 100;1call 200;2call 300;3call 400;1left 200;");
}

static void far_calls(void)
{
	enter();
	item(FARGS_PT_BRANCH, FARGS_PT_INSN_FAR_CALL, 0x110, 0x200, 0);
	item(FARGS_PT_BRANCH, FARGS_PT_INSN_FAR_RETURN, 0x220, 0x112, 0);
	CHECK_STR(lines, "0call 100;1call 200;1left 200;");
}

/* Tests a hook: a function returns to the hook, and the hook returns to the function's caller. */
static void hooks(void)
{
	enter();
	call(0x110, 0x200);
	ret(0x220, HOOK);
	call(HOOK + 8, 0x300);
	interrupt(0x310, 0x900);
	iret(0x910, 0x310);
	ret(0x320, HOOK + 13);
	ret(HOOK + 32, 0x115);
	call(0x120, 0x400);
	CHECK_STR(lines, "0call 100;1call 200;2jump e000;3call 300;4call 900;4left 900;3left 300;"
		  "1left 200;1call 400;");
}

/*
 * Tests a hook after a jump to another function: the hook runs once for each of the two functions.
 */
static void hooks_twice(void)
{
	enter();
	call(0x110, 0x200);
	jump(0x210, 0x300);
	ret(0x320, HOOK);
	call(HOOK + 8, 0x400);
	ret(0x420, HOOK + 13);
	ret(HOOK + 32, HOOK);
	ret(HOOK + 32, 0x115);
	call(0x120, 0x500);
	CHECK_STR(lines, "0call 100;1call 200;1jump 300;2jump e000;3call 400;3left 400;2jump e000;"
		  "1left 300;1call 500;");
}

/* Tests a hidden function: its callees are hidden, but interrupts that occur in it are not. */
static void hides(void)
{
	enter();
	call(0x110, 0x200);
	call(0x200, HIDDEN);
	call(HIDDEN + 8, 0x300);
	interrupt(0x310, 0x900);
	call(0x910, 0xa00);
	ret(0xa10, 0x915);
	iret(0x920, 0x310);
	ret(0x320, HIDDEN + 13);
	ret(HIDDEN + 32, 0x205);
	call(0x210, 0x400);
	CHECK_STR(lines, "0call 100;1call 200;2call 900;3call a00;3left a00;2left 900;2call 400;");
}

/* Tests the numbers of calls, which increase: a function that jumped away keeps its own number. */
static void numbers_calls(void)
{
	const struct fargs_pt_jumped *first;
	uint64_t node;

	fargs_pt_stack_deinit(&stack);
	nr_nodes = 100;
	stack.nr_nodes = &nr_nodes;
	item(FARGS_PT_BEGIN, 0, 0, 0x100, 0);
	call(0x110, 0x200);
	node = stack.frames[1].node;
	CHECK_INT(node, 102);
	jump(0x220, 0x300);
	jump(0x320, 0x400);
	CHECK_INT(stack.frames[1].node, 104);
	CHECK_INT(fargs_pt_stack_jumped(&stack, 1, &first), 2);
	CHECK_INT(first[0].node, node);
	CHECK_INT(first[0].addr, 0x200);
	CHECK_INT(first[1].addr, 0x300);
	CHECK_INT(fargs_pt_stack_jumped(&stack, 0, &first), 0);
	call(0x410, 0x500);
	CHECK_INT(fargs_pt_stack_jumped(&stack, 1, &first), 2);
	ret(0x510, 0x415);
	ret(0x420, 0x115);
	call(0x120, 0x200);
	CHECK_INT(fargs_pt_stack_jumped(&stack, 1, &first), 0);
	CHECK_INT(stack.frames[1].node, 106);
}

/* Tests a bound on the stack's size: wrong code may seem to call functions forever. */
static void is_bounded(void)
{
	unsigned int i;

	enter();
	for (i = 0; i < 20000; i++)
		call(0x110, 0x100);
	CHECK(stack.nr <= 4096);
}

/*
 * Tests depths below the outermost root: interrupts that occur in the root, and functions to which
 * the root jumps, are below the root as well.
 */
static void counts_from_roots(void)
{
	enter();
	call(0x110, 0x200);
	call(0x210, ROOT);
	call(ROOT + 0x10, 0x300);
	interrupt(0x310, 0x400);
	iret(0x420, 0x310);
	call(0x320, ROOT);
	ret(ROOT + 0x20, 0x325);
	ret(0x330, ROOT + 0x15);
	jump(ROOT + 0x30, 0x500);
	ret(0x510, 0x215);
	call(0x220, 0x300);
	ret(0x330, 0x225);
	CHECK_STR(lines, "0call 100;1call 200;^0call c000;^1call 300;^2call 400;^2left 400;"
		  "^2call c000;^2left c000;^1left 300;^0jump 500;^0left 500;2call 300;2left 300;");
}

/* Tests a root that is entered by a jump, or by a return without a call. */
static void finds_roots_late(void)
{
	enter();
	call(0x110, 0x200);
	jump(0x210, ROOT);
	call(ROOT + 0x10, 0x300);
	ret(0x310, ROOT + 0x15);
	ret(ROOT + 0x20, 0x115);
	CHECK_STR(lines, "0call 100;1call 200;^0jump c000;^1call 300;^1left 300;^0left c000;");
	enter();
	ret(0x110, ROOT + 0x20);
	call(ROOT + 0x30, 0x300);
	ret(0x310, ROOT + 0x35);
	ret(ROOT + 0x40, 0x220);
	CHECK_STR(lines, "0call 100;^0unseen c020;^1call 300;^1left 300;0unseen 220;");
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "calls and returns nest", nests },
		{ "recursion returns from the innermost call", recurses },
		{ "jumps within a function are not calls", jumps_within },
		{ "a tail call replaces its caller", tail_calls },
		{ "thunks are not shown", thunks },
		{ "retpolines are calls of their targets", retpolines },
		{ "retpolines can be tail calls of their targets", tail_retpolines },
		{ "stuffing of the return predictor leaves no call open", stuffing },
		{ "interrupts nest, and end with IRET", interrupts },
		{ "a fault with a fixup resumes at another address", fixups },
		{ "returns do not leave an interrupt", stays_in_interrupt },
		{ "a return to an unknown call starts a new stack", unseen_callers },
		{ "an overflow starts a new stack", overflows },
		{ "an abort removes the calls of a transaction", aborts },
		{ "far calls return by far returns", far_calls },
		{ "calls before an unmatched return are inside its call", hooks },
		{ "calls before an unmatched return are inside a tail call, too", hooks_twice },
		{ "hidden functions are hidden with all their calls", hides },
		{ "calls are numbered", numbers_calls },
		{ "the depth is bounded", is_bounded },
		{ "depths count from roots", counts_from_roots },
		{ "roots may be reached by a jump or a return", finds_roots_late },
	};
	int status = KTAP_RUN(tests);

	fargs_pt_stack_deinit(&stack);
	return status;
}
