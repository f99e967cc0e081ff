// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/trace_dat.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event-parse.h>

#include "cmd/screen/cmd.h"
#include "model/event_record.h"
#include "model/formats.h"
#include "sink/text/text.h"
#include "source/trace_dat/trace_dat.h"

/* Lines are written in pieces of this size. */
#define WRITE_BYTES	(64u << 10)
/* TSC frequency in kHz at which a tick is one ns, because the times in trace.dat are in ns. */
#define NS_KHZ		1000000
/* Common header of all events: u16 id, u8 flags, u8 preempt_count, s32 pid. */
#define COMMON_BYTES	8

struct dat {
	const struct fargs_report_options *options;
	const struct fargs_sink_view *view;	/* NULL: lines of text */
	struct fargs_meta meta;
	struct fargs_trace_dat *file;
	struct tep_handle *tep;
	struct fargs_decoder *decoder;
	struct fargs_buf text;
	uint64_t lost;			/* number of lost events that the file reports */
	bool has_lost;
	int write_error;
	/* Buffer for the record that make_record() returns. */
	uint64_t room[FARGS_EVENT_RECORD_MAX / sizeof(uint64_t) + 1];
};

static int flush(struct dat *d, size_t least)
{
	if (d->text.n < least || !d->text.n)
		return 0;
	d->write_error = cmd_write(d->text.text, d->text.n);
	d->text.n = 0;
	return d->write_error;
}

static int show(struct dat *d, const struct fargs_event *ev)
{
	const struct fargs_report_options *o = d->options;
	int ret;

	if ((o->is_one_cpu && ev->cpu != o->cpu) ||
	    !fargs_time_window_has(&o->window, ev->time_ns))
		return 0;
	ret = d->view ? d->view->event(d->view->arg, &d->text, d->decoder, ev) :
	      o->is_raw ? fargs_text_event_raw(&d->text, d->decoder, ev) :
			  fargs_text_event(&d->text, d->decoder, ev);
	return ret ? ret : flush(d, WRITE_BYTES);
}

static int show_lost(struct dat *d, const struct tep_record *from, unsigned int cpu)
{
	const struct fargs_event ev = {
		.kind = FARGS_KIND_LOST, .is_event = true, .cpu = cpu, .time_ns = from->ts,
		/* If missed_events is -1, the number of lost events is unknown. */
		.lost = from->missed_events > 0 ? from->missed_events : 0,
	};

	d->lost += ev.lost;
	d->has_lost = true;
	return show(d, &ev);
}

/*
 * Converts @from to a record of fargs. Returns NULL if @from is too small, or larger than any event
 * that a kernel can write.
 */
static const struct fargs_record *make_record(struct dat *d, const struct tep_record *from)
{
	struct fargs_record *rec = (void *)d->room;
	struct fargs_event_body *body = (void *)(rec + 1);
	size_t bytes = from->size, room = (bytes + 7) & ~(size_t)7;
	int32_t pid;

	if (from->size < COMMON_BYTES || bytes > FARGS_EVENT_RAW_MAX)
		return NULL;
	memset(rec, 0, sizeof(*rec) + sizeof(*body));
	memset((uint8_t *)(body + 1) + bytes, 0, room - bytes);
	memcpy(body + 1, from->data, bytes);
	memcpy(&pid, (const uint8_t *)from->data + 4, sizeof(pid));
	body->bytes = bytes;
	rec->len = sizeof(*rec) + sizeof(*body) + room;
	rec->kind = FARGS_KIND_EVENT;
	rec->flags = FARGS_RECORD_NS;
	rec->tid = pid;
	rec->tsc = from->ts;
	return rec;
}

/* Sets the tid and name of a task. Its tgid is not in the trace.dat file, and thus unknown. */
static void name_task(struct dat *d, pid_t tid, struct fargs_task *task)
{
	const char *comm = tid ? tep_data_comm_from_pid(d->tep, tid) : "<idle>";

	*task = (struct fargs_task){ .tid = tid, .tgid = -1 };
	memcpy(task->comm, comm, strnlen(comm, FARGS_COMM_LEN));
}

