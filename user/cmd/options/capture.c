// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/duration.h"
#include "base/error.h"
#include "base/size.h"
#include "cmd/options/file.h"
#include "cmd/options/flight.h"
#include "cmd/options/pt.h"
#include "cmd/options/realtime.h"
#include "cmd/options/request.h"
#include "cmd/screen/cmd.h"

#define CAPTURE_SETS(field)	FARGS_OPTION_SETS(struct fargs_capture_options, field)
#define CAPTURE_KEEPS(field)	FARGS_OPTION_KEEPS(struct fargs_capture_options, field)
#define CAPTURE_ADDS(field)	FARGS_OPTION_ADDS(struct fargs_capture_options, field)

static int take_event(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return fargs_event_rules_add(&o->request.events, value, err);
}

static int take_event_filter(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return fargs_event_rules_filter(&o->request.events, value, err);
}

const struct fargs_option fargs_capture_what_options[] = {
	{ 'f', NULL, "SELECTOR", "trace matching functions, like 'vfs_*' or 'vfs_read(count > "
	  "4096) -> ret < 0': see fargs-select(7)",
	  .offer = FARGS_OFFER_SELECTORS, CAPTURE_ADDS(request.wanted) },
	{ 't', NULL, "SELECTOR", "trace matching tracepoints, like 'sched_switch(next->prio < "
	  "100)'",
	  .offer = FARGS_OFFER_TPOINTS, CAPTURE_ADDS(request.tpoints) },
	{ 'n', NULL, "GLOB", "exclude matching functions and tracepoints",
	  .offer = FARGS_OFFER_FUNCTIONS, CAPTURE_ADDS(request.unwanted) },
	{ 'e', "event", "SYSTEM:EVENT", "trace matching formatted events of the kernel, like "
	  "'sched:*'; without other selections, the module is not needed", FARGS_OPTION_REPEATS,
	  .offer = FARGS_OFFER_EVENTS, .take = take_event },
	{ 0, "filter", "EXPRESSION", "record events of the preceding -e only if this condition "
	  "holds, like 'next_prio < 100', in the syntax of tracefs", FARGS_OPTION_REPEATS,
	  .take = take_event_filter },
	{ 0, "any", NULL, "also trace functions whose arguments are not proven, without them, as "
	  "'NAME(?)'", CAPTURE_SETS(request.is_any) },
	{ 0, "missing-ok", NULL, "skip selectors that select nothing on this kernel, and list "
	  "them at the end", CAPTURE_SETS(request.is_missing_ok) },
	FARGS_OPTION_END
};

/*
 * Adds a condition of kind @filter. @words: NULL, or a list to which @value is also added, as
 * written.
 */
static int add_condition(void *to, enum fargs_call_filter filter, struct fargs_list *words,
			 const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;
	int ret = fargs_call_options_add(&o->calls, filter, value, err);

	return ret || !words ? ret : fargs_list_add(words, value);
}

static int take_comm(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return add_condition(o, FARGS_CALL_COMM, &o->request.comms, value, err);
}

static int take_cpu(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return add_condition(o, FARGS_CALL_CPU, &o->request.cpus, value, err);
}

static int take_pid(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return add_condition(o, FARGS_CALL_PID, &o->request.pids, value, err);
}

static int take_tid(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return add_condition(o, FARGS_CALL_TID, &o->request.tids, value, err);
}

static int take_uid(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return add_condition(o, FARGS_CALL_UID, &o->request.uids, value, err);
}

static int take_cgroup(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return add_condition(o, FARGS_CALL_CGROUP, &o->request.cgroups, value, err);
}

static int take_follow(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	o->request.is_follow = true;
	o->calls.is_follow = true;
	return 0;
}

