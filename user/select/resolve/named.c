// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/named.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int make_room(struct fargs_layouts *to, size_t bytes)
{
	size_t room = 2 * (to->bytes + bytes);
	unsigned char *larger;

	if (to->room >= to->bytes + bytes)
		return 0;
	larger = realloc(to->data, room);
	if (!larger)
		return -ENOMEM;
	to->data = larger;
	to->room = room;
	return 0;
}

int fargs_layouts_add_copy(struct fargs_layouts *to, const unsigned char *from)
{
	struct fargs_layout head;

	memcpy(&head, from, sizeof(head));
	if (make_room(to, head.size))
		return -ENOMEM;
	memcpy(to->data + to->bytes, from, head.size);
	to->bytes += head.size;
	to->nr++;
	return 0;
}

int fargs_layouts_add_named(struct fargs_layouts *to, const unsigned char *from, uint32_t flags,
			    const struct fargs_symbol *symbol, const char *module,
			    const char *name)
{
	size_t module_len = strlen(module) + 1, name_len = strlen(name) + 1;
	size_t symbol_len = (sizeof(*symbol) + module_len + name_len + 7) & -8ul;
	struct fargs_layout head;
	unsigned char *p;
	size_t bytes;

	memcpy(&head, from, sizeof(head));
	bytes = head.size;
	if (make_room(to, bytes + symbol_len))
		return -ENOMEM;
	head.flags |= flags;
	if (head.flags & (FARGS_LAYOUT_DEFERRED | FARGS_LAYOUT_TPOINT))
		head.addr = 0;
	head.symbol_len = symbol_len;
	head.size = bytes + symbol_len;
	p = to->data + to->bytes;
	memcpy(p, from, bytes);
	memcpy(p, &head, sizeof(head));
	memset(p + bytes, 0, symbol_len);
	memcpy(p + bytes, symbol, sizeof(*symbol));
	memcpy(p + bytes + sizeof(*symbol), module, module_len);
	memcpy(p + bytes + sizeof(*symbol) + module_len, name, name_len);
	to->bytes += head.size;
	to->nr++;
	return 0;
}
