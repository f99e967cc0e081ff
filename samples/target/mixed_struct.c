// SPDX-License-Identifier: GPL-2.0-only
/*
 * Structures by value before, between and after scalars. A structure that does not fit into the
 * remaining registers is passed entirely on the stack, and later arguments use those registers.
 */
#include <linux/compiler.h>
#include <linux/types.h>

#include "target.h"

struct fargs_t_three {
	u8 a;
	u8 b;
	s8 c;
};

struct fargs_t_one_word {
	int a;
	int b;
};

struct fargs_t_twelve {
	int a;
	int b;
	int c;
};

struct fargs_t_two_words {
	long a;
	long b;
};

struct fargs_t_three_words {
	long a;
	long b;
	long c;
};

void fargs_t_before(struct fargs_t_one_word s, int a, int b);
void fargs_t_between(int a, struct fargs_t_one_word s, int b);
void fargs_t_after(int a, int b, struct fargs_t_one_word s);
void fargs_t_before_wide(struct fargs_t_two_words s, int a, int b);
void fargs_t_between_wide(int a, struct fargs_t_two_words s, int b);
void fargs_t_after_wide(int a, int b, struct fargs_t_two_words s);
void fargs_t_before_large(struct fargs_t_three_words s, int a, int b);
void fargs_t_between_large(int a, struct fargs_t_three_words s, int b);
void fargs_t_after_large(int a, int b, struct fargs_t_three_words s);
void fargs_t_two_structs(struct fargs_t_two_words s, struct fargs_t_two_words t, int a, int b);
void fargs_t_three_structs(struct fargs_t_two_words s, struct fargs_t_two_words t,
			   struct fargs_t_two_words u);
void fargs_t_fits(int a, int b, int c, int d, struct fargs_t_two_words s, int e);
void fargs_t_no_room(int a, int b, int c, int d, int e, struct fargs_t_two_words s, int f,
		     int g);
void fargs_t_no_room_12(s8 a, s8 b, s8 c, s8 d, s8 e, struct fargs_t_twelve s, s8 f, s8 g);
void fargs_t_no_room_twice(int a, int b, int c, int d, int e, struct fargs_t_two_words s,
			   struct fargs_t_two_words t, struct fargs_t_one_word u, int f);
void fargs_t_last_register(int a, int b, int c, int d, int e, struct fargs_t_one_word s,
			   struct fargs_t_three t, int f);
void fargs_t_all_on_stack(int a, int b, int c, int d, int e, int f, struct fargs_t_three s,
			  struct fargs_t_one_word t, struct fargs_t_twelve u,
			  struct fargs_t_three_words v, s8 g);
void fargs_t_large_in_between(s8 a, struct fargs_t_three_words s, u8 b,
			      struct fargs_t_one_word t, s16 c, struct fargs_t_three_words u,
			      u16 d, bool e, s8 f);
void fargs_t_sizes_mixed(struct fargs_t_three s, char a, struct fargs_t_twelve t, s64 b,
			 struct fargs_t_one_word u, bool c);

fargs_t_target void fargs_t_before(struct fargs_t_one_word s, int a, int b)
{
	fargs_t_use_wide(s);
	fargs_t_use(a);
	fargs_t_use(b);
}

fargs_t_target void fargs_t_between(int a, struct fargs_t_one_word s, int b)
{
	fargs_t_use(a);
	fargs_t_use_wide(s);
	fargs_t_use(b);
}

fargs_t_target void fargs_t_after(int a, int b, struct fargs_t_one_word s)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use_wide(s);
}

fargs_t_target void fargs_t_before_wide(struct fargs_t_two_words s, int a, int b)
{
	fargs_t_use_wide(s);
	fargs_t_use(a);
	fargs_t_use(b);
}

fargs_t_target void fargs_t_between_wide(int a, struct fargs_t_two_words s, int b)
{
	fargs_t_use(a);
	fargs_t_use_wide(s);
	fargs_t_use(b);
}

fargs_t_target void fargs_t_after_wide(int a, int b, struct fargs_t_two_words s)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use_wide(s);
}

fargs_t_target void fargs_t_before_large(struct fargs_t_three_words s, int a, int b)
{
	fargs_t_use_wide(s);
	fargs_t_use(a);
	fargs_t_use(b);
}

fargs_t_target void fargs_t_between_large(int a, struct fargs_t_three_words s, int b)
{
	fargs_t_use(a);
	fargs_t_use_wide(s);
	fargs_t_use(b);
}

fargs_t_target void fargs_t_after_large(int a, int b, struct fargs_t_three_words s)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use_wide(s);
}

