/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An Intel PT recording, whatever it was read from: how it was made, the packets, the
 * code, and what else happened. perf_input.h fills it from perf.data.
 */
#ifndef FARGS_PT_INPUT_H
#define FARGS_PT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct fargs_ksyms;

/* How was recorded, and on what. */
struct fargs_pt_config {
	bool is_intel;			/* errata by family, model, stepping */
	uint16_t family;
	uint8_t model, stepping;
	uint32_t cpuid_0x15_eax, cpuid_0x15_ebx;
	uint8_t mtc_freq, nom_freq;	/* as libipt has them */
	bool has_tsc, has_mtc, has_cyc;
	bool has_cyc_thresh;		/* cyc_thresh: not all packets CYC are there */
	bool has_kernel, has_user;	/* traced */
	/* perf time in ns of a TSC: time_zero + (tsc * time_mult >> time_shift) */
	bool has_time;
	uint16_t time_shift;
	uint32_t time_mult;
	uint64_t time_zero;
};

/* Consecutive bytes of a stream. Cut anywhere, in the middle of packets, too. */
struct fargs_pt_piece {
	const uint8_t *bytes;
	uint64_t size;
	uint64_t offset;		/* in all that the buffer was given */
	bool begins;			/* does not continue the piece before */
	bool is_after_loss;		/* with begins: what is missing in between was lost */
};

/* The trace of a CPU or, recorded for threads, of a thread. */
struct fargs_pt_stream {
	uint32_t cpu;			/* UINT32_MAX: of thread tid */
	int32_t tid;			/* -1: of a CPU */
	struct fargs_pt_piece *pieces;	/* by offset */
	size_t nr_pieces;
};

/* Code in a file. */
struct fargs_pt_code {
	char *path;
	uint64_t at;			/* in the file */
	uint64_t bytes;
	uint64_t addr;
	int32_t pid;			/* whose it is; -1: the kernel's */
	uint64_t from_ns;		/* it is there since then, on the perf clock */
	uint64_t until_ns;		/* and no longer from then on; 0: it stays */
};

enum fargs_pt_mapping_kind {
	FARGS_PT_MAP,		/* code was mapped */
	FARGS_PT_EXEC,		/* another program: none of the code before is there any more */
	FARGS_PT_FORK,		/* a new process, with all code that its parent has then */
};

/* What changed the code that a process has. */
struct fargs_pt_mapping {
	uint64_t ns;			/* 0: before the trace */
	int32_t pid;
	int32_t parent;			/* process, of FARGS_PT_FORK */
	int32_t space;			/* with which it begins or which it is added to */
	uint8_t kind;			/* enum fargs_pt_mapping_kind */
	/* Of FARGS_PT_MAP, as in struct fargs_pt_code: */
	char *path;
	uint64_t at, bytes, addr;
};

/* The code of a process from its beginning or an exec to the next exec: see pt/spaces.h. */
struct fargs_pt_space;

/* Code that was changed: what is at @addr is @new_bytes from @ns on. */
struct fargs_pt_poke {
	uint64_t ns;			/* on the perf clock */
	uint64_t addr;
	uint16_t old_bytes, new_bytes;
	const uint8_t *code;		/* the old one, then the new one */
	uint64_t from_ns, until_ns;	/* as of the code that was changed */
};

/* Records of one task's events report a switch in two halves, each to its own task's event. */
enum fargs_pt_switch_half {
	FARGS_PT_SWITCH_WHOLE,
	FARGS_PT_SWITCH_OUT,	/* @to is not known */
	FARGS_PT_SWITCH_IN,	/* @from is not known */
};

/* A CPU went from one task to another. */
struct fargs_pt_switch {
	uint64_t ns;
	uint32_t cpu;
	int32_t from, to;		/* tids; equal: it did not, but that task is there */
	uint8_t half;			/* enum fargs_pt_switch_half; none is left after sorting */
};

