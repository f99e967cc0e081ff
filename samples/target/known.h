/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The structures to which the arguments of fargs_k_*() point. Used by the module and by
 * selftests/fetch_random.c, which follows random paths through them with offsets computed by the
 * compiler. That program must define s8 to u64 before it includes this file.
 *
 * /proc/fargs_known shows each object as a line "ADDRESS HEX", with the bytes in memory order:
 * KNOWN_NODES nodes, KNOWN_LEAVES leaves, KNOWN_WORDS strings (of KNOWN_WORD bytes, of which the
 * last is 0), and one line for all numbers; then a line "signed" or "unsigned", for the type char
 * in this kernel. Writing a number to the file fills all objects with random contents, and uses the
 * number as the seed.
 */
#ifndef FARGS_TARGET_KNOWN_H
#define FARGS_TARGET_KNOWN_H

enum fargs_k_color {
	FARGS_K_RED = 1,
	FARGS_K_GREEN = 2,
	FARGS_K_BLUE = -3,
};

struct fargs_k_leaf {
	s8 a;
	u8 b;
	s16 c;
	u16 d;
	s32 e;
	u32 f;
	s64 g;
	u64 h;
	bool ok;
	char ch;
	enum fargs_k_color color;
	s32 b1 : 3;
	u32 b2 : 9;
	s32 b3 : 20;
	u64 w1 : 33;
	s64 w2 : 31;
	u8 n1 : 1;
	s16 n2 : 11;
	s16 values[5];
	char name[11];
	u8 raw[6];
};

struct fargs_k_packed {
	u8 x;
	s32 y;
	u64 z;
} __attribute__((__packed__));

struct fargs_k_node {
	struct fargs_k_leaf leaf;
	struct fargs_k_leaf leaves[3];
	struct fargs_k_node *next;
	struct fargs_k_leaf *far;
	const char *text;
	s32 *numbers;
	struct fargs_k_node *table[4];
	union {
		u64 whole;
		struct {
			u16 low;
			s32 high;
		};
	};
	struct {
		u8 inner;
		struct {
			s16 deep;
		};
	};
	struct fargs_k_packed packed;
};

#define KNOWN_NODES	6
#define KNOWN_LEAVES	5
#define KNOWN_WORDS	4
#define KNOWN_WORD	24
#define KNOWN_NUMBERS	16

#endif
