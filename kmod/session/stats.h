/* SPDX-License-Identifier: GPL-2.0-only */
/* Queries that are possible while another ioctl of the session runs. */
#ifndef FARGS_KMOD_SESSION_STATS_H
#define FARGS_KMOD_SESSION_STATS_H

struct fargs_arrivals;
struct fargs_refusal;
struct fargs_session;
struct fargs_stats;

/**
 * fargs_session_stats() - read the counters of a session (FARGS_IOC_STATS)
 * @session: the session
 * @stats: argument of the ioctl, which is filled in
 * @refusal: filled in if the call is refused
 *
 * Context: Process context. May sleep. Takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_session_stats(struct fargs_session *session, struct fargs_stats *stats,
			struct fargs_refusal *refusal);

/**
 * fargs_session_arrivals() - fetch arrivals of deferred layouts (FARGS_IOC_ARRIVALS)
 * @session: the session
 * @arrivals: argument of the ioctl; nr is set
 * @refusal: filled in if the call is refused
 *
 * Context: Process context. May sleep. Takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_session_arrivals(struct fargs_session *session, struct fargs_arrivals *arrivals,
			   struct fargs_refusal *refusal);

#endif
