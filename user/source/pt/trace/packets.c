// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/trace/packets.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/put.h"
#include "base/row.h"
#include "source/pt/decode/segments.h"
#include "source/pt/packet/errata.h"
#include "source/pt/packet/packet.h"
#include "source/pt/packet/psb.h"

#define NAME_WIDTH	11
/* Width to which a payload is padded if text follows it. */
#define PAYLOAD_WIDTH	21
/* Text is passed to the callback in pieces of about this size. */
#define TEXT_BYTES	(64u << 10)
/* PWRE and PWRX (SDM 3, tables of these packets). */
enum { PWRE_HW = 0x80, PWRX_INTERRUPT = 0x100, PWRX_STORE = 0x400, PWRX_HW = 0x800 };

/* First byte of packets whose kind is in the second one. */
enum { ESCAPE = 0x02 };

struct dump {
	const struct fargs_pt_config *config;
	const struct fargs_pt_segment *seg;
	const uint8_t *bytes;		/* bytes of the segment */
	struct fargs_buf out;
	fargs_pt_packets_fn fn;
	void *arg;
	uint64_t nr_errors;
};

static int flush_text(struct dump *d)
{
	int ret;

	if (d->out.is_short)
		return -ENOMEM;
	ret = d->out.n ? d->fn(d->arg, d->out.text, d->out.n) : 0;
	d->out.n = 0;
	return ret;
}

static void put_fixed_hex(struct fargs_buf *out, uint64_t v, unsigned int digits)
{
	char text[16];
	unsigned int i;

	for (i = digits; i; v >>= 4)
		text[--i] = "0123456789abcdef"[v & 15];
	fargs_buf_add(out, text, digits);
}

static void put_plain_hex(struct fargs_buf *out, uint64_t v)
{
	put_fixed_hex(out, v, v ? (67 - __builtin_clzll(v)) / 4 : 1);
}

static void pad_text(struct fargs_buf *out, size_t from, size_t width)
{
	if (out->n - from < width)
		fargs_buf_fill(out, ' ', width - (out->n - from));
}

static void put_tnt(struct fargs_buf *out, const struct fargs_pt_packet *p)
{
	unsigned int bit;

	for (bit = p->nr; bit; bit--)
		fargs_put_char(out, p->value >> (bit - 1) & 1 ? '!' : '.');
}

/*
 * Writes '?' for digits that are not in the packet because they equal those of the previous
 * address.
 */
static void put_ip(struct fargs_buf *out, const struct fargs_pt_packet *p)
{
	static const uint8_t digits[8] = {
		[FARGS_PT_IPC_UPDATE_16] = 4, [FARGS_PT_IPC_UPDATE_32] = 8,
		[FARGS_PT_IPC_UPDATE_48] = 12, [FARGS_PT_IPC_SEXT_48] = 16,
		[FARGS_PT_IPC_FULL] = 16,
	};
	unsigned int nr = digits[p->nr & 7];
	uint64_t addr = 0;

	fargs_pt_packet_ip(p, &addr);
	put_plain_hex(out, p->nr);
	fargs_put(out, ": ");
	fargs_buf_fill(out, '?', 16 - nr);
	if (nr)
		put_fixed_hex(out, addr, nr);
}

static void put_mode_exec(struct fargs_buf *out, uint8_t flags)
{
	static const char *const bits[] = { "cs.l", "cs.d", "if" };
	bool has_one = false;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		if (!(flags >> i & 1))
			continue;
		if (has_one)
			fargs_put(out, ", ");
		fargs_put(out, bits[i]);
		has_one = true;
	}
}

/* C-states are encoded as their number minus one, modulo 16: C0 as 15. */
static void put_state(struct fargs_buf *out, uint64_t v)
{
	fargs_put_u64(out, (v + 1) & 15, 0, ' ');
}

static void put_pwre(struct fargs_buf *out, uint64_t v)
{
	fargs_put_char(out, 'c');
	put_state(out, v >> 12);
	fargs_put_char(out, '.');
	put_state(out, v >> 8);
	if (v & PWRE_HW)
		fargs_put(out, ", hw");
}

