/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_SOURCE_PT_DECODE_LIBIPT_CONFIG_H
#define FARGS_SOURCE_PT_DECODE_LIBIPT_CONFIG_H

#include <intel-pt.h>
#include <stdint.h>

#include "source/pt/input/input.h"

/*
 * Configures libipt to decode @size bytes of trace at @bytes. @from: configuration of the
 * recording.
 */
void fargs_pt_libipt_configure(struct pt_config *config, const struct fargs_pt_config *from,
			       const uint8_t *bytes, uint64_t size);

/*
 * Makes libipt's packet decoder skip CFE and EVD packets, which it only knows since 2.1, instead of
 * stopping. Must not be used for decoding the flow, since libipt would interpret a FUP after an
 * unknown packet as an interrupt.
 */
void fargs_pt_libipt_extend(struct pt_config *config);

#endif
