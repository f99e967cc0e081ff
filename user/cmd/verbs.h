/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verbs of the fargs program.
 */
#ifndef FARGS_CMD_VERBS_H
#define FARGS_CMD_VERBS_H

#include "cmd/options/parse.h"

extern const struct fargs_verb fargs_verb_list;
extern const struct fargs_verb fargs_verb_trace;
extern const struct fargs_verb fargs_verb_top;
extern const struct fargs_verb fargs_verb_record;
extern const struct fargs_verb fargs_verb_report;
extern const struct fargs_verb fargs_verb_export;
extern const struct fargs_verb fargs_verb_inject;
extern const struct fargs_verb fargs_verb_dump;
extern const struct fargs_verb fargs_verb_info;
extern const struct fargs_verb fargs_verb_recover;
extern const struct fargs_verb fargs_verb_check;

#endif