static void put_pwrx(struct fargs_buf *out, uint64_t v)
{
	fargs_put(out, v & PWRX_INTERRUPT ? "int: c" : v & PWRX_STORE ? "st: c" :
		  v & PWRX_HW ? "hw: c" : "c");
	put_state(out, v >> 4);
	fargs_put(out, ", c");
	put_state(out, v);
}

static void put_two(struct fargs_buf *out, uint64_t a, uint64_t b)
{
	put_plain_hex(out, a);
	fargs_put(out, ", ");
	put_plain_hex(out, b);
}

/* Prints the payload, then the register's full address. */
static void put_register(struct fargs_buf *out, const char *name, uint64_t v, bool has_nr)
{
	size_t from = out->n;

	put_plain_hex(out, v);
	if (has_nr)
		fargs_put(out, ", nr");
	pad_text(out, from, PAYLOAD_WIDTH);
	fargs_put(out, name);
	fargs_put_char(out, ' ');
	put_fixed_hex(out, v, 16);
}

/* Types of CFE packets that have a vector. */
enum cfe_type { CFE_INTR = 1, CFE_SIPI = 5, CFE_VMEXIT_INTR = 9, CFE_UINTR = 12 };

/* Prints a CFE packet: its type and the vector, both decimal. */
static void put_cfe(struct fargs_buf *out, const struct fargs_pt_packet *p)
{
	fargs_put_u64(out, p->nr, 0, ' ');
	if (p->nr == CFE_INTR || p->nr == CFE_VMEXIT_INTR || p->nr == CFE_UINTR) {
		fargs_put(out, ": ");
		fargs_put_u64(out, p->value, 0, ' ');
	} else if (p->nr == CFE_SIPI) {
		/* This vector is a page number, and usually written in hexadecimal. */
		fargs_put(out, ": ");
		put_plain_hex(out, p->value);
	}
	if (p->flags)
		fargs_put(out, ", ip");
}

/* Prints a number and the payload that belongs to it. */
static void put_numbered(struct fargs_buf *out, unsigned int nr, uint64_t v)
{
	fargs_put_u64(out, nr, 0, ' ');
	fargs_put(out, ": ");
	put_plain_hex(out, v);
}

/* Prints the mask of triggers, and since how many instructions. */
static void put_trig(struct fargs_buf *out, const struct fargs_pt_packet *p)
{
	put_plain_hex(out, p->nr);
	if (p->flags & FARGS_PT_TRIG_COUNT) {
		fargs_put(out, ": ");
		put_plain_hex(out, p->value);
	}
	if (p->flags & FARGS_PT_TRIG_MULTIPLE)
		fargs_put(out, ", mult");
	if (p->flags & FARGS_PT_TRIG_IP)
		fargs_put(out, ", ip");
}

static const char *name_of(const struct fargs_pt_packet *p)
{
	static const char *const names[FARGS_PT_PACKET_KINDS] = {
		[FARGS_PT_PACKET_TIP] = "tip", [FARGS_PT_PACKET_PGE] = "tip.pge",
		[FARGS_PT_PACKET_PGD] = "tip.pgd", [FARGS_PT_PACKET_FUP] = "fup",
		[FARGS_PT_PACKET_EXEC] = "mode.exec", [FARGS_PT_PACKET_TSX] = "mode.tsx",
		[FARGS_PT_PACKET_PIP] = "pip", [FARGS_PT_PACKET_VMCS] = "vmcs",
		[FARGS_PT_PACKET_TSC] = "tsc", [FARGS_PT_PACKET_TMA] = "tma",
		[FARGS_PT_PACKET_MTC] = "mtc", [FARGS_PT_PACKET_CBR] = "cbr",
		[FARGS_PT_PACKET_CYC] = "cyc", [FARGS_PT_PACKET_PSB] = "psb",
		[FARGS_PT_PACKET_PSBEND] = "psbend", [FARGS_PT_PACKET_OVF] = "ovf",
		[FARGS_PT_PACKET_STOP] = "stop", [FARGS_PT_PACKET_MNT] = "mnt",
		[FARGS_PT_PACKET_PTW] = "ptw", [FARGS_PT_PACKET_EXSTOP] = "exstop",
		[FARGS_PT_PACKET_MWAIT] = "mwait", [FARGS_PT_PACKET_PWRE] = "pwre",
		[FARGS_PT_PACKET_PWRX] = "pwrx", [FARGS_PT_PACKET_BBP] = "bbp",
		[FARGS_PT_PACKET_BIP] = "bip", [FARGS_PT_PACKET_BEP] = "bep",
		[FARGS_PT_PACKET_CFE] = "cfe", [FARGS_PT_PACKET_EVD] = "evd",
		[FARGS_PT_PACKET_TRIG] = "trig",
	};

	if (p->kind == FARGS_PT_PACKET_TNT)
		return p->size == 1 ? "tnt.8" : "tnt.64";
	/* The content of a TMA is wrong because of an erratum. */
	if (p->kind == FARGS_PT_PACKET_PAD)
		return p->size == 1 ? "pad" : "<invalid>";
	return names[p->kind];
}