const struct fargs_option fargs_capture_whose_options[] = {
	{ 'a', "all", NULL, "trace all tasks, not only COMMAND and its children; without a "
	  "COMMAND, until Ctrl-C", CAPTURE_SETS(request.has_all) },
	{ 0, "pid", "LIST", "only calls by these processes, like 7,100-120", FARGS_OPTION_REPEATS,
	  .offer = FARGS_OFFER_PIDS, .take = take_pid },
	{ 0, "tid", "LIST", "only calls by these threads", FARGS_OPTION_REPEATS,
	  .offer = FARGS_OFFER_PIDS, .take = take_tid },
	{ 0, "follow", NULL, "also trace children of the tasks of --pid and --tid",
	  .take = take_follow },
	{ 0, "with-exec", NULL, "also trace what fargs itself calls in COMMAND's process until "
	  "COMMAND is loaded", CAPTURE_SETS(request.has_exec) },
	{ 0, "uid", "LIST", "only calls by tasks of these users", FARGS_OPTION_REPEATS,
	  .offer = FARGS_OFFER_USERS, .take = take_uid },
	{ 0, "comm", "GLOB", "only calls by tasks with this name", FARGS_OPTION_REPEATS,
	  .take = take_comm },
	{ 0, "cgroup", "DIRECTORY", "only calls by tasks of this cgroup or its descendants",
	  FARGS_OPTION_REPEATS, .offer = FARGS_OFFER_DIRECTORIES, .take = take_cgroup },
	{ 0, "cpu", "LIST", "only calls on these CPUs, like 0-3,7", FARGS_OPTION_REPEATS,
	  .offer = FARGS_OFFER_CPUS, .take = take_cpu },
	FARGS_OPTION_END
};

static int take_min_duration(void *to, const char *value, struct fargs_error_text *err)
{
	return add_condition(to, FARGS_CALL_MIN_DURATION, NULL, value, err);
}

const struct fargs_option fargs_capture_which_options[] = {
	{ 0, "min-duration", "TIME", "only calls that took at least TIME, like 100us",
	  FARGS_OPTION_REPEATS, .take = take_min_duration },
	{ 0, "only-errors", NULL, "only calls that return an error, as their return type defines "
	  "it", CAPTURE_SETS(calls.is_only_errors) },
	{ 0, "under", "SELECTOR", "only calls made while the task is inside a call of a matching "
	  "function, like 'vfs_read(count > 4096)'",
	  .offer = FARGS_OFFER_SELECTORS, CAPTURE_ADDS(request.under) },
	{ 0, "trigger", "SELECTOR", "record and mark matching calls, like 'vfs_read -> ret < 0'; "
	  "with --flight, the first of them triggers writing the calls before it",
	  .offer = FARGS_OFFER_SELECTORS, CAPTURE_ADDS(request.trigger) },
	{ 0, "trigger-tracepoint", "SELECTOR", "like --trigger, for a tracepoint, like "
	  "'sched_process_exit(p->comm == \"init\")'",
	  .offer = FARGS_OFFER_TPOINTS, CAPTURE_ADDS(request.trigger_tpoints) },
	FARGS_OPTION_END
};

static int take_deref(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return fargs_call_options_set_deref(&o->calls, value, err);
}

static int take_bytes(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return fargs_call_options_set_bytes(&o->calls, value, err);
}

static int take_record_bytes(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return fargs_call_options_set_record_bytes(&o->calls, value, err);
}

static int take_stack(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return fargs_call_options_set_stack(&o->calls, value, err);
}

static int take_maxactive(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;
	uint64_t nr;

	if (fargs_size_parse(value, &nr, err) || !nr || nr > INT32_MAX)
		return fargs_fail(err, EINVAL, "'%s' is not a number of calls", value);
	o->request.maxactive = nr;
	return 0;
}

static int take_returns(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;
	uint64_t nr;

	if (fargs_size_parse(value, &nr, err) || !nr || nr > INT32_MAX)
		return fargs_fail(err, EINVAL, "'%s' is not a number of functions", value);
	o->request.returns = nr;
	return 0;
}

