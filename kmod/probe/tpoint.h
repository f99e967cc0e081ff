/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The capture path of tracepoints: what the probe that all of them have is given.
 */
#ifndef FARGS_TPOINT_H
#define FARGS_TPOINT_H

#include <linux/types.h>

struct fargs_capture;
struct fargs_template;
struct pt_regs;

/*
 * The data of one probe. Constant while it is registered, and until after
 * tracepoint_synchronize_unregister() (tpoint_session.c).
 */
struct fargs_tpoint {
	const struct fargs_capture *capture;
	const struct fargs_template *template;
	unsigned long ip;	/* what records call it: no address, see fargs_record.h */
};

/*
 * To be registered, with a struct fargs_tpoint: whatever the arguments are, they are where
 * its template looks for them. In assembly; calls the other one.
 */
void fargs_tpoint_stub(void *data);
/* @regs: argument registers, ip, bp and sp, which points at the return address. */
void fargs_tpoint_call(struct pt_regs *regs);
unsigned long fargs_tpoint_site(void);

#endif
