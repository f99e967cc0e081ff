// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs list: shows what can be traced. Does not need the module.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/list.h"
#include "base/put.h"
#include "cmd/list_events.h"
#include "cmd/list_members.h"
#include "cmd/options/call.h"
#include "cmd/screen/selection.h"
#include "cmd/screen/cmd.h"
#include "cmd/screen/progress.h"
#include "cmd/screen/status_line.h"
#include "cmd/verbs.h"
#include "kernel/btf/proto.h"
#include "kernel/kernel.h"
#include "select/resolve/deferred.h"
#include "select/resolve/select.h"
#include "select/resolve/tpoints.h"
#include "kernel/tracefs.h"
#include "select/resolve/unloaded.h"
#include "session/traceable.h"

struct options {
	struct fargs_list wanted;
	struct fargs_list tpoints;
	struct fargs_event_rules events;
	struct fargs_list unwanted;
	struct fargs_list btf;
	bool has_proto;
	bool is_refused;
	bool is_only_errors;
	bool is_members;
};

static enum fargs_parsed parse(struct options *o, int argc, char **argv)
{
	struct fargs_operands operands;
	enum fargs_parsed parsed = fargs_options_parse(&fargs_verb_list, o, argc, argv, &operands);
	int status = 0;

	if (parsed != FARGS_PARSED)
		return parsed;
	if (operands.nr)
		status = cmd_usage_fail("list", "unexpected argument '%s': give a function with "
					"'-f'",
					operands.words[0]);
	else if (o->is_members && !o->wanted.nr && !o->tpoints.nr)
		status = cmd_usage_fail("list", "'--members' needs a function: give it with '-f'");
	else if (!o->wanted.nr && !o->tpoints.nr && !o->events.nr &&
		 fargs_list_add(&o->wanted, "*"))
		status = cmd_fail("no memory");
	return status ? FARGS_PARSED_WRONG : FARGS_PARSED;
}

static void print_name(const struct fargs_match *match, const char *text, bool is_deferred)
{
	/* BTF may come from an untrusted file, so the text is escaped. */
	fargs_print_escaped(stdout, text);
	if (match->sym->module)
		printf(" [%s%s]", match->sym->module, is_deferred ? ", not loaded" : "");
}

/* Orders functions of the kernel before those of modules, then by module, name and address. */
static int compare(const void *a, const void *b)
{
	const struct fargs_ksym *x = ((const struct fargs_match *)a)->sym;
	const struct fargs_ksym *y = ((const struct fargs_match *)b)->sym;
	int ret = strcmp(x->module ? x->module : "", y->module ? y->module : "");

	if (!ret)
		ret = strcmp(x->name, y->name);
	return ret ? ret : (x->addr > y->addr) - (x->addr < y->addr);
}

static void sort(struct fargs_match *matches, size_t nr)
{
	if (nr)
		qsort(matches, nr, sizeof(*matches), compare);
}

/* Sorts and prints the matches, with prototypes if @has_proto. Returns 0 or -ENOMEM. */
static int print_matches(struct fargs_select *sel, bool has_proto, bool is_deferred)
{
	struct fargs_proto *proto = NULL;
	const struct btf *btf = NULL;
	size_t i;

	sort(sel->matches, sel->nr_matches);
	for (i = 0; i < sel->nr_matches; i++) {
		const struct fargs_match *match = &sel->matches[i];
		const char *text = NULL;

		if (has_proto) {
			/* Functions of the same module use the same BTF, and are adjacent. */
			if (match->btf != btf) {
				fargs_proto_destroy(proto);
				btf = match->btf;
				proto = fargs_proto_create(btf);
				if (!proto)
					return -ENOMEM;
			}
			text = match->is_tpoint ?
			       fargs_proto_tpoint_text(proto, match->func_id, match->sym->name) :
			       fargs_proto_text(proto, match->func_id, match->sym->name);
		}
		print_name(match, text ? text : match->sym->name, is_deferred);
		putchar('\n');
	}
	fargs_proto_destroy(proto);
	return 0;
}

static void print_refused(struct fargs_select *sel, bool is_deferred)
{
	size_t i;

	sort(sel->refused, sel->nr_refused);
	for (i = 0; i < sel->nr_refused; i++) {
		print_name(&sel->refused[i], sel->refused[i].sym->name, is_deferred);
		printf(": %s\n", fargs_refusal_text(sel->refused[i].why));
	}
}

/*
 * Reports which selectors overlap, and how many functions cannot be traced. Prints to stderr,
 * because stdout contains only names.
 */
static void print_nr_refused(const struct fargs_select *sel)
{
	fargs_selection_print_overlaps(sel);
	if (sel->nr_refused)
		fprintf(stderr, "fargs: %zu more cannot be traced ('--refused' lists them)\n",
			sel->nr_refused);
}

static int print(const struct options *o, struct fargs_select *sel, bool is_deferred)
{
	fargs_status_line_hide();
	if (o->is_refused)
		print_refused(sel, is_deferred);
	else if (print_matches(sel, o->has_proto, is_deferred))
		return cmd_fail("no memory for prototypes");
	return 0;
}

