// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/realtime.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#include "base/size.h"

/* Above all that is not realtime; below what has a reason to ask for more. */
#define PRIORITY	1

int fargs_realtime_parse(int *priority, const char *text, struct fargs_error_text *err)
{
	int min = sched_get_priority_min(SCHED_FIFO), max = sched_get_priority_max(SCHED_FIFO);
	uint64_t n = PRIORITY;

	if (text && (fargs_size_parse(text, &n, err) || n < (uint64_t)min || n > (uint64_t)max))
		return fargs_fail(err, EINVAL, "'%s' is not a priority from %d to %d", text, min,
				  max);
	*priority = n;
	return 0;
}

int fargs_realtime_set(int priority, struct fargs_error_text *err)
{
	const struct sched_param param = { .sched_priority = priority };

	if (!sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param))
		return 0;
	if (errno == EPERM)
		return fargs_fail(err, EPERM,
				  "--realtime: not permitted: it takes CAP_SYS_NICE, or a limit of %d (ulimit -r), and a cgroup that has time for it",
				  priority);
	return fargs_fail(err, errno, "--realtime: %s", strerror(errno));
}
