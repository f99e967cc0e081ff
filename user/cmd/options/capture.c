// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/capture.h"

#include <getopt.h>
#include <string.h>

#include "cmd/screen/cmd.h"
#include "capture/events.h"
#include "cmd/options/file.h"
#include "capture/pt.h"
#include "cmd/options/realtime.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/size.h"

/* The filters in the order of enum fargs_call_filter. */
enum { OPT_BTF = 256, OPT_COMM, OPT_CPU, OPT_PID, OPT_TID, OPT_UID, OPT_CGROUP,
	OPT_MIN_DURATION, OPT_MAXACTIVE, OPT_STACK, OPT_ZEROS,
	OPT_ONLY_ERRORS, OPT_RECORD_SIZE, OPT_FOLLOW,
	OPT_COMPRESS, OPT_NO_COMPRESS, OPT_SYNC,
	OPT_FLIGHT, OPT_AFTER, OPT_COUNT, OPT_UNDER, OPT_TRIGGER, OPT_TRIGGER_TPOINT,
	OPT_SPLIT, OPT_REALTIME, OPT_FILTER, OPT_SWITCHES, OPT_PT, OPT_GUEST, OPT_GUEST_KALLSYMS,
	OPT_GUESTMOUNT, OPT_DURATION, OPT_JSON, OPT_COLOUR,
	OPT_INTERVAL, OPT_SORT, OPT_TOP };

#define INTERVAL_MIN_NS	100000000ull

const char fargs_capture_options_help[] =
	"  -f SELECTOR  trace the functions that match, like 'vfs_*' or\n"
	"            'vfs_read(count > 4096) -> ret < 0': see fargs-select(7)\n"
	"  -t SELECTOR  trace the tracepoints that match, like 'sched_switch(next->prio < 100)'\n"
	"  -n GLOB   but not those that match\n"
	"  -e SYSTEM:EVENT  the kernel's formatted events that match, like 'sched:*'; alone,\n"
	"            they need no module\n"
	"  --filter EXPR  of the -e before it only those for which this holds, like\n"
	"            'next_prio < 100', in the syntax of tracefs\n"
	"  --guest NAME|PID=FILE  name functions of this process' guest, in events of kvm, by this\n"
	"            copy of its /proc/kallsyms; with ,modules=FILE also its modules\n"
	"  --guestmount DIR  the same of those with a PID/proc/kallsyms in there\n"
	"  --guest-kallsyms FILE  the same of all other guests\n"
	"  -a        calls of all tasks, not only of COMMAND and what it starts;\n"
	"            without a COMMAND until Ctrl-C\n"
	"  -m SIZE   buffer for each CPU, a power of two (default 4M)\n"
	"  --comm GLOB, --cpu LIST, --pid LIST, --tid LIST, --uid LIST, --cgroup DIRECTORY\n"
	"            only calls by such tasks, or on such CPUs; LIST: like 0-3,7\n"
	"  --follow  those of --pid and --tid, and what they start\n"
	"  --min-duration TIME  only calls that took as long, like 100us\n"
	"  --only-errors  only calls that return an error, by the type of what they return\n"
	"  --under SELECTOR  only what is called while the task is inside a call of the\n"
	"            functions that match, like 'vfs_read(count > 4096)'\n"
	"  --trigger SELECTOR  mark the calls that match, like 'vfs_read -> ret < 0', and\n"
	"            record them, too: with --flight, what came before the first of them is kept\n"
	"  --trigger-tracepoint SELECTOR  the same of a tracepoint, like\n"
	"            'sched_process_exit(p->comm == \"init\")'\n"
	"  --stack[=N]  and N callers (default 16)\n"
	"  --maxactive N  calls whose return can be waited for at a time\n"
	"  --switches  and every context switch, of all tasks\n"
	"  -D 1      and one level of each pointer to a struct\n"
	"  -g, --graph  calls inside each other, with what they return and how long they\n"
	"            take\n"
	"  -s BYTES  of each string, struct and range at most (default 256)\n"
	"  --record-size BYTES  of all of a call at most (default 3072)\n"
	"  --realtime[=PRIORITY]  read the buffers as a task of SCHED_FIFO (default 1)\n"
	"  --btf FILE  BTF of the kernel or of a module that has none, or a directory\n"
	"            of such files by kernel release\n"
	"  --duration TIME  end after so long, like 10s\n"
	"  -v        list functions that match but cannot be traced\n"
	"  -h        this text\n";

static bool is_top(const struct fargs_capture_options *o)
{
	return !strcmp(o->verb, "top");
}

