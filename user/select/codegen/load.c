// SPDX-License-Identifier: GPL-2.0-only
#include "select/codegen/load.h"

#include <errno.h>

#include "select/codegen/operate.h"
#include "select/typing/variable.h"

#define TEXT_MAX	96

/* Place of a value in a register: the value has @bits bits, of which bit @shift is the lowest. */
struct raw {
	unsigned int shift;
	unsigned int bits;
	bool is_zero_above;
};

static const char *text_of(const struct fargs_node *node, char buf[TEXT_MAX])
{
	fargs_node_text(node, buf, TEXT_MAX);
	return buf;
}

static bool has_register(const struct fargs_node *node, unsigned int reg,
			 struct fargs_diagnostic *m)
{
	if (reg < FARGS_PROG_REGS)
		return true;
	fargs_diagnostic_at(m, node->column, "this needs more than %d registers: simplify the "
			    "expression",
			    FARGS_PROG_REGS);
	return false;
}

/* Generates r[reg] = the address of the variable @node. */
static int load_variable(struct fargs_gen *gen, const struct fargs_node *node, unsigned int reg)
{
	struct fargs_variable v;
	int ret = fargs_variable_find(&v, &gen->constants->variables, gen->constants->ksyms,
				      gen->func->btf, node, gen->diagnostic);

	if (ret)
		return ret;
	if (!v.is_per_cpu) {
		fargs_code_add(gen->code, (struct fargs_insn){
			.op = FARGS_OP_IMM, .dst = reg, .imm = v.addr,
		});
		return 0;
	}
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_CTX, .dst = reg, .arg = FARGS_CTX_CPU,
	});
	fargs_code_op(gen->code, FARGS_OP_SHL, reg, 3);
	fargs_code_op(gen->code, FARGS_OP_ADD, reg, v.offsets);
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_LOAD, .dst = reg, .src = reg, .arg = sizeof(uint64_t),
		.imm = FARGS_SPACE_KERNEL,
	});
	fargs_code_op(gen->code, FARGS_OP_ADD, reg, v.addr);
	return 0;
}

/* Generates r[reg] = the 64-bit word @word of the path's base. */
static int load_word(struct fargs_gen *gen, const struct fargs_path *path,
		     const struct fargs_node *node, unsigned int word, unsigned int reg)
{
	struct fargs_insn insn = { .op = FARGS_OP_CTX, .dst = reg, .arg = path->index };
	const struct fargs_place *place;
	char text[TEXT_MAX];

	if (!has_register(node, reg, gen->diagnostic))
		return -EINVAL;
	if (path->base == FARGS_PATH_VALUE)
		return fargs_operate(gen, path->value, reg);
	if (path->base == FARGS_PATH_VARIABLE)
		return load_variable(gen, path->value, reg);
	if (path->base != FARGS_PATH_PARAM) {
		if (path->base == FARGS_PATH_RETURN)
			insn.arg = word ? FARGS_CTX_RETURN_HIGH : FARGS_CTX_RETURN;
		if (word > (path->base == FARGS_PATH_RETURN ? 1 : 0))
			goto err_beyond;
		fargs_code_add(gen->code, insn);
		return 0;
	}
	place = &gen->func->places[path->index];
	if (word >= place->nr)
		goto err_beyond;
	insn.op = place->source == FARGS_SOURCE_REG ? FARGS_OP_ARG : FARGS_OP_SLOT;
	insn.arg = place->index + word;
	if (insn.op == FARGS_OP_SLOT && gen->is_return)
		return fargs_gen_fail(gen, node, "'%s' is passed on the stack, which is no longer "
					"available when the function returns",
					text_of(node, text));
	fargs_code_add(gen->code, insn);
	return 0;

err_beyond:
	return fargs_gen_fail(gen, node, "'%s' is beyond the end of its argument",
				text_of(node, text));
}

/*
 * Generates r[reg] = the @bits bits at the path's offset in its base. These bits may extend into
 * the next word. Sets *@raw to their place in the register.
 */
static int load_base(struct fargs_gen *gen, const struct fargs_path *path,
		     const struct fargs_node *node, unsigned int bits, unsigned int reg,
		     struct raw *raw)
{
	uint64_t at = path->bit_offsets[0];
	unsigned int shift = at % 64;
	int ret = load_word(gen, path, node, at / 64, reg);

	*raw = (struct raw){ .shift = shift, .bits = bits };
	/* A computed number is extended to 64 bits already. */
	if (path->base == FARGS_PATH_VALUE)
		*raw = (struct raw){ .bits = 64, .is_zero_above = true };
	if (ret || shift + bits <= 64)
		return ret;
	ret = load_word(gen, path, node, at / 64 + 1, reg + 1);
	if (ret)
		return ret;
	fargs_code_op(gen->code, FARGS_OP_SHR, reg, shift);
	fargs_code_op(gen->code, FARGS_OP_SHL, reg + 1, 64 - shift);
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_OR_REG, .dst = reg, .src = reg + 1,
	});
	raw->shift = 0;
	return 0;
}

