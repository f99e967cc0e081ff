// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/error.h"
#include "base/size.h"
#include "cmd/options/file.h"
#include "cmd/options/flight.h"
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
	{ 'f', NULL, "SELECTOR", "trace the functions that match, like 'vfs_*' or "
	  "'vfs_read(count > 4096) -> ret < 0': see fargs-select(7)",
	  .offer = FARGS_OFFER_SELECTORS, CAPTURE_ADDS(request.wanted) },
	{ 't', NULL, "SELECTOR", "trace the tracepoints that match, like "
	  "'sched_switch(next->prio < 100)'",
	  .offer = FARGS_OFFER_TPOINTS, CAPTURE_ADDS(request.tpoints) },
	{ 'n', NULL, "GLOB", "but not those that match",
	  .offer = FARGS_OFFER_FUNCTIONS, CAPTURE_ADDS(request.unwanted) },
	{ 'e', "event", "SYSTEM:EVENT", "the kernel's formatted events that match, like "
	  "'sched:*'; alone, they need no module", FARGS_OPTION_REPEATS,
	  .offer = FARGS_OFFER_EVENTS, .take = take_event },
	{ 0, "filter", "EXPRESSION", "of the -e before it only those for which this holds, like "
	  "'next_prio < 100', in the syntax of tracefs", FARGS_OPTION_REPEATS,
	  .take = take_event_filter },
	FARGS_OPTION_END
};

/* @words: also keeps the value as written, for other uses; NULL: not needed. */
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
	return add_condition(to, FARGS_CALL_UID, NULL, value, err);
}

static int take_cgroup(void *to, const char *value, struct fargs_error_text *err)
{
	return add_condition(to, FARGS_CALL_CGROUP, NULL, value, err);
}

static int take_follow(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	o->request.is_follow = true;
	o->calls.is_follow = true;
	return 0;
}

