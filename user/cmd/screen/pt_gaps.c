// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/screen/pt_gaps.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "source/pt/input/input.h"

void cmd_report_pt_gaps(const struct fargs_pt_input *in)
{
	struct fargs_buf lines = { };
	const char *line, *end;

	fargs_pt_input_put_gaps(&lines, in);
	for (line = lines.text; lines.n; line = end) {
		end = memchr(line, '\n', lines.n) + 1;
		fprintf(stderr, "fargs: %.*s", (int)(end - line), line);
		lines.n -= end - line;
	}
	fargs_buf_deinit(&lines);
}
