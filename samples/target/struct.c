// SPDX-License-Identifier: GPL-2.0-only
/*
 * Structures and unions by value, alone or before a scalar; the scalar's position depends on the
 * number of registers they use. Up to 16 bytes are passed in registers, larger structures on the
 * stack.
 */
#include <linux/compiler.h>
#include <linux/types.h>

#include "target.h"

struct fargs_t_size_0 {
};

struct fargs_t_size_1 {
	s8 a;
};

struct fargs_t_size_3 {
	u8 a;
	s8 b;
	u8 c;
};

struct fargs_t_size_8 {
	int a;
	int b;
};

struct fargs_t_size_12 {
	int a;
	int b;
	int c;
};

struct fargs_t_size_16 {
	long a;
	int b;
	short c;
};

struct fargs_t_size_17 {
	u8 a[17];
};

struct fargs_t_size_24 {
	long a;
	long b;
	long c;
};

struct fargs_t_size_40 {
	long a[4];
	u16 b;
};

/* 7 stack slots: more than a caller with CAP_PERFMON alone may read. */
struct fargs_t_size_56 {
	long a[6];
	u16 b;
};

/* One member is misaligned, so the whole structure is passed in memory. */
struct fargs_t_tight_5 {
	u8 a;
	u32 b;
} __packed;

/* Packed, but all members are aligned, so it is passed like a structure that is not packed. */
struct fargs_t_tight_12 {
	u64 a;
	s32 b;
} __packed;

union fargs_t_either_8 {
	s64 a;
	u32 b;
	s8 c;
};

union fargs_t_either_16 {
	long a[2];
	u8 b;
};

union fargs_t_either_24 {
	long a[3];
	s32 b;
};

typedef struct fargs_t_size_16 fargs_t_point_t;

void fargs_t_struct_1(struct fargs_t_size_1 s);
void fargs_t_struct_3(struct fargs_t_size_3 s);
void fargs_t_struct_8(struct fargs_t_size_8 s);
void fargs_t_struct_12(struct fargs_t_size_12 s);
void fargs_t_struct_16(struct fargs_t_size_16 s);
void fargs_t_struct_17(struct fargs_t_size_17 s);
void fargs_t_struct_24(struct fargs_t_size_24 s);
void fargs_t_struct_40(struct fargs_t_size_40 s);
void fargs_t_struct_56(struct fargs_t_size_56 s);
void fargs_t_struct_0_int(struct fargs_t_size_0 s, int after);
void fargs_t_struct_1_int(struct fargs_t_size_1 s, int after);
void fargs_t_struct_3_int(struct fargs_t_size_3 s, int after);
void fargs_t_struct_8_int(struct fargs_t_size_8 s, int after);
void fargs_t_struct_12_int(struct fargs_t_size_12 s, int after);
void fargs_t_struct_16_int(struct fargs_t_size_16 s, int after);
void fargs_t_struct_17_int(struct fargs_t_size_17 s, int after);
void fargs_t_struct_24_int(struct fargs_t_size_24 s, int after);
void fargs_t_struct_40_int(struct fargs_t_size_40 s, int after);
void fargs_t_packed_5(struct fargs_t_tight_5 s, int after);
void fargs_t_packed_12(struct fargs_t_tight_12 s, int after);
void fargs_t_union_8(union fargs_t_either_8 u, int after);
void fargs_t_union_16(union fargs_t_either_16 u, int after);
void fargs_t_union_24(union fargs_t_either_24 u, int after);
void fargs_t_union_8_last(int before, union fargs_t_either_8 u);
void fargs_t_union_16_last(int before, union fargs_t_either_16 u);
void fargs_t_union_24_last(int before, union fargs_t_either_24 u);
void fargs_t_struct_typedef(const fargs_t_point_t s, int after);

fargs_t_target void fargs_t_struct_1(struct fargs_t_size_1 s)
{
	fargs_t_use_wide(s);
}

fargs_t_target void fargs_t_struct_3(struct fargs_t_size_3 s)
{
	fargs_t_use_wide(s);
}

fargs_t_target void fargs_t_struct_8(struct fargs_t_size_8 s)
{
	fargs_t_use_wide(s);
}

fargs_t_target void fargs_t_struct_12(struct fargs_t_size_12 s)
{
	fargs_t_use_wide(s);
}

