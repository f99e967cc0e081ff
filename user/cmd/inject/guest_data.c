// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/inject/guest_data.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/row.h"
#include "cmd/inject/file.h"
#include "cmd/inject/guest.h"
#include "cmd/inject/target.h"
#include "cmd/screen/cmd.h"
#include "source/perf_data/sample.h"
#include "source/perf_data/sample_id.h"

/* A thread that runs a virtual CPU begins to run on a CPU. */
struct run {
	uint64_t ns;
	uint32_t tid, cpu;
	size_t nr;			/* number of the record, to sort by */
};

struct state {
	const struct fargs_guest_data *d;
	struct fargs_guest guest;
	struct fargs_perf_file *from;
	struct fargs_inject_target target;
	struct fargs_inject_file file;
	struct fargs_inject_trace *traces;
	size_t nr_traces;
	struct run *runs;		/* sorted by time */
	size_t nr_runs, next_run;
	size_t next;			/* the next record of the guest */
	bool has_init;			/* the host's file has a record FINISHED_INIT */
	bool is_begun;			/* the guest's first records were written */
	struct fargs_buf buf;
	int write_error;		/* 0, or -errno */
};

void fargs_guest_data_deinit(struct fargs_guest_data *d)
{
	free(d->guest);
	d->guest = NULL;
}

int fargs_guest_data_parse(struct fargs_guest_data *d, const char *value,
			   struct fargs_error_text *err)
{
	const char *comma = strchr(value, ','), *offset;
	unsigned long pid;
	char *end;

	if (!comma || comma == value || !isdigit((unsigned char)comma[1]))
		return fargs_fail(err, EINVAL, "give FILE,PID or FILE,PID,OFFSET[,SCALE]");
	errno = 0;
	pid = strtoul(comma + 1, &end, 0);
	if (errno || !pid || pid > INT32_MAX || (*end && *end != ','))
		return fargs_fail(err, EINVAL, "'%s' does not begin with a pid", comma + 1);
	d->scale = 1;
	d->offset = 0;
	if (*end) {
		offset = end + 1;
		d->offset = strtoull(offset, &end, 0);
		if (errno || end == offset || (*end && *end != ','))
			return fargs_fail(err, EINVAL, "'%s' does not begin with a TSC offset",
					  offset);
	}
	if (*end) {
		offset = end + 1;
		d->scale = strtold(offset, &end);
		if (end == offset || *end || !(d->scale > 0) || d->scale > UINT32_MAX)
			return fargs_fail(err, EINVAL, "'%s' is not a scale of the TSC", offset);
	}
	free(d->guest);
	d->guest = strndup(value, comma - value);
	d->pid = (uint32_t)pid;
	return d->guest ? 0 : -ENOMEM;
}

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

/* QEMU and libvirt name the threads of virtual CPUs, with '-name debug-threads=on'. */
static int take_comm(struct state *s, const struct perf_event_header *head,
		     struct fargs_error_text *err)
{
	struct { uint32_t pid, tid; } task;
	struct fargs_guest_vcpu *vcpu;
	char name[16] = "";
	size_t n = head->size < sizeof(*head) + sizeof(task) ? 0 :
		   head->size - sizeof(*head) - sizeof(task);
	unsigned int nr;
	size_t i;

	if (!n)
		return 0;
	memcpy(&task, head + 1, sizeof(task));
	memcpy(name, (const char *)(head + 1) + sizeof(task),
	       n < sizeof(name) - 1 ? n : sizeof(name) - 1);
	if (task.pid != s->guest.pid || sscanf(name, "CPU %u/KVM", &nr) != 1 ||
	    !strstr(name, "/KVM"))
		return 0;
	for (i = 0; i < s->guest.nr_vcpus; i++) {
		if (s->guest.vcpus[i].vcpu != nr)
			continue;
		return s->guest.vcpus[i].tid == task.tid ? 0 :
		       fargs_fail(err, EINVAL, "two threads are named 'CPU %u/KVM'", nr);
	}
	vcpu = fargs_array_add(s->guest.vcpus, s->guest.nr_vcpus);
	if (!vcpu)
		return no_memory(err);
	*vcpu = (struct fargs_guest_vcpu){ .vcpu = nr, .tid = task.tid };
	return 0;
}

static int take_switch(struct state *s, const struct perf_event_header *head,
		       struct fargs_error_text *err)
{
	struct fargs_perf_sample sample;
	struct run *run;

	if (head->misc & PERF_RECORD_MISC_SWITCH_OUT ||
	    !fargs_perf_sample_find(&sample, head, s->from) || !sample.has_cpu ||
	    !sample.has_task || (uint32_t)sample.pid != s->guest.pid)
		return 0;
	run = fargs_array_add(s->runs, s->nr_runs);
	if (!run)
		return no_memory(err);
	*run = (struct run){
		.ns = sample.ns, .tid = sample.tid, .cpu = sample.cpu, .nr = s->nr_runs,
	};
	return 0;
}

