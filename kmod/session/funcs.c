// SPDX-License-Identifier: GPL-2.0-only
#include "session/funcs.h"

#include <linux/lockdep.h>

#include "session/session.h"

struct fargs_session_func *fargs_funcs_find(const struct fargs_session *session, unsigned long ip)
{
	u32 low = 0, high = session->nr_funcs;

	lockdep_assert_held(&session->lock);
	/* Find the first function at @ip. There may also be dropped functions with this address. */
	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (session->funcs[mid].ip < ip)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < session->nr_funcs && session->funcs[low].ip == ip; low++) {
		if (!session->funcs[low].is_dropped)
			return &session->funcs[low];
	}
	return NULL;
}
