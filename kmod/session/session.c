// SPDX-License-Identifier: GPL-2.0-only
#include "session/session.h"

#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "base/arena.h"
#include "base/refusal.h"
#include "ring/ring.h"
#include "session/list.h"
#include "session/probes.h"
#include "session/run.h"

struct fargs_session *fargs_session_create(void)
{
	struct fargs_session *session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);

	if (!session)
		return NULL;
	mutex_init(&session->call_lock);
	mutex_init(&session->lock);
	INIT_LIST_HEAD(&session->arenas);
	INIT_LIST_HEAD(&session->returns.module_sets);
	INIT_LIST_HEAD(&session->tpoints.all);
	session->state = FARGS_STATE_PREPARED;
	fargs_probes_init(session);
	fargs_sessions_add(session);
	return session;
}

/* Frees the functions and templates of a session that no longer traces. */
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
	free_funcs(session);
	fargs_deferred_deinit(&session->deferred);
	mutex_destroy(&session->lock);
	mutex_destroy(&session->call_lock);
	kfree(session);
}

int fargs_session_buffer(struct fargs_session *session, const struct fargs_buffer *buffer,
			 struct fargs_refusal *refusal)
{
	struct fargs_rings *rings;
	bool is_first;
	int ret;

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

	if (READ_ONCE(session->rings))
		goto busy;
	rings = fargs_rings_create(buffer->bytes, buffer->watermark,
				   buffer->mode == FARGS_MODE_OVERWRITE);
	if (!rings)
		return fargs_refuse(refusal, ENOMEM, FARGS_NONE, FARGS_NONE,
				    "no memory for the buffers");
	ret = fargs_session_lock(session);
	if (ret) {
		fargs_rings_destroy(rings);
		return ret;
	}
	mutex_lock(&session->lock);
	is_first = !session->rings;
	if (is_first) {
		session->capture.rings = rings->cpu;
		/* Pairs with the smp_load_acquire() in rings_of(): mmap and poll take no lock. */
		smp_store_release(&session->rings, rings);
	}
	mutex_unlock(&session->lock);
	fargs_session_unlock(session);
	if (is_first)
		return 0;
	fargs_rings_destroy(rings);
busy:
	return fargs_refuse(refusal, EBUSY, FARGS_NONE, FARGS_NONE,
			    "the session already has a buffer");
}
