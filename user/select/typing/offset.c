// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/offset.h"

#include "select/typing/path.h"

int fargs_offset_init(struct fargs_offset *offset, struct fargs_constants *constants,
		      const struct fargs_signature *func, const struct fargs_node *node,
		      struct fargs_diagnostic *m)
{
	struct fargs_path member = { .base = FARGS_PATH_VALUE, .nr_derefs = 1 };
	int ret = fargs_ctype_init(&offset->container, &constants->types, func->btf, node->b, m);

	if (!ret && offset->container.pointers)
		return fargs_diagnostic_at(m, node->b->column,
					   "container_of() needs a struct, not a pointer to one");
	fargs_path_set_type(&member, func->btf, &offset->container);
	if (!ret)
		ret = fargs_path_within(&member, constants, func, node->c, m);
	if (!ret && member.bitfield_bits)
		return fargs_diagnostic_at(m, node->c->column, "a bitfield has no address");
	offset->member = (struct fargs_ctype){
		.id = member.type_id, .pointers = member.pointers,
	};
	offset->bytes = member.bit_offsets[1] / 8;
	return ret;
}
