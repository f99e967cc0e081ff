// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/insn_len.h"

#include <intel-pt.h>
#include <string.h>

/* Arbitrary address for the code. */
#define ADDR	0x1000

/* From Intel's manual (SDM 3, "Packet definitions"): PSB, MODE.Exec of 64 bits, PSBEND, TIP.PGE. */
static const uint8_t trace[] = {
	0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82,
	0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82,
	0x02, 0x23,
	0x99, 0x01,
	0x71, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00,
};

struct code {
	const uint8_t *bytes;
	size_t nr;
};

static int read_code(uint8_t *buf, size_t bytes, const struct pt_asid *asid, uint64_t addr,
		     void *arg)
{
	const struct code *code = arg;

	if (addr < ADDR || addr - ADDR >= code->nr)
		return -pte_nomap;
	if (bytes > code->nr - (addr - ADDR))
		bytes = code->nr - (addr - ADDR);
	memcpy(buf, code->bytes + (addr - ADDR), bytes);
	return bytes;
}

static unsigned int first_len(struct pt_insn_decoder *d)
{
	struct pt_insn insn = { .size = 0 };
	struct pt_event ev;
	int status = pt_insn_sync_forward(d);

	while (status >= 0 && status & pts_event_pending)
		status = pt_insn_event(d, &ev, sizeof(ev));
	if (status >= 0)
		/* pt_insn_next() sets insn.size even if it then fails because the trace ends. */
		pt_insn_next(d, &insn, sizeof(insn));
	return insn.iclass == ptic_error ? 0 : insn.size;
}

unsigned int fargs_insn_len(const uint8_t *code, size_t bytes)
{
	struct code all = { .bytes = code, .nr = bytes };
	struct pt_insn_decoder *d;
	struct pt_config config;
	unsigned int len = 0;

	pt_config_init(&config);
	config.begin = (uint8_t *)trace;	/* libipt only reads @trace */
	config.end = (uint8_t *)trace + sizeof(trace);
	d = pt_insn_alloc_decoder(&config);
	if (d && pt_image_set_callback(pt_insn_get_image(d), read_code, &all) >= 0)
		len = first_len(d);
	pt_insn_free_decoder(d);
	return len;
}
