/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Encodes Intel PT packets according to the Intel SDM, volume 3, "Intel Processor Trace", section
 * "Trace packets and data types".
 *
 * Branches are collected until another packet must follow them: every function below except
 * packet_tnt() first writes the collected branches.
 */
#ifndef PTEMU_PACKET_H
#define PTEMU_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
};

enum packet_ip {
	PACKET_TIP_PGD = 0x01,
	PACKET_TIP = 0x0d,
	PACKET_TIP_PGE = 0x11,
	PACKET_FUP = 0x1d,
};

void packet_tnt(struct packet_out *out, bool is_taken);
void packet_flush(struct packet_out *out);
void packet_ip(struct packet_out *out, enum packet_ip kind, uint64_t ip);
/* Writes a packet without an IP, for a target that is not traced. */
void packet_ip_none(struct packet_out *out, enum packet_ip kind);
/* Writes a PSB, and clears the last IP, so that decoding can start here. */
void packet_psb(struct packet_out *out);
void packet_psbend(struct packet_out *out);
void packet_pip(struct packet_out *out, uint64_t cr3);
void packet_mode_exec64(struct packet_out *out);
void packet_mode_tsx(struct packet_out *out);
void packet_cbr(struct packet_out *out, uint8_t ratio);
void packet_tsc(struct packet_out *out, uint64_t tsc);
/* @fast: number of TSC ticks since the last tick of the crystal clock. */
void packet_tma(struct packet_out *out, uint16_t ctc, uint16_t fast);
void packet_mtc(struct packet_out *out, uint8_t ctc);
void packet_cyc(struct packet_out *out, uint64_t cycles);
void packet_ovf(struct packet_out *out);
/* @size: 4 or 8 bytes. @has_ip: a FUP with the address of the instruction follows. */
void packet_ptw(struct packet_out *out, uint64_t value, unsigned int size, bool has_ip);

#endif
