// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs list: what can be traced. Needs no module.
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <string.h>

#include "btf/proto.h"
#include "cmd.h"
#include "ctl/kernel.h"
#include "layout/select.h"
#include "util/list.h"

static const char usage[] =
	"Usage: fargs list [-f SELECTOR]... [-n GLOB]... [--proto] [--refused] [--btf FILE]...\n"
	"Shows the functions that can be traced, by address.\n\n"
	"  -f SELECTOR  only those that match: MODULE:GLOB, or more, see fargs-select(7)\n"
	"  -n GLOB      not those that match\n"
	"  -p, --proto  with their prototypes\n"
	"      --refused  those that cannot be traced instead, and why\n"
	"      --btf FILE  BTF of the kernel or of a module that has none, or a directory\n"
	"               of such files by kernel release\n"
	"  -h, --help   this text";

struct options {
	struct fargs_list wanted;
	struct fargs_list unwanted;
	struct fargs_list btf;
	bool has_proto;
	bool is_refused;
};

enum { OPT_REFUSED = 256, OPT_BTF };

/* 0: go on; else the program ends with what is in *@status. */
static int parse(struct options *o, int argc, char **argv, int *status)
{
	static const struct option longs[] = {
		{ "btf", required_argument, NULL, OPT_BTF },
		{ "proto", no_argument, NULL, 'p' },
		{ "refused", no_argument, NULL, OPT_REFUSED },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int opt, ret = 0;

	opterr = 0;
	*status = 1;
	while (!ret && (opt = getopt_long(argc, argv, "+:f:n:ph", longs, NULL)) != -1) {
		switch (opt) {
		case 'f':
			ret = fargs_list_add(&o->wanted, optarg);
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
	if (!ret && !o->wanted.nr)
		ret = fargs_list_add(&o->wanted, "*");
	return ret ? cmd_fail("no memory") : 0;
}

static void print_name(const struct fargs_pick *pick, const char *text)
{
	if (pick->sym->module)
		printf("%s [%s]", text, pick->sym->module);
	else
		fputs(text, stdout);
}

/* 0, or -ENOMEM. */
static int print_picks(const struct fargs_select *sel, bool has_proto)
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
			text = fargs_proto_text(proto, pick->func_id, pick->sym->name);
		}
		print_name(pick, text ? text : pick->sym->name);
		putchar('\n');
	}
	fargs_proto_destroy(proto);
	return 0;
}

static void print_refused(const struct fargs_select *sel)
{
	size_t i;

	for (i = 0; i < sel->nr_refused; i++) {
		print_name(&sel->refused[i], sel->refused[i].sym->name);
		printf(": %s\n", fargs_refusal_text(sel->refused[i].why));
	}
}

/* On stderr: stdout is names, and nothing else. */
static void tell_refused(const struct fargs_select *sel)
{
	if (sel->nr_refused)
		fprintf(stderr, "fargs: %zu more cannot be traced (--refused lists them)\n",
			sel->nr_refused);
}

static int list(const struct options *o, struct fargs_kernel *kernel)
{
	const struct fargs_patterns patterns = {
		.wanted = o->wanted.words, .nr_wanted = o->wanted.nr,
		.unwanted = o->unwanted.words, .nr_unwanted = o->unwanted.nr,
	};
	struct fargs_error_text err;
	struct fargs_select *sel;
	int ret = 0;

	if (fargs_kernel_init(kernel, &o->btf, &err))
		return cmd_fail("%s", err.text);
	if (o->is_refused)
		sel = fargs_select_survey(&patterns, kernel->ksyms, kernel->btfs, kernel->avail,
					  &err);
	else
		sel = fargs_select_create(&patterns, kernel->ksyms, kernel->btfs, kernel->avail,
					  &err);
	cmd_complain(kernel->btfs);
	if (!sel)
		return cmd_fail("%s", err.text);
	if (!kernel->avail)
		cmd_fail("warning: %s; some of these may be untraceable", kernel->avail_err.text);
	if (o->is_refused)
		print_refused(sel);
	else if (print_picks(sel, o->has_proto))
		ret = cmd_fail("no memory for prototypes");
	if (fflush(stdout) && errno != EPIPE)
		ret = cmd_fail("cannot write: %s", strerror(errno));
	else if (!o->is_refused && !ret)
		tell_refused(sel);
	fargs_select_destroy(sel);
	return ret;
}

int cmd_list(int argc, char **argv)
{
	struct options o = { };
	struct fargs_kernel kernel = { };
	int status;

	if (!parse(&o, argc, argv, &status)) {
		status = list(&o, &kernel);
		fargs_kernel_deinit(&kernel);
	}
	fargs_list_deinit(&o.wanted);
	fargs_list_deinit(&o.unwanted);
	fargs_list_deinit(&o.btf);
	return status;
}
