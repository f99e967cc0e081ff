/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks whether a format is safe to print with arbitrary data. libtraceevent trusts the data for
 * lengths, widths and divisors, and assumes arguments of the types that kernels write.
 */
#ifndef FARGS_MODEL_FORMAT_CHECK_H
#define FARGS_MODEL_FORMAT_CHECK_H

#include <stdbool.h>

struct tep_event;

/*
 * Does libtraceevent know each conversion of the format? It prints unknown ones, such as %c, as
 * text, and then uses the wrong arguments for those that follow.
 */
bool fargs_format_is_known(const struct tep_event *event);

/*
 * True if printing @event reads nothing but its data and ends soon, whatever the data are, as
 * long as all fields lie in them. A format that needs a function of a plugin is not safe.
 */
bool fargs_format_is_safe(struct tep_event *event);

#endif
