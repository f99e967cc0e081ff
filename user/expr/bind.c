// SPDX-License-Identifier: GPL-2.0-only
#include "expr/bind.h"

#include <errno.h>
#include <string.h>

#include "expr/cond.h"
#include "expr/fetch.h"
#include "expr/load.h"
#include "uapi/fargs_record.h"

struct binder {
	struct fargs_bound *bound;
	const struct fargs_signature *func;
	const struct fargs_bind_options *options;
	struct fargs_constants *constants;
	struct fargs_mistake *mistake;
	/* Where predicates go if they do not hold. */
	struct fargs_label rejects[FARGS_PROGS];
};

static struct fargs_gen gen_for(const struct binder *b, enum fargs_prog program)
{
	return (struct fargs_gen){
		.func = b->func,
		.constants = b->constants,
		.code = &b->bound->programs[program],
		.pool = &b->bound->pool,
		.mistake = b->mistake,
		.tsc_khz = b->options->tsc_khz,
		.is_return = program >= FARGS_PROG_RETURN_PREDICATE,
	};
}

/* The normalised text of @node, kept in @bound; NULL: there is no room. */
static const char *keep_name(struct binder *b, const struct fargs_node *node, size_t *len)
{
	struct fargs_bound *bound = b->bound;
	char *name = bound->names + bound->names_len;
	size_t room = sizeof(bound->names) - bound->names_len;

	*len = fargs_node_text(node, name, room);
	if (*len >= room) {
		fargs_gen_fail(b, node, "the names of all values together are "
				 "too long");
		return NULL;
	}
	bound->names_len += *len + 1;
	return name;
}

/* A value of the body, whose data the next instruction stores. */
static int add_value(struct binder *b, const struct fargs_gen *gen, const struct fargs_node *node,
		     uint8_t type, uint16_t bytes)
{
	struct fargs_bound *bound = b->bound;
	struct fargs_bound_value *value = &bound->values[bound->nr_values];

	size_t len;

	if (bound->nr_values == FARGS_BOUND_VALUES)
		return fargs_gen_fail(b, node, "these are too many values");
	value->name = keep_name(b, node, &len);
	value->type = type;
	value->bytes = bytes;
	value->program = gen->code - bound->programs;
	value->insn = gen->code->nr;
	if (!value->name)
		return -EINVAL;
	bound->nr_values++;
	return 0;
}

/* The name of a value to be appended, of @max bytes: where it is in the pool. */
static int add_appended(struct binder *b, const struct fargs_gen *gen,
			const struct fargs_node *node, unsigned int max)
{
	uint16_t *sum = gen->is_return ? &b->bound->return_append_max : &b->bound->append_max;
	size_t len;
	const char *name = keep_name(b, node, &len);

	if (!name)
		return -EINVAL;
	if (*sum + FARGS_APPEND_BYTES(len, max) > FARGS_RECORD_MAX)
		return fargs_gen_fail(b, node, "the record would be longer than "
					"%d bytes: fetch less, or smaller parts", FARGS_RECORD_MAX);
	*sum += FARGS_APPEND_BYTES(len, max);
	return fargs_pool_add(gen->pool, name, len);
}

/* Memory whose address is in r0: whole into the body, or as much as is allowed. */
static int put_memory(struct binder *b, struct fargs_gen *gen, const struct fargs_node *node,
		      uint64_t bytes)
{
	unsigned int cap = b->options->mem_cap;
	int ret;

	if (bytes <= cap) {
		ret = add_value(b, gen, node, FARGS_TYPE_BYTES, bytes);
		fargs_code_add(gen->code, (struct fargs_insn){
			.op = FARGS_OP_ST_MEM, .src = 0, .arg = FARGS_SPACE_ANY, .imm = bytes,
		});
		return ret;
	}
	ret = add_appended(b, gen, node, cap);
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_IMM, .dst = 1, .imm = bytes,
	});
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_PUT_MEM, .dst = 1, .src = 0, .arg = FARGS_SPACE_ANY, .off = ret,
		.imm = cap,
	});
	return ret < 0 ? ret : 0;
}

