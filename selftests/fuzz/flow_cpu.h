/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU that executes random code, and writes packets of Intel PT about it. Its memory and its
 * rules for packets are its own; only the sizes and classes of instructions are the decoder's.
 */
#ifndef FUZZ_FLOW_CPU_H
#define FUZZ_FLOW_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fuzz/random.h"
#include "source/pt/code/insn.h"

#define CODE_BYTES	320
#define NR_CODES	3
#define NR_POKES	6
#define POKE_BYTES	6
#define TRACE_BYTES	(32u << 10)
#define NR_SEEN		4096

struct cpu_code {
	uint64_t addr, from_ns, until_ns;
	uint8_t bytes[CODE_BYTES];
};

struct cpu_poke {
	uint64_t ns, addr;
	uint16_t old_bytes, new_bytes;
	uint8_t code[2 * POKE_BYTES];
};

struct cpu_branch {
	uint64_t from, to;
};

struct cpu {
	struct fuzz_random *rng;
	enum fargs_pt_exec_mode mode;
	struct cpu_code codes[NR_CODES];	/* the last one has precedence */
	struct cpu_poke pokes[NR_POKES];	/* sorted by time */
	size_t nr_pokes;
	uint64_t ip, now;
	uint64_t calls[64];
	unsigned int depth, top;
	unsigned int tnt, nr_tnt, tnt_max;
	bool has_ptw;
	uint8_t trace[TRACE_BYTES];
	size_t nr_bytes;
	/* What was executed; up to @sure and @sure_insns, packets show it. */
	struct cpu_branch seen[NR_SEEN];
	size_t nr_seen, sure;
	uint64_t nr_insns, sure_insns;
	uint64_t since[64];		/* the instructions since the last packet */
	size_t nr_since;
};

/* Returns the byte at @addr now; -1: none. */
static int cpu_byte(const struct cpu *c, uint64_t addr)
{
	const struct cpu_code *code;
	const struct cpu_poke *p;
	int byte = -1;
	size_t i;

	for (i = 0; i < NR_CODES; i++) {
		code = &c->codes[i];
		if (addr - code->addr < CODE_BYTES && addr >= code->addr &&
		    code->from_ns <= c->now && (!code->until_ns || c->now < code->until_ns))
			byte = code->bytes[addr - code->addr];
	}
	if (byte < 0)
		return byte;
	for (i = c->nr_pokes; i; i--) {
		p = &c->pokes[i - 1];
		if (p->ns <= c->now && addr - p->addr < p->new_bytes)
			return p->code[p->old_bytes + (addr - p->addr)];
	}
	for (i = 0; i < c->nr_pokes; i++) {
		p = &c->pokes[i];
		if (p->ns > c->now && addr - p->addr < p->old_bytes)
			return p->code[addr - p->addr];
	}
	return byte;
}

static void cpu_put(struct cpu *c, const void *bytes, size_t n)
{
	if (c->nr_bytes + n > TRACE_BYTES)
		return;
	memcpy(c->trace + c->nr_bytes, bytes, n);
	c->nr_bytes += n;
}

/* Everything so far is known from packets. */
static void cpu_be_sure(struct cpu *c)
{
	c->sure = c->nr_seen;
	c->sure_insns = c->nr_insns;
	c->nr_since = 0;
}

static void cpu_flush(struct cpu *c)
{
	const uint8_t tnt = (1u << c->nr_tnt | c->tnt) << 1;

	if (c->nr_tnt)
		cpu_put(c, &tnt, 1);
	c->tnt = 0;
	c->nr_tnt = 0;
}

static void cpu_bit(struct cpu *c, bool is_taken)
{
	c->tnt = c->tnt << 1 | is_taken;
	if (++c->nr_tnt >= c->tnt_max)
		cpu_flush(c);
	cpu_be_sure(c);
}

enum { CPU_TIP = 0x0d, CPU_PGE = 0x11, CPU_PGD = 0x01, CPU_FUP = 0x1d };

static void cpu_put_ip(struct cpu *c, uint8_t opcode, uint64_t ip)
{
	opcode |= 6 << 5;
	cpu_put(c, &opcode, 1);
	cpu_put(c, &ip, 8);
}

static void cpu_tsc(struct cpu *c)
{
	const uint64_t word = 0x19 | c->now << 8;

	cpu_put(c, &word, 8);
}

static void cpu_psb(struct cpu *c)
{
	static const uint8_t modes[] = { 0, 2, 1 };
	int i;

	cpu_flush(c);
	for (i = 0; i < 8; i++)
		cpu_put(c, "\x02\x82", 2);
	c->now += fuzz_below(c->rng, 100);
	cpu_tsc(c);
	cpu_put(c, "\x99", 1);
	cpu_put(c, &modes[c->mode], 1);
	cpu_put_ip(c, CPU_FUP, c->ip);
	cpu_put(c, "\x02\x23", 2);
	c->depth = 0;
	cpu_be_sure(c);
}

/* Returns an address in the code, which need not be that of an instruction. */
static uint64_t cpu_any_ip(const struct cpu *c)
{
	return c->codes[fuzz_below(c->rng, NR_CODES)].addr + fuzz_below(c->rng, CODE_BYTES);
}

static void cpu_branch(struct cpu *c, uint64_t to)
{
	c->seen[c->nr_seen++] = (struct cpu_branch){ c->ip, to };
	c->ip = to;
}

static void cpu_push(struct cpu *c, uint64_t ip)
{
	c->calls[c->top] = ip;
	c->top = (c->top + 1) % 64;
	c->depth += c->depth < 64;
}

