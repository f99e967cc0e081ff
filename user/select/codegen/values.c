// SPDX-License-Identifier: GPL-2.0-only
#include "select/codegen/values.h"

#include <errno.h>
#include <string.h>

#include "select/codegen/load.h"
#include "select/codegen/object.h"
#include "uapi/fargs_record.h"

/* Limit of an index at which a range starts or ends: more elements than memory has. */
#define INDEX_MAX	(1ll << 47)

/* Stores the normalised text of @node in @bound. Returns NULL if the text does not fit. */
static const char *keep_name(struct fargs_binder *b, const struct fargs_node *node, size_t *len)
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

/* Adds a value to the body; the next instruction must store its data. */
static int add_value(struct fargs_binder *b, const struct fargs_gen *gen,
		     const struct fargs_node *node, uint8_t type, uint16_t bytes)
{
	struct fargs_bound *bound = b->bound;
	struct fargs_bound_value *value = &bound->values[bound->nr_values];

	size_t len;

	if (bound->nr_values == FARGS_BOUND_VALUES)
		return fargs_gen_fail(b, node, "too many values");
	value->name = keep_name(b, node, &len);
	value->type = type;
	value->bytes = bytes;
	value->program = gen->code - bound->programs;
	value->insn = gen->code->nr;
	if (!value->name)
		return -EINVAL;
	bound->nr_values++;
	bound->orders[gen->is_return].nr_fixed++;
	return 0;
}

/*
 * Reserves room for an appended value of at most @max bytes. Returns the offset of its name in
 * the pool.
 */
static int reserve(struct fargs_binder *b, const struct fargs_gen *gen,
		   const struct fargs_node *node, unsigned int max)
{
	uint16_t *sum = gen->is_return ? &b->bound->return_append_max : &b->bound->append_max;
	size_t len;
	const char *name = keep_name(b, node, &len);

	if (!name)
		return -EINVAL;
	if (*sum + FARGS_APPEND_BYTES(len, max) > b->bound->record_cap)
		return fargs_gen_fail(b, node, "the record would be longer than %d bytes: fetch "
				      "less, or limit the size with '-s'", b->bound->record_cap);
	*sum += FARGS_APPEND_BYTES(len, max);
	return fargs_pool_add(gen->pool, name, len);
}

int fargs_values_append(struct fargs_binder *b, const struct fargs_gen *gen,
			const struct fargs_node *node, unsigned int max)
{
	struct fargs_bound_order *order = &b->bound->orders[gen->is_return];

	if (order->nr == FARGS_BOUND_VALUES)
		return fargs_gen_fail(b, node, "too many values");
	order->before[order->nr++] = order->nr_fixed;
	return reserve(b, gen, node, max);
}

/*
 * Stores @bytes of memory at the address in r0: in the body if the option mem_cap allows that size,
 * else truncated to mem_cap and appended to the record.
 */
static int put_memory(struct fargs_binder *b, struct fargs_gen *gen, const struct fargs_node *node,
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
	ret = fargs_values_append(b, gen, node, cap);
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_IMM, .dst = 1, .imm = bytes,
	});
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_PUT_MEM, .dst = 1, .src = 0, .arg = FARGS_SPACE_ANY, .off = ret,
		.imm = cap,
	});
	return ret < 0 ? ret : 0;
}

static int put_scalar(struct fargs_binder *b, struct fargs_gen *gen, const struct fargs_node *node,
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

static int put_string(struct fargs_binder *b, struct fargs_gen *gen, const struct fargs_node *node,
		      const struct fargs_fetch *f)
{
	unsigned int cap = b->options->str_cap;
	int ret = fargs_load_fetch(gen, f, 0);

	if (f->bytes && f->bytes < cap)
		cap = f->bytes;
	if (!ret)
		ret = fargs_values_append(b, gen, node, cap);
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_PUT_STR, .src = 0, .arg = f->space, .off = ret, .imm = cap,
	});
	return ret < 0 ? ret : 0;
}