static int put_scalar(struct binder *b, struct fargs_gen *gen, const struct fargs_node *node,
		      const struct fargs_fetch *f)
{
	int ret;

	if (f->scalar.bits > 64) {
		ret = fargs_load_address(gen, &f->path, f->node, 0);
		if (!ret)
			ret = add_value(b, gen, node, f->scalar.type, 16);
		fargs_code_add(gen->code, (struct fargs_insn){
			.op = FARGS_OP_ST_MEM, .src = 0, .arg = FARGS_SPACE_ANY, .imm = 16,
		});
		return ret;
	}
	ret = fargs_load_scalar(gen, &f->path, &f->scalar, f->node, 0);
	if (!ret)
		ret = add_value(b, gen, node, f->scalar.type, 8);
	fargs_code_add(gen->code, (struct fargs_insn){ .op = FARGS_OP_ST, .src = 0 });
	return ret;
}

static int put_string(struct binder *b, struct fargs_gen *gen, const struct fargs_node *node,
		      const struct fargs_fetch *f)
{
	unsigned int cap = b->options->str_cap;
	int ret = fargs_fetch_address(gen, f, 0);

	if (f->bytes && f->bytes < cap)
		cap = f->bytes;
	if (!ret)
		ret = add_appended(b, gen, node, cap);
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_PUT_STR, .src = 0, .arg = f->space, .off = ret, .imm = cap,
	});
	return ret < 0 ? ret : 0;
}

/*
 * r1 = how many elements up to the end that the expression @f->end gives, but no
 * more than can be told from "too many": so that nothing overflows.
 */
static int load_end(struct fargs_gen *gen, const struct fargs_fetch *f, int64_t limit)
{
	struct fargs_fetch end;
	int ret = fargs_fetch_init(&end, gen, f->end);

	if (!ret && (end.kind != FARGS_FETCH_SCALAR || end.scalar.is_duration))
		return fargs_gen_fail(gen, f->end, "this is no number of elements");
	if (!ret)
		ret = fargs_load_scalar(gen, &end.path, &end.scalar, f->end, 1);
	if (ret)
		return ret;
	/* Not "if it is at most the limit": that is not so either if it cannot be read. */
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_JIF, .dst = 1, .off = 1, .imm = limit,
		.arg = end.scalar.is_signed ? FARGS_COND_SGT : FARGS_COND_GT,
	});
	fargs_code_add(gen->code, (struct fargs_insn){ .op = FARGS_OP_JMP, .off = 1 });
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_IMM, .dst = 1, .imm = limit,
	});
	return 0;
}

static int put_range(struct binder *b, struct fargs_gen *gen, const struct fargs_node *node,
		     const struct fargs_fetch *f)
{
	int64_t limit = b->options->mem_cap / f->element_bytes + 1;
	unsigned int cap = b->options->mem_cap;
	__int128 end;
	int ret = fargs_fetch_address(gen, f, 0);

	fargs_code_op(gen->code, FARGS_OP_ADD, 0, f->from * (int64_t)f->element_bytes);
	if (ret)
		return ret;
	if (fargs_constant_is(gen->func, f->end)) {
		ret = fargs_constant_eval(gen->constants, gen->func, f->end, 0, &end,
					  gen->mistake);
		if (!ret && (end <= f->from || end > INT32_MAX))
			return fargs_gen_fail(gen, f->end, "the range ends before "
						"it begins, or is too long");
		return ret ? ret : put_memory(b, gen, node, (end - f->from) * f->element_bytes);
	}
	ret = load_end(gen, f, f->from + limit);
	if (!ret)
		ret = add_appended(b, gen, node, cap);
	fargs_code_op(gen->code, FARGS_OP_ADD, 1, -f->from);
	fargs_code_op(gen->code, FARGS_OP_MUL, 1, f->element_bytes);
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_PUT_MEM, .dst = 1, .src = 0, .arg = FARGS_SPACE_ANY, .off = ret,
		.imm = cap,
	});
	return ret < 0 ? ret : 0;
}

