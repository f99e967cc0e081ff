/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The capture path of tracepoints: fargs_tpoint_call(), which fargs_tpoint_stub() calls
 * (arch/tpoint.h) for all of them, and what that is registered with.
 */
#ifndef FARGS_KMOD_PROBE_TPOINT_H
#define FARGS_KMOD_PROBE_TPOINT_H

#include <linux/types.h>

struct fargs_capture;
struct fargs_template;

/*
 * The data of one probe. Constant while it is registered, and until after
 * tracepoint_synchronize_unregister() (session/tpoint.c).
 */
struct fargs_tpoint {
	const struct fargs_capture *capture;
	struct fargs_template *template;
	unsigned long ip;	/* what records call it: no address, see fargs_record.h */
};

/**
 * fargs_tpoint_site() - where tracepoints take sequence numbers
 *
 * Context: Any context.
 * Return: The address of the one instruction that does.
 */
unsigned long fargs_tpoint_site(void);

#endif
