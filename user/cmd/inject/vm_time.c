// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/inject/vm_time.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/plural.h"
#include "base/row.h"
#include "cmd/inject/target.h"
#include "cmd/inject/vm_report.h"
#include "cmd/screen/cmd.h"
#include "source/perf_data/file.h"
#include "source/pt/input/perf_input.h"

/* Bytes that perf appends to the data of an AUXTRACE record, at most. */
#define PADDING_MAX	7

/* The trace of an AUXTRACE record. */
struct part {
	const struct fargs_perf_auxtrace *aux;
	const uint8_t *bytes;
	size_t nr;			/* number of the record, to sort by */
};

/* Bytes of the file that change. */
struct change {
	uint64_t at;
	uint64_t value;
	unsigned int bytes;
};

struct state {
	const struct fargs_vm_time *v;
	struct fargs_perf_file *file;
	const uint8_t *bytes;		/* of the file */
	uint64_t size;
	struct part *parts;
	size_t nr_parts;
	struct change *changes;
	size_t nr_changes;
	struct fargs_vm_report report;
	struct fargs_outfile log;
	struct fargs_inject_target target;
	uint64_t nr_guessed;
};

static int out_of_memory(void)
{
	return cmd_fail("out of memory");
}

static int take_event(void *arg, const struct fargs_pt_guest_tsc_event *ev)
{
	struct state *s = arg;
	struct change *change;

	if (ev->kind == FARGS_PT_GUEST_TSC_SET && ev->now != ev->old) {
		change = fargs_array_add(s->changes, s->nr_changes);
		if (!change)
			return -ENOMEM;
		*change = (struct change){
			.at = ev->to - s->bytes, .value = ev->now, .bytes = ev->bytes,
		};
	}
	return fargs_vm_report_put(&s->report, ev);
}

static int add_part(struct state *s, const struct fargs_perf_record *rec)
{
	struct part *part;

	/* Other files of a directory (perf record --threads) are not written. */
	if (rec->data < s->bytes || rec->data > s->bytes + s->size)
		return cmd_fail("'%s' has several files with traces (perf record --threads), of "
				"which fargs inject cannot write the times", s->v->path);
	part = fargs_array_add(s->parts, s->nr_parts);
	if (!part)
		return out_of_memory();
	*part = (struct part){
		.aux = (const void *)rec->head, .bytes = rec->data, .nr = s->nr_parts,
	};
	return 0;
}

/* By buffer, in the order in which they were written. */
static int compare_parts(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->aux->index != y->aux->index)
		return x->aux->index < y->aux->index ? -1 : 1;
	return x->nr < y->nr ? -1 : 1;
}

/* Returns the exit status. */
static int find_parts(struct state *s)
{
	struct fargs_error_text err = { "" };
	struct fargs_perf_record rec;
	int ret;

	while ((ret = fargs_perf_file_next(s->file, &rec, &err)) == 1)
		if (rec.head->type == FARGS_PERF_AUXTRACE && add_part(s, &rec))
			return 1;
	if (ret)
		return cmd_fail("%s", err.text);
	if (s->nr_parts)
		qsort(s->parts, s->nr_parts, sizeof(*s->parts), compare_parts);
	return 0;
}

/* Does @next begin where @last ends, but for perf's padding? */
static bool is_next(const struct part *last, const struct part *next)
{
	uint64_t end = last->aux->offset + last->aux->bytes;

	return last->aux->index == next->aux->index && next->aux->offset <= end &&
	       end - next->aux->offset <= PADDING_MAX;
}

static int read_parts(struct state *s, const struct fargs_pt_config *config,
		      struct fargs_pt_vmcs_list *list)
{
	struct fargs_pt_guest_tsc g;
	const struct part *part;
	int ret = 0;