/* Of some there are others who need to know. */
static int keep_words(struct fargs_capture_options *o, int opt)
{
	struct fargs_list *list = opt == OPT_PID ? &o->pids : opt == OPT_TID ? &o->tids :
				  opt == OPT_CPU ? &o->cpus : opt == OPT_COMM ? &o->comms : NULL;

	return list ? fargs_list_add(list, optarg) : 0;
}

static int take_event_option(struct fargs_capture_options *o, int opt)
{
	struct fargs_error_text err;
	int ret = opt == 'e' ? fargs_event_wishes_add(&o->events, optarg, &err) :
			       fargs_event_wishes_filter(&o->events, optarg, &err);

	return ret ? cmd_usage_fail(o->verb, "%s: %s", opt == 'e' ? "-e" : "--filter", err.text) :
		     0;
}

static int take_guest_option(struct fargs_capture_options *o, int opt)
{
	struct fargs_error_text err;

	if (fargs_guest_options_add(&o->guests, opt == OPT_GUEST ? FARGS_GUEST_ONE :
				    opt == OPT_GUESTMOUNT ? FARGS_GUEST_MOUNT : FARGS_GUEST_ANY,
				    optarg, &err))
		return cmd_usage_fail(o->verb, "--guest: %s", err.text);
	return 0;
}

static int take_call_option(struct fargs_capture_options *o, int opt, const char *name)
{
	struct fargs_error_text err;
	int ret;

	if (opt == 's')
		ret = fargs_call_options_set_bytes(&o->calls, optarg, &err);
	else if (opt == OPT_RECORD_SIZE)
		ret = fargs_call_options_set_record_bytes(&o->calls, optarg, &err);
	else if (opt == 'D')
		ret = fargs_call_options_set_deref(&o->calls, optarg, &err);
	else if (opt == OPT_STACK)
		ret = fargs_call_options_set_stack(&o->calls, optarg, &err);
	else
		ret = fargs_call_options_add(&o->calls, opt - OPT_COMM, optarg, &err);
	if (!ret && keep_words(o, opt))
		return cmd_fail("no memory for options");
	return ret ? cmd_usage_fail(o->verb, "%s: %s", name, err.text) : 0;
}

/* Those of top. */
static int take_top_option(struct fargs_capture_options *o, int opt)
{
	struct fargs_error_text err;

	if (opt == 'b')
		o->live.is_batch = true;
	else if (opt == OPT_SORT)
		o->live.sort = optarg;
	else if (opt == OPT_TOP)
		o->live.top = optarg;
	else if (fargs_duration_parse(optarg, &o->live.interval_ns, &err))
		return cmd_usage_fail(o->verb, "--interval: %s", err.text);
	else if (o->live.interval_ns < INTERVAL_MIN_NS)
		return cmd_usage_fail(o->verb,
				      "--interval: nobody reads that fast: take 100ms or more");
	return 0;
}

/* Those of trace, and --duration. */
static int take_live_option(struct fargs_capture_options *o, int opt)
{
	const char *name = opt == OPT_JSON ? "--json" : opt == OPT_COUNT ? "--count" :
			   opt == OPT_COLOUR ? "--color" : "--duration";
	struct fargs_error_text err;
	int ret = 0;

	if (opt == OPT_DURATION) {
		ret = fargs_duration_parse(optarg, &o->duration_ns, &err);
		if (!ret && !o->duration_ns)
			return cmd_usage_fail(o->verb, "--duration: nothing happens in no time");
		return ret ? cmd_usage_fail(o->verb, "%s: %s", name, err.text) : 0;
	}
	if (strcmp(o->verb, "trace") && !(opt == OPT_COUNT && is_top(o)))
		return cmd_usage_fail(o->verb,
				      "%s is for fargs trace; a file is shown by fargs report",
				      name);
	if (opt == OPT_JSON)
		o->live.is_json = true;
	else if (opt == OPT_COUNT)
		ret = fargs_live_options_set_count(&o->live, optarg, &err);
	else
		ret = fargs_live_options_set_colour(&o->live, optarg, &err);
	return ret ? cmd_usage_fail(o->verb, "%s: %s", name, err.text) : 0;
}

static int take_flight_option(struct fargs_capture_options *o, int opt, const char *name)
{
	struct fargs_error_text err;
	int ret;

	if (opt == OPT_AFTER)
		ret = fargs_flight_options_set_after(&o->flight, optarg, &err);
	else if (opt == OPT_COUNT)
		ret = fargs_flight_options_set_count(&o->flight, optarg, &err);
	else
		ret = fargs_flight_options_set(&o->flight, optarg, &err);
	return ret ? cmd_usage_fail(o->verb, "%s: %s", name, err.text) : 0;
}

