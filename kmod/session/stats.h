/* SPDX-License-Identifier: GPL-2.0-only */
/* What can be asked of a session at any time. */
#ifndef FARGS_KMOD_SESSION_STATS_H
#define FARGS_KMOD_SESSION_STATS_H

struct fargs_arrivals;
struct fargs_refusal;
struct fargs_session;
struct fargs_stats;

/**
 * fargs_session_stats() - FARGS_IOC_STATS
 * @session: the session
 * @stats: the call's argument, which is filled in
 * @refusal: where the reason of a refusal is noted
 *
 * Context: Process context. May sleep. Takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_session_stats(struct fargs_session *session, struct fargs_stats *stats,
			struct fargs_refusal *refusal);

/**
 * fargs_session_arrivals() - FARGS_IOC_ARRIVALS
 * @session: the session
 * @arrivals: the call's argument; nr is set
 * @refusal: where the reason of a refusal is noted
 *
 * Context: Process context. May sleep. Takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_session_arrivals(struct fargs_session *session, struct fargs_arrivals *arrivals,
			   struct fargs_refusal *refusal);

#endif
