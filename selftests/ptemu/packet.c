// SPDX-License-Identifier: GPL-2.0-only
#include "packet.h"

#include <string.h>

#define SHORT_TNT_MAX	6
#define LONG_TNT_MAX	47

static void put(struct packet_out *out, const void *bytes, size_t size)
{
	out->put(out->arg, bytes, size);
}

static void put_counted(struct packet_out *out, const void *bytes, size_t size)
{
	if (out->before)
		out->before(out->arg);
	put(out, bytes, size);
}

static void extended(struct packet_out *out, uint8_t opcode)
{
	const uint8_t bytes[] = { 0x02, opcode };

	packet_flush(out);
	put(out, bytes, sizeof(bytes));
}

/* A stop bit before the first branch marks the number of branches. */
void packet_flush(struct packet_out *out)
{
	uint64_t bits = 1ull << out->nr_tnt | out->tnt;
	uint8_t bytes[8] = { 0x02, 0xa3 };

	if (!out->nr_tnt)
		return;
	if (out->nr_tnt <= SHORT_TNT_MAX) {
		bytes[0] = (uint8_t)(bits << 1);
		put_counted(out, bytes, 1);
	} else {
		memcpy(bytes + 2, &bits, 6);
		put_counted(out, bytes, 8);
	}
	out->tnt = 0;
	out->nr_tnt = 0;
}

void packet_tnt(struct packet_out *out, bool is_taken)
{
	out->tnt = out->tnt << 1 | is_taken;
	if (++out->nr_tnt == LONG_TNT_MAX)
		packet_flush(out);
}

/* Writes the lower bytes of the IP that differ from the last IP, or a sign-extended address. */
void packet_ip(struct packet_out *out, enum packet_ip kind, uint64_t ip)
{
	uint64_t differs = out->is_ip_unknown ? UINT64_MAX : ip ^ out->last_ip;
	unsigned int compression = 3, size = 6;
	uint8_t bytes[7];

	packet_flush(out);
	if (!(differs >> 16)) {
		compression = 1;
		size = 2;
	} else if (!(differs >> 32)) {
		compression = 2;
		size = 4;
	}
	bytes[0] = (uint8_t)(kind | compression << 5);
	memcpy(bytes + 1, &ip, size);
	/* A FUP belongs to the packet before or after it, so it has no CYC of its own. */
	if (kind == PACKET_FUP)
		put(out, bytes, 1 + size);
	else
		put_counted(out, bytes, 1 + size);
	out->last_ip = ip;
	out->is_ip_unknown = false;
}

void packet_ip_none(struct packet_out *out, enum packet_ip kind)
{
	uint8_t byte = kind;

	packet_flush(out);
	put_counted(out, &byte, 1);
}

void packet_psb(struct packet_out *out)
{
	uint8_t bytes[16];
	size_t i;

	packet_flush(out);
	for (i = 0; i < sizeof(bytes); i += 2) {
		bytes[i] = 0x02;
		bytes[i + 1] = 0x82;
	}
	put(out, bytes, sizeof(bytes));
	out->last_ip = 0;
	out->is_ip_unknown = false;
}

void packet_psbend(struct packet_out *out)
{
	extended(out, 0x23);
}

/*
 * Writes bits 5 to 51 of CR3 to bits 1 and up of the payload. Bit 0 of the payload indicates
 * non-root operation.
 */
void packet_pip(struct packet_out *out, uint64_t cr3)
{
	uint64_t payload = (cr3 & 0xfffffffffffe0ull) >> 4;
	uint8_t bytes[8] = { 0x02, 0x43 };

	packet_flush(out);
	memcpy(bytes + 2, &payload, 6);
	put(out, bytes, sizeof(bytes));
}

void packet_mode_exec64(struct packet_out *out)
{
	static const uint8_t bytes[] = { 0x99, 0x01 };

	packet_flush(out);
	put(out, bytes, sizeof(bytes));
}

void packet_mode_tsx(struct packet_out *out)
{
	static const uint8_t bytes[] = { 0x99, 0x20 };

	packet_flush(out);
	put(out, bytes, sizeof(bytes));
}

void packet_cbr(struct packet_out *out, uint8_t ratio)
{
	const uint8_t bytes[] = { 0x02, 0x03, ratio, 0 };

	packet_flush(out);
	put(out, bytes, sizeof(bytes));
}

void packet_tsc(struct packet_out *out, uint64_t tsc)
{
	uint8_t bytes[8] = { 0x19 };

	packet_flush(out);
	memcpy(bytes + 1, &tsc, 7);
	put_counted(out, bytes, sizeof(bytes));
}

void packet_tma(struct packet_out *out, uint16_t ctc, uint16_t fast)
{
	const uint8_t bytes[] = { 0x02, 0x73, (uint8_t)ctc, (uint8_t)(ctc >> 8), 0,
				  (uint8_t)fast, fast >> 8 & 1 };

	packet_flush(out);
	put(out, bytes, sizeof(bytes));
}

void packet_mtc(struct packet_out *out, uint8_t ctc)
{
	const uint8_t bytes[] = { 0x59, ctc };

	packet_flush(out);
	put_counted(out, bytes, sizeof(bytes));
}

/*
 * Writes five bits of the number in the first byte and seven in each further byte. The lowest free
 * bit of a byte means that another byte follows.
 */
void packet_cyc(struct packet_out *out, uint64_t cycles)
{
	uint8_t bytes[10];
	size_t n = 1;

	bytes[0] = (uint8_t)((cycles & 0x1f) << 3 | 3);
	cycles >>= 5;
	if (cycles)
		bytes[0] |= 4;
	while (cycles) {
		bytes[n] = (uint8_t)((cycles & 0x7f) << 1);
		cycles >>= 7;
		if (cycles)
			bytes[n] |= 1;
		n++;
	}
	put(out, bytes, n);
}

/* After an overflow, the last IP is unknown to a decoder. */
void packet_ovf(struct packet_out *out)
{
	static const uint8_t bytes[] = { 0x02, 0xf3 };

	packet_flush(out);
	put_counted(out, bytes, sizeof(bytes));
	out->is_ip_unknown = true;
}

void packet_ptw(struct packet_out *out, uint64_t value, unsigned int size, bool has_ip)
{
	uint8_t bytes[10] = { 0x02, 0x12 };

	packet_flush(out);
	if (size == 8)
		bytes[1] |= 1 << 5;
	if (has_ip)
		bytes[1] |= 0x80;
	memcpy(bytes + 2, &value, size);
	put_counted(out, bytes, 2 + size);
}
