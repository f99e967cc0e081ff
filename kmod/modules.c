// SPDX-License-Identifier: GPL-2.0-only
#include "modules.h"

#include <linux/module.h>
#include <linux/notifier.h>

#include "session.h"

/*
 * LIVE comes before the init memory is freed, GOING (also after a failed init)
 * while the module's text and ftrace's records of it still stand: in both,
 * filters can still be changed. ftrace itself forgets such addresses only in
 * its own filters, and the next module may lie at the same ones. COMING: whatever
 * a session has at these addresses was another module's, see session_add.c; then
 * functions of the module itself are looked for (deferred_resolve.c): its text is as it
 * will be, and none of it has run.
 *
 * Always NOTIFY_OK: that we cannot trace a module is no reason not to load it.
 */
static int notify(struct notifier_block *nb, unsigned long event, void *data)
{
	if (event == MODULE_STATE_LIVE)
		fargs_sessions_drop_module(data, true);
	else if (event == MODULE_STATE_GOING || event == MODULE_STATE_COMING)
		fargs_sessions_drop_module(data, false);
	if (event == MODULE_STATE_COMING)
		fargs_sessions_resolve_module(data);
	return NOTIFY_OK;
}

static struct notifier_block modules_nb = {
	.notifier_call = notify,
};

int fargs_modules_init(void)
{
	return register_module_notifier(&modules_nb);
}

void fargs_modules_deinit(void)
{
	unregister_module_notifier(&modules_nb);
}
