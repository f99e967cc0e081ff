/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's own verifier of layouts (kmod/layout/layout.c), built for user space:
 * what it accepts here, FARGS_IOC_ADD accepts. Link with verifier.a.
 */
#ifndef SELFTESTS_VERIFIER_H
#define SELFTESTS_VERIFIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Verifies the layout at @data (aligned to 8), of which @bytes are there. NULL if
 * the module would take it and it is as long as that; else why not, valid until
 * the next call.
 */
const char *verifier_check(const void *data, size_t bytes);

/* Of the last refusal: byte offset of the field in the layout, or FARGS_NONE. */
uint32_t verifier_field(void);

/*
 * Of a verified layout: offset of the first thing in it for which CAP_PERFMON is not enough, or
 * FARGS_NONE.
 */
uint32_t verifier_reads(const void *data);

/* Does the making of its template, once verified, touch nothing behind its bytes? */
bool verifier_template_fits(const void *data);

/* Bytes of kernel memory that the template of a verified layout takes. */
size_t verifier_template_bytes(const void *data);

#endif
