/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of user/model/ that use libtraceevent share.
 */
#ifndef FARGS_MODEL_FORMATS_TEP_H
#define FARGS_MODEL_FORMATS_TEP_H

#include "model/formats.h"

struct tep_handle *fargs_formats_tep(const struct fargs_formats *f);
const struct fargs_meta *fargs_formats_meta(const struct fargs_formats *f);

#endif
