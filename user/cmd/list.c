// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs list: what can be traced. Needs no module.
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <string.h>

#include "kernel/btf/proto.h"
#include "cmd/options/call.h"
#include "cmd/screen/choice.h"
#include "cmd/screen/cmd.h"
#include "kernel/kernel.h"
#include "select/resolve/late.h"
#include "select/resolve/tpoints.h"
#include "session/traceable.h"
#include "select/resolve/unloaded.h"
#include "select/resolve/select.h"
#include "cmd/list_events.h"
#include "cmd/list_members.h"
#include "base/put.h"
#include "base/list.h"

static const char usage[] =
	"Usage: fargs list [-f SELECTOR]... [-t SELECTOR]... [-e SYSTEM:EVENT]... [-n GLOB]...\n"
	"                  [--proto] [--members] [--refused] [--btf FILE]...\n"
	"Shows the functions, or with -t the tracepoints, that can be traced, by address.\n\n"
	"  -f SELECTOR  only those that match: MODULE:GLOB, or more, see fargs-select(7)\n"
	"  -t SELECTOR  tracepoints that match: '*' for all of them\n"
	"  -e SYSTEM:EVENT  the kernel's formatted events that match: '*:*' for all of them\n"
	"  -n GLOB      not those that match (-f, -t)\n"
	"  -p, --proto  with their prototypes, or fields\n"
	"      --members  of the first that matches, its arguments; of -f 'FUNCTION(EXPRESSION)'\n"
	"               the members of what that is, or points to\n"
	"      --only-errors  those that can return an error, by their type\n"
	"      --refused  those that cannot be traced instead, and why\n"
	"      --btf FILE  BTF of the kernel or of a module that has none, or a directory\n"
	"               of such files by kernel release\n"
	"  -h, --help   this text";

struct options {
	struct fargs_list wanted;
	struct fargs_list tpoints;
	struct fargs_event_wishes events;
	struct fargs_list unwanted;
	struct fargs_list btf;
	bool has_proto;
	bool is_refused;
	bool is_only_errors;
	bool is_members;
};

enum { OPT_REFUSED = 256, OPT_BTF, OPT_ONLY_ERRORS, OPT_MEMBERS };