const struct fargs_option fargs_capture_whose_options[] = {
	{ 'a', "all", NULL, "calls of all tasks, not only of COMMAND and what it starts; "
	  "without a COMMAND until Ctrl-C", CAPTURE_SETS(request.has_all) },
	{ 0, "pid", "LIST", "only calls by these processes, like 7,100-120", FARGS_OPTION_REPEATS,
	  .offer = FARGS_OFFER_PIDS, .take = take_pid },
	{ 0, "tid", "LIST", "only calls by these threads", FARGS_OPTION_REPEATS,
	  .offer = FARGS_OFFER_PIDS, .take = take_tid },
	{ 0, "follow", NULL, "those of --pid and --tid, and what they start",
	  .take = take_follow },
	{ 0, "uid", "LIST", "only calls by tasks of these users", FARGS_OPTION_REPEATS,
	  .offer = FARGS_OFFER_USERS, .take = take_uid },
	{ 0, "comm", "GLOB", "only calls by tasks of this name", FARGS_OPTION_REPEATS,
	  .take = take_comm },
	{ 0, "cgroup", "DIRECTORY", "only calls by tasks of this cgroup, or of one below it",
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
	{ 0, "min-duration", "TIME", "only calls that took as long, like 100us",
	  FARGS_OPTION_REPEATS, .take = take_min_duration },
	{ 0, "only-errors", NULL, "only calls that return an error, by the type of what they "
	  "return", CAPTURE_SETS(calls.is_only_errors) },
	{ 0, "under", "SELECTOR", "only what is called while the task is inside a call of the "
	  "functions that match, like 'vfs_read(count > 4096)'",
	  .offer = FARGS_OFFER_SELECTORS, CAPTURE_ADDS(request.under) },
	{ 0, "trigger", "SELECTOR", "mark the calls that match, like 'vfs_read -> ret < 0', and "
	  "record them, too: with --flight, what came before the first of them is kept",
	  .offer = FARGS_OFFER_SELECTORS, CAPTURE_ADDS(request.trigger) },
	{ 0, "trigger-tracepoint", "SELECTOR", "the same of a tracepoint, like "
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

const struct fargs_option fargs_capture_more_options[] = {
	{ 'g', "graph", NULL, "calls inside each other, with what they return and how long they "
	  "take", CAPTURE_SETS(calls.is_graph) },
	{ 0, "stack", "N", "and N callers (default 16)", FARGS_OPTION_OPTIONAL,
	  .take = take_stack },
	{ 0, "switches", NULL, "and every context switch, of all tasks",
	  CAPTURE_SETS(request.has_switches) },
	{ 'D', "deref", "1", "and one level of each pointer to a struct",
	  .offer = FARGS_OFFER_WORDS, .words = "0 1", .take = take_deref },
	{ 's', "size", "BYTES", "of each string, struct and range at most (default 256)",
	  .offer = FARGS_OFFER_WORDS, .words = "64 256 1024 2048", .take = take_bytes },
	{ 0, "record-size", "BYTES", "of all of a call at most (default 3072)",
	  .take = take_record_bytes },
	{ 0, "maxactive", "N", "calls whose return can be waited for at a time",
	  .take = take_maxactive },
	FARGS_OPTION_END
};

static int take_size(uint64_t *bytes, const char *value, struct fargs_error_text *err)
{
	int ret = fargs_size_parse(value, bytes, err);

	return ret || *bytes ? ret : fargs_fail(err, EINVAL, "a buffer of 0 is impossible: "
						"write a size like 4M");
}

int fargs_capture_options_take_buffer(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;
	const char *comma = strchr(value, ',');
	char *size;
	int ret;

	if (!comma)
		return take_size(&o->request.ring_bytes, value, err);
	ret = take_size(&o->request.aux_bytes, comma + 1, err);
	if (ret || comma == value)
		return ret;
	size = strndup(value, comma - value);
	ret = size ? take_size(&o->request.ring_bytes, size, err) : -ENOMEM;
	free(size);
	return ret;
}

const struct fargs_option fargs_capture_buffer_options[] = {
	{ 'm', NULL, "SIZE", "buffer for each CPU, a power of two (default 4M)",
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
	       fargs_fail(err, EINVAL, "nothing happens in no time");
}

const struct fargs_option fargs_capture_run_options[] = {
	{ 0, "realtime", "PRIORITY", "read the buffers as a task of SCHED_FIFO (default 1)",
	  FARGS_OPTION_OPTIONAL, .take = take_realtime },
	{ 0, "duration", "TIME", "end after so long, like 10s",
	  .offer = FARGS_OFFER_WORDS, .words = "1s 10s 60s", .take = take_duration },
	{ 0, "btf", "FILE", "BTF of the kernel or of a module that has none, or a directory of "
	  "such files by kernel release",
	  .offer = FARGS_OFFER_FILES, CAPTURE_ADDS(request.btf) },
	{ 'v', "verbose", NULL, "list functions that match but cannot be traced",
	  CAPTURE_SETS(is_verbose) },
	{ 'h', "help", NULL, "print this", .kind = FARGS_OPTION_HELP },
	FARGS_OPTION_END
};

const struct fargs_option fargs_capture_output_options[] = {
	{ 'o', "output", "FILE", "write there instead of to stdout",
	  .offer = FARGS_OFFER_FILES, CAPTURE_KEEPS(output) },
	{ 0, "zeros", NULL, "members of structs that are 0, too, where memory was fetched",
	  CAPTURE_SETS(has_zeros) },
	FARGS_OPTION_END
};

static int take_pt(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	o->request.has_pt = true;
	o->request.pt_terms = value;
	return 0;
}

const struct fargs_option fargs_capture_pt_options[] = {
	{ 0, "pt", "TERMS", "and what the CPUs execute, by Intel PT: like cyc,mtc_period=3/k",
	  FARGS_OPTION_OPTIONAL, .take = take_pt },
	FARGS_OPTION_END
};

/* Selects the calls of all tasks if no other option selects tasks. */
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

	if (o->guests.nr && !o->request.events.nr)
		return cmd_usage_fail(o->verb, "--guest names functions in events of kvm: give "
				      "some with -e, like 'kvm:kvm_e*'");
	if (o->request.has_pt && strcmp(o->verb, "record"))
		return cmd_usage_fail(o->verb, "--pt is for fargs record");
	fault = fargs_capture_request_check(&o->request);
	return fault ? cmd_usage_fail(o->verb, "%s", fargs_request_fault_text(fault)) : 0;
}

/* Handles the operands: a command, or a usage error. */
static int take_command(struct fargs_capture_options *o, const struct fargs_operands *operands)
{
	if (operands->is_marked && !operands->nr)
		return cmd_usage_fail(o->verb, "there is no command behind --");
	/* Most likely the shell has expanded a glob. */
	if (operands->nr && !operands->is_marked)
		return cmd_usage_fail(o->verb,
				      "what is '%s'? Functions are given with -f (globs in quotes), "
				      "a command behind --", operands->words[0]);
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
	o->request.has_uids = o->calls.texts[FARGS_CALL_UID];
	o->request.has_cgroups = o->calls.texts[FARGS_CALL_CGROUP];
	if (take_command(o, &operands))
		return FARGS_PARSED_WRONG;
	choose_tasks(o);
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
	fargs_list_deinit(&o->request.comms);
	fargs_event_rules_deinit(&o->request.events);
	fargs_guest_options_deinit(&o->guests);
	fargs_call_options_deinit(&o->calls);
}
