// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/packet/packet.h"

#include <endian.h>

#include "source/pt/packet/errata.h"

/* First bytes of packets; those of addresses have IPBytes in the upper three bits. */
enum {
	PAD = 0x00,
	ESCAPE = 0x02,
	TIP_PGD = 0x01, TIP = 0x0d, TIP_PGE = 0x11, FUP = 0x1d,
	TSC = 0x19, MTC = FARGS_PT_MTC_BYTE, MODE = 0x99, TRIG = 0xd9,
};

/* Second bytes of packets that begin with ESCAPE. */
enum {
	CBR = 0x03, CFE = 0x13, PWRE = 0x22, PSBEND = 0x23, BEP = 0x33, PIP = 0x43, EVD = 0x53,
	EXSTOP = 0x62, BBP = 0x63, TMA = 0x73, PSB = 0x82, STOP = 0x83, PWRX = 0xa2, TNT_64 = 0xa3,
	BEP_IP = 0xb3, MWAIT = 0xc2, ESCAPE_2 = 0xc3, VMCS = 0xc8, EXSTOP_IP = 0xe2, OVF = 0xf3,
	PTW = 0x12,		/* the lower five bits */
};

/* Third byte of packets that begin with ESCAPE and ESCAPE_2. */
enum { MNT = 0x88 };

/* Sets the packet's kind and size, if there are @size bytes. */
static bool set_kind(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet,
		     enum fargs_pt_packet_kind kind, size_t size)
{
	if ((size_t)(r->end - r->at) < size) {
		packet->kind = FARGS_PT_PACKET_CUT;
		return false;
	}
	packet->kind = kind;
	packet->size = size;
	return true;
}

/* Returns the @size bytes at @bytes as a number. */
static uint64_t number_of(const uint8_t *bytes, size_t size)
{
	uint64_t v = 0;

	memcpy(&v, bytes, size);
	return le64toh(v);
}

static void read_plain(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet,
		       enum fargs_pt_packet_kind kind, size_t opcode, size_t payload)
{
	if (set_kind(r, packet, kind, opcode + payload))
		packet->value = number_of(r->at + opcode, payload);
}

static void read_ip(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet,
		    enum fargs_pt_packet_kind kind)
{
	static const uint8_t sizes[8] = {
		[FARGS_PT_IPC_UPDATE_16] = 2, [FARGS_PT_IPC_UPDATE_32] = 4,
		[FARGS_PT_IPC_SEXT_48] = 6, [FARGS_PT_IPC_UPDATE_48] = 6,
		[FARGS_PT_IPC_FULL] = 8,
	};
	unsigned int ipc = *r->at >> 5;

	if (ipc && !sizes[ipc])
		return;
	packet->nr = ipc;
	read_plain(r, packet, kind, 1, sizes[ipc]);
}

static void read_mode(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	static const uint8_t kinds[8] = { FARGS_PT_PACKET_EXEC, FARGS_PT_PACKET_TSX };
	uint8_t byte;

	/* Which packet it is depends on the second byte. */
	if (!set_kind(r, packet, FARGS_PT_PACKET_BAD, 2))
		return;
	byte = r->at[1];
	packet->kind = kinds[byte >> 5];
	packet->flags = byte & 0x1f;
}

static void read_trig(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	size_t left = r->end - r->at;
	uint8_t flags;

	if (!set_kind(r, packet, FARGS_PT_PACKET_TRIG, left > 1 && r->at[1] & 0x40 ? 5 : 3))
		return;
	flags = r->at[1] >> 5;
	packet->nr = r->at[2];
	packet->flags = flags;
	if (flags & FARGS_PT_TRIG_COUNT)
		packet->value = number_of(r->at + 3, 2);
}

static void read_cyc(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	uint64_t v = *r->at >> 3;
	unsigned int shift = 5;
	size_t i = 1;
	uint8_t byte;

	if (*r->at & 4) {
		do {
			if (!set_kind(r, packet, FARGS_PT_PACKET_CYC, i + 1))
				return;
			byte = r->at[i++];
			/* The counter has 64 bits: what does not fit is not a CYC. */
			if (shift >= 64 || (shift > 57 && byte >> (65 - shift))) {
				packet->kind = FARGS_PT_PACKET_BAD;
				return;
			}
			v |= (uint64_t)(byte >> 1) << shift;
			shift += 7;
		} while (byte & 1);
	}
	packet->kind = FARGS_PT_PACKET_CYC;
	packet->size = i;
	packet->value = v;
	/* CYCs that follow each other would be those of a full counter, of its full size. */
	if (r->errata & FARGS_PT_SKD007 && i == 2 && r->at[1] == ESCAPE && r->end - r->at > 2 &&
	    r->at[2] == OVF) {
		packet->kind = FARGS_PT_PACKET_OVF;
		packet->size = 3;
		packet->value = 0;
	}
}