static int compare_runs(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->nr < y->nr ? -1 : 1;
}

/* Reads what the host knows of the guest. */
static int read_host(struct state *s, struct fargs_error_text *err)
{
	struct fargs_perf_record rec;
	int ret;

	while ((ret = fargs_perf_file_next(s->from, &rec, err)) == 1) {
		ret = 0;
		switch (rec.head->type) {
		case PERF_RECORD_COMM:
			ret = take_comm(s, rec.head, err);
			break;
		case PERF_RECORD_SWITCH:
		case PERF_RECORD_SWITCH_CPU_WIDE:
			ret = take_switch(s, rec.head, err);
			break;
		case FARGS_PERF_TIME_CONV:
			fargs_guest_clock_take(&s->guest.time.host, rec.head);
			break;
		case FARGS_PERF_FINISHED_INIT:
			s->has_init = true;
			break;
		}
		if (ret)
			return ret;
	}
	if (s->nr_runs)
		qsort(s->runs, s->nr_runs, sizeof(*s->runs), compare_runs);
	if (!ret && !s->guest.nr_vcpus)
		return fargs_fail(err, EINVAL, "process %u has no thread that is named 'CPU 0/KVM' "
				  "or the like: run QEMU with '-name debug-threads=on'",
				  s->guest.pid);
	return ret;
}

static int write_bytes(struct state *s, const void *bytes, size_t n)
{
	s->write_error = fargs_inject_file_write(&s->file, bytes, n);
	return s->write_error;
}

/* Sets on which CPUs virtual CPUs run at @ns. */
static void run_until(struct state *s, uint64_t ns)
{
	struct fargs_guest_vcpu *vcpu;

	for (; s->next_run < s->nr_runs && s->runs[s->next_run].ns <= ns; s->next_run++) {
		vcpu = fargs_guest_vcpu_of(&s->guest, s->runs[s->next_run].tid);
		if (vcpu)
			vcpu->cpu = s->runs[s->next_run].cpu;
	}
}

/* Writes records of the guest up to @ns. */
static int put_records(struct state *s, uint64_t ns, struct fargs_error_text *err)
{
	const struct fargs_guest *g = &s->guest;
	int ret = 0;

	for (; !ret && s->next < g->nr_records && g->records[s->next].ns <= ns; s->next++) {
		run_until(s, g->records[s->next].ns);
		s->buf.n = 0;
		ret = fargs_guest_put_record(g, &g->records[s->next], &s->buf, err);
		if (!ret)
			ret = write_bytes(s, s->buf.text, s->buf.n);
	}
	return ret;
}

/* Writes of which machine the guest's events are, and its records from before the recording. */
static int begin(struct state *s, struct fargs_error_text *err)
{
	int ret;

	s->is_begun = true;
	s->buf.n = 0;
	ret = fargs_guest_put_index(&s->guest, &s->buf, err);
	if (!ret)
		ret = write_bytes(s, s->buf.text, s->buf.n);
	return ret ? ret : put_records(s, 0, err);
}

static int add_trace(struct state *s, uint64_t bytes)
{
	struct fargs_inject_trace *trace = fargs_array_add(s->traces, s->nr_traces);

	if (!trace)
		return -ENOMEM;
	*trace = (struct fargs_inject_trace){ .at = s->file.at, .bytes = bytes };
	return 0;
}

static int copy_record(struct state *s, const struct fargs_perf_record *rec,
		       struct fargs_error_text *err)
{
	int ret = 0;

	if (!s->is_begun && (!s->has_init || rec->head->type == FARGS_PERF_FINISHED_INIT))
		ret = begin(s, err);
	if (!ret && rec->head->type == FARGS_PERF_AUXTRACE && add_trace(s, rec->head->size))
		ret = no_memory(err);
	if (!ret)
		ret = write_bytes(s, rec->head, rec->head->size);
	return ret ? ret : write_bytes(s, rec->data, rec->data_bytes);
}

/* Returns the time of a sample; 0: unknown. */
static uint64_t time_of_sample(const struct state *s, const struct perf_event_header *head)
{
	const struct fargs_perf_event *events;
	size_t nr = fargs_perf_file_events(s->from, &events), i;
	struct fargs_sample sample;
	uint64_t id = 0;
	int at;

	/* Where the id is, is the same in all events of a file with several of them. */
	at = nr > 1 ? fargs_sample_id_at(events[0].attr.sample_type) : -1;
	if (at >= 0 && head->size >= sizeof(*head) + at + sizeof(id))
		memcpy(&id, (const uint8_t *)(head + 1) + at, sizeof(id));
	for (i = 0; i < nr; i++)
		if (at < 0 || fargs_perf_event_has_id(&events[i], id))
			return !fargs_sample_parse(&sample, head, &events[i].attr) &&
			       sample.ns != UINT64_MAX ? sample.ns : 0;
	return 0;
}

