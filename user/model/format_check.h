/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks whether an event's format is safe to print with arbitrary data. libtraceevent trusts the
 * data for lengths, widths and divisors, and expects arguments of the types that real kernels use.
 */
#ifndef FARGS_MODEL_FORMAT_CHECK_H
#define FARGS_MODEL_FORMAT_CHECK_H

#include <stdbool.h>

struct tep_event;

/*
 * Does libtraceevent support all conversions in the format? It prints unsupported ones, such as %c,
 * as text, and then uses the wrong arguments for the following conversions.
 */
bool fargs_format_is_known(const struct tep_event *event);

/*
 * Is it safe to print @event with any data? It is safe if printing reads only the event's data, and
 * always terminates quickly. The caller checks that all fields lie within the data. A format that
 * needs a function of a plugin is not safe.
 */
bool fargs_format_is_safe(struct tep_event *event);

#endif
