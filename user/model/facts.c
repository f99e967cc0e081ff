// SPDX-License-Identifier: GPL-2.0-only
#include "model/facts.h"

#include <errno.h>
#include <strings.h>

int fargs_facts_check(uint32_t needs, uint32_t has, const char *who, const char *what,
		      struct fargs_error_text *err)
{
	/* Names of enum fargs_fact, indexed by bit number. */
	static const char *const texts[FARGS_FACTS_NR] = {
		"events", "records as fargs and trace-cmd write them", "the types of values",
		"calls of functions", "calls that were recorded with '-g'",
		"formatted events", "counters of the recorder", "pids of other namespaces",
		"a recording that can grow", "single lines", "all events",
	};
	uint32_t missing = needs & ~has;

	if (!missing)
		return 0;
	return fargs_fail(err, EINVAL, "%s needs %s: %s has none", who,
			  texts[ffs((int)missing) - 1], what);
}
