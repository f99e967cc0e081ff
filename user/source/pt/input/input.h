/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An Intel PT recording, independent of the file format: configuration, packets, code and
 * sideband events. Filled by file_input.h from fargs.dat and by perf_input.h from perf.data.
 */
#ifndef FARGS_SOURCE_PT_INPUT_INPUT_H
#define FARGS_SOURCE_PT_INPUT_INPUT_H

#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/perf_data/build_id.h"
#include "source/perf_data/kernel_maps.h"
#include "source/pt/packet/config.h"

struct fargs_ksyms;
struct fargs_time_window;
struct fargs_pt_guest;
struct fargs_pt_guest_options;
struct fargs_pt_files;

/* Consecutive bytes of a stream. A piece may begin and end in the middle of a packet. */
struct fargs_pt_piece {
	const uint8_t *bytes;
	uint64_t size;
	uint64_t offset;		/* stream offset of the first byte */
	bool begins;			/* this piece is not contiguous with the previous one */
	bool is_after_loss;		/* only with @begins: the preceding trace was lost */
};

/* The trace of one CPU or, in a per-thread recording, of one thread. */
struct fargs_pt_stream {
	uint32_t cpu;			/* UINT32_MAX: the stream belongs to thread @tid */
	int32_t tid;			/* -1: the stream belongs to CPU @cpu */
	struct fargs_pt_piece *pieces;	/* sorted by offset */
	size_t nr_pieces;
};

/* Code that is stored in a file. */
struct fargs_pt_code {
	char *path;
	uint32_t file;			/* number in in->files; only if @pid is not -1 */
	/* Name of the function that a JIT compiler generated; NULL: @file has the names. */
	char *name;
	uint64_t at;			/* offset in the file */
	uint64_t bytes;
	uint64_t addr;
	int32_t pid;			/* pid of the process; -1: code of the kernel */
	/*
	 * On the perf clock: the code is valid from @from_ns (0: the beginning) until @until_ns
	 * (exclusive; 0: forever).
	 */
	uint64_t from_ns;
	uint64_t until_ns;
};

enum fargs_pt_mapping_kind {
	FARGS_PT_MAP,		/* code was mapped */
	FARGS_PT_EXEC,		/* the process executed a program: older mappings are gone */
	FARGS_PT_FORK,		/* a new process with a copy of its parent's mappings */
};

/* A change to the set of code mapped by a process. */
struct fargs_pt_mapping {
	uint64_t ns;			/* 0: before the trace */
	int32_t pid;
	int32_t parent;			/* pid of the parent; only with FARGS_PT_FORK */
	int32_t space;			/* index in in->spaces: the space created or extended */
	uint8_t kind;			/* enum fargs_pt_mapping_kind */
	/*
	 * The following members are set only with FARGS_PT_MAP. They have the same meaning as in
	 * struct fargs_pt_code.
	 */
	char *path;
	uint32_t file;
	char *name;
	uint64_t at, bytes, addr;
	struct fargs_build_id build_id;	/* of the mapped file */
};

/* The code of a process between two execs: see spaces.h. */
struct fargs_pt_space;

/* A modification of code at @addr. At time @ns, the new bytes replace the old bytes. */
struct fargs_pt_poke {
	uint64_t ns;			/* on the perf clock */
	uint64_t addr;
	uint16_t old_bytes, new_bytes;
	const uint8_t *code;		/* old bytes, then new bytes */
	uint64_t from_ns, until_ns;	/* lifetime of the modified code */
};

/* Per-task events report a switch in two halves, one for each task. */
enum fargs_pt_switch_half {
	FARGS_PT_SWITCH_WHOLE,
	FARGS_PT_SWITCH_OUT,	/* @to is unknown */
	FARGS_PT_SWITCH_IN,	/* @from is unknown */
};

