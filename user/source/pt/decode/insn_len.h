/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The length of an instruction. libipt knows the encoding, but reports only traced instructions,
 * so it gets a synthetic trace that begins at the instruction.
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
