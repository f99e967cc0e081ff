/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fargs_target: functions with known signatures, called with known values.
 *
 * For each call there is a text, called its truth, which a tracer must show for the call. It
 * follows from the source of the call, and is never copied from a tracer's output.
 */
#ifndef _FARGS_TARGET_H
#define _FARGS_TARGET_H

#include <linux/types.h>

struct seq_file;

/*
 * An attribute of functions that are traced. The compiler keeps the name, the fentry and the
 * argument registers of such a function: it neither clones nor inlines the function, and assumes
 * that the function uses every argument.
 */
#if __has_attribute(__noipa__)
#define fargs_t_target __attribute__((__noipa__))
#else
#define fargs_t_target noinline
#endif

#define fargs_t_use(arg) asm volatile("" : : "rm" (arg))
/* Like fargs_t_use(), for types that may not fit into a register: struct, union, __int128. */
#define fargs_t_use_wide(arg) asm volatile("" : : "m" (arg))

/*
 * Declares another name for the function @fn, with parameters that are all 64 bits wide, so that
 * the caller fills registers and stack slots completely.
 *
 *	void wide_int(unsigned long a) fargs_t_same_as(fargs_t_int);
 */
#define fargs_t_same_as(fn) asm(#fn)

/*
 * Calls @fn with the values @a1 to @a6 in all 64 bits of the argument registers, regardless of the
 * widths in its prototype. Uses assembly, since C would truncate or extend the values, and a direct
 * call, since kernels with CFI refuse an indirect call through a pointer of another type.
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
 * struct target_run - makes or lists all calls, or those of one function
 * @list:	if not NULL, the truths are written here, and no function is called
 * @name:	only calls of this function; NULL: all calls
 * @times:	how often to make each call
 * @nr_found:	out: number of calls that match @name
 */
struct target_run {
	struct seq_file *list;
	const char *name;
	u64 times;
	unsigned int nr_found;
};

/*
 * Returns how often to make the call whose truth is @truth. If @run has a list, adds the truth to
 * the list, and returns 0.
 */
u64 target_wanted(struct target_run *run, const char *truth);

/* Makes a call that has a truth, as in TARGET_CALL(run, "f(a=1)", f(1)). */
#define TARGET_CALL(run, truth, call)					\
do {									\
	u64 _left = target_wanted(run, truth);				\
									\
	while (_left--)							\
		call;							\
} while (0)

/* Returns how often to make a call of @name that has no truth, and so is not listed. */
u64 target_wanted_quiet(struct target_run *run, const char *name);

/*
 * Makes a call without a truth, since its arguments include addresses, which are not known at
 * compile time. Tests request such a call by the name of the function, and compute the expected
 * text themselves.
 */
#define TARGET_QUIET_CALL(run, name, call)				\
do {									\
	u64 _left = target_wanted_quiet(run, name);			\
									\
	while (_left--)							\
		call;							\
} while (0)

/* Makes all calls that @run selects, or lists them, in a fixed order. Context: any context. */
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
 * Makes the calls of function @name @times times in each of @nr_threads threads, and, for each
 * thread, @times times in hard interrupts and @times times in soft interrupts. After the last call,
 * returns 0 or a negative errno.
 */
int target_stress(const char *name, u64 times, unsigned int nr_threads);

/* Create and remove /proc/fargs_target_places. */
int target_places_init(void);
void target_places_exit(void);

/*
 * Starts @nr_threads threads, one after the other. Each exits inside three nested calls:
 * fargs_r_die(a=2), (a=1) and (a=0). Returns 0 once they are exiting, or a negative errno.
 */
int target_die(unsigned int nr_threads);

/* Makes @nr nested calls of fargs_d_hold(), and returns when the task gets a signal. */
void target_hold(unsigned int nr);

/* Create and remove /proc/fargs_hits. */
int target_hits_init(void);
void target_hits_exit(void);

/* Calls fargs_n_number() @times times, with @first, @first + 1 and so on. */
void target_number(u64 first, u64 times);

/* Create and remove /proc/fargs_known. */
int target_known_init(void);
void target_known_exit(void);

/* Create and remove /proc/fargs_witness. */
int target_witness_init(void);
void target_witness_exit(void);

#endif
