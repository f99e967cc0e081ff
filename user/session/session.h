/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session of the module: adds the selected functions, starts and stops tracing, and collects the
 * metadata that decoding needs.
 */
#ifndef FARGS_SESSION_SESSION_H
#define FARGS_SESSION_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "kernel/kernel.h"
#include "model/meta.h"
#include "select/resolve/deferred.h"
#include "select/resolve/select.h"
#include "select/resolve/tpoints.h"
#include "session/arrivals.h"

struct fargs_session {
	int fd;			/* open /dev/fargs; -1: only formatted events are recorded */
	bool is_running;
	/* default size, if RLIMIT_MEMLOCK did not permit it; else 0 */
	uint64_t default_ring_bytes;
	struct fargs_meta meta;	/* metadata, filled in by the functions below */
	struct fargs_awaited awaited;
};

/*
 * Opens the module and checks its version. Returns 0 or -errno. The caller calls
 * fargs_session_deinit() only after success.
 */
int fargs_session_init(struct fargs_session *s, struct fargs_error_text *err);
/*
 * Initialises a session without the module: of the functions below, only fargs_session_buffer(),
 * fargs_session_describe() and fargs_session_stop() work.
 */
int fargs_session_init_bare(struct fargs_session *s, struct fargs_error_text *err);
/* Stops tracing and closes the session. The module may release its resources slightly later. */
void fargs_session_deinit(struct fargs_session *s);

/*
 * Adds the matches of @sel to the module and to meta.funcs, and the deferred layouts of @deferred.
 * If the module finds a match untraceable, sets match->why to the reason. It is an error if no
 * match remains, or if a match selected by its exact name is untraceable. @sel may be NULL if
 * @deferred is not empty. Takes ownership of the symbols and BTF of @kernel; pointers in @sel to
 * them stay valid. To be called once.
 */
int fargs_session_add(struct fargs_session *s, struct fargs_kernel *kernel,
		      struct fargs_select *sel, struct fargs_deferred *deferred,
		      struct fargs_error_text *err);

/* Adds tracepoints; to be called after fargs_session_add(). @tpoints is not used after the call. */
int fargs_session_add_tpoints(struct fargs_session *s, struct fargs_tpoints *tpoints,
			      struct fargs_error_text *err);

/*
 * Creates a ring of @bytes for each CPU. If @bytes is 0, rings have 4 MiB, or less if all rings
 * together would take more than a sixteenth of the memory, or more than RLIMIT_MEMLOCK permits. In
 * the latter case default_ring_bytes is set.
 */
int fargs_session_buffer(struct fargs_session *s, uint64_t bytes, enum fargs_mode mode,
			 struct fargs_error_text *err);
/*
 * Has a running session stopped by itself because the modules of all its functions were unloaded?
 * poll(2) then reports POLLRDHUP, if requested.
 */
bool fargs_session_has_stopped(const struct fargs_session *s);
/*
 * Freezes or resumes the rings of a running session of FARGS_MODE_OVERWRITE. It is not an error if
 * the session has stopped by itself; its rings then stay frozen.
 */
int fargs_session_freeze(struct fargs_session *s, bool is_frozen, struct fargs_error_text *err);

/* Fills in the rest of meta: command line, host name, tasks, a first round of clock samples. */
int fargs_session_describe(struct fargs_session *s, char *const *words,
			   struct fargs_error_text *err);

/*
 * Starts tracing of @tids and their descendants or, if @nr is 0, of all tasks except for the
 * threads of this process. @exec_tid: a process that is traced only from its exec on, unless the
 * module is older; 0: none. Returns 0 or -errno; -ESRCH if one of @tids has exited. @maxactive: see
 * struct fargs_start; 0: the default. @flags: FARGS_START_FREEZE, FARGS_START_SWITCHES.
 */
int fargs_session_start(struct fargs_session *s, const pid_t *tids, size_t nr, pid_t exec_tid,
			uint32_t maxactive, uint32_t flags, struct fargs_error_text *err);
/* Stops tracing: after this has returned, no records are written. */
int fargs_session_stop(struct fargs_session *s, struct fargs_error_text *err);

/* Reads a clock sample for each of meta.info.nr_cpus CPUs. The caller frees *@samples. */
int fargs_session_clock(struct fargs_session *s, struct fargs_clock_sample **samples,
			struct fargs_error_text *err);
/* Fills meta.stats, meta.missed and *@stats, except for the pointers in *@stats. */
int fargs_session_stats(struct fargs_session *s, struct fargs_stats *stats,
			struct fargs_error_text *err);

#endif