/* A switch of a CPU from one task to another. */
struct fargs_pt_switch {
	uint64_t ns;
	uint32_t cpu;
	/* Tids. If they are equal, this is not a switch, but the first task in the trace. */
	int32_t from, to;
	uint8_t half;			/* enum fargs_pt_switch_half; after sorting always WHOLE */
};

/* The name of a task since time @ns. */
struct fargs_pt_comm {
	uint64_t ns;			/* 0: from the beginning */
	int32_t tid;
	int32_t pid;			/* pid of the task's process; -1: unknown */
	/* Tid of the parent, which has the same name at @ns; -1: the name is in @comm. */
	int32_t parent;
	bool is_exec;			/* the name is that of a program that the task executed */
	char comm[16];
};

/* A symbol that was registered or unregistered. */
struct fargs_pt_symbol {
	uint64_t ns;
	uint64_t addr;
	uint32_t bytes;
	bool is_removed;
	char *name;
	const char *module;		/* as in struct fargs_ksym; NULL: no module */
};

/* A sample of an event, which had a copy of the end of its CPU's trace. */
struct fargs_pt_sampled {
	uint64_t ns;			/* 0: unknown */
	uint64_t ip;			/* where the CPU was */
	uint64_t period;		/* how often the event occurred since the last sample */
	uint32_t cpu;
	int32_t tid;
	uint32_t event;			/* index in in->sampled_events */
};

/* An event whose PEBS records are in the trace. */
struct fargs_pt_pebs_event {
	struct perf_event_attr attr;
	char *name;			/* with modifiers */
	uint64_t id;			/* the first of its ids */
};

/* From @ns on, a counter of a CPU or thread is that of an event. */
struct fargs_pt_pebs_counter {
	uint64_t ns;			/* 0: before the trace */
	uint32_t cpu;			/* UINT32_MAX: of thread @tid */
	int32_t tid;			/* -1: of CPU @cpu */
	uint32_t counter;		/* less than FARGS_PT_PEBS_COUNTERS_MAX */
	uint32_t event;			/* index in in->pebs_events */
};

#define FARGS_PT_PEBS_COUNTERS_MAX	64

/* AUX records of the kernel, and those of them that report missing trace. */
struct fargs_pt_aux_counts {
	uint64_t nr;
	uint64_t nr_partial;	/* PARTIAL: the trace has gaps, for instance where KVM ran */
	uint64_t nr_collisions;	/* COLLISION: packets were lost */
};

/* What perf's configuration says about traces. */
struct fargs_pt_settings {
	bool is_mispredicted;	/* intel-pt.mispred-all: the CPU mispredicted each branch */
	/* intel-pt.max-loops; 0: FARGS_PT_MAX_LOOPS */
	uint32_t max_loops;
	size_t log_bytes;	/* itrace.debug-log-buffer-size; 0: FARGS_PT_LOG_BYTES */
};

/*
 * Direct jumps and calls that follow each other without anything from the trace, before decoding
 * stops: then the code is not what the CPU executed.
 */
#define FARGS_PT_MAX_LOOPS	100000
#define FARGS_PT_LOG_BYTES	16384

/*
 * Counts the places within a time window at which the trace does not show what was executed.
 * Threads count.
 */
struct fargs_pt_error_counts {
	const struct fargs_time_window *window;	/* NULL: any time */
	atomic_uint_fast64_t nr;
	/* those where decoding has failed; otherwise, trace is lost */
	atomic_uint_fast64_t nr_undecoded;
};

struct fargs_buf;

/* Number of seq sites, which allocate sequence numbers; indexed as for fargs_meta_site(). */
#define FARGS_PT_SITES	6

/* A moment on two clocks. */
struct fargs_pt_mono {
	uint64_t mono_ns;	/* CLOCK_MONOTONIC */
	uint64_t perf_ns;	/* the perf clock */
};

