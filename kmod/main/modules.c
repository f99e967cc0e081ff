// SPDX-License-Identifier: GPL-2.0-only
#include "main/modules.h"

#include <linux/limits.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/tracepoint.h>

#include "session/modules.h"
#include "session/tpoint_find.h"

/*
 * LIVE comes before the init memory is freed, GOING (also after a failed init)
 * while the module's text and ftrace's records of it still stand: in both,
 * filters can still be changed. ftrace itself forgets such addresses only in
 * its own filters, and the next module may lie at the same ones. COMING: whatever
 * a session has at these addresses was another module's, see session/add.c; then
 * functions of the module itself are looked for (session/deferred_resolve.c): its text is as it
 * will be, and none of it has run.
 *
 * GOING comes twice, first before any other notifier. fprobe (7.2) has one, which takes
 * the module's functions out of its filter; what a session still has must then be in
 * there, or taking it out takes nothing out (compat/retprobe_fprobe.c). So a module's
 * functions leave the sessions before fprobe looks: whoever stops a session meanwhile finds
 * either both as they were, or, at the latest when it is done, the function gone from the
 * session. The second time is for what was added between the two.
 *
 * Nothing here waits for a call of a session (session/session.h).
 *
 * Always NOTIFY_OK: that we cannot trace a module is no reason not to load it.
 */
static int notify_module_first(struct notifier_block *nb, unsigned long event, void *data)
{
	if (event == MODULE_STATE_GOING)
		fargs_sessions_drop_module(data, false);
	return NOTIFY_OK;
}

static int notify_module(struct notifier_block *nb, unsigned long event, void *data)
{
	if (event == MODULE_STATE_LIVE)
		fargs_sessions_drop_module(data, true);
	else if (event == MODULE_STATE_GOING || event == MODULE_STATE_COMING)
		fargs_sessions_drop_module(data, false);
	if (event == MODULE_STATE_COMING)
		fargs_sessions_resolve_module(data);
	return NOTIFY_OK;
}

/*
 * COMING: nothing of the module has run. GOING: all of it has, and its tracepoints are still
 * there, to be let go of: they leave the list first, then every session (session/tpoint_find.c).
 */
static int notify_tpoints(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct tp_module *tp_mod = data;

	if (event == MODULE_STATE_COMING && fargs_tpoint_find_add(tp_mod->mod)) {
		fargs_sessions_take_tpoints(tp_mod->mod);
	} else if (event == MODULE_STATE_GOING) {
		fargs_tpoint_find_remove(tp_mod->mod);
		fargs_sessions_drop_tpoints(tp_mod->mod);
	}
	return NOTIFY_OK;
}

static struct notifier_block first_nb = {
	.notifier_call = notify_module_first,
	.priority = INT_MAX,
};

static struct notifier_block modules_nb = {
	.notifier_call = notify_module,
};

static struct notifier_block tpoints_nb = {
	.notifier_call = notify_tpoints,
};

/* Modules with tracepoints that are there already are reported as coming. */
int fargs_modules_init(void)
{
	int ret = register_module_notifier(&first_nb);

	if (ret)
		return ret;
	ret = register_module_notifier(&modules_nb);
	if (ret)
		goto unregister_first;
	ret = register_tracepoint_module_notifier(&tpoints_nb);
	if (ret)
		goto unregister_modules;
	return 0;

unregister_modules:
	unregister_module_notifier(&modules_nb);
unregister_first:
	unregister_module_notifier(&first_nb);
	return ret;
}

/* Each waits for the notifier where it runs; those with tracepoints are reported as going. */
void fargs_modules_deinit(void)
{
	unregister_tracepoint_module_notifier(&tpoints_nb);
	unregister_module_notifier(&modules_nb);
	unregister_module_notifier(&first_nb);
}
