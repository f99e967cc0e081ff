// SPDX-License-Identifier: GPL-2.0-only
#include "select/codegen/failure.h"

#include <string.h>

#include "base/errname.h"
#include "select/codegen/load.h"
#include "select/typing/path.h"

static bool init_scalar(struct fargs_scalar *s, const struct fargs_signature *func)
{
	uint32_t base_id = fargs_param_strip(func->btf, func->ret_id);

	return !func->is_ret_in_memory && fargs_scalar_init(s, func->btf, base_id, 0);
}

bool fargs_failure_is_possible(const struct fargs_signature *func)
{
	struct fargs_scalar s;

	if (!init_scalar(&s, func))
		return false;
	return s.is_pointer || (s.is_signed && !s.enum_id && (s.bits == 32 || s.bits == 64));
}

int fargs_failure_require(struct fargs_gen *gen, struct fargs_label *otherwise)
{
	static const char name[] = "ret";
	const struct fargs_node ret = {
		.kind = FARGS_NODE_CONTEXT, .text = name, .len = strlen(name),
	};
	struct fargs_path path;
	struct fargs_scalar s;
	int error;

	if (!init_scalar(&s, gen->func))
		return fargs_gen_fail(gen, &ret, "%s cannot return an error", gen->func->name);
	error = fargs_path_init(&path, gen->constants, gen->func, &ret, gen->diagnostic);
	if (!error)
		error = fargs_load_scalar(gen, &path, &s, &ret, 0);
	/*
	 * As an unsigned 64-bit number, a sign-extended negative errno is at least
	 * -FARGS_ERRNO_MAX, and so is an error pointer.
	 */
	fargs_code_jump(gen->code, (struct fargs_insn){
		.op = FARGS_OP_JIF, .dst = 0, .arg = FARGS_COND_LT,
		.imm = -(uint64_t)FARGS_ERRNO_MAX,
	}, otherwise);
	return error;
}