/* Generates r[reg] = @limit if the condition @cond holds for r[reg] and @limit. */
static void put_limit(struct fargs_gen *gen, unsigned int reg, uint8_t cond, int64_t limit)
{
	/*
	 * A condition on an unreadable register is false, and an unreadable register must not be
	 * overwritten: so test whether it is above the limit, not whether it is within the limit.
	 */
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_JIF, .dst = reg, .off = 1, .imm = limit, .arg = cond,
	});
	fargs_code_add(gen->code, (struct fargs_insn){ .op = FARGS_OP_JMP, .off = 1 });
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_IMM, .dst = reg, .imm = limit,
	});
}

/*
 * Generates r[reg] = the number @node, an end of a range. Limits it to @limit, so that the size
 * cannot overflow; a range that ends at @limit already exceeds mem_cap.
 */
static int load_end(struct fargs_gen *gen, const struct fargs_node *node, int64_t limit,
		    unsigned int reg)
{
	const struct fargs_typing typing = fargs_gen_typing(gen);
	struct fargs_fetch end;
	int ret = fargs_fetch_init(&end, &typing, node);

	if (!ret && (end.kind != FARGS_FETCH_SCALAR || end.scalar.is_duration ||
		     end.scalar.is_pointer))
		return fargs_gen_fail(gen, node, "this is not a number of elements");
	if (!ret)
		ret = fargs_load_scalar(gen, &end.path, &end.scalar, node, reg);
	if (ret)
		return ret;
	put_limit(gen, reg, end.scalar.is_signed ? FARGS_COND_SGT : FARGS_COND_GT, limit);
	return 0;
}

/*
 * Generates r1 = the number of elements of a range whose start is not constant, at most @limit, and
 * moves r0 to that start.
 */
static int load_between(struct fargs_gen *gen, const struct fargs_fetch *f, int64_t limit)
{
	__int128 end;
	int ret = 0;

	if (fargs_constant_is(gen->func, f->end)) {
		ret = fargs_constant_eval(gen->constants, gen->func, f->end, 0, &end,
					  gen->diagnostic);
		if (!ret && (end < -INDEX_MAX || end > INDEX_MAX))
			return fargs_gen_fail(gen, f->end, "this range is invalid");
		fargs_code_add(gen->code, (struct fargs_insn){
			.op = FARGS_OP_IMM, .dst = 1, .imm = end,
		});
	} else {
		ret = load_end(gen, f->end, INDEX_MAX, 1);
	}
	if (!ret)
		ret = load_end(gen, f->start, INDEX_MAX, 2);
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_SUB_REG, .dst = 1, .src = 2,
	});
	put_limit(gen, 1, FARGS_COND_SGT, limit);
	fargs_code_op(gen->code, FARGS_OP_MUL, 2, f->element_bytes);
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_ADD_REG, .dst = 0, .src = 2,
	});
	return ret;
}

static int put_range(struct fargs_binder *b, struct fargs_gen *gen, const struct fargs_node *node,
		     const struct fargs_fetch *f)
{
	int64_t limit = b->options->mem_cap / f->element_bytes + 1;
	unsigned int cap = b->options->mem_cap;
	__int128 end;
	int ret = fargs_load_fetch(gen, f, 0);

	fargs_code_op(gen->code, FARGS_OP_ADD, 0, f->from * (int64_t)f->element_bytes);
	if (ret)
		return ret;
	if (!f->start && fargs_constant_is(gen->func, f->end)) {
		ret = fargs_constant_eval(gen->constants, gen->func, f->end, 0, &end,
					  gen->diagnostic);
		if (!ret && (end <= f->from || end > INT32_MAX))
			return fargs_gen_fail(gen, f->end, "the range ends before it starts, or is "
						"too long");
		return ret ? ret : put_memory(b, gen, node, (end - f->from) * f->element_bytes);
	}
	ret = f->start ? load_between(gen, f, limit) : load_end(gen, f->end, f->from + limit, 1);
	if (!ret)
		ret = fargs_values_append(b, gen, node, cap);
	fargs_code_op(gen->code, FARGS_OP_ADD, 1, -f->from);
	fargs_code_op(gen->code, FARGS_OP_MUL, 1, f->element_bytes);
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_PUT_MEM, .dst = 1, .src = 0, .arg = FARGS_SPACE_ANY, .off = ret,
		.imm = cap,
	});
	return ret < 0 ? ret : 0;
}

/*
 * Is @node part of every record anyway? Arguments, the result and the duration are recorded if they
 * are available.
 */
