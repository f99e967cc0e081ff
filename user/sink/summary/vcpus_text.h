/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What vcpus did, as text or as JSON.
 */
#ifndef FARGS_REPORT_VCPUS_TEXT_H
#define FARGS_REPORT_VCPUS_TEXT_H

#include "sink/summary/vcpus.h"
#include "base/buf.h"

/*
 * After fargs_vcpus_finish(): a paragraph for each VM that has several vcpus, and for each vcpu. Of
 * reasons and functions those that are most frequent. -ENOMEM.
 */
int fargs_vcpus_text(struct fargs_buf *out, const struct fargs_vcpus *all);
/* The same as an object a line, of all reasons and functions. -ENOMEM. */
int fargs_vcpus_json(struct fargs_buf *out, const struct fargs_vcpus *all);

#endif
