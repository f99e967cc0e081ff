/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Wrappers of the ioctls of /dev/fargs (uapi/fargs.h). All return 0, or -errno with the reason in
 * @err: the module's message if it set one.
 */
#ifndef FARGS_SESSION_DEVICE_H
#define FARGS_SESSION_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "uapi/fargs.h"

/* Opens a new session. The descriptor is close-on-exec. */
int fargs_device_open(struct fargs_error_text *err);

/*
 * Reads facts about the module. Returns -EPROTO if it has another ABI; *@info then holds its ABI
 * number and version.
 */
int fargs_device_info(int fd, struct fargs_info *info, struct fargs_error_text *err);
int fargs_device_buffer(int fd, uint64_t bytes, enum fargs_mode mode,
			struct fargs_error_text *err);
/*
 * Adds @nr layouts of @bytes in total, skipping functions that are not traceable. The module sets
 * the status and ip of each layout. *@nr_added: number of layouts added.
 */
int fargs_device_add(int fd, void *layouts, size_t bytes, size_t nr, uint32_t flags,
		     size_t *nr_added, struct fargs_error_text *err);
/*
 * Starts tracing. @flags: enum fargs_start_flags, with either FARGS_START_TASKS (trace only @tids)
 * or FARGS_START_EXCEPT (trace all tasks except @tids). @exec_tid, @maxactive: see struct
 * fargs_start.
 */
int fargs_device_start(int fd, const pid_t *tids, size_t nr, pid_t exec_tid, uint32_t flags,
		       uint32_t maxactive, struct fargs_error_text *err);
/* Freezes or resumes the rings. Valid only with FARGS_MODE_OVERWRITE. */
int fargs_device_freeze(int fd, bool is_frozen, struct fargs_error_text *err);
int fargs_device_stop(int fd, struct fargs_error_text *err);
/*
 * Reads the numbers of missed calls of each function into @funcs. *@nr: capacity of @funcs; on
 * return, the number of functions read.
 */
int fargs_device_missed(int fd, struct fargs_func_stats *funcs, size_t *nr,
			struct fargs_error_text *err);
/*
 * Reads the counters of the session into @stats, and those of each CPU into @cpus, which has room
 * for @nr_cpus elements.
 */
int fargs_device_stats(int fd, struct fargs_cpu_stats *cpus, unsigned int nr_cpus,
		       struct fargs_stats *stats, struct fargs_error_text *err);
int fargs_device_clock(int fd, struct fargs_clock_sample *samples, unsigned int nr_cpus,
		       struct fargs_error_text *err);
/*
 * Reads up to *@nr arrivals, starting at sequence number @first, and sets *@nr to the number read.
 */
int fargs_device_arrivals(int fd, uint64_t first, struct fargs_arrival *arrivals, size_t *nr,
			  struct fargs_error_text *err);

#endif