struct fargs_pt_input {
	struct fargs_pt_config config;
	/* Attributes of the perf event that recorded the trace, and its id; size 0: none. */
	struct perf_event_attr attr;
	uint64_t event_id;
	struct fargs_pt_stream *streams;	/* sorted by @cpu, then @tid */
	size_t nr_streams;
	/*
	 * Kernel code comes first. If two elements overlap while both are valid, the one with the
	 * higher index takes precedence.
	 */
	struct fargs_pt_code *codes;
	size_t nr_codes;
	struct fargs_pt_mapping *mappings;	/* sorted by ns */
	size_t nr_mappings;
	struct fargs_pt_space *spaces;
	size_t nr_spaces;
	struct fargs_pt_poke *pokes;	/* sorted by ns */
	size_t nr_pokes;
	struct fargs_pt_switch *switches;	/* sorted by @cpu, then @ns */
	size_t nr_switches;
	struct fargs_pt_comm *comms;	/* sorted by @tid, then @ns */
	size_t nr_comms;
	struct fargs_pt_mono *monos;	/* sorted by mono_ns */
	size_t nr_monos;
	struct fargs_pt_symbol *symbols;	/* sorted by ns */
	size_t nr_symbols;
	struct fargs_pt_sampled *sampled;	/* sorted by ns; only of fargs.dat */
	size_t nr_sampled;
	char **sampled_events;		/* names of events */
	size_t nr_sampled_events;
	struct fargs_pt_pebs_event *pebs_events;
	size_t nr_pebs_events;
	struct fargs_pt_pebs_counter *pebs_counters;	/* sorted by @cpu, @tid, then @ns */
	size_t nr_pebs_counters;
	/*
	 * Times between which was recorded: from perf's header or, without them, of the first and
	 * the last record of the kernel, on the perf clock. 0: unknown.
	 */
	uint64_t first_ns, last_ns;
	struct fargs_kernel_maps kernel;	/* where the kernel was, only of perf.data */
	unsigned int name_width;	/* length of the longest name of perf's events; 0: none */
	uint64_t nr_lost_records;	/* number of lost sideband records, from LOST records */
	struct fargs_pt_aux_counts aux;	/* only of perf.data; in fargs.dat, each is a loss */
	struct fargs_ksyms *ksyms;	/* NULL: none */
	int kernel_fd;			/* a copy of this machine's kernel; -1: none */
	uint64_t seq_sites[FARGS_PT_SITES];	/* addresses; 0: unknown */
	/*
	 * Directory with the files of the recorded machine, set by the caller before reading; NULL:
	 * they are on this machine.
	 */
	const char *root;
	/* Set by the caller; reset by each fargs_pt_trace_run(). NULL: errors are not counted. */
	struct fargs_pt_error_counts *errors;
	bool is_timeless;	/* set by the caller before reading: as if no TSC was recorded */
	struct fargs_pt_settings settings;	/* set by the caller */
	/* Files of virtual machines, set by the caller before reading; NULL: none (guests.h). */
	const struct fargs_pt_guest_options *guest_options;
	struct fargs_pt_guest *guests;
	size_t nr_guests;
	bool has_guest_code;	/* the code of guests is in the hypervisor's process */
	bool is_guest;		/* this is the code of a guest, and not a recording */
	struct fargs_pt_files *files;	/* files with the code of user space; NULL: none */
	char **notes;			/* messages for the user, such as about missing code */
	size_t nr_notes;
	/* @source owns the memory that pieces and pokes point to; @close must free @source. */
	void *source;
	void (*close)(void *source);
	/* Frees memory of pieces, if it can be read again from a file. NULL: it cannot. */
	void (*release)(const void *source, const uint8_t *bytes, uint64_t n);
};

/* Initializes an empty input. */
void fargs_pt_input_init(struct fargs_pt_input *in);
/* Frees everything, and calls in->close() for in->source. */
void fargs_pt_input_deinit(struct fargs_pt_input *in);

/*
 * The bytes of @stream from @begin to @end were used, and so were all before them. They may be read
 * again, which costs more than the first time.
 */
void fargs_pt_input_release(const struct fargs_pt_input *in, const struct fargs_pt_stream *stream,
			    uint64_t begin, uint64_t end);

