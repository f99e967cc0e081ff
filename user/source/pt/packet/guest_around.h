/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads ahead: the packets after a PSB, a TSC or an OVF that show whose they are, for guest_tsc.h.
 */
#ifndef FARGS_SOURCE_PT_PACKET_GUEST_AROUND_H
#define FARGS_SOURCE_PT_PACKET_GUEST_AROUND_H

#include <stdbool.h>
#include <stdint.h>

#include "source/pt/packet/packet.h"

struct fargs_pt_guest_around {
	bool has_tsc, has_tma, has_pip, has_vmcs;
	bool is_complete;		/* there is a PSBEND */
	bool is_guest;			/* with @has_pip */
	uint16_t ctc, fast;		/* with @has_tma */
	uint64_t page;			/* with @has_vmcs: physical address / 4096 */
};

/* Reads what a PSB+ has after its PSB, after which @r is. */
void fargs_pt_guest_around_psb(struct fargs_pt_reader r, struct fargs_pt_guest_around *a);
/* Finds the TMA of a TSC that is not in a PSB+; @r is after it. */
void fargs_pt_guest_around_tsc(struct fargs_pt_reader r, struct fargs_pt_guest_around *a);
/* Does a FUP follow the OVF, after which @r is? It does if tracing is on. */
bool fargs_pt_guest_around_overflow(struct fargs_pt_reader r);

#endif