static bool is_there_anyway(const struct fargs_signature *func, const struct fargs_node *node)
{
	return fargs_expr_param(func, node) >= 0 || fargs_expr_is_return(func, node) ||
	       (node->kind == FARGS_NODE_CONTEXT && fargs_node_is(node, "duration"));
}

int fargs_values_add(struct fargs_binder *b, enum fargs_prog program, const struct fargs_node *node)
{
	struct fargs_gen gen = fargs_binder_gen(b, program);
	const struct fargs_typing typing = fargs_gen_typing(&gen);
	struct fargs_fetch f;
	__int128 ignored;
	int ret;

	if (fargs_expr_param(b->func, node) >= 0)
		return 0;
	/* A function that returns void has no result: its record has only the duration. */
	if (fargs_expr_is_return(b->func, node) &&
	    !fargs_param_strip(b->func->btf, b->func->ret_id))
		return 0;
	if (fargs_constant_is(b->func, node) && node->kind != FARGS_NODE_NAME) {
		/* An unknown name is more likely a misspelt argument than a constant. */
		ret = fargs_constant_eval(b->constants, b->func, node, 0, &ignored, b->diagnostic);
		return ret ? ret : fargs_gen_fail(b, node, "this is a constant, not a value of the "
						  "call");
	}
	ret = fargs_fetch_init(&f, &typing, node);
	if (ret || is_there_anyway(b->func, node))
		return ret;
	switch (f.kind) {
	case FARGS_FETCH_SCALAR:
		return put_scalar(b, &gen, node, &f);
	case FARGS_FETCH_STRING:
		return put_string(b, &gen, node, &f);
	case FARGS_FETCH_RANGE:
		return put_range(b, &gen, node, &f);
	case FARGS_FETCH_TREE:
	case FARGS_FETCH_SOCKADDR:
	case FARGS_FETCH_PACKET:
		return fargs_object_put(b, &gen, node, &f);
	default:
		ret = fargs_load_address(&gen, &f.path, f.node, 0);
		return ret ? ret : put_memory(b, &gen, node, f.bytes);
	}
}

int fargs_values_add_all(struct fargs_binder *b, enum fargs_prog program,
			 const struct fargs_node *node)
{
	int ret = 0;

	for (; node && !ret; node = node->next)
		ret = fargs_values_add(b, program, node);
	return ret;
}

/* Adds "*p" for each parameter that points to a struct that BTF describes. */
int fargs_values_add_derefs(struct fargs_binder *b)
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
		ret = fargs_values_add(b, FARGS_PROG_ENTRY_FETCH, &deref);
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * Adds a struct that is returned in memory, at the address in rax. A struct that is returned in
 * registers is copied by stores instead.
 */
int fargs_values_add_returned(struct fargs_binder *b)
{
	struct fargs_gen gen = fargs_binder_gen(b, FARGS_PROG_RETURN_FETCH);
	const struct fargs_typing typing = fargs_gen_typing(&gen);
	struct fargs_node ret = {
		.kind = FARGS_NODE_CONTEXT, .text = "ret", .len = strlen("ret"),
	};
	struct fargs_fetch f;
	int error;

	if (!b->bound->has_return || !b->func->is_ret_in_memory)
		return 0;
	error = fargs_fetch_init(&f, &typing, &ret);
	if (!error)
		error = fargs_load_address(&gen, &f.path, &ret, 0);
	return error ? error : put_memory(b, &gen, &ret, f.bytes);
}

/* Adds the callers as a value "$stack", a name that selectors cannot use. */
int fargs_values_add_stack(struct fargs_binder *b)
{
	const struct fargs_node node = {
		.kind = FARGS_NODE_CONTEXT, .text = "stack", .len = strlen("stack"),
	};
	struct fargs_gen gen = fargs_binder_gen(b, FARGS_PROG_ENTRY_FETCH);
	int name;

	if (!b->options->nr_stack)
		return 0;
	name = reserve(b, &gen, &node, 8 * b->options->nr_stack);
	fargs_code_add(gen.code, (struct fargs_insn){
		.op = FARGS_OP_PUT_STACK, .off = name, .imm = b->options->nr_stack,
	});
	return name < 0 ? name : 0;
}