static void read_psb(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	size_t left = r->end - r->at, i;

	for (i = 2; i < FARGS_PT_PACKET_MAX; i++) {
		if (i >= left) {
			packet->kind = FARGS_PT_PACKET_CUT;
			return;
		}
		if (r->at[i] != (i & 1 ? PSB : ESCAPE))
			return;
	}
	packet->kind = FARGS_PT_PACKET_PSB;
	packet->size = FARGS_PT_PACKET_MAX;
}

static void read_tnt_64(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	if (!set_kind(r, packet, FARGS_PT_PACKET_TNT, 8))
		return;
	packet->value = number_of(r->at + 2, 6);
	if (!packet->value) {
		packet->kind = FARGS_PT_PACKET_BAD;
		return;
	}
	/* The highest bit that is set ends the branches. */
	packet->nr = 63 - __builtin_clzll(packet->value);
	packet->value ^= UINT64_C(1) << packet->nr;
}

static void read_pip(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	read_plain(r, packet, FARGS_PT_PACKET_PIP, 2, 6);
	packet->flags = packet->value & 1;
	packet->value = packet->value >> 1 << 5;
}

static void read_tma(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	read_plain(r, packet, FARGS_PT_PACKET_TMA, 2, 5);
	if (packet->kind == FARGS_PT_PACKET_CUT)
		return;
	/* Reserved bits are 0. */
	if (packet->value & ~UINT64_C(0x1ff00ffff)) {
		packet->kind = FARGS_PT_PACKET_BAD;
		packet->value = 0;
		if (r->errata & FARGS_PT_SKZ84)
			set_kind(r, packet, FARGS_PT_PACKET_PAD, 8);
		return;
	}
	packet->nr = packet->value >> 24;
	packet->value &= 0xffff;
}

static void read_ptw(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	uint8_t byte = r->at[1];

	/* Two of the four sizes are reserved. */
	if (byte & 0x40)
		return;
	packet->nr = byte & 0x20 ? 8 : 4;
	packet->flags = byte >> 7;
	read_plain(r, packet, FARGS_PT_PACKET_PTW, 2, packet->nr);
}

static void read_bbp(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	read_plain(r, packet, FARGS_PT_PACKET_BBP, 2, 1);
	packet->nr = packet->value & 0x80 ? 4 : 8;
	packet->value &= 0x1f;
}

static void read_cfe(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	read_plain(r, packet, FARGS_PT_PACKET_CFE, 2, 2);
	packet->flags = packet->value >> 7 & 1;
	packet->nr = packet->value & 0x1f;
	packet->value >>= 8;
}

static void read_evd(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	if (!set_kind(r, packet, FARGS_PT_PACKET_EVD, 11))
		return;
	packet->nr = r->at[2] & 0x3f;
	packet->value = number_of(r->at + 3, 8);
}

static void read_escape_2(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	if (r->end - r->at < 3)
		packet->kind = FARGS_PT_PACKET_CUT;
	else if (r->at[2] == MNT)
		read_plain(r, packet, FARGS_PT_PACKET_MNT, 3, 8);
}

static void read_escape(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	uint8_t byte;

	if (r->end - r->at < 2) {
		packet->kind = FARGS_PT_PACKET_CUT;
		return;
	}
	byte = r->at[1];
	switch (byte) {
	case PSB:
		return read_psb(r, packet);
	case TNT_64:
		return read_tnt_64(r, packet);
	case PIP:
		return read_pip(r, packet);
	case TMA:
		return read_tma(r, packet);
	case BBP:
		return read_bbp(r, packet);
	case CFE:
		return read_cfe(r, packet);
	case EVD:
		return read_evd(r, packet);
	case ESCAPE_2:
		return read_escape_2(r, packet);
	case CBR:
		read_plain(r, packet, FARGS_PT_PACKET_CBR, 2, 2);
		packet->value &= 0xff;
		return;
	case VMCS:
		read_plain(r, packet, FARGS_PT_PACKET_VMCS, 2, 5);
		packet->value <<= 12;
		return;
	case MWAIT:
		return read_plain(r, packet, FARGS_PT_PACKET_MWAIT, 2, 8);
	case PWRE:
		return read_plain(r, packet, FARGS_PT_PACKET_PWRE, 2, 2);
	case PWRX:
		return read_plain(r, packet, FARGS_PT_PACKET_PWRX, 2, 5);
	case PSBEND:
		return read_plain(r, packet, FARGS_PT_PACKET_PSBEND, 2, 0);
	case OVF:
		return read_plain(r, packet, FARGS_PT_PACKET_OVF, 2, 0);
	case STOP:
		return read_plain(r, packet, FARGS_PT_PACKET_STOP, 2, 0);
	case EXSTOP:
	case EXSTOP_IP:
		packet->flags = byte == EXSTOP_IP;
		return read_plain(r, packet, FARGS_PT_PACKET_EXSTOP, 2, 0);
	case BEP:
	case BEP_IP:
		packet->flags = byte == BEP_IP;
		return read_plain(r, packet, FARGS_PT_PACKET_BEP, 2, 0);
	}
	if ((byte & 0x1f) == PTW)
		read_ptw(r, packet);
}

