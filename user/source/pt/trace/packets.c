// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/trace/packets.h"

#include <errno.h>
#include <intel-pt.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/put.h"
#include "source/pt/decode/libipt/config.h"
#include "source/pt/decode/segments.h"

#define NAME_WIDTH	11
/* Width to which a payload is padded if text follows it. */
#define PAYLOAD_WIDTH	21
/* Text is passed to the callback in pieces of about this size. */
#define TEXT_BYTES	(64u << 10)
/* PWRE: the hardware, not software, requested the C-state. */
#define PWRE_HW		0x80

/* CFE and EVD packets (SDM 3, 33.4.2.25 and .26): ESCAPE, then the byte CFE or EVD. */
enum { ESCAPE = 0x02, CFE = 0x13, EVD = 0x53 };
enum { CFE_BYTES = 4, EVD_BYTES = 11 };

/*
 * Returns whether @bytes is a CFE or EVD packet. libipt decodes these since 2.1; older headers do
 * not declare them.
 */
static bool is_new(const uint8_t *bytes)
{
	return bytes[0] == ESCAPE && (bytes[1] == CFE || bytes[1] == EVD);
}

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

static void put_tnt(struct fargs_buf *out, const struct pt_packet_tnt *tnt)
{
	unsigned int bit;

	for (bit = tnt->bit_size; bit; bit--)
		fargs_put_char(out, tnt->payload >> (bit - 1) & 1 ? '!' : '.');
}

/*
 * Writes '?' for digits that are not in the packet because they equal those of the previous
 * address.
 */
static void put_ip(struct fargs_buf *out, const struct pt_packet_ip *ip)
{
	static const uint8_t digits[8] = {
		[pt_ipc_update_16] = 4, [pt_ipc_update_32] = 8, [pt_ipc_update_48] = 12,
		[pt_ipc_sext_48] = 16, [pt_ipc_full] = 16,
	};
	unsigned int nr = digits[ip->ipc & 7];
	uint64_t addr = ip->ip;

	if (ip->ipc == pt_ipc_sext_48)
		addr = (uint64_t)((int64_t)(addr << 16) >> 16);
	put_plain_hex(out, ip->ipc);
	fargs_put(out, ": ");
	fargs_buf_fill(out, '?', 16 - nr);
	if (nr)
		put_fixed_hex(out, addr, nr);
}

/*
 * Prints the flags in @byte, the payload of a MODE.Exec packet. libipt's own decoding is not used,
 * because old versions do not decode the interrupt flag.
 */
static void put_mode_exec(struct fargs_buf *out, uint8_t byte)
{
	static const char *const bits[] = { "cs.l", "cs.d", "if" };
	bool has_one = false;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		if (!(byte >> i & 1))
			continue;
		if (has_one)
			fargs_put(out, ", ");
		fargs_put(out, bits[i]);
		has_one = true;
	}
}

/*
 * The flag HW of PWRE is read from the packet's @bytes: SDM and perf have it in bit 7 of the byte
 * after the opcode, libipt in bit 3.
 */
