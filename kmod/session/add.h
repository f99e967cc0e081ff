/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_SESSION_ADD_H
#define FARGS_SESSION_ADD_H

struct fargs_session;

/* Frees the functions and templates of a session that traces no more. */
void fargs_session_free_funcs(struct fargs_session *session);

#endif
