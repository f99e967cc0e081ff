// SPDX-License-Identifier: GPL-2.0-only
/*
 * Structures by value with members of all kinds: bit-fields (unsigned and signed), structures,
 * unnamed structures, arrays, pointers.
 */
#include <linux/compiler.h>
#include <linux/types.h>

#include "target.h"

#define KERNEL(type)	((type)0xffff888012345678ul)

enum fargs_t_state {
	FARGS_T_IDLE = 3,
	FARGS_T_BUSY = 5,
};

struct fargs_t_bits {
	int a:3;
	unsigned int b:5;
	s64 c:40;
	bool d:1;
	enum fargs_t_state e:4;
};

/* The second eightbyte begins with a bit-field of another type. */
struct fargs_t_more_bits {
	u64 a:60;
	s32 b:20;
	u8 c:1;
	s64 d:2;
	s8 e;
};

/* Has bit-fields from byte 24 on. It is larger than 16 bytes, so it is passed on the stack. */
struct fargs_t_large_bits {
	u64 a[3];
	s32 b:31;
	u32 c:1;
};

struct fargs_t_inner {
	short x;
	short y;
};

struct fargs_t_nested {
	int a;
	struct fargs_t_inner b;
	struct {
		s8 p;
		u8 q;
	} c;
};

struct fargs_t_unnamed {
	int kind;
	union {
		s32 i;
		u32 u;
	};
	struct {
		short x;
		short y;
	};
};

struct fargs_t_array {
	s16 a[3];
	u8 b;
};

/* pahole encodes the array "a" with one dimension, which has the total number of elements. */
struct fargs_t_matrix {
	s8 a[2][3];
	struct fargs_t_inner b[2];
};

struct fargs_t_letters {
	char a[4];
};

struct fargs_t_pointers {
	void *a;
	const struct fargs_t_letters *b;
};

struct fargs_t_kinds {
	bool a;
	char b;
	enum fargs_t_state c;
	u64 d;
};

struct fargs_t_callback {
	int (*function)(int event, void *data);
	unsigned long data;
};

void fargs_t_member_bits(struct fargs_t_bits s, int after);
void fargs_t_member_more_bits(struct fargs_t_more_bits s, int after);
void fargs_t_member_large_bits(struct fargs_t_large_bits s, int after);
void fargs_t_member_nested(struct fargs_t_nested s, int after);
void fargs_t_member_unnamed(struct fargs_t_unnamed s, int after);
void fargs_t_member_array(struct fargs_t_array s, int after);
void fargs_t_member_matrix(struct fargs_t_matrix s, int after);
void fargs_t_member_letters(struct fargs_t_letters s, int after);
void fargs_t_member_pointers(struct fargs_t_pointers s, int after);
void fargs_t_member_kinds(struct fargs_t_kinds s, int after);
void fargs_t_member_callback(struct fargs_t_callback s, int after);

fargs_t_target void fargs_t_member_bits(struct fargs_t_bits s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_member_more_bits(struct fargs_t_more_bits s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_member_large_bits(struct fargs_t_large_bits s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_member_nested(struct fargs_t_nested s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_member_unnamed(struct fargs_t_unnamed s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_member_array(struct fargs_t_array s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_member_matrix(struct fargs_t_matrix s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_member_letters(struct fargs_t_letters s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_member_pointers(struct fargs_t_pointers s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_member_kinds(struct fargs_t_kinds s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_member_callback(struct fargs_t_callback s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

void target_walk_member(struct target_run *run)
{
	TARGET_CALL(run,
		    "fargs_t_member_bits(s={.a=-3, .b=17, .c=-500000000000, .d=true, .e=FARGS_T_BUSY}, after=-1)",
		    fargs_t_member_bits(
			(struct fargs_t_bits){ -3, 17, -500000000000, true, FARGS_T_BUSY }, -1));
	TARGET_CALL(run,
		    "fargs_t_member_bits(s={.a=3, .b=31, .c=500000000000, .d=false, .e=9}, after=-1)",
		    fargs_t_member_bits((struct fargs_t_bits){ 3, 31, 500000000000, false, 9 },
					-1));
	TARGET_CALL(run,
		    "fargs_t_member_more_bits(s={.a=1152921504606846975, .b=-524288, .c=1, .d=-2, .e=-1}, after=-1)",
		    fargs_t_member_more_bits(
			(struct fargs_t_more_bits){ 1152921504606846975, -524288, 1, -2, -1 },
			-1));
	TARGET_CALL(run, "fargs_t_member_large_bits(s={.a={1, 2, 3}, .b=-1, .c=0}, after=-1)",
		    fargs_t_member_large_bits((struct fargs_t_large_bits){ { 1, 2, 3 }, -1, 0 },
					      -1));
	TARGET_CALL(run, "fargs_t_member_large_bits(s={.a={1, 2, 3}, .b=0, .c=1}, after=-1)",
		    fargs_t_member_large_bits((struct fargs_t_large_bits){ { 1, 2, 3 }, 0, 1 },
					      -1));
	TARGET_CALL(run,
		    "fargs_t_member_nested(s={.a=1, .b={.x=2, .y=-3}, .c={.p=-4, .q=252}}, after=-1)",
		    fargs_t_member_nested((struct fargs_t_nested){ 1, { 2, -3 }, { -4, 252 } },
					  -1));
	TARGET_CALL(run,
		    "fargs_t_member_unnamed(s={.kind=1, .i=-1, .u=4294967295, .x=2, .y=-3}, after=-1)",
		    fargs_t_member_unnamed((struct fargs_t_unnamed){ 1, { -1 }, { 2, -3 } }, -1));
	TARGET_CALL(run, "fargs_t_member_array(s={.a={1, -2, 3}, .b=255}, after=-1)",
		    fargs_t_member_array((struct fargs_t_array){ { 1, -2, 3 }, 255 }, -1));
	TARGET_CALL(run,
		    "fargs_t_member_matrix(s={.a={1, -2, 3, -4, 5, -6}, .b={{.x=7, .y=-8}, {.x=9, .y=10}}}, after=-1)",
		    fargs_t_member_matrix((struct fargs_t_matrix){
			{ { 1, -2, 3 }, { -4, 5, -6 } },
			{ { 7, -8 }, { 9, 10 } },
		    }, -1));
	TARGET_CALL(run, "fargs_t_member_letters(s={.a=\"abcd\"}, after=-1)",
		    fargs_t_member_letters((struct fargs_t_letters){ { 'a', 'b', 'c', 'd' } },
					   -1));
	TARGET_CALL(run, "fargs_t_member_letters(s={.a=\"ab\"}, after=-1)",
		    fargs_t_member_letters((struct fargs_t_letters){ { 'a', 'b', 0, 'd' } }, -1));
	TARGET_CALL(run, "fargs_t_member_pointers(s={.a=0xffff888012345678, .b=0x0}, after=-1)",
		    fargs_t_member_pointers((struct fargs_t_pointers){ KERNEL(void *), NULL },
					    -1));
	TARGET_CALL(run,
		    "fargs_t_member_kinds(s={.a=true, .b='k', .c=FARGS_T_IDLE, .d=18446744073709551615}, after=-1)",
		    fargs_t_member_kinds((struct fargs_t_kinds){ true, 'k', FARGS_T_IDLE, ~0ull },
					 -1));
	TARGET_CALL(run, "fargs_t_member_callback(s={.function=0x0, .data=1}, after=-1)",
		    fargs_t_member_callback((struct fargs_t_callback){ NULL, 1 }, -1));
}
