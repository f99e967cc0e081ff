// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/constant.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/syscalls.h"
#include "base/near.h"
#include "select/syntax/suggest.h"
#include "select/typing/constant_op.h"
#include "select/typing/context.h"
#include "select/typing/names.h"
#include "select/typing/scalar.h"

/* Maximum size of an enumerator's name, including its NUL. */
#define NAME_BYTES	128
enum found {
	FOUND_NONE,
	FOUND_ONE,
	FOUND_MANY,	/* several enumerators have the name, with different values */
};

struct fargs_constant_memo {
	const struct btf *btf;
	char *name;
	enum found found;
	__int128 value;
};

void fargs_constants_deinit(struct fargs_constants *constants)
{
	while (constants->nr)
		free(constants->memos[--constants->nr].name);
	free(constants->memos);
	constants->memos = NULL;
	fargs_variables_deinit(&constants->variables);
	fargs_ctypes_deinit(&constants->types);
}

static uint32_t find_task(const struct btf *btf)
{
	int task = btf__find_by_name_kind(btf, "task_struct", BTF_KIND_STRUCT);
	uint32_t id, end = btf__type_cnt(btf);

	for (id = 1; task > 0 && id < end; id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);

		if (btf_is_ptr(t) && t->type == (uint32_t)task)
			return id;
	}
	return 0;
}

uint32_t fargs_constants_task(struct fargs_constants *constants, const struct btf *btf)
{
	if (constants->task_btf != btf) {
		constants->task_id = find_task(btf);
		constants->task_btf = btf;
	}
	return constants->task_id;
}

int fargs_expr_param(const struct fargs_signature *func, const struct fargs_node *node)
{
	char unnamed[FARGS_SIGNATURE_UNNAMED];
	size_t i;

	for (i = 0; node->kind == FARGS_NODE_NAME && i < func->nr_params; i++)
		if (fargs_node_is(node, fargs_signature_param_name(func, i, unnamed)))
			return i;
	return -1;
}

bool fargs_expr_is_return(const struct fargs_signature *func, const struct fargs_node *node)
{
	if (node->kind == FARGS_NODE_CONTEXT)
		return fargs_node_is(node, "ret");
	return node->kind == FARGS_NODE_NAME && fargs_node_is(node, "ret") &&
	       fargs_expr_param(func, node) < 0;
}

bool fargs_constant_is(const struct fargs_signature *func, const struct fargs_node *node)
{
	switch (node->kind) {
	case FARGS_NODE_NUMBER:
	case FARGS_NODE_SIZEOF:
		return true;
	case FARGS_NODE_NAME:
		return fargs_expr_param(func, node) < 0 && !fargs_expr_is_return(func, node);
	case FARGS_NODE_NEGATIVE:
	case FARGS_NODE_INVERT:
	case FARGS_NODE_CAST:
		return fargs_constant_is(func, node->a);
	case FARGS_NODE_MUL ... FARGS_NODE_BITOR:
		return fargs_constant_is(func, node->a) && fargs_constant_is(func, node->b);
	default:
		return false;
	}
}

static const char *enumerator_at(const struct btf *btf, const struct btf_type *t, uint32_t i,
				 __int128 *value)
{
	bool is_signed = btf_kflag(t);

	if (btf_is_enum64(t)) {
		uint64_t v = btf_enum64_value(&btf_enum64(t)[i]);

		*value = is_signed ? (__int128)(int64_t)v : (__int128)v;
		return btf__name_by_offset(btf, btf_enum64(t)[i].name_off);
	}
	*value = is_signed ? (__int128)btf_enum(t)[i].val : (__int128)(uint32_t)btf_enum(t)[i].val;
	return btf__name_by_offset(btf, btf_enum(t)[i].name_off);
}

static bool find_in_enum(const struct btf *btf, uint32_t id, const char *name, __int128 *value)
{
	const struct btf_type *t = btf__type_by_id(btf, id);
	const char *other;
	uint32_t i;

	if (!id || !t || !btf_is_any_enum(t))
		return false;
	for (i = 0; i < btf_vlen(t); i++) {
		other = enumerator_at(btf, t, i, value);
		if (other && !strcmp(other, name))
			return true;
	}
	return false;
}

static enum found find_anywhere(const struct btf *btf, const char *name, __int128 *value)
{
	uint32_t id, end = btf__type_cnt(btf);
	enum found found = FOUND_NONE;
	__int128 other;

	for (id = 1; id < end; id++) {
		if (!find_in_enum(btf, id, name, &other))
			continue;
		if (found && other != *value)
			return FOUND_MANY;
		*value = other;
		found = FOUND_ONE;
	}
	return found;
}

/* Returns the cached value of @name, which is looked up at its first use; NULL: out of memory. */
static const struct fargs_constant_memo *look_up(struct fargs_constants *constants,
						 const struct btf *btf, const char *name)
{
	struct fargs_constant_memo *memo, *larger;
	size_t i;

	for (i = 0; i < constants->nr; i++)
		if (constants->memos[i].btf == btf && !strcmp(constants->memos[i].name, name))
			return &constants->memos[i];
	larger = realloc(constants->memos, (constants->nr + 1) * sizeof(*larger));
	if (!larger)
		return NULL;
	constants->memos = larger;
	memo = &larger[constants->nr];
	*memo = (struct fargs_constant_memo){ .btf = btf, .name = strdup(name) };
	if (!memo->name)
		return NULL;
	memo->found = find_anywhere(btf, name, &memo->value);
	constants->nr++;
	return memo;
}

