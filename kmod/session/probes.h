/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The probes of a session in ftrace: one ops for each path, each with its own
 * functions. Process context. filter, arm and disarm: under session->call_lock; they take
 * session->lock where they need it, and do not hold it while ftrace works. The others: under
 * session->lock.
 */
#ifndef FARGS_PROBES_H
#define FARGS_PROBES_H

#include <linux/types.h>

#include "uapi/fargs.h"

struct fargs_refusal;
struct fargs_session;

void fargs_probes_init(struct fargs_session *session);
/* After the last disarm; not if the session is stuck. */
void fargs_probes_deinit(struct fargs_session *session);

/*
 * Of a session that does not run: puts @nr functions of @path, which it has just got, into
 * ftrace's filter, so that START has only to register. Without an error: START sets the
 * filter itself where it is not complete, and says why it cannot.
 */
void fargs_probes_filter(struct fargs_session *session, enum fargs_path path, unsigned long *ips,
			 u32 nr);
/*
 * Makes the hashes and registers every probe that has functions. 0, or -errno with
 * the reason, and nothing registered; if ftrace broke on the way, the session is
 * stuck afterwards and may be called back for ever.
 */
int fargs_probes_arm(struct fargs_session *session, struct fargs_refusal *refusal);
/*
 * Unregisters them. When it returns, and the session is not stuck, no callback runs
 * any more.
 */
void fargs_probes_disarm(struct fargs_session *session);
/* ftrace may call us for ever: the session, and with it the module, must stay. */
void fargs_probes_stick(struct fargs_session *session);
/*
 * Of a running session: functions that are new to it (is_new) are traced, too. 0 or
 * -errno: then none of them are, but may be in a hash and have to be forgotten; if
 * ftrace broke on the way, the session is stuck.
 */
int fargs_probes_extend(struct fargs_session *session);
/*
 * The session has dropped @ip: its lookups find it no more. In place, without allocating.
 */
void fargs_probes_forget(struct fargs_session *session, unsigned long ip);
/* Then: takes what the session has dropped out of ftrace's filters. */
void fargs_probes_refilter(struct fargs_session *session);

#endif
