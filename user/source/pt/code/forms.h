/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes instructions, and remembers their forms. The form of an instruction is its prefixes, its
 * opcode, and its ModRM and SIB bytes. They decide its size and its class; displacement and
 * immediate do not. Code has few forms: decoding each once, and looking it up from then on, takes a
 * tenth of the time of decoding every instruction.
 */
#ifndef FARGS_SOURCE_PT_CODE_FORMS_H
#define FARGS_SOURCE_PT_CODE_FORMS_H

#include "source/pt/code/insn.h"

struct fargs_pt_forms;

/* Returns NULL if out of memory. To be used by one thread at a time. */
struct fargs_pt_forms *fargs_pt_forms_create(void);
void fargs_pt_forms_destroy(struct fargs_pt_forms *f);

/*
 * Decodes the instruction at @code, of which FARGS_PT_INSN_MAX bytes can be read. As
 * fargs_pt_insn_decode(), with the same results.
 */
bool fargs_pt_forms_decode(struct fargs_pt_forms *f, const uint8_t *code,
			   enum fargs_pt_exec_mode mode, struct fargs_pt_decoded *insn);

#endif
