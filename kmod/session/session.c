// SPDX-License-Identifier: GPL-2.0-only
#include "session/session.h"

#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "base/arena.h"
#include "base/refusal.h"
#include "ring/ring.h"
#include "session/list.h"
#include "session/probes.h"
#include "session/run.h"
#include "session/tracers.h"

static void free_session(struct fargs_session *session)
{
	free_uid(session->user);
	mutex_destroy(&session->lock);
	mutex_destroy(&session->call_lock);
	kfree(session);
}

struct fargs_session *fargs_session_create(void)
{
	struct fargs_session *session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!session)
		return ERR_PTR(-ENOMEM);
	session->user = get_uid(current_user());
	mutex_init(&session->call_lock);
	mutex_init(&session->lock);
	INIT_LIST_HEAD(&session->arenas);
	INIT_LIST_HEAD(&session->returns.module_sets);
	INIT_LIST_HEAD(&session->tpoints.all);
	session->state = FARGS_STATE_PREPARED;
	fargs_tracers_init_probes(&session->capture);
	ret = fargs_sessions_add(session);
	if (!ret)
		return session;
	fargs_probes_deinit(session);
	free_session(session);
	return ERR_PTR(ret);
}

/* Frees the functions and templates of a session that has been stopped. */
static void free_funcs(struct fargs_session *session)
{
	struct fargs_arena *arena, *next;

	list_for_each_entry_safe(arena, next, &session->arenas, node)
		fargs_arena_destroy(arena);
	INIT_LIST_HEAD(&session->arenas);
	vfree(session->funcs);
	session->funcs = NULL;
	session->nr_funcs = 0;
}

/*
 * Stops the session before removing it from the list of sessions. Otherwise the notifier of a
 * module that is unloaded in between would not find the session, and the module's tracepoints would
 * be freed before the session's probes on them are unregistered.
 */
void fargs_session_destroy(struct fargs_session *session)
{
	mutex_lock(&session->call_lock);
	fargs_session_halt(session);
	mutex_unlock(&session->call_lock);

	fargs_sessions_remove(session);
	if (session->is_stuck)
		return;
	fargs_probes_deinit(session);
	fargs_rings_destroy(session->rings);
	fargs_memlock_uncharge(&session->rings_charge);
	free_funcs(session);
	fargs_deferred_deinit(&session->deferred);
	free_session(session);
}

static int verify_buffer(const struct fargs_buffer *buffer, struct fargs_refusal *refusal)
{
	if (buffer->mode != FARGS_MODE_DROP && buffer->mode != FARGS_MODE_OVERWRITE)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_buffer, mode),
				    "there is no buffer mode %u", buffer->mode);
	if (buffer->bytes < FARGS_BUFFER_MIN || buffer->bytes > FARGS_BUFFER_MAX ||
	    !is_power_of_2(buffer->bytes))
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_buffer, bytes),
				    "the buffer size of %llu bytes per CPU is not a power of two from %u to %u",
				    buffer->bytes, FARGS_BUFFER_MIN, FARGS_BUFFER_MAX);
	if (buffer->watermark && buffer->mode == FARGS_MODE_OVERWRITE)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_buffer, watermark),
				    "a buffer in overwrite mode must not have a watermark");
	if (buffer->watermark && (buffer->watermark < FARGS_WATERMARK_MIN ||
				  buffer->watermark > buffer->bytes / 2))
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_buffer, watermark),
				    "watermark %u is out of range (%u to half of the buffer)",
				    buffer->watermark, FARGS_WATERMARK_MIN);
	/* Refuse a size that exceeds the available memory, rather than invoke the OOM killer. */
	if (buffer->bytes >> PAGE_SHIFT > si_mem_available() / num_possible_cpus())
		return fargs_refuse(refusal, ENOMEM, FARGS_NONE,
				    offsetof(struct fargs_buffer, bytes),
				    "%llu bytes for each of %u CPUs are more than the free memory",
				    buffer->bytes, num_possible_cpus());
	return 0;
}

/*
 * Stores @rings and their charge in the session, unless it already has rings. Returns 0 or -errno.
 */
static int set_rings(struct fargs_session *session, struct fargs_rings *rings,
		     const struct fargs_memlock *charge)
{
	int ret = fargs_session_lock(session);

	if (ret)
		return ret;
	mutex_lock(&session->lock);
	if (session->rings) {
		ret = -EBUSY;
	} else {
		session->capture.rings = rings->cpu;
		session->rings_charge = *charge;
		/* Pairs with the smp_load_acquire() in rings_of(): mmap and poll take no lock. */
		smp_store_release(&session->rings, rings);
	}
	mutex_unlock(&session->lock);
	fargs_session_unlock(session);
	return ret;
}

/* Rings are created before any lock is taken, since allocating them may take a long time. */
int fargs_session_buffer(struct fargs_session *session, const struct fargs_buffer *buffer,
			 struct fargs_refusal *refusal)
{
	struct fargs_memlock charge = {};
	struct fargs_rings *rings;
	int ret;

	ret = verify_buffer(buffer, refusal);
	if (ret)
		return ret;
	if (READ_ONCE(session->rings))
		goto busy;
	ret = fargs_memlock_charge(&charge, fargs_rings_bytes(buffer->bytes),
				   offsetof(struct fargs_buffer, bytes), refusal);
	if (ret)
		return ret;
	rings = fargs_rings_create(buffer->bytes, buffer->watermark,
				   buffer->mode == FARGS_MODE_OVERWRITE);
	ret = rings ? set_rings(session, rings, &charge) : -ENOMEM;
	if (!ret)
		return 0;
	fargs_rings_destroy(rings);
	fargs_memlock_uncharge(&charge);
	if (ret == -ENOMEM)
		return fargs_refuse(refusal, ENOMEM, FARGS_NONE, FARGS_NONE,
				    "no memory for the buffers");
	if (ret != -EBUSY)
		return ret;
busy:
	return fargs_refuse(refusal, EBUSY, FARGS_NONE, FARGS_NONE,
			    "the session already has a buffer");
}