/* 0: go on; else the program ends with what is in *@status. */
static int parse(struct options *o, int argc, char **argv, int *status)
{
	static const struct option longs[] = {
		{ "btf", required_argument, NULL, OPT_BTF },
		{ "members", no_argument, NULL, OPT_MEMBERS },
		{ "only-errors", no_argument, NULL, OPT_ONLY_ERRORS },
		{ "proto", no_argument, NULL, 'p' },
		{ "refused", no_argument, NULL, OPT_REFUSED },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	struct fargs_error_text err;
	int opt, ret = 0;

	opterr = 0;
	*status = 1;
	while (!ret && (opt = getopt_long(argc, argv, "+:f:t:e:n:ph", longs, NULL)) != -1) {
		switch (opt) {
		case 'f':
			ret = fargs_list_add(&o->wanted, optarg);
			break;
		case 't':
			ret = fargs_list_add(&o->tpoints, optarg);
			break;
		case 'e':
			if (fargs_event_wishes_add(&o->events, optarg, &err))
				return cmd_usage_fail("list", "-e: %s", err.text);
			break;
		case 'n':
			ret = fargs_list_add(&o->unwanted, optarg);
			break;
		case 'p':
			o->has_proto = true;
			break;
		case OPT_BTF:
			ret = fargs_list_add(&o->btf, optarg);
			break;
		case OPT_MEMBERS:
			o->is_members = true;
			break;
		case OPT_ONLY_ERRORS:
			o->is_only_errors = true;
			break;
		case OPT_REFUSED:
			o->is_refused = true;
			break;
		case 'h':
			puts(usage);
			*status = 0;
			return 1;
		default:
			return cmd_bad_option("list", opt, argv);
		}
	}
	if (!ret && optind < argc)
		return cmd_usage_fail("list", "what is '%s'? A function is given with -f",
				      argv[optind]);
	if (o->is_members && !o->wanted.nr && !o->tpoints.nr)
		return cmd_usage_fail("list", "--members: of which function? Give it with -f");
	if (!ret && !o->wanted.nr && !o->tpoints.nr && !o->events.nr)
		ret = fargs_list_add(&o->wanted, "*");
	return ret ? cmd_fail("no memory") : 0;
}

static void print_name(const struct fargs_pick *pick, const char *text, bool is_late)
{
	/* BTF may come out of any file. */
	fargs_print_escaped(stdout, text);
	if (pick->sym->module)
		printf(" [%s%s]", pick->sym->module, is_late ? ", not loaded" : "");
}

/* 0, or -ENOMEM. */
static int print_picks(const struct fargs_select *sel, bool has_proto, bool is_late)
{
	struct fargs_proto *proto = NULL;
	const struct btf *btf = NULL;
	size_t i;

	for (i = 0; i < sel->nr_picks; i++) {
		const struct fargs_pick *pick = &sel->picks[i];
		const char *text = NULL;

		if (has_proto) {
			/* The functions of a module lie side by side. */
			if (pick->btf != btf) {
				fargs_proto_destroy(proto);
				btf = pick->btf;
				proto = fargs_proto_create(btf);
				if (!proto)
					return -ENOMEM;
			}
			text = pick->is_tpoint ?
			       fargs_proto_tpoint_text(proto, pick->func_id, pick->sym->name) :
			       fargs_proto_text(proto, pick->func_id, pick->sym->name);
		}
		print_name(pick, text ? text : pick->sym->name, is_late);
		putchar('\n');
	}
	fargs_proto_destroy(proto);
	return 0;
}

static void print_refused(const struct fargs_select *sel, bool is_late)
{
	size_t i;

	for (i = 0; i < sel->nr_refused; i++) {
		print_name(&sel->refused[i], sel->refused[i].sym->name, is_late);
		printf(": %s\n", fargs_refusal_text(sel->refused[i].why));
	}
}

/* On stderr: stdout is names, and nothing else. */
static void tell_refused(const struct fargs_select *sel)
{
	fargs_choice_tell_overlaps(sel);
	if (sel->nr_refused)
		fprintf(stderr, "fargs: %zu more cannot be traced (--refused lists them)\n",
			sel->nr_refused);
}

static int print(const struct options *o, const struct fargs_select *sel, bool is_late)
{
	if (o->is_refused)
		print_refused(sel, is_late);
	else if (print_picks(sel, o->has_proto, is_late))
		return cmd_fail("no memory for prototypes");
	return 0;
}

static int list_selected(const struct options *o, struct fargs_kernel *kernel,
			 const struct fargs_patterns *patterns, const struct fargs_late *late)
{
	struct fargs_patterns loaded = *patterns;
	struct fargs_select *sel = NULL;
	struct fargs_error_text err;
	size_t i;
	int ret = 0;

	loaded.wanted = late->wanted;
	loaded.nr_wanted = late->nr_wanted;
	if (late->nr_wanted) {
		sel = fargs_traceable_select(kernel, &loaded, o->is_refused, &err);
		cmd_complain(kernel->btfs);
		if (!sel)
			return cmd_fail("%s", err.text);
		if (!kernel->avail)
			cmd_fail("warning: %s; some of these may be untraceable",
				 kernel->avail_err.text);
		ret = print(o, sel, false);
	}
	for (i = 0; !ret && i < late->nr_modules; i++)
		ret = print(o, late->modules[i].sel, true);
	if (fflush(stdout) && errno != EPIPE)
		ret = cmd_fail("cannot write: %s", strerror(errno));
	else if (!o->is_refused && !ret && sel)
		tell_refused(sel);
	fargs_select_destroy(sel);
	return ret;
}

static int list_tpoints(const struct options *o, const struct fargs_kernel *kernel)
{
	const struct fargs_patterns patterns = {
		.wanted = o->tpoints.words, .nr_wanted = o->tpoints.nr,
		.unwanted = o->unwanted.words, .nr_unwanted = o->unwanted.nr,
		.is_tpoint = true,
		.unloaded = fargs_unloaded_ask,
	};
	struct fargs_tpoints tpoints;
	struct fargs_error_text err;
	int ret = 0;
	size_t i;

	if (fargs_tpoints_init(&tpoints, &patterns, kernel, o->is_refused, &err))
		ret = cmd_fail("%s", err.text);
	else if (tpoints.sel)
		ret = print(o, tpoints.sel, false);
	for (i = 0; !ret && i < tpoints.late.nr_modules; i++)
		ret = print(o, tpoints.late.modules[i].sel, true);
	cmd_complain(kernel->btfs);
	if (fflush(stdout) && errno != EPIPE)
		ret = cmd_fail("cannot write: %s", strerror(errno));
	else if (!o->is_refused && !ret && tpoints.sel)
		tell_refused(tpoints.sel);
	fargs_tpoints_deinit(&tpoints);
	return ret;
}

static int list(const struct options *o, struct fargs_kernel *kernel)
{
	const struct fargs_call_options calls = { .is_only_errors = o->is_only_errors };
	const struct fargs_bind_options bind = fargs_call_options_bind(&calls, 1000000);
	const struct fargs_patterns patterns = {
		.wanted = o->wanted.words, .nr_wanted = o->wanted.nr,
		.unwanted = o->unwanted.words, .nr_unwanted = o->unwanted.nr,
		.options = &bind,
		.unloaded = fargs_unloaded_ask,
	};
	struct fargs_error_text err;
	struct fargs_late late;
	int ret;

	if (fargs_kernel_init(kernel, &o->btf, &err))
		return cmd_fail("%s", err.text);
	if (o->is_members) {
		ret = fargs_list_members(&o->wanted, false, kernel);
		return ret ? ret : fargs_list_members(&o->tpoints, true, kernel);
	}
	ret = fargs_late_init(&late, &patterns, kernel, &err) ? cmd_fail("%s", err.text) :
	      list_selected(o, kernel, &patterns, &late);
	fargs_late_deinit(&late);
	return ret ? ret : list_tpoints(o, kernel);
}

int cmd_list(int argc, char **argv)
{
	struct options o = { };
	struct fargs_kernel kernel = { };
	int status;

	if (!parse(&o, argc, argv, &status)) {
		status = o.wanted.nr || o.tpoints.nr ? list(&o, &kernel) : 0;
		fargs_kernel_deinit(&kernel);
		if (!status)
			status = fargs_list_events(&o.events, o.has_proto);
	}
	fargs_event_wishes_deinit(&o.events);
	fargs_list_deinit(&o.wanted);
	fargs_list_deinit(&o.tpoints);
	fargs_list_deinit(&o.unwanted);
	fargs_list_deinit(&o.btf);
	return status;
}
