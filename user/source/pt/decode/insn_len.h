/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long an instruction is. libipt knows the encoding, but tells of instructions only that were
 * traced: so it is given a trace that begins at the address, and says what comes first.
 */
#ifndef FARGS_DLFILTER_INSN_LEN_H
#define FARGS_DLFILTER_INSN_LEN_H

#include <stddef.h>
#include <stdint.h>

/* Of the 64-bit instruction that @code begins with; 0: it is none, or more than @bytes. */
unsigned int fargs_insn_len(const uint8_t *code, size_t bytes);

#endif
