// SPDX-License-Identifier: GPL-2.0-only
#include "session/list.h"

#include <linux/capability.h>
#include <linux/completion.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>

#include "session/session.h"

static DEFINE_MUTEX(sessions_lock);
static LIST_HEAD(sessions);

static unsigned int max_user_sessions = 128;
module_param(max_user_sessions, uint, 0644);
MODULE_PARM_DESC(max_user_sessions, "maximum number of sessions of a user without CAP_SYS_RESOURCE");

static bool is_user_at_max(const struct user_struct *user)
{
	const struct fargs_session *session;
	unsigned int nr = 0;

	lockdep_assert_held(&sessions_lock);
	list_for_each_entry(session, &sessions, node)
		nr += session->user == user;
	return nr >= READ_ONCE(max_user_sessions) && !capable(CAP_SYS_RESOURCE);
}

int fargs_sessions_add(struct fargs_session *session)
{
	int ret = 0;

	init_completion(&session->unused);
	session->nr_users = 1;
	mutex_lock(&sessions_lock);
	if (is_user_at_max(session->user))
		ret = -EUSERS;
	else
		list_add(&session->node, &sessions);
	mutex_unlock(&sessions_lock);
	return ret;
}

static void put_session(struct fargs_session *session)
{
	lockdep_assert_held(&sessions_lock);
	if (--session->nr_users)
		return;
	list_del(&session->node);
	complete(&session->unused);
}

struct fargs_session *fargs_sessions_next(struct fargs_session *last)
{
	struct list_head *at = &sessions;
	struct fargs_session *next = NULL;

	mutex_lock(&sessions_lock);
	if (last)
		at = &last->node;
	if (!list_is_last(at, &sessions)) {
		next = list_entry(at->next, struct fargs_session, node);
		next->nr_users++;
	}
	if (last)
		put_session(last);
	mutex_unlock(&sessions_lock);
	return next;
}

void fargs_sessions_remove(struct fargs_session *session)
{
	mutex_lock(&sessions_lock);
	put_session(session);
	mutex_unlock(&sessions_lock);
	wait_for_completion(&session->unused);
}
