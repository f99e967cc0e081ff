/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fargs_target: functions of known signatures, called with known values.
 *
 * What a tracer must show is written by hand beside each call, as text. It is
 * derived from the call alone, never from a tracer: it is the truth that tests
 * compare with.
 */
#ifndef _FARGS_TARGET_H
#define _FARGS_TARGET_H

#include <linux/types.h>

struct seq_file;

/*
 * A target keeps its name, its fentry and its argument registers: no clone, no
 * inlining, and every argument is used.
 */
#if __has_attribute(__noipa__)
#define fargs_t_target __attribute__((__noipa__))
#else
#define fargs_t_target noinline
#endif

#define fargs_t_use(arg) asm volatile("" : : "rm" (arg))
/* For what no register holds: structures, unions, 128 bits. */
#define fargs_t_use_wide(arg) asm volatile("" : : "m" (arg))

/*
 * Another view of a function: one of the same address whose arguments are all 64
 * bits wide, so that the compiler fills registers and stack slots completely.
 *
 *	void wide_int(unsigned long a) fargs_t_same_as(fargs_t_int);
 */
#define fargs_t_same_as(fn) asm(#fn)

/*
 * Calls fn with all 64 bits of each register given, whatever the prototype says
 * of widths. In assembly, since C would narrow or extend the values; a direct
 * call, since an indirect one of another type is refused by kernels with CFI.
 */
#define fargs_t_call_raw(fn, a1, a2, a3, a4, a5, a6)			\
do {									\
	unsigned long _di = (a1), _si = (a2), _dx = (a3), _cx = (a4);	\
	register unsigned long _r8 asm("r8") = (a5);			\
	register unsigned long _r9 asm("r9") = (a6);			\
									\
	asm volatile("call %c[_fn]"					\
		     : "+D" (_di), "+S" (_si), "+d" (_dx), "+c" (_cx),	\
		       "+r" (_r8), "+r" (_r9), ASM_CALL_CONSTRAINT	\
		     : [_fn] "i" (fn)					\
		     : "rax", "r10", "r11", "cc", "memory");		\
} while (0)

/**
 * struct target_run - one walk over all calls
 * @list:	if set, the truth is written here and nothing is called
 * @name:	only calls of this function; NULL: all
 * @times:	how often each call is made
 * @nr_found:	out: calls of that name in the list
 */
struct target_run {
	struct seq_file *list;
	const char *name;
	u64 times;
	unsigned int nr_found;
};

/* How often the call with this truth is to be made now. */
u64 target_wanted(struct target_run *run, const char *truth);

/* A call and its truth, as in TARGET_CALL(run, "f(a=1)", f(1)). */
#define TARGET_CALL(run, truth, call)					\
do {									\
	u64 _left = target_wanted(run, truth);				\
									\
	while (_left--)							\
		call;							\
} while (0)

/* How often a call that is not in the list is to be made now. */
u64 target_wanted_quiet(struct target_run *run, const char *name);

/*
 * A call with addresses in it, which no text can tell beforehand: a test asks
 * for it, and knows the rest.
 */
#define TARGET_QUIET_CALL(run, name, call)				\
do {									\
	u64 _left = target_wanted_quiet(run, name);			\
									\
	while (_left--)							\
		call;							\
} while (0)

/* All calls, in the order of the list. Can be run in any context. */
void target_walk(struct target_run *run);

void target_walk_scalar(struct target_run *run);
void target_walk_pointer(struct target_run *run);
void target_walk_mixed(struct target_run *run);
void target_walk_dirty(struct target_run *run);
void target_walk_stack(struct target_run *run);
void target_walk_dirty_stack(struct target_run *run);
void target_walk_struct(struct target_run *run);
void target_walk_mixed_struct(struct target_run *run);
void target_walk_member(struct target_run *run);
void target_walk_int128(struct target_run *run);
void target_walk_other(struct target_run *run);
void target_walk_memory(struct target_run *run);
void target_walk_return(struct target_run *run);
void target_walk_known(struct target_run *run);
void target_walk_refused(struct target_run *run);

/*
 * Makes the calls of one function @times times in each of @nr_threads threads,
 * and as often again in hard interrupts, and in soft interrupts, of each. When
 * it returns all of them have been made. Returns 0, or a negative errno.
 */
int target_stress(const char *name, u64 times, unsigned int nr_threads);

/* The file in places.c. */
int target_places_init(void);
void target_places_exit(void);

/*
 * Starts @nr_threads threads one after the other, each of which ends inside three calls,
 * fargs_r_die(a=2), (a=1) and (a=0). Returns 0, when they have ended, or a negative errno.
 */
int target_die(unsigned int nr_threads);

/* Calls fargs_n_number() with @first and the numbers behind it, @times of them. */
void target_number(u64 first, u64 times);

/* /proc/fargs_known. */
int target_known_init(void);
void target_known_exit(void);

/* /proc/fargs_witness. */
int target_witness_init(void);
void target_witness_exit(void);

#endif
