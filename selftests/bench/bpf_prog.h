/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF programs with which fargs is compared, for a function of four arguments, and the events
 * that they write to a BPF ring buffer.
 */
#ifndef FARGS_BENCH_BPF_PROG_H
#define FARGS_BENCH_BPF_PROG_H

#include <stddef.h>
#include <stdint.h>

#include <linux/bpf.h>

#define NR_ARGS		4
#define STRING_MAX	256	/* the same maximum length as in fargs */
#define STACK_MAX	8

enum what {
	WHAT_ENTRY,		/* writes time, task and arguments */
	WHAT_TRACEPOINT,	/* like WHAT_ENTRY, for a tracepoint */
	WHAT_UNTIMED,		/* like WHAT_ENTRY, without the time, which is much of the cost */
	WHAT_REJECT,	/* writes an event only if flags > BENCH_FLAGS: never for counted calls */
	WHAT_STRING,		/* like WHAT_ENTRY, with the string at the second argument */
	WHAT_PATH,	/* like WHAT_ENTRY, with arg1->parent->owner->id, by BTF-typed loads */
	WHAT_PATH_READ,		/* like WHAT_PATH, with bpf_probe_read_kernel() */
	WHAT_STACK,		/* like WHAT_ENTRY, with a stack trace */
	WHAT_EXIT,		/* runs at the return; like WHAT_ENTRY, with the return value */
	WHAT_DURATION,	/* like WHAT_EXIT, with the duration; task storage has the call's time */
	/* like WHAT_DURATION; a hash map keyed by pid and tid has the call's time */
	WHAT_DURATION_HASH,
};

struct event {
	uint64_t time;
	uint64_t pid_tgid;
	uint64_t args[NR_ARGS];
	/* Only the first what_bytes() of an event are written. */
	union {
		struct {
			int64_t len;	/* length including the NUL */
			char text[STRING_MAX];
		} string;
		uint64_t path;
		struct {
			int64_t bytes;
			uint64_t addrs[STACK_MAX];
		} stack;
		struct {
			uint64_t value;
			uint64_t duration;
		} ret;
	};
};

struct bpf_code {
	struct bpf_insn insns[64];
	size_t nr;
	size_t jumps[4];	/* indexes of the jumps to the end */
	size_t nr_jumps;
};

/* Returns the size of the program's events. */
size_t what_bytes(enum what what);

/*
 * Makes the program that writes events. @map_fd: map with the time of the call, for WHAT_DURATION
 * and WHAT_DURATION_HASH.
 */
void bpf_prog_make(struct bpf_code *code, enum what what, int ring_fd, int map_fd);
/* Makes the program that stores the time at the call, for WHAT_DURATION and WHAT_DURATION_HASH. */
void bpf_prog_make_start(struct bpf_code *code, enum what what, int map_fd);

#endif