/* Arguments, what is returned and the duration are in every record that can have them. */
static bool is_there_anyway(const struct fargs_signature *func, const struct fargs_node *node)
{
	return fargs_expr_param(func, node) >= 0 || fargs_expr_is_return(func, node) ||
	       (node->kind == FARGS_NODE_CONTEXT && fargs_node_is(node, "duration"));
}

static int bind_fetch(struct binder *b, enum fargs_prog program, const struct fargs_node *node)
{
	struct fargs_gen gen = gen_for(b, program);
	struct fargs_fetch f;
	int ret;

	if (fargs_expr_param(b->func, node) >= 0)
		return 0;
	/* Where nothing is returned, the record tells the duration alone. */
	if (fargs_expr_is_return(b->func, node) &&
	    !fargs_param_strip(b->func->btf, b->func->ret_id))
		return 0;
	if (fargs_constant_is(b->func, node) && node->kind != FARGS_NODE_NAME)
		return fargs_gen_fail(b, node, "this is a constant, no value of a "
					"call");
	ret = fargs_fetch_init(&f, &gen, node);
	if (ret || is_there_anyway(b->func, node))
		return ret;
	switch (f.kind) {
	case FARGS_FETCH_SCALAR:
		return put_scalar(b, &gen, node, &f);
	case FARGS_FETCH_STRING:
		return put_string(b, &gen, node, &f);
	case FARGS_FETCH_RANGE:
		return put_range(b, &gen, node, &f);
	default:
		ret = fargs_load_address(&gen, &f.path, f.node, 0);
		return ret ? ret : put_memory(b, &gen, node, f.bytes);
	}
}

static int bind_fetches(struct binder *b, enum fargs_prog program, const struct fargs_node *node)
{
	int ret = 0;

	for (; node && !ret; node = node->next)
		ret = bind_fetch(b, program, node);
	return ret;
}

/*
 * The conditions that @node and-s, each where it can be told first; but at the return,
 * if it was written there: memory may be another one by then.
 */
static int bind_condition(struct binder *b, const struct fargs_node *node, bool is_at_return)
{
	enum fargs_prog program = FARGS_PROG_ENTRY_PREDICATE;
	struct fargs_gen gen;
	int ret;

	if (!node)
		return 0;
	if (node->kind == FARGS_NODE_AND) {
		ret = bind_condition(b, node->a, is_at_return);
		return ret ? ret : bind_condition(b, node->b, is_at_return);
	}
	if (is_at_return || fargs_cond_uses_return(b->func, node)) {
		program = FARGS_PROG_RETURN_PREDICATE;
		b->bound->has_return = true;
	}
	gen = gen_for(b, program);
	return fargs_cond_require(&gen, node, false, &b->rejects[program]);
}

/* Jumps to the end are the end. */
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

