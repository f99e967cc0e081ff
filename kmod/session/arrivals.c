// SPDX-License-Identifier: GPL-2.0-only
#include "session/arrivals.h"

#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "base/refusal.h"

void fargs_arrival_list_deinit(struct fargs_arrival_list *list)
{
	kvfree(list->arrivals);
	memset(list, 0, sizeof(*list));
}

struct fargs_arrival *fargs_arrival_list_room(struct fargs_arrival_list *list, u32 nr)
{
	u32 room = max(list->room, 64u);
	struct fargs_arrival *larger;

	while (room < list->nr + nr)
		room *= 2;
	if (room == list->room)
		return list->arrivals + list->nr;
	larger = kvmalloc_array(room, sizeof(*larger), GFP_KERNEL_ACCOUNT);
	if (!larger)
		return NULL;
	if (list->nr)
		memcpy(larger, list->arrivals, list->nr * sizeof(*larger));
	kvfree(list->arrivals);
	list->arrivals = larger;
	list->room = room;
	return list->arrivals + list->nr;
}

void fargs_arrival_list_append(struct fargs_arrival_list *list, u32 nr)
{
	list->nr += nr;
}

int fargs_arrival_list_take(struct fargs_arrival_list *list, u64 first, struct fargs_arrival **to,
			    u32 *nr, struct fargs_refusal *refusal)
{
	u64 nr_old = first - list->first;

	*to = NULL;
	if (first < list->first || nr_old > list->nr)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_arrivals, first),
				    "first is %llu, but must be from %llu to %llu", first,
				    list->first, list->first + list->nr);
	list->nr -= nr_old;
	list->first = first;
	if (nr_old && list->nr)
		memmove(list->arrivals, list->arrivals + nr_old,
			list->nr * sizeof(*list->arrivals));
	*nr = min(*nr, list->nr);
	if (!*nr)
		return 0;
	*to = kvmalloc_array(*nr, sizeof(**to), GFP_KERNEL);
	if (!*to)
		return -ENOMEM;
	memcpy(*to, list->arrivals, *nr * sizeof(**to));
	return 0;
}
