// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/follow.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "file/scan.h"

/* Polling interval: too short to be noticed, and long enough to need almost no CPU time. */
#define LOOK_MS	100

int fargs_file_follow_init(struct fargs_file_follow *g, struct fargs_error_text *err)
{
	g->is_over = false;
	return fargs_signals_init(&g->signals, err);
}

void fargs_file_follow_deinit(struct fargs_file_follow *g)
{
	fargs_signals_deinit(&g->signals);
}

static bool goes_on(void *arg, bool is_idle)
{
	struct fargs_file_follow *g = arg;
	struct pollfd fds[2] = {
		{ .fd = g->signals.fd, .events = POLLIN },
		/* poll() reports POLLERR when the reader of a pipe is gone. */
		{ .fd = STDOUT_FILENO },
	};
	int sig;

	if (is_idle)
		fflush(stdout);
	poll(fds, 2, is_idle ? LOOK_MS : 0);
	while ((sig = fargs_signals_next(&g->signals)))
		g->is_over |= sig != SIGCHLD && sig != SIGUSR2;
	g->is_over |= !!(fds[1].revents & POLLERR);
	return !g->is_over;
}

struct fargs_reader *fargs_file_follow_open(struct fargs_file_follow *g, const char *path,
					    struct fargs_meta *meta, struct fargs_error_text *err)
{
	struct fargs_reader *r;
	bool is_begun;
	int ret;

	err->text[0] = '\0';
	while (!(ret = fargs_scan_is_begun(path, err)))
		if (!goes_on(g, true))
			return NULL;
	if (ret < 0)
		return NULL;
	r = fargs_reader_open_growing(path, meta, &is_begun, err);
	while (r && !is_begun && goes_on(g, true)) {
		if (fargs_reader_grow(r, &is_begun, err) < 0) {
			fargs_reader_destroy(r);
			return NULL;
		}
	}
	if (r && !is_begun) {
		fargs_reader_destroy(r);
		return NULL;
	}
	return r;
}

struct fargs_pipeline_follow fargs_file_follow_hooks(struct fargs_file_follow *g)
{
	return (struct fargs_pipeline_follow){ .arg = g, .goes_on = goes_on };
}