static void read_odd(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	uint8_t byte = *r->at;

	switch (byte) {
	case TSC:
		return read_plain(r, packet, FARGS_PT_PACKET_TSC, 1, 7);
	case MTC:
		return read_plain(r, packet, FARGS_PT_PACKET_MTC, 1, 1);
	case MODE:
		return read_mode(r, packet);
	case TRIG:
		return read_trig(r, packet);
	}
	if ((byte & 3) == 3)
		return read_cyc(r, packet);
	switch (byte & 0x1f) {
	case TIP:
		return read_ip(r, packet, FARGS_PT_PACKET_TIP);
	case TIP_PGE:
		return read_ip(r, packet, FARGS_PT_PACKET_PGE);
	case TIP_PGD:
		return read_ip(r, packet, FARGS_PT_PACKET_PGD);
	case FUP:
		return read_ip(r, packet, FARGS_PT_PACKET_FUP);
	}
}

/* In a group that BBP begins, and BEP ends, bytes that would be short TNTs are BIP packets. */
static bool read_bip(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	uint8_t byte = *r->at;

	if (!r->bip_bytes || (byte & 7) != 4)
		return false;
	packet->nr = byte >> 3;
	read_plain(r, packet, FARGS_PT_PACKET_BIP, 1, r->bip_bytes);
	return true;
}

static void read_even(const struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	uint8_t byte = *r->at;

	if (byte == PAD)
		return read_plain(r, packet, FARGS_PT_PACKET_PAD, 1, 0);
	if (byte == ESCAPE)
		return read_escape(r, packet);
	if (read_bip(r, packet))
		return;
	packet->kind = FARGS_PT_PACKET_TNT;
	packet->size = 1;
	packet->nr = 30 - __builtin_clz(byte);
	packet->value = (byte >> 1) ^ 1u << packet->nr;
}

/*
 * Returns the size of the values of BIP packets after @packet; 0: outside of a group. A BEP ends
 * it; if that is lost, so does any packet that cannot be between a BBP and its BEP.
 */
static uint8_t bip_bytes_after(const struct fargs_pt_packet *packet, uint8_t before)
{
	switch (packet->kind) {
	case FARGS_PT_PACKET_BBP:
		return packet->nr;
	case FARGS_PT_PACKET_BAD:
	case FARGS_PT_PACKET_CUT:
	case FARGS_PT_PACKET_PAD:
	case FARGS_PT_PACKET_BIP:
	case FARGS_PT_PACKET_TSC:
	case FARGS_PT_PACKET_TMA:
	case FARGS_PT_PACKET_MTC:
	case FARGS_PT_PACKET_CBR:
	case FARGS_PT_PACKET_CYC:
	case FARGS_PT_PACKET_FUP:
	case FARGS_PT_PACKET_MNT:
	case FARGS_PT_PACKET_EXSTOP:
	case FARGS_PT_PACKET_PWRE:
	case FARGS_PT_PACKET_PWRX:
	case FARGS_PT_PACKET_TRIG:
		return before;
	}
	return 0;
}

void fargs_pt_packet_read_long(struct fargs_pt_reader *r, struct fargs_pt_packet *packet)
{
	*packet = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_BAD };
	if (r->at == r->end) {
		packet->kind = FARGS_PT_PACKET_CUT;
		return;
	}
	if (*r->at & 1)
		read_odd(r, packet);
	else
		read_even(r, packet);
	if (packet->kind <= FARGS_PT_PACKET_CUT)
		packet->size = 0;
	r->at += packet->size;
	r->bip_bytes = bip_bytes_after(packet, r->bip_bytes);
}
