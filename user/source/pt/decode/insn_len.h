/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Determines the length of an instruction. libipt can decode the length, but only of instructions
 * in a trace, so libipt is given a synthetic trace that begins at the instruction.
 */
#ifndef FARGS_SOURCE_PT_DECODE_INSN_LEN_H
#define FARGS_SOURCE_PT_DECODE_INSN_LEN_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the length of the 64-bit instruction at @code; 0 if it is invalid or longer than
 * @bytes.
 */
unsigned int fargs_insn_len(const uint8_t *code, size_t bytes);

#endif
