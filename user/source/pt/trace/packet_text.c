// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/trace/packet_text.h"

#include "base/put.h"

static const char *const names[FARGS_PT_PACKET_KINDS] = {
	[FARGS_PT_PACKET_BAD] = "Bad Packet!", [FARGS_PT_PACKET_PAD] = "PAD",
	[FARGS_PT_PACKET_TNT] = "TNT", [FARGS_PT_PACKET_TIP] = "TIP",
	[FARGS_PT_PACKET_PGE] = "TIP.PGE", [FARGS_PT_PACKET_PGD] = "TIP.PGD",
	[FARGS_PT_PACKET_FUP] = "FUP", [FARGS_PT_PACKET_EXEC] = "MODE.Exec",
	[FARGS_PT_PACKET_TSX] = "MODE.TSX", [FARGS_PT_PACKET_PIP] = "PIP",
	[FARGS_PT_PACKET_VMCS] = "VMCS", [FARGS_PT_PACKET_TSC] = "TSC",
	[FARGS_PT_PACKET_TMA] = "TMA", [FARGS_PT_PACKET_MTC] = "MTC",
	[FARGS_PT_PACKET_CBR] = "CBR", [FARGS_PT_PACKET_CYC] = "CYC",
	[FARGS_PT_PACKET_PSB] = "PSB", [FARGS_PT_PACKET_PSBEND] = "PSBEND",
	[FARGS_PT_PACKET_OVF] = "OVF", [FARGS_PT_PACKET_STOP] = "TraceSTOP",
	[FARGS_PT_PACKET_MNT] = "MNT", [FARGS_PT_PACKET_PTW] = "PTWRITE",
	[FARGS_PT_PACKET_EXSTOP] = "EXSTOP", [FARGS_PT_PACKET_MWAIT] = "MWAIT",
	[FARGS_PT_PACKET_PWRE] = "PWRE", [FARGS_PT_PACKET_PWRX] = "PWRX",
	[FARGS_PT_PACKET_BBP] = "BBP", [FARGS_PT_PACKET_BIP] = "BIP",
	[FARGS_PT_PACKET_BEP] = "BEP", [FARGS_PT_PACKET_CFE] = "CFE",
	[FARGS_PT_PACKET_EVD] = "EVD", [FARGS_PT_PACKET_TRIG] = "TRIG",
};

/* Appends " NAME" and the number @v: hexadecimal, with at least @digits. */
static void put_hex(struct fargs_buf *out, const char *name, uint64_t v, unsigned int digits)
{
	unsigned int width;

	fargs_put(out, name);
	fargs_put(out, "0x");
	for (width = 16; width > 1 && !(v >> (4 * (width - 1))) && width > digits; width--)
		;
	for (; width; width--)
		fargs_put_char(out, "0123456789abcdef"[v >> (4 * (width - 1)) & 15]);
}

/* Appends @name and the decimal number @v. */
static void put_number(struct fargs_buf *out, const char *name, uint64_t v)
{
	fargs_put(out, name);
	fargs_put_u64(out, v, 0, ' ');
}

static void put_tnt(struct fargs_buf *out, const struct fargs_pt_packet *p)
{
	unsigned int bit;

	fargs_put_char(out, ' ');
	for (bit = p->nr; bit; bit--)
		fargs_put_char(out, p->value >> (bit - 1) & 1 ? 'T' : 'N');
	put_number(out, " (", p->nr);
	fargs_put_char(out, ')');
}

static void put_exec(struct fargs_buf *out, const struct fargs_pt_packet *p)
{
	put_number(out, " IF:", !!(p->flags & FARGS_PT_EXEC_IF));
	fargs_put(out, p->flags & FARGS_PT_EXEC_CS_L ? " 64" :
		       p->flags & FARGS_PT_EXEC_CS_D ? " 32" : " 16");
}

static void put_pwre(struct fargs_buf *out, uint64_t v)
{
	put_hex(out, " ", v, 1);
	put_number(out, " HW:", v >> 7 & 1);
	put_number(out, " CState:", v >> 12 & 15);
	put_number(out, " Sub-CState:", v >> 8 & 15);
}

static void put_pwrx(struct fargs_buf *out, uint64_t v)
{
	put_hex(out, " ", v, 1);
	put_number(out, " Last CState:", v >> 4 & 15);
	put_number(out, " Deepest CState:", v & 15);
	put_hex(out, " Wake Reason ", v >> 8 & 15, 1);
}

