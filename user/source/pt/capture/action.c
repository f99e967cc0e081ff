// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/action.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/pt/capture/attr.h"

static int fail_open(const char *name, int code, struct fargs_error_text *err)
{
	if (code == EINVAL || code == EOPNOTSUPP)
		return fargs_fail(err, code, "this kernel cannot pause Intel PT at an event: Linux "
				  "6.13 and later can");
	return fargs_fail(err, code, "cannot pause or resume Intel PT at '%s': %s", name,
			  strerror(code));
}

int *fargs_pt_actions_open(const struct fargs_pt_action *actions, size_t nr, unsigned int cpu,
			   int pt_fd, const struct fargs_pt_log *log, struct fargs_error_text *err)
{
	int *fds = malloc(nr * sizeof(*fds));
	struct perf_event_attr attr;
	size_t i;

	if (!fds) {
		fargs_fail(err, ENOMEM, "no memory for Intel PT");
		return NULL;
	}
	for (i = 0; i < nr; i++) {
		fargs_pt_attr_action(&attr, actions[i].id, actions[i].is_resume);
		fds[i] = fargs_pt_event_open(&attr, cpu, pt_fd, 0, actions[i].name, log);
		if (fds[i] < 0) {
			fail_open(actions[i].name, errno, err);
			fargs_pt_actions_close(fds, i);
			return NULL;
		}
	}
	return fds;
}

void fargs_pt_actions_close(int *fds, size_t nr)
{
	while (fds && nr)
		close(fds[--nr]);
	free(fds);
}
