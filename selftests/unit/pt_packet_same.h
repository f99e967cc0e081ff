/* SPDX-License-Identifier: GPL-2.0-only */
/* Compares packets. */
#ifndef SELFTESTS_PT_PACKET_SAME_H
#define SELFTESTS_PT_PACKET_SAME_H

#include <inttypes.h>
#include <stdio.h>

#include "source/pt/packet/packet.h"

/* Returns whether the fields of packets are the same that their kind has. */
static bool is_same(const struct fargs_pt_packet *a, const struct fargs_pt_packet *b)
{
	if (a->kind != b->kind || a->size != b->size)
		return false;
	if (!a->size)
		return true;
	return a->value == b->value && a->nr == b->nr &&
	       (a->kind == FARGS_PT_PACKET_TNT || a->flags == b->flags);
}

static void print_packet(const char *who, const struct fargs_pt_packet *p)
{
	printf("# %s: kind %u, size %u, value 0x%" PRIx64 ", nr %u, flags %u\n", who, p->kind,
	       p->size, p->value, p->nr, p->flags);
}

#endif
