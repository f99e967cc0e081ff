/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions shared by the files in user/model/ that use libtraceevent.
 */
#ifndef FARGS_MODEL_FORMATS_TEP_H
#define FARGS_MODEL_FORMATS_TEP_H

#include "model/formats.h"

struct tep_handle *fargs_formats_tep(const struct fargs_formats *f);
const struct fargs_meta *fargs_formats_meta(const struct fargs_formats *f);

#endif
