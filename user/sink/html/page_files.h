/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes those parts of an HTML page that precede and follow its data, from the files in
 * user/sink/html/page/.
 */
#ifndef FARGS_SINK_HTML_PAGE_FILES_H
#define FARGS_SINK_HTML_PAGE_FILES_H

#include "base/buf.h"

void fargs_page_put_head(struct fargs_buf *out);
void fargs_page_put_foot(struct fargs_buf *out);

#endif