const struct fargs_option fargs_capture_more_options[] = {
	{ 'g', "graph", NULL, "show nested calls, with their return values and "
	  "durations", CAPTURE_SETS(calls.is_graph) },
	{ 0, "returns", "N", "record the returns of at most N functions, and only the entries of "
	  "the rest", .offer = FARGS_OFFER_WORDS, .words = "100 1000", .take = take_returns },
	{ 0, "stack", "N", "record N callers (default 16)", FARGS_OPTION_OPTIONAL,
	  .take = take_stack },
	{ 0, "switches", NULL, "record every context switch, of all tasks",
	  CAPTURE_SETS(request.has_switches) },
	{ 'D', "deref", "1", "also record the struct that an argument points to (one level; "
	  "default 0)",
	  .offer = FARGS_OFFER_WORDS, .words = "0 1", .take = take_deref },
	{ 's', "size", "BYTES", "maximum size of a string, struct or range (default 256)",
	  .offer = FARGS_OFFER_WORDS, .words = "64 256 1024 2048", .take = take_bytes },
	{ 0, "record-size", "BYTES", "maximum size of the record of a call (default 3072)",
	  .take = take_record_bytes },
	{ 0, "maxactive", "N", "maximum number of calls whose return can be pending",
	  .take = take_maxactive },
	FARGS_OPTION_END
};

int fargs_capture_options_take_buffer(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return fargs_size_parse_pair(value, sysconf(_SC_PAGESIZE), &o->request.ring_bytes,
				     &o->request.aux_bytes, err);
}

const struct fargs_option fargs_capture_buffer_options[] = {
	{ 'm', NULL, "SIZE", "size of the buffer of each CPU, a power of two (default 4M)",
	  .offer = FARGS_OFFER_WORDS, .words = FARGS_CAPTURE_BUFFER_WORDS,
	  .take = fargs_capture_options_take_buffer },
	FARGS_OPTION_END
};

static int take_realtime(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return fargs_realtime_parse(&o->request.realtime, value, err);
}

static int take_duration(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;
	int ret = fargs_duration_parse(value, &o->request.duration_ns, err);

	return ret || o->request.duration_ns ? ret :
	       fargs_fail(err, EINVAL, "the time must be longer than 0");
}

static int take_verbose(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	o->request.has_pt_log |= o->is_verbose;
	o->is_verbose = true;
	return 0;
}

const struct fargs_option fargs_capture_run_options[] = {
	{ 0, "realtime", "PRIORITY", "read the buffers with SCHED_FIFO at this priority (default "
	  "1)",
	  FARGS_OPTION_OPTIONAL, .take = take_realtime },
	{ 0, "duration", "TIME", "end after this time, like 10s",
	  .offer = FARGS_OFFER_WORDS, .words = "1s 10s 60s", .take = take_duration },
	{ 0, "btf", "FILE", "use this BTF for a kernel or module that has none; or a directory of "
	  "BTF files by kernel release",
	  .offer = FARGS_OFFER_FILES, CAPTURE_ADDS(request.btf) },
	{ 'v', "verbose", NULL, "list functions that match but cannot be traced; twice: also show "
	  "how --pt is set up", FARGS_OPTION_REPEATS, .take = take_verbose },
	{ 'h', "help", NULL, "print this help", .kind = FARGS_OPTION_HELP },
	FARGS_OPTION_END
};

const struct fargs_option fargs_capture_output_options[] = {
	{ 'o', "output", "FILE", "write to FILE instead of stdout",
	  .offer = FARGS_OFFER_FILES, CAPTURE_KEEPS(output) },
	{ 0, "zeros", NULL, "also show members that are 0, of structs fetched from memory",
	  CAPTURE_SETS(has_zeros) },
	FARGS_OPTION_END
};

/*
 * Traces all tasks for top, --pid and --tid, unless a command or --follow is given. --pid and --tid
 * then select among the calls of all tasks.
 */
