/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sizes, classes and targets of instructions according to libipt. It has no interface for this, so
 * it decodes a synthetic trace that begins at the instruction.
 */
#ifndef SELFTESTS_PT_INSN_WITNESS_H
#define SELFTESTS_PT_INSN_WITNESS_H

#include <intel-pt.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "source/pt/code/insn.h"

/* Two pages away from either end of the 16-bit address space: no target is truncated. */
#define WITNESS_IP	0x2000

struct witness {
	uint8_t trace[32];
	struct pt_insn_decoder *decoder;
	const uint8_t *code;
	size_t bytes;
	uint64_t first_addr;	/* of the first code that libipt has read; 0: none */
};

struct witnessed {
	uint8_t size;		/* 0: not decoded */
	enum pt_insn_class class;
	bool has_target;	/* it has gone from the instruction to another one */
	int64_t target;		/* relative to WITNESS_IP */
};

static int witness_read(uint8_t *buf, size_t bytes, const struct pt_asid *asid, uint64_t addr,
			void *arg)
{
	struct witness *w = arg;

	if (!w->first_addr)
		w->first_addr = addr;
	if (addr < WITNESS_IP || addr - WITNESS_IP >= w->bytes)
		return -pte_nomap;
	if (bytes > w->bytes - (addr - WITNESS_IP))
		bytes = w->bytes - (addr - WITNESS_IP);
	memcpy(buf, w->code + (addr - WITNESS_IP), bytes);
	return bytes;
}

/* The trace: PSB, MODE.Exec, PSBEND, TIP.PGE with WITNESS_IP, TNT with a taken branch. */
static bool witness_init(struct witness *w, enum fargs_pt_exec_mode mode)
{
	static const uint8_t psb[] = {
		0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82,
		0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82,
	};
	static const uint8_t exec[] = {
		[FARGS_PT_EXEC_16] = 0x00, [FARGS_PT_EXEC_32] = 0x02, [FARGS_PT_EXEC_64] = 0x01,
	};
	const uint8_t rest[] = {
		0x99, exec[mode], 0x02, 0x23,
		0x71, WITNESS_IP & 0xff, WITNESS_IP >> 8, 0, 0, 0, 0,
		0x06,
	};
	struct pt_config config;

	memset(w, 0, sizeof(*w));
	memcpy(w->trace, psb, sizeof(psb));
	memcpy(w->trace + sizeof(psb), rest, sizeof(rest));
	pt_config_init(&config);
	config.begin = w->trace;
	config.end = w->trace + sizeof(psb) + sizeof(rest);
	w->decoder = pt_insn_alloc_decoder(&config);
	return w->decoder &&
	       pt_image_set_callback(pt_insn_get_image(w->decoder), witness_read, w) >= 0;
}

static void witness_deinit(struct witness *w)
{
	pt_insn_free_decoder(w->decoder);
}

/* Decodes the instruction at @code. */
static void witness_decode(struct witness *w, const uint8_t *code, size_t bytes,
			   struct witnessed *out)
{
	struct pt_insn insn = { .size = 0 }, next;
	struct pt_event ev;
	int status;

	w->code = code;
	w->bytes = bytes;
	memset(out, 0, sizeof(*out));
	status = pt_insn_sync_set(w->decoder, 0);
	while (status >= 0 && status & pts_event_pending)
		status = pt_insn_event(w->decoder, &ev, sizeof(ev));
	if (status < 0)
		return;
	/* pt_insn_next() sets @insn even if it then fails because the trace ends. */
	status = pt_insn_next(w->decoder, &insn, sizeof(insn));
	if (insn.iclass == ptic_error)
		return;
	out->size = insn.size;
	out->class = insn.iclass;
	if (insn.iclass != ptic_call && insn.iclass != ptic_jump && insn.iclass != ptic_cond_jump)
		return;
	w->first_addr = 0;
	if (status >= 0)
		pt_insn_next(w->decoder, &next, sizeof(next));
	out->has_target = w->first_addr != 0;
	out->target = w->first_addr - WITNESS_IP;
}

#endif
