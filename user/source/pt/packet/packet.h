/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads Intel PT packets. Source of the formats: Intel SDM, volume 3, "Intel Processor Trace",
 * section "Trace packets and data types"; for TRIG, Intel's documentation of trigger tracing.
 *
 * A reader knows nothing of code: it neither decompresses addresses nor relates packets to each
 * other, except that BBP changes how the bytes of BIP packets are read.
 */
#ifndef FARGS_SOURCE_PT_PACKET_PACKET_H
#define FARGS_SOURCE_PT_PACKET_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* @value, @nr and @flags are fields of struct fargs_pt_packet; not all packets use them. */
enum fargs_pt_packet_kind {
	FARGS_PT_PACKET_BAD,		/* no packet begins with these bytes */
	FARGS_PT_PACKET_CUT,		/* the bytes end before the packet does */
	FARGS_PT_PACKET_PAD,
	/* @value: the branches; bit @nr - 1 is the oldest; 1: taken. @nr is 0 to 47 */
	FARGS_PT_PACKET_TNT,
	/* @value: the bytes of the address; @nr: how it is compressed (enum fargs_pt_ipc) */
	FARGS_PT_PACKET_TIP,
	FARGS_PT_PACKET_PGE,
	FARGS_PT_PACKET_PGD,
	FARGS_PT_PACKET_FUP,
	FARGS_PT_PACKET_EXEC,		/* MODE.Exec. @flags: enum fargs_pt_packet_exec */
	FARGS_PT_PACKET_TSX,		/* MODE.TSX. @flags: enum fargs_pt_packet_tsx */
	FARGS_PT_PACKET_PIP,		/* @value: CR3; @flags: 1 in VMX non-root operation */
	FARGS_PT_PACKET_VMCS,		/* @value: physical address of the VMCS */
	FARGS_PT_PACKET_TSC,		/* @value: the lower 56 bits of the TSC */
	FARGS_PT_PACKET_TMA,		/* @value: CTC, 16 bits; @nr: fast counter, 9 bits */
	FARGS_PT_PACKET_MTC,		/* @value: 8 bits of the CTC, which begin at bit MTCFreq */
	FARGS_PT_PACKET_CBR,		/* @value: core to bus ratio */
	FARGS_PT_PACKET_CYC,		/* @value: cycles since the last CYC */
	FARGS_PT_PACKET_PSB,
	FARGS_PT_PACKET_PSBEND,
	FARGS_PT_PACKET_OVF,
	FARGS_PT_PACKET_STOP,		/* TraceStop */
	FARGS_PT_PACKET_MNT,		/* @value: payload */
	FARGS_PT_PACKET_PTW,		/* @value: payload; @nr: bytes; @flags: 1: a FUP follows */
	FARGS_PT_PACKET_EXSTOP,		/* @flags: 1: a FUP follows */
	FARGS_PT_PACKET_MWAIT,		/* @value: hints (EAX), extensions (ECX) << 32 */
	FARGS_PT_PACKET_PWRE,		/* @value: payload, 16 bits */
	FARGS_PT_PACKET_PWRX,		/* @value: payload, 40 bits */
	FARGS_PT_PACKET_BBP,		/* @value: type of the group; @nr: bytes of a BIP's value */
	FARGS_PT_PACKET_BIP,		/* @value: of register @nr of the group */
	FARGS_PT_PACKET_BEP,		/* @flags: 1: a FUP follows */
	/* @nr: type; @value: vector; @flags: 1: a FUP follows, except that of an IRET or SMI */
	FARGS_PT_PACKET_CFE,
	FARGS_PT_PACKET_EVD,		/* @nr: type; @value: payload */
	/* @nr: trigger mask; @value: number of instructions; @flags: enum fargs_pt_packet_trig */
	FARGS_PT_PACKET_TRIG,
	FARGS_PT_PACKET_KINDS,
};

/* How an address is compressed: the field IPBytes. Values 5 and 7 are reserved. */
enum fargs_pt_ipc {
	FARGS_PT_IPC_NONE = 0,		/* suppressed: the address is not traced */
	FARGS_PT_IPC_UPDATE_16 = 1,	/* the lower 16 bits; the others are those of the last IP */
	FARGS_PT_IPC_UPDATE_32 = 2,
	FARGS_PT_IPC_SEXT_48 = 3,	/* 48 bits, to be sign-extended */
	FARGS_PT_IPC_UPDATE_48 = 4,
	FARGS_PT_IPC_FULL = 6,
};