	for (part = s->parts; !ret && part < s->parts + s->nr_parts; part++) {
		if (part == s->parts || part->aux->index != part[-1].aux->index) {
			s->nr_guessed += part == s->parts ? 0 : g.nr_guessed;
			fargs_pt_guest_tsc_init(&g, config, list, take_event, s);
			g.wants_packets = s->report.log;
		}
		if (part == s->parts || !is_next(&part[-1], part))
			fargs_pt_guest_tsc_restart(&g);
		s->report.bytes = part->bytes;
		s->report.end = part->bytes + part->aux->bytes;
		s->report.logged = part->bytes;
		s->report.offset = part->aux->offset;
		s->report.cpu = part->aux->cpu;
		s->report.tid = part->aux->tid;
		ret = fargs_pt_guest_tsc_read(&g, part->bytes, part->aux->bytes,
					      part->aux->reference);
	}
	if (s->nr_parts)
		s->nr_guessed += g.nr_guessed;
	return ret;
}

static int check_config(const struct state *s, const struct fargs_pt_config *config)
{
	const char *path = s->v->path;

	if (!config->has_tsc)
		return cmd_fail("'%s' has no times: record without 'tsc=0'", path);
	if (!config->has_mtc)
		return cmd_fail("'%s' has no MTC packets, from which TSC offsets are derived: "
				"record without 'mtc=0'", path);
	if (!config->cpuid_0x15_eax || !config->cpuid_0x15_ebx)
		return cmd_fail("'%s' lacks the rate of the crystal clock (CPUID leaf 15H), which "
				"MTC packets count", path);
	return 0;
}

static int open_log(struct state *s)
{
	struct fargs_error_text err = { "" };

	if (!s->v->log || !fargs_row(E10))
		return 0;
	if (!*s->v->log) {
		s->report.log = stdout;
		return 0;
	}
	if (fargs_outfile_open(&s->log, s->v->log, 0, &err))
		return cmd_fail("%s", err.text);
	if (fargs_outfile_stream(&s->log))
		return out_of_memory();
	s->report.log = s->log.file;
	return 0;
}

static int fail_log(const struct state *s, int error)
{
	return cmd_fail("cannot write '%s': %s", *s->v->log ? s->v->log : "standard output",
			strerror(-error));
}

