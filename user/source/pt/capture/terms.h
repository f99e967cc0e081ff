/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the argument of --pt: the terms of an Intel PT event, such as "cyc,mtc_period=6/k". Does
 * no I/O.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_TERMS_H
#define FARGS_SOURCE_PT_CAPTURE_TERMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "source/pt/capture/pmu.h"

struct fargs_pt_terms {
	uint64_t config;	/* attr.config */
	bool is_kernel;		/* modifier k, or no modifier */
	bool is_user;		/* modifier u */
	char text[256];		/* terms with nonzero values (including defaults), and modifiers */
};

/*
 * Parses @text; NULL: use defaults only. The defaults are perf's: tsc, mtc if supported,
 * mtc_period and psb_period of 3 (or the next lower supported value), pt and branch. The term
 * "config" replaces the default: its value is that of attr.config. @is_sampled: the default of
 * psb_period is 0, so that a small copy of the end of the trace contains a PSB. Returns 0, or
 * -EINVAL with @err, which lists the valid alternatives.
 */
int fargs_pt_terms_parse(struct fargs_pt_terms *terms, const char *text,
			 const struct fargs_pt_pmu *pmu, bool is_sampled,
			 struct fargs_error_text *err);

/* Returns the number of bytes of trace after which there is a PSB. */
uint64_t fargs_pt_terms_psb_bytes(const struct fargs_pt_terms *terms,
				  const struct fargs_pt_pmu *pmu);

#endif