static void choose_tasks(struct fargs_capture_options *o)
{
	struct fargs_capture_request *r = &o->request;

	if (!r->command && !r->is_follow && (r->pids.nr || r->tids.nr || !strcmp(o->verb, "top")))
		r->has_all = true;
}

/* Checks the options for consistency. */
static int check(const struct fargs_capture_options *o)
{
	enum fargs_request_fault fault;
	int ret;

	if (o->guests.nr && !o->request.events.nr)
		return cmd_usage_fail(o->verb, "'--guest' names functions in kvm events: select "
				      "such events with '-e', like 'kvm:kvm_e*'");
	ret = fargs_pt_options_check(o);
	if (ret)
		return ret;
	fault = fargs_capture_request_check(&o->request);
	return fault ? cmd_usage_fail(o->verb, "%s", fargs_request_fault_text(fault)) : 0;
}

/* Handles the operands: they are a command to run, or a usage error. */
static int take_command(struct fargs_capture_options *o, const struct fargs_operands *operands)
{
	if (operands->is_marked && !operands->nr)
		return cmd_usage_fail(o->verb, "there is no command after '--'");
	/* Operands without "--" are probably the expansion of an unquoted glob by the shell. */
	if (operands->nr && !operands->is_marked)
		return cmd_usage_fail(o->verb,
				      "unexpected argument '%s': give functions with '-f' (quote "
				      "globs), a command after '--'", operands->words[0]);
	if (operands->nr)
		o->request.command = operands->words;
	return 0;
}

enum fargs_parsed fargs_capture_options_init(struct fargs_capture_options *o,
					     const struct fargs_verb *verb, int argc, char **argv)
{
	struct fargs_operands operands;
	struct fargs_error_text err;
	enum fargs_parsed parsed;

	memset(o, 0, sizeof(*o));
	o->verb = verb->name;
	o->request.argv = argv;
	fargs_file_options_init(&o->file);
	parsed = fargs_options_parse(verb, o, argc, argv, &operands);
	if (parsed != FARGS_PARSED)
		return parsed;
	if (fargs_call_options_finish(&o->calls, &err) ||
	    fargs_flight_options_finish(&o->request.flight, &err)) {
		cmd_usage_fail(o->verb, "%s", err.text);
		return FARGS_PARSED_WRONG;
	}
	o->request.bind = fargs_call_options_bind(&o->calls, 0);
	if (take_command(o, &operands))
		return FARGS_PARSED_WRONG;
	choose_tasks(o);
	/* Whoever asks for snapshots also ends the recording. */
	if (o->request.control && o->request.flight.is_on && !o->request.flight.count)
		o->request.flight.count = UINT32_MAX;
	return check(o) ? FARGS_PARSED_WRONG : FARGS_PARSED;
}

void fargs_capture_options_deinit(struct fargs_capture_options *o)
{
	fargs_list_deinit(&o->request.wanted);
	fargs_list_deinit(&o->request.tpoints);
	fargs_list_deinit(&o->request.unwanted);
	fargs_list_deinit(&o->request.under);
	fargs_list_deinit(&o->request.trigger);
	fargs_list_deinit(&o->request.trigger_tpoints);
	fargs_list_deinit(&o->request.btf);
	fargs_list_deinit(&o->request.pids);
	fargs_list_deinit(&o->request.tids);
	fargs_list_deinit(&o->request.cpus);
	fargs_list_deinit(&o->request.uids);
	fargs_list_deinit(&o->request.cgroups);
	fargs_list_deinit(&o->request.pt_filters);
	fargs_list_deinit(&o->request.comms);
	fargs_event_rules_deinit(&o->request.events);
	free(o->request.pt_samples);
	fargs_event_rules_deinit(&o->request.pt_pause);
	fargs_event_rules_deinit(&o->request.pt_resume);
	fargs_guest_options_deinit(&o->guests);
	fargs_origin_deinit(&o->labels);
	fargs_call_options_deinit(&o->calls);
}
