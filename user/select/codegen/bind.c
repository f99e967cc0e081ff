// SPDX-License-Identifier: GPL-2.0-only
#include "select/codegen/bind.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "select/codegen/binder.h"
#include "select/codegen/cond.h"
#include "select/codegen/failure.h"
#include "select/codegen/values.h"
#include "uapi/fargs_record.h"

/*
 * Splits @node at '&&', and adds each of the conditions to the program at the call or, if it uses
 * values of the return, to the program at the return. A condition after '->' is always evaluated at
 * the return, because memory may have changed since the call.
 */
static int bind_condition(struct fargs_binder *b, const struct fargs_node *node, bool is_at_return)
{
	enum fargs_prog program = b->at_call;
	struct fargs_gen gen;
	int ret;

	if (!node)
		return 0;
	if (node->kind == FARGS_NODE_AND) {
		ret = bind_condition(b, node->a, is_at_return);
		return ret ? ret : bind_condition(b, node->b, is_at_return);
	}
	if (is_at_return || fargs_cond_uses_return(b->func, node)) {
		program = b->at_return;
		b->bound->has_return = true;
	}
	gen = fargs_binder_gen(b, program);
	return fargs_cond_require(&gen, node, false, &b->rejects[program]);
}

static int bind_only_errors(struct fargs_binder *b)
{
	struct fargs_gen gen = fargs_binder_gen(b, b->at_return);

	if (!b->options->is_only_errors)
		return 0;
	b->bound->has_return = true;
	return fargs_failure_require(&gen, &b->rejects[b->at_return]);
}

/* Replaces jumps to the final ACCEPT or REJECT by that instruction. */
static void shorten(struct fargs_code *code)
{
	unsigned int i;

	for (i = 0; i < code->nr; i++) {
		const struct fargs_insn *target = &code->insns[i] + code->insns[i].off + 1;

		if (code->insns[i].op == FARGS_OP_JMP && target < code->insns + code->nr &&
		    (target->op == FARGS_OP_REJECT || target->op == FARGS_OP_ACCEPT))
			code->insns[i] = (struct fargs_insn){ .op = target->op };
	}
}

static int check_room(const struct fargs_binder *b)
{
	const struct fargs_bound *bound = b->bound;
	int i;

	for (i = 0; i < FARGS_PROGS; i++)
		if (bound->programs[i].is_over)
			return fargs_diagnostic_at(b->diagnostic, 0,
						   "the expression needs more than %d "
						   "instructions: use fewer conditions and "
						   "values", FARGS_PROG_MAX);
	if (bound->pool.is_over)
		return fargs_diagnostic_at(b->diagnostic, 0,
					   "the names and strings of the expression need more than "
					   "%d bytes: use fewer or shorter ones",
					   FARGS_CONST_MAX);
	return 0;
}

