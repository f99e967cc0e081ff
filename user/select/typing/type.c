// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/type.h"

#include <string.h>

#include "abi/signature.h"
#include "select/syntax/parse.h"
#include "select/typing/fetch.h"

static bool find_type(struct fargs_expr_type *type, struct fargs_constants *constants,
		      const struct fargs_signature *func, const struct fargs_node *node)
{
	struct fargs_diagnostic diagnostic = { };
	const struct fargs_typing typing = {
		.func = func, .constants = constants, .diagnostic = &diagnostic, .is_return = true,
	};
	struct fargs_fetch f;

	if (!node || node->next || fargs_fetch_init(&f, &typing, node))
		return false;
	*type = (struct fargs_expr_type){
		.type_id = f.kind == FARGS_FETCH_RANGE ? f.element_id :
			   f.path.pointers ? 0 : f.path.type_id,
		.bitfield_bits = f.path.bitfield_bits,
		.is_range = f.kind == FARGS_FETCH_RANGE,
		.format = f.format,
	};
	return true;
}

bool fargs_expr_type(struct fargs_expr_type *type, struct fargs_constants *constants,
		     const struct btf *btf, uint32_t func_id, const char *text)
{
	struct fargs_diagnostic diagnostic = { };
	struct fargs_nodes nodes = { };
	struct fargs_items items = { };
	struct fargs_parser p;
	struct fargs_signature func;
	bool is_found;

	if (strlen(text) > FARGS_EXPR_TEXT_MAX || fargs_signature_init(&func, btf, func_id))
		return false;
	is_found = !fargs_parser_init(&p, text, 0, &nodes, &diagnostic) &&
		   !fargs_parse_items(&p, &items) && p.token.kind == FARGS_TOKEN_END &&
		   !items.condition && find_type(type, constants, &func, items.fetches);
	fargs_nodes_deinit(&nodes);
	return is_found;
}