enum fargs_pt_packet_exec {
	FARGS_PT_EXEC_CS_L = 1,		/* 64 bits */
	FARGS_PT_EXEC_CS_D = 2,		/* 32 bits; neither: 16 bits */
	FARGS_PT_EXEC_IF = 4,		/* the interrupt flag is set; only if traced */
};

enum fargs_pt_packet_tsx {
	FARGS_PT_TSX_IN = 1,		/* in a transaction */
	FARGS_PT_TSX_ABORT = 2,
};

enum fargs_pt_packet_trig {
	FARGS_PT_TRIG_MULTIPLE = 1,	/* @value counts from the first of several triggers */
	FARGS_PT_TRIG_COUNT = 2,	/* @value is valid */
	FARGS_PT_TRIG_IP = 4,		/* a FUP follows */
};

struct fargs_pt_packet {
	uint64_t value;
	uint16_t nr;
	uint8_t kind;			/* enum fargs_pt_packet_kind */
	uint8_t size;			/* bytes of the packet; 0 if BAD or CUT */
	uint8_t flags;
};

/* Longest packet: PSB. A CYC of more bytes is BAD. */
#define FARGS_PT_PACKET_MAX	16

/* A position in bytes of trace. */
struct fargs_pt_reader {
	const uint8_t *at, *end;
	/* Bytes of the values of BIP packets in the current group; 0: outside of a group. */
	uint8_t bip_bytes;
	/*
	 * Errata of the CPU (errata.h). Those that matter: FARGS_PT_SKD007, where an OVF is read as
	 * three bytes; FARGS_PT_SKZ84, where a damaged TMA is read as a PAD of eight bytes.
	 */
	uint16_t errata;
};

/* First byte of an MTC packet, which has two bytes. */
#define FARGS_PT_MTC_BYTE	0x59

/* Reads a packet that is not a short TNT; for fargs_pt_packet_read(). */
void fargs_pt_packet_read_long(struct fargs_pt_reader *r, struct fargs_pt_packet *packet);

/*
 * Reads the packet at r->at, and advances r->at by packet->size: not at all if the kind is BAD or
 * CUT. Reading continues at any packet: after an error, set r->at to a PSB and r->bip_bytes to 0.
 */
static inline void fargs_pt_packet_read(struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	uint8_t byte;

	/* About half of all packets are short TNTs: an even byte except PAD and the escape. */
	if (r->at < r->end && !(r->bip_bytes | (*r->at & 1)) && *r->at > 2) {
		byte = *r->at++;
		packet->nr = 30 - __builtin_clz(byte);
		packet->value = (byte >> 1) & ((1u << packet->nr) - 1);
		packet->kind = FARGS_PT_PACKET_TNT;
		packet->size = 1;
		return;
	}
	fargs_pt_packet_read_long(r, packet);
}

/*
 * Reads the packet at r->at, if it is an MTC. Returns false, and reads nothing, if it may be any
 * other.
 */
static inline bool fargs_pt_packet_read_mtc(struct fargs_pt_reader *r, uint8_t *mtc)
{
	if (r->end - r->at < 2 || *r->at != FARGS_PT_MTC_BYTE || r->bip_bytes)
		return false;
	*mtc = r->at[1];
	r->at += 2;
	return true;
}

/*
 * Decompresses the address of a TIP, PGE, PGD or FUP. *@last_ip: the last address in the trace,
 * which is updated; PSB sets it to 0. Returns false if the address is suppressed, or its
 * compression is reserved (which fargs_pt_packet_read() never returns).
 */
static inline bool fargs_pt_packet_ip(const struct fargs_pt_packet *packet, uint64_t *last_ip)
{
	switch (packet->nr) {
	case FARGS_PT_IPC_UPDATE_16:
		*last_ip = (*last_ip & ~UINT64_C(0xffff)) | packet->value;
		return true;
	case FARGS_PT_IPC_UPDATE_32:
		*last_ip = (*last_ip & ~UINT64_C(0xffffffff)) | packet->value;
		return true;
	case FARGS_PT_IPC_SEXT_48:
		*last_ip = (uint64_t)((int64_t)(packet->value << 16) >> 16);
		return true;
	case FARGS_PT_IPC_UPDATE_48:
		*last_ip = (*last_ip & ~UINT64_C(0xffffffffffff)) | packet->value;
		return true;
	case FARGS_PT_IPC_FULL:
		*last_ip = packet->value;
		return true;
	}
	return false;
}

#endif
