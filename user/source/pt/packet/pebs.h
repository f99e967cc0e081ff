/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A PEBS record in the trace: groups of values between the first BBP packet and BEP. Source: Intel
 * SDM, volume 3, "Intel Processor Trace", section "PEBS output to Intel PT".
 */
#ifndef FARGS_SOURCE_PT_PACKET_PEBS_H
#define FARGS_SOURCE_PT_PACKET_PEBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/packet/packet.h"

enum fargs_pt_pebs_group {
	FARGS_PT_PEBS_REGS,		/* enum fargs_pt_pebs_reg */
	FARGS_PT_PEBS_BASIC,		/* enum fargs_pt_pebs_basic */
	FARGS_PT_PEBS_MEMORY,		/* enum fargs_pt_pebs_memory */
	FARGS_PT_PEBS_LBR_0,		/* the latest branches; see fargs_pt_pebs_branch() */
	FARGS_PT_PEBS_LBR_1,
	FARGS_PT_PEBS_LBR_2,
	FARGS_PT_PEBS_XMM,		/* two values for each register, the lower one first */
	FARGS_PT_PEBS_GROUPS
};

/* Values of a group. */
#define FARGS_PT_PEBS_VALUES		32

enum fargs_pt_pebs_reg {
	FARGS_PT_PEBS_FLAGS, FARGS_PT_PEBS_IP, FARGS_PT_PEBS_AX, FARGS_PT_PEBS_CX,
	FARGS_PT_PEBS_DX, FARGS_PT_PEBS_BX, FARGS_PT_PEBS_SP, FARGS_PT_PEBS_BP, FARGS_PT_PEBS_SI,
	FARGS_PT_PEBS_DI, FARGS_PT_PEBS_R8, FARGS_PT_PEBS_R15 = FARGS_PT_PEBS_R8 + 7,
	FARGS_PT_PEBS_NR_REGS
};

enum fargs_pt_pebs_basic {
	FARGS_PT_PEBS_EVENT_IP,		/* the instruction that caused the event */
	FARGS_PT_PEBS_COUNTERS,		/* a bit for each counter that the record is of */
	FARGS_PT_PEBS_TSC,
};

enum fargs_pt_pebs_memory {
	FARGS_PT_PEBS_ADDR,
	FARGS_PT_PEBS_AUX,		/* where the data came from; depends on the CPU */
	FARGS_PT_PEBS_LATENCY,
	FARGS_PT_PEBS_TSX,
};

struct fargs_pt_pebs {
	uint32_t masks[FARGS_PT_PEBS_GROUPS];	/* bit N: @values[GROUP][N] is valid */
	bool is_32_bits;			/* registers of a program of 32 bits */
	uint64_t values[FARGS_PT_PEBS_GROUPS][FARGS_PT_PEBS_VALUES];
};

/* Number of words of a packed record: at most, and those of its masks. */
#define FARGS_PT_PEBS_HEAD_WORDS	4
#define FARGS_PT_PEBS_WORDS_MAX		(FARGS_PT_PEBS_HEAD_WORDS + \
					 FARGS_PT_PEBS_GROUPS * FARGS_PT_PEBS_VALUES)

/* Reads the record between @begin, where its first BBP is, and @end, where its BEP is. */
void fargs_pt_pebs_read(struct fargs_pt_pebs *pebs, const uint8_t *begin, const uint8_t *end,
			uint16_t errata);

/* Writes the values that are valid to @words. Returns the number of words. */
size_t fargs_pt_pebs_pack(const struct fargs_pt_pebs *pebs,
			  uint64_t words[FARGS_PT_PEBS_WORDS_MAX]);
/* Reads what fargs_pt_pebs_pack() wrote. Returns the number of words. */
size_t fargs_pt_pebs_unpack(struct fargs_pt_pebs *pebs, const uint64_t *words);

/* Returns whether the value @nr of @group is there, and sets *@value to it. */
static inline bool fargs_pt_pebs_get(const struct fargs_pt_pebs *pebs,
				     enum fargs_pt_pebs_group group, unsigned int nr,
				     uint64_t *value)
{
	if (!(pebs->masks[group] >> nr & 1))
		return false;
	*value = pebs->values[group][nr];
	return true;
}

/* Branches in a group: FROM, TO and INFO of each. */
#define FARGS_PT_PEBS_GROUP_BRANCHES	(FARGS_PT_PEBS_VALUES / 3)
#define FARGS_PT_PEBS_BRANCHES		(3 * FARGS_PT_PEBS_GROUP_BRANCHES)

/*
 * Returns the branch @nr, less than FARGS_PT_PEBS_BRANCHES, as the CPU's LBRs have it: FROM, TO and
 * INFO. NULL: not all of it is there.
 */
const uint64_t *fargs_pt_pebs_branch(const struct fargs_pt_pebs *pebs, unsigned int nr);
bool fargs_pt_pebs_has_branches(const struct fargs_pt_pebs *pebs);

#endif
