// SPDX-License-Identifier: GPL-2.0-only
#include "layout.h"

#include <stdlib.h>

#include "lib/session.h"

const void *layout_of_4(unsigned long addr, size_t *bytes)
{
	struct piece *piece = malloc(sizeof(*piece));
	uint8_t *packed = malloc(sizeof(*piece));

	if (!piece || !packed)
		abort();
	piece_target_4(piece, addr);
	*bytes = piece_pack(piece, packed);
	free(piece);
	return packed;
}
