/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is in front of the data of a page, and behind: the files of user/report/page/.
 */
#ifndef FARGS_REPORT_PAGE_FILES_H
#define FARGS_REPORT_PAGE_FILES_H

#include "base/buf.h"

void fargs_page_put_head(struct fargs_buf *out);
void fargs_page_put_foot(struct fargs_buf *out);

#endif
