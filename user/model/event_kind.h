/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of the kinds of events, as outputs and conditions use them.
 */
#ifndef FARGS_MODEL_EVENT_KIND_H
#define FARGS_MODEL_EVENT_KIND_H

#include <stdint.h>

/*
 * Returns the name of @kind (enum fargs_kind or enum fargs_event_kind); NULL: events of this kind
 * are not shown.
 */
const char *fargs_event_kind_name(uint8_t kind);

#endif
