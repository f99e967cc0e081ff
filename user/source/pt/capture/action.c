// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/action.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "source/pt/capture/attr.h"

static int fail_open(const char *name, int code, struct fargs_error_text *err)
{
	if (code == EINVAL || code == EOPNOTSUPP)
		return fargs_fail(err, code, "this kernel cannot pause Intel PT at an event: Linux "
				  "6.13 and later can");
	return fargs_fail(err, code, "cannot pause or resume Intel PT at '%s': %s", name,
			  strerror(code));
}

static int open_one(struct fargs_pt_action_events *events, const struct fargs_pt_action *action,
		    const struct fargs_pt_action_target *to, const struct fargs_pt_log *log,
		    struct fargs_error_text *err)
{
	struct perf_event_attr attr;
	int *fd = fargs_array_add(events->fds, events->nr);

	if (!fd)
		return fargs_fail(err, ENOMEM, "no memory for Intel PT");
	fargs_pt_attr_action(&attr, action->id, action->is_resume);
	fargs_pt_tasks_set(to->tasks, &attr);
	*fd = fargs_pt_event_open(&attr, to->tid, to->cpu, to->pt_fd,
				  fargs_pt_tasks_flags(to->tasks), action->name, log);
	if (*fd >= 0)
		return 0;
	events->nr--;
	return errno == ESRCH ? 0 : fail_open(action->name, errno, err);
}

int fargs_pt_actions_open(struct fargs_pt_action_events *events,
			  const struct fargs_pt_action *actions, size_t nr,
			  const struct fargs_pt_action_target *to, const struct fargs_pt_log *log,
			  struct fargs_error_text *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < nr; i++)
		ret = open_one(events, &actions[i], to, log, err);
	return ret;
}

void fargs_pt_actions_close(struct fargs_pt_action_events *events)
{
	while (events->nr)
		close(events->fds[--events->nr]);
	free(events->fds);
	events->fds = NULL;
}