static int list_selected(const struct options *o, struct fargs_kernel *kernel,
			 const struct fargs_rules *rules, const struct fargs_deferred *deferred)
{
	struct fargs_rules loaded = *rules;
	struct fargs_select *sel = NULL;
	struct fargs_error_text err;
	size_t i;
	int ret = 0;

	loaded.wanted = deferred->wanted;
	loaded.nr_wanted = deferred->nr_wanted;
	if (deferred->nr_wanted) {
		sel = fargs_traceable_select(kernel, &loaded, o->is_refused, &err);
		cmd_complain(kernel->btfs);
		if (!sel)
			return cmd_fail("%s", err.text);
		if (!kernel->avail)
			cmd_fail("warning: %s; some of these functions may not be traceable",
				 kernel->avail_err.text);
		ret = print(o, sel, false);
	}
	for (i = 0; !ret && i < deferred->nr_modules; i++)
		ret = print(o, deferred->modules[i].sel, true);
	if (fflush(stdout) && errno != EPIPE)
		ret = cmd_fail("cannot write: %s", strerror(errno));
	else if (!o->is_refused && !ret && sel)
		print_nr_refused(sel);
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
		.tracefs = fargs_tracefs_dir(NULL),
	};
	struct fargs_rules rules __cleanup_with(fargs_rules_deinit);
	struct fargs_tpoints tpoints = { };
	struct fargs_error_text err;
	int ret = 0;
	size_t i;

	if (fargs_rules_init(&rules, &patterns, &err) ||
	    fargs_tpoints_init(&tpoints, &rules, kernel, o->is_refused, &err))
		ret = cmd_fail("%s", err.text);
	else if (tpoints.sel)
		ret = print(o, tpoints.sel, false);
	for (i = 0; !ret && i < tpoints.deferred.nr_modules; i++)
		ret = print(o, tpoints.deferred.modules[i].sel, true);
	cmd_complain(kernel->btfs);
	if (fflush(stdout) && errno != EPIPE)
		ret = cmd_fail("cannot write: %s", strerror(errno));
	else if (!o->is_refused && !ret && tpoints.sel)
		print_nr_refused(tpoints.sel);
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
	struct fargs_rules rules __cleanup_with(fargs_rules_deinit) = { };
	struct fargs_deferred deferred = { };
	struct fargs_error_text err;
	int ret;

	fargs_progress_tell_reading();
	if (fargs_kernel_init(kernel, &o->btf, &err))
		return cmd_fail("%s", err.text);
	if (o->is_members) {
		fargs_status_line_hide();
		ret = fargs_list_members(&o->wanted, false, kernel);
		return ret ? ret : fargs_list_members(&o->tpoints, true, kernel);
	}
	if (fargs_rules_init(&rules, &patterns, &err) ||
	    fargs_deferred_init(&deferred, &rules, kernel, &err))
		ret = cmd_fail("%s", err.text);
	else
		ret = list_selected(o, kernel, &rules, &deferred);
	fargs_deferred_deinit(&deferred);
	return ret ? ret : list_tpoints(o, kernel);
}

static int run(int argc, char **argv)
{
	struct options o = { };
	struct fargs_kernel kernel = { };
	enum fargs_parsed parsed = parse(&o, argc, argv);
	int status = parsed == FARGS_PARSED_WRONG;

	if (parsed == FARGS_PARSED) {
		status = o.wanted.nr || o.tpoints.nr ? list(&o, &kernel) : 0;
		fargs_status_line_hide();
		fargs_kernel_deinit(&kernel);
		if (!status)
			status = fargs_list_events(&o.events, o.has_proto);
	}
	fargs_event_rules_deinit(&o.events);
	fargs_list_deinit(&o.wanted);
	fargs_list_deinit(&o.tpoints);
	fargs_list_deinit(&o.unwanted);
	fargs_list_deinit(&o.btf);
	return status;
}

static int take_event(void *to, const char *value, struct fargs_error_text *err)
{
	struct options *o = to;

	return fargs_event_rules_add(&o->events, value, err);
}

static const struct fargs_option options[] = {
	{ 'f', NULL, "SELECTOR", "list only matching functions: GLOB or MODULE:GLOB, see "
	  "fargs-select(7)",
	  .offer = FARGS_OFFER_SELECTORS, FARGS_OPTION_ADDS(struct options, wanted) },
	{ 't', NULL, "SELECTOR", "list matching tracepoints: '*' for all of them",
	  .offer = FARGS_OFFER_TPOINTS, FARGS_OPTION_ADDS(struct options, tpoints) },
	{ 'e', NULL, "SYSTEM:EVENT", "list matching formatted events of the kernel: '*:*' for all "
	  "of them", FARGS_OPTION_REPEATS, .offer = FARGS_OFFER_EVENTS, .take = take_event },
	{ 'n', NULL, "GLOB", "exclude matching functions and tracepoints",
	  .offer = FARGS_OFFER_FUNCTIONS, FARGS_OPTION_ADDS(struct options, unwanted) },
	{ 'p', "proto", NULL, "also print prototypes, or the fields of events",
	  FARGS_OPTION_SETS(struct options, has_proto) },
	{ 0, "members", NULL, "list the arguments of the first match; with -f "
	  "'FUNCTION(EXPRESSION)' the members of what EXPRESSION is or points to",
	  FARGS_OPTION_SETS(struct options, is_members) },
	{ 0, "only-errors", NULL, "list only functions whose return type can be an error",
	  FARGS_OPTION_SETS(struct options, is_only_errors) },
	{ 0, "refused", NULL, "list functions that cannot be traced instead, and why",
	  FARGS_OPTION_SETS(struct options, is_refused) },
	{ 0, "btf", "FILE", "use this BTF for a kernel or module that has none; or a directory of "
	  "BTF files by kernel release",
	  .offer = FARGS_OFFER_FILES, FARGS_OPTION_ADDS(struct options, btf) },
	{ 'h', "help", NULL, "print this help", .kind = FARGS_OPTION_HELP },
	FARGS_OPTION_END
};

static const struct fargs_option_group groups[] = {
	{ "Options", .options = options },
	{ }
};

const struct fargs_verb fargs_verb_list = {
	.name = "list",
	.what = "show what can be traced",
	.usage = "[OPTION...]",
	.about = "Shows the functions, or with -t the tracepoints, that can be traced.",
	.is_in_front = true,
	.groups = groups,
	.run = run,
};
