/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Errata of Intel PT: which CPUs have them. Sources: Intel's specification updates, whose first
 * name of each erratum is used here; for the models, libipt 2.1.2.
 */
#ifndef FARGS_SOURCE_PT_PACKET_ERRATA_H
#define FARGS_SOURCE_PT_PACKET_ERRATA_H

#include <stdint.h>

struct fargs_pt_config;

/*
 * For each erratum: what the CPU does wrong; then which layer handles it, and how. The layers are
 * the reader (packet.h), the clock (clock.h) and the flow, which follows the code.
 */
enum fargs_pt_erratum {
	/*
	 * When a transaction aborts directly after a branch, the packet of that branch can have a
	 * wrong outcome or target. Flow: if the address of the FUP of the abort is not reached
	 * from the target of the last branch before it, continues at the FUP.
	 */
	FARGS_PT_BDM64 = 1,
	/*
	 * A PSB+ that precedes a PGE has FUP and MODE.Exec packets, though tracing is off. Flow:
	 * ignores the FUP in a PSB+, if a PGE follows, and between them are only PAD, timing
	 * packets, MODE, PIP, VMCS, MNT and PSBEND.
	 */
	FARGS_PT_BDM70 = 1 << 1,
	/*
	 * An OVF can replace all but the first byte of a CYC. Reader: a CYC of two bytes, the
	 * second of which, with the byte that follows, is an OVF, is read as an OVF of three bytes.
	 */
	FARGS_PT_SKD007 = 1 << 2,
	/*
	 * The FUP or PGE that should follow an OVF can be missing. Flow: searches the packets after
	 * the OVF. FUP, TIP and a PSB+ with a FUP show that tracing is on, and where decoding
	 * continues; PGD, that tracing is off after it; TNTs cannot be used.
	 */
	FARGS_PT_SKD010 = 1 << 3,
	/*
	 * A VM entry that turns tracing off is reported by FUP and PGD, as if it were asynchronous,
	 * and not by PGD alone. Flow: if the FUP has the address of a VM entry, this instruction
	 * was executed, and turned tracing off.
	 */
	FARGS_PT_SKD022 = 1 << 4,
	/*
	 * A PGD can lack the target of a direct unconditional branch that leaves the traced address
	 * ranges. Flow: a PGD without an address applies to the first such branch whose target is
	 * outside of the ranges, if these are known.
	 */
	FARGS_PT_SKL014 = 1 << 5,
	/*
	 * The CYC and the MTC that should precede a PSB can be missing. Clock: the first MTC after
	 * a PSB can be later than it would be, and is not used to calibrate the rate of cycles.
	 */
	FARGS_PT_SKL168 = 1 << 6,
	/*
	 * While tracing is being turned off, an OVF can be followed by a PGD instead of nothing.
	 * Flow: a PGD that follows an OVF, with only PAD, timing packets, MNT, CFE, EVD and TRIG
	 * between them, means that tracing is off.
	 */
	FARGS_PT_APL11 = 1 << 7,
	/*
	 * An OVF can be followed by a FUP, though tracing is off since execution left the traced
	 * address ranges. Flow: ignores a FUP after an OVF, if the next packet that shows whether
	 * tracing is on is a PGE, TraceStop or a PSB+ without FUP.
	 */
	FARGS_PT_APL12 = 1 << 8,
	/*
	 * In a VM with TSC offsetting or scaling, TMA packets have random values, and are followed
	 * by a random byte. Reader: a TMA with reserved bits set, and the byte that follows, are
	 * read as a PAD of eight bytes. Others cannot be detected: then the clock is wrong until
	 * the next TSC.
	 */
	FARGS_PT_SKZ84 = 1 << 9,
};

/* Returns the errata of the CPU in @config, a combination of the above; 0 if it is not known. */
uint16_t fargs_pt_errata(const struct fargs_pt_config *config);

#endif
