// SPDX-License-Identifier: GPL-2.0-only
#include "prog/regrange.h"

#define TOP_BIT		(1ull << 63)

/* The lowest and the highest value that are accepted, if the first is not higher. */
struct bounds {
	u64 low, high;
};

/* Returns what a comparison with @limit accepts; @accepts: see accepted_outcomes(). */
static struct bounds accepted_by(u64 limit, u32 accepts)
{
	switch (accepts) {
	case 1:		/* less */
		return limit ? (struct bounds){ 0, limit - 1 } : (struct bounds){ 1, 0 };
	case 2:		/* equal */
		return (struct bounds){ limit, limit };
	case 3:
		return (struct bounds){ 0, limit };
	case 4:		/* greater */
		return ~limit ? (struct bounds){ limit + 1, ~0ull } : (struct bounds){ 1, 0 };
	case 6:
		return (struct bounds){ limit, ~0ull };
	default:
		return (struct bounds){ 1, 0 };
	}
}

/* Is @value unchanged if its bits above the width of the compared value are lost? */
static bool is_kept(const struct fargs_regcond *cond, u64 value)
{
	u64 shifted = value << cond->right >> cond->right;

	return ((shifted ^ cond->sign) - cond->sign) == value;
}

/* Returns a bit for each outcome that is accepted: 1 for less, 2 for equal, 4 for greater. */
static u32 accepted_outcomes(const struct fargs_regcond *cond)
{
	u32 accepts = 0, i;

	for (i = 0; i < 3; i++) {
		if (cond->next[i] == FARGS_REGCOND_ACCEPT)
			accepts |= 1u << i;
		else if (cond->next[i] != FARGS_REGCOND_REJECT)
			return 0;
	}
	return accepts;
}

bool fargs_regrange_make(const struct fargs_regcond *cond, struct fargs_regrange *to)
{
	u64 limit = cond->limit ^ cond->flip, kept = ~0ull << cond->right, flip = cond->flip;
	u32 accepts = accepted_outcomes(cond);
	struct bounds bounds;

	if (!is_kept(cond, limit))
		return false;
	/* The sign of a value without a sign bit is that of its highest bit only if it is wide. */
	if (flip && !cond->sign && cond->right)
		return false;
	if (~cond->mask && (flip || cond->sign || cond->mask << cond->right >> cond->right !=
						  cond->mask))
		return false;
	limit <<= cond->right;
	if (accepts == 5) {	/* not equal: all values but one */
		bounds = (struct bounds){ limit + 1, limit - 1 };
		flip = 0;
	} else {
		bounds = accepted_by(limit ^ flip, accepts);
		if (bounds.low > bounds.high)
			return false;
	}
	*to = (struct fargs_regrange){
		.mask = kept & cond->mask << cond->right,
		.first = bounds.low ^ flip,
		.span = bounds.high - bounds.low,
		.offset = cond->offset,
		.left = cond->left,
	};
	return true;
}
