/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is asked of Intel PT: "cyc,mtc_period=6/k", as --pt has it. Pure: text in, bits out.
 */
#ifndef FARGS_PT_TERMS_H
#define FARGS_PT_TERMS_H

#include <stdbool.h>
#include <stdint.h>

#include "source/pt/capture/pmu.h"
#include "base/error.h"

struct fargs_pt_terms {
	uint64_t config;	/* attr.config */
	bool is_kernel;		/* modifier k, and where there is none */
	bool is_user;		/* modifier u */
	char text[256];		/* all terms that are not 0, with the usual ones; modifiers */
};

/*
 * Understands @text by what @pmu has; NULL: the usual. Usual are tsc, mtc where there is
 * one, mtc_period and psb_period of 3 (or the next one there is), pt and branch: as perf's.
 * -EINVAL with what is wrong, and what would not be.
 */
int fargs_pt_terms_parse(struct fargs_pt_terms *terms, const char *text,
			 const struct fargs_pt_pmu *pmu, struct fargs_error_text *err);

#endif
