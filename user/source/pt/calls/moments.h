/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When something was in the flow, as far as that is known: not before, and not after. What
 * bounds it are times that the trace tells often enough to know how wrong they are, and the
 * TSC that records took in the calls they were joined to.
 */
#ifndef FARGS_PT_MOMENTS_H
#define FARGS_PT_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"

struct fargs_pt_moment {
	uint64_t first_tsc;	/* it was not before; 0: nothing is known */
	uint64_t last_tsc;	/* nor after; UINT64_MAX: nothing is known */
};

#define FARGS_PT_MOMENT_UNKNOWN	((struct fargs_pt_moment){ 0, UINT64_MAX })

struct fargs_pt_moments;

/* NULL: no memory. @in must outlive it. */
struct fargs_pt_moments *fargs_pt_moments_create(const struct fargs_pt_input *in);
void fargs_pt_moments_destroy(struct fargs_pt_moments *m);

/*
 * On @cpu a record took @tsc behind @nr_nodes calls (pt/stack.h), of all CPUs, and nothing that
 * is asked for came between the last of these and that. -ENOMEM.
 */
int fargs_pt_moments_add(struct fargs_pt_moments *m, uint32_t cpu, uint64_t nr_nodes,
			 uint64_t tsc);
/* When all are there. */
void fargs_pt_moments_finish(struct fargs_pt_moments *m);

/* By the trace: what it tells at @tsc. */
struct fargs_pt_moment fargs_pt_moments_told(const struct fargs_pt_moments *m, uint64_t tsc);

/*
 * Makes @moment, on the CPU of stream @nr, closer by records: it was behind @nr_nodes calls.
 * Those made behind @since calls or fewer may be later than what follows in the flow.
 */
void fargs_pt_moments_bound(const struct fargs_pt_moments *m, size_t nr, uint64_t since,
			    uint64_t nr_nodes, struct fargs_pt_moment *moment);

/*
 * Between both, at least *@least_ns and at most *@most_ns. False: that is not known to within a
 * factor of two.
 */
bool fargs_pt_moments_between(const struct fargs_pt_moments *m,
			      const struct fargs_pt_moment *from,
			      const struct fargs_pt_moment *to, uint64_t *least_ns,
			      uint64_t *most_ns);

#endif