static int take_maxactive(struct fargs_capture_options *o)
{
	struct fargs_error_text err;
	uint64_t nr;

	if (fargs_size_parse(optarg, &nr, &err) || !nr || nr > INT32_MAX)
		return cmd_usage_fail(o->verb, "--maxactive: '%s' is not a number of calls",
				      optarg);
	o->maxactive = nr;
	return 0;
}

/* Those of record: what trace shows is no such file. */
static int take_file_option(struct fargs_capture_options *o, int opt)
{
	const char *name = opt == OPT_SYNC ? "--sync" :
			   opt == OPT_COMPRESS ? "--compress" : "--no-compress";
	struct fargs_error_text err;
	int ret = 0;

	if (strcmp(o->verb, "record"))
		return cmd_usage_fail(o->verb, "%s is for fargs record", name);
	if (opt == OPT_COMPRESS)
		ret = fargs_file_options_set_compress(&o->file, optarg, &err);
	else if (opt == OPT_SYNC)
		ret = fargs_file_options_set_sync(&o->file, optarg, &err);
	else
		o->file.level = 0;
	return ret ? cmd_usage_fail(o->verb, "%s: %s", name, err.text) : 0;
}

/* "SIZE", "SIZE,SIZE" or ",SIZE": the second one is Intel PT's. */
static int take_buffer(struct fargs_capture_options *o)
{
	char *comma = strchr(optarg, ',');
	struct fargs_error_text err;
	int ret = 0;

	if (comma) {
		*comma = '\0';
		ret = fargs_size_parse(comma + 1, &o->aux_bytes, &err);
		if (!ret && !o->aux_bytes)
			return cmd_usage_fail(o->verb, "-m: a buffer of 0 is impossible: "
					      "write a size like 4M");
	}
	if (!ret && (!comma || comma != optarg)) {
		ret = fargs_size_parse(optarg, &o->ring_bytes, &err);
		if (!ret && !o->ring_bytes)
			return cmd_usage_fail(o->verb, "-m: a buffer of 0 is impossible: "
					      "write a size like 4M");
	}
	/* The words are stored as the command line they were. */
	if (comma)
		*comma = ',';
	return ret ? cmd_usage_fail(o->verb, "-m: %s", err.text) : 0;
}

