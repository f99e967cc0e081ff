/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The capture path of tracepoints. The probe of every tracepoint is fargs_tpoint_stub(), registered
 * with a struct fargs_tpoint as its data. The stub calls fargs_tpoint_call() (arch/tpoint.h).
 */
#ifndef FARGS_KMOD_PROBE_TPOINT_H
#define FARGS_KMOD_PROBE_TPOINT_H

#include <linux/types.h>

#include "arch/iterator.h"

struct fargs_capture;
struct fargs_template;

/*
 * The data of one probe. Constant, except for iterator.frame, from the probe's registration until
 * it has been unregistered and tracepoint_synchronize_unregister() has returned (session/tpoint.c).
 */
struct fargs_tpoint {
	const struct fargs_capture *capture;
	struct fargs_template *template;
	unsigned long ip;	/* ip of the records: a number, not an address (fargs_record.h) */
	struct fargs_iterator iterator;
};

/**
 * fargs_tpoint_site() - find where the tracepoint path allocates sequence numbers
 *
 * Context: Any context.
 * Return: The address of the only instruction of the path that allocates sequence numbers.
 */
unsigned long fargs_tpoint_site(void);

#endif
