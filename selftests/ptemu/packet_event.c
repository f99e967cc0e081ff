// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packets of virtual machines, power states, PEBS and event trace. Those that the SDM calls
 * CYC-eligible are counted.
 */
#include <string.h>

#include "packet.h"

static void extended(struct packet_out *out, uint8_t opcode)
{
	const uint8_t bytes[] = { 0x02, opcode };

	packet_bytes(out, bytes, sizeof(bytes));
}

void packet_pad(struct packet_out *out)
{
	packet_bytes(out, "", 1);
}

/* Writes bits 5 to 51 of CR3 to bits 1 and up of the payload, and NR to bit 0. */
void packet_pip_nr(struct packet_out *out, uint64_t cr3, bool is_nonroot)
{
	uint64_t payload = (cr3 & 0xfffffffffffe0ull) >> 4 | is_nonroot;
	uint8_t bytes[8] = { 0x02, 0x43 };

	memcpy(bytes + 2, &payload, 6);
	packet_bytes(out, bytes, sizeof(bytes));
}

/* Bit 0 is CS.L & LMA, bit 1 CS.D, bit 2 RFLAGS.IF. */
void packet_mode_exec(struct packet_out *out, unsigned int nr_bits, bool is_if)
{
	uint8_t mode = nr_bits == 64 ? 1 : nr_bits == 32 ? 2 : 0;
	const uint8_t bytes[] = { 0x99, (uint8_t)(mode | is_if << 2) };

	packet_bytes(out, bytes, sizeof(bytes));
}

void packet_mode_tx(struct packet_out *out, bool is_in_tx, bool is_abort)
{
	const uint8_t bytes[] = { 0x99, (uint8_t)(0x20 | is_in_tx | is_abort << 1) };

	packet_bytes(out, bytes, sizeof(bytes));
}

void packet_vmcs(struct packet_out *out, uint64_t base)
{
	uint8_t bytes[7] = { 0x02, 0xc8 };

	base >>= 12;
	memcpy(bytes + 2, &base, 5);
	packet_bytes(out, bytes, sizeof(bytes));
}

void packet_trace_stop(struct packet_out *out)
{
	extended(out, 0x83);
}

void packet_mnt(struct packet_out *out, uint64_t payload)
{
	uint8_t bytes[11] = { 0x02, 0xc3, 0x88 };

	memcpy(bytes + 3, &payload, 8);
	packet_bytes(out, bytes, sizeof(bytes));
}

void packet_mwait(struct packet_out *out, uint32_t hints, uint32_t extensions)
{
	uint8_t bytes[10] = { 0x02, 0xc2 };

	memcpy(bytes + 2, &hints, 4);
	memcpy(bytes + 6, &extensions, 4);
	packet_bytes_counted(out, bytes, sizeof(bytes));
}

void packet_pwre(struct packet_out *out, bool is_hw, uint8_t state, uint8_t sub_state)
{
	const uint8_t bytes[] = { 0x02, 0x22, is_hw << 7,
				  (uint8_t)(state << 4 | (sub_state & 0xf)) };

	packet_bytes(out, bytes, sizeof(bytes));
}

void packet_exstop(struct packet_out *out, bool has_ip)
{
	const uint8_t bytes[] = { 0x02, (uint8_t)(0x62 | has_ip << 7) };

	packet_bytes_counted(out, bytes, sizeof(bytes));
}

void packet_pwrx(struct packet_out *out, uint8_t last, uint8_t deepest, enum packet_wake reason)
{
	const uint8_t bytes[7] = { 0x02, 0xa2, (uint8_t)(last << 4 | (deepest & 0xf)), reason };

	packet_bytes(out, bytes, sizeof(bytes));
}

/* The bit SZ is set for items of four bytes. */
void packet_bbp(struct packet_out *out, unsigned int size, uint8_t type)
{
	const uint8_t bytes[] = { 0x02, 0x63, (uint8_t)((size == 4) << 7 | (type & 0x1f)) };

	packet_bytes(out, bytes, sizeof(bytes));
}

/* Only a BBP before it distinguishes a BIP from a short TNT. */
void packet_bip(struct packet_out *out, unsigned int size, uint8_t id, uint64_t value)
{
	uint8_t bytes[9] = { (uint8_t)(id << 3 | 4) };

	memcpy(bytes + 1, &value, 8);
	packet_bytes(out, bytes, 1 + size);
}

void packet_bep(struct packet_out *out, bool has_ip)
{
	extended(out, (uint8_t)(0x33 | has_ip << 7));
}

void packet_cfe(struct packet_out *out, enum packet_cfe type, uint8_t vector, bool has_ip)
{
	const uint8_t bytes[] = { 0x02, 0x13, (uint8_t)(has_ip << 7 | type), vector };

	packet_bytes(out, bytes, sizeof(bytes));
}

void packet_evd(struct packet_out *out, enum packet_evd type, uint64_t payload)
{
	uint8_t bytes[11] = { 0x02, 0x53, (uint8_t)type };

	memcpy(bytes + 3, &payload, 8);
	packet_bytes(out, bytes, sizeof(bytes));
}