static int compare_changes(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* Writes the file with the changes. Returns 0 or -errno. */
static int write_bytes(const struct state *s)
{
	const struct change *change = s->changes, *end = change + s->nr_changes;
	uint64_t at = 0, to;
	FILE *out = s->target.out;

	errno = 0;
	for (; at < s->size; at = to) {
		to = change < end ? change->at : s->size;
		if (to > at && fwrite(s->bytes + at, 1, to - at, out) != to - at)
			return errno ? -errno : -EIO;
		if (change == end)
			continue;
		if (fwrite(&change->value, 1, change->bytes, out) != change->bytes)
			return errno ? -errno : -EIO;
		to += change->bytes;
		change++;
	}
	return 0;
}

/* A file that is replaced keeps its owner and mode, as far as that is permitted. */
static void keep_owner(const struct state *s, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return;
	if (fchown(s->target.file.fd, st.st_uid, st.st_gid))
		st.st_mode &= 0700;
	if (fchmod(s->target.file.fd, st.st_mode & 0777))
		cmd_fail("warning: cannot keep the mode of '%s': %s", path, strerror(errno));
}

static int write_file(struct state *s)
{
	const struct fargs_vm_time *v = s->v;
	const struct fargs_inject_code code = {
		.host = v->output ? fargs_perf_file_kcore_dir(s->file) : NULL,
	};
	const char *path = v->output ? v->output : v->path;
	struct fargs_error_text err = { "" };
	char *inner = NULL;
	struct stat st;
	int ret;

	if (!v->output && !stat(path, &st) && S_ISDIR(st.st_mode)) {
		if (asprintf(&inner, "%s/" FARGS_INJECT_DATA, path) < 0)
			return out_of_memory();
		path = inner;
	}
	if (!fargs_row(E9))
		s->nr_changes = 0;
	ret = fargs_inject_target_open(&s->target, path, &code, &err);
	if (ret) {
		ret = cmd_fail("%s", err.text[0] ? err.text : strerror(-ret));
	} else {
		if (!v->output)
			keep_owner(s, path);
		ret = write_bytes(s);
		if (!ret)
			ret = fargs_inject_target_finish(&s->target);
		if (ret)
			ret = cmd_fail("cannot write to '%s': %s", path, strerror(-ret));
	}
	fargs_inject_target_deinit(&s->target);
	free(inner);
	return ret;
}

static int finish(struct state *s, const struct fargs_pt_vmcs_list *list)
{
	const bool is_dry = s->v->options->is_dry;
	const char *what = s->nr_changes == 1 ? "TSC" : "TSCs";

	fargs_vm_report_end(&s->report, list);
	if (s->nr_guessed)
		printf("%llu TSC%s without PIP: assigned to host or guest by time\n",
		       (unsigned long long)s->nr_guessed, fargs_plural(s->nr_guessed));
	if (fargs_vm_report_is_wrong(&s->report))
		return cmd_fail("'%s': TSC offsets are wrong, or change (if the guest's TSC is "
				"scaled, give OFFSET*RATIO): %s", s->v->path,
				is_dry ? "without 'dry-run', nothing would be written" :
				"nothing was written");
	if (!is_dry && write_file(s))
		return 1;
	printf("%zu %s %s\n", s->nr_changes, what, is_dry ? "would change" : "changed");
	return fargs_vm_report_has_errors(&s->report) ? 2 : 0;
}

static int correlate(struct state *s, struct fargs_pt_vmcs_list *list)
{
	struct fargs_error_text err = { "" };
	struct fargs_pt_config config;
	int ret;

	if (fargs_perf_input_config(&config, s->v->path, &err))
		return cmd_fail("%s", err.text);
	if (check_config(s, &config) || find_parts(s) || open_log(s))
		return 1;
	ret = read_parts(s, &config, list);
	if (s->nr_changes)
		qsort(s->changes, s->nr_changes, sizeof(*s->changes), compare_changes);
	if (!ret && s->log.file)
		ret = fargs_outfile_finish(&s->log);
	if (ret)
		return ret == -ENOMEM ? out_of_memory() : fail_log(s, ret);
	return finish(s, list);
}

static int check_output(const struct fargs_vm_time *v)
{
	if (v->options->is_dry)
		return v->output || v->is_forced ?
		       cmd_usage_fail("inject", "'dry-run' writes nothing: give neither '-o' nor "
				      "'--force'") : 0;
	if (!v->output && !v->is_forced)
		return cmd_usage_fail("inject", "'--vm-time-correlation' changes times: give "
				      "'-o OUT', or '--force' to change FILE itself");
	if (v->output && v->is_forced)
		return cmd_usage_fail("inject", "'-o' cannot be used with '--force'");
	if (v->output && cmd_is_same_file(v->output, v->path))
		return cmd_fail("'%s' is the recording itself: give '--force' instead of '-o'",
				v->output);
	return 0;
}

static bool has_copies(const struct fargs_perf_file *file)
{
	const struct fargs_perf_event *events;
	size_t nr = fargs_perf_file_events(file, &events), i;

	for (i = 0; i < nr; i++)
		if (events[i].attr.sample_type & PERF_SAMPLE_AUX)
			return true;
	return false;
}

int fargs_vm_time_run(const struct fargs_vm_time *v)
{
	struct state s = {
		.v = v, .log = FARGS_OUTFILE_NONE, .target = FARGS_INJECT_TARGET_NONE,
	};
	struct fargs_error_text err = { "" };
	int status = 1;

	if (check_output(v))
		return 1;
	if (!fargs_perf_file_is(v->path))
		return cmd_fail("'%s' is not a perf.data file, which fargs inject rewrites",
				v->path);
	s.file = fargs_perf_file_open(v->path, &err);
	if (!s.file)
		return cmd_fail("%s", err.text);
	s.bytes = fargs_perf_file_bytes(s.file, &s.size);
	if (!s.bytes)
		cmd_fail("'%s' is perf's output to a pipe, which fargs inject cannot rewrite",
			 v->path);
	else if (has_copies(s.file))
		cmd_fail("'%s' has parts of the trace in its samples (perf record --aux-sample), "
			 "which fargs inject cannot rewrite", v->path);
	else
		status = correlate(&s, &v->options->list);
	fargs_outfile_deinit(&s.log);
	fargs_perf_file_destroy(s.file);
	free(s.parts);
	free(s.changes);
	return status;
}
