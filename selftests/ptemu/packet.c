// SPDX-License-Identifier: GPL-2.0-only
#include "packet.h"

#include <string.h>

#define SHORT_TNT_MAX	6
#define LONG_TNT_MAX	47

static void put(struct packet_out *out, const void *bytes, size_t size)
{
	out->put(out->arg, bytes, size);
}

void packet_bytes(struct packet_out *out, const void *bytes, size_t size)
{
	packet_flush(out);
	put(out, bytes, size);
}

static void put_counted(struct packet_out *out, const void *bytes, size_t size)
{
	if (out->before)
		out->before(out->arg);
	put(out, bytes, size);
}

void packet_bytes_counted(struct packet_out *out, const void *bytes, size_t size)
{
	packet_flush(out);
	put_counted(out, bytes, size);
}

static void extended(struct packet_out *out, uint8_t opcode)
{
	const uint8_t bytes[] = { 0x02, opcode };

	packet_bytes(out, bytes, sizeof(bytes));
}

/* Writes the oldest @nr branches. A stop bit before the first branch marks their number. */
static void put_tnt(struct packet_out *out, unsigned int nr, bool is_long)
{
	unsigned int left = out->nr_tnt - nr;
	uint64_t bits = 1ull << nr | out->tnt >> left;
	uint8_t bytes[8] = { 0x02, 0xa3 };

	if (is_long) {
		memcpy(bytes + 2, &bits, 6);
		put_counted(out, bytes, 8);
	} else {
		bytes[0] = (uint8_t)(bits << 1);
		put_counted(out, bytes, 1);
	}
	out->tnt &= (1ull << left) - 1;
	out->nr_tnt = left;
}

void packet_flush_as(struct packet_out *out, bool is_long)
{
	while (out->nr_tnt) {
		if (is_long || out->nr_tnt <= SHORT_TNT_MAX)
			put_tnt(out, out->nr_tnt, is_long);
		else
			put_tnt(out, SHORT_TNT_MAX, false);
	}
}

void packet_tnt(struct packet_out *out, bool is_taken)
{
	out->tnt = out->tnt << 1 | is_taken;
	if (++out->nr_tnt == LONG_TNT_MAX)
		packet_flush(out);
}

/* Writes the lower bytes of the IP that differ from the last IP, or a sign-extended address. */
static void put_ip(struct packet_out *out, enum packet_ip kind, uint64_t ip)
{
	uint64_t differs = out->is_ip_unknown ? UINT64_MAX : ip ^ out->last_ip;
	unsigned int compression = 3, size = 6;
	uint8_t bytes[7];

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

void packet_flush(struct packet_out *out)
{
	unsigned int i;

	packet_flush_as(out, out->nr_tnt > SHORT_TNT_MAX);
	for (i = 0; i < out->nr_deferred; i++)
		put_ip(out, PACKET_TIP, out->deferred[i]);
	out->nr_deferred = 0;
}

void packet_ip(struct packet_out *out, enum packet_ip kind, uint64_t ip)
{
	packet_flush(out);
	put_ip(out, kind, ip);
}

void packet_tip_deferred(struct packet_out *out, uint64_t ip)
{
	if (out->nr_deferred == PACKET_DEFERRED_MAX)
		packet_flush(out);
	out->deferred[out->nr_deferred++] = ip;
}

void packet_drop(struct packet_out *out)
{
	out->nr_tnt = 0;
	out->tnt = 0;
	out->nr_deferred = 0;
}

/* The number of bytes of an IP, and whether the last of them is extended by its sign. */
static unsigned int ipc_size(enum packet_ipc ipc)
{
	static const uint8_t sizes[] = {
		[PACKET_IPC_NONE] = 0, [PACKET_IPC_UPDATE_16] = 2, [PACKET_IPC_UPDATE_32] = 4,
		[PACKET_IPC_SEXT_48] = 6, [PACKET_IPC_UPDATE_48] = 6, [PACKET_IPC_FULL] = 8,
	};

	return sizes[ipc];
}

static uint64_t ip_read(uint64_t last_ip, enum packet_ipc ipc, uint64_t ip)
{
	unsigned int nr_bits = ipc_size(ipc) * 8;
	uint64_t kept = nr_bits < 64 ? UINT64_MAX << nr_bits : 0;

	if (ipc == PACKET_IPC_SEXT_48)
		return (uint64_t)((int64_t)(ip << 16) >> 16);
	return (last_ip & kept) | (ip & ~kept);
}

bool packet_ip_fits(const struct packet_out *out, enum packet_ipc ipc, uint64_t ip)
{
	if (out->is_ip_unknown && ipc != PACKET_IPC_SEXT_48 && ipc != PACKET_IPC_FULL)
		return false;
	return ipc != PACKET_IPC_NONE && ip_read(out->last_ip, ipc, ip) == ip;
}

uint64_t packet_ip_as(struct packet_out *out, enum packet_ip kind, enum packet_ipc ipc,
		      uint64_t ip)
{
	uint8_t bytes[9] = { (uint8_t)(kind | ipc << 5) };
	size_t size = 1 + ipc_size(ipc);

	memcpy(bytes + 1, &ip, 8);
	if (kind == PACKET_FUP)
		packet_bytes(out, bytes, size);
	else
		packet_bytes_counted(out, bytes, size);
	if (ipc == PACKET_IPC_NONE)
		return out->last_ip;
	out->last_ip = ip_read(out->last_ip, ipc, ip);
	out->is_ip_unknown = false;
	return out->last_ip;
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

void packet_pip(struct packet_out *out, uint64_t cr3)
{
	packet_pip_nr(out, cr3, false);
}

void packet_mode_exec64(struct packet_out *out)
{
	packet_mode_exec(out, 64, false);
}

void packet_mode_tsx(struct packet_out *out)
{
	packet_mode_tx(out, false, false);
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