static int parse(struct fargs_capture_options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "after", required_argument, NULL, OPT_AFTER },
		{ "all", no_argument, NULL, 'a' },
		{ "batch", no_argument, NULL, 'b' },
		{ "btf", required_argument, NULL, OPT_BTF },
		{ "cgroup", required_argument, NULL, OPT_CGROUP },
		{ "color", optional_argument, NULL, OPT_COLOUR },
		{ "comm", required_argument, NULL, OPT_COMM },
		{ "compress", optional_argument, NULL, OPT_COMPRESS },
		{ "count", required_argument, NULL, OPT_COUNT },
		{ "cpu", required_argument, NULL, OPT_CPU },
		{ "deref", required_argument, NULL, 'D' },
		{ "duration", required_argument, NULL, OPT_DURATION },
		{ "event", required_argument, NULL, 'e' },
		{ "filter", required_argument, NULL, OPT_FILTER },
		{ "flight", optional_argument, NULL, OPT_FLIGHT },
		{ "follow", no_argument, NULL, OPT_FOLLOW },
		{ "graph", no_argument, NULL, 'g' },
		{ "guest", required_argument, NULL, OPT_GUEST },
		{ "guest-kallsyms", required_argument, NULL, OPT_GUEST_KALLSYMS },
		{ "guestmount", required_argument, NULL, OPT_GUESTMOUNT },
		{ "help", no_argument, NULL, 'h' },
		{ "interval", required_argument, NULL, OPT_INTERVAL },
		{ "json", no_argument, NULL, OPT_JSON },
		{ "maxactive", required_argument, NULL, OPT_MAXACTIVE },
		{ "min-duration", required_argument, NULL, OPT_MIN_DURATION },
		{ "no-compress", no_argument, NULL, OPT_NO_COMPRESS },
		{ "only-errors", no_argument, NULL, OPT_ONLY_ERRORS },
		{ "output", required_argument, NULL, 'o' },
		{ "pid", required_argument, NULL, OPT_PID },
		{ "pt", optional_argument, NULL, OPT_PT },
		{ "realtime", optional_argument, NULL, OPT_REALTIME },
		{ "record-size", required_argument, NULL, OPT_RECORD_SIZE },
		{ "size", required_argument, NULL, 's' },
		{ "sort", required_argument, NULL, OPT_SORT },
		{ "split", no_argument, NULL, OPT_SPLIT },
		{ "stack", optional_argument, NULL, OPT_STACK },
		{ "switches", no_argument, NULL, OPT_SWITCHES },
		{ "sync", required_argument, NULL, OPT_SYNC },
		{ "tid", required_argument, NULL, OPT_TID },
		{ "top", required_argument, NULL, OPT_TOP },
		{ "trigger", required_argument, NULL, OPT_TRIGGER },
		{ "trigger-tracepoint", required_argument, NULL, OPT_TRIGGER_TPOINT },
		{ "uid", required_argument, NULL, OPT_UID },
		{ "under", required_argument, NULL, OPT_UNDER },
		{ "verbose", no_argument, NULL, 'v' },
		{ "zeros", no_argument, NULL, OPT_ZEROS },
		{ }
	};
	struct fargs_error_text err;
	int opt, ret = 0;

	opterr = 0;
	while (!ret &&
	       (opt = getopt_long(argc, argv, "+:f:t:n:e:abgm:o:s:D:vh", longs, NULL)) != -1) {
		switch (opt) {
		case 'f':
			ret = fargs_list_add(&o->wanted, optarg);
			break;
		case 't':
			ret = fargs_list_add(&o->tpoints, optarg);
			break;
		case 'n':
			ret = fargs_list_add(&o->unwanted, optarg);
			break;
		case 'a':
			o->has_all = true;
			break;
		case 'g':
			o->calls.is_graph = true;
			break;
		case 'm':
			if (take_buffer(o))
				return 1;
			break;
		case OPT_PT:
			o->has_pt = true;
			o->pt_terms = optarg;
			break;
		case 'o':
			o->output = optarg;
			break;
		case 'e':
		case OPT_FILTER:
			if (take_event_option(o, opt))
				return 1;
			break;
		case OPT_GUEST:
		case OPT_GUEST_KALLSYMS:
		case OPT_GUESTMOUNT:
			if (take_guest_option(o, opt))
				return 1;
			break;
		case OPT_UNDER:
			ret = fargs_list_add(&o->under, optarg);
			break;
		case OPT_REALTIME:
			if (fargs_realtime_parse(&o->realtime, optarg, &err))
				return cmd_usage_fail(o->verb, "--realtime: %s", err.text);
			break;
		case OPT_SPLIT:
			o->flight.is_split = true;
			break;
		case OPT_TRIGGER:
			ret = fargs_list_add(&o->trigger, optarg);
			break;
		case OPT_TRIGGER_TPOINT:
			ret = fargs_list_add(&o->trigger_tpoints, optarg);
			break;
		case OPT_BTF:
			ret = fargs_list_add(&o->btf, optarg);
			break;
		case 's':
		case 'D':
		case OPT_COMM ... OPT_MIN_DURATION:
		case OPT_STACK:
		case OPT_RECORD_SIZE:
			if (take_call_option(o, opt, argv[optind - 1] == optarg ? argv[optind - 2] :
					     argv[optind - 1]))
				return 1;
			break;
		case 'b':
		case OPT_INTERVAL ... OPT_TOP:
			if (!is_top(o))
				return cmd_usage_fail(o->verb, "%s is for fargs top",
						      opt == 'b' ? "--batch" :
						      "--interval, --sort or --top");
			if (take_top_option(o, opt))
				return 1;
			break;
		case OPT_DURATION ... OPT_COLOUR:
			if (take_live_option(o, opt))
				return 1;
			break;
		case OPT_FLIGHT ... OPT_COUNT:
			/* Of what it shows, and of what it keeps. */
			if (opt == OPT_COUNT && strcmp(o->verb, "record")) {
				if (take_live_option(o, opt))
					return 1;
				break;
			}
			if (take_flight_option(o, opt, argv[optind - 1] == optarg ?
					       argv[optind - 2] : argv[optind - 1]))
				return 1;
			break;
		case OPT_MAXACTIVE:
			if (take_maxactive(o))
				return 1;
			break;
		case OPT_COMPRESS ... OPT_SYNC:
			if (take_file_option(o, opt))
				return 1;
			break;
		case OPT_FOLLOW:
			o->is_follow = true;
			o->calls.is_follow = true;
			break;
		case OPT_ONLY_ERRORS:
			o->calls.is_only_errors = true;
			break;
		case OPT_SWITCHES:
			o->has_switches = true;
			break;
		case OPT_ZEROS:
			o->has_zeros = true;
			break;
		case 'v':
			o->is_verbose = true;
			break;
		case 'h':
			o->is_help = true;
			return 0;
		default:
			return cmd_bad_option(o->verb, opt, argv);
		}
	}
	return ret ? cmd_fail("no memory for options") : 0;
}

