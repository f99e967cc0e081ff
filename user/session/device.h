/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ioctls of /dev/fargs (uapi/fargs.h). All return 0 or -errno with the
 * reason in @err, in the module's words where it gave some.
 */
#ifndef FARGS_CTL_DEVICE_H
#define FARGS_CTL_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "uapi/fargs.h"
#include "base/error.h"

/* A new session: a descriptor that no program run from here inherits. */
int fargs_device_open(struct fargs_error_text *err);

/*
 * Fails with -EPROTO if the module speaks another ABI; *@info holds its abi and
 * version then.
 */
int fargs_device_info(int fd, struct fargs_info *info, struct fargs_error_text *err);
int fargs_device_buffer(int fd, uint64_t bytes, enum fargs_mode mode,
			struct fargs_error_text *err);
/*
 * Adds @nr layouts of @bytes together, leaving out functions that are not
 * traceable; the layouts' status and ip are written. *@nr_added: how many.
 */
int fargs_device_add(int fd, void *layouts, size_t bytes, size_t nr, size_t *nr_added,
		     struct fargs_error_text *err);
/* @flags: enum fargs_start_flags, one of TASKS and EXCEPT; @maxactive: see struct fargs_start. */
int fargs_device_start(int fd, const pid_t *tids, size_t nr, uint32_t flags, uint32_t maxactive,
		       struct fargs_error_text *err);
/* Of FARGS_MODE_OVERWRITE: its rings stand still, or go on. */
int fargs_device_freeze(int fd, bool is_frozen, struct fargs_error_text *err);
int fargs_device_stop(int fd, struct fargs_error_text *err);
/* *@nr: room in @funcs; out: how many functions are there. */
int fargs_device_missed(int fd, struct fargs_func_stats *funcs, size_t *nr,
			struct fargs_error_text *err);
/* Room for @nr_cpus in @cpus. */
int fargs_device_stats(int fd, struct fargs_cpu_stats *cpus, unsigned int nr_cpus,
		       struct fargs_stats *stats, struct fargs_error_text *err);
int fargs_device_clock(int fd, struct fargs_clock_sample *samples, unsigned int nr_cpus,
		       struct fargs_error_text *err);
/* Up to *@nr arrivals from number @first on; *@nr: how many. */
int fargs_device_arrivals(int fd, uint64_t first, struct fargs_arrival *arrivals, size_t *nr,
			  struct fargs_error_text *err);

#endif
