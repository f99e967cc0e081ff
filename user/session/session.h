/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session of the module, from what was selected to what is needed to decode
 * its records.
 */
#ifndef FARGS_CTL_SESSION_H
#define FARGS_CTL_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "session/arrivals.h"
#include "kernel/kernel.h"
#include "select/resolve/late.h"
#include "select/resolve/tpoints.h"
#include "model/meta.h"
#include "select/resolve/select.h"
#include "base/error.h"

struct fargs_session {
	int fd;			/* -1: without the module, for events alone */
	bool is_running;
	struct fargs_meta meta;	/* grows: info; funcs, BTF, symbols by add; … */
	struct fargs_awaited awaited;
};

/* Opens the module and checks its version. -errno. To be deinitialised only after success. */
int fargs_session_init(struct fargs_session *s, struct fargs_error_text *err);
/* The same without the module: of what follows buffer, describe and stop are of use. */
int fargs_session_init_bare(struct fargs_session *s, struct fargs_error_text *err);
/* Stops and forgets everything; the module's side may take a moment longer. */
void fargs_session_deinit(struct fargs_session *s);

/*
 * Adds what is picked, in the module and to meta.funcs. Picks that the module
 * finds not traceable get their reason in pick->why; if none is left, or one
 * asked for by its name is among them, that is an error. @sel may be NULL if @late has
 * something. Takes the symbols and BTF out of @kernel, which @sel goes on pointing to.
 * To be called once.
 */
int fargs_session_add(struct fargs_session *s, struct fargs_kernel *kernel,
		      struct fargs_select *sel, struct fargs_late *late,
		      struct fargs_error_text *err);

/* Then tracepoints. @tpoints is used until the end of the call only. */
int fargs_session_add_tpoints(struct fargs_session *s, struct fargs_tpoints *tpoints,
			      struct fargs_error_text *err);

/*
 * Makes rings of @bytes for each CPU. 0: 4 MiB, or less where that would be more
 * than a sixteenth of the memory for all.
 */
int fargs_session_buffer(struct fargs_session *s, uint64_t bytes, enum fargs_mode mode,
			 struct fargs_error_text *err);
/*
 * Has one that is_running stopped by itself, when all that it traced went with its module? Then
 * poll(2) says POLLRDHUP to who asks for it.
 */
bool fargs_session_has_stopped(const struct fargs_session *s);
/*
 * Of FARGS_MODE_OVERWRITE, running: its rings stand still, or go on. If it has stopped by itself
 * they stand still for good, and that is no error.
 */
int fargs_session_freeze(struct fargs_session *s, bool is_frozen, struct fargs_error_text *err);

/* Fills in what is left of meta: command line, host, tasks, a first round of clocks. */
int fargs_session_describe(struct fargs_session *s, char *const *words,
			   struct fargs_error_text *err);

/*
 * @nr 0: all tasks but the threads of this process; else the @tids and what they
 * fork, -ESRCH if one of them has ended. @maxactive: calls whose return can be waited for
 * at a time; 0: the usual number. @flags: FARGS_START_FREEZE, _SWITCHES.
 */
int fargs_session_start(struct fargs_session *s, const pid_t *tids, size_t nr,
			uint32_t maxactive, uint32_t flags, struct fargs_error_text *err);
/* When it returns no record is written any more. */
int fargs_session_stop(struct fargs_session *s, struct fargs_error_text *err);

/* Reads the clocks into *@samples, for meta.info.nr_cpus; free() them. */
int fargs_session_clock(struct fargs_session *s, struct fargs_clock_sample **samples,
			struct fargs_error_text *err);
/* Fills meta.stats, and *@stats but for its address of CPUs, which is of no use. */
int fargs_session_stats(struct fargs_session *s, struct fargs_stats *stats,
			struct fargs_error_text *err);

#endif