/* Whose calls? */
static int check_tasks(struct fargs_capture_options *o)
{
	bool has_tasks = o->pids.nr || o->tids.nr;

	if (o->is_follow && !has_tasks)
		return cmd_usage_fail(o->verb, "--follow: whom? Give --pid or --tid; a command is "
				      "followed anyway");
	if (o->is_follow && o->has_all)
		return cmd_usage_fail(o->verb, "--follow is for some tasks, -a for all: leave out "
				      "one of them");
	if (!o->command && !o->is_follow && (has_tasks || is_top(o)))
		o->has_all = true;
	if (!o->has_all && !o->is_follow && !o->command)
		return cmd_usage_fail(o->verb,
				      "whose calls? Give a command behind --, or -a for those of "
				      "all tasks");
	return 0;
}

int fargs_capture_options_init(struct fargs_capture_options *o, int argc, char **argv)
{
	struct fargs_error_text err;

	memset(o, 0, sizeof(*o));
	o->verb = argv[0];
	o->argv = argv;
	fargs_file_options_init(&o->file);
	if (parse(o, argc, argv))
		return 1;
	if (o->is_help)
		return 0;
	if (fargs_call_options_finish(&o->calls, &err) ||
	    fargs_flight_options_finish(&o->flight, &err))
		return cmd_usage_fail(o->verb, "%s", err.text);

	if (!strcmp(argv[optind - 1], "--")) {
		if (optind == argc)
			return cmd_usage_fail(o->verb, "there is no command behind --");
		o->command = argv + optind;
	} else if (optind < argc) {
		/* Most likely a glob that the shell has expanded. */
		return cmd_usage_fail(o->verb,
				      "what is '%s'? Functions are given with -f (globs in quotes), "
				      "a command behind --", argv[optind]);
	}
	if (!o->wanted.nr && !o->tpoints.nr && !o->events.nr && !o->has_pt)
		return cmd_usage_fail(o->verb, "which functions? Give them with -f, or "
				      "tracepoints with -t");
	if (!o->wanted.nr && !o->tpoints.nr && (o->under.nr || o->trigger.nr || o->has_switches ||
						o->trigger_tpoints.nr || o->calls.is_graph))
		return cmd_usage_fail(o->verb, "%s goes with functions or tracepoints: give some "
				      "with -f or -t",
				      o->under.nr ? "--under" : o->trigger.nr ? "--trigger" :
				      o->trigger_tpoints.nr ? "--trigger-tracepoint" :
				      o->has_switches ? "--switches" : "-g");
	if ((o->tpoints.nr || o->trigger_tpoints.nr) && o->calls.is_only_errors)
		return cmd_usage_fail(o->verb, "--only-errors is of calls: a tracepoint returns "
				      "nothing");
	if (o->guests.nr && !o->events.nr)
		return cmd_usage_fail(o->verb, "--guest names functions in events of kvm: give "
				      "some with -e, like 'kvm:kvm_e*'");
	if (fargs_events_check(o, &err) || fargs_pt_check(o, &err))
		return cmd_usage_fail(o->verb, "%s", err.text);
	return check_tasks(o);
}

bool fargs_capture_options_has_trigger(const struct fargs_capture_options *o)
{
	return o->trigger.nr || o->trigger_tpoints.nr;
}

void fargs_capture_options_deinit(struct fargs_capture_options *o)
{
	fargs_list_deinit(&o->wanted);
	fargs_list_deinit(&o->tpoints);
	fargs_list_deinit(&o->unwanted);
	fargs_list_deinit(&o->under);
	fargs_list_deinit(&o->trigger);
	fargs_list_deinit(&o->trigger_tpoints);
	fargs_list_deinit(&o->btf);
	fargs_list_deinit(&o->pids);
	fargs_list_deinit(&o->tids);
	fargs_list_deinit(&o->cpus);
	fargs_list_deinit(&o->comms);
	fargs_event_wishes_deinit(&o->events);
	fargs_guest_options_deinit(&o->guests);
	fargs_call_options_deinit(&o->calls);
}