fargs_t_target void fargs_t_two_structs(struct fargs_t_two_words s, struct fargs_t_two_words t,
					int a, int b)
{
	fargs_t_use_wide(s);
	fargs_t_use_wide(t);
	fargs_t_use(a);
	fargs_t_use(b);
}

fargs_t_target void fargs_t_three_structs(struct fargs_t_two_words s, struct fargs_t_two_words t,
					  struct fargs_t_two_words u)
{
	fargs_t_use_wide(s);
	fargs_t_use_wide(t);
	fargs_t_use_wide(u);
}

fargs_t_target void fargs_t_fits(int a, int b, int c, int d, struct fargs_t_two_words s, int e)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use_wide(s);
	fargs_t_use(e);
}

fargs_t_target void fargs_t_no_room(int a, int b, int c, int d, int e,
				    struct fargs_t_two_words s, int f, int g)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use_wide(s);
	fargs_t_use(f);
	fargs_t_use(g);
}

fargs_t_target void fargs_t_no_room_12(s8 a, s8 b, s8 c, s8 d, s8 e, struct fargs_t_twelve s,
				       s8 f, s8 g)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use_wide(s);
	fargs_t_use(f);
	fargs_t_use(g);
}

fargs_t_target void fargs_t_no_room_twice(int a, int b, int c, int d, int e,
					  struct fargs_t_two_words s, struct fargs_t_two_words t,
					  struct fargs_t_one_word u,
					  int f)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use_wide(s);
	fargs_t_use_wide(t);
	fargs_t_use_wide(u);
	fargs_t_use(f);
}

fargs_t_target void fargs_t_last_register(int a, int b, int c, int d, int e,
					  struct fargs_t_one_word s, struct fargs_t_three t,
					  int f)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use_wide(s);
	fargs_t_use_wide(t);
	fargs_t_use(f);
}

fargs_t_target void fargs_t_all_on_stack(int a, int b, int c, int d, int e, int f,
					 struct fargs_t_three s, struct fargs_t_one_word t,
					 struct fargs_t_twelve u,
					 struct fargs_t_three_words v,
					 s8 g)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use_wide(s);
	fargs_t_use_wide(t);
	fargs_t_use_wide(u);
	fargs_t_use_wide(v);
	fargs_t_use(g);
}

fargs_t_target void fargs_t_large_in_between(s8 a, struct fargs_t_three_words s, u8 b,
					     struct fargs_t_one_word t, s16 c,
					     struct fargs_t_three_words u,
					     u16 d,
					     bool e,
					     s8 f)
{
	fargs_t_use(a);
	fargs_t_use_wide(s);
	fargs_t_use(b);
	fargs_t_use_wide(t);
	fargs_t_use(c);
	fargs_t_use_wide(u);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
}

fargs_t_target void fargs_t_sizes_mixed(struct fargs_t_three s, char a, struct fargs_t_twelve t,
					s64 b, struct fargs_t_one_word u, bool c)
{
	fargs_t_use_wide(s);
	fargs_t_use(a);
	fargs_t_use_wide(t);
	fargs_t_use(b);
	fargs_t_use_wide(u);
	fargs_t_use(c);
}

