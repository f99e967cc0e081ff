// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/pt_notes.h"

#include <stdio.h>

#include "base/put.h"

void fargs_pt_print_notes(const struct fargs_pt_input *in)
{
	size_t i;

	for (i = 0; i < in->nr_notes; i++) {
		fprintf(stderr, "fargs: ");
		fargs_print_escaped(stderr, in->notes[i]);
		fprintf(stderr, "\n");
	}
}
