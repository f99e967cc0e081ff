// SPDX-License-Identifier: GPL-2.0-only
#include "capture/pt_filter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/plural.h"
#include "base/size.h"

/* The filter of all traced functions. */
#define TRACED	"traced"

static bool is_traced(const struct fargs_capture_request *r)
{
	return r->pt_filters.nr == 1 && !strcmp(r->pt_filters.words[0], TRACED);
}

#define fail(err, code, ...)	fargs_capture_fail(err, FARGS_FAULT_PT_FILTER, code, __VA_ARGS__)

static int check_traced(const struct fargs_capture_request *r, struct fargs_capture_error *err)
{
	if (!r->wanted.nr)
		return fail(err, EINVAL, "'" TRACED "' are the functions of '-f': give some");
	return 0;
}

/* The kernel refuses these, too, but without saying why. */
static int check_filters(const struct fargs_pt *pt, struct fargs_capture_error *err)
{
	const struct fargs_pt_filters *filters = &pt->filters;
	size_t i, max = pt->pmu.caps.nr_address_ranges;

	if (filters->nr > max)
		return fail(err, EINVAL, "%zu filters are given, but this CPU's Intel PT has %zu "
			    "address range%s", filters->nr, max, fargs_plural(max));
	for (i = 0; i < filters->nr; i++) {
		if (!filters->all[i].is_range)
			return fail(err, EOPNOTSUPP, "Intel PT has ranges only, not single "
				    "addresses: give a size after '/', or 'filter' or 'tracestop'");
		if (!filters->all[i].object && !pt->terms.is_kernel)
			return fail(err, EINVAL, "a filter without '@FILE' is for the kernel, "
				    "which is not traced: remove '/u' from '--pt'");
		if (filters->all[i].object && !pt->terms.is_user)
			return fail(err, EINVAL, "a filter with '@FILE' is for programs, which are "
				    "not traced: give '/u' in '--pt'");
	}
	return 0;
}

int fargs_pt_filter_choose(struct fargs_pt *pt, const struct fargs_capture_request *r,
			   struct fargs_capture_error *err)
{
	size_t i;
	int ret = 0;

	if (!r->pt_filters.nr)
		return 0;
	if (!pt->pmu.caps.nr_address_ranges)
		return fail(err, EOPNOTSUPP, "this CPU's Intel PT has no address filters");
	if (is_traced(r))
		return check_traced(r, err);
	for (i = 0; !ret && i < r->pt_filters.nr; i++)
		ret = fargs_pt_filters_parse(&pt->filters, r->pt_filters.words[i], &err->text);
	if (ret)
		err->fault = FARGS_FAULT_PT_FILTER;
	return ret ? ret : check_filters(pt, err);
}

/* Reports the ranges, which may contain more than the traced functions. */
static void report_traced(const struct fargs_pt *pt, size_t nr, uint64_t nr_bytes,
			  const struct fargs_capture_hooks *hooks)
{
	struct fargs_capture_note note = { .kind = FARGS_NOTE_PT_FILTER };
	char text[128], size[32];

	snprintf(text, sizeof(text), "Intel PT of %zu traced function%s, in %zu of %u address "
		 "range%s (%s)", nr, fargs_plural(nr), pt->filters.nr,
		 pt->pmu.caps.nr_address_ranges, fargs_plural(pt->pmu.caps.nr_address_ranges),
		 fargs_size_exact(nr_bytes, size, sizeof(size)));
	note.name = text;
	hooks->note(hooks->arg, &note);
}

static int add_traced(struct fargs_pt *pt, const struct fargs_meta *meta,
		      const struct fargs_capture_hooks *hooks, struct fargs_capture_error *err)
{
	uint64_t *addrs __cleanup_free = calloc(meta->nr_funcs + 1, sizeof(*addrs)), nr_bytes;
	size_t i;
	int ret;

	if (!addrs)
		return fargs_fail(&err->text, ENOMEM, "out of memory");
	for (i = 0; i < meta->nr_funcs; i++)
		addrs[i] = meta->funcs[i].addr;
	if (!meta->nr_funcs)
		return fargs_fail(&err->text, ENOENT, "no function is traced");
	ret = fargs_pt_filters_add_functions(&pt->filters, addrs, meta->nr_funcs,
					     pt->pmu.caps.nr_address_ranges, meta->ksyms,
					     &nr_bytes, &err->text);
	if (!ret)
		report_traced(pt, meta->nr_funcs, nr_bytes, hooks);
	return ret ? ret : check_filters(pt, err);
}

/* The kernel knows where a file is mapped only for the tasks of an event. */
static int check_tasks(const struct fargs_pt *pt, struct fargs_capture_error *err)
{
	const struct fargs_pt_tasks *tasks = &pt->options.tasks;
	size_t i;

	for (i = 0; i < pt->filters.nr; i++) {
		if (!pt->filters.all[i].object)
			continue;
		if (!tasks->nr)
			return fail(err, EOPNOTSUPP, "a filter with '@FILE' is only for some "
				    "tasks: add '--pt-tasks'");
		if (tasks->is_cgroup)
			return fail(err, EOPNOTSUPP, "a filter with '@FILE' is not for a cgroup: "
				    "give a command, '--pid', '--tid' or '--uid'");
	}
	return 0;
}

static void log_filter(const struct fargs_pt *pt)
{
	char *line;

	if (!pt->options.log.line || asprintf(&line, "address filter: %s", pt->filter) < 0)
		return;
	pt->options.log.line(pt->options.log.arg, line);
	free(line);
}

int fargs_pt_filter_resolve(struct fargs_pt *pt, const struct fargs_capture_request *r,
			    const struct fargs_meta *meta, const struct fargs_capture_hooks *hooks,
			    struct fargs_capture_error *err)
{
	int ret;

	if (!r->pt_filters.nr)
		return 0;
	err->fault = FARGS_FAULT_PT_FILTER;
	ret = check_tasks(pt, err);
	if (ret)
		return ret;
	ret = is_traced(r) ? add_traced(pt, meta, hooks, err) :
			     fargs_pt_filters_resolve(&pt->filters, meta->ksyms, &err->text);
	if (ret)
		return ret;
	pt->filter = fargs_pt_filters_text(&pt->filters);
	if (!pt->filter)
		return fargs_fail(&err->text, ENOMEM, "out of memory");
	pt->options.filter = pt->filter;
	log_filter(pt);
	err->fault = FARGS_FAULT_OTHER;
	return 0;
}