static int finish(struct fargs_binder *b)
{
	int i;

	for (i = 0; i < FARGS_PROGS; i++) {
		struct fargs_code *code = &b->bound->programs[i];

		if ((i == FARGS_PROG_ENTRY_PREDICATE || i == FARGS_PROG_RETURN_PREDICATE) &&
		    code->nr) {
			fargs_code_add(code, (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
			fargs_code_bind(code, &b->rejects[i]);
			fargs_code_add(code, (struct fargs_insn){ .op = FARGS_OP_REJECT });
		}
		shorten(code);
	}
	return check_room(b);
}

/*
 * Adds the text of the filter to the diagnostic, and removes the column: the column refers to the
 * filter, but the user is shown the selector.
 */
static void fail_filter(struct fargs_binder *b, const struct fargs_selector *filter)
{
	char text[sizeof(b->diagnostic->text)];

	strcpy(text, b->diagnostic->text);
	snprintf(b->diagnostic->text, sizeof(b->diagnostic->text),
		 "%.140s (in the filter '%.140s')", text, filter->text);
	b->diagnostic->column = 0;
}

/* Adds the conditions that the options require for all calls. */
static int bind_filters(struct fargs_binder *b)
{
	size_t i;
	int ret = 0;

	/* Evaluate filters first: they are cheap, and reject most calls. */
	for (i = 0; i < b->options->nr_filters && !ret; i++) {
		ret = bind_condition(b, b->options->filters[i].entry.condition, false);
		if (ret)
			fail_filter(b, &b->options->filters[i]);
	}
	return ret ? ret : bind_only_errors(b);
}

static int bind(struct fargs_binder *b, const struct fargs_selector *sel)
{
	int ret = bind_filters(b);

	b->bound->is_graph = b->options->is_graph;
	b->bound->has_return |= b->options->is_graph;
	if (sel && !ret) {
		b->bound->has_return |= sel->has_return;
		ret = bind_condition(b, sel->entry.condition, false);
		if (!ret)
			ret = bind_condition(b, sel->at_return.condition, true);
		if (!ret)
			ret = fargs_values_add_all(b, FARGS_PROG_ENTRY_FETCH, sel->entry.fetches);
	}
	if (!ret)
		ret = fargs_values_add_stack(b);
	if (!ret && b->options->has_derefs)
		ret = fargs_values_add_derefs(b);
	if (!ret)
		ret = fargs_values_add_returned(b);
	if (sel && !ret)
		ret = fargs_values_add_all(b, FARGS_PROG_RETURN_FETCH, sel->at_return.fetches);
	return ret ? ret : finish(b);
}

int fargs_bind(struct fargs_bound *bound, const struct fargs_selector *sel,
	       const struct fargs_signature *func, const struct fargs_bind_options *options,
	       struct fargs_constants *constants, struct fargs_diagnostic *m)
{
	struct fargs_binder b = {
		.bound = bound, .func = func, .options = options, .constants = constants,
		.diagnostic = m,
		.at_call = FARGS_PROG_ENTRY_PREDICATE, .at_return = FARGS_PROG_RETURN_PREDICATE,
	};

	memset(bound, 0, sizeof(*bound));
	bound->record_cap = options->record_cap ? options->record_cap : FARGS_RECORD_MAX;
	return bind(&b, sel);
}

void fargs_bind_silent(struct fargs_bound *bound)
{
	memset(bound, 0, sizeof(*bound));
	bound->is_silent = true;
}

/*
 * Adds an alternative to the scope program, in place of the final REJECT, which is reached if none
 * of the earlier alternatives holds. shorten() must not run on this program, because a jump to its
 * end may lead to the next alternative.
 */
static int add_alternative(struct fargs_binder *b, const struct fargs_node *condition)
{
	struct fargs_gen gen = fargs_binder_gen(b, FARGS_PROG_SCOPE);
	struct fargs_label *otherwise = &b->rejects[FARGS_PROG_SCOPE];
	int ret;

	if (fargs_cond_uses_return(b->func, condition))
		return fargs_gen_fail(b, condition, "the condition is evaluated at the call, when "
				      "the return value and duration are not yet known");
	if (gen.code->nr)
		gen.code->nr--;
	ret = fargs_cond_require(&gen, condition, false, otherwise);
	fargs_code_add(gen.code, (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
	fargs_code_bind(gen.code, otherwise);
	fargs_code_add(gen.code, (struct fargs_insn){ .op = FARGS_OP_REJECT });
	return ret ? ret : check_room(b);
}

int fargs_bind_scope(struct fargs_bound *bound, const struct fargs_selector *sel,
		     const struct fargs_signature *func, const struct fargs_bind_options *options,
		     struct fargs_constants *constants, struct fargs_diagnostic *m)
{
	struct fargs_binder b = {
		.bound = bound, .func = func, .options = options, .constants = constants,
		.diagnostic = m,
	};
	const struct fargs_node *condition = sel->entry.condition;
	struct fargs_code *code = &bound->programs[FARGS_PROG_SCOPE];
	const struct fargs_code old_code = *code;
	const struct fargs_pool old_pool = bound->pool;
	int ret = 0;

	/* An alternative that always holds makes the others redundant. */
	if (!condition)
		code->nr = 0;
	else if (!bound->has_scope || code->nr)
		ret = add_alternative(&b, condition);
	if (ret) {
		*code = old_code;
		bound->pool = old_pool;
		return ret;
	}
	bound->has_scope = true;
	return 0;
}

int fargs_bind_unwanted(struct fargs_bound *bound, const struct fargs_signature *func,
			const struct fargs_bind_options *options,
			struct fargs_constants *constants, struct fargs_diagnostic *m)
{
	struct fargs_binder b = {
		.bound = bound, .func = func, .options = options, .constants = constants,
		.diagnostic = m,
	};
	int ret;

	memset(bound, 0, sizeof(*bound));
	bound->record_cap = options->record_cap ? options->record_cap : FARGS_RECORD_MAX;
	bound->is_graph = options->is_graph;
	bound->has_return = options->is_graph;
	fargs_code_add(&bound->programs[FARGS_PROG_ENTRY_PREDICATE],
		       (struct fargs_insn){ .op = FARGS_OP_REJECT });
	ret = fargs_values_add_stack(&b);
	if (!ret && options->has_derefs)
		ret = fargs_values_add_derefs(&b);
	if (!ret)
		ret = fargs_values_add_returned(&b);
	return ret ? ret : check_room(&b);
}

/*
 * Ends a trigger program, to which its conditions were added: accepts if they hold, else rejects.
 * As in add_alternative(), shorten() must not run on this program.
 */
static void end_trigger(struct fargs_binder *b, enum fargs_prog program)
{
	struct fargs_code *code = &b->bound->programs[program];

	fargs_code_add(code, (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
	fargs_code_bind(code, &b->rejects[program]);
	fargs_code_add(code, (struct fargs_insn){ .op = FARGS_OP_REJECT });
}

static int bind_trigger_conditions(struct fargs_binder *b, const struct fargs_selector *sel)
{
	struct fargs_code *at_call = &b->bound->programs[FARGS_PROG_TRIGGER];
	struct fargs_code *at_return = &b->bound->programs[FARGS_PROG_RETURN_TRIGGER];
	bool is_first = !b->bound->has_trigger, is_always = !is_first && !at_call->nr;
	bool has_return_trigger = at_return->nr;
	unsigned int from;
	int ret;

	/*
	 * Overwrite the final REJECT, which is reached if none of the earlier triggers holds: now
	 * this trigger is evaluated instead.
	 */
	if (at_call->nr)
		at_call->nr--;
	from = at_call->nr;
	ret = bind_filters(b);
	if (!ret)
		ret = bind_condition(b, sel->entry.condition, false);
	if (!ret)
		ret = bind_condition(b, sel->at_return.condition, true);
	if (ret)
		return ret;
	if (!is_first && (has_return_trigger || at_return->nr || sel->has_return))
		return fargs_diagnostic_at(b->diagnostic, 1,
					   "'%s' has several triggers, one of which needs its "
					   "return: combine them into one with ||", b->func->name);
	/* A trigger that always holds makes the others redundant. */
	if (is_always || at_call->nr == from)
		at_call->nr = 0;
	else
		end_trigger(b, FARGS_PROG_TRIGGER);
	if (at_return->nr)
		end_trigger(b, FARGS_PROG_RETURN_TRIGGER);
	else if (sel->has_return)
		fargs_code_add(at_return, (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
	return 0;
}

/* Adds the fetches in the list @node, except for those that are also in the list @there. */
static int bind_more_fetches(struct fargs_binder *b, enum fargs_prog program,
			     const struct fargs_node *node, const struct fargs_node *there)
{
	const struct fargs_node *other;
	int ret = 0;

	for (; node && !ret; node = node->next) {
		for (other = there; other && !fargs_node_is_same(node, other); other = other->next)
			;
		if (!other)
			ret = fargs_values_add(b, program, node);
	}
	return ret;
}

int fargs_bind_trigger(struct fargs_bound *bound, const struct fargs_selector *sel,
		       const struct fargs_selector *beside, const struct fargs_signature *func,
		       const struct fargs_bind_options *options,
		       struct fargs_constants *constants, struct fargs_diagnostic *m)
{
	struct fargs_binder b = {
		.bound = bound, .func = func, .options = options, .constants = constants,
		.diagnostic = m,
		.at_call = FARGS_PROG_TRIGGER, .at_return = FARGS_PROG_RETURN_TRIGGER,
	};
	bool had_return = bound->has_return;
	int ret = bind_trigger_conditions(&b, sel);

	bound->has_return |= sel->has_return;
	if (!ret)
		ret = bind_more_fetches(&b, FARGS_PROG_ENTRY_FETCH, sel->entry.fetches,
					beside ? beside->entry.fetches : NULL);
	if (!ret && !had_return)
		ret = fargs_values_add_returned(&b);
	if (!ret)
		ret = bind_more_fetches(&b, FARGS_PROG_RETURN_FETCH, sel->at_return.fetches,
					beside ? beside->at_return.fetches : NULL);
	bound->has_trigger = true;
	return ret ? ret : check_room(&b);
}
