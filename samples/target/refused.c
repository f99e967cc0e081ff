// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that a tracer must refuse, with a reason: their arguments need more than the 32 stack
 * slots of a layout, or their position depends on an alignment that BTF does not describe.
 */
#include <linux/compiler.h>
#include <linux/types.h>

#include "target.h"

/* Takes one stack slot more than a layout can have. */
struct fargs_t_slots_33 {
	u64 a[33];
};

/* Takes as many stack slots as a layout can have, but one more argument follows on the stack. */
struct fargs_t_slots_32 {
	u64 a[32];
};

/*
 * BTF does not describe the attribute __aligned; without this attribute, the structure would be
 * passed one stack slot lower.
 */
struct fargs_t_aligned {
	long a;
	long b;
} __aligned(16);

/*
 * According to BTF, the padding at the end could be an unnamed 64-bit member, which would be passed
 * in a register.
 */
struct fargs_t_padded {
	long a;
} __aligned(16);

/* The value of each slot is different, for tests that examine the stack itself. */
static const struct fargs_t_slots_33 slots_33 = {
	{
		101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,
		112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122,
		123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133,
	},
};

static const struct fargs_t_slots_32 slots_32;

void fargs_t_refused_slots(int a, struct fargs_t_slots_33 s);
void fargs_t_refused_slot_33(int a, int b, int c, int d, int e, int f,
			     struct fargs_t_slots_32 s, int g);
void fargs_t_refused_aligned(int a, int b, int c, int d, int e, int f, int g,
			     struct fargs_t_aligned s);
void fargs_t_refused_padded(struct fargs_t_padded s, int a);

fargs_t_target void fargs_t_refused_slots(int a, struct fargs_t_slots_33 s)
{
	fargs_t_use(a);
	fargs_t_use_wide(s);
}

fargs_t_target void fargs_t_refused_slot_33(int a, int b, int c, int d, int e, int f,
					    struct fargs_t_slots_32 s, int g)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use_wide(s);
	fargs_t_use(g);
}

fargs_t_target void fargs_t_refused_aligned(int a, int b, int c, int d, int e, int f, int g,
					    struct fargs_t_aligned s)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(g);
	fargs_t_use_wide(s);
}

fargs_t_target void fargs_t_refused_padded(struct fargs_t_padded s, int a)
{
	fargs_t_use_wide(s);
	fargs_t_use(a);
}

void target_walk_refused(struct target_run *run)
{
	TARGET_CALL(run, "refused fargs_t_refused_slots", fargs_t_refused_slots(-1, slots_33));
	TARGET_CALL(run, "refused fargs_t_refused_slot_33",
		    fargs_t_refused_slot_33(1, 2, 3, 4, 5, 6, slots_32, -7));
	TARGET_CALL(run, "refused fargs_t_refused_aligned",
		    fargs_t_refused_aligned(1, 2, 3, 4, 5, 6, -7,
					    (struct fargs_t_aligned){ 8, 9 }));
	TARGET_CALL(run, "refused fargs_t_refused_padded",
		    fargs_t_refused_padded((struct fargs_t_padded){ 1 }, 2));
}
