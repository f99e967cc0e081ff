// SPDX-License-Identifier: GPL-2.0-only
#include "model/facts.h"

#include <errno.h>
#include <strings.h>

int fargs_facts_check(uint32_t needs, uint32_t has, const char *who, const char *path,
		      const char *what, struct fargs_error_text *err)
{
	/* Names of enum fargs_fact, indexed by bit number. */
	static const char *const texts[] = {
		"the times of events", "the CPUs of events", "values without names and types",
		"the types of values", "calls that were recorded with '-g'",
		"events with a format of tracefs", "the ids of tasks in their pid namespaces",
		"the recorder's counters", "events that are still being recorded",
		"the times of the first and the last event",
		"samples of perf, or the branches of an Intel PT trace",
	};
	uint32_t missing = needs & ~has;

	if (!missing)
		return 0;
	return fargs_fail(err, EINVAL, "%s needs %s: '%s' is %s, which does not have them", who,
			  texts[ffs((int)missing) - 1], path, what);
}
