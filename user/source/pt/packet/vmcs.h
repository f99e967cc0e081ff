/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The VMCSs of a recording, and the offsets of their guests' TSCs (guest_tsc.h).
 */
#ifndef FARGS_SOURCE_PT_PACKET_VMCS_H
#define FARGS_SOURCE_PT_PACKET_VMCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A ratio of TSCs is a number of 2^-FARGS_PT_TSC_RATIO_BITS, as in a VMCS. */
#define FARGS_PT_TSC_RATIO_BITS	48

/* A VMCS: a virtual CPU. */
struct fargs_pt_vmcs {
	uint64_t page;		/* physical address / 4096; 0: any without a VMCS packet */
	/* guest's TSC - host's TSC * @ratio; without a ratio, the upper byte does not matter */
	uint64_t offset;
	uint64_t ratio;		/* of the guest's frequency to the host's; 0: they are the same */
	bool is_known;		/* @offset is valid */
	bool is_certain;	/* it was given, or derived where no packet can be missing */
	uint64_t bound;		/* greatest error of the host's TSC; 0 if the offset was given */
	uint64_t nr;		/* TSC packets of the guest */
	uint64_t nr_unknown;	/* those whose offset was not known */
	uint64_t nr_derived;	/* those that show the offset with certainty */
	uint64_t max_error;	/* greatest difference of these to @offset */
};

/* Those that occur in a recording. Initialize with zeroes. */
struct fargs_pt_vmcs_list {
	struct fargs_pt_vmcs *all;
	size_t nr;
	bool has_default;	/* @offset and @ratio are those of VMCSs not in the list */
	uint64_t offset, ratio;
};

/*
 * Returns the greatest error of a host's TSC that is derived from a guest's TSC with @ratio: where
 * the guest's is slower, it is the same for several ticks of the host's.
 */
static inline uint64_t fargs_pt_tsc_bound(uint64_t ratio)
{
	return ratio ? (UINT64_C(1) << FARGS_PT_TSC_RATIO_BITS) / ratio + 1 : 0;
}

void fargs_pt_vmcs_list_deinit(struct fargs_pt_vmcs_list *list);
/*
 * Returns the VMCS with the address @page * 4096, which is added if it is not in the list; NULL if
 * out of memory. The pointer is valid until the next call.
 */
struct fargs_pt_vmcs *fargs_pt_vmcs_list_get(struct fargs_pt_vmcs_list *list, uint64_t page);

#endif