static bool find_word(const char *name, __int128 *value)
{
	*value = !strcmp(name, "true");
	return *value || !strcmp(name, "false") || !strcmp(name, "NULL");
}

static int fail_unknown(const struct fargs_constants *constants,
			const struct fargs_signature *func, const struct fargs_node *node,
			const char *name, uint32_t enum_id, struct fargs_diagnostic *m)
{
	bool has_enum = enum_id && enum_id != FARGS_SCALAR_SYSCALL;
	const struct btf_type *t = has_enum ? btf__type_by_id(func->btf, enum_id) : NULL;
	struct fargs_near near = { .wanted = name };
	char unnamed[FARGS_SIGNATURE_UNNAMED], names[FARGS_SUGGEST_MAX];
	__int128 value;
	size_t i;

	fargs_context_offer(&near);
	for (i = 0; i < func->nr_params; i++)
		if (*func->params[i].name)
			fargs_near_offer(&near, fargs_signature_param_name(func, i, unnamed));
	for (i = 0; t && i < btf_vlen(t); i++)
		fargs_near_offer(&near, enumerator_at(func->btf, t, i, &value));
	if (enum_id == FARGS_SCALAR_SYSCALL)
		fargs_syscalls_offer(&near);
	fargs_names_offer(&near);
	if (constants->symbolic)
		fargs_symbolic_offer(constants->symbolic, func->btf, &near);
	m->is_unknown_argument |= !m->code;
	return fargs_diagnostic_at(m, node->column, "'%s' is neither an argument of %s nor a "
				   "constant%s", name, func->name, fargs_suggest(&near, "", names));
}

static int eval_name(struct fargs_constants *constants, const struct fargs_signature *func,
		     const struct fargs_node *node, uint32_t enum_id, __int128 *value,
		     struct fargs_diagnostic *m)
{
	const struct fargs_constant_memo *memo;
	char name[NAME_BYTES];
	unsigned int nr;
	int64_t number;
	uint64_t flag;

	if (node->len >= sizeof(name))
		return fargs_diagnostic_at(m, node->column, "this name is too long");
	memcpy(name, node->text, node->len);
	name[node->len] = '\0';
	if (enum_id == FARGS_SCALAR_SYSCALL && fargs_syscalls_find(name, node->len, &nr)) {
		*value = nr;
		return 0;
	}
	if (find_in_enum(func->btf, enum_id, name, value) || find_word(name, value))
		return 0;
	if (fargs_names_find(name, node->len, &number)) {
		*value = number;
		return 0;
	}
	if (constants->symbolic &&
	    fargs_symbolic_find(constants->symbolic, func->btf, name, &flag)) {
		*value = flag;
		return 0;
	}
	memo = look_up(constants, func->btf, name);
	if (!memo)
		return fargs_diagnostic_no_memory(m);
	*value = memo->value;
	if (memo->found == FOUND_MANY)
		return fargs_diagnostic_at(m, node->column, "'%s' has different values in several "
					   "enums: write the number", name);
	return memo->found ? 0 : fail_unknown(constants, func, node, name, enum_id, m);
}

static int eval(struct fargs_constants *constants, const struct fargs_signature *func,
		const struct fargs_node *node, uint32_t enum_id, __int128 *value,
		struct fargs_diagnostic *m);

static int eval_two(struct fargs_constants *constants, const struct fargs_signature *func,
		    const struct fargs_node *node, uint32_t enum_id, __int128 *value,
		    struct fargs_diagnostic *m)
{
	__int128 b;
	int ret = eval(constants, func, node->a, enum_id, value, m);

	if (!ret)
		ret = eval(constants, func, node->b, enum_id, &b, m);
	if (ret)
		return ret;
	*value = fargs_constant_operate(node->kind, *value, b, node->b->column, m);
	return -m->code;
}

static int eval(struct fargs_constants *constants, const struct fargs_signature *func,
		const struct fargs_node *node, uint32_t enum_id, __int128 *value,
		struct fargs_diagnostic *m)
{
	struct fargs_scalar s;
	int ret;

	if (!fargs_constant_is(func, node))
		return fargs_diagnostic_at(m, node->column, "a constant is expected here");
	switch (node->kind) {
	case FARGS_NODE_NUMBER:
		*value = node->number;
		return 0;
	case FARGS_NODE_NAME:
		return eval_name(constants, func, node, enum_id, value, m);
	case FARGS_NODE_NEGATIVE:
	case FARGS_NODE_INVERT:
		ret = eval(constants, func, node->a, enum_id, value, m);
		*value = node->kind == FARGS_NODE_NEGATIVE ? -*value : ~*value;
		break;
	case FARGS_NODE_CAST:
		ret = eval(constants, func, node->a, enum_id, value, m);
		return ret ? ret : fargs_constant_cast(constants, func->btf, node, &s, value, m);
	case FARGS_NODE_SIZEOF:
		return fargs_constant_sizeof(constants, func, node, value, m);
	default:
		ret = eval_two(constants, func, node, enum_id, value, m);
	}
	if (!ret && (*value > UINT64_MAX || *value < INT64_MIN))
		return fargs_diagnostic_at(m, node->column, "this does not fit into 64 bits");
	return ret;
}

int fargs_constant_eval(struct fargs_constants *constants, const struct fargs_signature *func,
			const struct fargs_node *node, uint32_t enum_id, __int128 *value,
			struct fargs_diagnostic *m)
{
	*value = 0;
	return eval(constants, func, node, enum_id, value, m);
}