/* A task's name, from then on. */
struct fargs_pt_comm {
	uint64_t ns;			/* 0: from the beginning */
	int32_t tid;
	int32_t pid;			/* of its process; -1: not known */
	int32_t parent;			/* forked it, and gave it its name; -1: it is comm */
	char comm[16];
};

/* A symbol that came or went. */
struct fargs_pt_symbol {
	uint64_t ns;
	uint64_t addr;
	uint32_t bytes;
	bool is_gone;
	char *name;
	const char *module;		/* as in ksyms; NULL: none */
};

/* Instructions that take a record's number, one for each way of capture (enum fargs_path). */
#define FARGS_PT_SITES	4

struct fargs_pt_input {
	struct fargs_pt_config config;
	struct fargs_pt_stream *streams;	/* by cpu, then tid */
	size_t nr_streams;
	/* Where they overlap at a time, later ones hold. The kernel's come first. */
	struct fargs_pt_code *codes;
	size_t nr_codes;
	struct fargs_pt_mapping *mappings;	/* by ns */
	size_t nr_mappings;
	struct fargs_pt_space *spaces;
	size_t nr_spaces;
	struct fargs_pt_poke *pokes;	/* by ns */
	size_t nr_pokes;
	struct fargs_pt_switch *switches;	/* by cpu, then ns */
	size_t nr_switches;
	struct fargs_pt_comm *comms;	/* by tid, then ns */
	size_t nr_comms;
	struct fargs_pt_symbol *symbols;	/* by ns */
	size_t nr_symbols;
	uint64_t nr_lost_records;	/* of what happened beside, as LOST records tell */
	struct fargs_ksyms *ksyms;	/* NULL: none */
	uint64_t sites[FARGS_PT_SITES];	/* addresses; 0: not there */
	/* What holds the bytes that are pointed to. */
	void *source;
	void (*close)(void *source);
};

/* Everything empty. */
void fargs_pt_input_init(struct fargs_pt_input *in);
/* Frees it all, and closes the source. */
void fargs_pt_input_deinit(struct fargs_pt_input *in);

/* The stream of @cpu, or of @tid with @cpu UINT32_MAX; a new one if need be. NULL: no memory. */
struct fargs_pt_stream *fargs_pt_input_stream(struct fargs_pt_input *in, uint32_t cpu,
					      int32_t tid);
/* Each appends a copy; strings are taken over, also on failure. -ENOMEM. */
int fargs_pt_input_add_piece(struct fargs_pt_stream *s, const struct fargs_pt_piece *piece);
int fargs_pt_input_add_code(struct fargs_pt_input *in, const struct fargs_pt_code *code);
int fargs_pt_input_add_mapping(struct fargs_pt_input *in, const struct fargs_pt_mapping *m);
int fargs_pt_input_add_poke(struct fargs_pt_input *in, const struct fargs_pt_poke *poke);
int fargs_pt_input_add_switch(struct fargs_pt_input *in, const struct fargs_pt_switch *sw);
int fargs_pt_input_add_comm(struct fargs_pt_input *in, const struct fargs_pt_comm *comm);
int fargs_pt_input_add_symbol(struct fargs_pt_input *in, const struct fargs_pt_symbol *sym);

/* Brings everything into the orders above, what is equal as it was added. -ENOMEM. */
int fargs_pt_input_sort(struct fargs_pt_input *in);

/* The perf time of @tsc; 0 where the recording does not tell. */
uint64_t fargs_pt_input_ns(const struct fargs_pt_config *config, uint64_t tsc);
/* The smallest TSC whose perf time is @ns or later. */
uint64_t fargs_pt_input_tsc(const struct fargs_pt_config *config, uint64_t ns);

/* What @tid was called at @ns; NULL: that is not known. */
const char *fargs_pt_input_comm(const struct fargs_pt_input *in, int32_t tid, uint64_t ns);
/* The process of @tid at @ns; -1: that is not known. */
int32_t fargs_pt_input_pid(const struct fargs_pt_input *in, int32_t tid, uint64_t ns);

#endif
