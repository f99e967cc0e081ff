/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options that trace and record share.
 */
#ifndef FARGS_CAPTURE_OPTIONS_H
#define FARGS_CAPTURE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/options/call.h"
#include "source/perf_event/choose.h"
#include "file/writer.h"
#include "cmd/options/flight.h"
#include "cmd/options/guest.h"
#include "cmd/options/live.h"
#include "base/list.h"

struct fargs_capture_options {
	const char *verb;
	char *const *argv;		/* all words, the verb first */
	struct fargs_list wanted;	/* -f */
	struct fargs_list tpoints;	/* -t */
	struct fargs_list unwanted;	/* -n */
	struct fargs_list under;	/* --under */
	struct fargs_list trigger;	/* --trigger */
	struct fargs_list trigger_tpoints;	/* --trigger-tracepoint */
	struct fargs_list btf;		/* --btf */
	struct fargs_call_options calls;	/* --comm and so on, -s, -D */
	struct fargs_flight_options flight;	/* --flight and so on */
	struct fargs_list pids;		/* --pid, --tid, as written */
	struct fargs_list tids;
	struct fargs_list cpus;		/* --cpu, --comm, as written */
	struct fargs_list comms;
	struct fargs_event_wishes events;	/* -e, --filter */
	struct fargs_guest_options guests;	/* --guest, --guest-kallsyms */
	bool has_all;			/* -a, or nothing else says whose calls */
	bool is_follow;			/* --follow */
	bool has_switches;		/* --switches */
	bool has_zeros;			/* --zeros */
	struct fargs_live_options live;	/* --json and so on: of trace alone */
	uint64_t duration_ns;		/* --duration; 0: no end */
	bool is_verbose;		/* -v */
	bool is_help;			/* -h; the rest may be incomplete then */
	uint64_t ring_bytes;		/* -m; 0: not given */
	bool has_pt;			/* --pt */
	const char *pt_terms;		/* NULL: none were given */
	uint64_t aux_bytes;		/* of -m, behind the comma; 0: not given */
	uint32_t maxactive;		/* --maxactive; 0: not given */
	int realtime;			/* --realtime: the priority; 0: not given */
	const char *output;		/* -o; NULL: not given */
	struct fargs_writer_options file;	/* --compress, --sync: of record alone */
	char *const *command;		/* what is behind "--"; NULL: nothing */
};

/* What they do, a line each, for the help of either verb. */
extern const char fargs_capture_options_help[];

/*
 * Reads them. Returns 0; or 1, when it has told which word is wrong. To be
 * deinitialised in either case.
 */
int fargs_capture_options_init(struct fargs_capture_options *o, int argc, char **argv);
/* May anything trigger? */
bool fargs_capture_options_has_trigger(const struct fargs_capture_options *o);
void fargs_capture_options_deinit(struct fargs_capture_options *o);

#endif
