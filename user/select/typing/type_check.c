// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/type_check.h"

#include "select/typing/fetch.h"

int fargs_type_check(struct fargs_constants *constants, const struct fargs_signature *func,
		     const struct fargs_node *node, bool is_string, struct fargs_diagnostic *m)
{
	const struct fargs_typing typing = {
		.func = func, .constants = constants, .diagnostic = m, .is_return = true,
	};
	struct fargs_fetch fetch;
	__int128 value;

	if (fargs_constant_is(func, node))
		return fargs_constant_eval(constants, func, node, 0, &value, m);
	return is_string ? fargs_fetch_init_string(&fetch, &typing, node)
			 : fargs_fetch_init(&fetch, &typing, node);
}