static void put_sleep(struct fargs_buf *out, const struct pt_packet *p, const uint8_t *bytes)
{
	const struct pt_packet_pwre *e = &p->payload.pwre;
	const struct pt_packet_pwrx *x = &p->payload.pwrx;

	/* C-states are encoded as their number minus one, modulo 16: C0 as 15. */
	fargs_put(out, p->type == ppt_pwre ? "c" : x->interrupt ? "int: c" : x->store ? "st: c" :
		  x->autonomous ? "hw: c" : "c");
	fargs_put_u64(out, ((p->type == ppt_pwre ? e->state : x->last) + 1) & 15, 0, ' ');
	fargs_put(out, p->type == ppt_pwre ? "." : ", c");
	fargs_put_u64(out, ((p->type == ppt_pwre ? e->sub_state : x->deepest) + 1) & 15, 0, ' ');
	if (p->type == ppt_pwre && bytes[2] & PWRE_HW)
		fargs_put(out, ", hw");
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
static void put_cfe(struct fargs_buf *out, const uint8_t *bytes)
{
	unsigned int type = bytes[2] & 31;

	fargs_put_u64(out, type, 0, ' ');
	if (type == CFE_INTR || type == CFE_VMEXIT_INTR || type == CFE_UINTR) {
		fargs_put(out, ": ");
		fargs_put_u64(out, bytes[3], 0, ' ');
	} else if (type == CFE_SIPI) {
		/* This vector is a page number, and usually written in hexadecimal. */
		fargs_put(out, ": ");
		put_plain_hex(out, bytes[3]);
	}
	if (bytes[2] & 128)
		fargs_put(out, ", ip");
}

static void put_new(struct fargs_buf *out, const uint8_t *bytes)
{
	uint64_t v;

	if (bytes[1] == CFE) {
		put_cfe(out, bytes);
		return;
	}
	memcpy(&v, bytes + 3, sizeof(v));
	fargs_put_u64(out, bytes[2] & 63, 0, ' ');
	fargs_put(out, ": ");
	put_plain_hex(out, v);
}

static const char *name_of(const struct pt_packet *p, const uint8_t *bytes)
{
	static const char *const names[] = {
		/* libipt recognises some packets whose content is wrong because of an erratum. */
		[ppt_invalid] = "<invalid>",
		[ppt_pad] = "pad", [ppt_psb] = "psb", [ppt_psbend] = "psbend", [ppt_fup] = "fup",
		[ppt_tip] = "tip", [ppt_tip_pge] = "tip.pge", [ppt_tip_pgd] = "tip.pgd",
		[ppt_tnt_8] = "tnt.8", [ppt_tnt_64] = "tnt.64", [ppt_pip] = "pip",
		[ppt_vmcs] = "vmcs", [ppt_cbr] = "cbr", [ppt_tsc] = "tsc", [ppt_tma] = "tma",
		[ppt_mtc] = "mtc", [ppt_cyc] = "cyc", [ppt_stop] = "stop", [ppt_ovf] = "ovf",
		[ppt_mnt] = "mnt", [ppt_exstop] = "exstop", [ppt_mwait] = "mwait",
		[ppt_pwre] = "pwre", [ppt_pwrx] = "pwrx", [ppt_ptw] = "ptw",
	};

	if (p->type == ppt_mode)
		return p->payload.mode.leaf == pt_mol_exec ? "mode.exec" : "mode.tsx";
	if (is_new(bytes))
		return bytes[1] == EVD ? "evd" : "cfe";
	return p->type < sizeof(names) / sizeof(names[0]) && names[p->type] ? names[p->type] : "?";
}

static void put_payload(struct fargs_buf *out, const struct pt_packet *p, const uint8_t *bytes)
{
	switch (p->type) {
	case ppt_tnt_8:
	case ppt_tnt_64:
		put_tnt(out, &p->payload.tnt);
		break;
	case ppt_fup:
	case ppt_tip:
	case ppt_tip_pge:
	case ppt_tip_pgd:
		put_ip(out, &p->payload.ip);
		break;
	case ppt_mode:
		if (p->payload.mode.leaf == pt_mol_exec)
			put_mode_exec(out, bytes[1]);
		else if (p->payload.mode.bits.tsx.intx)
			fargs_put(out, "intx");
		else if (p->payload.mode.bits.tsx.abrt)
			fargs_put(out, "abrt");
		break;
	case ppt_pip:
		put_register(out, "cr3", p->payload.pip.cr3, p->payload.pip.nr);
		break;
	case ppt_vmcs:
		put_register(out, "vmcs", p->payload.vmcs.base, false);
		break;
	case ppt_cbr:
		put_plain_hex(out, p->payload.cbr.ratio);
		break;
	case ppt_tsc:
		put_plain_hex(out, p->payload.tsc.tsc);
		break;
	case ppt_tma:
		put_two(out, p->payload.tma.ctc, p->payload.tma.fc);
		break;
	case ppt_mtc:
		put_plain_hex(out, p->payload.mtc.ctc);
		break;
	case ppt_cyc:
		put_plain_hex(out, p->payload.cyc.value);
		break;
	case ppt_mnt:
		put_plain_hex(out, p->payload.mnt.payload);
		break;
	case ppt_exstop:
		if (p->payload.exstop.ip)
			fargs_put(out, "ip");
		break;
	case ppt_mwait:
		put_fixed_hex(out, p->payload.mwait.hints, 8);
		fargs_put(out, ", ");
		put_fixed_hex(out, p->payload.mwait.ext, 8);
		break;
	case ppt_pwre:
	case ppt_pwrx:
		put_sleep(out, p, bytes);
		break;
	case ppt_ptw:
		put_plain_hex(out, p->payload.ptw.plc);
		fargs_put(out, ": ");
		put_plain_hex(out, p->payload.ptw.payload);
		if (p->payload.ptw.ip)
			fargs_put(out, ", ip");
		break;
	default:
		if (is_new(bytes))
			put_new(out, bytes);
	}
}

static void put_packet(struct dump *d, const struct pt_packet *p, uint64_t offset)
{
	const uint8_t *bytes = d->bytes + offset;
	struct fargs_buf *out = &d->out;
	size_t from;

	put_fixed_hex(out, d->seg->begin + offset, 16);
	fargs_put(out, "  ");
	from = out->n;
	fargs_put(out, name_of(p, bytes));
	pad_text(out, from, NAME_WIDTH);
	put_payload(out, p, bytes);
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

/* Prints packets up to an error or the end (-pte_eos). @limit: end of the segment. */
static int dump_packets(struct dump *d, struct pt_packet_decoder *decoder, uint64_t limit, int *ret)
{
	struct pt_packet packet;
	uint64_t offset = 0;
	int n;

	for (;;) {
		if (pt_pkt_get_offset(decoder, &offset) < 0 || offset >= limit)
			return -pte_eos;
		n = pt_pkt_next(decoder, &packet, sizeof(packet));
		if (n < 0) {
			/* The last packet of the trace is incomplete. */
			if (n == -pte_eos && offset < limit)
				put_error(d, offset, "it is truncated");
			else if (n != -pte_eos)
				put_error(d, offset, pt_errstr(pt_errcode(n)));
			return n;
		}
		put_packet(d, &packet, offset);
		*ret = d->out.n > TEXT_BYTES ? flush_text(d) : 0;
		if (*ret)
			return -pte_eos;
	}
}

static int dump_segment(struct dump *d, struct fargs_pt_window *w)
{
	const struct fargs_pt_segment *seg = d->seg;
	uint64_t limit = seg->next - seg->begin;
	struct pt_packet_decoder *decoder;
	struct pt_config config;
	uint64_t got;
	int status, ret = 0;

	if (seg->is_after_loss)
		put_note(d, seg->skipped, "packets were lost while recording", "");
	if (seg->skipped < seg->begin)
		put_note(d, seg->skipped, "skipped up to a PSB", "");
	if (!limit)
		return 0;
	d->bytes = fargs_pt_window_get(w, seg->stream, seg->piece, seg->begin,
				       seg->end - seg->begin, &got);
	if (!d->bytes)
		return -ENOMEM;
	fargs_pt_libipt_configure(&config, d->config, d->bytes, got);
	fargs_pt_libipt_extend(&config);
	decoder = pt_pkt_alloc_decoder(&config);
	if (!decoder)
		return -ENOMEM;
	for (status = pt_pkt_sync_set(decoder, 0); status >= 0 && !ret;
	     status = pt_pkt_sync_forward(decoder))
		if (dump_packets(d, decoder, limit, &ret) == -pte_eos)
			break;
	pt_pkt_free_decoder(decoder);
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
