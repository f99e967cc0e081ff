// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/mono.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

int fargs_pt_mono_add(struct fargs_pt_input *in, uint64_t mono_ns, uint64_t perf_ns)
{
	struct fargs_pt_mono *to = fargs_array_add(in->monos, in->nr_monos);

	if (!to)
		return -ENOMEM;
	*to = (struct fargs_pt_mono){ .mono_ns = mono_ns, .perf_ns = perf_ns };
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct fargs_pt_mono *x = a, *y = b;

	return x->mono_ns < y->mono_ns ? -1 : x->mono_ns > y->mono_ns;
}

void fargs_pt_mono_sort(struct fargs_pt_input *in)
{
	if (in->nr_monos)
		qsort(in->monos, in->nr_monos, sizeof(*in->monos), compare);
}

/* Returns @value * @by / @of. */
static uint64_t scale(uint64_t value, uint64_t by, uint64_t of)
{
	unsigned __int128 product = value;

	return product * by / of;
}

bool fargs_pt_mono_convert(const struct fargs_pt_input *in, uint64_t mono_ns, uint64_t *perf_ns)
{
	size_t low = 0, high = in->nr_monos, mid;
	const struct fargs_pt_mono *a, *b;

	if (!high)
		return false;
	/* The number of samples at or before @mono_ns. */
	while (low < high) {
		mid = low + (high - low) / 2;
		if (in->monos[mid].mono_ns <= mono_ns)
			low = mid + 1;
		else
			high = mid;
	}
	a = &in->monos[low ? low - 1 : 0];
	b = &in->monos[low < in->nr_monos ? low : in->nr_monos - 1];
	*perf_ns = a == b ? mono_ns + (a->perf_ns - a->mono_ns) :
			    a->perf_ns + scale(mono_ns - a->mono_ns, b->perf_ns - a->perf_ns,
					       b->mono_ns - a->mono_ns);
	return true;
}