static void put_payload(struct fargs_buf *out, const struct fargs_pt_packet *p)
{
	switch (p->kind) {
	case FARGS_PT_PACKET_TNT:
		put_tnt(out, p);
		break;
	case FARGS_PT_PACKET_FUP:
	case FARGS_PT_PACKET_TIP:
	case FARGS_PT_PACKET_PGE:
	case FARGS_PT_PACKET_PGD:
		put_ip(out, p);
		break;
	case FARGS_PT_PACKET_EXEC:
		put_mode_exec(out, p->flags);
		break;
	case FARGS_PT_PACKET_TSX:
		fargs_put(out, p->flags & FARGS_PT_TSX_IN ? "intx" :
			  p->flags & FARGS_PT_TSX_ABORT ? "abrt" : "");
		break;
	case FARGS_PT_PACKET_PIP:
		put_register(out, "cr3", p->value, p->flags);
		break;
	case FARGS_PT_PACKET_VMCS:
		put_register(out, "vmcs", p->value, false);
		break;
	case FARGS_PT_PACKET_CBR:
	case FARGS_PT_PACKET_TSC:
	case FARGS_PT_PACKET_MTC:
	case FARGS_PT_PACKET_CYC:
	case FARGS_PT_PACKET_MNT:
		put_plain_hex(out, p->value);
		break;
	case FARGS_PT_PACKET_TMA:
		put_two(out, p->value, p->nr);
		break;
	case FARGS_PT_PACKET_EXSTOP:
	case FARGS_PT_PACKET_BEP:
		fargs_put(out, p->flags ? "ip" : "");
		break;
	case FARGS_PT_PACKET_MWAIT:
		put_fixed_hex(out, p->value & UINT32_MAX, 8);
		fargs_put(out, ", ");
		put_fixed_hex(out, p->value >> 32, 8);
		break;
	case FARGS_PT_PACKET_PWRE:
		put_pwre(out, p->value);
		break;
	case FARGS_PT_PACKET_PWRX:
		put_pwrx(out, p->value);
		break;
	case FARGS_PT_PACKET_PTW:
		put_numbered(out, p->nr == 8, p->value);
		fargs_put(out, p->flags ? ", ip" : "");
		break;
	case FARGS_PT_PACKET_BBP:
		/* The type of the group, and the size of its items in bytes. */
		put_numbered(out, p->value, p->nr);
		break;
	case FARGS_PT_PACKET_BIP:
	case FARGS_PT_PACKET_EVD:
		put_numbered(out, p->nr, p->value);
		break;
	case FARGS_PT_PACKET_CFE:
		put_cfe(out, p);
		break;
	case FARGS_PT_PACKET_TRIG:
		put_trig(out, p);
		break;
	}
}

static void put_packet(struct dump *d, const struct fargs_pt_packet *p, uint64_t offset)
{
	struct fargs_buf *out = &d->out;
	size_t from;

	if (!fargs_row(C11))
		return;
	put_fixed_hex(out, d->seg->begin + offset, 16);
	fargs_put(out, "  ");
	from = out->n;
	fargs_put(out, name_of(p));
	pad_text(out, from, NAME_WIDTH);
	put_payload(out, p);
	/* Remove the padding after a name without a payload. */
	while (out->n > from && out->text[out->n - 1] == ' ')
		out->n--;
	fargs_put_char(out, '\n');
}

static void put_note(struct dump *d, uint64_t offset, const char *what, const char *why)
{
	struct fargs_buf *out = &d->out;

	fargs_put_char(out, '[');
	put_plain_hex(out, offset);
	fargs_put(out, ": ");
	fargs_put(out, what);
	fargs_put(out, why);
	fargs_put(out, "]\n");
	d->nr_errors++;
}