static void cpu_interrupt(struct cpu *c)
{
	cpu_flush(c);
	cpu_put_ip(c, CPU_FUP, c->ip);
	c->ip = cpu_any_ip(c);
	cpu_put_ip(c, CPU_TIP, c->ip);
	cpu_be_sure(c);
}

/* Tracing was turned off; it continues elsewhere. */
static void cpu_turn_on(struct cpu *c)
{
	c->ip = cpu_any_ip(c);
	cpu_put_ip(c, CPU_PGE, c->ip);
	c->depth = 0;
	cpu_be_sure(c);
}

static void cpu_overflow(struct cpu *c)
{
	/* The decoder cannot know what was executed since the last packet. */
	cpu_flush(c);
	c->nr_seen = c->sure;
	c->nr_insns = c->sure_insns;
	cpu_put(c, "\x02\xf3", 2);
	c->ip = cpu_any_ip(c);
	cpu_put_ip(c, CPU_FUP, c->ip);
	c->depth = 0;
	cpu_be_sure(c);
}

/* Something that has nothing to do with the instruction at c->ip. */
static void cpu_event(struct cpu *c)
{
	switch (fuzz_below(c->rng, 8)) {
	case 0:
		return cpu_overflow(c);
	case 1:
		cpu_flush(c);
		cpu_put_ip(c, CPU_FUP, c->ip);
		cpu_put(c, "\x01", 1);
		return cpu_turn_on(c);
	case 2:
	case 3:
	case 4:
		return cpu_psb(c);
	default:
		return cpu_interrupt(c);
	}
}

static void cpu_tip(struct cpu *c, const struct fargs_pt_decoded *insn, bool is_call)
{
	uint64_t next = fargs_pt_insn_next(insn, c->ip, c->mode);

	cpu_flush(c);
	if (fargs_pt_class_is_far(insn->class) && fuzz_once_in(c->rng, 4)) {
		c->seen[c->nr_seen++] = (struct cpu_branch){ c->ip, 0 };
		cpu_put(c, "\x01", 1);
		return cpu_turn_on(c);
	}
	cpu_branch(c, cpu_any_ip(c));
	cpu_put_ip(c, CPU_TIP, c->ip);
	if (is_call)
		cpu_push(c, next);
	cpu_be_sure(c);
}

static void cpu_return(struct cpu *c, const struct fargs_pt_decoded *insn)
{
	if (!c->depth || fuzz_once_in(c->rng, 4))
		return cpu_tip(c, insn, false);
	c->depth--;
	c->top = (c->top - 1) % 64;
	cpu_branch(c, c->calls[c->top]);
	cpu_bit(c, true);
}

static void cpu_execute(struct cpu *c, const struct fargs_pt_decoded *insn)
{
	uint64_t next = fargs_pt_insn_next(insn, c->ip, c->mode);
	uint64_t to = fargs_pt_insn_target(insn, c->ip, c->mode), value = 1;
	bool is_taken;

	c->nr_insns++;
	switch (insn->class) {
	case FARGS_PT_CLASS_COND:
		is_taken = fuzz_once_in(c->rng, 2);
		if (is_taken)
			cpu_branch(c, to);
		else
			c->ip = next;
		return cpu_bit(c, is_taken);
	case FARGS_PT_CLASS_CALL:
		if (to != next)
			cpu_push(c, next);
		return cpu_branch(c, to);
	case FARGS_PT_CLASS_JUMP:
		return cpu_branch(c, to);
	case FARGS_PT_CLASS_RETURN:
		return cpu_return(c, insn);
	case FARGS_PT_CLASS_PTWRITE:
		if (c->has_ptw) {
			cpu_flush(c);
			value = 0x9202 | fuzz_random(c->rng) << 16;
			cpu_put(c, &value, 6);
			cpu_put_ip(c, CPU_FUP, c->ip);
			cpu_be_sure(c);
		}
		c->ip = next;
		return;
	case FARGS_PT_CLASS_OTHER:
	case FARGS_PT_CLASS_MOV_CR3:
	case FARGS_PT_CLASS_VMPTRLD:
		c->ip = next;
		return;
	default:
		return cpu_tip(c, insn, insn->class == FARGS_PT_CLASS_CALL_INDIRECT);
	}
}

/* Returns whether the instruction at c->ip was executed since the last packet. */
static bool cpu_is_in_circle(const struct cpu *c)
{
	size_t i;

	for (i = 0; i < c->nr_since; i++)
		if (c->since[i] == c->ip)
			return true;
	return c->nr_since == sizeof(c->since) / sizeof(c->since[0]);
}

/* Executes up to @nr instructions. */
static void cpu_run(struct cpu *c, size_t nr)
{
	struct fargs_pt_decoded insn;
	uint8_t code[FARGS_PT_INSN_MAX];
	size_t n;
	int byte;

	c->tnt_max = 1 + fuzz_below(c->rng, 6);
	cpu_psb(c);
	while (nr-- && c->nr_seen + 1 < NR_SEEN && c->nr_bytes + 64 < TRACE_BYTES) {
		if (cpu_is_in_circle(c))
			cpu_overflow(c);
		if (fuzz_once_in(c->rng, 12))
			cpu_event(c);
		for (n = 0; n < sizeof(code); n++) {
			byte = cpu_byte(c, c->ip + n);
			if (byte < 0)
				break;
			code[n] = byte;
		}
		if (!n || !fargs_pt_insn_decode(code, n, c->mode, &insn)) {
			cpu_interrupt(c);
			continue;
		}
		c->since[c->nr_since++] = c->ip;
		cpu_execute(c, &insn);
	}
	cpu_flush(c);
	c->nr_seen = c->sure;
	c->nr_insns = c->sure_insns;
}

#endif
