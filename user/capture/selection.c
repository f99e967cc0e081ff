// SPDX-License-Identifier: GPL-2.0-only
#include "capture/selection.h"

#include <errno.h>
#include <unistd.h>

#include "kernel/tracefs.h"
#include "select/resolve/returns.h"
#include "select/resolve/unloaded.h"
#include "session/traceable.h"

static int parse_functions(struct fargs_selection *c, const struct fargs_capture_request *r,
			   struct fargs_error_text *err)
{
	const struct fargs_patterns patterns = {
		.wanted = r->wanted.words, .nr_wanted = r->wanted.nr,
		.unwanted = r->unwanted.words, .nr_unwanted = r->unwanted.nr,
		.scopes = r->under.words, .nr_scopes = r->under.nr, .is_any = r->is_any,
		.triggers = r->trigger.words, .nr_triggers = r->trigger.nr,
		.options = &c->bind,
		.unloaded = fargs_unloaded_ask, .missing = &c->missing,
	};

	c->bind = r->bind;
	return fargs_rules_init(&c->rules, &patterns, err);
}

static int parse_tpoints(struct fargs_selection *c, const struct fargs_capture_request *r,
			 struct fargs_error_text *err)
{
	const struct fargs_patterns patterns = {
		.wanted = r->tpoints.words, .nr_wanted = r->tpoints.nr,
		.unwanted = r->unwanted.words, .nr_unwanted = r->unwanted.nr,
		.triggers = r->trigger_tpoints.words, .nr_triggers = r->trigger_tpoints.nr,
		.is_tpoint = true,
		.options = &c->tpoint_bind,
		.unloaded = fargs_unloaded_ask, .missing = &c->missing,
		.tracefs = fargs_tracefs_dir(NULL),
	};

	c->tpoint_bind = r->bind;
	/* Tracepoints have no returns: a graph shows them between calls. */
	c->tpoint_bind.is_graph = false;
	return fargs_rules_init(&c->tpoint_rules, &patterns, err);
}

int fargs_selection_read(struct fargs_selection *c, const struct fargs_capture_request *r,
			 struct fargs_error_text *err)
{
	int ret = parse_functions(c, r, err);

	c->missing.is_ok = r->is_missing_ok;
	c->btf = &r->btf;
	c->returns = r->returns;
	return ret ? ret : parse_tpoints(c, r, err);
}

/*
 * Fails with -E2BIG, because @nr functions need a return probe, but only @max can have one. The
 * message begins with @selected, @nr, " functions" and @recorded, in this order.
 */
static int fail_returns(const char *selected, size_t nr, const char *recorded, uint32_t max,
			struct fargs_error_text *err)
{
	return fargs_fail(err, E2BIG, "%s%zu functions%s to be recorded, but this kernel has "
			  "return probes for at most %u: select fewer functions; or leave out '-g' "
			  "and '->', which need the return; or record the returns of %u functions "
			  "and only the entries of the rest with '--returns %u'; or use a kernel "
			  "with fprobe (Linux 6.6 or later)", selected, nr, recorded, max, max,
			  max);
}

/*
 * Fails if the names of the functions prove that too many functions with return probes are
 * selected. This check runs before BTF is read and layouts are made, which takes most of the time.
 * It is skipped if vmlinux has no BTF, or if BTF files were given, because names then prove
 * nothing.
 */
static int check_names(const struct fargs_selection *c, uint32_t max,
		       struct fargs_error_text *err)
{
	struct fargs_avail *avail;
	bool are_many;
	size_t nr;

	if (!max || c->returns || c->btf->nr ||
	    access(FARGS_BTF_SYSFS "/" FARGS_BTF_VMLINUX, R_OK) ||
	    !fargs_returns_may_be_many(&c->rules, c->kernel.ksyms, max))
		return 0;
	avail = fargs_avail_load(NULL);
	if (!avail)
		return 0;
	are_many = fargs_returns_are_many(&c->rules, c->kernel.ksyms, avail, max, &nr);
	fargs_avail_destroy(avail);
	if (!are_many)
		return 0;
	return fail_returns("", nr, " that ftrace can trace match, and their returns are", max,
			    err);
}

int fargs_selection_load(struct fargs_selection *c, const struct fargs_info *info,
			 struct fargs_error_text *err)
{
	int ret = fargs_kernel_load_symbols(&c->kernel, err);

	if (!ret)
		ret = check_names(c, info->returns_max, err);
	return ret ? ret : fargs_kernel_load_btf(&c->kernel, c->btf, err);
}

/* Warns about BTF that exists but was not used. */
static void warn_of_btf(const struct fargs_selection *c, const struct fargs_capture_hooks *hooks)
{
	struct fargs_capture_note note = { .kind = FARGS_NOTE_WARNING };
	size_t i;

	for (i = 0; (note.name = fargs_btfs_complaint(c->kernel.btfs, i)); i++)
		hooks->note(hooks->arg, &note);
}

static int find_tpoints(struct fargs_selection *c, const struct fargs_capture_hooks *hooks,
			struct fargs_error_text *err)
{
	int ret = fargs_tpoints_init(&c->tpoints, &c->tpoint_rules, &c->kernel, false, err);

	warn_of_btf(c, hooks);
	return ret;
}