fargs_t_target void fargs_t_struct_16(struct fargs_t_size_16 s)
{
	fargs_t_use_wide(s);
}

fargs_t_target void fargs_t_struct_17(struct fargs_t_size_17 s)
{
	fargs_t_use_wide(s);
}

fargs_t_target void fargs_t_struct_24(struct fargs_t_size_24 s)
{
	fargs_t_use_wide(s);
}

fargs_t_target void fargs_t_struct_40(struct fargs_t_size_40 s)
{
	fargs_t_use_wide(s);
}

fargs_t_target void fargs_t_struct_56(struct fargs_t_size_56 s)
{
	fargs_t_use_wide(s);
}

fargs_t_target void fargs_t_struct_0_int(struct fargs_t_size_0 s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_struct_1_int(struct fargs_t_size_1 s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_struct_3_int(struct fargs_t_size_3 s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_struct_8_int(struct fargs_t_size_8 s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_struct_12_int(struct fargs_t_size_12 s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_struct_16_int(struct fargs_t_size_16 s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_struct_17_int(struct fargs_t_size_17 s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_struct_24_int(struct fargs_t_size_24 s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_struct_40_int(struct fargs_t_size_40 s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_packed_5(struct fargs_t_tight_5 s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_packed_12(struct fargs_t_tight_12 s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_union_8(union fargs_t_either_8 u, int after)
{
	fargs_t_use_wide(u);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_union_16(union fargs_t_either_16 u, int after)
{
	fargs_t_use_wide(u);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_union_24(union fargs_t_either_24 u, int after)
{
	fargs_t_use_wide(u);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_union_8_last(int before, union fargs_t_either_8 u)
{
	fargs_t_use(before);
	fargs_t_use_wide(u);
}

fargs_t_target void fargs_t_union_16_last(int before, union fargs_t_either_16 u)
{
	fargs_t_use(before);
	fargs_t_use_wide(u);
}

fargs_t_target void fargs_t_union_24_last(int before, union fargs_t_either_24 u)
{
	fargs_t_use(before);
	fargs_t_use_wide(u);
}

fargs_t_target void fargs_t_struct_typedef(const fargs_t_point_t s, int after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

void target_walk_struct(struct target_run *run)
{
	TARGET_CALL(run, "fargs_t_struct_1(s={.a=-1})",
		    fargs_t_struct_1((struct fargs_t_size_1){ -1 }));
	TARGET_CALL(run, "fargs_t_struct_3(s={.a=255, .b=-1, .c=3})",
		    fargs_t_struct_3((struct fargs_t_size_3){ 255, -1, 3 }));
	TARGET_CALL(run, "fargs_t_struct_8(s={.a=10, .b=-20})",
		    fargs_t_struct_8((struct fargs_t_size_8){ 10, -20 }));
	TARGET_CALL(run, "fargs_t_struct_8(s={.a=0, .b=0})",
		    fargs_t_struct_8((struct fargs_t_size_8){ 0, 0 }));
	TARGET_CALL(run, "fargs_t_struct_12(s={.a=-1, .b=2, .c=-3})",
		    fargs_t_struct_12((struct fargs_t_size_12){ -1, 2, -3 }));
	TARGET_CALL(run, "fargs_t_struct_16(s={.a=-5000000000, .b=-2, .c=-3})",
		    fargs_t_struct_16((struct fargs_t_size_16){ -5000000000, -2, -3 }));
	TARGET_CALL(run,
		    "fargs_t_struct_17(s={.a={1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 255}})",
		    fargs_t_struct_17(
			(struct fargs_t_size_17){ { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
				14, 15, 16, 255 } }));
	TARGET_CALL(run, "fargs_t_struct_24(s={.a=1, .b=-2, .c=3})",
		    fargs_t_struct_24((struct fargs_t_size_24){ 1, -2, 3 }));
	TARGET_CALL(run, "fargs_t_struct_40(s={.a={1, -2, 3, -4}, .b=65535})",
		    fargs_t_struct_40((struct fargs_t_size_40){ { 1, -2, 3, -4 }, 65535 }));
	TARGET_CALL(run, "fargs_t_struct_56(s={.a={1, -2, 3, -4, 5, -6}, .b=65535})",
		    fargs_t_struct_56((struct fargs_t_size_56){ { 1, -2, 3, -4, 5, -6 }, 65535 }));

	TARGET_CALL(run, "fargs_t_struct_0_int(s={}, after=-1)",
		    fargs_t_struct_0_int((struct fargs_t_size_0){ }, -1));
	TARGET_CALL(run, "fargs_t_struct_1_int(s={.a=-128}, after=-1)",
		    fargs_t_struct_1_int((struct fargs_t_size_1){ -128 }, -1));
	TARGET_CALL(run, "fargs_t_struct_3_int(s={.a=1, .b=-2, .c=200}, after=-1)",
		    fargs_t_struct_3_int((struct fargs_t_size_3){ 1, -2, 200 }, -1));
	TARGET_CALL(run, "fargs_t_struct_8_int(s={.a=-10, .b=20}, after=-1)",
		    fargs_t_struct_8_int((struct fargs_t_size_8){ -10, 20 }, -1));
	TARGET_CALL(run, "fargs_t_struct_12_int(s={.a=1, .b=-2, .c=3}, after=-1)",
		    fargs_t_struct_12_int((struct fargs_t_size_12){ 1, -2, 3 }, -1));
	TARGET_CALL(run, "fargs_t_struct_16_int(s={.a=-1, .b=2, .c=-3}, after=-1)",
		    fargs_t_struct_16_int((struct fargs_t_size_16){ -1, 2, -3 }, -1));
	TARGET_CALL(run,
		    "fargs_t_struct_17_int(s={.a={1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 255}}, after=-1)",
		    fargs_t_struct_17_int(
			(struct fargs_t_size_17){ { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
				14, 15, 16, 255 }, },
			-1));
	TARGET_CALL(run, "fargs_t_struct_24_int(s={.a=-1, .b=2, .c=-3}, after=-1)",
		    fargs_t_struct_24_int((struct fargs_t_size_24){ -1, 2, -3 }, -1));
	TARGET_CALL(run, "fargs_t_struct_40_int(s={.a={-1, 2, -3, 4}, .b=1}, after=-1)",
		    fargs_t_struct_40_int((struct fargs_t_size_40){ { -1, 2, -3, 4 }, 1 }, -1));

	TARGET_CALL(run, "fargs_t_packed_5(s={.a=1, .b=4000000000}, after=-1)",
		    fargs_t_packed_5((struct fargs_t_tight_5){ 1, 4000000000u }, -1));
	TARGET_CALL(run, "fargs_t_packed_12(s={.a=1, .b=-2}, after=-1)",
		    fargs_t_packed_12((struct fargs_t_tight_12){ 1, -2 }, -1));
	TARGET_CALL(run, "fargs_t_union_8(u={.a=-2, .b=4294967294, .c=-2}, after=-1)",
		    fargs_t_union_8((union fargs_t_either_8){ -2 }, -1));
	TARGET_CALL(run, "fargs_t_union_16(u={.a={511, -2}, .b=255}, after=-1)",
		    fargs_t_union_16((union fargs_t_either_16){ { 511, -2 } }, -1));
	TARGET_CALL(run, "fargs_t_union_24(u={.a={4294967297, -2, 3}, .b=1}, after=-1)",
		    fargs_t_union_24((union fargs_t_either_24){ { 4294967297, -2, 3 } }, -1));
	TARGET_CALL(run, "fargs_t_union_8_last(before=-1, u={.a=511, .b=511, .c=-1})",
		    fargs_t_union_8_last(-1, (union fargs_t_either_8){ 511 }));
	TARGET_CALL(run, "fargs_t_union_16_last(before=-1, u={.a={-256, 2}, .b=0})",
		    fargs_t_union_16_last(-1, (union fargs_t_either_16){ { -256, 2 } }));
	TARGET_CALL(run, "fargs_t_union_24_last(before=-1, u={.a={-3, 2, 1}, .b=-3})",
		    fargs_t_union_24_last(-1, (union fargs_t_either_24){ { -3, 2, 1 } }));
	TARGET_CALL(run, "fargs_t_struct_typedef(s={.a=1, .b=2, .c=3}, after=-1)",
		    fargs_t_struct_typedef((fargs_t_point_t){ 1, 2, 3 }, -1));
}