/* Returns the time of a record of the host; 0: it has none. */
static uint64_t time_of(const struct state *s, const struct perf_event_header *head)
{
	struct fargs_perf_sample sample;

	if (head->type >= FARGS_PERF_HEADER_ATTR)
		return 0;
	if (head->type == PERF_RECORD_SAMPLE)
		return time_of_sample(s, head);
	return fargs_perf_sample_find(&sample, head, s->from) && sample.has_time &&
	       sample.ns != UINT64_MAX ? sample.ns : 0;
}

/*
 * Copies the host's records, and puts those of the guest among them. A reader may pass on records
 * at the end of a round if they are not later than the last one of the round before. So that is
 * where those of the guest up to that time must be.
 */
static int copy_records(struct state *s, struct fargs_error_text *err)
{
	uint64_t last = 0, last_of_round = 0, ns;
	struct fargs_perf_record rec;
	int ret;

	while ((ret = fargs_perf_file_next(s->from, &rec, err)) == 1) {
		ret = 0;
		ns = time_of(s, rec.head);
		if (ns > last)
			last = ns;
		if (rec.head->type == FARGS_PERF_FINISHED_ROUND) {
			if (s->is_begun)
				ret = put_records(s, last_of_round, err);
			last_of_round = last;
		}
		if (!ret)
			ret = copy_record(s, &rec, err);
		if (ret)
			return ret;
	}
	return ret ? ret : put_records(s, UINT64_MAX, err);
}

static int reopen(struct state *s, struct fargs_error_text *err)
{
	fargs_perf_file_destroy(s->from);
	s->from = fargs_perf_file_open(s->d->path, err);
	return s->from ? 0 : -EINVAL;
}

static int fail_write(const struct state *s, int error)
{
	return cmd_fail("cannot write to '%s': %s", s->d->output, strerror(-error));
}

static int fail_host(const struct state *s, const struct fargs_error_text *err)
{
	if (s->write_error)
		return fail_write(s, s->write_error);
	return cmd_fail("'%s': %s", s->d->path, err->text);
}

static int write_all(struct state *s)
{
	const struct fargs_perf_event *events;
	size_t nr = fargs_perf_file_events(s->from, &events);
	const struct fargs_inject_code code = {
		.host = fargs_perf_file_kcore_dir(s->from),
		.guest = fargs_perf_file_kcore_dir(s->guest.file), .guest_pid = s->guest.pid,
	};
	struct fargs_error_text err = { "" };
	int ret;

	if (fargs_guest_add_events(&s->guest, events, nr, &err))
		return cmd_fail("'%s': %s", s->d->guest, err.text);
	if (fargs_inject_target_open(&s->target, s->d->output, &code, &err))
		return cmd_fail("%s", err.text);
	if (fargs_inject_file_begin(&s->file, s->target.out, s->from, s->guest.events,
				    fargs_row(G9) ? s->guest.nr_events : 0, 0, &err) ||
	    copy_records(s, &err))
		return fail_host(s, &err);
	s->file.traces = s->traces;
	s->file.nr_traces = s->nr_traces;
	s->file.build_ids = (const uint8_t *)s->guest.build_ids.text;
	s->file.build_id_bytes = s->guest.build_ids.n;
	ret = fargs_inject_file_end(&s->file);
	if (!ret)
		ret = fargs_inject_target_finish(&s->target);
	return ret ? fail_write(s, ret) : 0;
}

static int add_guest(struct state *s)
{
	const struct fargs_guest_data *d = s->d;
	struct fargs_error_text err = { "" };
	uint64_t size;

	s->from = fargs_perf_file_open(d->path, &err);
	if (!s->from)
		return cmd_fail("%s", err.text);
	if (!fargs_perf_file_bytes(s->from, &size))
		return cmd_fail("'%s' is perf's output to a pipe, which fargs inject cannot "
				"rewrite", d->path);
	if (fargs_guest_read(&s->guest, d->guest, &err))
		return cmd_fail("'%s': %s", d->guest, err.text);
	if (read_host(s, &err) || reopen(s, &err))
		return fail_host(s, &err);
	fargs_guest_sort(&s->guest);
	return write_all(s);
}

int fargs_guest_data_run(const struct fargs_guest_data *d)
{
	struct state s = {
		.d = d, .target = FARGS_INJECT_TARGET_NONE,
		.guest = {
			.pid = d->pid, .time = { .offset = d->offset, .scale = d->scale },
		},
	};
	int status;

	if (!d->output)
		return cmd_usage_fail("inject", "no output is given: give '-o OUT'");
	if (cmd_is_same_file(d->output, d->path) || cmd_is_same_file(d->output, d->guest))
		return cmd_fail("'%s' is a recording itself: give another name", d->output);
	status = add_guest(&s);
	fargs_inject_target_deinit(&s.target);
	fargs_guest_deinit(&s.guest);
	fargs_perf_file_destroy(s.from);
	fargs_buf_deinit(&s.buf);
	free(s.traces);
	free(s.runs);
	return status;
}