/* perf does not know this packet. */
static void put_trig(struct fargs_buf *out, const struct fargs_pt_packet *p)
{
	put_hex(out, " Mask ", p->nr, 1);
	if (p->flags & FARGS_PT_TRIG_COUNT)
		put_number(out, " Count ", p->value);
	put_number(out, " IP:", !!(p->flags & FARGS_PT_TRIG_IP));
	put_number(out, " Multiple:", !!(p->flags & FARGS_PT_TRIG_MULTIPLE));
}

static void put_payload(struct fargs_buf *out, const struct fargs_pt_packet *p)
{
	switch (p->kind) {
	case FARGS_PT_PACKET_TNT:
		put_tnt(out, p);
		break;
	case FARGS_PT_PACKET_TIP:
	case FARGS_PT_PACKET_PGE:
	case FARGS_PT_PACKET_PGD:
	case FARGS_PT_PACKET_FUP:
		/* The bytes in the packet: without those of the address before. */
		if (p->nr == FARGS_PT_IPC_NONE)
			fargs_put(out, " no ip");
		else
			put_hex(out, " ", p->value, 1);
		break;
	case FARGS_PT_PACKET_EXEC:
		put_exec(out, p);
		break;
	case FARGS_PT_PACKET_TSX:
		put_number(out, " TXAbort:", !!(p->flags & FARGS_PT_TSX_ABORT));
		put_number(out, " InTX:", !!(p->flags & FARGS_PT_TSX_IN));
		break;
	case FARGS_PT_PACKET_PIP:
		/* CR3 without the bits that are 0. */
		put_hex(out, " ", p->value >> 5, 1);
		put_number(out, " (NR=", p->flags & 1);
		fargs_put_char(out, ')');
		break;
	case FARGS_PT_PACKET_VMCS:
		put_hex(out, " ", p->value >> 12, 1);
		break;
	case FARGS_PT_PACKET_TSC:
	case FARGS_PT_PACKET_MTC:
	case FARGS_PT_PACKET_CBR:
	case FARGS_PT_PACKET_CYC:
	case FARGS_PT_PACKET_MNT:
		put_hex(out, " ", p->value, 1);
		break;
	case FARGS_PT_PACKET_TMA:
		put_hex(out, " CTC ", p->value, 1);
		put_hex(out, " FC ", p->nr, 1);
		break;
	case FARGS_PT_PACKET_PTW:
		put_hex(out, " ", p->value, 1);
		put_number(out, " IP:", p->flags & 1);
		break;
	case FARGS_PT_PACKET_EXSTOP:
	case FARGS_PT_PACKET_BEP:
		put_number(out, " IP:", p->flags & 1);
		break;
	case FARGS_PT_PACKET_MWAIT:
		put_hex(out, " ", p->value, 1);
		put_hex(out, " Hints ", p->value & UINT32_MAX, 1);
		put_hex(out, " Extensions ", p->value >> 32, 1);
		break;
	case FARGS_PT_PACKET_PWRE:
		put_pwre(out, p->value);
		break;
	case FARGS_PT_PACKET_PWRX:
		put_pwrx(out, p->value);
		break;
	case FARGS_PT_PACKET_BBP:
		put_number(out, " SZ ", p->nr);
		put_hex(out, "-byte Type ", p->value, 1);
		break;
	case FARGS_PT_PACKET_BIP:
		put_hex(out, " ID ", p->nr, 2);
		put_hex(out, " Value ", p->value, 1);
		break;
	case FARGS_PT_PACKET_CFE:
		put_number(out, " IP:", p->flags & 1);
		put_hex(out, " Type ", p->nr, 2);
		put_hex(out, " Vector ", p->value, 1);
		break;
	case FARGS_PT_PACKET_EVD:
		put_hex(out, " Type ", p->nr, 2);
		put_hex(out, " Payload ", p->value, 1);
		break;
	case FARGS_PT_PACKET_TRIG:
		put_trig(out, p);
		break;
	}
}

void fargs_pt_packet_put_text(struct fargs_buf *out, const struct fargs_pt_packet *p)
{
	fargs_put(out, names[p->kind]);
	put_payload(out, p);
}
