/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages about an Intel PT recording, such as that code of a program is missing.
 */
#ifndef FARGS_CMD_REPORT_PT_NOTES_H
#define FARGS_CMD_REPORT_PT_NOTES_H

#include "source/pt/input/input.h"

/* Prints the messages that were added while @in was read to stderr. */
void fargs_pt_print_notes(const struct fargs_pt_input *in);

#endif