static int finish(struct binder *b)
{
	struct fargs_bound *bound = b->bound;
	int i;

	for (i = 0; i < FARGS_PROGS; i++) {
		struct fargs_code *code = &bound->programs[i];

		if ((i == FARGS_PROG_ENTRY_PREDICATE || i == FARGS_PROG_RETURN_PREDICATE) &&
		    code->nr) {
			fargs_code_add(code, (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
			fargs_code_bind(code, &b->rejects[i]);
			fargs_code_add(code, (struct fargs_insn){ .op = FARGS_OP_REJECT });
		}
		if (code->is_over)
			return fargs_mistake_at(b->mistake, 0, "the expression takes more than %d "
						"instructions: ask for less", FARGS_PROG_MAX);
		shorten(code);
	}
	if (bound->pool.is_over)
		return fargs_mistake_at(b->mistake, 0, "the names and strings of the expression "
					"take more than %d bytes: ask for less", FARGS_CONST_MAX);
	return 0;
}

/* "*p" for the parameters that point to structs which BTF describes. */
static int bind_derefs(struct binder *b)
{
	const struct btf *btf = b->func->btf;
	char unnamed[FARGS_SIGNATURE_UNNAMED];
	size_t i;
	int ret;

	for (i = 0; i < b->func->nr_params; i++) {
		const struct btf_type *t = btf__type_by_id(btf, b->func->params[i].base_id);
		const char *text = fargs_signature_param_name(b->func, i, unnamed);
		struct fargs_node name = {
			.kind = FARGS_NODE_NAME, .text = text, .len = strlen(text),
		};
		struct fargs_node deref = { .kind = FARGS_NODE_DEREF, .a = &name };

		if (!btf_is_ptr(t))
			continue;
		t = btf__type_by_id(btf, fargs_param_strip(btf, t->type));
		if (!t || !btf_is_composite(t) || !t->size)
			continue;
		ret = bind_fetch(b, FARGS_PROG_ENTRY_FETCH, &deref);
		if (ret)
			return ret;
	}
	return 0;
}

/* A struct returned in memory: rax is its address. In registers, stores put it into the body. */
static int bind_returned(struct binder *b)
{
	struct fargs_gen gen = gen_for(b, FARGS_PROG_RETURN_FETCH);
	struct fargs_node ret = {
		.kind = FARGS_NODE_CONTEXT, .text = "ret", .len = strlen("ret"),
	};
	struct fargs_fetch f;
	int error;

	if (!b->bound->has_return || !b->func->is_ret_in_memory)
		return 0;
	error = fargs_fetch_init(&f, &gen, &ret);
	if (!error)
		error = fargs_load_address(&gen, &f.path, &ret, 0);
	return error ? error : put_memory(b, &gen, &ret, f.bytes);
}

/* Whose record has no name of its own in the selector. */
static int bind_stack(struct binder *b)
{
	const struct fargs_node node = {
		.kind = FARGS_NODE_CONTEXT, .text = "stack", .len = strlen("stack"),
	};
	struct fargs_gen gen = gen_for(b, FARGS_PROG_ENTRY_FETCH);
	int name;

	if (!b->options->nr_stack)
		return 0;
	name = add_appended(b, &gen, &node, 8 * b->options->nr_stack);
	fargs_code_add(gen.code, (struct fargs_insn){
		.op = FARGS_OP_PUT_STACK, .off = name, .imm = b->options->nr_stack,
	});
	return name < 0 ? name : 0;
}

static int bind(struct binder *b, const struct fargs_selector *sel)
{
	size_t i;
	int ret = 0;

	/* Cheap ones that reject most calls come first. */
	for (i = 0; i < b->options->nr_filters && !ret; i++)
		ret = bind_condition(b, b->options->filters[i].entry.condition, false);
	b->bound->is_graph = b->options->is_graph;
	b->bound->has_return |= b->options->is_graph;
	if (sel && !ret) {
		b->bound->has_return |= sel->has_return;
		ret = bind_condition(b, sel->entry.condition, false);
		if (!ret)
			ret = bind_condition(b, sel->at_return.condition, true);
		if (!ret)
			ret = bind_fetches(b, FARGS_PROG_ENTRY_FETCH, sel->entry.fetches);
	}
	if (!ret)
		ret = bind_stack(b);
	if (!ret && b->options->has_derefs)
		ret = bind_derefs(b);
	if (!ret)
		ret = bind_returned(b);
	if (sel && !ret)
		ret = bind_fetches(b, FARGS_PROG_RETURN_FETCH, sel->at_return.fetches);
	return ret ? ret : finish(b);
}

int fargs_bind(struct fargs_bound *bound, const struct fargs_selector *sel,
	       const struct fargs_signature *func, const struct fargs_bind_options *options,
	       struct fargs_constants *constants, struct fargs_mistake *m)
{
	struct binder b = {
		.bound = bound, .func = func, .options = options, .constants = constants,
		.mistake = m,
	};

	memset(bound, 0, sizeof(*bound));
	return bind(&b, sel);
}
