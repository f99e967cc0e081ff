// SPDX-License-Identifier: GPL-2.0-only
#include "session/list.h"

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>

#include "session/session.h"

static DEFINE_MUTEX(sessions_lock);
static LIST_HEAD(sessions);

void fargs_sessions_add(struct fargs_session *session)
{
	init_completion(&session->unused);
	session->nr_users = 1;
	mutex_lock(&sessions_lock);
	list_add(&session->node, &sessions);
	mutex_unlock(&sessions_lock);
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
