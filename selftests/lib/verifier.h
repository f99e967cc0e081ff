/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's own verifier of layouts (kmod/layout/layout.c), built for user space: it accepts the
 * same layouts as FARGS_IOC_ADD. Link with verifier.a.
 */
#ifndef SELFTESTS_VERIFIER_H
#define SELFTESTS_VERIFIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Verifies the layout at @data, which is aligned to 8; @bytes are available. Returns NULL if the
 * layout is valid and @bytes long; else the reason, which is valid until the next call.
 */
const char *verifier_check(const void *data, size_t bytes);

/*
 * Returns the offset, in the layout, of the field to which the last refusal refers; FARGS_NONE: no
 * particular field.
 */
uint32_t verifier_field(void);

/*
 * Returns the offset of the first part of a verified layout that needs more than CAP_PERFMON;
 * FARGS_NONE: CAP_PERFMON suffices.
 */
uint32_t verifier_reads(const void *data);

/*
 * Makes the template of a verified layout. Returns whether nothing was written outside the memory
 * of the template.
 */
bool verifier_template_fits(const void *data);

/* Returns the size of the template of a verified layout, in bytes of kernel memory. */
size_t verifier_template_bytes(const void *data);

#endif
