// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/named.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int fargs_layouts_add_named(struct fargs_layouts *to, const unsigned char *from, uint32_t flags,
			    const struct fargs_symbol *symbol, const char *module,
			    const char *name)
{
	size_t module_len = strlen(module) + 1, name_len = strlen(name) + 1;
	size_t symbol_len = (sizeof(*symbol) + module_len + name_len + 7) & -8ul;
	struct fargs_layout head;
	unsigned char *larger, *p;
	size_t bytes;

	memcpy(&head, from, sizeof(head));
	bytes = head.size;
	if (to->room < to->bytes + bytes + symbol_len) {
		size_t room = 2 * (to->bytes + bytes + symbol_len);

		larger = realloc(to->data, room);
		if (!larger)
			return -ENOMEM;
		to->data = larger;
		to->room = room;
	}
	head.addr = 0;
	head.flags |= flags;
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