/*
 * Returns the stream of @cpu, or of @tid if @cpu is UINT32_MAX. Adds the stream if it does not
 * exist. Returns NULL if out of memory. The pointer is valid until the next call.
 */
struct fargs_pt_stream *fargs_pt_input_stream(struct fargs_pt_input *in, uint32_t cpu,
					      int32_t tid);
/*
 * Each of these appends a copy of its argument, and takes ownership of the strings, even on
 * failure. They return 0 or -ENOMEM.
 */
int fargs_pt_input_add_piece(struct fargs_pt_stream *s, const struct fargs_pt_piece *piece);
int fargs_pt_input_add_code(struct fargs_pt_input *in, const struct fargs_pt_code *code);
int fargs_pt_input_add_mapping(struct fargs_pt_input *in, const struct fargs_pt_mapping *m);
int fargs_pt_input_add_poke(struct fargs_pt_input *in, const struct fargs_pt_poke *poke);
int fargs_pt_input_add_switch(struct fargs_pt_input *in, const struct fargs_pt_switch *sw);
int fargs_pt_input_add_comm(struct fargs_pt_input *in, const struct fargs_pt_comm *comm);
int fargs_pt_input_add_symbol(struct fargs_pt_input *in, const struct fargs_pt_symbol *sym);
int fargs_pt_input_add_sampled(struct fargs_pt_input *in, const struct fargs_pt_sampled *sampled);
int fargs_pt_input_add_sampled_event(struct fargs_pt_input *in, char *name);
int fargs_pt_input_add_pebs_event(struct fargs_pt_input *in,
				  const struct fargs_pt_pebs_event *event);
int fargs_pt_input_add_pebs_counter(struct fargs_pt_input *in,
				    const struct fargs_pt_pebs_counter *counter);

/* Adds a message. Returns 0 or -ENOMEM. */
int fargs_pt_input_add_note(struct fargs_pt_input *in, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Extends the times between which was recorded by @ns; 0: does nothing. */
static inline void fargs_pt_input_extend(struct fargs_pt_input *in, uint64_t ns)
{
	if (ns && (!in->first_ns || ns < in->first_ns))
		in->first_ns = ns;
	if (ns > in->last_ns)
		in->last_ns = ns;
}

/*
 * Sorts all arrays as documented in struct fargs_pt_input. Equal elements keep their order. Joins
 * halves of switches. Returns 0 or -ENOMEM.
 */
int fargs_pt_input_sort(struct fargs_pt_input *in);

/* Converts @tsc to perf time in ns; 0 if the recording has no conversion. */
uint64_t fargs_pt_input_ns(const struct fargs_pt_config *config, uint64_t tsc);
/* Returns the lowest TSC whose perf time is @ns or later; 0 if the recording has no conversion. */
uint64_t fargs_pt_input_tsc(const struct fargs_pt_config *config, uint64_t ns);

/* Returns the modifier of the recording's event name in perf: "k", "u", or "" for both. */
const char *fargs_pt_config_modifier(const struct fargs_pt_config *config);

/*
 * Appends a line for each kind of AUX records that report missing trace, if there are some: places
 * that the trace itself does not show.
 */
void fargs_pt_input_put_gaps(struct fargs_buf *out, const struct fargs_pt_input *in);

/* Returns the name of task @tid at time @ns; NULL if unknown. */
const char *fargs_pt_input_comm(const struct fargs_pt_input *in, int32_t tid, uint64_t ns);
/* Returns since when it has the name, and sets *@is_exec; 0: from the beginning, or unknown. */
uint64_t fargs_pt_input_named(const struct fargs_pt_input *in, int32_t tid, uint64_t ns,
			      bool *is_exec);
/* Returns the pid of the process of task @tid at time @ns; -1 if unknown. */
int32_t fargs_pt_input_pid(const struct fargs_pt_input *in, int32_t tid, uint64_t ns);

#endif