static void add_load(struct fargs_gen *gen, unsigned int reg, int64_t byte_offset,
		     unsigned int bytes)
{
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_LOAD, .dst = reg, .src = reg, .arg = bytes, .off = byte_offset,
		.imm = FARGS_SPACE_ANY,
	});
}

/* Generates r[reg] = the last pointer of the path. */
static int load_pointers(struct fargs_gen *gen, const struct fargs_path *path,
			 const struct fargs_node *node, unsigned int reg)
{
	struct raw raw;
	unsigned int i;
	int ret = load_base(gen, path, node, 64, reg, &raw);

	if (ret)
		return ret;
	for (i = 1; i < path->nr_derefs; i++)
		add_load(gen, reg, path->bit_offsets[i] / 8, 8);
	return 0;
}

int fargs_load_address(struct fargs_gen *gen, const struct fargs_path *path,
		       const struct fargs_node *node, unsigned int reg)
{
	char text[TEXT_MAX];
	int ret;

	if (!path->nr_derefs)
		return fargs_gen_fail(gen, node, "'%s' is passed by value and has no address: "
					"fetch its members one by one",
					text_of(node, text));
	ret = load_pointers(gen, path, node, reg);
	if (!ret)
		fargs_code_op(gen->code, FARGS_OP_ADD, reg,
			      path->bit_offsets[path->nr_derefs] / 8);
	return ret;
}

/*
 * Reads a bitfield as compilers do: with a load of its declared type if that covers the bitfield,
 * else (in a packed struct) with the narrowest load that does.
 */
static int load_bitfield(struct fargs_gen *gen, const struct fargs_path *path,
			 const struct fargs_node *node, unsigned int type_bits, unsigned int reg,
			 struct raw *raw)
{
	int64_t at = path->bit_offsets[path->nr_derefs];
	int64_t start = at & -(int64_t)type_bits;
	unsigned int bytes = type_bits / 8;

	if (at + path->bitfield_bits > start + type_bits) {
		start = at & -8ll;
		for (bytes = 1; 8 * bytes < at - start + path->bitfield_bits; bytes *= 2)
			;
	}
	if (bytes > 8)
		return fargs_gen_fail(gen, node, "this bitfield spans more than 8 bytes");
	add_load(gen, reg, start / 8, bytes);
	*raw = (struct raw){ at - start, path->bitfield_bits, false };
	return 0;
}

static int load_memory(struct fargs_gen *gen, const struct fargs_path *path,
		       const struct fargs_scalar *scalar, const struct fargs_node *node,
		       unsigned int reg, struct raw *raw)
{
	int64_t at = path->bit_offsets[path->nr_derefs], size;
	int ret = load_pointers(gen, path, node, reg);

	if (ret)
		return ret;
	if (path->bitfield_bits) {
		size = btf__resolve_size(gen->func->btf, path->base_id);
		return load_bitfield(gen, path, node, 8 * size, reg, raw);
	}
	add_load(gen, reg, at / 8, scalar->bits / 8);
	*raw = (struct raw){ 0, scalar->bits, true };
	return 0;
}

static void cut_out(struct fargs_code *code, const struct raw *raw, bool is_signed,
		    unsigned int reg)
{
	if (is_signed) {
		fargs_code_op(code, FARGS_OP_SHL, reg, 64 - raw->shift - raw->bits);
		fargs_code_op(code, FARGS_OP_SAR, reg, 64 - raw->bits);
		return;
	}
	fargs_code_op(code, FARGS_OP_SHR, reg, raw->shift);
	if (!raw->is_zero_above && raw->shift + raw->bits < 64)
		fargs_code_op(code, FARGS_OP_AND, reg, (1ull << raw->bits) - 1);
}

int fargs_load_scalar(struct fargs_gen *gen, const struct fargs_path *path,
		      const struct fargs_scalar *scalar, const struct fargs_node *node,
		      unsigned int reg)
{
	struct raw raw;
	int ret;

	if (scalar->bits > 64)
		return fargs_gen_fail(gen, node, "values of 128 bits cannot be compared");
	ret = path->nr_derefs ? load_memory(gen, path, scalar, node, reg, &raw)
			      : load_base(gen, path, node, scalar->bits, reg, &raw);
	if (!ret)
		cut_out(gen->code, &raw, scalar->is_signed, reg);
	return ret;
}

int fargs_load_fetch(struct fargs_gen *gen, const struct fargs_fetch *fetch, unsigned int reg)
{
	const struct fargs_scalar word = { .bits = 64 };

	if (fetch->is_there)
		return fargs_load_address(gen, &fetch->path, fetch->node, reg);
	return fargs_load_scalar(gen, &fetch->path, &word, fetch->node, reg);
}