void target_walk_mixed_struct(struct target_run *run)
{
	TARGET_CALL(run, "fargs_t_before(s={.a=10, .b=-20}, a=-1, b=-2)",
		    fargs_t_before((struct fargs_t_one_word){ 10, -20 }, -1, -2));
	TARGET_CALL(run, "fargs_t_between(a=-1, s={.a=10, .b=-20}, b=-2)",
		    fargs_t_between(-1, (struct fargs_t_one_word){ 10, -20 }, -2));
	TARGET_CALL(run, "fargs_t_after(a=-1, b=-2, s={.a=10, .b=-20})",
		    fargs_t_after(-1, -2, (struct fargs_t_one_word){ 10, -20 }));
	TARGET_CALL(run, "fargs_t_before_wide(s={.a=10, .b=-20}, a=-1, b=-2)",
		    fargs_t_before_wide((struct fargs_t_two_words){ 10, -20 }, -1, -2));
	TARGET_CALL(run, "fargs_t_between_wide(a=-1, s={.a=10, .b=-20}, b=-2)",
		    fargs_t_between_wide(-1, (struct fargs_t_two_words){ 10, -20 }, -2));
	TARGET_CALL(run, "fargs_t_after_wide(a=-1, b=-2, s={.a=10, .b=-20})",
		    fargs_t_after_wide(-1, -2, (struct fargs_t_two_words){ 10, -20 }));
	TARGET_CALL(run, "fargs_t_before_large(s={.a=1, .b=2, .c=3}, a=-1, b=-2)",
		    fargs_t_before_large((struct fargs_t_three_words){ 1, 2, 3 }, -1, -2));
	TARGET_CALL(run, "fargs_t_between_large(a=-1, s={.a=1, .b=2, .c=3}, b=-2)",
		    fargs_t_between_large(-1, (struct fargs_t_three_words){ 1, 2, 3 }, -2));
	TARGET_CALL(run, "fargs_t_after_large(a=-1, b=-2, s={.a=1, .b=2, .c=3})",
		    fargs_t_after_large(-1, -2, (struct fargs_t_three_words){ 1, 2, 3 }));
	TARGET_CALL(run, "fargs_t_two_structs(s={.a=1, .b=2}, t={.a=3, .b=4}, a=5, b=6)",
		    fargs_t_two_structs((struct fargs_t_two_words){ 1, 2 },
					(struct fargs_t_two_words){ 3, 4 }, 5, 6));
	TARGET_CALL(run, "fargs_t_three_structs(s={.a=1, .b=2}, t={.a=3, .b=4}, u={.a=5, .b=6})",
		    fargs_t_three_structs((struct fargs_t_two_words){ 1, 2 },
					  (struct fargs_t_two_words){ 3, 4 },
					  (struct fargs_t_two_words){ 5, 6 }));
	TARGET_CALL(run, "fargs_t_fits(a=1, b=2, c=3, d=4, s={.a=5, .b=6}, e=7)",
		    fargs_t_fits(1, 2, 3, 4, (struct fargs_t_two_words){ 5, 6 }, 7));
	TARGET_CALL(run, "fargs_t_no_room(a=1, b=2, c=3, d=4, e=5, s={.a=6, .b=7}, f=8, g=9)",
		    fargs_t_no_room(1, 2, 3, 4, 5, (struct fargs_t_two_words){ 6, 7 }, 8, 9));
	TARGET_CALL(run,
		    "fargs_t_no_room_12(a=-1, b=-2, c=-3, d=-4, e=-5, s={.a=6, .b=7, .c=8}, f=-9, g=-10)",
		    fargs_t_no_room_12(-1, -2, -3, -4, -5, (struct fargs_t_twelve){ 6, 7, 8 }, -9,
				       -10));
	TARGET_CALL(run,
		    "fargs_t_no_room_twice(a=1, b=2, c=3, d=4, e=5, s={.a=6, .b=7}, t={.a=8, .b=9}, u={.a=10, .b=11}, f=12)",
		    fargs_t_no_room_twice(1, 2, 3, 4, 5, (struct fargs_t_two_words){ 6, 7 },
					  (struct fargs_t_two_words){ 8, 9 },
					  (struct fargs_t_one_word){ 10, 11 }, 12));
	TARGET_CALL(run,
		    "fargs_t_last_register(a=1, b=2, c=3, d=4, e=5, s={.a=-6, .b=7}, t={.a=8, .b=9, .c=-10}, f=11)",
		    fargs_t_last_register(1, 2, 3, 4, 5, (struct fargs_t_one_word){ -6, 7 },
					  (struct fargs_t_three){ 8, 9, -10 }, 11));
	TARGET_CALL(run,
		    "fargs_t_all_on_stack(a=1, b=2, c=3, d=4, e=5, f=6, s={.a=7, .b=8, .c=-9}, t={.a=10, .b=-11}, u={.a=12, .b=13, .c=-14}, v={.a=15, .b=16, .c=-17}, g=-18)",
		    fargs_t_all_on_stack(1, 2, 3, 4, 5, 6, (struct fargs_t_three){ 7, 8, -9 },
					 (struct fargs_t_one_word){ 10, -11 },
					 (struct fargs_t_twelve){ 12, 13, -14 },
					 (struct fargs_t_three_words){ 15, 16, -17 }, -18));
	TARGET_CALL(run,
		    "fargs_t_large_in_between(a=-1, s={.a=2, .b=3, .c=4}, b=255, t={.a=-5, .b=6}, c=-7, u={.a=8, .b=9, .c=10}, d=65535, e=true, f=-11)",
		    fargs_t_large_in_between(-1, (struct fargs_t_three_words){ 2, 3, 4 }, 255,
					     (struct fargs_t_one_word){ -5, 6 }, -7,
					     (struct fargs_t_three_words){ 8, 9, 10 }, 65535,
					     true, -11));
	TARGET_CALL(run,
		    "fargs_t_sizes_mixed(s={.a=1, .b=2, .c=-3}, a='A', t={.a=4, .b=-5, .c=6}, b=-7, u={.a=8, .b=9}, c=true)",
		    fargs_t_sizes_mixed((struct fargs_t_three){ 1, 2, -3 }, 'A',
					(struct fargs_t_twelve){ 4, -5, 6 }, -7,
					(struct fargs_t_one_word){ 8, 9 }, true));
}
