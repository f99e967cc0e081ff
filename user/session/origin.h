/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads what identifies this machine and its boot, and the time of day.
 */
#ifndef FARGS_SESSION_ORIGIN_H
#define FARGS_SESSION_ORIGIN_H

#include "model/origin.h"

/* Sets all of @o but its labels. What cannot be read remains unknown. */
void fargs_session_origin(struct fargs_origin *o);

#endif
