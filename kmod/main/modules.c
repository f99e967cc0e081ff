// SPDX-License-Identifier: GPL-2.0-only
#include "main/modules.h"

#include <linux/limits.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/tracepoint.h>

#include "session/modules.h"
#include "session/tpoint_find.h"

/*
 * The notifiers handle these states of a module:
 *
 *	COMING	The module's text is final, and none of it has run. Sessions may have functions at
 *		the module's addresses that belonged to another module (see session/add.c): they
 *		are dropped. After that, deferred functions are looked up in the module
 *		(session/deferred_resolve.c).
 *	LIVE	The kernel is about to free the module's init memory: functions in it are dropped.
 *	GOING	The module is being unloaded, or its init function has failed: all of its functions
 *		are dropped. The module's text and ftrace's records of it still exist.
 *
 * In LIVE and GOING, the sessions' ftrace filters can still be changed. Dropped functions are
 * removed from them, since ftrace removes such addresses only from its own filters, and the next
 * module may be loaded at the same addresses.
 *
 * GOING is handled twice, first before any other notifier. fprobe (7.2) has a notifier, which
 * removes the module's functions from fprobe's filter. When a set of return probes is unregistered,
 * all functions still in the set have to be in that filter, or fprobe removes none of them
 * (compat/retprobe_fprobe.c). So a module's functions are dropped from the sessions before fprobe's
 * notifier runs:
 *
 *	CPU A (unloads a module)		CPU B (stops a session)
 *	first_nb: the session drops the function
 *	fprobe's notifier: fprobe removes it	unregisters the set
 *	modules_nb: same as first_nb
 *
 * CPU B either finds the function both in the session and in fprobe's filter, or finds that the
 * session has dropped the function, at the latest after unregistering the set. modules_nb drops
 * functions that were added after first_nb had run.
 *
 * The notifiers do not wait for ioctls that take a long time (session/session.h). They always
 * return NOTIFY_OK: a module is loaded even if it cannot be traced.
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
 * COMING: none of the module's code has run. GOING: the module's code no longer runs, and its
 * tracepoints still exist, so that probes can be removed. The module is removed from the list
 * first, and then its tracepoints from every session (session/tpoint_find.c).
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

void fargs_modules_deinit(void)
{
	unregister_tracepoint_module_notifier(&tpoints_nb);
	unregister_module_notifier(&modules_nb);
	unregister_module_notifier(&first_nb);
}
