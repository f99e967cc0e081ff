/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions that are newer than Zydis 4.0: single opcodes, opcodes with a REX2 prefix (APX), and
 * unknown opcodes with a VEX or EVEX prefix.
 */
#ifndef FARGS_SOURCE_PT_CODE_NEWER_H
#define FARGS_SOURCE_PT_CODE_NEWER_H

#include "source/pt/code/insn.h"

/* Sets @insn, and returns true, if @code is such an instruction and not longer than @bytes. */
bool fargs_pt_newer_decode(const uint8_t *code, size_t bytes, enum fargs_pt_exec_mode mode,
			   struct fargs_pt_decoded *insn);

#endif