static void put_error(struct dump *d, uint64_t offset, const char *why)
{
	put_note(d, d->seg->begin + offset, "error decoding packet: ", why);
}

/* Describes @bytes, which are no packet, as libipt does. */
static const char *why_bad(const uint8_t *bytes)
{
	/* Opcodes of packets whose content can be wrong. */
	enum { TIP = 0x0d, TIP_PGE = 0x11, TIP_PGD = 0x01, FUP = 0x1d, MODE = 0x99 };
	enum { PSB = 0x82, TNT_64 = 0xa3, TMA = 0x73, PTW = 0x12 };
	uint8_t byte = bytes[0], second;
	bool is_known;

	if (byte == ESCAPE) {
		second = bytes[1];
		is_known = second == PSB || second == TNT_64 || second == TMA ||
			   (second & 0x1f) == PTW;
	} else {
		is_known = byte == MODE || (byte & 3) == 3;
		byte &= 0x1f;
		is_known |= byte == TIP || byte == TIP_PGE || byte == TIP_PGD || byte == FUP;
	}
	return is_known ? "unknown packet" : "unknown opcode";
}

/*
 * Prints packets up to an error or the end. @limit: end of the segment. Returns true after an
 * error; the dump then continues at the next PSB.
 */
static bool dump_packets(struct dump *d, struct fargs_pt_reader *r, uint64_t limit, int *ret)
{
	struct fargs_pt_packet packet;
	uint64_t offset;

	while ((offset = r->at - d->bytes) < limit) {
		fargs_pt_packet_read(r, &packet);
		if (packet.kind == FARGS_PT_PACKET_CUT) {
			/* The last packet of the trace is incomplete. */
			put_error(d, offset, "it is truncated");
			return false;
		}
		if (packet.kind == FARGS_PT_PACKET_BAD) {
			put_error(d, offset, why_bad(r->at));
			return true;
		}
		put_packet(d, &packet, offset);
		*ret = d->out.n > TEXT_BYTES ? flush_text(d) : 0;
		if (*ret)
			return false;
	}
	return false;
}

static int dump_segment(struct dump *d, struct fargs_pt_window *w)
{
	const struct fargs_pt_segment *seg = d->seg;
	uint64_t limit = seg->next - seg->begin;
	struct fargs_pt_reader r = { .errata = fargs_pt_errata(d->config) };
	const uint8_t *last;
	uint64_t got;
	int ret = 0;

	if (seg->is_after_loss)
		put_note(d, seg->skipped, "packets were lost while recording", "");
	else if (seg->is_after_gap && seg->skipped == seg->begin)
		put_note(d, seg->skipped, "the trace before this place was not recorded", "");
	if (seg->skipped < seg->begin)
		put_note(d, seg->skipped, "skipped up to a PSB", "");
	if (!limit)
		return 0;
	d->bytes = fargs_pt_window_get(w, seg->stream, seg->piece, seg->begin,
				       seg->end - seg->begin, &got);
	if (!d->bytes)
		return -ENOMEM;
	r.at = d->bytes;
	r.end = d->bytes + got;
	last = r.at;
	while (dump_packets(d, &r, limit, &ret) && fargs_row(C12) &&
	       fargs_pt_psb_sync(&r, d->bytes, last))
		last = r.at;
	return ret;
}

int fargs_pt_packets_dump(const struct fargs_pt_config *config, const struct fargs_pt_stream *s,
			  fargs_pt_packets_fn fn, void *arg, uint64_t *nr_errors)
{
	struct dump d = { .config = config, .fn = fn, .arg = arg };
	struct fargs_pt_segments segs;
	struct fargs_pt_window w = { };
	int ret;
	size_t i;

	ret = fargs_pt_segments_init(&segs, s, FARGS_PT_SEGMENT_BYTES);
	for (i = 0; !ret && i < segs.nr; i++) {
		d.seg = &segs.all[i];
		ret = dump_segment(&d, &w);
	}
	if (!ret)
		ret = flush_text(&d);
	*nr_errors += d.nr_errors;
	fargs_pt_segments_deinit(&segs);
	fargs_buf_deinit(&d.out);
	free(w.bytes);
	return ret;
}
