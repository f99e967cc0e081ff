/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The TSC packets of guests in the trace of a host. A guest reads the host's TSC plus an offset,
 * which its VMCS has (Intel SDM, volume 3, "Offsetting the TSC and TSC scaling"), and its TSC
 * packets contain what it reads. TMA and MTC packets count the crystal clock, which has no offset:
 * from a TMA of a host, they show the host's TSC at the TMA that follows a guest's TSC. The offset
 * is the difference. Where the TSC is scaled, too, both the offset and the ratio must be given.
 *
 * What an offset is derived from is a TSC in a PSB+ with a PIP: it is known to be a guest's, and to
 * be no sign of a pause, in which MTCs may be missing. Its error is that of the rounding of two
 * times of the crystal clock to TSC ticks, less than FARGS_PT_GUEST_TSC_ERROR; plus that of
 * the last TSC before it, if that was a guest's, too.
 *
 * The decisions are those of perf inject --vm-time-correlation, so that the results are the same.
 * What perf does not do is compare: each later TSC of this kind shows the offset again, and all
 * others must not be earlier than what precedes them, or later than when the trace was read.
 */
#ifndef FARGS_SOURCE_PT_PACKET_GUEST_TSC_H
#define FARGS_SOURCE_PT_PACKET_GUEST_TSC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/packet/guest_around.h"
#include "source/pt/packet/packet.h"
#include "source/pt/packet/vmcs.h"

struct fargs_pt_config;

#define FARGS_PT_GUEST_TSC_ERROR	2

enum fargs_pt_guest_tsc_kind {
	FARGS_PT_GUEST_TSC_PACKET,	/* any packet, before it is judged */
	FARGS_PT_GUEST_TSC_SET,		/* the value is @now instead of @old */
	FARGS_PT_GUEST_TSC_FOUND,	/* an offset was derived: @now; it was unknown, or vague */
	/* Errors after which the times of the trace may be wrong: */
	FARGS_PT_GUEST_TSC_UNKNOWN,	/* the offset is unknown: @now is what this packet shows */
	FARGS_PT_GUEST_TSC_FIRST,	/* and this packet shows none: it remains as it is */
	FARGS_PT_GUEST_TSC_NO_VMCS,	/* the trace does not show which VMCS */
	FARGS_PT_GUEST_TSC_NO_TMA,	/* a TSC without TMA, which remains as it is */
	FARGS_PT_GUEST_TSC_BAD,		/* no packet: reading goes on at the next PSB */
	/* Errors that show that the offset is wrong: */
	FARGS_PT_GUEST_TSC_CHANGED,	/* it is @now, not @old */
	FARGS_PT_GUEST_TSC_EARLY,	/* the host's TSC @now would be earlier than @old */
	FARGS_PT_GUEST_TSC_LATE,	/* the host's TSC @now would be later than @old */
	FARGS_PT_GUEST_TSC_KINDS,
};

static inline bool fargs_pt_guest_tsc_is_wrong(enum fargs_pt_guest_tsc_kind kind)
{
	return kind >= FARGS_PT_GUEST_TSC_CHANGED;
}

struct fargs_pt_guest_tsc_event {
	enum fargs_pt_guest_tsc_kind kind;
	const struct fargs_pt_packet *packet;	/* only PACKET and SET */
	const uint8_t *at;			/* the packet */
	const struct fargs_pt_vmcs *vmcs;	/* NULL: none; valid during the call */
	uint64_t old, now;
	/* Where the value is written, and its size; only SET. */
	const uint8_t *to;
	unsigned int bytes;
};

/* Returns 0, or a value that ends fargs_pt_guest_tsc_read() with it. */
typedef int fargs_pt_guest_tsc_fn(void *arg, const struct fargs_pt_guest_tsc_event *ev);

/* The state of a stream. */
struct fargs_pt_guest_tsc {
	struct fargs_pt_vmcs_list *list;
	fargs_pt_guest_tsc_fn *fn;
	void *arg;
	bool wants_packets;		/* @fn is called with PACKET; set by the caller */
	uint64_t nr_guessed;		/* TSCs that were assigned to host or guest by their time */
	uint16_t errata;
	/* TSC ticks per tick of the crystal clock, as a fraction. */
	uint64_t ratio_n, ratio_d;
	uint8_t mtc_freq;
	uint8_t bip_bytes;
	uint8_t group;			/* type of the current group of BIPs */
	int result;			/* of @fn, if it was not 0 */

	bool is_synced;			/* a PSB was read since the beginning, or since an error */
	bool is_on;			/* tracing is enabled */
	bool is_guest;			/* of the last PIP */
	bool is_psb;			/* in a PSB+, whose contents are @psb */
	uint64_t page;			/* of the last VMCS; 0: none */
	struct fargs_pt_guest_around psb;

	/* At the multiple of the MTC period @base_ctc, the host's TSC was @base. */
	bool has_base;
	uint64_t base;
	uint16_t base_ctc;
	uint64_t ticks;			/* of the crystal, from then to the last MTC */
	bool has_tma;			/* a TMA followed the last TSC: MTCs count */
	bool is_base_guest;		/* the last TSC is that of a guest */
	bool is_mtc_short;		/* @mtc has fewer than 8 bits */
	uint8_t mtc;
	uint64_t tsc;			/* the last TSC, of the host; 0: none */
	uint64_t last_page;		/* of the last TSC of a guest */
	bool is_last_guest;		/* the last TSC was that of a guest whose offset is known */
	bool is_last_unknown;		/* the last TSC is a guest's, not the host's */
	uint64_t error;			/* greatest error of @tsc */
	uint64_t sure;			/* the last TSC that a PIP shows to be the host's */
	uint64_t reference;		/* when the bytes were read; 0: unknown */
	/* Whether an offset can be derived: see derive() in guest_tsc.c. */
	bool is_reliable;		/* whose the last TSC was is known, and its offset */
	bool is_continuous;		/* tracing was on since the last TSC */
	bool has_tsc;			/* there was one */
	bool is_gap;			/* MTCs may be missing since then */
	bool is_asleep;			/* and the crystal clock may have stopped */
};

/* @config and @list must have been set up; @list is shared by the streams of a recording. */
void fargs_pt_guest_tsc_init(struct fargs_pt_guest_tsc *g, const struct fargs_pt_config *config,
			     struct fargs_pt_vmcs_list *list, fargs_pt_guest_tsc_fn *fn, void *arg);
/* To be called before bytes that do not follow the last ones in the stream. */
void fargs_pt_guest_tsc_restart(struct fargs_pt_guest_tsc *g);
/*
 * Reads @n bytes, which consist of whole packets. @reference: the host's TSC when they were copied;
 * 0: unknown. Returns 0, the result of @fn, or -ENOMEM.
 */
int fargs_pt_guest_tsc_read(struct fargs_pt_guest_tsc *g, const uint8_t *bytes, size_t n,
			    uint64_t reference);

#endif
