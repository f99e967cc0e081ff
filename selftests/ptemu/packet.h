/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Encodes Intel PT packets according to the Intel SDM, volume 3, "Intel Processor Trace", section
 * "Trace packets and data types".
 *
 * Branches are collected until another packet must follow them: every function below except
 * packet_tnt() first writes the collected branches.
 *
 * TRIG packets (trigger tracing) are missing: neither libipt 2.1, Linux nor the SDM's edition of
 * 2018, from which the formats were checked, has their format.
 */
#ifndef PTEMU_PACKET_H
#define PTEMU_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACKET_DEFERRED_MAX	4

struct packet_out {
	/* Receives the bytes of a whole packet. */
	void (*put)(void *arg, const void *bytes, size_t size);
	/* Called before each packet that may be preceded by a CYC; may be NULL. */
	void (*before)(void *arg);
	void *arg;

	uint64_t last_ip;
	bool is_ip_unknown;	/* the next IP is written in full */
	uint64_t tnt;		/* collected branches; bit 0 is the newest */
	unsigned int nr_tnt;
	/* TIPs that are written after the collected branches. */
	uint64_t deferred[PACKET_DEFERRED_MAX];
	unsigned int nr_deferred;
};

enum packet_ip {
	PACKET_TIP_PGD = 0x01,
	PACKET_TIP = 0x0d,
	PACKET_TIP_PGE = 0x11,
	PACKET_FUP = 0x1d,
};

/* How an IP is compressed: the field IPBytes. Values 5 and 7 are reserved. */
enum packet_ipc {
	PACKET_IPC_NONE = 0,
	PACKET_IPC_UPDATE_16 = 1,	/* the lower 16 bits; the others are those of the last IP */
	PACKET_IPC_UPDATE_32 = 2,
	PACKET_IPC_SEXT_48 = 3,		/* 48 bits; the others are equal to the highest of them */
	PACKET_IPC_UPDATE_48 = 4,
	PACKET_IPC_FULL = 6,
};

/* Writes the collected branches, then @bytes as they are, without or with a CYC before them. */
void packet_bytes(struct packet_out *out, const void *bytes, size_t size);
void packet_bytes_counted(struct packet_out *out, const void *bytes, size_t size);

void packet_pad(struct packet_out *out);
void packet_tnt(struct packet_out *out, bool is_taken);
/* Collects a TIP, too. */
void packet_tip_deferred(struct packet_out *out, uint64_t ip);
/* Forgets what is collected. */
void packet_drop(struct packet_out *out);
/* Writes the collected branches in the shortest form, and then the collected TIPs. */
void packet_flush(struct packet_out *out);
/* Writes them as one long TNT, or as short TNTs of up to six branches each. */
void packet_flush_as(struct packet_out *out, bool is_long);
void packet_ip(struct packet_out *out, enum packet_ip kind, uint64_t ip);
/* Returns whether a decoder reads @ip from a packet that is compressed as @ipc. */
bool packet_ip_fits(const struct packet_out *out, enum packet_ipc ipc, uint64_t ip);
/*
 * Writes an IP compressed as @ipc, whether it fits or not. Returns the IP that a decoder reads; the
 * last IP if @ipc is PACKET_IPC_NONE.
 */
uint64_t packet_ip_as(struct packet_out *out, enum packet_ip kind, enum packet_ipc ipc,
		      uint64_t ip);
/* Writes a packet without an IP, for a target that is not traced. */
void packet_ip_none(struct packet_out *out, enum packet_ip kind);
/* Writes a PSB, and clears the last IP, so that decoding can start here. */
void packet_psb(struct packet_out *out);
void packet_psbend(struct packet_out *out);
void packet_pip(struct packet_out *out, uint64_t cr3);
void packet_mode_exec64(struct packet_out *out);
void packet_mode_tsx(struct packet_out *out);
/* @is_nonroot: a guest executes (the bit NR). */
void packet_pip_nr(struct packet_out *out, uint64_t cr3, bool is_nonroot);
/* @nr_bits: 16, 32 or 64. @is_if: RFLAGS.IF, with event trace; otherwise false. */
void packet_mode_exec(struct packet_out *out, unsigned int nr_bits, bool is_if);
void packet_mode_tx(struct packet_out *out, bool is_in_tx, bool is_abort);
void packet_cbr(struct packet_out *out, uint8_t ratio);
void packet_tsc(struct packet_out *out, uint64_t tsc);
/* @fast: number of TSC ticks since the last tick of the crystal clock. */
void packet_tma(struct packet_out *out, uint16_t ctc, uint16_t fast);
void packet_mtc(struct packet_out *out, uint8_t ctc);
void packet_cyc(struct packet_out *out, uint64_t cycles);
void packet_ovf(struct packet_out *out);
/* @size: 4 or 8 bytes. @has_ip: a FUP with the address of the instruction follows. */
void packet_ptw(struct packet_out *out, uint64_t value, unsigned int size, bool has_ip);

/* The packets below are in packet_event.c. */

/* @base: address of the VMCS, a multiple of 4096 below 2^52. */
void packet_vmcs(struct packet_out *out, uint64_t base);
void packet_trace_stop(struct packet_out *out);
void packet_mnt(struct packet_out *out, uint64_t payload);

/* Power events. @has_ip: a FUP follows. */
void packet_mwait(struct packet_out *out, uint32_t hints, uint32_t extensions);
/* @is_hw: the hardware, not software, requested the state. */
void packet_pwre(struct packet_out *out, bool is_hw, uint8_t state, uint8_t sub_state);
void packet_exstop(struct packet_out *out, bool has_ip);

enum packet_wake {
	PACKET_WAKE_INTERRUPT = 1,
	PACKET_WAKE_STORE = 4,
	PACKET_WAKE_HARDWARE = 8,
};

void packet_pwrx(struct packet_out *out, uint8_t last, uint8_t deepest, enum packet_wake reason);

/* PEBS records: a BBP starts a block of items (BIP) of 4 or 8 bytes; a BEP ends the record. */
void packet_bbp(struct packet_out *out, unsigned int size, uint8_t type);
void packet_bip(struct packet_out *out, unsigned int size, uint8_t id, uint64_t value);
void packet_bep(struct packet_out *out, bool has_ip);

/* Event trace. EVDs precede the CFE to which they belong. */
enum packet_cfe {
	PACKET_CFE_INTR = 0x01,		/* interrupt, exception or fault; vector */
	PACKET_CFE_IRET = 0x02,
	PACKET_CFE_SMI = 0x03,
	PACKET_CFE_RSM = 0x04,
	PACKET_CFE_SIPI = 0x05,		/* vector */
	PACKET_CFE_INIT = 0x06,
	PACKET_CFE_VMENTRY = 0x07,
	PACKET_CFE_VMEXIT = 0x08,	/* vector, if VMEXIT_INTR */
	PACKET_CFE_VMEXIT_INTR = 0x09,
	PACKET_CFE_SHUTDOWN = 0x0a,
	PACKET_CFE_UINTR = 0x0c,	/* user interrupt; vector */
	PACKET_CFE_UIRET = 0x0d,
};

enum packet_evd {
	PACKET_EVD_PFA = 0,		/* page fault address (CR2) */
	PACKET_EVD_VMXQ = 1,		/* VM exit qualification */
	PACKET_EVD_VMXR = 2,		/* VM exit reason */
};

void packet_cfe(struct packet_out *out, enum packet_cfe type, uint8_t vector, bool has_ip);
void packet_evd(struct packet_out *out, enum packet_evd type, uint64_t payload);

#endif
