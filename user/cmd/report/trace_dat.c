// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/trace_dat.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/report/show.h"
#include "cmd/screen/cmd.h"
#include "plugin/dlfilter/record_samples.h"
#include "source/trace_dat/trace_dat.h"

static int show_all(struct fargs_show *s, struct fargs_meta *meta)
{
	struct fargs_account_cpu total;
	uint64_t lost;
	int status = fargs_show_begin(s);

	if (!status)
		status = fargs_show_run(s);
	if (s->write_error || s->ret)
		return status;
	if (!status)
		status = fargs_show_finish(s);
	if (fargs_trace_dat_has_lost(s->source, &lost))
		fprintf(stderr, "fargs: events were lost: %llu known, perhaps more\n",
			(unsigned long long)lost);
	fargs_guest_options_tell(&meta->guests);
	fargs_account_total(fargs_decoder_account(s->source->decoder), &total);
	if (total.events_corrupt)
		status = cmd_fail("'%s': invalid events that were skipped: %llu", s->path,
				  (unsigned long long)total.events_corrupt);
	return status;
}

static int report(struct fargs_report_request *r, const char *path)
{
	struct fargs_dlfilters *filters = fargs_dlfilter_options_get(&r->dlfilters);
	struct fargs_show show = {
		.path = path, .options = &r->options, .view = &r->view, .is_stdio = filters,
	};
	struct fargs_error_text err = { "" };
	struct fargs_meta meta;
	int status;

	show.source = fargs_trace_dat_create(path, &meta, &err);
	if (!show.source)
		status = cmd_fail("'%s': %s", path, err.text);
	else if (fargs_guest_options_read(&r->guests, NULL, &meta.guests))
		status = cmd_fail("no memory for symbols of guests");
	else
		status = show_all(&show, &meta);
	fargs_show_deinit(&show);
	fargs_trace_dat_destroy(show.source);
	fargs_meta_deinit(&meta);
	return status;
}

int fargs_trace_dat_report(struct fargs_report_request *r, const char *path)
{
	int status;
	pid_t pid;

	/*
	 * A file not written by trace-cmd may crash libtracecmd, so it is read in a child process.
	 */
	pid = fork();
	if (pid < 0)
		return cmd_fail("cannot fork: %s", strerror(errno));
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_DUMPABLE, 0);
		status = report(r, path);
		_exit(fflush(NULL) ? 1 : status);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return cmd_fail("cannot wait: %s", strerror(errno));
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return cmd_fail("'%s' is damaged: reading it crashed with signal %d", path,
			WTERMSIG(status));
}
