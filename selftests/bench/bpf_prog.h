/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF programs to compare with, for a function of four arguments, and what they
 * write to a BPF ring buffer.
 */
#ifndef FARGS_BENCH_BPF_PROG_H
#define FARGS_BENCH_BPF_PROG_H

#include <stddef.h>
#include <stdint.h>

#include <linux/bpf.h>

#define NR_ARGS		4
#define STRING_MAX	256	/* as fargs cuts them */
#define STACK_MAX	8

enum what {
	WHAT_ENTRY,		/* time, task, arguments */
	WHAT_TRACEPOINT,	/* the same, of a tracepoint */
	WHAT_UNTIMED,		/* without the time, which is a good part of the cost */
	WHAT_REJECT,		/* only if there are more flags than in what is counted */
	WHAT_STRING,		/* with the string at the second argument */
	WHAT_PATH,		/* with arg1->parent->owner->id: loads typed by BTF */
	WHAT_PATH_READ,		/* the same by bpf_probe_read_kernel() */
	WHAT_STACK,		/* with a stack */
	WHAT_EXIT,		/* at the return, with what is returned */
	WHAT_DURATION,		/* and the duration: the call's time is kept with the task */
	WHAT_DURATION_HASH,	/* or in a hash, by the task's id */
};

struct event {
	uint64_t time;
	uint64_t pid_tgid;
	uint64_t args[NR_ARGS];
	/* As much of it as there is to say: what_bytes(). */
	union {
		struct {
			int64_t len;	/* NUL included */
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
	size_t jumps[4];	/* those to the end */
	size_t nr_jumps;
};

/* Bytes of its event. */
size_t what_bytes(enum what what);

/* The program that writes events. @map_fd: where the duration's start is. */
void bpf_prog_make(struct bpf_code *code, enum what what, int ring_fd, int map_fd);
/* The one at the call that WHAT_DURATION* need besides. */
void bpf_prog_make_start(struct bpf_code *code, enum what what, int map_fd);

#endif
