/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fargs_target: functions of known signatures, called with known values.
 *
 * Each call comes with the text that a tracer must show for it, called its truth. The text follows
 * from the call alone and is never copied from a tracer, so that tests can compare with it.
 */
#ifndef _FARGS_TARGET_H
#define _FARGS_TARGET_H

#include <linux/types.h>

struct seq_file;

/*
 * A target keeps its name, its fentry and its argument registers: it is neither cloned nor
 * inlined, and uses every argument.
 */
#if __has_attribute(__noipa__)
#define fargs_t_target __attribute__((__noipa__))
#else
#define fargs_t_target noinline
#endif

#define fargs_t_use(arg) asm volatile("" : : "rm" (arg))
/* For arguments that do not fit into one register: structures, unions, 128 bits. */
#define fargs_t_use_wide(arg) asm volatile("" : : "m" (arg))

/*
 * Declares a function at the address of @fn whose parameters all have 64 bits, so that callers
 * fill registers and stack slots completely.
 *
 *	void wide_int(unsigned long a) fargs_t_same_as(fargs_t_int);
 */
#define fargs_t_same_as(fn) asm(#fn)

/*
 * Calls @fn with all 64 bits of each register given, whatever the widths in its prototype. In
 * assembly, since C would narrow or extend the values; a direct call, since kernels with CFI
 * refuse an indirect call of another type.
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
 * @list:	not NULL: the truths are written here, and nothing is called
 * @name:	only calls of this function; NULL: all calls
 * @times:	how often to make each call
 * @nr_found:	out: calls of that name in the list
 */
struct target_run {
	struct seq_file *list;
	const char *name;
	u64 times;
	unsigned int nr_found;
};

/* Returns how often to make the call with this truth; lists it if @run has a list. */
u64 target_wanted(struct target_run *run, const char *truth);

/* Makes a call that has a truth, as in TARGET_CALL(run, "f(a=1)", f(1)). */
#define TARGET_CALL(run, truth, call)					\
do {									\
	u64 _left = target_wanted(run, truth);				\
									\
	while (_left--)							\
		call;							\
} while (0)

/* Returns how often to make a call of @name that is not in the list. */
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

/* Makes, or lists, all calls in the order of the list. Any context. */
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
 * Makes the calls of one function @times times in each of @nr_threads threads, and for each thread
 * another @times times in hard interrupts and in soft interrupts each. Returns 0 or a negative
 * errno after the last call.
 */
int target_stress(const char *name, u64 times, unsigned int nr_threads);

/* /proc/fargs_target_places. */
int target_places_init(void);
void target_places_exit(void);

/*
 * Starts @nr_threads threads one after the other, each of which exits inside three nested calls,
 * fargs_r_die(a=2), (a=1) and (a=0). Returns 0 once they are exiting, or a negative errno.
 */
int target_die(unsigned int nr_threads);

/* Calls fargs_n_number() with @times consecutive numbers from @first on. */
void target_number(u64 first, u64 times);

/* /proc/fargs_known. */
int target_known_init(void);
void target_known_exit(void);

/* /proc/fargs_witness. */
int target_witness_init(void);
void target_witness_exit(void);

#endif
