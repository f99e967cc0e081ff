/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Can what a format prints be trusted with any data? The library takes lengths, widths and
 * divisors as the data have them, and arguments to be of the types that kernels write.
 */
#ifndef FARGS_DECODE_FORMAT_CHECK_H
#define FARGS_DECODE_FORMAT_CHECK_H

#include <stdbool.h>

struct tep_event;

/*
 * Does the library know each conversion? It prints one that it does not, such as %c, as text,
 * and what follows of the wrong arguments.
 */
bool fargs_format_is_known(const struct tep_event *event);

/*
 * Whatever the data are, as long as all fields lie in them: does printing @event read
 * nothing else, and end soon? Asks for no function of a plugin to be called.
 */
bool fargs_format_is_safe(struct tep_event *event);

#endif
