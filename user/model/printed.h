/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text of values that were fetched with ":mac", ":uuid", ":inet" or ":skb", and recorded as bytes
 * or, for an IPv4 address, as a number.
 */
#ifndef FARGS_MODEL_PRINTED_H
#define FARGS_MODEL_PRINTED_H

#include "model/event.h"

/* Enough for two UNIX or IPv6 addresses with ports, and a protocol and a length */
#define FARGS_PRINTED_MAX	256

/*
 * If @arg has one of these formats, replaces its value by a string, which is written to @buf and
 * belongs to the caller. Faults, and bytes that are too few, remain as they are.
 */
void fargs_printed_replace(struct fargs_arg *arg, char buf[FARGS_PRINTED_MAX]);

#endif