static int find_functions(struct fargs_selection *c, const struct fargs_capture_hooks *hooks,
			  struct fargs_error_text *err)
{
	struct fargs_rules present = c->rules;

	present.wanted = c->deferred.wanted;
	present.nr_wanted = c->deferred.nr_wanted;
	if (!present.nr_wanted && !present.nr_scopes && !present.nr_triggers)
		return 0;
	c->sel = fargs_traceable_select(&c->kernel, &present, false, err);
	warn_of_btf(c, hooks);
	if (!c->sel)
		return -EINVAL;
	/* All selectors were skipped. */
	if (!c->sel->nr_matches) {
		fargs_select_destroy(c->sel);
		c->sel = NULL;
	}
	return 0;
}

static size_t count_deferred_returns(const struct fargs_selection *c)
{
	size_t i, nr = 0;

	for (i = 0; i < c->deferred.nr_modules; i++)
		nr += fargs_returns_count(c->deferred.modules[i].sel);
	return nr;
}

/*
 * Checks that at most @max functions have a return probe. If there are more, fails or, with
 * --returns, records only the entries of the others. The module would check the number only for
 * each batch of layouts. Functions of modules that are not loaded keep their return probes, because
 * a selector names their module.
 */
static int check_returns(struct fargs_selection *c, uint32_t max, struct fargs_error_text *err)
{
	size_t nr_deferred = count_deferred_returns(c);
	size_t nr = nr_deferred + (c->sel ? fargs_returns_count(c->sel) : 0);

	if (max && c->returns > max)
		return fargs_fail(err, E2BIG, "'--returns': this kernel has return probes for at "
				  "most %u functions", max);
	if (c->returns && nr_deferred > c->returns)
		return fargs_fail(err, E2BIG, "'--returns': the returns of %zu functions of "
				  "modules that are not loaded are always recorded: give at least "
				  "%zu", nr_deferred, nr_deferred);
	if (c->returns && nr > c->returns)
		return fargs_returns_limit(c->sel, c->returns - nr_deferred, err);
	return !max || nr <= max ? 0 :
	       fail_returns("the returns of ", nr, " are", max, err);
}

int fargs_selection_find(struct fargs_selection *c, const struct fargs_info *info,
			 const struct fargs_capture_hooks *hooks, struct fargs_error_text *err)
{
	int ret;

	c->bind.tsc_khz = info->tsc_khz;
	c->tpoint_bind.tsc_khz = info->tsc_khz;
	ret = fargs_deferred_init(&c->deferred, &c->rules, &c->kernel, err);
	if (!ret)
		ret = find_tpoints(c, hooks, err);
	if (!ret)
		ret = find_functions(c, hooks, err);
	return ret ? ret : check_returns(c, info->returns_max, err);
}

static bool is_any_recorded(const struct fargs_select *sel)
{
	size_t i;

	for (i = 0; sel && i < sel->nr_matches; i++)
		if (!sel->matches[i].is_silent)
			return true;
	return false;
}

bool fargs_selection_is_any(const struct fargs_selection *c)
{
	return is_any_recorded(c->sel) || is_any_recorded(c->tpoints.sel) ||
	       c->deferred.nr_modules || c->tpoints.deferred.nr_modules;
}

static int add_tpoints(struct fargs_selection *c, struct fargs_session *session,
		       const struct fargs_capture_hooks *hooks, struct fargs_error_text *err)
{
	const struct fargs_select *sel = c->tpoints.sel;
	int ret = fargs_session_add_tpoints(session, &c->tpoints, err);
	size_t i, nr = 0;

	if (ret || !sel)
		return ret;
	hooks->tpoints(hooks->arg, sel);
	for (i = 0; i < sel->nr_matches; i++)
		nr += sel->matches[i].why == FARGS_REFUSAL_NONE;
	if (!nr && sel->nr_matches)
		return fargs_fail(err, ENOENT, "no matching tracepoint can be traced "
				  "(matches: %zu); reason for the first: %s", sel->nr_matches,
				  fargs_refusal_text(sel->matches[0].why));
	return 0;
}

int fargs_selection_add(struct fargs_selection *c, struct fargs_session *session,
			const struct fargs_capture_hooks *hooks, struct fargs_error_text *err)
{
	int ret = fargs_session_add(session, &c->kernel, c->sel, &c->deferred, err);

	if (ret)
		return ret;
	if (c->sel)
		hooks->functions(hooks->arg, c->sel, session->meta.nr_funcs);
	if (c->tpoints.sel || c->tpoints.deferred.nr_modules)
		ret = add_tpoints(c, session, hooks, err);
	if (ret)
		return ret;
	hooks->deferred(hooks->arg, &c->deferred, false);
	hooks->deferred(hooks->arg, &c->tpoints.deferred, true);
	return 0;
}

void fargs_selection_deinit(struct fargs_selection *c)
{
	fargs_select_destroy(c->sel);
	c->sel = NULL;
	fargs_tpoints_deinit(&c->tpoints);
	fargs_deferred_deinit(&c->deferred);
	fargs_missing_deinit(&c->missing);
	fargs_rules_deinit(&c->rules);
	fargs_rules_deinit(&c->tpoint_rules);
	fargs_kernel_deinit(&c->kernel);
}