static int take(void *arg, struct tep_record *from, unsigned int cpu)
{
	const struct fargs_record *rec;
	struct fargs_stamped stamped;
	struct fargs_guest_task who;
	struct fargs_task task;
	struct fargs_event ev;
	struct dat *d = arg;
	int ret = 0;

	if (cpu >= d->meta.info.nr_cpus)
		return -EIO;
	if (from->missed_events)
		ret = show_lost(d, from, cpu);
	rec = ret ? NULL : make_record(d, from);
	if (!rec)
		return ret;
	stamped = (struct fargs_stamped){ .rec = rec, .cpu = cpu, .ns = rec->tsc };
	name_task(d, (pid_t)rec->tid, &task);
	ret = fargs_decoder_parse(d->decoder, &stamped, &task, &ev);
	if (ret)
		return ret;
	who = (struct fargs_guest_task){ .tid = task.tid, .tgid = -1, .comm = task.comm };
	ev.guest = fargs_guests_find(&d->meta.guests, &who);
	return show(d, &ev);
}

static int set_up(struct dat *d, const char *path, const struct fargs_guest_options *guests,
		  struct fargs_error_text *err)
{
	struct fargs_formats *formats;
	int nr_cpus;

	d->file = fargs_trace_dat_open(path, err);
	if (!d->file)
		return -EIO;
	d->tep = fargs_trace_dat_tep(d->file);
	nr_cpus = tep_get_cpus(d->tep);
	if (nr_cpus <= 0)
		return fargs_fail(err, EIO, "the file has no CPUs");
	d->meta.info.nr_cpus = nr_cpus;
	d->meta.info.tsc_khz = NS_KHZ;
	d->meta.has_events = true;
	d->meta.is_bare = true;
	if (fargs_guest_options_read(guests, NULL, &d->meta.guests))
		return fargs_fail(err, ENOMEM, "out of memory");
	d->decoder = fargs_decoder_create(&d->meta, err);
	if (!d->decoder)
		return -EIO;
	formats = fargs_formats_adopt(&d->meta, d->tep);
	if (!formats)
		return fargs_fail(err, ENOMEM, "out of memory");
	fargs_decoder_set_formats(d->decoder, formats);
	return 0;
}

static int finish(struct dat *d)
{
	int ret = d->view && d->view->end ? d->view->end(d->view->arg, &d->text, d->decoder) : 0;

	return ret ? ret : flush(d, 0);
}

static int run(struct dat *d, const char *path, struct fargs_view *view,
	       const struct fargs_guest_options *guests)
{
	struct fargs_error_text err = { "" };
	int ret;

	if (set_up(d, path, guests, &err))
		return cmd_fail("'%s': %s", path, err.text);
	if (d->options->is_one_cpu && d->options->cpu >= d->meta.info.nr_cpus)
		return cmd_fail("'%s': there is no CPU %u: the number of CPUs is "
				"%u", path, d->options->cpu,
				d->meta.info.nr_cpus);
	if (fargs_view_begin(view, &d->meta, path, &d->view, &err))
		return cmd_fail("'%s': %s", path, err.text);
	d->text.is_coloured = d->options->is_coloured && !d->view;
	ret = fargs_trace_dat_each(d->file, take, d);
	if (!ret)
		ret = finish(d);
	if (d->write_error)
		return cmd_fail("cannot write: %s", strerror(-d->write_error));
	if (ret)
		return cmd_fail("'%s': %s", path, ret == -ENOMEM ? "out of memory" :
				"an event is invalid");
	if (d->has_lost)
		fprintf(stderr, "fargs: events were lost: %llu known, perhaps more\n",
			(unsigned long long)d->lost);
	fargs_guest_options_tell(&d->meta.guests);
	return fargs_view_is_empty(view, &err) ? cmd_fail("'%s': %s", path, err.text) : 0;
}

static int report(const char *path, const struct fargs_report_options *options,
		  struct fargs_view *view, const struct fargs_guest_options *guests)
{
	struct dat *d = calloc(1, sizeof(*d));
	int status;

	if (!d)
		return cmd_fail("out of memory");
	d->options = options;
	fargs_meta_init(&d->meta);
	status = run(d, path, view, guests);
	fargs_view_end(view);
	fargs_decoder_destroy(d->decoder);
	fargs_trace_dat_close(d->file);
	fargs_meta_deinit(&d->meta);
	fargs_buf_deinit(&d->text);
	free(d);
	return status;
}

int fargs_trace_dat_report(const char *path, const struct fargs_report_options *options,
			   struct fargs_view *view, const struct fargs_guest_options *guests)
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
		status = report(path, options, view, guests);
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
